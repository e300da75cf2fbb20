package e2e

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/countersign/countersign/identity"
)

// attack is one kind of attack, the lowest level that must stop it, and the ways
// in which it is tried. SECURITY.md has the same table.
type attack struct {
	name  string
	level identity.Level
	// ways is how many ways are tried: a way that gets lost is noticed.
	ways int
	by   func(t *testing.T) []way
}

// way is one attempt.
type way struct {
	name string
	// try attacks and returns what it achieved, in words; empty when it was
	// stopped. It looks at effects: a question that moved, an action that was
	// released, a word that got out.
	try func() string
}

// attacks is every attack that is tried.
var attacks = []attack{
	{"an agent's credential on the approvers' doors", identity.SameUser, 73, agentAtTheApproversDoors},
	{"an approver's credential, or none, on the agents' door", identity.SameUser, 30, strangersAtTheAgentsDoor},
	{"a web page of another site, with the owner's cookie", identity.SameUser, 75, foreignPages},
	{"a page on another loopback port, with the stolen cookie", identity.SameUser, 35, otherPorts},
	{"a name that is made to point here (DNS rebinding)", identity.SameUser, 33, reboundNames},
	{"requests in crooked forms: two hosts, two lengths, tunnels, other protocols", identity.SameUser, 34, crookedRequests},
	{"reading an address that answers (GET, HEAD, link previews)", identity.SameUser, 105, readingAddresses},
	{"a sign-in link that is guessed, old, or used twice", identity.SameUser, 9, signInLinks},
	{"a form or a cookie of another session, another question, or the attacker's own", identity.SameUser, 18, foreignForms},
	{"the forms of labels, grants, passkeys and the freeze, forged or sent again", identity.SameUser, 112, forgedForms},
	{"the stream of events without a right to it, or more of them than a session may have", identity.SameUser, 26, streams},
	{"a page in another's frame, and the session's cookie at another port, host or door", identity.SameUser, 45, framedPages},
	{"an answer with the digest of something else", identity.SameUser, 16, foreignDigests},
	{"an approval used twice, or by another agent", identity.SameUser, 21, replays},
	{"a critical yes without a passkey, or with one for something else", identity.SameUser, 45, passkeys},
	{"a grant that is asked for, stretched or used once too often", identity.SameUser, 62, stretchedGrants},
	{"the screen swapped between the answer and the release", identity.SameUser, 23, swappedScreens},
	{"a release after a no, a deadline, a change of mind or a freeze", identity.SameUser, 10, lateReleases},
	{"the inbox for other devices from the network: plain or old connections, other names, agents", identity.SameUser, 102, otherDevices},
	{"the stolen secret of a session at another door than its own", identity.SameUser, 70, straySessions},
	{"the agent operates the guard itself on the phone", identity.SameUser, 42, onTheGuardItself},
	{"the agent opens the guard by its address in another spelling, or by a way to this machine", identity.SameUser, 94, spelledAddresses},
	{"probing for the words and rules", identity.SameUser, 6, probes},
	{"flooding the owner with questions", identity.SameUser, 5, floods},
	{"flooding a door: huge, deep, slow and idle requests", identity.SameUser, 21, floodedDoors},
	{"filling the disk", identity.SameUser, 6, filledDisks},
	{"escapes, direction characters and markup in every string", identity.SameUser, 33, steeringText},
	{"what a channel is told: answering with it, forging it, what it links to, how a program is started", identity.SameUser, 48, channelMessages},
	{"hostile text in what a channel is told, and hostile answers to it", identity.SameUser, 31, hostileNotices},
	{"the picture of a screen without a right to it, elsewhere, or after its question", identity.SameUser, 39, keptPictures},
	{"secrets in the record, in logs and in answers", identity.SameUser, 11, plantedSecrets},
	{"secrets in what is handed on: to channels, into figures, proposals and cases for tests", identity.SameUser, 23, handedOn},
	{"a second guard, an open folder, a link put in the place of a file", identity.SameUser, 14, crookedHomes},
	{"a program of the guard's user: reads keys and credentials, answers, stops the guard, replaces its files", identity.SeparateUser, 17, maliciousPrograms},
}

func TestAttacks(t *testing.T) {
	var total, stopped atomic.Int64
	t.Cleanup(func() { t.Logf("%d attacks in %d ways, %d stopped", len(attacks), total.Load(), stopped.Load()) })
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel() // each has a guard of its own, and some of them wait
			tried := 0
			seen := map[string]bool{}
			for _, w := range a.by(t) {
				if seen[w.name] {
					t.Errorf("%s: two ways have this name", w.name)
				}
				seen[w.name] = true
				tried++
				begun := time.Now()
				got := w.try()
				if took := time.Since(begun); took > 2*time.Second {
					t.Logf("%s: %v", w.name, took.Round(100*time.Millisecond))
				}
				if got != "" {
					t.Errorf("%s: it succeeded, and level %q must stop it: %s", w.name, a.level, got)
					continue
				}
				stopped.Add(1)
			}
			if tried != a.ways {
				t.Errorf("%d ways were tried, the table says %d", tried, a.ways)
			}
			total.Add(int64(tried))
		})
	}
}

// The section of SECURITY.md between these lines is made from the table.
const (
	securityBegin = "## Which level stops what\n"
	securityEnd   = "## What is not defended\n"
)

func TestSecurityPageHasTheAttacks(t *testing.T) {
	page, err := os.ReadFile("../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, begun := strings.Cut(string(page), securityBegin)
	section, _, ended := strings.Cut(rest, securityEnd)
	if !begun || !ended {
		t.Fatalf("SECURITY.md has no section %q before %q", strings.TrimSpace(securityBegin), strings.TrimSpace(securityEnd))
	}
	want := attackTable()
	if !strings.Contains(section, want) {
		t.Errorf("SECURITY.md does not list the attacks as they are tried; the table is\n%s", want)
	}
	if got, table := strings.Count(section, "\n|"), strings.Count(want, "\n|"); got != table {
		t.Errorf("the section has %d lines of tables, the attacks are %d", got, table)
	}
	for _, limit := range sameUserLimits() {
		if !strings.Contains(section, limit) {
			t.Errorf("SECURITY.md does not say that the level same user does not stop this: %s", limit)
		}
	}
}

// attackTable is the table as SECURITY.md has it.
func attackTable() string {
	var b strings.Builder
	b.WriteString("\n| attack | stopped from level | ways tried |\n|---|---|---|\n")
	for _, a := range attacks {
		fmt.Fprintf(&b, "| %s | %s | %d |\n", a.name, a.level, a.ways)
	}
	return b.String()
}
