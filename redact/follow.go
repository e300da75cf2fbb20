package redact

// follow hides what the phrase at c announces.
func (f *finder) follow(c cue) {
	if c.start < f.done() { // it is part of a secret itself
		return
	}
	switch c.kind {
	case kindCode, kindWeak, kindPIN, kindCVV:
		f.code(c)
	case kindPass:
		f.password(c)
	case kindPhrase:
		f.phrase(c)
	case kindSeed:
		f.seed(c)
	case kindAuth:
		f.credential(c)
	case kindHeader:
		f.header(c)
	}
}

// done is how far secrets of this walk have been found.
func (f *finder) done() int { return f.reached }

// credential hides the word after "Bearer" and the like, when it can be one.
func (f *finder) credential(c cue) {
	b := f.b
	i := blanks(b, c.end)
	if v := separator(b, i); v > i {
		i = blanks(b, v)
	}
	if i == c.end || i >= len(b) || isBlank(b[i]) {
		return
	}
	start, end := valueAt(b, i, true)
	if saysNothing(b, start, end) || end-start < 6 || !looksSecret(b, start, end) && end-start < 16 && !mixedCase(b[start:end]) {
		return
	}
	f.add(start, end)
}

// mixedCase is true when a capital stands after a small letter, as in base64.
func mixedCase(s string) bool {
	for i := 1; i < len(s); i++ {
		if classes[s[i]]&upper != 0 && classes[s[i-1]]&lower != 0 {
			return true
		}
	}
	return false
}

// header hides the value of a header line. The name of the scheme and the
// attributes of a cookie go with it.
func (f *finder) header(c cue) {
	b := f.b
	i := blanks(b, closers(b, c.end))
	if i >= len(b) || isBlank(b[i]) {
		return
	}
	start, end := valueAt(b, i, false)
	if saysNothing(b, start, end) {
		return
	}
	if c.start > 0 && (b[c.start-1] == '"' || b[c.start-1] == '\'') && start == i { // -H "Cookie: a=b; c=d"
		for stop := lineEnd(b, i); end < stop && b[end] != b[c.start-1]; {
			end++
		}
		f.add(i, end)
		return
	}
	if start == i {
		end = lineEnd(b, i)
	}
	f.add(start, end)
}
