package study

import (
	"cmp"
	"maps"
	"slices"

	"github.com/countersign/countersign/lexicon"
	"github.com/countersign/countersign/risk"
)

// Summary is what a study shows, ready to be printed.
type Summary struct {
	Apps      int     `json:"apps"`
	Groups    int     `json:"groups"`
	Rows      int     `json:"rows"`
	Certainty float32 `json:"certainty"`
	// Points are the operating points, of all languages but English and of English.
	NotEnglish Points `json:"not_english"`
	English    Points `json:"english"`
	// At the one certainty, the locale given:
	Languages  []Line      `json:"languages"`
	Categories []Line      `json:"categories"` // not English
	Strengths  []Line      `json:"strengths"`  // not English
	Subtypes   []Line      `json:"subtypes"`   // all languages; false alarms
	Confusions []Confusion `json:"confusions"`
	// Steps are what other certainties would give; the shipped one is chosen
	// from them.
	Steps []Step `json:"steps"`
}

// Step is what one certainty gives, in percent.
type Step struct {
	Certainty float32 `json:"certainty"`
	Recall    float64 `json:"recall"`       // not English
	Alarms    float64 `json:"false_alarms"` // not English
	Plain     float64 `json:"plain"`        // false alarms of plain labels, all languages
}

// Points are recall and false alarms of one part of the rows.
type Points struct {
	Risky    int `json:"risky"`
	Harmless int `json:"harmless"`
	// Terms are the hand-written terms alone, Both the two layers at the shipped
	// certainty, Blind the same with the locale withheld.
	Terms, Both, Blind Line
	// At holds the table: recall at 0.5, 1, 2 and 5 % false alarms.
	At []Point `json:"at"`
}

// Point is the recall at a share of false alarms.
type Point struct {
	FalseAlarms float64 `json:"false_alarms"` // in percent
	// Alone is the recall of the model by itself. Both is that of the two layers,
	// negative where the terms alone have more false alarms.
	Alone     float64 `json:"alone"`
	Both      float64 `json:"both"`
	Certainty float32 `json:"certainty"` // that both need for it
}

// Line is one part of the rows with its rates.
type Line struct {
	Name   string `json:"name"`
	Recall Rate   `json:"recall"`
	Right  int    `json:"right"` // caught as the right category
	Alarms Rate   `json:"alarms"`
}

// Confusion is how often a category was taken for another one.
type Confusion struct {
	Want risk.Category `json:"want"`
	Got  risk.Category `json:"got"`
	Rows int           `json:"rows"`
}

// falseAlarmTable are the shares of false alarms of the table, in percent.
var falseAlarmTable = [...]float64{0.5, 1, 2, 5}

// Summarize sums a study up at the certainty that is shipped.
func (s *Study) Summarize() *Summary {
	all := s.Outcomes
	sum := &Summary{Apps: s.Apps, Groups: s.Groups, Rows: len(all), Certainty: lexicon.DefaultCertainty}
	english := func(o *Outcome) bool { return o.Row.Language() == "en" }
	sum.NotEnglish = pointsOf(pick(all, func(o *Outcome) bool { return !english(o) }))
	sum.English = pointsOf(pick(all, english))
	notEnglish := pick(all, func(o *Outcome) bool { return !english(o) })
	sum.Languages = linesBy(all, func(o *Outcome) string { return o.Row.Language() })
	sum.Categories = linesBy(pick(notEnglish, risky), func(o *Outcome) string { return o.Want.String() })
	sum.Strengths = linesBy(pick(notEnglish, risky), func(o *Outcome) string { return o.Row.Strength })
	sum.Subtypes = linesBy(pick(all, func(o *Outcome) bool { return !risky(o) }), func(o *Outcome) string { return o.Row.Subtype })
	sum.Confusions = confusionsOf(all)
	plain := pick(all, func(o *Outcome) bool { return !risky(o) && o.Row.Subtype == "plain" })
	for i := 2; i <= 14; i++ {
		sum.Steps = append(sum.Steps, stepOf(float32(i)*0.05, notEnglish, plain))
	}
	return sum
}

// stepOf is what a certainty gives.
func stepOf(certainty float32, notEnglish, plain []Outcome) Step {
	share := func(rows []Outcome, of bool) float64 {
		caught, all := 0, 0
		for i := range rows {
			if risky(&rows[i]) != of {
				continue
			}
			all++
			if rows[i].Given.At(certainty) != risk.None {
				caught++
			}
		}
		return 100 * float64(caught) / float64(max(all, 1))
	}
	return Step{Certainty: certainty, Recall: share(notEnglish, true), Alarms: share(notEnglish, false), Plain: share(plain, false)}
}

func risky(o *Outcome) bool { return o.Want != risk.None }

func pick(all []Outcome, takes func(*Outcome) bool) []Outcome {
	var some []Outcome
	for i := range all {
		if takes(&all[i]) {
			some = append(some, all[i])
		}
	}
	return some
}

// pointsOf computes the operating points of some rows.
func pointsOf(rows []Outcome) Points {
	p := Points{
		Terms: lineOf("terms", rows, func(o *Outcome) risk.Category { return o.Given.Terms }),
		Both:  lineOf("both", rows, shipped),
		Blind: lineOf("locale withheld", rows, func(o *Outcome) risk.Category { return o.Blind.At(lexicon.DefaultCertainty) }),
	}
	p.Risky, p.Harmless = p.Both.Recall.Total, p.Both.Alarms.Total
	alone := func(o *Outcome) float32 { return o.Alone }
	both := func(o *Outcome) float32 {
		if o.Given.Terms != risk.None {
			return 2
		}
		return o.Given.Probability
	}
	for _, share := range falseAlarmTable {
		point := Point{FalseAlarms: share}
		point.Alone, _ = recallAt(rows, share, alone)
		point.Both, point.Certainty = recallAt(rows, share, both)
		p.At = append(p.At, point)
	}
	return p
}

// shipped is the category at the certainty that is shipped.
func shipped(o *Outcome) risk.Category { return o.Given.At(lexicon.DefaultCertainty) }

// recallAt returns the recall in percent, and the score it takes, at a share of
// false alarms in percent; -1 where even the highest score has more.
func recallAt(rows []Outcome, share float64, score func(*Outcome) float32) (recall float64, least float32) {
	var harmless, wanted []float32
	for i := range rows {
		if x := score(&rows[i]); risky(&rows[i]) {
			wanted = append(wanted, x)
		} else {
			harmless = append(harmless, x)
		}
	}
	if len(harmless) == 0 || len(wanted) == 0 {
		return -1, 0
	}
	slices.SortFunc(harmless, func(a, b float32) int { return cmp.Compare(b, a) })
	least = harmless[min(int(share/100*float64(len(harmless))), len(harmless)-1)]
	if least > 1 {
		return -1, least
	}
	hits := 0
	for _, x := range wanted {
		if x > least {
			hits++
		}
	}
	return 100 * float64(hits) / float64(len(wanted)), least
}

// lineOf counts some rows.
func lineOf(name string, rows []Outcome, got func(*Outcome) risk.Category) Line {
	l := Line{Name: name}
	var caught, alarms counter
	for i := range rows {
		o := &rows[i]
		c := got(o)
		if !risky(o) {
			alarms.add(o.Row.App, c != risk.None)
			continue
		}
		caught.add(o.Row.App, c != risk.None)
		if c == o.Want {
			l.Right++
		}
	}
	l.Recall, l.Alarms = caught.rate(), alarms.rate()
	return l
}

// linesBy counts the parts that key tells apart, those with most rows first.
func linesBy(rows []Outcome, key func(*Outcome) string) []Line {
	parts := map[string][]Outcome{}
	for i := range rows {
		k := key(&rows[i])
		parts[k] = append(parts[k], rows[i])
	}
	var lines []Line
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		lines = append(lines, lineOf(name, parts[name], shipped))
	}
	slices.SortStableFunc(lines, func(a, b Line) int {
		return cmp.Or(b.Recall.Total-a.Recall.Total, b.Alarms.Total-a.Alarms.Total)
	})
	return lines
}

// confusionsOf lists what is read as something else, the most frequent first.
func confusionsOf(rows []Outcome) []Confusion {
	count := map[Confusion]int{}
	for i := range rows {
		if got := shipped(&rows[i]); got != rows[i].Want {
			count[Confusion{Want: rows[i].Want, Got: got}]++
		}
	}
	var list []Confusion
	for c, n := range count {
		c.Rows = n
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b Confusion) int {
		return cmp.Or(b.Rows-a.Rows, int(a.Want)-int(b.Want), int(a.Got)-int(b.Got))
	})
	return list
}
