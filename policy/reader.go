package policy

import "github.com/countersign/countersign/document"

// MaxBytes is the largest policy or case file that is read.
const MaxBytes = 256 << 10

// Error is one complaint about a policy or a case file. Parse, Load and RunCases
// join several when there are several; errors.As finds the first.
type Error = document.Error

// reader reads the sections of a policy.
type reader struct{ *document.Reader }

func open(file string, data []byte) (reader, *document.Node, error) {
	r, root, err := document.Open(file, data, MaxBytes)
	return reader{r}, root, err
}
