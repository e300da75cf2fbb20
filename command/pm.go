package command

import (
	"strings"

	"github.com/countersign/countersign/risk"
)

// pmCommands are the subcommands of pm (or "cmd package").
var pmCommands = merge(noneOf(
	// They print what is installed, and where.
	"list path dump dump-profiles resolve-activity query-activities query-services query-receivers "+
		"has-feature get-install-location get-instantapp-resolver get-max-users get-max-running-users "+
		"get-privapp-permissions get-privapp-deny-permissions get-oem-permissions get-moduleinfo "+
		"get-harmful-app-warning get-app-link get-app-links get-app-link-owners get-package-storage-stats "+
		"get-stagedsessions get-distracting-restriction get-archived-package-metadata help",
	codeRead),
	map[string]rule{
		"install":               {risk.Install, codeInstall, false},
		"install-create":        {risk.Install, codeInstall, false},
		"install-write":         {risk.Install, codeInstall, false},
		"install-add":           {risk.Install, codeInstall, false},
		"install-remove":        {risk.Install, codeInstall, false},
		"install-commit":        {risk.Install, codeInstall, false},
		"install-multi-package": {risk.Install, codeInstall, false},
		"install-streaming":     {risk.Install, codeInstall, false},
		"install-incremental":   {risk.Install, codeInstall, false},
		"install-existing":      {risk.Install, codeInstall, true},
		"install-archived":      {risk.Install, codeInstall, false},
		"request-unarchive":     {risk.Install, codeInstall, true},
		"rollback-app":          {risk.Install, codeInstall, true},
		// It drops what was to be installed.
		"install-abandon":          {risk.None, codeNavigate, false},
		"install-destroy":          {risk.None, codeNavigate, false},
		"uninstall":                {risk.Uninstall, codeUninstall, true},
		"uninstall-system-updates": {risk.Uninstall, codeUninstall, true},
		"archive":                  {risk.Uninstall, codeUninstall, true},
		// Gone as far as its owner can see.
		"disable":            {risk.Uninstall, codeDisableApp, true},
		"disable-user":       {risk.Uninstall, codeDisableApp, true},
		"disable-until-used": {risk.Uninstall, codeDisableApp, true},
		"hide":               {risk.Uninstall, codeDisableApp, true},
		"suspend":            {risk.Uninstall, codeDisableApp, true},
		// Back, with what it may do.
		"enable":        {risk.Install, codeEnableApp, true},
		"default-state": {risk.Install, codeEnableApp, true},
		"unhide":        {risk.Install, codeEnableApp, true},
		"unsuspend":     {risk.Install, codeEnableApp, true},
		// The app forgets its owner: accounts, messages, everything it kept.
		"clear":       {risk.Delete, codeClearData, true},
		"trim-caches": {risk.Delete, codeClearData, false},
		"art":         {risk.None, codePreference, false},
		// What an app may do.
		"grant":                        {risk.Permission, codeGrant, true},
		"revoke":                       {risk.Permission, codeGrant, true},
		"reset-permissions":            {risk.Permission, codeGrant, false},
		"set-permission-enforced":      {risk.Permission, codeGrant, false},
		"set-permission-flags":         {risk.Permission, codeGrant, true},
		"clear-permission-flags":       {risk.Permission, codeGrant, true},
		"grant-permission":             {risk.Permission, codeGrant, true},
		"set-home-activity":            {risk.Permission, codeDefaultApp, true},
		"set-installer":                {risk.Permission, codeDefaultApp, true},
		"set-app-links":                {risk.Permission, codeDefaultApp, false},
		"set-app-link":                 {risk.Permission, codeDefaultApp, true},
		"set-app-links-allowed":        {risk.Permission, codeDefaultApp, false},
		"set-app-links-user-selection": {risk.Permission, codeDefaultApp, false},
		"verify-app-links":             {risk.Permission, codeDefaultApp, false},
		"reset-app-links":              {risk.Permission, codeDefaultApp, false},
		// Who checks what is installed, and where it goes.
		"set-install-location":             {risk.Settings, codeSetting, false},
		"set-harmful-app-warning":          {risk.Settings, codeSetting, true},
		"set-user-restriction":             {risk.Settings, codeSetting, false},
		"set-user-restrictions":            {risk.Settings, codeSetting, false},
		"set-debuggable":                   {risk.Settings, codeSetting, true},
		"set-distracting-restriction":      {risk.Settings, codeSetting, false},
		"set-silent-updates-policy":        {risk.Settings, codeSetting, false},
		"set-verify-updates":               {risk.Settings, codeSetting, false},
		"log-visibility":                   {risk.Settings, codeSetting, true},
		"bypass-staged-installer-check":    {risk.Settings, codeSetting, false},
		"bypass-allowed-apex-update-check": {risk.Settings, codeSetting, false},
		"disable-verification-for-uid":     {risk.Settings, codeSetting, false},
		"move-package":                     {risk.Other, codeOtherEffect, true},
		"move-primary-storage":             {risk.Other, codeOtherEffect, false},
		// The users of the phone and what is theirs.
		"create-user":               {risk.Account, codeAccounts, false},
		"remove-user":               {risk.Account, codeAccounts, false},
		"mark-guest-for-deletion":   {risk.Account, codeAccounts, false},
		"rename-user":               {risk.Account, codeAccounts, false},
		"set-user-guest":            {risk.Account, codeAccounts, false},
		"remove-user-when-possible": {risk.Account, codeAccounts, false},
		// How apps are compiled: they run the same.
		"compile": {risk.None, codePreference, false}, "force-dex-opt": {risk.None, codePreference, true},
		"bg-dexopt-job": {risk.None, codePreference, false}, "cancel-bg-dexopt-job": {risk.None, codePreference, false},
		"delete-dexopt": {risk.None, codePreference, true}, "reconcile-secondary-dex-files": {risk.None, codePreference, true},
		"snapshot-profile": {risk.None, codePreference, true}, "wait-for-handler": {risk.None, codeRead, false},
	})

// pmValues are the options of pm with a value.
var pmValues = []string{"--user", "-i", "--abi", "--pkg", "--install-location", "--installerPackageName",
	"--originating-uri", "--referrer", "-S", "--versionCode", "--component", "--uid", "--target-sdk"}

// guardingPermissions let an app change what the guard relies on: with them it
// can switch on an accessibility service or a notification listener by itself,
// press keys, or read every screen.
var guardingPermissions = map[string]bool{
	"WRITE_SECURE_SETTINGS": true, "INJECT_EVENTS": true, "MANAGE_DEVICE_ADMINS": true,
	"GRANT_RUNTIME_PERMISSIONS": true, "BIND_ACCESSIBILITY_SERVICE": true, "BIND_DEVICE_ADMIN": true,
	"BIND_NOTIFICATION_LISTENER_SERVICE": true, "INTERACT_ACROSS_USERS_FULL": true,
	"MANAGE_APP_OPS_MODES": true, "WRITE_GSERVICES": true, "CHANGE_COMPONENT_ENABLED_STATE": true,
}

// pm judges the package manager's commands.
func pm(c *call) {
	word := c.arg(0)
	if word == "" {
		c.none(codeRead, c.verb)
		return
	}
	_, operands := split(c.texts()[1:], pmValues...)
	if word == "grant" && len(operands) > 1 {
		name := operands[1][strings.LastIndexByte(operands[1], '.')+1:]
		if guardingPermissions[name] {
			c.add(Effect{Category: risk.Bypass, Code: codeAccessibility, Package: operands[0], Object: join(operands), Term: c.verb + " grant"})
			return
		}
	}
	c.byRule(pmCommands, word, operands)
}
