package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/ledger"
)

// logVerifyCommand verifies the record.
type logVerifyCommand struct {
	homeFlag
	Against string `placeholder:"FILE" help:"A checkpoint that was kept elsewhere, as an earlier run printed it."`
	JSON    bool   `name:"json" help:"Print the report as JSON."`
}

// Help is the longer text of --help.
func (logVerifyCommand) Help() string {
	return `Everything is computed anew: each row, how it is linked to the one before, the tree over all
rows, and the signed checkpoints. The exit code is 0 when the record is as it was written, else 1.

  countersign log verify
  countersign log verify > kept.txt              keep this on another computer
  countersign log verify --against kept.txt      were rows cut or rewritten since then?

Without --against, somebody who can write to the file may put all of it back to an earlier
state unnoticed.`
}

// verdictJSON is the report for scripts.
type verdictJSON struct {
	OK          bool        `json:"ok"`
	Rows        int64       `json:"rows"`
	Checkpoints int         `json:"checkpoints"`
	Root        ledger.Hash `json:"root"`
	Fault       *faultJSON  `json:"fault"`
	// Checkpoint is the newest one, and Signed how many rows it covers.
	Checkpoint string `json:"checkpoint"`
	Signed     int64  `json:"signed"`
}

type faultJSON struct {
	Row  int64  `json:"row"`
	What string `json:"what"`
}

// Run verifies.
func (c *logVerifyCommand) Run(t *terminal) error {
	key, err := c.publicKey()
	if err != nil {
		return err
	}
	kept, err := c.kept(key)
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	src, err := c.snapshot(ctx)
	if err != nil {
		return err
	}
	defer src.Close()
	progress := t.progress("rows are good")
	report, err := ledger.VerifyWith(ctx, src, key, ledger.VerifyOptions{
		Progress: func(done int64) { progress.set(int(done)) }, Kept: kept,
	})
	progress.end()
	if err != nil {
		return &failure{code: exitFailed, err: err}
	}
	newest, err := newestCheckpoint(ctx, src, key)
	if err != nil {
		return &failure{code: exitFailed, err: err}
	}
	if c.JSON {
		err = printVerdictJSON(t, &report, newest)
	} else {
		err = printVerdict(t, &report, newest, len(kept) > 0)
	}
	if err == nil && !report.OK() {
		return exitWith(exitFailed)
	}
	return err
}

// publicKey reads the key that checkpoints are verified with.
func (c *logVerifyCommand) publicKey() (string, error) {
	path, err := c.file(daemon.LedgerKeyFile)
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", usage(err)
	}
	return strings.TrimSpace(string(data)), nil
}

// kept reads the checkpoint that was kept elsewhere.
func (c *logVerifyCommand) kept(key string) ([][]byte, error) {
	if c.Against == "" {
		return nil, nil
	}
	data, err := os.ReadFile(c.Against)
	if err != nil {
		return nil, usage(err)
	}
	text := cutCheckpoint(data)
	if _, _, err := ledger.OpenCheckpoint(text, key); err != nil {
		hint := "the file is to hold what countersign log verify printed: the lines from “countersign” to the signature"
		if errors.Is(err, ledger.ErrSignature) {
			hint = "another key signed it: is --home the folder that it comes from?"
		}
		return nil, usage(fmt.Errorf("%s: %w", c.Against, err), hint)
	}
	return [][]byte{text}, nil
}

// cutCheckpoint finds the last checkpoint in what an earlier run printed, which
// may have been kept as a whole, and with the line ends of another system.
func cutCheckpoint(data []byte) []byte {
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	data = append([]byte("\n"), data...)
	if begin := bytes.LastIndex(data, []byte("\n"+checkpointBegins)); begin >= 0 {
		data = data[begin+1:]
	}
	return append(bytes.TrimRight(data, "\n \t"), '\n')
}

// checkpointBegins is the first line of every checkpoint.
const checkpointBegins = "countersign\n"

// checkpoint is a signed one and how many rows it covers.
type checkpoint struct {
	size int64
	text []byte
}

// newestCheckpoint is the newest one, of size 0 when there is none that the key
// signed.
func newestCheckpoint(ctx context.Context, src ledger.Source, key string) (checkpoint, error) {
	var newest []byte
	for after := int64(math.MinInt64); ; {
		page, err := src.Checkpoints(ctx, after, pageRows)
		if err != nil {
			return checkpoint{}, err
		}
		for _, stored := range page {
			after, newest = stored.Size, stored.Text
		}
		if len(page) < pageRows {
			break
		}
	}
	size, _, err := ledger.OpenCheckpoint(newest, key)
	if err != nil {
		return checkpoint{}, nil // the report says what is wrong with it
	}
	return checkpoint{size, newest}, nil
}

func printVerdictJSON(t *terminal, report *ledger.Report, newest checkpoint) error {
	out := verdictJSON{
		OK: report.OK(), Rows: report.Rows, Checkpoints: report.Checkpoints, Root: report.Root,
		Checkpoint: string(newest.text), Signed: newest.size,
	}
	if f := report.First; f != nil {
		out.Fault = &faultJSON{f.Seq, f.What}
	}
	text, err := encode(out, "  ")
	if err == nil {
		_, err = t.out.Write(text)
	}
	return err
}

// printVerdict says what was found and what it means.
func printVerdict(t *terminal, report *ledger.Report, newest checkpoint, against bool) error {
	c := &card{t: t}
	if f := report.First; f != nil {
		c.b.WriteString(t.paint(red, "× the record is not as it was written") + "\n\n")
		c.inked("found", bold, line1(f.String()))
		c.field("means", faultMeans(f))
		c.field("good", fmt.Sprintf("%s and %s before it", things(int(report.Rows), "row"), things(report.Checkpoints, "checkpoint")))
		c.field("now", "keep the file and the checkpoints as they are, and compare them with a copy from before")
	} else {
		c.b.WriteString(t.paint(green, "✓ the record is as it was written") + "\n\n")
		c.field("rows", rowsAndTime(report))
		c.field("checkpoints", checkpoints(report, against))
		c.field("root", report.Root.String())
	}
	c.unsigned(report, newest)
	_, err := io.WriteString(t.out, c.b.String())
	return err
}

func rowsAndTime(report *ledger.Report) string {
	text := fmt.Sprint(report.Rows)
	if report.Rows > 0 {
		text += ", the last of " + dayAndTime(report.Head.At)
	}
	return text
}

func checkpoints(report *ledger.Report, against bool) string {
	text := fmt.Sprint(report.Checkpoints)
	if against {
		text += ", that of --against among them: nothing up to it was cut or rewritten"
	}
	return text
}

// faultMeans says in plain words what a fault is worth.
func faultMeans(f *ledger.Fault) string {
	switch {
	case f.Seq == 0:
		return "all rows are linked, but the note of where the record ends was changed or damaged"
	case f.Seq == 1:
		return "the record was changed or damaged at its very beginning; nothing in it can be relied on"
	}
	return fmt.Sprintf("somebody or something changed the file at row %d after it was written; the rows before it are as they were, and from there on nothing can be relied on", f.Seq)
}

// unsigned prints the newest checkpoint, and what it does not cover.
func (c *card) unsigned(report *ledger.Report, newest checkpoint) {
	if newest.size == 0 {
		c.field("signed", "no row yet: until the first checkpoint whoever can write to the file can write it anew")
		return
	}
	if report.OK() && newest.size < report.Rows {
		c.field("signed", fmt.Sprintf("rows 1 to %d; whoever can write to the file could write the later ones anew", newest.size))
	} else if report.OK() {
		c.field("signed", "all rows")
	}
	if !report.OK() {
		return
	}
	c.blank()
	for _, line := range fold(fmt.Sprintf("The newest checkpoint follows. Keep it where this computer cannot change it; "+
		"with --against it shows whether any of the rows 1 to %d was cut or rewritten.", newest.size), min(c.t.width, readableWidth)) {
		c.b.WriteString(c.t.paint(dim, line) + "\n")
	}
	c.b.WriteString("\n" + printable(string(newest.text)))
}
