package automation

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/countersign/countersign/phone"
)

// mobilecliDex is where mobilecli puts the program that it starts.
const mobilecliDex = "/data/local/tmp/mobilecli.dex"

// Mobilecli is mobilecli's DeviceServer, as far as mobile-mcp asks it: JSON-RPC
// 2.0, one request on a connection, whatever its method and path. It is safe for
// concurrent use.
func Mobilecli(p *phone.Phone) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		body, err := readBody(w, r)
		var call struct {
			ID     any    `json:"id"`
			Method string `json:"method"`
			Params object `json:"params"`
		}
		if err != nil || json.Unmarshal(body, &call) != nil {
			note(p, "mobilecli", r, "", body)
			write(w, http.StatusOK, object{"jsonrpc": "2.0", "id": nil, "error": object{"code": -32700, "message": "Parse error"}})
			return
		}
		note(p, "mobilecli", r, call.Method, body)
		if call.Method == "" {
			write(w, http.StatusOK, object{"jsonrpc": "2.0", "id": call.ID, "error": object{"code": -32600, "message": "Invalid Request"}})
			return
		}
		do, known := mobilecliMethods[call.Method]
		if !known {
			write(w, http.StatusOK, object{"jsonrpc": "2.0", "id": call.ID, "error": object{"code": -32601, "message": "Method not found: " + call.Method}})
			return
		}
		result, fault := do(p, call.Params)
		if fault != "" {
			write(w, http.StatusOK, object{"jsonrpc": "2.0", "id": call.ID, "error": object{"code": -32602, "message": fault}})
			return
		}
		write(w, http.StatusOK, object{"jsonrpc": "2.0", "id": call.ID, "result": result})
	})
}

// done is the result of what only acts.
var done = object{"ok": true}

// mobilecliMethods are its methods. The fault is what is wrong with the
// parameters, empty for nothing.
var mobilecliMethods = map[string]func(p *phone.Phone, params object) (result any, fault string){
	"device.version": func(p *phone.Phone, _ object) (any, string) {
		dex, err := p.Files().ReadFile(mobilecliDex)
		if err != nil {
			return object{"dexSha256": ""}, ""
		}
		sum := sha256.Sum256(dex)
		return object{"dexSha256": hex.EncodeToString(sum[:])}, ""
	},
	"device.dump.ui":    mobilecliDump,
	"device.screenshot": mobilecliScreenshot,
	"device.apps.list": func(p *phone.Phone, _ object) (any, string) {
		list := []object{}
		for _, a := range p.Packages() {
			list = append(list, object{"packageName": a.Name, "appName": a.Label, "version": a.Version, "versionCode": 1})
		}
		return list, ""
	},
	"device.io.tap": touch([]string{"x", "y"}, func(p *phone.Phone, at []int, _ time.Duration) { p.Tap(at[0], at[1]) }),
	"device.io.longpress": touch([]string{"x", "y"}, func(p *phone.Phone, at []int, d time.Duration) {
		hold(p, at[0], at[1], max(d, pressTime))
	}),
	"device.io.swipe": touch([]string{"x1", "y1", "x2", "y2"}, func(p *phone.Phone, at []int, d time.Duration) {
		p.Swipe(at[0], at[1], at[2], at[3], d)
	}),
	"device.io.text": func(p *phone.Phone, params object) (any, string) {
		text, ok := params["text"].(string)
		if !ok {
			return nil, "missing params.text"
		}
		p.Type(text)
		return done, ""
	},
	"device.io.keyboard.hide": func(p *phone.Phone, _ object) (any, string) {
		shown := slices.ContainsFunc(p.Windows(), func(w phone.Window) bool { return w.Kind == "keyboard" })
		if shown {
			p.Key(4, false)
		}
		return object{"dismissed": shown}, ""
	},
	"device.clipboard.get": func(p *phone.Phone, _ object) (any, string) { return object{"text": p.Clipboard()}, "" },
	"device.clipboard.set": func(p *phone.Phone, params object) (any, string) {
		text, ok := params["text"].(string)
		if !ok {
			return nil, "missing params.text"
		}
		p.SetClipboard(text)
		return done, ""
	},
	"device.clipboard.clear": func(p *phone.Phone, _ object) (any, string) { p.SetClipboard(""); return done, "" },
}

// touch is a method with coordinates and a duration in milliseconds.
func touch(names []string, do func(p *phone.Phone, at []int, d time.Duration)) func(*phone.Phone, object) (any, string) {
	return func(p *phone.Phone, params object) (any, string) {
		at := make([]int, len(names))
		for i, name := range names {
			n, ok := number(params[name])
			if !ok {
				return nil, "params." + name + " must be a number"
			}
			at[i] = n
		}
		ms, _ := number(params["duration"]) // 0 where it is left out
		do(p, at, time.Duration(ms)*time.Millisecond)
		return done, ""
	}
}

// mobilecliDump is the tree of the window that has the focus.
func mobilecliDump(p *phone.Phone, _ object) (any, string) {
	if _, err := p.Dump(phone.DumpOptions{}); err != nil {
		return object{"hierarchy": []any{}}, ""
	}
	nodes := p.Nodes()
	made := make([]object, len(nodes))
	roots := []object{}
	for i, n := range nodes {
		made[i] = object{
			"index": n.Sibling, "class": n.Class, "package": n.Package, "text": typed(n), "hint": n.Hint,
			"content-desc": n.Description, "resource-id": n.ResourceID, "checkable": n.Checkable, "checked": n.Checked,
			"clickable": n.Clickable, "enabled": n.Enabled, "focusable": n.Focusable, "focused": n.Focused,
			"scrollable": n.Scrollable, "long-clickable": n.LongClickable, "password": n.Password, "selected": n.Selected,
			"visible": true, "editable": n.Editable, "rect": rectOf(n),
		}
		if n.Parent < 0 {
			roots = append(roots, made[i])
			continue
		}
		siblings, _ := made[n.Parent]["children"].([]object)
		made[n.Parent]["children"] = append(siblings, made[i])
	}
	return object{"hierarchy": roots}, ""
}

func mobilecliScreenshot(p *phone.Phone, _ object) (any, string) {
	picture, err := p.Screenshot()
	if err != nil {
		return nil, err.Error()
	}
	return object{"data": base64.StdEncoding.EncodeToString(picture)}, ""
}
