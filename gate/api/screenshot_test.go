package api_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/gate/api"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
)

// stripes is a picture of a phone's shape whose bytes are like nothing else.
var stripes = func() image.Image {
	m := image.NewPaletted(image.Rect(0, 0, 270, 600), color.Palette{color.White, color.Black, color.Gray{90}})
	for i := range m.Pix {
		m.Pix[i] = uint8(i * i % 3 * (i / 7 % 2))
	}
	return m
}()

// picture64 is a screenshot in base64, made as long as it is asked to be.
func picture64(t testing.TB, write func(*bytes.Buffer) error, bytesLong int) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	b.Write(make([]byte, max(0, bytesLong-b.Len())))
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

func asPNG(b *bytes.Buffer) error  { return png.Encode(b, stripes) }
func asJPEG(b *bytes.Buffer) error { return jpeg.Encode(b, stripes, nil) }
func asGIF(b *bytes.Buffer) error  { return gif.Encode(b, stripes, nil) }

// inFront puts a member into a JSON object, in front.
func inFront(body, member string) string { return "{" + member + "," + body[1:] }

// A screenshot is shown with the question as the agent's word: it changes neither
// the decision nor the digest, is stored nowhere, and is gone with the question.
func TestAScreenshotIsShownAndNothingElse(t *testing.T) {
	for path, body := range map[string]string{
		"/v1/actions":    sendTap,
		"/v1/agent/step": `{"current_package":"com.whatsapp","ui_tree":"` + chatTree + `","proposed_action":{"kind":"tap","x":950,"y":2150}}`,
	} {
		for kind, write := range map[string]func(*bytes.Buffer) error{"png": asPNG, "jpeg": asJPEG} {
			t.Run(path+" "+kind, func(t *testing.T) {
				plain := newFixture(t).call("POST", path, body)
				f := newFixture(t)
				shot := picture64(t, write, 0)
				got := f.call("POST", path, inFront(body, `"screenshot": "`+strings.ReplaceAll(shot, "/", `\/`)+`"`))
				if got.status != http.StatusAccepted || plain.status != http.StatusAccepted {
					t.Fatalf("%d %s, without it %d", got.status, got.raw, plain.status)
				}
				id := got.body.Approval.ID
				a, err := f.desk.View(f.ctx, id)
				f.must(err)
				digest := plain.body.Digest
				if plain.body.Decision != nil {
					digest = plain.body.Decision.Digest
				}
				if digest == "" || a.Digest != digest || a.Card.Observed {
					t.Errorf("the digest is %s, without the screenshot %s; observed: %v", a.Digest, digest, a.Card.Observed)
				}
				p := f.desk.Picture(id, "", false)
				if drawn := f.desk.Drawn(id, "", false); !p.Shot || !p.Tree || !strings.Contains(string(p.SVG), "data:image/"+kind+";base64,"+shot) || drawn.SVG == nil || drawn.Shot || strings.Contains(string(drawn.SVG), "data:") {
					t.Errorf("shot %v, tree %v; drawn beside it: %d bytes, shot %v", p.Shot, p.Tree, len(drawn.SVG), drawn.Shot)
				}
				if part := shot[300:340]; bytes.Contains(got.raw, []byte(part)) || strings.Contains(f.stored(), part) {
					t.Error("a part of it is told to the agent or stored")
				}
				f.answer(id, false, "")
				if p := f.desk.Picture(id, "", false); p.SVG != nil || p.Why != hold.NotKept {
					t.Errorf("after the answer: %d bytes, %q", len(p.SVG), p.Why)
				}
			})
		}
	}
}

// stored is every row and question of the store.
func (f *fixture) stored() string {
	f.t.Helper()
	rows, err := f.store.Rows(f.ctx, 0, 100_000)
	f.must(err)
	all, err := f.store.Approvals(f.ctx, hold.Query{})
	f.must(err)
	doc, err := json.Marshal([]any{rows, all})
	f.must(err)
	var text strings.Builder
	text.Write(doc)
	for i := range rows {
		text.Write(rows[i].Body)
	}
	return text.String()
}

// A second proposal of the same thing joins the question, and its screenshot does
// not take the place of the one that may be on somebody's page already.
func TestAScreenshotIsNotSwapped(t *testing.T) {
	f := newFixture(t)
	first, second := picture64(t, asPNG, 0), picture64(t, asJPEG, 0)
	id := f.hold(inFront(sendTap, `"screenshot":"`+first+`"`))
	if again := f.hold(inFront(sendTap, `"screenshot":"`+second+`"`)); again != id {
		t.Fatalf("another question: %s, %s", again, id)
	}
	if p := f.desk.Picture(id, "", false); !strings.Contains(string(p.SVG), first) || strings.Contains(string(p.SVG), second) {
		t.Error("the screenshot of the second proposal is shown")
	}
}

// What is no screenshot, or stands where none belongs, is refused with the reason,
// and nothing of the action is decided.
func TestBadScreenshots(t *testing.T) {
	good := picture64(t, asPNG, 0)
	shared := newFixture(t, func(s *settings) { s.gate.Limits.BadRate = -1 })
	cases := []struct {
		name, path, body string
		status           int
		code, says       string
	}{
		{"no base64", "/v1/actions", inFront(sendTap, `"screenshot":"%%%"`), 400, "bad_screenshot", "no base64"},
		{"a data link", "/v1/actions", inFront(sendTap, `"screenshot":"data:image/png;base64,`+good+`"`), 400, "bad_screenshot", "without a data: prefix"},
		{"base64 of links", "/v1/actions", inFront(sendTap, `"screenshot":"_-_-"`), 400, "bad_screenshot", "no base64"},
		{"cut short", "/v1/actions", inFront(sendTap, `"screenshot":"`+good[:len(good)-1]+`"`), 400, "bad_screenshot", "no base64"},
		{"a number", "/v1/actions", inFront(sendTap, `"screenshot":7`), 400, "bad_screenshot", "must be text"},
		{"a list", "/v1/actions", inFront(sendTap, `"screenshot":["`+good+`"]`), 400, "bad_screenshot", "must be text"},
		{"an object", "/v1/agent/step", inFront(stepSend, `"screenshot":{"png":"`+good+`"}`), 400, "bad_screenshot", "must be text"},
		{"no picture", "/v1/actions", inFront(sendTap, `"screenshot":"PHN2Zy8+"`), 422, "bad_screenshot", "PNG or a JPEG"},
		{"no picture, with a harmless action", "/v1/actions", inFront(backPress, `"screenshot":"PHN2Zy8+"`), 422, "bad_screenshot", "PNG or a JPEG"},
		{"a GIF", "/v1/agent/step", inFront(stepSend, `"screenshot":"`+picture64(t, asGIF, 0)+`"`), 422, "bad_screenshot", "PNG or a JPEG"},
		{"too large", "/v1/actions", inFront(sendTap, `"screenshot":"`+picture64(t, asPNG, hold.MaxScreenshot+1)+`"`), 422, "bad_screenshot", "at most 4194304 bytes"},
		{"given twice", "/v1/actions", inFront(inFront(sendTap, `"screenshot":"`+good+`"`), `"screenshot":"`+good+`"`), 400, "bad_request", "given twice"},
		{"given twice to a step", "/v1/agent/step", inFront(inFront(stepSend, `"screenshot":"`+good+`"`), `"screenshot":null`), 400, "bad_request", "given twice"},
		{"in other letters", "/v1/actions", inFront(sendTap, `"Screenshot":"`+good+`"`), 400, "bad_request", ""},
		{"its name with escapes", "/v1/actions", inFront(sendTap, `"screen\u0073hot":"`+good+`"`), 400, "bad_request", "screenshot"},
		{"its name with escapes, in a step", "/v1/agent/step", inFront(stepSend, `"screen\u0073hot":"`+good+`"`), 400, "bad_request", "escapes"},
		{"inside of the screen", "/v1/actions", `{"action":{"kind":"back"},"screen":{"screenshot":"` + good + `"}}`, 400, "bad_request", "screenshot"},
		{"with a pure decision", "/v1/decide", inFront(sendTap, `"screenshot":"`+good+`"`), 400, "bad_request", "screenshot"},
		{"a comma missing after it", "/v1/actions", `{"screenshot":"` + good + `" "action":{"kind":"back"}}`, 400, "bad_request", ""},
		{"a comma too many", "/v1/actions", `{"action":{"kind":"back"},"screenshot":"` + good + `",}`, 400, "bad_request", ""},
		{"nothing else", "/v1/actions", `{"screenshot":"` + good + `"}`, 400, "bad_request", "action.kind"},
	}
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			f := shared.as(t)
			before := len(f.rows(ledger.KindDecision))
			a := f.call("POST", tt.path, tt.body)
			var p struct{ Code, Detail string }
			f.must(json.Unmarshal(a.raw, &p))
			if a.status != tt.status || p.Code != tt.code || !strings.Contains(p.Detail, tt.says) || len(p.Detail) > 1200 {
				t.Errorf("%d %.400s, want %d %s", a.status, a.raw, tt.status, tt.code)
			}
			if got := len(f.rows(ledger.KindDecision)); got != before {
				t.Error("it was decided")
			}
		})
	}
	if len(cases) != 21 {
		t.Errorf("%d cases", len(cases))
	}
}

// Where the field may stand, and what stands for none.
func TestWhereAScreenshotStands(t *testing.T) {
	shot := `"screenshot":"` + picture64(t, asPNG, 0) + `"`
	end := sendTap[:len(sendTap)-1]
	ran := 0
	for name, tt := range map[string]struct {
		body string
		shot bool
	}{
		"in front": {inFront(sendTap, shot), true}, "at the end": {end + "," + shot + "}", true}, "at the end, with blanks": {end + " , " + shot + " \n }", true},
		"between": {inFront(end+","+shot+`,"task":"t"}`, `"locale":"de"`), true}, "blanks around the colon": {inFront(sendTap, strings.Replace(shot, ":", " \n:\t", 1)), true},
		"null": {inFront(sendTap, `"screenshot":null`), false}, "empty": {inFront(sendTap, `"screenshot":""`), false},
		"the word as a value": {end + `,"task":"screenshot"}`, false}, "the word in a text": {end + `,"task":"\"screenshot\":\"x\""}`, false},
	} {
		ran++
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			if p := f.desk.Picture(f.hold(tt.body), "", false); p.Shot != tt.shot {
				t.Errorf("a screenshot is shown: %v", p.Shot)
			}
		})
	}
	if ran != 9 {
		t.Errorf("%d places", ran)
	}
}

// A body may be larger for its screenshot, and for nothing else.
func TestOnlyTheScreenshotMayBeLarger(t *testing.T) {
	most := int64(len(sendTap)) + 20
	f := newFixture(t, func(s *settings) { s.gate.Limits.Body = most })
	large := `"screenshot":"` + picture64(t, asPNG, hold.MaxScreenshot) + `"`
	id := f.hold(inFront(sendTap, large))
	if p := f.desk.Picture(id, "", false); !p.Shot {
		t.Error("the largest screenshot is not shown")
	}
	filling := strings.Repeat("x", 100)
	for name, body := range map[string]string{
		"no screenshot":                    inFront(sendTap, `"task":"`+filling+`"`),
		"a screenshot beside too much":     inFront(inFront(sendTap, `"task":"`+filling+`"`), large),
		"blanks":                           inFront(sendTap, strings.Repeat(" ", 100)+`"screenshot":null`),
		"another field as large as a shot": inFront(sendTap, strings.Replace(large, "screenshot", "task", 1)),
		"more than any screenshot":         inFront(sendTap, `"screenshot":"`+strings.Repeat("A", hold.MaxScreenshot*2)+`"`),
	} {
		if a := f.call("POST", "/v1/actions", body); a.status != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: %d %.300s", name, a.status, a.raw)
		}
	}
	for _, path := range []string{"/v1/decide", "/v1/actions/" + id + "/redeem", "/v1/actions/" + id + "/result"} {
		if a := f.call("POST", path, inFront(sendTap, large)); a.status != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: %d %.300s", path, a.status, a.raw)
		}
	}
	if a, err := f.desk.View(f.ctx, id); err != nil || a.State != approval.Pending {
		t.Errorf("the question is %v, %v", a.State, err)
	}
}

// What is left of a body when the screenshot was taken out is the same document
// without that field.
func FuzzCutScreenshot(f *testing.F) {
	for _, seed := range []string{`{"screenshot":"AAAA","a":1}`, `{"a":[{"screenshot":"x"}],"screenshot":"b\/c"}`, `{"a":"\"screenshot\":","screenshot" : null }`, `{"screenshot":"a","screenshot":"b"}`, `["screenshot"]`, `"screenshot"`, `{"screenshot":{}}`, `{"a":1 "screenshot":"x"}`, `{"\\":"\\\"","screenshot":"é"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		rest, value, p := api.CutScreenshot(bytes.Clone(body))
		if !json.Valid(body) {
			if p != nil || value != "" || !bytes.Equal(rest, body) {
				t.Fatalf("%q is no JSON, and something is cut: %q %v", body, rest, p)
			}
			return
		}
		var before, after map[string]json.RawMessage
		if json.Unmarshal(body, &before) != nil || bytes.Contains(body, []byte(`\u`)) {
			return // no object, or names in another spelling
		}
		if p != nil {
			var text *string
			if twice := bytes.Count(body, []byte(`"screenshot"`)) > 1; !twice && json.Unmarshal(before["screenshot"], &text) == nil {
				t.Fatalf("%q is refused: %v", body, p)
			}
			return
		}
		if err := json.Unmarshal(rest, &after); err != nil {
			t.Fatalf("%q becomes %q: %v", body, rest, err)
		}
		var want string
		if shot, there := before["screenshot"]; there && json.Unmarshal(shot, &want) != nil || want != value {
			t.Fatalf("%q holds %q, and %q was cut", body, want, value)
		}
		delete(before, "screenshot")
		if len(before) != len(after) {
			t.Fatalf("%q becomes %q", body, rest)
		}
		for name, was := range before {
			if !bytes.Equal(was, after[name]) {
				t.Fatalf("%q of %q becomes %q", name, body, after[name])
			}
		}
	})
}
