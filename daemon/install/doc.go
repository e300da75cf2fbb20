// Package install puts the guard on a Linux machine as a service of its own
// user, and takes it off again.
//
// An installation is a list of steps. Each knows what it wants, looks whether
// that is so already, does it when it is not, and looks again. So a second run
// changes nothing, and a run that was cut off is finished by the next one. All
// steps look before the first one acts: what would be refused in the end leaves
// the machine as it was.
//
// Nothing here trusts what the service user or a person can write. Files are put
// in place by renaming, in folders that are root's, and the one file that is
// read from the guard's folder is opened without following links.
package install
