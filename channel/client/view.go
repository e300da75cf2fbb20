package client

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/countersign/countersign/approval"
)

// The smallest terminal on which a question can be read and answered.
const (
	leastWidth  = 30
	leastHeight = 10
)

// fits reports whether the terminal is large enough, and known.
func (m *model) fits() bool { return m.width >= leastWidth && m.height >= leastHeight }

// view is the whole page: as many lines as the terminal has, the choices last.
// Nothing but its own SGR sequences steers the terminal.
func (m *model) view() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	if !m.fits() {
		return clip("too small to answer", m.width)
	}
	lines := make([]string, 0, m.height)
	lines = append(lines, m.title())
	lines = append(lines, m.listLines()...)
	lines = append(lines, m.rule())
	lines = append(lines, m.bodyLines()...)
	for _, line := range m.noticeLines() {
		lines = append(lines, m.page.Colour.paint(yellow, line))
	}
	lines = append(lines, m.choices())
	return strings.Join(lines, "\n")
}

// title says how the guard stands.
func (m *model) title() string {
	parts := []string{"Countersign", fmt.Sprintf("%d open", len(m.list))}
	if m.status.Frozen {
		parts = append(parts, "FROZEN")
	}
	if m.status.Observe {
		parts = append(parts, "ONLY OBSERVING")
	}
	parts = append(parts, m.channelsTitle()...)
	if m.status.Level != "" {
		parts = append(parts, spell(m.status.Level))
	}
	return m.page.Colour.paint(invert, pad(clip(strings.Join(parts, " · "), m.width), m.width))
}

// listHeight is how many lines the list has. It goes by the terminal alone, so
// that a new question does not move the card that is being read.
func (m *model) listHeight() int { return max(1, m.height/10) }

// listLines are the questions around the one that is shown.
func (m *model) listLines() []string {
	height := m.listHeight()
	at := 0
	if m.shown != nil {
		at = max(0, m.at(m.shown.ID))
	}
	from := max(0, min(at-height/2, len(m.list)-height))
	out := make([]string, height)
	for i := range out {
		if from+i < len(m.list) {
			out[i] = m.row(&m.list[from+i])
		}
	}
	return out
}

// row is one question in the list.
func (m *model) row(a *approval.Approval) string {
	mark, ink := "  ", ""
	if m.shown != nil && m.shown.ID == a.ID {
		mark, ink = "> ", bold
	}
	c := &a.Card
	if c.Critical {
		mark += "CRITICAL "
	}
	parts := []string{strings.ReplaceAll(c.Category.String(), "_", " "), spell(appOf(c))}
	if a.State != approval.Pending {
		parts = append(parts, a.State.String())
	}
	if wake := a.Wake(); !wake.IsZero() {
		parts = append(parts, length(max(0, wake.Sub(m.now()))))
	}
	line := clip(mark+strings.Join(parts, " · "), m.width)
	if ink == "" {
		return line
	}
	return m.page.Colour.paint(ink, line)
}

func appOf(c *approval.Card) string {
	switch {
	case c.App != "":
		return c.App
	case c.Package != "":
		return c.Package
	}
	return "unknown app"
}

// rule parts the list from the card and says how much of that is seen.
func (m *model) rule() string {
	text := "──"
	if n, seen, top := len(m.body), m.bodyHeight(), m.within(m.top); n > seen {
		text += fmt.Sprintf(" lines %d to %d of %d ", top+1, top+seen, n)
		if top+seen < n {
			text += "↓ "
		}
		if top > 0 {
			text += "↑ "
		}
	}
	for ruleWidth(text) < m.width {
		text += "─"
	}
	return m.page.Colour.paint(dim, text)
}

// ruleWidth counts our own lines and arrows, which are narrow.
func ruleWidth(text string) int { return len([]rune(text)) }

// bodyHeight is how many lines of the card are seen.
func (m *model) bodyHeight() int {
	return max(1, m.height-m.listHeight()-len(m.noticeLines())-3)
}

// bodyLines are the lines of the card that are seen, filled up to the height.
func (m *model) bodyLines() []string {
	height := m.bodyHeight()
	out := make([]string, 0, height)
	if m.shown == nil {
		out = append(out, fold("No question is open. The next one appears here by itself.", m.width)...)
		out = out[:min(len(out), height)]
	} else {
		top := m.within(m.top)
		out = append(out, m.body[top:min(top+height, len(m.body))]...)
	}
	for len(out) < height {
		out = append(out, "")
	}
	return out
}

// mostNotice is how many lines a notice may take.
const mostNotice = 3

func (m *model) noticeLines() []string {
	text := cmp.Or(m.notice, m.gone)
	if text == "" || m.width <= 0 {
		return nil
	}
	lines := fold(text, m.width)
	if len(lines) > mostNotice {
		lines = lines[:mostNotice]
		lines[mostNotice-1] = clip(lines[mostNotice-1]+" …", m.width)
	}
	return lines
}

// choices is the last line: what the next key does. It is always there.
func (m *model) choices() string {
	text := m.prompt()
	return m.page.Colour.paint(bold, clip(text, m.width))
}

func (m *model) prompt() string {
	wide := m.width >= 72
	switch m.mode {
	case approving:
		return "Approve this? y yes, any other key no"
	case approvingCritical:
		return "CRITICAL: type yes, then Enter: " + m.typed + "_"
	case granting:
		return "Grant this? y yes, any other key no"
	case denying:
		lead := "Deny. Note: "
		if wide {
			lead = "Deny. A note for the agent if you like, Enter sends, Esc goes back: "
		}
		return lead + clipLeft(spell(m.typed)+"_", m.width-breadth(lead))
	case revoking:
		return "Take the yes back? y yes, any other no"
	case freezing:
		return "Freeze all agents? y yes, any other no"
	case unfreezing:
		return "Let agents go on? y yes, any other no"
	}
	return m.chances(wide)
}

// grantWidth is how wide a terminal has to be for all choices on one line.
const grantWidth = 52

// chances are the choices for the question that is shown.
func (m *model) chances(wide bool) string {
	var parts []string
	switch {
	case m.sending:
		parts = append(parts, "sending")
	case m.shown == nil:
	case m.shown.State == approval.Pending:
		parts = append(parts, "[a]pprove", "[d]eny")
		if m.width >= grantWidth && mayGrant(m.shown) {
			parts = append(parts, "[g]rant")
		}
	case m.shown.State == approval.Approved:
		parts = append(parts, "[r] take back")
	}
	if len(m.list) > 1 || m.shown != nil && m.at(m.shown.ID) < 0 {
		parts = append(parts, "[n]ext")
	}
	if wide && len(m.body) > m.bodyHeight() {
		parts = append(parts, "PgUp PgDn read")
	}
	if m.status.Frozen {
		parts = append(parts, "[u]nfreeze")
	} else {
		parts = append(parts, "[f]reeze")
	}
	gap := " "
	if wide {
		gap = "   "
	}
	return strings.Join(append(parts, "[q]uit"), gap)
}

func splitLines(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }
