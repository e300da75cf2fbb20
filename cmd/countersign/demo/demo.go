// Package demo is the script of `countersign demo`: what an agent does step by
// step, on screens written by hand. The packages are those of real apps where
// the tier matters; what stands on the screens is invented.
package demo

import (
	"embed"
	"fmt"

	"github.com/countersign/countersign"
)

//go:embed screens/*.xml
var screens embed.FS

// A Step is one thing that the agent does.
type Step struct {
	// Name is a short word for the step; its screen is screens/Name.xml.
	Name string
	// Title says what the step shows, Task what the agent is after.
	Title, Task string
	// Package is the app in front.
	Package string
	// Tap is what the agent taps; Shell is a line it runs instead.
	Tap   countersign.Selector
	Shell string
	// Doubt is what the agent's own model says when it flags the step.
	Doubt string
	// Yes is what the script answers when the guard asks.
	Yes bool
}

// Steps are the steps of the demo, in order.
func Steps() []Step {
	return []Step{
		{
			Name: "mail-send", Title: "“Send” in a mail app", Task: "send the notice for the flat",
			Package: "com.google.android.gm", Tap: countersign.Selector{ContentDesc: "Send"}, Yes: true,
		}, {
			Name: "notes-send", Title: "“Send” in a notes app", Task: "hand the shopping list on",
			Package: "com.google.android.keep", Tap: countersign.Selector{ResourceID: "com.google.android.keep:id/menu_send"},
		}, {
			Name: "payload-row", Title: "a word with “pay” in it", Task: "look at what the thermostat sent",
			Package: "org.example.mqttbench", Tap: countersign.Selector{Text: "Payload"},
		}, {
			Name: "sent-folder", Title: "“Sent” is no “Send”", Task: "find the mail of last week",
			Package: "com.google.android.gm", Tap: countersign.Selector{Text: "Sent"},
		}, {
			Name: "french-send", Title: "the same button in French", Task: "tell Camille the time",
			Package: "com.whatsapp", Tap: countersign.Selector{ContentDesc: "Envoyer"}, Yes: true,
		}, {
			Name: "arabic-send", Title: "the same button in Arabic", Task: "tell Salma where to meet",
			Package: "com.android.mms", Tap: countersign.Selector{ResourceID: "com.android.mms:id/btn_send_sms"}, Yes: true,
		}, {
			Name: "delete-ok", Title: "“OK” to a question that matters", Task: "tidy up the chats",
			Package: "com.whatsapp", Tap: countersign.Selector{Text: "OK"},
		}, {
			Name: "update-ok", Title: "“OK” to one that does not", Task: "tidy up the chats",
			Package: "com.whatsapp", Tap: countersign.Selector{Text: "OK"},
		}, {
			Name: "payment", Title: "a payment", Task: "get the bicycle repaired",
			Package: "com.paypal.android.p2pmobile", Tap: countersign.Selector{Text: "Pay now"},
		}, {
			Name: "bank-page", Title: "a page that shows nothing", Task: "get on with the bank's form",
			Package: "de.number26.android", Tap: countersign.Selector{ResourceID: "de.number26.android:id/webview"},
			Doubt: "I cannot see what is on this page",
		}, {
			Name: "models-doubt", Title: "the agent's own doubt", Task: "move the dentist to Thursday",
			Package: "com.google.android.calendar", Tap: countersign.Selector{ResourceID: "com.google.android.calendar:id/event_chip", Instance: 1},
			Doubt: "there are two appointments with this name", Yes: true,
		}, {
			Name: "way-round", Title: "a way round the guard", Task: "get the screen read faster",
			Shell: "settings put secure enabled_accessibility_services org.example.pilot/.Reader",
		},
	}
}

// Tree is the step's screen as uiautomator XML, empty for a shell line.
func (s *Step) Tree() (string, error) {
	if s.Shell != "" {
		return "", nil
	}
	data, err := screens.ReadFile("screens/" + s.Name + ".xml")
	if err != nil {
		return "", fmt.Errorf("demo step %s: %w", s.Name, err)
	}
	return string(data), nil
}

// Request is what the agent asks the guard. The screen is the agent's word, as
// it is for every agent that asks over HTTP.
func (s *Step) Request() (*countersign.Request, error) {
	req := &countersign.Request{
		ID: s.Name, Task: s.Task,
		LLM: countersign.LLM{RequiresConfirmation: s.Doubt != "", Reason: s.Doubt},
	}
	if s.Shell != "" {
		req.Action = countersign.Action{Kind: countersign.ShellLine, Shell: s.Shell}
		return req, nil
	}
	tree, err := s.Tree()
	if err != nil {
		return nil, err
	}
	req.Action = countersign.Action{Kind: countersign.Tap, Selector: &s.Tap}
	req.Screen = &countersign.Screen{Package: s.Package, Tree: tree}
	return req, nil
}
