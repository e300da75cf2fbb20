package risk

// ActionKind is what an agent proposes to do. The constants are the kinds the
// guard knows; any other word is judged as unknown, never let through.
type ActionKind string

// The kinds of action.
const (
	Tap         ActionKind = "tap"
	DoubleTap   ActionKind = "double_tap"
	LongPress   ActionKind = "long_press"
	MotionEvent ActionKind = "motion_event" // one raw down, move or up
	Swipe       ActionKind = "swipe"
	PressKey    ActionKind = "key"
	IMEAction   ActionKind = "ime_action" // the keyboard's own send, search or go key
	TypeText    ActionKind = "type"
	Launch      ActionKind = "launch"
	Scroll      ActionKind = "scroll"
	Back        ActionKind = "back"
	Home        ActionKind = "home"
	Wait        ActionKind = "wait"
	Screenshot  ActionKind = "screenshot"
	OpenIntent  ActionKind = "intent"
	OpenLink    ActionKind = "deep_link"
	ShellLine   ActionKind = "shell"
	ToolCall    ActionKind = "tool"
)

// ActionKinds lists the kinds the guard knows, in the order of their definition.
func ActionKinds() []ActionKind {
	return []ActionKind{
		Tap, DoubleTap, LongPress, MotionEvent, Swipe, PressKey, IMEAction, TypeText, Launch,
		Scroll, Back, Home, Wait, Screenshot, OpenIntent, OpenLink, ShellLine, ToolCall,
	}
}

// Action is one thing an agent proposes. Where it lands is given by a point, a
// node or a selector; of several, the node counts before the selector and the
// selector before the point.
type Action struct {
	Kind ActionKind `json:"kind"`
	// X and Y are device pixels, or pixels of Space where that is given. X2 and
	// Y2 are where a swipe ends.
	X  *int `json:"x,omitempty"`
	Y  *int `json:"y,omitempty"`
	X2 *int `json:"x2,omitempty"`
	Y2 *int `json:"y2,omitempty"`
	// Space is the width and height of the picture the coordinates were read
	// from, when that is not the display: they are scaled to device pixels.
	Space *[2]int `json:"space,omitempty"`
	// Node counts the nodes of the tree in document order, from 0.
	Node     *int      `json:"node,omitempty"`
	Selector *Selector `json:"selector,omitempty"`
	// DurationMS is how long a press or swipe takes, in milliseconds.
	DurationMS int `json:"duration_ms,omitempty"`
	// Text is what is typed.
	Text string `json:"text,omitempty"`
	// Key is an Android key by name or number: "ENTER", "KEYCODE_CALL", "66".
	Key string `json:"key,omitempty"`
	// Intent is an intent in the notation of `am start` or an intent: URI; a
	// deep link is its data alone.
	Intent string `json:"intent,omitempty"`
	// Shell is a whole shell line.
	Shell string `json:"shell,omitempty"`
	// Tool names a tool of the agent's that is none of the above.
	Tool string `json:"tool,omitempty"`
}

// Selector finds a node by what it says. Empty fields match everything, at
// least one must be given, and all that are given must be equal to the node's.
type Selector struct {
	Text        string `json:"text,omitempty"`
	ContentDesc string `json:"content_desc,omitempty"`
	ResourceID  string `json:"resource_id,omitempty"`
	Class       string `json:"class,omitempty"`
	// Instance picks among several matches, in document order from 0.
	Instance int `json:"instance,omitempty"`
}
