package statistical

import (
	"math"
	"math/rand/v2"
)

// Options are how a model is trained. The zero value of a field is its default.
type Options struct {
	// Epochs is how often each text is seen; 8.
	Epochs int
	// Rate is the step of learning; 0.8.
	Rate float32
	// MinApps is how many apps must have a feature for it to count; 2.
	MinApps int
	// AppTexts is how many texts an app may have before they count less; 1500.
	AppTexts int
	// TextWeight is how much a text counts at most that many apps have; 2.
	TextWeight float32
	// RiskyWeight is how much a risky text counts beside a harmless one; 0.6.
	RiskyWeight float32
	// LeaveOut are the apps that are not learned from.
	LeaveOut []uint16
}

func (o Options) withDefaults() Options {
	setDefault(&o.Rate, 0.8)
	setDefault(&o.MinApps, 2)
	setDefault(&o.AppTexts, 1500)
	setDefault(&o.Epochs, 8)
	setDefault(&o.TextWeight, 2)
	setDefault(&o.RiskyWeight, 0.6)
	return o
}

func setDefault[T int | float32](field *T, value T) {
	if *field == 0 {
		*field = value
	}
}

// Weights are the result of training, before they are made small.
type Weights struct {
	hashes []uint32
	of     [][Classes]float32
	bias   [Classes]float32
}

// trainer is a training under way.
type trainer struct {
	options Options
	weights [][Classes]float32
	steps   [][Classes]float32 // sums of squared gradients
	bias    [Classes]float32
	biases  [Classes]float32
}

// Train learns from the corpus. It takes some seconds for half a million texts,
// on one core, always in the same order.
func (c *Corpus) Train(o Options) *Weights {
	o = o.withDefaults()
	leftOut := make([]bool, c.apps)
	for _, app := range o.LeaveOut {
		leftOut[app] = true
	}
	place, hashes := c.places(c.seenWidely(o.MinApps, leftOut))
	t := &trainer{options: o, weights: make([][Classes]float32, len(hashes)), steps: make([][Classes]float32, len(hashes))}
	amount := c.weights(&o, leftOut)
	order := make([]int32, 0, len(c.texts))
	for i, w := range amount {
		if w > 0 {
			order = append(order, int32(i))
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	var features []int32
	for epoch := range o.Epochs {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		rate := o.Rate * (1 - float32(epoch)/float32(o.Epochs))
		for _, i := range order {
			text := &c.texts[i]
			features = features[:0]
			for _, f := range text.features {
				if p := place[f]; p >= 0 {
					features = append(features, p)
				}
			}
			t.learn(features, normOf(len(text.features)), int(text.class), amount[i], rate)
		}
	}
	return &Weights{hashes: hashes, of: t.weights, bias: t.bias}
}

// places numbers the features that are kept; the others have the place -1.
func (c *Corpus) places(keep []bool) (place []int32, hashes []uint32) {
	place = make([]int32, len(keep))
	for f, kept := range keep {
		place[f] = -1
		if kept {
			place[f] = int32(len(hashes))
			hashes = append(hashes, c.hashes[f])
		}
	}
	return place, hashes
}

// tooLittle is how far a probability may be off without anything being learned
// from it.
const tooLittle = 0.004

// learn moves the weights by what one text teaches.
func (t *trainer) learn(features []int32, norm float32, class int, amount, rate float32) {
	logits := t.bias
	for _, f := range features {
		w := &t.weights[f]
		for c := range logits {
			logits[c] += w[c] * norm
		}
	}
	sum := logSum(logits[:])
	for c := range logits {
		off := float32(math.Exp(float64(logits[c] - sum)))
		if c == class {
			off--
		}
		if off < tooLittle && off > -tooLittle {
			continue
		}
		t.move(features, c, off*amount, norm, rate)
	}
}

// move moves the weights of one class against a gradient.
func (t *trainer) move(features []int32, c int, gradient, norm, rate float32) {
	t.biases[c] += gradient * gradient
	t.bias[c] -= rate * gradient / float32(math.Sqrt(float64(t.biases[c]+1)))
	gradient *= norm
	for _, f := range features {
		t.steps[f][c] += gradient * gradient
		t.weights[f][c] -= rate * gradient / float32(math.Sqrt(float64(t.steps[f][c]+1e-6)))
	}
}
