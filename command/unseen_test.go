package command

import "testing"

// A press on a screen that an earlier part of the line may have changed is not
// left to the screen of now alone.
func TestUnseenScreen(t *testing.T) {
	unseen := []string{
		"am start -n com.example.bank/.Main; input tap 540 2100",
		"monkey -p com.example.bank 1 && sleep 2 && input tap 540 2100",
		"input tap 5 5; input tap 500 500",
		"input tap 5 5; sleep 1; input tap 5 5",
		"input tap 5 5; input keyevent 66",
		"input keyevent 61 66",
		"input keyevent 4 66",
		"input keyevent 66 66",
		"input keyevent 3; input swipe 5 5 5 500",
		"input text 'a\n'; input tap 5 5",
		"input swipe 5 500 5 5; input swipe 5 500 5 5",
		"while true; do input tap 5 5; done",
		"for i in 1 2; do input keyevent 66; done",
		"input tap 5 5 & am start -n com.example.bank/.Main",
		"input tap 5 5 | am start -n com.example.bank/.Main",
		"trap 'input tap 5 5' EXIT; am start -n com.example.bank/.Main",
		"f() { input tap 5 5; }; f; f",
		"sh -c 'input keyevent 4; input tap 5 5'",
		"am broadcast -a ADB_EDITOR_CODE; input tap 5 5",
		"sleep 60; input tap 5 5",
		"sleep 60 && input text hello",
		"sleep $x; input tap 5 5",
		"(sleep 60; input tap 5 5) &",
		"nohup sh -c 'sleep 60; input tap 5 5' &",
		"usleep 9000000; input swipe 5 5 5 500",
		"trap 'input tap 5 5' EXIT",
		"trap 'input keyevent 66' INT; true",
		"watch -n 60 input tap 5 5",
		"toybox watch -n 60 input tap 5 5",
		"timeout 99 watch input tap 5 5",
		"while ! pidof com.example; do :; done; input tap 5 5",
		"until false; do :; done; input tap 5 5",
		"read x; input tap 5 5",
		"ping -c 60 127.0.0.1; input tap 5 5",
		"sleep 1; sh -c 'input tap 5 5'",
		"frobnicate pm uninstall x; sleep 1; input tap 5 5",
		"$x; $x; sleep 1; input tap 5 5",
	}
	for _, line := range unseen {
		effects := Shell(line)
		if !has(effects, "unknown", "unseen_screen") {
			t.Errorf("%s: nothing says that the screen is another: %+v", line, effects)
		}
		pressed := false
		for _, e := range effects {
			pressed = pressed || e.Press != nil
		}
		if !pressed {
			t.Errorf("%s: the press itself is lost, so what it does now would not count", line)
		}
	}
	seen := []string{
		"input tap 5 5",
		"input tap 5 5; input tap 7 7", // a double tap
		"input motionevent DOWN 5 5; input motionevent MOVE 9 9; input motionevent UP 50 50",
		"dumpsys window | grep mCurrentFocus && input tap 5 5",
		"input text hello; input keyevent 66", // the same field
		"input keycombination 113 29 && input keyevent 67 && input text a",
		"input tap 5 5; input text hello", // typing sends nothing
		"screencap -p /sdcard/a.png; input tap 5 5",
		"input keyevent 67 67 67 66",
		"input tap 5 5; sleep 1", // it has been pressed by then
		"input text hello; sleep 1; pidof com.example",
		"trap - EXIT; input tap 5 5",
		"timeout 5 input tap 5 5",
	}
	for _, line := range seen {
		if effects := Shell(line); has(effects, "unknown", "unseen_screen") {
			t.Errorf("%s: asks without need: %+v", line, effects)
		}
	}
	if len(unseen) != 37 || len(seen) != 13 {
		t.Errorf("ran %d and %d cases, want 37 and 13", len(unseen), len(seen))
	}
}
