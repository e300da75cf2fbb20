package picture

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/countersign/countersign/screen"
)

// pngOf is a screenshot of one colour.
func pngOf(t *testing.T, w, h int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{color.White})); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func shotOf(t *testing.T, w, h int) Shot {
	t.Helper()
	shot, err := ReadShot(pngOf(t, w, h))
	if err != nil {
		t.Fatal(err)
	}
	return shot
}

func TestReadShot(t *testing.T) {
	small := image.NewPaletted(image.Rect(0, 0, 90, 200), color.Palette{color.White, color.Black})
	var asJPEG, asGIF bytes.Buffer
	if err := errors.Join(jpeg.Encode(&asJPEG, small, nil), gif.Encode(&asGIF, small, nil)); err != nil {
		t.Fatal(err)
	}
	whole := pngOf(t, 90, 200)
	tests := []struct {
		name string
		data []byte
		kind string // empty where it is refused
	}{
		{"a PNG", whole, "image/png"},
		{"a JPEG", asJPEG.Bytes(), "image/jpeg"},
		{"a PNG as large as may be", append(bytes.Clone(whole), make([]byte, MaxShot-len(whole))...), "image/png"},
		{"one byte more", append(bytes.Clone(whole), make([]byte, MaxShot-len(whole)+1)...), ""},
		{"a GIF, which this program can read", asGIF.Bytes(), ""},
		{"an SVG", []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>`), ""},
		{"a page", []byte("<!doctype html><p>hello"), ""},
		{"a PNG's first bytes", whole[:12], ""},
		{"nothing", nil, ""},
		{"few bytes, many pixels", pngOf(t, 16384, 2049), ""},
		{"a ribbon beyond any display", pngOf(t, 16385, 1), ""},
	}
	for _, tt := range tests {
		shot, err := ReadShot(tt.data)
		if shot.kind != tt.kind || (err == nil) != (tt.kind != "") || err != nil && (!errors.Is(err, ErrShot) || !shot.None()) {
			t.Errorf("%s: %q, %v", tt.name, shot.kind, err)
		}
		if tt.kind != "" && (shot.width != 90 || shot.height != 200 || shot.Size() != len(tt.data)) {
			t.Errorf("%s: %d x %d, %d bytes", tt.name, shot.width, shot.height, shot.Size())
		}
	}
	if len(tests) != 11 {
		t.Errorf("%d cases, want 11", len(tests))
	}
}

func TestQuestionOutlinesItsControl(t *testing.T) {
	s := readTree(t, "chat.xml")
	drawn := Question(s, Shot{}, Aim{Node: nodeSaying(t, s, "Pay\n24,10 €"), Critical: true}, "Chat: <Pay>")
	got := drawn.SVG
	golden(t, "question.svg", got)
	size := fmt.Sprintf(`width="%d" height="%d"`, drawn.Width, drawn.Height)
	if err := harmless(got); err != nil || !drawn.Aimed || !strings.Contains(string(got), size) {
		t.Errorf("aimed %v, %s, %v", drawn.Aimed, size, err)
	}
	for _, want := range []string{"<title>Chat: &lt;Pay&gt;</title>", "See you at eight", looks[critical].colour, `fill-rule="evenodd"`} {
		if !strings.Contains(string(got), want) {
			t.Errorf("the picture lacks %s", want)
		}
	}
	for _, secret := range []string{"correct", "horse", "battery"} {
		if strings.Contains(string(got), secret) {
			t.Errorf("the picture tells %q", secret)
		}
	}
}

// TestQuestionIsAimed: an outline stands where the control is, or nowhere.
func TestQuestionIsAimed(t *testing.T) {
	s := &screen.Screen{
		Width: 1080, Height: 2400,
		Windows: []screen.Window{{End: 3, Bounds: screen.Rect{Right: 1080, Bottom: 2400}}},
		Nodes: []screen.Node{
			{Text: "Pay", Parent: -1, End: 1, Bounds: screen.Rect{Left: 540, Top: 1200, Right: 1080, Bottom: 2400}},
			{Text: "beside it", Parent: -1, End: 2, Bounds: screen.Rect{Left: 1080, Right: 1200, Bottom: 100}},
			{Text: "1234", Parent: -1, End: 3, Bounds: screen.Rect{Right: 1080, Bottom: 120}, Flags: screen.Password},
		},
	}
	noSize := *s
	noSize.Width, noSize.Height, noSize.Nodes = 0, 0, s.Nodes[:1]
	// The picture is 360 px wide in a bezel of 7, so the lower right quarter begins
	// at 187 and 407; its outline is 3 px larger.
	const quarter, ring = `<rect x="184" y="404" width="186" height="406"`, `<circle cx="97" cy="47"`
	at := Aim{Node: -1, Pointed: true, X: 270, Y: 120}
	tests := []struct {
		name  string
		s     *screen.Screen
		shot  Shot
		aim   Aim
		want  string
		aimed bool
	}{
		{"from the tree", s, Shot{}, Aim{}, quarter, true},
		{"a finger where nothing is known", s, Shot{}, at, ring, true},
		{"no control", s, Shot{}, Aim{Node: -1}, "", false},
		{"a control that is not there", s, Shot{}, Aim{Node: 9}, "", false},
		{"a control beside the display", s, Shot{}, Aim{Node: 1}, "", false},
		{"a finger beside the display", s, Shot{}, Aim{Node: -1, Pointed: true, X: 1080, Y: 5}, "", false},
		{"over a screenshot", s, shotOf(t, 1080, 2400), Aim{}, quarter, true},
		{"over a smaller one", s, shotOf(t, 540, 1200), Aim{}, quarter, true},
		{"over one that lies on its side", s, shotOf(t, 2400, 1080), Aim{}, "", false},
		{"over one that is a bit higher", s, shotOf(t, 1080, 2460), Aim{}, "", false},
		{"the tree does not say its size", &noSize, shotOf(t, 1080, 2400), Aim{}, quarter, true},
		{"and goes beyond the screenshot", &noSize, shotOf(t, 900, 2000), Aim{}, "", false},
		{"a screenshot and no tree", nil, shotOf(t, 1080, 2400), at, ring, true},
		{"nothing", nil, Shot{}, Aim{}, "", false},
	}
	for _, tt := range tests {
		drawn := Question(tt.s, tt.shot, tt.aim, "")
		got, aimed := drawn.SVG, drawn.Aimed
		colour := `stroke="` + looks[asked].colour + `" stroke-width=`
		outlines := strings.Count(string(got), colour+`"3.5"/>`) + strings.Count(string(got), colour+`"3"/>`)
		if aimed != tt.aimed || outlines != map[bool]int{true: 1}[tt.aimed] || !strings.Contains(string(got), tt.want) {
			t.Errorf("%s: aimed %v with %d outlines, want %v and %s", tt.name, aimed, outlines, tt.aimed, tt.want)
		}
		if shown := strings.Contains(string(got), "<image "); shown == tt.shot.None() {
			t.Errorf("%s: the screenshot is there: %v", tt.name, shown)
		}
		if strings.Contains(string(got), "1234") {
			t.Errorf("%s: the picture tells what the password field holds", tt.name)
		}
	}
	if len(tests) != 14 {
		t.Errorf("%d cases, want 14", len(tests))
	}
}

// TestScreenshotsCoverSecrets: what a password field holds is on no screenshot
// either, as long as it is known where the field stands.
func TestScreenshotsCoverSecrets(t *testing.T) {
	s := &screen.Screen{
		Width: 1080, Height: 2400, Windows: []screen.Window{{End: 1, Bounds: screen.Rect{Right: 1080, Bottom: 2400}}},
		Nodes: []screen.Node{{Text: "1234", Parent: -1, End: 1, Bounds: screen.Rect{Right: 1080, Bottom: 120}, Flags: screen.Password}},
	}
	got := Question(s, shotOf(t, 1080, 2400), Aim{Node: -1}, "").SVG
	_, after, shown := strings.Cut(string(got), "base64,")
	data, _, _ := strings.Cut(after, `"`)
	if back, err := base64.StdEncoding.DecodeString(data); !shown || err != nil || !bytes.Equal(back, pngOf(t, 1080, 2400)) {
		t.Errorf("the screenshot is not in the picture as it came: %v", err)
	}
	if !strings.Contains(after, `<rect x="7" y="7" width="360" height="40" rx="4" fill="#fafafa"`) || !strings.Contains(after, "••••••") {
		t.Errorf("the password field is not covered: %s", after)
	}
}

// TestNear: the part around a control has the control on it, and is no larger
// than the screen.
func TestNear(t *testing.T) {
	at := func(r screen.Rect) *screen.Screen {
		return &screen.Screen{
			Width: 1080, Height: 2400, Windows: []screen.Window{{End: 1, Bounds: screen.Rect{Right: 1080, Bottom: 2400}}},
			Nodes: []screen.Node{{Text: "Pay", Parent: -1, End: 1, Bounds: r}},
		}
	}
	tests := []struct {
		name        string
		control     screen.Rect
		top, height int // of the part, in CSS pixels
	}{
		{"in the middle", screen.Rect{Left: 40, Top: 1140, Right: 1040, Bottom: 1260}, 282, 249},
		{"at the top", screen.Rect{Right: 1080, Bottom: 120}, 0, 249},
		{"at the foot", screen.Rect{Top: 2280, Right: 1080, Bottom: 2400}, 564, 249},
		{"a high one", screen.Rect{Top: 600, Right: 1080, Bottom: 1500}, 187, 340},
		{"as high as the screen", screen.Rect{Right: 1080, Bottom: 2400}, 182, 448},
	}
	for _, tt := range tests {
		near := Question(at(tt.control), Shot{}, Aim{Near: true}, "")
		whole := Question(at(tt.control), Shot{}, Aim{}, "")
		var y, w, h float64
		_, box, _ := strings.Cut(string(near.SVG), `viewBox="0 `)
		if n, err := fmt.Sscanf(box, "%f %f %f", &y, &w, &h); n != 3 || err != nil {
			t.Fatalf("%s: %v in %.80s", tt.name, err, box)
		}
		if int(y) != tt.top || near.Height != tt.height || near.Width != 374 || near.NearHeight != near.Height || whole.NearHeight != near.Height || whole.Height != 814 {
			t.Errorf("%s: from %v, %d x %d of %d x %d", tt.name, y, near.Width, near.Height, whole.Width, whole.Height)
		}
		if err := harmless(near.SVG); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if none := Question(at(screen.Rect{}), Shot{}, Aim{Node: -1, Near: true}, ""); none.Height != 814 {
		t.Errorf("without a control the part is %d high, not all of it", none.Height)
	}
	if len(tests) != 5 {
		t.Errorf("%d cases, want 5", len(tests))
	}
}
