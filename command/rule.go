package command

import "github.com/countersign/countersign/risk"

// A rule is what a subcommand does. The tables of the families are made of
// these: the word, the consequence, and a comment that says why.
type rule struct {
	category risk.Category
	code     string
	// app says that the first operand is the package acted on.
	app bool
}

// subcommand judges "VERB WORD operands" by a table. A word that is not in the
// table is not known. Options before the word are skipped.
func (c *call) subcommand(table map[string]rule, withValue ...string) {
	_, operands := split(c.texts(), withValue...)
	if len(operands) == 0 {
		c.none(codeRead, c.verb) // it prints its help
		return
	}
	c.byRule(table, operands[0], operands[1:])
}

// byRule adds the effect that the table has for a word.
func (c *call) byRule(table map[string]rule, word string, operands []string) {
	r, known := table[word]
	term := c.verb + " " + word
	if !known {
		c.unknown(codeUnknownCommand, term, c.rest(0))
		return
	}
	e := Effect{Category: r.category, Code: r.code, Term: term}
	if r.category != risk.None {
		e.Object = join(operands)
	}
	if r.app && len(operands) > 0 {
		e.Package = packageOf(operands[0])
	}
	c.add(e)
}

// merge puts the rules of several sets of words into one table.
func merge(tables ...map[string]rule) map[string]rule {
	all := map[string]rule{}
	for _, t := range tables {
		for word, r := range t {
			all[word] = r
		}
	}
	return all
}
