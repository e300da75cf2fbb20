package api

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/risk"
)

// ApproverDecision is a decision as the approver sees it: the form in which
// decide.Decision is written. No route of this door answers it.
type ApproverDecision struct {
	ID        string          `json:"id"`
	Outcome   risk.Outcome    `json:"outcome"`
	Category  risk.Category   `json:"category"`
	Critical  bool            `json:"critical"`
	Code      string          `json:"code"`
	Source    risk.Source     `json:"source"`
	Delta     risk.Delta      `json:"delta"`
	DecidedBy string          `json:"decided_by"`
	Rule      string          `json:"rule,omitempty"`
	Layers    decide.Layers   `json:"layers"`
	App       approverApp     `json:"app"`
	Target    *approverTarget `json:"target,omitempty"`
	Evidence  []risk.Evidence `json:"evidence"`
	Reason    string          `json:"reason"`
	Facts     risk.Facts      `json:"facts"`
	Digest    string          `json:"digest"`
	Policy    string          `json:"policy"`
}

type approverApp struct {
	Package string    `json:"package"`
	Tier    risk.Tier `json:"tier"`
	Why     string    `json:"why"`
}

type approverTarget struct {
	Label      string    `json:"label"`
	Role       risk.Role `json:"role"`
	ResourceID string    `json:"resource_id"`
	Bounds     [4]int    `json:"bounds"`
}

// component is a named schema of the document.
type component struct {
	name string
	of   reflect.Type
	// asked says that it is part of a request: then null is the same as absent,
	// and only the fields in required have to be there. In an answer the fields
	// that are always written are required, and nothing is null.
	asked    bool
	required []string
	// without are fields that an agent may not send.
	without []string
}

// components are all named schemas, parts before what they are part of.
var components = []component{
	{name: "Selector", of: reflect.TypeFor[risk.Selector](), asked: true},
	{name: "Action", of: reflect.TypeFor[risk.Action](), asked: true, required: []string{"kind"}},
	{name: "Screen", of: reflect.TypeFor[decide.Screen](), asked: true, without: []string{"observed", "tree_path"}},
	{name: "App", of: reflect.TypeFor[decide.App](), asked: true},
	{name: "Target", of: reflect.TypeFor[decide.Target](), asked: true},
	{name: "LLM", of: reflect.TypeFor[decide.LLM](), asked: true},
	// Proposal is made of the fields of Request, which is no part of it by itself.
	{name: "Proposal", of: reflect.TypeFor[Proposal](), asked: true, required: []string{"action"}, without: []string{"now", "agent"}},
	{name: "Request", of: reflect.TypeFor[decide.Request](), asked: true, required: []string{"action"}, without: []string{"now", "agent"}},
	{name: "Look", of: reflect.TypeFor[Look](), asked: true},
	{name: "Result", of: reflect.TypeFor[Outcome](), asked: true, required: []string{"ok"}},
	{name: "ProposedAction", of: reflect.TypeFor[ProposedAction](), asked: true, required: []string{"kind"}},
	{name: "StepRequest", of: reflect.TypeFor[StepRequest](), asked: true},
	{name: "Question", of: reflect.TypeFor[Question]()},
	{name: "AgentDecision", of: reflect.TypeFor[View]()},
	{name: "ApproverDecision", of: reflect.TypeFor[ApproverDecision]()},
	{name: "StepAnswer", of: reflect.TypeFor[StepAnswer]()},
	{name: "Health", of: reflect.TypeFor[Health]()},
	{name: "Problem", of: reflect.TypeFor[Problem]()},
}

const componentPath = "#/components/schemas/"

// refTo is a reference to the component of a type.
func refTo(t reflect.Type) *jsonschema.Schema {
	for i := range components {
		if components[i].of == t {
			return &jsonschema.Schema{Ref: componentPath + components[i].name}
		}
	}
	return &jsonschema.Schema{Type: "object"}
}

// schemas makes all named schemas.
func schemas() (map[string]*jsonschema.Schema, error) {
	known := words()
	out := map[string]*jsonschema.Schema{}
	for _, c := range components {
		s, err := jsonschema.ForType(c.of, &jsonschema.ForOptions{TypeSchemas: known})
		if err != nil {
			return nil, fmt.Errorf("api: schema of %s: %w", c.name, err)
		}
		tidy(s, c.asked)
		if c.asked {
			s.Required = c.required
		}
		for _, name := range c.without {
			delete(s.Properties, name)
			s.PropertyOrder = slices.DeleteFunc(s.PropertyOrder, func(p string) bool { return p == name })
		}
		if c.of == reflect.TypeFor[StepRequest]() {
			s.Properties["current_package"] = &jsonschema.Schema{Types: []string{"string", "null"}, Description: "the app in front"}
		}
		out[c.name] = s
		known[c.of] = refTo(c.of)
	}
	return out, nil
}

// words are the schemas of types that are written as words.
func words() map[reflect.Type]*jsonschema.Schema {
	kinds := make([]string, 0, 20)
	for _, k := range risk.ActionKinds() {
		kinds = append(kinds, string(k))
	}
	return map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[risk.Outcome]():    enum(risk.Deny, risk.Confirm, risk.Allow),
		reflect.TypeFor[risk.Tier]():       enum(risk.High, risk.Medium, risk.Low),
		reflect.TypeFor[risk.Source]():     enum(risk.SourceNone, risk.LLMFlagged, risk.KeywordGuard, risk.ContextAwareGuard, risk.Both),
		reflect.TypeFor[risk.Delta]():      enum(risk.DeltaNone, risk.Added, risk.Suppressed),
		reflect.TypeFor[risk.Category]():   enum(risk.Categories()...),
		reflect.TypeFor[approval.State]():  enum(approval.States()...),
		reflect.TypeFor[risk.Role]():       enum(roles()...),
		reflect.TypeFor[json.RawMessage](): {},
		reflect.TypeFor[risk.ActionKind](): {Type: "string", Description: "One of " + strings.Join(kinds, ", ") + "; any other word is judged as unknown."},
		reflect.TypeFor[Screenshot]():      screenshotSchema(),
		reflect.TypeFor[risk.Signal]():     {Type: "string"},
		reflect.TypeFor[risk.Layer]():      {Type: "string"},
	}
}

func roles() []risk.Role {
	var all []risk.Role
	for r := risk.View; ; r++ {
		if _, known := risk.ParseRole(r.String()); !known {
			return all
		}
		all = append(all, r)
	}
}

func enum[W fmt.Stringer](words ...W) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, w := range words {
		s.Enum = append(s.Enum, w.String())
	}
	return s
}

// tidy makes null as right in a schema as it is on the wire: the generator allows
// it for all pointers and lists, and beside a reference it forbids all else.
func tidy(s *jsonschema.Schema, null bool) {
	if s == nil {
		return
	}
	if s.Ref != "" && len(s.Types) > 0 {
		s.Types = nil
		if null {
			s.AnyOf, s.Ref = []*jsonschema.Schema{{Ref: s.Ref}, {Type: "null"}}, ""
		}
	}
	if !null && slices.Contains(s.Types, "null") {
		s.Types = slices.DeleteFunc(s.Types, func(t string) bool { return t == "null" })
		if len(s.Types) == 1 {
			s.Type, s.Types = s.Types[0], nil
		}
	}
	for _, p := range s.Properties {
		tidy(p, null)
	}
	tidy(s.Items, null)
}
