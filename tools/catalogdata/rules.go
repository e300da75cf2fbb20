package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/countersign/countersign/risk"
)

// rule raises the rows that a source's vague category left too low. Rules are
// about categories and words, never about one app, and none of them lowers.
type rule struct {
	name string
	// raise returns the tier that the row should at least have.
	raise func(*row) risk.Tier
}

// rules are applied in order; each sees the tier that the ones before left.
var rules = []rule{
	{"F-Droid: a security tag is not outweighed by a harmless one", securityTag},
	{"F-Droid: a general tag beside broad ones says nothing narrow", broadTags},
	{"Chinese store: posts, gifts, shared networks, deletes or installs", storeTags},
	{"preinstalled: filed under launcher or camera by a word inside another", preinstalledWords},
	{"same name and nearly the same id as a better known LOW app", nil}, // needs all rows; see newAccount
	{"a word in id or name speaks for one tier more", tellingWords},
}

func securityTag(r *row) risk.Tier {
	if r.tier == risk.Low && slices.Contains(r.tags, "Security") && tagKind(r.tags) != "game" {
		return risk.Medium
	}
	return r.tier
}

// broadTags: "Internet" alone is MEDIUM since anything can be behind it (a forum
// client, a chat, a bank's page), and a tag such as Multimedia or Reading beside
// it does not say otherwise. A narrow one such as Weather or Podcast does.
func broadTags(r *row) risk.Tier {
	if r.tier == risk.Low && containsAny(r.tags, generalTags...) && saysNothingNarrow(r.tags) {
		return risk.Medium
	}
	return r.tier
}

var (
	generalTags = []string{"Internet", "Connectivity", "Development", "System", "Security"}
	wideTags    = []string{
		"Multimedia", "Reading", "Science & Education", "Writing", "Graphics", "Sports & Health", "Navigation",
	}
)

func saysNothingNarrow(tags []string) bool {
	for _, tag := range tags {
		if !slices.Contains(generalTags, tag) && !slices.Contains(wideTags, tag) {
			return false
		}
	}
	return len(tags) > 0
}

// storeTags are tags that the list left LOW beside their like at MEDIUM (short
// videos are a social network, a cleaner deletes files, a game hall installs
// apps, book-keeping is budgeting).
func storeTags(r *row) risk.Tier {
	tag, found := strings.CutPrefix(r.category, "cn-store:")
	if !found || r.tier != risk.Low {
		return r.tier
	}
	switch tag {
	case "短视频", "搞笑段子", "轻阅读", "K歌唱歌", "游戏社区", "游戏攻略", "游戏周边", "游戏工具", "代练陪玩",
		"游戏直播", "体育直播", "免费WIFI", "游戏加速", "垃圾清理", "下载工具", "遥控器", "记账":
		return risk.Medium
	}
	return r.tier
}

// preinstalledWords: the rule behind these rows looked for "home", "launcher",
// "theme", "camera" or "recorder" anywhere in the id.
func preinstalledWords(r *row) risk.Tier {
	if r.tier != risk.Low || !r.from("uad-ng") {
		return r.tier
	}
	for _, word := range []string{
		"smarthome", "themestore", "factory", "engineermode", "hotspot", "cloud", "emergency", "callrecorder",
	} {
		if strings.Contains(r.id, word) {
			return risk.Medium
		}
	}
	return r.tier
}

// tellingWords raises by one step the F-Droid rows that a rule filed, where the
// id or the name holds a word for something that is HIGH: a LOW row becomes
// MEDIUM, a row that was MEDIUM only for want of a narrow category becomes HIGH.
func tellingWords(r *row) risk.Tier {
	if !r.only("fdroiddata") || r.tier == risk.High || r.tier == risk.Medium && r.confidence != "C" {
		return r.tier
	}
	if kind := tagKind(r.tags); kind == "game" || kind == "keyboard" || kind == "theme" {
		return r.tier
	}
	_, id, _ := strings.Cut(r.id, ".") // the first segment is a country or "com"
	for _, word := range append(wordsOf(id), wordsOf(r.name)...) {
		if slices.Contains(telling, word) {
			return r.tier.Stricter(r.tier - 1)
		}
	}
	return r.tier
}

var telling = []string{
	"authenticator", "otp", "totp", "password", "passwords", "passwd", "pwd", "pwdstore", "pwdhash",
	"sms", "mms", "messenger", "xmpp", "irc", "whatsapp", "telegram", "im", "dialer", "email", "mail",
	"bank", "banking", "wallet", "superuser", "root", "xposed", "terminal", "shell", "ashell", "ssh", "sshd",
	"adb", "permission", "permissions", "installer", "appstore",
}

// wordsOf splits an id or a name into lower-case words: at everything that is
// no letter, and where a capital follows a small letter.
func wordsOf(text string) []string {
	var words []string
	start, previous := -1, ' '
	for i, r := range text {
		letter := unicode.IsLetter(r)
		if start >= 0 && (!letter || unicode.IsUpper(r) && unicode.IsLower(previous)) {
			words = append(words, strings.ToLower(text[start:i]))
			start = -1
		}
		if letter && start < 0 {
			start = i
		}
		previous = r
	}
	if start >= 0 {
		words = append(words, strings.ToLower(text[start:]))
	}
	return words
}

// account applies the rules and counts what each changed.
type account struct {
	before  [3]int
	changed []map[string]int // by rule: "LOW to MEDIUM" -> rows
	twins   map[string]bool
	renamed int // names that were dropped
}

func newAccount(rows []row) *account {
	a := &account{changed: make([]map[string]int, len(rules)), twins: lowTwins(rows)}
	for i := range a.changed {
		a.changed[i] = map[string]int{}
	}
	for _, r := range rows {
		a.before[r.tier]++
	}
	return a
}

// correct files a row and applies the rules to it.
func (a *account) correct(r row) app {
	for i, rule := range rules {
		was := r.tier
		if rule.raise != nil {
			r.tier = r.tier.Stricter(rule.raise(&r))
		} else if a.twins[r.id] {
			r.tier = r.tier.Stricter(risk.Medium)
		}
		if r.tier != was {
			a.changed[i][fmt.Sprintf("%v to %v", was, r.tier)]++
		}
	}
	kind := kindOf(&r)
	name := shownName(&r)
	if name == "" && r.name != "" {
		a.renamed++
	}
	return app{
		id: r.id, name: name, kind: kind, tier: r.tier, surface: surfaceKinds[kind],
		vague: r.tier == risk.Medium && saysNothingNarrow(r.tags),
	}
}

func (a *account) String(apps []app) string {
	var b strings.Builder
	after := [3]int{}
	for _, x := range apps {
		after[x.tier]++
	}
	fmt.Fprintf(&b, "rows: %d; HIGH, MEDIUM, LOW before %v, after %v\n", len(apps), a.before, after)
	for i, rule := range rules {
		steps := make([]string, 0, 2)
		for step, n := range a.changed[i] {
			steps = append(steps, fmt.Sprintf("%s: %d", step, n))
		}
		slices.Sort(steps)
		fmt.Fprintf(&b, "%s: %s\n", rule.name, strings.Join(steps, ", "))
	}
	fmt.Fprintf(&b, "names dropped: %d\n", a.renamed)
	return b.String()
}
