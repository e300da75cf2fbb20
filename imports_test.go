package countersign_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/countersign/countersign"

// mayImport is the direction of dependencies: what each folder may import of
// ours. A folder below a listed one follows its parent. See ARCHITECTURE.md.
var mayImport = map[string][]string{
	"risk":            {},
	"redact":          {},
	"screen":          {"risk"},
	"lexicon":         {"risk"},
	"catalog":         {"risk"},
	"command":         {"risk"},
	"document":        {},
	"wire":            {},
	"phone":           {"risk", "screen", "picture", "wire"},
	"policy":          {"risk", "policies", "document"},
	"policies":        {},
	"decide":          {"risk", "redact", "screen", "lexicon", "catalog", "command", "policy"},
	"approval":        {"risk", "redact", "decide"},
	"ledger":          {"risk", "redact", "decide"},
	"identity":        {"risk", "redact"},
	"picture":         {"risk", "screen"},
	"hold":            {"risk", "redact", "screen", "policy", "decide", "approval", "ledger", "identity", "picture"},
	"":                {"risk", "screen", "catalog", "policy", "decide", "approval", "ledger", "hold"},
	"lab":             {"", "risk", "screen", "decide", "approval", "ledger", "hold"},
	"store":           {"", "risk", "redact", "decide", "approval", "ledger", "identity", "hold"},
	"gate":            {"", "risk", "redact", "screen", "command", "wire", "decide", "approval", "ledger", "identity", "hold"},
	"channel":         {"", "risk", "redact", "screen", "decide", "approval", "ledger", "identity", "picture", "hold"},
	"daemon":          {"", "risk", "redact", "screen", "catalog", "document", "policy", "decide", "approval", "ledger", "identity", "picture", "hold", "lab", "store", "gate", "channel", "phone", "wire"},
	"cmd/countersign": {"", "risk", "redact", "screen", "lexicon", "catalog", "policy", "decide", "approval", "ledger", "identity", "hold", "picture", "lab", "store", "channel", "phone", "wire", "gate", "daemon"},
	"e2e":             {"", "risk", "redact", "screen", "decide", "approval", "ledger", "identity", "hold", "lab", "store", "gate", "channel", "phone", "wire", "daemon"},
	"tools":           {"risk", "catalog"},
}

// onlyIn are outside libraries that few folders may use.
var onlyIn = map[string][]string{
	"mvdan.cc/sh/v3/syntax":          {"command", "phone"}, // the phone interprets what the guard judges
	"mvdan.cc/sh/v3/interp":          {"phone"},
	"golang.org/x/image/font":        {"phone"},
	"golang.org/x/text/unicode/norm": {"lexicon"},
	"github.com/alecthomas/kong":     {"cmd/countersign"},
	"modernc.org/sqlite":             {"store"},
	"golang.org/x/mod/sumdb/tlog":    {"ledger"},
	"golang.org/x/mod/sumdb/note":    {"ledger"},
	"charm.land/bubbletea/v2":        {"channel"},

	"github.com/go-webauthn/webauthn/webauthn": {"identity"},
	"github.com/go-webauthn/webauthn/protocol": {"identity"},
}

func TestDependenciesPointOneWay(t *testing.T) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	packages := 0
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		packages++
		folder := folderOf(p.ImportPath)
		allowed, listed := mayImport[folder]
		if !listed {
			t.Errorf("package %s is in no folder of the layout; add it to mayImport and ARCHITECTURE.md", p.ImportPath)
			continue
		}
		for _, imported := range p.Imports {
			if only, ok := onlyIn[imported]; ok && !contains(only, folder) {
				t.Errorf("%s imports %s, which only %s may", p.ImportPath, imported, only)
			}
			if imported != module && !strings.HasPrefix(imported, module+"/") {
				continue
			}
			if target := folderOf(imported); target != folder && !contains(allowed, target) {
				t.Errorf("%s imports %s; %q may import %q", p.ImportPath, imported, folder, allowed)
			}
		}
	}
	if packages < 12 {
		t.Fatalf("go list found %d packages, there are more", packages)
	}
}

// folderOf is the listed folder that a package belongs to.
func folderOf(importPath string) string {
	folder := strings.TrimPrefix(strings.TrimPrefix(importPath, module), "/")
	for f := folder; f != ""; {
		if _, ok := mayImport[f]; ok {
			return f
		}
		i := strings.LastIndexByte(f, '/')
		if i < 0 {
			break
		}
		f = f[:i]
	}
	return folder
}

func contains(list []string, word string) bool {
	for _, w := range list {
		if w == word {
			return true
		}
	}
	return false
}
