package decide

import (
	"strings"

	"github.com/countersign/countersign/lexicon"
)

// namesAny looks for words at the start of words of a hint, and for words of
// an id. The words are few and decide only between a search, a message and a
// form, so that no lexicon is needed; what no word names is submitted.
func namesAny(hint, id string, words []string) bool {
	var buf [256]byte
	folded := string(lexicon.Fold(buf[:0], clip(hint, 80)))
	tail := clip(id[strings.LastIndexByte(id, '/')+1:], 80)
	lower := strings.ToLower(tail)
	for _, word := range words {
		latin := word[0] < 0x80
		i := strings.Index(folded, word)
		if i == 0 && !(latin && len(word) <= 3 && goesOn(folded, len(word))) || i > 0 && (folded[i-1] == ' ' || !latin) {
			return true
		}
		if latin && len(lower) == len(tail) && idNames(tail, lower, word) {
			return true
		}
	}
	return false
}

// goesOn reports whether a word goes on at a place.
func goesOn(s string, at int) bool {
	return at < len(s) && ('a' <= s[at] && s[at] <= 'z' || s[at] >= 0x80)
}

// idNames reports whether an id has a word in it: a short one only as a word of
// its own ("url_bar", "etUrl"), since "ara" is in "character". lower is the id in
// lower case.
func idNames(id, lower, word string) bool {
	for from := 0; ; {
		i := strings.Index(lower[from:], word)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(word)
		begins := start == 0 || !goesOn(id, start) || !goesOn(lower, start-1)
		if len(word) > 4 || begins && !goesOn(id, end) {
			return true
		}
		from = start + 1
	}
}

// clip cuts a string to at most n bytes without cutting a rune.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}

// Words for what a field does, folded as lexicon.Fold does, in the most used
// phone languages.
var (
	searchWords = []string{
		"search", "find", "filter", "query", "url", "address bar", "such", "recherch", "cherch",
		"busca", "buscar", "pesquis", "cerca", "zoek", "szukaj", "wyszukaj", "поиск", "найти",
		"пошук", "ara", "tim kiem", "tìm", "cari", "telusuri", "搜", "查找", "検索", "검색", "찾기",
		"بحث", "جستجو", "חיפוש", "खोज", "ค้นหา", "sok", "sök", "søg", "haku", "hledat", "keres",
	}
	composeWords = []string{
		"message", "reply", "compose", "nachricht", "antwort", "messag", "mensaje",
		"mensagem", "messaggio", "bericht", "wiadomosc", "wiadomość", "сообщени", "повідомл", "mesaj",
		"pesan", "tin nhan", "tin nhắn", "消息", "讯息", "訊息", "信息", "メッセージ", "메시지", "رساله",
		"پیام", "הודעה", "संदेश", "ข้อความ", "meddeland", "besked", "viesti", "zprav", "zpráv", "uzenet", "üzenet",
	}
	codeWords = []string{
		"otp", "verification code", "one time", "passcode", "pin", "code", "验证码", "驗證碼", "код", "código", "codigo",
		"codice", "kod", "인증", "確認コード", "認証コード", "رمز", "کد", "mã xác", "ma xac", "kode", "कोड", "รหัส",
	}
	confirmWords = []string{
		"confirm", "authorize", "authorise", "approve", "bestatig", "bestätig", "genehmig", "freigeb", "valider",
		"autoriz", "conferma", "bevestig", "potwierd", "zatwierd", "autoryz", "подтверд", "підтверд", "onay",
		"konfirmasi", "xac nhan", "xác nhận", "确认", "確認", "ยืนยัน", "تاكيد", "تاييد", "पुष्टि", "bekräft",
		"bekreft", "bekræft", "vahvista", "potvrd", "megerosit", "megerősít", "επιβεβαι", "אישור", "אשר", "승인", "confirma",
	}
	submitKeyIDs = []string{"ime_action", "action_key", "key_enter", "enter_key"}
	updateWords  = []string{
		"update", "업데이트", "更新", "アップデート", "aktualisier", "mettre a jour", "mettre à jour", "actualiz", "atualiz", "aggiorna",
		"обнов", "оновит", "guncelle", "güncelle", "perbarui", "cap nhat", "cập nhật", "อัปเดต", "تحديث", "अपडेट", "zaktualizuj",
		"bijwerk", "uppdatera", "opdater", "oppdater", "paivita", "päivitä", "aktualizovat", "frissit", "frissít", "ενημερωση", "עדכן", "עדכון",
	}
	submitKeys = []string{"enter", "go", "done", "return", "ok", "完成", "確定", "确定", "前往", "fertig", "los", "aller", "ir", "listo", "готово", "완료", "実行", "確認"}
)

// keyboardWords name keyboards, folded as lexicon.Fold does: switching one on
// lets it see what is typed.
var keyboardWords = []string{
	"keyboard", "input method", "键盘", "鍵盤", "输入法", "輸入法", "キーボード", "키보드", "입력 방법", "клавиатур",
	"клавіатур", "teclado", "tastatur", "clavier", "tastier", "toetsenbord", "klawiatur", "klavye",
	"tangentbord", "ban phim", "bàn phím", "papan ketik", "لوحة المفاتيح", "صفحه كليد", "מקלדת", "कीबोर्ड", "แป้นพิมพ์", "billentyu", "billentyű", "klavesnic", "klávesnic",
}

// undoWords and archivedWords are what a page says after a row was swiped away,
// folded as lexicon.Fold does.
var (
	undoWords = []string{
		"undo", "ruckgangig", "rückgängig", "annuler", "deshacer", "desfazer", "anular", "annulla", "ongedaan", "cofnij", "отмен",
		"вернуть", "скасув", "geri al", "urungkan", "batalkan", "buat asal", "hoan tac", "hoàn tác", "撤销", "撤消", "復原", "元に戻す",
		"실행취소", "실행 취소", "تراجع", "واگرد", "בטל", "ביטול", "पहले जैसा", "वापस लाएं", "เลิกทำ", "angra", "ångra", "fortryd", "angre",
		"kumoa", "vratit", "vrátit", "zpet", "zpět", "visszavon", "anuleaza", "anulează", "αναιρεση", "desfes",
	}
	archivedWords = []string{
		"archived", "archiviert", "archive", "archivad", "arquivad", "archiviat", "gearchiveerd", "zarchiwiz", "архивир", "архівован",
		"arsiv", "arşiv", "diarsipkan", "luu tru", "lưu trữ", "已归档", "已封存", "已存档", "アーカイブ", "보관", "ارشف", "بایگانی",
		"ארכיון", "संग्रह", "เก็บถาวร", "arkiver", "arkistoi", "archivov", "archival", "arhivat", "αρχειοθ",
	}
)
