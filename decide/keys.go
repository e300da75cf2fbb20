package decide

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// exactKeys refuses what encoding/json lets pass in a document that it has
// accepted: a field that is given twice, of which others may read the first, and
// a name in other letters than ours.
func exactKeys(data []byte) error {
	var objects [][]string // the names seen in each open object, and in arrays none
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '{', '[':
			objects = append(objects, nil)
		case '}', ']':
			objects = objects[:len(objects)-1]
		case '"':
			start, end := i+1, i+1+stringEnd(data[i+1:])
			i = end
			if !bytes.HasPrefix(bytes.TrimLeft(data[end+1:], " \t\r\n"), []byte{':'}) {
				continue // a value
			}
			name := string(data[start:end])
			seen := &objects[len(objects)-1]
			switch {
			case !fieldNames()[name]:
				return fmt.Errorf("request: a field is written \"%s\" instead of %q", name, plainName(name))
			case slices.Contains(*seen, name):
				return fmt.Errorf("request: field %q is given twice", name)
			}
			*seen = append(*seen, name)
		}
	}
	return nil
}

// plainName is the field that a name with escapes or capitals was read as.
func plainName(name string) string {
	var plain string
	if json.Unmarshal([]byte(`"`+name+`"`), &plain) != nil {
		return name
	}
	return strings.ToLower(plain)
}

// stringEnd is where the quote stands that ends a JSON string.
func stringEnd(data []byte) int {
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(data)
}

// fieldNames are all names of fields that a request may have.
var fieldNames = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for _, part := range parts {
		rt := reflect.TypeOf(part.of)
		for i := range rt.NumField() {
			name, _, _ := strings.Cut(rt.Field(i).Tag.Get("json"), ",")
			names[name] = true
		}
	}
	return names
})
