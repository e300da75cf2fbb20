//go:build !race

package lexicon

const raceDetector = false
