package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/countersign/countersign/ledger"
)

// logCommand reads the record of the guard. It opens the file to read only, also
// beside a guard that runs.
type logCommand struct {
	List    logListCommand    `cmd:"" default:"withargs" help:"List what was decided and what became of it, the newest last."`
	Show    logShowCommand    `cmd:"" help:"Show everything on record about one action."`
	Verify  logVerifyCommand  `cmd:"" help:"Find out whether the record is as it was written."`
	Label   logLabelCommand   `cmd:"" help:"Make a labelled case for eval of a decision that was wrong."`
	Summary logSummaryCommand `cmd:"" help:"Add up what was asked, by app, category and source."`
	Stats   logStatsCommand   `cmd:"" help:"Measure what asking has cost, and what would cost less."`
}

// logListCommand lists rows.
type logListCommand struct {
	homeFlag
	logFilter
	Number int  `short:"n" default:"50" help:"How many rows at most, counted from the newest."`
	Follow bool `short:"f" help:"Go on with new rows until interrupted."`
	JSON   bool `name:"json" help:"Print one row a line, as it is recorded and hashed."`
}

// Help is the longer text of --help.
func (logListCommand) Help() string {
	return `A line is the number of the row, the time, the outcome, the category, the app, the label, and
whom the outcome is owed to. What became of a question is indented below it.

  countersign log --follow
  countersign log --outcome confirm --since 24h
  countersign log --delta suppressed --app com.whatsapp
  countersign log --json -n 1000 > rows.jsonl

Words may be shortened: --source context.`
}

// followEvery is how often --follow looks for new rows.
const followEvery = 500 * time.Millisecond

// Run lists.
func (c *logListCommand) Run(t *terminal) error {
	if c.Number < 1 {
		return usage(fmt.Errorf("-n is %d; at least 1 row is needed", c.Number))
	}
	filter, err := c.filter(time.Now())
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	rec, err := c.record(ctx)
	if err != nil {
		return err
	}
	defer rec.Close()
	if filter.Agent, err = agentID(ctx, rec, c.Agent); err != nil {
		return logError(err)
	}
	l := listing{rec: rec, filter: filter, print: (&logLines{t: t}).print}
	if c.JSON {
		l.print = func(r *ledger.Row) error { return t.printRow(r) }
	}
	if err := l.newest(ctx, c.Number); err != nil {
		return logError(err)
	}
	if !c.Follow {
		if l.printed == 0 {
			_, _ = fmt.Fprintln(t.err, "no row matches")
		}
		return nil
	}
	ticker := time.NewTicker(followEvery)
	defer ticker.Stop()
	return logError(l.follow(ctx, ticker.C))
}

// interruptible ends with ctrl-c.
func interruptible() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}

// printRow prints a row as it was hashed. On a terminal what could steer it is
// spelled out, which is the same JSON.
func (t *terminal) printRow(r *ledger.Row) error {
	data := r.Data
	if t.outTTY {
		data = escapeInvisible(data)
	}
	_, err := fmt.Fprintf(t.out, "%s\n", data)
	return err
}

// logError tells what to do about a record that cannot be read.
func logError(err error) error {
	var f *failure
	if err == nil || errors.As(err, &f) {
		return err
	}
	if errors.Is(err, context.Canceled) {
		return &failure{code: exitFailed, err: errors.New("interrupted")}
	}
	return &failure{code: exitFailed, err: err, hints: []string{"countersign log verify says whether the record is as it was written"}}
}

// listing goes through the rows that a filter picks.
type listing struct {
	rec    record
	filter ledger.Filter
	print  func(*ledger.Row) error

	after   int64 // the last row that was read
	printed int
	// shown are the actions whose decision was printed: what became of them is
	// printed too, although the filter asks for what only a decision says.
	shown map[string]bool
}

// newest prints the last n rows that match, in their order.
func (l *listing) newest(ctx context.Context, n int) error {
	if err := l.begin(ctx, n); err != nil {
		return err
	}
	return l.further(ctx)
}

// begin goes back from the end to where the last n matching rows begin. It
// remembers the place only, so that any number of rows can be printed.
func (l *listing) begin(ctx context.Context, n int) error {
	head, err := l.rec.Head(ctx)
	if err != nil {
		return err
	}
	for end := head.Size; end > 0; {
		start := max(0, end-pageRows)
		rows, err := l.rec.Rows(ctx, start, int(end-start))
		if err != nil {
			return err
		}
		for i := len(rows) - 1; i >= 0; i-- {
			if l.filter.Match(rows[i]) {
				if n--; n == 0 {
					l.after = rows[i].Seq - 1
					return nil
				}
			}
		}
		if len(rows) > 0 && rows[0].At.Before(l.filter.Since) {
			l.after = start
			return nil
		}
		end = start
	}
	return nil
}

// further prints the rows from where it stopped the last time.
func (l *listing) further(ctx context.Context) error {
	return rowsFrom(ctx, l.rec, l.after, func(r *ledger.Row) error {
		l.after = r.Seq
		if !l.picks(r) {
			return nil
		}
		l.printed++
		return l.print(r)
	})
}

func (l *listing) picks(r *ledger.Row) bool {
	if !byDecision(&l.filter) {
		return l.filter.Match(*r)
	}
	if l.filter.Match(*r) {
		if l.shown == nil {
			l.shown = map[string]bool{}
		}
		l.shown[r.Subject] = true
		return true
	}
	spans := ledger.Filter{Kind: l.filter.Kind, Since: l.filter.Since, Until: l.filter.Until}
	return r.Subject != "" && r.Kind != ledger.KindDecision && l.shown[r.Subject] && spans.Match(*r)
}

// follow prints new rows at every tick until the context ends.
func (l *listing) follow(ctx context.Context, tick <-chan time.Time) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick:
		}
		if err := l.further(ctx); err != nil && ctx.Err() == nil {
			return err
		}
	}
}
