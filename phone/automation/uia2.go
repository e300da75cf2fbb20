package automation

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/countersign/countersign/phone"
)

// UIA2 is Appium's server on the phone, with the routes that its driver 8.7.0
// uses: W3C WebDriver and Appium's own below /session/:session. It is safe for
// concurrent use.
func UIA2(p *phone.Phone) http.Handler {
	return &uia2{phone: p, settings: defaultSettings(), elements: map[string]phone.Node{}}
}

// uia2 is the server and what it keeps between calls.
type uia2 struct {
	phone *phone.Phone

	mu       sync.Mutex
	session  string // the one that is alive; a new one ends it
	started  int
	settings object
	elements map[string]phone.Node
	seen     int // elements, for their ids
}

// defaultSettings are the settings that are told apart, as a new server has them.
func defaultSettings() object {
	return object{
		"actionAcknowledgmentTimeout": 3000, "allowInvisibleElements": false, "currentDisplayId": 0,
		"elementResponseAttributes": "name,text", "enableMultiWindows": false, "enableNotificationListener": true,
		"ignoreUnimportantViews": false, "keyInjectionDelay": 0, "normalizeTagNames": false,
		"scrollAcknowledgmentTimeout": 200, "shouldUseCompactResponses": true, "snapshotMaxDepth": 70,
		"waitForIdleTimeout": 10000, "waitForSelectorTimeout": 10000,
	}
}

// webError is an error of WebDriver.
type webError struct {
	status  int
	code    string
	message string
}

var (
	errNoElement   = &webError{404, "no such element", "An element could not be located on the page using the given search parameters"}
	errStale       = &webError{404, "stale element reference", "The element does not exist in DOM anymore"}
	errNoAlert     = &webError{404, "no such alert", "There are no open alert dialogs"}
	errNoSession   = &webError{404, "invalid session id", "A session is either terminated or not started"}
	errNoCommand   = &webError{404, "unknown command", "The requested resource could not be found"}
	errBadArgument = &webError{400, "invalid argument", "The arguments passed to the command are either invalid or malformed"}
	errBadSelector = &webError{400, "invalid selector", "Argument was an invalid selector"}
)

// webCall is one call.
type webCall struct {
	args []string // the segments that a route leaves open
	body object
}

// webRoute is a route below /session/:session and what it does.
type webRoute struct {
	method, pattern string
	do              func(s *uia2, c *webCall) (any, *webError)
}

func (s *uia2) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := readBody(w, r)
	if err != nil {
		s.fail(w, errBadArgument)
		return
	}
	note(s.phone, "uia2", r, "", body)
	call := &webCall{body: object{}}
	if len(body) > 0 && json.Unmarshal(body, &call.body) != nil {
		s.fail(w, errBadArgument)
		return
	}
	segments := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	value, fault := s.route(r.Method, segments, call)
	if fault != nil {
		s.fail(w, fault)
		return
	}
	write(w, http.StatusOK, object{"sessionId": s.current(), "value": value})
}

func (s *uia2) current() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session == "" {
		return "None"
	}
	return s.session
}

func (s *uia2) fail(w http.ResponseWriter, f *webError) {
	write(w, f.status, object{"sessionId": s.current(), "value": object{
		"error": f.code, "message": f.message, "stacktrace": "io.appium.uiautomator2.common.exceptions.UiAutomator2Exception: " + f.message,
	}})
}

// route finds what a call does.
func (s *uia2) route(method string, segments []string, c *webCall) (any, *webError) {
	switch path := strings.Join(segments, "/"); {
	case method == "GET" && path == "status":
		return object{"message": "UiAutomator2 Server is ready to accept commands", "ready": true, "build": object{"version": "10.6.6", "versionCode": 240}}, nil
	case method == "GET" && path == "sessions":
		return s.sessions(), nil
	case method == "POST" && path == "session":
		return s.newSession(), nil
	case segments[0] != "session" || len(segments) < 2:
		return nil, errNoCommand
	case segments[1] != s.current():
		return nil, errNoSession
	case len(segments) == 2 && method == "GET":
		return s.details(), nil
	case len(segments) == 2 && method == "DELETE":
		return s.endSession(), nil
	}
	for _, route := range webRoutes {
		if args, ok := fitsRoute(method, segments[2:], route); ok {
			c.args = args
			return route.do(s, c)
		}
	}
	return nil, errNoCommand
}

func fitsRoute(method string, segments []string, r webRoute) (args []string, ok bool) {
	pattern := strings.Split(r.pattern, "/")
	if method != r.method || len(pattern) != len(segments) {
		return nil, false
	}
	for i, p := range pattern {
		switch {
		case strings.HasPrefix(p, ":"):
			args = append(args, segments[i])
		case p != segments[i]:
			return nil, false
		}
	}
	return args, true
}

func (s *uia2) sessions() []object {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session == "" {
		return []object{}
	}
	return []object{{"id": s.session, "capabilities": object{}}}
}

func (s *uia2) newSession() object {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.started++
	s.session = fmt.Sprintf("5f0c1a3e-0000-4000-8000-%012d", s.started)
	s.elements = map[string]phone.Node{}
	return object{"sessionId": s.session, "capabilities": object{"platformName": "ANDROID"}}
}

func (s *uia2) endSession() any {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.session = ""
	return nil
}

func (s *uia2) details() object {
	width, height := s.phone.Size()
	pkg, _ := s.phone.Focus()
	return object{"deviceScreenSize": fmt.Sprintf("%dx%d", width, height), "lastPackage": pkg}
}

// remember gives a node an id, the same for the same element.
func (s *uia2) remember(n phone.Node) object {
	s.mu.Lock()
	defer s.mu.Unlock()
	want := identity(n)
	for id, known := range s.elements {
		if identity(known) == want {
			s.elements[id] = n
			return reference(id)
		}
	}
	s.seen++
	id := fmt.Sprintf("00000000-0000-0001-ffff-%012d", s.seen)
	s.elements[id] = n
	return reference(id)
}

func reference(id string) object {
	return object{"ELEMENT": id, "element-6066-11e4-a52e-4f735466cecf": id}
}

// element is what an id stands for now.
func (s *uia2) element(id string) (phone.Node, *webError) {
	s.mu.Lock()
	was, known := s.elements[id]
	s.mu.Unlock()
	if !known {
		return phone.Node{}, errNoElement
	}
	now, there := again(s.phone, was)
	if !there {
		return phone.Node{}, errStale
	}
	return now, nil
}

func (s *uia2) setting(name string) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.settings[name]
}

func (s *uia2) screenshot(*webCall) (any, *webError) {
	picture, err := s.phone.Screenshot()
	if err != nil {
		return nil, &webError{500, "unable to capture screen", err.Error()}
	}
	return base64.StdEncoding.EncodeToString(picture), nil
}
