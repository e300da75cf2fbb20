// Package smart is the front end that an agent takes for its adb server: it
// listens on the usual port and speaks the smart-socket protocol, while the real
// server is hidden (gate/adb/upstream).
//
// What is about the server (version, lists, waiting) is answered by the hidden
// one, untouched. Services on a phone go to gate/adb under the serial that the
// hidden server resolves the client's selector to. Forwards are the gate's own,
// so that what flows on them is judged. Everything else is refused. When the
// hidden server is gone, or the guard, there is no phone.
package smart
