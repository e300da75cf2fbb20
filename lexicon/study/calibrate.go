package study

import (
	"math"

	"github.com/countersign/countersign/lexicon/statistical"
	"github.com/countersign/countersign/risk"
)

// calibrate fits the calibration to the rows that the model was asked about and
// had not seen, and applies it to their probabilities.
func (s *Study) calibrate() {
	var odds []float64
	var risky []bool
	for i := range s.Outcomes {
		if o := &s.Outcomes[i]; o.Given.Guess != risk.None {
			odds = append(odds, logit(o.Given.Probability))
			risky = append(risky, o.Want != risk.None)
		}
	}
	s.Calibration = fit(odds, risky)
	for i := range s.Outcomes {
		o := &s.Outcomes[i]
		for _, p := range []*float32{&o.Given.Probability, &o.Blind.Probability, &o.Alone} {
			if *p > 0 {
				*p = squash(float64(s.Calibration.Slope)*logit(*p) + float64(s.Calibration.Shift))
			}
		}
	}
}

func logit(p float32) float64 {
	q := min(max(float64(p), 1e-7), 1-1e-7)
	return math.Log(q / (1 - q))
}

func squash(x float64) float32 { return float32(1 / (1 + math.Exp(-x))) }

// fit finds the slope and shift under which the odds are likeliest, by Newton's
// method. Without rows of both kinds it changes nothing.
func fit(odds []float64, risky []bool) statistical.Calibration {
	slope, shift := 1.0, 0.0
	for range 30 {
		var ga, gb, haa, hab, hbb float64
		for i, x := range odds {
			p := 1 / (1 + math.Exp(-slope*x-shift))
			off := p
			if risky[i] {
				off--
			}
			w := p * (1 - p)
			ga, gb = ga+off*x, gb+off
			haa, hab, hbb = haa+w*x*x, hab+w*x, hbb+w
		}
		det := haa*hbb - hab*hab
		if det < 1e-9 {
			break
		}
		slope -= (hbb*ga - hab*gb) / det
		shift -= (haa*gb - hab*ga) / det
	}
	if !(slope > 0) || math.IsInf(slope, 0) || math.IsNaN(shift) {
		return statistical.Calibration{Slope: 1}
	}
	return statistical.Calibration{Slope: float32(slope), Shift: float32(shift)}
}
