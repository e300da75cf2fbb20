package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// description is the OpenAPI document as a client reads it.
type description struct {
	Paths map[string]map[string]struct {
		Responses map[string]struct {
			Content map[string]struct {
				Schema json.RawMessage `json:"schema"`
			} `json:"content"`
		} `json:"responses"`
		Parameters []struct{ Name string }  `json:"parameters"`
		Security   []map[string][]string    `json:"security"`
		Body       *struct{ Required bool } `json:"requestBody"`
	} `json:"paths"`
	Components struct {
		Schemas map[string]json.RawMessage `json:"schemas"`
	} `json:"components"`

	raw      []byte
	resolved map[string]*jsonschema.Resolved
	// seen counts the answers that were checked, by "METHOD path status".
	seen map[string]int
}

func describedBy(t testing.TB, url string) *description {
	t.Helper()
	res, err := http.Get(url + "/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	d := &description{seen: map[string]int{}, resolved: map[string]*jsonschema.Resolved{}}
	if d.raw, err = io.ReadAll(res.Body); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(d.raw, d); err != nil {
		t.Fatal(err)
	}
	return d
}

// template finds the path of the document that a request's path belongs to.
func (d *description) template(path string) string {
	for tpl := range d.Paths {
		pattern := regexp.MustCompile(`\{[^}]*\}`).ReplaceAllString(tpl, "[^/]+")
		if regexp.MustCompile("^" + pattern + "$").MatchString(path) {
			return tpl
		}
	}
	return ""
}

// check holds an answer against the document: the status is listed for the
// route, and the body is what the schema says.
func (d *description) check(req *http.Request, a *answered) error {
	schema := json.RawMessage(`{"$ref":"#/components/schemas/Problem"}`)
	media := a.header.Get("Content-Type")
	tpl := d.template(req.URL.Path)
	op, known := d.Paths[tpl][strings.ToLower(req.Method)]
	switch {
	case known:
		res, listed := op.Responses[strconv.Itoa(a.status)]
		if !listed {
			return fmt.Errorf("status %d is not listed", a.status)
		}
		content, listed := res.Content[media]
		if !listed {
			return fmt.Errorf("media type %q is not listed", media)
		}
		schema = content.Schema
	case a.status != http.StatusNotFound && a.status != http.StatusMethodNotAllowed && a.status != http.StatusForbidden:
		return fmt.Errorf("a route that is not in the document answers %d", a.status)
	}
	if (a.status >= 400) != (media == "application/problem+json") && !(tpl == "/healthz" && a.status == 503) {
		return fmt.Errorf("status %d with media type %q", a.status, media)
	}
	d.seen[req.Method+" "+tpl+" "+strconv.Itoa(a.status)]++
	return d.validate(schema, a.raw)
}

// validate holds a JSON document against a schema of the document.
func (d *description) validate(schema json.RawMessage, doc []byte) error {
	resolved, known := d.resolved[string(schema)]
	if !known {
		var err error
		if resolved, err = d.resolve(schema); err != nil {
			return fmt.Errorf("schema: %w", err)
		}
		d.resolved[string(schema)] = resolved
	}
	var value any
	if err := json.Unmarshal(doc, &value); err != nil {
		return err
	}
	return resolved.Validate(value)
}

// resolve makes a schema of the document one that stands by itself.
func (d *description) resolve(schema json.RawMessage) (*jsonschema.Resolved, error) {
	text, err := json.Marshal(map[string]any{"$defs": d.Components.Schemas, "allOf": []json.RawMessage{schema}})
	if err != nil {
		return nil, err
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(bytes.ReplaceAll(text, []byte("#/components/schemas/"), []byte("#/$defs/")), &s); err != nil {
		return nil, err
	}
	return s.Resolve(nil)
}
