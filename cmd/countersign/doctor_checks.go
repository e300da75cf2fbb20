package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/countersign/countersign/channel/client"
	"github.com/countersign/countersign/channel/notice"
	"github.com/countersign/countersign/daemon"
)

func well(format string, args ...any) []finding {
	return []finding{{State: stateOK, Said: fmt.Sprintf(format, args...)}}
}

func doubtful(todo, format string, args ...any) []finding {
	return []finding{{State: stateWarning, Said: fmt.Sprintf(format, args...), Todo: todo}}
}

func broken(todo, format string, args ...any) []finding {
	return []finding{{State: stateFailed, Said: fmt.Sprintf(format, args...), Todo: todo}}
}

// lookForGuard asks the owner's socket. It is the one check that the others need.
func lookForGuard(ctx context.Context, e *examination) []finding {
	guard, err := client.Open(client.Options{Socket: e.socket(), TokenFile: filepath.Join(e.home, daemon.ApproverTokenFile), How: "terminal"})
	if err == nil {
		if e.status, err = guard.Status(ctx); err == nil {
			e.guard = guard
			return well("runs, and you are its approver %s; its folder is %s", said(e.status.Approver), said(e.home))
		}
		guard.Close()
	}
	switch p := (*client.Problem)(nil); {
	case errors.Is(err, client.ErrNoToken):
		return broken("start it with countersign up; another folder is named with --home DIR or COUNTERSIGN_HOME", "no guard was ever started in %s", said(e.home))
	case errors.Is(err, client.ErrNotRunning):
		return broken("start it with countersign up", "no guard runs in %s", said(e.home))
	case errors.Is(err, client.ErrNotYours):
		return broken("run this as the user that the guard runs as: sudo -u USER countersign doctor", "the guard in %s belongs to another user", said(e.home))
	case errors.As(err, &p):
		return broken("the file "+daemon.ApproverTokenFile+" in that folder has to be the credential of an approver who was not revoked", "the guard does not take this credential: %s", said(p.Error()))
	}
	return broken("see whether the guard's log says why", "the guard cannot be asked: %s", said(err.Error()))
}

func lookAtVersion(_ context.Context, e *examination) []finding {
	if mine := versionName(); e.status.Version != mine {
		return doubtful("start the guard again with the program of today", "the guard is version %s, this program %s", said(e.status.Version), mine)
	}
	return well("%s", said(e.status.Version))
}

func lookAtLevel(_ context.Context, e *examination) []finding {
	return well("%s. %s", said(e.status.Level), said(e.status.LevelWhy))
}

func lookAtRecord(_ context.Context, e *examination) []finding {
	if e.status.Record != "" {
		return broken("nothing is released until it can be written again: look at the disk and at the mode of the folder", "it cannot be written or read: %s", said(e.status.Record))
	}
	return well("it can be written and read; whether it is as it was written is for countersign log verify")
}

func lookAtPolicy(_ context.Context, e *examination) []finding {
	if e.status.Policy == "" || e.status.Policy == "none" {
		return broken("start the guard with a policy, or without --policy for the default", "there is none, so everything is refused")
	}
	return well("%s is in force", said(e.status.Policy))
}

func lookAtMode(_ context.Context, e *examination) []finding {
	switch {
	case e.status.Frozen:
		return doubtful("let actions go on with countersign unfreeze", "everything is frozen: nothing is released")
	case e.status.Observe:
		return doubtful("to hold actions, start it without --observe", "it only observes: everything is decided and recorded, nothing is held")
	case e.status.Open == 1:
		return well("it guards; one question waits")
	case e.status.Open > 1:
		return well("it guards; %d questions wait", e.status.Open)
	}
	return well("it guards; no question waits")
}

func lookAtApprovers(ctx context.Context, e *examination) []finding {
	all, err := e.guard.Approvers(ctx)
	if err != nil {
		return broken("see whether the guard's log says why", "they cannot be listed: %s", said(err.Error()))
	}
	var names []string
	for i := range all {
		if all[i].RevokedAt.IsZero() {
			names = append(names, all[i].Name)
		}
	}
	if len(names) == 0 {
		return broken("add one with countersign approvers add NAME", "nobody may answer, so every question ends at once")
	}
	return well("%s may answer", said(strings.Join(names, ", ")))
}

// lookAtChannels has a finding for each channel.
func lookAtChannels(_ context.Context, e *examination) []finding {
	if len(e.status.Channels) == 0 {
		if e.status.NeedsChannel {
			return broken("name one in "+daemon.ChannelsFile+" (docs/channels.md), or take required out of the policy", "there are none, and the policy needs one: every question ends at once")
		}
		return doubtful("name one in "+daemon.ChannelsFile+" (docs/channels.md)", "there are none: a question waits until somebody looks")
	}
	var found []finding
	for i := range e.status.Channels {
		s := &e.status.Channels[i]
		f := finding{Name: said(s.Name), State: stateOK, Said: said(s.Kind+" to "+s.Where) + ": " + channelDid(s)}
		switch s.State {
		case notice.Fails:
			f.State, f.Todo = stateFailed, "put right what it says, then: countersign channels test "+said(s.Name)
		case notice.Untried:
			f.State, f.Todo = stateWarning, "try it: countersign channels test "+said(s.Name)
		}
		found = append(found, f)
	}
	return found
}

func lookAtInbox(_ context.Context, e *examination) []finding {
	if e.status.Inbox == "" {
		return doubtful("", "there is none; questions are answered in a terminal")
	}
	text := said(e.status.Inbox) + " on this computer"
	if e.status.Remote != "" {
		text += ", " + said(e.status.Remote) + " on other devices"
	}
	return well("%s; sign in with countersign sign-in", text)
}
