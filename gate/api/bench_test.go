package api_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// connections is how many clients ask at a time.
const connections = 16

// BenchmarkDecide is the row of the budgets for POST /v1/decide: at least 15,000
// requests a second on two cores with 16 connections and a body of 2 kB, the
// slowest of a hundred within 10 ms. The client writes and reads bytes, so that
// most of the time goes to the server.
func BenchmarkDecide(b *testing.B) {
	for _, bc := range []struct{ name, body string }{
		{"target", targetBody()}, {"tree", treeBody()},
	} {
		b.Run(bc.name, func(b *testing.B) {
			f := newFixture(b, func(s *settings) { s.gate.Limits.PureRate = -1; s.gate.Now, s.desk.Now = nil, nil })
			benchmarkDecide(b, f, bc.body)
		})
	}
}

func benchmarkDecide(b *testing.B, f *fixture, body string) {
	if n := len(body); n < 1900 || n > 2200 {
		b.Fatalf("the body has %d bytes", n)
	}
	host := strings.TrimPrefix(f.server.URL, "http://")
	request := fmt.Appendf(nil, "POST /v1/decide HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		host, f.token, len(body), body)
	var left atomic.Int64
	var mu sync.Mutex
	var took []time.Duration
	var clients sync.WaitGroup
	b.ResetTimer()
	left.Store(int64(b.N))
	for range connections {
		clients.Go(func() {
			conn, err := net.Dial("tcp", host)
			if err != nil {
				b.Error(err)
				return
			}
			defer conn.Close()
			answers := bufio.NewReader(conn)
			mine := make([]time.Duration, 0, b.N/connections+16)
			for left.Add(-1) >= 0 {
				begun := time.Now()
				if err := exchange(conn, answers, request); err != nil {
					b.Error(err)
					return
				}
				mine = append(mine, time.Since(begun))
			}
			mu.Lock()
			took = append(took, mine...)
			mu.Unlock()
		})
	}
	clients.Wait()
	b.StopTimer()
	slices.Sort(took)
	b.ReportMetric(float64(len(took))/b.Elapsed().Seconds(), "requests/s")
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}

// exchange sends one request and reads its answer.
func exchange(conn net.Conn, answers *bufio.Reader, request []byte) error {
	if _, err := conn.Write(request); err != nil {
		return err
	}
	res, err := http.ReadResponse(answers, nil)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(res.Body)
		return fmt.Errorf("%s: %s", res.Status, text)
	}
	_, err = io.Copy(io.Discard, res.Body)
	return err
}

// targetBody is a request with a resolved control: the five signals of the
// budget for one decision, a few labels, and the task as an agent words it.
func targetBody() string {
	task := strings.Repeat("Buy two notebooks of the same kind as last time, if they are still to be had for less than 30 EUR. ", 14)
	return `{"id":"c17","action":{"kind":"tap"},"screen":{"package":"com.example.shop","activity":".Checkout","width":1080,"height":2400},
		"target":{"text":"Place order","content_desc":"Complete purchase","resource_id":"com.example.shop:id/btn_confirm","class":"android.widget.Button",
		"bounds":[40,2100,1040,2240],"dialog_title":"Your order","dialog_message":"Two items, 24.10 EUR. Deliver to Main Street 5?",
		"descendants":["Place order","2 items","24.10 EUR"]},"locale":"en","task":"` + task + `","llm":{"requires_confirmation":false,"reason":"the basket is complete and the address is right"}}`
}

// treeBody is a request with a small UI tree.
func treeBody() string {
	var b strings.Builder
	b.WriteString(`{"id":"c17","action":{"kind":"tap","x":950,"y":2150},"screen":{"package":"com.whatsapp","width":1080,"height":2400,"tree":"<hierarchy rotation=\"0\"><node class=\"android.widget.FrameLayout\" package=\"com.whatsapp\" bounds=\"[0,0][1080,2400]\">`)
	for i := range 8 {
		fmt.Fprintf(&b, `<node class=\"android.widget.TextView\" text=\"Message %d, as it was read\" package=\"com.whatsapp\" resource-id=\"com.whatsapp:id/message\" enabled=\"true\" bounds=\"[0,%d][1080,%d]\"/>`, i, 200+i*200, 390+i*200)
	}
	b.WriteString(`<node class=\"android.widget.ImageButton\" resource-id=\"com.whatsapp:id/send\" content-desc=\"Send\" package=\"com.whatsapp\" clickable=\"true\" enabled=\"true\" bounds=\"[900,2100][1000,2200]\"/></node></hierarchy>"},"task":"answer Anna","llm":{"requires_confirmation":false}}`)
	return b.String()
}
