// Package daemon is the guard as a program that runs: it wires the store, the
// holding desk, the agents' door and the approvers' doors together, and is the
// only place that does.
//
//	d, err := daemon.New(ctx, daemon.Options{Home: home})
//	...
//	err = d.Start()
//	defer d.Stop(ctx)
//
// The agents' door is a loopback port (or a unix socket), the approvers' doors
// are another loopback port for browsers and a unix socket for the owner's own
// terminal. They share nothing but the desk: no credential opens both.
package daemon
