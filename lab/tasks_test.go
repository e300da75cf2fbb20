package lab

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestStepsBelongToTheirTask(t *testing.T) {
	const lines = `{"id":"s1","app":"notes","node_index":0,"want":"allow","tree":"a.xml","task":"write a note"}
{"id":"s2","app":"notes","node_index":0,"want":"allow","tree":"a.xml"}`
	cases, err := ReadCases(strings.NewReader(lines), ".")
	if err != nil || cases[0].Task != "write a note" || cases[1].Task != "" {
		t.Fatalf("%+v, %v", cases, err)
	}
	if _, err := ReplayTasks(t.Context(), cases, TaskOptions{}); err == nil || !strings.Contains(err.Error(), "Store") {
		t.Errorf("without a store: %v", err)
	}
	r := replay{}
	if err := r.task(t.Context(), cases[1:]); !errors.Is(err, ErrNoTask) || !strings.Contains(err.Error(), `"s2" (line 2)`) {
		t.Errorf("a case that is no step: %v", err)
	}
}

func TestWriteTasks(t *testing.T) {
	var out bytes.Buffer
	WriteTasks(&out, TaskCount{Tasks: 10, Steps: 40, Questions: 4}, TaskCount{Tasks: 10, Steps: 40, Questions: 2, Linked: 2})
	for _, line := range []string{"40 steps of 10 tasks", "4, 0.400 a task (one in 2.5 tasks)", "2, 0.200 a task (one in 5.0 tasks)", "2 by the answer before"} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("no %q in\n%s", line, out.String())
		}
	}
	if none := (&TaskCount{}); none.PerTask() != 0 {
		t.Error("no tasks, no questions a task")
	}
}
