package statistical

import (
	"math"

	"github.com/countersign/countersign/risk"
)

// Model is a trained model as it is asked. It is immutable.
//
// Features are kept in the order of their hashes. The upper bits of a hash say
// in which bucket it is, the lower 16 which feature of the bucket.
type Model struct {
	buckets []uint32 // where each bucket begins in keys; one more than there are
	keys    []uint16
	ends    []uint32 // where the weights of each feature end
	entries []entry
	head    header
	norms   []float32 // 1/sqrt(n) for the first values of n
}

// entry is a weight that is not zero, in units of the header's scale.
type entry struct {
	class  uint8
	weight int8
}

// header is what a model has besides its weights.
type header struct {
	scale float32 // what a weight of 1 is worth
	bias  [Classes]float32
	slope float32 // of the calibration
	shift float32 // likewise
}

// Tally is the sum of the weights of a text's features, for each class.
type Tally [Classes]int32

// Add adds the weights of one feature to the tally. It reports whether the
// model knows the feature.
func (m *Model) Add(t *Tally, hash uint32) bool {
	first, end := m.find(hash)
	for _, e := range m.entries[first:end] {
		t[e.class%Classes] += int32(e.weight)
	}
	return end > first
}

// find returns where the weights of a feature are; nowhere, for one that the
// model does not know.
func (m *Model) find(hash uint32) (first, end uint32) {
	bucket, key := hash>>16, uint16(hash)
	for i := m.buckets[bucket]; i < m.buckets[bucket+1]; i++ {
		if m.keys[i] < key {
			continue
		}
		if m.keys[i] == key {
			if i > 0 {
				first = m.ends[i-1]
			}
			return first, m.ends[i]
		}
		break
	}
	return 0, 0
}

// Speaks returns how much a feature speaks for a class rather than for none, in
// units of the model.
func (m *Model) Speaks(hash uint32, class int) (units int) {
	first, end := m.find(hash)
	for _, e := range m.entries[first:end] {
		switch int(e.class) {
		case class:
			units += int(e.weight)
		case 0:
			units -= int(e.weight)
		}
	}
	return units
}

// Verdict is what a model makes of a text.
type Verdict struct {
	// Category is the likeliest of the risky ones.
	Category risk.Category
	// Probability says how likely the text has some risky category, 0 to 1,
	// calibrated on texts of apps that the model was not trained on.
	Probability float32
	// Class is the one of Category.
	Class int
}

// Judge returns the verdict on a text whose n features were added to the tally.
func (m *Model) Judge(t *Tally, n int) Verdict {
	logits := m.logits(t, n)
	best := firstRisky
	for c := firstRisky; c < Classes; c++ {
		if logits[c] > logits[best] {
			best = c
		}
	}
	x := m.head.slope*riskOf(&logits) + m.head.shift
	return Verdict{Category: classes[best], Class: best, Probability: float32(1 / (1 + math.Exp(-float64(x))))}
}

// Risk returns the log odds of a risky category before calibration.
func (m *Model) Risk(t *Tally, n int) float32 {
	logits := m.logits(t, n)
	return riskOf(&logits)
}

func (m *Model) logits(t *Tally, n int) (logits [Classes]float32) {
	unit := m.head.scale * m.norm(n)
	for c := range logits {
		logits[c] = float32(t[c])*unit + m.head.bias[c]
	}
	return logits
}

// norm is what each of n features counts: long texts have more of them.
func (m *Model) norm(n int) float32 {
	if n < len(m.norms) {
		return m.norms[n]
	}
	return normOf(n)
}

func normOf(n int) float32 { return float32(1 / math.Sqrt(float64(max(n, 1)))) }

// riskOf is the log of the odds of the risky classes together.
func riskOf(logits *[Classes]float32) float32 {
	return logSum(logits[firstRisky:]) - logSum(logits[:firstRisky])
}

// logSum is the logarithm of the sum of the exponentials.
func logSum(x []float32) float32 {
	top := x[0]
	for _, v := range x[1:] {
		top = max(top, v)
	}
	sum := 0.0
	for _, v := range x {
		if d := v - top; d > -16 {
			sum += math.Exp(float64(d))
		}
	}
	return top + float32(math.Log(sum))
}

// Features is how many features the model knows, Weights how many weights they
// have.
func (m *Model) Features() int { return len(m.keys) }

// Weights is how many weights that are not zero the model has.
func (m *Model) Weights() int { return len(m.entries) }

// fillNorms fills in the table of norms.
func (m *Model) fillNorms() {
	m.norms = make([]float32, 256)
	for n := range m.norms {
		m.norms[n] = normOf(n)
	}
}
