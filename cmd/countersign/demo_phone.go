package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/cmd/countersign/demo"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/phone"
	"github.com/countersign/countersign/picture"
)

// phoneWalk is one run of the demo on the simulated phone.
type phoneWalk struct {
	// ctx ends when the person interrupts the walk.
	ctx   context.Context
	t     *terminal
	stage *phoneStage
	// typed are the person's answers; nil where the script answers.
	typed                                 *answers
	total                                 int
	calls, passed, asked, yes, no, denied int
}

const demoPhoneIntro = `An agent drives a simulated phone with the real adb program. It knows nothing of a guard: the guard
is the adb server that it talks to. Each line is a call as the agent makes it; at the end stands what really happened on the phone.`

// walkPhone walks the steps on the simulated phone.
func (c *demoCommand) walkPhone(t *terminal) error {
	steps, err := chosen(demo.PhoneSteps(), phoneStepName, c.Steps)
	if err != nil {
		return err
	}
	if c.SVG != "" {
		return usage(errors.New("--svg draws the demo without --phone"), "leave one of them out")
	}
	adb, err := adbProgram("adb")
	if err != nil {
		return err
	}
	stage, err := openPhoneStage(adb)
	if err != nil {
		return err
	}
	// An interrupt ends in order: it leaves neither keys nor an adb server behind.
	ctx, done := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer done()
	w := phoneWalk{ctx: ctx, t: t, stage: stage, total: len(steps)}
	switch {
	case !c.Auto && t.inTTY:
		w.typed = newAnswers(t.in)
		err = (&walk{t: t, stage: stage.stage}).invite()
	case !c.Auto:
		fmt.Fprintln(t.err, "note: standard input is not a terminal, so the script answers (--auto)")
	}
	if err == nil {
		err = w.run(steps)
	}
	if ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	return errors.Join(err, stage.close())
}

func (w *phoneWalk) run(steps []demo.PhoneStep) error {
	intro := strings.ReplaceAll(demoPhoneIntro, "\n", " ")
	if err := w.print("%s\n", strings.Join(fold(intro, min(w.t.width, readableWidth)), "\n")); err != nil {
		return err
	}
	for i := range steps {
		if err := w.step(i+1, &steps[i]); err != nil {
			return fmt.Errorf("demo step %s: %w", steps[i].Name, err)
		}
	}
	return w.end()
}

func (w *phoneWalk) print(format string, args ...any) error {
	_, err := fmt.Fprintf(w.t.out, format, args...)
	return err
}

// step carries out the moves of a step until one is not let pass: without it the
// agent does not get further.
func (w *phoneWalk) step(number int, s *demo.PhoneStep) error {
	if s.App != "" {
		w.stage.phone.Stop(s.App)
	}
	title := fmt.Sprintf("%d/%d  %s", number, w.total, s.Title)
	if err := w.print("\n%s\n", w.t.paint(bold, title)); err != nil {
		return err
	}
	c := &card{t: w.t}
	c.field("agent", "wants to "+s.Task)
	if err := w.print("%s", c.b.String()); err != nil {
		return err
	}
	for _, m := range s.Moves {
		args, err := w.stage.args(m)
		if errors.Is(err, errGone) { // the steps before it were answered otherwise
			return w.then("the agent gives up: " + err.Error())
		}
		if err != nil {
			return err
		}
		passed, err := w.move(m, args)
		if err != nil || !passed {
			return err
		}
	}
	return nil
}

// then says what comes of a move.
func (w *phoneWalk) then(what string) error {
	c := &card{t: w.t}
	c.field("", "→ "+what)
	return w.print("%s", c.b.String())
}

// move makes one call of adb, has it answered where the guard asks, and says what
// came of it.
func (w *phoneWalk) move(m demo.Move, args []string) (passed bool, err error) {
	// As long as a question may wait, and as long again for the call itself.
	ctx, cancel := context.WithTimeout(w.ctx, 30*time.Minute)
	defer cancel()
	before := len(w.stage.phone.Effects())
	w.calls++
	done, asked := w.stage.send(ctx, args), w.stage.question(ctx)
	var became sent
	select {
	case became = <-done:
		if became.err != nil {
			return false, became.err
		}
		word, how, count := "✓ passes", green, &w.passed
		if !became.passed() {
			word, how, count = "× refuses", purple, &w.denied
		}
		*count++
		if err := w.call(word, how, m, args); err != nil {
			return false, err
		}
	case q := <-asked:
		if q.err != nil {
			return false, fmt.Errorf("look for the question: %w", q.err)
		}
		w.asked++
		if became, err = w.ask(ctx, m, args, &q.question, done); err != nil {
			return false, err
		}
	}
	return became.passed(), w.outcome(&became, before)
}

// call prints what the agent calls, and what the guard says to that.
func (w *phoneWalk) call(word string, how ink, m demo.Move, args []string) error {
	shown := slices.Clone(args)
	for i := range shown {
		if strings.ContainsAny(shown[i], " '") {
			shown[i] = `"` + shown[i] + `"`
		}
	}
	line := "adb " + strings.Join(shown, " ")
	switch {
	case m.Label != "":
		line += "   (“" + m.Label + "”)"
	case m.ID != "":
		line += "   (its id is " + m.ID + ")"
	}
	c := &card{t: w.t}
	for _, part := range fold(line, min(w.t.width, readableWidth)-nameColumn-2) {
		c.b.WriteString("  " + w.t.paint(how, pad(word, nameColumn)) + w.t.paint(cyan, part) + "\n")
		word = ""
	}
	return w.print("%s", c.b.String())
}

// ask puts a question of the guard's to the person, or has the script answer it,
// and waits for the end of the call.
func (w *phoneWalk) ask(ctx context.Context, m demo.Move, args []string, q *approval.Approval, done <-chan sent) (sent, error) {
	word, how, question, want := "? asks", yellow, "go ahead? [y/N] ", "y"
	if q.Card.Critical {
		word, how, question, want = "! asks", red, "go ahead? [type yes/N] ", "yes"
	}
	if err := w.call(word, how, m, args); err != nil {
		return sent{}, err
	}
	c := &card{t: w.t}
	c.field("", q.Card.Reason)
	if err := w.print("%s%s%s", c.b.String(), pad("", nameColumn+2), w.t.paint(bold, question)); err != nil {
		return sent{}, err
	}
	yes, became, err := w.answered(m, want, done)
	if err == nil && became == nil {
		err = w.stage.answer(ctx, q.ID, q.Digest, yes)
	}
	if err != nil {
		return sent{}, err
	}
	if became == nil {
		d := <-done
		became = &d
	}
	w.count(became.passed())
	return *became, became.err
}

func (w *phoneWalk) count(yes bool) {
	if yes {
		w.yes++
	} else {
		w.no++
	}
}

// answered is the answer that is given here, or what became of the call where
// somebody was faster on the page.
func (w *phoneWalk) answered(m demo.Move, word string, done <-chan sent) (yes bool, became *sent, err error) {
	if w.typed == nil {
		said := "n"
		if m.Yes {
			said = word
		}
		return m.Yes, nil, w.print("%s%s\n", said, w.t.paint(dim, "  (by script)"))
	}
	w.typed.drop()
	select {
	case <-w.ctx.Done():
		return false, nil, w.ctx.Err()
	case d := <-done:
		return false, &d, w.print("%s\n", w.t.paint(dim, "(answered on the page)"))
	case typed := <-w.typed.next():
		w.typed.taken()
		if errors.Is(typed.err, io.EOF) {
			typed.err = w.print("\n")
		}
		if typed.err != nil {
			return false, nil, fmt.Errorf("read the answer: %w", typed.err)
		}
		return isYes(typed.text, word), nil, nil
	}
}

// outcome says what the agent reads where it was not let pass, and what happened
// on the phone where something did.
func (w *phoneWalk) outcome(became *sent, before int) error {
	if !became.passed() {
		if err := w.then("the agent reads: “" + decide.Quote(became.said, 400) + "”"); err != nil {
			return err
		}
	}
	for _, e := range w.stage.phone.Effects()[before:] {
		if err := w.then("on the phone: " + deed(&e)); err != nil {
			return err
		}
	}
	return nil
}

// deed is an effect in words.
func deed(e *phone.Effect) string {
	parts := []string{e.What}
	for _, p := range []struct{ before, said string }{{"“", e.Object}, {"for ", e.Amount}, {"to ", e.Recipient}, {"“", e.Text}} {
		switch {
		case p.said == "":
		case p.before == "“":
			parts = append(parts, "“"+decide.Quote(p.said, 80)+"”")
		default:
			parts = append(parts, p.before+decide.Quote(p.said, 80))
		}
	}
	return strings.Join(parts, " ") + ", in " + decide.Quote(e.App, 60)
}

// end says what the walk came to, and what the phone really did.
func (w *phoneWalk) end() error {
	record, err := (&walk{stage: w.stage.stage}).onRecord()
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteByte('\n')
	sum := fmt.Sprintf("%d calls of adb: %d passed, %d asked (%d yes, %d no), %d refused", w.calls, w.passed, w.asked, w.yes, w.no, w.denied)
	for _, line := range fold(sum, w.t.width) {
		b.WriteString(w.t.paint(bold, line) + "\n")
	}
	effects := w.stage.phone.Effects()
	b.WriteString("\nWhat happened on the phone, by its own account:\n")
	if len(effects) == 0 {
		b.WriteString("  nothing\n")
	}
	for i := range effects {
		line := "  " + deed(&effects[i])
		if picture.Columns(line) > w.t.width {
			line = clip(line, w.t.width)
		}
		b.WriteString(line + "\n")
	}
	b.WriteString("\n" + record + "\n")
	for _, line := range [...][2]string{
		{"countersign phone", "the simulated phone for your own agent"},
		{"countersign adb", "the guard in front of a phone, simulated or real"},
		{"docs/adb.md", "how to point an agent at it"},
	} {
		fmt.Fprintf(&b, "  %s%s\n", pad(line[0], 31), w.t.paint(dim, clip(line[1], w.t.width-33)))
	}
	return w.print("%s", b.String())
}
