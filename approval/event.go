package approval

import "fmt"

// Event is what moves a question.
type Event uint8

// The events.
const (
	Ask     Event = iota + 1 // a question is put
	Unasked                  // there is nobody to put it to
	Approve                  // a person says yes
	Deny                     // a person says no
	Expire                   // its time is over
	Cancel                   // the requester withdraws it or is gone
	Revoke                   // a person takes it back, or freezes everything
	Change                   // the screen is not the one that was approved
	Begin                    // the action is about to be carried out
	Succeed                  // the action was carried out
	Fail                     // the action could not be carried out
	Lose                     // nobody knows whether it was: a deadline or a restart
	eventCount
)

var eventNames = [eventCount]string{
	Ask: "ask", Unasked: "unasked", Approve: "approve", Deny: "deny", Expire: "expire", Cancel: "cancel",
	Revoke: "revoke", Change: "change", Begin: "begin", Succeed: "succeed", Fail: "fail", Lose: "lose",
}

// String returns the wire name, such as "approve".
func (e Event) String() string {
	if e > 0 && e < eventCount {
		return eventNames[e]
	}
	return fmt.Sprintf("event(%d)", uint8(e))
}

// MarshalText writes the wire name.
func (e Event) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// Events are all events, in order.
func Events() []Event {
	events := make([]Event, 0, eventCount-1)
	for e := Ask; e < eventCount; e++ {
		events = append(events, e)
	}
	return events
}

// A Step is one line of the table: From moves to To when Event happens.
type Step struct {
	From  State
	Event Event
	To    State
}

// steps is every way a question can go. What is not in it is a conflict.
var steps = []Step{
	{None, Ask, Pending},
	{None, Unasked, NoChannel},

	{Pending, Approve, Approved},
	{Pending, Deny, Denied},
	{Pending, Expire, Expired},
	{Pending, Cancel, Cancelled},
	{Pending, Unasked, NoChannel},
	{Pending, Revoke, Revoked},

	{Approved, Begin, Releasing},
	{Approved, Change, Void},
	{Approved, Expire, Expired},
	{Approved, Cancel, Cancelled},
	{Approved, Revoke, Revoked},

	{Releasing, Succeed, Released},
	{Releasing, Fail, Failed},
	{Releasing, Lose, Failed},
}

// Table returns every way a question can go, in the order of docs/approvals.md.
func Table() []Step { return append([]Step(nil), steps...) }

// next holds the same by state and event; None stands for a conflict, since
// nothing moves back to None.
var next = func() (n [stateCount][eventCount]State) {
	for _, s := range steps {
		n[s.From][s.Event] = s.To
	}
	return n
}()

// Next is the state that an event moves a question to; ok is false where it
// moves it nowhere.
func Next(from State, e Event) (to State, ok bool) {
	if from >= stateCount || e >= eventCount {
		return None, false
	}
	to = next[from][e]
	return to, to != None
}
