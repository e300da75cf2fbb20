// Package upstream is the gate's way to the real phones: an adb server that only
// the gate can reach, kept alive, and the phones behind it.
package upstream
