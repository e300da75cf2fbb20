//go:build linux

package install

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/client"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/phone"
)

// patience is how long anything may take before the test fails.
const patience = 5 * time.Minute

// TestRealADB installs the guard with the ADB gate as TestReal does, with the
// machine's own adb and a simulated phone, and has the agents' user drive that
// phone, attack what is hidden from it, and find no phone once the guard is gone.
func TestRealADB(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Log("not root: no users are made, the installation is staged")
		TestStagedADB(t)
		return
	}
	p, phoneAddr := runPhone(t)
	root, port := passable(t), addressOfOurOwn(t)
	service, robot := fmt.Sprintf("countersign-g%d", os.Getpid()), fmt.Sprintf("countersign-r%d", os.Getpid())
	m := noSystemd{ThisMachine()}
	makeUser(t, m, robot)
	o := Options{Root: root, Machine: m, User: service, Binary: build(t), AgentFor: robot,
		ADB: &ADB{Port: port, Connect: []string{phoneAddr}, Program: machinesADB(t), Group: CableGroup(t.Context(), m)}}
	t.Cleanup(func() {
		if got, err := runAll(context.Background(), mustNew(t, o), mustNew(t, o).Uninstall(true)); err != nil || got.count(Done) != 4 {
			t.Errorf("purge: %v, %v", got, err)
		}
	})
	if _, err := takeAll(t, mustNew(t, o), mustNew(t, o).Install()); err != nil {
		t.Fatal(err)
	}
	account, err := m.Account(t.Context(), service)
	if err != nil {
		t.Fatal(err)
	}
	robotAccount, err := m.Account(t.Context(), robot)
	if err != nil {
		t.Fatal(err)
	}
	quietADB(t, root+o.ADB.Program, o.ADB.Program)
	writeHelpers(t, root, account)
	adoptOrphans(t)
	a := &agent{t: t, user: robotAccount, program: o.ADB.Program, server: port, home: homeFor(t, robotAccount), phone: phoneAddr}

	for _, end := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		g := startGuard(t, root, account)
		if g.level != separate || !strings.Contains(g.greeting, phoneAddr+" device") {
			t.Fatalf("the guard says:\n%s", g.greeting)
		}
		hidden := onlyChild(t, g.pid)
		keyIsItsOwn(t, root, account)
		if end == syscall.SIGTERM {
			a.sends(p, root)
			attack(t, "adb", 16, root, hidden, account, robotAccount)
		} else {
			a.isRefused(p, root)
		}
		if err := g.end(end); (err == nil) != (end == syscall.SIGTERM) {
			t.Errorf("ended with %v: %v", end, err)
		}
		awaitEnd(t, hidden)
		wantNobody(t, account)
		a.findsNoPhone(p, root, end)
	}
}

// sends has the agent look, which passes, and tap on Send, which is held and
// happens once after a yes.
func (a *agent) sends(p *phone.Phone, root string) {
	a.t.Helper()
	if said := a.adb("shell", "getprop ro.product.model"); said.code != 0 || strings.TrimSpace(said.text) != p.Model() {
		a.t.Fatalf("looking: %+v", said)
	}
	if err := p.Start(phone.Intent{Action: "android.intent.action.SENDTO", Data: "mailto:ann@example.org?subject=Hello"}); err != nil {
		a.t.Fatal(err)
	}
	said := a.asks(p, root, true, "input tap "+centreOf(a.t, p, "send"))
	if said.code != 0 {
		a.t.Errorf("the tap on Send, after a yes: %+v", said)
	}
	if got := fmt.Sprint(deeds(p)); got != "[sent]" {
		a.t.Errorf("the phone has done %s, want what was approved, once", got)
	}
}

// isRefused has the agent remove an app, which is held and does not happen after a
// no.
func (a *agent) isRefused(p *phone.Phone, root string) {
	a.t.Helper()
	before := deeds(p)
	said := a.asks(p, root, false, "pm uninstall org.example.paczki")
	if said.code == 0 || !strings.Contains(said.text, "refused") {
		a.t.Errorf("removing an app, after a no: %+v", said)
	}
	if got := deeds(p); len(got) != len(before) {
		a.t.Errorf("the phone has done %v", got)
	}
}

// asks runs a line of which the guard asks its owner, who answers, and says it
// again as long as the guard wants it said again.
func (a *agent) asks(p *phone.Phone, root string, yes bool, line string) said {
	a.t.Helper()
	before := len(deeds(p))
	answered := make(chan error, 1)
	go func() {
		answered <- answer(a.t.Context(), root, yes, func() error {
			if got := deeds(p); len(got) != before {
				return fmt.Errorf("before any answer the phone has done %v", got)
			}
			return nil
		})
	}()
	said := a.adb("shell", line)
	for strings.Contains(said.text, "not answered yet") {
		said = a.adb("shell", line)
	}
	if err := <-answered; err != nil {
		a.t.Fatalf("%s: %v; the agent was told: %+v", line, err, said)
	}
	return said
}

// findsNoPhone has the agent look for a phone when the guard is gone.
func (a *agent) findsNoPhone(p *phone.Phone, root string, end syscall.Signal) {
	a.t.Helper()
	before := len(p.Record())
	if said := a.adb("devices"); said.code == 0 || !strings.Contains(said.text, "Connection refused") {
		a.t.Errorf("after %v the agent's adb says %+v", end, said)
	}
	if err := connect(filepath.Join(root+HomePath, daemon.ADBFolder, "adb.sock")); err == nil {
		a.t.Errorf("after %v somebody answers at the hidden server's socket", end)
	}
	if now := p.Record(); len(now) != before {
		a.t.Errorf("after %v this reached the phone: %v", end, now[before:])
	}
}

// answer waits for a question, looks, and answers it as the guard's approver.
func answer(ctx context.Context, root string, yes bool, look func() error) error {
	home := root + HomePath
	owner, err := client.Open(client.Options{
		Socket: filepath.Join(home, daemon.SocketFile), TokenFile: filepath.Join(home, daemon.ApproverTokenFile), How: "terminal",
	})
	if err != nil {
		return err
	}
	defer owner.Close()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for seen := ""; ; {
		list, err := owner.Wait(ctx, seen, patience)
		if err != nil {
			return err
		}
		for i := range list.Approvals {
			a := &list.Approvals[i]
			if a.State != approval.Pending {
				continue
			}
			if err := look(); err != nil {
				return err
			}
			say := owner.Deny
			if yes {
				say = owner.Approve
			}
			_, err := say(ctx, a.ID, a.Digest, "")
			return err
		}
		seen = list.Version
	}
}

// deeds are what happened because of what reached the phone.
func deeds(p *phone.Phone) (what []string) {
	for _, e := range p.Effects() {
		what = append(what, e.What)
	}
	return what
}
