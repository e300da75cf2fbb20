package policy

import (
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/countersign/countersign/document"
)

// channels reads who is told of questions.
func (r reader) channels(n *document.Node, into *channels) {
	before := r.Count()
	fields := r.Fields(n, "channels", "routes", "quiet", "required")
	if len(fields) == 0 && r.Count() == before {
		r.Complain(n, "leave it out to have every channel told, or give routes, quiet or required", "channels says nothing")
	}
	if v := fields["routes"]; v != nil {
		r.routes(v, into)
	}
	if v := fields["quiet"]; v != nil {
		into.quiet = r.quiet(v)
	}
	into.required = r.Flag(fields["required"], "required")
}

// maxRoutes is how many routes a policy may have.
const maxRoutes = 100

// routes reads the routes, and complains about those that are never used.
func (r reader) routes(n *document.Node, into *channels) {
	items := r.List(n, "routes")
	if len(items) > maxRoutes {
		r.Complain(n, "", "there are %d routes; at most %d are accepted", len(items), maxRoutes)
		return
	}
	before := r.Count()
	for _, item := range items {
		into.routes = append(into.routes, r.route(item))
	}
	if r.Count() > before {
		return // what a broken route takes away from the next is not known
	}
	for i, item := range items {
		if !reached(into.routes, i) {
			r.Complain(item, "the first route that is about a question counts: put the narrower one first, or leave this one out",
				"this route is never used: those before it are about everything that it is about")
		}
	}
}

// reached reports whether there is a question that a route is the first about.
func reached(routes []route, i int) bool {
	for c := range categories {
		for t := range tiers {
			for _, critical := range [...]bool{false, true} {
				first := 0
				for !routes[first].about(c, t, critical) && first < i {
					first++
				}
				if first == i && routes[i].about(c, t, critical) {
					return true
				}
			}
		}
	}
	return false
}

func (r reader) route(n *document.Node) route {
	to := route{categories: everyCategory, tiers: everyTier, critical: everyCritical}
	before := r.Count()
	fields := r.Fields(n, "a route", "categories", "tiers", "critical", "channels")
	if v := fields["categories"]; v != nil {
		to.categories = uint32(r.set(v, "categories", "a category", categoryWords))
	}
	if v := fields["tiers"]; v != nil {
		to.tiers = uint8(r.set(v, "tiers", "a tier", tierWords))
	}
	if v := fields["critical"]; v != nil {
		to.critical = criticalBit(r.Flag(v, "critical"))
	}
	switch v := fields["channels"]; {
	case v != nil:
		to.names = r.names(v)
	case r.Count() == before:
		r.Complain(n, "a route is { categories: [money], channels: [phone] }; channels: [] tells nobody", "the route has no channels")
	}
	return to
}

// set reads a list of words of the vocabulary as bits by their place.
func (r reader) set(n *document.Node, what, word string, accepted []string) (bits uint64) {
	items := r.List(n, what)
	if len(items) == 0 && document.IsList(n) {
		r.Complain(n, "leave it out, or name some; "+document.Accept(accepted), "%s is empty", what)
	}
	for _, item := range items {
		if i, ok := r.Index(item, word, accepted); ok {
			bits |= 1 << i
		}
	}
	return bits
}

// names reads whom a route tells.
func (r reader) names(n *document.Node) []string {
	items := r.List(n, "channels")
	names := make([]string, 0, len(items))
	for _, item := range items {
		switch name := r.Text(item, "name of a channel"); {
		case name == "": // complained about
		case name == AllChannels && len(items) > 1:
			r.Complain(item, "", "%s stands for every channel; name it alone", AllChannels)
		case name != AllChannels && !IsChannelName(name):
			r.Complain(item, fmt.Sprintf("accepted: lower-case letters, digits, - and _, at most %d, beginning with a letter or a digit; or %s", MaxChannelName, AllChannels),
				"%s is no name of a channel", document.Quote(name))
		default:
			names = append(names, name)
		}
	}
	return names
}

// exceptWords are what may be excepted from the quiet hours.
var exceptWords = append([]string{"critical"}, categoryWords...)

func (r reader) quiet(n *document.Node) *quiet {
	q := &quiet{zone: time.UTC}
	before := r.Count()
	fields := r.Fields(n, "quiet", "from", "to", "zone", "except")
	for _, key := range [...]string{"from", "to", "zone"} {
		if fields[key] == nil && r.Count() == before {
			r.Complain(n, `quiet hours are { from: "22:00", to: "07:00", zone: Europe/Berlin, except: [critical] }`, "the quiet hours have no %s", key)
			return q
		}
	}
	if r.Count() > before {
		return q
	}
	q.from, q.to = r.timeOfDay(fields["from"], "from"), r.timeOfDay(fields["to"], "to")
	q.zone = r.zone(fields["zone"])
	if v := fields["except"]; v != nil {
		bits := r.set(v, "except", "an exception", exceptWords)
		q.critical, q.categories = bits&1 != 0, uint32(bits>>1)
	}
	if r.Count() == before && q.from == q.to {
		r.Complain(fields["to"], "to tell nobody at all, give one route with channels: []", "the quiet hours end when they begin")
	}
	return q
}

var timeOfDay = regexp.MustCompile(`^([01]\d|2[0-3]):([0-5]\d)$`)

// timeOfDay reads a time such as 22:00 as minutes since midnight.
func (r reader) timeOfDay(n *document.Node, what string) int {
	text := r.Text(n, what)
	m := timeOfDay.FindStringSubmatch(text)
	if m == nil {
		if text != "" {
			r.Complain(n, `accepted: "00:00" to "23:59"`, "%s is no time of day", document.Quote(text))
		}
		return 0
	}
	hour, _ := strconv.Atoi(m[1])
	minute, _ := strconv.Atoi(m[2])
	return hour*60 + minute
}

// zoneName is what a zone's name looks like. A name is looked up as a file, so
// that nothing else may come that far.
var zoneName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_+-]{0,30}(/[A-Za-z0-9_+-]{1,30}){0,2}$`)

// zone reads the name of a time zone. That of the computer is not accepted: the
// same policy would mean something else elsewhere.
func (r reader) zone(n *document.Node) *time.Location {
	name := r.Text(n, "zone")
	if name == "" {
		return time.UTC
	}
	if zoneName.MatchString(name) && name != "Local" {
		if zone, err := time.LoadLocation(name); err == nil {
			return zone
		}
	}
	r.Complain(n, "accepted: UTC, or a name of the IANA time zone database such as Europe/Berlin", "%s is no time zone", document.Quote(name))
	return time.UTC
}
