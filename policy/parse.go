package policy

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/countersign/countersign/document"
	"github.com/countersign/countersign/risk"
	"go.yaml.in/yaml/v3"
)

// Parse reads a policy of at most MaxBytes. The name is what decisions call it,
// and stands for the file in errors, which are *Error, several of them joined.
func Parse(name string, data []byte) (*Policy, error) {
	return parse(name, name, data)
}

// Load reads a policy file. Its name is that of the file without the extension,
// or that of the folder for a file called policy.yaml. What is wrong with the
// content is told as by Parse.
func Load(path string) (*Policy, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if absolute, err := filepath.Abs(path); err == nil && name == "policy" {
		name = filepath.Base(filepath.Dir(absolute))
	}
	return parse(path, name, data)
}

func parse(file, name string, data []byte) (*Policy, error) {
	r, root, err := open(file, data)
	if err != nil {
		return nil, err
	}
	p := r.policy(root)
	if r.Failed() {
		return nil, r.Err()
	}
	p.name = name + "@" + p.digest()
	return p, nil
}

// formatVersion is the only version of the format so far.
const formatVersion = "1"

// policy reads the document section by section.
func (r reader) policy(root *document.Node) *Policy {
	p := &Policy{}
	doc := r.Fields(root, "a policy", "version", "engine", "extends", "table", "apps", "channels")
	if root.Kind != yaml.MappingNode {
		return p
	}
	switch v := doc["version"]; {
	case v == nil:
		r.Complain(root, "begin with version: "+formatVersion, "the version is missing")
	case v.Kind != yaml.ScalarNode || v.Value != formatVersion:
		r.Complain(v, "this program reads version "+formatVersion, "the version is %s", document.Describe(v))
	}
	if n := doc["channels"]; n != nil {
		r.channels(n, &p.channels)
	}
	if n := doc["engine"]; n != nil {
		i, ok := r.Index(n, "an engine", engineNames[:])
		if !ok {
			return p // what else the file must have depends on it
		}
		p.engine = Engine(i)
	}
	if p.engine != Context {
		for _, section := range [...]string{"extends", "table", "apps"} {
			if n := doc[section]; n != nil {
				r.Complain(n, "leave it out, or use engine: context", "engine %s has no %s: tiers and words are its own", p.engine, section)
			}
		}
		return p
	}
	extends := doc["extends"]
	if extends != nil {
		p.table = r.base(extends)
	}
	r.table(root, doc["table"], extends != nil, &p.table)
	if n := doc["apps"]; n != nil {
		r.apps(n, &p.apps)
	}
	return p
}

// base returns the table of the preset that a policy builds on.
func (r reader) base(n *document.Node) table {
	names := PresetNames()
	i, ok := r.Index(n, "a preset", names)
	if !ok {
		return table{}
	}
	preset, err := Preset(names[i])
	if err != nil {
		r.Complain(n, "", "%v", err)
		return table{}
	}
	if preset.engine != Context {
		r.Complain(n, "", "preset %s has no table to build on", names[i])
		return table{}
	}
	return preset.table
}

// cellNodes says where in the file each cell was given, nil where it was not.
type cellNodes [tiers][categories]*document.Node

// table reads the table into t, over what it extends. Without that every cell
// must be given: a cell that was forgotten has no outcome that its owner chose.
func (r reader) table(root, n *document.Node, extended bool, t *table) {
	if n == nil {
		if !extended {
			r.Complain(root, "add extends: default, or give every category in every tier", "the table is missing")
		}
		return
	}
	var given cellNodes
	var rows [tiers]*document.Node
	for _, e := range r.Mapping(n, "table") {
		if i, ok := r.Index(e.At, "a tier", tierWords); ok {
			rows[i] = e.At
			r.cells(e.Value, "table "+e.Key, t[i][:], given[i][:])
		}
	}
	if !extended && n.Kind == yaml.MappingNode {
		r.refuseGaps(n, rows, &given)
	}
	if !r.Failed() { // else there are cells here that nobody gave
		r.refuseLaxerTiers(t, &given)
	}
}

// cells reads a mapping of categories to outcomes.
func (r reader) cells(n *document.Node, what string, cells []cell, given []*document.Node) {
	for _, e := range r.Mapping(n, what) {
		category, ok := r.Index(e.At, "a category", categoryWords)
		if !ok {
			continue
		}
		// Taken as given even if the outcome is wrong, so that it is not
		// reported as missing as well.
		given[category] = e.At
		outcome, ok := r.Index(e.Value, "an outcome", cellWords[:])
		if !ok {
			continue
		}
		c := cell(outcome)
		if why, ok := c.mayStandFor(risk.Category(category)); !ok {
			r.Complain(e.Value, why, "%s may not be %s", e.Key, cellWords[c])
			continue
		}
		cells[category] = c
	}
}

// refuseGaps complains about the cells that were not given, once for each tier.
func (r reader) refuseGaps(n *document.Node, rows [tiers]*document.Node, given *cellNodes) {
	const hint = "give every category in every tier, or start with extends: default and state only what differs"
	for t, row := range rows {
		if row == nil {
			r.Complain(n, hint, "the table has no %s", tierWords[t])
			continue
		}
		var missing []string
		for c, at := range given[t] {
			if at == nil {
				missing = append(missing, categoryWords[c])
			}
		}
		if len(missing) > 0 {
			r.Complain(row, hint, "%s gives no outcome for %s", tierWords[t], strings.Join(missing, ", "))
		}
	}
}

// refuseLaxerTiers complains where an app that can hurt its owner more would be
// asked about less. It compares neighbours, which is enough for all.
func (r reader) refuseLaxerTiers(t *table, given *cellNodes) {
	for lower := risk.Medium; lower < tiers; lower++ {
		higher := lower - 1
		for c := range categories {
			if t[higher][c].atLeastAsStrictAs(t[lower][c]) {
				continue
			}
			at := given[higher][c]
			if at == nil {
				at = given[lower][c]
			}
			r.Complain(at, fmt.Sprintf("a stricter tier may never be laxer: make it %s or stricter in %s", cellWords[t[lower][c]], higher),
				"%s is %s in %s, but %s in %s", c, cellWords[t[higher][c]], higher, cellWords[t[lower][c]], lower)
		}
	}
}

// apps reads the exceptions for single apps.
func (r reader) apps(n *document.Node, all *apps) {
	for _, e := range r.Mapping(n, "apps") {
		if prefix, _ := cutPrefixKey(e.Key); !isPackage(prefix) {
			r.Complain(e.At, "accepted: a package such as com.example.chat, or all below one as in com.example.*",
				"%s is not a package", document.Quote(e.Key))
			continue
		}
		before := r.Count()
		o := &override{rule: "app " + e.Key}
		fields := r.Fields(e.Value, "an app", "tier", "table")
		if n := fields["tier"]; n != nil {
			if i, ok := r.Index(n, "a tier", tierWords); ok {
				o.setTier(risk.Tier(i))
			}
		}
		if n := fields["table"]; n != nil {
			var given [categories]*document.Node
			r.cells(n, "the table of an app", o.cells[:], given[:])
			for c := range categories {
				if given[c] != nil {
					o.setCell(c, o.cells[c])
				}
			}
		}
		if o.says == 0 && r.Count() == before {
			r.Complain(e.At, "give it a tier, a table, or both", "the exception for %s says nothing", e.Key)
		}
		all.add(e.Key, o)
	}
}

// tierWords and categoryWords are the words of the vocabulary, by value.
var tierWords = words(tiers)
var categoryWords = words(categories)

func words[T interface {
	~uint8
	fmt.Stringer
}](n T) []string {
	all := make([]string, 0, n)
	for v := range n {
		all = append(all, v.String())
	}
	return all
}
