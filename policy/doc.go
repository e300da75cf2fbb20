// Package policy is what the owner of a phone wants, as data: tier x category
// to outcome, with exceptions for single apps.
package policy
