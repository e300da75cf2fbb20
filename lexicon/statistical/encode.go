package statistical

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrFormat says that data is no model, or one of another version.
var ErrFormat = errors.New("not a statistical model of this version: train it again with countersign lexicon train")

// The file format, all numbers little-endian: the magic, the header, how many
// features and weights there are; then for each of 65536 buckets how many
// features it has (uint8), for each feature its key (uint16), for each how many
// weights it has (uint8), for each weight its class (half a byte), for each
// weight its value (int8).
const (
	magic      = "countersign labels 1\n"
	bucketsN   = 1 << 16
	headerSize = len(magic) + 4*(3+Classes) + 8
)

// Calibration turns the log odds of a model into those that hold on texts of
// apps it has not seen.
type Calibration struct{ Slope, Shift float32 }

// Encode makes the weights small and writes them as a model: at most so many
// features, those that say most, each weight one byte. The calibration is kept
// with it.
func (w *Weights) Encode(features int, c Calibration) []byte {
	q := w.quantise(features)
	b := make([]byte, 0, headerSize+bucketsN+3*len(q.features)+2*q.weights)
	b = append(b, magic...)
	for _, v := range append([]float32{q.scale, c.Slope, c.Shift}, w.bias[:]...) {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(q.features)))
	b = binary.LittleEndian.AppendUint32(b, uint32(q.weights))
	first := len(b)
	b = append(b, make([]byte, bucketsN)...)
	for _, f := range q.features {
		b[first+int(f.hash>>16)]++
		b = binary.LittleEndian.AppendUint16(b, uint16(f.hash))
	}
	for _, f := range q.features {
		b = append(b, f.weights())
	}
	half := byte(0)
	n := 0
	for _, f := range q.features {
		for class, v := range f.values {
			if v == 0 {
				continue
			}
			if n++; n%2 == 1 {
				half = byte(class)
			} else {
				b = append(b, half|byte(class)<<4)
			}
		}
	}
	if n%2 == 1 {
		b = append(b, half)
	}
	for _, f := range q.features {
		for _, v := range f.values {
			if v != 0 {
				b = append(b, byte(v))
			}
		}
	}
	return b
}

// small is a feature with its weights made small.
type small struct {
	hash   uint32
	values [Classes]int8
}

func (s *small) weights() (n byte) {
	for _, v := range s.values {
		if v != 0 {
			n++
		}
	}
	return n
}

// quantised is a model made small.
type quantised struct {
	scale    float32
	features []small
	weights  int
}

// largest is the weight that an int8 stands for at most; what is larger is cut.
const largest = 4

// faintest is the largest weight that is left out to save room, in units.
const faintest = 3

// quantise rounds the weights of the features that say most, in the order of
// their hashes.
func (w *Weights) quantise(most int) quantised {
	q := quantised{scale: float32(largest) / math.MaxInt8}
	order := make([]int32, len(w.hashes))
	says := make([]float32, len(w.hashes))
	for i := range order {
		order[i] = int32(i)
		low, high := slices.Min(w.of[i][:]), slices.Max(w.of[i][:])
		says[i] = high - low
	}
	if len(order) > most {
		slices.SortFunc(order, func(i, j int32) int {
			return cmp.Or(cmp.Compare(says[j], says[i]), cmp.Compare(w.hashes[i], w.hashes[j]))
		})
		order = order[:most]
	}
	slices.SortFunc(order, func(i, j int32) int { return cmp.Compare(w.hashes[i], w.hashes[j]) })
	inBucket := 0
	for n, i := range order {
		if n > 0 && w.hashes[order[n-1]]>>16 == w.hashes[i]>>16 {
			inBucket++
		} else {
			inBucket = 0
		}
		s := small{hash: w.hashes[i]}
		for c, v := range w.of[i] {
			rounded := max(-math.MaxInt8, min(math.MaxInt8, math.Round(float64(v/q.scale))))
			if rounded > faintest || rounded < -faintest {
				s.values[c] = int8(rounded)
			}
		}
		if n := s.weights(); n > 0 && inBucket < math.MaxUint8 {
			q.features = append(q.features, s)
			q.weights += int(n)
		}
	}
	return q
}

// Parse reads a model that Encode wrote. It keeps no reference to data. The
// error wraps [ErrFormat].
func Parse(data []byte) (*Model, error) {
	if len(data) < headerSize+bucketsN || string(data[:len(magic)]) != magic {
		return nil, ErrFormat
	}
	m := &Model{}
	rest := data[len(magic):]
	number := func() uint32 {
		v := binary.LittleEndian.Uint32(rest)
		rest = rest[4:]
		return v
	}
	for _, field := range []*float32{&m.head.scale, &m.head.slope, &m.head.shift} {
		*field = math.Float32frombits(number())
	}
	for c := range m.head.bias {
		m.head.bias[c] = math.Float32frombits(number())
	}
	for _, v := range append([]float32{m.head.scale, m.head.slope, m.head.shift}, m.head.bias[:]...) {
		if v != v || v > math.MaxFloat32/1e6 || v < -math.MaxFloat32/1e6 {
			return nil, fmt.Errorf("%w: its header holds no numbers", ErrFormat)
		}
	}
	features, weights := int(number()), int(number())
	if features > len(rest) || weights > len(rest) || len(rest) != bucketsN+3*features+(weights+1)/2+weights {
		return nil, fmt.Errorf("%w: it is %d bytes long", ErrFormat, len(data))
	}
	if err := m.unpack(rest, features, weights); err != nil {
		return nil, err
	}
	m.fillNorms()
	return m, nil
}

// unpack reads the tables behind the header.
func (m *Model) unpack(rest []byte, features, weights int) error {
	perBucket, rest := rest[:bucketsN], rest[bucketsN:]
	m.buckets = make([]uint32, bucketsN+1)
	for b, n := range perBucket {
		m.buckets[b+1] = m.buckets[b] + uint32(n)
	}
	m.keys = make([]uint16, features)
	for i := range m.keys {
		m.keys[i] = binary.LittleEndian.Uint16(rest[2*i:])
	}
	counts, rest := rest[2*features:3*features], rest[3*features:]
	total := 0
	for _, n := range counts {
		total += int(n)
	}
	if int(m.buckets[bucketsN]) != features || total != weights {
		return fmt.Errorf("%w: its tables disagree", ErrFormat)
	}
	m.weights = weights
	return m.unpackRows(counts, rest[:(weights+1)/2], rest[(weights+1)/2:])
}

// unpackRows makes the rows of features that have so many weights each, of which
// the classes, two in a byte, and the values are given.
func (m *Model) unpackRows(counts, classes, values []byte) error {
	m.rows = make([]row, len(counts))
	at := 0
	for i, n := range counts {
		r, next := &m.rows[i], byte(0)
		*r = noWeights
		for _, v := range values[at : at+int(n)] {
			class := classes[at/2] >> (at % 2 * 4) & 0xF
			if class < next {
				return fmt.Errorf("%w: the classes of a feature are in no order", ErrFormat)
			}
			r[class] = v ^ middle // two's complement plus middle
			next = class + 1
			at++
		}
	}
	return nil
}

// noWeights is the row of a feature without weights.
var noWeights = row{middle, middle, middle, middle, middle, middle, middle, middle,
	middle, middle, middle, middle, middle, middle, middle, middle}
