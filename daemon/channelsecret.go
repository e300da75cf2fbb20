package daemon

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/countersign/countersign/document"
)

// maxSecretFile bounds the file of a secret, in bytes.
const maxSecretFile = 4 << 10

// secretKeys are the ways to give a channel its secret.
var secretKeys = []string{"secret", "secret_file", "secret_env"}

// secret is a channel's secret and where in the file it was given, empty where
// there is none. A needed one that is missing is complained about.
func (r *channelReader) secret(n *document.Node, fields map[string]*document.Node, needed bool) (text string, at *document.Node) {
	key := ""
	for _, k := range secretKeys {
		switch {
		case fields[k] == nil:
		case key != "":
			r.Complain(fields[k], "give one of them", "the channel has a %s as well as a %s", k, key)
			return "", n
		default:
			key, at = k, fields[k]
		}
	}
	if key == "" {
		if needed {
			r.Complain(n, document.Accept(secretKeys), "the channel has no secret, by which the other side knows that a message is the guard's")
		}
		return "", n
	}
	value := r.Text(at, key)
	if value == "" {
		return "", at
	}
	switch key {
	case "secret_file":
		return r.secretFile(at, value), at
	case "secret_env":
		return r.secretEnv(at, value), at
	}
	if !r.private {
		r.Complain(at, "close it with chmod 600, and replace the secret if somebody may have seen it; or keep the secret in a file of its own (secret_file)",
			"there is a secret in this file, and others can read it")
	}
	return value, at
}

// secretFile reads the only line of a file that nobody else can read. A relative
// path begins at the folder of the file of channels.
func (r *channelReader) secretFile(at *document.Node, path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.dir, path)
	}
	text, err := readSecretFile(path)
	if err != nil {
		r.Complain(at, "", "%v", err)
	}
	return text
}

func readSecretFile(path string) (string, error) {
	f, err := os.Open(path)
	if bare := (*fs.PathError)(nil); errors.As(err, &bare) {
		err = bare.Err // what was taken for a path may be the secret itself
	}
	if err != nil {
		return "", fmt.Errorf("the file of the secret cannot be read: %w; secret_file is a path, beginning at the folder of this file", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", fmt.Errorf("the secret cannot be read: %w", err)
	}
	if err := ownFile(path, info); err != nil {
		return "", err
	}
	if othersMay(info, 0o077) {
		return "", fmt.Errorf("others can read the secret in %s; close it with chmod 600, and replace the secret if somebody may have seen it", path)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxSecretFile+1))
	if err != nil {
		return "", fmt.Errorf("the secret cannot be read: %w", err)
	}
	text := strings.TrimSpace(string(data))
	if text == "" || len(data) > maxSecretFile || strings.ContainsAny(text, "\r\n") {
		return "", fmt.Errorf("%s is not one line with a secret", path)
	}
	return text, nil
}

// variableName is what the name of an environment variable looks like.
var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,99}$`)

// secretEnv reads a variable of the environment.
func (r *channelReader) secretEnv(at *document.Node, name string) string {
	if !variableName.MatchString(name) {
		r.Complain(at, "accepted: the name of a variable, such as NTFY_TOKEN", "this is no name of an environment variable")
		return ""
	}
	value := strings.TrimSpace(environValue(r.environ, name))
	if value == "" {
		r.Complain(at, "set it where the guard is started, or keep the secret in a file (secret_file)", "the environment variable is empty or not set")
	}
	return value
}
