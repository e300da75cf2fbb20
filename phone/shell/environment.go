package shell

import (
	"slices"

	"mvdan.cc/sh/v3/expand"
)

// pidVariable stands for $$, which the interpreter would answer with the process
// id of the machine that the phone runs on, and nameVariable for $0.
const pidVariable, nameVariable = "COUNTERSIGN_SHELL_PID", "COUNTERSIGN_SHELL_NAME"

// noPlace is a directory that cannot exist. The interpreter would put the named
// pipes of process substitutions into the host's directory of temporary files,
// and open files of such names there; mksh has no process substitution.
const noPlace = "/\x00"

// environment is what adbd gives to a shell: nothing in it is the host's.
type environment struct {
	vars map[string]string
	// name is what $0 is.
	name string
	// starting is true while the interpreter is being made, which is when it
	// asks for its directory of temporary files.
	starting bool
}

// search are the folders that hold programs, as on a phone.
const search = "/product/bin:/apex/com.android.runtime/bin:/apex/com.android.art/bin:/system_ext/bin:" +
	"/system/bin:/system/xbin:/odm/bin:/vendor/bin:/vendor/xbin"

func newEnvironment(model string) *environment {
	return &environment{name: self, vars: map[string]string{
		"ANDROID_ASSETS": "/system/app", "ANDROID_BOOTLOGO": "1", "ANDROID_DATA": "/data",
		"ANDROID_ROOT": "/system", "ANDROID_STORAGE": "/storage", "ASEC_MOUNTPOINT": "/mnt/asec",
		"EXTERNAL_STORAGE": "/sdcard", "HOME": "/", "HOSTNAME": model, "LOGNAME": "shell",
		"PATH": search, "SHELL": "/bin/sh", "TERM": "dumb", "TMPDIR": "/data/local/tmp", "USER": "shell",
	}}
}

// constants are known to the shell and not handed on to programs.
var constants = map[string]string{
	"UID": "2000", "EUID": "2000", "GID": "2000", "USER_ID": "2000", "PPID": "1042",
	pidVariable: "8231", "KSH_VERSION": "@(#)MIRBSD KSH R59 2020/10/31 Android", "RANDOM": "4",
}

// Get looks a variable up.
func (e *environment) Get(name string) expand.Variable {
	if e.starting && name == "TMPDIR" {
		return expand.Variable{Set: true, Exported: true, Kind: expand.String, Str: noPlace}
	}
	if v, ok := e.vars[name]; ok {
		return expand.Variable{Set: true, Exported: true, Kind: expand.String, Str: v}
	}
	if name == nameVariable {
		return expand.Variable{Set: true, Kind: expand.String, Str: e.name}
	}
	if v, ok := constants[name]; ok {
		return expand.Variable{Set: true, Kind: expand.String, Str: v}
	}
	return expand.Variable{}
}

// Each goes through the variables that programs see, by name.
func (e *environment) Each(f func(name string, v expand.Variable) bool) {
	names := make([]string, 0, len(e.vars))
	for name := range e.vars {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if !f(name, e.Get(name)) {
			return
		}
	}
}

// exported is the environment of a program as name and value.
func exported(env expand.Environ) map[string]string {
	vars := map[string]string{}
	env.Each(func(name string, v expand.Variable) bool {
		if v.Exported && v.IsSet() {
			vars[name] = v.String()
		} else {
			delete(vars, name)
		}
		return true
	})
	return vars
}
