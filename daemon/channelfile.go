package daemon

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/countersign/countersign/channel/hook"
	"github.com/countersign/countersign/channel/notice"
	"github.com/countersign/countersign/channel/post"
	"github.com/countersign/countersign/channel/push"
	"github.com/countersign/countersign/channel/webhook"
	"github.com/countersign/countersign/document"
	"github.com/countersign/countersign/policy"
)

// ChannelsFile is the file of a home folder that says which channels there are;
// docs/channels.md describes it.
const ChannelsFile = "channels.yaml"

// The bounds of a file of channels.
const (
	maxChannelsFile = 64 << 10
	maxChannels     = 20
)

// ReadChannels reads a file of channels. Their secrets come from the file, from
// other files, or from environ, of which programs get a part as well; now is the
// time for signatures. No error shows what may be a secret.
func ReadChannels(path string, environ []string, now func() time.Time) ([]notice.Named, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the channels: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("read the channels: %w", err)
	}
	if err := ownFile(path, info); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxChannelsFile+1))
	if err != nil {
		return nil, fmt.Errorf("read the channels: %w", err)
	}
	doc, root, err := document.OpenSecret(path, data, maxChannelsFile)
	if err != nil {
		return nil, err
	}
	r := &channelReader{Reader: doc, dir: filepath.Dir(path), environ: environ, now: now, private: !othersMay(info, 0o077)}
	found := r.channels(root)
	return found, r.Err()
}

// othersMay reports whether a file's mode lets the group or others do something.
func othersMay(info fs.FileInfo, what fs.FileMode) bool {
	return runtime.GOOS != "windows" && info.Mode().Perm()&what != 0
}

// ownFile refuses a file that somebody else could have written: what is in it is
// carried out as the guard's user.
func ownFile(path string, info fs.FileInfo) error {
	owner := ownerOf(info)
	switch {
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is no file", path)
	case owner > 0 && owner != os.Geteuid():
		return fmt.Errorf("%s belongs to user %d, who could change it; it must be yours or root's", path, owner)
	case othersMay(info, 0o022):
		return fmt.Errorf("%s can be changed by others (mode %04o); close it with: chmod go-w %s", path, info.Mode().Perm(), path)
	}
	return nil
}

// channelReader reads the entries of the file.
type channelReader struct {
	*document.Reader
	dir     string // relative paths of secrets begin here
	environ []string
	now     func() time.Time
	private bool // nobody else can read the file
}

// channels reads them all, in the order of the file.
func (r *channelReader) channels(root *document.Node) (all []notice.Named) {
	list := r.Fields(root, "the file of channels", "channels")["channels"]
	if list == nil {
		if !r.Failed() {
			r.Complain(root, "begin with channels:, and name one below it", "the file names no channels")
		}
		return nil
	}
	entries := r.Mapping(list, "channels")
	if len(entries) > maxChannels {
		r.Complain(list, "", "there are %d channels; at most %d are accepted", len(entries), maxChannels)
		return nil
	}
	for _, e := range entries {
		if !policy.IsChannelName(e.Key) {
			r.Complain(e.At, fmt.Sprintf("accepted: lower-case letters, digits, - and _, at most %d, beginning with a letter or a digit; not %s", policy.MaxChannelName, policy.AllChannels),
				"this is no name of a channel")
			continue
		}
		if c, ok := r.channel(e.Value); ok {
			c.Name = e.Key
			all = append(all, c)
		}
	}
	return all
}

// kinds are the kinds of channels and the keys that each takes.
var kinds = []struct {
	name string
	keys []string
}{
	{"webhook", []string{"url", "secret", "secret_file", "secret_env"}},
	{"push", []string{"url", "topic", "secret", "secret_file", "secret_env"}},
	{"hook", []string{"command"}},
}

// channel reads one entry.
func (r *channelReader) channel(n *document.Node) (c notice.Named, ok bool) {
	before := r.Count()
	fields := r.Fields(n, "a channel", "kind", "brief", "url", "topic", "command", "secret", "secret_file", "secret_env")
	if r.Count() > before {
		return c, false
	}
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	kind, given := fields["kind"]
	if !given {
		r.Complain(n, "give it one; "+document.Accept(names), "the channel has no kind")
		return c, false
	}
	i, known := r.Index(kind, "a kind of channel", names)
	if !known {
		return c, false
	}
	for key, v := range fields {
		if key != "kind" && key != "brief" && !slices.Contains(kinds[i].keys, key) {
			r.Complain(v, document.Accept(append([]string{"kind", "brief"}, kinds[i].keys...)), "a %s has no %s", names[i], key)
		}
	}
	c.Kind, c.Brief = names[i], r.Flag(fields["brief"], "brief")
	if r.Count() > before {
		return c, false
	}
	switch c.Kind {
	case "hook":
		c.Channel, c.Where = r.hook(n, fields)
	case "push":
		c.Channel, c.Where = r.push(n, fields)
	default:
		c.Channel, c.Where = r.webhook(n, fields)
	}
	return c, r.Count() == before
}

// wanted is the text of a key that must be there.
func (r *channelReader) wanted(n *document.Node, fields map[string]*document.Node, key string) string {
	if v := fields[key]; v != nil {
		return r.Text(v, key)
	}
	r.Complain(n, "", "the channel has no %s", key)
	return ""
}

// address reads the url of a channel.
func (r *channelReader) address(n *document.Node, fields map[string]*document.Node) (to post.Address) {
	text := r.wanted(n, fields, "url")
	if text == "" {
		return to
	}
	to, err := post.ReadAddress(text)
	if err != nil {
		r.Complain(fields["url"], err.Error(), "the url is none that is accepted")
	}
	return to
}

func (r *channelReader) webhook(n *document.Node, fields map[string]*document.Node) (notice.Channel, string) {
	before := r.Count()
	to := r.address(n, fields)
	text, at := r.secret(n, fields, true)
	if r.Count() > before {
		return nil, ""
	}
	secret, err := webhook.ReadSecret(text)
	if err != nil {
		r.Complain(at, err.Error(), "the secret is none")
		return nil, ""
	}
	c, err := webhook.New(webhook.Options{To: to, Secret: secret, Now: r.now})
	if err != nil {
		r.Complain(n, "", "%v", err)
	}
	return c, to.Host()
}

func (r *channelReader) push(n *document.Node, fields map[string]*document.Node) (notice.Channel, string) {
	before := r.Count()
	to := r.address(n, fields)
	topic := r.wanted(n, fields, "topic")
	token, at := r.secret(n, fields, false)
	if r.Count() > before {
		return nil, ""
	}
	c, err := push.New(push.Options{To: to, Topic: topic, Token: token})
	switch {
	case errors.Is(err, push.ErrTopic):
		r.Complain(fields["topic"], err.Error(), "the topic is none that is accepted")
	case err != nil:
		r.Complain(at, err.Error(), "the secret is no token")
	}
	return c, to.Host()
}

func (r *channelReader) hook(n *document.Node, fields map[string]*document.Node) (notice.Channel, string) {
	at := fields["command"]
	if at == nil {
		r.Complain(n, hook.ErrCommand.Error(), "the channel has no command")
		return nil, ""
	}
	before := r.Count()
	var command []string
	for _, item := range r.Items(at, "command") {
		command = append(command, r.Text(item, "command"))
	}
	if r.Count() > before {
		return nil, ""
	}
	c, err := hook.New(hook.Options{Command: command, Environ: r.environ})
	if err != nil {
		r.Complain(at, err.Error(), "the command is none that is accepted")
		return nil, ""
	}
	if err := ownProgram(command[0]); err != nil {
		r.Complain(at, "", "%v", err)
	}
	return c, command[0]
}

// ownProgram refuses a program that is not there, or that somebody else could
// have written.
func ownProgram(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("the program cannot be found: %w", err)
	}
	if err := ownFile(path, info); err != nil {
		return err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o111 == 0 {
		return fmt.Errorf("%s cannot be started; make it a program with: chmod u+x %s", path, path)
	}
	return nil
}

// environValue is a variable of an environment.
func environValue(environ []string, name string) string {
	for _, v := range slices.Backward(environ) { // the last one counts
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}
