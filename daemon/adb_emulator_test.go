package daemon

import "testing"

// What an agent may say about which phones there are is an emulator's port, where
// the owner has said that late ones are taken in, and nothing else.
func TestWhichPhonesThereAre(t *testing.T) {
	cases := []struct {
		emulators  bool
		verb, args string
		want       bool
	}{
		{true, "emulator", "5555", true},
		{true, "emulator", "5585", true},
		{false, "emulator", "5555", false},
		{true, "emulator", "5554", false}, // a console
		{true, "emulator", "5587", false},
		{true, "emulator", "22", false},
		{true, "emulator", "", false},
		{true, "emulator", "5555,5595", false},
		{true, "emulator", "-5555", false},
		{true, "connect", "5555", false},
		{true, "pair", "5555", false},
	}
	if len(cases) != 11 {
		t.Fatalf("%d cases, 11 were written", len(cases))
	}
	for _, c := range cases {
		if got := (ADB{Emulators: c.emulators}).allows(c.verb, c.args); got != c.want {
			t.Errorf("%s:%s with late emulators %t: %t", c.verb, c.args, c.emulators, got)
		}
	}
}
