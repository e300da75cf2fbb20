package screen

import (
	"slices"
	"strings"
	"testing"
)

// part writes a node of a page; what follows the bounds are its children.
func part(class, attributes, bounds string, children ...string) string {
	return `<node package="a.b" class="android.widget.` + class + `" ` + attributes + ` bounds="` + bounds + `">` + strings.Join(children, "") + `</node>`
}

// aroundOf reads a page and finds the control whose id ends in "target".
func aroundOf(t *testing.T, roots ...string) Around {
	t.Helper()
	s, err := Read([]byte("<hierarchy>"+strings.Join(roots, "")+"</hierarchy>"), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.Nodes {
		if strings.HasSuffix(s.Nodes[i].ResourceID, "target") {
			return s.Around(int32(i))
		}
	}
	t.Fatal("no target on the page")
	return Around{}
}

const (
	target = `resource-id="a.b:id/target" clickable="true" `
	button = `clickable="true" `
)

// page is a window that spans the display.
func page(children ...string) string { return part("FrameLayout", "", "[0,0][1080,2400]", children...) }

func TestWhatStandsAroundAControl(t *testing.T) {
	del := `content-desc="Delete" ` + button
	inRow := func(top, text, control string) string {
		return part("LinearLayout", "", top, part("TextView", `text="`+text+`"`, top), part("ImageButton", control, top))
	}
	list := func(rows ...string) string { return part("RecyclerView", "", "[0,300][1080,1300]", rows...) }
	title := part("TextView", `text="Orders"`, "[100,100][900,200]")
	asks := []string{part("TextView", `text="Delete this order?"`, "[0,900][1080,1000]"), part("Button", target+`text="Yes"`, "[0,1200][500,1300]"), part("Button", button+`text="No"`, "[500,1200][1080,1300]")}
	cases := []struct {
		name  string
		roots []string
		get   func(Around) []string
		want  string
	}{
		{"the row of a list", []string{page(list(inRow("[0,300][1080,400]", "One", del), inRow("[0,400][1080,500]", "Two", target+`content-desc="Delete"`)))}, Around.RowLabels, "Two"},
		{"a row without a list", []string{page(inRow("[0,300][1080,400]", "One", target), inRow("[0,400][1080,500]", "Two", target))}, Around.RowLabels, "One"},
		{"a page that is pressed is no row", []string{part("FrameLayout", button, "[0,0][1080,2400]", title, part("Button", target, "[0,400][1080,500]"))}, Around.RowLabels, ""},
		{"what cannot be seen is in no row", []string{page(list(part("LinearLayout", "", "[0,300][1080,400]", part("TextView", `text="Gone" visible-to-user="false"`, "[0,300][9,400]"), part("Button", target, "[0,300][1080,400]")), inRow("[0,400][1080,500]", "Two", del)))}, Around.RowLabels, ""},
		{"rows that differ need no ordinal", []string{page(list(inRow("[0,300][1080,400]", "One", target+`content-desc="Delete"`), inRow("[0,400][1080,500]", "Two", target+`content-desc="Delete"`)))}, ordinal, "0"},
		{"the heading", []string{page(title, part("TextView", `text="Two lamps"`, "[0,300][1080,400]"), part("Button", target, "[0,2000][1080,2100]"))}, heading, "Orders"},
		{"the higher text is the heading", []string{page(part("TextView", `text="Two lamps"`, "[0,300][1080,400]"), title, part("Button", target, "[0,2000][1080,2100]"))}, heading, "Orders"},
		{"a clock is no heading", []string{page(part("TextView", `text="9:41"`, "[0,0][100,50]"), title, part("Button", target, "[0,2000][1080,2100]"))}, heading, "Orders"},
		{"an advertisement is no heading", []string{page(part("FrameLayout", `resource-id="a.b:id/ad_view"`, "[0,0][1080,90]", part("TextView", `text="Shoes"`, "[0,0][100,50]")), title, part("Button", target, "[0,2000][1080,2100]"))}, heading, "Orders"},
		{"what is listed is no heading", []string{page(list(inRow("[0,300][1080,400]", "One", del)), part("Button", target, "[0,2000][1080,2100]"))}, heading, ""},
		{"the name of the other side", []string{page(part("LinearLayout", button, "[0,0][1080,200]", part("TextView", `text="Anna" resource-id="a.b:id/contact_name"`, "[0,0][100,50]")), part("Button", target, "[0,2000][1080,2100]"))}, named, "Anna"},
		{"the only name in a list", []string{page(list(part("TextView", `text="Anna" resource-id="a.b:id/recipient_summary"`, "[0,300][1080,400]"), part("TextView", `text="See you"`, "[0,400][1080,500]")), part("Button", target, "[0,2000][1080,2100]"))}, named, "Anna"},
		{"a list of names", []string{page(list(part("TextView", `text="Anna" resource-id="a.b:id/contact_name"`, "[0,300][1080,400]"), part("TextView", `text="Bob" resource-id="a.b:id/contact_name"`, "[0,400][1080,500]")), part("Button", target, "[0,2000][1080,2100]"))}, named, ""},
		{"a title in a bar", []string{page(part("Toolbar", "", "[0,0][1080,200]", part("TextView", `text="Chat" resource-id="a.b:id/title"`, "[0,0][100,50]")), part("Button", target, "[0,2000][1080,2100]"))}, named, "Chat"},
		{"the name above a list of what can be done", []string{page(part("RecyclerView", "", "[0,300][1080,1300]", part("TextView", `text="Rosa"`, "[0,300][1080,400]"), part("Button", target, "[0,400][1080,500]")))}, listTitle, "Rosa"},
		{"the question of a page that only asks", []string{page(asks...)}, asked, "Delete this order?"},
		{"no question where there is a form", []string{page(append(asks, part("EditText", `text="x"`, "[0,1400][1080,1500]"))...)}, asked, ""},
		{"no question beside a list of controls", []string{page(append(asks, list(inRow("[0,300][1080,400]", "One", del), inRow("[0,400][1080,500]", "Two", del), inRow("[0,500][1080,600]", "Three", del)))...)}, asked, ""},
		{"the question of a dialog", []string{part("FrameLayout", "", "[100,800][980,1400]", append(asks, part("TextView", `text="3"`, "[200,1100][300,1150]"))...), page(title)}, asked, "Delete this order?|3"},
		{"what is ticked", []string{page(part("CheckBox", button+`checked="true" text="Also for Anna"`, "[0,700][1080,800]"), part("CheckBox", button+`checked="false" text="Keep a copy"`, "[0,800][1080,900]"), part("Button", target, "[0,2000][1080,2100]"))}, choices, "Also for Anna"},
		{"what is ticked and says nothing", []string{page(part("RadioButton", button, "[0,700][50,750]"), part("RadioButton", button+`checked="true"`, "[0,800][50,850]"), part("Button", target, "[0,2000][1080,2100]"))}, choices, "no. 2"},
		{"the page beneath a dialog", []string{part("FrameLayout", "", "[100,800][980,1400]", asks...), page(title, part("TextView", `text="Two lamps"`, "[0,900][1080,1000]"))}, beneath, "Orders"},
		{"nothing is beneath a page", []string{page(asks...)}, beneath, ""},
	}
	for _, c := range cases {
		if got := strings.Join(c.get(aroundOf(t, c.roots...)), "|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if len(cases) != 23 {
		t.Errorf("%d cases", len(cases))
	}
}

func heading(a Around) []string   { return []string{a.Heading()} }
func listTitle(a Around) []string { l := a.Look(); return []string{l.ListTitle()} }
func asked(a Around) []string     { l := a.Look(); return l.Asked() }
func named(a Around) []string     { l := a.Look(); return l.Named() }
func choices(a Around) []string   { l := a.Look(); return l.Choices() }
func beneath(a Around) []string   { l := a.Look(); b := l.Beneath(); return []string{b.Heading()} }
func ordinal(a Around) []string   { return []string{string(rune('0' + a.Ordinal()))} }

// Of two rows with nothing to tell them apart the place does.
func TestOrdinalTellsTwinsApart(t *testing.T) {
	row := part("LinearLayout", "", "[0,300][1080,400]", part("TextView", `text="One"`, "[0,300][1080,400]"), part("ImageButton", button+`content-desc="Delete"`, "[0,300][1080,400]"))
	other := strings.ReplaceAll(row, "One", "Two")
	s, err := Read([]byte("<hierarchy>"+page(part("RecyclerView", "", "[0,300][1080,1300]", row, other, row, other))+"</hierarchy>"), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var ordinals []int
	for i := range s.Nodes {
		if s.Nodes[i].Description == "Delete" {
			ordinals = append(ordinals, s.Around(int32(i)).Ordinal())
		}
	}
	if !slices.Equal(ordinals, []int{0, 0, 1, 1}) {
		t.Errorf("the places are %v, want 0, 0, 1, 1", ordinals)
	}
}

func TestFleeting(t *testing.T) {
	table := map[string]bool{
		"9:41": true, "10:00 PM": true, "0:17": true, "1:02:33": true, "45 %": true, "45.5%": true, "100%": true, "3": true, "99+": true, " 7 ": true,
		"": false, "Anna": false, "2024": false, "111111": false, "3 lamps": false, "12.00 EUR": false, "$5": false, "9:41 today": false, "+": false, ":": false, "10:00:00:00:00": false,
	}
	for text, want := range table {
		if fleeting(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
	if len(table) != 21 {
		t.Errorf("%d cases", len(table))
	}
}
