package main

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/countersign/countersign/risk"
)

// surfacesList is kept by hand: the parts of the system under each vendor's
// name. Columns: package, tier, kind, surface, name.
//
//go:embed surfaces.tsv
var surfacesList string

// addSurfaces lays the hand-kept list over the rows. It sets kind, surface and
// name, adds packages that no source has, and never lowers a tier.
func addSurfaces(apps []app) ([]app, error) {
	at := make(map[string]int, len(apps))
	for i, a := range apps {
		at[a.id] = i
	}
	for n, line := range strings.Split(strings.TrimSuffix(surfacesList, "\n"), "\n") {
		if n == 0 || strings.HasPrefix(line, "#") {
			continue // the heading, a remark
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 5 {
			return nil, fmt.Errorf("surfaces.tsv: line %d: %d columns instead of 5", n+1, len(fields))
		}
		part := app{id: fields[0], kind: fields[2], surface: fields[3], name: fields[4]}
		if err := part.tier.UnmarshalText([]byte(fields[1])); err != nil {
			return nil, fmt.Errorf("surfaces.tsv: line %d: %w", n+1, err)
		}
		i, known := at[part.id]
		if !known {
			at[part.id] = len(apps)
			apps = append(apps, part)
			continue
		}
		if part.tier.Stricter(apps[i].tier) != part.tier {
			return nil, fmt.Errorf("surfaces.tsv: line %d: %s is %v already, a correction may not lower it", n+1, part.id, risk.Tier(apps[i].tier))
		}
		if part.name == "" {
			part.name = apps[i].name
		}
		apps[i] = part
	}
	return apps, nil
}
