package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/catalog"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/picture"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// explainCommand shows what the guard makes of one screen.
type explainCommand struct {
	guardFlags
	Package string `placeholder:"ID" help:"The app in front, where the tree does not name it."`
	Tap     string `placeholder:"X,Y" xor:"place" help:"Explain a tap at this point in full."`
	Node    *int   `placeholder:"N" xor:"place" help:"Explain a tap on this node in full (document order, from 0)."`
	SVG     string `name:"svg" placeholder:"FILE" help:"Draw the screen with the verdicts on it."`
	JSON    bool   `name:"json" help:"Print JSON."`
	Screen  string `arg:"" help:"A file with a UI tree, or -."`
}

// Help is the longer text of --help.
func (explainCommand) Help() string {
	return `Every control that takes a touch is listed, with what a tap on it would do.

  adb exec-out uiautomator dump /dev/tty > dump.xml
  countersign explain dump.xml                     every control an agent could tap
  countersign explain dump.xml --svg screen.svg    the same as a picture
  countersign explain dump.xml --tap 540,2100      one of them, with all the evidence

Accepted are uiautomator XML, Appium page source, and the JSON tree of docs/screen-json.md.
The exit code is 0 whatever the verdicts are, and 2 when the tree cannot be read.`
}

// judged is one control with what was decided about a tap on it.
type judged struct {
	// node is the control's place in document order, -1 when nothing was hit.
	node     int32
	target   screen.Target
	decision countersign.Decision
}

// Run explains.
func (c *explainCommand) Run(t *terminal) error {
	x, y, err := parsePoint(c.Tap)
	if err != nil {
		return usage(err)
	}
	guard, err := c.guard()
	if err != nil {
		return err
	}
	ui, err := c.readScreen(t)
	if err != nil {
		return err
	}
	e := explanation{guard: guard, ui: ui, pkg: c.Package}
	switch {
	case c.Node != nil:
		if *c.Node < 0 || *c.Node >= len(ui.Nodes) {
			return usage(fmt.Errorf("node %d is not in the tree, which has nodes 0 to %d", *c.Node, len(ui.Nodes)-1))
		}
		e.judge(countersign.Action{Kind: countersign.Tap, Node: c.Node})
	case c.Tap != "":
		e.judge(countersign.Action{Kind: countersign.Tap, X: &x, Y: &y})
	default:
		e.judgeAll(t)
	}
	if c.SVG != "" {
		if err := os.WriteFile(c.SVG, e.draw(), 0o644); err != nil {
			return usage(fmt.Errorf("write the picture: %w", err))
		}
	}
	if e.unnamed() {
		fmt.Fprintln(t.err, "note: the tree names no app in front, which matters much; --package ID does")
	}
	one := c.Node != nil || c.Tap != ""
	switch {
	case c.JSON:
		return e.printJSON(t, one)
	case one:
		return e.printCard(t)
	}
	return e.printTable(t)
}

// parsePoint reads "540,2100".
func parsePoint(text string) (x, y int, err error) {
	if text == "" {
		return 0, 0, nil
	}
	left, right, ok := strings.Cut(text, ",")
	x, errX := strconv.Atoi(strings.TrimSpace(left))
	y, errY := strconv.Atoi(strings.TrimSpace(right))
	if !ok || errX != nil || errY != nil {
		return 0, 0, fmt.Errorf("--tap %q is not a point in device pixels such as 540,2100", text)
	}
	return x, y, nil
}

// readScreen reads the tree, and says on standard error what is wrong with one
// that can be used all the same.
func (c *explainCommand) readScreen(t *terminal) (*screen.Screen, error) {
	in, _, err := t.open(c.Screen)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, int64(screen.DefaultLimits.Bytes)+1))
	if err != nil {
		return nil, usage(fmt.Errorf("read the tree: %w", err))
	}
	ui, err := screen.Read(data, screen.Limits{})
	if err != nil {
		hints := []string{"accepted are uiautomator XML, Appium page source, and the JSON tree of docs/screen-json.md"}
		if errors.Is(err, screen.ErrNoTree) {
			hints = append(hints, "get one with: adb exec-out uiautomator dump /dev/tty > dump.xml")
		}
		return nil, usage(err, hints...)
	}
	if ui.Truncated {
		fmt.Fprintln(t.err, "note: the tree is cut off at its end; controls may be missing")
	}
	if ui.Repairs > 0 {
		fmt.Fprintf(t.err, "note: %d characters of the tree were invalid and were replaced\n", ui.Repairs)
	}
	return ui, nil
}

// explanation is a screen and what was decided on it.
type explanation struct {
	guard   *countersign.Guard
	ui      *screen.Screen
	pkg     string
	targets []judged
}

// judge decides about one action on the screen.
func (e *explanation) judge(a countersign.Action) *judged {
	d := e.guard.Decide(&countersign.Request{
		Action: a,
		Screen: &countersign.Screen{Package: e.pkg, Parsed: e.ui},
	})
	j := judged{node: -1, decision: d}
	if target, ok := d.Target(); ok {
		j.node, j.target = target.Node, target
	}
	e.targets = append(e.targets, j)
	return &e.targets[len(e.targets)-1]
}

// maxControls is how many controls of one screen are explained. Real screens
// have a few hundred; the cost of a hostile one grows with its square.
const maxControls = 2000

// judgeAll decides about a tap on every control that an agent could tap, and on
// web pages that show nothing of what is in them.
func (e *explanation) judgeAll(t *terminal) {
	p := t.progress("controls")
	defer p.end()
	for i := range e.ui.Nodes {
		n := &e.ui.Nodes[i]
		if n.Flags.Has(screen.Invisible) || n.Bounds.Empty() {
			continue
		}
		if !n.TakesTouch() && e.ui.ByIndex(i).Reason != screen.WebViewOpaque {
			continue
		}
		if len(e.targets) == maxControls {
			fmt.Fprintf(t.err, "note: only the first %d controls are explained; --node or --tap explains any other\n", maxControls)
			return
		}
		e.judge(countersign.Action{Kind: countersign.Tap, Node: &i})
		p.set(len(e.targets))
	}
}

// draw makes the picture.
func (e *explanation) draw() []byte {
	o := picture.Options{}
	marks := make([]picture.Mark, 0, len(e.targets))
	for i := range e.targets {
		d := &e.targets[i].decision
		m := picture.Mark{Node: e.targets[i].node, Outcome: d.Outcome, Critical: d.Critical}
		if d.Outcome != countersign.Allow {
			m.Note = e.targets[i].note()
		}
		marks = append(marks, m)
		if o.Title == "" {
			o.Title = appName(d)
			policy, _, _ := strings.Cut(d.Policy, "@") // the digest is for machines
			o.Subtitle = tierAndWhy(&d.App, d.Tier) + " · policy " + policy
		}
	}
	return picture.Screen(e.ui, marks, o)
}

// note is what a number in the picture means: the reason, after the control's
// label where that is not among its words.
func (j *judged) note() string {
	reason := j.decision.Reason()
	if label := j.label(); label != "" && !strings.Contains(reason, label) {
		return "“" + label + "” · " + reason
	}
	return reason
}

// unnamed reports whether neither the tree nor the user said which app it is.
func (e *explanation) unnamed() bool {
	return len(e.targets) > 0 && e.targets[0].decision.Package == ""
}

// tierAndWhy is an app's tier and the voice that gave it.
func tierAndWhy(v *catalog.Verdict, tier risk.Tier) string {
	reason := decide.Quote(v.Reason(), maxShown)
	if v.Why == catalog.WhyDefault { // nobody spoke: the reason is that, and ends in the tier
		return tier.String() + ": " + strings.TrimSuffix(reason, ": "+tier.String())
	}
	return tier.String() + ", by " + reason
}

// appName is the app's name and id.
func appName(d *countersign.Decision) string {
	switch {
	case d.Package == "":
		return "an app that is not named"
	case d.App.Name != "":
		return decide.Quote(d.App.Name, 60) + " (" + decide.Quote(d.Package, 100) + ")"
	}
	return decide.Quote(d.Package, 100)
}

// targetJSON is one control for scripts.
type targetJSON struct {
	Node     int32                `json:"node"`
	Decision countersign.Decision `json:"decision"`
}

func (e *explanation) printJSON(t *terminal, one bool) error {
	targets := make([]targetJSON, 0, len(e.targets))
	for _, j := range e.targets {
		targets = append(targets, targetJSON{j.node, j.decision})
	}
	var v any = struct {
		Width   int          `json:"width"`
		Height  int          `json:"height"`
		Nodes   int          `json:"nodes"`
		Targets []targetJSON `json:"targets"`
	}{e.ui.Width, e.ui.Height, len(e.ui.Nodes), targets}
	if one {
		v = targets[0]
	}
	text, err := encode(v, "  ")
	if err == nil {
		_, err = t.out.Write(text)
	}
	return err
}

// verdictWords are what the four outcomes are called.
type verdictWords struct{ allow, confirm, critical, deny string }

// explainWords name the outcome, demoWords say it to somebody who is asked.
var (
	explainWords = verdictWords{"allow", "confirm", "critical", "deny"}
	demoWords    = verdictWords{"lets pass", "asks", "asks", "refuses"}
)

// of is the outcome as people read it, with a sign that stands for it.
func (w *verdictWords) of(d *countersign.Decision) (string, ink) {
	switch {
	case d.Outcome == countersign.Allow:
		return "✓ " + w.allow, green
	case d.Outcome == countersign.Confirm && d.Critical:
		return "! " + w.critical, red
	case d.Outcome == countersign.Confirm:
		return "? " + w.confirm, yellow
	}
	return "× " + w.deny, purple
}
