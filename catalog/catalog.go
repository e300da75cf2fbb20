// Package catalog knows what an app is: how much it can hurt its owner (its
// tier), what it is for (its kind) and which part of the system it stands for
// (its surface).
//
// [Catalog.Tier] asks six voices in this order and the first one that has
// something to say decides; the verdict names it:
//
//  1. override: the user's own word ([Catalog.WithOverrides]);
//  2. catalogue: the embedded table, by exact package, by build of a known
//     package (".beta", ".fdroid"), or below a HIGH package at a dot;
//  3. system surface: a permission controller, package installer or settings
//     app that a vendor renamed, recognised by its name;
//  4. look-alike: an unknown id or label that passes for a HIGH app;
//  5. device: what the phone says of the app (roles, permissions, category);
//  6. name pattern: a word in the id such as "bank".
//
// Nobody speaking is MEDIUM. Only an exact entry, an override or an observed
// fact can make an app LOW: every kind of resemblance may only raise. What an
// agent claims about an app may only raise too.
//
// Package ids are case-sensitive, as on the device. A string that cannot be an
// id at all is at least MEDIUM.
package catalog

import (
	"sync"

	"github.com/countersign/countersign/risk"
)

// Catalog answers what an app is. It is read-only and safe for concurrent use.
// The zero value knows no app and no override, so it ranks by names and device
// facts alone; use [Default].
type Catalog struct {
	apps      *table
	near      *nearIndex
	overrides Overrides
}

// Default returns the catalogue with the embedded table. The table is decoded
// once, at the first call, which takes some milliseconds.
func Default() *Catalog { return embedded() }

var embedded = sync.OnceValue(func() *Catalog {
	apps, err := decodeTable(packedApps)
	if err != nil {
		// Only a wrongly built binary gets here. Going on without the table
		// would quietly turn every bank into an unknown app.
		panic("catalog: the embedded table is damaged: " + err.Error())
	}
	return &Catalog{apps: apps, near: newNearIndex(apps)}
})

// WithOverrides returns a catalogue that asks o before anything else. It shares
// the table with c; overrides that c had are replaced.
func (c *Catalog) WithOverrides(o Overrides) *Catalog {
	return &Catalog{apps: c.apps, near: c.near, overrides: o}
}

// About returns the day on which the table's facts were taken (YYYY-MM-DD) and
// how many packages it knows. Vendors move packages: an old table is a reason
// to update.
func (c *Catalog) About() (asOf string, packages int) {
	if c.apps == nil {
		return "", 0
	}
	return c.apps.asOf, c.apps.size()
}

// Entry is a row of the catalogue.
type Entry struct {
	Package string
	// Name is the app's name as its maker writes it, in any script; it may be empty.
	Name string
	// Kind is what the app is for, such as "messaging" or "banking".
	Kind    string
	Tier    risk.Tier
	Surface Surface
	// Vague says that the source files the app under nothing narrower than
	// "system" or "internet": the tier is then a default, which the device may raise.
	Vague bool
}

// Lookup finds the entry of exactly this package. Look-alikes, builds and
// overrides are not considered; see [Catalog.Tier].
func (c *Catalog) Lookup(pkg string) (Entry, bool) {
	row, ok := c.apps.find(pkg)
	if !ok {
		return Entry{}, false
	}
	return c.apps.entry(row), true
}
