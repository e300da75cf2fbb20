package redact

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/countersign/countersign/redact/redacttest"
)

func TestJSON(t *testing.T) {
	const hash = "hmac-sha256:4f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8"
	const hex64 = "4f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8"
	cases := []struct{ name, in, want string }{
		{"compact", " { \"b\" : 1 ,\n \"a\" : [ true , null ] } ", `{"b":1,"a":[true,null]}`},
		{"scalars", `"x"`, `"x"`},
		{"a value", `{"m":"Your code is 482913"}`, `{"m":"Your code is <redacted 6 chars>"}`},
		{"a key stays", `{"4111111111111111":"x"}`, `{"4111111111111111":"x"}`},
		{"secret keys", `{"password":"a","Passwd":"bc","client_secret":"d","otp":"123456","pin":1234,"cvv":"123","api_key":"k","Authorization":"Bearer x","Set-Cookie":"a=b","sessionToken":"t"}`,
			`{"password":"<redacted 1 chars>","Passwd":"<redacted 2 chars>","client_secret":"<redacted 1 chars>","otp":"<redacted 6 chars>","pin":"<redacted 4 chars>","cvv":"<redacted 3 chars>","api_key":"<redacted 1 chars>","Authorization":"<redacted 8 chars>","Set-Cookie":"<redacted 3 chars>","sessionToken":"<redacted 1 chars>"}`},
		{"under a secret key", `{"credentials":{"user":"bob","n":[1,"x",true]}}`, `{"credentials":{"user":"<redacted 3 chars>","n":["<redacted 1 chars>","<redacted 1 chars>",true]}}`},
		{"says that there is one", `{"password":false,"secret":null,"token":""}`, `{"password":false,"secret":null,"token":""}`},
		{"a password field", `{"text":"S3cret-example","hint":"Password","password":true,"n":{"text":"ok"}}`, `{"text":"<redacted 14 chars>","hint":"Password","password":true,"n":{"text":"ok"}}`},
		{"a password field, the flag first", `{"password":true,"text":"abc","text":"defg"}`, `{"password":true,"text":"<redacted 3 chars>","text":"<redacted 4 chars>"}`},
		{"no password field", `{"text":"hello","password":false}`, `{"text":"hello","password":false}`},
		{"not secret", `{"token_count":12345,"key":"ENTER","code":"no_screen","status_code":40001,"max_tokens":4096,"password_field":"x"}`, `{"token_count":12345,"key":"ENTER","code":"no_screen","status_code":40001,"max_tokens":4096,"password_field":"x"}`},
		{"a code", `{"code":"482913"}`, `{"code":"<redacted 6 chars>"}`},
		{"ours", `{"id":"c17","idempotency_key":"` + hex64 + `","digest":"` + hash + `","policy":"default@sha256:0123456789abcdef","hash":"` + hex64 + `","prev":"q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA="}`,
			`{"id":"c17","idempotency_key":"` + hex64 + `","digest":"` + hash + `","policy":"default@sha256:0123456789abcdef","hash":"` + hex64 + `","prev":"q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA="}`},
		{"no hiding place", `{"id":"4111111111111111","idempotency_key":"csa_abcdefghijklm234567"}`, `{"id":"<redacted 16 chars>","idempotency_key":"<redacted 23 chars>"}`},
		{"a card as a number", `{"n":4111111111111111,"t":1700000000000000,"f":0.4111111111111111}`, `{"n":"<redacted 16 chars>","t":1700000000000000,"f":0.4111111111111111}`},
		{"escapes", `{"m":"a\u00e4\n\"q\"","n":"code \u0031\u0032\u0033\u0034\u0035\u0036\n\t\"\\\u0001"}`, `{"m":"a\u00e4\n\"q\"","n":"code <redacted 6 chars>\n\t\"\\\u0001"}`},
		{"an escaped key", `{"pass\u0077ord":"abc"}`, `{"pass\u0077ord":"<redacted 3 chars>"}`},
		{"JSON in a string", `{"body":"{\"password\":\"hunter2\",\"n\":1}"}`, `{"body":"{\"password\":\"<redacted 7 chars>\",\"n\":1}"}`},
	}
	for _, c := range cases {
		got, err := JSON([]byte(c.in))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %s %v\n\twant %s", c.name, got, err, c.want)
			continue
		}
		if again, err := JSON(got); err != nil || !bytes.Equal(again, got) {
			t.Errorf("%s: again it is %s %v", c.name, again, err)
		}
	}
}

func TestJSONRefusesWhatIsNone(t *testing.T) {
	cases := []string{
		"", " ", "{", "}", "[", "[1", "[1,", "[1,]", "{1:2}", `{"a"}`, `{"a":}`, `{"a":1,}`, `{"a":1 "b":2}`, `"`, `"\x"`, `"\u12g4"`, "\"\n\"",
		"tru", "nul", "01", "-", "1.", "1e", "1e+", "+1", ".5", "1 2", "{} x", "'a'", "NaN", "\ufeff{}", strings.Repeat("[", 5000),
	}
	for _, in := range cases {
		out, err := JSON([]byte(in))
		if !errors.Is(err, ErrJSON) || out != nil {
			t.Errorf("%.20q: %q, %v", in, out, err)
		}
	}
}

func TestJSONHidesPlantedSecrets(t *testing.T) {
	for _, s := range redacttest.Planted() {
		doc, err := json.Marshal(map[string]any{"target": map[string]any{"text": s.Text}, "facts": []string{s.Text}, "n": 1})
		if err != nil {
			t.Fatal(err)
		}
		out, err := JSON(doc)
		if err != nil {
			t.Fatal(err)
		}
		var back struct {
			Target struct{ Text string }
			Facts  []string
		}
		if err := json.Unmarshal(out, &back); err != nil {
			t.Fatal(err)
		}
		if back.Target.Text != Text(s.Text) || back.Facts[0] != Text(s.Text) {
			t.Errorf("in a document %q is %q", s.Text, back.Target.Text)
		}
		if left := survives(s, string(out)); left != "" {
			t.Errorf("%q is left in %s", left, out)
		}
	}
}

func TestJSONDoesNotChangeItsInput(t *testing.T) {
	doc := []byte(`{"password":true,"text":"hunter2","m":"PIN 1234"}`)
	before := string(doc)
	if _, err := JSON(doc); err != nil || string(doc) != before {
		t.Errorf("%s %v", doc, err)
	}
}

func TestNames(t *testing.T) {
	cases := map[string]grade{
		"password": gradeSure, "newPassword": gradeSure, "password_confirmation": gradeSure, "PASSWORD2": gradeSure, "DB_PASSWORD": gradeSure,
		"api_key": gradeSure, "apiKey": gradeSure, "X-Api-Key": gradeSure, "APIKey": gradeSure, "secretAccessKey": gradeSure, "access_token": gradeSure,
		"sessionToken": gradeSure, "auth.token": gradeSure, "card_number": gradeSure, "recoveryPhrase": gradeSure, "verification_code": gradeSure,
		"set-cookie": gradeSure, "one_time_code": gradeSure, "jwt": gradeSure,
		"code": gradeCode, "key": gradeQuery, "sig": gradeSoft,
		"": gradeNone, "token_type": gradeNone, "tokens": gradeNone, "max_tokens": gradeNone, "next_page_token": gradeNone, "password_field": gradeNone,
		"secretary": gradeNone, "pinned": gradeNone, "text": gradeNone, "captured_at": gradeNone, "keyboard": gradeNone, "resource_id": gradeNone, "descendants": gradeNone,
		"___": gradeNone, "mapping": gradeNone, "status_code": gradeCode,
	}
	for name, want := range cases {
		if got := gradeName(name); got != want {
			t.Errorf("%q has grade %d, want %d", name, got, want)
		}
	}
}
