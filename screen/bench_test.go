package screen_test

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"github.com/countersign/countersign/screen"
)

// largeDump writes a dump of the size that the budget names: a list of some
// 700 rows, buttons and texts in three scripts, with every attribute that
// uiautomator writes.
func largeDump(atLeast int) string {
	labels := []string{
		"", "Reply to all", "Quarterly report &amp; figures", "Отправить сообщение", "発注を確定する",
		"Don&apos;t show this again", "Two lines&#10;of text", "", "", "",
	}
	var b strings.Builder
	b.WriteString(`<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="0">`)
	element := func(i int, class, id, text, desc string, clickable bool, end string) {
		top, height := i*96%2200, 96
		if i == 0 {
			height = 2400
		}
		fmt.Fprintf(&b, `<node index="%d" text="%s" resource-id="%s" class="%s" package="com.example.mail" content-desc="%s" `+
			`checkable="false" checked="false" clickable="%t" enabled="true" focusable="%t" focused="false" scrollable="false" `+
			`long-clickable="false" password="false" selected="false" bounds="[0,%d][1080,%d]"%s>`,
			i%10, text, id, class, desc, clickable, clickable, top, top+height, end)
	}
	element(0, "android.widget.FrameLayout", "", "", "", false, "")
	for i := 1; b.Len() < atLeast; i++ {
		element(i, "android.widget.LinearLayout", "com.example.mail:id/row", "", "", true, "")
		element(i, "android.widget.TextView", "com.example.mail:id/subject", labels[i%len(labels)], "", false, " /")
		element(i, "android.widget.ImageButton", "com.example.mail:id/star", "", labels[(i+3)%len(labels)], true, " /")
		b.WriteString("</node>")
	}
	b.WriteString("</node></hierarchy>")
	return b.String()
}

// xmlNode is a node as encoding/xml reads it into a struct.
type xmlNode struct {
	Text          string    `xml:"text,attr"`
	ResourceID    string    `xml:"resource-id,attr"`
	Class         string    `xml:"class,attr"`
	Package       string    `xml:"package,attr"`
	Description   string    `xml:"content-desc,attr"`
	Checkable     bool      `xml:"checkable,attr"`
	Checked       bool      `xml:"checked,attr"`
	Clickable     bool      `xml:"clickable,attr"`
	Enabled       bool      `xml:"enabled,attr"`
	Focusable     bool      `xml:"focusable,attr"`
	Focused       bool      `xml:"focused,attr"`
	Scrollable    bool      `xml:"scrollable,attr"`
	LongClickable bool      `xml:"long-clickable,attr"`
	Password      bool      `xml:"password,attr"`
	Selected      bool      `xml:"selected,attr"`
	Bounds        string    `xml:"bounds,attr"`
	Nodes         []xmlNode `xml:"node"`
}

type xmlHierarchy struct {
	Rotation int       `xml:"rotation,attr"`
	Nodes    []xmlNode `xml:"node"`
}

const budgetSize = 300_000

func BenchmarkReadUIAutomator(b *testing.B) {
	dump := largeDump(budgetSize)
	b.SetBytes(int64(len(dump)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := screen.ReadUIAutomator(dump, screen.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadAndTap(b *testing.B) {
	dump := largeDump(budgetSize)
	b.SetBytes(int64(len(dump)))
	b.ReportAllocs()
	for b.Loop() {
		s, err := screen.Read(dump, screen.Limits{})
		if err != nil {
			b.Fatal(err)
		}
		hit := s.At(540, 1000)
		if hit.Node < 0 {
			b.Fatal(hit.Reason)
		}
		s.Target(hit.Node)
	}
}

func BenchmarkReadBytes(b *testing.B) {
	dump := []byte(largeDump(budgetSize))
	b.SetBytes(int64(len(dump)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := screen.Read(dump, screen.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEncodingXML is the yardstick: the same dump by the standard library.
func BenchmarkEncodingXML(b *testing.B) {
	dump := []byte(largeDump(budgetSize))
	b.SetBytes(int64(len(dump)))
	b.ReportAllocs()
	for b.Loop() {
		var tree xmlHierarchy
		if err := xml.Unmarshal(dump, &tree); err != nil {
			b.Fatal(err)
		}
	}
}
