// Package shell is the shell of the simulated phone: it runs a line as the
// mksh of a phone would, with the programs of one.
//
// Nothing of the machine that it runs on can be reached from a line. Programs
// are functions of this package, files are those of [phone.Phone.Files], the
// environment is the phone's. An endless loop, a fork bomb or endless output
// ends with the context or at one of the [Limits].
//
// Lines are interpreted by mvdan.cc/sh. A test runs the same lines in Debian's
// mksh and compares what arrives at a program.
package shell
