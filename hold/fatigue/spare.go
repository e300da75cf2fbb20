package fatigue

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/risk"
)

// Grant is a grant that would have spared questions, had it been given with the
// first of each row of them and anew whenever it was over.
type Grant struct {
	// Scope is what it covers: "sending to “Anna” in WhatsApp". It is for the agent
	// and the device of the kind.
	Scope string `json:"scope"`
	// Count is how often it may be used, For how long.
	Count int           `json:"count"`
	For   time.Duration `json:"-"`
	// Seconds is For.
	Seconds int64 `json:"seconds"`
	// Given is how often it would have been given, Spared how many of Of questions
	// would not have been asked.
	Given  int `json:"given"`
	Spared int `json:"spared"`
	Of     int `json:"of"`
}

// Sentence says the grant for people: "sending to “Anna” in WhatsApp, 6 times, for
// 1 hour". Like Kind.Scope it is not escaped.
func (g *Grant) Sentence() string {
	return g.Scope + ", " + approval.Times(g.Count) + ", for " + Span(g.For)
}

// Line is a line of policy that would have spared questions.
type Line struct {
	Package  string        `json:"package"`
	Category risk.Category `json:"category"`
	// YAML is the section of a policy file that says so, an exception for the app.
	YAML string `json:"yaml"`
	// Spared is how many of Of questions would not have been asked.
	Spared int `json:"spared"`
	Of     int `json:"of"`
}

// grantLengths are how long a proposed grant may last, the shortest first.
var grantLengths = []time.Duration{approval.UsualGrantFor, time.Hour, 4 * time.Hour, 12 * time.Hour, approval.MaxGrantFor}

// worthwhile is the part of the questions that a proposal has to spare: one that
// leaves most of them is no relief and still a risk.
func worthwhile(spared, of int) bool { return 2*spared >= of && spared > 0 }

// spare puts into a habit what would have spared it, or why nothing is proposed.
func (h *always) spare() {
	out := &h.habit
	if !worthwhile(out.Approved-h.doubted, out.Approved) {
		out.Why = "the agent's own model asked for a person most of the times, and neither a grant nor a policy overrules that"
		return
	}
	if h.spareByGrant() {
		return
	}
	if why, ok := lineable(out.Package, out.Category); !ok {
		out.Why = why
		return
	}
	if !worthwhile(h.tabled, out.Approved) {
		out.Why = "the policy in force has no table, so no line in it changes anything"
		return
	}
	out.Line = &Line{
		Package: out.Package, Category: out.Category, YAML: lineFor(out.Package, out.Category), Spared: h.tabled, Of: out.Approved,
	}
}

// spareByGrant finds the shortest grant that spares nearly as much as the longest
// one that may be given.
func (h *always) spareByGrant() bool {
	if len(h.shapes) == 0 {
		return false
	}
	best := &h.shapes[0]
	for i := range h.shapes {
		if h.shapes[i].n > best.n {
			best = &h.shapes[i]
		}
	}
	// Of a very long row only the last questions are known one by one.
	of := h.habit.Approved - (best.n - len(best.times))
	most := replay(best.times, approval.MaxGrantFor)
	if !worthwhile(most.Spared, of) {
		return false
	}
	for _, length := range grantLengths {
		g := replay(best.times, length)
		if 5*g.Spared < 4*most.Spared || !worthwhile(g.Spared, of) {
			continue
		}
		g.Scope, g.Of = best.grant.Scope(), of
		h.habit.Grant, h.habit.grant = &g, &best.grant
		return true
	}
	return false
}

// replay gives a grant of a length with the first question, and anew with the
// first one after each is over. A grant that would not have been used is not
// counted as given.
func replay(times []time.Time, length time.Duration) Grant {
	g := Grant{For: length, Seconds: int64(length / time.Second)}
	for i := 0; i < len(times); {
		used, end := 0, times[i].Add(length)
		for i++; i < len(times) && times[i].Before(end) && used < approval.MaxGrantCount; i++ {
			used++
		}
		if used > 0 {
			g.Given++
		}
		g.Spared += used
		g.Count = max(g.Count, used)
	}
	return g
}

// lineable reports whether a line of policy is ever proposed for a consequence in
// an app; if not, why.
//
// A line has no end and covers everybody and everything in the app, so it is
// proposed for less than a grant: for what is said to others, and for what is
// undone as easily as it was done.
func lineable(pkg string, c risk.Category) (why string, ok bool) {
	const seldom = "they come too seldom, or are too different, for a grant, which lasts 24 hours at most; "
	switch c {
	case risk.Message, risk.Call, risk.Publish, risk.Share, risk.Submit, risk.BlockReport, risk.SignOut:
	case risk.Delete:
		return seldom + "a line of policy would also let pass what is deleted for good", false
	case risk.CancelService:
		return "it happens to a thing once: the next one is about another", false
	case risk.Disclose:
		return "what is handed over is not what was shown, but what is there by then", false
	case risk.Unknown, risk.Other, risk.None:
		return "nobody can say what would be let pass", false
	default: // install, uninstall, permission, account, credential, settings
		return "one of these opens the way to others, so each is asked about", false
	}
	switch {
	case pkg == "":
		return "no app is named, so no line of policy is about it", false
	case !isPackage(pkg):
		return "the app is called " + decide.Quote(pkg, maxName) + ", which is no name of a package, so no line of policy can be about it", false
	}
	return "", true
}

// maxName is the length in runes of a name from outside in a sentence.
const maxName = 80

// isPackage reports whether a name can stand in a policy as it is: words of
// letters, digits and underscores that begin with a letter, with dots between
// them. It comes from the agent, and must not become anything else there.
func isPackage(name string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	parts := strings.Split(name, ".")
	return len(name) <= 200 && len(parts) > 1 && !slices.ContainsFunc(parts, func(part string) bool {
		return part == "" || !strings.ContainsRune(letters, rune(part[0])) || strings.Trim(part, letters+"0123456789_") != ""
	})
}

// lineFor is the exception for an app, as a policy file has it.
func lineFor(pkg string, c risk.Category) string {
	return fmt.Sprintf("apps:\n  %s:\n    table: { %s: allow }\n", pkg, c)
}
