package lab

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/risk"
)

// A Case is one labelled action: what was about to be done on which screen,
// and what a careful owner would want.
type Case struct {
	ID   string
	Line int
	// App is the cluster for intervals; Package is the app in front, which may
	// be empty where only the tree names it.
	App, Package string
	Locale       string
	// Request is the whole action, such as the record of a decision keeps it. It
	// stands instead of Node, Typed, Text and TreePath; it must not be changed.
	Request *decide.Request
	Node    int
	Typed   bool // the step types text instead of tapping
	Text    string
	// TreePath is the file of the tree, made relative to the case file.
	TreePath string
	// Want is allow or confirm; Also says that the other verdict is right too.
	Want     risk.Outcome
	Also     bool
	Category risk.Category
	Why      string
	// Task is what the user had asked for, where the case is a step of a task.
	Task string
}

// row is a line of any schema of labelled cases: taps on nodes ("cases"), steps
// of recorded tasks ("agent steps"), and requests.
type row struct {
	ID        string          `json:"id"`
	Request   json.RawMessage `json:"request"`
	Package   string          `json:"package"`
	App       string          `json:"app"`
	Locale    string          `json:"locale"`
	NodeIndex *int            `json:"node_index"`
	Target    *struct {
		NodeIndex *int `json:"node_index"`
	} `json:"target"`
	Action   string          `json:"action"`
	Input    json.RawMessage `json:"input"`
	Tree     string          `json:"tree"`
	Want     string          `json:"want"`
	Also     string          `json:"also_acceptable"`
	Category string          `json:"category"`
	Why      string          `json:"why"`
	Task     string          `json:"task"`
}

// aliases are the names that labelled corpora have for categories, beside our
// own: the last column of the table of categories.
var aliases = map[string]risk.Category{
	"pay": risk.Money, "purchase": risk.Money, "transfer": risk.Money,
	"send_message": risk.Message, "send": risk.Message,
	"clear_data": risk.Delete, "file_write": risk.Delete,
	"uninstall_install": risk.Uninstall, "permission_grant": risk.Permission, "grant": risk.Permission,
	"account_security": risk.Account, "credential_entry": risk.Credential,
	"subscribe_cancel": risk.CancelService, "settings_change": risk.Settings,
	"navigation": risk.None, "save": risk.None, "type": risk.None, "": risk.None,
}

func category(name string) (risk.Category, bool) {
	if c, ok := risk.ParseCategory(name); ok {
		return c, true
	}
	c, ok := aliases[name]
	return c, ok
}

// maxLine is the longest line of a case file, in bytes.
const maxLine = 16 << 20

// ReadCases reads labelled cases, one JSON object a line. dir is where the
// paths of trees start. An error names the line and what is accepted there.
func ReadCases(r io.Reader, dir string) ([]Case, error) {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(make([]byte, 64<<10), maxLine)
	var cases []Case
	line := 1
	for ; scanner.Scan(); line++ {
		if len(scanner.Bytes()) == 0 {
			continue
		}
		c, err := readCase(scanner.Bytes(), dir)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		c.Line = line
		cases = append(cases, c)
	}
	if err := scanner.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("line %d: longer than the %d MiB that are read", line, maxLine>>20)
	} else if err != nil {
		return nil, fmt.Errorf("line %d: %w", line, err)
	}
	return cases, nil
}

func readCase(data []byte, dir string) (Case, error) {
	var r row
	if err := json.Unmarshal(data, &r); err != nil {
		return Case{}, fmt.Errorf("not a JSON object with a labelled case: %w", err)
	}
	c := Case{ID: r.ID, Locale: r.Locale, Also: r.Also != "", Why: cmp.Or(r.Why, r.Task), Task: r.Task}
	read := c.readTap
	if given(r.Request) {
		read = c.readRequest
	}
	err := read(&r, dir)
	if err == nil {
		err = c.readVerdict(&r)
	}
	if err != nil {
		return c, fmt.Errorf("case %q %w", r.ID, err)
	}
	return c, nil
}

// given reports whether a field is there and not null.
func given(field json.RawMessage) bool { return len(field) > 0 && string(field) != "null" }

// readTap reads a tap on a node of a tree, or text that is typed there.
func (c *Case) readTap(r *row, dir string) error {
	node := r.NodeIndex
	if r.Target != nil && r.Target.NodeIndex != nil {
		node = r.Target.NodeIndex
	}
	if node == nil || r.Tree == "" {
		return errors.New(`needs "tree" and "node_index" (at the top or in "target"), or "request"`)
	}
	switch r.Action {
	case "", "tap", "type":
	default:
		return fmt.Errorf("has action %q; accepted are tap and type", r.Action)
	}
	c.App, c.Package, c.Node, c.Typed = cmp.Or(r.Package, r.App), r.Package, *node, r.Action == "type"
	c.TreePath = filepath.Join(dir, filepath.FromSlash(r.Tree))
	_ = json.Unmarshal(r.Input, &c.Text) // null or absent: nothing is typed
	return nil
}

// placed are the kinds of action that mean nothing without what they land on.
var placed = []risk.ActionKind{risk.Tap, risk.DoubleTap, risk.LongPress, risk.MotionEvent}

// readRequest reads a whole request. What a case of a tap has beside it would
// be a second answer to the same question.
func (c *Case) readRequest(r *row, _ string) error {
	for _, f := range []struct {
		name  string
		there bool
	}{
		{"tree", r.Tree != ""}, {"node_index", r.NodeIndex != nil}, {"target", r.Target != nil},
		{"action", r.Action != ""}, {"input", given(r.Input)},
	} {
		if f.there {
			return fmt.Errorf(`has %q beside "request"; it belongs into the request`, f.name)
		}
	}
	req, err := decide.ReadRequest(r.Request)
	if err != nil {
		return fmt.Errorf("cannot be read: %w", err)
	}
	tree, seen := "", ""
	if s := req.Screen; s != nil {
		tree, seen = s.Tree, s.Package
		if s.TreePath != "" {
			return errors.New(`has request.screen.tree_path, which is not read here; use "tree" and "node_index", or request.screen.tree`)
		}
	}
	if tree == "" && req.Target == nil && slices.Contains(placed, req.Action.Kind) {
		return fmt.Errorf("has a request to %s without target; what cannot be seen is asked about and would count as caught", req.Action.Kind)
	}
	c.Request, c.Package, c.Locale = req, seen, cmp.Or(c.Locale, req.Locale)
	c.App = cmp.Or(r.Package, seen, r.App)
	return nil
}

// readVerdict reads what a careful owner would want.
func (c *Case) readVerdict(r *row) error {
	switch r.Want {
	case "allow":
		c.Want = risk.Allow
	case "confirm":
		c.Want = risk.Confirm
	default:
		return fmt.Errorf("has want %q; accepted are allow and confirm", r.Want)
	}
	switch r.Also {
	case "", "allow", "confirm", "deny":
	default:
		return fmt.Errorf("has also_acceptable %q; accepted are allow, confirm and deny", r.Also)
	}
	var ok bool
	if c.Category, ok = category(r.Category); !ok {
		return fmt.Errorf("has category %q, which is neither one of ours nor a known alias", r.Category)
	}
	return nil
}
