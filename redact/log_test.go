package redact

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// broken is an error whose method panics on a nil pointer.
type broken struct{ text string }

func (b *broken) Error() string { return b.text }

type valuer struct{}

func (valuer) LogValue() slog.Value { return slog.StringValue("the PIN is 4821") }

func TestHandler(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(NewHandler(slog.NewJSONHandler(&out, &slog.HandlerOptions{
		Level: slog.LevelInfo,
		// Without the time: its fractions may hold the digits of a secret by chance.
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	})))
	log.Debug("password: below-the-level1")
	log = log.With("url", "https://h.example/?token=with-attrs-77", "n", 7).WithGroup("g")
	log.Info("Your code is 482913",
		"token", "whole", "pin", 1234, "id", "4f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c",
		"err", errors.New("dial postgres://app:s3cretpw@db/x: refused"),
		"broken", (*broken)(nil), "raw", []byte("CVV: 123"), "struct", struct{ Note string }{"password: hunter2"},
		"took", 3*time.Second, "value", valuer{},
		slog.Group("credentials", "user", "bob", "tries", 3), slog.Group("h", "text", "OTP 990011"))
	line := out.String()
	for _, secret := range []string{"below", "with-attrs", "482913", "whole", "1234", "s3cretpw", "123\"", "hunter2", "4821", "bob", "990011"} {
		if strings.Contains(line, secret) {
			t.Errorf("%q is in the log: %s", secret, line)
		}
	}
	for _, kept := range []string{`"n":7`, "Your code is <redacted 6 chars>", `"id":"4f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c"`, "refused", `"took":3000000000`, `"g":{`, "the PIN is <redacted 4 chars>"} {
		if !strings.Contains(line, kept) {
			t.Errorf("%q is not in the log: %s", kept, line)
		}
	}
}
