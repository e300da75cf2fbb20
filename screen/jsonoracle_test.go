package screen

import (
	"encoding/json"
	"strings"
	"testing"
)

// compareWithJSON holds an accepted JSON tree against encoding/json: it has to
// accept the document too, and to see the same nodes with the same labels.
func compareWithJSON(t *testing.T, src string, s *Screen, err error) {
	t.Helper()
	if _, wide := isUTF16(src); err != nil || s.Repairs > 0 || wide {
		return
	}
	src = strings.TrimPrefix(src, byteOrderMark)
	var tree any
	if err := json.Unmarshal([]byte(src), &tree); err != nil {
		t.Fatalf("we read %d nodes, encoding/json refuses: %v", len(s.Nodes), err)
	}
	count := 0
	labels := make(map[string]int)
	collectJSON(tree, &count, labels)
	if count != len(s.Nodes) {
		t.Fatalf("%d nodes, encoding/json sees %d", len(s.Nodes), count)
	}
	for _, n := range s.Nodes {
		labels[n.Text]--
		labels[n.Description]--
	}
	for label, balance := range labels {
		if balance != 0 && label != "" {
			t.Fatalf("encoding/json sees the label %q %d times more", label, balance)
		}
	}
}

// collectJSON counts nodes and labels in whatever order a map yields them.
func collectJSON(value any, count *int, labels map[string]int) {
	switch value := value.(type) {
	case []any:
		for _, node := range value {
			collectNode(node, count, labels)
		}
	case map[string]any:
		for name, field := range value {
			switch foldName(name) {
			case "root":
				collectNode(field, count, labels)
			case "elements":
				collectJSON(field, count, labels)
			case "windows":
				windows, _ := field.([]any)
				for _, window := range windows {
					collectJSON(window, count, labels)
				}
			}
		}
	}
}

func collectNode(value any, count *int, labels map[string]int) {
	node, ok := value.(map[string]any)
	if !ok {
		return
	}
	*count++
	text, label := "", ""
	for name, field := range node {
		said, _ := field.(string)
		switch strings.TrimPrefix(foldName(name), "is") {
		case "text":
			text = said
		case "label":
			label = said
		case "contentdesc", "contentdescription":
			labels[said]++
		case "children":
			collectJSON(field, count, labels)
		}
	}
	if text == "" {
		text = label
	}
	labels[text]++
}
