package shell

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"regexp"
	"unicode/utf16"
)

// errNotAPK is that some bytes are no app.
var errNotAPK = message("Failed to parse base.apk: no AndroidManifest.xml with a package")

// plainManifest finds the package in a manifest that is XML as text, which is
// what simulated apps have.
var plainManifest = regexp.MustCompile(`<manifest[^>]*\spackage="([A-Za-z0-9_.]{1,200})"`)

// packageForm is what a package may be called.
var packageForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$`)

// PackageName is the package of an app, read from its manifest: binary XML, as
// in a real one, or text.
func PackageName(apk []byte) (string, error) {
	archive, err := zip.NewReader(bytes.NewReader(apk), int64(len(apk)))
	if err != nil {
		return "", errNotAPK
	}
	f, err := archive.Open("AndroidManifest.xml")
	if err != nil {
		return "", errNotAPK
	}
	defer f.Close()
	manifest, err := io.ReadAll(io.LimitReader(f, 4<<20))
	if err != nil {
		return "", errNotAPK
	}
	name := ""
	if m := plainManifest.FindSubmatch(manifest); m != nil {
		name = string(m[1])
	} else {
		name = binaryManifest(manifest)
	}
	if !packageForm.MatchString(name) {
		return "", errNotAPK
	}
	return name, nil
}

// Chunks of binary XML (ResourceTypes.h).
const (
	chunkStrings = 0x0001
	chunkElement = 0x0102
)

// binaryManifest is the attribute "package" of the first element "manifest", or
// nothing.
func binaryManifest(b []byte) string {
	if len(b) < 8 {
		return ""
	}
	var pool []string
	for b = b[8:]; len(b) >= 8; {
		kind, header := binary.LittleEndian.Uint16(b), int(binary.LittleEndian.Uint16(b[2:]))
		size := int(binary.LittleEndian.Uint32(b[4:]))
		if size < 8 || size > len(b) || header > size {
			return ""
		}
		chunk := b[:size]
		switch kind {
		case chunkStrings:
			pool = stringPool(chunk, header)
		case chunkElement:
			if name := manifestPackage(chunk, header, pool); name != "" {
				return name
			}
		}
		b = b[size:]
	}
	return ""
}

// manifestPackage reads an element's attributes: 20 bytes each, the second
// number is the name, the third the value as text.
func manifestPackage(chunk []byte, header int, pool []string) string {
	if len(chunk) < header+20 {
		return ""
	}
	body := chunk[header:]
	text := func(b []byte) string {
		if i := binary.LittleEndian.Uint32(b); uint64(i) < uint64(len(pool)) {
			return pool[i]
		}
		return ""
	}
	if text(body[4:]) != "manifest" {
		return ""
	}
	start, count := int(binary.LittleEndian.Uint16(body[8:])), int(binary.LittleEndian.Uint16(body[12:]))
	for i := range count {
		at := start + 20*i
		if at+20 > len(body) {
			return ""
		}
		if text(body[at+4:]) == "package" {
			return text(body[at+8:])
		}
	}
	return ""
}

// stringPool reads the texts of a pool, in UTF-8 or UTF-16.
func stringPool(chunk []byte, header int) []string {
	if len(chunk) < 28 || header < 28 {
		return nil
	}
	count, flags := int(binary.LittleEndian.Uint32(chunk[8:])), binary.LittleEndian.Uint32(chunk[16:])
	start := int(binary.LittleEndian.Uint32(chunk[20:]))
	if count < 0 || count > len(chunk)/4 {
		return nil
	}
	pool := make([]string, 0, count)
	for i := range count {
		if header+4*i+4 > len(chunk) {
			return nil
		}
		at := start + int(binary.LittleEndian.Uint32(chunk[header+4*i:]))
		if at < 0 || at+2 > len(chunk) {
			return nil
		}
		if flags&0x100 != 0 {
			pool = append(pool, shortUTF8(chunk[at:]))
		} else {
			pool = append(pool, shortUTF16(chunk[at:]))
		}
	}
	return pool
}

// shortUTF8 is a text whose two lengths have a byte each; longer ones are not
// names of packages.
func shortUTF8(b []byte) string {
	n := int(b[1])
	if b[0]&0x80 != 0 || b[1]&0x80 != 0 || len(b) < 2+n {
		return ""
	}
	return string(b[2 : 2+n])
}

func shortUTF16(b []byte) string {
	n := int(binary.LittleEndian.Uint16(b))
	if n&0x8000 != 0 || len(b) < 2+2*n {
		return ""
	}
	units := make([]uint16, n)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(b[2+2*i:])
	}
	return string(utf16.Decode(units))
}
