package api

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/countersign/countersign/hold"
)

// maxShotField is how much larger a body may be for the sake of its screenshot, in
// bytes: the largest one in base64, with its slashes escaped as some writers do,
// and the name of the field.
const maxShotField = int64((hold.MaxScreenshot+2)/3*4)*33/32 + 64

// Screenshot is a picture in a body: base64 of a PNG or a JPEG. It is taken out of
// the body before the rest is read.
type Screenshot string

// screenshotSchema describes it.
func screenshotSchema() *jsonschema.Schema {
	return &jsonschema.Schema{
		Types: []string{"string", "null"}, ContentEncoding: "base64", MaxLength: jsonschema.Ptr(base64.StdEncoding.EncodedLen(hold.MaxScreenshot)),
		Description: fmt.Sprintf("The screen as the agent sees it: a PNG or a JPEG of at most %d bytes. Whoever answers is shown it as the agent's word; it decides nothing, is not stored, and is gone when the question ends.", hold.MaxScreenshot),
	}
}

// shownBody reads a body that a screenshot may come with. The rest of it has the
// limit that every body has, and what is decided on never holds the picture.
func (g *Gate) shownBody(c *call) (body, shot []byte, p *Problem) {
	most := g.options.Limits.Body
	if body, p = g.bodyUpTo(c, most+maxShotField); p != nil {
		return nil, nil, p
	}
	body, value, p := cutScreenshot(body)
	switch {
	case p != nil:
		return nil, nil, p
	case int64(len(body)) > most:
		return nil, nil, tooLarge(most)
	case value == "":
		return body, nil, nil
	}
	shot, err := base64.StdEncoding.DecodeString(value)
	if err != nil {
		return nil, nil, problem(http.StatusBadRequest, "bad_screenshot", "screenshot is no base64 of the usual alphabet (%v); send the bytes of a PNG or a JPEG in it, without a data: prefix, or leave it out", err)
	}
	if err := hold.CheckScreenshot(shot); err != nil {
		return nil, nil, problem(http.StatusUnprocessableEntity, "bad_screenshot", "screenshot: %v", err)
	}
	return body, shot, nil
}

// cutScreenshot takes the field screenshot out of a body. One that is not JSON, or
// where the name is spelled with escapes, is left as it is, for the reader of the
// rest to refuse.
func cutScreenshot(body []byte) (rest []byte, value string, p *Problem) {
	const name = `"screenshot"`
	if !bytes.Contains(body, []byte(name)) || !json.Valid(body) {
		return body, "", nil
	}
	depth, from, to := 0, 0, 0
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			end := endOfString(body, i)
			at := skipBlanks(body, end)
			if depth != 1 || string(body[i:end]) != name || body[at] != ':' {
				i = end - 1
				continue
			}
			if to > 0 {
				return nil, "", problem(http.StatusBadRequest, "bad_request", "field %q is given twice", "screenshot")
			}
			at = skipBlanks(body, at+1)
			if from, to = i, endOfScalar(body, at); to == at || json.Unmarshal(body[at:to], &value) != nil {
				return nil, "", problem(http.StatusBadRequest, "bad_screenshot", "screenshot must be text: a PNG or a JPEG in base64")
			}
			i = to - 1
		}
	}
	if to == 0 {
		return body, "", nil
	}
	from, to = withComma(body, from, to)
	return slices.Delete(body, from, to), value, nil
}

// endOfString is where a string of valid JSON ends that begins at i.
func endOfString(body []byte, i int) int {
	for i++; body[i] != '"'; i++ {
		if body[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// endOfScalar is where a string, or the word null, ends that begins at i; i where
// something else stands.
func endOfScalar(body []byte, i int) int {
	switch {
	case body[i] == '"':
		return endOfString(body, i)
	case bytes.HasPrefix(body[i:], []byte("null")):
		return i + len("null")
	}
	return i
}

func skipBlanks(body []byte, i int) int {
	for i < len(body) && (body[i] == ' ' || body[i] == '\t' || body[i] == '\r' || body[i] == '\n') {
		i++
	}
	return i
}

// withComma is a part of an object with the comma that parts it from the next one,
// or from the one before where it is the last.
func withComma(body []byte, from, to int) (int, int) {
	if next := skipBlanks(body, to); body[next] == ',' {
		return from, next + 1
	}
	if before := bytes.TrimRight(body[:from], " \t\r\n"); before[len(before)-1] == ',' {
		return len(before) - 1, to
	}
	return from, to
}
