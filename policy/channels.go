package policy

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/countersign/countersign/risk"
)

// AllChannels stands for every channel that there is, in a policy and in what
// Route returns. No channel may have this name.
const AllChannels = "all"

// channels says whom to tell of a question. The zero value tells everybody.
type channels struct {
	routes   []route
	quiet    *quiet
	required bool
}

// route is one line: what it is about, and who is told of that.
type route struct {
	categories uint32 // a bit for each
	tiers      uint8
	critical   uint8 // bits: 1 for questions that are not critical, 2 for those that are
	names      []string
}

// Everything, where a route names nothing.
const (
	everyCategory = 1<<categories - 1
	everyTier     = 1<<tiers - 1
	everyCritical = 3
)

// Every category needs a bit in route.categories.
const _ = uint(32 - categories)

func criticalBit(critical bool) uint8 {
	if critical {
		return 2
	}
	return 1
}

func (r *route) about(c risk.Category, t risk.Tier, critical bool) bool {
	return r.categories&(1<<c) != 0 && r.tiers&(1<<t) != 0 && r.critical&criticalBit(critical) != 0
}

// quiet is when nobody is told, by the clock of a zone.
type quiet struct {
	from, to   int // minutes since midnight; a night goes over it
	zone       *time.Location
	categories uint32 // those that are told all the same
	critical   bool   // so are critical questions
}

// holds reports whether a time is within the quiet hours. It goes by what a
// clock on the wall of that zone shows: an hour that a change of the clock
// repeats is quiet twice, and one that it leaves out is not there.
func (q *quiet) holds(at time.Time) bool {
	local := at.In(q.zone)
	minute := local.Hour()*60 + local.Minute()
	if q.from < q.to {
		return q.from <= minute && minute < q.to
	}
	return q.from <= minute || minute < q.to
}

// Route says which channels are told of a question that is put at a time, by
// their names, or AllChannels alone for every one there is. None means that
// nobody is told: the hours are quiet, or the policy wants it so. A tier or
// category from outside the vocabulary is read as by Evaluate. The first route
// that is about the question counts; where none is, or no policy, all are told.
func (p *Policy) Route(c risk.Category, t risk.Tier, critical bool, at time.Time) []string {
	if p == nil {
		return []string{AllChannels}
	}
	if t > risk.Low {
		t = risk.High
	}
	if c >= categories {
		c = risk.Unknown
	}
	told := &p.channels
	if q := told.quiet; q != nil && q.holds(at) && (!critical || !q.critical) && q.categories&(1<<c) == 0 {
		return nil
	}
	for i := range told.routes {
		if told.routes[i].about(c, t, critical) {
			return slices.Clone(told.routes[i].names)
		}
	}
	return []string{AllChannels}
}

// NeedsChannel reports whether somebody counts as there only if a channel that
// Route names can be used.
func (p *Policy) NeedsChannel() bool { return p != nil && p.channels.required }

// ChannelNames are the channels that the policy names, sorted, without
// AllChannels. Each of them has to be there.
func (p *Policy) ChannelNames() []string {
	if p == nil {
		return nil
	}
	var names []string
	for _, r := range p.channels.routes {
		names = append(names, r.names...)
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool { return name == AllChannels })
}

// MaxChannelName is the length in bytes of the longest name of a channel.
const MaxChannelName = 32

// IsChannelName reports whether a channel may have a name: lower-case letters,
// digits, - and _, beginning with a letter or a digit. It may not be AllChannels.
func IsChannelName(name string) bool {
	if name == "" || len(name) > MaxChannelName || name == AllChannels {
		return false
	}
	for i := range len(name) {
		b := name[i]
		if ('a' > b || b > 'z') && ('0' > b || b > '9') && (i == 0 || b != '-' && b != '_') {
			return false
		}
	}
	return true
}

// writeCanonical writes what is said of channels in one order, and nothing where
// nothing is: a policy without this section has the digest that it had before
// there was one.
func (c *channels) writeCanonical(b *strings.Builder) {
	if c.required {
		b.WriteString("channels required\n")
	}
	if q := c.quiet; q != nil {
		fmt.Fprintf(b, "channels quiet %s %s %s except%s", clock(q.from), clock(q.to), q.zone, categoryList(q.categories))
		if q.critical {
			b.WriteString(" critical")
		}
		b.WriteByte('\n')
	}
	for i := range c.routes {
		r := &c.routes[i]
		names := slices.Clone(r.names)
		slices.Sort(names)
		fmt.Fprintf(b, "channels route%s tiers %b critical %b to %s\n", categoryList(r.categories), r.tiers, r.critical, strings.Join(names, ","))
	}
}

func categoryList(set uint32) string {
	var b strings.Builder
	for c := range categories {
		if set&(1<<c) != 0 {
			b.WriteString(" " + c.String())
		}
	}
	return b.String()
}

func clock(minute int) string { return fmt.Sprintf("%02d:%02d", minute/60, minute%60) }
