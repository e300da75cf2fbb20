package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const (
	hookSecret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
	pushToken  = "tk_Tr0ub4dor-and-3"
)

// channelFiles is a folder with a file of channels and what it may name.
func channelFiles(t *testing.T, text string, mode fs.FileMode) string {
	t.Helper()
	dir := t.TempDir()
	files := []struct {
		name, text string
		mode       fs.FileMode
	}{
		{ChannelsFile, strings.ReplaceAll(text, "DIR", dir), mode},
		{"house.secret", hookSecret + "\n", 0o600},
		{"phone.token", pushToken, 0o400},
		{"open.secret", hookSecret, 0o644},
		{"two.secret", hookSecret + "\n" + hookSecret, 0o600},
		{"empty.secret", "\n", 0o600},
		{"endless.secret", strings.Repeat("x", maxSecretFile+1), 0o600},
		{"short.secret", "whsec_c2hvcnQ=", 0o600},
		{"tell", "#!/bin/sh\n", 0o700},
		{"open", "#!/bin/sh\n", 0o777},
		{"text", "words\n", 0o600},
	}
	for _, f := range files {
		path := filepath.Join(dir, f.name)
		if err := os.WriteFile(path, []byte(f.text), f.mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, f.mode); err != nil { // whatever the umask is
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, ChannelsFile)
}

var environ = []string{"PATH=/bin", "HOUSE=" + hookSecret, "PHONE=old", "PHONE=" + pushToken, "EMPTY="}

func TestReadChannels(t *testing.T) {
	path := channelFiles(t, `
channels:
  house:
    kind: webhook
    url: https://home.example.net/hooks/Xq7?key=1
    secret_file: house.secret
  house-2: { kind: webhook, url: "https://home.example.net:8443", secret_env: HOUSE, brief: true }
  phone:   { kind: push, url: https://ntfy.example.net, topic: countersign-x8s7, secret_file: DIR/phone.token }
  phone_2: { kind: push, url: "http://127.0.0.1:2586", topic: countersign-x8s7, secret_env: PHONE }
  phone_3: { kind: push, url: "http://127.0.0.1:2586", topic: countersign-x8s7 }
  desk:    { kind: hook, command: [DIR/tell, -x, -x, "$(reboot)"] }
`, 0o644)
	all, err := ReadChannels(path, environ, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, c := range all {
		said = append(said, fmt.Sprintf("%s %s %s %v", c.Name, c.Kind, strings.ReplaceAll(c.Where, filepath.Dir(path), "DIR"), c.Brief))
	}
	const want = `house webhook home.example.net false
house-2 webhook home.example.net:8443 true
phone push ntfy.example.net false
phone_2 push 127.0.0.1:2586 false
phone_3 push 127.0.0.1:2586 false
desk hook DIR/tell false`
	if got := strings.Join(said, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What is wrong with a file is said with its line, and without any word that may
// be a secret.
func TestReadChannelsRefuses(t *testing.T) {
	webhook := "channels:\n  house: { kind: webhook, url: 'https://h.example/Xq7', "
	push := "channels:\n  phone: { kind: push, url: 'https://h.example/', "
	tests := []struct{ name, text, want string }{
		{"empty", "", "the file is empty"},
		{"a list", "- phone\n", "1:1: the file of channels must be a mapping, not a list"},
		{"another key", "chanels: {}\n", `did you mean "channels"?`},
		{"no channels", "{}\n", "1:1: the file names no channels"},
		{"a list of channels", "channels: [phone]\n", "1:11: channels must be a mapping"},
		{"a bad name", "channels:\n  My Phone: { kind: hook, command: [DIR/tell] }\n", "2:3: this is no name of a channel"},
		{"the name all", "channels:\n  all: { kind: hook, command: [DIR/tell] }\n", "2:3: this is no name of a channel"},
		{"a name twice", "channels:\n  a: { kind: hook, command: [DIR/tell] }\n  a: { kind: hook, command: [DIR/tell] }\n", "3:3: this is given twice"},
		{"too many", "channels:\n" + many(21), "there are 21 channels; at most 20"},
		{"a word", "channels:\n  phone: " + pushToken + "\n", "2:10: a channel must be a mapping"},
		{"no kind", "channels:\n  phone: { url: 'https://h.example/' }\n", "2:10: the channel has no kind"},
		{"another kind", "channels:\n  phone: { kind: pigeon }\n", "accepted: webhook, push, hook"},
		{"a misspelt key", "channels:\n  phone: { kind: push, urll: 'https://h.example/" + pushToken + "' }\n", `did you mean "url"?`},
		{"a key of another kind", webhook + "topic: x, secret_file: house.secret }\n", "a webhook has no topic"},
		{"a hook with a url", "channels:\n  desk: { kind: hook, command: [DIR/tell], url: 'https://h.example/' }\n", "a hook has no url"},
		{"brief that is no flag", "channels:\n  desk: { kind: hook, command: [DIR/tell], brief: very }\n", "brief may not be what stands here"},
		{"no url", "channels:\n  phone: { kind: push, topic: x }\n", "the channel has no url"},
		{"a url in the clear", "channels:\n  phone: { kind: push, topic: x, url: 'http://h.example/" + pushToken + "' }\n", "the url is none that is accepted"},
		{"a url with a password", "channels:\n  phone: { kind: push, topic: x, url: 'https://me:" + pushToken + "@h.example/' }\n", "the url is none that is accepted"},
		{"a webhook without a secret", webhook + "}\n", "the channel has no secret"},
		{"two secrets", webhook + "secret_file: house.secret, secret_env: HOUSE }\n", "the channel has a secret_env as well as a secret_file"},
		{"a secret that is none", webhook + "secret_env: PHONE }\n", "the secret is none"},
		{"a short secret", webhook + "secret_file: short.secret }\n", "the secret is none"},
		{"a secret in an open file", webhook + "secret: '" + hookSecret + "' }\n", "there is a secret in this file, and others can read it"},
		{"a secret file that is not there", webhook + "secret_file: none.secret }\n", "the file of the secret cannot be read"},
		{"a secret in place of its file", webhook + "secret_file: " + hookSecret + " }\n", "the file of the secret cannot be read"},
		{"a secret in place of its variable", webhook + "secret_env: tk_Tr0ub4dor }\n", "the environment variable is empty or not set"},
		{"a secret file that is open", webhook + "secret_file: open.secret }\n", "others can read the secret"},
		{"a secret file of two lines", webhook + "secret_file: two.secret }\n", "is not one line with a secret"},
		{"a secret file that is empty", webhook + "secret_file: empty.secret }\n", "is not one line with a secret"},
		{"a secret file without end", webhook + "secret_file: endless.secret }\n", "is not one line with a secret"},
		{"a secret file that is a folder", webhook + "secret_file: . }\n", "is no file"},
		{"a variable that is not set", webhook + "secret_env: NONE }\n", "the environment variable is empty or not set"},
		{"a variable that is empty", webhook + "secret_env: EMPTY }\n", "the environment variable is empty or not set"},
		{"a variable that is none", webhook + "secret_env: '" + pushToken + "' }\n", "this is no name of an environment variable"},
		{"no topic", push + "}\n", "the channel has no topic"},
		{"a topic that is none", push + "topic: a/b }\n", "the topic is none that is accepted"},
		{"a topic that is a list", push + "topic: [a] }\n", "the topic must be a text"},
		{"no command", "channels:\n  desk: { kind: hook }\n", "the channel has no command"},
		{"a command that is a line", "channels:\n  desk: { kind: hook, command: DIR/tell -x }\n", "command must be a list"},
		{"a command without a path", "channels:\n  desk: { kind: hook, command: [notify-send] }\n", "the command is none that is accepted"},
		{"an empty command", "channels:\n  desk: { kind: hook, command: [] }\n", "the command is none that is accepted"},
		{"a program that is not there", "channels:\n  desk: { kind: hook, command: [DIR/none] }\n", "the program cannot be found"},
		{"a program that others can change", "channels:\n  desk: { kind: hook, command: [DIR/open] }\n", "can be changed by others"},
		{"a program that cannot be started", "channels:\n  desk: { kind: hook, command: [DIR/text] }\n", "make it a program with: chmod u+x"},
		{"a program that is a folder", "channels:\n  desk: { kind: hook, command: [DIR] }\n", "is no file"},
	}
	for _, test := range tests {
		all, err := ReadChannels(channelFiles(t, test.text, 0o644), environ, time.Now)
		if err == nil {
			t.Errorf("%s: read as %v", test.name, all)
			continue
		}
		said := err.Error()
		if !strings.Contains(said, test.want) || !strings.Contains(said, ChannelsFile) {
			t.Errorf("%s: %s", test.name, said)
		}
		for _, secret := range []string{pushToken, hookSecret, "tk_Tr0", "Xq7", "c2hvcnQ="} {
			if strings.Contains(said, secret) {
				t.Errorf("%s: it shows %s: %s", test.name, secret, said)
			}
		}
	}
	if len(tests) != 46 {
		t.Errorf("ran %d cases, want 46", len(tests))
	}
}

func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "  c%d: { kind: hook, command: [DIR/tell] }\n", i)
	}
	return b.String()
}

// A file with a secret in it is for its owner only; one without may be read by
// others; one that others can change is nobody's to trust.
func TestModesOfTheChannelsFile(t *testing.T) {
	plain := "channels:\n  desk: { kind: hook, command: [DIR/tell] }\n"
	secret := "channels:\n  phone: { kind: push, url: 'https://h.example/', topic: x, secret: " + pushToken + " }\n"
	tests := []struct {
		text string
		mode fs.FileMode
		want string // empty where it is read
	}{
		{plain, 0o600, ""}, {plain, 0o644, ""}, {plain, 0o660, "can be changed by others"}, {plain, 0o602, "can be changed by others"},
		{secret, 0o600, ""}, {secret, 0o400, ""}, {secret, 0o640, "others can read it"}, {secret, 0o604, "others can read it"},
	}
	for _, test := range tests {
		_, err := ReadChannels(channelFiles(t, test.text, test.mode), environ, time.Now)
		if (err == nil) != (test.want == "") || err != nil && (!strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), pushToken)) {
			t.Errorf("mode %04o: %v, want %q", test.mode, err, test.want)
		}
	}
	if len(tests) != 8 {
		t.Errorf("ran %d cases, want 8", len(tests))
	}
	if _, err := ReadChannels(filepath.Join(t.TempDir(), "none.yaml"), nil, time.Now); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}
