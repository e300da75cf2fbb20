// Package reverse is connections that begin on the phone and end at the agent
// ("adb reverse").
//
// What the agent's end says on such a connection is heard by an app on the phone
// that may act on it, scrcpy's server for one, and nobody here can read it. So a
// reverse is refused unless the owner's settings say what it is for. One that is
// allowed ends at a listener of the gate, which passes the bytes on to where the
// agent wanted them; lists show the agent's own address.
package reverse
