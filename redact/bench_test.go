package redact

import (
	"strings"
	"testing"
)

// row is a row of the ledger as it usually is: nothing in it is secret.
var row = []byte(`{"seq":1841,"at":"2026-02-11T09:41:07.182Z","kind":"decided","prev":"4f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8",` +
	`"request":{"id":"c17","idempotency_key":"","action":{"kind":"tap","x":540,"y":2100},"screen":{"package":"com.whatsapp","activity":".Conversation","width":1080,"height":2400,"rotation":0,"display":0,"secure":false,"observed":true},` +
	`"app":{"installer":"com.android.vending","roles":[],"permissions":[],"android_category":""},"target":{"text":"","content_desc":"Send","resource_id":"com.whatsapp:id/send","class":"android.widget.ImageButton","hint":"","role":"icon_button","bounds":[945,2037,1080,2163],"clickable":true,"enabled":true,"focused":false,"password":false,"descendants":[],"dialog_title":"","dialog_message":""},` +
	`"locale":"de-DE","task":"Answer Anna that I am ten minutes late","agent":"agent-1","device":"emulator-5554","session":"s1","llm":{"requires_confirmation":false,"reason":""}},` +
	`"decision":{"id":"c17","outcome":"confirm","category":"message","critical":false,"code":"","source":"CONTEXT_AWARE_GUARD","delta":"added","decided_by":"layer","layers":{"llm":false,"flat":false,"context":true},"app":{"package":"com.whatsapp","tier":"HIGH","why":"catalogue: messaging"},` +
	`"target":{"label":"Send","role":"icon_button","resource_id":"com.whatsapp:id/send","bounds":[945,2037,1080,2163]},"evidence":[{"signal":"resource_id","match":"send","start":16,"end":20,"term":"send","language":"en","layer":"term"}],` +
	`"reason":"Sends a message in WhatsApp (HIGH).","facts":{"object":"chat with Anna","recipient":"Anna","text":"Bin in zehn Minuten da"},"digest":"hmac-sha256:4f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8","policy":"default@sha256:0123456789abcdef"}}`)

var labels = map[string]string{
	"Label":    "Add to basket, delivery between Monday and Wednesday at noon",
	"Cyrillic": "Добавить в корзину, доставка",
	"Han":      "添加到购物车，周一至周三送货上门，满减优惠",
	"Digits":   "Order 123456 of 24.10.2025, total 1234.50 EUR, 3 items left.",
	"Word":     "Change password, forgot your PIN, enter the code of conduct.",
}

func BenchmarkText(b *testing.B) {
	for name, label := range labels {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(label)))
			for b.Loop() {
				Text(label)
			}
		})
	}
	b.Run("Secret", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Text("Ihr Code lautet 123456 und gilt zehn Minuten")
		}
	})
	tree := strings.Repeat(`<node index="0" text="Add to basket" resource-id="com.example.shop:id/add" class="android.widget.Button" password="false" bounds="[0,1200][1080,1320]" />`, 2000)
	b.Run("Tree", func(b *testing.B) {
		b.SetBytes(int64(len(tree)))
		for b.Loop() {
			Text(tree)
		}
	})
}

func BenchmarkJSON(b *testing.B) {
	b.ReportAllocs()
	b.SetBytes(int64(len(row)))
	for b.Loop() {
		if _, err := JSON(row); err != nil {
			b.Fatal(err)
		}
	}
}

func TestTheRowStays(t *testing.T) {
	out, err := JSON(row)
	if err != nil || string(out) != string(row) {
		t.Errorf("%s\n%v", out, err)
	}
}
