package install

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Account is a line of the user database.
type Account struct {
	Name     string
	UID, GID int
	Home     string
	Shell    string
}

// ErrNoAccount means that the user database has no such user.
var ErrNoAccount = errors.New("no such user")

// firstPerson is the first user id that is a person's; see identity.DetectLevel.
const firstPerson = 1000

// unfit says why an account is none of a guard's own. An account that was made
// for something else must not get the guard's secrets, nor be removed with it.
func (a Account) unfit() error {
	shell := path.Base(a.Shell)
	switch {
	case a.UID <= 0 || a.UID >= firstPerson:
		return fmt.Errorf("%s is user %d, and a service user is one of 1 to %d; name another with --user", a.Name, a.UID, firstPerson-1)
	case shell != "nologin" && shell != "false":
		return fmt.Errorf("%s can sign in with %s; name another user with --user, or close it: usermod --shell /usr/sbin/nologin %s", a.Name, a.Shell, a.Name)
	case a.Home != HomePath:
		return fmt.Errorf("%s was made for something else, its home is %s and not %s; name another user with --user", a.Name, a.Home, HomePath)
	}
	return nil
}

// account is the step that makes the service user.
func (i *Installation) account() Step {
	name, m := i.o.User, i.o.Machine
	add := []string{"useradd", "--system", "--user-group", "--no-create-home", "--home-dir", HomePath,
		"--shell", m.NoLogin(), "--comment", "Countersign guard", name}
	return Step{
		Name:     fmt.Sprintf("service user and group %s, which nobody can sign in as", name),
		Commands: []string{commandLine(add)},
		look: func(ctx context.Context) (string, error) {
			a, err := m.Account(ctx, name)
			if errors.Is(err, ErrNoAccount) {
				return "no such user", nil
			}
			if err != nil {
				return "", err
			}
			return "", a.unfit()
		},
		do: func(ctx context.Context) error { return run(ctx, m, add) },
	}
}

// noAccount is the step that removes the service user and its group.
func (i *Installation) noAccount() Step {
	name, m := i.o.User, i.o.Machine
	return Step{
		Name:     fmt.Sprintf("no user %s", name),
		Commands: []string{"userdel " + name},
		look: func(ctx context.Context) (string, error) {
			a, err := m.Account(ctx, name)
			if errors.Is(err, ErrNoAccount) {
				return "", nil
			}
			if err != nil {
				return "", err
			}
			return "there", a.unfit()
		},
		do: func(ctx context.Context) error { return run(ctx, m, []string{"userdel", name}) },
	}
}

// mighty are groups whose members can become root, or read what is root's.
var mighty = []string{"root", "sudo", "wheel", "admin", "docker", "lxd", "incus", "incus-admin", "libvirt", "kvm", "disk", "shadow", "adm"}

// harmless is the step that looks whether the agent's user can be stopped at
// all. It changes no groups: that is for the owner to think about.
func (i *Installation) harmless() Step {
	name, m := i.o.AgentFor, i.o.Machine
	may := func(ctx context.Context) ([]string, error) {
		a, err := m.Account(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if a.UID == 0 {
			return nil, fmt.Errorf("%s is root under another name; give the agent a user of its own", name)
		}
		groups, err := m.Groups(ctx, name)
		if err != nil {
			return nil, err
		}
		// The service user's group owns nothing today, and is no place for an agent.
		bad := append(slices.Clone(mighty), i.o.User)
		return slices.DeleteFunc(groups, func(g string) bool { return !slices.Contains(bad, g) }), nil
	}
	return Step{
		Name:     fmt.Sprintf("agents' user %s, who cannot become root", name),
		Commands: []string{"id -nG " + name},
		look: func(ctx context.Context) (string, error) {
			groups, err := may(ctx)
			if err != nil || len(groups) == 0 {
				return "", err
			}
			return "member of " + strings.Join(groups, ", "), nil
		},
		do: func(ctx context.Context) error {
			groups, err := may(ctx)
			if err != nil {
				return err
			}
			return leftError(fmt.Sprintf("%s is in group %s: an agent that runs as %s may become root, and then nothing here holds; give the agent a user of its own",
				name, strings.Join(groups, ", "), name))
		},
	}
}
