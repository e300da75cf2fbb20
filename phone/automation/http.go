package automation

import (
	"encoding/json"
	"io"
	"net/http"

	"github.com/countersign/countersign/phone"
)

// object is a JSON object.
type object = map[string]any

// maxBody bounds what is read of a request, in bytes.
const maxBody = 32 << 20

// note writes down a call that reached a server: what it does, and its body.
func note(p *phone.Phone, server string, r *http.Request, does string, body []byte) {
	detail := r.Method + " " + r.URL.RequestURI()
	if does != "" {
		detail += " " + does
	}
	p.Note(phone.Event{Kind: "http", Detail: detail, Data: map[string]string{
		"server": server, "method": r.Method, "path": r.URL.RequestURI(), "does": does, "body": string(body),
	}})
}

// readBody reads a request's body.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	return io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
}

// write answers with a document.
func write(w http.ResponseWriter, status int, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		status, body = http.StatusInternalServerError, []byte(`{}`)
	}
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may have gone
}

// number reads a whole number of a document; a fraction is cut off.
func number(v any) (int, bool) {
	f, ok := v.(float64)
	return int(f), ok
}
