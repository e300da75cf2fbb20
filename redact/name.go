package redact

// grade says how surely a name holds a secret.
type grade uint8

const (
	gradeNone  grade = iota
	gradeQuery       // only as a parameter in a link: ?code=, ?key=
	gradeCode        // when the value has the form of a one-time code
	gradeSoft        // when the value is not an ordinary word
	gradeSure
)

// secretNames are the last words of names that hold secrets.
var secretNames = map[string]grade{
	"password": gradeSure, "passwd": gradeSure, "passwort": gradeSure, "kennwort": gradeSure, "pwd": gradeSure, "pswd": gradeSure,
	"passphrase": gradeSure, "passcode": gradeSure, "userpass": gradeSure, "dbpass": gradeSure, "sshpass": gradeSure, "contrasena": gradeSure, "senha": gradeSure, "motdepasse": gradeSure, "mdp": gradeSure, "wachtwoord": gradeSure, "parola": gradeSure,
	"secret": gradeSure, "secrets": gradeSure, "otp": gradeSure, "totp": gradeSure, "hotp": gradeSure, "mpin": gradeSure, "pin": gradeSure, "puk": gradeSure, "pincode": gradeSure,
	"tan": gradeSure, "cvv": gradeSure, "cvv2": gradeSure, "cvc": gradeSure, "cvc2": gradeSure, "csc": gradeSure, "iban": gradeSure,
	"token": gradeSure, "jwt": gradeSure, "bearer": gradeSure, "authorization": gradeSure, "authtoken": gradeSure, "accesstoken": gradeSure, "sessiontoken": gradeSure,
	"refreshtoken": gradeSure, "idtoken": gradeSure, "apitoken": gradeSure, "csrftoken": gradeSure, "xsrftoken": gradeSure,
	"cookie": gradeSure, "cookies": gradeSure, "apikey": gradeSure, "secretkey": gradeSure, "privatekey": gradeSure, "accesskey": gradeSure, "authkey": gradeSure,
	"credential": gradeSure, "credentials": gradeSure, "creds": gradeSure, "mnemonic": gradeSure, "sessionid": gradeSure, "phpsessid": gradeSure, "jsessionid": gradeSure, "sid": gradeSoft,
	"cardnumber": gradeSure, "ccnumber": gradeSure, "pan": gradeSoft, "pass": gradeSure, "pw": gradeSure, "auth": gradeSoft, "session": gradeSoft, "csrf": gradeSoft, "sso": gradeSoft,
	"seed": gradeSoft, "ticket": gradeQuery, "key": gradeQuery, "sig": gradeSoft, "signature": gradeSoft, "code": gradeCode, "assertion": gradeQuery, "samlresponse": gradeSure,
	"verifier": gradeSoft, "nonce": gradeQuery, "hmac": gradeQuery, "invite": gradeQuery, "magic": gradeQuery,
}

// before are the words that make the last one a secret: api_key, sms_code.
var secretPairs = map[string]map[string]bool{
	"key": {"api": true, "access": true, "secret": true, "private": true, "signing": true, "encryption": true, "auth": true, "session": true,
		"master": true, "recovery": true, "shared": true, "ssh": true, "network": true, "wifi": true, "wpa": true, "psk": true, "account": true, "license": true, "client": true},
	"code": {"otp": true, "sms": true, "verification": true, "verify": true, "auth": true, "security": true, "confirmation": true, "access": true, "login": true,
		"recovery": true, "backup": true, "pin": true, "cvv": true, "cvc": true, "one": true, "time": true, "authorization": true, "mfa": true, "2fa": true, "device": true, "reset": true},
	"number": {"card": true, "pin": true, "cc": true, "pan": true},
	"phrase": {"recovery": true, "seed": true, "pass": true, "secret": true, "mnemonic": true},
	"id":     {"session": true},
	"codes":  {"backup": true, "recovery": true},
	"word":   {"pass": true},
	"uri":    {"otpauth": true},
	"ticket": {"auth": true},
	"answer": {"security": true},
	"words":  {"seed": true, "recovery": true},
}

// trailing are last words that say nothing: password_confirm, new_pin_2.
var trailingNames = map[string]bool{
	"confirm": true, "confirmation": true, "again": true, "repeat": true, "value": true, "text": true, "hash": true, "plain": true, "raw": true,
	"old": true, "new": true, "1": true, "2": true, "current": true, "b64": true, "base64": true, "string": true, "encrypted": true,
}

const longestName = 64

// shapes says which lengths the words of a set have that begin with a byte: most
// keys of a document need no more than that to be told from all of them.
type shapes [256]uint64

func shapesOf[V any](words map[string]V) *shapes {
	s := new(shapes)
	for w := range words {
		s[w[0]] |= 1 << min(len(w), 63)
	}
	return s
}

func (s *shapes) may(w string) bool { return w != "" && s[w[0]]&(1<<min(len(w), 63)) != 0 }

var secretShapes = shapesOf(secretNames)

// oneWord is true for a name of small letters only, as most are.
func oneWord(name string) bool {
	for i := range len(name) {
		if classes[name[i]]&lower == 0 {
			return false
		}
	}
	return true
}

// lastShapes are those of all words that a secret's name may end with.
var lastShapes = func() *shapes {
	s := shapesOf(secretNames)
	for _, more := range []*shapes{shapesOf(secretPairs), shapesOf(trailingNames)} {
		for c := range s {
			s[c] |= more[c]
		}
	}
	return s
}()

// lastWordOf returns the last word of a snake_case name; ok is false for names of
// another form.
func lastWordOf(name string) (last string, ok bool) {
	for i := range len(name) {
		if classes[name[i]]&lower == 0 && name[i] != '_' {
			return "", false
		}
		if name[i] == '_' {
			last = name[i+1:]
		}
	}
	return last, last != ""
}

// gradeName says how surely the value of the key, parameter or header called
// name is secret. It knows camelCase, snake_case, kebab-case and dotted names.
func gradeName(name string) grade {
	if len(name) == 0 || len(name) > longestName {
		return gradeNone
	}
	if oneWord(name) {
		if !secretShapes.may(name) {
			return gradeNone
		}
		return secretNames[name]
	}
	if last, ok := lastWordOf(name); ok && !lastShapes.may(last) {
		return gradeNone
	}
	var room [2 * longestName]byte
	var starts [2*longestName + 1]int
	n, count := 0, 0
	fresh := true
	for i := range len(name) {
		c := name[i]
		class := classes[c]
		if class&alnum == 0 && c < 0x80 {
			fresh = true
			continue
		}
		hump := class&upper != 0 && i > 0 && (classes[name[i-1]]&lower != 0 || i+1 < len(name) && classes[name[i+1]]&lower != 0 && classes[name[i-1]]&upper != 0)
		if fresh || hump {
			starts[count] = n
			count++
			fresh = false
		}
		room[n] = lowered(c)
		n++
	}
	starts[count] = n
	word := func(i int) []byte { return room[starts[i]:starts[i+1]] }
	for count > 1 && trailingNames[string(word(count-1))] {
		count--
	}
	if count == 0 {
		return gradeNone
	}
	last := word(count - 1)
	for len(last) > 3 && isDigit(last[len(last)-1]) && secretNames[string(last)] == 0 {
		last = last[:len(last)-1]
	}
	if count > 1 {
		if secretPairs[string(last)][string(word(count-2))] {
			return gradeSure
		}
	}
	g := secretNames[string(last)]
	if string(last) == "token" && count > 1 && (string(word(count-2)) == "next" || string(word(count-2)) == "page" || string(word(count-2)) == "continuation") {
		return gradeNone
	}
	return g
}
