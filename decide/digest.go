package decide

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"

	"github.com/countersign/countersign/command"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// digestPrefix names the construction, so that another one can follow it.
const digestPrefix = "hmac-sha256:"

// bound is what an answer is bound to: everything that makes this action this
// one, and nothing (coordinates of a control that is known, gate, time) that may
// differ when the same thing is asked again. Field order is fixed, so the JSON is canonical.
type bound struct {
	Version  int             `json:"v"`
	Device   string          `json:"device"`
	Package  string          `json:"package"`
	Kind     risk.ActionKind `json:"kind"`
	Category risk.Category   `json:"category"`
	Identity identity        `json:"target"`
	Command  string          `json:"command"`
	Typed    string          `json:"typed"`
	Secret   string          `json:"secret"`
	Place    *place          `json:"place,omitempty"`
	Facts    risk.Facts      `json:"facts"`
}

// place is where an action lands when nothing is known of what is there: then
// the point is all that tells one tap from the next.
type place struct {
	X, Y, X2, Y2, Node *int
	Space              *[2]int
	Selector           *risk.Selector
}

// Blind reports an action on something that nobody can tell from what is beside
// it: nothing under the finger, a page that shows nothing of itself.
func (d *Decision) Blind() bool { return !d.placed || d.Code.unseen() }

func (d *Decision) place() *place {
	a := &d.req.Action
	return &place{a.X, a.Y, a.X2, a.Y2, a.Node, a.Space, a.Selector}
}

// identity is what makes a control this one on a screen: what it is and says,
// the row, dialog and window it stands in, and its place among equals.
type identity struct {
	Role    string   `json:"role"`
	Text    string   `json:"text"`
	Desc    string   `json:"desc"`
	ID      string   `json:"id"`
	Class   string   `json:"class"`
	Labels  []string `json:"labels"`
	Row     []string `json:"row"`
	Title   string   `json:"dialog_title"`
	Message []string `json:"dialog_message"`
	Window  string   `json:"window"`
	Checked bool     `json:"checked"`
	// Disabled says that a press would do nothing yet.
	Disabled bool `json:"disabled,omitempty"`
	Ordinal  int  `json:"ordinal"`
}

// Digest binds an answer to this action: an HMAC-SHA256 with the per-install
// key over canonical JSON of device, package, kind, target and facts. It is
// empty without a key, and then nothing can be released.
func (d *Decision) Digest() string {
	if len(d.key) == 0 || d.action == nil {
		return ""
	}
	a := d.action
	b := bound{
		Version: 1, Device: exact(d.req.Device), Package: d.Package, Kind: pressKind(a.Kind), Category: d.Category,
		Identity: d.identity(), Facts: d.Facts(),
	}
	if d.Blind() {
		b.Place = d.place()
	}
	switch {
	case a.Kind == risk.TypeText && d.placed && d.target.Flags.Has(screen.Password):
		b.Secret = d.seal("secret", []byte(a.Text))
	case a.Kind == risk.TypeText:
		b.Typed = exact(a.Text)
	default:
		b.Command = exact(cmp.Or(a.Shell, a.Intent, a.Tool, keyName(a.Key)))
		if a.Text != "" { // what a tool is called with, the app that is launched
			b.Typed = exact(a.Text)
		}
	}
	canonical, err := json.Marshal(b)
	if err != nil {
		return "" // strings and integers always marshal
	}
	return digestPrefix + d.seal("decision", canonical)
}

// seal is an HMAC under a key of its own for each purpose, so that the hash of
// a secret says nothing beside that of a decision.
func (d *Decision) seal(purpose string, data []byte) string {
	derive := hmac.New(sha256.New, d.key)
	derive.Write([]byte("countersign/" + purpose))
	mac := hmac.New(sha256.New, derive.Sum(nil))
	mac.Write(data)
	return hex.EncodeToString(mac.Sum(nil))
}

// exact spells a text so that JSON keeps every byte of it apart from every
// other: JSON has one replacement for all that is not UTF-8.
func exact(s string) string { return strconv.QuoteToASCII(s) }

// keyName is the one name of a key that goes by several: "66", "KEYCODE_ENTER".
func keyName(key string) string { return cmp.Or(command.Key(key).Name, key) }

// pressKind folds the ways of pressing into one: a retry may send a tap as raw
// motion events.
func pressKind(k risk.ActionKind) risk.ActionKind {
	if k == risk.MotionEvent {
		return risk.Tap
	}
	return k
}

func (d *Decision) identity() identity {
	t := &d.target
	id := identity{
		Role: t.Role.String(), Text: t.Text, Desc: t.Description, ID: t.ResourceID, Class: t.Class,
		Title: t.Dialog.Title, Message: []string{t.Dialog.Message}, Window: t.WindowTitle,
		Checked: t.Flags.Has(screen.Checked), Disabled: t.Flags.Has(screen.Disabled),
	}
	if t.Dialog.Surface {
		id.Message = append(id.Message, t.Dialog.More...)
	}
	for _, label := range t.Labels {
		id.Labels = append(id.Labels, label.Text)
	}
	if d.ui != nil && t.Node >= 0 {
		id.Row = d.around().RowLabels()
		id.Ordinal = d.around().Ordinal()
	}
	return id
}
