package lexicon

import "github.com/countersign/countersign/risk"

// kind is the part of speech of a term: the name of its section in a term file.
type kind uint8

const (
	act         kind = iota // a verb: fires wherever a label does something
	dual                    // verb or noun: "call", "transfer"
	bare                    // fires only as a whole label: "like", "post"
	opens                   // leads to the form, composer or chooser it names: "sign up", "comment"
	noun                    // names the thing, does not do it: "payment"
	status                  // says that it was done: "sent"
	not                     // harmless although it holds a risky word
	object                  // changes what a verb does: delete + account
	verb                    // cancels a service when an object follows
	prefix                  // takes the action away from what follows
	suffix                  // takes the action away from what precedes
	negator                 // "don't"
	affirmative             // "OK"
	dismissal               // "cancel"
	permanent               // "forever", "everything"
	doing                   // does the noun after it and says nothing alone: "make" a payment
	question                // makes a question of what precedes: 吗, ไหม
	result                  // says how it went: "failed", "successful"
	lead                    // stands before a verb and changes nothing: "please", "tap to"
	joiner                  // "and": after it a second verb may begin
	article                 // stands before a noun and changes nothing: "your", "the"
	known                   // harmless and frequent
	neutral                 // says nothing in an identifier: "layout"
	pressed                 // likewise, but says that it is pressed: "btn"
	part                    // names a part in an identifier: "title"
	detail                  // likewise, but can be deleted or shared itself: "message"
	parted                  // an act in two parts, with its object between them: "ruf … an"
	kindCount   = iota
)

// section is how a kind is written in a term file.
type section struct {
	name     string
	category bool // whether a category stands before the name
}

var sections = [kindCount]section{
	act: {"act", true}, dual: {"dual", true}, bare: {"bare", true}, opens: {"opens", true}, noun: {"noun", true},
	status: {"status", true}, not: {"not", true}, object: {"object", true}, verb: {"verb", true},
	prefix: {name: "prefix"}, suffix: {name: "suffix"}, negator: {name: "negator"},
	affirmative: {name: "affirmative"}, dismissal: {name: "dismissal"}, permanent: {name: "permanent"},
	doing: {name: "doing"}, question: {name: "question"}, result: {name: "result"}, lead: {name: "lead"}, joiner: {name: "joiner"}, article: {name: "article"}, known: {name: "known"},
	neutral: {name: "neutral"}, pressed: {name: "pressed"}, part: {name: "part"}, detail: {name: "detail"},
}

// kinds is a set of kinds.
type kinds uint32

func (k kind) set() kinds            { return 1 << k }
func (s kinds) has(k kind) bool      { return s&(1<<k) != 0 }
func (s kinds) any(other kinds) bool { return s&other != 0 }
func setOf(all ...kind) (s kinds) {
	for _, k := range all {
		s |= k.set()
	}
	return s
}

// order is where a language puts the verb on a label.
type order uint8

const (
	verbFirst order = iota // "delete chat", and sometimes "permanently delete"
	verbLast               // "sohbeti sil", 채팅 삭제
	nominal                // "üzenet küldése": an action noun, at either end
	verbHead               // "xóa tin nhắn": first and nowhere else, since what follows a noun describes it
)

var orderNames = [...]string{verbFirst: "first", verbLast: "last", nominal: "nominal", verbHead: "head"}

// isFirst reports an order in which the verb stands before what it acts on.
func (o order) isFirst() bool { return o == verbFirst || o == verbHead }

// term is one line of a term file.
type term struct {
	kind     kind
	category risk.Category
	language uint16
	attached bool   // an affix that is written together with the word: "已-"
	tail     string // the matching copy of the second part of a parted act
	nth      uint16 // of the terms of its sense
	ownText  bool   // is written otherwise than its spelling; see Lexicon.textOf
}

// entry is a term as its file has it.
type entry struct {
	term
	text     string
	spelling string // the matching copy of text
}

// lang is the language of a term file.
type lang struct {
	tag   string
	order order
	// listsVerbs says that the file has a section of verbs that cancel a
	// service; its other dismissals then do not.
	listsVerbs bool
	// names says that the file is of words in developers' names, which mean
	// nothing on a label.
	names bool
}

// english is the language that apps mix into every other one and that
// developers name things in.
const english = "en"

// namesTag is the BCP 47 tag of the file of words in developers' names: "no
// linguistic content".
const namesTag = "zxx"
