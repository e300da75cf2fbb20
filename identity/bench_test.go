package identity_test

import "testing"

// BenchmarkAgent is what the agents' HTTP door asks for each request.
func BenchmarkAgent(b *testing.B) {
	w := newWorld(b)
	_, token := w.agent(b, "robo", "emulator-5554")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := w.Agent(ctx, token); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAgentParallel is the same from all processors at once.
func BenchmarkAgentParallel(b *testing.B) {
	w := newWorld(b)
	_, token := w.agent(b, "robo", "emulator-5554")
	b.ReportAllocs()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			if _, err := w.Agent(ctx, token); err != nil {
				b.Fatal(err)
			}
		}
	})
}
