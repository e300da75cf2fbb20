package catalog

import (
	"strings"
	"testing"
)

func benchmarkTier(b *testing.B, app App) {
	c := Default()
	b.ReportAllocs()
	for b.Loop() {
		c.Tier(app)
	}
}

func BenchmarkTierCatalogued(b *testing.B) { benchmarkTier(b, App{Package: "com.whatsapp"}) }

func BenchmarkTierUnknown(b *testing.B) { benchmarkTier(b, App{Package: "com.acme.unheardof.thing"}) }

func BenchmarkTierUnknownVendor(b *testing.B) {
	benchmarkTier(b, App{Package: "com.google.android.apps.unheardof"})
}

func BenchmarkTierUnknownWithFacts(b *testing.B) {
	benchmarkTier(b, App{
		Package: "com.acme.unheardof.thing", Observed: true, AndroidCategory: "game", Installer: "com.android.vending",
		Permissions: []string{"android.permission.INTERNET", "android.permission.VIBRATE", "android.permission.WAKE_LOCK"},
	})
}

func BenchmarkTierLookalike(b *testing.B) { benchmarkTier(b, App{Package: "org.telegram.messengez"}) }

func BenchmarkTierHostile(b *testing.B) {
	benchmarkTier(b, App{Package: "com." + strings.Repeat("android.", 31)})
}

func BenchmarkTierUnknownLabel(b *testing.B) {
	benchmarkTier(b, App{Package: "com.acme.unheardof.thing", Label: "Unheard Of"})
}

func BenchmarkReason(b *testing.B) {
	v := Default().Tier(App{Package: "com.whatsapp"})
	b.ReportAllocs()
	for b.Loop() {
		_ = v.Reason()
	}
}

func BenchmarkDecodeTable(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		t, err := decodeTable(packedApps)
		if err != nil {
			b.Fatal(err)
		}
		newNearIndex(t)
	}
}

func TestTierDoesNotAllocate(t *testing.T) {
	c := Default()
	for _, app := range []App{
		{Package: "com.whatsapp"}, {Package: "com.spotify.music.beta"}, {Package: "com.acme.unheardof"},
		{Package: "org.telegram.messengez"}, {Package: "com.acme.settings"}, {},
		{Package: "com.acme.chess", Observed: true, AndroidCategory: "game", Installer: "com.android.vending", Permissions: []string{"x"}},
	} {
		if n := testing.AllocsPerRun(100, func() { c.Tier(app) }); n != 0 {
			t.Errorf("%q: %v allocations", app.Package, n)
		}
	}
}
