package answer

import (
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/inbox"
)

// anyCurrency names the limit of every currency that has none of its own.
const anyCurrency = "*"

// decimal is a plain number: big.Rat alone would also read fractions, and powers
// of ten that take for ever.
var decimal = regexp.MustCompile(`^[0-9]{1,30}([.][0-9]{1,30})?$`)

// number reads a plain decimal.
func number(s string) (*big.Rat, bool) {
	if !decimal.MatchString(s) {
		return nil, false
	}
	return new(big.Rat).SetString(s)
}

var currencyName = regexp.MustCompile(`^([A-Z]{3}|[*])$`)

// ParseTypeAbove reads Options.TypeAbove from a command line: "100", or by
// currency "EUR=100,JPY=15000", where "*=100" is every other one.
func ParseTypeAbove(text string) (map[string]string, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	limits := map[string]string{}
	for part := range strings.SplitSeq(text, ",") {
		currency, amount, named := strings.Cut(strings.TrimSpace(part), "=")
		if !named {
			currency, amount = anyCurrency, currency
		}
		currency = strings.ToUpper(strings.TrimSpace(currency))
		if _, twice := limits[currency]; twice {
			return nil, fmt.Errorf("%q is given twice", currency)
		}
		limits[currency] = strings.TrimSpace(amount)
	}
	return limits, checkTypeAbove(limits)
}

func checkTypeAbove(limits map[string]string) error {
	for _, currency := range slices.Sorted(maps.Keys(limits)) {
		if !currencyName.MatchString(currency) {
			return fmt.Errorf("%q is no currency; accepted are codes of three letters, such as EUR, and * for every other one", currency)
		}
		if _, ok := number(limits[currency]); !ok {
			return fmt.Errorf("%s: %q is no amount; accepted are decimals with a point, such as 100 or 99.50", currency, limits[currency])
		}
	}
	return nil
}

// toType reports whether approving a card takes typing its amount or its app.
// Where it cannot be told how much it is, it does.
func (o *Options) toType(c *approval.Card) bool {
	a := c.Facts.Amount
	if a == nil || len(o.TypeAbove) == 0 {
		return false
	}
	text, known := o.TypeAbove[strings.ToUpper(a.Currency)]
	if !known {
		text, known = o.TypeAbove[anyCurrency]
	}
	limit, limited := number(text)
	value, read := number(a.Value)
	return !known || !limited || !read || value.Cmp(limit) > 0
}

// whatToType is what a card asks for, for a person; empty for nothing.
func (o *Options) whatToType(c *approval.Card) string {
	if !o.toType(c) {
		return ""
	}
	what := "“" + c.Facts.Amount.Value + "”"
	if app := inbox.AppName(c); app != "" {
		what += " or “" + app + "”"
	}
	return what
}

// typedRight reports whether what was typed is the amount of a card, with or
// without its currency, or the name of its app.
func typedRight(c *approval.Card, typed string) bool {
	typed = strings.Join(strings.Fields(typed), " ")
	if typed == "" || c.Facts.Amount == nil {
		return false
	}
	if app := inbox.AppName(c); app != "" && strings.EqualFold(typed, strings.Join(strings.Fields(app), " ")) {
		return true
	}
	a := c.Facts.Amount
	if currency := strings.TrimSpace(a.Currency); currency != "" {
		if n := len(typed) - len(currency); n > 0 && strings.EqualFold(typed[n:], currency) {
			typed = typed[:n]
		} else if n > 0 && strings.EqualFold(typed[:len(currency)], currency) {
			typed = typed[len(currency):]
		}
	}
	typed = strings.TrimSpace(typed)
	if typed == a.Value {
		return true
	}
	said, ok := number(strings.Replace(typed, ",", ".", 1))
	value, known := number(a.Value)
	return ok && known && said.Cmp(value) == 0
}

// checkTyped refuses an approval on a page that lacks what had to be typed.
func (o *Options) checkTyped(c *approval.Card, typed string) error {
	if o.toType(c) && !typedRight(c, typed) {
		return problem(http.StatusBadRequest, "not_typed", "to approve this one, type %s", o.whatToType(c))
	}
	return nil
}
