package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/countersign/countersign/catalog"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/risk"
)

// appsCommand asks the catalogue.
type appsCommand struct {
	Show appsShowCommand `cmd:"" help:"Show the tier of an app and who had which say in it."`
}

// appsShowCommand explains the tier of one app.
type appsShowCommand struct {
	Apps    string `placeholder:"FILE" help:"A file with your own tiers for apps."`
	JSON    bool   `name:"json" help:"Print JSON."`
	Package string `arg:"" help:"The package id, such as com.whatsapp."`
}

// Help is the longer text of --help.
func (appsShowCommand) Help() string {
	return `The first voice that knows the app decides.

  countersign apps show com.whatsapp
  countersign apps show com.example.bank --apps my-apps.yaml

HIGH: banking, payments, mail, messaging, settings, installers. MEDIUM: social,
shopping, files, and apps that nobody knows. LOW: notes, media, games. See docs/apps.md.`
}

// appJSON is the answer for scripts.
type appJSON struct {
	Package string          `json:"package"`
	Tier    risk.Tier       `json:"tier"`
	Why     string          `json:"why"`
	Name    string          `json:"name,omitempty"`
	Kind    string          `json:"kind,omitempty"`
	Surface catalog.Surface `json:"surface"`
	Steps   []stepJSON      `json:"steps"`
}

type stepJSON struct {
	Voice   catalog.Why `json:"voice"`
	Spoke   bool        `json:"spoke"`
	Tier    *risk.Tier  `json:"tier,omitempty"`
	Said    string      `json:"said"`
	Decides bool        `json:"decides"`
}

// Run prints what each voice says.
func (c *appsShowCommand) Run(t *terminal) error {
	if c.Package == "" {
		return usage(errors.New("the package is empty"), "try: countersign apps show com.whatsapp")
	}
	cat := catalog.Default()
	if c.Apps != "" {
		overrides, err := catalog.ReadOverridesFile(c.Apps)
		if err != nil {
			return usage(err)
		}
		cat = cat.WithOverrides(overrides)
	}
	e := cat.Explain(catalog.App{Package: c.Package})
	if c.JSON {
		return c.printJSON(t, &e)
	}
	v := &e.Verdict
	title := decide.Quote(c.Package, maxShown)
	if v.Name != "" {
		title = decide.Quote(v.Name, 60) + "  " + title
	}
	if _, err := fmt.Fprintf(t.out, "%s\n%s\n\n", t.paint(bold, title), tierAndWhy(v, v.Tier)); err != nil {
		return err
	}
	tb := table{heads: []string{"", "voice", "tier", "says"}, limits: []int{1, 16, 6, 0}}
	for _, s := range e.Steps {
		r := row{cells: []string{"", words(s.Why.String()), "-", decide.Quote(s.Said, maxShown)}}
		if s.Spoke {
			r.cells[2] = s.Tier.String()
		} else {
			r.inks = []ink{plain, dim, dim, dim}
		}
		if s.Decides {
			r.cells[0], r.inks = "→", []ink{bold, bold, bold, bold}
		}
		tb.rows = append(tb.rows, r)
	}
	return tb.write(t, t.out)
}

func (c *appsShowCommand) printJSON(t *terminal, e *catalog.Explanation) error {
	v := &e.Verdict
	out := appJSON{Package: c.Package, Tier: v.Tier, Why: v.Reason(), Name: v.Name, Kind: v.Kind, Surface: v.Surface}
	for _, s := range e.Steps {
		step := stepJSON{Voice: s.Why, Spoke: s.Spoke, Said: s.Said, Decides: s.Decides}
		if s.Spoke {
			step.Tier = &s.Tier
		}
		out.Steps = append(out.Steps, step)
	}
	text, err := encode(out, "  ")
	if err == nil {
		_, err = t.out.Write(text)
	}
	return err
}

// words turns a wire name such as "name_pattern" into words.
func words(name string) string { return strings.ReplaceAll(name, "_", " ") }
