package lexicon

// answers are what the buttons of dialogs say in each language, which decides
// dialogs: a line is "language | yes, in several ways | no, in several ways".
const answers = `
	af | ja ; bevestig ; gaan voort | kanselleer ; nee
	am | አዎ ; ቀጥል | አይ ; ይቅር
	ar | موافق ; نعم ; متابعة | إلغاء ; لا ; ليس الآن
	as | হয় ; ঠিক আছে ; অব্যাহত ৰাখক ; নিশ্চিত কৰক | বাতিল কৰক ; এতিয়া নহয় ; কেতিয়াও নহয়
	az | bəli ; davam et | xeyr ; ləğv et
	be | так ; працягнуць | скасаваць ; не
	bg | да ; потвърди ; напред | отказ ; не
	bn | ঠিক আছে ; হ্যাঁ | বাতিল করুন ; না
	ca | d'acord ; sí ; continua | cancel·la ; ara no
	cs | ano ; pokračovat ; souhlasím | zrušit ; ne ; teď ne
	cy | iawn ; ie ; parhau ; cadarnhau ; rwy'n cytuno | canslo ; na ; nid nawr ; dim diolch
	da | ja ; fortsæt ; bekræft | annuller ; nej tak
	de | ja ; weiter ; bestätigen ; einverstanden | abbrechen ; nein danke ; nicht jetzt ; nicht zulassen
	el | ναι ; συνέχεια ; εντάξει | ακύρωση ; όχι
	eo | jes ; bone ; daŭrigi ; konfirmi ; mi konsentas | nuligi ; ne ; ne nun ; ne, dankon ; ne permesi
	es | aceptar ; sí ; continuar ; de acuerdo | cancelar ; ahora no ; no permitir
	et | jah ; jätka ; kinnita | tühista ; ei
	eu | bai ; jarraitu ; ados | utzi ; ez
	fa | تأیید ; بله ; ادامه | لغو ; خیر ; بعداً
	fi | kyllä ; jatka ; hyväksy | peruuta ; ei kiitos
	fil | oo ; magpatuloy | kanselahin ; hindi
	fr | oui ; continuer ; d'accord ; j'accepte | annuler ; non merci ; plus tard ; ne pas autoriser
	ga | ceart go leor ; sea ; lean ar aghaidh ; deimhnigh ; glac leis | cealaigh ; ní hea ; ní anois ; ná ceadaigh
	gl | si ; continuar ; aceptar | cancelar ; non
	gu | હા ; ચાલુ રાખો | રદ કરો ; નહીં
	he | אישור ; כן ; המשך | ביטול ; לא ; לא עכשיו
	hi | ठीक है ; हाँ ; जारी रखें | रद्द करें ; नहीं ; अभी नहीं
	hr | da ; nastavi ; potvrdi | odustani ; ne
	hu | igen ; rendben ; tovább | mégse ; nem
	hy | այո ; շարունակել | չեղարկել ; ոչ
	id | ya ; oke ; lanjutkan | batal ; tidak ; nanti saja
	is | já ; halda áfram | hætta við ; nei
	it | sì ; va bene ; continua ; accetta | annulla ; no grazie ; non ora
	ja | はい ; 続行 ; 同意する ; 確認 | キャンセル ; いいえ ; 後で ; 許可しない
	ka | დიახ ; გაგრძელება | გაუქმება ; არა
	kk | иә ; жалғастыру | бас тарту ; жоқ
	km | យល់ព្រម ; បន្ត | បោះបង់ ; ទេ
	kn | ಸರಿ ; ಹೌದು | ರದ್ದುಮಾಡಿ ; ಇಲ್ಲ
	ko | 확인 ; 예 ; 계속 ; 동의 | 취소 ; 아니요 ; 나중에
	ky | ооба ; улантуу | жокко чыгаруу ; жок
	lo | ຕົກລົງ ; ແມ່ນ | ຍົກເລີກ ; ບໍ່
	lt | taip ; tęsti ; gerai | atšaukti ; ne
	lv | jā ; turpināt ; labi | atcelt ; nē
	mk | да ; продолжи ; во ред | откажи ; не
	ml | ശരി ; അതെ | റദ്ദാക്കുക ; വേണ്ട
	mn | тийм ; үргэлжлүүлэх | цуцлах ; үгүй
	mr | ठीक आहे ; होय | रद्द करा ; नाही
	ms | ya ; setuju ; sahkan | batal ; tidak
	my | အိုကေ ; ဟုတ်ကဲ့ | မလုပ်တော့ ; မဟုတ်ပါ
	nb | ja ; fortsett ; godta | avbryt ; nei takk
	ne | ठिक छ ; जारी राख्नुहोस् | रद्द गर्नुहोस् ; होइन
	nl | ja ; doorgaan ; bevestigen ; akkoord | annuleren ; nee bedankt ; niet nu ; niet toestaan
	or | ଠିକ୍ ଅଛି ; ହଁ ; ଜାରି ରଖନ୍ତୁ ; ନିଶ୍ଚିତ କରନ୍ତୁ | ବାତିଲ୍ କରନ୍ତୁ ; ନା ; ଏବେ ନୁହେଁ
	pa | ਹਾਂ ; ਜਾਰੀ ਰੱਖੋ | ਰੱਦ ਕਰੋ ; ਨਹੀਂ
	pl | tak ; dalej ; potwierdź ; zgadzam się | anuluj ; nie ; nie teraz ; nie zezwalaj
	pt | sim ; continuar ; aceitar ; concordo | cancelar ; agora não ; não, obrigado
	ro | da ; continuă ; sunt de acord | anulează ; nu acum
	ru | да ; продолжить ; подтвердить ; согласен | отмена ; нет ; не сейчас ; запретить
	si | හරි ; ඔව් | අවලංගු කරන්න ; නැහැ
	sk | áno ; pokračovať ; súhlasím | zrušiť ; nie
	sl | da ; nadaljuj ; v redu | prekliči ; ne
	sq | po ; vazhdo | anulo ; jo
	sr | да ; настави ; потврди ; nastavi ; u redu | откажи ; не сада ; otkaži
	sv | ja ; fortsätt ; bekräfta ; godkänn | avbryt ; nej tack ; inte nu ; tillåt inte
	sw | ndiyo ; endelea ; sawa | ghairi ; hapana
	ta | சரி ; ஆம் | ரத்துசெய் ; வேண்டாம்
	te | సరే ; అవును | రద్దు చేయి ; వద్దు
	th | ตกลง ; ใช่ ; ดำเนินการต่อ | ยกเลิก ; ไม่อนุญาต ; ไว้ทีหลัง
	tr | tamam ; evet ; devam et ; kabul et | iptal ; hayır ; şimdi değil ; izin verme
	ug | ھەئە ; ماقۇل ; داۋاملاشتۇر ; جەزملە ; قوشۇلىمەن | ۋاز كەچ ; ياق ; ھازىر ئەمەس ; يول قويما
	uk | так ; продовжити ; гаразд | скасувати ; ні ; не зараз
	ur | ٹھیک ہے ; ہاں ; جاری رکھیں | منسوخ کریں ; نہیں
	uz | ha ; davom etish | bekor qilish ; yoʻq
	vi | đồng ý ; tiếp tục ; có | hủy ; không ; để sau ; không cho phép
	zh-Hans | 确定 ; 是 ; 继续 ; 同意 ; 我知道了 | 取消 ; 否 ; 以后再说 ; 不允许
	zh-Hant | 確定 ; 是 ; 繼續 ; 同意 | 取消 ; 否 ; 稍後再說 ; 不允許
	zu | yebo ; qhubeka | khansela ; cha`
