package phone

import (
	"bytes"
	"image"
	"image/png"
	"testing"
)

// picture takes a screenshot and reads it again.
func picture(t testing.TB, p *Phone) image.Image {
	t.Helper()
	data, err := p.Screenshot()
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// shades counts the different colours within a rectangle.
func shades(img image.Image, r image.Rectangle) int {
	seen := map[[3]uint32]bool{}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			red, green, blue, _ := img.At(x, y).RGBA()
			seen[[3]uint32{red, green, blue}] = true
		}
	}
	return len(seen)
}

func TestEachTextCanBeSeenInThePicture(t *testing.T) {
	texts := 0
	for _, c := range allScreens(t) {
		p := newPhone(t, Options{Width: 540, Height: 1200, Density: 210})
		show(p, c)
		if c.screen == "pin" {
			continue // nothing of it may be seen
		}
		img := picture(t, p)
		if img.Bounds() != image.Rect(0, 0, 540, 1200) {
			t.Fatalf("%v: the picture is %v", c, img.Bounds())
		}
		for _, n := range p.Nodes() {
			if n.Text == "" || n.Bounds.Dy() < 20 {
				continue
			}
			texts++
			if got := shades(img, n.Bounds.Inset(8)); got < 4 {
				t.Errorf("%v: %q in %v has %d shades", c, n.Text, n.Bounds, got)
			}
		}
	}
	if texts < 120 {
		t.Errorf("%d texts were looked at", texts)
	}
}

func TestASecureWindowIsBlack(t *testing.T) {
	p := newPhone(t, Options{})
	_ = p.Start(Intent{Action: actionMain, Package: "com.starlingbank.android"})
	free := image.Rect(0, 63, 1080, 2400-126)
	img := picture(t, p)
	if got := shades(img, free); got != 1 {
		t.Errorf("%d shades", got)
	}
	if r, g, b, _ := img.At(500, 500).RGBA(); r+g+b != 0 {
		t.Error("it is not black")
	}
	if shades(img, image.Rect(0, 0, 1080, 63)) < 2 {
		t.Error("the status bar is black too")
	}
}

func TestThePictureOfAPasswordIsDots(t *testing.T) {
	var pin *Phone
	var pictures [2][]byte
	for i, secret := range []string{"1111", "WWWW"} {
		pin = newPhone(t, Options{})
		show(pin, screenCase{"com.starlingbank.android", "pin"})
		pin.apps["com.starlingbank.android"].variables["pin"] = secret[:3]
		pin.mu.Lock()
		def := *pin.front().top().def
		def.secure = false
		pin.front().top().def = &def
		pin.changed()
		pin.mu.Unlock()
		data, err := pin.Screenshot()
		if err != nil {
			t.Fatal(err)
		}
		pictures[i] = data
	}
	if !bytes.Equal(pictures[0], pictures[1]) {
		t.Error("the picture gives the password away")
	}
	if shades(picture(t, pin), labelled(t, pin, "#pin").Bounds.Inset(20)) < 4 {
		t.Error("there are no dots")
	}
}

func TestThePictureFollowsTheScreen(t *testing.T) {
	p := newPhone(t, Options{})
	before, _ := p.Screenshot()
	again, _ := p.Screenshot()
	if !bytes.Equal(before, again) {
		t.Error("two pictures of the same screen differ")
	}
	step(t, p, "tap Notes")
	if after, _ := p.Screenshot(); bytes.Equal(before, after) {
		t.Error("the picture does not change")
	}
	p.SetRotation(3)
	if got := picture(t, p).Bounds(); got != image.Rect(0, 0, 2400, 1080) {
		t.Errorf("turned it is %v", got)
	}
	p.Key(keySleep, false)
	if got := shades(picture(t, p), image.Rect(0, 0, 2400, 1080)); got != 1 {
		t.Errorf("in the dark it has %d shades", got)
	}
}

// BenchmarkScreenshot draws and packs 1080 by 2400 pixels.
func BenchmarkScreenshot(b *testing.B) {
	p := newPhone(b, Options{})
	_ = p.Start(Intent{Action: actionMain, Package: "com.android.messaging"})
	for b.Loop() {
		if _, err := p.Screenshot(); err != nil {
			b.Fatal(err)
		}
		p.Forget()
	}
}

// BenchmarkDump builds the screen anew and writes it.
func BenchmarkDump(b *testing.B) {
	p := newPhone(b, Options{})
	for b.Loop() {
		p.Tap(1, 1)
		if _, err := p.Dump(DumpOptions{}); err != nil {
			b.Fatal(err)
		}
		p.Forget()
	}
}
