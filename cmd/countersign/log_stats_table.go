package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold/fatigue"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/picture"
)

// statsColumn is a column of figures.
type statsColumn struct {
	head string
	// keep says which columns go first on a narrow terminal: those with the least.
	keep int
	cell func(*ledger.AskingGroup) string
}

// nothing is the cell of a column that has nothing to say.
const nothing = "-"

// statsColumns are the columns beside the name. One in which no row says anything
// is left out.
var statsColumns = []statsColumn{
	{"actions", 7, func(g *ledger.AskingGroup) string { return count(int(g.Actions)) }},
	{"asked", 9, func(g *ledger.AskingGroup) string { return count(int(g.Asked + g.WouldAsk)) }},
	{"per 100", 8, perHundred},
	{"yes", 6, func(g *ledger.AskingGroup) string { return shareCell(g.Shares.Approved) }},
	{"no", 6, func(g *ledger.AskingGroup) string { return shareCell(g.Shares.Denied) }},
	{"expired", 3, func(g *ledger.AskingGroup) string { return shareCell(g.Shares.Expired) }},
	{"half in", 5, func(g *ledger.AskingGroup) string { return answeredIn(g, g.Median) }},
	{"9/10 in", 4, func(g *ledger.AskingGroup) string { return answeredIn(g, g.P90) }},
	{"too fast", 5, func(g *ledger.AskingGroup) string { return shareCell(g.Shares.Hasty) }},
	{"joined", 2, func(g *ledger.AskingGroup) string { return shareCell(g.Shares.Joined) }},
	{"linked", 2, func(g *ledger.AskingGroup) string { return shareCell(g.Shares.Linked) }},
	{"grant", 2, func(g *ledger.AskingGroup) string { return shareCell(g.Shares.Granted) }},
	{"needless", 1, func(g *ledger.AskingGroup) string { return shareCell(g.Shares.Needless) }},
	{"missed", 1, func(g *ledger.AskingGroup) string { return shareCell(g.Shares.Missed) }},
}

func perHundred(g *ledger.AskingGroup) string {
	if g.AskedPer100 == 0 {
		return nothing
	}
	return strconv.FormatFloat(g.AskedPer100, 'f', 1, 64)
}

func shareCell(of float64) string { return cmp.Or(fatigue.Percent(of), nothing) }

func answeredIn(g *ledger.AskingGroup, m ledger.Millis) string {
	if g.Answered() == 0 {
		return nothing
	}
	return fatigue.Took(m)
}

// figuresTable is the table of log stats: a name, figures set to the right, and,
// where there is room, a bar of the questions per 100 actions.
type figuresTable struct {
	keep []int
	// cells are by column, without the names.
	cells  [][]string
	widths []int
	names  []string
	bars   []float64
}

// The widths of the name and of the bar.
const leastName, mostName, barLength = 26, 40, 10

// statsTable writes the table of groups by something.
func (c *card) statsTable(by string, groups []ledger.AskingGroup) {
	shown := groups[:min(len(groups), mostGroups)]
	tb := &figuresTable{names: []string{"by " + by}}
	for i := range shown {
		tb.names = append(tb.names, cmp.Or(line1(shown[i].Name), "none"))
		tb.bars = append(tb.bars, shown[i].AskedPer100)
	}
	for _, column := range statsColumns {
		tb.add(&column, shown)
	}
	nameWidth, barWidth := tb.fit(c.t.width)
	for i, name := range tb.names {
		line := pad(clip(name, nameWidth), nameWidth)
		for k := range tb.cells {
			line += gap + strings.Repeat(" ", tb.widths[k]-picture.Columns(tb.cells[k][i])) + tb.cells[k][i]
		}
		if i == 0 {
			c.b.WriteString(c.t.paint(dim, line) + "\n")
			continue
		}
		c.b.WriteString(strings.TrimRight(line+gap+c.t.paint(cyan, bar(tb.bars[i-1], slices.Max(tb.bars), barWidth)), " ") + "\n")
	}
	if more := len(groups) - len(shown); more > 0 {
		c.b.WriteString(c.t.paint(dim, fmt.Sprintf("and %d more; --json has all", more)) + "\n")
	}
}

// add adds a column, unless it says nothing.
func (tb *figuresTable) add(column *statsColumn, groups []ledger.AskingGroup) {
	cells, width, says := []string{column.head}, len(column.head), false
	for i := range groups {
		text := column.cell(&groups[i])
		cells, width, says = append(cells, text), max(width, picture.Columns(text)), says || text != nothing
	}
	if says {
		tb.cells, tb.widths, tb.keep = append(tb.cells, cells), append(tb.widths, width), append(tb.keep, column.keep)
	}
}

// fit leaves out columns until the names have room, and says how wide the names
// and the bars are.
func (tb *figuresTable) fit(total int) (name, bars int) {
	wanted := 0
	for _, n := range tb.names {
		wanted = min(max(wanted, picture.Columns(n)), mostName)
	}
	for {
		left := total
		for _, w := range tb.widths {
			left -= len(gap) + w
		}
		if left >= min(wanted, leastName) || len(tb.widths) == 0 {
			name = min(left, wanted)
			bars = min(left-name-len(gap), barLength)
			return name, bars
		}
		k := slices.Index(tb.keep, slices.Min(tb.keep))
		tb.cells, tb.widths, tb.keep = slices.Delete(tb.cells, k, k+1), slices.Delete(tb.widths, k, k+1), slices.Delete(tb.keep, k, k+1)
	}
}

// bar is as long as a number is, beside the largest one.
func bar(n, most float64, width int) string {
	if n == 0 || width < 3 {
		return ""
	}
	return strings.Repeat("▇", max(1, int(float64(width)*n/most+0.5)))
}

// habits lists what was always answered yes.
func (c *card) habits(habits []fatigue.Habit) {
	if len(habits) == 0 {
		return
	}
	c.b.WriteString("\n" + c.t.paint(bold, "Always answered yes") + "\n")
	for i := range habits {
		h := &habits[i]
		c.blank()
		for _, line := range fold(fmt.Sprintf("%s asked, %s: approved %d times, never refused", line1(h.AgentName), line1(h.Scope()), h.Approved), min(c.t.width, readableWidth)) {
			c.b.WriteString(line + "\n")
		}
		c.field("from", dayAndTime(h.First)+" to "+dayAndTime(h.Last))
		switch {
		case h.Grant != nil:
			c.grant(h.Grant)
		case h.Line != nil:
			c.line(h.Line)
		}
		if h.Why != "" {
			c.field("no proposal", h.Why)
		}
		c.besides(&h.Besides, h.Grant != nil || h.Line != nil)
	}
	c.blank()
	for _, line := range fold("Nothing of this is applied by itself.", c.t.width) {
		c.b.WriteString(c.t.paint(dim, line) + "\n")
	}
}

func (c *card) grant(g *fatigue.Grant) {
	c.inked("proposed", bold, "a grant: "+line1(g.Sentence()))
	c.field("spares", fmt.Sprintf("%d of %d questions, had it been given %s", g.Spared, g.Of, approval.Times(g.Given)))
	c.field("with a yes", fmt.Sprintf("countersign approvals approve ID --grant %d --for %s", g.Count, shortSpan(g.Seconds)))
}

// shortSpan is a length of time as --for takes it.
func shortSpan(seconds int64) string {
	if seconds%3600 == 0 {
		return strconv.FormatInt(seconds/3600, 10) + "h"
	}
	return strconv.FormatInt(seconds/60, 10) + "m"
}

func (c *card) line(l *fatigue.Line) {
	c.inked("proposed", bold, "a line of policy, which has no end:")
	for text := range strings.SplitSeq(strings.TrimSuffix(l.YAML, "\n"), "\n") {
		c.raw("", text)
	}
	c.field("spares", fmt.Sprintf("%d of %d questions", l.Spared, l.Of))
}

// besides lists what else a proposal reaches.
func (c *card) besides(b *fatigue.Besides, proposed bool) {
	if b.Count == 0 {
		if proposed {
			c.field("besides", "it would have let pass nothing else that is on record for that time")
		}
		return
	}
	text := fmt.Sprintf("it would have let pass %s more", things(b.Count, "action"))
	if b.Refused > 0 {
		text += fmt.Sprintf(", %d of them refused by a person", b.Refused)
	}
	c.field("besides", text)
	for i := range b.Examples {
		e := &b.Examples[i]
		what := line1(e.Reason)
		if about := line1(cmp.Or(e.Recipient, e.Object)); !strings.Contains(what, about) {
			what += " “" + about + "”"
		}
		c.field("", fmt.Sprintf("row %d, %s, by %s, %s: %s", e.Row, dayAndTime(e.At), line1(cmp.Or(e.AgentName, e.Agent)), e.Became, what))
	}
}
