package document

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// However a file with a secret is spoilt, no complaint about it shows the secret.
func TestSecretFilesAreNotShown(t *testing.T) {
	const secret = "Tr0ub4dor-and-3"
	tests := []struct{ name, file string }{
		{"an unknown key", "a: 1\n" + secret + ": 2\n"},
		{"a key given twice", secret + ": 1\n" + secret + ": 2\n"},
		{"a word that is not accepted", "kind: " + secret + "\n"},
		{"a word in place of a mapping", "inner: " + secret + "\n"},
		{"an alias", "a: *" + secret + "\n"},
		{"an anchor", "a: &" + secret + " b\n"},
		{"a tag", "a: !" + secret + " b\n"},
		{"a quote that is not closed", "a: \"" + secret + "\n"},
		{"an unknown escape", "a: \"\\q" + secret + "\"\n"},
		{"a colon too many", "a: b: " + secret + "\n"},
		{"a control character", "a: " + secret + "\x01\n"},
		{"not UTF-8", "a: " + secret + "\xff\n"},
		{"two documents", "a: 1\n---\n" + secret + "\n"},
		{"a flag that is none", "on: " + secret + "\n"},
		{"a text that is none", "text: [" + secret + "]\n"},
	}
	for _, test := range tests {
		err := readSecret(test.file)
		switch {
		case err == nil:
			t.Errorf("%s: nobody complained", test.name)
		case strings.Contains(err.Error(), secret) || !strings.HasPrefix(err.Error(), "secrets.yaml:"):
			t.Errorf("%s: %v", test.name, err)
		}
	}
	if len(tests) != 15 {
		t.Errorf("ran %d cases, want 15", len(tests))
	}
}

// readSecret reads a file of some keys in all the ways a reader has.
func readSecret(file string) error {
	r, root, err := OpenSecret("secrets.yaml", []byte(file), 1<<10)
	if err != nil {
		return err
	}
	fields := r.Fields(root, "the file", "a", "kind", "inner", "on", "text")
	if n := fields["kind"]; n != nil {
		r.Index(n, "a kind", []string{"hook"})
	}
	if n := fields["inner"]; n != nil {
		r.Fields(n, "the inner part", "a")
	}
	r.Flag(fields["on"], "on")
	if n := fields["text"]; n != nil {
		r.Text(n, "text")
	}
	return r.Err()
}

// The same complaint about a file without secrets shows the line.
func TestOtherFilesAreShown(t *testing.T) {
	r, root, err := Open("plain.yaml", []byte("kind: hoook\n"), 1<<10)
	if err != nil {
		t.Fatal(err)
	}
	if root.Kind != yaml.MappingNode {
		t.Fatalf("the root is %s", Describe(root))
	}
	r.Index(r.Fields(root, "the file", "kind")["kind"], "a kind", []string{"hook"})
	want := "plain.yaml:1:7: \"hoook\" is not a kind\n   1 | kind: hoook\n     |       ^~~~~\n     = did you mean \"hook\"?"
	if err := r.Err(); err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}
