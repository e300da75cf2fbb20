package notice

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"time"

	"github.com/countersign/countersign/approval"
)

// The types of messages.
const (
	TypeQuestion = "question.waits" // a question waits for an answer
	TypeTest     = "channel.test"   // somebody tries whether the channel works
)

// Message is what a channel is told. Its form is that which Standard Webhooks
// recommends for a payload: a type, the time of the event, and the data.
type Message struct {
	Type string    `json:"type"`
	At   time.Time `json:"timestamp"`
	Data Question  `json:"data"`
}

// Question is what a message says of a question. Every text from a screen or an
// agent in it is on one line, shortened, without secrets, and no link.
type Question struct {
	// ID is the question's; all messages about one question have the same.
	ID string `json:"id"`
	// Sentence says what the action would do.
	Sentence  string `json:"sentence"`
	Category  string `json:"category,omitempty"`
	Critical  bool   `json:"critical"`
	Permanent bool   `json:"permanent,omitempty"`
	App       string `json:"app,omitempty"`
	Package   string `json:"package,omitempty"`
	Tier      string `json:"tier,omitempty"`
	Agent     string `json:"agent,omitempty"`
	Device    string `json:"device,omitempty"`
	Control   string `json:"control,omitempty"`
	Object    string `json:"object,omitempty"`
	Recipient string `json:"recipient,omitempty"`
	// Amount is the value with its currency, as in "24.10 EUR".
	Amount string `json:"amount,omitempty"`
	// Text is what is about to leave.
	Text string `json:"text,omitempty"`
	// Deadline is when the question ends unanswered; zero where nothing waits.
	Deadline time.Time `json:"deadline,omitzero"`
	// Where says where it is answered, URL is the page where there is a name with
	// TLS.
	Where string `json:"where"`
	URL   string `json:"url,omitempty"`
}

// AtTheComputer is where a question is answered while the inbox has no name that
// other devices could use.
const AtTheComputer = "Open the inbox on the computer that runs the guard."

// MessageOf is what channels are told of a question. inbox is the base address of
// the inbox where it has a name with TLS, else nil.
func MessageOf(a *approval.Approval, inbox *url.URL) Message {
	c := &a.Card
	q := Question{
		ID: a.ID, Category: c.Category.String(), Critical: c.Critical, Permanent: c.Permanent, Tier: c.Tier.String(),
		Deadline: a.Deadline.UTC(), Where: AtTheComputer,
	}
	q.takeOver(a)
	if inbox != nil {
		page := inbox.JoinPath("approvals", a.ID)
		q.Where, q.URL = "Open the inbox at "+inbox.Host+".", page.String()
	}
	return Message{Type: TypeQuestion, At: a.CreatedAt.UTC(), Data: q}
}

// Sample is a harmless message that shows whether a channel works.
func Sample(channel string, at time.Time, inbox *url.URL) Message {
	q := Question{
		ID:       fmt.Sprintf("test_%d", at.UnixMilli()),
		Sentence: "This is a test of the channel " + channel + ". Nothing waits, and nothing is to be answered.",
		Where:    AtTheComputer,
	}
	if inbox != nil {
		q.Where, q.URL = "Open the inbox at "+inbox.Host+".", inbox.String()
	}
	return Message{Type: TypeTest, At: at.UTC(), Data: q}
}

// Brief is the message without anything of what is on the screen: that something
// waits, how grave it is, until when and where.
func (m Message) Brief() Message {
	if m.Type != TypeQuestion {
		return m
	}
	q := &m.Data
	m.Data = Question{
		ID: q.ID, Sentence: "A question waits.", Category: q.Category, Critical: q.Critical, Tier: q.Tier,
		Deadline: q.Deadline, Where: q.Where, URL: q.URL,
	}
	return m
}

// JSON is the message as programs get it, on one line.
func (m Message) JSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(m); err != nil {
		return nil, fmt.Errorf("notice: write the message: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
