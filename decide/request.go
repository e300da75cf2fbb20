package decide

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/countersign/countersign/redact"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// Request is one action to decide about, as it stands on the wire. Everything
// in it is the caller's word unless Screen.Observed says that we looked.
type Request struct {
	// ID is the caller's and comes back in the decision.
	ID             string      `json:"id,omitempty"`
	IdempotencyKey string      `json:"idempotency_key,omitempty"`
	Action         risk.Action `json:"action"`
	Screen         *Screen     `json:"screen,omitempty"`
	App            *App        `json:"app,omitempty"`
	// Target is what the action lands on, resolved by the caller. When Screen
	// has a tree as well, the tree wins and the difference is evidence.
	Target *Target `json:"target,omitempty"`
	// Locale is the BCP 47 tag the caller claims; it can only add readings.
	Locale string `json:"locale,omitempty"`
	// Now is the caller's time in RFC 3339; Decide does not use it.
	Now     string `json:"now,omitempty"`
	Task    string `json:"task,omitempty"`
	Agent   string `json:"agent,omitempty"`
	Device  string `json:"device,omitempty"`
	Session string `json:"session,omitempty"`
	LLM     LLM    `json:"llm"`
}

// LLM is what the agent's model said of its own action. It can raise an
// outcome, never lower one.
type LLM struct {
	RequiresConfirmation bool   `json:"requires_confirmation"`
	Reason               string `json:"reason,omitempty"`
}

// Screen is what the device showed, as the caller gives it.
type Screen struct {
	Package  string `json:"package,omitempty"`
	Activity string `json:"activity,omitempty"`
	// Tree is uiautomator XML, Appium page source or the JSON tree of
	// docs/screen-json.md.
	Tree string `json:"tree,omitempty"`
	// TreePath names a file with the tree. The batch commands read it; Decide
	// does no input or output and answers no_tree when Tree is empty.
	TreePath   string `json:"tree_path,omitempty"`
	CapturedAt string `json:"captured_at,omitempty"`
	Width      int    `json:"width,omitempty"`
	Height     int    `json:"height,omitempty"`
	Rotation   int    `json:"rotation,omitempty"`
	Display    int    `json:"display,omitempty"`
	Secure     bool   `json:"secure,omitempty"`
	Observed   bool   `json:"observed,omitempty"`

	// Parsed is a tree that was read before; it is used instead of Tree.
	Parsed *screen.Screen `json:"-"`
}

// App is what the caller says of the app in front.
type App struct {
	Installer       string   `json:"installer,omitempty"`
	Roles           []string `json:"roles,omitempty"`
	Permissions     []string `json:"permissions,omitempty"`
	AndroidCategory string   `json:"android_category,omitempty"`
}

// Target is a control as the caller describes it. An absent clickable or
// enabled means true.
type Target struct {
	Text          string    `json:"text,omitempty"`
	ContentDesc   string    `json:"content_desc,omitempty"`
	ResourceID    string    `json:"resource_id,omitempty"`
	Class         string    `json:"class,omitempty"`
	Hint          string    `json:"hint,omitempty"`
	Role          risk.Role `json:"role,omitempty"`
	Bounds        [4]int    `json:"bounds"`
	Clickable     *bool     `json:"clickable,omitempty"`
	Enabled       *bool     `json:"enabled,omitempty"`
	Checked       bool      `json:"checked,omitempty"`
	Focused       bool      `json:"focused,omitempty"`
	Password      bool      `json:"password,omitempty"`
	Descendants   []string  `json:"descendants,omitempty"`
	DialogTitle   string    `json:"dialog_title,omitempty"`
	DialogMessage string    `json:"dialog_message,omitempty"`
}

// MaxRequest is the size in bytes of a request that ReadRequest accepts: a
// tree of the largest size that package screen reads, escaped.
const MaxRequest = 24 << 20

// ReadRequest reads one request from JSON. Unknown fields, fields that are given
// twice or in other letters, wrong types and trailing data are errors that name
// the field and the nearest known one.
func ReadRequest(data []byte) (*Request, error) {
	if len(data) > MaxRequest {
		return nil, fmt.Errorf("request: %d bytes, at most %d are accepted", len(data), MaxRequest)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var req Request
	if err := dec.Decode(&req); err != nil {
		return nil, explainJSON(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("request: more data after the closing brace; one request is one JSON object")
	}
	if err := exactKeys(data); err != nil {
		return nil, err
	}
	if req.Action.Kind == "" {
		return nil, fmt.Errorf("request: action.kind is missing; accepted are %s", kindList())
	}
	return &req, nil
}

func kindList() string {
	words := make([]string, 0, 20)
	for _, k := range risk.ActionKinds() {
		words = append(words, string(k))
	}
	return strings.Join(words, ", ")
}

// explainJSON turns the decoder's errors into ones that say what is accepted.
func explainJSON(err error) error {
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong) && wrong.Field == "":
		return fmt.Errorf("request: a JSON %s; a request is a JSON object", wrong.Value)
	case errors.As(err, &wrong):
		return fmt.Errorf("request: %s is a JSON %s, it must be %s", wrong.Field, wrong.Value, jsonKind(wrong.Type))
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return errors.New("request: the JSON ends early")
	}
	if field, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		// What stands where a name should may be anything, a secret too.
		if name, err := strconv.Unquote(field); err == nil {
			field = redact.Text(name)
		}
		switch near := nearestField(field); near {
		case "":
			return fmt.Errorf("request: unknown field %q", field)
		case field:
			return fmt.Errorf("request: field %q stands where there is none of that name; it belongs to %s", field, ownerOf(field))
		default:
			return fmt.Errorf("request: unknown field %q; did you mean %q?", field, near)
		}
	}
	return fmt.Errorf("request: %w", err)
}

// jsonKind names a type the way JSON does.
func jsonKind(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return jsonKind(t.Elem())
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice:
		return "a list"
	case reflect.Array:
		return fmt.Sprintf("a list of %d numbers", t.Len())
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int32, reflect.Int64:
		return "a whole number"
	}
	return "a string"
}

// parts are the objects of a request by their place in it.
var parts = []struct {
	name string
	of   any
}{
	{"the request", Request{}}, {"screen", Screen{}}, {"app", App{}}, {"target", Target{}},
	{"llm", LLM{}}, {"action", risk.Action{}}, {"action.selector", risk.Selector{}},
}

// ownerOf names the part of a request that a field belongs to.
func ownerOf(field string) string {
	for _, part := range parts {
		rt := reflect.TypeOf(part.of)
		for i := range rt.NumField() {
			if name, _, _ := strings.Cut(rt.Field(i).Tag.Get("json"), ","); name == field {
				return part.name
			}
		}
	}
	return "another part of the request"
}

// nearestField finds the known field with the fewest edits, at most two.
func nearestField(field string) string {
	best, distance := "", 3
	for _, part := range parts {
		rt := reflect.TypeOf(part.of)
		for i := range rt.NumField() {
			name, _, _ := strings.Cut(rt.Field(i).Tag.Get("json"), ",")
			if d := edits(field, name); name != "-" && d < distance {
				best, distance = name, d
			}
		}
	}
	return best
}

// edits is the Levenshtein distance of two short words.
func edits(a, b string) int {
	if len(a) > 40 || len(b) > 40 {
		return 99
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j]+1, row[j+1]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
