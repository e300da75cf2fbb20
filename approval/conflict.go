package approval

import "fmt"

// Conflict says that an event came to a question that it can no longer move:
// a second answer, a late yes, a second release.
type Conflict struct {
	ID    string
	State State
	Event Event
}

// Error says what the question is now and what that means for whoever came late.
func (c *Conflict) Error() string {
	return fmt.Sprintf("approval %s is %s; %s", c.ID, c.State, c.advice())
}

// advice is what there is to do after a conflict, by the state that was met.
func (c *Conflict) advice() string {
	switch c.State {
	case None:
		return "it was never asked"
	case Pending:
		return "it has not been answered yet"
	case Approved:
		return "it was answered already; revoke takes the answer back"
	case Releasing:
		return "it is being carried out and cannot be stopped any more"
	case Released:
		return "it was carried out already, and an answer counts once"
	case Failed:
		return "it was tried once and is not tried again"
	case Denied:
		return "it was refused"
	case Expired:
		return "its time was over, nobody refused it; ask again if it is still wanted"
	case Cancelled:
		return "whoever asked withdrew it or went away"
	case NoChannel:
		return "there was nobody to ask"
	case Void:
		return "the screen was no longer the one that was approved; ask again"
	}
	return "it was taken back"
}
