package catalog

import "unicode/utf8"

// maxPackage is the longest package id that is looked at, in bytes. Android
// allows 223, since the id becomes a directory name.
const maxPackage = 255

// packageDefect says why a string cannot be the id of an installed package, or
// "" if it can: letters, digits and underscores in segments that begin with a
// letter. A single segment ("android") is an id too.
func packageDefect(pkg string) string {
	switch {
	case pkg == "":
		return "no package"
	case len(pkg) > maxPackage:
		return "malformed package"
	}
	begins := true
	for i := 0; i < len(pkg); i++ {
		c := pkg[i]
		switch {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
			begins = false
		case begins:
			return "malformed package"
		case c == '.':
			begins = true
		case c != '_' && (c < '0' || c > '9'):
			return "malformed package"
		}
	}
	if begins {
		return "malformed package"
	}
	return ""
}

// fold writes pkg into buf in lower case, with one byte for every character:
// what is not ASCII becomes 0xff, so that each homoglyph counts as one edit. An
// id that is too long gives nothing.
func fold(buf *[maxPackage]byte, pkg string) []byte {
	if len(pkg) > maxPackage {
		return nil
	}
	n := 0
	for i := 0; i < len(pkg); n++ {
		c := pkg[i]
		if c >= utf8.RuneSelf {
			_, size := utf8.DecodeRuneInString(pkg[i:])
			buf[n] = 0xff
			i += size
			continue
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf[n] = c
		i++
	}
	return buf[:n]
}
