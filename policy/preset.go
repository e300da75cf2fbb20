package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/countersign/countersign/document"
	"github.com/countersign/countersign/policies"
)

// PresetNames lists the policies that are built in: default is the product's
// own judgement; flat and post are the guards that it is compared with.
func PresetNames() []string { return []string{"default", "flat", "post"} }

// Preset returns a policy that is built in, by one of PresetNames.
func Preset(name string) (*Policy, error) {
	data, err := presetFile(name, "policy.yaml")
	if err != nil {
		return nil, err
	}
	return parse("policies/"+name+"/policy.yaml", name, data)
}

// Named returns a preset by its name, or else the policy of the file at that path.
func Named(name string) (*Policy, error) {
	if slices.Contains(PresetNames(), name) {
		return Preset(name)
	}
	p, err := Load(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("policy %q is neither a preset (%s) nor a file that is there: %w",
			name, strings.Join(PresetNames(), ", "), err)
	}
	return p, err
}

// PresetCases returns the test cases of a preset, to be run with RunCases.
func PresetCases(name string) ([]byte, error) { return presetFile(name, "cases.yaml") }

func presetFile(name, file string) ([]byte, error) {
	names := PresetNames()
	if !slices.Contains(names, name) {
		return nil, fmt.Errorf("policy: %s is not a preset; accepted: %s", document.Quote(name), strings.Join(names, ", "))
	}
	data, err := policies.Files.ReadFile(name + "/" + file)
	if err != nil {
		return nil, fmt.Errorf("policy: preset %s: %w", name, err)
	}
	return data, nil
}
