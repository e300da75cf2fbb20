package study

import (
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// ErrResources says that a folder of Android resources cannot be read as
// labelled strings.
var ErrResources = errors.New("not a folder of labelled Android resources")

// labelsFile stands beside the values folders and says what the strings are.
const labelsFile = "labels.txt"

// ReadResources reads an app's own strings from its Android resource folder:
// values/strings.xml and its translations in values-xx/strings.xml. What the
// strings mean stands in labels.txt beside them: a line "app NAME", then one
// line for each string that counts, "key category", where category is a word of
// [Row]; for a harmless one its subtype may follow, for a risky one "weak".
// Strings without a line are left out. The error wraps [ErrResources].
func ReadResources(res fs.FS) ([]Row, error) {
	labels, err := readLabels(res)
	if err != nil {
		return nil, err
	}
	files, err := fs.Glob(res, "values*/strings.xml")
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("%w: there is no values/strings.xml in it", ErrResources)
	}
	slices.Sort(files)
	var rows []Row
	for _, file := range files {
		locale, ok := localeOf(path.Dir(file))
		if !ok {
			continue
		}
		in, err := res.Open(file)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrResources, err)
		}
		strings, err := readStrings(in)
		in.Close()
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrResources, file, err)
		}
		for _, s := range strings {
			if row, ok := labels[s.key]; ok {
				row.Locale, row.Value = locale, s.text
				rows = append(rows, row)
			}
		}
	}
	return rows, nil
}

// readLabels reads what the strings mean, by their keys.
func readLabels(res fs.FS) (map[string]Row, error) {
	in, err := res.Open(labelsFile)
	if err != nil {
		return nil, fmt.Errorf("%w: %s says what the strings mean: %w", ErrResources, labelsFile, err)
	}
	defer in.Close()
	app, labels := "", map[string]Row{}
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		words := strings.Fields(lines.Text())
		switch {
		case len(words) == 0 || strings.HasPrefix(words[0], "#"):
		case words[0] == "app" && len(words) == 2 && app == "":
			app = words[1]
		case app == "" || len(words) < 2 || len(words) > 3:
			return nil, fmt.Errorf("%w: %s: line %d: wanted is \"app NAME\" first, then \"key category\" or \"key category subtype\"", ErrResources, labelsFile, n)
		default:
			row := Row{App: app, Key: words[0], Category: words[1]}
			if _, counts := (&Row{Category: words[1], ActionLabel: true}).Class(); !counts && words[1] != "ambiguous" {
				return nil, fmt.Errorf("%w: %s: line %d: category %q is not known", ErrResources, labelsFile, n, words[1])
			}
			row.describe(words[2:])
			labels[row.Key] = row
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrResources, labelsFile, err)
	}
	if len(labels) == 0 {
		return nil, fmt.Errorf("%w: %s names no string", ErrResources, labelsFile)
	}
	return labels, nil
}

// describe takes in what follows the category.
func (r *Row) describe(words []string) {
	word := strings.Join(words, "")
	switch r.Category {
	case "benign":
		if r.Subtype = word; word == "" {
			r.Subtype = "plain"
		}
	default:
		r.ActionLabel, r.Strength, r.Subtype = word != "title", "strong", "action"
		if word == "weak" {
			r.Strength = word
		}
	}
}

// localeOf is the BCP 47 tag of a resource folder; values itself is English.
// Folders for screen sizes and the like have none.
func localeOf(folder string) (string, bool) {
	tag, translated := strings.CutPrefix(folder, "values-")
	if !translated {
		return "en", true
	}
	if tag, ok := strings.CutPrefix(tag, "b+"); ok {
		return strings.ReplaceAll(tag, "+", "-"), true
	}
	language, region, _ := strings.Cut(tag, "-")
	region, isRegion := strings.CutPrefix(region, "r")
	if len(language) < 2 || len(language) > 3 || strings.ToLower(language) != language || region != "" && !isRegion {
		return "", false
	}
	if region == "" {
		return language, true
	}
	return language + "-" + region, true
}

// resourceString is one string of a strings.xml.
type resourceString struct{ key, text string }

// readStrings reads a strings.xml: its plain strings, without markup.
func readStrings(in io.Reader) ([]resourceString, error) {
	var all []resourceString
	var now *resourceString
	for dec := xml.NewDecoder(in); ; {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if t.Name.Local == "string" {
				now = &resourceString{}
				for _, a := range t.Attr {
					if a.Name.Local == "name" {
						now.key = a.Value
					}
				}
			}
		case xml.CharData:
			if now != nil {
				now.text += string(t)
			}
		case xml.EndElement:
			if t.Name.Local == "string" && now != nil {
				now.text = unescape(now.text)
				all = append(all, *now)
				now = nil
			}
		}
	}
}

var escapes = strings.NewReplacer(`\n`, " ", `\t`, " ", `\'`, "'", `\"`, `"`, `\@`, "@", `\?`, "?", `\\`, `\`)

// unescape undoes the escapes of string resources.
func unescape(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 1 && s[0] == '"' && s[len(s)-1] == '"' {
		s = s[1 : len(s)-1]
	}
	return escapes.Replace(s)
}
