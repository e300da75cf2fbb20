package command

import (
	"net/url"
	"path"
	"strings"

	"github.com/countersign/countersign/risk"
)

// payHosts are the sites whose pages are a payment, and the first step of the
// path that makes them one; an empty step means every page.
var payHosts = map[string][]string{
	"paypal.me":             {""},
	"paypal.com":            {"paypalme", "checkoutnow", "pay", "invoice", "ncp", "donate", "webapps"},
	"cash.app":              {""},
	"venmo.com":             {""},
	"account.venmo.com":     {"pay", "u"},
	"pay.google.com":        {""},
	"gpay.app.goo.gl":       {""},
	"revolut.me":            {""},
	"checkout.revolut.com":  {""},
	"wise.com":              {"pay"},
	"monzo.me":              {""},
	"buy.stripe.com":        {""},
	"checkout.stripe.com":   {""},
	"donate.stripe.com":     {""},
	"invoice.stripe.com":    {""},
	"square.link":           {""},
	"checkout.square.site":  {""},
	"pay.amazon.com":        {""},
	"qr.alipay.com":         {""},
	"render.alipay.com":     {""},
	"wx.tenpay.com":         {""},
	"pay.weixin.qq.com":     {""},
	"payme.hsbc":            {""},
	"qr.payme.hsbc.com.hk":  {""},
	"mpago.la":              {""},
	"mercadopago.com":       {"checkout"},
	"yoomoney.ru":           {"to", "quickpay", "transfer"},
	"qiwi.com":              {"payment", "n"},
	"rzp.io":                {""},
	"paytm.me":              {""},
	"phon.pe":               {""},
	"swish.nu":              {"pay"},
	"qr.vipps.no":           {""},
	"twint.ch":              {"pay"},
	"bunq.me":               {""},
	"tikkie.me":             {"pay"},
	"commerce.coinbase.com": {"checkout", "pay"},
	"ko-fi.com":             {"checkout"},
}

// webLink tells a page that pays or installs from any other. Markets, sign-in
// and the guard's own pages are told by their host, which the caller knows.
func webLink(rest string, e *Effect) {
	u, err := url.Parse(e.Term + ":" + rest)
	if err != nil || u.Host == "" {
		e.Category, e.Code = risk.Unknown, codeUnknownScheme
		return
	}
	host := strings.TrimPrefix(strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")), "www.")
	first, _, _ := strings.Cut(strings.TrimPrefix(path.Clean("/"+u.Path), "/"), "/")
	for _, step := range payHosts[host] {
		if step == "" || strings.EqualFold(step, first) {
			e.Category, e.Code = risk.Money, codePaymentLink
			return
		}
	}
	if isPackageFile(u.Path) {
		e.Category, e.Code = risk.Install, codeInstall
	}
}
