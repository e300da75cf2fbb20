package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/cmd/countersign/demo"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/picture"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// demoCommand walks a scripted agent through a few screens.
type demoCommand struct {
	Phone bool     `help:"Walk through the apps of a simulated phone, with the real adb program."`
	Auto  bool     `help:"Answer by script instead of asking."`
	SVG   string   `name:"svg" placeholder:"DIR" help:"Draw the session and the screens as SVG instead."`
	Steps []string `arg:"" optional:"" help:"Only these steps, by name."`
}

// Help is the longer text of --help.
func (demoCommand) Help() string {
	return `A scripted agent taps its way through real-looking screens. Before every action the guard
decides; where it asks, you answer, here or on the web page (Enter alone is no). The guard is the
one that countersign up runs, with its record in memory; nothing leaves this computer.

  countersign demo
  countersign demo delete-ok update-ok     the same OK under two questions
  countersign demo --svg pictures          pictures of the screens and of the session
  countersign demo --phone                 with adb, on a simulated phone, to see what really happens there

Steps: ` + strings.Join(names(demo.Steps(), stepName), ", ") + `

Steps with --phone: ` + strings.Join(names(demo.PhoneSteps(), phoneStepName), ", ")
}

func stepName(s *demo.Step) string           { return s.Name }
func phoneStepName(s *demo.PhoneStep) string { return s.Name }

func names[S any](steps []S, name func(*S) string) []string {
	var all []string
	for i := range steps {
		all = append(all, name(&steps[i]))
	}
	return all
}

// Run runs the demo.
func (c *demoCommand) Run(t *terminal) error {
	if c.Phone {
		return c.walkPhone(t)
	}
	steps, err := c.choose()
	if err != nil {
		return err
	}
	guard, err := countersign.New(countersign.Options{})
	if err != nil {
		return err
	}
	if c.SVG != "" {
		return c.draw(t, guard, steps)
	}
	stage, err := openStage()
	if err != nil {
		return err
	}
	w := walk{t: t, guard: guard, stage: stage, total: len(steps)}
	switch {
	case !c.Auto && t.inTTY:
		w.typed = newAnswers(t.in)
		err = w.invite()
	case !c.Auto:
		fmt.Fprintln(t.err, "note: standard input is not a terminal, so the script answers (--auto)")
	}
	if err == nil {
		err = w.run(steps)
	}
	return errors.Join(err, stage.close())
}

// choose picks the steps that the command line names.
func (c *demoCommand) choose() ([]demo.Step, error) {
	return chosen(demo.Steps(), stepName, c.Steps)
}

// chosen are the steps with these names, in the order of the names; all where none
// is given.
func chosen[S any](all []S, name func(*S) string, wanted []string) ([]S, error) {
	if len(wanted) == 0 {
		return all, nil
	}
	var some []S
	for _, w := range wanted {
		i := slices.IndexFunc(all, func(s S) bool { return name(&s) == w })
		if i < 0 {
			return nil, usage(fmt.Errorf("%q is not a step of the demo", w), "steps: "+strings.Join(names(all, name), ", "))
		}
		some = append(some, all[i])
	}
	return some, nil
}

// walk is one run of the demo.
type walk struct {
	t     *terminal
	guard *countersign.Guard
	stage *stage
	// typed are the person's answers; nil where the script answers.
	typed *answers
	total int
	tally tally
}

const demoIntro = `An agent is about to act on a phone. Before each action Countersign works out what it
would do, and lets it pass, asks you, or refuses. Beside it stands what a plain search for
risky words, the flat guard, would have done.`

func (w *walk) run(steps []demo.Step) error {
	if err := w.print("%s\n", strings.Join(fold(strings.ReplaceAll(demoIntro, "\n", " "), w.width()), "\n")); err != nil {
		return err
	}
	for i := range steps {
		if err := w.step(i+1, &steps[i]); err != nil {
			return err
		}
	}
	record, err := w.onRecord()
	if err != nil {
		return err
	}
	return w.print("%s", w.tally.summary(w.t, record))
}

// width is how wide prose is set.
func (w *walk) width() int { return min(w.t.width, readableWidth) }

func (w *walk) print(format string, args ...any) error {
	_, err := fmt.Fprintf(w.t.out, format, args...)
	return err
}

// step prints one action, the decision, and the answer where one is needed.
func (w *walk) step(number int, s *demo.Step) error {
	req, err := s.Request()
	if err != nil {
		return err
	}
	d := w.guard.Decide(req)
	w.tally.add(&d)

	c := &card{t: w.t}
	title := fmt.Sprintf("%d/%d  %s", number, w.total, s.Title)
	place := demoPlace(&d, s)
	c.b.WriteString("\n" + w.t.paint(bold, title))
	if room := w.width() - picture.Columns(title) - picture.Columns(place); room > 1 {
		c.b.WriteString(strings.Repeat(" ", room) + w.t.paint(cyan, place) + "\n")
	} else {
		c.b.WriteString("\n")
		c.inked("app", cyan, place)
	}
	c.field("agent", "wants to "+s.Task+doing(&d, s))
	c.field("screen", sketch(&d))
	c.field("flat guard", flatSays(&d, s))
	word, how := demoWords.of(&d)
	c.verdict("countersign", word, how, d.Reason())
	if err := w.print("%s", c.b.String()); err != nil {
		return err
	}
	return w.carry(req, &d, s)
}

// verdict prints the outcome in its ink, with the reason after it and under it.
func (c *card) verdict(name, word string, how ink, reason string) {
	const wordColumn = 13
	for _, line := range fold(reason, min(c.t.width, readableWidth)-nameColumn-2-wordColumn) {
		c.b.WriteString("  " + c.t.paint(dim, pad(name, nameColumn)) + c.t.paint(how, word) + strings.Repeat(" ", wordColumn-picture.Columns(word)) + line + "\n")
		name, word = "", ""
	}
}

// demoPlace is the app and its tier.
func demoPlace(d *countersign.Decision, s *demo.Step) string {
	if s.Shell != "" {
		return "adb shell"
	}
	name := d.App.Name
	if name == "" {
		name = d.Package
	}
	return decide.Quote(name, 40) + " · " + d.Tier.String()
}

// doing says what the agent does.
func doing(d *countersign.Decision, s *demo.Step) string {
	if s.Shell != "" {
		return ": runs " + decide.Quote(s.Shell, maxShown)
	}
	if label := d.Label(); label != "" {
		return ": taps “" + decide.Quote(label, 40) + "”"
	}
	return ": taps the page"
}

// flatSays says what the flat guard makes of it: it looks at the text that is
// seen, and at nothing else.
func flatSays(d *countersign.Decision, s *demo.Step) string {
	target, _ := d.Target()
	text := decide.Quote(target.Text, 40)
	verdict := "✓ lets pass: "
	if d.Delta == risk.Added {
		verdict = "✓ lets pass, and misses it: "
	}
	switch {
	case d.Delta == risk.Suppressed:
		return "? asks, for nothing: “" + text + "” contains one of its words"
	case d.Layers.Flat:
		return "? asks: “" + text + "” contains one of its words"
	case s.Shell != "":
		return verdict + "a command has no button to read"
	case text == "":
		return verdict + "the control has no text of its own"
	}
	return verdict + "none of its words is in “" + text + "”"
}

// aroundTarget is how many labels before and after the target a sketch names.
const aroundTarget = 4

// sketch is the screen in one line: what its front window says around the
// control that is tapped, in reading order, with that control in brackets.
func sketch(d *countersign.Decision) string {
	ui := d.UI()
	target, ok := d.Target()
	if ui == nil || !ok {
		return ""
	}
	w := ui.Windows[ui.Nodes[target.Node].Window]
	var parts []string
	at := 0
	for i := w.First; i < w.End; {
		n := &ui.Nodes[i]
		if i == target.Node {
			at = len(parts)
			parts = append(parts, "["+sketchLabel(ui, i, d.Label())+"]")
			i = n.End
			continue
		}
		if label := cmp.Or(n.Text, n.Description); label != "" {
			parts = append(parts, clip(decide.Quote(label, 60), 30))
		}
		i++
	}
	from, to := max(0, at-aroundTarget), min(len(parts), at+aroundTarget+1)
	line := strings.Join(parts[from:to], " · ")
	if from > 0 {
		line = "… " + line
	}
	if to < len(parts) {
		line += " …"
	}
	return line
}

func sketchLabel(ui *screen.Screen, node int32, label string) string {
	if label == "" && ui.ByIndex(int(node)).Reason == screen.WebViewOpaque {
		return "a web page"
	}
	return decide.Quote(label, 30)
}

// then says what becomes of the action.
func (w *walk) then(what string) error {
	c := &card{t: w.t}
	c.field("", "→ "+what)
	return w.print("%s", c.b.String())
}
