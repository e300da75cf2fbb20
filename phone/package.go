package phone

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
func (p *Phone) Packages() []Package { return nil }

// Package is an installed app; false when there is none of that name.
func (p *Phone) Package(name string) (Package, bool) { return Package{}, false }

// Running are the packages that have a process, by name.
func (p *Phone) Running() []string { return nil }

// Stop ends an app, as "am force-stop" does.
func (p *Phone) Stop(pkg string) {}

// Clear deletes an app's data and ends it.
func (p *Phone) Clear(pkg string) error { return nil }

// Install installs an app. A package that the phone's data knows gets its
// screens back; any other is an app without any.
func (p *Phone) Install(pkg string, apk []byte) error { return nil }

// Uninstall removes an app and its data.
func (p *Phone) Uninstall(pkg string) error { return nil }

// SetEnabled switches an app on or off, as "pm enable" and "pm disable-user" do.
func (p *Phone) SetEnabled(pkg string, enabled bool) error { return nil }

// Grant gives an app a permission that it asks for, or takes it.
func (p *Phone) Grant(pkg, permission string, granted bool) error { return nil }

// SetAppOp sets an app op, such as "SYSTEM_ALERT_WINDOW" to "allow".
func (p *Phone) SetAppOp(pkg, op, mode string) error { return nil }

// AppOp is the mode of an app op, "default" where none was set.
func (p *Phone) AppOp(pkg, op string) string { return "default" }
