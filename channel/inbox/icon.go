package inbox

import "fmt"

// Icon draws the sign of a browser's tab, with a badge where questions wait.
// Above 99 it says so.
func Icon(waiting int) []byte {
	const sign = `<rect width="32" height="32" rx="8" fill="#182026"/>` +
		`<path d="M6 17l5 5 9-11M15 21l1.5 1L26 10.5" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/>`
	badge := ""
	if waiting > 0 {
		number, size := fmt.Sprint(waiting), 15
		if waiting > 9 {
			size = 12
		}
		if waiting > 99 {
			number, size = "99+", 9
		}
		badge = fmt.Sprintf(`<circle cx="21.5" cy="21.5" r="10.5" fill="#c62121" stroke="#fff"/>`+
			`<text x="21.5" y="%g" font-family="system-ui,Arial,sans-serif" font-size="%d" font-weight="700" text-anchor="middle" fill="#fff">%s</text>`,
			21.5+0.36*float64(size), size, number)
	}
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">%s%s</svg>`, sign, badge)
}
