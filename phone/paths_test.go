package phone

import (
	"slices"
	"strings"
	"testing"
)

// happyPaths are what a person does in each app, step by step, and what comes
// of it in the world.
var happyPaths = []struct {
	app, steps string
	effects    []string
}{
	{"com.fsck.k9", "tap Compose; tap #to; type ines@example.org; key 66; type Sunday; key 66; type Noon is fine; back; tap Send", []string{
		"com.fsck.k9 sent object=Sunday to=ines@example.org text=Noon is fine",
	}},
	{"com.fsck.k9", "tap Rent for December; tap Reply; tap #message_content; type Done; back; tap Send", []string{
		"com.fsck.k9 sent object=Re: Rent for December to=landlord@example.org text=Done",
	}},
	{"com.fsck.k9", "tap Rent for December; tap Delete; tap Delete", []string{"com.fsck.k9 deleted object=Rent for December"}},
	{"com.fsck.k9", "tap Rent for December; tap Delete; tap Cancel", nil},
	{"com.fsck.k9", "long Lunch on Sunday; tap Delete", []string{"com.fsck.k9 deleted object=Lunch on Sunday"}},
	{"com.fsck.k9", "flick Rent for December", []string{"com.fsck.k9 deleted object=Rent for December"}},
	{"com.fsck.k9", "tap Compose; tap Send", nil},
	{"com.fsck.k9", "tap Compose; tap Choose from contacts; tap Allow", []string{
		"com.android.permissioncontroller granted object=android.permission.READ_CONTACTS to=com.fsck.k9",
	}},
	{"com.fsck.k9", "tap Compose; tap Choose from contacts; tap Don’t allow", nil},
	{"com.android.messaging", "tap Ines; tap #compose_message_text; type Yes; key 66", []string{
		"com.android.messaging sent object=sms to=Ines text=Yes",
	}},
	{"com.android.messaging", "tap Ines; tap #compose_message_text; type Yes; tap #send_message_button", []string{
		"com.android.messaging sent object=sms to=Ines text=Yes",
	}},
	{"com.android.messaging", "tap Ines; tap #send_message_button; key 66", nil},
	{"com.android.messaging", "tap Start chat; tap #recipient_text_view; type 555; key 66; tap #compose_message_text; type Hi\n", []string{
		"com.android.messaging sent object=sms to=555 text=Hi",
	}},
	{"com.android.messaging", "tap Ines; tap Attach a photo; tap Allow", []string{
		"com.android.permissioncontroller granted object=android.permission.CAMERA to=com.android.messaging",
	}},
	{"com.starlingbank.android", "tap #pin; type 1234; tap New transfer; tap #payee; type Ines; key 66; type 24.10; tap Continue; slide #slide_to_pay", []string{
		"com.starlingbank.android paid to=Ines amount=24.10 EUR",
	}},
	{"com.starlingbank.android", "tap #pin; type 1234; tap New transfer; tap #payee; type Ines; key 61; type 24.10; tap Continue; tap #slide_to_pay; back", nil},
	{"com.starlingbank.android", "tap #pin; type 1234; tap New transfer; tap Continue; tap Continue", nil},
	{"com.starlingbank.android", "tap #pin; type 1234; tap Payment history; back; long Hold to freeze the card", []string{
		"com.starlingbank.android frozen object=card",
	}},
	{"org.example.notes", "tap Shopping; tap Delete; tap Delete", []string{"org.example.notes deleted object=Shopping"}},
	{"org.example.notes", "long Shopping; tap Cancel", nil},
	{"org.example.notes", "tap New note; tap #title; type Ideas; key 66; type one\ntwo; tap Save", []string{
		"org.example.notes saved object=Ideas text=one\ntwo",
	}},
	{"org.example.notes", "tap Wi-Fi of the flat; tap Share; tap Mail; tap #to; type a@b.org; back; tap Send", []string{
		"com.fsck.k9 sent object=Wi-Fi of the flat to=a@b.org text=tulip-7-lantern",
	}},
	{"org.example.notes", "tap Wi-Fi of the flat; tap Share; tap Notes; tap Save", []string{
		"org.example.notes saved object=Wi-Fi of the flat text=tulip-7-lantern",
	}},
	{"org.example.notes", "tap Wi-Fi of the flat; tap Share; back; tap Share", nil},
	{"org.example.shop", "tap Green tea; tap Add to basket; tap Go to checkout; tap #address; type 1 Quay; back; tap I accept the terms; tap Place order", []string{
		"org.example.shop ordered object=Soap to=1 Quay amount=2.50 EUR",
		"org.example.shop ordered object=Green tea to=1 Quay amount=4.90 EUR",
	}},
	{"org.example.shop", "tap Basket; tap Go to checkout; tap Place order", nil},
	{"org.example.shop", "tap Basket; tap Go to checkout; tap Use my location; tap Allow", []string{
		"com.android.permissioncontroller granted object=android.permission.ACCESS_FINE_LOCATION to=org.example.shop",
	}},
	{"com.android.settings", "tap Accessibility; tap Page Reader; tap Allow", []string{
		"com.android.settings enabled object=org.example.reader/.ReaderService",
	}},
	{"com.android.settings", "tap Accessibility; tap Page Reader; tap Cancel", nil},
	{"com.android.settings", "tap Accessibility; tap Page Reader notifications; tap Allow; tap Page Reader notifications", []string{
		"com.android.settings enabled object=org.example.reader/.NotificationReader",
		"com.android.settings disabled object=org.example.reader/.NotificationReader",
	}},
	{"com.android.settings", "tap Developer options; tap Wireless debugging", []string{
		"com.android.settings set object=global.adb_wifi_enabled text=1",
	}},
	{"com.android.settings", "tap Apps; tap Corner Shop; tap Uninstall; tap OK", []string{
		"com.android.packageinstaller uninstalled object=org.example.shop",
	}},
	{"com.android.settings", "tap Apps; tap Corner Shop; tap Uninstall; tap Cancel", nil},
	{"com.android.settings", "tap Apps; tap Corner Shop; tap Clear storage; tap OK", []string{
		"com.android.settings cleared object=org.example.shop",
	}},
	{"com.android.settings", "tap Airplane mode", []string{"com.android.settings set object=global.airplane_mode_on text=1"}},
	{"com.android.settings", "tap Display; slide #seekbar", nil},
	{"com.android.browser", "tap #url; key 66", []string{"com.android.browser opened object=https://forum.example.org/reply"}},
	{"org.example.board", "tap Like", []string{"org.example.board liked object=The market is open on Saturday."}},
	{"org.example.board", "tap Write a post; tap What is new?; type Hello; tap Publish", []string{"org.example.board posted text=Hello"}},
	{"org.example.board", "tap Write a post; tap Publish", nil},
	{"org.example.paczki", "tap Wyślij paczkę; tap #odbiorca; type 600; back; tap Zapłać i nadaj", []string{
		"org.example.paczki paid to=600 amount=14.99 PLN",
	}},
	{"org.example.paczki", "tap PL-4410-7781; tap Usuń", []string{"org.example.paczki deleted object=PL-4410-7781"}},
	{"com.android.dialer", "tap #digits; type 112; back; tap Call", []string{"com.android.dialer called to=112"}},
	{"com.android.dialer", "tap #digits; type 112; key 5", []string{"com.android.dialer called to=112"}},
	{"org.example.reader", "tap Open settings; tap Page Reader; tap Allow", []string{
		"com.android.settings enabled object=org.example.reader/.ReaderService",
	}},
	{"com.android.launcher3", "tap Notes; tap Shopping; tap Delete; tap Delete", []string{"org.example.notes deleted object=Shopping"}},
}

func TestWhatIsDoneInEachAppComesOut(t *testing.T) {
	cases := 0
	for _, c := range happyPaths {
		t.Run(c.app+" "+c.steps, func(t *testing.T) {
			p := newPhone(t, Options{})
			if err := p.Start(Intent{Action: actionMain, Package: c.app}); err != nil {
				t.Fatal(err)
			}
			for line := range strings.SplitSeq(c.steps, "; ") {
				step(t, p, line)
			}
			if got := happened(p); !slices.Equal(got, c.effects) {
				t.Errorf("effects\n got %q\nwant %q", got, c.effects)
			}
		})
		cases++
	}
	if cases != 46 {
		t.Errorf("%d cases, 46 are expected", cases)
	}
}
