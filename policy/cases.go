package policy

import (
	"fmt"
	"strconv"

	"github.com/countersign/countersign/risk"
	"go.yaml.in/yaml/v3"
)

// CaseResult is what became of one test case.
type CaseResult struct {
	Name string
	// Line is where the case stands in its file, counted from 1.
	Line int
	// Want and Got are an outcome (allow, confirm, critical, deny), or the engine
	// (flat, published) that decides without a table.
	Want, Got string
	// WantRule is empty where the case does not care which rule spoke.
	WantRule, Rule string
}

// Passed reports whether the policy said what the case wants.
func (c CaseResult) Passed() bool {
	return c.Got == c.Want && (c.WantRule == "" || c.Rule == c.WantRule)
}

// testCase is one case as it stands in a file.
type testCase struct {
	result CaseResult
	input  Input
	tiered bool // the input names its tier
}

// RunCases asks the policy every case of a case file of at most MaxBytes, in
// their order. The results say which passed. The error is about the file, not
// about the policy; it is of the kind that Parse returns. A file without a case
// is an error: it would pass whatever the policy says.
func RunCases(p *Policy, data []byte) ([]CaseResult, error) {
	r, root, err := open("cases", data)
	if err != nil {
		return nil, err
	}
	switch {
	case root.Kind != yaml.SequenceNode:
		r.complain(root, "", "a case file must be a list of cases, not %s", describe(root))
		return nil, r.err()
	case len(root.Content) == 0:
		r.complain(root, "", "the list has no case")
		return nil, r.err()
	}
	results := make([]CaseResult, 0, len(root.Content))
	seen := map[string]int{}
	for _, n := range root.Content {
		c := r.testCase(n)
		if line, twice := seen[c.result.Name]; twice && c.result.Name != "" {
			r.complain(n, fmt.Sprintf("it is the name of the case in line %d", line), "the name %s is given twice", quote(c.result.Name))
		}
		seen[c.result.Name] = n.Line
		results = append(results, c.run(p))
	}
	if r.failed() {
		return nil, r.err()
	}
	return results, nil
}

// run asks the policy. Where the case names no tier, it is the one that the
// policy sets for the package, else MEDIUM, as for an app that nobody knows.
func (c testCase) run(p *Policy) CaseResult {
	if !c.tiered {
		c.input.Tier = risk.Medium
		if t, ok := p.TierOverride(c.input.Package); ok {
			c.input.Tier = t
		}
	}
	answer := p.Evaluate(c.input)
	c.result.Got, c.result.Rule = answer.word(), answer.Rule
	if e := p.Engine(); e != Context {
		c.result.Got = e.String()
	}
	return c.result
}

// word is the result in the words of a policy file.
func (r Result) word() string {
	if r.Critical {
		return cellWords[critical]
	}
	return r.Outcome.String()
}

// wantWords are what a case may want.
var wantWords = []string{"allow", "confirm", "critical", "deny", "flat", "published"}

func (r *reader) testCase(n *yaml.Node) testCase {
	c := testCase{result: CaseResult{Line: n.Line}}
	fields := r.fields(n, "a case", "name", "input", "want", "rule")
	for _, key := range [...]string{"name", "input", "want"} {
		if n.Kind == yaml.MappingNode && fields[key] == nil {
			r.complain(n, "a case is { name: ..., input: { ... }, want: ... }", "the case has no %s", key)
		}
	}
	if v := fields["name"]; v != nil {
		c.result.Name = r.text(v, "name")
	}
	if v := fields["rule"]; v != nil {
		c.result.WantRule = r.text(v, "rule")
	}
	if v := fields["want"]; v != nil {
		if i, ok := r.index(v, "an answer", wantWords); ok {
			c.result.Want = wantWords[i]
		}
	}
	if v := fields["input"]; v != nil {
		c.input, c.tiered = r.input(v)
	}
	return c
}

// input reads the input of a case; tiered says that it names a tier.
func (r *reader) input(n *yaml.Node) (in Input, tiered bool) {
	fields := r.fields(n, "an input", "tier", "category", "package", "observed", "app_asks", "permanent")
	if v := fields["tier"]; v != nil {
		i, _ := r.index(v, "a tier", tierWords)
		in.Tier, tiered = risk.Tier(i), true
	}
	if v := fields["category"]; v != nil {
		i, _ := r.index(v, "a category", categoryWords)
		in.Category = risk.Category(i)
	} else if n.Kind == yaml.MappingNode {
		r.complain(n, accept(categoryWords), "the input has no category")
	}
	if v := fields["package"]; v != nil {
		in.Package = r.text(v, "package")
	}
	in.Observed = r.flag(fields["observed"], "observed")
	in.AppAsks = r.flag(fields["app_asks"], "app_asks")
	in.Permanent = r.flag(fields["permanent"], "permanent")
	return in, tiered
}

// text reads a scalar that is any text but none.
func (r *reader) text(n *yaml.Node, what string) string {
	if n.Kind != yaml.ScalarNode || n.Value == "" || isNothing(n) {
		r.complain(n, "", "the %s must be a text, not %s", what, describe(n))
		return ""
	}
	return n.Value
}

// flag reads true or false; false where there is nothing to read.
func (r *reader) flag(n *yaml.Node, what string) bool {
	if n == nil {
		return false
	}
	v, err := strconv.ParseBool(n.Value)
	if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" || err != nil {
		r.complain(n, "accepted: true, false", "%s may not be %s", what, describe(n))
	}
	return v
}
