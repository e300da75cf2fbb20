package relay

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// BenchmarkCall is one call from an agent to a server on the phone and back, over
// TCP on the loopback: straight, through a plain copy, and through the relay, on
// one kept connection.
func BenchmarkCall(b *testing.B) {
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	phone := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":true}`)
	})}
	go func() { _ = phone.Serve(server) }()
	defer phone.Close()
	dial := func(context.Context) (net.Conn, error) { return net.Dial("tcp", server.Addr().String()) }

	memory := knows(UIAutomator2)
	for _, way := range []struct {
		name string
		pass func(client, device net.Conn)
	}{
		{"straight", nil},
		{"copied", func(client, device net.Conn) {
			go func() { _, _ = io.Copy(device, client) }()
			_, _ = io.Copy(client, device)
		}},
		{"judged", func(client, device net.Conn) {
			_ = device.Close()
			_ = HTTP(context.Background(), client, dial, Options{Memory: memory}, letAll)
		}},
	} {
		b.Run(way.name, func(b *testing.B) {
			address := server.Addr().String()
			if way.pass != nil {
				front, err := net.Listen("tcp", "127.0.0.1:0")
				if err != nil {
					b.Fatal(err)
				}
				defer front.Close()
				address = front.Addr().String()
				go relayAll(front, dial, way.pass)
			}
			client := &http.Client{Transport: &http.Transport{}}
			defer client.CloseIdleConnections()
			for b.Loop() {
				resp, err := client.Post("http://"+address+rpcPath, "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"click","params":[540,1200]}`))
				if err != nil {
					b.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
			}
		})
	}
}

func relayAll(front net.Listener, dial func(context.Context) (net.Conn, error), pass func(client, device net.Conn)) {
	for {
		client, err := front.Accept()
		if err != nil {
			return
		}
		device, err := dial(context.Background())
		if err != nil {
			return
		}
		go func() {
			defer client.Close()
			defer device.Close()
			pass(client, device)
		}()
	}
}

// BenchmarkRead is reading and understanding a call, without the network.
func BenchmarkRead(b *testing.B) {
	for _, c := range []struct {
		name, server, raw string
	}{
		{"uiautomator2 click", UIAutomator2, rpc("click", "[540,1200]")},
		{"uia2 actions", UIA2, w3c("actions", `{"actions":[{"type":"pointer","id":"f","actions":[{"type":"pointerMove","x":5,"y":6},{"type":"pointerDown"},{"type":"pause","duration":50},{"type":"pointerUp"}]}]}`)},
		{"portal tap", Portal, post("/tap", `{"x":540,"y":1200}`)},
		{"uia2 source", UIA2, get("/session/s1/source")},
	} {
		b.Run(c.name, func(b *testing.B) {
			m := knows(c.server)
			input := []byte(c.raw)
			b.ReportAllocs()
			for b.Loop() {
				head, err := parseHead(input[:strings.Index(c.raw, "\r\n\r\n")+4])
				if err != nil {
					b.Fatal(err)
				}
				req := &request{head: *head, raw: input, body: input[strings.Index(c.raw, "\r\n\r\n")+4:]}
				mean := servers[c.server].read(m, req)
				if !mean.reads && len(mean.acts) == 0 {
					b.Fatal("not understood")
				}
			}
		})
	}
}
