package redact

import "strings"

// assignments hides the values of names that hold secrets (a=b, "a": "b"), and
// what links carry besides a place.
func (f *finder) assignments() {
	b := f.b
	for i := 0; i < len(b); i++ {
		if classes[b[i]]&assigning == 0 || i < f.done() {
			continue
		}
		switch {
		case b[i] == '@':
		case b[i] == ':' && strings.HasPrefix(b[i:], "://"):
			f.link(i)
		case b[i] == ':' && i >= 4 && strings.EqualFold(b[i-4:i], "wifi"):
			f.wifi(i + 1)
		default:
			f.assigned(i)
		}
	}
}

// link hides the user information of the link whose "://" is at b[i], and all
// of a link that is a secret itself.
func (f *finder) link(i int) {
	b := f.b
	start := i
	for start > 0 && i-start < 20 && (isAlnum(b[start-1]) || b[start-1] == '+' || b[start-1] == '-') {
		start--
	}
	scheme := b[start:i]
	end := i + 3
	for end < len(b) && end-i < longestValue && !isBlank(b[end]) && strings.IndexByte("/?#\"'<>\\", b[end]) < 0 {
		end++
	}
	if strings.EqualFold(scheme, "otpauth") || strings.EqualFold(scheme, "otpauth-migration") {
		for end < len(b) && !isBlank(b[end]) && b[end] != '"' && b[end] != '<' && b[end] != '\'' {
			end++
		}
		f.add(start, end)
		return
	}
	at := strings.LastIndexByte(b[i+3:end], '@')
	if at <= 0 {
		f.hook(i+3, end)
		return
	}
	user := b[i+3 : i+3+at]
	if colon := strings.IndexByte(user, ':'); colon >= 0 {
		f.add(i+3+colon+1, i+3+at)
	} else if len(user) >= 16 || looksSecret(b, i+3, i+3+at) {
		f.add(i+3, i+3+at)
	}
}

// hook hides the path of links that need no other secret: whoever has them may
// post.
func (f *finder) hook(host, end int) {
	b := f.b
	path := ""
	switch strings.ToLower(b[host:end]) {
	case "hooks.slack.com":
		path = "/services/"
	case "discord.com", "discordapp.com":
		path = "/api/webhooks/"
	case "api.telegram.org":
		path = "/bot"
	}
	if path == "" || !strings.HasPrefix(b[end:], path) {
		return
	}
	start := end + len(path)
	stop := start
	for stop < len(b) && !isBlank(b[stop]) && b[stop] != '"' && b[stop] != '\'' {
		stop++
	}
	f.add(start, stop)
}

// wifi hides the password of a Wi-Fi code: WIFI:T:WPA;S:name;P:password;;
func (f *finder) wifi(i int) {
	b := f.b
	limit := min(len(b), i+512)
	for j := i; j+2 < limit; j++ {
		if (j == i || b[j-1] == ';' && b[j-2] != '\\') && (b[j] == 'P' || b[j] == 'p') && b[j+1] == ':' {
			end := j + 2
			for end < limit && (b[end] != ';' || b[end-1] == '\\') {
				end++
			}
			f.add(j+2, end)
			return
		}
	}
}

// assigned hides the value after the = or : at b[i] when the name before it
// holds secrets.
func (f *finder) assigned(i int) {
	b := f.b
	end := i
	for end > 0 && i-end < 4 && (b[end-1] == '"' || b[end-1] == '\'' || b[end-1] == '\\' || b[end-1] == ' ') {
		end--
	}
	start := end
	for start > 0 && end-start <= longestName && (isAlnum(b[start-1]) || b[start-1] == '_' || b[start-1] == '-' || b[start-1] == '.') {
		start--
	}
	if start == end {
		return
	}
	name := b[start:end]
	query := b[i] == '=' && start > 0 && strings.IndexByte("?&#;", b[start-1]) >= 0
	g := gradeName(name)
	if g == gradeNone || b[i] == ':' && strings.IndexByte(name, '.') >= 0 {
		return
	}
	from := i + 1
	for from < len(b) && from < i+3 && (b[from] == '>' || b[from] == '=' || b[from] == ' ') {
		from++
	}
	if from >= len(b) || isBlank(b[from]) {
		return
	}
	vs, ve := valueAt(b, from, true)
	quoted := vs > from
	if !quoted {
		for e := vs; e < ve; e++ {
			if b[e] == ';' || b[e] == '#' && query || b[i] == ':' && (b[e] == ',' || b[e] == '}' || b[e] == ']') {
				ve = e
				break
			}
		}
	}
	if saysNothing(b, vs, ve) {
		if b[i] == '=' && quoted && strings.EqualFold(name, "password") && strings.EqualFold(b[vs:ve], "true") {
			f.passwordField(i)
		}
		return
	}
	if (valued{name: g, query: query, colon: b[i] == ':', quoted: quoted}).secret(b, vs, ve) {
		f.add(vs, ve)
	}
}

// valued is how a value came to its name.
type valued struct {
	name                 grade
	query, colon, quoted bool
}

func (v valued) secret(b string, start, end int) bool {
	switch v.name {
	case gradeSure:
		return !v.colon || v.quoted || looksSecret(b, start, end) || end-start >= 16 && unlikeWords(b[start:end])
	case gradeSoft:
		return v.query && end-start >= 4 || looksSecret(b, start, end) && end-start >= 6
	case gradeQuery:
		return v.query && end-start >= 4
	case gradeCode:
		return v.query && end-start >= 4 || end-start <= 8 && end-start >= 4 && digitsEnd(b, start) == end && (v.quoted || !v.colon)
	}
	return false
}

// longestTag bounds how far the text of a node is looked for, in bytes.
const longestTag = 2048

// passwordField hides the text of the node in a UI tree that says about itself,
// at b[i], that it is a password field.
func (f *finder) passwordField(i int) {
	b := f.b
	low, high := max(0, i-longestTag), min(len(b), i+longestTag)
	if open := strings.LastIndexByte(b[low:i], '<'); open >= 0 {
		low += open
	}
	if shut := strings.IndexByte(b[i:high], '>'); shut >= 0 {
		high = i + shut
	}
	const attribute = ` text=`
	at := strings.Index(b[low:high], attribute)
	if at < 0 {
		return
	}
	at += low + len(attribute)
	if at >= high || b[at] != '"' && b[at] != '\'' && b[at] != '\\' {
		return
	}
	if start, end := valueAt(b, at, false); start > at && end <= high && start < end && markerAt(b, start) == 0 && !masked(b, start, end) {
		f.add(start, end)
	}
}
