package command

// The codes of effects. They are recorded and answered to agents, so a code is
// never renamed and never given another meaning.
const (
	// What cannot be seen; the category is unknown.
	codeOpaque           = "opaque"            // a program, script or payload that cannot be read here
	codeSyntax           = "syntax"            // the line does not parse, or could parse in two ways
	codeControl          = "control_character" // control characters that shells read differently
	codeSubstitution     = "substitution"      // a word that a command computes
	codeVariable         = "variable"          // a word that a variable holds
	codeGlob             = "glob"              // a word that file names or braces complete
	codeArithmetic       = "arithmetic"        // arithmetic over names, which can run commands
	codeEnvironment      = "environment"       // a variable that changes what later words run
	codeFunction         = "function"          // a function or alias that may hide another command
	codePipeToShell      = "pipe_to_shell"     // another command's output is run
	codeInteractive      = "interactive_shell" // a shell whose lines are still to come
	codeUnknownCommand   = "unknown_command"   // a verb that no table knows
	codeUnknownService   = "unknown_service"   // a binder service or a started service, likewise
	codeUnknownAction    = "unknown_action"    // an intent action, likewise
	codeUnknownBroadcast = "unknown_broadcast" // a broadcast, likewise
	codeUnknownScheme    = "unknown_scheme"    // a link's scheme, likewise
	codeUnknownExtras    = "unknown_extras"    // a component started with data only it understands
	codeUnknownKey       = "unknown_key"       // a key, likewise
	codeBadArguments     = "bad_arguments"     // a known verb with arguments that do not fit it
	codeRawInput         = "raw_input"         // touches or keys in a form that is not decoded
	codeUnseen           = "unseen_screen"     // a press after something else changed the screen
	codeRandomInput      = "random_input"      // a flood of made-up touches
	codeServiceCode      = "service_code"      // a star-and-hash number that a dialler may obey by itself
	codeUnknownSetting   = "unknown_setting"   // a setting or property, likewise
	codeBadIntent        = "bad_intent"        // an intent that does not parse
	codePress            = "press"             // to be judged on the screen: a touch or a control key
	codeType             = "type"              // to be judged on the screen: text for the focused field
	codeSubmit           = "ime_action"        // to be judged on the screen: the field's own send key
	codeGesture          = "gesture"           // to be judged on the screen: a swipe or a part of one

	// What does nothing outside the screen; the category is none.
	codeRead       = "read"       // reads facts about the device, or the screen
	codeNavigate   = "navigate"   // moves about, opens a screen
	codeLaunch     = "launch"     // starts an app
	codeCompose    = "compose"    // opens a composer or the dialler; nothing is sent
	codeShell      = "shell"      // the shell's own bookkeeping
	codePreference = "preference" // comfort: brightness, rotation, animations
	codeCapture    = "capture"    // a picture or a tree of the screen
	codeEdit       = "edit"       // changes the focused field without submitting
	codeWebLink    = "web_link"   // opens a page

	// What has a consequence.
	codePaymentLink   = "payment_link"
	codeCall          = "call"
	codeEmergency     = "emergency_call"
	codeSend          = "send"
	codeShare         = "share"
	codeInstall       = "install"
	codeUninstall     = "uninstall"
	codeDisableApp    = "disable_app"
	codeEnableApp     = "enable_app"
	codeClearData     = "clear_data"
	codeRemoveFile    = "remove_file"
	codeRedirect      = "redirect"
	codeWriteFile     = "write_file"
	codeStageFile     = "stage_file"
	codeReadFile      = "read_file"
	codeReadProvider  = "read_provider"
	codeWriteProvider = "write_provider"
	codeReadLogs      = "read_logs"
	codeReadService   = "read_service"
	codeRecord        = "record"
	codeNetwork       = "network"
	codeRemoteShell   = "remote_shell"
	codeBackup        = "backup"
	codeGrant         = "grant"
	codeDefaultApp    = "default_app"
	codeInputMethod   = "input_method"
	codeAccounts      = "accounts"
	codeSetting       = "setting"
	codeSettingsPanel = "settings_panel"
	codeProperty      = "property"
	codeRadio         = "radio"
	codeLock          = "lock"
	codePower         = "power"
	codeWipe          = "wipe"
	codeRoot          = "root"
	codeAdminister    = "device_admin"
	codeAccessibility = "accessibility"
	codeNetworkADB    = "network_adb"
	codeForceStop     = "force_stop"
	codeProcess       = "process"
	codeOtherEffect   = "other"
)
