package lexicon

// asianTwins are twins in the languages of Asia and the Arabic script; see europeanTwins.
var asianTwins = map[string]string{
	"zh-Hans": `
		message | 发送 | 已发送
		message | 立即发送 | 发送失败
		delete | 删除 | 已删除
		delete | 永久删除 | 最近删除
		delete | 清空回收站 | 回收站
		money | 立即支付 | 支付记录
		money | 提交订单 | 我的订单
		money | 立即购买 | 购买记录
		money | 确认转账 | 转账记录
		call | 拨打电话 | 未接来电
		share | 分享给好友 | 已分享
		permission | 始终允许 | 不允许
		install | 立即安装 | 已安装
		uninstall | 卸载 | 正在卸载
		account | 注销账号 | 账号
		account | 修改密码 | 密码
		credential | 立即登录 | 登录记录
		sign_out | 退出登录 | 返回
		cancel_service | 取消订单 | 取消
		block_report | 拉黑 | 黑名单
		publish | 立即发布 | 已发布
		submit | 提交申请 | 已提交
		device | 恢复出厂设置 | 设置`,
	"zh-Hant": `
		message | 傳送 | 已傳送
		delete | 刪除 | 最近刪除
		delete | 清空垃圾桶 | 垃圾桶
		money | 立即付款 | 付款方式
		money | 送出訂單 | 我的訂單
		money | 立即購買 | 購買紀錄
		money | 確認轉帳 | 轉帳紀錄
		call | 撥打電話 | 未接來電
		share | 分享連結 | 已分享
		permission | 一律允許 | 不允許
		install | 立即安裝 | 已安裝
		uninstall | 解除安裝 | 已解除安裝
		account | 刪除帳號 | 帳號
		account | 變更密碼 | 密碼
		credential | 立即登入 | 登入紀錄
		sign_out | 登出 | 返回
		cancel_service | 取消訂閱 | 取消
		block_report | 封鎖使用者 | 封鎖名單
		device | 恢復原廠設定 | 設定`,
	"ja": `
		message | 送信する | 送信済み
		message | メッセージを送信 | 送信者
		delete | 削除する | 削除済み
		delete | ゴミ箱を空にする | ゴミ箱
		money | 支払う | 支払い方法
		money | 注文を確定する | 注文履歴
		money | 今すぐ買う | 購入履歴
		money | 送金する | 送金履歴
		call | 電話をかける | 不在着信
		share | リンクを共有 | 共有設定
		permission | 常に許可 | 許可しない
		install | インストール | インストール済み
		uninstall | アンインストール | アンインストール済み
		account | アカウントを削除 | アカウント
		account | パスワードを変更 | パスワード
		credential | ログインする | ログイン履歴
		sign_out | ログアウト | 戻る
		cancel_service | 予約をキャンセル | キャンセル
		block_report | ブロックする | ブロックリスト
		publish | 投稿する | 投稿日
		device | すべてのデータを消去 | 設定`,
	"ko": `
		message | 보내기 | 보낸 사람
		message | 메시지 전송 | 전송 완료
		delete | 삭제하기 | 최근 삭제된 항목
		delete | 휴지통 비우기 | 휴지통
		money | 결제하기 | 결제 내역
		money | 주문하기 | 주문 내역
		money | 송금하기 | 거래 내역
		money | 바로 구매 | 구매 내역
		call | 전화 걸기 | 부재중 전화
		share | 공유하기 | 공유 설정
		permission | 항상 허용 | 허용 안함
		install | 설치하기 | 설치됨
		account | 계정 삭제 | 계정 정보
		account | 비밀번호 변경 | 비밀번호
		credential | 로그인하기 | 로그인 기록
		sign_out | 로그아웃 | 뒤로
		cancel_service | 구독 해지 | 취소
		block_report | 신고하기 | 차단 목록
		publish | 게시하기 | 게시일
		device | 공장 초기화 | 설정`,
	"ar": `
		message | إرسال الآن | تم الإرسال
		delete | حذف | محذوف
		delete | إفراغ سلة المهملات | سلة المهملات
		money | ادفع الآن | طريقة الدفع
		money | إتمام الشراء | سجل المشتريات
		money | تحويل الأموال | سجل التحويلات
		call | إجراء مكالمة | مكالمة فائتة
		share | مشاركة الرابط | تمت المشاركة
		permission | السماح دائمًا | عدم السماح
		install | تثبيت الآن | تم التثبيت
		uninstall | إلغاء التثبيت | تم إلغاء التثبيت
		account | حذف الحساب | الحساب
		account | تغيير كلمة المرور | كلمة المرور
		credential | تسجيل الدخول | رجوع
		sign_out | تسجيل الخروج | التالي
		cancel_service | إلغاء الاشتراك | إلغاء
		block_report | حظر المستخدم | قائمة الحظر
		publish | نشر الآن | تم النشر
		device | إعادة ضبط المصنع | الإعدادات`,
	"fa": `
		message | ارسال | ارسال شد
		delete | حذف کردن | حذف شده
		delete | خالی کردن زباله‌دان | زباله‌دان
		money | پرداخت آنلاین | روش پرداخت
		money | ثبت سفارش | وضعیت سفارش
		money | کارت به کارت | سابقه پرداخت
		call | تماس گرفتن | تماس بی‌پاسخ
		share | هم‌رسانی | تنظیمات
		permission | اجازه دادن | اجازه ندادن
		install | نصب برنامه | نصب شده
		uninstall | لغو نصب | راهنما
		account | حذف حساب | حساب
		account | تغییر رمز عبور | رمز عبور
		sign_out | خروج از حساب | بازگشت
		cancel_service | لغو اشتراک | لغو
		block_report | مسدود کردن مخاطب | شماره‌های مسدود
		publish | منتشر کردن | منتشر شده`,
	"hi": `
		message | भेजें | भेजा गया
		message | अभी भेजें | न भेजें
		delete | हटाएं | हटाया गया
		money | भुगतान करें | भुगतान इतिहास
		money | अभी खरीदें | खरीदारी जारी रखें
		money | पैसे भेजें | प्रेषक
		call | कॉल करें | कॉल लॉग
		share | साझा करें | साझा किया गया
		permission | हमेशा अनुमति दें | अनुमति न दें
		install | इंस्टॉल करें | इंस्टॉल किया गया
		uninstall | अनइंस्टॉल करें | सेटिंग
		account | खाता हटाएं | प्रोफ़ाइल
		account | पासवर्ड बदलें | पासवर्ड
		credential | साइन इन करें | वापस
		sign_out | लॉग आउट करें | खोजें
		cancel_service | सदस्यता रद्द करें | रद्द करें
		block_report | ब्लॉक करें | अवरोधित नंबर
		publish | पोस्ट करें | प्रकाशित`,
	"id": `
		message | Kirim | Terkirim
		message | Kirim pesan | Jangan kirim
		delete | Hapus | Dihapus
		delete | Kosongkan sampah | Sampah
		money | Bayar sekarang | Riwayat pembayaran
		money | Beli sekarang | Metode pembayaran
		money | Kirim uang | Pengirim
		money | Buat pesanan | Pesanan saya
		call | Panggil ulang | Panggilan tak terjawab
		share | Bagikan tautan | Dibagikan
		permission | Selalu izinkan | Jangan izinkan
		install | Instal | Terinstal
		uninstall | Copot pemasangan | Pengaturan
		account | Hapus akun | Akun saya
		account | Ubah kata sandi | Kata sandi
		credential | Masuk dengan Google | Kembali
		sign_out | Keluar dari akun | Selanjutnya
		cancel_service | Batalkan langganan | Batal
		block_report | Blokir kontak | Nomor yang diblokir
		publish | Posting sekarang | Dipublikasikan
		device | Reset ke setelan pabrik | Setelan`,
	"vi": `
		message | Gửi | Đã gửi
		message | Gửi ngay | Người gửi
		delete | Xóa | Đã xoá
		delete | Dọn sạch thùng rác | Thùng rác
		money | Thanh toán ngay | Lịch sử thanh toán
		money | Mua ngay | Mua sắm
		money | Chuyển tiền | Phương thức thanh toán
		money | Đặt hàng | Đơn hàng của tôi
		call | Gọi lại | Cuộc gọi nhỡ
		share | Chia sẻ liên kết | Đã chia sẻ
		permission | Luôn cho phép | Không cho phép
		uninstall | Gỡ cài đặt | Cài đặt
		account | Xóa tài khoản | Tài khoản
		account | Đổi mật khẩu | Mật khẩu
		credential | Đăng nhập | Quay lại
		sign_out | Đăng xuất | Tiếp theo
		cancel_service | Hủy đơn hàng | Hủy
		block_report | Chặn người dùng | Số bị chặn
		publish | Đăng bài | Đã đăng
		device | Khôi phục cài đặt gốc | Cài đặt`,
	"th": `
		message | ส่ง | ส่งแล้ว
		message | ส่งข้อความ | ผู้ส่ง
		delete | ลบ | ลบแล้ว
		money | ชำระเงิน | วิธีการชำระเงิน
		money | สั่งซื้อเลย | ประวัติการสั่งซื้อ
		money | โอนเงิน | ประวัติการโอน
		call | โทรออก | สายที่ไม่ได้รับ
		share | แชร์ลิงก์ | แชร์แล้ว
		permission | อนุญาต | ไม่อนุญาต
		install | ติดตั้ง | ติดตั้งแล้ว
		uninstall | ถอนการติดตั้ง | ตั้งค่า
		account | ลบบัญชี | บัญชี
		account | เปลี่ยนรหัสผ่าน | รหัสผ่าน
		credential | เข้าสู่ระบบ | ย้อนกลับ
		sign_out | ออกจากระบบ | ถัดไป
		cancel_service | ยกเลิกคำสั่งซื้อ | ยกเลิก
		block_report | บล็อกผู้ใช้ | หมายเลขที่บล็อก
		publish | เผยแพร่ | เผยแพร่แล้ว`,
}
