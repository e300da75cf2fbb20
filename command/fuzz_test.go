package command

import (
	"strings"
	"testing"

	"github.com/countersign/countersign/risk"
)

// seeds are lines that reach every part of the reader.
var seeds = []string{
	"", "# x", "input tap 1 2", "input text 'a;b'", "pm clear x; reboot", "a && b || c | d & e",
	"sh -c \"sh -c 'pm clear x'\"", "echo $(reboot) `reboot` ${ reboot;} ${x:-$(reboot)}", "cat <<E\n$(x)\nE",
	"for i in 1 2; do input keyevent 26; done", "if a; then b; elif c; then d; else e; fi",
	"case $x in a|b) c;; *) d;; esac", "f() { x; }; function g { y; }", "x=1 y=(a b) z[1]=2 cmd",
	"export A=b; typeset -i c; readonly d", "[[ -f x && a == b* ]]", "(( x = 1 + $(y) ))", "let x=1",
	"a > b 2>&1 < c >> d >| e <> f <<< g", "\"\\$x\" 'y' $'\\x41' $\"z\" \\;", "@(a|$(b)) {a,b} ~/x [a-z]*",
	"settings put secure enabled_accessibility_services a/b", "am start -a b -d c -n d/e --es f g h",
	"am start 'intent:x#Intent;scheme=tel;end'", "am broadcast -a ADB_INPUT_B64 --es msg aGk=",
	"content call --uri content://settings/secure --method PUT_secure --arg x", "find / -exec a {} \\; -delete",
	"xargs -n 1 rm", "su -c 'id'", "run-as x ls", "nohup timeout 5 env A=b nice -n 1 pm list &",
	"echo \"unclosed", "find \" {} \\; -delete", "find \"a;b -delete", "a\x00b\rc\x1b", "東京 ümlaut\xff\xfe", "time ! (a; { b; })", "coproc x", "a |& b",
	"sed 's/a/b/w x'", "awk '{print > \"x\"}'", "dd if=a of=b", "tar xf a.tar -C /sdcard",
}

// sound checks what holds for the effects of any line.
func sound(t *testing.T, line string, effects []Effect) {
	t.Helper()
	if len(effects) == 0 {
		t.Fatalf("no effects for %q", line)
	}
	length := len([]rune(line))
	for _, e := range effects {
		switch {
		case e.Code == "":
			t.Errorf("%q: an effect without a code: %+v", line, e)
		case e.Term == "":
			t.Errorf("%q: an effect without a term: %+v", line, e)
		case e.Press != nil && e.Category != risk.Unknown:
			t.Errorf("%q: a press is not left to the screen: %+v", line, e)
		case e.Start < 0 || e.End < e.Start || e.End > length:
			t.Errorf("%q: span [%d,%d) outside of %d runes", line, e.Start, e.End, length)
		case e.Category == risk.Affirmative || e.Category == risk.Dismissal:
			t.Errorf("%q: %s is no consequence", line, e.Category)
		}
	}
	if w := Worst(effects); w < 0 || w >= len(effects) {
		t.Errorf("%q: the worst of %d is %d", line, len(effects), w)
	}
}

// FuzzShell holds that any line has an answer that is sound, that the answer
// is the same twice, and that appending a command never makes it milder.
func FuzzShell(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		effects := Shell(line)
		sound(t, line, effects)
		worst := Severity(effects[Worst(effects)].Category)
		if continues(line) {
			return
		}
		longer := Shell(line + "; pm uninstall x")
		sound(t, line+"; pm uninstall x", longer)
		if after := Severity(longer[Worst(longer)].Category); after < worst {
			t.Errorf("%q is %+v\nwith an uninstall behind it only %+v", line, effects[Worst(effects)], longer[Worst(longer)])
		}
	})
}

// continues reports whether text behind the line would become a part of its
// last word, so that the longer line says something else; and whether the line
// is so long that the longer one is not read.
func continues(line string) bool {
	return strings.HasSuffix(line, `\`) || strings.Contains(line, "<<") || len(line) > MaxLine-100 ||
		nesting(line) > maxNesting-10
}

// FuzzIntent holds that what parses has an effect, that JSON and arguments
// agree on it, and that a refusal is an ErrIntent.
func FuzzIntent(f *testing.F) {
	for _, s := range []string{
		`{"action":"android.intent.action.CALL","data":"tel:1"}`, "-a b -d c", "am start -n a/b --es c d",
		"intent:x#Intent;scheme=tel;action=y;S.a=b;end", "android-app://a/b/c", "tel:5", `{"extras":{"a":1}}`,
		"am broadcast -a ADB_INPUT_B64 --es msg aGk=", `{"kind":"service"}`, "-f 0x3", "a/b", "-a 'x y' z",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		i, err := ParseIntent(s)
		if err != nil {
			return
		}
		e := i.Effect()
		sound(t, "", []Effect{e})
		// The same intent with a call in place of its action is never harmless.
		i.Action, i.Kind = "android.intent.action.CALL", KindActivity
		if e := i.Effect(); Severity(e.Category) < risk.Call.Weight() {
			t.Errorf("%q: a call is only %s", s, e.Category)
		}
	})
}

// FuzzDeepLink holds that any text has one sound answer, and that it does not
// depend on how the scheme is written.
func FuzzDeepLink(f *testing.F) {
	for _, s := range []string{
		"https://example.com/a", "tel:+1", "upi://pay", "intent:#Intent;action=a;end", "file:///a.apk", "a:b", ":",
		"HTTPS://PAYPAL.ME./x", "market://x", "android-app://a", "tel:*%23", "https://[::1]:80/%zz",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, link string) {
		e := DeepLink(link)
		sound(t, "", []Effect{e})
		scheme, rest, ok := strings.Cut(link, ":")
		if !ok || isIntentLink(link) || !strings.EqualFold(strings.ToUpper(scheme), scheme) {
			return
		}
		if upper := DeepLink(strings.ToUpper(scheme) + ":" + rest); upper.Category != e.Category || upper.Code != e.Code {
			t.Errorf("%q is %s %s, in capitals %s %s", link, e.Category, e.Code, upper.Category, upper.Code)
		}
	})
}
