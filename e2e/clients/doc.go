// Package clients holds the tests of the ADB gate with real clients: adb,
// mobile-mcp, Appium with webdriverio, adbkit and ya-webadb, unmodified, on the
// simulated phone, through both front ends. What is asserted is what reached the
// phone and what that did, not what a client was told.
//
// It is a module of its own with packages from npm, so that neither is in the
// product's: npm ci, then go test ./... Of mobilecli's programs, which mobile-mcp
// brings along, the lock file has only that for Linux on 64-bit x86.
package clients
