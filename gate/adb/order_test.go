package adb

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

func TestUsualPatience(t *testing.T) {
	for service, want := range map[string]time.Duration{
		"shell,v2,TERM=xterm-256color,raw:input tap 1 2": 0, "shell:input tap 1 2": 0, "abb_exec:package\x00install": 0, "sync:": 0,
		"exec:screencap -p": 0, "shell,v2,raw:input tap 1 2": 15 * time.Second, "tcp:9008": 15 * time.Second, "localabstract:mobilecli": 15 * time.Second,
	} {
		if got := UsualPatience(service); got != want {
			t.Errorf("%q: %v", service, got)
		}
	}
}

// The turn goes round one at a time, first come first served, and to nobody who
// has gone away.
func TestTurns(t *testing.T) {
	o := newOrder()
	first, err := o.take(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	gone, leave := context.WithCancel(context.Background())
	leave()
	if _, err := o.take(gone, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("one who is gone: %v", err)
	}
	if _, err := o.take(gone, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("one who is gone and patient: %v", err)
	}
	if _, err := o.take(context.Background(), -1); !errors.Is(err, errBusy) {
		t.Errorf("one without patience: %v", err)
	}
	first.end()
	first.end() // more than once is once
	second, err := o.take(context.Background(), -1)
	if err != nil {
		t.Fatalf("a free turn: %v", err)
	}
	first.end()
	if _, err := o.take(context.Background(), -1); !errors.Is(err, errBusy) {
		t.Errorf("a turn that was ended twice was given twice: %v", err)
	}
	ended := make(chan struct{})
	second.endWith(ended)
	close(ended)
	third, err := o.take(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	third.endWith(nil) // nobody sees its end
	if _, err := o.take(context.Background(), -1); !errors.Is(err, errBusy) {
		t.Errorf("behind one whose end is not seen: %v", err)
	}
	fourth := third.pass()
	third.end()
	if _, err := o.take(context.Background(), -1); !errors.Is(err, errBusy) || fourth == nil {
		t.Errorf("behind one that was handed on: %v", err)
	}
	fourth.end()
	if fourth.pass() != nil {
		t.Error("a turn that has ended was handed on")
	}
	if _, err := o.take(context.Background(), -1); err != nil {
		t.Error(err)
	}
}

// A client that has given up tells how long the next one that asks for the same will
// wait; one that has gone at once tells nothing.
func TestPatienceThatWasShown(t *testing.T) {
	const tap, other, call = "shell,v2,TERM=xterm,raw:input tap 1 2", "shell,v2,TERM=xterm,raw:input tap 3 4", "tcp:9008"
	now := time.Unix(1000, 0)
	d := &Device{gate: &Gate{options: Options{Patience: UsualPatience, Now: func() time.Time { return now }}}}
	asks := func(service string) *serving {
		s := &serving{Device: d, service: parseService(service)}
		s.asks()
		return s
	}
	giveUp := func(service string, after time.Duration) {
		s := asks(service)
		now = now.Add(after)
		s.gaveUp()
	}
	cases := 0
	wants := func(when, service string, want time.Duration) {
		t.Helper()
		cases++
		if got := asks(service).patience(); got != want {
			t.Errorf("%s %q is waited for %v, want %v", when, service, got, want)
		}
	}
	wants("before", tap, 0)
	giveUp(tap, time.Second)
	wants("after one that went at once", tap, 0)
	giveUp(tap, 20*time.Second)
	wants("after one that gave up", tap, 15*time.Second)
	wants("after one that gave up", other, 0)
	giveUp(call, 8*time.Second)
	wants("after one that waited for less than is usual", call, 6*time.Second)
	giveUp(call, time.Minute)
	wants("after one that waited for more", call, budget)
	for i := range maxGivenUp {
		giveUp(fmt.Sprint("exec:", i), time.Minute)
	}
	wants("after many others", tap, 0)
	if cases != 7 || len(d.givenUp) > maxGivenUp {
		t.Errorf("%d cases, %d are remembered", cases, len(d.givenUp))
	}
}
