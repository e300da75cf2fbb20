package statistical

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/countersign/countersign/risk"
	"pgregory.net/rapid"
)

// tiny is a corpus of invented texts: a feature below 100 stands in texts that
// pay, one from 100 in texts that do nothing.
func tiny() *Corpus {
	c := &Corpus{}
	money, _ := ClassOf(risk.Money)
	none, _ := ClassOf(risk.None)
	for i := range uint32(200) {
		class, shift := money, uint32(0)
		if i%2 == 0 {
			class, shift = none, 100
		}
		c.Add([]uint32{shift + i%7, shift + 10 + i%11, 1_000_000 + i%3}, class, []uint16{uint16(i % 5)})
	}
	return c
}

func TestTrainingIsDeterministic(t *testing.T) {
	first := tiny().Train(Options{}).Encode(1000, Calibration{Slope: 1})
	second := tiny().Train(Options{}).Encode(1000, Calibration{Slope: 1})
	if !bytes.Equal(first, second) {
		t.Fatal("two trainings on the same texts differ")
	}
	other := tiny().Train(Options{Epochs: 1}).Encode(1000, Calibration{Slope: 1})
	if bytes.Equal(first, other) {
		t.Fatal("the options change nothing")
	}
}

func TestTrainingLearns(t *testing.T) {
	m := parsed(t, tiny().Train(Options{}).Encode(1000, Calibration{Slope: 1}))
	for _, c := range []struct {
		features []uint32
		risky    bool
	}{{[]uint32{1, 11, 1_000_001}, true}, {[]uint32{101, 111, 1_000_001}, false}, {[]uint32{6, 19}, true}} {
		v := judge(m, c.features)
		if (v.Probability > 0.5) != c.risky || v.Category != risk.Money && c.risky {
			t.Errorf("%v: %s at %.2f", c.features, v.Category, v.Probability)
		}
	}
	if got := judge(m, nil).Probability; math.IsNaN(float64(got)) {
		t.Error("a text without features has no probability")
	}
}

// What only one app has is not learned, nor anything of an app left out.
func TestOneAppTeachesNothing(t *testing.T) {
	c := tiny()
	money, _ := ClassOf(risk.Money)
	for range 50 {
		c.Add([]uint32{777}, money, []uint16{3})
	}
	m := parsed(t, c.Train(Options{}).Encode(1000, Calibration{Slope: 1}))
	if s := m.Speaks(m.Find(777), money); s != 0 {
		t.Errorf("a feature of one app speaks with %d", s)
	}
	c.Add([]uint32{777}, money, []uint16{4})
	m = parsed(t, c.Train(Options{}).Encode(1000, Calibration{Slope: 1}))
	if m.Speaks(m.Find(777), money) <= 0 {
		t.Error("a feature of two apps does not speak")
	}
	m = parsed(t, c.Train(Options{LeaveOut: []uint16{4}}).Encode(1000, Calibration{Slope: 1}))
	if s := m.Speaks(m.Find(777), money); s != 0 {
		t.Errorf("with one of the two left out it speaks with %d", s)
	}
}

// A weight is off by at most half a unit, or cut at the largest one.
func TestQuantisationIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &Weights{hashes: []uint32{rapid.Uint32().Draw(t, "hash")}, of: make([][Classes]float32, 1)}
		for c := range w.of[0] {
			w.of[0][c] = rapid.Float32Range(-6, 6).Draw(t, "weight")
		}
		q := w.quantise(1)
		if len(q.features) == 0 {
			return
		}
		for c, v := range w.of[0] {
			back := float32(q.features[0].values[c]) * q.scale
			cut := max(-largest, min(largest, v))
			if bound := q.scale * (faintest + 0.501); abs(back-cut) > bound {
				t.Errorf("%v became %v", v, back)
			}
		}
	})
}

func abs(x float32) float32 { return max(x, -x) }

func TestParseRefuses(t *testing.T) {
	good := tiny().Train(Options{}).Encode(1000, Calibration{Slope: 1})
	parsed(t, good)
	tried := 0
	for _, bad := range [][]byte{nil, []byte("no model"), good[:len(good)-1], append(bytes.Clone(good), 0), bytes.Replace(good, []byte("labels 1"), []byte("labels 2"), 1)} {
		if _, err := Parse(bad); !errors.Is(err, ErrFormat) {
			t.Errorf("%d bytes: %v", len(bad), err)
		}
		tried++
	}
	if tried != 5 {
		t.Fatalf("%d tried", tried)
	}
}

// Any bytes are refused or make a model that can be asked.
func FuzzParse(f *testing.F) {
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Parse(data)
		if err == nil && m == nil || err != nil && !errors.Is(err, ErrFormat) {
			t.Fatalf("%v, %v", m, err)
		}
		if m != nil {
			judge(m, []uint32{0, 1, math.MaxUint32})
		}
	})
}

func parsed(t *testing.T, data []byte) *Model {
	t.Helper()
	m, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func judge(m *Model, features []uint32) Verdict {
	var tally Tally
	for _, f := range features {
		m.Add(&tally, f)
	}
	return m.Judge(&tally, len(features))
}
