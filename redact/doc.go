// Package redact keeps secrets out of everything that is stored, logged, sent to
// a channel or answered to an agent. It is the one choke point: whatever leaves
// the process goes through [Text], [JSON] or the handler of [NewHandler].
//
// A secret is replaced whole by "<redacted N chars>", where N counts runes; no
// part of it stays, not even its first characters. What counts as a secret is
// read from meaning: a payment card or an account by its check digits, a
// one-time code or a password by the word beside it (in 34 languages), a token
// by its prefix, its name or its randomness.
//
//	text.go        Text and Secret; passes until nothing more is found
//	view.go        the text as a reader sees it: invisible characters gone, one kind of digit
//	fold.go        which character counts as which
//	vocabulary.go  the words in words.txt and how they are found
//	card.go        payment cards; iban.go accounts
//	follow.go      what is done about each word that announces a secret
//	code.go        one-time codes and PINs; number.go which digits may be one
//	password.go    passwords and what follows their word; value.go where a value ends
//	seed.go        recovery phrases
//	token.go       keys with a known prefix, signed tokens, long random strings
//	link.go        user names in links, queries, Wi-Fi and one-time-password links
//	name.go        names of secrets, as keys, parameters and headers
//	json.go        documents; log.go log records
//
// What it does not catch: a password that looks like an ordinary word and has no
// word for password near it (the caller knows that it came from a password field
// and uses [Secret]), a code whose digits are spelled out, secrets in pictures,
// "curl -u name:password", and words for password or code in languages that
// words.txt does not have.
// Where it is in doubt it hides: an IMEI has the check digit of a card, and a
// bare commit hash looks like a key.
//
// Everything here is safe for concurrent use and never panics.
package redact
