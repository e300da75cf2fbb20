package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/screen"
)

// decideCommand decides about one request or about many.
type decideCommand struct {
	guardFlags
	JSONL bool   `name:"jsonl" help:"Read one request a line, write one decision a line, in order."`
	File  string `arg:"" optional:"" help:"Where the requests are; standard input if left out or -."`
}

// Help is the longer text of --help.
func (decideCommand) Help() string {
	return `A request is a JSON object: the action, and the screen or the target it lands on.

  echo '{"action": {"kind": "tap"}, "screen": {"package": "com.whatsapp"}, "target": {"text": "Send"}}' |
    countersign decide
  countersign decide --jsonl requests.jsonl --policy flat > decisions.jsonl

With --jsonl, screen.tree_path may name a file with the tree, beside the requests. A line that
cannot be read is answered with {"id": ..., "error": ...}; the rest goes on.

About one request, the exit code is the outcome: 0 allow, 3 confirm, 4 deny. With --jsonl it is
0, or 1 when some lines could not be read. 2 says that the input or a flag is wrong.`
}

// Run decides.
func (c *decideCommand) Run(t *terminal) error {
	guard, err := c.guard()
	if err != nil {
		return err
	}
	in, dir, err := t.open(c.File)
	if err != nil {
		return err
	}
	defer in.Close()
	if c.JSONL {
		return t.batch(in, func(line []byte) (any, error) {
			req, err := countersign.ReadRequest(line)
			if err != nil {
				return nil, err
			}
			if err := readTree(req, dir); err != nil {
				return nil, err
			}
			return guard.Decide(req), nil
		})
	}
	return c.one(t, guard, in)
}

// one decides about a single request.
func (c *decideCommand) one(t *terminal, guard *countersign.Guard, in io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(in, decide.MaxRequest+1))
	if err != nil {
		return fmt.Errorf("read the request: %w", err)
	}
	req, err := countersign.ReadRequest(data)
	if err != nil {
		return usage(err, "a request is one JSON object; for one a line use --jsonl")
	}
	if req.Screen != nil && req.Screen.TreePath != "" {
		return usage(errors.New("request: screen.tree_path is for --jsonl only; put the tree into screen.tree"))
	}
	decision := guard.Decide(req)
	text, err := encode(decision, "  ")
	if err != nil {
		return fmt.Errorf("write the decision: %w", err)
	}
	if _, err := t.out.Write(text); err != nil {
		return fmt.Errorf("write the decision: %w", err)
	}
	return exitWith(outcomeCode(decision.Outcome))
}

// outcomeCode is the exit code for an outcome.
func outcomeCode(o countersign.Outcome) int {
	switch o {
	case countersign.Allow:
		return exitDone
	case countersign.Confirm:
		return exitConfirm
	}
	return exitDeny
}

// readTree puts the file that tree_path names into the request. The path is
// taken from where the requests are, or from the working directory.
func readTree(req *countersign.Request, dir string) error {
	s := req.Screen
	if s == nil || s.TreePath == "" {
		return nil
	}
	if s.Tree != "" {
		return errors.New("request: screen.tree and screen.tree_path are both given; one is enough")
	}
	data, err := readTreeFile(filepath.FromSlash(s.TreePath), dir)
	if err != nil {
		return fmt.Errorf("request: screen.tree_path: %w", err)
	}
	s.Tree, s.TreePath = data, ""
	if s.Tree == "" {
		s.Tree = " " // an empty file is a dump that failed, not a tree that was left out
	}
	return nil
}

func readTreeFile(path, dir string) (string, error) {
	first := path
	if !filepath.IsAbs(path) {
		first = filepath.Join(dir, path)
	}
	data, err := readWhole(first)
	if errors.Is(err, os.ErrNotExist) && first != path {
		data, err = readWhole(path)
	}
	return data, err
}

// readWhole reads a regular file of at most the size that a tree may have: a
// path out of a request must not hang the batch at a pipe.
func readWhole(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%q is no regular file", path)
	}
	if limit := int64(screen.DefaultLimits.Bytes); info.Size() > limit {
		return "", fmt.Errorf("%q has %d bytes, a tree may have %d", path, info.Size(), limit)
	}
	data, err := os.ReadFile(path)
	return string(data), err
}
