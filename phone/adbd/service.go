package adbd

import "strings"

// Service is what a stream was opened for.
type Service struct {
	// Name is the kind: "shell", "sync", "tcp".
	Name string
	// Options are the words between the name and the colon: "v2", "raw".
	Options []string
	// Rest is all that follows the first colon, as it came.
	Rest string
	// Colon is whether there was one.
	Colon bool
}

// ParseService takes a service's string apart. Nothing is an error: what is not
// known has a name that is not known. abb's separator is the NUL, and there is
// no option in abb.
func ParseService(s string) Service {
	head, rest, colon := strings.Cut(s, ":")
	words := strings.Split(head, ",")
	return Service{Name: words[0], Options: words[1:], Rest: rest, Colon: colon}
}

// String is the service's string again.
func (s Service) String() string {
	head := strings.Join(append([]string{s.Name}, s.Options...), ",")
	if s.Colon {
		return head + ":" + s.Rest
	}
	return head
}

// Has reports whether an option was given.
func (s Service) Has(option string) bool {
	for _, o := range s.Options {
		if o == option {
			return true
		}
	}
	return false
}

// AbbArgs are the words of abb and abb_exec, which are separated by NUL. A NUL
// at the end separates nothing.
func AbbArgs(rest string) []string {
	rest = strings.TrimSuffix(rest, "\x00")
	if rest == "" {
		return nil
	}
	return strings.Split(rest, "\x00")
}
