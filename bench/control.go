package bench

// Control is what every guard here is asked about: three labels of the control
// under the finger, and the app it is in.
type Control struct {
	Text, ContentDesc, ResourceID string
	Package                       string
}

// Miss holds no keyword, so that everything has to be searched. Hit holds the
// last keyword in its last label, so that a search that stops early gains as
// little as it can; its other labels are names, since our guard takes the word
// of a label it understands over that of an id. Both are in an app that every
// guard calls HIGH.
var (
	Miss = Control{
		Text: "Contact info", ContentDesc: "Opens the details of this contact",
		ResourceID: "com.whatsapp:id/contact_info_row", Package: "com.whatsapp",
	}
	Hit = Control{
		Text: "Anna Lindqvist", ContentDesc: "Anna Lindqvist at the Gothenburg harbour",
		ResourceID: "com.whatsapp:id/share", Package: "com.whatsapp",
	}
)

// The published guard's keywords and tiers. HIGH and MEDIUM apps ask on all of
// the keywords, LOW ones on the high set only.
var (
	HighKeywords = []string{
		"send", "pay", "transfer", "purchase", "buy", "confirm payment", "place order", "checkout",
	}
	MediumKeywords = []string{
		"delete", "remove", "uninstall", "submit", "sign out", "log out", "deactivate", "cancel subscription", "share",
	}
	HighPackages = []string{
		"com.google.android.gm", "com.android.mms", "org.telegram.messenger", "com.whatsapp",
		"com.paypal.android.p2pmobile", "com.google.android.apps.nbu.paisa.user",
	}
	LowPackages = []string{
		"com.google.android.keep", "com.spotify.music", "com.google.android.youtube",
	}
)
