package client

import (
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
)

// update changes the model by a message and returns what it wants done.
func (m *model) update(msg tea.Msg) []effect {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.resize(msg.Width, msg.Height)
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		if m.mode == denying {
			m.typeNote(msg.Content)
		}
	case listed:
		return m.listed(msg)
	case looked:
		return m.looked(msg)
	case done:
		return m.done(msg)
	case offered:
		m.offered(msg)
	case stated:
		if msg.err == nil {
			m.status = msg.status
			m.layout()
		}
	case ticked:
		m.layout()
		return m.ticked()
	}
	return nil
}

// resize sets the page for another size. A card that could not be seen before
// has only now come on the screen, and one that can no longer be seen is not
// answered.
func (m *model) resize(width, height int) {
	hidden := !m.fits()
	m.width, m.height = width, height
	m.layout()
	if hidden {
		m.shownAt = m.now()
	}
	if !m.fits() {
		m.begin(reading)
	}
}

// key does what a key means at this moment.
func (m *model) key(k tea.KeyPressMsg) []effect {
	name := k.String()
	if name == "ctrl+c" {
		return []effect{{do: quit}}
	}
	if !m.fits() {
		if name == "q" {
			return []effect{{do: quit}}
		}
		return nil
	}
	if m.scrollKey(name) {
		return nil
	}
	if k.IsRepeat && m.mode != denying { // a key that is held down is no second answer
		return nil
	}
	switch m.mode {
	case reading:
		return m.choose(name)
	case denying:
		return m.noteKey(k, name)
	case approvingCritical:
		return m.wordKey(k, name)
	case granting:
		return m.confirmGrant(name)
	}
	return m.confirm(name)
}

// scrollKey moves the card, and reports whether the key was for that. Letters do
// so only where they are not typed.
func (m *model) scrollKey(name string) bool {
	page := max(1, m.bodyHeight()-1)
	switch name {
	case "up":
		m.scroll(-1)
	case "down":
		m.scroll(1)
	case "pgup":
		m.scroll(-page)
	case "pgdown":
		m.scroll(page)
	case "home":
		m.scroll(-len(m.body))
	case "end":
		m.scroll(len(m.body))
	default:
		if m.mode != reading {
			return false
		}
		switch name {
		case "k":
			m.scroll(-1)
		case "j":
			m.scroll(1)
		case "space":
			m.scroll(page)
		default:
			return false
		}
	}
	return true
}

// choose reads a key as a choice. Enter is none.
func (m *model) choose(name string) []effect {
	switch name {
	case "q":
		return []effect{{do: quit}}
	case "n", "tab", "right":
		m.move(1)
	case "p", "shift+tab", "left":
		m.move(-1)
	case "f":
		if !m.status.Frozen {
			m.begin(freezing)
		}
	case "u":
		if m.status.Frozen {
			m.begin(unfreezing)
		}
	case "a", "d", "r", "g":
		return m.answerKey(name)
	}
	return nil
}

// answerKey begins an answer to the question that is shown, where that has
// stood there long enough and can be answered so.
func (m *model) answerKey(name string) []effect {
	switch {
	case m.shown == nil || m.sending:
	case !m.readLongEnough():
		m.notice = "That key came before the question could be read, and is dropped."
	case name == "r":
		if m.shown.State == approval.Approved {
			m.begin(revoking)
		} else {
			m.notice = "Only a yes that has not been used can be taken back."
		}
	case m.shown.State != approval.Pending:
		m.notice = "This question has been settled; n goes on to the next."
	case name == "d":
		m.begin(denying)
	case name == "g":
		return m.askOffer()
	case m.shown.Card.Critical:
		m.begin(approvingCritical)
	default:
		m.begin(approving)
	}
	return nil
}

func (m *model) begin(next mode) { m.mode, m.typed, m.notice = next, "", "" }

// move goes on to another question of the list.
func (m *model) move(by int) {
	if len(m.list) == 0 {
		m.show(nil)
		m.notice = ""
		return
	}
	i := 0
	if m.shown != nil {
		if at := m.at(m.shown.ID); at >= 0 {
			i = (at + by + len(m.list)) % len(m.list)
		}
	}
	if m.shown != nil && m.list[i].ID == m.shown.ID {
		return
	}
	m.notice = ""
	m.show(&m.list[i])
}

// confirm reads a key as yes to what is asked; every other key is no.
func (m *model) confirm(name string) []effect {
	asked := m.mode
	m.begin(reading)
	if name != "y" {
		return nil
	}
	switch asked {
	case approving:
		return m.send(approve, "")
	case revoking:
		return m.send(revoke, "")
	case freezing:
		m.sending = true
		return []effect{{do: freeze}}
	case unfreezing:
		m.sending = true
		return []effect{{do: unfreeze}}
	}
	return nil
}

// send answers the question as it is shown.
func (m *model) send(do verb, note string) []effect {
	m.sending = true
	return []effect{{do: do, id: m.shown.ID, digest: m.shown.Digest, note: note}}
}

// maxWord is how much can be typed where one word is asked for, in runes.
const maxWord = 12

// wordKey reads the word that a critical yes needs, and Enter after it.
func (m *model) wordKey(k tea.KeyPressMsg, name string) []effect {
	if name != "enter" {
		m.edit(k, name, maxWord)
		return nil
	}
	yes := strings.EqualFold(strings.TrimSpace(m.typed), "yes")
	m.begin(reading)
	if !yes {
		m.notice = "Nothing was answered: a critical question needs the whole word yes."
		return nil
	}
	return m.send(approve, "")
}

// noteKey reads the note of a no; Enter sends it.
func (m *model) noteKey(k tea.KeyPressMsg, name string) []effect {
	if name != "enter" {
		m.edit(k, name, hold.MaxNote)
		return nil
	}
	note := strings.TrimSpace(m.typed)
	m.begin(reading)
	return m.send(deny, note)
}

// edit changes what is being typed; Escape gives it up.
func (m *model) edit(k tea.KeyPressMsg, name string, limit int) {
	switch name {
	case "esc":
		m.begin(reading)
	case "backspace":
		_, size := utf8.DecodeLastRuneInString(m.typed)
		m.typed = m.typed[:len(m.typed)-size]
	case "ctrl+u":
		m.typed = ""
	default:
		m.typeText(k.Text, limit)
	}
}

func (m *model) typeNote(text string) { m.typeText(text, hold.MaxNote) }

// typeText adds what can be seen, up to a number of runes.
func (m *model) typeText(text string, limit int) {
	room := limit - utf8.RuneCountInString(m.typed)
	for _, r := range text {
		if unicode.IsSpace(r) {
			r = ' '
		}
		if room <= 0 {
			return
		}
		if unicode.IsPrint(r) {
			m.typed += string(r)
			room--
		}
	}
}
