package statistical

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/countersign/countersign/risk"
)

// Model is a trained model as it is asked. It is immutable.
//
// Features are kept in the order of their hashes. The upper bits of a hash say
// in which bucket it is, the lower 16 which feature of the bucket.
type Model struct {
	buckets []uint32 // where each bucket begins in keys; one more than there are
	keys    []uint16
	rows    []row // the weights of each feature
	weights int   // how many weights are not zero
	head    header
	norms   []float32 // 1/sqrt(n) for the first values of n
}

// row holds the weights of a feature in units of the header's scale, a byte for
// each class: the weight plus [middle]. Without signs, the bytes of many rows
// can be added side by side.
type row [Classes]byte

// middle is the byte of a weight of zero.
const middle = 128

func (r *row) weight(class int) int { return int(r[class]) - middle }

// header is what a model has besides its weights.
type header struct {
	scale float32 // what a weight of 1 is worth
	bias  [Classes]float32
	slope float32 // of the calibration
	shift float32 // likewise
}

// Tally is the sum of the weights of a text's features, for each class. The zero
// value is that of no features.
type Tally struct {
	// Four sums of 16 bits in each: of the classes 0, 2, 4 and 6, then 1, 3, 5
	// and 7, and so on.
	lanes [4]uint64
	rows  int // in lanes
	sums  [Classes]int32
}

// mostRows is how many rows the 16 bits of a lane hold for certain.
const mostRows = math.MaxUint16 / math.MaxUint8

// add adds the weights of a row.
func (t *Tally) add(r *row) {
	const evenBytes = 0x00FF00FF00FF00FF
	first, second := binary.LittleEndian.Uint64(r[:8]), binary.LittleEndian.Uint64(r[8:])
	t.lanes[0] += first & evenBytes
	t.lanes[1] += first >> 8 & evenBytes
	t.lanes[2] += second & evenBytes
	t.lanes[3] += second >> 8 & evenBytes
	if t.rows++; t.rows == mostRows {
		t.settle()
	}
}

// settle moves what is in the lanes to the sums.
func (t *Tally) settle() {
	for c := range t.sums {
		lane := uint16(t.lanes[c/8*2+c%2] >> (c % 8 / 2 * 16))
		t.sums[c] += int32(lane) - int32(t.rows)*middle
	}
	t.lanes, t.rows = [4]uint64{}, 0
}

// Place is where a model has a feature.
type Place int32

// Nowhere is the place of a feature that the model does not know.
const Nowhere Place = -1

// Find returns the place of a feature.
func (m *Model) Find(hash uint32) Place {
	bucket, key := hash>>16, uint16(hash)
	for i := m.buckets[bucket]; i < m.buckets[bucket+1]; i++ {
		if m.keys[i] >= key {
			if m.keys[i] == key {
				return Place(i)
			}
			break
		}
	}
	return Nowhere
}

// Add adds the weights of one feature to the tally. It reports whether the
// model knows the feature.
func (m *Model) Add(t *Tally, hash uint32) bool {
	p := m.Find(hash)
	m.AddAt(t, p)
	return p != Nowhere
}

// AddAt adds the weights of the feature at p to the tally, none for [Nowhere].
func (m *Model) AddAt(t *Tally, p Place) {
	if p >= 0 {
		t.add(&m.rows[p])
	}
}

// Speaks returns how much the feature at p speaks for a class rather than for
// none, in units of the model.
func (m *Model) Speaks(p Place, class int) (units int) {
	if p < 0 {
		return 0
	}
	return m.rows[p].weight(class) - m.rows[p].weight(0)
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
	return m.verdict(&logits)
}

// JudgeFrom is Judge where only verdicts of at least that probability are asked
// for; ok is false for others. Most texts are far from it and cost less to tell.
func (m *Model) JudgeFrom(t *Tally, n int, least float32) (v Verdict, ok bool) {
	logits := m.logits(t, n)
	if m.mostLikely(&logits) < least {
		return Verdict{}, false
	}
	v = m.verdict(&logits)
	return v, v.Probability >= least
}

// mostLikely is a probability that the verdict does not exceed: that of all
// risky classes being as likely as the likeliest one, and of the harmless ones
// only the likeliest. What rounding can add is added.
func (m *Model) mostLikely(logits *[Classes]float32) float32 {
	risky := slices.Max(logits[firstRisky:]) + riskyAlike
	harmless := slices.Max(logits[:firstRisky])
	if !(m.head.slope >= 0) {
		return 1
	}
	return probability(m.head.slope*(risky-harmless)+m.head.shift+rounding) + rounding
}

const (
	riskyAlike = 2.64 // over the logarithm of how many risky classes there are
	rounding   = 0.01
)

func (m *Model) verdict(logits *[Classes]float32) Verdict {
	best := firstRisky
	for c := firstRisky; c < Classes; c++ {
		if logits[c] > logits[best] {
			best = c
		}
	}
	x := m.head.slope*riskOf(logits) + m.head.shift
	return Verdict{Category: classes[best], Class: best, Probability: probability(x)}
}

// probability is that of log odds.
func probability(x float32) float32 { return float32(1 / (1 + math.Exp(-float64(x)))) }

// Risk returns the log odds of a risky category before calibration.
func (m *Model) Risk(t *Tally, n int) float32 {
	logits := m.logits(t, n)
	return riskOf(&logits)
}

func (m *Model) logits(t *Tally, n int) (logits [Classes]float32) {
	if t.rows > 0 {
		t.settle()
	}
	unit := m.head.scale * m.norm(n)
	for c := range logits {
		logits[c] = float32(t.sums[c])*unit + m.head.bias[c]
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
func (m *Model) Weights() int { return m.weights }

// fillNorms fills in the table of norms.
func (m *Model) fillNorms() {
	m.norms = make([]float32, 256)
	for n := range m.norms {
		m.norms[n] = normOf(n)
	}
}
