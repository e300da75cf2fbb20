package ledger

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"
)

// The bytes of a row are a promise: a ledger of today is verified by the
// programs of later years.
func TestCanonicalBytes(t *testing.T) {
	_, head, err := Head{}.Append(noon, Entry{Kind: KindStart, Body: Change{By: "anna", What: "countersign"}})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 14, 13, 0, 0, 7_999_999, time.FixedZone("CET", 3600))
	row, _, err := head.Append(at, Entry{KindResult, `a "1" ` + "\u2028<é>", Result{Approval: "q1", OK: true, Note: "tab\tend\x01 <b>&\u2029"}})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"seq":2,"at":"2026-03-14T12:00:00.007Z","kind":"result","subject":"a \"1\" \u2028<é>",` +
		`"prev":"aV/WJU9SdtneLItWo/4y4k0xcS3hpuXaDlB4exJP0Zg=",` +
		`"body":{"approval":"q1","ok":true,"code":"","note":"tab\tend\u0001 <b>&\u2029"}}`
	if string(row.Data) != want {
		t.Errorf("the row is\n%s\nwant\n%s", row.Data, want)
	}
	const hash = "1KXshpZcPw6pSVxXiPQMh4rbqIwU3HaCPlC/uyf9mZ4="
	if row.Hash.String() != hash || row.Hash != tlog.RecordHash([]byte(want)) {
		t.Errorf("the hash is %s, want %s", row.Hash, hash)
	}
	if !json.Valid(row.Data) || string(row.Body) != want[strings.Index(want, `"body":`)+7:len(want)-1] {
		t.Errorf("the body is %s", row.Body)
	}
}

func TestAppendRefuses(t *testing.T) {
	b := newBuilt(t)
	b.append(t, noon, sample(0))
	head := b.last()
	loop := map[string]any{}
	loop["loop"] = loop
	good := Entry{KindStop, "", Change{}}
	cases := []struct {
		name  string
		at    time.Time
		entry Entry
		want  error
	}{
		{"no kind", noon, Entry{"", "", nil}, ErrKind},
		{"kind with a quote", noon, Entry{`a"`, "", nil}, ErrKind},
		{"long kind", noon, Entry{Kind(strings.Repeat("k", 33)), "", nil}, ErrKind},
		{"long subject", noon, Entry{KindStop, strings.Repeat("s", MaxSubject+1), nil}, ErrSubject},
		{"subject with a line break", noon, Entry{KindStop, "a\nb", nil}, ErrSubject},
		{"subject that is no UTF-8", noon, Entry{KindStop, "\xff", nil}, ErrSubject},
		{"list", noon, Entry{KindStop, "", []int{1}}, ErrBody},
		{"string", noon, Entry{KindStop, "", "stop"}, ErrBody},
		{"function", noon, Entry{KindStop, "", func() {}}, ErrBody},
		{"broken raw JSON", noon, Entry{KindStop, "", json.RawMessage(`{"a":`)}, ErrBody},
		{"key twice", noon, Entry{KindStop, "", json.RawMessage(`{"a":1,"\u0061":2}`)}, ErrBody},
		{"body without an end", noon, Entry{KindStop, "", loop}, ErrBody},
		{"deep body", noon, Entry{KindStop, "", json.RawMessage(`{"a":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`)}, ErrBody},
		{"zero time", time.Time{}, good, ErrTime},
		{"year 10000", noon.AddDate(8000, 0, 0), good, ErrTime},
		{"large body", noon, Entry{KindStop, "", map[string]string{"a": strings.Repeat("no secret. ", MaxRow/11)}}, ErrTooLarge},
	}
	for _, c := range cases {
		row, after, err := head.Append(c.at, c.entry)
		if !errors.Is(err, c.want) || row.Data != nil || !after.Equal(head) {
			t.Errorf("%s: error %v, head of size %d; want %v and the head as it was", c.name, err, after.Size, c.want)
		}
	}
	if len(cases) != 16 {
		t.Fatalf("%d cases", len(cases))
	}
	// A failed entry leaves no gap.
	b.append(t, noon, good)
	if report := verify(t, &b.stored, b.publicKey, VerifyOptions{}); !report.OK() || report.Rows != 2 {
		t.Errorf("after refusals: %+v", report.First)
	}
}

// When the clock goes back, time stands still in the ledger.
func TestTimeNeverGoesBack(t *testing.T) {
	b := newBuilt(t)
	for _, at := range []time.Time{noon, noon.Add(-time.Hour), noon.Add(1500 * time.Microsecond), noon} {
		b.append(t, at, sample(0))
	}
	want := []time.Duration{0, 0, time.Millisecond, time.Millisecond}
	for i, row := range b.rows {
		if got := row.At.Sub(noon); got != want[i] || row.At.Location() != time.UTC {
			t.Errorf("row %d is at %v after noon, want %v", row.Seq, got, want[i])
		}
	}
}

// Two rows appended to one head are two futures; neither touches the other.
func TestHeadIsAValue(t *testing.T) {
	b := newBuilt(t)
	for i := range 6 {
		b.append(t, noon, sample(i))
	}
	head := b.last()
	_, one, err := head.Append(noon, sample(6))
	if err != nil {
		t.Fatal(err)
	}
	before, _ := one.Root()
	_, other, err := head.Append(noon, sample(7))
	if err != nil {
		t.Fatal(err)
	}
	after, _ := one.Root()
	different, _ := other.Root()
	if before != after || before == different {
		t.Error("appending to the same head again changed the first result")
	}
}

// The root is that of the tree of package tlog, computed from all hashes.
func TestRootIsThatOfTheWholeTree(t *testing.T) {
	b := newBuilt(t)
	var all []Hash
	read := tlog.HashReaderFunc(func(indexes []int64) ([]Hash, error) {
		out := make([]Hash, len(indexes))
		for i, index := range indexes {
			out[i] = all[index]
		}
		return out, nil
	})
	for i := range 300 {
		want, err := tlog.TreeHash(int64(i), read)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := b.last().Root(); err != nil || got != want {
			t.Fatalf("the root of %d rows is %v (%v), want %v", i, got, err, want)
		}
		b.append(t, noon, sample(i))
		hashes, err := tlog.StoredHashes(int64(i), b.rows[i].Data, read)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, hashes...)
	}
	if _, err := (Head{Size: 3}).Root(); err == nil {
		t.Error("a head put together by hand has a root")
	}
	if _, err := (Head{Size: 3}).MarshalBinary(); err == nil {
		t.Error("a head put together by hand can be written")
	}
}

func TestProofs(t *testing.T) {
	b := newBuilt(t)
	var hashes []Hash
	for i := range 21 {
		b.append(t, noon, sample(i))
		hashes = append(hashes, b.rows[i].Hash)
	}
	checked := 0
	for size := int64(1); size <= 21; size++ {
		root, err := b.heads[size].Root()
		if err != nil {
			t.Fatal(err)
		}
		for seq := int64(1); seq <= size; seq++ {
			proof, err := Prove(hashes[:size], seq)
			if err != nil {
				t.Fatal(err)
			}
			if err := CheckProof(proof, size, root, seq, hashes[seq-1]); err != nil {
				t.Errorf("row %d of %d: %v", seq, size, err)
			}
			other := hashes[seq%size]
			if err := CheckProof(proof, size, root, seq, other); other != hashes[seq-1] && !errors.Is(err, ErrProof) {
				t.Errorf("row %d of %d: the proof fits another row: %v", seq, size, err)
			}
			checked++
		}
	}
	if checked != 231 {
		t.Fatalf("%d proofs were checked", checked)
	}
	for _, seq := range []int64{0, -1, 22} {
		if _, err := Prove(hashes, seq); err == nil {
			t.Errorf("there is a proof for row %d of 21", seq)
		}
		if err := CheckProof(nil, 21, Hash{}, seq, Hash{}); !errors.Is(err, ErrProof) {
			t.Errorf("an empty proof for row %d of 21: %v", seq, err)
		}
	}
}
