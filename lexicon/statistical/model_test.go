package statistical

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"
)

// plainly is a model as its file has it, asked in the plainest way.
type plainly struct {
	of   map[uint32][Classes]int
	keys []uint32
	m    *Model // for its header
}

// readPlainly reads the tables of a model's file.
func readPlainly(t *testing.T, data []byte) *plainly {
	t.Helper()
	p := &plainly{of: map[uint32][Classes]int{}, m: parsed(t, data)}
	n, weights := p.m.Features(), p.m.Weights()
	counts, rest := data[headerSize:headerSize+bucketsN], data[headerSize+bucketsN:]
	for bucket, count := range counts {
		for range count {
			p.keys = append(p.keys, uint32(bucket)<<16|uint32(binary.LittleEndian.Uint16(rest[2*len(p.keys):])))
		}
	}
	perKey, classes, values := rest[2*n:3*n], rest[3*n:3*n+(weights+1)/2], rest[3*n+(weights+1)/2:]
	at := 0
	for i, key := range p.keys {
		var row [Classes]int
		for range perKey[i] {
			class := classes[at/2] & 0xF
			if at%2 == 1 {
				class = classes[at/2] >> 4
			}
			row[class] = int(int8(values[at]))
			at++
		}
		p.of[key] = row
	}
	return p
}

// judge is Judge.
func (p *plainly) judge(hashes []uint32) Verdict {
	var sums [Classes]int
	for _, h := range hashes {
		for c, w := range p.of[h] {
			sums[c] += w
		}
	}
	var logits [Classes]float32
	unit := p.m.head.scale * float32(1/math.Sqrt(float64(max(len(hashes), 1))))
	for c := range logits {
		logits[c] = float32(sums[c])*unit + p.m.head.bias[c]
	}
	best := firstRisky
	for c := range logits {
		if c > best && logits[c] > logits[best] {
			best = c
		}
	}
	x := p.m.head.slope*(logSum(logits[firstRisky:])-logSum(logits[:firstRisky])) + p.m.head.shift
	return Verdict{Category: classes[best], Class: best, Probability: float32(1 / (1 + math.Exp(-float64(x))))}
}

// agrees holds the model against the plain one on the features of a text.
func (p *plainly) agrees(t interface{ Errorf(string, ...any) }, hashes []uint32, least float32) (spoke bool) {
	want := p.judge(hashes)
	var tally, other Tally
	for _, h := range hashes {
		row, known := p.of[h]
		if got := p.m.Add(&tally, h); got != known {
			t.Errorf("feature %x is known: %v, want %v", h, got, known)
		}
		place := p.m.Find(h)
		p.m.AddAt(&other, place)
		for class := range Classes {
			if got := p.m.Speaks(place, class); got != row[class]-row[0] {
				t.Errorf("feature %x speaks with %d for class %d, want %d", h, got, class, row[class]-row[0])
			}
		}
	}
	if got := p.m.Judge(&tally, len(hashes)); got != want {
		t.Errorf("%d features are judged %+v, want %+v", len(hashes), got, want)
	}
	got, ok := p.m.JudgeFrom(&other, len(hashes), least)
	if ok != (want.Probability >= least) || ok && got != want {
		t.Errorf("%d features from %v on are judged %+v %v, want %+v", len(hashes), least, got, ok, want)
	}
	return ok
}

// The model as it is asked says to the last bit what its file says: texts of
// all lengths, also of more features than the sums of a tally hold at once.
func TestModelSaysWhatItsFileSays(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "statistical.model"))
	if err != nil {
		t.Fatal(err)
	}
	p := readPlainly(t, data)
	spoke, silent := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		known := rapid.SampledFrom(p.keys)
		// The same few features again and again add up to what is far from zero.
		some := rapid.SliceOfN(known, 1, 4).Draw(t, "some")
		hashes := rapid.SliceOfN(rapid.OneOf(known, rapid.SampledFrom(some), rapid.Uint32()), 0, 120).Draw(t, "features")
		for range rapid.IntRange(0, 3).Draw(t, "doubled") {
			hashes = append(hashes, hashes...)
		}
		if p.agrees(t, hashes, rapid.Float32Range(0, 1).Draw(t, "least")) {
			spoke++
		} else {
			silent++
		}
	})
	if spoke == 0 || silent == 0 {
		t.Errorf("the model spoke about %d texts and was silent about %d", spoke, silent)
	}
	var most []uint32
	for range 3 * mostRows {
		most = append(most, p.keys[0])
	}
	p.agrees(t, most, 0.5)
}

// A file whose features have their classes twice or out of order is refused: in
// a row each class has one place.
func TestParseRefusesClassesInDisorder(t *testing.T) {
	good := tiny().Train(Options{}).Encode(1000, Calibration{Slope: 1})
	n := parsed(t, good).Features()
	first := headerSize + bucketsN + 3*n
	if good[headerSize+bucketsN+2*n] < 2 {
		t.Fatal("the first feature has one weight only")
	}
	for _, classes := range []byte{0x11, 0x01} {
		bad := append([]byte{}, good...)
		bad[first] = classes // of the first two weights, the first in the low half
		if _, err := Parse(bad); err == nil {
			t.Errorf("classes %x are accepted", classes)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	data, err := os.ReadFile(filepath.Join("..", "statistical.model"))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Parse(data); err != nil {
			b.Fatal(err)
		}
	}
}
