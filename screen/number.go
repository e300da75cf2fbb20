package screen

import (
	"math"
	"strings"
)

// parseBounds reads "[left,top][right,bottom]", in the way android.graphics.Rect
// writes itself. Empty text is a node without a place, and the empty rectangle.
func parseBounds(text string) (Rect, bool) {
	if text == "" {
		return Rect{}, true
	}
	left, top, rest, ok := leadingPoint(text)
	if !ok {
		return Rect{}, false
	}
	right, bottom, rest, ok := leadingPoint(rest)
	return Rect{left, top, right, bottom}, ok && rest == ""
}

// leadingPoint reads "[x,y]" at the beginning of the text.
func leadingPoint(text string) (x, y int32, rest string, ok bool) {
	if text == "" || text[0] != '[' {
		return 0, 0, "", false
	}
	x, rest, ok = leadingInt(text[1:])
	if !ok || rest == "" || rest[0] != ',' {
		return 0, 0, "", false
	}
	y, rest, ok = leadingInt(rest[1:])
	if !ok || rest == "" || rest[0] != ']' {
		return 0, 0, "", false
	}
	return x, y, rest[1:], true
}

// parseInt reads a decimal number. One that does not fit is the nearest that does.
func parseInt(text string) (int32, bool) {
	n, rest, ok := leadingInt(strings.TrimSpace(text))
	return n, ok && rest == ""
}

// leadingInt reads a decimal number at the beginning of the text, after spaces.
func leadingInt(text string) (n int32, rest string, ok bool) {
	for len(text) > 0 && text[0] == ' ' {
		text = text[1:]
	}
	negative := len(text) > 0 && text[0] == '-'
	if negative {
		text = text[1:]
	}
	i, sum := 0, int64(0)
	for ; i < len(text) && '0' <= text[i] && text[i] <= '9'; i++ {
		sum = min(sum*10+int64(text[i]-'0'), math.MaxInt32+1)
	}
	if i == 0 {
		return 0, text, false
	}
	if negative {
		return int32(-sum), text[i:], true
	}
	return int32(min(sum, math.MaxInt32)), text[i:], true
}

// quarterTurns reads a rotation, in quarter turns or in degrees.
func quarterTurns(n int32) int {
	switch {
	case n >= 0 && n <= 3:
		return int(n)
	case n > 0 && n%90 == 0:
		return int(n / 90 % 4)
	}
	return 0
}
