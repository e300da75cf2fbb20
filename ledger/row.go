package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/mod/sumdb/tlog"
)

// Hash is the SHA-256 hash of a row or of a tree of rows, as in RFC 6962.
type Hash = tlog.Hash

// Kind says what a row is about. Any word of lower-case letters is a kind, so
// that an older program can verify what a newer one wrote.
type Kind string

// The kinds of rows, and the type of their bodies.
const (
	KindDecision   Kind = "decision"   // Decision: one per action, whatever the outcome
	KindTransition Kind = "transition" // Transition: a question changes its state
	KindResult     Kind = "result"     // Result: what became of a released action
	KindGrant      Kind = "grant"      // Grant: a grant is given, lets an action pass, or ends
	KindRefused    Kind = "refused"    // Refused: a request that could not be read or was over a limit
	KindAggregate  Kind = "aggregate"  // Aggregate: pure decisions, counted
	KindFreeze     Kind = "freeze"     // Change
	KindUnfreeze   Kind = "unfreeze"   // Change
	KindPolicy     Kind = "policy"     // Change
	KindCredential Kind = "credential" // Change
	KindStart      Kind = "start"      // Change
	KindStop       Kind = "stop"       // Change
	KindLabel      Kind = "label"      // Label: what a person says of an earlier decision
	KindSetup      Kind = "setup"      // Change: which helpers the owner let onto phones
	KindChannel    Kind = "channel"    // Change: a channel fails, or works again
)

// Bounds of a row. What is longer is refused, not cut: the caller knows what
// can be left out.
const (
	MaxRow     = 1 << 20 // bytes of Row.Data
	MaxSubject = 200     // bytes of Row.Subject
	maxKind    = 32      // bytes of Row.Kind
	maxDepth   = 64      // nesting of a body
)

// What is wrong with an entry that is not appended or a row that is not read.
var (
	ErrKind         = errors.New("the kind of a row is 1 to 32 lower-case letters or underscores")
	ErrSubject      = fmt.Errorf("the subject of a row is an id of at most %d bytes, valid UTF-8 without control characters", MaxSubject)
	ErrBody         = errors.New("the body of a row is one JSON object without repeated keys")
	ErrTime         = errors.New("the time of a row lies in the years 1970 to 9999; check the clock")
	ErrTooLarge     = fmt.Errorf("a row is at most %d bytes; leave out the features or shorten the texts", MaxRow)
	ErrNotCanonical = errors.New("the row is not spelled the way the ledger writes it")
)

// Entry is what is to be recorded.
type Entry struct {
	Kind Kind
	// Subject is the id of the action that the row is about, empty for none. It
	// is not redacted: use an id that the guard made, never a word of the agent's.
	Subject string
	// Body is marshalled to a JSON object and redacted; nil is the empty object.
	Body any
}

// Row is one record. The slices are shared with Data and must not be changed.
type Row struct {
	// Seq counts the rows from 1, without gaps.
	Seq int64
	// At is in UTC and whole milliseconds.
	At      time.Time
	Kind    Kind
	Subject string
	// Prev is the hash of the row before, zero for the first.
	Prev Hash
	Body json.RawMessage
	// Data is what is hashed: one JSON object with seq, at, kind, subject, prev
	// and body in this order.
	Data []byte
	// Hash is tlog.RecordHash(Data).
	Hash Hash
}

// timeLayout writes whole milliseconds, always three digits.
const timeLayout = "2006-01-02T15:04:05.000Z"

// encode writes the canonical form; body is canonical already.
func encode(seq int64, at time.Time, kind Kind, subject string, prev Hash, body []byte) []byte {
	out := make([]byte, 0, len(body)+len(subject)+len(kind)+160)
	out = append(out, `{"seq":`...)
	out = strconv.AppendInt(out, seq, 10)
	out = append(out, `,"at":"`...)
	out = at.AppendFormat(out, timeLayout)
	out = append(out, `","kind":"`...)
	out = append(out, kind...)
	out = append(out, `","subject":`...)
	out = appendString(out, subject)
	out = append(out, `,"prev":"`...)
	out = append(out, prev.String()...)
	out = append(out, `","body":`...)
	out = append(out, body...)
	return append(out, '}')
}

// ParseRow reads the canonical form of a row. Any byte that differs from what
// Append would write is an error that wraps ErrNotCanonical. The row keeps data.
func ParseRow(data []byte) (Row, error) {
	r, err := parseRow(data)
	if err != nil {
		return Row{}, fmt.Errorf("ledger: read row: %w", err)
	}
	r.Hash = tlog.RecordHash(data)
	return r, nil
}

// parseRow is ParseRow without the hash.
func parseRow(data []byte) (Row, error) {
	if len(data) > MaxRow {
		return Row{}, fmt.Errorf("%w; this one has %d", ErrTooLarge, len(data))
	}
	r, err := readRow(data)
	if err != nil {
		return Row{}, fmt.Errorf("%w: %w", ErrNotCanonical, err)
	}
	body, err := canonicalJSON(r.Body)
	if err != nil {
		return Row{}, fmt.Errorf("%w: %w", ErrNotCanonical, err)
	}
	// Writing it again and comparing is what makes the reader harmless:
	// whatever it overlooks differs here.
	if !bytes.Equal(encode(r.Seq, r.At, r.Kind, r.Subject, r.Prev, body), data) {
		return Row{}, ErrNotCanonical
	}
	r.Data = data
	return r, nil
}

// readRow takes the fields of a row apart. It need not be strict about their
// spelling, only about their meaning.
func readRow(data []byte) (r Row, err error) {
	c := cursor{rest: data}
	seq := c.between(`{"seq":`, `,"at":"`)
	at := c.between("", `","kind":"`)
	r.Kind = Kind(c.between("", `","subject":`))
	subject := c.subject()
	prev := c.between(`,"prev":"`, `","body":`)
	if c.failed || !bytes.HasSuffix(c.rest, []byte("}")) {
		return r, errors.New("it has not the fields seq, at, kind, subject, prev, body in this order")
	}
	end := len(c.rest) - 1
	r.Body = c.rest[:end:end]
	if r.Seq, err = strconv.ParseInt(string(seq), 10, 64); err != nil || r.Seq < 1 {
		return r, errors.New("seq is no whole number from 1")
	}
	if r.At, err = time.Parse(timeLayout, string(at)); err != nil {
		return r, fmt.Errorf("at is not in the form %s", timeLayout)
	}
	if r.Prev, err = tlog.ParseHash(string(prev)); err != nil {
		return r, errors.New("prev is no hash in base64")
	}
	if err := json.Unmarshal(subject, &r.Subject); err != nil {
		return r, errors.New("subject is no string")
	}
	return r, errors.Join(checkTime(r.At), checkKind(r.Kind), checkSubject(r.Subject))
}

// cursor cuts fields off the front of a row.
type cursor struct {
	rest   []byte
	failed bool
}

// between cuts off what stands after a prefix and before a delimiter.
func (c *cursor) between(prefix, delimiter string) []byte {
	rest, hasPrefix := bytes.CutPrefix(c.rest, []byte(prefix))
	field, rest, hasDelimiter := bytes.Cut(rest, []byte(delimiter))
	c.rest, c.failed = rest, c.failed || !hasPrefix || !hasDelimiter
	return field
}

// subject cuts off a JSON string with its quotes.
func (c *cursor) subject() []byte {
	for i := 1; i < len(c.rest); i++ {
		switch c.rest[i] {
		case '\\':
			i++
		case '"':
			field := c.rest[:i+1]
			c.rest = c.rest[i+1:]
			return field
		}
	}
	c.failed = true
	return nil
}

func checkKind(k Kind) error {
	if len(k) == 0 || len(k) > maxKind {
		return ErrKind
	}
	for i := range len(k) {
		if c := k[i]; (c < 'a' || c > 'z') && c != '_' {
			return ErrKind
		}
	}
	return nil
}

func checkSubject(s string) error {
	if len(s) > MaxSubject || !utf8.ValidString(s) {
		return ErrSubject
	}
	for _, r := range s {
		if unicode.IsControl(r) {
			return ErrSubject
		}
	}
	return nil
}

func checkTime(at time.Time) error {
	if year := at.UTC().Year(); year < 1970 || year > 9999 {
		return ErrTime
	}
	return nil
}
