package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// echo answers a line with the line and the index it carries.
func echo(line []byte) (any, error) {
	var v struct {
		Index int    `json:"index"`
		Fail  bool   `json:"fail"`
		Panic bool   `json:"panic"`
		Pad   string `json:"pad"`
	}
	if err := json.Unmarshal(line, &v); err != nil {
		return nil, err
	}
	switch {
	case v.Fail:
		return nil, errors.New("as asked")
	case v.Panic:
		panic("as asked")
	}
	return map[string]int{"index": v.Index, "pad": len(v.Pad)}, nil
}

func TestBatchKeepsTheOrder(t *testing.T) {
	const lines = 2000
	var in, out bytes.Buffer
	for i := range lines {
		fmt.Fprintf(&in, `{"index": %d}`+"\n", i)
	}
	term := &terminal{out: &out, err: io.Discard}
	slow := func(line []byte) (any, error) {
		if rand.IntN(50) == 0 {
			time.Sleep(time.Millisecond) // so that later lines are done earlier
		}
		return echo(line)
	}
	if err := term.batch(&in, slow); err != nil {
		t.Fatal(err)
	}
	answers := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(answers) != lines {
		t.Fatalf("%d answers to %d lines", len(answers), lines)
	}
	for i, a := range answers {
		if want := fmt.Sprintf(`{"index":%d,"pad":0}`, i); a != want {
			t.Fatalf("answer %d is %s", i, a)
		}
	}
}

// TestBatchAnswersAtOnce holds the next line back until the answer to the last
// one is there: a program on the other side of a pipe does the same.
func TestBatchAnswersAtOnce(t *testing.T) {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error)
	go func() {
		done <- (&terminal{out: outW, err: io.Discard}).batch(inR, echo)
	}()
	answers := bufio.NewReader(outR)
	for i := range 20 {
		if _, err := fmt.Fprintf(inW, `{"index": %d}`+"\n", i); err != nil {
			t.Fatal(err)
		}
		got, err := answers.ReadString('\n')
		if err != nil || got != fmt.Sprintf(`{"index":%d,"pad":0}`+"\n", i) {
			t.Fatalf("line %d: %q, %v", i, got, err)
		}
	}
	inW.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

func TestBatchGoesOnAfterALineThatFails(t *testing.T) {
	in := strings.Join([]string{
		`{"index": 0, "pad": "` + strings.Repeat("x", 3<<20) + `"}`,
		`{"id": "fails", "fail": true}`,
		`{"id": "panics", "panic": true}`,
		`{"id": "long", "pad": "` + strings.Repeat("x", maxLine) + `"}`,
		`{"index": 4}`, // no line break at its end
	}, "\n")
	var out bytes.Buffer
	err := (&terminal{out: &out, err: io.Discard}).batch(strings.NewReader(in), echo)
	var f *failure
	if !errors.As(err, &f) || f.code != exitFailed || f.err.Error() != "3 of 5 lines could not be read" {
		t.Errorf("batch says %v", err)
	}
	want := `{"index":0,"pad":3145728}
{"id":"fails","error":"line 2: as asked"}
{"id":"panics","error":"line 3: the guard failed on this line: as asked"}
{"id":"long","error":"line 4: longer than the 25165824 bytes that are accepted"}
{"index":4,"pad":0}
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

// brokenPipe fails after a few bytes, as a pipe does whose reader went away.
type brokenPipe struct{ left int }

func (b *brokenPipe) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

func TestBatchStopsWhenNobodyReads(t *testing.T) {
	endless := io.MultiReader(strings.NewReader(strings.Repeat("{\"index\": 1}\n", 1<<16)), neverEnding{})
	err := (&terminal{out: &brokenPipe{left: 1 << 10}, err: io.Discard}).batch(endless, echo)
	if !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("batch says %v", err)
	}
}

// neverEnding gives lines for ever.
type neverEnding struct{}

func (neverEnding) Read(p []byte) (int, error) { return copy(p, "{\"index\": 1}\n"), nil }

func TestIDIsRecovered(t *testing.T) {
	cases := []struct{ line, want string }{
		{`{"id": "a", "nosuch": 1}`, `"a"`},
		{`{"nosuch": {"id": "inner"}, "id": "outer"}`, `"outer"`},
		{`{"id": 17, "x"`, `17`},
		{`{"x": [1, 2, {"id": "cut"`, `"cut"`},
		{`{"id": "cut off`, `null`},
		{`{"id": {"not": "an id"}}`, `null`},
		{`{"id": null}`, `null`},
		{`{"text": "say \"id\": \"x\" to me"`, `null`},
		{`{"id": "\u001b[31m` + "\xff" + `"`, `"\u001b[31m` + "�" + `"`},
		{`[]`, `null`}, {``, `null`}, {"\x00", `null`},
		{`{"id": "` + strings.Repeat("x", 300) + `"}`, `null`},
	}
	for _, c := range cases {
		got := string(idOf([]byte(c.line)))
		var want, have any
		if json.Unmarshal([]byte(c.want), &want) != nil || json.Unmarshal([]byte(got), &have) != nil {
			t.Fatalf("%s: %s is not JSON", c.line, got)
		}
		if want != have {
			t.Errorf("idOf(%s) = %s, want %s", c.line, got, c.want)
		}
	}
	if len(cases) != 13 {
		t.Errorf("%d cases ran", len(cases))
	}
}

// FuzzBatch holds the count: whatever comes in, every line that holds something
// has one line of JSON in its place.
func FuzzBatch(f *testing.F) {
	f.Add("{\"index\": 1}\n\n{\"id\":\"x\"\n")
	f.Add("\ufeff{}\r\n\x00\xff\n")
	f.Fuzz(func(t *testing.T, in string) {
		want := 0
		for line := range strings.SplitSeq(strings.TrimPrefix(in, "\ufeff"), "\n") {
			if strings.TrimSpace(line) != "" {
				want++
			}
		}
		var out bytes.Buffer
		_ = (&terminal{out: &out, err: io.Discard}).batch(strings.NewReader(in), echo)
		got := 0
		for line := range strings.Lines(out.String()) {
			got++
			if !json.Valid([]byte(line)) {
				t.Errorf("not JSON: %q", line)
			}
			if strings.ContainsAny(line, "\x1b\u202e\u009b") {
				t.Errorf("steers the terminal: %q", line)
			}
		}
		if got != want {
			t.Errorf("%d answers to %d lines", got, want)
		}
	})
}
