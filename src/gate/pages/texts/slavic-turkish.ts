// Polish, Ukrainian and Turkish. Polish speaks to the reader in the second person singular, the others politely.

import type { Texts } from '../page.ts';

export const pl: Texts = {
  titles: {
    forbidden: 'To konto nie może otworzyć tej strony',
    unknown_host: 'Nie skonfigurowano tu żadnej aplikacji',
    insecure: 'Otwórz tę stronę przez https',
    no_cookie: 'Brak pliku cookie logowania',
    sign_in_failed: 'Nie udało się zalogować',
    canceled: 'Logowanie zostało anulowane',
    unavailable: 'Teraz nie można się zalogować',
    signed_in: 'Zalogowano',
    sign_out: 'Wylogować się?',
    signed_out: 'Wylogowano',
    not_found: 'Nie znaleziono strony',
  },
  texts: {
    forbidden: 'Poproś administratora o dostęp lub użyj innego konta.',
    unknown_host: 'Sprawdź adres URL. Jeśli jest poprawny, skontaktuj się z administratorem.',
    insecure:
      'Ta aplikacja jest dostępna tylko przez bezpieczne połączenie. Na pasku adresu zmień `http://` na `https://`.',
    no_cookie:
      'Przeglądarka nie odesłała pliku cookie zapisanego na początku logowania. Zezwól tej witrynie na pliki cookie i spróbuj ponownie albo otwórz link w przeglądarce, w której rozpoczęto logowanie.',
    sign_in_failed:
      'To logowanie trwało zbyt długo, zostało już zakończone lub się nie powiodło. Spróbuj ponownie. Jeśli problem się powtarza, skontaktuj się z administratorem.',
    canceled: 'Aby otworzyć tę aplikację, zaloguj się.',
    unavailable: 'Usługa logowania nie odpowiada. Poczekaj kilka sekund i spróbuj ponownie.',
    sign_out: 'Spowoduje to wylogowanie w tej przeglądarce. W otwartych aplikacjach sesja może pozostać aktywna.',
    signed_out: 'Zaloguj się, aby ponownie otworzyć tę aplikację.',
    not_found: 'W linku może być literówka albo strona już nie istnieje.',
  },
  forAdministrators: {
    unknown_host: 'Dla administratorów: dodaj ten host do pliku konfiguracyjnego `latchkey gate`.',
    insecure:
      'Dla administratorów: jeśli adres URL zaczyna się już od `https://`, serwer proxy musi wysyłać `X-Forwarded-Proto: https`.',
  },
  signedInAs: 'Zalogowano jako',
  actions: {
    signIn: 'Zaloguj się',
    signOut: 'Wyloguj się',
    otherAccount: 'Użyj innego konta',
    tryAgain: 'Spróbuj ponownie',
    continue: 'Dalej',
    cancel: 'Anuluj',
  },
};

export const uk: Texts = {
  titles: {
    forbidden: 'Цей обліковий запис не може відкрити цю сторінку',
    unknown_host: 'Тут не налаштовано жодного застосунку',
    insecure: 'Відкрийте цю сторінку через https',
    no_cookie: 'Немає файлу cookie для входу',
    sign_in_failed: 'Не вдалося ввійти',
    canceled: 'Вхід скасовано',
    unavailable: 'Зараз увійти не можна',
    signed_in: 'Ви ввійшли',
    sign_out: 'Вийти з облікового запису?',
    signed_out: 'Ви вийшли з облікового запису',
    not_found: 'Сторінку не знайдено',
  },
  texts: {
    forbidden: 'Попросіть адміністратора надати доступ або скористайтеся іншим обліковим записом.',
    unknown_host: 'Перевірте URL-адресу. Якщо вона правильна, зверніться до адміністратора.',
    insecure:
      'Цей застосунок доступний лише через захищене з’єднання. Змініть в адресному рядку `http://` на `https://`.',
    no_cookie:
      'Браузер не повернув файл cookie, який отримав на початку входу. Дозвольте файли cookie для цього сайту й спробуйте ще раз або відкрийте посилання в браузері, у якому ви почали.',
    sign_in_failed:
      'Цей вхід тривав надто довго, його вже завершено, або сталася помилка. Спробуйте ще раз. Якщо це повторюватиметься, зверніться до адміністратора.',
    canceled: 'Щоб відкрити цей застосунок, потрібно ввійти.',
    unavailable: 'Служба входу не відповідає. Зачекайте кілька секунд і спробуйте ще раз.',
    sign_out:
      'Ви вийдете з облікового запису в цьому браузері. У відкритих застосунках сеанс може залишитися активним.',
    signed_out: 'Увійдіть, щоб знову відкрити цей застосунок.',
    not_found: 'Можливо, у посиланні помилка або сторінки більше не існує.',
  },
  forAdministrators: {
    unknown_host: 'Для адміністраторів: додайте цей хост у файл конфігурації `latchkey gate`.',
    insecure:
      'Для адміністраторів: якщо URL-адреса вже починається з `https://`, проксі-сервер має надсилати `X-Forwarded-Proto: https`.',
  },
  signedInAs: 'Ви ввійшли як',
  actions: {
    signIn: 'Увійти',
    signOut: 'Вийти',
    otherAccount: 'Інший обліковий запис',
    tryAgain: 'Спробувати ще раз',
    continue: 'Продовжити',
    cancel: 'Скасувати',
  },
};

export const tr: Texts = {
  titles: {
    forbidden: 'Bu hesap bu sayfayı açamaz',
    unknown_host: 'Burada ayarlanmış bir uygulama yok',
    insecure: 'Bu sayfayı https ile açın',
    no_cookie: 'Oturum açma çerezi eksik',
    sign_in_failed: 'Oturum açılamadı',
    canceled: 'Oturum açma iptal edildi',
    unavailable: 'Şu anda oturum açılamıyor',
    signed_in: 'Oturumunuz açık',
    sign_out: 'Oturumunuz kapatılsın mı?',
    signed_out: 'Oturumunuz kapatıldı',
    not_found: 'Sayfa bulunamadı',
  },
  texts: {
    forbidden: 'Yöneticinizden erişim isteyin veya başka bir hesap kullanın.',
    unknown_host: 'URL’yi kontrol edin. Doğruysa yöneticinize başvurun.',
    insecure:
      'Bu uygulamaya yalnızca güvenli bir bağlantıyla erişilebilir. Adres çubuğunda `http://` yerine `https://` yazın.',
    no_cookie:
      'Tarayıcınız, oturum açmaya başladığınızda aldığı çerezi geri göndermedi. Bu site için çerezlere izin verip tekrar deneyin veya bağlantıyı başladığınız tarayıcıda açın.',
    sign_in_failed:
      'Bu oturum açma işlemi çok uzun sürdü, zaten tamamlanmıştı veya başarısız oldu. Tekrar deneyin. Bu durum devam ederse yöneticinize başvurun.',
    canceled: 'Bu uygulamayı açmak için oturum açmanız gerekiyor.',
    unavailable: 'Oturum açma hizmeti yanıt vermiyor. Birkaç saniye bekleyip tekrar deneyin.',
    sign_out: 'Bu tarayıcıdaki oturumunuz kapatılacak. Açık uygulamalardaki oturumlarınız devam edebilir.',
    signed_out: 'Bu uygulamayı yeniden açmak için oturum açın.',
    not_found: 'Bağlantı yanlış yazılmış veya sayfa kaldırılmış olabilir.',
  },
  forAdministrators: {
    unknown_host: 'Yöneticiler için: Bu adresi `latchkey gate` yapılandırma dosyasına ekleyin.',
    insecure:
      'Yöneticiler için: URL zaten `https://` ile başlıyorsa proxy sunucusu `X-Forwarded-Proto: https` göndermelidir.',
  },
  signedInAs: 'Oturum açılan hesap',
  actions: {
    signIn: 'Oturum aç',
    signOut: 'Oturumu kapat',
    otherAccount: 'Başka bir hesap kullan',
    tryAgain: 'Yeniden dene',
    continue: 'Devam et',
    cancel: 'İptal',
  },
};
