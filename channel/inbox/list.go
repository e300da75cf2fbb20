package inbox

import (
	"cmp"
	"html/template"
	"strings"
	"time"

	"github.com/countersign/countersign/approval"
)

// refreshEmpty is after how many seconds the list loads itself again, where the
// script does not run, while no question is open. With one it stays still, so
// that no link moves under a finger.
const refreshEmpty = 5

// WholeList is the address of the list with all that is open.
const WholeList = "/?show=all"

// Listing is what the list shows.
type Listing struct {
	// Open are all open questions and Settled those that ended last, each in the
	// order to be shown.
	Open, Settled []approval.Approval
	// Waiting is how many of all wait for an answer, Newest when the newest of them
	// was asked.
	Waiting int
	Newest  time.Time
	// Version names what all of this is.
	Version string
}

// Board is the drawn list without what stands around it. It is the same for
// everybody.
type Board struct {
	Version       string
	Waiting, Open int
	Newest        time.Time
	whole         bool
	html          template.HTML
}

// item is a question in a list.
type item struct {
	ID, Sentence, App, Tier, Category, Agent string
	V                                        int64
	Critical                                 bool
	State, Kind                              string
	Left, By, How, At, AtISO, Took           string
	// Said is what tells it from others with the same sentence: what the control
	// says, or the command, and what it is about.
	Said, About string
}

// DrawBoard draws the list at a time: with all that is open, or else with no more
// than a hundred of them, beside how many there are and the way to the others.
func DrawBoard(now time.Time, l Listing, whole bool) (Board, error) {
	room := places
	if whole {
		room = len(l.Open)
	}
	b, err := drawBoard(now, l, room)
	b.whole = whole
	return b, err
}

// drawBoard draws a list with room for so many open questions.
func drawBoard(now time.Time, l Listing, room int) (Board, error) {
	chosen := firstOf(l.Open, room)
	view := struct {
		Version       string
		Waiting, All  int
		Open, Settled []item
		Cut           *cut
		// Long says that there are more than are listed where nobody asks for all.
		Long bool
	}{Version: l.Version, Waiting: l.Waiting, All: len(l.Open), Cut: cutOf(now, l.Open, chosen), Long: len(chosen) > places}
	for _, i := range chosen {
		view.Open = append(view.Open, itemOf(now, &l.Open[i]))
	}
	for i := range l.Settled {
		view.Settled = append(view.Settled, itemOf(now, &l.Settled[i]))
	}
	html, err := draw("board", view)
	return Board{Version: l.Version, Waiting: l.Waiting, Open: len(l.Open), Newest: l.Newest, html: template.HTML(html)}, err
}

// List draws the page of questions around a board.
func List(f Frame, b Board) ([]byte, error) {
	f.Waiting, f.Newest, f.Seen = b.Waiting, b.Newest, b.Version
	view := struct {
		frame
		Board template.HTML
		Again string
	}{f.view("list", hereList, "Questions"), b.html, "/"}
	if b.whole {
		view.Again = WholeList
	}
	if b.Open == 0 {
		view.Refresh = refreshEmpty
	}
	return draw("list.html", view)
}

// Part is the board alone, for the script.
func (b *Board) Part() ([]byte, error) { return draw("part.html", b.html) }

func itemOf(now time.Time, a *approval.Approval) item {
	c := &a.Card
	it := item{
		ID: a.ID, V: a.Version, Sentence: excerpt(sentence(c)), App: excerpt(cmp.Or(AppName(c), "no app is named")), Tier: c.Tier.String(), Category: words(c.Category.String()),
		Agent: excerpt(a.AgentName), Critical: c.Critical, State: stateWords[a.State], Kind: stateKind(a.State),
		By: excerpt(a.AnsweredBy), How: howOf(a.How),
	}
	it.Said = excerpt(cmp.Or(c.Argument, c.Label, c.ResourceID, c.Point))
	if it.About = excerpt(c.Facts.Object); strings.Contains(it.Sentence, it.About) || it.About == it.Said {
		it.About = ""
	}
	at := a.CreatedAt
	switch {
	case a.State.Open():
		at = a.Wake()
		it.Left = left(at.Sub(now))
	case !a.SettledAt.IsZero():
		at = a.SettledAt
	}
	if !a.AnsweredAt.IsZero() {
		it.Took = lasted(a.AnsweredAt.Sub(a.CreatedAt))
	}
	it.At, it.AtISO = clock(at), iso(at)
	return it
}
