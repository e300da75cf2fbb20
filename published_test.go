package countersign_test

import (
	"testing"

	"github.com/countersign/countersign"
)

func newGuard(t testing.TB, policy string) *countersign.Guard {
	t.Helper()
	g, err := countersign.New(countersign.Options{Policy: policy})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Every fault of the published guard, pinned, beside what ours does.
func TestPublishedFaults(t *testing.T) {
	const (
		gmail   = "com.google.android.gm"
		keep    = "com.google.android.keep"
		gplay   = "com.google.android.gms"
		clone   = "com.whatsappclone"
		shop    = "com.example.shop"
		youtube = "com.google.android.youtube"
	)
	table := []struct {
		fault                      string
		text, description, id, pkg string
		dialogMessage              string
		descendants                []string
		class                      string
		published, ours            bool
	}{
		{fault: "text says Send in a LOW app does not ask, code asks", text: "Send", pkg: keep, published: true, ours: false},
		{fault: "money in a LOW app", text: "Buy", pkg: keep, published: true, ours: true},
		{fault: "message in HIGH", text: "Send", pkg: gmail, published: true, ours: true},
		{fault: "message in MEDIUM", text: "Send", pkg: shop, published: true, ours: true},
		{fault: "medium word in a LOW app", text: "Delete", pkg: youtube, published: false, ours: false},
		{fault: "underscore is a letter", id: "com.example.shop:id/btn_send", pkg: shop, published: false, ours: true},
		{fault: "case change is no boundary", id: "sendButton", pkg: shop, published: false, ours: true},
		{fault: "low set never used: post", text: "Post", pkg: shop, published: false, ours: true},
		{fault: "low set never used: publish", text: "Publish", pkg: youtube, published: false, ours: true},
		{fault: "low set never used: save", text: "Save", pkg: shop, published: false, ours: false},
		{fault: "OK under a question", text: "OK", dialogMessage: "Delete this chat?", pkg: shop, published: false, ours: true},
		{fault: "word in a child", descendants: []string{"Delete"}, class: "android.view.ViewGroup", pkg: shop, published: false, ours: true},
		{fault: "content that contains a risky word", text: "Reminder: please transfer the files to Anna before Monday evening", class: "android.widget.TextView", pkg: shop, published: true, ours: false},
		{fault: "another language", text: "Envoyer", pkg: gmail, published: false, ours: true},
		{fault: "another language", text: "إرسال", pkg: gmail, published: false, ours: true},
		{fault: "another language without ids", text: "送信", pkg: gmail, published: false, ours: true},
		{fault: "prefix by characters makes a clone HIGH, which hides nothing", text: "Delete", pkg: clone, published: true, ours: true},
		{fault: "mail's tier for Play services", text: "Delete", pkg: gplay, published: true, ours: true},
	}
	post, def := newGuard(t, "post"), newGuard(t, "default")
	for _, row := range table {
		req := &countersign.Request{
			Action: countersign.Action{Kind: countersign.Tap},
			Screen: &countersign.Screen{Package: row.pkg},
			Target: &countersign.Target{
				Text: row.text, ContentDesc: row.description, ResourceID: row.id, Class: row.class,
				DialogMessage: row.dialogMessage, Descendants: row.descendants,
			},
		}
		if got := post.Decide(req).Outcome != countersign.Allow; got != row.published {
			t.Errorf("%s (%s%s%s): published asks: %v, want %v", row.fault, row.text, row.id, row.descendants, got, row.published)
		}
		if dec := def.Decide(req); (dec.Outcome != countersign.Allow) != row.ours {
			t.Errorf("%s (%s%s%s): ours asks: %v, want %v: %s", row.fault, row.text, row.id, row.descendants, !row.ours, row.ours, dec.Reason())
		}
	}
	if len(table) != 18 {
		t.Fatalf("%d faults", len(table))
	}
}

// The article's text and its code disagree about the log's fourth source: the
// text counts a LOW app's medium word as what the flat guard missed, while the
// code shows the opposite. Ours follows the truth table.
func TestSourceOfAMediumWordInALowApp(t *testing.T) {
	dec := newGuard(t, "default").Decide(&countersign.Request{
		Action: countersign.Action{Kind: countersign.Tap},
		Screen: &countersign.Screen{Package: "com.spotify.music"},
		Target: &countersign.Target{Text: "Share", Class: "android.widget.Button"},
	})
	if !dec.Layers.Flat || dec.Layers.Context {
		t.Fatalf("layers %+v: the flat guard asks, context does not", dec.Layers)
	}
	if dec.Source.String() != "CONTEXT_AWARE_GUARD" || dec.Delta.String() != "suppressed" {
		t.Errorf("%v %v, want CONTEXT_AWARE_GUARD suppressed", dec.Source, dec.Delta)
	}
}

func TestPublishedTiers(t *testing.T) {
	post, def := newGuard(t, "post"), newGuard(t, "default")
	for _, row := range []struct {
		pkg             string
		published, ours countersign.Tier
	}{
		{"", countersign.Medium, countersign.Medium},
		{"com.google.android.gm", countersign.High, countersign.High},
		{"com.google.android.keep", countersign.Low, countersign.Low},
		{"com.google.android.gms", countersign.High, countersign.High}, // ours for another reason: a system surface
		{"com.google.android.youtube", countersign.Low, countersign.Low},
		{"com.example.shop", countersign.Medium, countersign.Medium},
		{"com.google.android.keepsake", countersign.Low, countersign.Medium},
	} {
		if got := post.TierFor(row.pkg); got != row.published {
			t.Errorf("published tier of %q is %v, want %v", row.pkg, got, row.published)
		}
		if got := def.TierFor(row.pkg); got != row.ours {
			t.Errorf("our tier of %q is %v, want %v", row.pkg, got, row.ours)
		}
	}
}

func TestPublishedForms(t *testing.T) {
	post := newGuard(t, "post")
	if post.ShouldConfirm("", "", "", "com.whatsapp") {
		t.Error("null text asks")
	}
	if !post.ShouldConfirm("", "Confirm payment", "", "") || !post.ShouldConfirmText("  LOG OUT ", "com.whatsapp") {
		t.Error("a keyword in the description, or in capitals, does not ask")
	}
	if post.ShouldConfirmText("sender payload", "com.whatsapp") || post.ShouldConfirmText("log out", "com.spotify.music") {
		t.Error("asks about part of a word, or about a medium word in a LOW app")
	}
	def := newGuard(t, "default")
	if !def.ShouldConfirm("Envoyer", "", "", "com.whatsapp") || def.ShouldConfirmText("Payload", "com.whatsapp") {
		t.Error("the default policy misses Envoyer or asks about Payload")
	}
}

func TestGuardWithoutPolicyDenies(t *testing.T) {
	g, err := countersign.New(countersign.Options{Policy: "no-such-file.yaml"})
	if err == nil {
		t.Fatal("a policy that is not there is no error")
	}
	for name, guard := range map[string]*countersign.Guard{"failed": g, "zero": {}, "nil": nil} {
		if !guard.ShouldConfirmText("Next page", "com.example.reader") {
			t.Errorf("the %s guard lets something through", name)
		}
	}
	if _, err := countersign.New(countersign.Options{DigestKey: []byte("short")}); err != countersign.ErrDigestKey {
		t.Errorf("short key: %v", err)
	}
}
