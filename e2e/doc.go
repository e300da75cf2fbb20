// Package e2e holds tests that drive the product as its users do, on input
// that comes from outside: reports from the field, real screens.
package e2e
