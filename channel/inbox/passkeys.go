package inbox

import "github.com/countersign/countersign/identity"

// FormAPI is the name of the CSRF token of what the script sends as JSON.
const FormAPI = "api"

// FormPasskey is the name of the form that forgets a passkey.
func FormPasskey(id string) string { return "passkey/" + id }

// PasskeysHere is how passkeys stand on this page.
type PasskeysHere struct {
	// Host is the page's host: only its passkeys can be used here.
	Host string
	// Fresh says that one may be added in this session, still.
	Fresh bool
	// Required says that critical questions are approved with one.
	Required bool
}

// key is a passkey as the page prints it.
type key struct {
	ID, Name, Host, Added, AddedISO, Used, UsedISO, CSRF string

	Here bool
}

// Passkeys draws the page of an approver's passkeys.
func Passkeys(f Frame, all []identity.Passkey, here PasskeysHere) ([]byte, error) {
	view := struct {
		frame
		PasskeysHere
		CSRFAPI string
		Keys    []key
	}{frame: f.view("passkeys", "", "Passkeys"), PasskeysHere: here, CSRFAPI: f.CSRF(FormAPI)}
	view.Host = spell(here.Host)
	for _, p := range all {
		k := key{ID: p.ID, Name: spell(p.Name), Host: spell(p.Host), Here: p.Host == here.Host, CSRF: f.CSRF(FormPasskey(p.ID))}
		k.Added, k.AddedISO = clock(p.CreatedAt), iso(p.CreatedAt)
		if !p.UsedAt.IsZero() {
			k.Used, k.UsedISO = clock(p.UsedAt), iso(p.UsedAt)
		}
		view.Keys = append(view.Keys, k)
	}
	return draw("passkeys.html", view)
}
