package lexicon

import (
	"strings"
	"testing"

	"github.com/countersign/countersign/risk"
)

// notAnswers are the words of a form's own buttons: save, next, done, update.
// As answers they would take the category of whatever page they stand on.
const notAnswers = `
	ar | حفظ ; التالي ; تحديث
	cs | uložit ; další ; hotovo
	da | gem ; næste ; færdig
	de | speichern ; fertig ; aktualisieren ; übernehmen
	el | αποθήκευση ; επόμενο ; εφαρμογή
	es | guardar ; listo ; actualizar ; finalizar
	fa | ذخیره ; بعدی ; پایان
	fi | tallenna ; seuraava ; valmis
	fr | enregistrer ; terminé ; mettre à jour
	he | שמירה ; הבא ; סיום
	hi | सहेजें ; अगला ; हो गया ; बदलें
	hu | mentés ; következő ; kész
	id | simpan ; berikutnya ; selesai ; perbarui
	it | salva ; fine ; aggiorna ; fatto
	ja | 保存 ; 次へ ; 完了 ; 更新
	ko | 저장 ; 다음 ; 완료 ; 적용
	nb | lagre ; neste ; ferdig
	nl | opslaan ; gereed ; bijwerken
	pl | zapisz ; gotowe ; zastosuj
	pt | salvar ; guardar ; concluído ; atualizar
	ro | salvează ; următoarea ; gata
	ru | сохранить ; далее ; готово ; обновить
	sv | spara ; nästa ; klar
	th | บันทึก ; ถัดไป ; เสร็จสิ้น
	tr | kaydet ; sonraki ; güncelle ; tamamla
	uk | зберегти ; далі ; готово
	vi | lưu ; kế tiếp ; cập nhật
	zh-Hans | 保存 ; 下一步 ; 完成 ; 更新
	zh-Hant | 儲存 ; 下一步 ; 完成 ; 更新`

func TestFormButtonsAreNoAnswers(t *testing.T) {
	l, read := Default(), 0
	for line := range strings.Lines(notAnswers) {
		language, words, ok := strings.Cut(strings.TrimSpace(line), " | ")
		if !ok {
			continue
		}
		for word := range strings.SplitSeq(words, " ; ") {
			read++
			got := l.Read(Query{Text: word, Role: risk.DialogButton, Language: language})
			if got.Category != risk.None || !got.Understood {
				t.Errorf("%s: %q is %v, understood %v; it answers nothing and is well known", language, word, got.Category, got.Understood)
			}
		}
	}
	if read != 99 {
		t.Errorf("read %d words", read)
	}
}

// outcomes are the titles of dialogs: how it went, and beside it the question
// about the same thing, which a yes would do.
const outcomes = `
	ar | تم الدفع بنجاح | هل تريد حذف المحادثة؟
	cs | Platba proběhla úspěšně | Potvrdit platbu?
	da | Betaling gennemført | Bekræft betaling?
	de | Zahlung erfolgreich | Zahlung bestätigen?
	el | Η πληρωμή ολοκληρώθηκε | Διαγραφή συνομιλίας;
	es | Pago realizado | ¿Confirmar el pago?
	fa | پرداخت با موفقیت انجام شد | گفتگو حذف شود؟
	fi | Maksu onnistui | Vahvistetaanko maksu?
	fr | Paiement effectué | Confirmer le paiement ?
	hi | भुगतान सफल रहा | भुगतान करें?
	hu | Sikeres fizetés | Törli a beszélgetést?
	id | Pembayaran berhasil | Konfirmasi pembayaran?
	it | Pagamento effettuato | Confermare il pagamento?
	ja | お支払いが完了しました | 支払いを確定しますか？
	ko | 결제가 완료되었습니다 | 결제하시겠습니까?
	nl | Betaling gelukt | Betaling bevestigen?
	pl | Płatność przyjęta | Potwierdzić płatność?
	pt | Pagamento aprovado | Confirmar o pagamento?
	ru | Оплата прошла успешно | Подтвердить оплату?
	sv | Betalning genomförd | Bekräfta betalning?
	th | ชำระเงินสำเร็จ | ยืนยันการชำระเงิน?
	tr | Ödemeniz alındı | Ödeme yapılsın mı?
	uk | Оплата пройшла успішно | Підтвердити оплату?
	vi | Thanh toán thành công | Xác nhận thanh toán?
	zh-Hans | 付款成功 | 确认付款？
	zh-Hant | 付款成功 | 確認付款？`

func TestOutcomesAskNothing(t *testing.T) {
	l, read := Default(), 0
	for line := range strings.Lines(outcomes) {
		p := strings.Split(strings.TrimSpace(line), " | ")
		if len(p) != 3 {
			continue
		}
		read++
		if got := l.Read(Query{Text: p[1], Signal: risk.SignalDialogTitle, Language: p[0]}); isRisky(got.Category) {
			t.Errorf("%s: %q is %v; it says how it went", p[0], p[1], got.Category)
		}
		if got := l.Read(Query{Text: p[2], Signal: risk.SignalDialogTitle, Language: p[0]}); !isRisky(got.Category) {
			t.Errorf("%s: %q is %v; it asks", p[0], p[2], got.Category)
		}
	}
	if read != 26 {
		t.Errorf("read %d pairs", read)
	}
}

// withObjects are labels whose object decides what the verb does.
const withObjects = `
	pt | publish | Curtir o comentário
	pt | none | Seguir pedido
	fr | publish | J'aime cette vidéo
	fr | publish | S'abonner à la chaîne
	fr | money | S'abonner
	fr | publish | Suivre Marie
	fr | none | Suivre ma commande
	fr | submit | Confirmer le rendez-vous
	fr | cancel_service | Confirmer la résiliation
	es | publish | Seguir a Ana
	es | none | Seguir leyendo
	es | submit | Confirmar cita
	es | money | Confirmar reserva
	tr | publish | Bu gönderiyi beğen
	tr | submit | Randevuyu onayla
	ja | publish | この投稿をいいね
	ja | none | 投稿
	ja | publish | 投稿する
	ja | money | 予約を確定する
	ko | publish | 게시물 좋아요
	ko | none | 비밀번호 찾기
	de | publish | Kanal abonnieren
	de | submit | Termin bestätigen
	de | none | Nachricht hinzufügen
	it | publish | Segui Anna Rossi
	it | none | Segui spedizione
	it | none | Aggiungi un messaggio
	it | cancel_service | Completa la disdetta
	ru | publish | Подписаться на Ивана
	ru | none | Подписаться на рассылку
	ru | submit | Передать показания
	ru | none | В корзину
	ru | delete | Переместить в корзину
	nl | money | Boeking voltooien
	nl | publish | Deze video leuk vinden
	pl | other | Otwórz drzwi
	vi | publish | Thích video này
	th | none | ไม่จำเป็น
	zh-Hans | publish | 点赞该视频
	zh-Hans | none | 公开
	uk | publish | Підписатися на Олену
	hi | publish | इस पोस्ट को लाइक करें`

func TestObjectsDecide(t *testing.T) {
	l, read := Default(), 0
	for line := range strings.Lines(withObjects) {
		p := strings.Split(strings.TrimSpace(line), " | ")
		if len(p) != 3 {
			continue
		}
		read++
		if got := l.Read(Query{Text: p[2], Role: risk.Button, Language: p[0]}); got.Category.String() != p[1] {
			t.Errorf("%s: %q is %v, want %s", p[0], p[2], got.Category, p[1])
		}
	}
	if read != 42 {
		t.Errorf("read %d labels", read)
	}
}

// forms are labels that lead to where it is done; they ask only there.
const forms = `
	de | account | Passwort ändern
	es | account | Cambiar contraseña
	fr | account | Changer le mot de passe
	id | account | Ubah PIN
	ja | account | パスワードを変更
	tr | account | Şifre değiştir
	zh-Hans | account | 修改密码
	pl | submit | Nadaj paczkę
	ru | submit | Отправить посылку
	de | message | Senden planen
	es | message | Programar envío
	it | money | Vai al pagamento
	ja | money | レジに進む
	zh-Hant | money | 前往結帳`

func TestFormsOpen(t *testing.T) {
	l, read := Default(), 0
	for line := range strings.Lines(forms) {
		p := strings.Split(strings.TrimSpace(line), " | ")
		if len(p) != 3 {
			continue
		}
		read++
		if got := l.Read(Query{Text: p[2], Role: risk.Button, Language: p[0]}); got.Category.String() != p[1] || !got.Opens {
			t.Errorf("%s: %q is %v, opens %v; want %s and that it opens", p[0], p[2], got.Category, got.Opens, p[1])
		}
	}
	if read != 14 {
		t.Errorf("read %d labels", read)
	}
}
