package identity_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"
)

// everyForm is a value in all the ways that programs print values.
func everyForm(t *testing.T, v any) []string {
	t.Helper()
	var forms []string
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t"} {
		forms = append(forms, fmt.Sprintf(verb, v))
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var logged, asJSON bytes.Buffer
	slog.New(slog.NewTextHandler(&logged, nil)).Info("x", "v", v)
	slog.New(slog.NewJSONHandler(&asJSON, nil)).Info("x", "v", v)
	return append(forms, string(text), logged.String(), asJSON.String())
}
