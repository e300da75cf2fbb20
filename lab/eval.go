package lab

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// A Judge is one policy under test.
type Judge struct {
	Name  string
	Guard *countersign.Guard
}

// A Result is what one judge said of one case.
type Result struct {
	Case     *Case
	Decision countersign.Decision
}

// Asks reports whether the guard asked or refused.
func (r *Result) Asks() bool { return r.Decision.Outcome != risk.Allow }

// Run decides every case with every judge: results[i] holds those of judge i
// in the order of the cases. progress, if not nil, is called now and then with
// the number of cases done; it may be called from several goroutines. A tree
// that cannot be opened or read, or has no such node, is an error: a case that
// shows nothing would be asked about and count as caught.
func Run(cases []Case, judges []Judge, progress func(done int)) ([][]Result, error) {
	results := make([][]Result, len(judges))
	for i := range results {
		results[i] = make([]Result, len(cases))
	}
	var (
		next, done atomic.Int64
		group      sync.WaitGroup
		failed     error
		once       sync.Once
	)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(cases) {
					return
				}
				if err := decideCase(&cases[i], judges, results, i); err != nil {
					once.Do(func() { failed = err })
					return
				}
				if n := int(done.Add(1)); progress != nil {
					progress(n)
				}
			}
		})
	}
	group.Wait()
	return results, failed
}

func decideCase(c *Case, judges []Judge, results [][]Result, i int) error {
	req, err := c.request()
	if err != nil {
		return fmt.Errorf("case %q (line %d): %w", c.ID, c.Line, err)
	}
	for k := range judges {
		results[k][i] = Result{Case: c, Decision: judges[k].Guard.Decide(req)}
	}
	return nil
}

// request is what the judges are asked about a case.
func (c *Case) request() (*countersign.Request, error) {
	if c.Request != nil {
		return c.whole()
	}
	data, err := os.ReadFile(c.TreePath)
	if err != nil {
		return nil, err
	}
	ui, err := screen.Read(data, screen.Limits{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.TreePath, err)
	}
	if c.Node < 0 || c.Node >= len(ui.Nodes) {
		return nil, fmt.Errorf("node_index %d; %s has nodes 0 to %d", c.Node, c.TreePath, len(ui.Nodes)-1)
	}
	action := countersign.Action{Kind: countersign.Tap, Node: &c.Node}
	if c.Typed {
		action.Kind, action.Text = countersign.TypeText, c.Text
	}
	return &countersign.Request{
		ID: c.ID, Action: action, Locale: c.Locale,
		Screen: &countersign.Screen{Package: c.Package, Parsed: ui},
	}, nil
}

// whole is the request of a case that has one, its tree read.
func (c *Case) whole() (*countersign.Request, error) {
	req := *c.Request
	req.ID, req.Locale = c.ID, c.Locale
	if req.Screen == nil || req.Screen.Tree == "" {
		return &req, nil
	}
	ui, err := screen.Read([]byte(req.Screen.Tree), screen.Limits{})
	if err != nil {
		return nil, fmt.Errorf("request.screen.tree: %w", err)
	}
	seen := *req.Screen
	seen.Tree, seen.Parsed = "", ui
	req.Screen = &seen
	return &req, nil
}
