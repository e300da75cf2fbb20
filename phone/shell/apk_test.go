package shell

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"testing"
	"unicode/utf16"
)

// zipped is an archive with one file.
func zipped(t testing.TB, name string, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(content)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// manifest is binary XML with an element "manifest" that has the package, as
// aapt writes it.
func manifest(pkg string, utf8 bool) []byte {
	le := binary.LittleEndian
	var offsets, data []byte
	for _, s := range []string{"manifest", "package", "versionName", pkg, "1.0"} {
		offsets = le.AppendUint32(offsets, uint32(len(data)))
		if utf8 {
			data = append(append(append(data, byte(len(s)), byte(len(s))), s...), 0)
			continue
		}
		data = le.AppendUint16(data, uint16(len(s)))
		for _, u := range utf16.Encode([]rune(s)) {
			data = le.AppendUint16(data, u)
		}
		data = append(data, 0, 0)
	}
	for len(data)%4 != 0 {
		data = append(data, 0)
	}
	chunk := func(kind, header uint16, body []byte) []byte {
		b := le.AppendUint16(le.AppendUint16(nil, kind), header)
		return append(le.AppendUint32(b, uint32(8+len(body))), body...)
	}
	flags := uint32(0)
	if utf8 {
		flags = 0x100
	}
	var pool []byte
	for _, n := range []uint32{5, 0, flags, 28 + 20, 0} {
		pool = le.AppendUint32(pool, n)
	}
	none := uint32(0xffffffff)
	element := le.AppendUint32(le.AppendUint32(nil, 1), none) // line, comment
	element = le.AppendUint32(le.AppendUint32(element, none), 0)
	for _, n := range []uint16{20, 20, 2, 0, 0, 0} {
		element = le.AppendUint16(element, n)
	}
	for _, attribute := range [][2]uint32{{2, 4}, {1, 3}} { // versionName, package
		for _, n := range []uint32{none, attribute[0], attribute[1], 0x03000008, attribute[1]} {
			element = le.AppendUint32(element, n)
		}
	}
	body := append(chunk(0x0001, 28, append(append(pool, offsets...), data...)), chunk(0x0102, 16, element)...)
	return chunk(0x0003, 8, body)
}

func TestPackageName(t *testing.T) {
	for _, c := range []struct {
		name string
		apk  []byte
		pkg  string
	}{
		{"text", zipped(t, "AndroidManifest.xml", []byte(`<manifest a="b" package="org.example.x">`)), "org.example.x"},
		{"binary, UTF-8", zipped(t, "AndroidManifest.xml", manifest("org.example.y", true)), "org.example.y"},
		{"binary, UTF-16", zipped(t, "AndroidManifest.xml", manifest("org.example.z", false)), "org.example.z"},
		{"another name", zipped(t, "Manifest.xml", []byte(`<manifest package="org.example.x">`)), ""},
		{"no package", zipped(t, "AndroidManifest.xml", []byte(`<manifest>`)), ""},
		{"a package that is none", zipped(t, "AndroidManifest.xml", []byte(`<manifest package="x">`)), ""},
		{"a path", zipped(t, "AndroidManifest.xml", manifest("../../x", true)), ""},
		{"no archive", []byte("x"), ""},
		{"nothing", nil, ""},
	} {
		got, err := PackageName(c.apk)
		if got != c.pkg || (err == nil) != (c.pkg != "") {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
}

// FuzzBinaryManifest: whatever the bytes are, what comes out was in them.
func FuzzBinaryManifest(f *testing.F) {
	f.Add(manifest("org.example.y", true))
	f.Add(manifest("org.example.z", false))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		name := binaryManifest(b)
		if !packageForm.MatchString(name) {
			return // PackageName refuses it
		}
		wide := make([]byte, 0, 2*len(name))
		for i := range len(name) {
			wide = append(wide, name[i], 0)
		}
		if !bytes.Contains(b, []byte(name)) && !bytes.Contains(b, wide) {
			t.Fatalf("%q came from elsewhere", name)
		}
	})
}

func BenchmarkTap(b *testing.B) {
	s := &Shell{Phone: newPhone(b)}
	for b.Loop() {
		onPhone(b, s, "input tap 5 5")
	}
}
