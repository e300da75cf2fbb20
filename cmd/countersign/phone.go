package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/phone"
	"github.com/countersign/countersign/phone/adbd"
	"github.com/countersign/countersign/phone/automation"
)

// phoneCommand runs a simulated phone. Its port is beyond those from 5555 to 5585, at
// which every adb server takes a phone for an emulator and connects to it unasked.
type phoneCommand struct {
	Listen    string        `default:"127.0.0.1:5595" placeholder:"ADDR" help:"Where its adbd listens, on this machine's loopback (127.0.0.1:5595); port 0 is any free one."`
	Locale    string        `default:"en" placeholder:"TAG" help:"Its language: en, de, fr, es, ja, tr."`
	Size      string        `default:"1080x2400" placeholder:"WxH" help:"Its display in pixels (1080x2400)."`
	Apps      string        `placeholder:"DIR" type:"existingdir" help:"A folder with apps of your own, *.yaml, instead of the built-in ones."`
	Misbehave []string      `placeholder:"HOW" help:"What it does badly: dump-fails, dump-stale, never-idle, secure, several-windows, rotated, dialog. May be given several times."`
	Slow      time.Duration `placeholder:"TIME" help:"How long a look at its screen takes."`
	JSON      bool          `help:"One JSON object a line instead of text."`
}

// phoneLocales are the languages of the built-in apps.
var phoneLocales = []string{"en", "de", "fr", "es", "ja", "tr"}

// faults are the words of --misbehave.
var faults = []struct {
	name string
	set  func(*phone.Misbehaviour)
}{
	{"dump-fails", func(m *phone.Misbehaviour) { m.DumpFails = true }},
	{"dump-stale", func(m *phone.Misbehaviour) { m.DumpStale = true }},
	{"never-idle", func(m *phone.Misbehaviour) { m.NeverIdle = true }},
	{"secure", func(m *phone.Misbehaviour) { m.SecureScreen = true }},
	{"several-windows", func(m *phone.Misbehaviour) { m.SeveralWindows = true }},
	{"rotated", func(m *phone.Misbehaviour) { m.Rotated = true }},
	{"dialog", func(m *phone.Misbehaviour) {
		m.DialogBetween = phone.Dialog{Title: "Install update?", Message: "The phone restarts.", Buttons: []string{"Later", "Install"}}
	}},
}

func faultNames() string {
	names := make([]string, len(faults))
	for i, f := range faults {
		names[i] = f.name
	}
	return strings.Join(names, ", ")
}

// Help is the longer text of --help.
func (phoneCommand) Help() string {
	return `A phone that is none: it speaks adbd's protocol, has a mail app, a bank, a shop and more, and prints what
reaches it and what that did. Nothing it does leaves this program.

  countersign phone
  adb connect 127.0.0.1:5595           in another terminal
  adb -s 127.0.0.1:5595 shell input tap 540 1200

With a guard in front of it you see what is held back:

  countersign adb --connect 127.0.0.1:5595

See docs/adb.md.`
}

// Run runs the phone until it is interrupted.
func (c *phoneCommand) Run(t *terminal) error {
	p, err := c.phone()
	if err != nil {
		return err
	}
	l, err := listenOnLoopback(c.Listen)
	if err != nil {
		return err
	}
	ctx, done := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer done()
	fmt.Fprintf(t.err, "a simulated phone, %s, in %s\n  connect to it with: adb connect %s\n  or with a guard in front of it: countersign adb --connect %s\n", p.Model(), p.Locale(), l.Addr(), l.Addr())
	served := make(chan error, 1)
	go func() {
		served <- adbd.Serve(ctx, l, p, adbd.Options{
			Launches: automation.Launches(), Log: slog.New(slog.NewTextHandler(t.err, &slog.HandlerOptions{Level: slog.LevelWarn})),
		})
	}()
	diary := &diary{t: t, json: c.JSON}
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case err := <-served:
			return errors.Join(err, diary.write(p))
		case <-look.C:
			if err := diary.write(p); err != nil {
				return err
			}
		}
	}
}

// phone makes the phone that the flags describe.
func (c *phoneCommand) phone() (*phone.Phone, error) {
	if !slices.Contains(phoneLocales, c.Locale) {
		return nil, usage(fmt.Errorf("--locale %s is none that the phone speaks; accepted are %s", decide.Quote(c.Locale, 40), strings.Join(phoneLocales, ", ")))
	}
	o := phone.Options{Locale: c.Locale, Now: time.Now}
	w, h, ok := strings.Cut(c.Size, "x")
	width, err := strconv.Atoi(w)
	height, err2 := strconv.Atoi(h)
	if !ok || err != nil || err2 != nil || width < 100 || height < 100 || width > 10_000 || height > 10_000 {
		return nil, usage(fmt.Errorf("--size %s is none; accepted are sizes such as 1080x2400", decide.Quote(c.Size, 40)))
	}
	o.Width, o.Height = width, height
	if c.Apps != "" {
		o.Apps = os.DirFS(c.Apps)
	}
	p, err := phone.New(o)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usage(fmt.Errorf("--apps %s: %w", c.Apps, err))
	}
	if err != nil {
		return nil, usage(err)
	}
	m := phone.Misbehaviour{Slow: c.Slow}
	for _, name := range c.Misbehave {
		known := false
		for _, f := range faults {
			if f.name == name {
				f.set(&m)
				known = true
			}
		}
		if !known {
			return nil, usage(fmt.Errorf("--misbehave %s is unknown; accepted are %s", decide.Quote(name, 40), faultNames()))
		}
	}
	p.Misbehave(m)
	return p, nil
}

// listenOnLoopback listens where only this machine reaches it: the phone has no
// key and no lock.
func listenOnLoopback(addr string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, usage(fmt.Errorf("--listen %s is no address; accepted are addresses such as 127.0.0.1:5595", decide.Quote(addr, 60)))
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, usage(fmt.Errorf("--listen %s can be reached from elsewhere", decide.Quote(addr, 60)), "give an address of this machine's loopback: 127.0.0.1:5595")
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, usage(fmt.Errorf("listen for adb: %w", err), "is another phone running there? give this one another port: --listen 127.0.0.1:5597")
	}
	return l, nil
}

// diary prints what reached a phone and what that did.
type diary struct {
	t               *terminal
	json            bool
	events, effects int
}

// entry is a line of --json.
type entry struct {
	At        time.Time `json:"at"`
	Kind      string    `json:"kind"`
	Detail    string    `json:"detail,omitempty"`
	App       string    `json:"app,omitempty"`
	Object    string    `json:"object,omitempty"`
	Recipient string    `json:"recipient,omitempty"`
	Amount    string    `json:"amount,omitempty"`
	Text      string    `json:"text,omitempty"`
	// Effect says that the line is about what happened, not about what came.
	Effect bool `json:"effect"`
}

// write prints what is new.
func (d *diary) write(p *phone.Phone) error {
	for _, e := range p.Record()[d.events:] {
		d.events++
		if err := d.print(entry{At: e.At, Kind: e.Kind, Detail: e.Detail}); err != nil {
			return err
		}
	}
	for _, e := range p.Effects()[d.effects:] {
		d.effects++
		if err := d.print(entry{At: e.At, Kind: e.What, App: e.App, Object: e.Object, Recipient: e.Recipient, Amount: e.Amount, Text: e.Text, Effect: true}); err != nil {
			return err
		}
	}
	return nil
}

func (d *diary) print(e entry) error {
	if d.json {
		return json.NewEncoder(d.t.out).Encode(e)
	}
	var said []string
	for _, part := range []string{e.Detail, e.App, e.Object, e.Recipient, e.Amount, e.Text} {
		if part != "" {
			said = append(said, decide.Quote(part, 160))
		}
	}
	line := fmt.Sprintf("%s  %s %s", e.At.Local().Format("15:04:05.000"), pad(e.Kind, 12), strings.Join(said, ", "))
	if e.Effect {
		line = d.t.paint(bold, strings.Replace(line, "  ", " *", 1))
	}
	_, err := fmt.Fprintln(d.t.out, line)
	return err
}
