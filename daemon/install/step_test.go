//go:build linux

package install

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestRun holds a run to looking before and after, and to its order.
func TestRun(t *testing.T) {
	i := mustNew(t, Options{Root: t.TempDir()})
	failed := errors.New("failed")
	isSo := map[string]bool{}
	step := func(name string, look error, do error, works bool) Step {
		return Step{
			Name: name,
			look: func(context.Context) (string, error) {
				if isSo[name] {
					return "", nil
				}
				return "not so", look
			},
			do: func(context.Context) error { isSo[name] = works; return do },
		}
	}
	runs := []struct {
		name  string
		steps []Step
		got   []string
		says  string
	}{
		{"good", []Step{step("a", nil, nil, true), step("b", nil, nil, true)}, []string{"done a: not so", "done b: not so"}, ""},
		{"already", []Step{step("a", nil, nil, true)}, []string{"already a: "}, ""},
		{"left", []Step{step("c", nil, leftError("do it"), false), step("b", nil, nil, true)}, []string{"left c: do it", "already b: "}, ""},
		{"fails", []Step{step("d", nil, failed, false), step("e", nil, nil, true)}, nil, "d: failed"},
		{"has no effect", []Step{step("f", nil, nil, false), step("e", nil, nil, true)}, nil, "f: it was done, and yet: not so"},
		{"stands in the way", []Step{step("g", nil, nil, true), step("h", failed, nil, true)}, nil, "h: failed; nothing was changed"},
	}
	for _, r := range runs {
		var got []string
		err := i.Run(t.Context(), r.steps, func(s Step, result Result, note string) {
			got = append(got, string(result)+" "+s.Name+": "+note)
		})
		if !slices.Equal(got, r.got) || (err == nil) != (r.says == "") || err != nil && err.Error() != r.says {
			t.Errorf("%s: %q, %v; want %q, %s", r.name, got, err, r.got, r.says)
		}
	}
	if isSo["e"] || isSo["g"] {
		t.Errorf("steps were done after a failure, or in spite of one to come: %v", isSo)
	}
	if len(runs) != 6 {
		t.Errorf("%d runs, want 6", len(runs))
	}
}

// TestOnlyRoot holds a run to its first check: nothing is even looked at.
func TestOnlyRoot(t *testing.T) {
	if os.Geteuid() == 0 {
		asOther(t, "TestOnlyRoot")
		return
	}
	i := mustNew(t, Options{Machine: newPretend("")})
	err := i.Run(t.Context(), []Step{{}}, nil)
	if !errors.Is(err, ErrNotRoot) || !strings.Contains(err.Error(), "sudo") {
		t.Errorf("got %v, want ErrNotRoot", err)
	}
}

// TestSameContent compares files whose ends lie about those of the pieces.
func TestSameContent(t *testing.T) {
	const piece = 64 << 10
	sizes := []int{0, 1, piece - 1, piece, piece + 1, 2 * piece}
	for _, one := range sizes {
		text := strings.Repeat("a", one)
		for _, two := range sizes {
			if same, err := sameContent(program(t, text), program(t, strings.Repeat("a", two))); err != nil || same != (one == two) {
				t.Errorf("%d and %d bytes: %v, %v", one, two, same, err)
			}
		}
		if one == 0 {
			continue
		}
		if same, err := sameContent(program(t, text), program(t, text[1:]+"b")); err != nil || same {
			t.Errorf("another byte at the end of %d: %v, %v", one, same, err)
		}
	}
	if _, err := sameContent(program(t, ""), t.TempDir()); err == nil {
		t.Error("a folder was compared")
	}
}
