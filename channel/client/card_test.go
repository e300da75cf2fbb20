package client

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/risk"
)

var update = flag.Bool("update", false, "write the golden files anew")

// noon is when the questions of the tests are asked.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func ordinary() approval.Approval {
	return approval.Approval{
		ID: "apv_7f3k", State: approval.Pending, Agent: "agt_1", AgentName: "errands", Device: "pixel",
		Digest: "hmac-sha256:aa", Similar: "similar", CreatedAt: noon, Deadline: noon.Add(5 * time.Minute),
		Card: approval.Card{
			Action: "tap", Category: risk.Message, Package: "com.whatsapp", App: "WhatsApp", Tier: risk.High, TierWhy: "catalogue: messaging",
			Reason: "Sends a message to “Anna” in WhatsApp (HIGH). The control says “Send”.", Label: "Send now", Role: risk.IconButton,
			ResourceID: "com.whatsapp:id/send",
			Facts:      risk.Facts{Object: "chat with Anna", Recipient: "Anna", Text: "See you at eight.\nI bring the cake."},
			Evidence: []risk.Evidence{
				{Signal: risk.SignalDescription, Match: "Send", End: 4, Term: "send", Language: "en", Layer: risk.LayerTerm, Category: risk.Message},
				{Signal: risk.SignalResourceID, Match: "send", Start: 16, End: 20, Term: "send", Language: "en", Layer: risk.LayerIdentifier, Category: risk.Message},
			},
			Source: risk.ContextAwareGuard, Delta: risk.Added, Rule: "HIGH message", Policy: "default@sha256:1234", Observed: true,
			Task: "Tell Anna when I come", Doubt: "The user may want to read it first.",
		},
	}
}

func critical() approval.Approval {
	a := ordinary()
	a.ID, a.Digest, a.ParkedUntil = "apv_9q2w", "hmac-sha256:bb", noon.Add(2*time.Minute)
	a.Card = approval.Card{
		Action: "tap", Category: risk.Money, Critical: true, Permanent: true, Package: "com.shop", App: "Shop", Tier: risk.Medium,
		TierWhy: "catalogue: shopping", Reason: "Pays, orders or transfers 1299.00 EUR in Shop (MEDIUM). The control says “Zur Kasse”.",
		Label: "Jetzt kaufen", Role: risk.Button, Facts: risk.Facts{Object: "Espresso machine", Amount: &risk.Amount{Value: "1299.00", Currency: "EUR"}},
		Evidence: []risk.Evidence{{Signal: risk.SignalText, Match: "kaufen", Start: 6, End: 12, Term: "kaufen", Language: "de", Layer: risk.LayerTerm, Category: risk.Money}},
		Source:   risk.Both, Delta: risk.Added, Rule: "MEDIUM money", Policy: "default@sha256:1234", Masked: true,
		Before: "Something like it was refused four minutes ago.",
	}
	return a
}

func shell() approval.Approval {
	a := ordinary()
	a.ID, a.Digest = "apv_5sh1", "hmac-sha256:cc"
	a.Card = approval.Card{
		Action: "shell", Argument: "echo " + strings.Repeat("harmless ", 42) + "; pm uninstall com.example.notes",
		Category: risk.Uninstall, Package: "com.example.notes", App: "", Tier: risk.Medium, TierWhy: "not known",
		Reason:   "Uninstalls software (MEDIUM). The command is “pm uninstall com.example.notes”.",
		Facts:    risk.Facts{Object: "com.example.notes"},
		Evidence: []risk.Evidence{{Signal: risk.SignalCommand, Match: "pm uninstall com.example.notes", End: 30, Term: "pm uninstall", Layer: risk.LayerCommand, Category: risk.Uninstall}},
		Source:   risk.ContextAwareGuard, Delta: risk.Added, Rule: "MEDIUM uninstall", Policy: "default@sha256:1234", Observed: true,
	}
	return a
}

// evil is text that tries to steer, to hide and to look like ours.
const evil = "OK\x1b[2K\rCancel\u202e\u200b\u2028⟦x⟧\nstate      approved\x00\u0085\x9b31m\u3164\u2800" +
	"\u00a0\u00a0\u00a0\u00a0\u00a0\u00a0and delete all photos\u200b\u200b\u200b\u200b\u200b\u200b e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\U000e0041\ue000\ufeff"

func hostile() approval.Approval {
	a := ordinary()
	a.ID, a.AgentName, a.Device, a.Session = evil, evil, evil, evil
	e := risk.Evidence{Signal: evil, Match: evil, Start: -3, End: 1 << 40, Term: evil, Language: evil, Layer: evil, Category: risk.Delete}
	label := risk.Evidence{Signal: risk.SignalText, Match: "delete", Start: 0, End: 6, Term: "delete", Layer: risk.LayerTerm, Category: risk.Delete}
	a.Card = approval.Card{
		Action: evil, Argument: evil, Category: risk.Delete, Package: evil, App: evil, Tier: risk.High, TierWhy: evil, Reason: evil,
		AgentReason: evil, Label: evil, Role: risk.Button, ResourceID: evil,
		Facts:    risk.Facts{Object: evil, Recipient: evil, Text: evil, Amount: &risk.Amount{Value: evil, Currency: evil}},
		Evidence: []risk.Evidence{e, label}, Code: evil, Source: risk.Both, Rule: evil, Policy: evil, Task: evil, Doubt: evil, Before: evil, Masked: true,
	}
	return a
}

func TestCardsLookAsTheyDid(t *testing.T) {
	cards := map[string]approval.Approval{"ordinary": ordinary(), "critical": critical(), "shell": shell(), "hostile": hostile()}
	compared := 0
	for name, a := range cards {
		for _, width := range []int{40, 80} {
			file := filepath.Join("testdata", "card_"+name+"_"+strconv.Itoa(width)+".txt")
			got := Page{Width: width, Level: "same user"}.Card(a, noon.Add(35*time.Second))
			checkShown(t, got, width)
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s at %d is now\n%s\nand was\n%s", name, width, got, want)
			}
			compared++
		}
	}
	if compared != 8 {
		t.Fatalf("%d cards were compared, want 8", compared)
	}
}

// checkShown fails where text could steer a terminal or would be cut off by it.
func checkShown(t *testing.T, text string, width int) {
	t.Helper()
	for _, r := range ansi.Strip(text) {
		if r != '\n' && !unicode.IsPrint(r) && r != 0x200c && r != 0x200d {
			t.Fatalf("%+q is in what is shown", r)
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		if n := max(ansi.StringWidth(line), ansi.StringWidthWc(line)); n > width {
			t.Fatalf("a line takes %d columns of %d: %q", n, width, line)
		}
	}
}

func TestTheDangerousPartStandsFirst(t *testing.T) { // report X01
	lines := splitLines(Card(shell(), noon, 80, nil))
	first := strings.Join(lines[:5], "\n")
	for _, want := range []string{"pm uninstall com.example.notes⟧", "of 415 characters"} {
		if !strings.Contains(first, want) {
			t.Errorf("the first lines do not have %q:\n%s", want, first)
		}
	}
}

func TestALabelStaysOneValue(t *testing.T) { // report X03
	cases := []struct{ label, want string }{
		{"OK" + strings.Repeat("\u00a0", 300) + "and delete all photos", "OK ⟨300 blanks⟩ and delete all photos"},
		{"Save\x1b[2K\rCancel", `Save\u001b[2K\u000dCancel`},
		{"OK\u2028Approve? yes", `OK\u2028Approve? yes`},
		{"a\n\n\n\n  b", "a ⟨2 blanks, 4 line breaks⟩ b"},
		{strings.Repeat("\u200b", 40) + "x", `\u200b⟨40 times⟩x`},
		{"می\u200cخواهم", "می\u200cخواهم"},
		{"pa\u200cy", `pa\u200cy`},
	}
	for _, c := range cases {
		a := ordinary()
		a.Card.Label, a.Card.Evidence = c.label, nil
		card := Card(a, noon, 110, nil)
		if want := "control    tap on the icon button “" + c.want + "”\n"; !strings.Contains(card, want) {
			t.Errorf("the card of %q does not have %q:\n%s", c.label, want, card)
		}
	}
}

func TestACopyBeforeTheDangerousPartTakesNoMark(t *testing.T) {
	a := shell()
	a.Card.Argument = "echo pm uninstall com.example.notes; pm uninstall com.example.notes"
	card := strings.Join(strings.Fields(Card(a, noon, 80, nil)), " ")
	if n := strings.Count(card, "echo ⟦pm uninstall com.example.notes⟧; ⟦pm uninstall com.example.notes⟧"); n != 1 {
		t.Errorf("the command is not marked in both places:\n%s", card)
	}
}

func TestColourAddsNothingButInk(t *testing.T) {
	for _, a := range []approval.Approval{ordinary(), critical(), shell(), hostile()} {
		for _, width := range []int{40, 80} {
			plain, inked := Card(a, noon, width, nil), Card(a, noon, width, SGR)
			if plain == inked {
				t.Fatal("no ink was used")
			}
			if ansi.Strip(inked) != plain {
				t.Errorf("with colour the card says something else:\n%s\n%s", ansi.Strip(inked), plain)
			}
		}
	}
}

// FuzzCard holds that no text steers the terminal, leaves its place on the card,
// or loses a letter.
func FuzzCard(f *testing.F) {
	for _, s := range []string{evil, "Send", "ลบทั้งหมด", "👩‍👩‍👧 ok", "1️⃣", "شراء الآن", strings.Repeat("a", 200), strings.Repeat("1️⃣", 60), strings.Repeat("🏳️‍🌈🇩🇪", 40), `\u001b\u202e`, "ｅｎｄ", "\xff\xfe"} {
		f.Add(s, uint8(40))
	}
	f.Fuzz(func(t *testing.T, label string, width uint8) {
		a := approval.Approval{Card: approval.Card{Action: "tap", Label: label, ResourceID: "x", Argument: label, Facts: risk.Facts{Object: label}}}
		a.Card.Evidence = []risk.Evidence{{Signal: risk.SignalText, Match: label, Start: 1, End: 3, Layer: risk.LayerTerm}}
		card := Card(a, noon, int(width), nil)
		checkShown(t, card, min(max(int(width), minCard), maxCard))
		want := letters(label)
		for _, field := range []string{"object", "argument"} {
			if got := letters(valueOf(card, field)); want != "" && !subsequence(want, got) {
				t.Fatalf("%s of %q has the letters %q", field, label, got)
			}
		}
		if got := letters(valueOf(card, "control")); want != "" && !subsequence(want, got) {
			t.Fatalf("control of %q has the letters %q", label, got)
		}
	})
}

// valueOf is the text of a field: its line and those under it without a name.
func valueOf(card, name string) string {
	var b strings.Builder
	in := false
	for _, line := range splitLines(card) {
		if in && !strings.HasPrefix(line, strings.Repeat(" ", nameColumn)) {
			break
		}
		if strings.HasPrefix(line, pad(name, nameColumn)) {
			in = true
		}
		if in {
			b.WriteString(line[nameColumn:])
		}
	}
	return b.String()
}

// letters are the letters that have a shape, in order.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) && !drawsNothing(r) {
			return r
		}
		return -1
	}, s)
}

func subsequence(small, large string) bool {
	rest := []rune(small)
	for _, r := range large {
		if len(rest) > 0 && r == rest[0] {
			rest = rest[1:]
		}
	}
	return len(rest) == 0
}
