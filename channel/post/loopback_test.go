package post

import "testing"

// A name in an http address is looked up by somebody else: what it leads to is
// looked at before anything is sent.
func TestOnlyLoopback(t *testing.T) {
	tests := []struct {
		address string
		ok      bool
	}{
		{"127.0.0.1:80", true}, {"127.3.2.1:80", true}, {"[::1]:80", true}, {"[::ffff:127.0.0.1]:80", true},
		{"10.0.0.1:80", false}, {"0.0.0.0:80", false}, {"[::]:80", false}, {"[fe80::1]:80", false}, {"localhost:80", false}, {"", false},
	}
	for _, test := range tests {
		if err := onlyLoopback("tcp", test.address, nil); (err == nil) != test.ok {
			t.Errorf("%q: %v", test.address, err)
		}
	}
	if len(tests) != 10 {
		t.Errorf("ran %d cases, want 10", len(tests))
	}
	local, err := ReadAddress("http://localhost:1/")
	if err != nil || !local.local {
		t.Errorf("localhost is %+v, %v", local.local, err)
	}
	if tls, err := ReadAddress("https://localhost:1/"); err != nil || tls.local {
		t.Errorf("with TLS it is %+v, %v", tls.local, err)
	}
}
