package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/client"
	"github.com/countersign/countersign/daemon"
)

// stage is what the demo plays on: the guard as it runs anywhere, with its
// record in memory; an agent that speaks to it over HTTP, and the owner's side.
type stage struct {
	guard *daemon.Daemon
	home  string
	token string
	owner *client.Client
	http  http.Client
}

// openStage starts a guard on free ports.
func openStage() (*stage, error) {
	home, err := os.MkdirTemp("", "countersign-demo-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the demo: %w", err)
	}
	s := &stage{home: home, http: http.Client{Timeout: 90 * time.Second}}
	if err := s.start(daemon.ADB{}); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// start starts the guard, with a gate for ADB where there is one.
func (s *stage) start(gate daemon.ADB) error {
	guard, err := daemon.New(context.Background(), daemon.Options{
		Home: filepath.Join(s.home, "guard"), Memory: true, Agents: "127.0.0.1:0", Inbox: "127.0.0.1:0", ADB: gate, Version: versionName(),
	})
	if err != nil {
		return err
	}
	s.guard = guard
	if err := guard.Start(); err != nil {
		return err
	}
	token, err := os.ReadFile(filepath.Join(s.home, "guard", daemon.AgentTokenFile))
	if err != nil {
		return fmt.Errorf("read the agent's credential: %w", err)
	}
	s.token = strings.TrimSpace(string(token))
	s.owner, err = client.Open(client.Options{
		Socket: guard.Socket(), TokenFile: filepath.Join(s.home, "guard", daemon.ApproverTokenFile), How: "terminal",
	})
	return err
}

// close stops the guard and forgets everything.
func (s *stage) close() error {
	var err error
	if s.owner != nil {
		s.owner.Close()
	}
	if s.guard != nil {
		err = s.guard.Stop(context.Background())
	}
	return errors.Join(err, os.RemoveAll(s.home))
}

// agentView is what the guard tells an agent of its action.
type agentView struct {
	ID       string              `json:"id"`
	Outcome  countersign.Outcome `json:"outcome"`
	Digest   string              `json:"digest"`
	Message  string              `json:"message"`
	Detail   string              `json:"detail"`
	Approval *struct {
		State approval.State `json:"state"`
	} `json:"approval"`
}

// state is where the action's question stands.
func (t *agentView) state() approval.State {
	if t.Approval == nil {
		return approval.None
	}
	return t.Approval.State
}

// call is one request of the agent's.
func (s *stage) call(ctx context.Context, method, path string, body any) (agentView, error) {
	var answer agentView
	data, err := json.Marshal(body)
	if err != nil {
		return answer, fmt.Errorf("write the agent's request: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, method, s.guard.AgentsURL()+path, bytes.NewReader(data))
	if err != nil {
		return answer, fmt.Errorf("write the agent's request: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := s.http.Do(req)
	if err != nil {
		return answer, fmt.Errorf("ask the guard: %w", err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&answer); err != nil {
		return answer, fmt.Errorf("read the guard's answer: %w", err)
	}
	if resp.StatusCode >= 300 && resp.StatusCode != http.StatusConflict {
		return answer, fmt.Errorf("the guard answers %s: %s", resp.Status, cmp.Or(answer.Detail, "no reason given"))
	}
	return answer, nil
}

// propose asks for an action.
func (s *stage) propose(ctx context.Context, req *countersign.Request) (agentView, error) {
	return s.call(ctx, http.MethodPost, "/v1/actions", req)
}

// wait asks until the question is answered or ctx ends.
func (s *stage) wait(ctx context.Context, id string) (agentView, error) {
	for {
		t, err := s.call(ctx, http.MethodGet, "/v1/actions/"+id+"?wait=30s", struct{}{})
		if err != nil || t.state() != approval.Pending {
			return t, err
		}
	}
}

// carryOut redeems a yes with a fresh look at the screen, and reports that it
// was done: the demo has no phone that anything could reach.
func (s *stage) carryOut(ctx context.Context, id string, req *countersign.Request) (agentView, error) {
	fresh := struct {
		Screen *countersign.Screen `json:"screen,omitempty"`
	}{req.Screen}
	t, err := s.call(ctx, http.MethodPost, "/v1/actions/"+id+"/redeem", fresh)
	if err != nil || t.state() != approval.Releasing {
		return t, err
	}
	return s.call(ctx, http.MethodPost, "/v1/actions/"+id+"/result", struct {
		OK bool `json:"ok"`
	}{true})
}

// answer is the owner's, on the card as it was shown.
func (s *stage) answer(ctx context.Context, id, digest string, yes bool) error {
	var err error
	if yes {
		_, err = s.owner.Approve(ctx, id, digest, "")
	} else {
		_, err = s.owner.Deny(ctx, id, digest, "")
	}
	var p *client.Problem
	if errors.As(err, &p) && p.Conflict() {
		return nil // answered on the page meanwhile
	}
	return err
}
