package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/open-policy-agent/opa/v1/runtime"
)

// OPAServer is what `opa run --server --log-level error` starts, in this
// process, with the same guard as NewOPAAlternation.
type OPAServer struct {
	runtime *runtime.Runtime
	stop    context.CancelFunc
	stopped chan error
}

// StartOPA starts the server on any free port of the loopback. dir takes its
// policy and its data.
func StartOPA(dir string) (*OPAServer, error) {
	data, err := json.Marshal(map[string]any{
		"packages": map[string]any{"high": HighPackages, "low": LowPackages},
		"patterns": map[string]any{
			"high": []string{alternationPattern(HighKeywords)},
			"all":  []string{alternationPattern(slices.Concat(HighKeywords, MediumKeywords))},
		},
	})
	if err != nil {
		return nil, fmt.Errorf("bench: write OPA's data: %w", err)
	}
	paths := []string{filepath.Join(dir, "guard.rego"), filepath.Join(dir, "data.json")}
	if err := errors.Join(os.WriteFile(paths[0], []byte(guardPolicy), 0o600), os.WriteFile(paths[1], data, 0o600)); err != nil {
		return nil, fmt.Errorf("bench: write OPA's files: %w", err)
	}
	params := runtime.NewParams()
	params.Addrs = &[]string{"127.0.0.1:0"}
	params.Paths = paths
	// Else it writes two lines for every request.
	params.Logging = runtime.LoggingConfig{Level: "error"}
	// As in process: values that are read as they are cost a conversion less.
	params.ReadAstValuesFromStore = true
	ctx, stop := context.WithCancel(context.Background())
	s := &OPAServer{stop: stop, stopped: make(chan error, 1)}
	if s.runtime, err = runtime.NewRuntime(ctx, params); err != nil {
		stop()
		return nil, fmt.Errorf("bench: start OPA: %w", err)
	}
	go func() { s.stopped <- s.runtime.Serve(ctx) }()
	return s, s.ready()
}

// ready waits until the server has an address. It offers no way to be told.
func (s *OPAServer) ready() error {
	ticks := time.NewTicker(10 * time.Millisecond)
	defer ticks.Stop()
	for s.Address() == "" {
		select {
		case err := <-s.stopped:
			s.stopped <- err
			return fmt.Errorf("bench: OPA's server stopped: %w", err)
		case <-ticks.C:
		}
	}
	return nil
}

// Address is where the server listens, empty before it does.
func (s *OPAServer) Address() string {
	if s.runtime.ServerStatus() != runtime.ServerInitialized {
		return ""
	}
	if all := s.runtime.Addrs(); len(all) > 0 {
		return all[0]
	}
	return ""
}

// Stop stops the server and waits for its end.
func (s *OPAServer) Stop() error {
	s.stop()
	return <-s.stopped
}
