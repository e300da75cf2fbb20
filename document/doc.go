// Package document reads files that an owner writes by hand: one YAML document,
// strictly, with a complaint for everything that is not as it should be. A
// complaint has its line and column, shows the line, and says what is accepted.
//
//	r, root, err := document.Open("mine.yaml", data, 64<<10)
//	...
//	fields := r.Fields(root, "a policy", "version", "table")
//	...
//	return r.Err()
//
// What a file means is for the packages whose files they are.
package document
