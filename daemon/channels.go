package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/notice"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/policy"
	"github.com/countersign/countersign/risk"
)

// readChannels reads the file of channels. That of the home folder need not be
// there.
func (d *Daemon) readChannels() error {
	path := d.options.Channels
	if path == "" {
		path = d.home.path(ChannelsFile)
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
	}
	var err error
	d.channels, err = ReadChannels(path, os.Environ(), d.options.Now)
	return err
}

// ChannelNames are the channels that tell people of questions.
func (d *Daemon) ChannelNames() []string {
	names := make([]string, 0, len(d.channels))
	for _, c := range d.channels {
		names = append(names, c.Name)
	}
	return names
}

// hasChannels complains about channels that a policy names and that are not there:
// it would tell nobody, and nobody would know.
func (d *Daemon) hasChannels(rules *policy.Policy) error {
	have := d.ChannelNames()
	for _, name := range rules.ChannelNames() {
		if slices.Contains(have, name) {
			continue
		}
		if len(have) == 0 {
			return fmt.Errorf("policy %s names the channel %s, but there are no channels; name it in %s", rules.Name(), name, ChannelsFile)
		}
		return fmt.Errorf("policy %s names the channel %s, which is not there; there are %s", rules.Name(), name, strings.Join(have, ", "))
	}
	return nil
}

// openBoard makes what tells the channels. What it asks of the desk it asks later,
// when a question waits.
func (d *Daemon) openBoard() (err error) {
	d.board, err = notice.New(notice.Options{
		Channels: d.channels, Route: d.route, Log: d.options.Log,
		Required: func() bool { return d.rulesInForce().NeedsChannel() },
		Inbox:    func() string { url, _ := d.RemoteURL(); return url },
		Now:      func() time.Time { return d.desk.Now() },
		Record:   func(ctx context.Context, rows ...ledger.Entry) error { return d.desk.Record(ctx, rows...) },
		Waits:    d.waits,
	})
	return err
}

// route asks the policy in force who is told of a question.
func (d *Daemon) route(c risk.Category, t risk.Tier, critical bool, at time.Time) []string {
	return d.rulesInForce().Route(c, t, critical, at)
}

func (d *Daemon) rulesInForce() *policy.Policy {
	d.policyMu.Lock()
	defer d.policyMu.Unlock()
	return d.rules
}

// waits reports whether a question still waits for an answer. Where that cannot be
// read it is told once more rather than not at all.
func (d *Daemon) waits(ctx context.Context, id string) bool {
	a, err := d.desk.View(ctx, id)
	if errors.Is(err, hold.ErrNotFound) {
		return false
	}
	return err != nil || a.State == approval.Pending
}
