package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"os/user"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/countersign/countersign/approval"
	approvers "github.com/countersign/countersign/channel/answer"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/identity"
	"github.com/countersign/countersign/redact"
)

// upCommand runs the guard.
type upCommand struct {
	homeFlag
	guardFlags
	Agents       string        `default:"127.0.0.1:8787" placeholder:"ADDR" help:"The agents' door, on this machine's loopback (127.0.0.1:8787)."`
	AgentSocket  string        `placeholder:"PATH" help:"A unix socket for agents beside it."`
	Inbox        string        `default:"127.0.0.1:8788" placeholder:"ADDR" help:"The web page for whoever answers (127.0.0.1:8788)."`
	Remote       string        `placeholder:"ADDR" help:"The web page for your other devices, over TLS: 0.0.0.0:8789, or an address of a private network."`
	RemoteName   string        `placeholder:"NAME" help:"The host name, or IP address, under which they reach it."`
	RemoteCert   string        `placeholder:"FILE" help:"Its certificate (PEM); without one the guard makes its own and shows the fingerprint."`
	RemoteKey    string        `placeholder:"FILE" help:"The certificate's key (PEM)."`
	Channels     string        `placeholder:"FILE" help:"Who is told that a question waits (docs/channels.md); channels.yaml in the guard's folder if left out."`
	Observe      bool          `help:"Decide and record everything, hold nothing."`
	Unattended   bool          `help:"Nobody is there to answer: what would be held is refused at once."`
	Planner      string        `placeholder:"URL" help:"An OpenAI-compatible endpoint (its base, as in http://127.0.0.1:11434/v1) for steps that propose no action."`
	PlannerModel string        `placeholder:"NAME" help:"The planner's model."`
	PlannerKey   string        `placeholder:"VARIABLE" help:"The environment variable with the planner's key."`
	AnswerWithin time.Duration `default:"15m" placeholder:"TIME" help:"How long a question waits (15m)."`
	UseWithin    time.Duration `default:"5m" placeholder:"TIME" help:"How long a yes may be used (5m)."`
	Cooldown     time.Duration `default:"10m" placeholder:"TIME" help:"How long a refusal is remembered (10m)."`
	TypeAbove    string        `placeholder:"AMOUNT" help:"On the web page, approving more than this takes typing the amount or the app's name: 100, or EUR=100,JPY=15000."`
	PasskeyOnly  bool          `name:"passkey-critical" help:"Critical questions are approved with a passkey on the web page, and in no other way."`
	gate         daemon.ADB    // of countersign adb

	PureRate float64 `placeholder:"N" help:"Pure decisions a second for one agent; negative is no limit."`
}

// Help is the longer text of --help.
func (upCommand) Help() string {
	return `Agents ask over HTTP and wait; you answer in a terminal or on the web page:

  countersign up
  countersign approvals watch          in another terminal
  countersign up --observe             first see what it would ask, then turn it on

The first start makes an approver ("owner", that is you) and an agent's credential, in files that only
you can read. Interrupt stops it; open questions are there again at the next start. See docs/running.md.`
}

// Run runs the guard until it is interrupted.
func (c *upCommand) Run(t *terminal) error {
	// The signals come first: whoever stops it while it starts stops it in order.
	hup := make(chan os.Signal, 1)
	signal.Notify(hup, syscall.SIGHUP)
	stop, done := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer done()
	d, err := c.start(t)
	if err != nil {
		return err
	}
	if err := c.greet(t, d); err != nil {
		return errors.Join(err, d.Stop(context.Background()))
	}
	for stop.Err() == nil {
		select {
		case <-stop.Done():
		case <-hup:
			// A signal is nobody's: any process of the user may send it.
			fmt.Fprintln(t.err, "note: the policy is reloaded by an approver only: countersign reload")
		}
	}
	fmt.Fprintln(t.err, "stopping; open questions are there again at the next start")
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return d.Stop(ctx)
}

// start opens the guard's doors.
func (c *upCommand) start(t *terminal) (*daemon.Daemon, error) {
	dir, err := c.dir()
	if err != nil {
		return nil, err
	}
	typeAbove, err := approvers.ParseTypeAbove(c.TypeAbove)
	if err != nil {
		return nil, usage(fmt.Errorf("--type-above: %w", err))
	}
	log := slog.New(redact.NewHandler(slog.NewTextHandler(t.err, &slog.HandlerOptions{Level: slog.LevelWarn})))
	d, err := daemon.New(context.Background(), daemon.Options{
		Home: dir, Agents: c.Agents, AgentSocket: c.AgentSocket, Inbox: c.Inbox, Channels: c.Channels,
		Remote: daemon.Remote{Addr: c.Remote, Name: c.RemoteName, CertFile: c.RemoteCert, KeyFile: c.RemoteKey}, Policy: c.Policy, Apps: c.Apps,
		Observe: c.Observe, Unattended: c.Unattended,
		Planner: c.Planner, PlannerModel: c.PlannerModel, PlannerKey: c.PlannerKey,
		AnswerWithin: c.AnswerWithin, UseWithin: c.UseWithin, Cooldown: c.Cooldown, PureRate: c.PureRate, TypeAbove: typeAbove, PasskeyCritical: c.PasskeyOnly,
		ADB: c.gate, Version: versionName(), Log: log, Notifiers: []hold.Notifier{waiting{t}},
	})
	if err != nil {
		return nil, usage(err)
	}
	if err := d.Start(); err != nil {
		return nil, errors.Join(err, d.Stop(context.Background()))
	}
	return d, nil
}

// waiting says on the guard's own terminal that a question waits. It gives
// nothing away that would answer it.
type waiting struct{ t *terminal }

// Ask prints one line.
func (w waiting) Ask(_ context.Context, a approval.Approval) error {
	_, err := fmt.Fprintf(w.t.err, "%s  a question waits: %s\n", a.CreatedAt.Local().Format("15:04:05"), decide.Quote(a.Card.AgentReason, 200))
	return err
}

// greet says what runs and how to go on. The sign-in link is for the owner's
// own terminal: it goes nowhere else, so that no log and no agent's client that
// started the guard ever holds it.
func (c *upCommand) greet(t *terminal, d *daemon.Daemon) error {
	dir, err := c.dir()
	if err != nil {
		return err
	}
	level, why := d.Level()
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "  %s%s\n", pad(name, 10), fmt.Sprintf(format, args...))
	}
	fmt.Fprintf(&b, "countersign %s is guarding (policy %s)\n", versionName(), d.PolicyName())
	if c.Observe {
		b.WriteString("  OBSERVE MODE: everything is decided and recorded, nothing is held\n")
	}
	if c.Unattended {
		b.WriteString("  UNATTENDED: nobody is asked, what would be held is refused\n")
	}
	line("level", "%s. %s", level, why)
	line("agents", "%s, with the token in %s", d.AgentsURL(), filepath.Join(dir, daemon.AgentTokenFile))
	me := asOwner(level)
	if err := c.greetADB(line, d); err != nil {
		return err
	}
	line("terminal", "%scountersign approvals watch%s", me, c.homeArgument())
	if t.errTTY && t.inTTY {
		link, expires, err := d.SignInLink(context.Background())
		if err != nil {
			return err
		}
		line("web page", "%s", link)
		line("", "(works once, until %s; another one: %scountersign sign-in%s)", expires.Local().Format("15:04"), me, c.homeArgument())
	} else {
		line("web page", "%s; sign in with: %scountersign sign-in%s", d.InboxURL(), me, c.homeArgument())
	}
	if url, print := d.RemoteURL(); url != "" {
		line("elsewhere", "%s; sign in with: %scountersign sign-in%s", url, me, c.homeArgument())
		if print != "" {
			line("", "its certificate is the guard's own, SHA-256 %s", print)
		}
	}
	if names := d.ChannelNames(); len(names) > 0 {
		line("channels", "%s; try one with: %scountersign channels test %s%s", strings.Join(names, ", "), me, names[0], c.homeArgument())
	}
	line("record", "%scountersign log --follow%s", me, c.homeArgument())
	_, err = fmt.Fprint(t.err, b.String())
	return err
}

// asOwner is how the owner starts a command on this guard: as the service user
// where there is one.
func asOwner(level identity.Level) string {
	if me, err := user.Current(); err == nil && level == identity.SeparateUser {
		return "sudo -u " + shellWord(me.Username) + " "
	}
	return ""
}

// homeArgument is what other commands need to find this guard.
func (c *upCommand) homeArgument() string {
	if c.Home == "" {
		return ""
	}
	return " --home " + shellWord(c.Home)
}

// shellWord is a word as it has to be written for a shell.
func shellWord(s string) string {
	if strings.IndexFunc(s, func(r rune) bool {
		return !strings.ContainsRune("/._-+", r) && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
