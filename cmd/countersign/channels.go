package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/countersign/countersign/channel/client"
	"github.com/countersign/countersign/channel/notice"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/decide"
)

// channelsCommand is about how people are told that a question waits.
type channelsCommand struct {
	List channelsListCommand `cmd:"" default:"withargs" help:"List the channels, and how each did."`
	Test channelsTestCommand `cmd:"" help:"Send a harmless message through a channel."`
}

// channelsFlag says where the channels are, where no guard is asked.
type channelsFlag struct {
	homeFlag
	File string `name:"channels" placeholder:"FILE" help:"Read this file, and ask no guard."`
	JSON bool   `name:"json" help:"Print one JSON object a line."`
}

// guard is the guard that runs in the home folder, nil where none does or none is
// to be asked: then the file has to say.
func (c *channelsFlag) guard() (*client.Client, error) {
	if c.File != "" {
		return nil, nil
	}
	guard, err := c.client()
	if errors.Is(err, client.ErrNoToken) {
		return nil, nil // none has ever run here
	}
	if err != nil {
		return nil, usage(err)
	}
	if _, err := guard.Status(context.Background()); err != nil {
		guard.Close()
		if errors.Is(err, client.ErrNotRunning) {
			return nil, nil
		}
		return nil, err
	}
	return guard, nil
}

// read reads the file of channels.
func (c *channelsFlag) read(t *terminal) ([]notice.Named, error) {
	path := c.File
	if path == "" {
		dir, err := c.dir()
		if err != nil {
			return nil, err
		}
		path = filepath.Join(dir, daemon.ChannelsFile)
		fmt.Fprintf(t.err, "note: no guard runs; this is what %s says\n", printable(path))
	}
	channels, err := daemon.ReadChannels(path, os.Environ(), time.Now)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usage(err, "docs/channels.md says what stands in it")
	}
	if err != nil {
		return nil, usage(err)
	}
	return channels, nil
}

// show prints how a channel stands.
func (c *channelsFlag) show(t *terminal, s notice.State) error {
	line := fmt.Sprintf("%-16s %-8s %-32s %s", decide.Quote(s.Name, 32), decide.Quote(s.Kind, 16), decide.Quote(s.Where, 64), channelDid(&s))
	if c.JSON {
		var err error
		if line, err = jsonLine(s); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintln(t.out, line); err != nil {
		return fmt.Errorf("write the list: %w", err)
	}
	return nil
}

// channelDid is how a channel did, in words.
func channelDid(s *notice.State) string {
	at := func(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") }
	switch s.State {
	case notice.Works:
		return "works, last told " + at(s.LastOK)
	case notice.Fails:
		text := "FAILS, last at " + at(s.LastFailure) + ": " + decide.Quote(s.Why, 300)
		if !s.LastOK.IsZero() {
			text += "; last told " + at(s.LastOK)
		}
		return text
	}
	return "not tried yet"
}

// channelsListCommand lists channels.
type channelsListCommand struct{ channelsFlag }

// Run lists.
func (c *channelsListCommand) Run(t *terminal) error {
	guard, err := c.guard()
	if err != nil {
		return err
	}
	var states []notice.State
	if guard != nil {
		defer guard.Close()
		status, err := guard.Status(context.Background())
		if err != nil {
			return err
		}
		states = status.Channels
	} else {
		channels, err := c.read(t)
		if err != nil {
			return err
		}
		for _, n := range channels {
			states = append(states, notice.State{Name: n.Name, Kind: n.Kind, Where: n.Where, State: notice.Untried})
		}
	}
	for _, s := range states {
		if err := c.show(t, s); err != nil {
			return err
		}
	}
	if len(states) == 0 && !c.JSON {
		fmt.Fprintln(t.err, "no channels: nobody is told that a question waits; see docs/channels.md")
	}
	return nil
}

// channelsTestCommand tries a channel.
type channelsTestCommand struct {
	Name string `arg:"" help:"The channel's name."`
	channelsFlag
}

// Help is the longer text of --help.
func (channelsTestCommand) Help() string {
	return `The running guard sends a message that says that it is a test; without a guard this program sends it
by itself. The exit code is 0 when the channel took it, else 1.

  countersign channels test phone`
}

// Run tries.
func (c *channelsTestCommand) Run(t *terminal) error {
	guard, err := c.guard()
	if err != nil {
		return err
	}
	var state notice.State
	if guard != nil {
		defer guard.Close()
		state, err = guard.TestChannel(context.Background(), c.Name)
	} else {
		state, err = c.alone(t)
	}
	if err != nil {
		return err
	}
	if err := c.show(t, state); err != nil {
		return err
	}
	if state.State != notice.Works {
		return exitWith(exitFailed)
	}
	return nil
}

// alone sends the message without a guard.
func (c *channelsTestCommand) alone(t *terminal) (notice.State, error) {
	channels, err := c.read(t)
	if err != nil {
		return notice.State{}, err
	}
	board, err := notice.New(notice.Options{Channels: channels, Now: time.Now})
	if err != nil {
		return notice.State{}, err
	}
	defer board.Close()
	state, err := board.Test(context.Background(), c.Name)
	if errors.Is(err, notice.ErrUnknown) {
		err = usage(err)
	}
	return state, err
}
