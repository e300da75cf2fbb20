package main

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"strings"
)

// asOf is the day on which the facts were taken.
const asOf = "2026-11-30"

const magic = "countersign apps 1\n"

// pack writes the table in the format that catalog/data/README.md describes.
// The rows must be sorted by id.
func pack(apps []app) ([]byte, error) {
	columns, err := layOut(apps)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(columns); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// layOut lays the rows out by columns, which compress better than rows.
func layOut(apps []app) ([]byte, error) {
	var shared, classOf []byte
	var tails, names strings.Builder
	var classes []app // kind, tier, surface, vague
	previous := ""
	for _, a := range apps {
		if a.id <= previous {
			return nil, fmt.Errorf("package %q stands twice or out of order", a.id)
		}
		if a.kind == "" {
			return nil, fmt.Errorf("package %q has a category without a kind", a.id)
		}
		n := sharedPrefix(previous, a.id)
		shared = append(shared, byte(n))
		tails.WriteString(a.id[n:] + "\n")
		names.WriteString(strings.ReplaceAll(a.name, "\n", " ") + "\n")
		class := app{kind: a.kind, tier: a.tier, surface: a.surface, vague: a.vague}
		if class.surface == "" {
			class.surface = "none"
		}
		classOf = append(classOf, byte(indexOrAppend(&classes, class)))
		previous = a.id
	}
	if len(classes) > 256 {
		return nil, fmt.Errorf("%d classes do not fit a byte", len(classes))
	}
	out := putText([]byte(magic), asOf)
	out = binary.AppendUvarint(out, uint64(len(classes)))
	for _, c := range classes {
		out = putText(putText(putText(out, c.kind), c.surface), c.tier.String())
		out = binary.AppendUvarint(out, map[bool]uint64{true: 1}[c.vague])
	}
	out = binary.AppendUvarint(out, uint64(len(apps)))
	out = putText(putText(out, string(shared)), tails.String())
	return putText(putText(out, string(classOf)), names.String()), nil
}

func putText(out []byte, text string) []byte {
	return append(binary.AppendUvarint(out, uint64(len(text))), text...)
}

func sharedPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && n < 255 && a[n] == b[n] {
		n++
	}
	return n
}

func indexOrAppend(classes *[]app, class app) int {
	for i, c := range *classes {
		if c == class {
			return i
		}
	}
	*classes = append(*classes, class)
	return len(*classes) - 1
}
