package e2e

import (
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// markup is a page of the inbox taken apart, strictly: only what our templates
// write is read, and all else is an error, so that whatever a text brought into
// being is noticed even where it looks like ours.
type markup struct {
	// texts are what stands between tags and in the values of attributes, as a
	// reader gets it.
	texts []string
	// leads are the addresses that the page leads to or loads.
	leads []string
	// styles and scripts are what stands in <style> and <script>, byte for byte.
	styles, scripts []string
	// tags and names are those of its elements and their attributes.
	tags, names map[string]bool
}

// void are the elements that have no end, foreign those of a drawing, which may
// end themselves.
var (
	void    = []string{"meta", "link", "input", "img", "source", "br"}
	foreign = []string{"svg", "path", "rect"}
	leading = []string{"href", "src", "srcset", "action", "formaction"}
)

// oneTag is a tag as the templates write it, oneAttribute what stands in it.
var (
	oneTag       = regexp.MustCompile(`^<(/?)([a-z][a-z0-9]*)((?: [a-z][A-Za-z-]*(?:="[^"<>]*")?)*)(/?)>`)
	oneAttribute = regexp.MustCompile(` ([a-z][A-Za-z-]*)(?:="([^"<>]*)")?`)
)

// readMarkup takes a page apart.
func readMarkup(page string) (m markup, err error) {
	rest, ok := strings.CutPrefix(page, "<!doctype html>")
	if !ok {
		return m, fmt.Errorf("it begins with %.40q", page)
	}
	if !utf8.ValidString(page) {
		return m, errors.New("it has bytes that are no UTF-8")
	}
	m.tags, m.names = map[string]bool{}, map[string]bool{}
	var open []string
	for rest != "" {
		text, _, _ := strings.Cut(rest, "<")
		m.texts = append(m.texts, html.UnescapeString(text))
		if strings.Contains(text, ">") {
			return m, fmt.Errorf("a > stands in %.80q", text)
		}
		if rest = rest[len(text):]; rest == "" {
			break
		}
		tag := oneTag.FindStringSubmatch(rest[:strings.IndexByte(rest, '>')+1]) // no value has a > in it
		if tag == nil {
			return m, fmt.Errorf("this is no tag of ours: %.120q", rest)
		}
		rest = rest[len(tag[0]):]
		ends, name, closed := tag[1] != "", tag[2], tag[4] != ""
		switch {
		case closed && !slices.Contains(foreign, name):
			return m, fmt.Errorf("<%s> ends itself", name)
		case ends && (len(open) == 0 || open[len(open)-1] != name || tag[3] != ""):
			return m, fmt.Errorf("</%s> ends nothing that is open: %q", name, open)
		case ends:
			open = open[:len(open)-1]
			continue
		case !closed && !slices.Contains(void, name):
			open = append(open, name)
		}
		m.tags[name] = true
		m.attributes(tag[3])
		if name == "style" || name == "script" {
			inside, _, found := strings.Cut(rest, "</"+name+">")
			if !found || tag[3] != "" {
				return m, fmt.Errorf("<%s%s> is none of ours", name, tag[3])
			}
			rest = rest[len(inside):]
			if name == "style" {
				m.styles = append(m.styles, inside)
			} else {
				m.scripts = append(m.scripts, inside)
			}
		}
	}
	if len(open) > 0 {
		return m, fmt.Errorf("%q never end", open)
	}
	return m, nil
}

// attributes takes those of a tag up.
func (m *markup) attributes(all string) {
	for _, a := range oneAttribute.FindAllStringSubmatch(all, -1) {
		value := html.UnescapeString(a[2])
		m.texts, m.names[a[1]] = append(m.texts, value), true
		if slices.Contains(leading, a[1]) {
			m.leads = append(m.leads, value)
		}
	}
}

// page is the text that a reader of the page gets, in one.
func (m *markup) page() string { return strings.Join(m.texts, "\n") }

// ours are the names of elements and attributes that the templates write.
type ours struct{ tags, attributes map[string]bool }

var (
	tagIn       = regexp.MustCompile(`</?([a-z][a-z0-9]*)`)
	wholeTagIn  = regexp.MustCompile(`<[a-z][^>]*>`)
	attributeIn = regexp.MustCompile(`[ }]([a-z][A-Za-z-]*)(?:="|[ >{/])`)
)

// own is what the templates, the style sheet and the script of the pages are, as
// they are compiled in: the script without its indentation.
type own struct {
	ours
	style, script string
	err           error
}

// ourOwn is read once.
var ourOwn = sync.OnceValue(func() (o own) {
	read := func(path string) string {
		data, err := os.ReadFile("../channel/inbox/" + path)
		o.err = errors.Join(o.err, err)
		return string(data)
	}
	files, err := os.ReadDir("../channel/inbox/pages")
	if err == nil && len(files) < 10 {
		err = fmt.Errorf("there are only %d templates", len(files))
	}
	o.err = err
	o.tags, o.attributes = map[string]bool{}, map[string]bool{}
	for _, f := range files {
		text := read("pages/" + f.Name())
		for _, found := range tagIn.FindAllStringSubmatch(text, -1) {
			o.tags[found[1]] = true
		}
		for _, tag := range wholeTagIn.FindAllString(text, -1) {
			for _, found := range attributeIn.FindAllStringSubmatch(tag, -1) {
				o.attributes[found[1]] = true
			}
		}
	}
	o.style, o.script = read("style.css"), strings.ReplaceAll(read("inbox.js")+read("passkey.js"), "\t", "")
	return o
})

func ourMarkup(t testing.TB) (names ours, style, script string) {
	t.Helper()
	o := ourOwn()
	if o.err != nil {
		t.Fatal(o.err)
	}
	return o.ours, o.style, o.script
}

// unharmed says what is wrong with a page of the inbox: something in it that our
// templates did not write, that could steer or deceive its reader, or that leads
// elsewhere. The style sheet and the script have to be ours to the byte.
func unharmed(t testing.TB, where, page string) string {
	t.Helper()
	m, err := readMarkup(page)
	if err != nil {
		return where + ": " + err.Error()
	}
	names, style, script := ourMarkup(t)
	for tag := range m.tags {
		if !names.tags[tag] {
			return fmt.Sprintf("%s: no template has a tag <%s>", where, tag)
		}
	}
	for name := range m.names {
		if !names.attributes[name] {
			return fmt.Sprintf("%s: no template has an attribute %s", where, name)
		}
	}
	for _, s := range m.styles {
		if s != style {
			return fmt.Sprintf("%s: the style sheet is not ours: %.80q", where, s)
		}
	}
	for _, s := range m.scripts {
		if s != script {
			return fmt.Sprintf("%s: the script is not ours: %.80q", where, s)
		}
	}
	if len(m.styles) > 1 || len(m.scripts) > 1 {
		return fmt.Sprintf("%s: %d style sheets, %d scripts", where, len(m.styles), len(m.scripts))
	}
	for _, to := range m.leads {
		if !strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "#") || strings.HasPrefix(to, "//") || strings.HasPrefix(to, `/\`) {
			return fmt.Sprintf("%s leads to %q", where, to)
		}
	}
	return harm(where, m.page())
}

// drawable are the elements of a picture of a screen: none of them runs, loads or
// links anything. An <image> holds its data in itself.
var drawable = []string{"svg", "title", "g", "rect", "path", "circle", "text", "defs", "pattern", "image"}

// pictured says what is wrong with a picture: it is no XML, has an element or an
// attribute that does something, or a text that steers.
func pictured(where, svg string) string {
	dec := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := dec.Token()
		if err == io.EOF {
			return ""
		}
		if err != nil {
			return where + ": " + err.Error()
		}
		switch x := token.(type) {
		case xml.StartElement:
			if !slices.Contains(drawable, x.Name.Local) {
				return fmt.Sprintf("%s has a <%s>", where, x.Name.Local)
			}
			for _, a := range x.Attr {
				name := strings.ToLower(a.Name.Local)
				leads := name == "href" && !strings.HasPrefix(a.Value, "#") && !strings.HasPrefix(a.Value, "data:image/png;base64,") && !strings.HasPrefix(a.Value, "data:image/jpeg;base64,")
				if strings.HasPrefix(name, "on") || leads || strings.Contains(a.Value, "url(h") {
					return fmt.Sprintf("%s has %s=%.80q", where, name, a.Value)
				}
				if got := harm(where, a.Value); got != "" {
					return got
				}
			}
		case xml.CharData:
			if got := harm(where, string(x)); got != "" {
				return got
			}
		case xml.Comment, xml.ProcInst, xml.Directive:
			return fmt.Sprintf("%s has %.80q", where, x)
		}
	}
}

// TestForeignMarkupIsSeen: a page that somebody got something into is not taken
// for ours.
func TestForeignMarkupIsSeen(t *testing.T) {
	_, style, script := ourMarkup(t)
	with := func(style, script, body string) string {
		return "<!doctype html>\n<html lang=\"en\">\n<head>\n<style>" + style + "</style>\n<script>" + script + "</script>\n</head>\n<body>\n<main id=\"main\">" + body + "</main>\n</body>\n</html>\n"
	}
	if got := unharmed(t, "the page", with(style, script, `<p class="line"><bdi>Sends &lt;b&gt; &amp; more &#34;now&#34;</bdi></p><a href="/history">all</a>`)); got != "" {
		t.Errorf("a page of ours: %s", got)
	}
	pages := map[string]string{
		"another style sheet": with(style+" ", script, ""), "another script": with(style, script+"\n//", ""), "no doctype": "<html></html>",
		"a second script": with(style, script, "<script>"+script+"</script>"), "a script with a source": with(style, script, `<script src="/x.js"></script>`),
		"a tag of theirs": with(style, script, "<marquee>x</marquee>"), "an attribute of theirs": with(style, script, `<p onclick="x">x</p>`),
		"no quotes": with(style, script, "<p class=x>x</p>"), "other quotes": with(style, script, "<p class='x'>x</p>"),
		"a tag in large letters": with(style, script, "<P>x</P>"), "a tag that does not end": with(style, script, "<p>x"), "one end too many": with(style, script, "</p>"),
		"crossed tags": with(style, script, "<p><bdi></p></bdi>"), "a comment": with(style, script, "<!-- x -->"), "a bare <": with(style, script, "a < b"), "a bare >": with(style, script, "a > b"),
		"a link elsewhere": with(style, script, `<a href="https://attacker.example/">x</a>`), "a link with two slashes": with(style, script, `<a href="//attacker.example/">x</a>`),
		"a link that runs": with(style, script, `<a href="javascript:zz">x</a>`), "a form elsewhere": with(style, script, `<form action="https://attacker.example/"></form>`),
		"a control in a text": with(style, script, "<p>a\x1b[2J</p>"), "a control as an entity": with(style, script, "<p>a&#x202e;b</p>"),
		"a control in an attribute": with(style, script, "<a href=\"/a\u200bb\">x</a>"), "a tab": with(style, script, "<p>a\tb</p>"), "bytes that are no UTF-8": with(style, script, "<p>\xff</p>"),
		"a tag that ends itself": with(style, script, "<p/>"), "something after the end": with(style, script, "") + "<p>",
	}
	for name, page := range pages {
		if unharmed(t, "the page", page) == "" {
			t.Errorf("%s: nothing is seen", name)
		}
	}
	pictures := []string{`<svg><script>x</script></svg>`, `<svg onload="x"></svg>`, `<svg><image href="https://attacker.example/x"/></svg>`, `<svg><a href="/">x</a></svg>`, "<svg><text>\u202e</text></svg>", `<svg><text>x</svg>`, `<?xml-stylesheet href="x"?><svg/>`}
	for _, svg := range pictures {
		if pictured("the picture", svg) == "" {
			t.Errorf("nothing is seen in %s", svg)
		}
	}
	if len(pages) != 27 || len(pictures) != 7 {
		t.Errorf("%d pages and %d pictures", len(pages), len(pictures))
	}
}
