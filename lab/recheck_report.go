package lab

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/countersign/countersign/decide"
)

// realKinds and harmlessKinds are the kinds of change in the order of a report.
var (
	realKinds = []string{
		changeRecipient, changeAmount, changeText, changeLabel, changeID, changeRole, changeDialogTitle, changeDialogText,
		changeDialogGone, changeChoice, changeApp, changeMoved, changeCovered, changeRow, changeOtherRow, changeTwin,
	}
	harmlessKinds = []string{
		changeClock, changeBattery, changeProgress, changeCounter, changeScroll, changeRowMore, changeRowLess, changeRowText,
		changeOrder, changeJitter, changeFocus, changeKeyboard, changeAdvert, changeInvisible,
	}
)

// KindRate is how often changes of a kind voided the approval and, of those that
// matter, how often a person was told rightly what it was.
type KindRate struct {
	Kind   string `json:"kind"`
	Real   bool   `json:"real"`
	Voided Rate   `json:"voided"`
	Named  Rate   `json:"named"`
}

// Rates are those of all real changes, of all harmless ones, and of each kind, in
// the order of a report. Intervals take changes of one app for alike.
func (r *Rechecked) Rates() (real, harmless KindRate, kinds []KindRate) {
	for _, kind := range slices.Concat(realKinds, harmlessKinds) {
		k := r.rate(func(c *Recheck) bool { return c.Kind == kind })
		if k.Kind, k.Real = kind, slices.Contains(realKinds, kind); k.Voided.Total > 0 {
			kinds = append(kinds, k)
		}
	}
	real, harmless = r.rate(func(c *Recheck) bool { return c.Real }), r.rate(func(c *Recheck) bool { return !c.Real })
	real.Kind, real.Real, harmless.Kind = "all real changes", true, "all harmless changes"
	return real, harmless, kinds
}

func (r *Rechecked) rate(pick func(*Recheck) bool) KindRate {
	var voided, named []trial
	for i := range r.List {
		c := &r.List[i]
		if !pick(c) {
			continue
		}
		voided = append(voided, trial{c.Case.App, c.Voided})
		if c.Real && c.Voided {
			named = append(named, trial{c.Case.App, c.Named()})
		}
	}
	return KindRate{Voided: rateOf(voided), Named: rateOf(named)}
}

// WriteRecheck prints the rates, then the changes that came out wrong where they
// are asked for.
func WriteRecheck(w io.Writer, r *Rechecked, wrong bool) {
	fmt.Fprintf(w, "%d held cases, %d changes of their screens", r.Cases, len(r.List))
	if r.Left > 0 {
		fmt.Fprintf(w, "; %d more could not be written again as they were", r.Left)
	}
	fmt.Fprint(w, "\n\n")
	real, harmless, kinds := r.Rates()
	table := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, "change\tvoids the approval\t95 %\tnamed rightly")
	line := func(k *KindRate) {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", k.Kind, counts(k.Voided), interval(k.Voided), counts(k.Named))
	}
	for _, part := range []*KindRate{&real, &harmless} {
		line(part)
		for i := range kinds {
			if kinds[i].Real == part.Real {
				kinds[i].Kind = "  " + kinds[i].Kind
				line(&kinds[i])
			}
		}
	}
	table.Flush()
	if wrong {
		listWrong(w, r)
	}
}

// shortly is a text of a screen on one line.
func shortly(text string) string { return decide.Quote(text, 60) }

func listWrong(w io.Writer, r *Rechecked) {
	fmt.Fprintln(w, "\ncame out wrong")
	n := 0
	for i := range r.List {
		c := &r.List[i]
		what := "survived"
		switch {
		case c.Real && c.Voided && !c.Named():
			what = "not named rightly"
		case !c.Real && c.Voided:
			what = "voided"
		case c.Real == c.Voided:
			continue
		}
		n++
		way := "node"
		if c.ByPoint {
			way = "point"
		}
		fmt.Fprintf(w, "  %s  %s  by %s: %s %s\n", c.Case.ID, c.Case.App, way, c.Kind, what)
		if c.Was != "" || c.Is != "" {
			fmt.Fprintf(w, "      “%s” became “%s”\n", shortly(c.Was), shortly(c.Is))
		}
		if c.Told != "" {
			fmt.Fprintf(w, "      told: %s\n", c.Told)
		}
	}
	if n == 0 {
		fmt.Fprintln(w, "  none")
	}
}

// RecheckSummary is a report for scripts.
type RecheckSummary struct {
	Cases    int        `json:"cases"`
	Left     int        `json:"left_out"`
	Changes  int        `json:"changes"`
	Real     KindRate   `json:"real"`
	Harmless KindRate   `json:"harmless"`
	Kinds    []KindRate `json:"kinds"`
}

// Summarize gathers all rates.
func (r *Rechecked) Summarize() RecheckSummary {
	real, harmless, kinds := r.Rates()
	return RecheckSummary{Cases: r.Cases, Left: r.Left, Changes: len(r.List), Real: real, Harmless: harmless, Kinds: kinds}
}
