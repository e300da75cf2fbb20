package fatigue

import (
	"strconv"
	"strings"
	"time"

	"github.com/countersign/countersign/ledger"
)

// Percent says a part of a whole: "12 %", below ten with a decimal where there is
// one, and empty for nothing.
func Percent(part float64) string {
	digits := 0
	switch {
	case part == 0:
		return ""
	case part < 0.0995:
		digits = 1
	}
	return strings.TrimSuffix(strconv.FormatFloat(100*part, 'f', digits, 64), ".0") + " %"
}

// Took says how long something took, in about two figures: "4.2 s", "50 s",
// "12 min", "5 h".
func Took(m ledger.Millis) string {
	d := time.Duration(m)
	switch {
	case d < 10*time.Second:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	case d < 2*time.Minute:
		return strconv.Itoa(int(d.Round(time.Second).Seconds())) + " s"
	case d < 2*time.Hour:
		return strconv.Itoa(int(d.Round(time.Minute).Minutes())) + " min"
	}
	return strconv.Itoa(int(d.Round(time.Hour).Hours())) + " h"
}

// Span says a length of time in the unit that fits: "10 minutes", "1 hour".
func Span(d time.Duration) string {
	n, unit := int(d/time.Minute), "minute"
	if d >= time.Hour && d%time.Hour == 0 {
		n, unit = int(d/time.Hour), "hour"
	}
	if n != 1 {
		unit += "s"
	}
	return strconv.Itoa(n) + " " + unit
}

// Share is how many there are of something, the part that it is of a whole, and
// what it is.
type Share struct {
	N    int64
	Part float64
	What string
}

// Ends are what became of the questions that were put.
func Ends(a *ledger.Asking) []Share {
	return []Share{
		{a.Approved, a.Shares.Approved, "approved"}, {a.Denied, a.Shares.Denied, "denied"}, {a.Expired, a.Shares.Expired, "expired unanswered"},
		{a.Withdrawn, a.Shares.Withdrawn, "withdrawn"}, {a.Nobody, a.Shares.Nobody, "with nobody to ask"}, {a.Open, 0, "open"},
	}
}

// Spared are what needed no question of its own.
func Spared(a *ledger.Asking) []Share {
	return []Share{
		{a.Joined, a.Shares.Joined, "joined an open question"}, {a.Linked, a.Shares.Linked, "linked to the yes before"}, {a.Granted, a.Shares.Granted, "let pass by a grant"},
	}
}

// Labels are what people said of decisions.
func Labels(a *ledger.Asking) []Share {
	return []Share{{a.Needless, a.Shares.Needless, "needless"}, {a.Missed, a.Shares.Missed, "missed"}}
}

// List says the shares that there are: "31 approved (84 %), 3 denied (8 %)"; empty
// for none.
func List(shares []Share) string {
	var out []string
	for _, s := range shares {
		if s.N == 0 {
			continue
		}
		text := strconv.FormatInt(s.N, 10) + " " + s.What
		if s.Part > 0 {
			text += " (" + Percent(s.Part) + ")"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}
