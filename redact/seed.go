package redact

const (
	seedReach    = 80 // bytes of the view between the cue and the first word
	fewestSeeds  = 11 // one may have been cut off at the edge of a screen
	mostSeeds    = 27
	shortestSeed = 3
	longestSeed  = 8
)

// seed hides a run of lower-case words after the words for a recovery phrase.
func (f *finder) seed(c cue) {
	b := f.b
	for i := c.end; i < len(b) && i < c.end+seedReach; {
		if !isWordByte(b[i]) {
			i++
			continue
		}
		if start, end, n := seedRun(b, i); n >= fewestSeeds && leads(b, c.end, i) {
			// The run may have taken a word of the next line that announces a secret
			// of its own ("password 1234"), so the walk goes on inside it.
			f.spans = append(f.spans, span{start, end})
			return
		}
		i = max(atomEnd(b, i), i+1)
	}
}

// leads is true when b[from:i] ends with a separator, a number or a copula.
func leads(b string, from, i int) bool {
	end := i
	for end > from && isBlank(b[end-1]) {
		if b[end-1] == '\n' {
			return true
		}
		end--
	}
	if end == from {
		return true
	}
	if !isWordByte(b[end-1]) || isDigit(b[end-1]) {
		return true
	}
	start := end
	for start > from && isWordByte(b[start-1]) {
		start--
	}
	return spoken(b, start, end)&(roleBe|roleIs) != 0
}

// seedRun counts the words of a recovery phrase from b[i], numbered or not.
func seedRun(b string, i int) (start, end, n int) {
	start = i
	for limit := min(len(b), i+mostSeeds*(longestSeed+6)); i < limit && n < mostSeeds; {
		switch {
		case isBlank(b[i]) || isDigit(b[i]) || b[i] == ',' || b[i] == '.' || b[i] == ')' || b[i] == '-':
			i++
			continue
		case classes[b[i]]&lower == 0:
			return start, end, n
		}
		stop := i
		for stop < len(b) && classes[b[stop]]&lower != 0 {
			stop++
		}
		if stop-i < shortestSeed || stop-i > longestSeed || alnumAfter(b, stop) {
			return start, end, n
		}
		n++
		i, end = stop, stop
	}
	return start, end, n
}
