package shell

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// recordVariable names the file where the test's binary writes the words that it
// was started with, when a real mksh starts it as a program.
const recordVariable = "COUNTERSIGN_STUB_RECORD"

// stubs are the programs that the lines of the differential test run; the value
// is their exit code.
var stubs = map[string]int{"show": 0, "fails": 1, "reads": 0, "three": 3}

func TestMain(m *testing.M) {
	if file := os.Getenv(recordVariable); file != "" {
		os.Exit(beStub(file, filepath.Base(os.Args[0]), os.Args[1:]))
	}
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

// beStub writes the words down, one list a line, and what is read too.
func beStub(file, name string, args []string) int {
	lists := [][]string{append([]string{name}, args...)}
	if name == "reads" {
		data, err := io.ReadAll(os.Stdin)
		if err != nil {
			return 125
		}
		lists = append(lists, []string{"reads", string(data)})
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return 125
	}
	defer f.Close()
	for _, list := range lists {
		line, _ := json.Marshal(list)
		if _, err := f.Write(append(line, '\n')); err != nil {
			return 125
		}
	}
	return stubs[name]
}
