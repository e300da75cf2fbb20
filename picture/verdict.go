package picture

import (
	"strconv"

	"github.com/countersign/countersign/risk"
)

// verdict is a look: every outcome has a colour, a pattern, an outline and a
// badge of its own, so that each of them alone tells the outcomes apart.
type verdict uint8

// The verdicts, from the strictest down.
const (
	denied verdict = iota
	critical
	asked
	allowed
	verdictCount = iota
)

// look says how a verdict is drawn.
type look struct {
	word    string
	colour  string
	pattern string // the id of a fill
	outline string // attributes of the outline
}

var looks = [verdictCount]look{
	denied:   {"deny", "#4a148c", "url(#deny)", `stroke-width="2.5"`},
	critical: {"critical", "#b71c1c", "url(#critical)", `stroke-width="2.5" stroke-dasharray="7 2 2 2"`},
	asked:    {"confirm", "#b45309", "url(#confirm)", `stroke-width="2" stroke-dasharray="6 3"`},
	allowed:  {"allow", "#1b6e3c", "none", `stroke-width="1.2"`},
}

// of tells which look an outcome has. What is not known looks like a refusal.
func verdictOf(o risk.Outcome, isCritical bool) verdict {
	switch {
	case o == risk.Allow:
		return allowed
	case o == risk.Confirm && isCritical:
		return critical
	case o == risk.Confirm:
		return asked
	}
	return denied
}

// patterns are the fills, faint enough to read the text below them.
func (c *canvas) patterns() {
	c.add(`<defs>`)
	c.add(`<pattern id="confirm" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V8" stroke="%s" stroke-width="3" stroke-opacity=".28"/></pattern>`, looks[asked].colour)
	c.add(`<pattern id="critical" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><path d="M0 0V5" stroke="%s" stroke-width="3" stroke-opacity=".34"/></pattern>`, looks[critical].colour)
	c.add(`<pattern id="deny" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V6M0 0H6" stroke="%s" stroke-width="2.4" stroke-opacity=".36"/></pattern>`, looks[denied].colour)
	c.add(`<pattern id="opaque" width="10" height="10" patternUnits="userSpaceOnUse"><path d="M0 10L10 0" stroke="#90a4ae" stroke-width="1"/></pattern>`)
	c.add(`</defs>`)
}

// outline draws what a verdict lays over a control.
func (c *canvas) outline(v verdict, b box) {
	l := looks[v]
	c.rect(b, px(5), `fill="`+l.pattern+`" stroke="`+l.colour+`" `+l.outline)
}

// badgeSize is the breadth and height of a badge.
const badgeSize = tenths(170)

// badge draws a verdict's sign with its middle at x, y: a tick, a disc, a
// diamond or an octagon. A number leads to the notes below the screen.
func (c *canvas) badge(v verdict, x, y tenths, number int) {
	colour := looks[v].colour
	r := badgeSize / 2
	switch v {
	case allowed:
		c.add(`<circle cx="%v" cy="%v" r="5.5" fill="#fff" stroke="%s"/>`, x, y, colour)
		c.add(`<path d="M%v %vl2 2.4 3.6-4.6" fill="none" stroke="%s" stroke-width="1.6"/>`, x-28, y+2, colour)
		return
	case asked:
		c.add(`<circle cx="%v" cy="%v" r="%v" fill="%s" stroke="#fff"/>`, x, y, r, colour)
	case critical:
		d := r + 25
		c.add(`<path d="M%v %vL%v %vL%v %vL%v %vz" fill="%s" stroke="#fff"/>`, x, y-d, x+d, y, x, y+d, x-d, y, colour)
	default:
		s := r * 2 / 5
		c.add(`<path d="M%v %vL%v %vL%v %vL%v %vL%v %vL%v %vL%v %vL%v %vz" fill="%s" stroke="#fff"/>`,
			x-s, y-r, x+s, y-r, x+r, y-s, x+r, y+s, x+s, y+r, x-s, y+r, x-r, y+s, x-r, y-s, colour)
	}
	c.text(x, y+36, px(10), atMiddle, `fill="#fff" font-weight="bold"`, sign(v, number))
}

// sign is what stands on a badge: the number of its note, or the verdict's own.
func sign(v verdict, number int) string {
	switch {
	case number > 0:
		return strconv.Itoa(number)
	case v == denied:
		return "×"
	case v == critical:
		return "!"
	}
	return "?"
}
