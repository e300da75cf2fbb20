package catalog

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/countersign/countersign/risk"
)

func TestReadOverrides(t *testing.T) {
	o, err := ReadOverrides(strings.NewReader(`
# what I know better
apps:
  com.example.bank: HIGH
  com.spotify.music: medium
  "com.example.games.*": LOW
  "com.example.games.casino.*": HIGH
  com.android.settings: LOW
  "com.android.*": LOW
`))
	if err != nil {
		t.Fatal(err)
	}
	if o.Len() != 6 {
		t.Errorf("%d overrides", o.Len())
	}
	c := Default().WithOverrides(o)
	for pkg, want := range map[string]risk.Tier{
		"com.example.bank": risk.High, "com.spotify.music": risk.Medium,
		"com.example.games.chess": risk.Low, "com.example.games.a.b.c": risk.Low,
		"com.example.games.casino.slots": risk.High, "com.android.settings": risk.Low,
	} {
		if v := c.Tier(App{Package: pkg}); v.Tier != want || v.Why != WhyOverride || v.Reason() != "user override" {
			t.Errorf("%s: %+v, want %v", pkg, v, want)
		}
	}
	// Not below the pattern, not well formed, or the system's own.
	for pkg, want := range map[string]risk.Tier{
		"com.example.games": risk.Medium, "com.example.gamesroom": risk.Medium,
		"com.example.games.": risk.Medium, "com.example.games. x": risk.Medium,
		"com.android.permissioncontroller": risk.High, "com.android.acme.packageinstaller": risk.High,
		"com.android.vpndialogs": risk.High,
	} {
		if v := c.Tier(App{Package: pkg}); v.Tier != want || v.Why == WhyOverride {
			t.Errorf("%s: %+v, want %v", pkg, v, want)
		}
	}
	// What the app is stays known.
	if v := c.Tier(App{Package: "com.spotify.music"}); v.Name != "Spotify" || v.Kind != "media" {
		t.Errorf("%+v", v)
	}
	if v := Default().Tier(App{Package: "com.spotify.music"}); v.Why != WhyCatalogue {
		t.Errorf("WithOverrides changed the catalogue it was called on: %+v", v)
	}
}

func TestNothingOverridesNothing(t *testing.T) {
	for _, text := range []string{"", "# nothing\n", "apps:\n", "apps: {}\n", "---\n", "null\n"} {
		o, err := ReadOverrides(strings.NewReader(text))
		if err != nil || o.Len() != 0 {
			t.Errorf("%q: %d overrides, %v", text, o.Len(), err)
		}
	}
}

func TestOverrideProblems(t *testing.T) {
	cases := []struct{ text, want string }{
		{"app:\n  com.example: LOW\n", `line 1, column 1: unknown key "app"; only "apps" is accepted; did you mean apps?`},
		{"apps:\n  com.example: HIHG\n", `line 2, column 16: tier "HIHG" is not one of HIGH, MEDIUM, LOW; did you mean HIGH?`},
		{"apps:\n  com.example: none\n", `line 2, column 16: tier "none" is not one of HIGH, MEDIUM, LOW`},
		{"apps:\n  com.example: lwo\n", `did you mean LOW?`},
		{"apps:\n  com.example: [LOW]\n", `line 2, column 16: tier "" is not one of`},
		{"apps:\n  com.example:\n", `is not one of HIGH, MEDIUM, LOW`},
		{"apps:\n  com.example game: LOW\n", `line 2, column 3: "com.example game": not a package id`},
		{"apps:\n  \"com.*\": LOW\n", `name at least two segments before the star`},
		{"apps:\n  \"*\": LOW\n", `not a package id`},
		{"apps:\n  \"com.example*\": LOW\n", `not a package id`},
		{"apps:\n  com.example: LOW\n  com.example: HIGH\n", `line 3, column 3: "com.example" stands here again, first in line 2`},
		{"apps: LOW\n", `line 1, column 7: apps must be a mapping`},
		{"- apps\n", `line 1, column 1: the file must be a mapping`},
		{"apps: &x {com.example: LOW}\nmore: *x\n", `unknown key "more"`},
		{"apps:\n  com.example: &t LOW\n  com.exbmple: *t\n", `is not one of`},
		{"apps:\n  <<: {com.example: LOW}\n", `is not one of`},
		{"apps:\n  ? [a]\n  : LOW\n", `a key must be a plain word`},
		{"apps: {}\n---\napps: {}\n", `more than one document`},
		{"apps: {\n", `not YAML`},
		{"apps:\n\t- x\n", `not YAML`},
		{"apps: {}\n" + strings.Repeat("#", maxOverrideBytes), `larger than 1 MiB`},
	}
	for _, c := range cases {
		o, err := ReadOverrides(strings.NewReader(c.text))
		var problem *OverrideError
		if err == nil || !errors.As(err, &problem) || !strings.Contains(err.Error(), c.want) || o.Len() != 0 {
			t.Errorf("%.40q: %v; want %q", c.text, err, c.want)
		}
	}
	if len(cases) != 21 {
		t.Errorf("%d cases", len(cases))
	}
}

func TestAllProblemsAreNamedUpToALimit(t *testing.T) {
	text := "apps:\n" + strings.Repeat("  x y: LOW\n", 1) + "  com.a: LO\n  com.b: MEDUM\n"
	_, err := ReadOverrides(strings.NewReader(text))
	if err == nil || strings.Count(err.Error(), "line ") != 3 {
		t.Errorf("%v", err)
	}
	var many strings.Builder
	many.WriteString("apps:\n")
	for i := range 100 {
		many.WriteString("  com.x" + strings.Repeat("x", i) + ": BAD\n")
	}
	if _, err := ReadOverrides(strings.NewReader(many.String())); strings.Count(err.Error(), "line ") != maxOverrideProblems {
		t.Errorf("%v", err)
	}
}

func TestReadOverridesFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiers.yaml")
	if err := os.WriteFile(path, []byte("apps:\n  com.example: HI\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadOverridesFile(path); err == nil || !strings.HasPrefix(err.Error(), path+": line 2") {
		t.Errorf("%v", err)
	}
	if _, err := ReadOverridesFile(path + ".gone"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

func TestMakeOverrides(t *testing.T) {
	o, err := MakeOverrides(map[string]risk.Tier{"com.example.a": risk.Low, "com.example.*": risk.High})
	if err != nil || o.Len() != 2 {
		t.Fatalf("%d, %v", o.Len(), err)
	}
	if _, err := MakeOverrides(map[string]risk.Tier{"": risk.Low}); err == nil {
		t.Error("an empty package is no package")
	}
	if _, err := MakeOverrides(map[string]risk.Tier{"com.example": 7}); err == nil {
		t.Error("7 is no tier")
	}
}

// FuzzReadOverrides asks that whatever is accepted holds only well-formed keys,
// and that a refusal says where.
func FuzzReadOverrides(f *testing.F) {
	f.Add("apps:\n  com.example.bank: HIGH\n  \"com.example.games.*\": LOW\n")
	f.Add("apps: {a: &a LOW, b: *a, <<: {c: HIGH}}\n---\n")
	f.Add("? {a: b}\n: [*x]\n")
	f.Add("a: &a [*a]\n")
	f.Fuzz(func(t *testing.T, text string) {
		o, err := ReadOverrides(strings.NewReader(text))
		if err != nil {
			var problem *OverrideError
			if !errors.As(err, &problem) || problem.Problem == "" || o.Len() != 0 {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		for pkg, tier := range o.exact {
			if packageDefect(pkg) != "" || tier > risk.Low {
				t.Fatalf("accepted %q: %v", pkg, tier)
			}
		}
		for _, s := range o.below {
			if packageDefect(strings.TrimSuffix(s.prefix, ".")) != "" || strings.Count(s.prefix, ".") < 2 {
				t.Fatalf("accepted the pattern %q", s.prefix)
			}
		}
	})
}
