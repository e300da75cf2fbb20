package policy

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/risk"
	"pgregory.net/rapid"
)

// withChannels is a policy with a section on channels.
func withChannels(t *testing.T, section string) *Policy {
	t.Helper()
	return mustParse(t, "version: 1\nextends: default\nchannels:\n"+section)
}

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func TestRoute(t *testing.T) {
	const section = `
  routes:
    - { critical: true, channels: [phone, desk] }
    - { categories: [money, delete], tiers: [HIGH], channels: [phone] }
    - { categories: [message], channels: [] }
    - { tiers: [LOW], channels: [all] }
    - { categories: [call], critical: false, channels: [desk] }
`
	p := withChannels(t, section)
	tests := []struct {
		category risk.Category
		tier     risk.Tier
		critical bool
		want     string
	}{
		{risk.Money, risk.High, true, "phone desk"},
		{risk.Money, risk.Low, true, "phone desk"},
		{risk.Message, risk.Low, true, "phone desk"},
		{risk.Money, risk.High, false, "phone"},
		{risk.Delete, risk.High, false, "phone"},
		{risk.Delete, risk.Medium, false, "all"},
		{risk.Delete, risk.Low, false, "all"},
		{risk.Message, risk.High, false, ""},
		{risk.Message, risk.Low, false, ""},
		{risk.Call, risk.Medium, false, "desk"},
		{risk.Call, risk.Low, false, "all"},
		{risk.Unknown, risk.High, false, "all"},
		{risk.Affirmative, risk.High, false, "all"}, // read as unknown
		{risk.Delete, risk.Low + 1, false, "phone"}, // read as HIGH
		{risk.Affirmative, risk.Low + 9, true, "phone desk"},
	}
	for _, test := range tests {
		got := strings.Join(p.Route(test.category, test.tier, test.critical, noon), " ")
		if got != test.want {
			t.Errorf("%v in %v, critical %v: %q, want %q", test.category, test.tier, test.critical, got, test.want)
		}
	}
	if len(tests) != 15 {
		t.Errorf("ran %d cases, want 15", len(tests))
	}
	if got := p.ChannelNames(); !slices.Equal(got, []string{"desk", "phone"}) {
		t.Errorf("it names %q", got)
	}
	if p.NeedsChannel() {
		t.Error("it needs a channel, and nobody said so")
	}
}

// Where nobody wrote anything about channels, all are told of everything, and
// whoever reads the zero policy does not stay silent either.
func TestEverybodyIsToldByDefault(t *testing.T) {
	none := (*Policy)(nil)
	for _, p := range []*Policy{none, {}, preset(t, "default"), preset(t, "flat"), preset(t, "post"), withChannels(t, "  required: true\n")} {
		for c := range categories {
			for tier := range tiers {
				if got := p.Route(c, tier, c == risk.Money, noon); !slices.Equal(got, []string{AllChannels}) {
					t.Fatalf("%s tells %q of %v in %v", p.Name(), got, c, tier)
				}
			}
		}
	}
	if none.NeedsChannel() || none.ChannelNames() != nil {
		t.Error("no policy needs or names a channel")
	}
	if !withChannels(t, "  required: true\n").NeedsChannel() || withChannels(t, "  required: false\n").NeedsChannel() {
		t.Error("required is not read")
	}
	for _, engine := range []string{"flat", "published"} {
		p := mustParse(t, "version: 1\nengine: "+engine+"\nchannels: { routes: [ { channels: [phone] } ] }\n")
		if got := p.Route(risk.Other, risk.Low, false, noon); !slices.Equal(got, []string{"phone"}) {
			t.Errorf("engine %s tells %q", engine, got)
		}
	}
}

// What Route returns is the caller's.
func TestRouteIsNotShared(t *testing.T) {
	p := withChannels(t, "  routes: [ { channels: [phone] } ]\n")
	p.Route(risk.Money, risk.High, true, noon)[0] = "mine"
	if got := p.Route(risk.Money, risk.High, true, noon); !slices.Equal(got, []string{"phone"}) {
		t.Errorf("it tells %q", got)
	}
}

// The quiet hours go by the clock on the wall, over midnight and over the days on
// which that clock is changed. Berlin: on 29 March 2026 02:00 becomes 03:00, on
// 25 October 2026 03:00 becomes 02:00. Lord Howe changes by half an hour.
func TestQuietHours(t *testing.T) {
	const berlin, howe = "Europe/Berlin", "Australia/Lord_Howe"
	tests := []struct {
		from, to, zone, at string // at is a time in UTC
		quiet              bool
	}{
		{"22:00", "07:00", "UTC", "2026-03-04T21:59:59Z", false},
		{"22:00", "07:00", "UTC", "2026-03-04T22:00:00Z", true},
		{"22:00", "07:00", "UTC", "2026-03-05T00:00:00Z", true},
		{"22:00", "07:00", "UTC", "2026-03-05T06:59:59Z", true},
		{"22:00", "07:00", "UTC", "2026-03-05T07:00:00Z", false},
		{"12:00", "13:30", "UTC", "2026-03-04T11:59:59Z", false},
		{"12:00", "13:30", "UTC", "2026-03-04T13:29:59Z", true},
		{"12:00", "13:30", "UTC", "2026-03-04T13:30:00Z", false},
		{"00:00", "23:59", "UTC", "2026-03-04T23:59:00Z", false},
		{"00:00", "23:59", "UTC", "2026-03-04T23:58:59Z", true},
		// Winter and summer, an hour apart in UTC.
		{"22:00", "07:00", berlin, "2026-01-15T20:59:59Z", false},
		{"22:00", "07:00", berlin, "2026-01-15T21:00:00Z", true},
		{"22:00", "07:00", berlin, "2026-07-15T19:59:59Z", false},
		{"22:00", "07:00", berlin, "2026-07-15T20:00:00Z", true},
		// The night that is an hour shorter ends at seven by the new time.
		{"22:00", "07:00", berlin, "2026-03-29T04:59:59Z", true},
		{"22:00", "07:00", berlin, "2026-03-29T05:00:00Z", false},
		// Hours that are not there: 02:15 to 02:45 never comes that night.
		{"02:15", "02:45", berlin, "2026-03-29T00:59:59Z", false},
		{"02:15", "02:45", berlin, "2026-03-29T01:00:00Z", false},
		{"02:15", "02:45", berlin, "2026-03-28T01:20:00Z", true},
		// An end that is not there: what is quiet until half past two is so until three.
		{"01:00", "02:30", berlin, "2026-03-29T00:59:59Z", true},
		{"01:00", "02:30", berlin, "2026-03-29T01:00:00Z", false},
		// Hours that come twice.
		{"02:15", "02:45", berlin, "2026-10-25T00:20:00Z", true},
		{"02:15", "02:45", berlin, "2026-10-25T00:50:00Z", false},
		{"02:15", "02:45", berlin, "2026-10-25T01:20:00Z", true},
		{"02:15", "02:45", berlin, "2026-10-25T01:50:00Z", false},
		{"22:00", "07:00", berlin, "2026-10-25T05:59:59Z", true},
		{"22:00", "07:00", berlin, "2026-10-25T06:00:00Z", false},
		// Half an hour: on 5 April 2026 02:00 becomes 01:30, on 4 October 02:00 becomes 02:30.
		{"01:30", "02:00", howe, "2026-04-04T14:45:00Z", true},
		{"01:30", "02:00", howe, "2026-04-04T15:15:00Z", true},
		{"01:30", "02:00", howe, "2026-04-04T15:30:00Z", false},
		{"02:00", "02:30", howe, "2026-10-03T15:29:59Z", false},
		{"02:00", "02:30", howe, "2026-10-03T15:30:00Z", false},
	}
	for _, test := range tests {
		p := withChannels(t, fmt.Sprintf("  quiet: { from: %q, to: %q, zone: %s }\n", test.from, test.to, test.zone))
		at, err := time.Parse(time.RFC3339, test.at)
		if err != nil {
			t.Fatal(err)
		}
		// The zone that the time is given in makes no difference.
		for _, at := range []time.Time{at, at.In(time.FixedZone("elsewhere", 9*3600))} {
			if got := p.Route(risk.Money, risk.High, true, at) == nil; got != test.quiet {
				t.Errorf("%s to %s in %s at %s: quiet is %v", test.from, test.to, test.zone, test.at, got)
			}
		}
	}
	if len(tests) != 32 {
		t.Errorf("ran %d cases, want 32", len(tests))
	}
}

func TestQuietExcept(t *testing.T) {
	p := withChannels(t, `
  quiet: { from: "00:00", to: "23:59", zone: UTC, except: [critical, call] }
  routes: [ { categories: [call], channels: [desk] } ]
`)
	tests := []struct {
		category risk.Category
		critical bool
		want     string
	}{
		{risk.Money, true, "all"}, {risk.Money, false, ""}, {risk.Call, false, "desk"}, {risk.Call, true, "desk"}, {risk.Message, false, ""},
	}
	for _, test := range tests {
		if got := strings.Join(p.Route(test.category, risk.High, test.critical, noon), " "); got != test.want {
			t.Errorf("%v, critical %v: %q, want %q", test.category, test.critical, got, test.want)
		}
	}
	if len(tests) != 5 {
		t.Errorf("ran %d cases, want 5", len(tests))
	}
}

// The digest covers what is said of channels, and nothing else of the file.
func TestChannelsAreInTheDigest(t *testing.T) {
	// Each group says one thing in several ways; no two groups say the same.
	groups := [][]string{
		{"", "channels: { required: false }", "channels: { routes: [] }"},
		{"channels: { required: true }", "channels:\n  required: true # yes"},
		{"channels: { routes: [ { channels: [a, b] } ] }", "channels: { routes: [ { channels: [b, a], tiers: [LOW, HIGH, MEDIUM] } ] }"},
		{"channels: { routes: [ { channels: [a] } ] }"},
		{"channels: { routes: [ { channels: [] } ] }"},
		{"channels: { routes: [ { categories: [money, call], channels: [a] } ] }", "channels: { routes: [ { channels: [a], categories: [call, money] } ] }"},
		{"channels: { routes: [ { categories: [money], channels: [a] } ] }"},
		{"channels: { routes: [ { critical: true, channels: [a] } ] }"},
		{"channels: { routes: [ { critical: false, channels: [a] } ] }"},
		{"channels: { routes: [ { tiers: [HIGH], channels: [a] } ] }"},
		{"channels: { routes: [ { tiers: [HIGH], channels: [a] }, { channels: [b] } ] }"},
		{`channels: { quiet: { from: "22:00", to: "07:00", zone: UTC } }`, "channels: { quiet: { zone: UTC, to: 07:00, from: 22:00 } }"},
		{`channels: { quiet: { from: "22:00", to: "07:01", zone: UTC } }`},
		{`channels: { quiet: { from: "22:01", to: "07:00", zone: UTC } }`},
		{`channels: { quiet: { from: "22:00", to: "07:00", zone: Europe/Berlin } }`},
		{`channels: { quiet: { from: "22:00", to: "07:00", zone: UTC, except: [critical] } }`},
		{`channels: { quiet: { from: "22:00", to: "07:00", zone: UTC, except: [money] } }`},
		{`channels: { quiet: { from: "22:00", to: "07:00", zone: UTC, except: [money, critical] } }`, `channels: { quiet: { from: "22:00", to: "07:00", zone: UTC, except: [critical, money] } }`},
	}
	seen := map[string]string{}
	for _, group := range groups {
		first := mustParse(t, "version: 1\nextends: default\n"+group[0]+"\n").Name()
		if other, twice := seen[first]; twice {
			t.Errorf("%q and %q have one digest", group[0], other)
		}
		seen[first] = group[0]
		for _, same := range group[1:] {
			if name := mustParse(t, "version: 1\nextends: default\n"+same+"\n").Name(); name != first {
				t.Errorf("%q is %s, but %q is %s", group[0], first, same, name)
			}
		}
	}
	if len(groups) != 18 {
		t.Errorf("tried %d groups, want 18", len(groups))
	}
	plain := mustParse(t, "version: 1\nextends: default\n")
	if _, digest, _ := strings.Cut(plain.Name(), "@"); !strings.HasSuffix(preset(t, "default").Name(), digest) {
		t.Errorf("a policy that says nothing of channels is %s, the preset %s", plain.Name(), preset(t, "default").Name())
	}
}

// A drawn route, and what it is in a file.
type drawn struct {
	categories []risk.Category
	tiers      []risk.Tier
	critical   []bool
	names      []string
}

func drawRoute(t *rapid.T) drawn {
	allCategories, allTiers := make([]risk.Category, categories), make([]risk.Tier, tiers)
	for c := range categories {
		allCategories[c] = c
	}
	for i := range tiers {
		allTiers[i] = i
	}
	return drawn{
		categories: rapid.SliceOfNDistinct(rapid.SampledFrom(allCategories), 0, 4, rapid.ID).Draw(t, "categories"),
		tiers:      rapid.SliceOfNDistinct(rapid.SampledFrom(allTiers), 0, 2, rapid.ID).Draw(t, "tiers"),
		critical:   rapid.SampledFrom([][]bool{nil, {true}, {false}}).Draw(t, "critical"),
		names:      rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z0-9][a-z0-9_-]{0,5}`).Filter(IsChannelName), 0, 3, rapid.ID).Draw(t, "names"),
	}
}

func (d drawn) file() string {
	var b strings.Builder
	b.WriteString("    - { ")
	list := func(key string, words []string) {
		fmt.Fprintf(&b, "%s: [", key)
		for _, w := range words {
			fmt.Fprintf(&b, "%q, ", w)
		}
		b.WriteString("], ")
	}
	texts := func(n int, word func(int) string) (out []string) {
		for i := range n {
			out = append(out, word(i))
		}
		return out
	}
	if len(d.categories) > 0 {
		list("categories", texts(len(d.categories), func(i int) string { return d.categories[i].String() }))
	}
	if len(d.tiers) > 0 {
		list("tiers", texts(len(d.tiers), func(i int) string { return d.tiers[i].String() }))
	}
	if len(d.critical) > 0 {
		fmt.Fprintf(&b, "critical: %v, ", d.critical[0])
	}
	list("channels", d.names)
	return b.String() + "}\n"
}

// about says the same as the file, in the plainest way.
func (d drawn) about(c risk.Category, t risk.Tier, critical bool) bool {
	return (len(d.categories) == 0 || slices.Contains(d.categories, c)) &&
		(len(d.tiers) == 0 || slices.Contains(d.tiers, t)) &&
		(len(d.critical) == 0 || d.critical[0] == critical)
}

// Route is the first route that is about the question, else all; and a file is
// refused exactly where a route would never be used.
func TestRouteIsTheFirstThatFits(t *testing.T) {
	accepted, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		routes := rapid.SliceOfN(rapid.Custom(drawRoute), 1, 5).Draw(t, "routes")
		file := "version: 1\nextends: default\nchannels:\n  routes:\n"
		for _, d := range routes {
			file += d.file()
		}
		used := make([]bool, len(routes))
		first := func(c risk.Category, tier risk.Tier, critical bool) int {
			return slices.IndexFunc(routes, func(d drawn) bool { return d.about(c, tier, critical) })
		}
		for c := range categories {
			for i := range 2 * tiers {
				if at := first(c, i/2, i%2 == 1); at >= 0 {
					used[at] = true
				}
			}
		}
		p, err := Parse("drawn", []byte(file))
		if slices.Contains(used, false) {
			refused++
			if err == nil || !strings.Contains(err.Error(), "this route is never used") {
				t.Fatalf("accepted with a route that is never used (%v):\n%s", err, file)
			}
			return
		}
		accepted++
		if err != nil {
			t.Fatalf("%v:\n%s", err, file)
		}
		for c := range categories {
			for i := range 2 * tiers {
				want := []string{AllChannels}
				if at := first(c, i/2, i%2 == 1); at >= 0 {
					want = routes[at].names
				}
				if got := p.Route(c, i/2, i%2 == 1, noon); !slices.Equal(got, want) {
					t.Fatalf("%v in %v, critical %v: %q, want %q:\n%s", c, i/2, i%2 == 1, got, want, file)
				}
			}
		}
	})
	if accepted == 0 || refused == 0 {
		t.Errorf("%d files were accepted and %d refused; both are needed", accepted, refused)
	}
}
