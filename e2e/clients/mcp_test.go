package clients

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// mcp is a session with an MCP server over its standard input and output: what an
// agent's host is to it.
type mcp struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
	id  int
}

// openMCP starts a server and makes itself known to it.
func openMCP(t *testing.T, cmd *exec.Cmd) *mcp {
	t.Helper()
	var complaints tail
	cmd.Stderr = &complaints
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // with what it starts
	if err := cmd.Start(); err != nil {
		t.Fatalf("start the MCP server (npm ci first): %v", err)
	}
	m := &mcp{t: t, cmd: cmd, in: in, out: bufio.NewScanner(out)}
	m.out.Buffer(nil, 16<<20) // a screenshot is one line
	t.Cleanup(func() {
		m.kill()
		if t.Failed() {
			t.Logf("the MCP server said:\n%s", complaints.String())
		}
	})
	if _, err := m.request("initialize", job{
		"protocolVersion": "2025-06-18", "capabilities": job{}, "clientInfo": job{"name": "clients", "version": "1"},
	}); err != nil {
		t.Fatal(err)
	}
	m.send(job{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return m
}

// kill ends the server and what it has started.
func (m *mcp) kill() {
	if m.cmd.ProcessState == nil {
		_ = syscall.Kill(-m.cmd.Process.Pid, syscall.SIGKILL)
		_ = m.cmd.Wait()
	}
}

func (m *mcp) send(message job) {
	m.t.Helper()
	line, err := json.Marshal(message)
	if err != nil {
		m.t.Fatal(err)
	}
	if _, err := m.in.Write(append(line, '\n')); err != nil {
		m.t.Fatalf("tell the MCP server: %v", err)
	}
}

// begin sends a request.
func (m *mcp) begin(method string, params job) {
	m.t.Helper()
	m.id++
	m.send(job{"jsonrpc": "2.0", "id": m.id, "method": method, "params": params})
}

// tell begins a call of a tool.
func (m *mcp) tell(tool string, arguments job) {
	m.t.Helper()
	m.begin("tools/call", job{"name": tool, "arguments": arguments})
}

// request waits for the answer to one request, and passes over notifications.
func (m *mcp) request(method string, params job) (json.RawMessage, error) {
	m.t.Helper()
	m.begin(method, params)
	for m.out.Scan() {
		var answer struct {
			ID     int             `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  json.RawMessage `json:"error"`
		}
		if err := json.Unmarshal(m.out.Bytes(), &answer); err != nil {
			m.t.Fatalf("the MCP server said %.200s: %v", m.out.Bytes(), err)
		}
		switch {
		case answer.ID != m.id:
		case answer.Error != nil:
			return nil, fmt.Errorf("%s", answer.Error)
		default:
			return answer.Result, nil
		}
	}
	return nil, fmt.Errorf("the MCP server ended: %w", io.ErrUnexpectedEOF)
}

// call calls a tool. Failed is whether the result is marked as an error; err is
// for what is none at all.
func (m *mcp) call(tool string, arguments job) (text string, failed bool, err error) {
	m.t.Helper()
	result, err := m.request("tools/call", job{"name": tool, "arguments": arguments})
	if err != nil {
		return "", false, err
	}
	var r struct {
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
		IsError bool `json:"isError"`
	}
	if err := json.Unmarshal(result, &r); err != nil {
		m.t.Fatalf("%s is answered with %.200s: %v", tool, result, err)
	}
	var all []string
	for _, c := range r.Content {
		all = append(all, c.Text)
	}
	return strings.Join(all, "\n"), r.IsError, nil
}

// must calls a tool that has to go well.
func (m *mcp) must(tool string, arguments job) string {
	m.t.Helper()
	text, failed, err := m.call(tool, arguments)
	if err != nil || failed {
		m.t.Fatalf("%s %v: %v %s", tool, arguments, err, text)
	}
	return text
}
