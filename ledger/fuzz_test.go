package ledger

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math/bits"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
)

// What ParseRow accepts, it writes again to the byte, and a head that stands
// where the row says appends exactly this row.
func FuzzParseRow(f *testing.F) {
	head := Head{}
	for i := range 8 {
		row, next, err := head.Append(noon, sample(i))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(row.Data)
		f.Add(bytes.Replace(row.Data, []byte(`"body":`), []byte(`"body": `), 1))
		f.Add(bytes.Replace(row.Data, []byte("e"), []byte(`\u0065`), 1))
		head = next
	}
	zero := Hash{}.String()
	for _, body := range []string{`{}`, `{"a":1,"a":2}`, `{"a":1.0e+5}`, `{"a":01}`, `{"a":"\/"}`, `{"a":"` + "\xff" + `"}`, `{"a":"\ud800"}`, `{"a":[[],{}]}}`, `{"a":"😀"}`, `[]`, ``} {
		f.Add([]byte(`{"seq":1,"at":"2026-03-14T12:00:00.000Z","kind":"stop","subject":"","prev":"` + zero + `","body":` + body + `}`))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		row, err := ParseRow(data)
		if err != nil {
			if !errors.Is(err, ErrNotCanonical) && !errors.Is(err, ErrTooLarge) {
				t.Fatalf("an error of no known sort: %v", err)
			}
			return
		}
		if again := encode(row.Seq, row.At, row.Kind, row.Subject, row.Prev, row.Body); !bytes.Equal(again, data) {
			t.Fatalf("read\n%s\nwritten again\n%s", data, again)
		}
		var wire struct {
			Seq           int64
			Kind, Subject string
			Body          map[string]any
		}
		if err := json.Unmarshal(data, &wire); err != nil || wire.Seq != row.Seq || wire.Kind != string(row.Kind) || wire.Subject != row.Subject || wire.Body == nil {
			t.Fatalf("encoding/json reads %+v (%v), ParseRow %+v", wire, err, row)
		}
		canonical, err := canonicalJSON(row.Body)
		if err != nil || !bytes.Equal(canonical, row.Body) {
			t.Fatalf("the body %s becomes %s (%v)", row.Body, canonical, err)
		}
	})
}

// canonicalJSON reads what encoding/json reads, but for repeated keys and depth,
// keeps its meaning, and leaves nothing to do a second time.
func FuzzCanonicalJSON(f *testing.F) {
	for _, doc := range []string{
		`{}`, ` { "a" : [ 1 , -0.5e-3 , true , false , null , "x\u00e9\ud83d\ude00\ud83d\n" ] } `, `{"a":{"b":{}},"c":""}`,
		`{"a":1,"a":2}`, `{"a":00}`, `{"a":.5}`, `{"a":1.}`, `{"a":+1}`, `{"a":"` + "\t" + `"}`, `{"a":"\x"}`, `{"a":tru}`, `{"a"}`, `{,}`, `{"a":1,}`, `[1]`,
	} {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		canonical, err := canonicalJSON(doc)
		if err != nil {
			object := bytes.HasPrefix(bytes.TrimLeft(doc, " \t\r\n"), []byte("{"))
			if object && json.Valid(doc) && !errors.Is(err, errRepeated) && !errors.Is(err, errDeep) {
				t.Fatalf("%q is refused: %v", doc, err)
			}
			return
		}
		if again, err := canonicalJSON(canonical); err != nil || !bytes.Equal(again, canonical) {
			t.Fatalf("%q becomes %q and then %q (%v)", doc, canonical, again, err)
		}
		if got, want := decoded(t, canonical), decoded(t, doc); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q means %v, canonical %q means %v", doc, want, canonical, got)
		}
	})
}

func decoded(t *testing.T, doc []byte) any {
	dec := json.NewDecoder(bytes.NewReader(doc))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("encoding/json does not read %q: %v", doc, err)
	}
	return v
}

// A head that can be read is written again to the byte and has a root. Bytes
// without a good checksum are given one, or nothing would get past it.
func FuzzHead(f *testing.F) {
	head := Head{}
	for i := range 9 {
		data, err := head.MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		if _, head, err = head.Append(noon, sample(i)); err != nil {
			f.Fatal(err)
		}
	}
	f.Add([]byte{})
	f.Add([]byte(strings.Repeat("\xff", headFixed)))
	f.Fuzz(func(t *testing.T, data []byte) {
		var h Head
		accepted := 0
		for _, form := range [][]byte{data, appendSum(bytes.Clone(data)), appendSum(bytes.Clone(data[:max(0, len(data)-headSum)]))} {
			if err := h.UnmarshalBinary(form); err != nil {
				if !errors.Is(err, ErrHead) || accepted == 0 && !h.Equal(Head{}) {
					t.Fatalf("error %v, head %+v", err, h)
				}
				continue
			}
			accepted++
			again, err := h.MarshalBinary()
			if err != nil || !bytes.Equal(again, form) {
				t.Fatalf("read %x, written again %x (%v)", form, again, err)
			}
			if _, err := h.Root(); err != nil {
				t.Fatalf("a head of size %d has no root: %v", h.Size, err)
			}
		}
	})
}

// Each way in which a stored head can be nonsense is refused for itself, with
// the checksum as it should be.
func TestHeadRefusesNonsense(t *testing.T) {
	b := newBuilt(t)
	for i := range 3 {
		b.append(t, noon, sample(i))
	}
	good := marshalled(t, b.last())
	payload := good[:len(good)-headSum]
	with := func(change func(p []byte) []byte) []byte { return appendSum(change(bytes.Clone(payload))) }
	cases := map[string][]byte{
		"nothing":            {},
		"only a version":     {headVersion},
		"another version":    with(func(p []byte) []byte { p[0]++; return p }),
		"a longer frontier":  with(func(p []byte) []byte { return append(p, make([]byte, tlog.HashSize)...) }),
		"half a hash":        with(func(p []byte) []byte { return p[:len(p)-16] }),
		"a larger size":      with(func(p []byte) []byte { binary.BigEndian.PutUint64(p[1:], 7); return p }),
		"a negative size":    with(func(p []byte) []byte { p[1] |= 0x80; return p }),
		"a time before 1970": with(func(p []byte) []byte { p[9] |= 0x80; return p }),
		"another last leaf":  with(func(p []byte) []byte { p[17]++; return p }),
		"empty with a row":   with(func(p []byte) []byte { clear(p[1:9]); return p[:headFixed] }),
		"a wrong checksum":   append(bytes.Clone(payload), make([]byte, headSum)...),
	}
	for name, data := range cases {
		h := b.heads[1]
		if err := h.UnmarshalBinary(data); !errors.Is(err, ErrHead) || !h.Equal(b.heads[1]) {
			t.Errorf("%s: error %v, size %d", name, err, h.Size)
		}
	}
	if len(cases) != 11 {
		t.Fatalf("%d cases", len(cases))
	}
	for size, head := range b.heads {
		var h Head
		if err := h.UnmarshalBinary(marshalled(t, head)); err != nil || !h.Equal(head) || len(h.frontier) != bits.OnesCount(uint(size)) {
			t.Errorf("a head of size %d: %v", size, err)
		}
	}
}
