package ledger

import (
	"context"
	"testing"
	"time"
)

// BenchmarkAppend makes rows of the size of a usual decision.
func BenchmarkAppend(b *testing.B) {
	entry := Entry{KindDecision, "act_000001", sampleDecision("act_000001")}
	head := Head{}
	bytes := 0
	for b.Loop() {
		row, next, err := head.Append(noon, entry)
		if err != nil {
			b.Fatal(err)
		}
		head, bytes = next, len(row.Data)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
	b.ReportMetric(float64(bytes), "bytes/row")
}

// BenchmarkVerify reads 10,000 decisions with a checkpoint every 500.
func BenchmarkVerify(b *testing.B) {
	const rows = 10_000
	l := newBuilt(b)
	for i := range rows {
		l.append(b, noon.Add(time.Duration(i)*time.Second), Entry{KindDecision, "act_000001", sampleDecision("act_000001")})
		if i%500 == 499 {
			l.checkpoint(b)
		}
	}
	for b.Loop() {
		report, err := Verify(context.Background(), &l.stored, l.publicKey, nil)
		if err != nil || !report.OK() || report.Rows != rows {
			b.Fatal(report.First, err)
		}
	}
	b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
