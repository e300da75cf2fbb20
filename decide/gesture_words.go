package decide

import (
	"bytes"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/countersign/countersign/lexicon"
)

// asksForGesture reports whether a label tells to slide or hold: whether a word
// for that begins one of its words, or stands anywhere in a script that leaves no
// blanks between them.
func asksForGesture(label string) bool {
	if label == "" {
		return false
	}
	var buf [256]byte
	folded := lexicon.Fold(buf[:0], clip(label, maxGestureLabel))
	words := gestureWords()
	inWord := false
	for i := 0; i < len(folded); {
		r, size := utf8.DecodeRune(folded[i:])
		if !inWord {
			for _, word := range words[r] {
				if bytes.HasPrefix(folded[i:], word) {
					return true
				}
			}
		}
		inWord = unicode.In(r, unicode.Letter, unicode.Mark) && !leavesNoBlanks(r)
		i += size
	}
	return false
}

// maxGestureLabel is how many bytes of a label are searched for such a word:
// scripts of India take three for a letter.
const maxGestureLabel = 240

// leavesNoBlanks reports a letter of a script without blanks between words. An
// Arabic or Hebrew particle is written together with what follows, too.
func leavesNoBlanks(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
		unicode.Myanmar, unicode.Hangul, unicode.Arabic, unicode.Hebrew)
}

// isGestureLabel reports whether a label is as short as one that says what a
// slide or a hold is for; a longer one explains.
func isGestureLabel(label string) bool {
	return utf8.RuneCountInString(label) <= 48 && strings.Count(label, " ") <= 7
}

// gestureWords are how labels ask for a slide or a hold, folded as the lexicon
// folds: such a control acts by the gesture. A word stands for all that begins
// with it. The words are kept by their first letter.
var gestureWords = sync.OnceValue(func() map[rune][][]byte {
	words := map[rune][][]byte{}
	for _, list := range gesturesByLanguage {
		for word := range strings.SplitSeq(list.words, "|") {
			folded := lexicon.Fold(nil, word)
			first, _ := utf8.DecodeRune(folded)
			words[first] = append(words[first], folded)
		}
	}
	return words
})

// gesturesByLanguage are the words as they are written, by the language that has
// them; what several share stands with the first.
var gesturesByLanguage = [...]struct{ language, words string }{
	{"en", "slide to|slide left|slide right|slide up|slide down|swipe to|swipe left|swipe right|swipe up|drag to|drag right|hold to|hold and|hold down|hold for|keep holding|press and hold|tap and hold|touch and hold|push and hold|long press|long-press"},
	{"de", "wisch|schieben zum|schieben sie|schiebe|ziehen zum|ziehen sie|ziehe|halten|halte|gedrückt|lange drücken|lange tippen"},
	{"fr", "gliss|balay|maintenir|maintenez|maintiens|appui long|appui prolongé|appuyez longuement|appuyer longuement"},
	{"es", "desliz|deslic|arrastr|mantén|manten|mantenga|mantener|pulsación larga"},
	{"pt", "arrast|segure|segurar|mantenha|mantém|pressione e segure|toque longo"},
	{"it", "scorri|scorrere per|fai scorrere|trascina|striscia|tieni premuto|tenere premuto|mantieni premuto|tieni premuta|pressione prolungata"},
	{"nl", "veeg|vegen|schuif|schuiven|swipe om|slepen om|sleep om|sleep naar|houd|ingedrukt|lang indrukken|lang drukken"},
	{"sv", "svep|dra för|dra åt|skjut|håll|tryck länge|långtryck"},
	{"da", "stryg|swipe for|træk for|skub for|hold nede|hold inde|hold for at|langt tryk"},
	{"nb", "sveip|dra for å|skyv|hold inne|hold for å|langt trykk"},
	{"fi", "pitämällä|pyyhkäise|pyyhi|liu'uta|vedä|pidä|paina pitkään|pitkä painallus"},
	{"is", "strjúktu|renndu|dragðu|haltu inni|haltu niðri"},
	{"pl", "przesuń|przesuwaj|przeciągnij|przytrzymaj|naciśnij i przytrzymaj|przytrzymanie"},
	{"cs", "přeje|posuň|posunut|přetáhn|přetažen|potáhn|táhn|podrž|přidrž|držte"},
	{"sk", "potiahn|presuň|prejdite prst|pridrž"},
	{"hu", "csúsztas|csúsztat|húzd|húzza|elhúz|pöccints|tartsd|tartsa|nyomva tart|hosszan nyom|lenyomva"},
	{"ro", "glis|trage pentru|trageți|ține apăsat|țineți apăsat|mențin|apasă lung|apăsați lung"},
	{"bg", "плъзн|плъзгай|задръж|издърпай|придърпай"},
	{"ru", "проведи|сдвинь|сдвигай|удерживай|смахни|потяни|перетащи|зажми|долгое нажатие|нажмите и удерж|свайп"},
	{"uk", "проведіть|посунь|зсунь|потягн|перетягн|утримуй|змахн|свайпн|натисніть і утрим"},
	{"be", "правядзі|пацягн|перацягн|утрымлівай|утрымай"},
	{"sr", "prevuci|povuci|klizni|drži|zadrži|pritisni i drži|pritisnite i|превуци|превуците|повуци|клизни|држи|задржи"},
	{"hr", "prijeđi prstom|prijeđite prstom|kliznite|povucite|dugo pritisn"},
	{"sl", "podrsaj|povleci|potegni|pridrži"},
	{"mk", "лизга|лизни|повлеч|задрж|држете|притисни и"},
	{"el", "σύρετε|σύρε|σύρσιμο|κρατήστε|κράτα|κράτησε|παρατεταμένα"},
	{"tr", "kaydır|sürükle|basılı tut|uzun bas"},
	{"az", "sürüşdür|sürükləyin|basıb saxla|basılı saxla|uzun basın"},
	{"lt", "brauk|perbrauk|slink|vilk|nuvilk|palaikyk|laikyk|ilgai spausk"},
	{"lv", "velc|pavelc|pārvelc|slidin|turiet|turi nospiest|pieturiet|nospiediet un"},
	{"et", "pühkige|pühi|libista|lohista|hoidke|hoia|pikalt vajuta|vajutage pikalt"},
	{"ca", "llisca|fes lliscar|feu lliscar|arrossega|mantén premut|manteniu premut|mantingues"},
	{"gl", "mantén premido|mantén pulsado|premer e soster"},
	{"eu", "irristatu|lerratu|pasatu hatza|eduki sakatuta|sakatuta|luze sakatu"},
	{"sq", "rrëshqit|tërhiq|mbaj shtypur|mbani shtypur|mbaje shtypur"},
	{"id", "geser|usap|tahan|seret|tekan lama|tekan terus"},
	{"ms", "leret|luncurkan|tekan dan tahan"},
	{"fil", "i-slide|i-swipe|mag-swipe|mag-slide|i-drag|i-hold|pindutin nang matagal|pindutin nang pag"},
	{"vi", "vuốt|trượt|kéo để|kéo sang|lướt|giữ để|nhấn giữ|nhấn và giữ|ấn giữ|chạm và giữ|bấm giữ"},
	{"sw", "telezesha|buruta|swaipi|shikilia|bonyeza na ushike"},
	{"zu", "swayipha|shelelisa|hudula|bamba|cindezela ubambe"},
	{"af", "swiep|skuif|sleep om te|hou in|druk en hou|hou om te"},
	{"cy", "llithr|sweipi|daliwch|pwyso a dal|pwyswch a dal"},
	{"ga", "svaidhpeáil|sleamhnaigh|tarraing|coinnigh"},
	{"eo", "ŝovu|svingu|glitigu|premtenu|tenu"},
	{"kk", "сырғыт|жылжыт|сүйре|басып тұр|ұстап тұр"},
	{"ky", "сүрүп|сүрүңүз|жылдыр|басып тур|кармап тур"},
	{"uz", "suring|surib|siljit|bosib tur|ushlab tur"},
	{"mn", "гүйлгэ|шудар|чирэ|удаан дар|дараад барь|дарж барь"},
	{"ka", "გადაფურცლ|გადაუსვ|გაასრიალ|გაუსვ|გადაათრ|გეჭირ|ხანგრძლივად"},
	{"hy", "սահեցր|քաշեք|քաշիր|պահեք|սեղմած պահ|երկար սեղմ"},
	{"ar", "اسحب|مرر|حرك إصبعك|اضغط مطولا|مع الاستمرار|اضغط باستمرار|اضغط طويلا|ضغطة مطولة"},
	{"fa", "بکشید|بکش|بلغزان|نگه دار|نگه\u200cدار|طولانی فشار|فشار طولانی"},
	{"ur", "سوائپ|سلائیڈ|دبائے رکھ|دبا کر رکھ|کھینچ|تھامے رکھ"},
	{"ug", "سىيرى|سۈرۈ|بېسىپ تۇر"},
	{"he", "החלק|החליק|גרור|גררו|לחיצה ארוכה|לחצו לחיצה|לחץ והחזק|החזק|החזיקו"},
	{"hi", "स्लाइड|स्वाइप|दबाकर रख|दबाए रख|देर तक दबा|खींच|होल्ड कर"},
	{"mr", "सरकव|दाबून ठेव|धरून ठेव|दाबून धर"},
	{"ne", "थिचिराख|थिचेर राख|तान्नु|समातिराख"},
	{"bn", "সোয়াইপ|স্লাইড|চেপে ধর|ধরে রাখ|চেপে রাখ|টেনে"},
	{"as", "ছোৱাইপ|শ্লাইড|টিপি ধৰ|হেঁচি ধৰ"},
	{"pa", "ਸਵਾਈਪ|ਸਲਾਈਡ|ਦਬਾਈ ਰੱਖ|ਦਬਾ ਕੇ ਰੱਖ|ਖਿੱਚ"},
	{"gu", "સ્વાઇપ|સ્લાઇડ|દબાવી રાખ|દબાવીને રાખ|હોલ્ડ કર|ખેંચ"},
	{"or", "ସ୍ୱାଇପ୍|ସ୍ଲାଇଡ୍|ଦବାଇ ଧର|ଦବାଇ ରଖ"},
	{"ta", "ஸ்வைப்|ஸ்லைடு|அழுத்திப் பிடி|அழுத்திப்பிடி|பிடித்திரு|இழு"},
	{"te", "స్వైప్|స్లయిడ్|స్లైడ్|పట్టుకో|లాగండి|లాగి"},
	{"kn", "ಸ್ವೈಪ್|ಸ್ಲೈಡ್|ಒತ್ತಿ ಹಿಡಿ|ಒತ್ತಿಹಿಡಿ|ಹಿಡಿದುಕೊ|ಎಳೆ"},
	{"ml", "സ്വൈപ്പ്|സ്ലൈഡ്|അമർത്തിപ്പിടി|അമർത്തി പിടി|പിടിക്കുക|വലിച്ച്"},
	{"si", "ස්වයිප්|ස්ලයිඩ්|ලිස්ස|ඔබාගෙන|අල්ලාගෙන|අදින්න"},
	{"my", "ပွတ်ဆွဲ|ဆွဲ|ဖိထား|ကြာကြာနှိပ်|နှိပ်ထား"},
	{"km", "អូស|ចុចឱ្យជាប់|ចុចជាប់|សង្កត់"},
	{"lo", "ປັດເພື່ອ|ເລື່ອນເພື່ອ|ປັດ|ກົດຄ້າງ|ແຕະຄ້າງ"},
	{"th", "เลื่อนขึ้น|เลื่อนลง|เลื่อนเพื่อ|เลื่อนไป|ปัดเพื่อ|ปัดไป|ปัดขึ้น|ลากเพื่อ|สไลด์|กดค้าง|แตะค้าง"},
	{"am", "ያንሸራት|ጎትት|ተጭነው ይያዙ|ነክተው ይያዙ"},
	{"ja", "スライド|スワイプ|ドラッグ|長押し|押し続け|押したまま|なぞって"},
	{"ko", "밀어서|밀어 |스와이프|슬라이드|드래그|길게 누르|길게 눌러|꾹 눌러|누르고 있"},
	{"zh", "滑动|滑動|拖动|拖動|长按|長按|按住|左滑|右滑|上滑|轻扫|輕掃|向右滑|按緊"},
}
