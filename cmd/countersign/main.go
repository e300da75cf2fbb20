// Command countersign decides about what an AI agent is going to do on an
// Android phone, explains its decisions, and measures them.
//
// One file holds one command. Rules for all of them:
//
//   - Answers go to standard output, everything else to standard error.
//   - Errors are in lower case, without a full stop, and say what to do next;
//     hints stand on lines of their own.
//   - Text from a screen, an agent or a file is shown through decide.Quote.
//   - Colour only on a terminal, never alone, and not with NO_COLOR.
//   - The exit code is one of those in errors.go.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	_ "time/tzdata" // policies name time zones, and not every computer has them

	"github.com/alecthomas/kong"

	"github.com/countersign/countersign"
)

// commands is the command line.
type commands struct {
	Demo     demoCommand     `cmd:"" help:"Watch the guard at work: no phone, no network, no model."`
	Explain  explainCommand  `cmd:"" help:"Show what the guard makes of a screen, control by control."`
	Decide   decideCommand   `cmd:"" help:"Decide about one action, or about many (--jsonl)."`
	Classify classifyCommand `cmd:"" help:"Say what a label means."`
	Eval     evalCommand     `cmd:"" help:"Score labelled cases: risky actions caught, needless questions asked."`
	Lexicon  lexiconCommand  `cmd:"" help:"Train and score what the guard knows of labels, on strings of your own."`
	Apps     appsCommand     `cmd:"" help:"Ask the catalogue how much an app can hurt its owner."`
	Policy   policyCommand   `cmd:"" help:"Check a policy file."`

	Up        upCommand        `cmd:"" help:"Run the guard: agents ask over HTTP, you answer."`
	ADB       adbCommand       `cmd:"" name:"adb" help:"Run the guard in front of a phone, for agents that drive it over ADB."`
	Setup     setupCommand     `cmd:"" help:"Let your agent's helpers on the phone in, before guarding."`
	Approvals approvalsCommand `cmd:"" help:"List, show and answer questions."`
	Grants    grantsCommand    `cmd:"" help:"What agents may do for a while without being asked about: list, revoke."`
	Agents    agentsCommand    `cmd:"" help:"The programs that may ask: add, list, revoke."`
	Approvers approversCommand `cmd:"" help:"The people who may answer: add, list, revoke."`
	Channels  channelsCommand  `cmd:"" help:"How people are told that a question waits: list, test."`
	Doctor    doctorCommand    `cmd:"" help:"Look whether everything is as it should be."`
	Freeze    freezeCommand    `cmd:"" help:"Stop every action at once."`
	Unfreeze  unfreezeCommand  `cmd:"" help:"Let actions go on."`
	Reload    reloadCommand    `cmd:"" help:"Read the policy again."`
	SignIn    signInCommand    `cmd:"" help:"Make a link that signs you in on the web page."`

	Simulated phoneCommand `cmd:"" name:"phone" help:"Run a simulated phone, to try agents and the guard on."`

	Install   installCommand   `cmd:"" help:"Make the guard a service of a user of its own."`
	Uninstall uninstallCommand `cmd:"" help:"Take that service off again."`

	Log     logCommand     `cmd:"" help:"Read the record: what was decided, what became of it, whether it is as it was written."`
	Version versionCommand `cmd:"" help:"Print the version."`
}

const description = `The second signature on what an AI agent does with somebody's phone.

New here? Run: countersign demo`

func main() { os.Exit(run(os.Args[1:], systemTerminal())) }

// run carries a command line out and returns the exit code.
func run(args []string, t *terminal) int {
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parser, err := kong.New(&commands{},
		kong.Name("countersign"), kong.Description(description),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true, WrapUpperBound: 100}),
		kong.Writers(t.out, t.err), kong.Bind(t),
	)
	if err != nil {
		return t.report(err) // the structs above are wrong
	}
	ctx, err := parser.Parse(args)
	if err != nil {
		return t.report(usage(plainer(err), "see countersign "+strings.TrimSpace(commandOf(err)+" --help")))
	}
	return t.report(ctx.Run())
}

// plainer says in plain words what the parser says in those of parsers.
func plainer(err error) error {
	text := err.Error()
	if what, ok := strings.CutPrefix(text, "expected "); ok {
		return fmt.Errorf("%s is missing", strings.ReplaceAll(what, `"`, ""))
	}
	if flag, _, ok := strings.Cut(text, ": expected "); ok && strings.HasSuffix(text, `got "EOL" (<EOL>)`) {
		return fmt.Errorf("%s needs a value", flag)
	}
	return err
}

// commandOf is the command that a line with a mistake in it was meant for.
func commandOf(err error) string {
	var parse *kong.ParseError
	if !errors.As(err, &parse) || parse.Context.Selected() == nil {
		return ""
	}
	return strings.TrimPrefix(parse.Context.Selected().FullPath(), "countersign ")
}

// guardFlags choose what the guard decides by.
type guardFlags struct {
	Policy string `default:"default" placeholder:"NAME|FILE" help:"The policy: default, post, flat, or a policy file (docs/policy.md)."`
	Apps   string `placeholder:"FILE" help:"A file with your own tiers for apps."`
}

// guard builds the guard. A policy that cannot be read ends the command: what
// it would say under a policy that denies everything is of no use here.
func (f *guardFlags) guard() (*countersign.Guard, error) {
	if f.Policy == "" { // most likely a variable of a script that is not set
		return nil, usage(errors.New("--policy is empty"), "leave it out for the default policy")
	}
	g, err := countersign.New(countersign.Options{Policy: f.Policy, Apps: f.Apps})
	if err != nil {
		return nil, usage(err)
	}
	return g, nil
}
