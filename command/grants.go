package command

import (
	"strings"

	"github.com/countersign/countersign/risk"
)

// imeCommands are the subcommands of ime. A keyboard reads all that is typed,
// passwords included; agents' helper keyboards are no exception.
var imeCommands = map[string]rule{
	"list":    {risk.None, codeRead, false},
	"help":    {risk.None, codeRead, false},
	"enable":  {risk.Permission, codeInputMethod, true},
	"set":     {risk.Permission, codeInputMethod, true},
	"disable": {risk.Permission, codeInputMethod, true},
	"reset":   {risk.Permission, codeInputMethod, false},
	"tracing": {risk.Disclose, codeRecord, false},
}

func ime(c *call) { c.subcommand(imeCommands, "--user") }

// appopsCommands are the subcommands of appops, which grants what permissions
// do not cover: drawing over other apps, false places, background work.
var appopsCommands = map[string]rule{
	"get":            {risk.None, codeRead, false},
	"query-op":       {risk.None, codeRead, false},
	"help":           {risk.None, codeRead, false},
	"set":            {risk.Permission, codeGrant, true},
	"reset":          {risk.Permission, codeGrant, true},
	"start":          {risk.Permission, codeGrant, true},
	"stop":           {risk.Permission, codeGrant, true},
	"write-settings": {risk.Permission, codeGrant, false},
	"read-settings":  {risk.Permission, codeGrant, false},
}

// appops judges the app-operations commands. Lifting the block on restricted
// settings is what lets a sideloaded app become an accessibility service.
func appops(c *call) {
	if c.arg(0) == "set" && strings.Contains(strings.ToUpper(c.rest(0)), "RESTRICTED_SETTINGS") {
		c.is(risk.Bypass, codeAccessibility, c.verb+" set", c.rest(1))
		return
	}
	c.subcommand(appopsCommands, "--user", "--uid")
}

// dpm makes and removes administrators of the device, who outrank its owner.
func dpm(c *call) {
	word := c.arg(0)
	if strings.HasPrefix(word, "list-") || word == "" || word == "help" {
		c.none(codeRead, c.verb)
		return
	}
	c.is(risk.Bypass, codeAdminister, c.verb+" "+word, c.rest(1))
}

// roleCommands are the subcommands of "cmd role": who is the dialler, the
// browser, the keeper of messages.
var roleCommands = map[string]rule{
	"get-role-holders":                 {risk.None, codeRead, false},
	"is-bypassing-role-qualification":  {risk.None, codeRead, false},
	"get-active-user-for-role":         {risk.None, codeRead, false},
	"help":                             {risk.None, codeRead, false},
	"add-role-holder":                  {risk.Permission, codeDefaultApp, false},
	"remove-role-holder":               {risk.Permission, codeDefaultApp, false},
	"clear-role-holders":               {risk.Permission, codeDefaultApp, false},
	"set-bypassing-role-qualification": {risk.Permission, codeDefaultApp, false},
	"set-active-user-for-role":         {risk.Permission, codeDefaultApp, false},
}

func role(c *call) { c.subcommand(roleCommands, "--user") }

// notificationCommands are the subcommands of "cmd notification".
var notificationCommands = map[string]rule{
	"help": {risk.None, codeRead, false},
	// What stands in notifications: codes, messages, names.
	"list": {risk.Disclose, codeReadService, false},
	"get":  {risk.Disclose, codeReadService, false},
	// Whoever listens reads all of them and can press their buttons.
	"allow_listener":           {risk.Bypass, codeAccessibility, true},
	"allow_assistant":          {risk.Bypass, codeAccessibility, true},
	"disallow_listener":        {risk.Bypass, codeAccessibility, true},
	"disallow_assistant":       {risk.Bypass, codeAccessibility, true},
	"remove_assistant":         {risk.Bypass, codeAccessibility, true},
	"reset_assistant_user_set": {risk.Bypass, codeAccessibility, false},
	"set_assistant":            {risk.Bypass, codeAccessibility, true},
	"allow_dnd":                {risk.Permission, codeGrant, true},
	"disallow_dnd":             {risk.Permission, codeGrant, true},
	"set_bubbles":              {risk.Settings, codeSetting, true},
	"set_bubbles_channel":      {risk.Settings, codeSetting, true},
	"suspend_package":          {risk.Settings, codeSetting, true},
	"unsuspend_package":        {risk.Settings, codeSetting, true},
	"distract_package":         {risk.Settings, codeSetting, true},
	"set_dnd":                  {risk.None, codePreference, false},
	"snooze":                   {risk.Other, codeOtherEffect, false},
	"unsnooze":                 {risk.Other, codeOtherEffect, false},
	// A note that seems to come from an app.
	"post":   {risk.Other, codeOtherEffect, false},
	"notify": {risk.Other, codeOtherEffect, false},
}

func notification(c *call) { c.subcommand(notificationCommands) }

// lockCommands are the subcommands of locksettings.
var lockCommands = map[string]rule{
	"help":                                  {risk.None, codeRead, false},
	"get-disabled":                          {risk.None, codeRead, false},
	"clear":                                 {risk.Settings, codeLock, false},
	"set-pattern":                           {risk.Settings, codeLock, false},
	"set-pin":                               {risk.Settings, codeLock, false},
	"set-password":                          {risk.Settings, codeLock, false},
	"set-disabled":                          {risk.Settings, codeLock, false},
	"verify":                                {risk.Credential, codeLock, false},
	"sp":                                    {risk.Settings, codeLock, false},
	"remove-cache":                          {risk.Settings, codeLock, false},
	"set-resume-on-reboot-provider-package": {risk.Settings, codeLock, false},
	"require-strong-auth":                   {risk.Settings, codeLock, false},
}

func lockSettings(c *call) { c.subcommand(lockCommands, "--user", "--old") }

// telecomCommands are the subcommands of telecom.
var telecomCommands = map[string]rule{
	"help":                                            {risk.None, codeRead, false},
	"get-default-dialer":                              {risk.None, codeRead, false},
	"get-system-dialer":                               {risk.None, codeRead, false},
	"get-sim-config":                                  {risk.None, codeRead, false},
	"get-max-phones":                                  {risk.None, codeRead, false},
	"wait-on-handlers":                                {risk.None, codeRead, false},
	"is-non-in-call-service-bound":                    {risk.None, codeRead, false},
	"set-default-dialer":                              {risk.Permission, codeDefaultApp, true},
	"set-system-dialer":                               {risk.Permission, codeDefaultApp, true},
	"set-phone-account-enabled":                       {risk.Settings, codeSetting, false},
	"set-phone-account-disabled":                      {risk.Settings, codeSetting, false},
	"register-phone-account":                          {risk.Settings, codeSetting, false},
	"register-sim-phone-account":                      {risk.Settings, codeSetting, false},
	"unregister-phone-account":                        {risk.Settings, codeSetting, false},
	"set-user-selected-outgoing-phone-account":        {risk.Settings, codeSetting, false},
	"add-or-remove-call-companion-app":                {risk.Permission, codeDefaultApp, true},
	"set-call-diagnostic-service":                     {risk.Permission, codeDefaultApp, true},
	"set-test-emergency-phone-account-package-filter": {risk.Settings, codeSetting, false},
	"cleanup-stuck-calls":                             {risk.Other, codeOtherEffect, false},
	"stop-block-suppression":                          {risk.Settings, codeSetting, false},
}

func telecom(c *call) { c.subcommand(telecomCommands) }
