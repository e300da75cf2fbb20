// Package browser tests the inbox in a real browser: Debian's headless Chromium,
// driven by chromedp, with axe-core for what can be said of accessibility by
// machine. It is a module of its own, so that neither is in the product's.
//
// It is not a part of ./run-tests yet, since on a machine that has other work some
// of its waits are too short. By hand, with Debian's chromium and npm installed:
//
//	npm ci --prefix e2e/browser
//	cd e2e/browser && go test .
//
// The pictures of the pages that the tests take are in screenshots/.
package browser
