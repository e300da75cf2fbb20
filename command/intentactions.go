package command

import "github.com/countersign/countersign/risk"

const (
	actionMain = "android.intent.action.MAIN"
	actionView = "android.intent.action.VIEW"
)

// An actionRule is what starting a screen with an action does.
type actionRule struct {
	category risk.Category
	code     string
	// ownsData says that the action, not the link, tells what happens to the
	// link: DELETE package:x removes what the link alone would show.
	ownsData bool
	// chooser says that the user picks the receiver, unless one is named.
	chooser bool
}

// activityActions are the actions of the platform. An action that is missing
// is not known.
var activityActions = map[string]actionRule{
	// They open an app, a page or a picker; what is done there is judged there.
	actionMain:                                               {risk.None, codeLaunch, false, false},
	actionView:                                               {risk.None, codeNavigate, false, false},
	"android.intent.action.QUICK_VIEW":                       {risk.None, codeNavigate, false, false},
	"android.intent.action.SEARCH":                           {risk.None, codeNavigate, false, false},
	"android.intent.action.WEB_SEARCH":                       {risk.None, codeNavigate, false, false},
	"android.intent.action.SEARCH_LONG_PRESS":                {risk.None, codeNavigate, false, false},
	"android.intent.action.ASSIST":                           {risk.None, codeNavigate, false, false},
	"android.intent.action.VOICE_COMMAND":                    {risk.None, codeNavigate, false, false},
	"android.intent.action.ALL_APPS":                         {risk.None, codeNavigate, false, false},
	"android.intent.action.SHOW_APP_INFO":                    {risk.None, codeNavigate, false, false},
	"android.intent.action.APPLICATION_PREFERENCES":          {risk.None, codeNavigate, false, false},
	"android.intent.action.PICK":                             {risk.None, codeNavigate, false, false},
	"android.intent.action.PICK_ACTIVITY":                    {risk.None, codeNavigate, false, false},
	"android.intent.action.GET_CONTENT":                      {risk.None, codeNavigate, false, false},
	"android.intent.action.OPEN_DOCUMENT":                    {risk.None, codeNavigate, false, false},
	"android.intent.action.OPEN_DOCUMENT_TREE":               {risk.None, codeNavigate, false, false},
	"android.intent.action.POWER_USAGE_SUMMARY":              {risk.None, codeNavigate, false, false},
	"android.intent.action.SET_WALLPAPER":                    {risk.None, codeNavigate, false, false},
	"android.intent.action.MUSIC_PLAYER":                     {risk.None, codeNavigate, false, false},
	"android.intent.action.SHOW_ALARMS":                      {risk.None, codeNavigate, false, false},
	"android.intent.action.SHOW_TIMERS":                      {risk.None, codeNavigate, false, false},
	"android.media.action.MEDIA_PLAY_FROM_SEARCH":            {risk.None, codePreference, false, false},
	"android.media.action.STILL_IMAGE_CAMERA":                {risk.None, codeNavigate, false, false},
	"android.media.action.VIDEO_CAMERA":                      {risk.None, codeNavigate, false, false},
	"android.media.action.IMAGE_CAPTURE":                     {risk.None, codeNavigate, false, false},
	"android.media.action.VIDEO_CAPTURE":                     {risk.None, codeNavigate, false, false},
	"android.intent.action.DIAL":                             {risk.None, codeCompose, false, false},
	"android.intent.action.SENDTO":                           {risk.None, codeCompose, false, false},
	"android.intent.action.INSERT":                           {risk.None, codeCompose, false, false},
	"android.intent.action.INSERT_OR_EDIT":                   {risk.None, codeCompose, false, false},
	"android.intent.action.EDIT":                             {risk.None, codeCompose, false, false},
	"android.intent.action.CREATE_DOCUMENT":                  {risk.None, codeCompose, false, false},
	"android.intent.action.CREATE_NOTE":                      {risk.None, codeCompose, false, false},
	"android.intent.action.CREATE_REMINDER":                  {risk.None, codeCompose, false, false},
	"com.google.android.gms.actions.SEARCH_ACTION":           {risk.None, codeNavigate, false, false},
	"android.provider.action.QUICK_CONTACT":                  {risk.None, codeNavigate, false, false},
	"android.provider.Telephony.ACTION_CHANGE_DEFAULT":       {risk.Permission, codeDefaultApp, false, false},
	"android.telecom.action.CHANGE_DEFAULT_DIALER":           {risk.Permission, codeDefaultApp, false, false},
	"android.app.role.action.REQUEST_ROLE":                   {risk.Permission, codeDefaultApp, false, false},
	"android.nfc.cardemulation.action.ACTION_CHANGE_DEFAULT": {risk.Permission, codeDefaultApp, false, false},
	"android.speech.tts.engine.INSTALL_TTS_DATA":             {risk.Install, codeInstall, false, false},
	"android.bluetooth.adapter.action.REQUEST_ENABLE":        {risk.Settings, codeRadio, false, false},
	"android.bluetooth.adapter.action.REQUEST_DISCOVERABLE":  {risk.Settings, codeRadio, false, false},
	"android.bluetooth.devicepicker.action.LAUNCH":           {risk.Permission, codeGrant, false, false},
	"android.content.pm.action.REQUEST_PERMISSIONS":          {risk.Permission, codeGrant, false, false},
	"android.intent.action.MANAGE_PERMISSIONS":               {risk.Permission, codeGrant, false, false},
	"android.intent.action.MANAGE_APP_PERMISSIONS":           {risk.Permission, codeGrant, false, false},
	"android.intent.action.MANAGE_DEFAULT_APP":               {risk.Permission, codeDefaultApp, false, false},
	"android.intent.action.MANAGE_SPECIAL_APP_ACCESSES":      {risk.Permission, codeGrant, false, false},
	"android.intent.action.AUTO_REVOKE_PERMISSIONS":          {risk.Permission, codeGrant, false, false},
	"android.intent.action.RINGTONE_PICKER":                  {risk.None, codeNavigate, false, false},
	"android.intent.action.CHOOSER":                          {risk.None, codeCompose, false, true},
	"android.intent.action.ATTACH_DATA":                      {risk.Share, codeShare, false, true},
	"android.intent.action.SEND":                             {risk.Share, codeShare, false, true},
	"android.intent.action.SEND_MULTIPLE":                    {risk.Share, codeShare, false, true},
	"android.intent.action.PROCESS_TEXT":                     {risk.Share, codeShare, false, true},
	"android.intent.action.TRANSLATE":                        {risk.Share, codeShare, false, true},
	"android.intent.action.DEFINE":                           {risk.Share, codeShare, false, true},

	// An alarm with SKIP_UI is set at once.
	"android.intent.action.SET_ALARM":     {risk.Other, codeOtherEffect, false, false},
	"android.intent.action.SET_TIMER":     {risk.Other, codeOtherEffect, false, false},
	"android.intent.action.DISMISS_ALARM": {risk.Other, codeOtherEffect, false, false},
	"android.intent.action.DISMISS_TIMER": {risk.Other, codeOtherEffect, false, false},
	"android.intent.action.SNOOZE_ALARM":  {risk.Other, codeOtherEffect, false, false},

	// The call starts as soon as the intent arrives.
	"android.intent.action.CALL":            {risk.Call, codeCall, true, false},
	"android.intent.action.CALL_PRIVILEGED": {risk.Call, codeCall, true, false},
	"android.intent.action.ANSWER":          {risk.Call, codeCall, true, false},
	"android.intent.action.CALL_EMERGENCY":  {risk.Device, codeEmergency, true, false},
	"android.intent.action.CALL_BUTTON":     {risk.Call, codeCall, true, false},

	// It sends, without a composer.
	"android.intent.action.RESPOND_VIA_MESSAGE": {risk.Message, codeSend, true, false},

	// They end in the installer's question, which names the app; the intent
	// already says what the answer would do.
	"android.intent.action.DELETE":                      {risk.Uninstall, codeUninstall, true, false},
	"android.intent.action.UNINSTALL_PACKAGE":           {risk.Uninstall, codeUninstall, true, false},
	"android.intent.action.INSTALL_PACKAGE":             {risk.Install, codeInstall, true, false},
	"android.intent.action.INSTALL_INSTANT_APP_PACKAGE": {risk.Install, codeInstall, true, false},

	// They hand the phone to an administrator, or to a certificate or a network.
	"android.app.action.ADD_DEVICE_ADMIN":                 {risk.Bypass, codeAdminister, true, false},
	"android.app.action.PROVISION_MANAGED_PROFILE":        {risk.Bypass, codeAdminister, true, false},
	"android.app.action.PROVISION_MANAGED_DEVICE":         {risk.Bypass, codeAdminister, true, false},
	"android.app.action.SET_NEW_PASSWORD":                 {risk.Settings, codeLock, false, false},
	"android.app.action.CONFIRM_DEVICE_CREDENTIAL":        {risk.Settings, codeLock, false, false},
	"android.credentials.INSTALL":                         {risk.Settings, codeSettingsPanel, false, false},
	"android.credentials.INSTALL_AS_USER":                 {risk.Settings, codeSettingsPanel, false, false},
	"android.credentials.UNLOCK":                          {risk.Settings, codeSettingsPanel, false, false},
	"android.net.vpn.SETTINGS":                            {risk.Settings, codeSettingsPanel, false, false},
	"android.net.action.CONFIRM_VPN":                      {risk.Settings, codeSettingsPanel, false, false},
	"android.intent.action.ACTION_REQUEST_SHUTDOWN":       {risk.Device, codePower, true, false},
	"com.android.internal.intent.action.REQUEST_SHUTDOWN": {risk.Device, codePower, true, false},
	"android.intent.action.REBOOT":                        {risk.Device, codePower, true, false},
	"android.intent.action.FACTORY_RESET":                 {risk.Device, codeWipe, true, false},
	"android.intent.action.MASTER_CLEAR":                  {risk.Device, codeWipe, true, false},
	"com.android.settings.action.FACTORY_RESET":           {risk.Device, codeWipe, true, false},
}

// everydayPanels are the settings screens that hold nothing which opens a way
// in. They are opened freely, as looking is free; what is switched there is
// judged when it is switched. Every other "android.settings." action asks:
// accessibility, notification access, unknown sources, developer options,
// administrators and the like are one tap from a way round the guard.
var everydayPanels = map[string]bool{
	"android.settings.SETTINGS": true, "android.settings.WIFI_SETTINGS": true,
	"android.settings.WIRELESS_SETTINGS": true, "android.settings.BLUETOOTH_SETTINGS": true,
	"android.settings.AIRPLANE_MODE_SETTINGS": true, "android.settings.DATA_ROAMING_SETTINGS": true,
	"android.settings.DATA_USAGE_SETTINGS": true, "android.settings.NETWORK_OPERATOR_SETTINGS": true,
	"android.settings.DISPLAY_SETTINGS": true, "android.settings.NIGHT_DISPLAY_SETTINGS": true,
	"android.settings.AUTO_ROTATE_SETTINGS": true, "android.settings.DARK_THEME_SETTINGS": true,
	"android.settings.SOUND_SETTINGS": true, "android.settings.ZEN_MODE_SETTINGS": true,
	"android.settings.DATE_SETTINGS": true, "android.settings.LOCALE_SETTINGS": true,
	"android.settings.APP_LOCALE_SETTINGS": true, "android.settings.BATTERY_SAVER_SETTINGS": true,
	"android.settings.LOCATION_SOURCE_SETTINGS": true, "android.settings.NFC_SETTINGS": true,
	"android.settings.DREAM_SETTINGS": true, "android.settings.CAST_SETTINGS": true,
	"android.settings.INTERNAL_STORAGE_SETTINGS": true, "android.settings.MEMORY_CARD_SETTINGS": true,
	"android.settings.DEVICE_INFO_SETTINGS": true, "android.settings.APPLICATION_SETTINGS": true,
	"android.settings.MANAGE_APPLICATIONS_SETTINGS":     true,
	"android.settings.MANAGE_ALL_APPLICATIONS_SETTINGS": true,
	"android.settings.APPLICATION_DETAILS_SETTINGS":     true,
	"android.settings.APP_NOTIFICATION_SETTINGS":        true,
	"android.settings.CHANNEL_NOTIFICATION_SETTINGS":    true,
	"android.settings.NOTIFICATION_SETTINGS":            true, "android.settings.HOME_SETTINGS": true,
	"android.settings.ACTION_PRINT_SETTINGS": true, "android.settings.USER_DICTIONARY_SETTINGS": true,
	"android.settings.panel.action.INTERNET_CONNECTIVITY": true,
	"android.settings.panel.action.WIFI":                  true,
	"android.settings.panel.action.VOLUME":                true, "android.settings.panel.action.NFC": true,
	"android.settings.APP_SEARCH_SETTINGS": true, "android.settings.SHOW_REGULATORY_INFO": true,
	"android.settings.CAPTIONING_SETTINGS": true, "android.settings.TEXT_READING_SETTINGS": true,
}

// settingsApps hold settings screens that can be started by name. Only their
// front page is free.
var settingsApps = map[string]bool{
	"com.android.settings": true, "com.android.permissioncontroller": true,
	"com.google.android.permissioncontroller": true, "com.android.packageinstaller": true,
	"com.google.android.packageinstaller": true, "com.samsung.android.settings": true,
	"com.miui.securitycenter": true, "com.android.managedprovisioning": true,
	"com.android.certinstaller": true, "com.android.vpndialogs": true,
}

// emergencyNumbers are the numbers that phones everywhere put through without
// a SIM, and the countries' own that most phones know.
var emergencyNumbers = map[string]bool{
	"112": true, "911": true, "999": true, "000": true, "08": true, "110": true, "118": true,
	"119": true, "100": true, "101": true, "102": true, "103": true, "104": true, "108": true,
	"113": true, "114": true, "115": true, "117": true, "120": true, "122": true, "190": true,
	"191": true, "192": true, "193": true, "995": true, "997": true, "998": true, "111": true,
	"105": true, "106": true, "107": true, "15": true, "17": true, "18": true, "116117": true,
}
