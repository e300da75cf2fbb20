// Package relay carries HTTP between an agent and an automation server on its
// phone, and has every call judged on the way.
//
// An agent that taps through uiautomator2, Appium's server or the Portal never
// sends "input tap": it sends a request on a stream that adb opens to a port of
// the phone. [HTTP] reads each request whole, works out what it would do (a
// [Call]), and asks a [Judge], which forwards it by calling release. The bytes
// that reach the phone are those that were received, never a copy written anew;
// what two readers could understand differently is refused before that.
//
// One file knows one server: uiautomator2.go, uia2.go, portal.go, mobilecli.go. What
// a server is not known to do is unknown, and left to the judge as such.
package relay
