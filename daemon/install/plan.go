package install

import "path/filepath"

// Installation is a guard on one machine, there or to be there. It is not safe
// for concurrent use.
type Installation struct {
	o Options
	// fresh says that the unit was written in this run, so that what runs is not
	// what is written.
	fresh bool
}

// New checks the options. It looks at nothing and changes nothing.
func New(o Options) (*Installation, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	return &Installation{o: o}, nil
}

// Install is what makes the guard a service of its own user.
func (i *Installation) Install() []Step {
	var steps []Step
	if i.o.Machine != nil {
		steps = append(steps, i.account(), i.way())
		if i.o.ADB != nil {
			steps = append(steps, i.adbProgram(), i.free())
		}
	}
	steps = append(steps, i.binary(), i.home(), i.unit())
	if i.o.Machine != nil {
		steps = append(steps, i.service(), i.level())
	}
	if i.o.AgentFor != "" {
		steps = append(steps, i.harmless(), i.token())
	}
	if i.o.Machine != nil && i.o.ADB != nil {
		steps = append(steps, i.onlyWay()...)
	}
	return steps
}

// onlyWay is what the guard cannot do by itself to be the only way to the phones.
func (i *Installation) onlyWay() []Step {
	var steps []Step
	if i.o.ADB.Group == "" {
		steps = append(steps, i.cable())
	}
	if i.o.AgentFor != "" {
		steps = append(steps, i.noCable(), i.noKey(i.o.AgentFor, "agents' user", ""))
	}
	if i.o.ADB.Caller != "" {
		steps = append(steps, i.noKey(i.o.ADB.Caller, "you,", i.o.ADB.VendorKeys))
	}
	return steps
}

// Uninstall is what takes the guard off again. With purge its record, its keys
// and its user go too; without, they stay.
func (i *Installation) Uninstall(purge bool) []Step {
	var steps []Step
	if i.o.Machine != nil {
		steps = append(steps, i.stopped())
	}
	steps = append(steps, i.noUnit(), i.gone("no program", BinaryPath))
	if !purge {
		return append(steps, i.kept())
	}
	steps = append(steps, i.noTokens(), i.noHome())
	if i.o.Machine != nil {
		steps = append(steps, i.noAccount())
	}
	return steps
}

// at is where a path of the machine is, below the root.
func (i *Installation) at(path string) string { return filepath.Join(i.o.Root, path) }
