// Package adb holds the tests of the ADB gate as a whole: a simulated phone, a
// hidden adb server, the daemon in front of it, and whatever an agent may send
// through either front end. They assert on what reached the phone.
package adb
