package client

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/risk"
)

// headline says what the action does, before anything else.
func (s *sheet) headline(a *approval.Approval) {
	c := &a.Card
	sentence := spell(cmp.Or(c.Reason, c.AgentReason, "What this does is not said."))
	if c.Critical {
		s.text(red, "CRITICAL: "+sentence)
	} else {
		s.text(bold, sentence)
	}
	if c.Permanent {
		s.text(red, "It cannot be taken back, or is for everyone.")
	}
}

// stateOf says what became of a question; nothing while it waits.
func stateOf(a *approval.Approval) string {
	if a.State == approval.Pending {
		return ""
	}
	text := strings.ReplaceAll(a.State.String(), "_", " ")
	if a.AnsweredBy != "" {
		text += ", answered by " + quote(a.AnsweredBy)
	}
	if a.How != "" {
		text += " (" + spell(a.How) + ")"
	}
	if a.Code != "" {
		text += ", " + strings.ReplaceAll(spell(a.Code), "_", " ")
	}
	if a.Note != "" {
		text += ", with the note " + quote(a.Note)
	}
	return text
}

// longArgument is the length in runes above which the part of a command that
// matters is shown apart, before all else.
const longArgument = 60

// tailShown is how much of the end of a long command is shown apart when all of
// it matters, in runes.
const tailShown = 80

// danger shows the part of a long command that matters, however much stands
// before it.
func (s *sheet) danger(c *approval.Card) {
	total := utf8.RuneCountInString(c.Argument)
	if total <= longArgument {
		return
	}
	name := "dangerous"
	for _, match := range commandMatches(c) {
		if match == c.Argument {
			continue
		}
		s.field(name, fmt.Sprintf("of %d characters: ⟦%s⟧", total, spell(match)), "")
		name = ""
	}
	if name != "" && total > tailShown {
		runes := []rune(c.Argument)
		s.field("its end", fmt.Sprintf("of %d characters: … ", total)+spell(string(runes[len(runes)-tailShown:])), "")
	}
}

// commandMatches are the different texts that spoke in a command.
func commandMatches(c *approval.Card) []string {
	var out []string
	for i := range c.Evidence {
		if e := &c.Evidence[i]; e.Layer == risk.LayerCommand && e.Match != "" && !slices.Contains(out, e.Match) {
			out = append(out, e.Match)
		}
	}
	return out
}

// place says where it happens and who wants it.
func (s *sheet) place(a *approval.Approval) {
	c := &a.Card
	app := "not known"
	switch {
	case c.App != "" && c.Package != "":
		app = quote(c.App) + " " + spell(c.Package)
	case c.App != "" || c.Package != "":
		app = spell(cmp.Or(c.Package, c.App))
	}
	s.field("app", app, "")
	s.field("tier", strings.TrimSuffix(c.Tier.String()+", "+spell(c.TierWhy), ", "), "")
	seen := "the guard looked at the screen itself"
	if !c.Observed {
		seen = "claimed: app and screen are the agent's word"
	}
	s.field("seen", seen, "")
	agent := quote(cmp.Or(a.AgentName, a.Agent, "not named"))
	if a.Device != "" {
		agent += " on device " + quote(a.Device)
	}
	s.field("agent", agent, "")
}

// facts are what the action is about.
func (s *sheet) facts(c *approval.Card) {
	s.quoted("object", c.Facts.Object)
	s.quoted("recipient", c.Facts.Recipient)
	if m := c.Facts.Amount; m != nil {
		s.field("amount", spell(m.Value)+" "+spell(m.Currency), bold)
	}
	s.quoted("text sent", c.Facts.Text)
}

// control shows what is pressed, with the words that spoke between brackets.
func (s *sheet) control(c *approval.Card) {
	doing := strings.ReplaceAll(spell(c.Action), "_", " ")
	if c.Point != "" {
		s.field("place", spell(c.Point)+"; what is there cannot be seen", "")
	}
	if c.Label == "" && c.ResourceID == "" {
		if c.Argument == "" {
			s.field("action", doing, "")
		}
		return
	}
	value := doing + " on the " + strings.ReplaceAll(c.Role.String(), "_", " ")
	if c.Label != "" {
		marks := labelMarks(c)
		value += " “" + spellMarked(c.Label, marks) + "”"
	}
	s.field("control", value, "")
	if c.ResourceID != "" {
		s.field("id", spellMarked(c.ResourceID, marksOf(c.ResourceID, c.Evidence, risk.SignalResourceID)), "")
	}
}

func labelMarks(c *approval.Card) []span {
	return marksOf(c.Label, c.Evidence, risk.SignalText, risk.SignalDescription, risk.SignalDescendant)
}

// argumentNames are what the argument of an action is called.
var argumentNames = map[risk.ActionKind]string{
	risk.ShellLine: "command", risk.OpenIntent: "intent", risk.OpenLink: "link", risk.ToolCall: "tool",
	risk.PressKey: "key", risk.TypeText: "typed",
}

// argument shows the whole of a command, a link or what is typed.
func (s *sheet) argument(c *approval.Card) {
	if c.Argument == "" {
		return
	}
	name := cmp.Or(argumentNames[risk.ActionKind(c.Action)], "argument")
	var marks []span
	for _, match := range commandMatches(c) {
		marks = append(marks, occurrences(c.Argument, match)...)
	}
	value := spellMarked(c.Argument, marks)
	if n := utf8.RuneCountInString(c.Argument); n > longArgument {
		value = fmt.Sprintf("(%d characters) ", n) + value
	}
	s.field(name, value, "")
}

// marksOf are the places in a text that the evidence of these signals stands on.
func marksOf(text string, evidence []risk.Evidence, signals ...risk.Signal) []span {
	var out []span
	runes := []rune(text)
	for i := range evidence {
		e := &evidence[i]
		if !slices.Contains(signals, e.Signal) {
			continue
		}
		if e.Start >= 0 && e.Start < e.End && e.End <= len(runes) && string(runes[e.Start:e.End]) == e.Match {
			out = append(out, span{e.Start, e.End})
		} else {
			out = append(out, occurrences(text, e.Match)...)
		}
	}
	return out
}

// occurrences are all places of words in a text, in runes: where only one of them
// matters, a copy that stands before it must not take its mark away.
func occurrences(text, words string) []span {
	var out []span
	if words == "" {
		return nil
	}
	size, at, from := utf8.RuneCountInString(words), 0, 0
	for {
		i := strings.Index(text[from:], words)
		if i < 0 {
			return out
		}
		at += utf8.RuneCountInString(text[from : from+i])
		out = append(out, span{at, at + size})
		at += size
		from += i + len(words)
	}
}

// evidence lists every word or shape that spoke.
func (s *sheet) evidence(c *approval.Card) {
	name := "because"
	for i := range c.Evidence {
		e := &c.Evidence[i]
		if e.Layer == risk.LayerCommand && e.Match == c.Argument && e.Term == "" {
			continue
		}
		s.field(name, evidenceText(e), "")
		name = ""
	}
}

func evidenceText(e *risk.Evidence) string {
	where := strings.ReplaceAll(spell(string(e.Signal)), "_", " ")
	if e.Match != "" && e.Layer != risk.LayerStructure {
		where += " ⟦" + spell(e.Match) + "⟧"
	}
	by := strings.ReplaceAll(spell(string(e.Layer)), "_", " ")
	if e.Term != "" {
		by += " " + quote(e.Term)
	}
	if e.Language != "" {
		by += " (" + spell(e.Language) + ")"
	}
	return strings.TrimSpace(where+", by "+by) + ": " + strings.ReplaceAll(e.Category.String(), "_", " ")
}

// aroundIt is what the context-aware guard goes by on a screen.
const aroundIt = "what the control says and what is around it"

// sources say in plain words which guard asks, deltas what a search for words
// alone would have done.
var (
	sources = map[risk.Source]string{
		risk.LLMFlagged: "the agent's own model asked for it", risk.KeywordGuard: "a risky word, and what is around it agrees",
		risk.ContextAwareGuard: aroundIt,
		risk.Both:              aroundIt + ", and the agent's own model asked too",
	}
	deltas = map[risk.Delta]string{
		risk.Added:      "a plain search for risky words would have missed it",
		risk.Suppressed: "a plain search for risky words would ask too, but what is around it says there is no need",
	}
)

// reasons say why there is a question at all.
func (s *sheet) reasons(c *approval.Card) {
	why := cmp.Or(sources[c.Source], "the policy wants to be asked")
	switch {
	case c.Category == risk.Unknown:
		why = "what cannot be seen or is not known is asked about"
		if c.Source == risk.Both || c.Source == risk.LLMFlagged {
			why += ", and the agent's own model asked too"
		}
	case len(commandMatches(c)) > 0:
		why = strings.Replace(why, aroundIt, "what the command does", 1)
	}
	if delta := deltas[c.Delta]; delta != "" && c.Category != risk.Unknown {
		why += "; " + delta
	}
	if c.Code != "" {
		why += " (" + strings.ReplaceAll(spell(c.Code), "_", " ") + ")"
	}
	s.field("asked for", why, "")
	s.field("rule", spell(c.Rule), "")
	s.field("policy", spell(c.Policy), "")
}

// agentsWords stand apart: nobody has checked them.
func (s *sheet) agentsWords(a *approval.Approval) {
	c := &a.Card
	if c.Task == "" && c.Doubt == "" {
		return
	}
	s.text(dim, "the agent says, and nobody has checked it:")
	s.quoted("  task", c.Task)
	s.quoted("  doubt", c.Doubt)
}

// rest is about the question itself.
func (s *sheet) rest(a *approval.Approval, now time.Time, level string) {
	s.field("time left", timeLeft(a, now), "")
	if !a.ParkedUntil.IsZero() && a.State == approval.Pending {
		s.field("parked", "the agent was told that nobody has answered yet; your answer counts when it asks again", "")
	}
	s.field("before", spell(a.Card.Before), "")
	if a.Card.Masked {
		s.field("masked", "secrets were taken out, and the whole text is no longer known; the screen is looked at again before anything is done", "")
	}
	s.field("level", spell(level), "")
	s.field("question", spell(a.ID), "")
}

// timeLeft says until when a question can be answered or an answer used.
func timeLeft(a *approval.Approval, now time.Time) string {
	wake := a.Wake()
	if wake.IsZero() {
		return ""
	}
	if !now.Before(wake) {
		return "none, its time is over"
	}
	until := " (until " + wake.In(now.Location()).Format("15:04:05") + ")"
	switch a.State {
	case approval.Approved:
		return length(wake.Sub(now)) + " for the agent to use the answer" + until
	case approval.Releasing:
		return length(wake.Sub(now)) + " to be carried out" + until
	}
	return length(wake.Sub(now)) + until
}

// length is a duration in words as short as the place allows.
func length(d time.Duration) string {
	d = d.Truncate(time.Second)
	switch {
	case d >= time.Hour:
		return fmt.Sprintf("%dh %02dm", d/time.Hour, d%time.Hour/time.Minute)
	case d >= time.Minute:
		return fmt.Sprintf("%dm %02ds", d/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%ds", d/time.Second)
}
