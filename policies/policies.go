// Package policies holds the policies that are built in, as the files that a
// reader of the repository sees: one folder each, with policy.yaml and the test
// cases that it must pass, cases.yaml. Package policy reads them.
package policies

import "embed"

// Files holds NAME/policy.yaml and NAME/cases.yaml for every preset.
//
//go:embed */policy.yaml */cases.yaml
var Files embed.FS
