package decide

import (
	"strings"

	"github.com/countersign/countersign/command"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// zeroSwipe is the length in pixels up to which a swipe is a press: agents send
// long presses as swipes that end where they begin.
const zeroSwipe = 24

// judge works out the category: every way of acting that the design lists.
func (j *judgement) judge() {
	j.category, j.topic, j.target.Node = risk.Unknown, risk.None, -1
	a := &j.req.Action
	switch a.Kind {
	case risk.Tap, risk.DoubleTap, risk.LongPress, risk.MotionEvent:
		j.press()
	case risk.Swipe:
		j.swipe(a)
	case risk.PressKey:
		j.key(a)
	case risk.IMEAction:
		j.onFocus(j.submitField)
	case risk.TypeText:
		j.typing(a)
	case risk.Launch, risk.Scroll, risk.Back, risk.Home, risk.Wait, risk.Screenshot:
		j.look()
		j.rank()
		j.category = risk.None
	case risk.OpenIntent:
		j.intent(a.Intent)
	case risk.OpenLink:
		j.effect(command.DeepLink(a.Intent), a.Intent)
	case risk.ShellLine:
		j.shell(a.Shell)
	case risk.ToolCall:
		j.unknownAction(CodeUnknownTool, a.Tool)
	default:
		j.unknownAction(CodeUnknownKind, string(a.Kind))
	}
}

// unknownAction is judged outside any app: no harmless app may wave it through.
func (j *judgement) unknownAction(code Code, what string) {
	j.category, j.code, j.object, j.offScreen = risk.Unknown, code, what, true
}

// locate resolves the target of the action. It reports false when there is
// nothing to judge and the category is settled as unknown.
func (j *judgement) locate(hit func() screen.Hit) bool {
	j.look()
	switch {
	case j.hasTree():
		code := j.aim(hit())
		if code == "" {
			j.compareClaim()
			break
		}
		if !j.placed && j.req.Target != nil {
			// The tree says nothing, the caller does: its word may raise what
			// cannot be seen, not replace it.
			j.claim(j.req.Target)
		}
		j.code = code
	case j.req.Target != nil:
		j.claim(j.req.Target)
	default:
		j.code = Code(screen.NoTree)
	}
	j.rank()
	return j.placed
}

// compareClaim notes where the tree and the caller's target disagree.
func (j *judgement) compareClaim() {
	c := j.req.Target
	if c == nil || !j.placed {
		return
	}
	if c.Text != "" && c.Text != j.target.Text || c.ContentDesc != "" && c.ContentDesc != j.target.Description {
		j.noteRule(risk.None, risk.SignalText, c.Text, "target_differs")
	}
}

// press judges a touch.
func (j *judgement) press() {
	if j.locate(func() screen.Hit { return j.hit(&j.req.Action) }) {
		j.control()
	}
	j.settle()
}

// settle applies what is unknown to what was found: a target that cannot be
// seen, or a tree that is not of the app in front, never counts as harmless.
func (j *judgement) settle() {
	if j.code == "" && j.stale() {
		j.code = Code(screen.StaleTree)
	}
	if j.code == "" || !j.code.unseen() {
		return
	}
	if j.category == risk.None || j.category == risk.Other || !j.placed {
		j.category = risk.Unknown
	}
}

// stale reports whether the app in front, as the caller names it, is nowhere in
// the tree. A system dialog over the app is not the app and not stale.
func (j *judgement) stale() bool {
	s := j.req.Screen
	if s == nil || j.ui == nil || s.Package == "" || !j.placed || j.target.Package == "" {
		return false
	}
	if j.target.Package == s.Package || systemOverlay(j.app.Surface, j.target.WindowKind) {
		return false
	}
	for i := range j.ui.Windows {
		if j.ui.Windows[i].Package == s.Package {
			return false
		}
	}
	return true
}

// swipe tells a press, a slide along a control and a scroll apart.
func (j *judgement) swipe(a *risk.Action) {
	if a.X2 == nil || a.Y2 == nil || a.X == nil || a.Y == nil {
		j.press()
		return
	}
	dx, dy := *a.X2-*a.X, *a.Y2-*a.Y
	if abs(dx) <= zeroSwipe && abs(dy) <= zeroSwipe {
		j.press()
		return
	}
	j.look()
	if !j.hasTree() || j.ui.Problem != "" {
		j.rank()
		j.category = risk.None // a scroll needs no tree
		return
	}
	hit := j.hit(a)
	j.category = risk.None
	if hit.Node < 0 {
		j.rank()
		return
	}
	j.aim(hit)
	j.rank()
	switch {
	case j.slides():
		j.control()
		j.settle()
	case abs(dx) > 2*abs(dy):
		j.swipeRow(hit.Node)
	}
}

func abs(n int) int { return max(n, -n) }

// key judges a key event.
func (j *judgement) key(a *risk.Action) {
	k := command.Key(a.Key)
	if !k.Screen {
		j.look()
		j.rank()
		j.category, j.code, j.object, j.offScreen = k.Category, Code(k.Code), a.Key, true
		if a.DurationMS >= holdMS {
			j.category = k.Held
		}
		j.noteCommand(a.Key, k.Name)
		return
	}
	j.onFocus(func() {
		switch {
		case j.target.Role != risk.TextField:
			j.control()
		case k.Name == "ENTER" || k.Name == "NUMPAD_ENTER" || k.Name == "DPAD_CENTER":
			j.submitField()
		default:
			j.category = risk.None // a character in a field
		}
	})
}

// holdMS is how long a key is down before Android takes it as held.
const holdMS = 500

// onFocus judges an act on the focused control.
func (j *judgement) onFocus(judge func()) {
	hit := func() screen.Hit {
		if a := &j.req.Action; a.Node != nil || a.Selector != nil || a.X != nil {
			return j.hit(a)
		}
		return j.ui.Focus()
	}
	if j.locate(hit) {
		judge()
	}
	j.settle()
}

// typing judges typed text: harmless until something submits it.
func (j *judgement) typing(a *risk.Action) {
	submits := strings.HasSuffix(a.Text, "\n") || strings.HasSuffix(a.Text, "\r")
	j.look()
	if !j.hasTree() && j.req.Target == nil {
		j.rank()
		j.category = risk.None
		if submits {
			j.category, j.code = risk.Unknown, Code(screen.NoTree)
		}
		return
	}
	j.onFocus(func() {
		switch {
		case submits:
			j.submitField()
		case j.target.Flags.Has(screen.Password) && j.target.Node >= 0 && j.ui.OnlyControl(j.target.Node):
			// No control is left that could submit it: it submits by itself.
			j.category = risk.Credential
			j.noteRule(risk.Credential, risk.SignalPlace, "", "secret_submits_itself")
		default:
			j.category = risk.None
		}
	})
	if !submits && j.category == risk.Unknown {
		j.category, j.code = risk.None, "" // text goes nowhere without a field
	}
}

// intent judges an intent in the notation of `am start` or as a URI.
func (j *judgement) intent(text string) {
	in, err := command.ParseIntent(text)
	if err != nil {
		j.unknownAction(CodeBadIntent, text)
		return
	}
	j.effect(in.Effect(), text)
}

// effect takes over what package command found out.
func (j *judgement) effect(e command.Effect, line string) {
	j.category, j.code, j.object, j.offScreen = e.Category, Code(e.Code), e.Object, true
	j.permanent = j.permanent || e.Category == risk.Delete
	if e.Package != "" {
		j.pkg = e.Package
	}
	match := line
	if e.End > e.Start {
		match = cutRunes(line, e.Start, e.End)
	}
	j.noteCommand(match, e.Term)
}

func (j *judgement) noteCommand(match, term string) {
	j.evidence[0] = risk.Evidence{
		Signal: risk.SignalCommand, Match: match, End: len([]rune(match)),
		Term: term, Layer: risk.LayerCommand, Category: j.category,
	}
	j.evidenceN = 1
}

// shell judges every part of a line; the worst part decides.
func (j *judgement) shell(line string) {
	var worst *judgement
	for _, e := range command.Shell(line) {
		part := judgement{decider: j.decider, req: j.req, lex: j.lex, category: risk.Unknown, topic: risk.None}
		part.target.Node = -1
		if e.Press != nil {
			req := *j.req
			req.Action = pressAction(e.Press)
			part.req = &req
			part.judge()
			part.req = j.req
		} else {
			part.effect(e, line)
		}
		if worst == nil || command.Severity(part.category) > command.Severity(worst.category) {
			worst = &part
		}
	}
	if worst == nil {
		j.unknownAction(CodeUnknownKind, line)
		return
	}
	*j = *worst
}

// pressAction turns a press that a shell line contains into an action.
func pressAction(p *command.Press) risk.Action {
	a := risk.Action{Kind: risk.Tap, DurationMS: int(p.Duration.Milliseconds())}
	switch p.Kind {
	case command.PressKey:
		if p.Long {
			a.DurationMS = max(a.DurationMS, holdMS)
		}
		a.Kind, a.Key = risk.PressKey, p.Key
		return a
	case command.PressType:
		a.Kind, a.Text = risk.TypeText, p.Text
		return a
	case command.PressSwipe, command.PressDrag:
		a.Kind, a.X2, a.Y2 = risk.Swipe, &p.X2, &p.Y2
	case command.PressMove:
		a.Kind = risk.Scroll
	case command.PressDown, command.PressUp:
		a.Kind = risk.MotionEvent
	}
	a.X, a.Y = &p.X, &p.Y
	return a
}

// cutRunes is the part of s from rune start to rune end; a span that does not
// fit gives the whole.
func cutRunes(s string, start, end int) string {
	from, n := -1, 0
	for i := range s {
		if n == start {
			from = i
		}
		if n == end && from >= 0 {
			return s[from:i]
		}
		n++
	}
	if from >= 0 && end == n {
		return s[from:]
	}
	return s
}
