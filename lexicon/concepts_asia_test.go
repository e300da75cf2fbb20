package lexicon

import (
	"strings"
	"testing"
)

// conceptsAsia are what people do on the buttons of social, money and account
// pages, in the languages of other scripts than ours, and beside it the harmless
// relatives of the same words: titles, lists, what was done, who did it.
const conceptsAsia = `
	zh-Hans | publish | 取消发布 ; 发布页面 ; 提交投票 ; 转嘟 ; 写个评价 ; 给我们评分 | 已投票 ; 投票人 ; 全部评价 ; 发布说明 ; 直播回放
	zh-Hans | money | 广播交易 ; 使用 Google Pay 捐款 ; 向联系人付款 ; 退还资金 ; 兑换礼品卡 ; 续订 | 支付事件 ; 付款条款 ; 收到付款 ; 兑换率 ; 购买须知
	zh-Hans | account | 离开团队 ; 修改我的密码 ; 解除账号关联 ; 停用双重验证 ; 接受邀请 | 加入时间 ; 密码提示 ; 账号安全
	zh-Hans | sign_out | 注销其他会话 ; 退出所有会话 | 登出链接
	zh-Hans | share | 分享地址 ; 以照片形式分享 ; 与他人分享此列表 | 分享方式 ; 分享记录 ; 与我分享
	zh-Hans | delete | 从列表中删除书签 ; 清除浏览历史 ; 重置设置 | 删除线 ; 清除筛选
	zh-Hant | publish | 取消發佈 ; 發佈頁面 ; 送出投票 ; 撰寫評價 ; 給我們評分 | 已投票 ; 全部評價 ; 發佈說明 ; 編輯貼文
	zh-Hant | money | 廣播交易 ; 使用 Google Pay 捐款 ; 向聯絡人付款 ; 兌換禮品卡 ; 提領 | 付款事件 ; 付款條款 ; 收到付款 ; 購買須知
	zh-Hant | account | 離開團隊 ; 變更我的密碼 ; 解除帳號關聯 ; 停用雙重驗證 ; 接受邀請 | 加入日期 ; 帳號安全
	zh-Hant | sign_out | 登出其他裝置 ; 登出所有工作階段 | 登出網址
	zh-Hant | share | 分享地址 ; 以相片形式分享 ; 與其他人分享 | 分享方式 ; 與我分享
	zh-Hant | delete | 從清單中移除書籤 ; 清除瀏覽紀錄 ; 重設設定 | 刪除線 ; 清除篩選
	ja | publish | 非公開に設定 ; ブーストする ; クチコミを書く ; 賛成票を投じる ; 商品を評価 ; 公開を予約 | 投票済み ; レビュー一覧 ; 投稿を編集 ; 配信履歴
	ja | money | 署名して送信 ; 報酬を受け取る ; チケットを購入する ; チェックアウトに進む ; チップを送る | チャージ履歴 ; 交換レート ; 購入者 ; スワップ履歴 ; 支払うには
	ja | account | 招待を承認 ; チームから退出 ; Googleアカウントと接続を解除する ; 管理者権限を取り消す ; 二要素認証を無効にする | 参加日 ; 友だち一覧 ; 登録日時
	ja | sign_out | すべてのデバイスからログアウト ; 他のセッションを終了 | ログアウト先
	ja | share | 写真として共有 ; 画面共有を開始 ; 友だちに紹介 | 共有アルバム ; 招待状況
	ja | delete | ページ削除 ; リストから削除する ; デフォルトにリセット ; 信頼を取り消す | 削除予定 ; ピン留めを外す
	ko | publish | 게시 취소 ; 상품평 남기기 ; 부스트하기 ; 페이지를 게시하세요 ; 반대 투표 | 투표자 ; 내 리뷰 ; 게시 날짜 ; 게시물 편집
	ko | money | 비트코인 구매 ; 확인 및 결제 ; 보상 받기 ; 자금 환불 ; 요금 납부하기 | 환불 사유 ; 구독자 ; 충전 속도 ; 예약 번호 ; 기부자
	ko | account | 계정과 연동 해제 ; 가족 그룹에서 나가기 ; 초대 수락 ; 2단계 인증 비활성화 ; 관리자 권한 부여 | 가입 날짜 ; 비밀번호 재설정 코드 ; 참가자
	ko | message | 민수에게 전달하기 ; 영희에게 답장하기 | 전송 대상 ; 답변 완료
	ko | sign_out | 다른 기기에서 로그아웃 ; 모든 세션 종료 | 자동 로그아웃
	ko | share | 이미지로 공유 ; 가족 구성원 초대 ; 사본 보내기 | 초대 요약 ; 공유 방법
	ko | delete | 알림 모두 지우기 ; 신뢰 취소 ; 설정 초기화 | 삭제 사유 ; 삭제 날짜
	ar | publish | إلغاء النشر ; اكتب مراجعة ; بدء البث المباشر ; إعادة التغريد ; الإدلاء بصوتك ; نشر الصفحة | نتائج التصويت ; عدد المتابعين ; مستوى الصوت ; تاريخ النشر
	ar | money | بث المعاملة ; تأكيد ودفع ; استرداد قسيمة ; احجز تذكرة ; إضافة بقشيش ; سحب عبر Lightning | أسلوب الدفع ; طلب الدفع ; سياسة الاسترداد ; تفاصيل الحجز
	ar | account | مغادرة المجتمع ; فك ارتباط حسابي ; قبول الدعوة ; تعطيل المصادقة الثنائية ; سحب صلاحيات المسؤول | تاريخ الانضمام ; رمز إعادة تعيين كلمة المرور
	ar | sign_out | إنهاء جميع الجلسات ; تسجيل الخروج من الأجهزة الأخرى | الخروج من ملء الشاشة
	ar | share | دعوة المستخدمين ; مشاركة كصورة ; إرسال نسخة | مشاركة البلوتوث ; رمز الدعوة ; شارك في الترجمة
	ar | delete | مسح سجل التصفح ; إزالة من القائمة ; استعادة القيم الافتراضية | المسح الضوئي ; تاريخ الحذف
	fa | publish | لغو انتشار ; نوشتن دیدگاه ; رأی مثبت ; به برنامه امتیاز دهید ; شروع پخش زنده ; دنبال کنید | تاریخ انتشار ; دنبال‌کنندگان ; پست‌های من ; نتایج رأی‌گیری
	fa | money | امضا و ارسال ; بپردازید ; پرداخت فاکتور ; استرداد وجه ; خرید بیت‌کوین ; دریافت پاداش | درگاه پرداخت ; تاریخ خرید ; شارژ باتری ; نرخ تبدیل
	fa | account | ترک انجمن ; قطع اتصال کیف پول ; پذیرفتن دعوت ; غیرفعال کردن تأیید دو مرحله‌ای ; عزل مدیر | تاریخ عضویت ; امنیت حساب ; کد بازنشانی گذرواژه
	fa | sign_out | خروج از سایر نشست‌ها ; پایان همه نشست‌ها | خروج از برنامه
	fa | share | اشتراک‌گذاری از طریق ; دعوت کاربران ; ارسال لینک دعوت | کد دعوت ; تنظیمات اشتراک‌گذاری
	fa | delete | پاک کردن کوکی‌ها ; حذف از فهرست ; بازنشانی به حالت پیش‌فرض | برداشتن سنجاق ; هشدار حذف
	he | publish | ביטול פרסום ; כתיבת ביקורת ; הצביעו ; התחל שידור חי ; שיתוף בסטורי ; דרגו אותנו | עוקבים ; תוצאות ההצבעה ; תאריך פרסום ; עקוב אחר המערכת
	he | money | לסיום ההזמנה ; חתימה ושליחה ; החזר כספים ; מימוש שובר ; הזמן שולחן ; צפייה ורכישה | תנאי תשלום ; מדיניות החזרים ; ההזמנות שלי ; שער המרה
	he | account | עזיבת הקהילה ; קבלת הזמנה ; ביטול קישור החשבון ; השבתת אימות דו-שלבי ; החלפת סיסמה | תאריך הצטרפות ; אבטחת חשבון
	he | sign_out | התנתקות מכל המכשירים ; סיום כל ההפעלות | יציאה ממסך מלא
	he | share | שיתוף כתמונה ; הזמנת בני משפחה ; שלח עותק | שיתוף חברתי ; קוד הזמנה
	he | delete | ניקוי היסטוריית הגלישה ; רוקן את סל המיחזור ; שכח את המכשיר | ניקוי חיפוש ; פריטים שנמחקו`

func TestConceptsAsia(t *testing.T) {
	lines, acts, harmless := 0, 0, 0
	for line := range strings.Lines(strings.TrimSpace(conceptsAsia)) {
		p := strings.Split(strings.TrimSpace(line), " | ")
		if len(p) != 4 {
			t.Fatalf("bad line %q", line)
		}
		lines++
		for label := range strings.SplitSeq(p[2], " ; ") {
			acts++
			if got := readConcept(p[0], label); got.Category.String() != p[1] {
				t.Errorf("%s: %q is %v (%v, hit %q), want %s", p[0], label, got.Category, got.Form, got.Hits[0].Term, p[1])
			}
		}
		for label := range strings.SplitSeq(p[3], " ; ") {
			harmless++
			if got := readConcept(p[0], label); isRisky(got.Category) {
				t.Errorf("%s: %q is %v (hit %q of %s), want it harmless", p[0], label, got.Category, got.Hits[0].Term, got.Hits[0].Language)
			}
		}
	}
	if lines != 43 || acts != 173 || harmless != 117 {
		t.Errorf("%d lines with %d acts and %d harmless labels ran", lines, acts, harmless)
	}
}

// readConcept reads with the terms alone, in the language claimed.
func readConcept(language, label string) Reading {
	return Default().Read(Query{Text: label, Language: language, Certainty: TermsOnly})
}
