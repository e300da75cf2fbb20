package adb

import (
	"context"
	"slices"
	"strings"

	"github.com/countersign/countersign/command"
	"github.com/countersign/countersign/risk"
)

// reads reports whether effects change nothing at all: such a line queues behind
// nobody and needs no look. The codes are those of package command.
func reads(effects []command.Effect) bool {
	return !slices.ContainsFunc(effects, func(e command.Effect) bool {
		switch e.Code {
		case "read", "capture", "shell":
			return e.Category != risk.None || e.Press != nil
		}
		return true
	})
}

// presses reports whether a part of a line has to be judged on the screen.
func presses(effects []command.Effect) bool {
	return slices.ContainsFunc(effects, func(e command.Effect) bool { return e.Press != nil })
}

// harmless reports whether no part of a line has a consequence or needs a look.
func harmless(effects []command.Effect) bool {
	return !slices.ContainsFunc(effects, func(e command.Effect) bool { return e.Press != nil || e.Category != risk.None })
}

// maxTyped is how much text is typed while nobody looks, in bytes: some seconds.
const maxTyped = 1000

// late reports whether a press of a line may happen on another screen than the
// one that is looked at now: after something that takes its time, in a trap, again
// and again, at the end of a long text, or once a file gives what it waits for. Whoever navigates meanwhile
// would choose where it lands.
func late(line string, effects []command.Effect) bool {
	if !presses(effects) {
		return false
	}
	opens, watches := strings.Count(line, "<"), strings.Count(line, "watch")
	before := false
	for _, e := range effects {
		switch {
		case e.Press != nil && (before || len(e.Press.Text) > maxTyped):
			return true
		case e.Press != nil:
			opens -= strings.Count(e.Press.Text, "<")
			watches -= strings.Count(e.Press.Text, "watch")
		case e.Term == "trap":
			return true
		case e.Term != "comment":
			before = true
		}
	}
	return opens > 0 || watches > 0
}

// lineWay is the way of a shell line. behind says that it comes behind other lines
// of the same shell, which may not be done with them.
func (s *serving) lineWay(ctx context.Context, text string, behind bool) way {
	effects := command.Shell(text)
	w := way{reads: reads(effects)}
	if !w.reads && s.readsOwnCapture(ctx, effects) {
		w.reads = true
		w.plan = func(context.Context) (act, error) {
			return act{action: risk.Action{Kind: risk.Screenshot, Text: text}}, nil
		}
		return w
	}
	w.plan = func(ctx context.Context) (act, error) { return s.planLine(ctx, text, effects, behind) }
	return s.ofHelper(ctx, text, w)
}

// planLine makes the act of a line, once its turn has come.
func (s *serving) planLine(ctx context.Context, text string, effects []command.Effect, behind bool) (act, error) {
	if l, ok := readLaunch(text); ok {
		if a, known, err := s.launch(ctx, &l, text); known || err != nil {
			return a, err
		}
	}
	a := act{action: risk.Action{Kind: risk.ShellLine, Shell: text}}
	switch {
	case harmless(effects):
		return a, nil
	case late(text, effects) || behind && presses(effects):
		return s.opaque("a line that presses later, on a screen that nobody has seen yet", text), nil
	case len(effects) == 1 && effects[0].Press != nil:
		a.sight = sightTree
		return s.planPress(a, effects[0].Press), nil
	case presses(effects):
		a.sight = sightTree
		return a, nil
	}
	a.sight = sightPicture
	a.action.Text = s.staged(text, effects)
	a.passed = s.forgetFiles(effects)
	return a, nil
}

// runLine is run for a line. What passes of the screen on the way is remembered,
// and where it is saved to.
func (s *serving) runLine(ctx context.Context) error {
	w := s.lineWay(ctx, s.line, false)
	if !w.reads {
		return s.run(ctx, w)
	}
	dump, file := readDump(s.line), saves(s.line)
	if !dump.tells() && file == "" {
		return s.run(ctx, w)
	}
	w.release = func(asking context.Context) error {
		saved := func() {}
		if file != "" {
			saved = s.saving(ctx, file)
		}
		m, see := s.mark(asking, &dump), &tail{packets: s.v2}
		err := s.open(asking, ctx, see, func() {
			saved()
			s.dumped(ctx, &dump, m, see.tree())
		})
		if err != nil {
			saved()
		}
		return err
	}
	return s.run(ctx, w)
}
