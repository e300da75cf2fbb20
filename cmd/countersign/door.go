package main

import (
	"path/filepath"

	"github.com/countersign/countersign/channel/client"
	"github.com/countersign/countersign/daemon"
)

// client speaks to the guard that runs in the home folder, as its owner.
func (f *homeFlag) client() (*client.Client, error) {
	dir, err := f.dir()
	if err != nil {
		return nil, err
	}
	return client.Open(client.Options{
		Socket: filepath.Join(dir, daemon.SocketFile), TokenFile: filepath.Join(dir, daemon.ApproverTokenFile), How: "terminal",
	})
}

// cardColour is how cards are set on this terminal.
func (t *terminal) cardColour() client.Colour {
	if t.colour {
		return client.SGR
	}
	return nil
}
