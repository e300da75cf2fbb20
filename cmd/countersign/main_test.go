package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"countersign": main})
}

// scripts is how many scripts there are; a script that is lost is a test that
// is lost.
const scripts = 31

// TestScripts runs the command line as users do: testdata/script has a file for
// each command or kind of mistake. Beside the usual commands of testscript,
// "exits CODE PROGRAM ARGS" runs a program and wants this exit code of it,
// "record HOME" fills a record, "habits HOME" one with questions that are always
// answered yes, and "tamper HOME ROW OLD NEW" changes it behind
// the guard's back; "guard HOME" runs a guard until the script ends, and "ask HOME
// NAME LIST OUTCOME" has its agent ask to delete a list, wants this outcome, and
// sets $NAME to the action's id and $NAME_DIGEST to its digest; "redeem HOME ID LIST"
// uses a yes to that; "pick NAME FIELD FILE" sets $NAME to a field of a JSON object.
//
// "phone NAME" runs a simulated phone at $NAME, "set ADDR NAMESPACE KEY VALUE" writes
// a setting of it, "deeds ADDR LIST" wants what it did; "gate NAME HOME FLAGS" runs
// countersign adb at $NAME, "gone NAME" ends it, "question NAME HOME" waits for a
// question; "owners-adb ADDR" runs an adb server without a guard.
// The screens of the demo are in $SCREENS; $BIN is a PATH with this program alone.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != scripts {
		t.Fatalf("%d scripts in testdata/script, want %d", len(files), scripts)
	}
	screens, err := filepath.Abs("demo/screens")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("SCREENS", screens)
			env.Setenv("COLUMNS", "100")
			env.Setenv("TZ", "UTC")
			bin, _, _ := strings.Cut(env.Getenv("PATH"), string(os.PathListSeparator))
			env.Setenv("BIN", bin)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "record": recordScript, "habits": habitsScript, "tamper": tamperScript, "guard": guardScript, "ask": askScript,
			"redeem": redeemScript, "pick": pickScript,
			"phone": phoneScript, "set": setScript, "deeds": deedsScript, "gate": gateScript, "gone": goneScript,
			"question": questionScript, "owners-adb": ownersADBScript,
		},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARGS]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

// read is the content of a file that a test needs.
func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
