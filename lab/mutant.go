package lab

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/countersign/countersign/screen"
)

// A mutant is a page on which an action was approved and the page that is found
// when it is about to be carried out.
type mutant struct {
	// kind is what was changed, real whether it matters.
	kind string
	real bool
	// was and is are what stands there before and after, where it is a text.
	was, is string
	base    *page
	fresh   *page
	// lands is the id of the element that the action names on the fresh page,
	// where it names one by its place in the document: the control, unless it is
	// the place that counts.
	lands int
	// onlyPoint and onlyNode say that the change makes sense only for an action
	// that names a point, or a node.
	onlyPoint, onlyNode bool
	// app is the app in front on the fresh page, where that is another one.
	app string
}

// mutate is the scene with one change.
func (s *scene) mutate(kind string, real bool, change func(p *page)) mutant {
	m := mutant{kind: kind, real: real, base: s.page, fresh: s.page.copy(), lands: s.target}
	change(m.fresh)
	return m
}

// rewrite changes a text of an element, in the scene's two ways: to another one,
// and by a single character.
func (s *scene) rewrite(kind string, e *element, other string) []mutant {
	var list []mutant
	for _, is := range []string{other, nudged(e.text())} {
		if is == e.text() {
			continue
		}
		m := s.mutate(kind, true, func(p *page) { p.find(e.id).say(is) })
		m.was, m.is = e.text(), is
		list = append(list, m)
	}
	return list
}

// say replaces what an element says, where it says it; a description that
// repeats the text follows it.
func (e *element) say(text string) {
	if e.Text == "" {
		e.Description = text
		return
	}
	if e.Description == e.Text {
		e.Description = text
	}
	e.Text = text
}

// nudged is a text with one digit changed, else with one letter more.
func nudged(text string) string {
	if i := strings.LastIndexFunc(text, func(r rune) bool { return r >= '0' && r <= '9' }); i >= 0 {
		return text[:i] + string('0'+(text[i]-'0'+1)%10) + text[i+1:]
	}
	i := strings.LastIndexFunc(text, unicode.IsLetter)
	if i < 0 {
		return text + "s"
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	if r > unicode.MaxLatin1 {
		return text[:i+size] + string(r) + text[i+size:]
	}
	return text[:i+size] + "s" + text[i+size:]
}

// others are the texts that take the place of one.
const (
	otherName  = "Berta Beispiel"
	otherText  = "Everything else as well"
	otherLabel = "Carry on"
)

// otherSum is a text with its sums changed: every digit becomes the next one.
func otherSum(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '1' + (r-'0')%9
		}
		return r
	}, text)
}

// plain is a node of the app that stands somewhere.
func plain(pkg, class, text string, b screen.Rect) screen.Node {
	return screen.Node{Package: pkg, Class: "android.widget." + class, Text: text, Bounds: b}
}

// band is a strip across the display, height pixels high, that leaves the
// control free: at the bottom, else at the top; ok is false where neither is.
func (s *scene) band(height int32) (screen.Rect, bool) {
	t := s.control.Bounds
	w, h := int32(s.page.width), int32(s.page.height)
	for _, b := range []screen.Rect{{Left: 0, Top: h - 20 - height, Right: w, Bottom: h - 20}, {Left: 0, Top: h / 12, Right: w, Bottom: h/12 + height}} {
		if b.Bottom <= t.Top || b.Top >= t.Bottom {
			return b, true
		}
	}
	return screen.Rect{}, false
}
