package client

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgregory.net/rapid"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
)

// desk drives a model as a terminal would, with a clock of its own.
type desk struct {
	*model
	t     *testing.T
	clock time.Time
	asked []effect
}

// newDesk is a page of a size with these questions on it, long enough to be
// answered.
func newDesk(t *testing.T, width, height int, open ...approval.Approval) *desk {
	t.Helper()
	d := &desk{t: t, clock: noon}
	d.model = &model{now: func() time.Time { return d.clock }}
	d.say(tea.WindowSizeMsg{Width: width, Height: height})
	d.say(listed{list: Questions{Version: "1", Approvals: open}})
	d.wait(readFor)
	d.asked = nil
	return d
}

func (d *desk) wait(by time.Duration) { d.clock = d.clock.Add(by) }

// say gives the model a message, and checks the page that comes of it.
func (d *desk) say(msg tea.Msg) {
	d.t.Helper()
	d.asked = append(d.asked, d.update(msg)...)
	if d.width > 0 {
		d.check()
	}
}

// check holds what is true of every page: its size, its last line, and that no
// foreign byte steers the terminal.
func (d *desk) check() {
	d.t.Helper()
	view := d.view()
	lines := strings.Split(view, "\n")
	if d.fits() && len(lines) != d.height {
		d.t.Fatalf("the page has %d lines on %d:\n%s", len(lines), d.height, view)
	}
	checkShown(d.t, sgr.ReplaceAllString(view, ""), d.width)
	if !d.fits() || d.mode != reading {
		return
	}
	last := lines[len(lines)-1]
	if d.shown != nil && d.shown.State == approval.Pending && !d.sending && (!strings.Contains(last, "[a]pprove") || !strings.Contains(last, "[d]eny")) ||
		d.width >= 40 && !d.status.Frozen && !strings.Contains(last, "[q]uit") {
		d.t.Fatalf("the choices are not on the last line:\n%s", view)
	}
}

// sgr is the only sequence that the page writes itself.
var sgr = regexp.MustCompile("\x1b\\[[0-9;]+m")

var keyNames = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "pgdown": {Code: tea.KeyPgDown}, "pgup": {Code: tea.KeyPgUp},
	"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "end": {Code: tea.KeyEnd}, "home": {Code: tea.KeyHome},
	"tab": {Code: tea.KeyTab}, "backspace": {Code: tea.KeyBackspace}, "ctrl+c": {Code: 'c', Mod: tea.ModCtrl},
}

func key(name string) tea.KeyPressMsg {
	if k, ok := keyNames[name]; ok {
		return k
	}
	r := []rune(name)
	return tea.KeyPressMsg{Code: r[0], Text: name}
}

func (d *desk) press(names ...string) {
	d.t.Helper()
	for _, name := range names {
		d.say(key(name))
	}
}

// sent are the effects that change anything at the guard.
func (d *desk) sent() []effect {
	return slices.DeleteFunc(slices.Clone(d.asked), func(e effect) bool {
		return !slices.Contains([]verb{approve, grant, deny, revoke, freeze, unfreeze}, e.do)
	})
}

func (d *desk) wantSent(want ...effect) {
	d.t.Helper()
	if got := d.sent(); !slices.Equal(got, want) {
		d.t.Fatalf("sent %+v, want %+v; the page says\n%s", got, want, d.view())
	}
}

func (d *desk) wantShown(want string) {
	d.t.Helper()
	if view := strings.Join(strings.Fields(d.view()), " "); !strings.Contains(view, want) {
		d.t.Fatalf("the page does not say %q:\n%s", want, d.view())
	}
}

// long is a question whose card has more than 60 lines of text.
func long() approval.Approval {
	a := ordinary()
	a.ID, a.Digest = "apv_long", "hmac-sha256:dd"
	for i := range 60 {
		a.Card.Facts.Text += fmt.Sprintf("This is number %d of many sentences, each on a line of its own when it is shown. ", i)
	}
	return a
}

func TestTheChoicesStayWhileALongCardScrolls(t *testing.T) { // report X09
	for _, size := range [][2]int{{80, 24}, {40, 12}} {
		d := newDesk(t, size[0], size[1], long())
		if len(d.body) < 60 {
			t.Fatalf("the card has %d lines, want 60", len(d.body))
		}
		for _, keys := range [][2]string{{"down", "up"}, {"j", "k"}, {"pgdown", "pgup"}} {
			seen := map[string]bool{}
			for range d.body {
				d.press(keys[0])
				for _, line := range strings.Split(d.view(), "\n") {
					seen[line] = true
				}
				if last := lastLine(d.view()); !strings.Contains(last, "[a]pprove") || !strings.Contains(last, "[d]eny") {
					t.Fatalf("at line %d of %v the choices are %q", d.top, size, last)
				}
			}
			missing := 0
			for _, line := range d.body[d.bodyHeight():] {
				if !seen[line] {
					missing++
				}
			}
			if missing > 0 {
				t.Errorf("%s at %v never shows %d of %d lines", keys[0], size, missing, len(d.body))
			}
			for range d.body {
				d.press(keys[1])
			}
			if d.top != 0 {
				t.Errorf("%s ends at line %d", keys[1], d.top)
			}
		}
		d.press("end")
		if want := d.body[len(d.body)-1]; !strings.Contains(d.view(), want) {
			t.Errorf("End does not show %q", want)
		}
		d.wantSent()
	}
}

func lastLine(view string) string { return view[strings.LastIndexByte(view, '\n')+1:] }

func TestWhatKeysSend(t *testing.T) {
	yes := effect{do: approve, id: "apv_7f3k", digest: "hmac-sha256:aa"}
	bigYes := effect{do: approve, id: "apv_9q2w", digest: "hmac-sha256:bb"}
	no := effect{do: deny, id: "apv_7f3k", digest: "hmac-sha256:aa"}
	noted := no
	noted.note = "not now"
	cases := []struct {
		name string
		a    approval.Approval
		keys string
		want []effect
	}{
		{"enter alone", ordinary(), "enter enter enter", nil},
		{"a alone", ordinary(), "a", nil},
		{"a, then enter", ordinary(), "a enter y", nil},
		{"a, then another key", ordinary(), "a n y", nil},
		{"a, then a again", ordinary(), "a a", nil},
		{"y alone", ordinary(), "y", nil},
		{"a y", ordinary(), "a y", []effect{yes}},
		{"a y twice, before the first is through", ordinary(), "a y a y", []effect{yes}},
		{"critical: a y", critical(), "a y", nil},
		{"critical: a y enter", critical(), "a y enter", nil},
		{"critical: the word without enter", critical(), "a y e s", nil},
		{"critical: the word", critical(), "a y e s enter", []effect{bigYes}},
		{"critical: the word, corrected", critical(), "a y e e backspace s enter", []effect{bigYes}},
		{"critical: more than the word", critical(), "a y e s n o enter", nil},
		{"critical: given up", critical(), "a y e s esc enter", nil},
		{"critical: enter", critical(), "a enter", nil},
		{"deny without a note", ordinary(), "d enter", []effect{no}},
		{"deny with a note", ordinary(), "d n o t  n o w enter", []effect{noted}},
		{"deny given up", ordinary(), "d n o esc enter", nil},
		{"take back what is not given", ordinary(), "r y", nil},
		{"freeze", ordinary(), "f y", []effect{{do: freeze}}},
		{"freeze, not confirmed", ordinary(), "f enter", nil},
		{"unfreeze what is not frozen", ordinary(), "u y", nil},
	}
	run := 0
	for _, c := range cases {
		d := newDesk(t, 80, 24, c.a)
		for _, name := range strings.Split(c.keys, " ") {
			if name == "" {
				name = " "
			}
			d.press(name)
		}
		if got := d.sent(); !slices.Equal(got, c.want) {
			t.Errorf("%s: sent %+v, want %+v", c.name, got, c.want)
		}
		run++
	}
	if run != 23 {
		t.Fatalf("%d cases ran, want 23", run)
	}
}

func TestKeysFromBeforeTheCardAreDropped(t *testing.T) {
	d := newDesk(t, 80, 24)
	d.press("a", "y", "enter")
	d.say(listed{list: Questions{Version: "2", Approvals: []approval.Approval{ordinary()}}})
	d.press("a", "y")
	d.wantShown("dropped")
	d.wait(readFor - time.Millisecond)
	d.press("a", "y", "d", "enter")
	d.wantSent()
	d.wait(time.Millisecond)
	d.press("a", "y")
	d.wantSent(effect{do: approve, id: "apv_7f3k", digest: "hmac-sha256:aa"})
}

func TestACardThatCouldNotBeSeenIsNotRead(t *testing.T) {
	d := newDesk(t, 20, 5, ordinary())
	d.press("a", "y")
	d.wantSent()
	d.say(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.press("a", "y")
	d.wantSent()
	d.wait(readFor)
	d.press("a", "y")
	if len(d.sent()) != 1 {
		t.Fatalf("sent %+v", d.sent())
	}
}

func TestAHeldKeyIsNoAnswer(t *testing.T) {
	d := newDesk(t, 80, 24, ordinary())
	d.press("a")
	held := key("y")
	held.IsRepeat = true
	d.say(held)
	d.wantSent()
	d.press("y")
	if len(d.sent()) != 1 {
		t.Fatalf("sent %+v", d.sent())
	}
}

func TestPastedTextIsNoAnswer(t *testing.T) {
	d := newDesk(t, 80, 24, critical())
	d.press("a")
	d.say(tea.PasteMsg{Content: "yes\n"})
	d.press("enter")
	d.wantSent()
	d = newDesk(t, 80, 24, ordinary())
	d.press("d")
	d.say(tea.PasteMsg{Content: "too\nsoon\x1b[2J"})
	d.press("enter")
	d.wantSent(effect{do: deny, id: "apv_7f3k", digest: "hmac-sha256:aa", note: "too soon[2J"})
}

func TestANoteIsNoLongerThanTheGuardTakes(t *testing.T) {
	d := newDesk(t, 40, 12, ordinary())
	d.press("d")
	for range hold.MaxNote + 40 {
		d.update(key("ä"))
	}
	d.press("enter")
	if got := d.sent(); len(got) != 1 || got[0].note != strings.Repeat("ä", hold.MaxNote) {
		t.Fatalf("sent %+v", got)
	}
}

func TestANewQuestionStealsNothing(t *testing.T) {
	old := long()
	d := newDesk(t, 80, 24, old)
	d.press("pgdown", "pgdown", "a")
	top, line := d.top, d.body[d.top]
	newer := critical()
	newer.CreatedAt, newer.Deadline = noon.Add(-time.Hour), noon.Add(time.Minute) // older and more urgent, even so
	d.say(listed{list: Questions{Version: "2", Approvals: []approval.Approval{newer, old}}})
	if d.shown.ID != old.ID || d.mode != approving || d.top != top || d.body[d.top] != line {
		t.Fatalf("the page shows %s at line %d and was at %d:\n%s", d.shown.ID, d.top, top, d.view())
	}
	d.press("y")
	d.wantSent(effect{do: approve, id: old.ID, digest: old.Digest})
}

func TestWhatIsReadStaysWhenItIsSettledElsewhere(t *testing.T) {
	a, b := ordinary(), critical()
	d := newDesk(t, 80, 24, a, b)
	d.press("a")
	d.say(listed{list: Questions{Version: "2", Approvals: []approval.Approval{b}}})
	if !slices.Contains(d.asked, effect{do: look, id: a.ID}) {
		t.Fatalf("the page does not look what became of it: %+v", d.asked)
	}
	a.State, a.AnsweredBy, a.How = approval.Denied, "ben", "web"
	d.say(looked{id: a.ID, found: a})
	d.wantShown("This question is now denied, answered by “ben” (web).")
	d.press("y", "a", "y")
	d.wantSent()
	if d.shown.ID != a.ID {
		t.Fatalf("the page went on to %s by itself", d.shown.ID)
	}
	d.press("n")
	if d.shown.ID != b.ID {
		t.Fatalf("n shows %s", d.shown.ID)
	}
	d.press("a", "y", "e", "s", "enter") // too soon
	d.wantSent()
}

func TestAQuestionThatChangedIsReadAgain(t *testing.T) {
	a := ordinary()
	d := newDesk(t, 80, 24, a)
	d.press("a")
	a.Digest, a.Card.Label = "hmac-sha256:ff", "Send all"
	d.say(listed{list: Questions{Version: "2", Approvals: []approval.Approval{a}}})
	d.wantShown("This question has changed; read it again.")
	d.press("y", "a", "y")
	d.wantSent()
	d.wait(readFor)
	d.press("a", "y")
	d.wantSent(effect{do: approve, id: a.ID, digest: "hmac-sha256:ff"})
}

func TestConflictsAndExpiriesAreLines(t *testing.T) {
	a := ordinary()
	d := newDesk(t, 40, 12, a)
	d.press("a", "y")
	d.say(done{do: approve, id: a.ID, err: &Problem{Status: http.StatusConflict, Detail: "it was answered\x1b[2J already", Code: "already_decided"}})
	d.wantShown(`it was answered\u001b[2J already`)
	a.State, a.Code = approval.Expired, approval.CodeNotAnswered
	d.say(looked{id: a.ID, found: a})
	d.wantShown("This question is now expired, not answered.")
	if slices.Contains(d.asked, effect{do: quit}) {
		t.Fatal("the page ends")
	}
	d.press("q")
	if !slices.Contains(d.asked, effect{do: quit}) {
		t.Fatal("q does not end the page")
	}
}

func TestAnApprovedOneCanBeTakenBack(t *testing.T) {
	a := ordinary()
	d := newDesk(t, 80, 24, a)
	d.press("a", "y")
	after := a
	after.State, after.AnsweredBy, after.How, after.UseBy = approval.Approved, "me", "terminal", noon.Add(time.Minute)
	after.Card.Masked, after.Card.Label = true, "<redacted 4 chars>"
	d.say(done{do: approve, id: a.ID, found: after})
	d.wantShown("You said yes.")
	d.wantShown("“⟦Send⟧ now”")
	d.press("r", "n", "r", "y")
	if got := d.sent(); len(got) != 2 || got[1] != (effect{do: revoke, id: a.ID, digest: a.Digest}) {
		t.Fatalf("sent %+v", got)
	}
}

func TestThePageWaitsForAGuardThatIsGone(t *testing.T) {
	d := newDesk(t, 80, 24, ordinary())
	d.say(listed{err: fmt.Errorf("%w (refused)", ErrNotRunning)})
	d.wantShown("No guard is running; start it with countersign up.")
	d.press("down") // the line stays
	d.wantShown("No guard is running")
	if want := (effect{do: fetch, seen: "1", after: lostPause}); !slices.Contains(d.asked, want) {
		t.Fatalf("asked for %+v", d.asked)
	}
	d.say(listed{err: &Problem{Status: http.StatusUnauthorized, Detail: "revoked"}})
	if want := (effect{do: fetch, seen: "1", after: wrongPause}); !slices.Contains(d.asked, want) {
		t.Fatalf("asked for %+v", d.asked)
	}
	d.say(listed{list: Questions{Version: "3", Frozen: true}})
	d.wantShown("FROZEN")
	if strings.Contains(d.view(), "No guard") {
		t.Fatal("the line is still there")
	}
	d.press("u", "y")
	d.wantSent(effect{do: unfreeze})
	d.say(done{do: unfreeze, err: errors.New("lost\x07")})
	d.wantShown(`lost\u0007`)
}

func TestTheBellIsOnlyForNewQuestions(t *testing.T) {
	a, b := ordinary(), critical()
	for _, bell := range []bool{false, true} {
		d := newDesk(t, 80, 24, a)
		d.bell = bell
		d.say(listed{list: Questions{Version: "2", Approvals: []approval.Approval{a}}})
		if slices.Contains(d.asked, effect{do: ring}) {
			t.Fatal("it rings for nothing")
		}
		d.say(listed{list: Questions{Version: "3", Approvals: []approval.Approval{a, b}}})
		if got := slices.Contains(d.asked, effect{do: ring}); got != bell {
			t.Fatalf("rings: %v, with the option %v", got, bell)
		}
	}
}

func TestHostileQuestionsStayInTheirPlace(t *testing.T) {
	for _, colour := range []Colour{nil, SGR} {
		for _, size := range [][2]int{{30, 10}, {40, 12}, {80, 24}, {200, 60}} {
			d := newDesk(t, size[0], size[1], hostile(), critical(), shell())
			d.page.Colour = colour
			d.status.Level = evil
			for _, name := range []string{"n", "n", "n", "p", "end", "a", "esc", "d", "x", "esc"} {
				d.press(name)
			}
			d.say(done{do: approve, id: "x", err: errors.New(evil)})
		}
	}
}

func TestTheDangerousPartIsSeenWithoutScrolling(t *testing.T) { // report X01
	d := newDesk(t, 80, 24, shell())
	d.wantShown("dangerous of 415 characters: ⟦pm uninstall com.example.notes⟧")
	if d.top != 0 {
		t.Fatal("it was scrolled")
	}
}

// TestAnAnswerIsToWhatWasRead holds that whatever happens in whatever order, an
// answer is to the question that stands on the page, as it stands there, and that
// it has stood there unchanged for long enough.
func TestAnAnswerIsToWhatWasRead(t *testing.T) {
	answers := 0
	rapid.Check(t, func(rt *rapid.T) {
		d := newDesk(t, 80, 24)
		type seen struct{ id, digest, label string }
		read := func() (s seen) {
			if d.shown != nil && d.fits() {
				s = seen{d.shown.ID, d.shown.Digest, d.shown.Card.Label}
			}
			return s
		}
		since, standing := d.clock, read()
		for range rapid.IntRange(20, 60).Draw(rt, "steps") {
			d.wait(rapid.SampledFrom([]time.Duration{0, 0, readFor / 2, readFor - 1, readFor, time.Minute}).Draw(rt, "pause"))
			d.asked = d.update(anyMessage(rt))
			for _, e := range d.sent() {
				if e.do == freeze || e.do == unfreeze {
					continue
				}
				answers++
				if e.id != standing.id || e.digest != standing.digest || d.clock.Sub(since) < readFor {
					rt.Fatalf("%+v was sent to %+v after %v", e, standing, d.clock.Sub(since))
				}
			}
			if now := read(); now != standing {
				since, standing = d.clock, now
			}
		}
	})
	if answers == 0 {
		t.Fatalf("no answer was sent in all, which tests nothing")
	}
}

// anyMessage is a key, mostly, or something that happens.
func anyMessage(rt *rapid.T) tea.Msg {
	switch rapid.SampledFrom([]string{"size", "list", "list", "done", "done", "done", "offer", "key", "key", "key", "key", "key", "key", "key"}).Draw(rt, "message") {
	case "size":
		return tea.WindowSizeMsg{Width: rapid.SampledFrom([]int{20, 40, 80}).Draw(rt, "width"), Height: rapid.SampledFrom([]int{5, 12, 24}).Draw(rt, "height")}
	case "list":
		return listed{list: Questions{Version: rapid.StringN(1, 2, 2).Draw(rt, "version"), Approvals: anyQuestions(rt)}}
	case "done":
		return done{do: approve, id: "apv_7f3k", err: &Problem{Status: 409, Detail: "too late"}}
	case "offer":
		a := ordinary()
		return offered{id: a.ID, digest: a.Digest + rapid.SampledFrom([]string{"", "", "2"}).Draw(rt, "offer for"), grant: offerOf(a), ok: true}
	}
	return key(rapid.SampledFrom([]string{"a", "a", "a", "y", "y", "y", "d", "g", "g", "enter", "n", "r", "f", "down", "e", "s", "esc"}).Draw(rt, "key"))
}

// anyQuestions are some of two questions, each in one of two versions.
func anyQuestions(rt *rapid.T) []approval.Approval {
	var out []approval.Approval
	for _, a := range []approval.Approval{ordinary(), critical()} {
		switch rapid.IntRange(0, 5).Draw(rt, a.ID) {
		case 0:
			continue
		case 1:
			a.Digest, a.Card.Label = a.Digest+"2", "Other"
		case 2:
			a.State = approval.Approved
		}
		out = append(out, a)
	}
	return out
}
