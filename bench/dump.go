package bench

import (
	"fmt"
	"strings"
)

// The dump is a phone's screen in portrait with a long list on it, its rows so
// low that all of them stand on the screen.
const (
	dumpWidth  = 1080
	dumpHeight = 2400
	rowHeight  = 20
	// DumpRows gives about 300 kB, a large real dump; the median is 41 kB.
	DumpRows = 117
)

// DumpTap is where the benchmarks tap in the dump, and DumpTapID the id of the
// control that lies there: the button of the sixth row.
const (
	DumpTapX, DumpTapY = 980, 5*rowHeight + rowHeight/2
	DumpTapID          = "com.example.shop:id/buy_5"
)

// Dump writes a uiautomator dump with rows rows of six nodes in a list: always
// the same, with three scripts and with entities in its labels. Attributes and
// their order are those of `uiautomator dump` on Android 14.
func Dump(rows int) string {
	d := &dumpWriter{}
	d.b.WriteString(`<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="0">`)
	d.open(element{class: "android.widget.FrameLayout", bounds: [4]int{0, 0, dumpWidth, dumpHeight}})
	d.open(element{class: "android.widget.LinearLayout", id: "com.example.shop:id/content", bounds: [4]int{0, 0, dumpWidth, dumpHeight}})
	d.open(element{class: "androidx.recyclerview.widget.RecyclerView", id: "com.example.shop:id/list", scrollable: true, bounds: [4]int{0, 0, dumpWidth, dumpHeight}})
	for row := range rows {
		d.row(row)
	}
	d.close()
	d.close()
	d.close()
	d.b.WriteString(`</hierarchy>`)
	return d.b.String()
}

// dumpTitles are in three scripts, with the entities that uiautomator writes.
var dumpTitles = []string{
	"Tom &amp; Sons&apos; &quot;Classic&quot; kettle", "Чайник электрический, 1,7 л", "電気ケトル 1.7L &lt;新品&gt;",
	"Wasserkocher, 1,7&#160;l", "Bouilloire &amp; théière", "Водяний чайник &#8470;&#160;5",
}

type element struct {
	text, desc, id, class string
	clickable, scrollable bool
	bounds                [4]int
}

type dumpWriter struct {
	b strings.Builder
}

func (d *dumpWriter) row(row int) {
	top := row * rowHeight
	price := fmt.Sprintf("€%d.%02d", 10+row*7%90, row*13%100)
	title := dumpTitles[row%len(dumpTitles)]
	d.open(element{class: "android.view.ViewGroup", id: "com.example.shop:id/row", clickable: true, bounds: [4]int{0, top, dumpWidth, top + rowHeight}})
	d.leaf(element{class: "android.widget.ImageView", id: "com.example.shop:id/picture", desc: "Picture of " + title, bounds: [4]int{0, top, 200, top + rowHeight}})
	d.open(element{class: "android.widget.LinearLayout", bounds: [4]int{200, top, 880, top + rowHeight}})
	d.leaf(element{class: "android.widget.TextView", id: "com.example.shop:id/title", text: title, bounds: [4]int{200, top, 880, top + rowHeight/2}})
	d.leaf(element{class: "android.widget.TextView", id: "com.example.shop:id/price", text: price, bounds: [4]int{200, top + rowHeight/2, 880, top + rowHeight}})
	d.close()
	d.leaf(element{class: "android.widget.Button", id: fmt.Sprintf("com.example.shop:id/buy_%d", row), text: "Buy", desc: "Buy for " + price, clickable: true, bounds: [4]int{880, top, dumpWidth, top + rowHeight}})
	d.close()
}

func (d *dumpWriter) leaf(e element) { d.write(e, " />") }
func (d *dumpWriter) open(e element) { d.write(e, ">") }
func (d *dumpWriter) close()         { d.b.WriteString("</node>") }

func (d *dumpWriter) write(e element, end string) {
	fmt.Fprintf(&d.b, `<node index="0" text="%s" resource-id="%s" class="%s" package="com.example.shop" content-desc="%s" `+
		`checkable="false" checked="false" clickable="%t" enabled="true" focusable="%t" focused="false" scrollable="%t" `+
		`long-clickable="false" password="false" selected="false" visible-to-user="true" bounds="[%d,%d][%d,%d]" `+
		`drawing-order="1" hint="" display-id="0"%s`,
		e.text, e.id, e.class, e.desc, e.clickable, e.clickable, e.scrollable,
		e.bounds[0], e.bounds[1], e.bounds[2], e.bounds[3], end)
}
