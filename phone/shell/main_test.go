package shell

import (
	"io"
	"os"
	"testing"
)

// recordVariable names the file where the stubs write what they were started
// with, when a real mksh starts them.
const recordVariable = "COUNTERSIGN_STUB_RECORD"

// stubs are the programs that the lines of the differential test run; the value
// is their exit code.
var stubs = map[string]int{"show": 0, "fails": 1, "reads": 0, "three": 3}

// stubScript is what a stub is for a real mksh: how many words there are, the
// words, and for "reads" a second list with what was read. Each ends in NUL. It
// is for another shell than the one under test.
const stubScript = `#!/bin/dash
name=${0##*/}
input=
[ $name = reads ] && { input=$(cat; echo .); input=${input%.}; }
{
	printf '%s\0' $# "$name" "$@"
	[ $name = reads ] && printf '%s\0' 1 reads "$input"
} >> "$COUNTERSIGN_STUB_RECORD"
case $name in fails) exit 1;; three) exit 3;; esac
exit 0
`

func TestMain(m *testing.M) {
	for name, code := range stubs {
		table[name] = func(r *run) int {
			if name == "reads" {
				data, _ := io.ReadAll(r.in)
				r.line.shell.note([]string{"reads", string(data)})
			}
			return code
		}
	}
	os.Exit(m.Run())
}
