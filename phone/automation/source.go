package automation

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/countersign/countersign/phone"
)

// source is the page source: the tree with the class as the name of each element.
// It is made of the phone's dump, with all that may be wrong with that.
func (s *uia2) source(*webCall) (any, *webError) {
	ignore, _ := s.setting("ignoreUnimportantViews").(bool)
	tree, err := s.phone.Dump(phone.DumpOptions{Compressed: ignore})
	if err != nil {
		return nil, &webError{500, "unknown error", "Cannot dump the hierarchy: " + err.Error()}
	}
	deepest := 70
	if f, ok := s.setting("snapshotMaxDepth").(float64); ok {
		deepest = int(f)
	}
	width, height := s.phone.Size()
	text, err := pageSource(tree, width, height, deepest)
	if err != nil {
		return nil, &webError{500, "unknown error", err.Error()}
	}
	return text, nil
}

// pageSource turns uiautomator's XML into Appium's, down to a depth.
func pageSource(tree []byte, width, height, deepest int) (string, error) {
	d := xml.NewDecoder(bytes.NewReader(tree))
	out := bytes.NewBufferString("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n")
	var open []string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out.String(), nil
		}
		if err != nil {
			return "", fmt.Errorf("reading the dump: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			name := elementName(t)
			open = append(open, name)
			if len(open) <= deepest+1 {
				startElement(out, name, t, width, height)
			}
		case xml.EndElement:
			if len(open) <= deepest+1 {
				out.WriteString("</" + open[len(open)-1] + ">")
			}
			open = open[:len(open)-1]
		}
	}
}

func elementName(t xml.StartElement) string {
	if t.Name.Local == "hierarchy" {
		return "hierarchy"
	}
	for _, a := range t.Attr {
		if a.Name.Local == "class" && a.Value != "" {
			return strings.ReplaceAll(a.Value, "$", ".")
		}
	}
	return "android.view.View"
}

// startElement writes a start tag. The errors of a buffer are always nil.
func startElement(out *bytes.Buffer, name string, t xml.StartElement, width, height int) {
	out.WriteString("<" + name)
	attribute := func(name, value string) {
		out.WriteString(" " + name + `="`)
		_ = xml.EscapeText(out, []byte(value))
		out.WriteByte('"')
	}
	if name == "hierarchy" {
		attribute("index", "0")
		attribute("class", "hierarchy")
		attribute("width", fmt.Sprint(width))
		attribute("height", fmt.Sprint(height))
	}
	for _, a := range t.Attr {
		attribute(a.Name.Local, a.Value)
	}
	if name != "hierarchy" {
		attribute("displayed", "true")
	}
	out.WriteByte('>')
}
