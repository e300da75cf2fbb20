package e2e

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/inbox"
	"github.com/countersign/countersign/daemon"
)

// channelMessages are attempts to answer, or to get at anything, by what a channel is
// told.
func channelMessages(t *testing.T) []way {
	var ways []way
	for _, where := range []struct {
		name   string
		change func(*daemon.Options)
	}{{"computer only", func(*daemon.Options) {}}, {"a name with TLS", forOtherDevices}} {
		x := openTellers(t)
		s := besiege(t, where.change, func(o *daemon.Options) { o.Channels = x.file })
		q, told := x.announced(s, s.newAgent("courier", "pixel"), onDevice(deleting("Trip to "+victim), "pixel"))
		link := ""
		if url, _ := s.d.RemoteURL(); url != "" {
			link = url + "/approvals/" + q.ID
		}
		for _, channel := range everyChannel {
			d := told[channel]
			ways = append(ways,
				way{where.name + ": what " + channel + " is told answers", func() string { return s.answers(&q, d.all()) }},
				way{where.name + ": what " + channel + " is told links elsewhere", func() string { return linksOnly(channel, &d, link) }},
			)
		}
		if link != "" {
			ways = append(ways, s.answeringWith(&q, told)...)
			ways = append(ways, x.testing(s)...)
		}
		ways = append(ways, way{where.name + ": what is told in brief says what is on the screen", func() string {
			d := told[aBrief]
			for _, text := range []string{victim, "Trip", "Delete", "notes", "pixel", q.AgentName} {
				if strings.Contains(d.body, text) {
					return fmt.Sprintf("it says %q: %s", text, d.body)
				}
			}
			return ""
		}})
		if link == "" {
			ways = append(ways, signatures(told[aWebhook], told[aBrief])...)
			ways = append(ways, programs(x, told[aHook])...)
		}
	}
	return ways
}

var (
	longHex = regexp.MustCompile(`[0-9a-f]{64}`)
	aLink   = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://[^\s"]+`)
)

// answers says what of a text would help to answer a question.
func (s *siege) answers(q *approval.Approval, text string) string {
	secrets := map[string]string{
		"the digest": q.Digest, "the session": s.cookie, "the owner's credential": s.approver, "the agent's credential": s.agent.token,
		"the name of the inbox": s.host[:strings.IndexByte(s.host, '.')], "the webhook's key": webhookKey, "a secret of the environment": "a secret of the environment",
	}
	for _, form := range []string{inbox.FormAnswer(q.ID), inbox.FormAPI, inbox.FormFreeze, inbox.FormLabel(q.ID)} {
		secrets["the token of "+form] = s.d.Registry().CSRF(s.cookie, form)
	}
	for what, secret := range secrets {
		if strings.Contains(text, secret) {
			return "it carries " + what
		}
	}
	if found := secretForm.FindString(text) + longHex.FindString(text); found != "" {
		return "it carries what may be a credential or a digest: " + found
	}
	return ""
}

// linksOnly wants one link in a message, or none.
func linksOnly(channel string, d *delivery, link string) string {
	found := aLink.FindAllString(d.body, -1)
	if link == "" && len(found) > 0 || link != "" && !slices.Equal(found, []string{link}) {
		return fmt.Sprintf("%s has the links %q, %q is right: %s", channel, found, link, d.body)
	}
	return ""
}

// answeringWith are attempts with whatever stands in a message.
func (s *siege) answeringWith(q *approval.Approval, told map[string]delivery) []way {
	hook := told[aWebhook]
	signature := hook.header.Get("Webhook-Signature")
	approve := func(digest string) wire {
		return s.jsonTo(atInbox, "POST", "/v1/approvals/"+q.ID+"/approve", map[string]string{"digest": digest})
	}
	var ways []way
	for name, w := range map[string]wire{
		"the id alone":                     approve(""),
		"the signature as a credential":    approve(signature).with(bearer(signature)),
		"the signature as a session":       approve(signature).with("Cookie: countersign="+signature, "Origin: http://"+s.host),
		"the signature as the digest":      approve("hmac-sha256:" + signature).with(bearer(s.approver)),
		"the key as a credential":          approve("").with(bearer(webhookKey)),
		"the push's token as a credential": approve("").with(bearer(pushToken)),
		"the signature as a sign-in link":  form(s.host, "/sign-in", "ticket="+signature),
		"sending the message back":         {atInbox, "POST", "/approvals/" + q.ID + "/answer", []string{"Content-Type: application/json"}, hook.body},
		"sending it to the agents' door":   {atAgents, "POST", "/v1/actions/" + q.ID + "/result", []string{"Content-Type: application/json", "Webhook-Signature: " + signature}, hook.body},
	} {
		ways = append(ways, way{"answering with a message: " + name, func() string {
			got := s.change(func() heard { return s.send(w) })
			if after, err := s.d.Desk().View(s.t.Context(), q.ID); err != nil || after.State != approval.Pending {
				got += fmt.Sprintf(" it is %s, %v", after.State, err)
			}
			return got
		}})
	}
	return ways
}

// testing are attempts to have a channel tell something.
func (x *tellers) testing(s *siege) []way {
	var ways []way
	try := s.jsonTo(atInbox, "POST", "/v1/channels/"+aWebhook+"/test", struct{}{})
	at := func(door string) wire { w := try; w.door = door; return w }
	read := wire{atInbox, "GET", try.target, []string{"Sec-Fetch-Site: same-origin"}, ""}
	for name, w := range map[string]wire{
		"nobody": try, "an agent": try.with(bearer(s.agent.token)), "an agent at the owner's socket": at(atOwner).with(bearer(s.agent.token)), "an agent at its own door": at(atAgents).with(bearer(s.agent.token)),
		"a session without its token": s.withCookie(try.with("Origin: http://" + s.host)), "a page of another site": s.withCookie(try.with("Origin: https://attacker.example", "Sec-Fetch-Site: cross-site")),
		"reading, with a session": s.withCookie(read), "reading, with the owner's credential": read.with(bearer(s.approver)),
	} {
		ways = append(ways, way{"a channel is tried by: " + name, func() string {
			before := len(x.all(aWebhook))
			h := s.send(w)
			// A sample is sent before the request is answered.
			if after := x.all(aWebhook); len(after) != before || h.status < 300 {
				return fmt.Sprintf("%d more were told; %s", len(after)-before, h.raw)
			}
			return ""
		}})
	}
	return ways
}

// signed is the signature of a message, as the receiver makes it to compare.
func signed(key, id, at, body string) string {
	secret, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(key, "whsec_"))
	if err != nil {
		panic(err) // only the literal above comes here
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(id + "." + at + "." + body))
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// signatures are messages that somebody made or changed on the way. What a
// receiver makes of an old one is its own matter: the time is signed as well.
func signatures(d, other delivery) []way {
	of := func(d delivery) (id, at, body, signature string) {
		return d.header.Get("Webhook-Id"), d.header.Get("Webhook-Timestamp"), d.body, d.header.Get("Webhook-Signature")
	}
	id, at, body, signature := of(d)
	_, _, theirs, _ := of(other)
	ways := []way{{"the signature: the message as it came", func() string {
		if signature == "" || signed(webhookKey, id, at, body) != signature {
			return "it does not verify, so that nothing is tried: " + signature
		}
		return ""
	}}}
	for name, forged := range map[string]string{
		"another id": signed(webhookKey, id+"x", at, body), "another time": signed(webhookKey, id, at+"0", body), "another body": signed(webhookKey, id, at, strings.Replace(body, "Trip", "Trap", 1)),
		"the body of another message": signed(webhookKey, id, at, theirs), "a body with a blank": signed(webhookKey, id, at, body+" "), "time and body moved": signed(webhookKey, id, "", at+"."+body),
		"no key": signed("", id, at, body), "another key": signed("whsec_"+strings.Repeat("AAAA", 8), id, at, body),
	} {
		ways = append(ways, way{"the signature covers not: " + name, func() string {
			if forged == signature {
				return "it is the same"
			}
			return ""
		}})
	}
	return ways
}

// programs are how the program of a hook was started.
func programs(x *tellers, d delivery) []way {
	return []way{
		{"the program: by a shell, or with other arguments", func() string {
			if want := append([]string{x.program}, hookArguments...); !slices.Equal(d.arguments, want) {
				return fmt.Sprintf("it was started as %q", d.arguments)
			}
			return ""
		}},
		{"the program: with more of the environment", func() string {
			// What is added by the shell that the test's program is written for.
			own := []string{"PWD", "OLDPWD", "SHLVL", "_", "PATH", "HOME", "DISPLAY", "DBUS_SESSION_BUS_ADDRESS"}
			for _, v := range d.environ {
				if name, _, _ := strings.Cut(v, "="); !slices.Contains(own, name) {
					return "it has " + v
				}
			}
			return ""
		}},
		{"the program: runs what its arguments say", func() string {
			for _, dir := range []string{"/", filepath.Dir(x.program), "."} {
				if _, err := os.Stat(filepath.Join(dir, "pwned")); err == nil {
					return "a shell ran in " + dir
				}
			}
			return ""
		}},
		{"the program: more than the message on its input", func() string {
			if strings.Count(d.body, "\n") != 1 || !strings.HasSuffix(d.body, "}\n") {
				return fmt.Sprintf("%q", d.body)
			}
			return ""
		}},
	}
}
