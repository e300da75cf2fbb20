package phone

import (
	"fmt"
	"maps"
	"path"
	"slices"
)

// shellPackage is who does what a shell tells the phone to do.
const shellPackage = "com.android.shell"

// Package is an app as the package manager knows it.
type Package struct {
	Name, Label, Version string
	// System apps cannot be uninstalled.
	System bool
	// Enabled is false for an app that is switched off.
	Enabled bool
	// Activity is the class that the launcher starts, such as ".Inbox"; empty
	// where the app has none.
	Activity string
	// Permissions are those that the app asks for, and whether it has them.
	Permissions map[string]bool
	// APK is where its code lies in the phone's files.
	APK string
}

// Packages are the installed apps by name.
func (p *Phone) Packages() []Package {
	p.lock()
	defer p.mu.Unlock()
	var list []Package
	for _, pkg := range slices.Sorted(maps.Keys(p.apps)) {
		if a := p.apps[pkg]; a.installed {
			list = append(list, p.describe(a))
		}
	}
	return list
}

// Package is an installed app; false when there is none of that name.
func (p *Phone) Package(name string) (Package, bool) {
	p.lock()
	defer p.mu.Unlock()
	a, err := p.app(name)
	if err != nil {
		return Package{}, false
	}
	return p.describe(a), true
}

func (p *Phone) describe(a *appState) Package {
	d := Package{
		Name: a.def.pkg, Label: p.labelOf(a.def.pkg), Version: a.def.version, System: a.def.system,
		Enabled: a.enabled, Permissions: maps.Clone(a.permissions), APK: apkPath(a.def),
	}
	if main := a.def.screens[a.def.main]; main != nil {
		d.Activity = main.activity
	}
	return d
}

func apkPath(def *app) string {
	if def.system {
		return "/system/app/" + def.pkg + "/base.apk"
	}
	return "/data/app/" + def.pkg + "-1/base.apk"
}

func (p *Phone) placeAPK(a *appState, apk []byte) {
	name := apkPath(a.def)
	_ = p.files.Mkdir(path.Dir(name), 0o755, true)
	_ = p.files.WriteFile(name, apk, 0o644)
}

// Running are the packages that have a process, by name: those with a screen
// and the parts of the system.
func (p *Phone) Running() []string {
	p.lock()
	defer p.mu.Unlock()
	running := map[string]bool{p.home.def.pkg: true, p.imePackage(): p.imePackage() != ""}
	for _, bar := range p.bars {
		running[bar.app.def.pkg] = true
	}
	for _, t := range p.tasks {
		for _, act := range t.stack {
			running[act.app.def.pkg] = true
		}
	}
	maps.DeleteFunc(running, func(_ string, on bool) bool { return !on })
	return slices.Sorted(maps.Keys(running))
}

// Stop ends an app, as "am force-stop" does.
func (p *Phone) Stop(pkg string) {
	p.lock()
	defer p.mu.Unlock()
	p.noteThat("stop", "%s", pkg)
	p.stop(pkg)
}

func (p *Phone) stop(pkg string) {
	defer p.changed()
	p.leave(func(a *activity) bool { return a.app.def.pkg == pkg })
}

// Clear deletes an app's data and ends it.
func (p *Phone) Clear(pkg string) error {
	p.lock()
	defer p.mu.Unlock()
	p.noteThat("clear", "%s", pkg)
	return p.clear(shellPackage, pkg)
}

func (p *Phone) clear(by, pkg string) error {
	a, err := p.app(pkg)
	if err != nil {
		return err
	}
	p.stop(pkg)
	a.reset(p)
	p.happen(Effect{App: by, What: "cleared", Object: pkg})
	return nil
}

// Install installs an app. A package that the phone's data knows gets its
// screens back; any other is an app without any.
func (p *Phone) Install(pkg string, apk []byte) error {
	p.lock()
	defer p.mu.Unlock()
	p.noteThat("install", "%s (%d bytes)", pkg, len(apk))
	if !packageName.MatchString(pkg) {
		return fmt.Errorf("install %q: a package is named like org.example.notes", pkg)
	}
	a, known := p.apps[pkg]
	if !known {
		a = newAppState(p, &app{pkg: pkg, label: template(pkg), version: "1.0"})
		p.apps[pkg] = a
	}
	if !a.installed {
		a.installed, a.enabled = true, true
		a.reset(p)
	}
	p.placeAPK(a, apk)
	p.happen(Effect{App: shellPackage, What: "installed", Object: pkg})
	p.changed()
	return nil
}

// Uninstall removes an app and its data.
func (p *Phone) Uninstall(pkg string) error {
	p.lock()
	defer p.mu.Unlock()
	p.noteThat("uninstall", "%s", pkg)
	return p.uninstall(shellPackage, pkg)
}

func (p *Phone) uninstall(by, pkg string) error {
	a, err := p.app(pkg)
	if err != nil {
		return err
	}
	if a.def.system {
		return fmt.Errorf("package %s: %w", pkg, ErrSystemPackage)
	}
	p.stop(pkg)
	a.reset(p)
	a.installed = false
	_ = p.files.Remove(path.Dir(apkPath(a.def)), true)
	p.happen(Effect{App: by, What: "uninstalled", Object: pkg})
	return nil
}

// SetEnabled switches an app on or off, as "pm enable" and "pm disable-user" do.
func (p *Phone) SetEnabled(pkg string, enabled bool) error {
	p.lock()
	defer p.mu.Unlock()
	p.noteThat("enable", "%s %t", pkg, enabled)
	a, err := p.app(pkg)
	if err != nil {
		return err
	}
	if a.enabled != enabled {
		a.enabled = enabled
		what := "disabled"
		if enabled {
			what = "enabled"
		} else {
			p.stop(pkg)
		}
		p.happen(Effect{App: shellPackage, What: what, Object: pkg})
	}
	p.changed()
	return nil
}

// Grant gives an app a permission that it asks for, or takes it.
func (p *Phone) Grant(pkg, permission string, granted bool) error {
	p.lock()
	defer p.mu.Unlock()
	p.noteThat("grant", "%s %s %t", pkg, permission, granted)
	return p.grant(shellPackage, pkg, permission, granted)
}

func (p *Phone) grant(by, pkg, permission string, granted bool) error {
	a, err := p.app(pkg)
	if err != nil {
		return err
	}
	had, asked := a.permissions[permission]
	if !asked {
		return fmt.Errorf("package %s, permission %s: %w", pkg, permission, ErrNoPermission)
	}
	a.permissions[permission] = granted
	if had != granted {
		what := "revoked"
		if granted {
			what = "granted"
		}
		p.happen(Effect{App: by, What: what, Object: permission, Recipient: pkg})
	}
	p.changed()
	return nil
}

// SetAppOp sets an app op, such as "SYSTEM_ALERT_WINDOW" to "allow".
func (p *Phone) SetAppOp(pkg, op, mode string) error {
	p.lock()
	defer p.mu.Unlock()
	p.noteThat("appop", "%s %s %s", pkg, op, mode)
	a, err := p.app(pkg)
	if err != nil {
		return err
	}
	if a.ops[op] != mode {
		a.ops[op] = mode
		p.happen(Effect{App: shellPackage, What: "appop", Object: op, Recipient: pkg, Text: mode})
	}
	return nil
}

// AppOp is the mode of an app op, "default" where none was set.
func (p *Phone) AppOp(pkg, op string) string {
	p.lock()
	defer p.mu.Unlock()
	if a, err := p.app(pkg); err == nil && a.ops[op] != "" {
		return a.ops[op]
	}
	return "default"
}

// List is a copy of the rows of one of an app's lists, such as the messages of
// a conversation: what a content provider would answer from.
func (p *Phone) List(pkg, list string) []map[string]string {
	p.lock()
	defer p.mu.Unlock()
	a, err := p.app(pkg)
	if err != nil {
		return nil
	}
	var rows []map[string]string
	for _, r := range p.rowsOf(a, list) {
		rows = append(rows, maps.Clone(r.fields))
	}
	return rows
}
