package lexicon

// furtherTwins are twins in languages with fewer phones, whose words are known
// in the same depth; see europeanTwins.
var furtherTwins = map[string]string{
	"cy": `
		message | Anfon neges | Anfonwyd
		message | Ateb pawb | Wedi anfon
		delete | Dileu'r cyfan | Dilëwyd yn ddiweddar
		delete | Gwagio'r bin | Sbwriel
		money | Talu nawr | Hanes taliadau
		money | Gosod archeb | Manylion archeb
		money | Prynu nawr | Dull talu
		call | Ffonio nawr | Galwadau a gollwyd
		share | Rhannu dolen | Wedi'i rannu
		permission | Caniatáu bob amser | Peidio â chaniatáu
		install | Gosod ap | Wedi'i osod
		uninstall | Dadosod | Dadosodwyd
		account | Dileu cyfrif | Fy nghyfrif
		account | Newid cyfrinair | Wedi anghofio cyfrinair
		credential | Mewngofnodi | Wedi mewngofnodi
		sign_out | Allgofnodi | Wedi allgofnodi
		cancel_service | Canslo tanysgrifiad | Canslo
		block_report | Blocio defnyddiwr | Rhifau wedi'u blocio
		publish | Cyhoeddi newidiadau | Cyhoeddwyd
		submit | Cyflwyno cais | Cyflwynwyd
		device | Ailosod ffatri | Gosodiadau`,
	"ga": `
		message | Seol anois | Seolta
		message | Freagair gach duine | Seoltóir
		delete | Scrios go buan | Scriosta le déanaí
		delete | Folmhaigh an bruscar | Bruscar
		money | Íoc anois | Stair íocaíochtaí
		money | Déan ordú | Sonraí ordaithe
		money | Ceannaigh | Modh íocaíochta
		call | Glaoigh anois | Glaonna caillte
		share | Comhroinn nasc | Comhroinnte
		permission | Ceadaigh i gcónaí | Ná ceadaigh
		install | Suiteáil anois | Á shuiteáil
		uninstall | Díshuiteáil | Díshuiteáilte
		account | Scrios cuntas | Mo chuntas
		account | Athraigh pasfhocal | Pasfhocal
		credential | Logáil isteach | Logáilte isteach
		sign_out | Logáil amach | Logáilte amach
		cancel_service | Cealaigh an síntiús | Cealaigh
		block_report | Blocáil uimhir | Uimhreacha bactha
		publish | Foilsigh athruithe | Foilsithe
		submit | Seol iarratas | Curtha isteach
		device | Athshocrú monarchan | Socruithe`,
	"eo": `
		message | Sendi mesaĝon | Sendita
		message | Sendu nun | Ne sendi
		delete | Forigi ĉion | Lastatempe forigitaj
		delete | Malplenigi rubujon | Rubujo
		money | Pagi nun | Paghistorio
		money | Konfirmi mendon | Detaloj de mendo
		money | Aĉeti | Pagmetodo
		call | Fari alvokon | Maltrafitaj alvokoj
		share | Kunhavigi ligilon | Kunhavigita
		permission | Ĉiam permesi | Ne permesi
		install | Instali | Instalita
		uninstall | Malinstali | Malinstalita
		account | Forigi konton | Mia konto
		account | Ŝanĝi pasvorton | Pasvorto
		credential | Ensaluti | Ensalutita
		sign_out | Elsaluti | Elsalutita
		cancel_service | Nuligi abonon | Nuligi
		block_report | Bloki uzanton | Blokitaj uzantoj
		publish | Publikigi ŝanĝojn | Publikigita
		submit | Sendi peton | Submetita
		device | Restartigi aparaton | Agordoj`,
	"as": `
		message | বাৰ্তা পঠিয়াওক | বাৰ্তা পঠিওৱা হ'ল
		message | পঠিয়াওক | প্ৰেৰক
		delete | সকলো মচক | মচা হ'ল
		delete | ডিলিট কৰক | শেহতীয়াকৈ মচা
		money | পৰিশোধ কৰক | পৰিশোধৰ ইতিহাস
		money | অৰ্ডাৰ দিয়ক | অৰ্ডাৰৰ বিৱৰণ
		money | টকা পঠিয়াওক | পৰিশোধৰ পদ্ধতি
		call | কল কৰক | মিছড কল
		share | লিংক শ্বেয়াৰ কৰক | শ্বেয়াৰ কৰা হ'ল
		permission | সদায় অনুমতি দিয়ক | অনুমতি নিদিব
		install | ইনষ্টল কৰক | ইনষ্টল কৰা হৈছে
		uninstall | আনইনষ্টল কৰক | আনইনষ্টল কৰা হ'ল
		account | একাউণ্ট বিলোপ কৰক | মোৰ একাউণ্ট
		account | পাছৱৰ্ড সলনি কৰক | পাছৱৰ্ড
		credential | লগ ইন কৰক | লগ ইন কৰা হ'ল
		sign_out | ছাইন আউট কৰক | বাহিৰ হওক
		cancel_service | অৰ্ডাৰ বাতিল কৰক | বাতিল কৰক
		block_report | নম্বৰ অৱৰোধ কৰক | অৱৰোধ কৰা নম্বৰ
		publish | প্ৰকাশ কৰক | প্ৰকাশিত
		submit | দাখিল কৰক | দাখিল কৰা হ'ল
		device | ফেক্টৰী ৰিছেট কৰক | ছেটিং`,
	"or": `
		message | ମେସେଜ ପଠାନ୍ତୁ | ପଠାଯାଇଛି
		message | ପଠାନ୍ତୁ | ପ୍ରେରକ
		delete | ସବୁ ଡିଲିଟ୍ କରନ୍ତୁ | ଡିଲିଟ୍ କରାଯାଇଛି
		delete | ଟ୍ରାସ୍ ଖାଲି କରନ୍ତୁ | ଟ୍ରାସ୍
		money | ପେମେଣ୍ଟ କରନ୍ତୁ | ପେମେଣ୍ଟ ଇତିହାସ
		money | ଅର୍ଡର ଦିଅନ୍ତୁ | ଅର୍ଡର ବିବରଣୀ
		money | ଟଙ୍କା ପଠାନ୍ତୁ | ପେମେଣ୍ଟ ପଦ୍ଧତି
		call | କଲ୍ କରନ୍ତୁ | ମିସଡ୍ କଲ୍
		share | ଲିଙ୍କ ସେୟାର୍ କରନ୍ତୁ | ସେୟାର୍ କରାଯାଇଛି
		permission | ସର୍ବଦା ଅନୁମତି ଦିଅନ୍ତୁ | ଅନୁମତି ଦିଅନ୍ତୁ ନାହିଁ
		install | ଇନଷ୍ଟଲ୍ କରନ୍ତୁ | ଇନଷ୍ଟଲ୍ କରାଯାଉଛି
		uninstall | ଅନଇନଷ୍ଟଲ୍ କରନ୍ତୁ | ଅନଇନଷ୍ଟଲ୍ କରାଗଲା
		account | ଆକାଉଣ୍ଟ ଡିଲିଟ୍ କରନ୍ତୁ | ମୋ ଆକାଉଣ୍ଟ
		account | ପାସୱାର୍ଡ ବଦଳାନ୍ତୁ | ପାସୱାର୍ଡ
		credential | ଲଗ୍ ଇନ୍ କରନ୍ତୁ | ସାଇନ୍ ଇନ୍ କରାଯାଇଛି
		sign_out | ଲଗ୍ ଆଉଟ୍ କରନ୍ତୁ | ବାହାରନ୍ତୁ
		cancel_service | ଅର୍ଡର ବାତିଲ କରନ୍ତୁ | ବାତିଲ କରନ୍ତୁ
		block_report | ନମ୍ବରକୁ ବ୍ଲକ୍ କରନ୍ତୁ | ବ୍ଲକ୍ କରାଯାଇଥିବା ନମ୍ବର
		publish | ପ୍ରକାଶ କରନ୍ତୁ | ପ୍ରକାଶିତ
		submit | ଦାଖଲ କରନ୍ତୁ | ଦାଖଲ କରାଯାଇଛି
		device | ଫ୍ୟାକ୍ଟୋରୀ ରିସେଟ୍ କରନ୍ତୁ | ସେଟିଂସ`,
	"ug": `
		message | ئۇچۇر يوللا | ئۇچۇر يوللاندى
		message | ئەۋەت | ئەۋەتكۈچى
		delete | ھەممىنى ئۆچۈر | ئۆچۈرۈلدى
		delete | مەڭگۈلۈك ئۆچۈرۈڭ | ئۆچۈرمە
		money | پۇل تۆلە | تۆلەش تارىخى
		money | زاكاز قىل | زاكاز ھالىتى
		money | ھازىر سېتىۋال | تۆلەش ئۇسۇلى
		call | ھازىر چاقىر | جاۋابسىز چاقىرىش
		share | ئۇلانمىنى ھەمبەھىرلە | ھەمبەھىرلەندى
		permission | ھەمىشە يول قوي | يول قويما
		install | ئورنات | ئورنىتىۋاتىدۇ
		uninstall | ئورنىتىشنى بىكار قىل | ئورنىتىلغان
		account | ھېسابات ئۆچۈر | ھېسابات
		account | ئىمنى ئۆزگەرت | ئىم
		credential | تىزىمغا كىر | تىزىمغا كىردى
		sign_out | تىزىمدىن چىق | تىزىمدىن چىقتى
		cancel_service | زاكازنى بىكار قىل | بىكار قىل
		block_report | نومۇرنى توس | توسۇلغان نومۇرلار
		publish | تارقات | تارقىتىلدى
		submit | تاپشۇر | تاپشۇرۇلدى
		device | زاۋۇت تەڭشىكىگە قايتۇر | تەڭشەكلەر`,
}
