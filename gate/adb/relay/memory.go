package relay

import (
	"strings"
	"sync"
)

// maxElements bounds how many elements are remembered of one server.
const maxElements = 4096

// Memory is what is remembered of one server on one phone between the calls of
// its clients. The zero value is empty and ready; it is safe for concurrent use.
// It lives in memory only: it may hold the token of a server.
type Memory struct {
	mu      sync.Mutex
	server  string
	session string
	blurred map[string]bool // settings by which the agent has changed what the server shows
	token   string
	found   map[string]string // how an element was found, by its id
	order   []string          // the ids in the order they were first seen
}

// Know says which server it is, for a gate that knows by how it was started.
// Else it is asked before its first call is judged.
func (m *Memory) Know(server string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.server = server
}

// Ended notes that the server has ended, for a gate that sees so: its sessions, and
// what it was set to show, have gone with it, and the next may be another.
func (m *Memory) Ended() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.server, m.session = "", ""
	m.blurred, m.found, m.order = nil, nil, nil
}

// Server is which server it is: one of this package's constants, empty while
// it is not known to be any of those that are understood.
func (m *Memory) Server() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.server
}

// Session is the session of Appium's server that was used last; empty where none
// is alive.
func (m *Memory) Session() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.session
}

func (m *Memory) setSession(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.session = id
}

func (m *Memory) endSession(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.session == id {
		m.session = ""
	}
}

// blur notes that the agent has changed by a setting what the server shows, or has
// put it back: while one is changed its tree is no evidence.
func (m *Memory) blur(setting string, on bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.blurred == nil {
		m.blurred = map[string]bool{}
	}
	if delete(m.blurred, setting); on {
		m.blurred[setting] = true
	}
}

func (m *Memory) isBlurred() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.blurred) > 0
}

func (m *Memory) setToken(authorization string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.token = authorization
}

func (m *Memory) authorization() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.token
}

// remember notes how elements were found.
func (m *Memory) remember(ids []string, how string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.found == nil {
		m.found = map[string]string{}
	}
	for _, id := range ids {
		if _, known := m.found[id]; !known {
			m.order = append(m.order, id)
		}
		m.found[id] = how
	}
	for len(m.order) > maxElements {
		delete(m.found, m.order[0])
		m.order = m.order[1:]
	}
}

// howAll says how the elements of some handles were found, in brackets.
func (m *Memory) howAll(handles []string) string {
	var said string
	for _, handle := range handles {
		if _, id, isElement := strings.Cut(handle, "/"); isElement {
			if how := m.how(id); how != "" {
				said += " (" + how + ")"
			}
		}
	}
	return said
}

// how is how an element was found, or empty.
func (m *Memory) how(id string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.found[id]
}
