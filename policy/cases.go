package policy

import (
	"fmt"

	"github.com/countersign/countersign/document"
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
		r.Complain(root, "", "a case file must be a list of cases, not %s", document.Describe(root))
		return nil, r.Err()
	case len(root.Content) == 0:
		r.Complain(root, "", "the list has no case")
		return nil, r.Err()
	}
	results := make([]CaseResult, 0, len(root.Content))
	seen := map[string]int{}
	for _, n := range root.Content {
		c := r.testCase(n)
		if line, twice := seen[c.result.Name]; twice && c.result.Name != "" {
			r.Complain(n, fmt.Sprintf("it is the name of the case in line %d", line), "the name %s is given twice", document.Quote(c.result.Name))
		}
		seen[c.result.Name] = n.Line
		results = append(results, c.run(p))
	}
	if r.Failed() {
		return nil, r.Err()
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

func (r reader) testCase(n *document.Node) testCase {
	c := testCase{result: CaseResult{Line: n.Line}}
	fields := r.Fields(n, "a case", "name", "input", "want", "rule")
	for _, key := range [...]string{"name", "input", "want"} {
		if n.Kind == yaml.MappingNode && fields[key] == nil {
			r.Complain(n, "a case is { name: ..., input: { ... }, want: ... }", "the case has no %s", key)
		}
	}
	if v := fields["name"]; v != nil {
		c.result.Name = r.Text(v, "name")
	}
	if v := fields["rule"]; v != nil {
		c.result.WantRule = r.Text(v, "rule")
	}
	if v := fields["want"]; v != nil {
		if i, ok := r.Index(v, "an answer", wantWords); ok {
			c.result.Want = wantWords[i]
		}
	}
	if v := fields["input"]; v != nil {
		c.input, c.tiered = r.input(v)
	}
	return c
}

// input reads the input of a case; tiered says that it names a tier.
func (r reader) input(n *document.Node) (in Input, tiered bool) {
	fields := r.Fields(n, "an input", "tier", "category", "package", "observed", "app_asks", "permanent")
	if v := fields["tier"]; v != nil {
		i, _ := r.Index(v, "a tier", tierWords)
		in.Tier, tiered = risk.Tier(i), true
	}
	if v := fields["category"]; v != nil {
		i, _ := r.Index(v, "a category", categoryWords)
		in.Category = risk.Category(i)
	} else if n.Kind == yaml.MappingNode {
		r.Complain(n, document.Accept(categoryWords), "the input has no category")
	}
	if v := fields["package"]; v != nil {
		in.Package = r.Text(v, "package")
	}
	in.Observed = r.Flag(fields["observed"], "observed")
	in.AppAsks = r.Flag(fields["app_asks"], "app_asks")
	in.Permanent = r.Flag(fields["permanent"], "permanent")
	return in, tiered
}
