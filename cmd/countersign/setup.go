package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/gate/adb"
	"github.com/countersign/countersign/gate/adb/survey"
	"github.com/countersign/countersign/store/sqlite"
)

// setupCommand lets automation helpers in.
type setupCommand struct {
	homeFlag
	Phone string        `placeholder:"SERIAL" help:"The phone, by its serial; the only one if left out."`
	Allow []string      `placeholder:"NAME" help:"Let these helpers in: names from the list, or all."`
	Logs  bool          `help:"Let those that read the log of all apps do so (Appium, unless appium:skipLogcatCapture)."`
	ADB   string        `name:"adb" default:"adb" placeholder:"PROGRAM" help:"The adb program (adb)."`
	JSON  bool          `name:"json" help:"Print one JSON object a line."`
	Wait  time.Duration `default:"30s" hidden:""`
}

// Help is the longer text of --help.
func (setupCommand) Help() string {
	return `Run this before guarding, as the phone's owner, with the phone connected and your agent's helpers installed:
agents start programs on the phone (uiautomator2, Appium's servers, Portal, keyboards) that nobody can look into, so
the guard refuses those that were not let in, or were changed since.

  countersign setup                    look what is on the phone
  countersign setup --allow Appium     let it in, as it is now
  countersign setup --allow all

Letting a helper in lets it start, and what its client does with it then: end its own app, put its own file there
again. That is listed for each ("may"), and passes from then on in these words only. What is listed after "asks" is not
about the helper alone: --logs lets it in too.

What is let in is known by its SHA-256, kept in helpers.json of the guard's folder and put on record. Letting in
replaces what was let in before.`
}

// Run looks at the phone and lets in what is named.
func (c *setupCommand) Run(t *terminal) error {
	dir, err := c.dir()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.Wait)
	defer cancel()
	if c.ADB, err = adbProgram(c.ADB); err != nil {
		return err
	}
	if _, err := c.shell(ctx, "true"); err != nil {
		return usage(fmt.Errorf("the phone cannot be asked: %w", err),
			"see which phones there are with: adb devices", "of several, choose one with --phone SERIAL; one on the network is connected with: adb connect ADDR")
	}
	found, problems := survey.Look(ctx, c.shell)
	if c.Logs {
		for i := range found {
			found[i].May |= found[i].OnRequest()
		}
	}
	allowed, err := c.chosen(found)
	if err != nil {
		return err
	}
	if len(c.Allow) > 0 {
		if err := letIn(dir, allowed); err != nil {
			return err
		}
	}
	if err := c.show(t, found, allowed); err != nil {
		return err
	}
	if problems != nil {
		fmt.Fprintln(t.err, "note: "+printable(strings.ReplaceAll(problems.Error(), "\n", "; ")))
	}
	if len(c.Allow) == 0 && !c.JSON && len(found) > 0 {
		fmt.Fprintln(t.err, "let them in with: countersign setup --allow NAME (or all)")
	}
	return nil
}

// letIn keeps the helpers in the guard's folder.
func letIn(dir string, helpers []adb.Helper) error {
	d, err := daemon.New(context.Background(), daemon.Options{Home: dir, Version: versionName()})
	if errors.Is(err, sqlite.ErrInUse) {
		return usage(fmt.Errorf("a guard runs on %s, and it knows the helpers from its start", dir), "stop it, let them in, and start it again")
	}
	if err != nil {
		return usage(err)
	}
	err = d.WriteHelpers(context.Background(), daemon.FirstApprover, helpers)
	return errors.Join(err, d.Stop(context.Background()))
}

// chosen are the helpers that --allow names.
func (c *setupCommand) chosen(found []survey.Found) (chosen []adb.Helper, err error) {
	for _, name := range c.Allow {
		matched := false
		for _, f := range found {
			if name != "all" && !strings.EqualFold(name, f.Name) && name != f.Package {
				continue
			}
			matched = true
			if !slices.Contains(chosen, f.Helper) {
				chosen = append(chosen, f.Helper)
			}
		}
		if !matched {
			return nil, usage(fmt.Errorf("no helper called %s lies on the phone", decide.Quote(name, 60)), lying(found))
		}
	}
	return chosen, nil
}

// lying says what could have been named.
func lying(found []survey.Found) string {
	var names []string
	for _, f := range found {
		if !slices.Contains(names, f.Name) {
			names = append(names, f.Name)
		}
	}
	if names == nil {
		return "none of the usual helpers lies on it; let your agent install its own first, without the guard"
	}
	return "there are: " + strings.Join(names, ", ")
}

// show prints what was found.
func (c *setupCommand) show(t *terminal, found []survey.Found, allowed []adb.Helper) error {
	if len(found) == 0 && !c.JSON {
		fmt.Fprintln(t.err, "none of the usual helpers lies on the phone; an agent that needs one installs it when it first runs: let it do so once, without the guard, and look again")
	}
	for _, f := range found {
		let := slices.Contains(allowed, f.Helper)
		if c.JSON {
			line, err := jsonLine(struct {
				survey.Found
				// Includes are the acts of may, in words.
				Includes []string `json:"includes"`
				Allowed  bool     `json:"allowed"`
			}{f, append([]string{}, f.May.Says()...), let})
			if err != nil {
				return err
			}
			if _, err := io.WriteString(t.out, line+"\n"); err != nil {
				return err
			}
			continue
		}
		state := "on the phone"
		if let {
			state = "let in"
		}
		if _, err := fmt.Fprintf(t.out, "%s %s %s\n", pad(state, 13), pad(f.Name, 16), decide.Quote(f.File, 120)+"  sha256 "+f.SHA256[:16]+"…"+acts(&f.Helper)); err != nil {
			return err
		}
	}
	return nil
}

// acts are the lines that say what letting a helper in includes, and what not.
func acts(h *adb.Helper) string {
	var b strings.Builder
	for _, says := range h.May.Says() {
		b.WriteString("\n" + pad("", 13) + " may " + says)
	}
	for _, says := range (h.OnRequest() &^ h.May).Says() {
		b.WriteString("\n" + pad("", 13) + " asks to " + says + " (--logs lets it)")
	}
	return b.String()
}

// shell runs a line on the phone through the owner's own adb. The line is one
// argument to adb and is run by the phone's shell, not by this machine's.
func (c *setupCommand) shell(ctx context.Context, line string) (string, error) {
	args := []string{"shell", line}
	if c.Phone != "" {
		args = slices.Insert(args, 0, "-s", c.Phone)
	}
	var complaint strings.Builder
	cmd := exec.CommandContext(ctx, c.ADB, args...)
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	said := own(complaint.String())
	var exit *exec.ExitError
	if errors.As(err, &exit) && said == "" {
		return string(out), nil // the line's own exit code
	}
	if err != nil {
		return "", errors.New(cmp.Or(said, "adb cannot be run: "+err.Error()))
	}
	return string(out), nil
}

// own is what adb itself complains of, among what the line said on the phone and
// that a server was started first.
func own(complaint string) string {
	for line := range strings.Lines(complaint) {
		if strings.HasPrefix(line, "error:") || strings.HasPrefix(line, "adb:") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}
