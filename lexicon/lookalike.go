package lexicon

import "unicode/utf8"

// Letters of other scripts that look like a Latin letter. An own table rather
// than the whole of Unicode's confusables: that one also makes l of 1 and rn of
// m, which would change honest labels, and knows nothing of the looser
// resemblances that are enough to fool a reader inside an otherwise Latin word.
// A test holds it against the published table.

// twinPairs are exact look-alikes: each letter is followed by its Latin twin.
const twinPairs = "" +
	// Cyrillic
	"АAВBЕEЅSІIЈJКKМMНHОOРPСCТTУYХXҮYЬbѴVԌGԚQԜWӀlЁEЇI" +
	"аaеeоoрpсcуyхxѕsіiјjһhҽeԁdԛqԝwӏlүyѵvѡwгrꙇiёeїi" +
	// Greek
	"ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXϜFϹCϺMͿJϒY" +
	"αaγyιiνvοoρpσoυuϲcϳjϱpέeίiόoάaύuήn" +
	// Armenian
	"ՍUՏSՕOաwգqզqհhոnռnսuցgքfօo" +
	// Cherokee
	"ᎠDᎡRᎢTᎥiᎩYᎪAᎫJᎬEᎳWᎷMᎻHᎽYᏀGᏂhᏃZᏏbᏒRᏔWᏕSᏙVᏚSᏞLᏟCᏢPᏦKᏧdᏳGᏴB" +
	"ꭰdꭱrꭲtꭵiꭺaꭻjꭼeꮃwꮇmꮋhꮍyꮓzꮩvꮪsꮮlꮯcꮲpꮶkꮁr" +
	// Lisu
	"ꓐBꓑPꓒdꓓDꓔTꓖGꓗKꓙJꓚCꓜZꓝFꓟMꓠNꓡLꓢSꓣRꓦVꓧHꓪWꓫXꓬYꓮAꓰEꓲIꓳOꓴU" +
	// Coptic
	"ⲅrⲎHⲒIⲔKⲘMⲚNⲞOⲟoⲢPⲣpⲤCⲥcⲦTⲨYⲬXⳐL" +
	// Canadian syllabics
	"ᐯVᑌUᑭPᑯdᑲbᒍJᒪLᕁxᕼHᕽxᖇRᖯbᖴFᗅAᗞDᗪDᗰMᗷBᔕSᗯW" +
	// Georgian
	"ყyჿo" +
	// Latin letters outside the alphabets of living languages' interfaces
	"ƍgƖIƦRƽsǀlɑaɡgɣyɩiɯwʋuᴑoᶃgᶌyƄbᴦrꞘFꞙfꞟuꞲJꞳXꞴBꬲeꬵfꬽoꭇrꭈrꭎuꭒuꭚy"

// loosePairs look alike only at a glance: they count where the rest of the word
// is Latin beyond doubt.
const loosePairs = "кkтtмmвbнhпnиuяRшwғfεeηnωwχxκkτtμuβb"

// backPairs are the letters of everyday Cyrillic and Greek that a Latin letter
// is put in place of, each followed by that Latin letter.
const (
	backToCyrillic = "аaеeоoрpсcуyхxіiјjѕsкkмmтtАAВBЕEКKМMНHОOРPСCТTУYХXІIЈJЅS"
	backToGreek    = "αaοoιiνvρpυuκkχxΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX"
)

// twin is what a letter of another script stands for in a Latin word.
type twin struct {
	latin rune
	loose bool
}

// Twins by letter, and the way back: the letter of the script that a Latin
// letter stands for in a word which is otherwise Cyrillic or Greek.
var (
	latinTwins    = buildTwins()
	cyrillicTwins = turned(backToCyrillic)
	greekTwins    = turned(backToGreek)
)

func buildTwins() map[rune]twin {
	twins := make(map[rune]twin)
	for i, pairs := range [...]string{twinPairs, loosePairs} {
		letters := []rune(pairs)
		for at := 0; at < len(letters); at += 2 {
			twins[letters[at]] = twin{latin: letters[at+1], loose: i == 1}
		}
	}
	return twins
}

func turned(pairs string) map[rune]rune {
	back := make(map[rune]rune)
	letters := []rune(pairs)
	for at := 0; at < len(letters); at += 2 {
		back[letters[at+1]] = letters[at]
	}
	return back
}

// unmask writes a word of mixed scripts in the one script that it is meant to
// be read in: the one it has letters of that no other script can stand for.
// A word in one script stays as it is, so that Russian stays Russian, unless
// all asks for every word that can be read as Latin.
func unmask(word []cell, all bool) {
	var tally struct{ latin, latinOnly, other, otherOnly, loose, foreign int }
	script := latin
	for _, c := range word {
		class := classOf(c.r)
		t, isTwin := latinTwins[c.r]
		switch {
		case isDroppedMark(c.r):
			continue
		case class == latin && !isTwin:
			tally.latin++
			if cyrillicTwins[c.r] == 0 && greekTwins[c.r] == 0 {
				tally.latinOnly++
			}
			continue
		case class == latin: // a Latin letter that only ever stands for another
			tally.foreign++
			continue
		}
		tally.other++
		if class == cyrillic || class == greek {
			script = class
		}
		switch {
		case !isTwin:
			tally.otherOnly++
		case t.loose:
			tally.loose++
		}
	}
	switch {
	case tally.other == 0 && tally.foreign == 0:
	case tally.otherOnly > 0 && tally.latinOnly > 0: // two scripts beyond doubt
	case tally.latin == 0 && tally.foreign == 0 && !all: // one script
	case tally.otherOnly == 0 && (tally.latinOnly > 0 || tally.loose == 0):
		toLatin(word)
	case tally.latinOnly == 0:
		toScript(word, script)
	}
}

func toLatin(word []cell) {
	for i := range word {
		if t, ok := latinTwins[word[i].r]; ok {
			word[i].r = t.latin
		}
	}
}

func toScript(word []cell, script letterClass) {
	back := cyrillicTwins
	if script == greek {
		back = greekTwins
	}
	for i := range word {
		if letter := back[word[i].r]; letter != 0 {
			word[i].r = letter
		}
	}
}

// mayPoseAsLatin reports whether the copy has a word in another script that
// could be meant to be read as Latin letters: "ОК" in Cyrillic capitals.
func (t *copyText) mayPoseAsLatin() bool {
	posing := false // a word is under way and has only twins so far
	before := notWord
	for i := 0; i < len(t.b); {
		r, size := utf8.DecodeRune(t.b[i:])
		i += size
		class := classOf(r)
		if class == notWord {
			if posing {
				return true
			}
			before = notWord
			continue
		}
		posing = (before == notWord || posing) && hasTwin(r)
		before = class
	}
	return posing
}

// hasTwin reports whether a letter of another script can stand for a Latin one.
func hasTwin(r rune) bool {
	if r < 0x370 || r >= 0x530 && !mayMask(r) {
		return false
	}
	_, ok := latinTwins[r]
	return ok
}
