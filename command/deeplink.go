package command

import (
	"net/url"
	"strings"

	"github.com/countersign/countersign/risk"
)

// DeepLink works out what opening a link would do. Opening a page, a composer
// or a store entry does nothing yet; a link that carries a payment, installs
// something or holds another intent does. A scheme that no table knows belongs
// to some app, and only that app knows what the link does. The span is left
// at zero.
func DeepLink(uri string) Effect {
	if len(uri) > MaxLine {
		return Effect{Code: codeOpaque, Object: uri, Term: "link"}
	}
	trimmed := strings.TrimSpace(uri)
	scheme, rest, found := strings.Cut(trimmed, ":")
	scheme = strings.ToLower(scheme)
	if !found || scheme == "" || strings.ContainsAny(scheme, " /\t\n") {
		return Effect{Code: codeUnknownScheme, Object: uri, Term: "link"}
	}
	if isIntentLink(trimmed) {
		i, err := intentFromLink(trimmed)
		if err != nil {
			return Effect{Code: codeBadIntent, Object: uri, Term: scheme}
		}
		return i.Effect()
	}
	rule, known := schemes[scheme]
	if !known {
		return Effect{Code: codeUnknownScheme, Object: uri, Term: scheme}
	}
	e := Effect{Category: rule.category, Code: rule.code, Object: uri, Term: scheme}
	switch {
	case rule.judge != nil:
		rule.judge(rest, &e)
	case isPackageFile(trimmed):
		e.Category, e.Code = risk.Install, codeInstall
	}
	return e
}

// A scheme is what links of one kind do. Its judge, if any, looks further.
type scheme struct {
	category risk.Category
	code     string
	judge    func(rest string, e *Effect)
}

// schemes are those of the platform and of common standards. An app's own
// scheme is not among them, however well known the app, since what such a link
// does changes with the app's version; those of payment apps are, since a
// payment is what they are for.
var schemes = map[string]scheme{
	// They open a page; pages that pay or install are told apart.
	"http":  {risk.None, codeWebLink, webLink},
	"https": {risk.None, codeWebLink, webLink},

	// They open the dialler or a composer with a receiver filled in.
	"tel":       {risk.None, codeCompose, dialLink},
	"voicemail": {risk.None, codeCompose, dialLink},
	"sms":       {risk.None, codeCompose, nil},
	"smsto":     {risk.None, codeCompose, nil},
	"mms":       {risk.None, codeCompose, nil},
	"mmsto":     {risk.None, codeCompose, nil},
	"mailto":    {risk.None, codeCompose, nil},
	"xmpp":      {risk.None, codeCompose, nil},
	"imto":      {risk.None, codeCompose, nil},

	// Dialling by SIP has no composer in between.
	"sip":  {risk.Call, codeCall, nil},
	"sips": {risk.Call, codeCall, nil},
	"ussd": {risk.Unknown, codeServiceCode, nil},

	// They name a payee and often an amount: a wallet opens to pay it.
	"upi":          {risk.Money, codePaymentLink, nil},
	"pay":          {risk.Money, codePaymentLink, nil},
	"payto":        {risk.Money, codePaymentLink, nil},
	"bitcoin":      {risk.Money, codePaymentLink, nil},
	"bitcoincash":  {risk.Money, codePaymentLink, nil},
	"litecoin":     {risk.Money, codePaymentLink, nil},
	"dogecoin":     {risk.Money, codePaymentLink, nil},
	"dash":         {risk.Money, codePaymentLink, nil},
	"monero":       {risk.Money, codePaymentLink, nil},
	"ethereum":     {risk.Money, codePaymentLink, nil},
	"solana":       {risk.Money, codePaymentLink, nil},
	"tron":         {risk.Money, codePaymentLink, nil},
	"ripple":       {risk.Money, codePaymentLink, nil},
	"stellar":      {risk.Money, codePaymentLink, nil},
	"lightning":    {risk.Money, codePaymentLink, nil},
	"lnurl":        {risk.Money, codePaymentLink, nil},
	"lnurlp":       {risk.Money, codePaymentLink, nil},
	"wc":           {risk.Money, codePaymentLink, nil}, // gives a site a wallet to ask
	"epc":          {risk.Money, codePaymentLink, nil},
	"alipays":      {risk.Money, codePaymentLink, nil},
	"alipay":       {risk.Money, codePaymentLink, nil},
	"alipayqr":     {risk.Money, codePaymentLink, nil},
	"swish":        {risk.Money, codePaymentLink, nil},
	"vipps":        {risk.Money, codePaymentLink, nil},
	"mobilepay":    {risk.Money, codePaymentLink, nil},
	"bizum":        {risk.Money, codePaymentLink, nil},
	"pix":          {risk.Money, codePaymentLink, nil},
	"paytmmp":      {risk.Money, codePaymentLink, nil},
	"phonepe":      {risk.Money, codePaymentLink, nil},
	"gpay":         {risk.Money, codePaymentLink, nil},
	"tez":          {risk.Money, codePaymentLink, nil},
	"bhim":         {risk.Money, codePaymentLink, nil},
	"venmo":        {risk.Money, codePaymentLink, nil},
	"cashapp":      {risk.Money, codePaymentLink, nil},
	"paypal":       {risk.Money, codePaymentLink, nil},
	"squarecash":   {risk.Money, codePaymentLink, nil},
	"samsungpay":   {risk.Money, codePaymentLink, nil},
	"kakaopay":     {risk.Money, codePaymentLink, nil},
	"tosspayments": {risk.Money, codePaymentLink, nil},

	// A store's entry, an app's page in the settings.
	"market":  {risk.None, codeNavigate, nil},
	"package": {risk.None, codeNavigate, nil},

	// They show a place, or a route to it.
	"geo":               {risk.None, codeNavigate, nil},
	"google.navigation": {risk.None, codeNavigate, nil},
	"google.streetview": {risk.None, codeNavigate, nil},

	// They show a document; one that is an app installs it.
	"content": {risk.None, codeNavigate, nil},
	"file":    {risk.None, codeNavigate, nil},
	"about":   {risk.None, codeNavigate, nil},

	// They change how one signs in, or which network one trusts.
	"otpauth":           {risk.Account, codeAccounts, nil},
	"otpauth-migration": {risk.Account, codeAccounts, nil},
	"fido":              {risk.Credential, codeAccounts, nil},
	"wifi":              {risk.Settings, codeRadio, nil},
	"dpp":               {risk.Settings, codeRadio, nil}, // joins a network, or lets one in
	"lpa":               {risk.Settings, codeRadio, nil}, // installs a SIM profile

	// Code, not a place.
	"javascript": {risk.Unknown, codeOpaque, nil},
	"data":       {risk.Unknown, codeOpaque, nil},
	"blob":       {risk.Unknown, codeOpaque, nil},
}

// dialLink tells a number to be dialled from a code that some diallers obey as
// soon as it is typed.
func dialLink(rest string, e *Effect) {
	number, err := url.PathUnescape(rest)
	if err != nil || strings.ContainsAny(number, "*#") {
		e.Category, e.Code = risk.Unknown, codeServiceCode
	}
}

// isPackageFile reports whether a link or path ends in an app to be installed.
func isPackageFile(s string) bool {
	s, _, _ = strings.Cut(s, "#")
	s, _, _ = strings.Cut(s, "?")
	if unescaped, err := url.PathUnescape(s); err == nil {
		s = unescaped
	}
	s = strings.ToLower(s)
	for _, ending := range []string{".apk", ".apks", ".xapk", ".apkm", ".apex", ".aab"} {
		if strings.HasSuffix(s, ending) {
			return true
		}
	}
	return false
}

// afterScheme returns what stands behind a link's scheme, unescaped.
func afterScheme(link string) string {
	_, rest, _ := strings.Cut(link, ":")
	if unescaped, err := url.PathUnescape(rest); err == nil {
		return unescaped
	}
	return rest
}
