package redact

const (
	shortestIBAN = 15
	longestIBAN  = 34
)

// accounts hides international bank account numbers: a country, two check
// digits and up to thirty letters and digits, in groups or not.
func (f *finder) accounts() {
	b := f.b
	for i := 0; i+shortestIBAN <= len(b); i++ {
		if isLetter(b[i]) && isLetter(b[i+1]) && isDigit(b[i+2]) && isDigit(b[i+3]) && !alnumBefore(b, i) {
			if end := ibanEnd(b, i); end > 0 {
				f.add(i, end)
				i = end - 1
			}
		}
	}
}

// ibanEnd returns where the longest valid number that begins at b[i] ends, 0
// when there is none.
func ibanEnd(b string, i int) int {
	rest, digits, n, group, found := 0, 0, 0, 0, 0
	for j := i; j < len(b) && n < longestIBAN; {
		if !isAlnum(b[j]) {
			if next := j + 1; !separates(b[j]) || next == len(b) || !isAlnum(b[next]) || group != 4 {
				return found
			}
			group = 0
			j++
			continue
		}
		n, group = n+1, group+1
		if isDigit(b[j]) {
			digits++
		}
		if n > 4 {
			rest = mod97(rest, b[j])
		}
		j++
		if n >= shortestIBAN && digits >= 8 && !alnumAfter(b, j) && headed(rest, b[i:i+4]) == 1 {
			found = j
		}
	}
	return found
}

// headed is the remainder with the first four characters moved to the end, where
// the check wants them.
func headed(rest int, head string) int {
	for i := range len(head) {
		rest = mod97(rest, head[i])
	}
	return rest
}

func mod97(rest int, c byte) int {
	if isDigit(c) {
		return (rest*10 + int(c-'0')) % 97
	}
	return (rest*100 + int(lowered(c)-'a') + 10) % 97
}
