// Package fronttest is what the tests of the front ends stand on: a small phone
// that speaks ADB's transport protocol and remembers what reached it, and the
// real adb of this machine as server and as client. A test that needs adb fails
// where it is missing.
package fronttest
