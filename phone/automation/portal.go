package automation

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/countersign/countersign/phone"
)

// PortalToken is what the Portal wants to have with each call but a ping, as
// "Authorization: Bearer ...". Its content provider hands it out.
const PortalToken = "5b0f7a52-simulated"

// Portal is droidrun's and Mobilerun's accessibility service, over HTTP. It
// answers one request on a connection. It is safe for concurrent use.
func Portal(p *phone.Phone) http.Handler { return portal{p} }

type portal struct{ phone *phone.Phone }

func (s portal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Connection", "close")
	body, err := readBody(w, r)
	if err != nil {
		portalError(w, http.StatusBadRequest, "Bad Request")
		return
	}
	note(s.phone, "portal", r, "", body)
	path := strings.TrimPrefix(r.URL.Path, "/")
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	switch {
	case path != "ping" && token != PortalToken:
		portalError(w, http.StatusUnauthorized, "Unauthorized")
	case r.Method == http.MethodGet:
		s.show(w, path)
	case r.Method == http.MethodPost:
		s.do(w, strings.TrimPrefix(path, "action/"), formOf(body))
	default:
		portalError(w, http.StatusOK, "Method not allowed: "+r.Method)
	}
}

func portalError(w http.ResponseWriter, status int, message string) {
	write(w, status, object{"status": "error", "error": message})
}

func portalResult(w http.ResponseWriter, v any) {
	write(w, http.StatusOK, object{"status": "success", "result": v})
}

// formOf reads an object, or a form whose numbers and truth values count as such.
func formOf(body []byte) object {
	form := object{}
	if strings.HasPrefix(strings.TrimSpace(string(body)), "{") {
		_ = json.Unmarshal(body, &form) // what cannot be read is empty, as it is there
		return form
	}
	for _, pair := range strings.Split(string(body), "&") {
		name, value, _ := strings.Cut(pair, "=")
		if value, err := url.PathUnescape(value); err == nil {
			form[name] = value
		}
	}
	return form
}

// show answers GET.
func (s portal) show(w http.ResponseWriter, path string) {
	switch path {
	case "ping":
		portalResult(w, "pong")
	case "version":
		portalResult(w, "0.4.7")
	case "packages":
		portalResult(w, s.phone.Packages())
	case "phone_state":
		portalResult(w, s.state())
	case "a11y_tree", "a11y_tree_full":
		portalResult(w, s.tree())
	case "state", "state_full":
		width, height := s.phone.Size()
		portalResult(w, object{
			"a11y_tree": s.tree(), "phone_state": s.state(),
			"device_context": object{"screen_bounds": object{"width": width, "height": height}},
		})
	case "screenshot":
		picture, err := s.phone.Screenshot()
		if err != nil {
			portalError(w, http.StatusOK, err.Error())
			return
		}
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(picture) // the client may have gone
	default:
		portalError(w, http.StatusOK, "Unknown endpoint: /"+path)
	}
}

func (s portal) state() object {
	pkg, activity := s.phone.Focus()
	label := ""
	if app, ok := s.phone.Package(pkg); ok {
		label = app.Label
	}
	keyboard := slices.ContainsFunc(s.phone.Windows(), func(w phone.Window) bool { return w.Kind == "keyboard" })
	return object{"currentApp": label, "packageName": pkg, "activityName": activity, "keyboardVisible": keyboard}
}

// tree is the whole tree, as AccessibilityTreeBuilder writes it.
func (s portal) tree() any {
	nodes := s.phone.Nodes()
	made := make([]object, len(nodes))
	var root any
	for i, n := range nodes {
		made[i] = object{
			"text": n.Text, "contentDescription": n.Description, "resourceId": n.ResourceID, "className": n.Class,
			"packageName": n.Package, "hint": n.Hint,
			"boundsInScreen": object{"left": n.Bounds.Min.X, "top": n.Bounds.Min.Y, "right": n.Bounds.Max.X, "bottom": n.Bounds.Max.Y},
			"isCheckable":    n.Checkable, "isChecked": n.Checked, "isClickable": n.Clickable, "isEnabled": n.Enabled,
			"isFocusable": n.Focusable, "isFocused": n.Focused, "isScrollable": n.Scrollable, "isEditable": n.Editable,
			"isLongClickable": n.LongClickable, "isPassword": n.Password, "isSelected": n.Selected,
			"isVisibleToUser": true, "children": []any{},
		}
		if n.Parent < 0 {
			root = made[i]
			continue
		}
		parent := made[n.Parent]
		siblings, _ := parent["children"].([]any)
		parent["children"] = append(siblings, made[i])
	}
	return root
}

// formNumber is a number, as a number or written as a text; 0 where there is none,
// as there.
func formNumber(v any) int {
	if text, ok := v.(string); ok {
		n, _ := strconv.Atoi(text) // 0 where it is none
		return n
	}
	n, _ := number(v)
	return n
}

// do answers POST.
func (s portal) do(w http.ResponseWriter, name string, form object) {
	x := func(field string) int { return formNumber(form[field]) }
	switch name {
	case "tap":
		s.phone.Tap(x("x"), x("y"))
	case "swipe":
		d := 300 * time.Millisecond
		if form["duration"] != nil {
			d = time.Duration(x("duration")) * time.Millisecond
		}
		s.phone.Swipe(x("startX"), x("startY"), x("endX"), x("endY"), d)
	case "global":
		code, known := map[int]int{1: 4, 2: 3, 3: 187, 8: 223}[x("action")]
		if !known {
			portalError(w, http.StatusOK, "Unknown action")
			return
		}
		s.phone.Key(code, false)
	case "keyboard/input", "input":
		s.input(w, form)
		return
	case "keyboard/clear", "clear":
		s.fill("")
	case "keyboard/key", "key":
		s.phone.Key(x("key_code"), false)
	case "app":
		s.app(w, form)
		return
	case "app/stop":
		pkg, _ := form["package"].(string)
		s.phone.Stop(pkg)
	case "app/deep-link":
		link, _ := form["deepLink"].(string)
		s.start(w, phone.Intent{Action: "android.intent.action.VIEW", Data: link})
		return
	case "clipboard/get":
		portalResult(w, s.phone.Clipboard())
		return
	case "clipboard/set":
		text, _ := form["text"].(string)
		s.phone.SetClipboard(text)
	case "overlay_offset", "overlay/offset", "overlay/set-visible":
	case "state", "version", "packages", "screenshot":
		s.show(w, name)
		return
	default:
		portalError(w, http.StatusOK, "Unknown method: "+name)
		return
	}
	portalResult(w, "done")
}

// focused is the field that has the focus.
func (s portal) focused() (phone.Node, bool) {
	for _, n := range s.phone.Nodes() {
		if n.Focused && n.Editable {
			return n, true
		}
	}
	return phone.Node{}, false
}

// fill replaces the text of the field that has the focus.
func (s portal) fill(text string) bool {
	n, ok := s.focused()
	return ok && s.phone.SetText(n, text)
}

// input types a text that comes in Base64, in place of what is there unless
// "clear" says otherwise.
func (s portal) input(w http.ResponseWriter, form object) {
	packed, _ := form["base64_text"].(string)
	text, err := base64.StdEncoding.DecodeString(packed)
	if err != nil {
		portalError(w, http.StatusOK, "Invalid base64 encoding")
		return
	}
	value := string(text)
	if clear := form["clear"]; clear == false || clear == "false" {
		n, _ := s.focused()
		value = typed(n) + value
	}
	if !s.fill(value) {
		portalError(w, http.StatusOK, "No focused element found")
		return
	}
	portalResult(w, "input done")
}

func (s portal) app(w http.ResponseWriter, form object) {
	pkg, _ := form["package"].(string)
	if pkg == "" {
		pkg, _ = form["packageName"].(string)
	}
	if form["stopBeforeLaunch"] == true {
		s.phone.Stop(pkg)
	}
	i := phone.Intent{Action: "android.intent.action.MAIN", Package: pkg, Categories: []string{"android.intent.category.LAUNCHER"}}
	if activity, _ := form["activity"].(string); activity != "" && activity != "null" {
		i = phone.Intent{Component: pkg + "/" + activity}
	}
	s.start(w, i)
}

func (s portal) start(w http.ResponseWriter, i phone.Intent) {
	if err := s.phone.Start(i); err != nil {
		portalError(w, http.StatusOK, err.Error())
		return
	}
	portalResult(w, "started")
}
