package screen

import (
	"strings"
)

// jsonField names a field of a JSON tree. The attributes of a node have their
// own names, see [nodeAttribute]; these are the others.
type jsonField = nodeAttribute

const (
	fieldIgnored jsonField = attrCount + iota // accepted and not used
	// of a node
	fieldLabel
	fieldType
	fieldID
	fieldIMEOptions
	fieldIMEAction
	fieldChildren
	// of a window or the screen
	fieldTitle
	fieldLayer
	fieldActive
	fieldDisplay
	fieldRoot
	fieldElements
	fieldActivity
	fieldWidth
	fieldHeight
	fieldRotation
	fieldSecure
	fieldTruncated
	fieldDepthLimit
	fieldWindows
)

// fieldTable holds the fields that an object may have.
type fieldTable struct {
	names  []string
	byName map[string]jsonField
}

// namedField gives a field the names under which it is accepted, separated by
// spaces, the usual one first.
type namedField struct {
	names string
	field jsonField
}

func newFieldTable(fields []namedField) *fieldTable {
	t := &fieldTable{byName: make(map[string]jsonField)}
	for _, f := range fields {
		for name := range strings.FieldsSeq(f.names) {
			t.byName[foldName(name)] = f.field
			if f.field != fieldIgnored {
				t.names = append(t.names, name)
			}
		}
	}
	return t
}

// find looks a field up by its name in any of the usual spellings:
// long_clickable, longClickable, long-clickable, isLongClickable.
func (t *fieldTable) find(name string) (jsonField, bool) {
	folded := foldName(name)
	field, ok := t.byName[folded]
	if bare, is := strings.CutPrefix(folded, "is"); !ok && is {
		field, ok = t.byName[bare]
	}
	return field, ok
}

// foldName takes the difference between spellings away.
func foldName(name string) string {
	if len(name) > longestQuote {
		return name
	}
	folded := make([]byte, 0, longestQuote)
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '_' || c == '-' || c == ' ':
		case 'A' <= c && c <= 'Z':
			folded = append(folded, c-'A'+'a')
		default:
			folded = append(folded, c)
		}
	}
	return string(folded)
}

// nearest returns the accepted name that a misspelt one most likely means, or
// nothing when none is near.
func (t *fieldTable) nearest(name string) string {
	best, fewest := "", len(name)/3+1
	for _, accepted := range t.names {
		if edits := editDistance(foldName(name), foldName(accepted), fewest); edits < fewest {
			best, fewest = accepted, edits
		}
	}
	return best
}

// editDistance counts the letters to insert, delete or replace between two
// words; from enough upwards it may answer enough.
func editDistance(a, b string, enough int) int {
	if len(a)-len(b) >= enough || len(b)-len(a) >= enough || len(a) > longestQuote {
		return enough
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			edits := diagonal
			if a[i] != b[j] {
				edits = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], edits
		}
	}
	return row[len(b)]
}

var screenFields = newFieldTable([]namedField{
	{"package package_name", attrPackage},
	{"activity activity_name", fieldActivity},
	{"width", fieldWidth},
	{"height", fieldHeight},
	{"rotation", fieldRotation},
	{"display display_id", fieldDisplay},
	{"secure", fieldSecure},
	{"truncated", fieldTruncated},
	{"depth_limit", fieldDepthLimit},
	{"windows", fieldWindows},
	{"root", fieldRoot},
	{"elements", fieldElements},
})

var windowFields = newFieldTable([]namedField{
	{"package package_name", attrPackage},
	{"title", fieldTitle},
	{"type", fieldType},
	{"bounds bounds_in_screen", attrBounds},
	{"layer", fieldLayer},
	{"focused", attrFocused},
	{"active", fieldActive},
	{"display display_id", fieldDisplay},
	{"root", fieldRoot},
	{"elements", fieldElements},
	{"id index window_id accessibility_focused", fieldIgnored},
})

var nodeFields = newFieldTable([]namedField{
	{"text", attrText},
	{"label", fieldLabel},
	{"content_desc content_description", attrDescription},
	{"resource_id view_id view_id_resource_name", attrResourceID},
	{"id", fieldID},
	{"class class_name", attrClass},
	{"type", fieldType},
	{"package package_name", attrPackage},
	{"hint hint_text", attrHint},
	{"bounds bounds_in_screen", attrBounds},
	{"clickable", attrClickable},
	{"long_clickable", attrLongClickable},
	{"checkable", attrCheckable},
	{"checked", attrChecked},
	{"enabled", attrEnabled},
	{"focusable", attrFocusable},
	{"focused", attrFocused},
	{"scrollable", attrScrollable},
	{"password", attrPassword},
	{"selected", attrSelected},
	{"visible visible_to_user", attrVisible},
	{"displayed", attrDisplayed},
	{"editable", attrEditable},
	{"multi_line", attrMultiLine},
	{"dismissable", attrDismissable},
	{"showing_hint showing_hint_text", attrShowingHint},
	{"drawing_order", attrDrawingOrder},
	{"input_type", attrInputType},
	{"ime_options", fieldIMEOptions},
	{"ime_action", fieldIMEAction},
	{"children", fieldChildren},
	// What accessibility services also tell of a node.
	{`index unique_id window_id display_id child_count depth actions extras
		state_description pane_title tooltip_text error heading live_region
		accessibility_focused screen_reader_focusable important_for_accessibility
		context_clickable content_invalid text_entry_key max_text_length
		text_selection_start text_selection_end bounds_in_parent bounds_in_window`, fieldIgnored},
})
