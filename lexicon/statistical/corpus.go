package statistical

import "slices"

// Corpus is what a model is trained on: texts as features, each with its class
// and the apps that have it. It is not safe for concurrent use while it is
// filled, and is afterwards.
type Corpus struct {
	hashes []uint32         // of the distinct features
	ids    map[uint32]int32 // their places in hashes
	texts  []text
	apps   int // how many apps there are
}

// text is one text of a corpus.
type text struct {
	features []int32 // places in Corpus.hashes
	apps     []uint16
	class    uint8
}

// Add adds a text with its features, its class from 0 to Classes-1, and the
// apps that have it, each as a small number.
func (c *Corpus) Add(features []uint32, class int, apps []uint16) {
	if c.ids == nil {
		c.ids = map[uint32]int32{}
	}
	t := text{features: make([]int32, len(features)), apps: slices.Clone(apps), class: uint8(class % Classes)}
	for i, h := range features {
		id, ok := c.ids[h]
		if !ok {
			id = int32(len(c.hashes))
			c.ids[h] = id
			c.hashes = append(c.hashes, h)
		}
		t.features[i] = id
	}
	for _, app := range apps {
		c.apps = max(c.apps, int(app)+1)
	}
	c.texts = append(c.texts, t)
}

// Len is the number of texts.
func (c *Corpus) Len() int { return len(c.texts) }

// seenWidely reports for each feature whether texts of at least that many apps
// have it, without the apps that are left out.
func (c *Corpus) seenWidely(apps int, leftOut []bool) []bool {
	byApp := make([][]int32, c.apps)
	for i := range c.texts {
		for _, app := range c.texts[i].apps {
			if !leftOut[app] {
				byApp[app] = append(byApp[app], int32(i))
			}
		}
	}
	count, last := make([]uint16, len(c.hashes)), make([]int32, len(c.hashes))
	wide := make([]bool, len(c.hashes))
	for app, texts := range byApp {
		for _, i := range texts {
			for _, f := range c.texts[i].features {
				if last[f] == int32(app)+1 {
					continue
				}
				last[f] = int32(app) + 1
				count[f]++
				wide[f] = int(count[f]) >= apps
			}
		}
	}
	return wide
}

// weights is how much each text counts: once for each app that has it, where an
// app with many texts does not have its way with all of them. Texts of apps
// that are left out count nothing.
func (c *Corpus) weights(o *Options, leftOut []bool) []float32 {
	size := make([]int, c.apps)
	for i := range c.texts {
		for _, app := range c.texts[i].apps {
			size[app]++
		}
	}
	weights := make([]float32, len(c.texts))
	for i := range c.texts {
		for _, app := range c.texts[i].apps {
			if !leftOut[app] {
				weights[i] += min(1, float32(o.AppTexts)/float32(size[app]))
			}
		}
		weights[i] = min(weights[i], o.TextWeight)
		if c.texts[i].class >= firstRisky {
			weights[i] *= o.RiskyWeight
		}
	}
	return weights
}
