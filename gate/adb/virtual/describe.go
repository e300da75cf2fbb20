package virtual

import (
	"context"
	"fmt"
	"strings"

	"github.com/countersign/countersign/wire"
)

// shown are the properties of a phone that adb's device list has, with the names
// that they have in a banner.
var shown = map[string]string{
	"product": "ro.product.name",
	"model":   "ro.product.model",
	"device":  "ro.product.device",
}

// FromServer describes a phone as the hidden adb server sees it.
func FromServer(s wire.Server, serial string) func(context.Context) ([]string, map[string]string, error) {
	return func(ctx context.Context) ([]string, map[string]string, error) {
		sel := wire.Selector{Kind: wire.SelectSerial, Serial: serial}
		features, err := s.Query(ctx, sel.Prefix()+"features")
		if err != nil {
			return nil, nil, err
		}
		list, err := s.Query(ctx, "host:devices-l")
		if err != nil {
			return nil, nil, err
		}
		properties, ok := properties(list, serial)
		if !ok {
			return nil, nil, fmt.Errorf("the phone %q is not in the adb server's list", serial)
		}
		return strings.Split(features, ","), properties, nil
	}
}

// properties finds a phone in the list of "adb devices -l": its serial, its
// state, its path, and words such as "model:Pixel_9".
func properties(list, serial string) (map[string]string, bool) {
	for line := range strings.Lines(list) {
		words := strings.Fields(line)
		if len(words) < 2 || words[0] != serial {
			continue
		}
		p := map[string]string{}
		for _, word := range words[2:] {
			key, value, ok := strings.Cut(word, ":")
			if name := shown[key]; ok && name != "" {
				p[name] = value
			}
		}
		return p, true
	}
	return nil, false
}

// Lost waits until the hidden adb server has lost a phone, or is lost itself.
func Lost(s wire.Server, serial string) func(context.Context) {
	return func(ctx context.Context) {
		c, err := wire.ServerDial(ctx, s.Network, s.Address)
		if err != nil {
			return
		}
		defer func() { _ = c.Close() }()
		stop := context.AfterFunc(ctx, func() { _ = c.Close() })
		defer stop()
		request := wire.Selector{Kind: wire.SelectSerial, Serial: serial}.Prefix() + "wait-for-any-disconnect"
		if wire.WriteRequest(c, request) == nil && wire.ReadStatus(c) == nil {
			_ = wire.ReadStatus(c) // comes when it is lost
		}
	}
}
