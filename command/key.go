package command

import (
	"strconv"
	"strings"

	"github.com/countersign/countersign/risk"
)

// A KeyEffect is what a key does. The zero value is a key that is not known.
type KeyEffect struct {
	// Name is the key's name without its prefix, such as "ENTER"; empty when
	// the key is not known.
	Name string
	// Category is what a short press does. It is Unknown when Screen is set.
	Category risk.Category
	// Held is what it does when it is held down, or pressed again and again.
	Held risk.Category
	// Screen says that the key goes to the focused control or field, so that
	// only the screen can tell what it does.
	Screen bool
	// Text is the character that the key types, if any.
	Text string
	// Code says why in one stable word.
	Code string
}

// Key works out what an Android key does. It takes a key code ("66"), a full
// name ("KEYCODE_ENTER") or a short one ("ENTER"), in any case. A number is
// always a code, as it is for the phone: "5" is CALL, "KEYCODE_5" the digit.
func Key(name string) KeyEffect {
	if k, ok := keysByCode[name]; ok {
		return k
	}
	name = strings.TrimPrefix(strings.ToUpper(name), "KEYCODE_")
	if k, ok := keysByName[name]; ok {
		return k
	}
	return KeyEffect{Code: codeUnknownKey}
}

// press returns what pressing the key is: a Press for the screen, or an effect
// of its own. Long says that it is held or pressed twice.
func (k KeyEffect) press(long bool) Effect {
	term := "key " + k.Name
	switch {
	case k.Screen && k.Text != "" && k.Name != "SPACE":
		return Effect{Code: codeType, Press: &Press{Kind: PressType, Text: k.Text, Long: long}, Term: term}
	case k.Screen:
		return Effect{Code: codePress, Press: &Press{Kind: PressKey, Key: k.Name, Text: k.Text, Long: long}, Term: term}
	case k.Name == "":
		return Effect{Code: codeUnknownKey, Term: "key"}
	case long && Severity(k.Held) > Severity(k.Category):
		return Effect{Category: k.Held, Code: codePower, Object: k.Name, Term: term + " held"}
	}
	return Effect{Category: k.Category, Code: k.Code, Object: k.Name, Term: term}
}

var keysByCode, keysByName = buildKeys()

// buildKeys spreads keyRows and the character keys into the two indexes.
func buildKeys() (byCode, byName map[string]KeyEffect) {
	byCode, byName = map[string]KeyEffect{}, map[string]KeyEffect{}
	add := func(code string, k KeyEffect) {
		byCode[code], byName[k.Name] = k, k
	}
	for _, row := range keyRows {
		fields := strings.Fields(row.keys)
		for i := 0; i+1 < len(fields); i += 2 {
			k := row.effect
			k.Name = fields[i+1]
			add(fields[i], k)
		}
	}
	typed := func(code int, name, text string) {
		add(strconv.Itoa(code), KeyEffect{Name: name, Screen: true, Text: text, Code: codeType})
	}
	for i := range 10 {
		digit := strconv.Itoa(i)
		typed(7+i, digit, digit)
		typed(144+i, "NUMPAD_"+digit, digit)
	}
	for i := range 26 {
		letter := string(rune('a' + i))
		typed(29+i, strings.ToUpper(letter), letter)
	}
	for code, key := range characterKeys {
		typed(code, key.name, key.text)
	}
	return byCode, byName
}
