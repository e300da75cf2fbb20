package relay

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/countersign/countersign/risk"
)

// uia2Reads are the routes that look.
var uia2Reads = []w3cRoute{
	{"GET", "screenshot", seeing(nil)},
	{"GET", "screenshot/:element", seeing(nil)},
	{"GET", "source", seeing(nil)},
	{"GET", "orientation", seeing(nil)},
	{"GET", "rotation", seeing(nil)},
	{"GET", "timeouts", seeing(nil)},
	{"GET", "alert/text", seeing(nil)},
	{"GET", "element/active", seeing(keepFound("the focused element"))},
	{"GET", "element/:element/text", seeing(nil)},
	{"GET", "element/:element/attribute/:name", seeing(nil)},
	{"GET", "element/:element/rect", seeing(nil)},
	{"GET", "element/:element/size", seeing(nil)},
	{"GET", "element/:element/location", seeing(nil)},
	{"GET", "element/:element/name", seeing(nil)},
	{"GET", "element/:element/displayed", seeing(nil)},
	{"GET", "element/:element/enabled", seeing(nil)},
	{"GET", "element/:element/selected", seeing(nil)},
	{"GET", "element/:element/screenshot", seeing(nil)},
	{"GET", "window/:window/size", seeing(nil)},
	{"GET", "window/rect", seeing(nil)},
	{"GET", "appium/settings", seeing(nil)},
	{"GET", "appium/element/:element/first_visible", seeing(keepFound("the first that is visible"))},
	{"GET", "appium/device/apps", seeing(nil)},
	{"GET", "appium/device/battery_info", seeing(nil)},
	{"GET", "appium/device/declared_orientation", seeing(nil)},
	{"GET", "appium/device/display_density", seeing(nil)},
	{"GET", "appium/device/info", seeing(nil)},
	{"GET", "appium/device/pixel_ratio", seeing(nil)},
	{"GET", "appium/device/system_bars", seeing(nil)},
	{"POST", "appium/action_history", seeing(nil)},
	{"POST", "appium/list_displays", seeing(nil)},
	{"POST", "appium/list_windows", seeing(nil)},
	{"POST", "appium/reset_ax_cache", seeing(nil)},
	{"POST", "element", findElement},
	{"POST", "elements", findElement},
	{"POST", "element/:element/element", findElement},
	{"POST", "element/:element/elements", findElement},
}

// uia2Acts are the routes that do something. Left out on purpose, and so unknown:
// appium/schedule_action, which presses later, and network_connection.
var uia2Acts = []w3cRoute{
	{"POST", "element/:element/click", func(_ *Memory, c *w3cCall) meaning {
		return onElement(c, c.args[0], func(t thing) []risk.Action { return []risk.Action{tap(t.center())} })
	}},
	{"POST", "element/:element/clear", func(_ *Memory, c *w3cCall) meaning {
		return onElement(c, c.args[0], func(t thing) []risk.Action { return []risk.Action{typingAt(t, "")} })
	}},
	{"POST", "element/:element/value", sendKeys},
	{"POST", "keys", sendKeys},
	{"POST", "actions", w3cActions},
	{"DELETE", "actions", doing(harmless()...)},
	{"POST", "back", doing(risk.Action{Kind: risk.Back})},
	{"POST", "url", openURL},
	{"POST", "orientation", doing(shell("settings put system user_rotation 0"))},
	{"POST", "rotation", doing(shell("settings put system user_rotation 0"))},
	{"POST", "timeouts", doing(harmless()...)},
	{"POST", "alert/accept", alertButton("android:id/button1")},
	{"POST", "alert/dismiss", alertButton("android:id/button2")},
	{"POST", "appium/settings", updateSettings},
	{"POST", "appium/unschedule_action", doing(harmless()...)},
	{"POST", "appium/device/press_keycode", pressKeyCode(0)},
	{"POST", "appium/device/long_press_keycode", pressKeyCode(holdMS)},
	{"POST", "appium/device/open_notifications", doing(shell("cmd statusbar expand-notifications"))},
	{"POST", "appium/device/get_clipboard", doing(shell("cmd clipboard get-text"))},
	{"POST", "appium/device/set_clipboard", doing(harmless()...)},
	{"POST", "appium/element/:element/scroll_to/:to", doing(risk.Action{Kind: risk.Scroll})},
	{"POST", "gestures/scroll_to", scrollTo},
	{"POST", "appium/gestures/click", clickGesture(0)},
	{"POST", "appium/gestures/long_click", clickGesture(holdMS)},
	{"POST", "appium/gestures/double_click", doubleClickGesture},
	{"POST", "appium/gestures/drag", dragGesture},
	{"POST", "appium/gestures/fling", areaGesture(scrollOver)},
	{"POST", "appium/gestures/scroll", areaGesture(scrollOver)},
	{"POST", "appium/gestures/swipe", areaGesture(swipeOver)},
	{"POST", "appium/gestures/pinch_close", areaGesture(pinchOver(true))},
	{"POST", "appium/gestures/pinch_open", areaGesture(pinchOver(false))},
	{"POST", "execute", execute},
	{"POST", "execute/sync", execute},
}

func seeing(keep func(*Memory, *answer)) func(*Memory, *w3cCall) meaning {
	return func(*Memory, *w3cCall) meaning { return meaning{reads: true, keep: keep} }
}

func doing(acts ...risk.Action) func(*Memory, *w3cCall) meaning {
	return func(*Memory, *w3cCall) meaning { return meaning{acts: acts} }
}

// findElement reads a search. A search that scrolls is an act, and one that calls
// other methods of UiObject may press: the server runs them by reflection.
func findElement(_ *Memory, c *w3cCall) meaning {
	strategy, selector := "", ""
	for _, names := range [][2]string{{"strategy", "selector"}, {"using", "value"}} {
		s, okS := c.body[names[0]].(string)
		v, okV := c.body[names[1]].(string)
		if okS && okV && strategy == "" {
			strategy, selector = s, v
		} else if okS || okV {
			return meaning{} // two searches, or half of one
		}
	}
	m := meaning{describe: "search by " + clip(strategy, 30) + " " + clip(selector, 80), keep: keepFound(clip(strategy+" "+selector, 120))}
	switch strategy {
	case "id", "accessibility id", "class name", "xpath", "name", "css selector", "tag name", "-android viewtag":
		m.reads = true
	case "-android uiautomator":
		known, scrolls := selectorCalls(selector)
		switch {
		case known && scrolls:
			m.acts = []risk.Action{{Kind: risk.Scroll}}
		case known:
			m.reads = true
		}
	}
	return m
}

var calledName = regexp.MustCompile(`([A-Za-z_$][A-Za-z0-9_$]*)\s*\(`)

// selectorNames are what may be called in an expression of UiSelector and
// UiScrollable: true for what scrolls.
var selectorNames = func() map[string]bool {
	names := map[string]bool{}
	for _, n := range strings.Fields(`UiSelector checkable checked childSelector className classNameMatches clickable
		description descriptionContains descriptionMatches descriptionStartsWith enabled focusable focused fromParent
		index instance longClickable packageName packageNameMatches resourceId resourceIdMatches scrollable selected
		text textContains textMatches textStartsWith displayId`) {
		names[n] = false
	}
	for _, n := range strings.Fields(`UiScrollable scrollIntoView scrollTextIntoView scrollDescriptionIntoView
		setAsHorizontalList setAsVerticalList setMaxSearchSwipes setSwipeDeadZonePercentage getChild getChildByText
		getChildByDescription getChildByInstance getFromParent scrollForward scrollBackward scrollToEnd
		scrollToBeginning flingForward flingBackward flingToEnd flingToBeginning`) {
		names[n] = true
	}
	return names
}()

// selectorCalls looks through what an expression calls, also inside its texts,
// which errs on the safe side.
func selectorCalls(expression string) (known, scrolls bool) {
	for _, found := range calledName.FindAllStringSubmatch(expression, -1) {
		moves, ok := selectorNames[found[1]]
		if !ok {
			return false, false
		}
		scrolls = scrolls || moves
	}
	return true, scrolls
}

// sendKeys types into an element, or into what has the focus.
func sendKeys(_ *Memory, c *w3cCall) meaning {
	text, ok := c.body["text"].(string)
	if !ok {
		return meaning{}
	}
	text = typedText(text)
	if len(c.args) == 0 {
		return meaning{acts: []risk.Action{typing(text)}}
	}
	return onElement(c, c.args[0], func(t thing) []risk.Action { return []risk.Action{typingAt(t, text)} })
}

// typedText is what a text types: the server takes a backslash and an n at the
// end for the ENTER key, and WebDriver has characters for keys.
func typedText(text string) string {
	if cut, found := strings.CutSuffix(text, `\n`); found {
		text = cut + "\n"
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == keyReturn || r == keyEnter:
			return '\n'
		case r >= 0xe000 && r <= 0xe05d:
			return -1
		}
		return r
	}, text)
}

func openURL(_ *Memory, c *w3cCall) meaning {
	url, ok := c.body["url"].(string)
	if !ok || url == "" {
		return meaning{}
	}
	return meaning{acts: []risk.Action{{Kind: risk.OpenLink, Intent: url}}}
}

// alertButton presses a button of a dialog: the one with the label that is given,
// else the one with the id that Android's own dialogs have.
func alertButton(id string) func(*Memory, *w3cCall) meaning {
	return func(_ *Memory, c *w3cCall) meaning {
		by := risk.Selector{ResourceID: id}
		if label := c.body["buttonLabel"]; label != nil {
			text, ok := label.(string)
			if !ok || text == "" {
				return meaning{}
			}
			by = risk.Selector{Text: text}
		}
		return meaning{acts: []risk.Action{{Kind: risk.Tap, Selector: &by}}}
	}
}

func pressKeyCode(ms int) func(*Memory, *w3cCall) meaning {
	return func(_ *Memory, c *w3cCall) meaning {
		code, ok := whole(c.body["keycode"])
		if meta, given := whole(c.body["metastate"]); c.body["metastate"] != nil && (!given || !plainMeta(meta)) || !ok {
			return meaning{}
		}
		a := key(strconv.Itoa(code))
		a.DurationMS = ms
		return meaning{acts: []risk.Action{a}}
	}
}

// plainSettings are settings of the server that change nothing of what it shows
// or does to the phone.
var plainSettings = func() map[string]bool {
	names := map[string]bool{}
	for _, n := range strings.Fields(`actionAcknowledgmentTimeout allowInvisibleElements disableIdLocatorAutocompletion
		elementResponseAttributes enableMultiWindows enableNotificationListener enforceXPath1
		includeA11yActionsInPageSource includeExtraRenderingInfo includeExtrasInPageSource keyInjectionDelay
		limitXPathContextScope mapTestTagToResourceId mjpegBilinearFiltering mjpegScalingFactor mjpegServerFramerate
		mjpegServerScreenshotQuality normalizeTagNames scrollAcknowledgmentTimeout shouldUseCompactResponses
		simpleBoundsCalculation trackScrollEvents useResourcesForOrientationDetection waitForIdleTimeout
		waitForSelectorTimeout wakeLockTimeout ignoreUnimportantViews deferAccessibilityCacheReset`) {
		names[n] = true
	}
	return names
}()

// wholeDepth is how deep the server shows the tree by itself.
const wholeDepth = 70

// updateSettings changes settings. One that hides a part of the screen makes the
// server's tree no evidence.
func updateSettings(m *Memory, c *w3cCall) meaning {
	settings, ok := c.body["settings"].(object)
	if !ok {
		return meaning{}
	}
	blurs := map[string]bool{}
	for name, v := range settings {
		switch n, isNumber := whole(v); {
		case plainSettings[name]:
		case name == "snapshotMaxDepth":
			blurs[name] = !isNumber || n < wholeDepth
		case name == "currentDisplayId":
			blurs[name] = !isNumber || n != 0
		case name == "enableTopmostWindowFromActivePackage":
			blurs[name] = v != false
		case name == "alwaysTraversableViewClasses":
			blurs[name] = v != nil && v != ""
		default:
			return meaning{describe: "setting " + clip(name, 60)}
		}
	}
	note := func(m *Memory, on bool) {
		for name, blurs := range blurs {
			if blurs == on {
				m.blur(name, on)
			}
		}
	}
	return meaning{
		acts:   harmless(),
		begins: func(m *Memory) { note(m, true) }, // a failure, or no answer, may have changed it all the same
		keep: func(m *Memory, a *answer) {
			if a.status == 200 {
				note(m, false)
			}
		},
	}
}
