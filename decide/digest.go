package decide

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"

	"github.com/countersign/countersign/command"
	"github.com/countersign/countersign/risk"
)

// digestPrefix names the construction, so that another one can follow it.
const digestPrefix = "hmac-sha256:"

// digestVersion is that of what is bound; see bounds.
const digestVersion = "2"

// Digest binds an answer to this action: an HMAC-SHA256 with the per-install
// key over canonical JSON of all that makes it this one, as Parts names it. It
// is empty without a key, and then nothing can be released.
func (d *Decision) Digest() string {
	if len(d.key) == 0 || d.action == nil {
		return ""
	}
	return digestPrefix + d.seal("decision", canonical(d.render().bounds()))
}

// canonical spells what is bound: one JSON array of strings for each, whose
// order is fixed.
func canonical(list []bound) []byte {
	doc := make([][]string, 1, len(list)+1)
	doc[0] = []string{"v", digestVersion}
	for _, b := range list {
		line := make([]string, 1, len(b.texts)+1)
		line[0] = b.name
		for _, text := range b.texts {
			line = append(line, exact(text))
		}
		doc = append(doc, line)
	}
	text, err := json.Marshal(doc)
	if err != nil {
		return nil // strings always marshal
	}
	return text
}

// seal is an HMAC under a key of its own for each purpose, so that the hash of
// a secret says nothing beside that of a decision.
func (d *Decision) seal(purpose string, data []byte) string {
	derive := hmac.New(sha256.New, d.key)
	derive.Write([]byte("countersign/" + purpose))
	mac := hmac.New(sha256.New, derive.Sum(nil))
	mac.Write(data)
	return hex.EncodeToString(mac.Sum(nil))
}

// exact spells a text so that JSON keeps every byte of it apart from every
// other: JSON has one replacement for all that is not UTF-8.
func exact(s string) string { return strconv.QuoteToASCII(s) }

// keyName is the one name of a key that goes by several: "66", "KEYCODE_ENTER".
func keyName(key string) string { return cmp.Or(command.Key(key).Name, key) }

// pressKind folds the ways of pressing into one: a retry may send a tap as raw
// motion events.
func pressKind(k risk.ActionKind) risk.ActionKind {
	if k == risk.MotionEvent {
		return risk.Tap
	}
	return k
}
