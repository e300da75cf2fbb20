// Package adbd is the adbd of the simulated phone: it speaks ADB's transport
// protocol on a listener, so that a stock adb server can "adb connect" to it.
//
// It is the adbd of a user build: no root, no authentication (as if the key had
// been accepted), no TLS.
//
// Each service is noted as an event of kind "service" before it runs, with its
// string as it came; each request of the sync service as one of kind "sync".
//
// A client that goes away ends a line only with the shell protocol (shell,v2 and
// abb) or on a terminal. Any other line reads the end of its input and goes on,
// as on a phone.
package adbd
