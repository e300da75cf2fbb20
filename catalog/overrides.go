package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/countersign/countersign/risk"
)

// Overrides are the user's own tiers, by package or by everything below a
// package. The zero value overrides nothing. Overrides are read-only and safe
// for concurrent use.
type Overrides struct {
	exact map[string]risk.Tier
	below []subtree // the longest first
}

type subtree struct {
	prefix string // ends in a dot
	tier   risk.Tier
}

// MakeOverrides builds overrides from tiers by package id ("com.example.bank")
// or by pattern ("com.example.games.*": every package below that one, not the
// package itself). Of several patterns the longest wins, and a package wins
// over patterns. An error names the key and what is accepted.
//
// A pattern does not lower the system's own surfaces ([Surface.System]): those
// have to be named one by one.
func MakeOverrides(apps map[string]risk.Tier) (Overrides, error) {
	var o Overrides
	for key, tier := range apps {
		if err := o.set(key, tier); err != nil {
			return Overrides{}, fmt.Errorf("app %q: %w", key, err)
		}
	}
	o.sort()
	return o, nil
}

// Len is how many packages and patterns are overridden.
func (o Overrides) Len() int { return len(o.exact) + len(o.below) }

func (o *Overrides) set(key string, tier risk.Tier) error {
	if tier > risk.Low {
		return fmt.Errorf("%v is not one of HIGH, MEDIUM, LOW", tier)
	}
	base, pattern := strings.CutSuffix(key, ".*")
	switch {
	case packageDefect(base) != "":
		return fmt.Errorf(`not a package id such as "com.example.app" or a pattern such as "com.example.games.*"`)
	case pattern && !strings.Contains(base, "."):
		return fmt.Errorf("the pattern is too wide: name at least two segments before the star")
	case pattern:
		o.below = append(o.below, subtree{base + ".", tier})
	default:
		if o.exact == nil {
			o.exact = map[string]risk.Tier{}
		}
		o.exact[key] = tier
	}
	return nil
}

func (o *Overrides) sort() {
	slices.SortFunc(o.below, func(a, b subtree) int {
		return cmp.Or(cmp.Compare(len(b.prefix), len(a.prefix)), strings.Compare(a.prefix, b.prefix))
	})
}

// find returns the tier for a package, and whether the user named it exactly.
func (o *Overrides) find(pkg string) (tier risk.Tier, exact, ok bool) {
	if tier, ok := o.exact[pkg]; ok {
		return tier, true, true
	}
	if len(o.below) == 0 || packageDefect(pkg) != "" {
		return 0, false, false
	}
	for _, s := range o.below {
		if strings.HasPrefix(pkg, s.prefix) {
			return s.tier, false, true
		}
	}
	return 0, false, false
}
