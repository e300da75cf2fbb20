package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// logFilter are the flags that pick rows.
type logFilter struct {
	Source   string `placeholder:"WORD" help:"Whom the outcome is owed to: NONE, LLM_FLAGGED, KEYWORD_GUARD, CONTEXT_AWARE_GUARD, BOTH."`
	Delta    string `placeholder:"WORD" help:"What context changed against the flat guard: none, added, suppressed."`
	App      string `placeholder:"PACKAGE" help:"The app, by its package."`
	Category string `placeholder:"WORD" help:"What the action does, such as money or message."`
	Outcome  string `placeholder:"WORD" help:"allow, confirm or deny."`
	Kind     string `placeholder:"WORD" help:"The kind of row, such as decision or transition."`
	Agent    string `placeholder:"NAME" help:"The agent, by its name or id."`
	Since    string `placeholder:"TIME" help:"Only from then on: 24h, 7d, 2026-10-07 or a time in RFC 3339."`
	Until    string `placeholder:"TIME" help:"Only before then."`
}

// rowKinds are the kinds of rows that this program writes.
var rowKinds = []ledger.Kind{
	ledger.KindDecision, ledger.KindTransition, ledger.KindResult, ledger.KindGrant, ledger.KindRefused, ledger.KindAggregate,
	ledger.KindFreeze, ledger.KindUnfreeze, ledger.KindPolicy, ledger.KindCredential, ledger.KindStart,
	ledger.KindStop, ledger.KindLabel, ledger.KindSetup, ledger.KindChannel,
}

// filter reads the flags but --agent, which takes the record to look up. An error
// lists what is accepted.
func (f *logFilter) filter(now time.Time) (ledger.Filter, error) {
	out := ledger.Filter{App: f.App}
	var failed []error
	fail := func(err error) { failed = append(failed, err) }
	out.Source = choose("source", f.Source, []risk.Source{
		risk.SourceNone, risk.LLMFlagged, risk.KeywordGuard, risk.ContextAwareGuard, risk.Both,
	}, fail)
	out.Delta = choose("delta", f.Delta, []risk.Delta{risk.DeltaNone, risk.Added, risk.Suppressed}, fail)
	out.Category = choose("category", f.Category, risk.Categories(), fail)
	out.Outcome = choose("outcome", f.Outcome, []risk.Outcome{risk.Allow, risk.Confirm, risk.Deny}, fail)
	if kind := choose("kind", f.Kind, rowKinds, fail); kind != nil {
		out.Kind = *kind
	}
	out.Since = moment("since", f.Since, now, fail)
	out.Until = moment("until", f.Until, now, fail)
	if len(failed) > 0 {
		return out, usage(failed[0])
	}
	if !out.Since.IsZero() && !out.Until.IsZero() && !out.Since.Before(out.Until) {
		return out, usage(errors.New("--since is not before --until, so no row can match"))
	}
	return out, nil
}

// byDecision reports whether the filter asks for something that only the row of
// a decision says.
func byDecision(f *ledger.Filter) bool {
	return f.App != "" || f.Agent != "" || f.Source != nil || f.Delta != nil || f.Category != nil || f.Outcome != nil
}

// choose finds the word that is meant: in any case, by its beginning where that
// is enough. It is nil where none was given.
func choose[T interface{ ~string | ~uint8 }](flag, got string, words []T, fail func(error)) *T {
	if got == "" {
		return nil
	}
	var found []T
	names := make([]string, len(words))
	for i, w := range words {
		names[i] = fmt.Sprint(w)
		switch {
		case strings.EqualFold(names[i], got):
			return &words[i]
		case len(got) < len(names[i]) && strings.EqualFold(names[i][:len(got)], got):
			found = append(found, w)
		}
	}
	if len(found) == 1 {
		return &found[0]
	}
	fail(fmt.Errorf("--%s %q is not one of %s", flag, got, strings.Join(names, ", ")))
	return nil
}

// clockLayouts are the ways to write a time of the clock; without a zone it is
// the computer's.
var clockLayouts = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly}

// moment reads a time of the clock, or how long ago it was.
func moment(flag, got string, now time.Time, fail func(error)) time.Time {
	if got == "" {
		return time.Time{}
	}
	if ago, ok := span(got); ok {
		return now.Add(-ago)
	}
	for _, layout := range clockLayouts {
		if at, err := time.ParseInLocation(layout, got, time.Local); err == nil {
			return at
		}
	}
	fail(fmt.Errorf("--%s %q is no time; accepted are how long ago (30m, 24h, 7d, 2w), a day (2026-10-07), a day and time (2026-10-07T14:30), and RFC 3339", flag, got))
	return time.Time{}
}

// longestSpan keeps a span within what a time can be moved by.
const longestSpan = 100 * 365 * 24 * time.Hour

// span reads a length of time; beside the units of Go it knows d and w.
func span(text string) (time.Duration, bool) {
	for unit, length := range map[string]time.Duration{"d": 24 * time.Hour, "w": 7 * 24 * time.Hour} {
		digits, ok := strings.CutSuffix(text, unit)
		if !ok {
			continue
		}
		n, err := strconv.ParseUint(digits, 10, 32)
		if err != nil || time.Duration(n) > longestSpan/length {
			return 0, false
		}
		return time.Duration(n) * length, true
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d >= 0 && d <= longestSpan
}
