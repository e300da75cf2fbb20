package command

import (
	"strings"
	"testing"

	"github.com/countersign/countersign/risk"
)

// One consequence in many wrappings: whatever stands around a command, the
// command decides.
func TestShellSeesThroughWrapping(t *testing.T) {
	judged(t, 44, `
		delete clear_data | pm clear com.example.notes
		delete clear_data | p'm' "clear" com.example.notes
		delete clear_data | p\m clea\r com.example.notes
		delete clear_data | /system/bin/pm clear com.example.notes
		delete clear_data | /system/bin/../bin/pm clear com.example.notes
		delete clear_data | toybox true; pm clear com.example.notes
		delete clear_data | true && pm clear com.example.notes
		delete clear_data | false || pm clear com.example.notes
		delete clear_data | true & pm clear com.example.notes
		delete clear_data | pm clear com.example.notes &
		delete clear_data | ! pm clear com.example.notes
		delete clear_data | (pm clear com.example.notes)
		delete clear_data | { pm clear com.example.notes; }
		delete clear_data | if true; then pm clear com.example.notes; fi
		delete clear_data | if pm clear com.example.notes; then true; fi
		delete clear_data | if false; then true; else pm clear com.example.notes; fi
		delete clear_data | while true; do pm clear com.example.notes; done
		delete clear_data | until pm clear com.example.notes; do true; done
		delete clear_data | for a in 1 2; do pm clear com.example.notes; done
		delete clear_data | case a in a) pm clear com.example.notes;; esac
		delete clear_data | case $(pm clear com.example.notes) in a) true;; esac
		delete clear_data | f() { pm clear com.example.notes; }; f
		delete clear_data | time pm clear com.example.notes
		delete clear_data | sh -c 'pm clear com.example.notes'
		delete clear_data | sh -ec 'pm clear com.example.notes'
		delete clear_data | sh -c "sh -c 'pm clear com.example.notes'"
		delete clear_data | eval pm clear com.example.notes
		delete clear_data | eval 'pm clear' com.example.notes
		delete clear_data | exec pm clear com.example.notes
		delete clear_data | command pm clear com.example.notes
		delete clear_data | nohup pm clear com.example.notes &
		delete clear_data | nice -n 5 timeout 10 pm clear com.example.notes
		delete clear_data | env A=b pm clear com.example.notes
		delete clear_data | A=b pm clear com.example.notes
		delete clear_data | trap 'pm clear com.example.notes' EXIT
		delete clear_data | echo $(pm clear com.example.notes)
		delete clear_data | echo "$(pm clear com.example.notes)"
		delete clear_data | echo ${x:-$(pm clear com.example.notes)}
		delete clear_data | x=$(pm clear com.example.notes)
		delete clear_data | export x=$(pm clear com.example.notes)
		delete clear_data | [[ -n $(pm clear com.example.notes) ]]
		delete clear_data | echo $(( $(pm clear com.example.notes) + 1 ))
		delete clear_data | pm clear com.example.notes | cat
		delete clear_data | echo 'pm clear com.example.notes' | sh`)
}

// What only the phone can compute is never waved through.
func TestShellUnknown(t *testing.T) {
	judged(t, 48, `
		unknown environment       | : ${IFS:=x}
		unknown environment       | export LD_PRELOAD
		unknown environment       | set -A PATH a b
		unknown environment       | unset PATH
		unknown unknown_command   | frobnicate
		unknown unknown_command   | frobnicate --help
		unknown opaque            | ./run
		unknown opaque            | /data/local/tmp/run
		unknown opaque            | sh /sdcard/run.sh
		unknown opaque            | . /sdcard/run.sh
		unknown opaque            | source /sdcard/run.sh
		unknown opaque            | python -c 'print(1)'
		unknown opaque            | app_process / com.example.Main
		unknown interactive_shell | sh
		unknown interactive_shell | sh -i
		unknown pipe_to_shell     | cat | sh
		unknown pipe_to_shell     | echo cG0= | base64 -d | sh
		unknown pipe_to_shell     | printf 'pm list' | sh
		unknown pipe_to_shell     | pm list packages | xargs echo
		unknown variable          | $x tap 1 2
		unknown variable          | ${x:-pm} list
		unknown substitution      | $(echo input) tap 3 4
		unknown substitution      | $'\x70m' list
		unknown glob              | /system/bin/p? list
		unknown glob              | {pm,list}
		unknown glob              | pm{,} list
		unknown variable          | ~/bin/x
		unknown variable          | input tap $x 5
		unknown variable          | pm "$verb" com.example.notes
		unknown variable          | am start $args
		unknown variable          | cmd $service list
		unknown variable          | while read l; do $l; done
		unknown environment       | PATH=/data/local/tmp:$PATH; pm list
		unknown environment       | PATH=/data/local/tmp pm list
		unknown environment       | LD_PRELOAD=/data/local/tmp/x.so ls
		unknown environment       | export IFS=x
		unknown environment       | env PATH=/data/local/tmp ls
		unknown environment       | read PATH
		unknown environment       | for PATH in /data/local/tmp; do ls; done
		unknown environment       | typeset -n x=PATH
		unknown function          | ls() { true; }
		unknown function          | alias ls=true
		unknown arithmetic        | x='a[0]'; echo $((x))
		unknown arithmetic        | (( x = 1 ))
		unknown arithmetic        | let x=y
		unknown substitution      | [ 'a[$(x)]' -eq 1 ]
		unknown syntax            | echo "not closed
		unknown syntax            | if true; then`)
}

// Plain reading and the shell's own bookkeeping ask nothing.
func TestShellHarmless(t *testing.T) {
	judged(t, 40, `
		none read       | which pm
		none read       | id
		none read       | whoami
		none read       | date
		none read       | date +%s
		none read       | true
		none read       | sleep 1
		none read       | test -f /sdcard/x
		none read       | [ -d /sdcard ]
		none read       | echo hello world
		none read       | echo $HOME
		none read       | echo "$x" '$(reboot)'
		none read       | printf '%s' x
		none read       | pwd
		none read       | uname -a
		none read       | getprop ro.build.version.release
		none read       | getprop | grep sdk
		none read       | ls -la /sdcard
		none read       | ls $x
		none read       | ls /data/local/tmp/*
		none read       | ps -A | grep com.example
		none read       | df -h; free; uptime
		none read       | cat /proc/cpuinfo
		none read       | cat /proc/meminfo | head -n 1
		none read       | cat /system/build.prop
		none read       | grep -c processor /proc/cpuinfo
		none read       | cat < /proc/uptime
		none read       | wc -l /system/etc/hosts
		none read       | find /sdcard -name '*.jpg'
		none read       | pidof com.example.app
		none read       | ping -c 1 example.com
		none read       | ip addr show wlan0
		none read       | ls 2>/dev/null
		none read       | ls >/dev/null 2>&1
		none read       | pm list packages -3 | cut -d: -f2 | sort | uniq
		none read       | dumpsys window | sed -n 1,5p
		none read       | dumpsys window | awk '{print $1}'
		none shell      | x=1
		none shell      | # nothing
		none shell      | export A=b`)
}

// A line that does not parse still shows what can be made out in it.
func TestShellSalvages(t *testing.T) {
	judged(t, 10, `
		device    power         | ((reboot))
		device    power         | : ${x[$(reboot)]}
		uninstall uninstall     | pm uninstall com.example.notes; echo "
		uninstall uninstall     | echo "$(pm uninstall com.example.notes
		uninstall uninstall     | echo 'a; pm uninstall com.example.notes
		device    power         | if true; then reboot
		bypass    accessibility | settings put secure enabled_accessibility_services a/b <<E
		bypass    accessibility | frobnicate settings put secure enabled_accessibility_services a/b
		bypass    accessibility | $nothing settings put secure enabled_accessibility_services a/b
		bypass    accessibility | settings $nothing put secure enabled_accessibility_services a/b`)
}

func TestShellInput(t *testing.T) {
	for name, line := range map[string]string{
		"too long":          "echo " + strings.Repeat("a", MaxLine),
		"too deep":          strings.Repeat("(", maxNesting+1),
		"zero byte":         "pm list\x00; reboot",
		"carriage return":   "pm list\r",
		"escape":            "pm list \x1b[2K",
		"scripts in script": strings.Repeat("eval ", 40) + "true",
		"wrapper in wrap":   strings.Repeat("nohup ", 40) + "true",
	} {
		effects := Shell(line)
		if e := effects[Worst(effects)]; e.Category == risk.None {
			t.Errorf("%s: waved through as %s", name, e.Term)
		}
	}
	deep := strings.Repeat("(", maxNesting+1) + "id" + strings.Repeat(")", maxNesting+1)
	if !has(Shell(deep), "unknown", "opaque") {
		t.Error("a line that is nested too deeply is parsed all the same")
	}
	if !has(Shell("pm list\x00; reboot"), "device", "power") {
		t.Error("what stands behind a zero byte is not seen")
	}
}

// Here-documents and here-strings are scripts when a shell reads them.
func TestShellHereDocument(t *testing.T) {
	for _, line := range []string{
		"sh <<E\npm clear com.example.notes\nE",
		"sh <<'E'\npm clear com.example.notes\nE",
		"sh <<< 'pm clear com.example.notes'",
		"cat <<E\n$(pm clear com.example.notes)\nE",
		"{ sh; } <<E\npm clear com.example.notes\nE",
	} {
		effects := Shell(line)
		if e := effects[Worst(effects)]; e.Category != risk.Delete {
			t.Errorf("%q: got %s %s, want the script inside to decide", line, e.Category, e.Code)
		}
	}
	if effects := Shell("cat <<E\nhello\nE"); effects[Worst(effects)].Category != risk.None {
		t.Errorf("printing a text asks: %+v", effects)
	}
}

// Spans are in runes of the line, and cover the part that speaks.
func TestShellSpans(t *testing.T) {
	line := "echo Zürich — 東京; pm clear com.example.notes; true"
	effects := Shell(line)
	e := effects[Worst(effects)]
	if got, want := string([]rune(line)[e.Start:e.End]), "pm clear com.example.notes"; got != want {
		t.Errorf("the span covers %q, want %q", got, want)
	}
}

func TestWorst(t *testing.T) {
	if got := Worst(nil); got != -1 {
		t.Errorf("Worst(nil) = %d, want -1", got)
	}
	order := []risk.Category{risk.None, risk.Other, risk.Message, risk.Unknown, risk.Settings, risk.Delete, risk.Money, risk.Device, risk.Bypass}
	for i := range order[1:] {
		milder, worse := Effect{Category: order[i]}, Effect{Category: order[i+1]}
		if Worst([]Effect{milder, worse}) != 1 || Worst([]Effect{worse, milder}) != 0 {
			t.Errorf("%s does not outrank %s", worse.Category, milder.Category)
		}
	}
	if Worst([]Effect{{Category: risk.Delete}, {Category: risk.Delete}}) != 0 {
		t.Error("of equals, the first should decide")
	}
}
