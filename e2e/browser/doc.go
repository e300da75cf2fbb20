// Package browser tests the inbox in a real browser: Debian's headless Chromium,
// driven by chromedp, with axe-core for what can be said of accessibility by
// machine. It is a module of its own, so that neither is in the product's.
//
// ./run-tests installs what it needs and runs it; by hand, with Debian's chromium
// and npm:
//
//	npm ci --prefix e2e/browser
//	cd e2e/browser && go test .
//
// A test waits for what the page shows and never for a time, so that it holds on a
// machine that is busy with other work; where time itself is what is tested, the
// test holds the page's timers (timers_test.go). How long something takes is
// printed and asserted nowhere.
//
// The pictures of the pages that the tests take are in screenshots/.
package browser
