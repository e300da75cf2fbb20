//go:build race

package lexicon

// raceDetector says that pools drop at random what is put into them.
const raceDetector = true
