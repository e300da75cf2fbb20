package command

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// words that lines are made of in the properties below: verbs with arguments
// that are risky, harmless, presses and not known.
var commands = [][]string{
	{"pm", "clear", "com.example.app"}, {"pm", "list", "packages"}, {"input", "tap", "5", "6"},
	{"input", "text", "hello world"}, {"input", "keyevent", "66"}, {"am", "start", "-a", "android.intent.action.CALL", "-d", "tel:+1555"},
	{"am", "start", "-d", "upi://pay?pa=a@b&am=1"}, {"am", "broadcast", "-a", "ADB_INPUT_B64", "--es", "msg", "aGk="},
	{"settings", "put", "secure", "enabled_accessibility_services", "a/b"}, {"settings", "get", "secure", "x"},
	{"cat", "/sdcard/a b.txt"}, {"cat", "/proc/cpuinfo"}, {"rm", "-rf", "/sdcard/DCIM"}, {"reboot"}, {"id"},
	{"content", "query", "--uri", "content://sms"}, {"cmd", "package", "uninstall", "com.example.app"},
	{"sh", "-c", "pm clear com.example.app"}, {"nohup", "pm", "clear", "com.example.app"}, {"frobnicate", "x"},
	{"dumpsys", "notification"}, {"monkey", "-p", "com.example.app", "1"}, {"svc", "wifi", "disable"}, {"screencap", "-p"},
	{"su", "-c", "id"}, {"find", "/sdcard", "-delete"}, {"dd", "if=/sdcard/a", "of=/dev/null"}, {"toybox", "rm", "/sdcard/a"},
}

// meanings are the effects of a line without their places in it.
func meanings(line string) []Effect {
	effects := Shell(line)
	out := make([]Effect, len(effects))
	for i, e := range effects {
		e.Start, e.End = 0, 0
		out[i] = e
	}
	return out
}

func same(a, b []Effect) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, y := a[i], b[i]
		if (x.Press == nil) != (y.Press == nil) || x.Press != nil && *x.Press != *y.Press {
			return false
		}
		x.Press, y.Press = nil, nil
		if x != y {
			return false
		}
	}
	return true
}

// quoted draws one of the ways to write a word.
func quoted(t *rapid.T, w string) string {
	switch rapid.IntRange(0, 3).Draw(t, "quotes") {
	case 0:
		return "'" + w + "'"
	case 1:
		return `"` + w + `"`
	case 2: // a backslash before every character
		var b strings.Builder
		for _, r := range w {
			b.WriteByte('\\')
			b.WriteRune(r)
		}
		return b.String()
	}
	cut := rapid.IntRange(0, len(w)).Draw(t, "cut")
	return `'` + w[:cut] + `'"` + w[cut:] + `"`
}

// However the words of a line are quoted, it does the same.
func TestQuotingChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SampledFrom(commands).Draw(t, "command")
		var plain, other []string
		for _, w := range words {
			plain = append(plain, "'"+w+"'")
			other = append(other, quoted(t, w))
		}
		a, b := strings.Join(plain, " "), strings.Join(other, rapid.SampledFrom([]string{" ", "  ", "\t", " \\\n "}).Draw(t, "space"))
		if x, y := meanings(a), meanings(b); !same(x, y) {
			t.Fatalf("%s\n%+v\n%s\n%+v", a, x, b, y)
		}
	})
}

// A line of several commands is at least as bad as each of them, whatever
// joins them and whatever they stand in.
func TestJoiningNeverSoftens(t *testing.T) {
	joints := []string{"; ", " && ", " || ", " & ", " | ", "\n"}
	frames := []string{"%", "(%)", "{ %; }", "if true; then %; fi", "while true; do %; done", "for i in 1; do %; done",
		"f() { %; }; f", "case a in a) %;; esac", "echo $(%)", "echo \"`%`\"", "x=$(%)", "time (%)", "! (%)", "eval '(' %q ')'", "sh -c %q"}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "n")
		var line strings.Builder
		worst := 0
		for i := range n {
			words := rapid.SampledFrom(commands).Draw(t, "command")
			part := "\"" + strings.Join(words, "\" \"") + "\""
			effects := Shell(part)
			worst = max(worst, Severity(effects[Worst(effects)].Category))
			if i > 0 {
				line.WriteString(rapid.SampledFrom(joints).Draw(t, "joint"))
			}
			line.WriteString(part)
		}
		frame := rapid.SampledFrom(frames).Draw(t, "frame")
		whole := strings.ReplaceAll(frame, "%q", "'"+line.String()+"'")
		whole = strings.ReplaceAll(whole, "%", line.String())
		effects := Shell(whole)
		if got := Severity(effects[Worst(effects)].Category); got < worst {
			t.Fatalf("%s\nis only %+v", whole, effects[Worst(effects)])
		}
	})
}

// A word that only the phone knows never makes a line milder than unknown.
func TestUnknownWordsAsk(t *testing.T) {
	unknowns := []string{"$x", "${x}", "$(true)", "`true`", "\"$x\"", "\"$(true)\""}
	tolerant := map[string]bool{"cat": true, "id": true, "rm": true, "find": true, "dd": true}
	rapid.Check(t, func(t *rapid.T) {
		words := append([]string(nil), rapid.SampledFrom(commands).Draw(t, "command")...)
		last := len(words) - 1
		if tolerant[words[0]] {
			last = 0
		}
		at := rapid.IntRange(0, last).Draw(t, "at")
		for i, w := range words {
			words[i] = "'" + w + "'"
		}
		words[at] = rapid.SampledFrom(unknowns).Draw(t, "unknown")
		line := strings.Join(words, " ")
		effects := Shell(line)
		if e := effects[Worst(effects)]; !e.Category.Risky() {
			t.Fatalf("%s is waved through: %+v", line, e)
		}
	})
}
