package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/countersign/countersign/identity"
	"github.com/countersign/countersign/redact"
)

// call is one request on its way through the gate.
type call struct {
	r      *http.Request
	w      http.ResponseWriter
	route  *route
	agent  identity.Agent
	caller *caller // nil where no credential is needed

	buffer *bytes.Buffer
	read   int64 // how much of the body was read
}

// buffers are reused: most bodies are small and many.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// keptBuffer is the size in bytes of the largest buffer that is reused.
const keptBuffer = 64 << 10

// body reads the whole body. It is good until the call is released.
func (g *Gate) body(c *call) ([]byte, *Problem) { return g.bodyUpTo(c, g.options.Limits.Body) }

func (g *Gate) bodyUpTo(c *call, most int64) ([]byte, *Problem) {
	c.buffer = buffers.Get().(*bytes.Buffer)
	c.buffer.Reset()
	n, err := c.buffer.ReadFrom(http.MaxBytesReader(c.w, c.r.Body, most))
	c.read = n
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, tooLarge(large.Limit)
	case err != nil:
		return nil, problem(http.StatusBadRequest, "body_cut_off", "the body ended early or came too slowly")
	}
	return c.buffer.Bytes(), nil
}

func tooLarge(most int64) *Problem {
	return problem(http.StatusRequestEntityTooLarge, "body_too_large", "the body has more than %d bytes, which is the most that is accepted", most)
}

// release gives the buffer back; nothing keeps a part of it.
func (c *call) release() {
	if c.buffer != nil && c.buffer.Cap() <= keptBuffer {
		buffers.Put(c.buffer)
	}
	c.buffer = nil
}

// size is the size of the body as far as it is known.
func (c *call) size() int64 { return max(c.read, c.r.ContentLength, 0) }

// what names the entry point for the record.
func (c *call) what() string {
	if c.route == nil {
		return "api"
	}
	return c.route.method + " " + c.route.path
}

func badBody(err error) *Problem { return problem(http.StatusBadRequest, "bad_request", "%v", err) }

// readStrict reads one JSON object. Unknown fields, fields that are given twice
// or in other letters, wrong types and trailing data are errors that name them.
func readStrict(data []byte, what string, into any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if !bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{")) && json.Valid(data) {
		return fmt.Errorf("%s: it must be a JSON object", what)
	}
	if err := dec.Decode(into); err != nil {
		return explain(what, err, into)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: more data after the closing brace; one request is one JSON object", what)
	}
	return exactNames(data, what, namesOf(reflect.TypeOf(into)))
}

// explain turns the decoder's errors into ones that say what is accepted.
func explain(what string, err error, into any) error {
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong):
		return fmt.Errorf("%s: %s is a JSON %s, which it must not be; see /openapi.json", what, wrong.Field, wrong.Value)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fmt.Errorf("%s: the JSON ends early", what)
	}
	if field, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		// What stands where a name should may be anything, a secret too.
		if name, err := strconv.Unquote(field); err == nil {
			field = strconv.Quote(redact.Text(name))
		}
		return fmt.Errorf("%s: unknown field %s; known are %s", what, field, strings.Join(slices.Sorted(keysOf(namesOf(reflect.TypeOf(into)))), ", "))
	}
	return fmt.Errorf("%s: %w", what, err)
}

func keysOf(names map[string]bool) func(func(string) bool) {
	return func(yield func(string) bool) {
		for name := range names {
			if !yield(name) {
				return
			}
		}
	}
}

// namesOf are the names of all fields that a type has, at any depth.
func namesOf(t reflect.Type) map[string]bool {
	names := map[string]bool{}
	addNames(t, names)
	return names
}

func addNames(t reflect.Type, names map[string]bool) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || !f.IsExported() {
			continue
		}
		if name != "" {
			names[name] = true
		}
		addNames(f.Type, names)
	}
}

// exactNames holds every name in a document that was read against the known
// ones, letter for letter: the decoder takes other letters for the same field,
// and the last of two. Inside a list that is free in form only repeated names
// are an error.
func exactNames(data []byte, what string, known map[string]bool) error {
	walk := nameWalk{dec: json.NewDecoder(bytes.NewReader(data)), what: what, known: known}
	return walk.value(false)
}

type nameWalk struct {
	dec   *json.Decoder
	what  string
	known map[string]bool
	depth int
}

// maxNesting is how deep a body may be nested.
const maxNesting = 64

// free are the fields whose contents have no fixed names.
var free = map[string]bool{"history": true}

func (n *nameWalk) value(isFree bool) error {
	token, err := n.dec.Token()
	if err != nil {
		return fmt.Errorf("%s: %w", n.what, err)
	}
	open, ok := token.(json.Delim)
	if !ok {
		return nil
	}
	if n.depth++; n.depth > maxNesting {
		return fmt.Errorf("%s: it is nested more than %d deep", n.what, maxNesting)
	}
	defer func() { n.depth-- }()
	seen := map[string]bool{}
	for n.dec.More() {
		inside := isFree
		if open == '{' {
			token, err := n.dec.Token()
			if err != nil {
				return fmt.Errorf("%s: %w", n.what, err)
			}
			name := token.(string)
			switch {
			case seen[name]:
				return fmt.Errorf("%s: field %q is given twice", n.what, redact.Text(name))
			case !isFree && !n.known[name]:
				return fmt.Errorf("%s: a field is written %q; names are in small letters", n.what, redact.Text(name))
			}
			seen[name] = true
			inside = isFree || free[name]
		}
		if err := n.value(inside); err != nil {
			return err
		}
	}
	_, err = n.dec.Token() // the closing one
	return err
}
