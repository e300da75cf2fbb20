package screen

import (
	"slices"
	"strings"
)

// systemUI is the package of the status bar, the navigation bar and the
// notification shade, on every vendor's Android.
const systemUI = "com.android.systemui"

// windowKindNamed reads a window type as Android prints it, with or without
// its TYPE_ prefix and in any case.
func windowKindNamed(name string) (WindowKind, bool) {
	switch strings.TrimPrefix(strings.ToUpper(name), "TYPE_") {
	case "APPLICATION":
		return AppWindow, true
	case "INPUT_METHOD":
		return KeyboardWindow, true
	case "SYSTEM", "SPLIT_SCREEN_DIVIDER", "WINDOW_CONTROL":
		return SystemWindow, true
	case "ACCESSIBILITY_OVERLAY", "MAGNIFICATION_OVERLAY":
		return OverlayWindow, true
	}
	return AppWindow, false
}

// windowTypes are the constants of AccessibilityWindowInfo, in their order.
var windowTypes = [...]string{
	1: "APPLICATION", "INPUT_METHOD", "SYSTEM", "ACCESSIBILITY_OVERLAY",
	"SPLIT_SCREEN_DIVIDER", "MAGNIFICATION_OVERLAY", "WINDOW_CONTROL",
}

// inferKinds sets the kinds that the document does not state, and the layers
// that go with them.
func inferKinds(s *Screen, stack []stacked) {
	apps := 0
	for i := range stack {
		w := &stack[i]
		if w.kindKnown {
			// Android counts what one app draws over all others as a system window.
			if w.Kind == SystemWindow && w.Package != systemUI && w.Package != "android" && w.Package != "" {
				w.Kind = OverlayWindow
			}
		} else {
			w.Kind = inferKind(w, s.Nodes[w.First:w.End])
		}
		if w.Kind == AppWindow {
			apps++
		}
	}
	for i := range stack {
		w := &stack[i]
		if w.kindKnown {
			continue
		}
		// A keyboard without anything to type into is the keyboard's own app.
		if w.Kind == KeyboardWindow && apps == 0 {
			w.Kind = AppWindow
		}
		if w.layer == 0 {
			w.layer = usualLayer(w.Kind)
			w.area = uint64(w.Bounds.Width()) * uint64(w.Bounds.Height())
		}
	}
}

// usualLayer is where Android stacks windows of a kind. Within a kind the
// larger one is below: a window that another one covers whole is not dumped.
func usualLayer(kind WindowKind) int64 {
	switch kind {
	case KeyboardWindow:
		return 1
	case SystemWindow:
		return 2
	case OverlayWindow:
		return 3
	}
	return 0
}

// inferKind tells a window's kind by its package, its title and its nodes.
func inferKind(w *stacked, nodes []Node) WindowKind {
	switch {
	case w.Package == systemUI:
		return SystemWindow
	case len(nodes) > 0 && nodes[0].Class == "android.widget.Toast":
		return OverlayWindow
	case w.Title == "InputMethod", isInputMethod(w.Package), hasInputArea(nodes):
		return KeyboardWindow
	}
	return AppWindow
}

// hasInputArea looks for the frame that Android puts around every keyboard. It
// is close to the root.
func hasInputArea(nodes []Node) bool {
	const near = 12
	for i := range nodes[:min(near, len(nodes))] {
		switch nodes[i].ResourceID {
		case "android:id/inputArea", "android:id/candidatesArea":
			return true
		}
	}
	return false
}

// isInputMethod knows keyboards by their package: most say what they are in a
// part of the name, the others are listed.
func isInputMethod(pkg string) bool {
	for part := range strings.SplitSeq(strings.ToLower(pkg), ".") {
		if part == "ime" || strings.Contains(part, "inputmethod") || strings.Contains(part, "keyboard") {
			return true
		}
	}
	return slices.Contains(inputMethods, pkg)
}

// inputMethods are wide-spread keyboards whose package does not say so.
var inputMethods = []string{
	"com.baidu.input",
	"com.baidu.input_huawei",
	"com.baidu.input_mi",
	"com.cootek.smartinputv5",
	"com.nuance.swype.dtc",
	"com.samsung.android.honeyboard",
	"com.tencent.qqpinyin",
	"com.tencent.wetype",
	"com.touchtype.swiftkey",
	"jp.co.omronsoft.openwnn",
	"jp.co.justsystem.atok",
}
