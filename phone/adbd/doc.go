// Package adbd is the adbd of the simulated phone: it speaks ADB's transport
// protocol on a listener, so that a stock adb server can "adb connect" to it.
//
// It is the adbd of a user build: no root, no authentication (as if the key had
// been accepted), no TLS.
package adbd
