package daemon

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The file of the page on channels is one that is read, and the page explains
// every key and kind.
func TestTheFileOfThePage(t *testing.T) {
	page, err := os.ReadFile("../docs/channels.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$").FindAllSubmatch(page, -1)
	if len(found) != 1 {
		t.Fatalf("the page has %d files, want one", len(found))
	}
	path := channelFiles(t, strings.ReplaceAll(string(found[0][1]), "/home/me/bin/tell", "DIR/tell"), 0o644)
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "ntfy.token"), []byte(pushToken+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := ReadChannels(path, nil, time.Now)
	if err != nil || len(all) != len(kinds) || !all[2].Brief {
		t.Errorf("%d channels: %v", len(all), err)
	}
	explained := 0
	for _, k := range kinds {
		for _, word := range append([]string{k.name}, k.keys...) {
			if !strings.Contains(string(page), "`"+word+"`") {
				t.Errorf("%s is not explained", word)
			}
			explained++
		}
	}
	if explained != 5+6+2 {
		t.Errorf("looked for %d words, want 13", explained)
	}
}
