package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/picture"
)

// logLines prints rows as lines for people. Everything that comes out of a row
// goes through decide.Quote before it is shown.
type logLines struct {
	t   *terminal
	day string
	// about is the action of the line above.
	about string
}

// The columns of a line that always have the same width.
const (
	seqColumn     = 5
	timeColumn    = 8
	verdictColumn = 10
)

// print prints one row on one line, and a day before its first row.
func (p *logLines) print(r *ledger.Row) error {
	var b strings.Builder
	at := r.At.Local()
	if day := at.Format("2006-01-02 MST"); day != p.day {
		p.day = day
		b.WriteString(p.t.paint(dim, day) + "\n")
	}
	b.WriteString(p.t.paint(dim, lead(r.Seq, at)))
	room := p.t.width - picture.Columns(lead(r.Seq, at))
	if d, err := r.Decision(); err == nil {
		b.WriteString(strings.TrimRight(p.decision(&d, room), " "))
	} else {
		b.WriteString(clip(p.event(r), room))
	}
	b.WriteByte('\n')
	p.about = r.Subject
	_, err := io.WriteString(p.t.out, b.String())
	return err
}

// lead is the beginning of every line: the number and the time of the row.
func lead(seq int64, at time.Time) string {
	return fmt.Sprintf("%*d%s%s%s", seqColumn, seq, gap, at.Format(time.TimeOnly), gap)
}

// A terminal this wide has a column each for source, delta and mechanism; one
// narrower than usual leaves out whom the outcome is owed to.
const (
	wideLog   = 136
	narrowLog = 96
)

// decision is the line of a decision in so many columns.
func (p *logLines) decision(d *ledger.Decision, room int) string {
	word, how := explainWords.of(&countersign.Decision{Outcome: d.Outcome, Critical: d.Critical})
	out := p.t.paint(how, pad(word, verdictColumn)) + gap
	room -= verdictColumn + len(gap)
	app, label := decide.Quote(d.App.Package, maxShown), subjectOf(d)
	if p.t.width < narrowLog {
		return out + clip(d.Category.String()+gap+label+gap+app, room)
	}
	cells, widths := []string{d.Category.String(), app, label, owed(d)}, []int{12, 0, 0, 19}
	if p.t.width >= wideLog {
		cells = []string{d.Category.String(), app, label, d.Source.String(), d.Delta.String(), mechanism(d)}
		widths = []int{14, 0, 0, 19, 10, 15}
	}
	left := room - len(gap)*(len(cells)-1)
	for _, w := range widths {
		left -= w
	}
	widths[1] = left * 2 / 5
	widths[2] = left - widths[1]
	for i, cell := range cells {
		if i == 1 {
			cell = clipStart(cell, widths[i])
		}
		cells[i] = pad(clip(cell, widths[i]), widths[i])
	}
	return out + strings.Join(cells, gap)
}

// clipStart shortens text to width columns and keeps its end, which is what
// tells packages apart.
func clipStart(text string, width int) string {
	if picture.Columns(text) <= width {
		return text
	}
	for picture.Columns(text) > width-1 {
		text = text[fitting(text, 1):]
	}
	return "…" + text
}

// owed says in a few words whom the outcome is owed to: who had the last word
// where that was none of the three guards, the source, the delta.
func owed(d *ledger.Decision) string {
	out := strings.NewReplacer("_AWARE_GUARD", "", "_GUARD", "", "_FLAGGED", "").Replace(d.Source.String())
	if delta := d.Delta.String(); delta != "none" {
		out += " " + delta
	}
	if by := mechanism(d); by != decide.ByLayer {
		out = by + ": " + out
	}
	return out
}

// mechanism is what had the last word; observe mode is marked.
func mechanism(d *ledger.Decision) string {
	by := decide.Quote(d.DecidedBy, 40)
	if d.Observe {
		return "observe"
	}
	return by
}

// subjectOf is what the action is on or, where it lands on nothing, what it is.
func subjectOf(d *ledger.Decision) string {
	if d.Target != nil && d.Target.Label != "" {
		return "“" + decide.Quote(d.Target.Label, 80) + "”"
	}
	if d.Target != nil && d.Target.ResourceID != "" {
		return words(d.Target.Role.String()) + " #" + decide.Quote(idTail(d.Target.ResourceID), 40)
	}
	kind := decide.Quote(string(d.Kind), 40)
	if said := argument(d); said != "" {
		return kind + " “" + decide.Quote(said, 80) + "”"
	}
	return kind
}

// argument is what an action says beside its place: a shell line, a link, text
// that is typed.
func argument(d *ledger.Decision) string {
	var kept decide.Request
	if len(d.Features) == 0 || json.Unmarshal(d.Features, &kept) != nil {
		return ""
	}
	a := &kept.Action
	for _, said := range []string{a.Shell, a.Intent, a.Tool, a.Key, a.Text} {
		if said != "" {
			return said
		}
	}
	return ""
}

// event is what a row that is no decision says. What became of an action is
// indented, and names it unless it stands right above.
func (p *logLines) event(r *ledger.Row) string {
	text := eventText(r)
	switch {
	case r.Subject == "":
		return "• " + text
	case r.Subject == p.about:
		return "  └ " + text
	}
	return "  └ " + shortID(r.Subject) + ": " + text
}

// shortID is enough of an id to find it again.
func shortID(id string) string {
	if runes := []rune(id); len(runes) > 10 {
		id = string(runes[:10])
	}
	return decide.Quote(id, 12)
}

// eventText is what happened, on one line.
func eventText(r *ledger.Row) string {
	var text string
	switch r.Kind {
	case ledger.KindTransition:
		text = told(r, transitionText)
	case ledger.KindResult:
		text = told(r, func(b *ledger.Result) string {
			if b.OK {
				return "carried out" + noted("", b.Note)
			}
			return "not carried out" + noted(b.Code, b.Note)
		})
	case ledger.KindGrant:
		text = told(r, grantText)
	case ledger.KindRefused:
		text = told(r, func(b *ledger.Refused) string {
			who := line1(b.Agent)
			if who == "" {
				who = "nobody known"
			}
			return fmt.Sprintf("refused, %s by %s: %s", line1(b.What), who, line1(b.Why))
		})
	case ledger.KindAggregate:
		text = told(r, func(b *ledger.Aggregate) string {
			return fmt.Sprintf("%s only asked for by %s: %d allow, %d confirm, %d deny",
				things(int(b.Counts.Total()), "decision"), line1(b.Agent), b.Counts.Allow, b.Counts.Confirm, b.Counts.Deny)
		})
	case ledger.KindLabel:
		text = told(r, func(b *ledger.Label) string {
			return fmt.Sprintf("labelled by %s: should have been %s", line1(b.By), line1(b.Should)) + noted("", b.Note)
		})
	default:
		text = told(r, func(b *ledger.Change) string {
			text := words(string(r.Kind))
			if b.By != "" {
				text += " by " + line1(b.By)
			}
			if b.What != "" {
				text += ", " + line1(b.What)
			}
			return text + noted("", b.Detail)
		})
	}
	return text
}

// told reads the body of a row and says what is in it.
func told[T any](r *ledger.Row, say func(*T) string) string {
	var body T
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return words(string(r.Kind)) + ", which this program cannot read"
	}
	return say(&body)
}

// transitionText is a move of a question and who moved it.
func transitionText(b *ledger.Transition) string {
	text := line1(b.From) + " → " + line1(b.To)
	if b.By != "" {
		text += ", by " + line1(b.By)
	}
	if b.How != "" {
		text += " (" + line1(b.How) + ")"
	}
	return text + noted(b.Code, b.Note)
}

// grantText says what happened to a grant.
func grantText(b *ledger.Grant) string {
	text := "grant " + line1(string(b.Event))
	if b.By != "" {
		text += " by " + line1(b.By)
	}
	if b.How != "" {
		text += " (" + line1(b.How) + ")"
	}
	switch b.Event {
	case ledger.GrantGiven:
		about := cmp.Or(line1(b.Recipient), line1(b.Object))
		return text + fmt.Sprintf(": %s “%s” in %s, %d times until %s", b.Category, about, line1(b.Package), b.Count, b.ExpiresAt.Local().Format("15:04"))
	case ledger.GrantUsed:
		return text + fmt.Sprintf(": %d of %d", b.Used, b.Count)
	}
	return text + noted(b.Code, "")
}

// noted is a reason in a code and in somebody's words.
func noted(code, note string) string {
	text := ""
	if code != "" {
		text = ", " + words(line1(code))
	}
	if note != "" {
		text += ": “" + line1(note) + "”"
	}
	return text
}

// line1 is somebody's text on one line.
func line1(s string) string { return decide.Quote(s, maxShown) }

// dayAndTime is a time in full.
func dayAndTime(at time.Time) string { return at.Local().Format("2006-01-02 15:04:05 MST") }

// rowNumbers lists the numbers of rows.
func rowNumbers(rows []ledger.Row) string {
	out := make([]string, len(rows))
	for i := range rows {
		out[i] = strconv.FormatInt(rows[i].Seq, 10)
	}
	return strings.Join(out, ", ")
}
