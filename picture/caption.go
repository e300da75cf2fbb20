package picture

import "strconv"

// note is an entry of the list below the screen.
type note struct {
	verdict verdict
	number  int
	text    string
}

// heading draws title and subtitle and returns where the phone begins.
func (d *drawing) heading(o Options) tenths {
	y := margin
	room := d.at(d.width)
	if title := clean(cut(o.Title, maxLabel)); title != "" {
		for _, line := range wrap(title, px(17), room, 2) {
			y += px(18)
			d.text(margin, y, px(17), atStart, `fill="`+ink+`" font-weight="bold"`, line)
		}
		y += px(4)
	}
	if subtitle := clean(cut(o.Subtitle, maxLabel)); subtitle != "" {
		for _, line := range wrap(subtitle, px(12), room, 2) {
			y += px(15)
			d.text(margin, y, px(12), atStart, `fill="`+grey+`"`, line)
		}
	}
	if y > margin {
		y += px(16)
	}
	return y
}

// legend explains the marks, with how many of each there are.
func (d *drawing) legend(y tenths) tenths {
	var count [verdictCount]int
	for _, m := range d.marks {
		count[m.verdict]++
	}
	if len(d.marks) == 0 {
		return y
	}
	column := d.frame.w / verdictCount
	x := d.frame.x
	for v := verdict(verdictCount); v > 0; {
		v--
		swatch := box{x + px(1), y + px(5), px(26), px(18)}
		d.rect(swatch, px(4), `fill="#fff"`)
		d.outline(v, swatch)
		d.badge(v, swatch.x+swatch.w-px(2), swatch.y+px(2), 0)
		d.text(x+px(36), y+px(18), px(12), atStart, `fill="`+ink+`"`, looks[v].word+" "+strconv.Itoa(count[v]))
		x += column
	}
	return y + px(34)
}

// notes lists what the numbers on the badges mean.
func (d *drawing) notes(list []note, y tenths) tenths {
	for _, n := range list {
		y += px(6)
		d.badge(n.verdict, d.frame.x+px(9), y+px(9), n.number)
		text := looks[n.verdict].word + ": " + clean(cut(n.text, 4*maxLabel))
		for _, line := range wrap(text, px(12), d.frame.w-px(28), 6) {
			d.text(d.frame.x+px(26), y+px(13), px(12), atStart, `fill="`+ink+`"`, line)
			y += px(15)
		}
	}
	if d.unseen > 0 {
		y += px(21)
		d.text(d.frame.x, y, px(12), atStart, `fill="`+grey+`"`, "controls outside the display, not drawn: "+strconv.Itoa(d.unseen))
	}
	return y
}

// document puts the frame of the picture around what was drawn.
func (d *drawing) document(title string, width, height tenths) []byte {
	name := clean(cut(title, maxLabel))
	if name == "" {
		name = "a screen drawn from its tree"
	}
	return d.canvas.document(name, width, height, `fill="#fff"`)
}

// document wraps the elements drawn so far into a picture of the given size.
func (c *canvas) document(name string, width, height tenths, ground string) []byte {
	return c.window(name, box{0, 0, width, height}, ground)
}

// window is document for a part of what was drawn.
func (c *canvas) window(name string, seen box, ground string) []byte {
	body := c.b.String()
	c.b.Reset()
	c.add(`<svg xmlns="http://www.w3.org/2000/svg" width="%v" height="%v" viewBox="%v %v %v %v" role="img" font-family="system-ui, 'Noto Sans', 'Segoe UI', Roboto, Arial, sans-serif">`,
		seen.w, seen.h, seen.x, seen.y, seen.w, seen.h)
	c.add(`<title>%s</title>`, escape(name))
	c.patterns()
	c.rect(seen, px(8), ground)
	c.b.WriteString(body)
	c.add(`</svg>`)
	return []byte(c.b.String())
}
