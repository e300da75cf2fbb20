// Package virtual is the front end that an agent takes for a phone: it listens
// as adbd does and speaks ADB's transport protocol, towards the agent's own adb
// server ("adb connect 127.0.0.1:PORT") or a client that dials adbd itself.
//
// Every stream that the other side opens is a service for gate/adb. Forwards come
// as streams too, so nothing can pass beside. The guarded phone calls itself what
// the real one does, with those of its features that can be judged. When the
// guard is gone, so is the phone.
package virtual
