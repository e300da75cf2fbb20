package client

import (
	"context"
	"net/http"

	channel "github.com/countersign/countersign/channel/notice"
)

// Status is how the guard stands.
type Status struct {
	// Level says against whom the guard holds: "same user" or "separate user".
	Level    string `json:"level"`
	LevelWhy string `json:"level_why"`
	// Version is the guard's own, that of the program.
	Version string `json:"version"`
	// Frozen says that everything is stopped, Observe that nothing is.
	Frozen  bool `json:"frozen"`
	Observe bool `json:"observe"`
	// Approver is whom the credential belongs to.
	Approver string `json:"approver"`
	// Open counts the questions that wait for an answer.
	Open   int    `json:"open"`
	Policy string `json:"policy"`
	// Record is empty while the record can be written and read, else why not.
	Record string `json:"record"`
	// Inbox is where the web page is, Remote the same for other devices; empty for
	// nowhere.
	Inbox  string `json:"inbox"`
	Remote string `json:"remote"`
	// ADBServer and ADBDevice are where the ADB gate is an adb server and where a
	// guarded phone, each empty for not at all.
	ADBServer string `json:"adb_server"`
	ADBDevice string `json:"adb_device"`
	// Channels are how the channels stand that tell people of questions.
	Channels []channel.State `json:"channels"`
	// NeedsChannel says that the policy counts nobody as there without one.
	NeedsChannel bool `json:"needs_channel"`
}

// Status returns how the guard stands.
func (c *Client) Status(ctx context.Context) (Status, error) {
	var s Status
	err := c.call(ctx, http.MethodGet, "/v1/status", nil, &s, 0)
	return s, err
}

type note struct {
	Note string `json:"note"`
}

// Freeze stops everything that has not been carried out.
func (c *Client) Freeze(ctx context.Context, why string) error {
	return c.call(ctx, http.MethodPost, "/v1/freeze", note{why}, nil, 0)
}

// Unfreeze lets actions be asked about again. What was stopped stays stopped.
func (c *Client) Unfreeze(ctx context.Context, why string) error {
	return c.call(ctx, http.MethodPost, "/v1/unfreeze", note{why}, nil, 0)
}

// Reload makes the guard read its policy anew and returns the policy's name. One
// that cannot be read is a *Problem, and the old one goes on.
func (c *Client) Reload(ctx context.Context) (policy string, err error) {
	var out struct {
		Policy string `json:"policy"`
	}
	err = c.call(ctx, http.MethodPost, "/v1/policy/reload", struct{}{}, &out, 0)
	return out.Policy, err
}
