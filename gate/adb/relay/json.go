package relay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// maxJSON is how long a body may be to be read as JSON; what is longer is not
// understood. Calls that press something have a few hundred bytes.
const maxJSON = 1 << 20

// maxDepth bounds how deep a document may be nested.
const maxDepth = 32

// errTwice says that a name is given twice in an object, perhaps once in capital
// letters: of two readers one may take the first and one the last, or pass over
// the difference.
var errTwice = errors.New("a name is given twice in an object")

// object is a JSON object: names are as they stand, letters count.
type object = map[string]any

// parseJSON reads one document whole: objects, []any, string, json.Number, bool
// and nil.
func parseJSON(body []byte) (any, error) {
	if len(body) > maxJSON {
		return nil, fmt.Errorf("the document is longer than %d bytes", maxJSON)
	}
	if !utf8.Valid(body) {
		return nil, errors.New("the document is not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	v, err := parseValue(d, 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("something follows the document")
	}
	return v, nil
}

func parseValue(d *json.Decoder, depth int) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	delim, nested := token.(json.Delim)
	switch {
	case !nested:
		return token, nil
	case depth == maxDepth:
		return nil, fmt.Errorf("the document is nested deeper than %d", maxDepth)
	case delim == '{':
		return parseObject(d, depth+1)
	}
	list := []any{}
	for d.More() {
		v, err := parseValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err = d.Token()
	return list, err
}

func parseObject(d *json.Decoder, depth int) (object, error) {
	o, seen := object{}, map[string]bool{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		name, _ := token.(string) // the decoder accepts nothing else here
		// Upper first: the letters ſ and K have a third form.
		folded := strings.ToLower(strings.ToUpper(name))
		if seen[folded] {
			return nil, errTwice
		}
		seen[folded] = true
		if o[name], err = parseValue(d, depth); err != nil {
			return nil, err
		}
	}
	_, err := d.Token()
	return o, err
}

// whole is a number as the servers take it where they want pixels or
// milliseconds: what follows the point is cut off.
func whole(v any) (int, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := n.Float64()
	if err != nil || math.Abs(f) > 1e9 {
		return 0, false
	}
	return int(f), true
}

// decimal is a number with what follows the point.
func decimal(v any) (float64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := n.Float64()
	return f, err == nil && math.Abs(f) <= 1e9
}
