// Package push tells a phone that a question waits, through a server that speaks
// ntfy's way of publishing (https://docs.ntfy.sh/publish/#publish-as-json): a JSON
// document with the topic in it, sent to the server's root.
package push

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/countersign/countersign/channel/notice"
	"github.com/countersign/countersign/channel/post"
)

// ErrTopic says what a topic has to be.
var ErrTopic = errors.New("a topic is 1 to 64 letters, digits, - or _; whoever knows it can read along, so make it one that nobody guesses")

// ErrToken says what a token has to be.
var ErrToken = errors.New("a token is one line of at most 512 visible ASCII characters without blanks")

// topicName is ntfy's own rule.
var topicName = regexp.MustCompile(`^[-_A-Za-z0-9]{1,64}$`)

// maxToken is the length of the longest token, in bytes.
const maxToken = 512

// Options say where to publish. To and Topic are required.
type Options struct {
	// To is the server's root.
	To    post.Address
	Topic string
	// Token is sent as a bearer token; empty for none.
	Token string
	// Roots check the server's certificate; nil for the system's.
	Roots *x509.CertPool
}

// Channel is a notice.Channel.
type Channel struct {
	sender *post.Sender
	topic  string
	header http.Header
}

// New makes a channel. It sends nothing yet. What is wrong with the options is
// ErrTopic or ErrToken.
func New(o Options) (*Channel, error) {
	switch {
	case o.To.Host() == "":
		return nil, errors.New("push: Options.To is missing")
	case !topicName.MatchString(o.Topic):
		return nil, ErrTopic
	case len(o.Token) > maxToken || strings.ContainsFunc(o.Token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return nil, ErrToken
	}
	c := &Channel{sender: post.New(o.To, o.Roots), topic: o.Topic, header: http.Header{}}
	if o.Token != "" {
		c.header.Set("Authorization", "Bearer "+o.Token)
	}
	return c, nil
}

// Format prints no verb with the topic or the token.
func (c *Channel) Format(f fmt.State, _ rune) { io.WriteString(f, "a push channel") }

// Tell publishes the message once.
func (c *Channel) Tell(ctx context.Context, m notice.Message) error {
	doc, err := json.Marshal(c.publication(&m))
	if err != nil {
		return fmt.Errorf("push: write the message: %w", err)
	}
	return c.sender.Post(ctx, c.header, doc)
}

// publication is a message as ntfy reads it. Nothing asks for markdown or offers
// actions: what stands in it is text.
type publication struct {
	Topic    string   `json:"topic"`
	Title    string   `json:"title"`
	Message  string   `json:"message"`
	Priority int      `json:"priority"`
	Tags     []string `json:"tags,omitempty"`
	// Click is opened when the notice is touched.
	Click string `json:"click,omitempty"`
}

// The priorities that are used, of ntfy's 1 to 5.
const (
	usual  = 3
	urgent = 5 // keeps ringing and vibrating
)

func (c *Channel) publication(m *notice.Message) publication {
	q := &m.Data
	p := publication{Topic: c.topic, Title: "Countersign: a question waits", Priority: usual, Click: q.URL, Message: text(q, wholeLine)}
	if len(p.Message) > maxMessage {
		p.Message = text(q, shortLine)
	}
	switch {
	case m.Type == notice.TypeTest:
		p.Title = "Countersign: a test"
	case q.Critical:
		p.Title, p.Priority, p.Tags = "Countersign: CRITICAL, a question waits", urgent, []string{"warning"}
	}
	return p
}

// The bounds of a message. ntfy makes an attachment of what has more than 4096
// bytes.
const (
	maxMessage = 4000 // bytes
	wholeLine  = 1000 // runes of somebody else's text on one line
	shortLine  = 80
)

// text is a question in lines. Each text from elsewhere stands behind a name of
// ours, on one line.
func text(q *notice.Question, most int) string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			b.WriteString(name + clip(value, most) + "\n")
		}
	}
	line("", q.Sentence)
	line("Amount: ", q.Amount)
	line("To: ", q.Recipient)
	line("About: ", q.Object)
	line("Text: ", q.Text)
	line("Asked by: ", q.Agent)
	line("On: ", q.Device)
	if !q.Deadline.IsZero() {
		b.WriteString("Waits until " + q.Deadline.UTC().Format("15:04") + " UTC.\n")
	}
	b.WriteString(q.Where)
	return b.String()
}

func clip(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}
