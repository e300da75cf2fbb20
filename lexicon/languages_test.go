package lexicon

import (
	"testing"

	"github.com/countersign/countersign/risk"
)

// fewWords is a lexicon of a handful of words in languages of every build, so
// that the rules can be tested whatever the term files hold.
var fewWords = map[string]string{
	"en.txt": "language en\n[delete act]\ndelete\n[money act]\npay\nbuy\n[known]\nchat\nsettings\n[negator]\nnot\n",
	"tr.txt": "language tr\norder last\n[delete act]\nsil\n[money act]\nöde\nsatın al\n[delete status]\nsilindi\nsilme\n[known]\nsohbeti\nödev\nlistesi\n[negator]\ndeğil\n[cancel verb]\niptal et\n[cancel_service object]\nabonelik\naboneliği\n",
	"es.txt": "language es\n[known]\napagar\npantalla\nsal\nluz\nconta\n[money act]\npagar\n[negator]\nno\n[dismissal]\ncancelar\n[cancel_service object]\nsuscripción\n",
	"pt.txt": "language pt\n[delete act]\napagar\n[known]\nconta\nfoto\n",
	"de.txt": "language de\norder last\n[delete act]\nlöschen\n[message act]\nsenden\n[share act]\nteilen\n[account object]\nkonto\n[none not]\nabsender\n[money dual]\nkauf\n[known]\nnachricht\nfoto\n",
	"zh.txt": "language zh\n[delete act]\n删除\n[money act]\n支付\n[prefix]\n已-\n最近-\n[suffix]\n-记录\n-者\n[none not]\n支付宝\n[known]\n聊天\n[permanent]\n永久\n",
	"ja.txt": "language ja\norder last\n[message act]\n送信\n送信する\n[delete act]\n削除\n[suffix]\n-済み\n-者\n-中\n[message status]\n送信しない\n[known]\nメッセージ\nを\n",
	"vi.txt": "language vi\n[delete act]\nxóa\n[message act]\ngửi\n[prefix]\nđã\nngười\n[known]\ntin nhắn\n",
	"hu.txt": "language hu\norder nominal\n[message act]\nküldése\nküldés\n[known]\nüzenet\n",
	"th.txt": "language th\n[message act]\nส่ง\n[prefix]\nผู้-\n[suffix]\n-แล้ว\n[known]\nข้อความ\n[question]\nไหม\n",
	"sv.txt": "language sv\n[call act]\nring\n[share act]\ndel\n[money act]\nköp\n",
	"xx.txt": "language und\n[delete bare]\n🗑\n",
}

func TestLanguages(t *testing.T) {
	l, err := newFrom(fewWords)
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		text, language string
		want           risk.Category
	}{
		// A whole word is read in every language, the worst reading wins; beside
		// other words the language that has them all decides.
		{"Apagar", "", risk.Delete},
		{"Apagar", "es", risk.Delete},
		{"Apagar pantalla", "", risk.None},
		{"Apagar pantalla", "es", risk.None},
		{"Apagar foto", "", risk.Delete},
		{"Apagar conta", "pt-BR", risk.Delete},
		{"Apagar xyz", "", risk.Delete},
		// Never inside another word.
		{"Öde", "tr", risk.Money},
		{"Öde", "", risk.Money},
		{"Ödev listesi", "tr", risk.None},
		{"Müsil ilaçları", "tr", risk.None},
		{"Müsil ilaçları", "", risk.None},
		{"Absender", "de", risk.None},
		// Short words of one language mean something else in another.
		{"Sil", "", risk.Delete},
		{"SİL", "tr", risk.Delete},
		{"Sil", "de", risk.Delete},
		{"Sohbeti sil", "", risk.Delete},
		{"Sil Schmidt", "", risk.None},
		{"Del Rey", "", risk.None},
		{"Buy BTC", "", risk.Money},
		{"Buy BTC", "de", risk.Money},
		// Where the verb stands last it acts there.
		{"Nachricht senden", "de", risk.Message},
		{"Foto teilen", "", risk.Share},
		{"Konto löschen", "de", risk.Account},
		{"Üzenet küldése", "hu", risk.Message},
		{"メッセージを送信", "ja", risk.Message},
		{"メッセージを送信する", "", risk.Message},
		{"Aboneliği iptal et", "tr", risk.CancelService},
		{"Cancelar suscripción", "es", risk.CancelService},
		{"Cancelar", "es", risk.Dismissal},
		// Affixes take the action away, in scripts without spaces only when written together.
		{"删除", "zh", risk.Delete},
		{"删除聊天", "", risk.Delete},
		{"删除聊天记录", "", risk.Delete},
		{"已删除", "zh", risk.None},
		{"最近删除", "", risk.None},
		{"支付记录", "", risk.None},
		{"支付宝", "", risk.None},
		{"永久删除", "", risk.Delete},
		{"送信済み", "", risk.None},
		{"送信者", "", risk.None},
		{"送信しない", "", risk.None},
		{"ส่งข้อความ", "", risk.Message},
		{"ผู้ส่ง", "", risk.None},
		{"ส่งแล้ว", "", risk.None},
		{"ส่งข้อความไหม", "", risk.None},
		{"สายส่ง", "", risk.None},
		{"검은사막 Delete", "", risk.Delete},
		{"Xoá tin nhắn", "vi", risk.Delete},
		{"Đã gửi", "", risk.None},
		{"Người gửi", "", risk.None},
		// A negator negates what follows where the verb comes first, else what precedes.
		{"Not delete", "en", risk.None},
		{"Sil değil", "tr", risk.None},
		// Symbols belong to every language.
		{"🗑", "de", risk.Delete},
	}
	ran := 0
	for _, c := range cases {
		if got := l.Read(Query{Text: c.text, Language: c.language}); got.Category != c.want {
			t.Errorf("Read(%q, language %q) = %s (%s, %s, hit %q), want %s", c.text, c.language, got.Category, got.Form, got.Fit, got.Hits[0].Term, c.want)
		}
		ran++
	}
	if ran != 53 {
		t.Errorf("%d cases ran", ran)
	}
}

// Languages past the number that a set can tell apart count as every language.
func TestManyLanguages(t *testing.T) {
	var s langSet
	s.add(3)
	if !s.has(3) || s.has(4) || s.empty() {
		t.Errorf("%v", s)
	}
	s.add(500)
	if !s.has(4) || !s.has(500) {
		t.Errorf("%v after a language too many", s)
	}
}
