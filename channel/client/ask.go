package client

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/countersign/countersign/approval"
)

// Ask puts one open question after the other on a terminal that can only print
// lines, and reads a line as the answer: y, for critical ones the word yes; Enter
// alone and everything else is no. g says yes and lets the same go on, after what
// that covers was shown. s leaves a question for later, q ends it, and
// so does the end of the input, which answers nothing. Lines that were typed
// before the question could be read are dropped.
func Ask(ctx context.Context, c *Client, in io.Reader, out io.Writer, o WatchOptions) error {
	return ask(ctx, c, in, out, o)
}

// askWidth is how wide lines are set where the width is not known.
const askWidth = 80

// A typedLine is a line of input and when it was read.
type typedLine struct {
	text string
	at   time.Time
}

func ask(ctx context.Context, d door, in io.Reader, out io.Writer, o WatchOptions) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := prompter{door: d, out: out, now: o.now(), page: Page{Width: askWidth, Colour: o.colour()}, handled: map[string]bool{}}
	p.lines = readLines(ctx, in, p.now)
	status, err := d.Status(ctx)
	if err != nil {
		return err
	}
	p.page.Level, p.page.Channels = status.Level, status.Channels
	seen := ""
	for {
		list, err := d.Wait(ctx, seen, longPoll)
		if err != nil {
			return err
		}
		seen = list.Version
		for i := len(list.Approvals) - 1; i >= 0; i-- { // the oldest first
			a := &list.Approvals[i]
			if a.State != approval.Pending || p.handled[a.ID] {
				continue
			}
			if err := p.put(ctx, a); errors.Is(err, errEnough) {
				return nil
			} else if err != nil {
				return err
			}
		}
	}
}

// errEnough says that the owner wants no more questions.
var errEnough = errors.New("no more questions")

// prompter puts questions.
type prompter struct {
	door    door
	out     io.Writer
	now     func() time.Time
	page    Page
	lines   <-chan typedLine
	handled map[string]bool
}

// put prints a question and carries the answer to the guard.
func (p *prompter) put(ctx context.Context, a *approval.Approval) error {
	p.handled[a.ID] = true
	choice := "go ahead? [y/N, s later, q quit] "
	switch {
	case a.Card.Critical:
		choice = "go ahead? [type yes/N, s later, q quit] "
	case mayGrant(a):
		choice = "go ahead? [y/N, g yes and the same again, s later, q quit] "
	}
	if _, err := io.WriteString(p.out, "\n"+p.page.Card(*a, p.now())+choice); err != nil {
		return fmt.Errorf("print the question: %w", err)
	}
	said, err := p.line(ctx, p.now())
	if err != nil {
		return err
	}
	switch {
	case said == "q":
		return errEnough
	case said == "s":
		return p.say("left open")
	case said == "g" && mayGrant(a):
		return p.grant(ctx, a)
	case said == "yes", said == "y" && !a.Card.Critical:
		_, err = p.door.Approve(ctx, a.ID, a.Digest, "")
	default:
		_, err = p.door.Deny(ctx, a.ID, a.Digest, "")
		if err == nil {
			return p.say("denied")
		}
	}
	return p.became(err, "approved")
}

// became says what became of an answer. That the guard refused it is no reason to
// stop asking.
func (p *prompter) became(err error, word string) error {
	if problem := (*Problem)(nil); errors.As(err, &problem) {
		return p.say(problem.Error())
	}
	if err != nil {
		return err
	}
	return p.say(word)
}

// grant shows what would be granted and gives it on a yes. Everything else leaves
// the question open.
func (p *prompter) grant(ctx context.Context, a *approval.Approval) error {
	offer, ok, err := p.door.Offer(ctx, a.ID)
	if err != nil {
		return p.became(err, "")
	}
	if !ok {
		return p.say("no grant may be given with this question, which is left open")
	}
	terms := approval.GrantTerms{Count: offer.Count, For: offer.ExpiresAt.Sub(offer.CreatedAt)}
	shown := Offered(offer, terms, p.now())
	text := "Yes to this, and then without being asked again: " + GrantLine(shown, p.now()) + "."
	if _, err := io.WriteString(p.out, strings.Join(fold(text, p.page.Width), "\n")+"\ngrant this? [y/N] "); err != nil {
		return fmt.Errorf("print the grant: %w", err)
	}
	said, err := p.line(ctx, p.now())
	if err != nil {
		return err
	}
	if said != "y" && said != "yes" {
		return p.say("nothing was granted, and the question is left open")
	}
	_, err = p.door.ApproveWithGrant(ctx, a.ID, a.Digest, "", terms)
	return p.became(err, "approved and granted")
}

func (p *prompter) say(text string) error {
	_, err := fmt.Fprintln(p.out, "→ "+text)
	return err
}

// line is the first line that was typed after the question could be read.
func (p *prompter) line(ctx context.Context, shownAt time.Time) (string, error) {
	for {
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case l, ok := <-p.lines:
			switch {
			case !ok:
				return "", errEnough
			case l.at.Sub(shownAt) >= readFor:
				return strings.ToLower(strings.TrimSpace(l.text)), nil
			}
			if err := p.say("that was typed before the question could be read, and is dropped; answer now"); err != nil {
				return "", err
			}
		}
	}
}

// readLines reads lines until the input or ctx ends. A read that waits for a key
// is not interrupted: it ends with the process.
func readLines(ctx context.Context, in io.Reader, now func() time.Time) <-chan typedLine {
	lines := make(chan typedLine)
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(in)
		for scanner.Scan() {
			select {
			case lines <- typedLine{scanner.Text(), now()}:
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}
