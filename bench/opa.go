package bench

import (
	"context"
	_ "embed"
	"fmt"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
)

//go:embed guard.rego
var guardPolicy string

// OPA is the same guard as a policy of Open Policy Agent, in process, prepared
// once: the fastest way its library offers to ask one question again and again.
type OPA struct {
	query rego.PreparedEvalQuery
}

// NewOPA prepares the policy with one pattern per keyword.
func NewOPA(ctx context.Context) (*OPA, error) {
	return prepareOPA(ctx, patternEach(HighKeywords), patternEach(slices.Concat(HighKeywords, MediumKeywords)))
}

// NewOPAAlternation prepares the policy with one pattern for all keywords of a tier.
func NewOPAAlternation(ctx context.Context) (*OPA, error) {
	return prepareOPA(ctx,
		[]any{alternationPattern(HighKeywords)},
		[]any{alternationPattern(slices.Concat(HighKeywords, MediumKeywords))})
}

func prepareOPA(ctx context.Context, high, all []any) (*OPA, error) {
	query, err := rego.New(
		rego.Query("data.guard.asks"),
		rego.Module("guard.rego", guardPolicy),
		// Values that are read as they are cost OPA a conversion less.
		rego.Store(inmem.NewFromObjectWithOpts(map[string]any{
			"packages": map[string]any{"high": list(HighPackages), "low": list(LowPackages)},
			"patterns": map[string]any{"high": high, "all": all},
		}, inmem.OptReturnASTValuesOnRead(true))),
	).PrepareForEval(ctx)
	if err != nil {
		return nil, fmt.Errorf("prepare guard.rego: %w", err)
	}
	return &OPA{query}, nil
}

// Asks reports whether a tap on the control should wait.
func (g *OPA) Asks(ctx context.Context, c Control) (bool, error) {
	return g.eval(ctx, rego.EvalInput(map[string]any{
		"text": c.Text, "content_desc": c.ContentDesc, "resource_id": c.ResourceID, "package": c.Package,
	}))
}

// ParseOPA turns a control into OPA's own form of it, which is otherwise part
// of every evaluation.
func ParseOPA(c Control) ast.Value {
	return ast.NewObject(
		ast.Item(ast.StringTerm("text"), ast.StringTerm(c.Text)),
		ast.Item(ast.StringTerm("content_desc"), ast.StringTerm(c.ContentDesc)),
		ast.Item(ast.StringTerm("resource_id"), ast.StringTerm(c.ResourceID)),
		ast.Item(ast.StringTerm("package"), ast.StringTerm(c.Package)),
	)
}

// AsksParsed is Asks for a control that is in OPA's own form already.
func (g *OPA) AsksParsed(ctx context.Context, c ast.Value) (bool, error) {
	return g.eval(ctx, rego.EvalParsedInput(c))
}

func (g *OPA) eval(ctx context.Context, input rego.EvalOption) (bool, error) {
	results, err := g.query.Eval(ctx, input)
	if err != nil {
		return false, fmt.Errorf("evaluate guard.rego: %w", err)
	}
	return results.Allowed(), nil
}

func patternEach(keywords []string) []any {
	var patterns []any
	for _, k := range keywords {
		patterns = append(patterns, keywordPattern(k))
	}
	return patterns
}

func list(words []string) []any {
	var out []any
	for _, w := range words {
		out = append(out, w)
	}
	return out
}
