package decide

import (
	"fmt"
	"strings"
	"testing"

	"github.com/countersign/countersign/risk"
)

// wayRoundDialogs are, by language, the question whether a service may control the
// device, the one whether an app may read notifications, and the button that allows.
// What cannot be seen is spelled out.
const wayRoundDialogs = `
en | Allow Reader to have full control of your device? | Allow notification access for Reader? | Allow
de | Reader die vollständige Kontrolle über dein Gerät erlauben? | Benachrichtigungszugriff für Reader zulassen? | Zulassen
fr | Autoriser Reader à contrôler totalement votre appareil ? | Autoriser l'accès aux notifications pour Reader ? | Autoriser
es | ¿Permitir que Reader controle por completo tu dispositivo? | ¿Permitir el acceso a las notificaciones a Reader? | Permitir
pt | Permitir que o Reader tenha controle total do seu dispositivo? | Permitir acesso a notificações para Reader? | Permitir
it | Consentire a Reader il controllo completo del tuo dispositivo? | Consentire l'accesso alle notifiche a Reader? | Consenti
nl | Toestaan dat Reader volledige controle over je apparaat heeft? | Toegang tot meldingen toestaan voor Reader? | Toestaan
sv | Vill du ge Reader fullständig kontroll över enheten? | Vill du tillåta aviseringsåtkomst för Reader? | Tillåt
da | Vil du give Reader fuld kontrol over din enhed? | Vil du give Reader notifikationsadgang? | Tillad
nb | Vil du gi Reader full kontroll over enheten? | Vil du gi varseltilgang for Reader? | Tillat
fi | Saako Reader laitteesi täyden hallinnan? | Annetaanko sovellukselle Reader ilmoitusten käyttöoikeus? | Salli
pl | Zezwolić usłudze Reader na pełną kontrolę nad urządzeniem? | Zezwolić na dostęp do powiadomień aplikacji Reader? | Zezwól
cs | Povolit službě Reader plnou kontrolu nad zařízením? | Povolit aplikaci Reader přístup k oznámením? | Povolit
sk | Chcete povoliť službe Reader úplnú kontrolu nad zariadením? | Povoliť prístup k upozorneniam pre Reader? | Povoliť
ro | Permiteți ca Reader să aibă control total asupra dispozitivului? | Permiteți accesul la notificări pentru Reader? | Permiteți
bg | Да се разреши ли на Reader пълен контрол над устройството? | Да се разреши ли достъп до известията за Reader? | Разрешаване
ru | Разрешить сервису Reader полный контроль над устройством? | Разрешить доступ к уведомлениям для Reader? | Разрешить
uk | Дозволити сервісу Reader повний контроль над пристроєм? | Дозволити доступ до сповіщень для Reader? | Дозволити
hr | Želite li usluzi Reader dati potpunu kontrolu nad uređajem? | Želite li dopustiti pristup obavijestima za Reader? | Dopusti
el | Να επιτρέπεται στο Reader πλήρης έλεγχος της συσκευής; | Να επιτρέπεται η πρόσβαση στις ειδοποιήσεις για το Reader; | Να επιτρέπεται
tr | Reader hizmetinin cihazınızı tamamen kontrol etmesine izin verilsin mi? | Reader için bildirim erişimine izin verilsin mi? | İzin ver
id | Izinkan Reader memiliki kontrol penuh atas perangkat? | Izinkan akses notifikasi untuk Reader? | Izinkan
ms | Benarkan Reader mempunyai kawalan penuh terhadap peranti? | Benarkan akses pemberitahuan untuk Reader? | Benarkan
vi | Cho phép Reader toàn quyền kiểm soát thiết bị của bạn? | Cho phép Reader có quyền truy cập thông báo? | Cho phép
ar | هل تريد السماح لتطبيق Reader بميزة التحكم الكامل في جهازك؟ | هل تريد السماح لتطبيق Reader بإمكانية الوصول إلى الإشعارات؟ | السماح
fa | به Reader اجازه کنترل کامل دستگاه شما داده شود؟ | دسترسی به اعلان\u200cها برای Reader مجاز شود؟ | مجاز
he | האם לאפשר לשירות Reader שליטה מלאה במכשיר? | האם לאפשר גישה להתראות לאפליקציה Reader? | אישור
hi | Reader को आपके डिवाइस पर पूरा कंट्रोल दें? | Reader के लिए सूचना का ऐक्सेस दें? | अनुमति दें
bn | Reader-কে আপনার ডিভাইসের সম্পূর্ণ নিয়ন্ত্রণ দেবেন? | Reader-এর জন্য বিজ্ঞপ্তির অ্যাক্সেস অনুমতি দেবেন? | অনুমতি দিন
th | อนุญาตให้ Reader ควบคุมอุปกรณ์อย่างเต็มที่ไหม | อนุญาตการเข้าถึงการแจ้งเตือนสำหรับ Reader ไหม | อนุญาต
ja | Readerにデバイスのフル コントロールを許可しますか？ | Readerに通知へのアクセスを許可しますか？ | 許可
ko | Reader에서 기기를 완전히 제어하도록 허용하시겠습니까? | Reader의 알림 액세스를 허용하시겠습니까? | 허용
zh-Hans | 要允许“Reader”完全控制您的设备吗？ | 要允许“Reader”获取通知使用权吗？ | 允许
zh-Hant | 要允許「Reader」完全控制你的裝置嗎？ | 要允許「Reader」的通知存取權嗎？ | 允許
`

const settingsApp = "com.android.settings"

// systemDialog is a dialog of a package with a question and two buttons.
func systemDialog(pkg, question, allow, id string) string {
	return strings.ReplaceAll(`<hierarchy rotation="0" width="1080" height="2400">`+element("FrameLayout", "", "[90,800][990,1500]",
		element("TextView", `resource-id="android:id/alertTitle" text="`+question+`"`, "[120,820][960,1000]"),
		element("Button", pressable+`resource-id="android:id/button2" text="9"`, "[120,1300][500,1450]"),
		element("Button", pressable+fmt.Sprintf("resource-id=%q text=%q", id, allow), "[520,1300][960,1450]"))+`</hierarchy>`, "PKG", pkg)
}

// What lets a service watch and act is a way round the guard, whatever language
// the system speaks.
func TestWaysRoundInEveryLanguage(t *testing.T) {
	d, languages := newDecider(t, "default"), 0
	for line := range strings.Lines(strings.TrimSpace(wayRoundDialogs)) {
		parts := strings.Split(strings.ReplaceAll(strings.TrimSpace(line), `\u200c`, "\u200c"), " | ")
		if len(parts) != 4 {
			t.Fatalf("bad line %q", line)
		}
		languages++
		for _, question := range parts[1:3] {
			tree := systemDialog(settingsApp, question, parts[3], "android:id/button1")
			dec := d.Decide(&Request{Action: tapOn(700, 1400), Screen: &Screen{Package: settingsApp, Tree: tree}})
			if dec.Category != risk.Bypass || dec.Outcome != risk.Deny {
				t.Errorf("%s: %q is %v, %v: %s", parts[0], question, dec.Category, dec.Outcome, dec.Reason())
			}
		}
	}
	if languages != 34 {
		t.Errorf("%d languages", languages)
	}
}

// The system's own buttons for it are known by their ids where the words are not;
// an app that calls a button of its own so is not the system.
func TestWaysRoundByID(t *testing.T) {
	table := []struct {
		name, pkg, id string
		want          risk.Category
	}{
		{"service, Settings", settingsApp, "com.android.settings:id/permission_enable_allow_button", risk.Bypass},
		{"service, framework", settingsApp, "android:id/accessibility_permission_enable_allow_button", risk.Bypass},
		{"service, framework's window", "android", "android:id/accessibility_permission_enable_allow_button", risk.Bypass},
		{"administrator", settingsApp, "com.android.settings:id/admin_action_button", risk.Bypass},
		{"an app's own", "com.example.shop", "com.example.shop:id/permission_enable_allow_button", risk.None},
		{"the other answer", settingsApp, "com.android.settings:id/permission_enable_deny_button", risk.None},
	}
	d := newDecider(t, "default")
	for _, row := range table {
		dec := d.Decide(&Request{Action: tapOn(700, 1400), Screen: &Screen{Package: row.pkg, Tree: systemDialog(row.pkg, "zqxv Reader brrk", "zqxv", row.id)}})
		if dec.Category == risk.Bypass != (row.want == risk.Bypass) {
			t.Errorf("%s: %v, want %v: %s", row.name, dec.Category, row.want, dec.Reason())
		}
	}
	if len(table) != 6 {
		t.Fatal("rows lost")
	}
}
