package decide

import (
	"strings"
	"testing"

	"github.com/countersign/countersign/risk"
)

// gestureLabels are, by language, what is slid to pay, what is held to delete, and
// what is swiped and does nothing but move on.
const gestureLabels = `
en | Slide to pay | Press and hold to delete | Swipe up to see more
de | Zum Bezahlen wischen | Zum Löschen gedrückt halten | Nach oben wischen, um mehr zu sehen
fr | Glissez pour payer | Maintenez pour supprimer | Balayez vers le haut pour en voir plus
es | Desliza para pagar | Mantén pulsado para eliminar | Desliza hacia arriba para ver más
pt | Deslize para pagar | Pressione e segure para excluir | Deslize para cima para ver mais
it | Scorri per pagare | Tieni premuto per eliminare | Scorri verso l'alto per vedere altro
nl | Veeg om te betalen | Houd ingedrukt om te verwijderen | Veeg omhoog om meer te zien
sv | Svep för att betala | Håll ned för att radera | Svep uppåt för att se mer
da | Stryg for at betale | Hold nede for at slette | Stryg opad for at se mere
nb | Sveip for å betale | Hold inne for å slette | Sveip opp for å se mer
fi | Maksa pyyhkäisemällä | Poista pitämällä painettuna | Pyyhkäise ylös nähdäksesi lisää
is | Strjúktu til að borga | Haltu inni til að eyða | Strjúktu upp til að sjá meira
pl | Przesuń, aby zapłacić | Przytrzymaj, aby usunąć | Przesuń w górę, aby zobaczyć więcej
cs | Přejetím zaplatíte | Podržením smažete | Přejetím nahoru zobrazíte další
sk | Potiahnutím zaplatíte | Podržaním odstránite | Potiahnutím nahor zobrazíte viac
hu | Csúsztassa a fizetéshez | Tartsa lenyomva a törléshez | Csúsztassa felfelé a továbbiakhoz
ro | Glisează pentru a plăti | Ține apăsat pentru a șterge | Glisează în sus pentru a vedea mai multe
bg | Плъзнете, за да платите | Задръжте, за да изтриете | Плъзнете нагоре, за да видите още
ru | Проведите, чтобы оплатить | Удерживайте, чтобы удалить | Проведите вверх, чтобы увидеть больше
uk | Проведіть, щоб оплатити | Утримуйте, щоб видалити | Проведіть угору, щоб побачити більше
be | Правядзіце, каб аплаціць | Утрымлівайце, каб выдаліць | Правядзіце ўверх, каб убачыць больш
sr | Prevucite da platite | Držite da izbrišete | Prevucite nagore da vidite više
hr | Povucite za plaćanje | Držite za brisanje | Povucite prema gore da vidite više
sl | Povlecite za plačilo | Pridržite za brisanje | Povlecite navzgor za več
mk | Лизгајте за да платите | Задржете за да избришете | Лизгајте нагоре за повеќе
el | Σύρετε για πληρωμή | Κρατήστε πατημένο για διαγραφή | Σύρετε προς τα πάνω για περισσότερα
tr | Ödemek için kaydırın | Silmek için basılı tutun | Daha fazlası için yukarı kaydırın
az | Ödəmək üçün sürüşdürün | Silmək üçün basıb saxlayın | Daha çox görmək üçün yuxarı sürüşdürün
lt | Braukite, kad sumokėtumėte | Palaikykite, kad ištrintumėte | Braukite aukštyn, kad pamatytumėte daugiau
lv | Velciet, lai samaksātu | Turiet, lai dzēstu | Velciet uz augšu, lai redzētu vairāk
et | Maksmiseks libistage | Kustutamiseks hoidke | Libistage üles, et näha rohkem
ca | Llisca per pagar | Mantén premut per suprimir | Llisca cap amunt per veure'n més
id | Geser untuk membayar | Tahan untuk menghapus | Geser ke atas untuk melihat lainnya
ms | Leret untuk membayar | Tekan dan tahan untuk memadam | Leret ke atas untuk melihat lagi
fil | Mag-swipe para magbayad | Pindutin nang matagal para i-delete | Mag-swipe pataas para makita pa
vi | Vuốt để thanh toán | Nhấn và giữ để xóa | Vuốt lên để xem thêm
sw | Telezesha ili ulipe | Shikilia ili ufute | Telezesha juu ili uone zaidi
ar | اسحب للدفع | اضغط مع الاستمرار للحذف | اسحب لأعلى لرؤية المزيد
fa | برای پرداخت بکشید | برای حذف نگه دارید | برای دیدن بیشتر به بالا بکشید
ur | ادائیگی کے لیے سوائپ کریں | حذف کرنے کے لیے دبائے رکھیں | مزید دیکھنے کے لیے اوپر سوائپ کریں
he | החליקו כדי לשלם | לחיצה ארוכה למחיקה | החליקו למעלה כדי לראות עוד
hi | भुगतान करने के लिए स्वाइप करें | हटाने के लिए दबाकर रखें | और देखने के लिए ऊपर स्वाइप करें
bn | পেমেন্ট করতে সোয়াইপ করুন | মুছতে চেপে ধরে রাখুন | আরও দেখতে উপরে সোয়াইপ করুন
ta | பணம் செலுத்த ஸ்வைப் செய்யவும் | நீக்க அழுத்திப் பிடிக்கவும் | மேலும் பார்க்க மேலே ஸ்வைப் செய்யவும்
te | చెల్లించడానికి స్వైప్ చేయండి | తొలగించడానికి నొక్కి పట్టుకోండి | మరిన్ని చూడటానికి పైకి స్వైప్ చేయండి
mr | पेमेंट करण्यासाठी स्वाइप करा | हटवण्यासाठी दाबून ठेवा | आणखी पाहण्यासाठी वर स्वाइप करा
gu | ચુકવણી કરવા માટે સ્વાઇપ કરો | ડિલીટ કરવા માટે દબાવી રાખો | વધુ જોવા માટે ઉપર સ્વાઇપ કરો
pa | ਭੁਗਤਾਨ ਕਰਨ ਲਈ ਸਵਾਈਪ ਕਰੋ | ਮਿਟਾਉਣ ਲਈ ਦਬਾਈ ਰੱਖੋ | ਹੋਰ ਦੇਖਣ ਲਈ ਉੱਪਰ ਸਵਾਈਪ ਕਰੋ
kn | ಪಾವತಿಸಲು ಸ್ವೈಪ್ ಮಾಡಿ | ಅಳಿಸಲು ಒತ್ತಿ ಹಿಡಿದುಕೊಳ್ಳಿ | ಇನ್ನಷ್ಟು ನೋಡಲು ಮೇಲಕ್ಕೆ ಸ್ವೈಪ್ ಮಾಡಿ
ml | പണമടയ്ക്കാൻ സ്വൈപ്പ് ചെയ്യുക | ഇല്ലാതാക്കാൻ അമർത്തിപ്പിടിക്കുക | കൂടുതൽ കാണാൻ മുകളിലേക്ക് സ്വൈപ്പ് ചെയ്യുക
th | เลื่อนเพื่อชำระเงิน | กดค้างเพื่อลบ | เลื่อนขึ้นเพื่อดูเพิ่มเติม
ja | スライドして支払う | 長押しして削除 | 上にスワイプして詳細を見る
ko | 밀어서 결제하기 | 길게 눌러 삭제 | 위로 스와이프하여 더 보기
zh-Hans | 滑动以支付 | 长按删除 | 向上滑动查看更多
zh-Hant | 滑動以付款 | 長按刪除 | 向上滑動查看更多
`

// A control that says to slide or hold acts by the gesture, in every language, by
// the verb that it names; one that only moves on does not.
func TestSlideAndHoldInEveryLanguage(t *testing.T) {
	d, languages, judged := newDecider(t, "default"), 0, 0
	judge := func(language, label, locale string, action risk.Action, want risk.Category) {
		tree := display(shop, element("FrameLayout", "", "[0,1000][1080,1160]", element("TextView", `text="`+label+`"`, "[40,1000][1040,1160]")))
		dec := d.Decide(&Request{Action: action, Locale: locale, Screen: &Screen{Package: shop, Tree: tree}})
		if dec.Category != want {
			t.Errorf("%s (locale %q): %q is %v, want %v: %s", language, locale, label, dec.Category, want, dec.Reason())
		}
		judged++
	}
	slide := swipeFrom(60, 1080, 1020, 1080)
	hold := tapOn(540, 1080)
	hold.Kind, hold.DurationMS = risk.LongPress, 2000
	for line := range strings.Lines(strings.TrimSpace(gestureLabels)) {
		parts := strings.Split(strings.TrimSpace(line), " | ")
		if len(parts) != 4 {
			t.Fatalf("bad line %q", line)
		}
		languages++
		for _, locale := range []string{"", parts[0]} {
			judge(parts[0], parts[1], locale, slide, risk.Money)
			judge(parts[0], parts[1], locale, hold, risk.Money)
			judge(parts[0], parts[2], locale, hold, risk.Delete)
			judge(parts[0], parts[3], locale, slide, risk.None)
		}
		for i, label := range parts[1:] {
			if !asksForGesture(label) {
				t.Errorf("%s: %q (%d) is not taken for a control that is slid or held", parts[0], label, i)
			}
		}
	}
	if languages != 55 || judged != 8*languages {
		t.Errorf("%d labels in %d languages", judged, languages)
	}
}
