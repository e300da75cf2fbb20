// Package adb is what happens to one service of one client on one phone.
//
// A front end (gate/adb/smart, gate/adb/virtual) knows how its client asks for a
// service and how it is told no, and nothing else. It hands the service to
// [Device.Serve] with a [Client]. There the service is sorted by its kind, actions
// are made of it, each is taken through [hold.Desk], and only a release opens the
// service on the phone. From then on bytes are copied as they came; what has to be
// judged on the way, such as lines typed into a shell or files sent, is read whole
// before any of it goes on.
//
// What is not known is refused. Everything that a client or a phone sends is
// hostile: it is bounded before it is kept, and quoted before a person reads it.
package adb
