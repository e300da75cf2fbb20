package lexicon

import (
	"strings"
	"testing"

	"github.com/countersign/countersign/risk"
)

// What shops and banks write on the buttons that matter most, in the languages
// that most phones speak: pay now | place order | buy | transfer | top up |
// subscribe. All of it is money; to subscribe may also be to follow a channel or
// to open an account.
func TestShopAndBankWords(t *testing.T) {
	languages, words := 0, 0
	for line := range strings.Lines(strings.TrimSpace(shopWords)) {
		columns := strings.Split(strings.TrimSpace(line), " | ")
		if len(columns) != 7 {
			t.Fatalf("bad line %q", line)
		}
		languages++
		for i, column := range columns[1:] {
			for word := range strings.SplitSeq(column, " ; ") {
				words++
				for _, claimed := range []string{columns[0], ""} {
					got := Default().Read(Query{Text: word, Language: claimed})
					if got.Category != risk.Money && !(i == 5 && isRisky(got.Category)) {
						t.Errorf("%s (claimed %q): %q is %s (%s, hit %q)", columns[0], claimed, word, got.Category, got.Form, got.Hits[0].Term)
					}
				}
			}
		}
	}
	if languages != 58 || words != 652 {
		t.Errorf("%d words in %d languages ran", words, languages)
	}
}

const shopWords = `
	en | Pay now | Place order | Buy | Transfer money | Top up | Subscribe now
	zh-Hans | 立即支付 ; 立即付款 | 提交订单 ; 下单 | 购买 ; 立即购买 | 转账 ; 确认转账 | 充值 ; 立即充值 | 订阅 ; 立即订阅 ; 开通会员
	zh-Hant | 立即付款 ; 立即支付 | 提交訂單 ; 下單 | 購買 ; 立即購買 | 轉帳 ; 確認轉帳 | 儲值 ; 加值 | 訂閱 ; 立即訂閱
	es | Pagar ahora | Realizar pedido ; Hacer pedido | Comprar | Transferir ; Transferir dinero | Recargar ahora ; Recargar saldo | Suscribirse ; Suscribirse ahora
	hi | अभी भुगतान करें ; अभी पे करें | ऑर्डर करें ; ऑर्डर दें | खरीदें ; अभी खरीदें | ट्रांसफ़र करें ; पैसे भेजें | रिचार्ज करें ; टॉप अप करें | सदस्यता लें ; अभी सदस्यता लें
	pt | Pagar agora | Finalizar pedido ; Fazer pedido | Comprar | Transferir ; Transferir dinheiro | Recarregar ; Adicionar saldo | Assinar ; Assinar agora
	ru | Оплатить сейчас | Оформить заказ ; Заказать | Купить | Перевести ; Перевести деньги | Пополнить ; Пополнить счёт | Подписаться ; Оформить подписку
	ar | ادفع الآن ; الدفع الآن | تأكيد الطلب ; إتمام الطلب | شراء ; اشتر الآن | تحويل ; تحويل الأموال | شحن الرصيد ; إعادة الشحن | اشتراك ; اشترك الآن
	fr | Payer maintenant | Passer commande ; Commander | Acheter | Virer ; Transférer de l’argent ; Faire un virement | Recharger ; Recharger le compte | S’abonner ; S’abonner maintenant
	id | Bayar sekarang | Buat pesanan ; Pesan sekarang | Beli ; Beli sekarang | Transfer ; Transfer uang | Isi ulang ; Isi saldo | Berlangganan ; Berlangganan sekarang
	ms | Bayar sekarang | Buat pesanan ; Pesan sekarang | Beli ; Beli sekarang | Pindahkan wang ; Pindah wang | Tambah nilai | Langgan ; Langgan sekarang
	de | Jetzt bezahlen ; Jetzt zahlen | Jetzt bestellen ; Kostenpflichtig bestellen ; Bestellung aufgeben | Kaufen | Überweisen ; Geld überweisen | Aufladen ; Guthaben aufladen | Abonnieren ; Jetzt abonnieren
	ja | 今すぐ支払う | 注文する ; 注文を確定する | 購入する ; 買う | 送金する ; 振り込む | チャージする ; 入金する | 定期購入する ; サブスクに登録
	bn | এখনই পেমেন্ট করুন ; এখনই পরিশোধ করুন | অর্ডার করুন ; অর্ডার দিন | কিনুন ; এখনই কিনুন | টাকা পাঠান ; ট্রান্সফার করুন | রিচার্জ করুন ; টপ আপ করুন | সাবস্ক্রাইব করুন
	ur | ابھی ادائیگی کریں | آرڈر کریں ; آرڈر دیں | خریدیں ; ابھی خریدیں | رقم منتقل کریں ; رقم بھیجیں | ریچارج کریں ; ٹاپ اپ کریں | سبسکرائب کریں
	tr | Şimdi öde ; Hemen öde | Sipariş ver ; Siparişi onayla | Satın al ; Hemen al | Para gönder ; Para transferi yap | Bakiye yükle ; Para yükle | Abone ol
	vi | Thanh toán ngay | Đặt hàng ; Đặt hàng ngay | Mua ; Mua ngay | Chuyển khoản ; Chuyển tiền | Nạp tiền ; Nạp ngay | Đăng ký gói ; Đăng ký ngay
	ko | 지금 결제 ; 결제하기 | 주문하기 ; 주문 완료하기 | 구매하기 ; 지금 구매 | 송금하기 ; 이체하기 | 충전하기 ; 지금 충전 | 구독하기 ; 구독
	it | Paga ora | Effettua ordine ; Ordina ora ; Invia ordine | Acquista ; Compra | Trasferisci denaro ; Effettua bonifico | Ricarica ; Ricarica ora | Abbonati ; Abbonati ora
	fa | پرداخت کنید ; اکنون پرداخت کنید | ثبت سفارش ; سفارش دهید | خرید ; بخرید | انتقال وجه ; انتقال پول | شارژ حساب ; افزایش اعتبار | خرید اشتراک ; مشترک شوید
	pl | Zapłać teraz | Złóż zamówienie ; Zamawiam | Kup ; Kup teraz | Przelej ; Wykonaj przelew | Doładuj ; Doładuj konto | Subskrybuj ; Wykup subskrypcję
	th | ชำระเงินตอนนี้ ; จ่ายเลย | สั่งซื้อ ; สั่งเลย | ซื้อ ; ซื้อเลย | โอนเงิน ; โอน | เติมเงิน ; เติมเงินเลย | สมัครสมาชิก ; สมัครเลย
	uk | Сплатити зараз ; Оплатити зараз | Оформити замовлення ; Замовити | Купити | Переказати ; Переказати гроші | Поповнити ; Поповнити рахунок | Підписатися ; Оформити підписку
	nl | Nu betalen ; Betaal nu | Bestelling plaatsen ; Nu bestellen | Kopen ; Koop nu | Geld overmaken ; Overboeken | Opwaarderen ; Saldo opwaarderen | Abonneren ; Nu abonneren
	ro | Plătește acum | Plasează comanda ; Trimite comanda | Cumpără ; Cumpără acum | Transferă bani ; Transferă | Reîncarcă ; Încarcă contul | Abonează-te
	ta | இப்போது செலுத்து ; இப்போதே செலுத்தவும் | ஆர்டர் செய் ; ஆர்டர் செய்யவும் | வாங்கு ; இப்போது வாங்கு ; வாங்கவும் | பணம் அனுப்பு ; பணத்தை மாற்று | ரீசார்ஜ் செய் ; டாப் அப் செய் | குழுசேர் ; சந்தா செலுத்து
	te | ఇప్పుడే చెల్లించండి ; ఇప్పుడు చెల్లించు | ఆర్డర్ చేయండి ; ఆర్డర్ చేయి | కొనండి ; ఇప్పుడే కొనండి ; కొనుగోలు చేయండి | డబ్బు పంపండి ; బదిలీ చేయండి | రీఛార్జ్ చేయండి ; టాప్ అప్ చేయండి | సబ్‌స్క్రయిబ్ చేయండి ; సభ్యత్వం పొందండి
	mr | आता पैसे द्या ; आता पेमेंट करा | ऑर्डर करा ; ऑर्डर द्या | खरेदी करा ; आता खरेदी करा | पैसे पाठवा ; ट्रान्सफर करा | रिचार्ज करा ; टॉप अप करा | सदस्यता घ्या ; सबस्क्राइब करा
	gu | હમણાં ચુકવણી કરો ; હમણાં ચૂકવો | ઓર્ડર કરો ; ઓર્ડર આપો | ખરીદો ; હમણાં ખરીદો | પૈસા મોકલો ; ટ્રાન્સફર કરો | રિચાર્જ કરો ; ટોપ અપ કરો | સબ્સ્ક્રાઇબ કરો
	kn | ಈಗ ಪಾವತಿಸಿ ; ಈಗಲೇ ಪಾವತಿಸಿ | ಆರ್ಡರ್ ಮಾಡಿ | ಖರೀದಿಸಿ ; ಈಗ ಖರೀದಿಸಿ | ಹಣ ಕಳುಹಿಸಿ ; ವರ್ಗಾಯಿಸಿ | ರೀಚಾರ್ಜ್ ಮಾಡಿ ; ಟಾಪ್ ಅಪ್ ಮಾಡಿ | ಸಬ್‌ಸ್ಕ್ರೈಬ್ ಮಾಡಿ ; ಚಂದಾದಾರರಾಗಿ
	ml | ഇപ്പോൾ പണമടയ്ക്കുക | ഓർഡർ ചെയ്യുക ; ഓർഡർ നൽകുക | വാങ്ങുക ; ഇപ്പോൾ വാങ്ങുക | പണം അയയ്ക്കുക ; പണം കൈമാറുക | റീചാർജ് ചെയ്യുക ; ടോപ്പ് അപ്പ് ചെയ്യുക | സബ്‌സ്ക്രൈബ് ചെയ്യുക ; വരിക്കാരാകുക
	pa | ਹੁਣੇ ਭੁਗਤਾਨ ਕਰੋ | ਆਰਡਰ ਕਰੋ ; ਆਰਡਰ ਦਿਓ | ਖਰੀਦੋ ; ਹੁਣੇ ਖਰੀਦੋ | ਪੈਸੇ ਭੇਜੋ ; ਟ੍ਰਾਂਸਫਰ ਕਰੋ | ਰੀਚਾਰਜ ਕਰੋ ; ਟੌਪ ਅੱਪ ਕਰੋ | ਗਾਹਕ ਬਣੋ ; ਸਬਸਕ੍ਰਾਈਬ ਕਰੋ
	fil | Magbayad na ; Bayaran ngayon | Mag-order ; Ilagay ang order | Bumili ; Bumili na | Maglipat ng pera ; Magpadala ng pera | Mag-top up ; Mag-load | Mag-subscribe ; Mag-subscribe na
	el | Πληρωμή τώρα ; Πληρώστε τώρα | Υποβολή παραγγελίας ; Ολοκλήρωση παραγγελίας | Αγορά ; Αγοράστε τώρα | Μεταφορά χρημάτων | Ανανέωση υπολοίπου ; Φόρτιση υπολοίπου | Γίνετε συνδρομητής ; Εγγραφή συνδρομής
	cs | Zaplatit nyní ; Zaplatit | Objednat ; Odeslat objednávku | Koupit ; Koupit nyní | Převést peníze ; Poslat peníze | Dobít ; Dobít kredit | Předplatit ; Odebírat
	hu | Fizetés most ; Fizetek | Megrendelés ; Megrendelem ; Rendelés leadása | Vásárlás ; Megveszem | Pénz átutalása ; Átutalás | Feltöltés most ; Egyenleg feltöltése | Előfizetek
	sv | Betala nu | Slutför beställning ; Beställ nu ; Lägg beställning | Köp ; Köp nu | Överför pengar ; Överför | Fyll på ; Ladda saldo | Prenumerera
	he | שלם עכשיו ; לתשלום עכשיו | בצע הזמנה ; שלח הזמנה | קנה ; קנייה ; קנה עכשיו | העבר כסף ; העברת כספים | טען יתרה ; טעינה | הירשם כמנוי ; רכישת מינוי
	bg | Плати сега ; Плащане сега | Направи поръчка ; Поръчай | Купи ; Купуване | Преведи пари ; Превеждане на пари | Зареди ; Зареждане на сметка | Абонирай се ; Абониране
	sr | Плати сада ; Plati sada | Поручи ; Naruči | Купи ; Kupi | Пребаци новац ; Prebaci novac | Допуни ; Dopuni račun | Претплати се ; Pretplati se
	my | ယခုပေးချေပါ ; ယခု ငွေပေးချေပါ | အော်ဒါတင်ပါ ; မှာယူပါ | ဝယ်ပါ ; ယခုဝယ်ပါ ; ဝယ်ယူပါ | ငွေလွှဲပါ ; ငွေလွှဲရန် | ငွေဖြည့်ပါ ; ငွေဖြည့်ရန် | စာရင်းသွင်းပါ
	sw | Lipa sasa | Weka oda ; Agiza sasa | Nunua ; Nunua sasa | Hamisha pesa ; Tuma pesa | Ongeza salio ; Jaza salio | Jisajili sasa ; Lipia usajili
	az | İndi ödə | Sifariş et ; Sifariş ver | Satın al ; İndi al | Pul köçür ; Köçür | Balansı artır ; Yüklə balans | Abunə ol
	uz | Hozir toʻlash ; Toʻlash | Buyurtma berish | Sotib olish | Pul oʻtkazish | Hisobni toʻldirish ; Balansni toʻldirish | Obuna boʻlish
	kk | Қазір төлеу ; Төлеу | Тапсырыс беру | Сатып алу | Ақша аудару ; Аудару | Толтыру ; Шотты толтыру | Жазылу
	nb | Betal nå | Legg inn bestilling ; Bestill nå | Kjøp ; Kjøp nå | Overfør penger ; Overfør | Fyll på ; Fyll på saldo | Abonner ; Abonner nå
	da | Betal nu | Afgiv ordre ; Bestil nu ; Afgiv bestilling | Køb ; Køb nu | Overfør penge ; Overfør | Tank op ; Fyld saldo op | Abonner ; Abonner nu
	fi | Maksa nyt | Lähetä tilaus ; Tilaa nyt ; Tee tilaus | Osta ; Osta nyt | Siirrä rahaa ; Tee tilisiirto | Lataa saldoa ; Lisää saldoa | Tilaa ; Tee tilaus
	hr | Plati odmah ; Plati | Naruči ; Pošalji narudžbu | Kupi ; Kupi odmah | Prebaci novac ; Prenesi novac | Nadoplati ; Nadoplati račun | Pretplati se
	sk | Zaplatiť teraz ; Zaplatiť | Objednať ; Odoslať objednávku | Kúpiť ; Kúpiť teraz | Previesť peniaze ; Poslať peniaze | Dobiť ; Dobiť kredit | Predplatiť ; Prihlásiť sa na odber
	am | አሁን ክፈል ; አሁን ይክፈሉ | ትዕዛዝ ስጥ ; ይዘዙ | ግዛ ; አሁን ይግዙ | ገንዘብ አስተላልፍ ; ገንዘብ ላክ | ሂሳብ ሙላ ; ይሙሉ | ይመዝገቡ
	ne | अहिले भुक्तानी गर्नुहोस् | अर्डर गर्नुहोस् | किन्नुहोस् ; अहिले किन्नुहोस् | पैसा पठाउनुहोस् ; रकम ट्रान्सफर गर्नुहोस् | रिचार्ज गर्नुहोस् ; टप अप गर्नुहोस् | सदस्यता लिनुहोस्
	as | এতিয়াই পৰিশোধ কৰক ; পেমেণ্ট কৰক | অৰ্ডাৰ দিয়ক ; অৰ্ডাৰ কৰক | কিনক ; ক্ৰয় কৰক | টকা পঠিয়াওক ; ধন স্থানান্তৰ কৰক | ৰিচাৰ্জ কৰক ; টপ আপ কৰক | ছাবস্ক্ৰাইব কৰক ; গ্ৰাহক হওক
	or | ପେମେଣ୍ଟ କରନ୍ତୁ ; ଟଙ୍କା ଦିଅନ୍ତୁ | ଅର୍ଡର କରନ୍ତୁ ; ଅର୍ଡର ଦିଅନ୍ତୁ | କିଣନ୍ତୁ ; କ୍ରୟ କରନ୍ତୁ | ଟଙ୍କା ପଠାନ୍ତୁ ; ଟଙ୍କା ଟ୍ରାନ୍ସଫର କରନ୍ତୁ | ରିଚାର୍ଜ କରନ୍ତୁ ; ଟପ୍ ଅପ୍ କରନ୍ତୁ | ସବସ୍କ୍ରାଇବ କରନ୍ତୁ ; ଗ୍ରାହକ ହୁଅନ୍ତୁ
	cy | Talu nawr ; Talwch nawr | Gosod archeb ; Archebu nawr | Prynu ; Prynu nawr | Trosglwyddo arian ; Anfon arian | Ychwanegu credyd ; Ychwanegu arian | Tanysgrifio ; Tanysgrifio nawr
	eo | Pagi nun ; Pagu nun | Mendi ; Fari mendon ; Konfirmi la mendon | Aĉeti ; Aĉeti nun | Ĝiri monon ; Sendi monon | Ŝargi konton ; Aldoni monon | Aboni ; Aboni nun
	ga | Íoc anois | Déan ordú ; Ordaigh anois ; Cuir isteach an t-ordú | Ceannaigh ; Ceannaigh anois | Aistrigh airgead ; Seol airgead | Breisigh anois ; Cuir airgead leis | Liostáil ; Glac síntiús
	ug | ھازىر تۆلە ; پۇل تۆلە | زاكاز قىل ; زاكاز بەر | سېتىۋال ; ھازىر سېتىۋال | پۇل يۆتكە ; پۇل ئەۋەت | پۇل قاچىلا ; پۇل تولۇقلا | مۇشتەرى بول`
