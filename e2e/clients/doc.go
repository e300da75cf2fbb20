// Package clients holds the tests of the ADB gate with real clients: adb, adbkit,
// ya-webadb with its scrcpy, mobile-mcp, adb-mcp, agent-device, Midscene, and Appium
// with webdriverio, unmodified, on the simulated phone, through both front ends. What
// is asserted is what reached the phone and what that did, not what a client was told.
//
// It is a module of its own with packages from npm, so that neither is in the
// product's: npm ci, then go test ./... Of programs for one machine only, such as
// mobilecli's, the lock file has those for Linux on 64-bit x86, and none of the
// ffmpeg that Midscene may have beside it.
package clients
