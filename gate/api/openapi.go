package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// document is an OpenAPI 3.1 document as far as it is used here.
type document struct {
	OpenAPI    string                          `json:"openapi"`
	Info       info                            `json:"info"`
	Paths      map[string]map[string]operation `json:"paths"`
	Components struct {
		Schemas  map[string]*jsonschema.Schema `json:"schemas"`
		Security map[string]securityScheme     `json:"securitySchemes"`
	} `json:"components"`
}

type info struct {
	Title       string `json:"title"`
	Version     string `json:"version"`
	Description string `json:"description"`
}

type operation struct {
	ID          string                `json:"operationId"`
	Summary     string                `json:"summary"`
	Description string                `json:"description,omitempty"`
	Security    []map[string][]string `json:"security"`
	Parameters  []paramDoc            `json:"parameters,omitempty"`
	Body        *content              `json:"requestBody,omitempty"`
	Responses   map[string]content    `json:"responses"`
}

type paramDoc struct {
	Name        string             `json:"name"`
	In          string             `json:"in"`
	Description string             `json:"description"`
	Required    bool               `json:"required"`
	Schema      *jsonschema.Schema `json:"schema"`
}

type content struct {
	Description string               `json:"description"`
	Required    bool                 `json:"required,omitempty"`
	Headers     map[string]headerDoc `json:"headers,omitempty"`
	Content     map[string]mediaType `json:"content"`
}

type headerDoc struct {
	Description string             `json:"description"`
	Schema      *jsonschema.Schema `json:"schema"`
}

type mediaType struct {
	Schema *jsonschema.Schema `json:"schema"`
}

type securityScheme struct {
	Type        string `json:"type"`
	Scheme      string `json:"scheme"`
	Description string `json:"description"`
}

const securityName = "agent"

// describe writes the document of a table of routes.
func describe(table []route, version string) ([]byte, error) {
	d := document{OpenAPI: "3.1.0", Paths: map[string]map[string]operation{}, Info: info{
		Title: "Countersign for agents", Version: version,
		Description: "The second signature on what an agent does with a phone. An agent proposes actions here and can never answer a question. " +
			"AgentDecision is all that an agent is told of a decision; ApproverDecision is what the owner sees and no route here answers. " +
			"Errors are problem details (RFC 9457).",
	}}
	if d.Info.Version == "" {
		d.Info.Version = "0"
	}
	var err error
	if d.Components.Schemas, err = schemas(); err != nil {
		return nil, err
	}
	d.Components.Security = map[string]securityScheme{
		securityName: {Type: "http", Scheme: "bearer", Description: "An agent's credential (csa_...)."},
	}
	for i := range table {
		rt := &table[i]
		if d.Paths[rt.path] == nil {
			d.Paths[rt.path] = map[string]operation{}
		}
		d.Paths[rt.path][strings.ToLower(rt.method)] = rt.operation()
	}
	doc, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("api: write the OpenAPI document: %w", err)
	}
	return doc, nil
}

// operation describes one route.
func (rt *route) operation() operation {
	op := operation{ID: rt.id, Summary: rt.summary, Description: rt.about, Security: []map[string][]string{}, Responses: map[string]content{}}
	if !rt.open {
		op.Security = append(op.Security, map[string][]string{securityName: {}})
	}
	for _, p := range rt.parameters {
		op.Parameters = append(op.Parameters, paramDoc{p.name, p.in, p.about, p.required, &jsonschema.Schema{Type: "string"}})
	}
	if rt.body != nil {
		op.Body = &content{Required: true, Content: map[string]mediaType{"application/json": {refTo(rt.body)}}}
	}
	for _, a := range rt.answers {
		schema := &jsonschema.Schema{Type: "object"}
		if a.body != nil {
			schema = refTo(a.body)
		}
		c := content{Description: a.about, Content: map[string]mediaType{"application/json": {schema}}}
		if a.status == http.StatusAccepted {
			c.Headers = map[string]headerDoc{
				"Location":    {"Where the action is found.", &jsonschema.Schema{Type: "string"}},
				"Retry-After": {"Seconds to wait before asking.", &jsonschema.Schema{Type: "string"}},
			}
		}
		op.Responses[strconv.Itoa(a.status)] = c
	}
	for _, status := range rt.everyProblem() {
		op.Responses[strconv.Itoa(status)] = content{
			Description: http.StatusText(status), Content: map[string]mediaType{"application/problem+json": {refTo(problemType)}},
		}
	}
	return op
}

// everyProblem are the statuses of problems that a route can answer: its own,
// and those of everything that a request passes before.
func (rt *route) everyProblem() []int {
	all := append([]int{http.StatusForbidden, http.StatusInternalServerError}, rt.problems...)
	if !rt.open {
		all = append(all, http.StatusUnauthorized, http.StatusServiceUnavailable)
	}
	if rt.body != nil {
		all = append(all, http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
