package identity

import (
	"fmt"
	"io/fs"
	"path"
)

// Level says against whom the guard holds.
type Level string

const (
	// SameUser is the level where the agent runs, or may run, as the user that
	// runs the guard. It stops mistakes and every remote attack, but not a
	// malicious process of that user, which can read the store.
	SameUser Level = "same user"
	// SeparateUser is the level where a service user owns the store, the sockets
	// and the approvers' secrets. It stops malice too.
	SeparateUser Level = "separate user"
)

// Facts are what a daemon can find out about its own surroundings. A field that
// could not be found out stays zero, which counts as doubt.
type Facts struct {
	// UID is the daemon's effective user id, 0 for root and where there is none.
	UID int
	// Shell is the login shell of that account as the user database has it.
	Shell string
	// DataOwner is the user id that owns the data folder.
	DataOwner int
	// DataMode is the mode of the data folder, with its type.
	DataMode fs.FileMode
	// BinaryOwner is the user id that owns the running executable.
	BinaryOwner int
	// BinaryMode is the mode of the running executable, with its type.
	BinaryMode fs.FileMode
	// BinaryFixed says that no folder on the way to the executable can be
	// written by anybody but root and the daemon's own user.
	BinaryFixed bool
	// AgentsReach says that other users can reach the agents' socket or port.
	// Where they cannot, whoever does runs as the daemon's own user.
	AgentsReach bool
}

// firstPerson is the first user id that Linux gives to people; those below it
// belong to services.
const firstPerson = 1000

// noLogin are the shells that let nobody in.
var noLogin = map[string]bool{"nologin": true, "false": true}

// DetectLevel names the level that the facts prove, and why in one sentence.
// Whatever is in doubt is SameUser.
func DetectLevel(f Facts) (Level, string) {
	if doubt := f.doubt(); doubt != "" {
		return SameUser, doubt
	}
	return SeparateUser, fmt.Sprintf("The guard runs as service user %d, which nobody can sign in as and which alone can read its data.", f.UID)
}

// doubt is the first reason why the agent could be the user that runs the guard,
// or act as him; empty when there is none.
func (f Facts) doubt() string {
	switch {
	case f.UID == 0:
		return "The guard runs as root and not as a service user of its own; docs/separate-user.md says how to give it one."
	case f.UID < 0 || f.UID >= firstPerson:
		return fmt.Sprintf("The guard runs as user %d, which is no service user of its own, so a program of that user can read its store.", f.UID)
	case !path.IsAbs(f.Shell) || !noLogin[path.Base(f.Shell)]:
		return fmt.Sprintf("User %d has a login shell, or none that could be found out, so an agent might be signed in as the same user.", f.UID)
	case f.DataOwner != f.UID:
		return fmt.Sprintf("The data folder belongs to user %d and not to user %d, who runs the guard.", f.DataOwner, f.UID)
	case !f.DataMode.IsDir() || f.DataMode.Perm() != 0o700:
		return fmt.Sprintf("The data folder has mode %v, and only drwx------ keeps other users out.", f.DataMode)
	case f.BinaryOwner != 0 && f.BinaryOwner != f.UID:
		return fmt.Sprintf("The program's file belongs to user %d, who could replace it.", f.BinaryOwner)
	case !f.BinaryMode.IsRegular() || f.BinaryMode.Perm()&0o111 == 0 || f.BinaryMode.Perm()&0o022 != 0:
		return fmt.Sprintf("The program's file has mode %v, so others could write it, or that could not be found out.", f.BinaryMode)
	case !f.BinaryFixed:
		return "A folder on the way to the program's file can be written by other users, or that could not be found out, so they could replace it."
	case !f.AgentsReach:
		return "Other users cannot reach the agents' door, so an agent that does runs as the same user as the guard."
	}
	return ""
}
