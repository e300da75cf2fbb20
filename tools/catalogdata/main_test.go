package main

import (
	"bytes"
	"compress/flate"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/countersign/countersign/catalog"
	"github.com/countersign/countersign/risk"
)

const heading = columnsWanted + "\n"

func unpack(t *testing.T, packed []byte) string {
	t.Helper()
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// sharedList opens the list of packages, which lies beside the checkout.
func sharedList(t *testing.T) *os.File {
	t.Helper()
	list, err := os.Open("../../../shared/corpus/apps/packages.tsv")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("the shared corpus is needed in CI: %v", err)
		}
		t.Skipf("the shared corpus is not beside the checkout: %v", err)
	}
	t.Cleanup(func() { list.Close() })
	return list
}

// TestTheCommittedTableIsCurrent builds the table from the shared list and
// compares it with the committed one. What is compared is the unpacked form,
// since another Go release may compress differently.
func TestTheCommittedTableIsCurrent(t *testing.T) {
	list := sharedList(t)
	committed, err := os.ReadFile("../../catalog/data/apps.bin")
	if err != nil {
		t.Fatal(err)
	}
	packed, account, err := build(list)
	if err != nil {
		t.Fatal(err)
	}
	if unpack(t, packed) != unpack(t, committed) {
		t.Fatal("catalog/data/apps.bin is not what the list gives; run go run ./tools/catalogdata and update catalog/data/README.md")
	}
	for _, line := range []string{
		"rows: 10169; HIGH, MEDIUM, LOW before [2036 3156 4965], after [2105 3398 4666]",
		"LOW to MEDIUM: 30", "LOW to MEDIUM: 196", "LOW to MEDIUM: 50", "LOW to MEDIUM: 12", "LOW to MEDIUM: 4",
		"LOW to MEDIUM: 7, MEDIUM to HIGH: 56", "names dropped: 255",
	} {
		if !strings.Contains(account, line+"\n") {
			t.Errorf("catalog/data/README.md says %q, the account does not:\n%s", line, account)
		}
	}
}

// TestNoRowIsLowered: whatever the rules do, they only raise.
func TestNoRowIsLowered(t *testing.T) {
	rows, err := readRows(sharedList(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		e, ok := catalog.Default().Lookup(r.id)
		if !ok || e.Tier > r.tier {
			t.Errorf("%s is %v in the list and %v, %v in the catalogue", r.id, r.tier, e.Tier, ok)
		}
		if r.confidence == "A" && e.Tier != r.tier && e.Surface == catalog.NoSurface {
			t.Errorf("%s was named %v by hand and is %v", r.id, r.tier, e.Tier)
		}
	}
	if len(rows) != 10157 {
		t.Errorf("%d rows", len(rows))
	}
}

func TestRules(t *testing.T) {
	cases := []struct {
		line string
		want risk.Tier
	}{
		{"a.b\tNotes\tother (F-Droid: Note,Writing)\tLOW\tfdroiddata\tB", risk.Low},
		{"a.b\tNotes\tother (F-Droid: Note,Security)\tLOW\tfdroiddata\tB", risk.Medium},
		{"a.b\tClient\tother (F-Droid: Internet,Reading)\tLOW\tfdroiddata\tB", risk.Medium},
		{"a.b\tClient\tother (F-Droid: Internet,Weather)\tLOW\tfdroiddata\tB", risk.Low},
		{"a.b\tVideos\tcn-store:短视频\tLOW\tcn-store-top500\tB", risk.Medium},
		{"a.b\tNovels\tcn-store:电子书城\tLOW\tcn-store-top500\tB", risk.Low},
		{"a.smarthome\tHome\tlauncher/theme/wallpaper [Oem]\tLOW\tuad-ng\tB", risk.Medium},
		{"a.launcher\tHome\tlauncher/theme/wallpaper [Oem]\tLOW\tuad-ng\tB", risk.Low},
		{"a.b\tCopy SMS\tother (F-Droid: Notification)\tLOW\tfdroiddata\tB", risk.Medium},
		{"a.b\tSMS Gate\tgeneric (F-Droid: System)\tMEDIUM\tfdroiddata\tC", risk.High},
		{"a.b\tSMS Location\tlocation (F-Droid: Location Tracker & Sharer)\tMEDIUM\tfdroiddata\tB", risk.Medium},
		{"sms.b\tLampshade\tother (F-Droid: Reading)\tLOW\tfdroiddata\tB", risk.Low},
		{"a.b\tTerminal Heist\tother (F-Droid: Action Game)\tLOW\tfdroiddata\tB", risk.Low},
	}
	for _, c := range cases {
		r, err := parseRow(c.line)
		if err != nil {
			t.Fatal(err)
		}
		if got := newAccount([]row{r}).correct(r); got.tier != c.want {
			t.Errorf("%s: %v, want %v", c.line, got.tier, c.want)
		}
	}
	if len(cases) != 13 {
		t.Errorf("%d cases", len(cases))
	}
}

func TestTwinsOfBetterKnownApps(t *testing.T) {
	list := heading +
		"org.player.music\tPlayer\tmedia/entertainment\tLOW\tlawnicons+uad-ng\tB\n" +
		"org.player.musik\tPlayer\tmedia/entertainment\tLOW\tlawnicons\tB\n" +
		"org.player.other\tPlayer\tmedia/entertainment\tLOW\tlawnicons\tB\n"
	rows, err := readRows(strings.NewReader(list))
	if err != nil {
		t.Fatal(err)
	}
	if twins := lowTwins(rows); len(twins) != 1 || !twins["org.player.musik"] {
		t.Errorf("%v", twins)
	}
}

func TestShownNames(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"高德地圖 ~~ Amap", "lawnicons", "高德地圖 ~~ Amap"},
		{"WORM 🐍", "fdroiddata", "WORM 🐍"},
		{"Gemini (exchange; also an assistant)", "lawnicons", "Gemini"},
		{"Samsung Radio", "uad-ng", "Samsung Radio"},
		{"Needed for live wallpapers", "uad-ng", ""},
		{"Can be disabled.", "uad-ng", ""},
		{"Old package", "uad-ng", ""},
		{"recorder", "uad-ng", "recorder"},
	} {
		if got := shownName(&row{name: c.name, sources: strings.Split(c.source, "+")}); got != c.want {
			t.Errorf("%q from %s: %q, want %q", c.name, c.source, got, c.want)
		}
	}
}

func TestBadListsAreRefused(t *testing.T) {
	for list, want := range map[string]string{
		"package\tname\n":                                                              "line 1: the columns",
		heading + "a.b\tA\tgame\tLOW\tlawnicons\n":                                     "line 2: 5 columns",
		heading + "a.b\tA\tgame\tNONE\tlawnicons\tB\n":                                 `line 2: tier "NONE"`,
		heading + "a.b\tA\tgame\tLOW\tlawnicons\tD\n":                                  `line 2: confidence "D"`,
		heading + "a.b\tA\tparachutes\tLOW\tlawnicons\tB\n":                            "category without a kind",
		heading + "a.b\tA\tgame\tLOW\tlawnicons\tB\na.b\tA\tgame\tLOW\tlawnicons\tB\n": "stands twice",
	} {
		if _, _, err := build(strings.NewReader(list)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", list, err, want)
		}
	}
}
