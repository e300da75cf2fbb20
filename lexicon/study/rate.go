package study

import "math"

// A Rate is a share with its interval at 95 %. Rows of one app are alike, so
// the number of rows is divided by the design effect, as in package lab.
type Rate struct {
	Hits  int     `json:"hits"`
	Total int     `json:"total"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Percent is the share in percent, 0 where there are no rows.
func (r Rate) Percent() float64 {
	if r.Total == 0 {
		return 0
	}
	return 100 * float64(r.Hits) / float64(r.Total)
}

// counter counts hits by app.
type counter struct{ apps map[string]*[2]int }

func (c *counter) add(app string, hit bool) {
	if c.apps == nil {
		c.apps = map[string]*[2]int{}
	}
	n := c.apps[app]
	if n == nil {
		n = new([2]int)
		c.apps[app] = n
	}
	n[1]++
	if hit {
		n[0]++
	}
}

func (c *counter) rate() Rate {
	var r Rate
	for _, n := range c.apps {
		r.Hits += n[0]
		r.Total += n[1]
	}
	if r.Total == 0 {
		return r
	}
	p, n, m := float64(r.Hits)/float64(r.Total), float64(r.Total), float64(len(c.apps))
	effect := 1.0
	if m > 1 && p > 0 && p < 1 {
		sum := 0.0
		for _, app := range c.apps {
			d := float64(app[0]) - p*float64(app[1])
			sum += d * d
		}
		effect = max(1, m/(m-1)*sum/(n*p*(1-p)))
	}
	r.Low, r.High = wilson(p, n/effect)
	// The sum above runs over a map; the last digits must not tell.
	r.Low, r.High = math.Round(r.Low*1e6)/1e6, math.Round(r.High*1e6)/1e6
	return r
}

// wilson is the 95 % score interval of a share p of n trials.
func wilson(p, n float64) (low, high float64) {
	const z = 1.959964
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n)) / (1 + z*z/n)
	return max(0, middle-half), min(1, middle+half)
}
