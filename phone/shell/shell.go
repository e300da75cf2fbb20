package shell

import (
	"context"
	"io"
	"net/http"

	"github.com/countersign/countersign/phone"
)

// Launch is a program that an agent starts on the phone to talk to it later: a
// server of uiautomator2, Appium or Portal. It is given the words that follow
// the class or the instrumentation, and says where it listens ("tcp:9008",
// "localabstract:name") and what answers there.
type Launch func(p *phone.Phone, args []string) (address string, handler http.Handler)

// Launches are the programs of this kind by class ("com.wetest.uia2.Main") or
// instrumentation ("io.appium.uiautomator2.server.test/androidx.test.runner.AndroidJUnitRunner").
type Launches map[string]Launch

// Shell runs lines on a phone. Its fields are set before it is used; after that
// it is safe for concurrent use, and each line is a process of its own.
type Shell struct {
	// Phone is what the lines are run on. It has to be set.
	Phone *phone.Phone
	// Launches are the servers that app_process and "am instrument" can start.
	// Any other class runs and does nothing.
	Launches Launches
	// Listen makes a server reachable until stop is called. Nil is a phone
	// without ports: servers start and nobody can reach them.
	Listen func(address string, handler http.Handler) (stop func(), err error)
	// Background is the life of what a line leaves running (nohup, &). Nil is
	// the context of the line itself.
	Background context.Context
	// Limits bound one line; the zero value is [DefaultLimits].
	Limits Limits

	servers  running
	sessions sessions
	set      assigned
	panel    panel
}

// Run runs a line with the default shell on a phone and returns its exit code.
// Stdin may be nil, which is empty.
func Run(ctx context.Context, p *phone.Phone, line string, stdin io.Reader, stdout, stderr io.Writer) int {
	return (&Shell{Phone: p}).Run(ctx, line, stdin, stdout, stderr)
}

// Exec runs one program with its words as they are, without a shell in between,
// and returns its exit code.
func Exec(ctx context.Context, p *phone.Phone, argv []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return (&Shell{Phone: p}).Exec(ctx, argv, stdin, stdout, stderr)
}

// Limits bound what one line may do, so that no line takes the machine with it.
type Limits struct {
	// Steps is how many commands are run, including each turn of a loop.
	Steps int
	// Calls is how many functions, evals and sourced files are run, Shells how
	// deep shells start shells.
	Calls, Shells int
	// Pipes is how many pipes are open at the same time.
	Pipes int
	// Output is how many bytes all programs write together.
	Output int64
	// Line is how many bytes the line itself has, Depth how deep its brackets
	// are nested, Words how many words braces may become.
	Line, Depth, Words int
	// Memory is how many bytes all variables have together.
	Memory int
}

// DefaultLimits are far above what agents send. Line is the length of one
// argument that Linux accepts (MAX_ARG_STRLEN).
var DefaultLimits = Limits{
	Steps: 20_000, Calls: 1_000, Shells: 32, Pipes: 64, Output: 256 << 20, Line: 128 << 10, Depth: 400, Words: 10_000, Memory: 8 << 20,
}
