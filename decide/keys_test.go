package decide

import (
	"strings"
	"testing"
)

// A request reads the same to everybody: no field twice, no name in other
// letters, no array longer than what it is read into.
func TestRequestIsRead(t *testing.T) {
	for _, row := range []struct{ name, json, says string }{
		{"plain", `{"action":{"kind":"tap","x":1,"y":2},"screen":{"tree":"a \"kind\": b"}}`, ""},
		{"the same name in two objects", `{"action":{"kind":"tap"},"screen":{"package":"a"},"target":{"text":"x"},"llm":{"reason":"x"}}`, ""},
		{"blanks before the colon", "{\"action\" \n:{\"kind\"\t: \"tap\"}}", ""},
		{"a field twice", `{"action":{"kind":"wait"},"action":{"kind":"tap"}}`, `"action" is given twice`},
		{"a field twice inside", `{"action":{"kind":"tap","kind":"wait"}}`, `"kind" is given twice`},
		{"a name in capitals", `{"Action":{"kind":"tap"}}`, `"Action" instead of "action"`},
		{"a name in escapes", `{"action":{"\u006bind":"tap"}}`, `instead of "kind"`},
		{"an unknown field", `{"action":{"kind":"tap","force":true}}`, `unknown field "force"`},
		{"more than one", `{"action":{"kind":"tap"}} {}`, "more data"},
	} {
		_, err := ReadRequest([]byte(row.json))
		switch {
		case row.says == "" && err != nil:
			t.Errorf("%s: %v", row.name, err)
		case row.says != "" && (err == nil || !strings.Contains(err.Error(), row.says)):
			t.Errorf("%s: error %v, want one that says %s", row.name, err, row.says)
		}
	}
}

func FuzzExactKeys(f *testing.F) {
	f.Add([]byte(`{"action":{"kind":"tap","selector":{"text":"\\\""}},"screen":{"tree":"<a/>"}}`))
	f.Add([]byte(`[{"a":["b",{"c":"d"}]}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		req, err := ReadRequest(data)
		if (req == nil) == (err == nil) {
			t.Fatal("a request and an error, or neither")
		}
	})
}
