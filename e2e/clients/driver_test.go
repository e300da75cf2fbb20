package clients

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os/exec"
	"syscall"
	"testing"
)

// driver is a program in drivers that does what it is told with one library.
type driver struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// drive starts a driver; further variables are added to the client's environment.
func (w *world) drive(name string, env ...string) *driver {
	w.t.Helper()
	cmd := exec.CommandContext(w.ctx, "node", "drivers/"+name+".mjs")
	cmd.Env = append(append([]string{"PORT=" + w.port}, w.env...), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // with what it starts
	var complaints tail
	cmd.Stderr = &complaints
	in, err := cmd.StdinPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		w.t.Fatalf("start the driver (npm ci first): %v", err)
	}
	w.t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
		if w.t.Failed() {
			w.t.Logf("%s said:\n%s", name, complaints.String())
		}
	})
	return &driver{t: w.t, cmd: cmd, in: in, out: bufio.NewReader(out)}
}

// job is one thing that a driver is told to do.
type job map[string]any

// tell begins a job.
func (d *driver) tell(what string, j job) {
	d.t.Helper()
	line := job{"do": what}
	maps.Copy(line, j)
	data, err := json.Marshal(line)
	if err != nil {
		d.t.Fatal(err)
	}
	if _, err := d.in.Write(append(data, '\n')); err != nil {
		d.t.Fatalf("tell the driver: %v", err)
	}
}

// kill ends the driver, and what it has started, in the middle of whatever it does.
func (d *driver) kill() {
	_ = syscall.Kill(-d.cmd.Process.Pid, syscall.SIGKILL)
	_ = d.cmd.Wait()
}

// do has a job done. The error is what the library threw.
func (d *driver) do(what string, j job) (json.RawMessage, error) {
	d.t.Helper()
	d.tell(what, j)
	return d.done(what, j)
}

// done waits for the end of a job that was begun.
func (d *driver) done(what string, j job) (json.RawMessage, error) {
	d.t.Helper()
	answer, err := d.out.ReadBytes('\n')
	if err != nil {
		d.t.Fatalf("the driver ended at %s %v: %v", what, j, err)
	}
	var result struct {
		OK    json.RawMessage `json:"ok"`
		Error string          `json:"error"`
	}
	if err := json.Unmarshal(answer, &result); err != nil {
		d.t.Fatalf("the driver said %s: %v", answer, err)
	}
	if result.Error != "" {
		return nil, errors.New(result.Error)
	}
	return result.OK, nil
}

// must has a job done that has to go well.
func (d *driver) must(what string, j job) json.RawMessage {
	d.t.Helper()
	out, err := d.do(what, j)
	if err != nil {
		d.t.Fatalf("%s %v: %v", what, j, err)
	}
	return out
}

// tail keeps the end of what was written to it.
type tail struct{ text []byte }

func (w *tail) Write(p []byte) (int, error) {
	w.text = append(w.text, p...)
	if most := 32 << 10; len(w.text) > most {
		w.text = w.text[len(w.text)-most:]
	}
	return len(p), nil
}

func (w *tail) String() string { return string(w.text) }
