package redact

import (
	"sync"
	"unicode"
)

// folds maps characters to those they count as; 0 is one that shows nothing. The
// table covers alphabets; what is above it stays as it is, except wide forms.
type folds struct {
	low  [0x3100]uint16
	wide [0x500]uint16 // from 0xfb00
}

var folding = sync.OnceValue(func() *folds {
	t := new(folds)
	for r := range t.low {
		t.low[r] = uint16(foldRune(rune(r)))
	}
	for i := range t.wide {
		t.wide[i] = uint16(foldRune(rune(i + 0xfb00)))
	}
	for _, pair := range alike {
		for _, r := range pair.from {
			t.low[r] = uint16(pair.to)
		}
	}
	return t
})

func (t *folds) rune(r rune) rune {
	switch {
	case r < rune(len(t.low)):
		return rune(t.low[r])
	case r == 0x3164: // the Hangul filler
		return 0
	case r < 0xa000: // Han
		return r
	case r >= 0xfb00 && r < 0x10000:
		return rune(t.wide[r-0xfb00])
	case r < 0x10000: // Hangul and a few more
		if unicode.Is(unicode.Nd, r) {
			return decimal(r)
		}
		return r
	case r >= 0xe0000 && r < 0xe1000: // tags and variation selectors
		return 0
	case unicode.Is(unicode.Nd, r):
		return decimal(r)
	}
	return r
}

// decimal is the ASCII digit of a decimal digit. Unicode has them in runs of ten
// that begin with zero, several runs in a row for mathematical digits.
func decimal(r rune) rune {
	for _, x := range unicode.Nd.R32 {
		if r >= rune(x.Lo) && r <= rune(x.Hi) {
			return '0' + (r-rune(x.Lo))%10
		}
	}
	for _, x := range unicode.Nd.R16 {
		if r >= rune(x.Lo) && r <= rune(x.Hi) {
			return '0' + (r-rune(x.Lo))%10
		}
	}
	return r
}

// foldRune is what one character counts as, letters without accents apart.
func foldRune(r rune) rune {
	switch {
	case r == 0x85 || r == 0x2028 || r == 0x2029:
		return '\n'
	case unicode.Is(unicode.Zs, r):
		return ' '
	case showsNothing(r):
		return 0
	case unicode.Is(unicode.Nd, r):
		return decimal(r)
	case unicode.Is(unicode.Pd, r) || r == 0x2212 || r == 0x2043:
		return '-'
	case r == 0xff0c: // a comma that is never part of a number
		return ';'
	case r >= 0xff01 && r <= 0xff5e:
		return r - 0xfee0
	}
	return unicode.ToLower(r)
}

// showsNothing is true for default-ignorable characters and for marks that a
// writer may leave out.
func showsNothing(r rune) bool {
	switch {
	case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r),
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r):
		return true
	case r >= 0x300 && r <= 0x36f, // accents
		r >= 0x20d0 && r <= 0x20f0, // enclosing marks, as in keycaps
		r >= 0x591 && r <= 0x5c7,   // Hebrew points
		r >= 0x64b && r <= 0x65f,   // Arabic vowels
		r == 0x640, r == 0x670,     // tatweel, superscript alef
		r == 0x93c, r == 0x9bc: // nukta
		return true
	}
	return false
}

// alike are letters that are folded together: accents, final forms, and letters
// that keyboards of neighbouring languages exchange.
var alike = []struct {
	from string
	to   rune
}{
	{"àáâãäåāăąǎạảấầẩẫậắằẳẵặÀÁÂÃÄÅĀĂĄǍẠẢẤẦẨẪẬẮẰẲẴẶ", 'a'},
	{"çćĉċčÇĆĈĊČ", 'c'},
	{"ďđĎĐ", 'd'},
	{"èéêëēĕėęěẹẻẽếềểễệÈÉÊËĒĔĖĘĚẸẺẼẾỀỂỄỆ", 'e'},
	{"ĝğġģĜĞĠĢ", 'g'},
	{"ìíîïĩīĭįıỉịÌÍÎÏĨĪĬĮİỈỊ", 'i'},
	{"ķĶ", 'k'},
	{"ĺļľłĹĻĽŁ", 'l'},
	{"ñńņňÑŃŅŇ", 'n'},
	{"òóôõöøōŏőơọỏốồổỗộớờởỡợÒÓÔÕÖØŌŎŐƠỌỎỐỒỔỖỘỚỜỞỠỢ", 'o'},
	{"ŕŗřŔŖŘ", 'r'},
	{"śŝşšșŚŜŞŠȘ", 's'},
	{"ţťțŢŤȚ", 't'},
	{"ùúûüũūŭůűųưụủứừửữựÙÚÛÜŨŪŬŮŰŲƯỤỦỨỪỬỮỰ", 'u'},
	{"ýÿŷỳỵỷỹÝŸŶỲỴỶỸ", 'y'},
	{"źżžŹŻŽ", 'z'},
	{"άΆ", 'α'}, {"έΈ", 'ε'}, {"ήΉ", 'η'}, {"ίϊΐΊΪ", 'ι'}, {"όΌ", 'ο'}, {"ύϋΰΎΫ", 'υ'}, {"ώΏ", 'ω'}, {"ς", 'σ'},
	{"ёЁ", 'е'}, {"ґҐ", 'г'},
	{"ىی", 'ي'}, {"ک", 'ك'}, {"أإآ", 'ا'}, {"ة", 'ه'},
	{"\u0958", 'क'}, {"\u0959", 'ख'}, {"\u095a", 'ग'}, {"\u095b", 'ज'}, {"\u095c", 'ड'}, {"\u095d", 'ढ'}, {"\u095e", 'फ'}, {"\u095f", 'य'},
	{"\u09dc", 'ড'}, {"\u09dd", 'ঢ'}, {"\u09df", 'য'},
	{"‘’‚′", '\''}, {"“”„″«»", '"'}, {"\u2236", ':'}, {"、", ';'}, {"。", '\n'}, {"「『【〔", '('}, {"」』】〕", ')'},
}
