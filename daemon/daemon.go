package daemon

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/notice"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/gate/api"
	"github.com/countersign/countersign/gate/api/planner"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/identity"
	"github.com/countersign/countersign/identity/passkey"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/policy"
	"github.com/countersign/countersign/store/sqlite"
)

// Daemon is a running guard. Its methods are safe for concurrent use.
type Daemon struct {
	options  Options
	home     home
	keys     keys
	store    *sqlite.Store
	desk     *hold.Desk
	registry *identity.Registry
	passkeys *passkey.Keeper
	gate     *api.Gate

	level    identity.Level
	levelWhy string
	first    bool
	self     decide.Self

	policyMu sync.Mutex
	policy   string
	rules    *policy.Policy

	channels []notice.Named
	board    *notice.Board

	healthMu sync.Mutex
	wellAt   time.Time // when the record was last seen to be written

	doors  []*door
	remote *remoteDoor // nil where there is no inbox for other devices
	adb    *adbGate    // nil where there is no ADB gate
	stop   context.CancelFunc
	work   sync.WaitGroup
}

// New opens the home folder and the store, and settles what an earlier daemon
// left open. It opens no door; see Start. An error says what is wrong and what
// to do about it.
func New(ctx context.Context, o Options) (*Daemon, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	d := &Daemon{options: o}
	var err error
	if d.home, err = openHome(o.Home); err != nil {
		return nil, err
	}
	// The lock of the store comes later: without this one, two first starts would
	// each make keys, and one would run with keys that the other has replaced.
	err = alone(d.home.dir, func() error {
		d.keys, err = d.home.keys()
		return err
	})
	if err != nil {
		return nil, err
	}
	d.self = decide.Self{Hosts: []string{d.keys.inboxName}, Titles: []string{"Countersign"}}
	if name := d.options.Remote.Name; name != "" {
		d.self.Hosts = append(d.self.Hosts, name)
	}
	if err := d.readChannels(); err != nil {
		return nil, err
	}
	guard, err := d.guard()
	if err != nil {
		return nil, fmt.Errorf("the policy cannot be used, so nothing would be allowed: %w", err)
	}
	if err := d.openStore(ctx); err != nil {
		return nil, err
	}
	if err := d.build(ctx, guard); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

// guard reads the policy. The daemon's own pages are bypass for an agent.
func (d *Daemon) guard() (*countersign.Guard, error) {
	o := d.options
	g, err := countersign.New(countersign.Options{Policy: o.Policy, Apps: o.Apps, DigestKey: d.keys.digest, Self: d.self})
	if err != nil {
		return nil, err
	}
	if err := d.hasChannels(g.Rules()); err != nil {
		return nil, err
	}
	d.policyMu.Lock()
	defer d.policyMu.Unlock()
	d.policy, d.rules = g.Policy(), g.Rules()
	return g, nil
}

func (d *Daemon) openStore(ctx context.Context) (err error) {
	path := d.home.path(DatabaseFile)
	if d.options.Memory {
		path = sqlite.Memory
	}
	d.store, err = sqlite.Open(ctx, path, sqlite.Options{Signer: d.keys.signer})
	if errors.Is(err, sqlite.ErrInUse) {
		return fmt.Errorf("a guard runs on %s already; stop it, or give this one a folder of its own with --home (%w)", d.home.dir, err)
	}
	return err
}

// build makes what stands on the store.
func (d *Daemon) build(ctx context.Context, guard *countersign.Guard) error {
	o := d.options
	var err error
	if d.registry, err = identity.New(d.store, identity.Options{Now: o.Now}); err != nil {
		return err
	}
	if err := d.openBoard(); err != nil {
		return err
	}
	if d.passkeys, err = passkey.New(d.store, o.Now); err != nil {
		return err
	}
	d.desk, err = hold.New(ctx, hold.Options{
		Store: d.store, Decider: guard, Now: o.Now, Log: o.Log, Somebody: d.somebody, Reaches: d.board.Reaches, Gate: d.registry.IsGate,
		Observe: o.Observe, Unattended: o.Unattended, Notifiers: append(slices.Clone(o.Notifiers), d.board),
		AnswerWithin: o.AnswerWithin, UseWithin: o.UseWithin, Cooldown: o.Cooldown,
	})
	if err != nil {
		return err
	}
	if err := d.enrol(ctx); err != nil {
		return err
	}
	d.level, d.levelWhy = identity.DetectLevel(surroundings(d.home.dir, true))
	options := api.Options{
		Log: o.Log, Now: o.Now, Level: string(d.level), Version: o.Version, Health: d.health, Hosts: agentHosts(o.Agents), Observe: o.Observe,
		Limits: api.Limits{PureRate: o.PureRate},
	}
	if o.Planner != "" {
		if options.Planner, err = planner.New(planner.Options{URL: o.Planner, Model: o.PlannerModel, KeyEnv: o.PlannerKey}); err != nil {
			return err
		}
	}
	d.gate, err = api.New(d.desk, d.registry, options)
	return err
}

// somebody reports whether anybody can be asked: an approver is enrolled, and
// the doors are open while the daemon runs.
func (d *Daemon) somebody(ctx context.Context) bool {
	all, err := d.registry.Approvers(ctx)
	if err != nil {
		return false
	}
	for i := range all {
		if !all[i].Revoked() {
			return true
		}
	}
	return false
}

// healthFor is how long a record that could be written is held to be well.
// Anybody may ask, and each look costs a write.
const healthFor = time.Second

// health reports whether the record can be written, and its open questions read.
// That it could not is looked at anew each time.
func (d *Daemon) health(ctx context.Context) error {
	d.healthMu.Lock()
	defer d.healthMu.Unlock()
	at := d.desk.Now()
	if !d.wellAt.IsZero() && at.Sub(d.wellAt) < healthFor {
		return nil
	}
	d.wellAt = time.Time{}
	if err := d.store.Check(ctx); err != nil {
		return err
	}
	open := hold.Query{States: []approval.State{approval.Pending, approval.Approved, approval.Releasing}, Limit: 1}
	if _, err := d.store.Approvals(ctx, open); err != nil {
		return err
	}
	d.wellAt = at
	return nil
}

// Start opens the doors. It returns when they are open.
func (d *Daemon) Start() error {
	ctx, stop := context.WithCancel(context.Background())
	err := d.open()
	if err == nil {
		err = d.openADB(ctx)
	}
	if err == nil {
		err = d.knowPorts()
	}
	if err != nil {
		stop()
		return errors.Join(err, d.closeADB(), d.closeDoors(context.Background()))
	}
	d.stop = stop
	d.work.Go(func() { d.desk.Run(ctx) })
	d.serveADB(ctx)
	for _, door := range d.doors {
		d.work.Go(func() {
			if err := door.server.Serve(door.listener); !errors.Is(err, http.ErrServerClosed) {
				d.options.Log.Error("a door closed by itself", "door", door.name, "error", err.Error())
			}
		})
	}
	mode := "guarding"
	if d.options.Observe {
		mode = "observing"
	}
	return d.desk.Record(ctx, ledger.Entry{Kind: ledger.KindStart, Body: ledger.Change{
		By: "countersign", What: mode + " at level " + string(d.level), Detail: "version " + d.options.Version + ", policy " + d.PolicyName(),
	}})
}

// knowPorts makes actions bypass that lead to a port of the daemon's on this
// machine. Which ports those are is known when the doors are open.
func (d *Daemon) knowPorts() error {
	for _, door := range d.doors {
		if at, ok := door.listener.Addr().(*net.TCPAddr); ok {
			d.self.Ports = append(d.self.Ports, at.Port)
		}
	}
	guard, err := d.guard()
	if err != nil {
		return err
	}
	d.desk.SetDecider(guard)
	return nil
}

// Stop closes the doors, lets what is in hand finish until ctx ends, and closes
// the store. Open questions stay, and are there again at the next start.
func (d *Daemon) Stop(ctx context.Context) error {
	// Long polls end at once: the desk tells them that it closes.
	d.gate.Close()
	var err error
	if d.stop != nil {
		err = errors.Join(err, d.desk.Record(ctx, ledger.Entry{Kind: ledger.KindStop, Body: ledger.Change{By: "countersign", What: "stopped in order"}}))
		d.stop()
	}
	err = errors.Join(err, d.closeADB())
	d.board.Close()
	d.desk.Close()
	err = errors.Join(err, d.closeDoors(ctx))
	d.work.Wait()
	return errors.Join(err, d.store.Close())
}

// close gives up what New has opened.
func (d *Daemon) close() error {
	if d.board != nil {
		d.board.Close()
	}
	if d.desk != nil {
		d.desk.Close()
	}
	return d.store.Close()
}

// Reload reads the policy again. Where it cannot be read the old one stays.
// Only an approver's door calls it; the row about it is written there.
func (d *Daemon) Reload(context.Context) (string, error) {
	guard, err := d.guard()
	if err != nil {
		return d.PolicyName(), err
	}
	d.desk.SetDecider(guard)
	return guard.Policy(), nil
}

// PolicyName is the policy in force, with its digest.
func (d *Daemon) PolicyName() string {
	d.policyMu.Lock()
	defer d.policyMu.Unlock()
	return d.policy
}

// Desk is where the daemon holds actions.
func (d *Daemon) Desk() *hold.Desk { return d.desk }

// Registry knows the daemon's agents and approvers.
func (d *Daemon) Registry() *identity.Registry { return d.registry }

// Level is against whom the guard holds, and why, in a sentence.
func (d *Daemon) Level() (identity.Level, string) { return d.level, d.levelWhy }

// FirstStart reports whether this start made the first approver and agent.
func (d *Daemon) FirstStart() bool { return d.first }

// closing is how long the doors wait for requests in hand.
const closing = 5 * time.Second

// Verify checks the whole record and returns how many rows it has. An error
// names the first bad row.
func (d *Daemon) Verify(ctx context.Context) (rows int64, err error) {
	moment, err := d.store.Ledger(ctx)
	if err != nil {
		return 0, err
	}
	defer moment.Close()
	report, err := ledger.Verify(ctx, moment, d.keys.public, nil)
	if err != nil {
		return 0, err
	}
	if !report.OK() {
		return report.Rows, fmt.Errorf("the record is not as it was written: %s", report.First)
	}
	return report.Rows, nil
}
