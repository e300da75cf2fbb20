package api

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// What is not read, and what the error says.
func TestStrictReading(t *testing.T) {
	cases := []struct{ body, says string }{
		{``, "ends early"},
		{`null`, "JSON object"},
		{`[]`, "JSON object"},
		{`7`, "JSON object"},
		{`{`, "ends early"},
		{`{"task":"a","task":"b"}`, `"task" is given twice`},
		{`{"Task":"a"}`, `"Task"`},
		{`{"ta\u0073k":"a","task":"b"}`, "twice"},
		{`{"tas":"a"}`, "known are"},
		{`{"task":7}`, "task is a JSON number"},
		{`{"task":"a"}{}`, "after the closing brace"},
		{`{"proposed_action":{"kind":"tap","kind":"back"}}`, `"kind" is given twice`},
		{`{"proposed_action":{"kind":"tap","target":{"Text":"a"}}}`, `"Text"`},
		{`{"proposed_action":{"kind":"tap","observed":true}}`, "observed"},
		{`{"proposed_action":{}}`, "kind is missing"},
		{`{"history":[{"a":1,"a":2}]}`, `"a" is given twice`},
		{`{"history":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, "nested"},
		{`{"history":7}`, "history"},
	}
	for _, tt := range cases {
		s, err := readStep([]byte(tt.body))
		if err == nil || s != nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want an error that says %q", tt.body, err, tt.says)
		}
	}
	if len(cases) != 18 {
		t.Errorf("%d cases", len(cases))
	}
}

// FuzzStep: what is read reads the same when it is written again, and its action
// is resolved without a failure; everything else is an error that says why.
func FuzzStep(f *testing.F) {
	for _, seed := range []string{
		`{"task":"a","screen_description":"b","current_package":null}`,
		`{"proposed_action":{"kind":"tap","text":"Send","x":1,"y":2,"space":[1,2]},"requires_confirmation":true}`,
		`{"ui_tree":"<hierarchy/>","proposed_action":{"kind":"tap","target":{"text":"a","role":"button","bounds":[1,2,3,4],"clickable":false}}}`,
		`{"history":[{"a":"<\u2028>"},null,1e9," "],"device":"d","session":"s","idempotency_key":"k"}`,
		`{"task":"\ud800","proposed_action":{"kind":"type","text":"\n","selector":{"text":"x","instance":3}}}`,
		`{"history":[]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := readStep(data)
		if err != nil {
			if s != nil || err.Error() == "" {
				t.Fatalf("%v with error %q", s, err)
			}
			return
		}
		written, err := json.Marshal(s)
		if err != nil {
			t.Fatalf("it cannot be written: %v", err)
		}
		again, err := readStep(written)
		if err != nil || !reflect.DeepEqual(s, again) {
			t.Fatalf("read %+v, written %s, read again %+v, %v", s, written, again, err)
		}
		if s.ProposedAction != nil {
			if a, _, err := s.ProposedAction.resolve(s.UITree != ""); err == nil && a.Kind != s.ProposedAction.Kind {
				t.Fatalf("kind %q became %q", s.ProposedAction.Kind, a.Kind)
			}
		}
	})
}

// A bucket never gives more than its burst and what filled since, and says
// truly when the next is there.
func TestBucket(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := bucket{rate: rapid.Float64Range(0.01, 1000).Draw(t, "rate"), burst: float64(rapid.IntRange(1, 50).Draw(t, "burst"))}
		start := time.Unix(1_700_000_000, 0)
		now, given := start, 0
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.Int64Range(-1e6, 1e9).Draw(t, "passed")))
			ok, wait := b.take(now)
			if ok {
				given++
				continue
			}
			if later := b; wait <= 0 {
				t.Fatalf("refused, and to wait %v", wait)
			} else if ok, _ := later.take(now.Add(wait)); !ok {
				t.Fatalf("after %v there is none", wait)
			}
		}
		// Going back and forth in time, the clock may pass the same span again.
		if most := b.burst + b.rate*(now.Sub(start).Seconds()+0.2) + 1; float64(given) > most {
			t.Fatalf("%d given, at most %v", given, most)
		}
	})
}
