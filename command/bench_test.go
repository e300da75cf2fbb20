package command

import "testing"

func BenchmarkShell(b *testing.B) {
	for name, line := range map[string]string{
		"tap":       "input tap 540 2100",
		"chain":     "dumpsys window | grep mCurrentFocus && input keyevent 66; pm list packages -3",
		"broadcast": "am broadcast -a ADB_INPUT_B64 --es msg dHJhbnNmZXIgNTAw",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Shell(line)
			}
		})
	}
}

func BenchmarkDeepLink(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		DeepLink("https://www.paypal.com/paypalme/example/10")
	}
}
