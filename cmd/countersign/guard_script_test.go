package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/countersign/countersign/daemon"
)

// running are the addresses of agents' doors of the scripts' guards, by folder.
var running sync.Map

// guardScript runs a guard in a folder until the script ends.
func guardScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: guard HOME")
	}
	home := ts.MkAbs(args[0])
	d, err := daemon.New(context.Background(), daemon.Options{Home: home, Agents: "127.0.0.1:0", Inbox: "127.0.0.1:0", Version: "test"})
	ts.Check(err)
	ts.Check(d.Start())
	running.Store(home, d.AgentsURL())
	ts.Defer(func() {
		running.Delete(home)
		if err := d.Stop(context.Background()); err != nil {
			ts.Logf("stop the guard: %v", err)
		}
	})
}

// toldAgent is what the agents' door says of an action.
type toldAgent struct {
	ID, Digest, Outcome string
	DecidedBy           string `json:"decided_by"`
}

// askScript has a guard's first agent ask to delete a list, and wants this outcome
// of it.
func askScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: ask HOME NAME LIST OUTCOME")
	}
	view := agentSays(ts, args[0], "/v1/actions", `{"action":{"kind":"tap"},`+dropping(args[2])+`}`)
	if got := strings.TrimSpace(view.Outcome + " " + view.DecidedBy); got != args[3] {
		ts.Fatalf("%s: %s, want %s", args[2], got, args[3])
	}
	ts.Setenv(args[1], view.ID)
	ts.Setenv(args[1]+"_DIGEST", view.Digest)
}

// redeemScript has the agent use a yes to deleting a list.
func redeemScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: redeem HOME ID LIST")
	}
	if view := agentSays(ts, args[0], "/v1/actions/"+args[1]+"/redeem", `{`+dropping(args[2])+`}`); view.ID != args[1] {
		ts.Fatalf("%s was not redeemed: %+v", args[1], view)
	}
}

// dropping is the screen on which a list is deleted.
func dropping(list string) string {
	return `"screen":{"package":"com.example.notes"},"target":{"text":"Delete","dialog_message":"Delete “` + list + `”?"}`
}

// agentSays sends a request of a guard's first agent.
func agentSays(ts *testscript.TestScript, home, path, body string) (view toldAgent) {
	home = ts.MkAbs(home)
	url, ok := running.Load(home)
	if !ok {
		ts.Fatalf("no guard runs in %s", home)
	}
	token, err := os.ReadFile(filepath.Join(home, daemon.AgentTokenFile))
	ts.Check(err)
	req, err := http.NewRequest(http.MethodPost, url.(string)+path, strings.NewReader(body))
	ts.Check(err)
	req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	ts.Check(err)
	defer res.Body.Close()
	ts.Check(json.NewDecoder(res.Body).Decode(&view))
	return view
}

// pickScript sets a variable to a field of the first JSON object in a file.
func pickScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: pick NAME FIELD FILE")
	}
	var object map[string]any
	ts.Check(json.NewDecoder(strings.NewReader(ts.ReadFile(args[2]))).Decode(&object))
	value, ok := object[args[1]].(string)
	if !ok {
		ts.Fatalf("%s has no text %s", args[2], args[1])
	}
	ts.Setenv(args[0], value)
}
