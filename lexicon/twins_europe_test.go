package lexicon

// twins are labels that act, each beside a harmless one that is close to it: a
// state, a noun, a no. One language after another, a line is
// "category | what acts | its harmless twin".
var europeanTwins = map[string]string{
	"es": `
		message | Enviar | Enviados
		message | Enviar ahora | No enviar
		delete | Eliminar | Eliminados recientemente
		delete | Vaciar la papelera | Eliminado
		money | Pagar ahora | Historial de pagos
		money | Realizar pedido | Detalles del pedido
		money | Transferir dinero | Métodos de pago
		call | Llamar a mamá | Llamadas perdidas
		share | Compartir enlace | Compartidos
		permission | Permitir siempre | Permisos de la aplicación
		install | Instalar | Instalando…
		uninstall | Desinstalar | Desinstalada
		account | Eliminar cuenta | Mi cuenta
		account | Cambiar contraseña | Contraseña
		credential | Iniciar sesión | Inicio de sesión
		sign_out | Cerrar sesión | Sesión cerrada
		cancel_service | Cancelar suscripción | Cancelar
		block_report | Bloquear contacto | Números bloqueados
		publish | Publicar | Publicado
		submit | Enviar solicitud | Solicitudes
		device | Restablecer datos de fábrica | Ajustes`,
	"pt": `
		message | Enviar | Enviadas
		message | Enviar agora | Não enviar
		delete | Excluir | Excluídos
		delete | Apagar conversa | Apagado
		money | Pagar agora | Histórico de pagamentos
		money | Finalizar compra | Minhas compras
		money | Fazer um Pix | Formas de pagamento
		call | Ligar para casa | Chamadas perdidas
		share | Compartilhar | Compartilhado
		share | Partilhar localização | Localização
		permission | Permitir sempre | Permissões do app
		install | Instalar | Instalado
		uninstall | Desinstalar | Desinstalando…
		account | Excluir conta | Minha conta
		account | Alterar senha | Senha
		credential | Fazer login | Início de sessão
		sign_out | Terminar sessão | Sessões
		cancel_service | Cancelar assinatura | Cancelar
		block_report | Denunciar | Bloqueados
		publish | Publicar | Publicado
		device | Restaurar configurações de fábrica | Configurações`,
	"fr": `
		message | Envoyer | Envoyé
		message | Envoyer maintenant | Ne pas envoyer
		delete | Supprimer | Éléments supprimés
		delete | Vider la corbeille | Corbeille
		money | Payer | Pays
		money | Acheter maintenant | Achats
		money | Passer commande | Mes commandes
		money | Faire un virement | Historique des paiements
		call | Appeler | Appels manqués
		share | Partager | Partagé
		permission | Toujours autoriser | Autorisations
		install | Installer | Installé
		uninstall | Désinstaller | Désinstallation
		account | Supprimer le compte | Mon compte
		account | Changer de mot de passe | Mot de passe
		credential | Se connecter | Connecté
		sign_out | Se déconnecter | Déconnecté
		cancel_service | Résilier l'abonnement | Annuler
		block_report | Signaler | Numéros bloqués
		publish | Publier | Publié
		device | Rétablir la configuration d'usine | Paramètres`,
	"de": `
		message | Senden | Gesendet
		message | Nachricht senden | Nicht senden
		delete | Löschen | Gelöscht
		delete | Papierkorb leeren | Papierkorb
		money | Bezahlen | Zahlungsverlauf
		money | Kostenpflichtig bestellen | Meine Bestellungen
		money | Geld überweisen | Zahlungsmethoden
		money | Jetzt kaufen | Käufer
		call | Anrufen | Verpasste Anrufe
		share | Link teilen | Geteilt
		permission | Immer zulassen | Nicht zulassen
		install | Installieren | Wird installiert
		uninstall | Deinstallieren | Deinstalliert
		account | Konto löschen | Konto
		account | Passwort ändern | Passwort
		credential | Anmelden | Angemeldet
		sign_out | Abmelden | Abgemeldet
		cancel_service | Abo kündigen | Abbrechen
		block_report | Kontakt blockieren | Blockierte Nummern
		publish | Veröffentlichen | Veröffentlicht
		submit | Antrag einreichen | Anträge
		device | Auf Werkseinstellungen zurücksetzen | Einstellungen`,
	"it": `
		message | Invia | Inviato
		message | Invia ora | Non inviare
		delete | Elimina | Eliminati
		delete | Svuota cestino | Cestino
		money | Paga ora | Metodi di pagamento
		money | Acquista | Cronologia acquisti
		money | Effettua bonifico | Bonifici
		call | Chiama | Chiamate perse
		share | Condividi | Condivisi
		permission | Consenti sempre | Autorizzazioni app
		install | Installa | Installato
		uninstall | Disinstalla | Disinstallazione
		account | Elimina account | Il mio account
		account | Cambia password | Password
		credential | Accedi | Home
		sign_out | Esci dall'account | Disconnesso
		cancel_service | Annulla abbonamento | Annulla
		block_report | Segnala | Numeri bloccati
		publish | Pubblica | Pubblicato
		device | Ripristina dati di fabbrica | Impostazioni`,
	"nl": `
		message | Verzenden | Verzonden
		delete | Verwijderen | Verwijderd
		money | Nu betalen | Betaalmethoden
		money | Bestelling plaatsen | Mijn bestellingen
		money | Geld overmaken | Betalingsgeschiedenis
		call | Bellen | Gemiste oproepen
		share | Link delen | Gedeeld
		permission | Altijd toestaan | Niet toestaan
		install | Installeren | Geïnstalleerd
		account | Account verwijderen | Account
		account | Wachtwoord wijzigen | Wachtwoord
		credential | Inloggen | Terug
		sign_out | Uitloggen | Volgende
		cancel_service | Abonnement opzeggen | Annuleren
		block_report | Blokkeren | Geblokkeerde nummers
		publish | Publiceren | Gepubliceerd
		device | Fabrieksinstellingen herstellen | Instellingen`,
	"sv": `
		message | Skicka | Skickat
		delete | Ta bort | Borttagna
		delete | Töm papperskorgen | Papperskorgen
		money | Betala nu | Betalningsmetoder
		money | Slutför köp | Köphistorik
		call | Ring | Missade samtal
		share | Dela länk | Delade
		permission | Tillåt alltid | Tillåt inte
		install | Installera | Installerad
		uninstall | Avinstallera | Avinstallerad
		account | Radera kontot | Konto
		account | Byt lösenord | Lösenord
		sign_out | Logga ut | Tillbaka
		cancel_service | Avsluta prenumeration | Avbryt
		block_report | Blockera | Blockerade nummer
		publish | Publicera | Publicerad`,
	"ru": `
		message | Отправить | Отправлено
		message | Отправить сейчас | Не отправлять
		delete | Удалить | Удалено
		delete | Очистить корзину | Недавно удалённые
		money | Оплатить | История платежей
		money | Купить билет | Покупки
		money | Перевести деньги | Способы оплаты
		money | Оформить заказ | Мои заказы
		call | Позвонить | Пропущенные вызовы
		share | Поделиться | Настройки
		permission | Разрешить всегда | Разрешения приложений
		install | Установить | Установлено
		account | Удалить аккаунт | Аккаунт
		account | Сменить пароль | Пароль
		credential | Войти через Google | Назад
		sign_out | Выйти из аккаунта | Далее
		cancel_service | Отменить подписку | Отмена
		block_report | Пожаловаться | Заблокированные номера
		publish | Опубликовать | Опубликовано
		submit | Подать заявку | Заявки
		device | Сбросить до заводских настроек | Настройки`,
	"uk": `
		message | Надіслати | Надіслано
		delete | Видалити | Видалено
		money | Сплатити | Історія платежів
		money | Переказати гроші | Способи оплати
		money | Купити | Покупки
		call | Зателефонувати | Пропущені виклики
		share | Поділитися | Налаштування
		permission | Дозволити | Дозволи програм
		install | Встановити | Встановлено
		account | Видалити обліковий запис | Обліковий запис
		account | Змінити пароль | Пароль
		credential | Увійти через Google | Назад
		sign_out | Вийти з облікового запису | Далі
		cancel_service | Скасувати підписку | Скасувати
		block_report | Заблокувати | Заблоковані номери
		publish | Опублікувати | Опубліковано`,
	"pl": `
		message | Wyślij | Wysłane
		message | Wyślij teraz | Nie wysyłaj
		delete | Usuń | Usunięte
		delete | Opróżnij kosz | Kosz
		money | Zapłać | Metody płatności
		money | Kupuję i płacę | Historia zakupów
		money | Zrób przelew | Nadawca
		call | Zadzwoń | Nieodebrane połączenia
		share | Udostępnij link | Udostępnione
		permission | Zawsze zezwalaj | Uprawnienia aplikacji
		install | Zainstaluj | Zainstalowane
		uninstall | Odinstaluj | Odinstalowano
		account | Usuń konto | Moje konto
		account | Zmień hasło | Hasło
		credential | Zaloguj się | Wstecz
		sign_out | Wyloguj się | Wylogowano
		cancel_service | Anuluj subskrypcję | Anuluj
		block_report | Zgłoś | Zablokowane numery
		publish | Opublikuj | Opublikowano
		device | Przywróć ustawienia fabryczne | Ustawienia`,
	"tr": `
		message | Gönder | Gönderildi
		message | Mesajı gönder | Gönderme
		delete | Sil | Silindi
		delete | Çöp kutusunu boşalt | Çöp kutusu
		money | Öde | Ödev
		money | Satın al | Satın alındı
		money | Para gönder | Ödeme yöntemleri
		money | Siparişi onayla | Siparişlerim
		call | Geri ara | Cevapsız aramalar
		share | Paylaş | Paylaşıldı
		permission | Her zaman izin ver | İzin verme
		uninstall | Uygulamayı kaldır | Uygulamalar
		account | Hesabı sil | Hesabım
		account | Şifreyi değiştir | Şifre
		credential | Oturum aç | Geri
		sign_out | Oturumu kapat | Kapat
		cancel_service | Aboneliği iptal et | İptal et
		block_report | Engelle | Engellenen numaralar
		publish | Yayınla | Yayınlandı
		device | Fabrika ayarlarına sıfırla | Ayarlar`,
}
