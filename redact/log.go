package redact

import (
	"context"
	"fmt"
	"log/slog"
)

// NewHandler returns a handler that hides secrets in messages and attributes and
// hands the record to h. Strings, errors and values that are formatted go through
// [Text]; the value of an attribute whose key names a secret is hidden whole.
// Source positions, times and numbers stay. h must not be nil.
func NewHandler(h slog.Handler) slog.Handler { return handler{h} }

type handler struct{ next slog.Handler }

func (h handler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.next.Enabled(ctx, level)
}

func (h handler) Handle(ctx context.Context, r slog.Record) error {
	hidden := slog.NewRecord(r.Time, r.Level, Text(r.Message), r.PC)
	r.Attrs(func(a slog.Attr) bool {
		hidden.AddAttrs(attribute(a, false))
		return true
	})
	return h.next.Handle(ctx, hidden)
}

func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	hidden := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		hidden[i] = attribute(a, false)
	}
	return handler{h.next.WithAttrs(hidden)}
}

func (h handler) WithGroup(name string) slog.Handler {
	return handler{h.next.WithGroup(name)}
}

// attribute is a without secrets. all is true below a key that names one.
func attribute(a slog.Attr, all bool) slog.Attr {
	all = all || gradeName(a.Key) == gradeSure
	v := a.Value.Resolve()
	switch v.Kind() {
	case slog.KindGroup:
		group := v.Group()
		hidden := make([]slog.Attr, len(group))
		for i, x := range group {
			hidden[i] = attribute(x, all)
		}
		return slog.Attr{Key: a.Key, Value: slog.GroupValue(hidden...)}
	case slog.KindString, slog.KindAny:
		return slog.String(a.Key, hiddenString(a.Key, spelled(v), all))
	case slog.KindInt64, slog.KindUint64, slog.KindFloat64:
		if all || gradeName(a.Key) == gradeCode && codeValue(v.String()) {
			return slog.String(a.Key, Secret(v.String()))
		}
	}
	return slog.Attr{Key: a.Key, Value: v}
}

func hiddenString(key, s string, all bool) string {
	switch {
	case all, gradeName(key) == gradeCode && codeValue(s):
		return Secret(s)
	case identifierKeys[key]:
		return settle(s, true)
	}
	return Text(s)
}

// spelled is a value as a handler would write it. A handler may write a value by
// its fields, where no one could look for secrets, so that text it becomes here.
func spelled(v slog.Value) string {
	if v.Kind() == slog.KindString {
		return v.String()
	}
	switch x := v.Any().(type) {
	case []byte:
		return string(x)
	case error:
		return fmt.Sprint(x) // it survives an Error method that panics
	}
	return fmt.Sprintf("%+v", v.Any())
}
