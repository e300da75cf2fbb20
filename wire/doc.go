// Package wire is the bytes of ADB: what a client and an adb server say to
// each other (the smart socket), what a server and a phone say to each other
// (the transport), and what flows inside a stream between them (shell v2
// packets, sync records).
//
// Either end of each is here, so that a gate can stand between two of them and
// a simulated phone at the far end. Everything read is bounded, nothing that
// comes from outside panics, and what breaks the protocol ends the connection
// with an error that says which rule it broke.
//
// The facts are those of Android's own adb, in its protocol.txt, SERVICES.TXT,
// SYNC.TXT, adb.cpp, sockets.cpp and file_sync_protocol.h. The code is ours.
package wire
