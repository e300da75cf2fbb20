package command

import (
	"net/url"
	"strings"

	"github.com/countersign/countersign/risk"
)

// A helper that agents put on the phone may answer through a provider: what
// the screen shows, and typing into it. These are the paths of the common one;
// its other paths, such as its token, are read like any provider's.
var (
	helperAuthorities = map[string]bool{"com.mobilerun.portal": true, "com.droidrun.portal": true}
	helperScreens     = wordSet(`a11y_tree a11y_tree_full phone_state state state_full ping version packages overlay_offset screenshot`)
)

// content judges "content VERB --uri URI ...", the door to every app's data
// that is open to the shell.
func content(c *call) {
	word := c.arg(0)
	if word == "" {
		c.none(codeRead, c.verb)
		return
	}
	uri, binds, method := c.contentArguments()
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "content" || u.Host == "" {
		c.unknown(codeBadArguments, c.verb+" "+word, c.rest(0))
		return
	}
	// The host of "content://10@sms" is the sms of user 10.
	steps := strings.Trim(u.Path, "/")
	if c.contentSettings(word, u.Host, steps, binds, method) || c.contentHelper(word, u.Host, steps, binds) {
		return
	}
	term := c.verb + " " + word
	switch word {
	case "query", "read":
		c.is(risk.Disclose, codeReadProvider, term, uri)
	case "gettype":
		c.none(codeRead, term)
	case "insert":
		c.is(risk.Other, codeWriteProvider, term, c.rest(1))
	case "update", "delete", "write": // all three destroy what was there
		c.is(risk.Delete, codeWriteProvider, term, c.rest(1))
	default: // "call" runs a method that only the provider knows
		c.unknown(codeUnknownCommand, term, c.rest(1))
	}
}

// contentArguments picks out what decides: the provider, the values, and a
// method with its argument.
func (c *call) contentArguments() (uri string, binds map[string]string, method [2]string) {
	binds = map[string]string{}
	texts := c.texts()
	for i := 1; i+1 < len(texts); i++ {
		value := texts[i+1]
		switch texts[i] {
		case "--uri":
			uri = value
		case "--bind", "--extra":
			name, typed, _ := strings.Cut(value, ":")
			_, text, _ := strings.Cut(typed, ":")
			binds[name] = text
		case "--method":
			method[0] = value
		case "--arg":
			method[1] = value
		}
	}
	return uri, binds, method
}

// contentSettings judges the settings provider, by which the same keys are
// read and written as by the settings command.
func (c *call) contentSettings(word, authority, steps string, binds map[string]string, method [2]string) bool {
	if authority != "settings" {
		return false
	}
	term := c.verb + " " + word + " settings"
	key := binds["name"]
	switch word {
	case "query", "gettype":
		c.none(codeRead, term)
		return true
	case "call":
		if strings.HasPrefix(method[0], "GET_") || strings.HasPrefix(method[0], "LIST_") {
			c.none(codeRead, term)
			return true
		}
		key = method[1]
	case "update", "delete":
		// A row chosen by a condition may be any key's: it stays "".
		if _, last, ok := strings.Cut(steps, "/"); ok && key == "" {
			key = last
		}
	}
	c.setting(term, key, c.rest(1))
	return true
}

// contentHelper judges an agent's helper on the phone.
func (c *call) contentHelper(word, authority, steps string, binds map[string]string) bool {
	if !helperAuthorities[authority] {
		return false
	}
	term := c.verb + " " + word + " helper"
	switch {
	case word == "query" && helperScreens[steps]:
		c.none(codeCapture, term)
	case word == "insert" && steps == "keyboard/input":
		text, ok := decode(binds["base64_text"])
		if !ok {
			c.unknown(codeOpaque, term, c.rest(1))
			return true
		}
		c.add(Effect{Code: codeType, Press: &Press{Kind: PressType, Text: text}, Object: text, Term: term})
	case word == "insert" && steps == "keyboard/clear":
		c.none(codeEdit, term)
	case word == "insert" && steps == "keyboard/key":
		e := Key(binds["key_code"]).press(false)
		e.Term = term
		c.add(e)
	default:
		return false
	}
	return true
}
