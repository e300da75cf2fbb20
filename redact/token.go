package redact

import "strings"

const (
	shortestToken  = 10
	shortestRandom = 32 // of a string that nothing but its randomness gives away
	longestRun     = 1 << 16
	longestCheck   = 512 // how much of a string decides whether it is a token
)

// tokenPrefix begins the keys of one issuer.
type tokenPrefix struct {
	text   string
	rest   int  // how many characters follow at least
	dotted bool // with dots among them
}

func (p *tokenPrefix) takes(c byte) bool { return classes[c]&inRun != 0 || p.dotted && c == '.' }

var tokenPrefixes = []tokenPrefix{
	{"csa_", 6, false}, {"csp_", 6, false}, // our own: agents and approvers
	{"sk-", 16, false}, {"sk_live_", 8, false}, {"sk_test_", 8, false}, {"rk_live_", 8, false}, {"rk_test_", 8, false},
	{"pk_live_", 8, false}, {"rzp_live_", 8, false}, {"whsec_", 12, false},
	{"ghp_", 16, false}, {"gho_", 16, false}, {"ghu_", 16, false}, {"ghs_", 16, false}, {"ghr_", 16, false}, {"github_pat_", 16, false},
	{"glpat-", 12, false}, {"gldt-", 12, false}, {"glrt-", 12, false}, {"glsa_", 16, false}, {"glc_", 20, false},
	{"xoxb-", 8, false}, {"xoxp-", 8, false}, {"xoxa-", 8, false}, {"xoxr-", 8, false}, {"xoxs-", 8, false}, {"xoxe-", 8, false}, {"xapp-", 8, false},
	{"AKIA", 12, false}, {"ASIA", 12, false}, {"AROA", 16, false}, {"AIza", 20, false}, {"ya29.", 16, true}, {"GOCSPX-", 16, false},
	{"npm_", 16, false}, {"pypi-", 16, false}, {"hf_", 16, false}, {"SG.", 16, true}, {"gsk_", 16, false}, {"r8_", 16, false},
	{"dckr_pat_", 12, false}, {"dop_v1_", 16, false}, {"shpat_", 16, false}, {"shpss_", 16, false}, {"sq0atp-", 12, false}, {"sq0csp-", 12, false},
	{"hvs.", 16, true}, {"AGE-SECRET-KEY-1", 16, false}, {"PMAK-", 16, false}, {"nvapi-", 16, false}, {"xai-", 20, false}, {"figd_", 16, false},
	{"lin_api_", 16, false}, {"ntn_", 16, false}, {"tskey-", 10, false}, {"pplx-", 16, false}, {"tvly-", 16, false}, {"EAAC", 40, false},
	{"key-", 32, false}, {"phc_", 20, false}, {"sntrys_", 16, false}, {"dapi", 32, false}, {"ATATT", 20, false}, {"AQV", 36, false},
}

// prefixesBy are the prefixes by their first byte.
var prefixesBy = func() (t [128][]tokenPrefix) {
	for _, p := range tokenPrefixes {
		t[p.text[0]] = append(t[p.text[0]], p)
	}
	return t
}()

// tokens hides keys with a known prefix, signed tokens, private keys and long
// random strings.
func (f *finder) tokens() {
	f.privateKeys()
	b := f.b
	for i := 0; i < len(b); {
		if classes[b[i]]&inRandom == 0 {
			i++
			continue
		}
		end := i
		for end < len(b) && classes[b[end]]&inRandom != 0 && b[end] != '=' && end-i < longestRun {
			end++
		}
		if end-i >= shortestToken || end+1 < len(b) && b[end] == '.' && classes[b[end+1]]&inRun != 0 {
			f.known(i, end)
		}
		for i < end && (b[i] == '-' || b[i] == '/') {
			i++
		}
		if end-i >= shortestRandom && !f.identifier {
			f.random(i, end)
		}
		i = max(end, i+1)
	}
}

// known hides what begins with a known prefix inside b[i:end].
func (f *finder) known(i, end int) {
	b := f.b
	for j := i; j < end; j++ {
		if j > 0 && isAlnum(b[j-1]) || b[j] >= 0x80 {
			continue
		}
		if b[j] == 'e' && strings.HasPrefix(b[j:], "eyJ") {
			if stop := signedEnd(b, j); stop > 0 {
				f.add(j, stop)
				return
			}
		}
		for _, p := range prefixesBy[b[j]] {
			if !strings.HasPrefix(b[j:], p.text) {
				continue
			}
			rest := j + len(p.text)
			stop := rest
			for limit := rest + longestCheck; stop < len(b) && stop < limit && p.takes(b[stop]); {
				stop++
			}
			if stop-rest < p.rest || !unlikeWords(b[rest:stop]) {
				continue
			}
			for stop < len(b) && p.takes(b[stop]) {
				stop++
			}
			f.add(j, stop)
			return
		}
	}
}

// unlikeWords is true for a string with a digit or a capital, which the rest of
// an ordinary hyphenated word has not.
func unlikeWords(s string) bool {
	for i := range len(s) {
		if classes[s[i]]&(digit|upper) != 0 {
			return true
		}
	}
	return len(s) >= 16 && !strings.ContainsAny(s, "-_")
}

// signedEnd returns where a signed token (three parts of base64 between dots, of
// which the last may be empty) that begins at b[i] ends; 0 when there is none.
func signedEnd(b string, i int) int {
	parts := 0
	for j := i; ; j++ {
		start := j
		for j < len(b) && classes[b[j]]&inRun != 0 && (parts > 0 || j-start < longestCheck) {
			j++
		}
		if j-start < 4 && parts < 2 {
			return 0
		}
		if parts++; j >= len(b) || b[j] != '.' || parts == 5 || j+1 == len(b) || classes[b[j+1]]&inRun == 0 {
			if parts < 2 {
				return 0
			}
			return j
		}
	}
}

// privateKeys hides what stands between the lines that frame a private key, to
// the end of the text when the last one is cut off.
func (f *finder) privateKeys() {
	const begin, end = "-----BEGIN ", "-----END "
	b := f.b
	for i := 0; ; {
		n := strings.Index(b[i:], begin)
		if n < 0 {
			return
		}
		i += n
		head := b[i+len(begin) : min(len(b), i+len(begin)+48)]
		if k := strings.Index(head, "PRIVATE KEY"); k < 0 || strings.Contains(head[:k], "-----") {
			i += len(begin)
			continue
		}
		stop := len(b)
		if n := strings.Index(b[i:], end); n >= 0 {
			stop = i + n + len(end)
			for stop < len(b) && b[stop] != '\n' && b[stop] != '\\' && b[stop] != '"' {
				stop++
			}
		}
		f.add(i, stop)
		i = stop
	}
}

// random hides the parts of the run b[i:end] that nobody would have written.
func (f *finder) random(i, end int) {
	b := f.b
	stop := end
	for stop < len(b) && b[stop] == '=' && stop-end < 2 {
		stop++
	}
	found := false
	for start := i; start < end; {
		next := end
		if n := strings.IndexByte(b[start:end], '/'); n >= 0 {
			next = start + n
		}
		if next-start >= shortestRandom && unreadable(b[start:next]) && !hashBefore(b, start) {
			last := next
			if next == end {
				last = stop
			}
			f.add(start, last)
			found = true
		}
		start = next + 1
	}
	slashes := strings.Count(b[i:end], "/")
	if !found && slashes > 0 && slashes <= (end-i)/14 && unreadable(b[i:end]) && !hashBefore(b, i) {
		f.add(i, stop)
	}
}

// unreadable is true when the longest piece of s without punctuation changes
// between digits, small and capital letters as only chance makes it.
func unreadable(s string) bool {
	if uuid(s) {
		return false
	}
	var longest string
	for start := 0; start < len(s); {
		end := start
		for end < len(s) && isAlnum(s[end]) {
			end++
		}
		if end-start > len(longest) {
			longest = s[start:end]
		}
		start = end + 1
	}
	if len(longest) < 14 {
		return false
	}
	digits, changes, runs := 0, 0, 1
	var seen [128]bool
	distinct := 0
	for i := range len(longest) {
		c := classes[longest[i]]
		if !seen[longest[i]] {
			seen[longest[i]] = true
			distinct++
		}
		if c&digit != 0 {
			digits++
		}
		if i > 0 {
			before := classes[longest[i-1]]
			if c&alnum != before&alnum {
				runs++
			}
			if c&digit != before&digit {
				changes++
			}
		}
	}
	if digits == len(longest) || distinct < 8 {
		return false
	}
	return digits >= 2 && changes >= max(3, len(longest)/12) || digits >= 1 && 2*runs >= len(longest) || 5*runs >= 3*len(longest)
}
