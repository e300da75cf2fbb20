package ledger

import (
	"fmt"
	"time"
)

// Asking is what asking has cost, of actions of one sort. Every question that was
// put has exactly one of the ends Approved, Denied, Expired, Withdrawn and Nobody,
// or is Open: they add up to Asked.
type Asking struct {
	// Actions are the decisions on record. A proposal that is made again while its
	// question is open is the same action; see Joined.
	Actions int64 `json:"actions"`
	// Asked are the questions that were put, WouldAsk those that observe mode did
	// not put.
	Asked    int64 `json:"asked"`
	WouldAsk int64 `json:"would_ask"`
	// Tasks are the different tasks that the actions belong to, AskedInTasks the
	// questions about actions that name one. Above 1,000 tasks their number is an
	// estimate, within about 7 in 100.
	Tasks        int64 `json:"tasks"`
	AskedInTasks int64 `json:"asked_in_tasks"`

	// Joined, Linked and Granted needed no question of their own: made again while
	// the question was open; covered by the yes to another question, be it the one
	// before or the same at a gate above; let pass by a grant.
	Joined  int64 `json:"joined"`
	Linked  int64 `json:"linked"`
	Granted int64 `json:"granted"`

	Approved int64 `json:"approved"`
	Denied   int64 `json:"denied"`
	// Expired are those that nobody answered in time; a yes that nobody used counts
	// as Approved. Withdrawn are those that the agent withdrew, or that a person or
	// a freeze took back unanswered; for Nobody there was nobody to ask.
	Expired   int64 `json:"expired"`
	Withdrawn int64 `json:"withdrawn"`
	Nobody    int64 `json:"nobody"`
	Open      int64 `json:"open"`

	// Hasty are the answers that came in less than the ReadingTime of the card.
	Hasty int64 `json:"hasty"`
	// Median and P90 are times from a question to its answer, at most 2 in 100 too
	// small; 0 without an answer.
	Median Millis `json:"median_ms"`
	P90    Millis `json:"p90_ms"`

	// Needless are questions and refusals that a person labelled as such, Missed
	// allowed actions that should have been asked about.
	Needless int64 `json:"needless"`
	Missed   int64 `json:"missed"`

	// AskedPer100 are the questions for 100 actions, with those that observe mode
	// did not put; AskedPerTask are AskedInTasks for each of Tasks.
	AskedPer100  float64 `json:"asked_per_100"`
	AskedPerTask float64 `json:"asked_per_task"`
	Shares       Shares  `json:"shares"`
}

// Shares are parts of a whole, from 0 to 1; 0 where there is no whole.
type Shares struct {
	// Of the questions that were put.
	Approved  float64 `json:"approved"`
	Denied    float64 `json:"denied"`
	Expired   float64 `json:"expired"`
	Withdrawn float64 `json:"withdrawn"`
	Nobody    float64 `json:"nobody"`
	// Of the answers.
	Hasty float64 `json:"hasty"`
	// Of all that would have been asked, that is Asked, Joined, Linked and Granted.
	Joined  float64 `json:"joined"`
	Linked  float64 `json:"linked"`
	Granted float64 `json:"granted"`
	// Of the actions that were asked about or refused, and of those that were
	// allowed.
	Needless float64 `json:"needless"`
	Missed   float64 `json:"missed"`
}

// Answered are the questions that a person answered.
func (a *Asking) Answered() int64 { return a.Approved + a.Denied }

// Millis is a time that JSON has as whole milliseconds.
type Millis time.Duration

// MarshalJSON writes whole milliseconds.
func (m Millis) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "%d", time.Duration(m).Milliseconds()), nil
}

// AskingGroup is an Asking with the name of what is counted.
type AskingGroup struct {
	Name string `json:"name"`
	// ID is the credential of an agent that Name is put in place of.
	ID string `json:"id,omitempty"`
	Asking
}

// OtherGroups is the name of the group that stands for all beyond MaxGroups. No
// package, category, source or agent is called that.
const OtherGroups = "(others)"

// MaxGroups is how many groups of a sort are kept apart; names of apps come from
// outside, and an agent can make up any number.
const MaxGroups = 1000

// Stats is what asking has cost over a time. The groups are in order of falling
// questions, then actions, then by name.
type Stats struct {
	// From and To are the times of the first and the last row that was read.
	From time.Time `json:"from"`
	To   time.Time `json:"to"`

	All Asking `json:"all"`
	// TasksBySession of the tasks are told apart by the session that the agent
	// named, TasksByText, where it named none, by the text of the task. NoTask are
	// the actions that came with neither.
	TasksBySession int64 `json:"tasks_by_session"`
	TasksByText    int64 `json:"tasks_by_text"`
	NoTask         int64 `json:"no_task"`
	// Unread are rows that this program cannot read.
	Unread int64 `json:"unread"`

	Categories []AskingGroup `json:"categories"`
	Apps       []AskingGroup `json:"apps"`
	Sources    []AskingGroup `json:"sources"`
	Agents     []AskingGroup `json:"agents"`
}
