package phone

// Languages are those that the built-in apps speak, and that each string of an
// app has to have.
var Languages = []string{"en", "de", "fr", "es", "ja", "tr"}

// app is an app as its file describes it; nothing changes it once it is read.
type app struct {
	file     string
	pkg      string
	label    template
	version  string
	language string // what the app speaks whatever the phone does; empty is the phone's language

	system      bool // cannot be uninstalled
	hidden      bool // not in the launcher
	home        bool // the launcher itself
	uninstalled bool // known, but not installed at first

	main        string // the screen that the launcher starts
	permissions []permission
	strings     map[string]map[string]string // by key and language
	variables   map[string]template
	lists       map[string]*listDef
	screens     map[string]*screenDef
	intents     []intentFilter
	services    []serviceDef
	keyboards   []string // classes of input methods
}

type permission struct {
	name    string
	granted bool // at first
}

// listDef is a list of rows, such as the mails of an inbox.
type listDef struct {
	columns map[string]bool
	rows    []map[string]template
}

// serviceDef is a service that can be switched on in the settings.
type serviceDef struct {
	kind  string // accessibility, notification
	class string
	label template
}

// intentFilter is what an app says it takes, and what it does then. Empty
// fields take everything.
type intentFilter struct {
	action string
	scheme string
	typ    string
	screen string
	do     []action
}

// screenDef is a screen, a dialog or a keyboard.
type screenDef struct {
	name       string
	activity   string
	window     string // app, dialog, keyboard, system, panel
	title      template
	secure     bool
	fixed      bool // a dialog that a touch outside or BACK does not close
	view       *nodeDef
	enter      []action // done each time the screen is opened
	pkgOfNodes string   // whose nodes these are, where not the app's
}

// nodeDef is a node of a screen, with what happens when it is touched.
type nodeDef struct {
	line  int
	class string
	id    string // whole: package:id/name

	text, desc, hint template

	bound    string // the variable that a field, a switch or a slider holds
	ime      string // none, go, search, send, next, done
	lines    bool   // a field of several lines
	password bool
	length   int // a field that is full at that many characters

	each                            string // a row of this list each
	shown, enabled, checked, chosen *condition
	flags                           map[string]bool // what is set against the class's habit

	layout        string // row, column, frame; empty for a leaf
	scroll        bool
	width, height int // dp; 0 is as much as it takes, -1 all there is
	weight        int
	pad, gap      int    // dp
	at            string // in a frame: "bottom right"
	kids          []*nodeDef

	tap, long, swipe, slide, enter, full []action
}

// action is one thing that a touch, a key or an intent does.
type action struct {
	line   int
	kind   string
	name   string
	text   template
	fields map[string]template
	when   *condition
	then   []action
	other  []action
}

// classes are short names of the platform's classes.
var classes = map[string]string{
	"View":          "android.view.View",
	"ViewGroup":     "android.view.ViewGroup",
	"WebView":       "android.webkit.WebView",
	"RecyclerView":  "androidx.recyclerview.widget.RecyclerView",
	"ComposeView":   "androidx.compose.ui.platform.ComposeView",
	"FrameLayout":   "android.widget.FrameLayout",
	"LinearLayout":  "android.widget.LinearLayout",
	"ScrollView":    "android.widget.ScrollView",
	"ListView":      "android.widget.ListView",
	"TextView":      "android.widget.TextView",
	"EditText":      "android.widget.EditText",
	"Button":        "android.widget.Button",
	"ImageButton":   "android.widget.ImageButton",
	"ImageView":     "android.widget.ImageView",
	"Switch":        "android.widget.Switch",
	"CheckBox":      "android.widget.CheckBox",
	"RadioButton":   "android.widget.RadioButton",
	"SeekBar":       "android.widget.SeekBar",
	"ProgressBar":   "android.widget.ProgressBar",
	"CheckedText":   "android.widget.CheckedTextView",
	"HorizontalBar": "android.widget.HorizontalScrollView",
}

// nodeFlags are what a node's data may set or, with a minus, unset against what
// its class and its actions make of it.
var nodeFlags = []string{"clickable", "long-clickable", "checkable", "focusable", "selected", "focused"}
