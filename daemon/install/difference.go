package install

import (
	"strings"
)

// difference lists the lines that two short texts do not share, in their order:
// "- " those of the first, "+ " those of the second.
func difference(from, to string) string {
	a, b := strings.Split(strings.TrimSuffix(from, "\n"), "\n"), strings.Split(strings.TrimSuffix(to, "\n"), "\n")
	// shared[x][y] is how many lines a[x:] and b[y:] have in common, in order.
	shared := make([][]int, len(a)+1)
	for x := range shared {
		shared[x] = make([]int, len(b)+1)
	}
	for x := len(a) - 1; x >= 0; x-- {
		for y := len(b) - 1; y >= 0; y-- {
			if a[x] == b[y] {
				shared[x][y] = shared[x+1][y+1] + 1
			} else {
				shared[x][y] = max(shared[x+1][y], shared[x][y+1])
			}
		}
	}
	var out strings.Builder
	for x, y := 0, 0; x < len(a) || y < len(b); {
		switch {
		case x < len(a) && y < len(b) && a[x] == b[y]:
			x, y = x+1, y+1
		case y == len(b) || x < len(a) && shared[x+1][y] >= shared[x][y+1]:
			out.WriteString("- " + a[x] + "\n")
			x++
		default:
			out.WriteString("+ " + b[y] + "\n")
			y++
		}
	}
	return out.String()
}
