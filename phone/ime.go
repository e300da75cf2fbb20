package phone

import (
	"slices"
	"strings"
)

// IME is an input method.
type IME struct {
	ID      string // package/.Class
	Enabled bool
	Current bool
}

// IMEs are the input methods that are installed, by id.
func (p *Phone) IMEs() []IME {
	p.lock()
	defer p.mu.Unlock()
	return p.imes()
}

func (p *Phone) imes() []IME {
	enabled, current := components(p.settings[Secure][keyIMEs]), p.settings[Secure][keyIME]
	var list []IME
	for _, a := range p.apps {
		if !a.installed || !a.enabled {
			continue
		}
		for _, class := range a.def.keyboards {
			id := a.def.pkg + "/" + class
			list = append(list, IME{ID: id, Enabled: slices.Contains(enabled, id), Current: id == current})
		}
	}
	slices.SortFunc(list, func(a, b IME) int { return strings.Compare(a.ID, b.ID) })
	return list
}

// imePackage is the package of the current input method, empty where that is
// gone.
func (p *Phone) imePackage() string {
	pkg, _, _ := strings.Cut(p.settings[Secure][keyIME], "/")
	if a, err := p.app(pkg); err != nil || !a.enabled {
		return ""
	}
	return pkg
}

// EnableIME allows an input method to be chosen, or no longer. It reports
// whether there is such a one.
func (p *Phone) EnableIME(id string, enabled bool) bool {
	p.lock()
	defer p.mu.Unlock()
	p.noteThat("setting", "ime enable %s %t", id, enabled)
	if !slices.ContainsFunc(p.imes(), func(i IME) bool { return i.ID == id }) {
		return false
	}
	list := slices.DeleteFunc(components(p.settings[Secure][keyIMEs]), func(s string) bool { return s == id })
	if enabled {
		list = append(list, id)
	}
	p.settings[Secure][keyIMEs] = strings.Join(list, ":")
	return true
}

// SetIME makes an input method the current one. It reports false when there is
// no such one or it is not enabled.
func (p *Phone) SetIME(id string) bool {
	p.lock()
	defer p.mu.Unlock()
	p.noteThat("setting", "ime set %s", id)
	if !slices.ContainsFunc(p.imes(), func(i IME) bool { return i.ID == id && i.Enabled }) {
		return false
	}
	p.settings[Secure][keyIME] = id
	p.changed()
	return true
}
