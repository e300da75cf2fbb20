// Package shell is the shell of the simulated phone: it runs a line as the
// mksh of a phone would, with the programs of one.
//
// Nothing of the machine that it runs on can be reached from a line. Programs
// are functions of this package, files are those of [phone.Phone.Files], the
// environment is the phone's. An endless loop, a fork bomb or endless output
// ends with the context or at one of the [Limits].
//
// Lines are interpreted by mvdan.cc/sh. A test runs the same lines in Debian's
// mksh and compares what arrives at a program; where the two differ still is
// listed there, with the reason. A second test holds the programs that work on
// texts and files against Debian's.
//
// What a line does is written down with [phone.Phone.Note], before it is done:
//
//	exec         a program, with its words ([Argv])
//	launch       a class or an instrumentation that is started, with "args" and "classpath"
//	binary       a file that is no script, which did nothing
//	command      a command of a service that has no program
//	servicecall  a transaction of which only the numbers are known
//	startservice, admin, reboot, killall, roll
//
// Taps, texts, intents and settings are noted by package phone.
package shell
