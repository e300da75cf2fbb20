package relay

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestWhatIsNoPlainDocument(t *testing.T) {
	cases := []struct{ name, body string }{
		{"nothing", ""}, {"a name twice", `{"a":1,"a":2}`}, {"a name twice, escaped", `{"a":1,"\u0061":2}`},
		{"a name twice, in capitals", `{"method":1,"METHOD":2}`}, {"a name twice, in odd letters", `{"params":1,"param\u017f":2}`},
		{"a name twice, deep", `[{"b":{"a":1,"a":1}}]`}, {"two documents", `{} {}`}, {"something behind", `{}x`},
		{"a comment", `{/* */}`}, {"single quotes", `{'a':1}`}, {"no quotes", `{a:1}`}, {"a comma too many", `[1,]`},
		{"NaN", `[NaN]`}, {"no UTF-8", "\"\xff\""}, {"a byte order mark", "\xef\xbb\xbf{}"}, {"cut off", `{"a":`},
		{"too deep", strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1)},
		{"too long", `"` + strings.Repeat("x", maxJSON) + `"`}, {"a hexadecimal number", `[0x10]`},
	}
	if len(cases) != 19 {
		t.Fatalf("%d cases, 19 were written", len(cases))
	}
	for _, c := range cases {
		if v, err := parseJSON([]byte(c.body)); err == nil {
			t.Errorf("%s is read as %v", c.name, v)
		}
	}
}

func TestNumbersAreCutAsTheServersDo(t *testing.T) {
	cases := []struct {
		text string
		want int
		ok   bool
	}{
		{"5", 5, true}, {"5.9", 5, true}, {"-5.9", -5, true}, {"5e2", 500, true}, {"1e10", 0, false}, {"1e999", 0, false},
		{`"5"`, 0, false}, {"true", 0, false}, {"null", 0, false},
	}
	if len(cases) != 9 {
		t.Fatalf("%d cases, 9 were written", len(cases))
	}
	for _, c := range cases {
		v, err := parseJSON([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := whole(v); got != c.want || ok != c.ok {
			t.Errorf("%s is %d, %v, want %d, %v", c.text, got, ok, c.want, c.ok)
		}
	}
}

// FuzzJSON reads any document. What is accepted means to encoding/json the same.
func FuzzJSON(f *testing.F) {
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"click","params":[1,2.5,-3e2]}`, `[{"a":[{}]},null,true]`, `"\u00e9\ud83d\ude00"`, `{"a":1,"a":2}`, `5`, ` {} `,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if len(body) > 4096 {
			return // only bounds are left beyond that
		}
		got, err := parseJSON(body)
		if err != nil {
			return
		}
		d := json.NewDecoder(bytes.NewReader(body))
		d.UseNumber()
		var want any
		if err := d.Decode(&want); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q is read as %v, to others it is %v (%v)", body, got, want, err)
		}
	})
}
