package automation

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/countersign/countersign/phone"
)

// UIAutomator2 is openatx's server: JSON-RPC 2.0 on POST /jsonrpc/0, as the
// client uiautomator2 3.x speaks it, and a few paths beside. It is safe for
// concurrent use.
func UIAutomator2(p *phone.Phone) http.Handler {
	s := &u2{phone: p}
	mux := http.NewServeMux()
	text := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			note(p, "uiautomator2", r, "", nil)
			w.Header().Set("Content-Type", "text/plain")
			_, _ = w.Write([]byte(body)) // the client may have gone
		}
	}
	mux.HandleFunc("GET /ping", text("pong"))
	mux.HandleFunc("GET /version", text("0.2.1"))
	mux.HandleFunc("GET /screenshot/0", s.screenshot)
	mux.HandleFunc("POST /jsonrpc/0", s.serve)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		note(p, "uiautomator2", r, "", nil)
		http.Error(w, "Not Found!!!", http.StatusNotFound)
	})
	return mux
}

// u2 is the server and what it keeps between calls.
type u2 struct {
	phone *phone.Phone
}

// rpcError is an error of JSON-RPC as jsonrpc4j writes it.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data"`
}

// The errors of the server.
var (
	errParse     = &rpcError{Code: -32700, Message: "JSON parse error"}
	errNoMethod  = &rpcError{Code: -32601, Message: "method not found"}
	errBadParams = &rpcError{Code: -32602, Message: "method parameters invalid"}
)

// javaError is an exception that a method threw.
func javaError(code int, exception, message string) *rpcError {
	return &rpcError{Code: code, Message: exception + ": " + message,
		Data: object{"exceptionTypeName": exception, "message": message}}
}

func notFound(selector object) *rpcError {
	return javaError(-32002, "androidx.test.uiautomator.UiObjectNotFoundException", describeSelector(selector))
}

func (s *u2) serve(w http.ResponseWriter, r *http.Request) {
	body, err := readBody(w, r)
	if err != nil {
		http.Error(w, "Internal Server Error!!!", http.StatusInternalServerError)
		return
	}
	var batch []json.RawMessage
	if json.Unmarshal(body, &batch) == nil {
		answers := make([]any, 0, len(batch))
		for _, one := range batch {
			answers = append(answers, s.call(r, one))
		}
		write(w, http.StatusOK, answers)
		return
	}
	write(w, http.StatusOK, s.call(r, body))
}

// call answers one call.
func (s *u2) call(r *http.Request, body []byte) object {
	var call struct {
		ID     any    `json:"id"`
		Method string `json:"method"`
		Params any    `json:"params"`
	}
	if json.Unmarshal(body, &call) != nil {
		note(s.phone, "uiautomator2", r, "", body)
		return object{"jsonrpc": "2.0", "id": nil, "error": errParse}
	}
	note(s.phone, "uiautomator2", r, call.Method, body)
	params, _ := call.Params.([]any)
	method, known := u2Methods[call.Method]
	if !known {
		return object{"jsonrpc": "2.0", "id": call.ID, "error": errNoMethod}
	}
	result, fault := method(s, params)
	if fault != nil {
		return object{"jsonrpc": "2.0", "id": call.ID, "error": fault}
	}
	return object{"jsonrpc": "2.0", "id": call.ID, "result": result}
}

func (s *u2) screenshot(w http.ResponseWriter, r *http.Request) {
	note(s.phone, "uiautomator2", r, "", nil)
	picture, err := s.phone.Screenshot()
	if err != nil {
		http.Error(w, "Internal Server Error!!!", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	_, _ = w.Write(picture) // the client may have gone
}

// dump is the screen, whole or compressed.
func (s *u2) dump(params []any) (any, *rpcError) {
	compressed := len(params) > 0 && params[0] == true
	tree, err := s.phone.Dump(phone.DumpOptions{Compressed: compressed})
	if errors.Is(err, phone.ErrNotIdle) {
		return nil, javaError(-32001, "java.util.concurrent.TimeoutException", err.Error())
	}
	if err != nil {
		return nil, javaError(-32001, "java.lang.NullPointerException", err.Error())
	}
	return string(tree), nil
}

// picture is a screenshot in Base64, in lines as Android writes it.
func (s *u2) picture([]any) (any, *rpcError) {
	picture, err := s.phone.Screenshot()
	if err != nil {
		return nil, javaError(-32001, "java.lang.IllegalStateException", err.Error())
	}
	const line = 76
	packed := base64.StdEncoding.EncodeToString(picture)
	var out strings.Builder
	for len(packed) > line {
		out.WriteString(packed[:line] + "\n")
		packed = packed[line:]
	}
	return out.String() + packed + "\n", nil
}

func (s *u2) deviceInfo([]any) (any, *rpcError) {
	front, _ := s.phone.Focus()
	width, height := s.phone.Size()
	density, _ := s.phone.Density()
	return object{
		"currentPackageName": front, "displayWidth": width, "displayHeight": height,
		"displayRotation": s.phone.Rotation(), "displaySizeDpX": width * 160 / density, "displaySizeDpY": height * 160 / density,
		"productName": s.phone.Model(), "screenOn": true, "sdkInt": 34, "naturalOrientation": s.phone.Rotation() == 0,
	}, nil
}

// objectInfo is what objInfo says of a node.
func objectInfo(nodes []phone.Node, n phone.Node) object {
	bounds := object{"left": n.Bounds.Min.X, "top": n.Bounds.Min.Y, "right": n.Bounds.Max.X, "bottom": n.Bounds.Max.Y}
	return object{
		"bounds": bounds, "visibleBounds": bounds, "childCount": children(nodes, n), "className": n.Class,
		"contentDescription": orNull(n.Description), "packageName": n.Package, "resourceName": orNull(n.ResourceID),
		"text": n.Text, "checkable": n.Checkable, "checked": n.Checked, "clickable": n.Clickable, "enabled": n.Enabled,
		"focusable": n.Focusable, "focused": n.Focused, "longClickable": n.LongClickable, "scrollable": n.Scrollable,
		"selected": n.Selected,
	}
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}
