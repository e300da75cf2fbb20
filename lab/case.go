package lab

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

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
	Node         int
	Typed        bool // the step types text instead of tapping
	Text         string
	// TreePath is the file of the tree, made relative to the case file.
	TreePath string
	// Want is allow or confirm; Also says that the other verdict is right too.
	Want     risk.Outcome
	Also     bool
	Category risk.Category
	Why      string
}

// row is a line of either schema of labelled cases: taps on nodes ("cases")
// and steps of recorded tasks ("agent steps").
type row struct {
	ID        string `json:"id"`
	Package   string `json:"package"`
	App       string `json:"app"`
	Locale    string `json:"locale"`
	NodeIndex *int   `json:"node_index"`
	Target    struct {
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
	c := Case{
		ID: r.ID, App: r.Package, Package: r.Package, Locale: r.Locale, Also: r.Also != "",
		Typed: r.Action == "type", Why: r.Why, TreePath: filepath.Join(dir, filepath.FromSlash(r.Tree)),
	}
	if c.App == "" {
		c.App = r.App
	}
	if c.Why == "" {
		c.Why = r.Task
	}
	_ = json.Unmarshal(r.Input, &c.Text) // null or absent: nothing is typed
	node := r.Target.NodeIndex
	if node == nil {
		node = r.NodeIndex
	}
	if node == nil || r.Tree == "" {
		return c, fmt.Errorf("case %q needs \"tree\" and \"node_index\" (at the top or in \"target\")", r.ID)
	}
	c.Node = *node
	if r.Want != "allow" && r.Want != "confirm" {
		return c, fmt.Errorf("case %q: want is %q; accepted are allow and confirm", r.ID, r.Want)
	}
	if err := c.Want.UnmarshalText([]byte(r.Want)); err != nil {
		return c, fmt.Errorf("case %q: %w", r.ID, err)
	}
	switch r.Also {
	case "", "allow", "confirm", "deny":
	default:
		return c, fmt.Errorf("case %q: also_acceptable is %q; accepted are allow, confirm and deny", r.ID, r.Also)
	}
	switch r.Action {
	case "", "tap", "type":
	default:
		return c, fmt.Errorf("case %q: action is %q; accepted are tap and type", r.ID, r.Action)
	}
	var ok bool
	if c.Category, ok = category(r.Category); !ok {
		return c, fmt.Errorf("case %q: category %q is neither one of ours nor a known alias", r.ID, r.Category)
	}
	return c, nil
}
