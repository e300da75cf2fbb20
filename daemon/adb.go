package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/countersign/countersign/gate/adb"
	"github.com/countersign/countersign/gate/adb/smart"
	"github.com/countersign/countersign/gate/adb/upstream"
	"github.com/countersign/countersign/gate/adb/virtual"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/wire"
)

const (
	// HelpersFile is the file of a home folder with the automation helpers that
	// the owner let onto phones.
	HelpersFile = "helpers.json"
	// ADBFolder is the folder of a home folder with the socket of the hidden adb
	// server.
	ADBFolder = "adb"
	// adbAgent is the agent that everything at the ADB gate is done by.
	adbAgent = "adb-gate"
)

// ADB is the gate for agents that drive a phone over ADB. The zero value is none.
type ADB struct {
	// Server is the loopback address at which the gate is the machine's adb server,
	// usually 127.0.0.1:5037; empty for none.
	Server string
	// Device is the loopback address of a guarded phone that an adb server connects
	// to; empty for none. Phone is the serial of the phone behind it; empty is the
	// only one there is.
	Device, Phone string
	// Program is the adb program that the hidden server is; found in PATH if empty.
	Program string
	// Env is added to the hidden server's environment, "NAME=value" each; nothing of
	// the daemon's own but PATH reaches it. ADB_EMU=0, ADB_USB=0 and ADB_MDNS=0 keep
	// it from looking for phones by itself.
	Env []string
	// Emulators takes in emulators that start later and announce themselves at
	// Server. Who can reach that can then have the hidden server connect to any
	// emulator's port of this computer, and answer there with the guard's key.
	Emulators bool
	// Connect are phones on the network that the hidden server connects to, such as
	// "127.0.0.1:5595".
	Connect []string
}

// On reports whether there is a gate.
func (a ADB) On() bool { return a.Server != "" || a.Device != "" }

// allows reports whether a request of the agent's about which phones there are may
// pass: an emulator's, about a port at which the server looks for one by itself.
func (a ADB) allows(verb, args string) bool {
	port, err := strconv.ParseUint(args, 10, 16)
	return a.Emulators && verb == "emulator" && err == nil && port%2 == 1 && port >= firstEmulator && port <= lastEmulator
}

// firstEmulator and lastEmulator are where an adb server looks for emulators (adb's
// OVERVIEW.TXT): each has the odd port for adb, and the one before for its console.
const firstEmulator, lastEmulator = 5555, 5585

func (a ADB) validate() error {
	for _, d := range []struct{ what, addr string }{{"the adb server", a.Server}, {"the guarded phone", a.Device}} {
		if d.addr == "" {
			continue
		}
		if err := checkLoopback(d.addr); err != nil {
			return fmt.Errorf("%s: %w", d.what, err)
		}
	}
	if a.Phone != "" && a.Device == "" {
		return errors.New("a phone is chosen for no guarded phone; give its address too")
	}
	return nil
}

// adbGate is the gate with its front ends.
type adbGate struct {
	gate           *adb.Gate
	hidden         *upstream.Hidden
	work           sync.WaitGroup
	phones         *upstream.Phones
	phone          adb.Phone // behind the guarded phone; nil where there is none
	server, device net.Listener
}

// openADB starts the hidden server and listens in its place.
func (d *Daemon) openADB(ctx context.Context) error {
	o := d.options.ADB
	if !o.On() {
		return nil
	}
	helpers, err := ReadHelpers(d.home.dir)
	if err != nil {
		return err
	}
	agent, err := d.adbAgent(ctx)
	if err != nil {
		return err
	}
	g := &adbGate{}
	d.adb = g
	if g.gate, err = adb.New(adb.Options{
		Desk: d.desk, Agent: agent, AgentName: adbAgent, Observe: d.options.Observe, Log: d.options.Log, Helpers: helpers,
	}); err != nil {
		return err
	}
	// The ports first: where the owner's own server runs, nothing is started.
	if o.Server != "" {
		if g.server, err = listen("the adb server", o.Server, "--port"); err != nil {
			return fmt.Errorf("%w; where adb runs, stop it with: adb kill-server", err)
		}
	}
	if o.Device != "" {
		if g.device, err = listen("the guarded phone", o.Device, "--device"); err != nil {
			return err
		}
	}
	if g.hidden, err = upstream.Start(ctx, upstream.HiddenOptions{Dir: d.home.path(ADBFolder), ADB: o.Program, Env: o.Env, Log: d.options.Log}); err != nil {
		return err
	}
	for _, addr := range o.Connect {
		if err := g.hidden.Connect(ctx, addr); err != nil {
			return fmt.Errorf("connect to the phone %s: %w; look whether it is on and lets adb in over the network, and give its address as HOST:PORT, such as 127.0.0.1:5595", addr, err)
		}
	}
	if o.Device == "" {
		return nil
	}
	serial, err := g.onlyPhone(ctx, o.Phone)
	g.phones = upstream.NewPhones(g.hidden.Server())
	g.phone = g.phones.Phone(serial)
	return err
}

// onlyPhone is the phone behind the guarded one: the named one, or the only one.
func (g *adbGate) onlyPhone(ctx context.Context, named string) (string, error) {
	list, err := g.hidden.Server().Query(ctx, "host:devices")
	if err != nil {
		return "", err
	}
	var serials []string
	for line := range strings.Lines(list) {
		serial, _, _ := strings.Cut(line, "\t")
		if serial == named && named != "" {
			return serial, nil
		}
		serials = append(serials, serial)
	}
	switch {
	case named != "":
		return "", fmt.Errorf("no phone %s is connected; there are: %s", named, strings.Join(serials, ", "))
	case len(serials) != 1:
		return "", fmt.Errorf("%d phones are connected, and a guarded phone stands for one: connect one with --connect ADDR, or choose it with --phone SERIAL", len(serials))
	}
	return serials[0], nil
}

// serveADB serves the front ends until ctx ends.
func (d *Daemon) serveADB(ctx context.Context) {
	g := d.adb
	if g == nil {
		return
	}
	complain := func(door string, err error) {
		if err != nil && ctx.Err() == nil {
			d.options.Log.Error("a door closed by itself", "door", door, "error", err.Error())
		}
	}
	if g.server != nil {
		g.work.Go(func() {
			complain("adb server", smart.Serve(ctx, g.server, smart.Options{
				Gate: g.gate, Server: g.hidden.Server(), Observe: d.options.Observe, Log: d.options.Log,
				AllowConnect: d.options.ADB.allows,
			}))
		})
	}
	if g.device != nil {
		g.work.Go(func() {
			server, serial := g.hidden.Server(), g.phone.Serial()
			complain("guarded phone", virtual.Serve(ctx, g.device, g.gate, g.phone, virtual.Options{
				Describe: virtual.FromServer(server, serial), Lost: virtual.Lost(server, serial), Observe: d.options.Observe, Log: d.options.Log,
			}))
		})
	}
}

// closeADB takes the ports away and stops the hidden server: without the gate
// there is no phone. The context of the front ends has to be at its end, so that
// what they hold is given up before the desk closes.
func (d *Daemon) closeADB() error {
	g := d.adb
	if g == nil {
		return nil
	}
	var err error
	for _, l := range []net.Listener{g.server, g.device} {
		if l != nil {
			if closed := l.Close(); !errors.Is(closed, net.ErrClosed) {
				err = errors.Join(err, closed)
			}
		}
	}
	g.work.Wait()
	if g.phones != nil {
		g.phones.Close()
	}
	if g.hidden != nil {
		err = errors.Join(err, g.hidden.Stop())
	}
	return err
}

// adbAgent is the id of the agent that stands for whoever comes through the gate.
// Nobody knows its token: it comes through the gate or not at all.
func (d *Daemon) adbAgent(ctx context.Context) (string, error) {
	all, err := d.registry.Agents(ctx)
	if err != nil {
		return "", err
	}
	for i := range all {
		if all[i].Name == adbAgent && !all[i].Revoked() {
			return all[i].ID, nil
		}
	}
	a, _, err := d.registry.AddAgent(ctx, adbAgent, nil, FirstApprover)
	if err != nil {
		return "", fmt.Errorf("make the agent of the ADB gate: %w", err)
	}
	return a.ID, d.desk.Record(ctx, ledger.Entry{Kind: ledger.KindCredential, Body: ledger.Change{
		By: "countersign", What: "agent " + adbAgent + " added", Detail: "whoever comes through the ADB gate",
	}})
}

// ADBAddrs are where the gate is the adb server and where its guarded phone is,
// empty where it is not; with the daemon started.
func (d *Daemon) ADBAddrs() (server, device string) {
	if d.adb == nil {
		return "", ""
	}
	if d.adb.server != nil {
		server = d.adb.server.Addr().String()
	}
	if d.adb.device != nil {
		device = d.adb.device.Addr().String()
	}
	return server, device
}

// Phones are the phones behind the gate as "adb devices" lists them: serial and
// state, a line each.
func (d *Daemon) Phones(ctx context.Context) (string, error) {
	if d.adb == nil || d.adb.hidden == nil {
		return "", errors.New("there is no ADB gate")
	}
	return d.adb.hidden.Server().Query(ctx, "host:devices")
}

// HiddenServer is where the hidden adb server of a home folder listens, for the
// owner's own questions to the phone. It runs while a daemon with an ADB gate does.
func HiddenServer(homeDir string) wire.Server {
	return upstream.At(home{homeDir}.path(ADBFolder))
}

// helpersFile is what HelpersFile holds.
type helpersFile struct {
	Helpers []adb.Helper `json:"helpers"`
}

// ReadHelpers reads which automation helpers the owner let onto phones; none where
// the file is not there.
func ReadHelpers(homeDir string) ([]adb.Helper, error) {
	path := home{homeDir}.path(HelpersFile)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the helpers: %w", err)
	}
	var f helpersFile
	in := json.NewDecoder(strings.NewReader(string(data)))
	in.DisallowUnknownFields()
	if err := in.Decode(&f); err != nil {
		return nil, fmt.Errorf("%s cannot be read; make it anew with countersign setup: %w", path, err)
	}
	return f.Helpers, nil
}

// WriteHelpers replaces the helpers, and records who did it. The daemon must not
// be started: it has read them already.
func (d *Daemon) WriteHelpers(ctx context.Context, by string, helpers []adb.Helper) error {
	data, err := json.MarshalIndent(helpersFile{helpers}, "", "  ")
	if err != nil {
		return err
	}
	var names []string
	for _, h := range helpers {
		names = append(names, strings.TrimSpace(h.Name+" "+h.Package+h.Class)+" sha256:"+h.SHA256+" may:"+h.May.String())
	}
	row := ledger.Entry{Kind: ledger.KindSetup, Body: ledger.Change{By: by, What: "automation helpers let onto phones", Detail: strings.Join(names, ", ")}}
	if err := d.desk.Record(ctx, row); err != nil {
		return err
	}
	return d.home.write(HelpersFile, string(data))
}
