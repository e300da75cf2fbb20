package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"
)

// WatchOptions change how the page looks and sounds.
type WatchOptions struct {
	// Colour says that the terminal has colours and the owner wants them.
	Colour bool
	// Bell rings the terminal's bell when a question comes.
	Bell bool
	// Now is the time; time.Now when it is nil.
	Now func() time.Time
	// Environ is the environment that tells what the terminal can do; the
	// process's own when it is nil.
	Environ []string
}

func (o *WatchOptions) now() func() time.Time {
	if o.Now != nil {
		return o.Now
	}
	return time.Now
}

// colour is how cards are set.
func (o *WatchOptions) colour() Colour {
	if o.Colour {
		return SGR
	}
	return nil
}

// Watch shows the open questions on a terminal and takes the answers, until the
// owner quits, which is no error, or ctx ends. in and out must be a terminal that
// can place a cursor; Ask is for the others. When the guard cannot be reached or
// refuses at the start, that is the error; later it is a line on the page.
func Watch(ctx context.Context, c *Client, in io.Reader, out io.Writer, o WatchOptions) error {
	return watch(ctx, c, in, out, o)
}

func watch(ctx context.Context, d door, in io.Reader, out io.Writer, o WatchOptions) error {
	list, err := d.Wait(ctx, "", 0)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := &model{now: o.now(), page: Page{Colour: o.colour()}, bell: o.Bell}
	p := program{ctx: ctx, door: d, model: m, start: append(m.listed(listed{list: list}), effect{do: tick})}
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out)}
	if o.Environ != nil {
		options = append(options, tea.WithEnvironment(o.Environ))
	}
	_, err = tea.NewProgram(p, options...).Run()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil, errors.Is(err, tea.ErrInterrupted):
		return nil
	}
	return fmt.Errorf("show the questions on this terminal: %w", err)
}

// program hands a model to the runtime.
type program struct {
	ctx   context.Context
	door  door
	model *model
	start []effect
}

// Init begins with what the model wanted at the start.
func (p program) Init() tea.Cmd { return p.commands(p.start) }

// Update changes the model by a message.
func (p program) Update(msg tea.Msg) (tea.Model, tea.Cmd) { return p, p.commands(p.model.update(msg)) }

// View draws the model on a screen of its own.
func (p program) View() tea.View {
	v := tea.NewView(p.model.view())
	v.AltScreen = true
	return v
}

func (p program) commands(effects []effect) tea.Cmd {
	commands := make([]tea.Cmd, 0, len(effects))
	for _, e := range effects {
		commands = append(commands, command(p.ctx, p.door, e))
	}
	return tea.Batch(commands...)
}
