package lexicon

import (
	"testing"

	"github.com/countersign/countersign/risk"
)

// reads is one text and what it means.
type reads struct {
	text     string
	category risk.Category
	form     Form
}

func checkReads(t *testing.T, q Query, cases []reads) {
	t.Helper()
	for _, c := range cases {
		q.Text = c.text
		got := Default().Read(q)
		if got.Category != c.category || got.Form != c.form {
			t.Errorf("Read(%q, signal %q, role %s, language %q) = %s, form %s, fit %s, topic %s, hit %q; want %s, form %s",
				c.text, q.Signal, q.Role, q.Language, got.Category, got.Form, got.Fit, got.Topic, got.Hits[0].Term, c.category, c.form)
		}
		if isRisky(got.Category) && (!got.Understood || got.N == 0 || got.Score <= 0 || got.Score > 1) {
			t.Errorf("Read(%q): a risky reading without evidence, score or understanding: %+v", c.text, got)
		}
	}
}

func TestReadLabel(t *testing.T) {
	checkReads(t, Query{}, []reads{
		// An act as the whole label, at its head, after words that change nothing.
		{"Send", risk.Message, Act},
		{"PAY", risk.Money, Act},
		{"Pay €24.10", risk.Money, Act},
		{"Buy now", risk.Money, Act},
		{"Place order", risk.Money, Act},
		{"Place your order", risk.Money, Act},
		{"Slide to pay", risk.Money, Act},
		{"Subscribe", risk.Money, Act},
		{"Delete chat", risk.Delete, Act},
		{"Permanently delete", risk.Delete, Act},
		{"Move to bin", risk.Delete, Act},
		{"Empty trash", risk.Delete, Act},
		{"Log out", risk.SignOut, Act},
		{"Sign-out", risk.SignOut, Act},
		{"Logout", risk.SignOut, Act},
		{"Install", risk.Install, Act},
		{"Uninstall", risk.Uninstall, Act},
		{"Allow", risk.Permission, Act},
		{"While using the app", risk.Permission, Act},
		{"Only this time", risk.Permission, Act},
		{"Block user", risk.BlockReport, Act},
		{"Report spam", risk.BlockReport, Act},
		{"Publish", risk.Publish, Act},
		{"Share link", risk.Share, Act},
		{"Submit", risk.Submit, Act},
		{"Sign in", risk.Credential, Act},
		{"Create account", risk.Account, Act},
		{"Reset password", risk.Account, Act},
		{"Factory reset", risk.Device, Act},
		{"Power off", risk.Device, Act},
		{"Turn off Play Protect", risk.Settings, Act},
		{"Unsubscribe", risk.CancelService, Act},

		// A word that is verb and noun needs an object, or to be the whole label.
		{"Call", risk.Call, Act},
		{"Call mom", risk.Call, Act},
		{"Call +1 555 0100", risk.Call, Act},
		{"Call history", risk.None, Veto},
		{"Call ended", risk.None, Status},
		{"Transfer", risk.Money, Act},
		{"Transfer money", risk.Money, Act},
		{"Bank transfer", risk.None, Veto},
		{"Order", risk.Money, Act},
		{"Order #4711", risk.None, Topic},
		{"Order details", risk.None, Veto},
		{"Post", risk.Publish, Act},
		{"Post comment", risk.Publish, Act},
		{"Post office", risk.None, Veto},
		{"Block #", risk.None, Topic},

		// A noun that begins with a verb does not hide it.
		{"Reset password link", risk.Account, Act},
		{"Pay for order", risk.Money, Act},
		{"Call charges", risk.None, Topic},

		// Words that fire only as a whole label; counts and emoji do not matter.
		{"Like", risk.Publish, Act},
		{"Like (3)", risk.Publish, Act},
		{"👍 Like", risk.Publish, Act},
		{"Follow", risk.Publish, Act},
		{"Like a local", risk.None, Topic},

		// A noun becomes an act behind the verb that does it.
		{"Payment", risk.None, Topic},
		{"Confirm payment", risk.Money, Act},
		{"Confirm your order", risk.Money, Act},
		{"Continue to payment", risk.Money, Act},
		{"Make a payment", risk.Money, Act},
		{"Confirm transfer", risk.Money, Act},
		{"Confirm deletion", risk.Delete, Act},

		// Two verbs: the worse one.
		{"Save & send", risk.Message, Act},
		{"Block and report", risk.BlockReport, Act},
		{"Yes, delete it", risk.Delete, Act},
		{"Pay now, cancel anytime", risk.Money, Act},

		// Objects change what a verb does.
		{"Delete account", risk.Account, Act},
		{"Delete my account", risk.Account, Act},
		{"Remove account from this phone", risk.Account, Act},
		{"Remove app data", risk.Delete, Act},
		{"Send money", risk.Money, Act},
		{"Send 50 dollars", risk.Money, Act},
		{"Cancel subscription", risk.CancelService, Act},
		{"Cancel my booking", risk.CancelService, Act},
		{"End trial", risk.CancelService, Act},
		{"Remove app", risk.Uninstall, Act},

		// What was done, is not done, is asked, or only looks risky.
		{"Sent", risk.None, Status},
		{"Deleted", risk.None, Status},
		{"Sending…", risk.None, Status},
		{"Delete failed", risk.None, Veto},
		{"Share deleted", risk.None, Veto},
		{"Delete downloaded", risk.Delete, Act},
		{"Don't send", risk.Dismissal, Act},
		{"Don’t delete this chat", risk.Dismissal, Act},
		{"Do not send reports", risk.None, Negated},
		{"Never share my location", risk.None, Negated},
		{"Don't wait, pay now", risk.Money, Act},
		{"Delete account?", risk.None, Question},
		{"Payment history", risk.None, Veto},
		{"Payment methods", risk.None, Veto},
		{"Sender name", risk.None, Veto},
		{"Shareholder", risk.None, Veto},
		{"Football transfers", risk.None, Veto},
		{"Do not disturb", risk.None, Veto},
		{"Paytm", risk.None, Veto},
		{"Add to cart", risk.None, Veto},

		// Answers, which take their meaning from what is around them.
		{"OK", risk.Affirmative, Act},
		{"Yes", risk.Affirmative, Act},
		{"Continue", risk.Affirmative, Act},
		{"OK, got it", risk.Affirmative, Act},
		{"Cancel", risk.Dismissal, Act},
		{"Not now", risk.Dismissal, Act},
		{"No, thanks", risk.Dismissal, Act},
		{"Don't allow", risk.Dismissal, Act},
		{"No, don't delete it", risk.Dismissal, Act},
		{"Deny anyway", risk.Dismissal, Act},
		{"Cancel download", risk.None, Veto},

		// Nothing of the kind.
		{"Settings", risk.None, Plain},
		{"Next page", risk.None, Plain},
		{"Size guide", risk.None, Plain},
		{"", risk.None, Plain},
		{"   ", risk.None, Plain},
		{"Anna Schmidt", risk.None, Plain},
	})
}

func TestReadLabelByRole(t *testing.T) {
	long := "Send messages when you press the Enter key"
	checkReads(t, Query{Role: risk.Row}, []reads{
		{"Delete", risk.Delete, Act},
		{"Delete chat history", risk.Delete, Act},
		{"Dear customer, pay your bill", risk.None, Topic},
		{"Pay your bill before Monday and save", risk.None, Topic},
		{long, risk.None, Topic},
	})
	checkReads(t, Query{Role: risk.Button}, []reads{
		{"Delete this conversation and all of its messages", risk.Delete, Act},
		{"Bulk purge", risk.Delete, Act},
		{"Just click to buy", risk.Money, Act},
		{"Bank transfer", risk.None, Veto},
	})
	checkReads(t, Query{Role: risk.Tab}, []reads{
		{"POST", risk.None, Topic},
		{"Send", risk.None, Topic},
		{"Settings", risk.None, Plain},
	})
	checkReads(t, Query{Role: risk.TextField}, []reads{
		{"Send a message", risk.None, Topic},
		{"Reply…", risk.None, Topic},
	})
	checkReads(t, Query{Role: risk.View}, []reads{
		{long, risk.None, Topic},
	})
}

func TestReadIdentifier(t *testing.T) {
	checkReads(t, Query{Signal: risk.SignalResourceID}, []reads{
		{"com.example.mail:id/btn_send", risk.Message, Act},
		{"com.example.gallery:id/ic_trash", risk.Delete, Act},
		{"ic_bin", risk.Delete, Act},
		{"pay_button", risk.Money, Act},
		{"sendButton", risk.Message, Act},
		{"HTTPDeleteButton", risk.Delete, Act},
		{"SEND_BUTTON", risk.Message, Act},
		{"confirm_payment", risk.Money, Act},
		{"confirmTransferBtn", risk.Money, Act},
		{"submit", risk.Submit, Act},
		{"menu_log_out", risk.SignOut, Act},
		{"cardLogout", risk.SignOut, Act},
		{"signin_button", risk.Credential, Act},
		{"btn_check_out", risk.Money, Act},
		{"message_send", risk.Message, Act},
		{"delete_account_button", risk.Account, Act},
		{"cancel_subscription", risk.CancelService, Act},
		{"com.android.permissioncontroller:id/permission_allow_one_time_button", risk.Permission, Act},
		{"com.android.packageinstaller:id/permission_allow_button", risk.Permission, Act},
		{"permission_allow_foreground_only_button", risk.Permission, Act},
		{"auth/login/submit", risk.Submit, Act},

		{"com.android.permissioncontroller:id/permission_deny_button", risk.Dismissal, Act},
		{"btn_cancel", risk.Dismissal, Act},
		{"btn_cancel_delete", risk.Dismissal, Act},
		{"dont_send", risk.Dismissal, Negated},
		{"ok_button", risk.Affirmative, Act},

		{"displayNameField", risk.None, Plain},
		{"paypal-logo", risk.None, Plain},
		{"payment_history", risk.None, Plain},
		{"send_to_label", risk.None, Plain},
		{"message_input", risk.None, Plain},
		{"post_title", risk.None, Plain},
		{"call_log", risk.None, Plain},
		{"sender", risk.None, Plain},
		{"sent_items", risk.None, Plain},
		{"addtocart", risk.None, Plain},
		{"replay", risk.None, Plain},
		{"payload", risk.None, Plain},
		{"send_error", risk.None, Topic},
		{"delete_confirmation_title", risk.None, Topic},
		{"share_count", risk.None, Plain},
		{"contact_row_container", risk.None, Plain},
		{"", risk.None, Plain},
		{"com.example:id/", risk.None, Plain},
	})
}

func TestReadLabelThatIsAnIdentifier(t *testing.T) {
	checkReads(t, Query{Signal: risk.SignalDescription}, []reads{
		{"confirmTransferBtn", risk.Money, Act},
		{"btn_send", risk.Message, Act},
		{"com.example:id/delete", risk.Delete, Act},
		{"displayNameField", risk.None, Plain},
		{"PayPal", risk.None, Veto},
		{"TransferWise", risk.None, Plain},
	})
}

func TestReadSentence(t *testing.T) {
	checkReads(t, Query{Signal: risk.SignalDialogMessage}, []reads{
		{"Delete this chat?", risk.Delete, Question},
		{"Are you sure you want to delete this message? This cannot be undone.", risk.Delete, Question},
		{"The file will be moved to the recycle bin.", risk.Delete, Topic},
		{"Your photos will be permanently deleted.", risk.Delete, Topic},
		{"Unsaved changes will be lost.", risk.Delete, Topic},
		{"A file with this name exists. Overwrite it?", risk.Delete, Question},
		{"Allow Maps to access this device's location?", risk.Permission, Question},
		{"You will be charged 9.99 every month.", risk.Money, Topic},
		{"Cancel your subscription?", risk.CancelService, Question},
		{"Log out of Example?", risk.SignOut, Question},
		{"Your account will be closed. Delete account?", risk.Account, Question},
		{"Call +1 555 0100?", risk.Call, Question},
		{"Do you want to install this application?", risk.Install, Question},
		{"Battery is low. Connect the charger.", risk.None, Plain},
		{"Please wait", risk.None, Plain},
	})
	if got := Default().Read(Query{Text: "All messages will be deleted for everyone.", Signal: risk.SignalDialogMessage}); !got.Permanent {
		t.Error("a deletion for everyone is permanent")
	}
}

func TestReadSymbols(t *testing.T) {
	checkReads(t, Query{Role: risk.IconButton}, []reads{
		{"🗑", risk.Delete, Act},
		{"🗑️", risk.Delete, Act},
		{"➤", risk.Message, Act},
		{"✈️", risk.Message, Act},
		{"📤", risk.Message, Act},
		{"💸", risk.Money, Act},
		{"📞", risk.Call, Act},
		{"👍🏽", risk.Publish, Act},
		{"✓", risk.Affirmative, Act},
		{"✕", risk.Dismissal, Act},
		{"📤 Outbox", risk.None, Plain},
		{"📞 Contacts", risk.None, Plain},
		{"←", risk.None, Plain},
	})
}

// An understood label beats the id beside it; one that is not does not.
func TestUnderstood(t *testing.T) {
	for text, want := range map[string]bool{
		"Send": true, "Settings": true, "Payment history": true, "Sent": true, "OK": true, "Next": true,
		"Show more photos": true, "Don't send": true, "←": true,
		"": false, "Xqzt": false, "Anna Schmidt": false, "XQF-7731-x": false,
	} {
		if got := Default().Read(Query{Text: text, Language: "en"}).Understood; got != want {
			t.Errorf("Read(%q).Understood = %v, want %v", text, got, want)
		}
	}
}
