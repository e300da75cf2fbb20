package main

import (
	"slices"
	"strings"
)

// kindOf files a row under a short word for what the app is for.
func kindOf(r *row) string {
	if store, found := strings.CutPrefix(r.category, "cn-store:"); found {
		return storeKinds[store]
	}
	if narrow := tagKind(r.tags); narrow != "" && (r.category == "other" || r.category == "generic") {
		return narrow
	}
	category, _, _ := strings.Cut(r.category, " [") // the maker, as in "email [Oem]"
	switch category {
	case "app store/installer/device admin/settings":
		return firstWordKind(r, toolWords, "store")
	case "utility (clock/calculator/camera/keyboard/launcher/translate)", "clock/calculator/weather":
		return firstWordKind(r, utilityWords, "utility")
	case "launcher/theme/wallpaper":
		return firstWordKind(r, homeWords, "theme")
	case "package installer/permission controller":
		return firstWordKind(r, promptWords, "package installer")
	case "remote access":
		return firstWordKind(r, remoteWords, "remote access")
	}
	return categoryKinds[category]
}

// wordKind files an app by a word in its id or name.
type wordKind struct{ word, kind string }

func firstWordKind(r *row, words []wordKind, otherwise string) string {
	text := strings.ToLower(r.id + " " + r.name)
	for _, w := range words {
		if strings.Contains(text, w.word) {
			return w.kind
		}
	}
	return otherwise
}

var (
	toolWords = []wordKind{
		{"appmanager", "app manager"}, {"uninstaller", "app manager"},
		{"magisk", "root tool"}, {"kernelsu", "root tool"}, {"ksunext", "root tool"},
		{"lsposed", "root tool"}, {"shizuku", "root tool"},
		{"securitycenter", "security centre"}, {"securitymanager", "security centre"},
		{"setting", "settings"},
		{"find", "device admin"}, {"dmagent", "device admin"}, {"clouddpc", "device admin"},
		{"companyportal", "device admin"}, {"knox", "device admin"},
		{"installer", "installer"}, {".sai", "installer"},
	}
	utilityWords = []wordKind{
		{"inputmethod", "keyboard"}, {"keyboard", "keyboard"}, {"swiftkey", "keyboard"},
		{"launcher", "launcher"}, {"lawnchair", "launcher"},
		{"camera", "camera"}, {"clock", "clock"}, {"alarm", "clock"}, {"calculator", "calculator"},
		{"calc", "calculator"}, {"weather", "weather"}, {"translat", "translation"}, {"deepl", "translation"},
		{"recorder", "recorder"}, {"player", "media"}, {"vlc", "media"},
	}
	homeWords = []wordKind{
		{"smarthome", "smart home"}, {"themestore", "theme store"},
		{"launcher", "launcher"}, {".home", "launcher"}, {"easyhome", "launcher"},
		{"dhome", "launcher"}, {"kidshome", "launcher"},
	}
	promptWords = []wordKind{{"permission", "permission controller"}}
	remoteWords = []wordKind{
		{"termux", "terminal"}, {"terminal", "terminal"},
	}
)

// categoryKinds are the sources' own categories, apart from those above.
var categoryKinds = map[string]string{
	"finance:banking": "banking", "finance:payments/wallet": "payments", "wallet/pay": "payments",
	"finance:crypto wallet/exchange": "crypto wallet", "crypto wallet": "crypto wallet",
	"finance:budgeting/aggregator": "budgeting", "budgeting": "budgeting",
	"finance:prices/news": "prices", "gambling/betting": "betting",
	"government:identity": "government identity", "government:identity/tax": "government identity",
	"messaging/sms": "messaging", "messaging/calls": "calls", "sms/mms": "SMS", "email": "email",
	"dialer/phone": "phone", "dialer/telephony": "phone", "dialer/sms": "phone", "dialer/sms tool": "phone",
	"contacts (some OEM builds embed the dialer)": "contacts", "contacts": "contacts",
	"password manager/authenticator": "password manager",
	"app store":                      "store", "app store/installer": "store", "app manager": "app manager",
	"device admin/MDM/find-device":    "device admin",
	"system settings/security centre": "settings",
	"system consent surface":          "system consent", "system (AOSP manifest)": "system",
	"system share/print/car surface": "system",
	"social network":                 "social network", "social": "social network", "dating": "dating",
	"shopping": "shopping", "food delivery": "food delivery", "transport/travel": "travel",
	"telecom account": "telecom", "browser": "browser", "calendar": "calendar",
	"cloud storage/files": "files", "cloud/files": "files", "files": "files", "file manager": "files",
	"cloud account": "cloud account", "backup/clone": "backup",
	"gallery/photos": "gallery", "gallery": "gallery",
	"file/photo vault": "vault", "vault": "vault", "pass wallet": "passes",
	"office/productivity": "office", "smart home/IoT/vehicle": "smart home",
	"remote control/IoT": "remote control", "vpn/security tool": "VPN", "vpn": "VPN",
	"health/insurance": "health", "health": "health", "ai chat": "AI chat",
	"dev forge": "development", "location": "location sharing",
	"media/entertainment": "media", "music/video/radio": "media", "news/reading": "reading",
	"notes": "notes", "game": "game", "weather": "weather", "maps/transit info": "maps",
	"fitness/habit": "fitness", "camera": "camera", "recorder": "recorder", "keyboard/IME": "keyboard",
	"other": "utility", "generic": "system tool",
}

// tagKinds are F-Droid's tags, the most telling first.
var tagKinds = []struct{ tag, kind string }{
	{"Keyboard & IME", "keyboard"}, {"Launcher", "launcher"},
	{"Wallpaper", "theme"}, {"Icon Pack", "theme"}, {"Theming", "theme"},
	{"Security", "security tool"}, {"Network Analyzer", "network tool"}, {"Push", "notifications"},
	{"Weather", "weather"}, {"News", "news"}, {"Podcast", "media"}, {"Radio", "media"},
	{"Online Media Player", "media"}, {"Local Media Player", "media"}, {"Lyrics", "media"},
	{"Music Practice Tool", "media"}, {"Cast", "media"}, {"Volume", "media"},
	{"Market & Price", "prices"}, {"Download", "downloads"}, {"Emulator", "game"}, {"Game Helper", "game"},
	{"Camera", "camera"}, {"Recorder", "recorder"}, {"Text to Speech", "reading"}, {"OCR", "reading"},
	{"Ebook Reader", "reading"}, {"Religion", "reading"}, {"Bookmark", "reading"},
	{"Public Transport", "maps"}, {"Note", "notes"}, {"Text Editor", "notes"}, {"Task", "notes"},
	{"Shopping List", "notes"}, {"Recipe Manager", "reading"}, {"Inventory", "notes"},
	{"Alarm Clock", "clock"}, {"Clock", "clock"}, {"Timer", "clock"}, {"Stopwatch", "clock"},
	{"Time Tracker", "clock"}, {"Calculator", "calculator"}, {"Unit Convertor", "calculator"},
	{"Translation & Dictionary", "translation"}, {"Workout", "fitness"}, {"Diet", "fitness"},
	{"Meditation", "fitness"}, {"Habit Tracker", "fitness"}, {"Schedule", "education"},
	{"Navigation", "maps"}, {"Sports & Health", "fitness"}, {"Science & Education", "education"},
	{"Draw", "graphics"}, {"Graphics", "graphics"}, {"Multimedia", "media"}, {"Reading", "reading"},
	{"Writing", "notes"}, {"System", "system tool"}, {"Development", "developer tool"},
	{"Connectivity", "connectivity tool"}, {"Internet", "internet tool"},
}

func tagKind(tags []string) string {
	for _, tag := range tags {
		if strings.HasSuffix(tag, "Game") || tag == "Visual Novel" || tag == "Dice" {
			return "game"
		}
	}
	for _, t := range tagKinds {
		if slices.Contains(tags, t.tag) {
			return t.kind
		}
	}
	return ""
}

// surfaceKinds are the kinds that are a surface by themselves. Dialers and
// settings are not among them: the rows filed there by rule hold too much else,
// so surfaces.tsv names those.
var surfaceKinds = map[string]string{
	"store": "store", "keyboard": "keyboard", "launcher": "launcher", "browser": "browser",
	"terminal": "terminal", "root tool": "root_manager", "remote access": "remote_access",
	"device admin": "device_admin", "SMS": "sms", "system consent": "consent",
	"permission controller": "permission_controller", "package installer": "package_installer",
	"security centre": "security_centre",
}
