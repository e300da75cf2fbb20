package ledger

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"testing"
	"time"

	"github.com/countersign/countersign/risk"
)

// stored is a ledger in memory, as a store would keep it.
type stored struct {
	rows        []StoredRow
	head        []byte
	checkpoints []StoredCheckpoint

	// changed, when there is one, stands in place of a row of rows. It is kept
	// apart because copying 10,000 rows for each change is most of the work.
	changed *StoredRow
	instead int64 // the seq of the row that changed replaces
}

func bySeq(r StoredRow, seq int64) int { return cmp.Compare(r.Seq, seq) }

func (s *stored) Rows(_ context.Context, after int64, limit int) ([]StoredRow, error) {
	from := sort.Search(len(s.rows), func(i int) bool { return s.rows[i].Seq > after })
	if s.changed == nil {
		return s.rows[from:min(from+limit, len(s.rows))], nil
	}
	// One more than asked for, since one may go.
	page := slices.Clone(s.rows[from:min(from+limit+1, len(s.rows))])
	page = slices.DeleteFunc(page, func(r StoredRow) bool { return r.Seq == s.instead })
	if s.changed.Seq > after {
		at, _ := slices.BinarySearchFunc(page, s.changed.Seq, bySeq)
		page = slices.Insert(page, at, *s.changed)
	}
	return page[:min(limit, len(page))], nil
}

func (s *stored) Head(context.Context) ([]byte, error) { return s.head, nil }

func (s *stored) Checkpoints(_ context.Context, after int64, limit int) ([]StoredCheckpoint, error) {
	from := sort.Search(len(s.checkpoints), func(i int) bool { return s.checkpoints[i].Size > after })
	return s.checkpoints[from:min(from+limit, len(s.checkpoints))], nil
}

// change returns the i-th row, to be changed; its bytes are its own.
func (s *stored) change(i int) *StoredRow {
	row := s.rows[i]
	row.Data, row.Hash = slices.Clone(row.Data), slices.Clone(row.Hash)
	s.changed, s.instead = &row, row.Seq
	return s.changed
}

// resize changes a stored size, which is the order of the checkpoints.
func (s *stored) resize(i int, size int64) {
	s.checkpoints = slices.Clone(s.checkpoints)
	s.checkpoints[i].Size = size
	slices.SortStableFunc(s.checkpoints, func(a, b StoredCheckpoint) int { return cmp.Compare(a.Size, b.Size) })
}

// built is a good ledger with everything that led to it.
type built struct {
	stored
	rows      []Row
	heads     []Head // heads[n] is the head after n rows
	signer    *Signer
	publicKey string
}

func newBuilt(t testing.TB) *built {
	t.Helper()
	private, public, err := GenerateKey("countersign.test")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	return &built{heads: []Head{{}}, signer: signer, publicKey: public}
}

func (b *built) last() Head { return b.heads[len(b.heads)-1] }

func (b *built) append(t testing.TB, at time.Time, e Entry) {
	t.Helper()
	row, head, err := b.last().Append(at, e)
	if err != nil {
		t.Fatal(err)
	}
	b.rows, b.heads = append(b.rows, row), append(b.heads, head)
	b.stored.rows = append(b.stored.rows, StoredRow{row.Seq, row.Subject, row.Data, slices.Clone(row.Hash[:])})
	b.stored.head = marshalled(t, head)
}

func (b *built) checkpoint(t testing.TB) {
	t.Helper()
	text, err := b.signer.Checkpoint(b.last())
	if err != nil {
		t.Fatal(err)
	}
	b.checkpoints = append(b.checkpoints, StoredCheckpoint{b.last().Size, text})
}

func marshalled(t testing.TB, h Head) []byte {
	t.Helper()
	data, err := h.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// verify fails the test when the run itself cannot go on.
func verify(t testing.TB, src Source, key string, o VerifyOptions) Report {
	t.Helper()
	report, err := VerifyWith(context.Background(), src, key, o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

// sample is the i-th entry of a ledger like a real one.
func sample(i int) Entry {
	id := fmt.Sprintf("act_%06d", i)
	switch i % 4 {
	case 1:
		return Entry{KindTransition, id, Transition{Approval: "q1", From: "pending", To: "approved", Event: "answer", By: "anna", How: "terminal"}}
	case 2:
		return Entry{KindResult, id, Result{Approval: "q1", OK: true}}
	case 3:
		return Entry{KindRefused, "", Refused{Agent: "agent", What: "POST /v1/decide", Why: "the JSON ends early", Size: int64(i)}}
	}
	return Entry{KindDecision, id, sampleDecision(id)}
}

func sampleDecision(id string) Decision {
	return Decision{
		ActionID: id, Agent: "agent", Device: "emulator-5554", Session: "s1", Task: "answer Anna", Kind: risk.Tap,
		Outcome: risk.Confirm, Category: risk.Message, Source: risk.ContextAwareGuard, Delta: risk.Added,
		DecidedBy: "layer", Rule: "table HIGH.message",
		App:      App{"com.example.chat", risk.High, "catalogue: messaging"},
		Target:   &Target{"Send", risk.IconButton, "com.example.chat:id/send"},
		Evidence: []risk.Evidence{{Signal: risk.SignalResourceID, Match: "send", Start: 20, End: 24, Term: "send", Language: "en", Layer: risk.LayerTerm, Category: risk.Message}},
		Reason:   "Sends a message in com.example.chat (HIGH).",
		Facts:    risk.Facts{Object: "chat with Anna", Recipient: "Anna", Text: "see you at <nine> & bring cake"},
		Digest:   "hmac-sha256:6f1ed002ab5595859014ebf0951522d9f0c4f8a5b8e2c1d4f7a6b5c4d3e2f101",
		Policy:   "default@sha256:00ff", Replay: ReplayExact,
		Features: []byte(`{"action": {"kind": "tap"}, "target": {"text": "Send"}}`), Screen: Screen{true, "com.example.chat"},
	}
}
