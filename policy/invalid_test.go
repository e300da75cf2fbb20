package policy

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the expected error texts of testdata anew")

// Each file of testdata/invalid is refused, with the text in the .txt beside
// it. The name of the file is the complaint.
func TestInvalidFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/invalid/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		p, err := Load(file)
		if err == nil {
			t.Errorf("%s: read as %s, want an error", file, p.Name())
			continue
		}
		checkGolden(t, strings.TrimSuffix(file, ".yaml")+".txt", strings.ReplaceAll(err.Error(), "testdata/invalid/", ""))
	}
	if len(files) != 94 {
		t.Errorf("tried %d files, want 94", len(files))
	}
}

// Likewise testdata/cases, for case files.
func TestInvalidCaseFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/cases/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		results, err := RunCases(preset(t, "default"), data)
		if err == nil {
			t.Errorf("%s: %d cases, want an error", file, len(results))
			continue
		}
		checkGolden(t, strings.TrimSuffix(file, ".yaml")+".txt", err.Error())
	}
	if len(files) != 10 {
		t.Errorf("tried %d files, want 10", len(files))
	}
}

// checkGolden compares an error with the text in a file.
func checkGolden(t *testing.T, file, got string) {
	t.Helper()
	got += "\n"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s:\ngot:\n%s\nwant:\n%s", file, got, want)
	}
}

func TestTooLarge(t *testing.T) {
	full := []byte("version: 1\nextends: default\n")
	full = append(full, bytes.Repeat([]byte("#"), MaxBytes-len(full))...)
	if _, err := Parse("full", full); err != nil {
		t.Errorf("%d bytes: %v", len(full), err)
	}
	_, err := Parse("more", append(full, '#'))
	if want := "more: the file is larger than 256 KiB"; err == nil || err.Error() != want {
		t.Errorf("%d bytes: %v, want %s", len(full)+1, err, want)
	}
	path := filepath.Join(t.TempDir(), "more.yaml")
	if err := os.WriteFile(path, append(full, '#'), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path); err == nil || !strings.HasSuffix(err.Error(), "larger than 256 KiB") {
		t.Errorf("Load: %v", err)
	}
}

// A program can take an error apart.
func TestErrorFields(t *testing.T) {
	_, err := Parse("mine", []byte("version: 1\nextends: default\ntable:\n  LOW: { mesage: confirm }\n"))
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%v is no *Error", err)
	}
	if e.File != "mine" || e.Line != 4 || e.Column != 10 || e.Message != `"mesage" is not a category` || e.Hint != `did you mean "message"?` {
		t.Errorf("%+v", e)
	}
	// One that was put together elsewhere, without the text of the file.
	bare := &Error{File: "f", Line: 3, Column: 7, Message: "m", Hint: "h"}
	if got, want := bare.Error(), "f:3:7: m\n     = h"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestLoadMissingFile(t *testing.T) {
	if _, err := Load("testdata/none.yaml"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v, want %v", err, os.ErrNotExist)
	}
	if _, err := Load("testdata"); err == nil {
		t.Error("a folder was read as a policy")
	}
}
