package study

import (
	"fmt"
	"io"
)

// WriteReport prints a summary for people.
func WriteReport(out io.Writer, s *Summary) {
	fmt.Fprintf(out, "%d rows of %d apps in %d groups, each read by a model that was trained on the others.\n", s.Rows, s.Apps, s.Groups)
	fmt.Fprintf(out, "Shipped certainty %.2f. Recall is over risky action labels, false alarms over harmless ones; 95 %% in brackets.\n", s.Certainty)
	for _, part := range []struct {
		name string
		p    *Points
	}{{"All languages but English", &s.NotEnglish}, {"English", &s.English}} {
		fmt.Fprintf(out, "\n%s: %d risky, %d harmless\n", part.name, part.p.Risky, part.p.Harmless)
		for _, l := range []Line{part.p.Terms, part.p.Both, part.p.Blind} {
			fmt.Fprintf(out, "  %-16s recall %s  false alarms %s\n", l.Name, spell(l.Recall, 1), spell(l.Alarms, 2))
		}
		fmt.Fprintln(out, "  at false alarms of     0.5 %     1 %     2 %     5 %")
		row(out, "model alone", part.p.At, func(p Point) float64 { return p.Alone })
		row(out, "both layers", part.p.At, func(p Point) float64 { return p.Both })
		row(out, "certainty", part.p.At, func(p Point) float64 { return float64(p.Certainty) })
	}
	fmt.Fprintln(out, "\nOther certainties: recall and false alarms of all but English, false alarms of plain labels")
	for _, p := range s.Steps {
		fmt.Fprintf(out, "  %.2f  %5.1f %%  %5.2f %%  %5.2f %%\n", p.Certainty, p.Recall, p.Alarms, p.Plain)
	}
	lines(out, "By language", s.Languages, true, true)
	lines(out, "By category, not English", s.Categories, true, false)
	lines(out, "By strength, not English", s.Strengths, true, false)
	lines(out, "Harmless rows by subtype, all languages", s.Subtypes, false, true)
	fmt.Fprintln(out, "\nRead as something else")
	for i, c := range s.Confusions {
		if i == 25 {
			break
		}
		fmt.Fprintf(out, "  %-16s as %-16s %6d\n", c.Want, c.Got, c.Rows)
	}
}

func row(out io.Writer, name string, points []Point, value func(Point) float64) {
	fmt.Fprintf(out, "  %-20s", name)
	for _, p := range points {
		if v := value(p); v < 0 || v > 100 || p.Both < 0 && name != "model alone" {
			fmt.Fprintf(out, " %7s", "-")
		} else if name == "certainty" {
			fmt.Fprintf(out, " %7.3f", v)
		} else {
			fmt.Fprintf(out, " %7.1f", v)
		}
	}
	fmt.Fprintln(out)
}

func lines(out io.Writer, title string, all []Line, recall, alarms bool) {
	fmt.Fprintf(out, "\n%s\n", title)
	for _, l := range all {
		fmt.Fprintf(out, "  %-16s", l.Name)
		if recall {
			fmt.Fprintf(out, " recall %s", spell(l.Recall, 1))
		}
		if alarms {
			fmt.Fprintf(out, " false alarms %s", spell(l.Alarms, 2))
		}
		fmt.Fprintln(out)
	}
}

// spell writes a rate as "85.1 % of 1234 (80.2 to 88.9)".
func spell(r Rate, digits int) string {
	if r.Total == 0 {
		return "none"
	}
	return fmt.Sprintf("%.*f %% of %d (%.*f to %.*f)", digits, r.Percent(), r.Total, digits, 100*r.Low, digits, 100*r.High)
}
