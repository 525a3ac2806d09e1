// Polish, in the second person singular. `someApp` follows the word "aplikacja" in any case.

import type { Catalogue } from './en.ts';
import { wording } from './wording.ts';

const { plural, number } = wording<'one' | 'few' | 'many' | 'other'>('pl');

const waitingTime = (minutes: number) => {
  if (minutes <= 90) {
    const count = number(minutes);
    return plural(minutes, {
      one: 'minutę',
      few: `${count} minuty`,
      many: `${count} minut`,
      other: `${count} minuty`,
    });
  }
  const hours = Math.ceil(minutes / 60);
  if (hours <= 48) {
    const count = number(hours);
    return plural(hours, {
      one: 'godzinę',
      few: `${count} godziny`,
      many: `${count} godzin`,
      other: `${count} godziny`,
    });
  }
  const days = Math.ceil(hours / 24);
  const count = number(days);
  return plural(days, { one: '1 dzień', few: `${count} dni`, many: `${count} dni`, other: `${count} dnia` });
};

const notConfirmed =
  'Nie udało się potwierdzić, która aplikacja Cię tu przekierowała, dlatego nie odesłaliśmy Cię z powrotem.';

export const pl: Catalogue = {
  skipToContent: 'Przejdź do treści',
  dismiss: 'Zamknij',
  title: (page, service) => `${page} · ${service}`,
  languagePicker: 'Język',
  links: { support: 'Pomoc', terms: 'Warunki korzystania z usługi', privacy: 'Polityka prywatności' },

  signIn: {
    title: 'Zaloguj się',
    continueTo: (app) => `aby przejść do aplikacji ${app}`,
    toAccount: 'aby przejść do swojego konta',
    email: 'Adres e-mail',
    password: 'Hasło',
    submit: 'Zaloguj się',
    failed: 'Nieprawidłowy adres e-mail lub hasło.',
    throttled: (minutes) => `Zbyt wiele nieudanych prób. Spróbuj ponownie za ${waitingTime(minutes)}.`,
    incomplete: 'Wpisz adres e-mail i hasło.',
    forgotten: 'Nie pamiętasz hasła?',
    create: 'Utwórz konto',
    passkey: 'Zaloguj się kluczem dostępu',
    passkeyFailed: 'Nie udało się zalogować tym kluczem dostępu. Spróbuj ponownie lub użyj hasła.',
    keep: 'Nie wylogowuj mnie',
  },

  emailCodes: {
    send: 'Wyślij mi kod e-mailem',
    title: 'Sprawdź pocztę',
    lead: (email) =>
      `Wysłaliśmy wiadomość na adres ${email}. Wpisz kod z tej wiadomości. Działa raz, tylko w tej przeglądarce, przez 10 minut.`,
    code: 'Kod',
    again: 'Wyślij nowy kod',
    usePassword: 'Użyj hasła',
    wrong: 'Kod jest nieprawidłowy lub wygasł.',
    spent: 'Zbyt wiele nieprawidłowych kodów. Poproś o nowy.',
    recoveryTitle: 'Skontaktuj się z administratorem',
    recovery:
      'Twój adres e-mail nie był jeszcze zweryfikowany, a na tym koncie włączona jest weryfikacja dwuetapowa, więc mógł ją skonfigurować ktoś inny. Poproś administratora o usunięcie weryfikacji dwuetapowej i o link do odzyskania konta.',
    proofLead: (email) => `Wyślemy kod na adres ${email}. Przez kolejne 15 minut nie zapytamy o to ponownie.`,
    reviewLead: (day) =>
      `Twój adres e-mail został zweryfikowany ${day}. To, co ustawiono wcześniej, na przykład hasło, zostało usunięte, bo mógł to zrobić ktoś inny. Sprawdź, kto i co nadal ma dostęp do Twojego konta.`,
    reviewMethods: 'Tylko kody wysyłane e-mailem.',
    email: {
      subjects: { sign_in: 'Twój kod logowania', proof: 'Twój kod potwierdzenia' },
      texts: {
        sign_in:
          'Wpisz ten kod, aby się zalogować. Działa raz, tylko w przeglądarce, w której o niego poproszono, i wygasa po 10 minutach.',
        proof:
          'Wpisz ten kod, aby potwierdzić tożsamość. Działa raz, tylko w przeglądarce, w której o niego poproszono, i wygasa po 10 minutach.',
      },
      asked: (device, ipAddress) => `Skąd wysłano prośbę: ${device}, adres IP ${ipAddress}.`,
      warning: 'Jeśli to nie Ty, możesz zignorować tę wiadomość. Nie podawaj nikomu tego kodu.',
    },
    notForYou: {
      subject: 'Zaloguj się hasłem lub kluczem dostępu',
      text: 'Ktoś, prawdopodobnie Ty, poprosił o kod logowania. Twoje konto korzysta z weryfikacji dwuetapowej, więc do zalogowania się potrzebne jest hasło lub klucz dostępu.',
    },
    noAccount:
      'Ktoś, prawdopodobnie Ty, poprosił o kod logowania dla tego adresu e-mail, ale żadne konto go nie używa. Być może Twoje konto ma inny adres e-mail.',
  },

  account: {
    email: 'Adres e-mail',
    password: 'Hasło',
    newPassword: 'Nowe hasło',
    newPasswordHint: 'Co najmniej 8 znaków. Najlepiej kilka niepowiązanych ze sobą słów.',
    name: 'Imię i nazwisko',
    nav: 'Twoje konto',
    signOut: 'Wyloguj się',
    signedInAs: 'Zalogowano jako',
    menu: 'Menu',
    reveal: { show: 'Pokaż', hide: 'Ukryj', showPassword: 'Pokaż hasło', hidePassword: 'Ukryj hasło' },
    file: { choose: 'Wybierz plik', none: 'Nie wybrano pliku' },
    throttled: (minutes) => `Zbyt wiele prób. Spróbuj ponownie za ${waitingTime(minutes)}.`,
    invalidName: 'Wpisz od 1 do 100 znaków, w tym co najmniej jeden widoczny.',
    invalidEmail: 'Wpisz prawidłowy adres e-mail.',
    managed: 'Zarządza tym Twoja organizacja.',
    noEmail:
      'Ta funkcja jest niedostępna, ponieważ usługa nie może jeszcze wysyłać e-maili. Skontaktuj się z administratorem.',
    passwordProblems: {
      too_short: 'Użyj co najmniej 8 znaków.',
      too_long: 'Użyj maksymalnie 256 znaków.',
      not_text: 'To hasło zawiera niedozwolone znaki.',
      common: 'To hasło jest zbyt popularne. Wybierz inne.',
      personal: 'Hasłem nie może być Twoje imię i nazwisko ani adres e-mail. Wybierz inne.',
      breached:
        'To hasło pojawiło się w wycieku danych i mogą je znać inni. Wybierz takie, którego nie używasz nigdzie indziej.',
      not_allowed: 'Nie można tu używać haseł. Utwórz zamiast tego klucz dostępu.',
    },
    sections: {
      home: 'Twoje aplikacje',
      profile: 'Profil',
      security: 'Bezpieczeństwo',
      sessions: 'Urządzenia',
      apps: 'Połączone aplikacje',
      activity: 'Aktywność',
      data: 'Twoje dane',
    },
    console: 'Konsola administracyjna',
    notices: {
      welcome: 'Witamy! Twoje konto jest gotowe.',
      profile: 'Zapisano profil.',
      picture: 'Zaktualizowano zdjęcie.',
      password: 'Zmieniono hasło. Wylogowaliśmy Cię na pozostałych urządzeniach.',
      authenticator: 'Usunięto aplikację uwierzytelniającą.',
      'authenticator-added': 'Dodano aplikację uwierzytelniającą.',
      passkey: 'Usunięto klucz dostępu.',
      'password-removed': 'Hasło zostało usunięte. Wylogowano Cię na innych urządzeniach.',
      'password-set': 'Hasło zostało ustawione. Wylogowano Cię na innych urządzeniach.',
      'identity-linked': 'Konto połączone.',
      'identity-unlinked': 'Konto odłączone.',
      'passkey-added': 'Dodano klucz dostępu.',
      session: 'Wylogowano urządzenie.',
      sessions: 'Wylogowano pozostałe urządzenia.',
      proof: 'Potwierdzono tożsamość.',
      untrusted: 'Urządzenie nie jest już zaufane.',
      'method-kept': 'Zachowano metodę logowania.',
      'method-removed': 'Usunięto metodę logowania.',
      'not-possible': 'Nie udało się tego zrobić. Być może coś się zmieniło w innym oknie.',
    },

    signUp: {
      title: 'Utwórz konto',
      toContinue: (app) => `aby przejść do aplikacji ${app}`,
      lead: 'Wyślemy Ci e-maila z linkiem, który pozwoli dokończyć tworzenie konta.',
      submit: 'Wyślij link',
      haveOne: 'Masz już konto?',
      closed: 'W tej usłudze konta tworzy administrator. Poproś go o założenie konta.',
      finishTitle: 'Dokończ tworzenie konta',
      finishLead: (email) => `Będziesz logować się za pomocą adresu ${email}.`,
      inviteTitle: 'Masz zaproszenie',
      setUpTitle: 'Skonfiguruj usługę',
      setUpLead: 'Utwórz pierwsze konto administratora.',
      emailTaken: 'Konto z tym adresem e-mail już istnieje.',
      nameHint: 'Te dane będą widoczne dla aplikacji.',
      finish: 'Utwórz konto',
    },
    emailSent: {
      title: 'Sprawdź pocztę',
      text: (email) => `Wysłaliśmy wiadomość na adres ${email}. Aby kontynuować, otwórz zawarty w niej link.`,
      hint: 'Wiadomość nie dotarła po kilku minutach? Sprawdź folder ze spamem lub spróbuj ponownie.',
      again: 'Wyślij ponownie',
      other: 'Użyj innego adresu e-mail',
      outbox: 'Ta usługa działa w trybie deweloperskim: wiadomość jest w skrzynce nadawczej.',
    },
    resetPassword: {
      title: 'Zresetuj hasło',
      lead: 'Wyślemy Ci e-maila z linkiem do ustawienia nowego hasła. Link zadziała tylko raz i będzie ważny przez 30 minut.',
      submit: 'Wyślij link',
      back: 'Wróć do logowania',
      finishTitle: 'Ustaw nowe hasło',
      finishLead: 'Spowoduje to wylogowanie na wszystkich urządzeniach.',
      finish: 'Ustaw hasło',
      doneTitle: 'Hasło zostało zmienione',
      done: 'Zaloguj się nowym hasłem. Metody logowania dodane w ciągu ostatnich 7 dni pozostaną wstrzymane, dopóki ich nie sprawdzisz.',
      signIn: 'Zaloguj się',
    },
    linkExpired: {
      title: 'Ten link stracił ważność',
      text: 'Być może został już użyty lub zastąpiony nowszym. Niczego nie zmieniono.',
      again: 'Uzyskaj nowy link',
      askAdministrator: 'Poproś administratora o nowy link.',
    },

    secondStep: {
      title: 'Weryfikacja dwuetapowa',
      lead: 'Wpisz kod z aplikacji uwierzytelniającej lub kod odzyskiwania.',
      leadPasskeyOnly: 'Użyj klucza dostępu lub wpisz kod odzyskiwania.',
      code: 'Kod',
      submit: 'Dalej',
      passkey: 'Użyj klucza dostępu',
      failed: 'Ten kod jest nieprawidłowy lub został już użyty.',
      passkeyFailed: 'Ten klucz dostępu nie zadziałał. Spróbuj ponownie lub wpisz kod.',
      tooManyCodes: (minutes) =>
        `Zbyt wiele nieprawidłowych kodów. Użyj kodu odzyskiwania lub klucza dostępu albo spróbuj ponownie za ${waitingTime(minutes)}.`,
      trust: 'Nie pytaj o kod na tym urządzeniu przez 30 dni',
      lost: 'Nie masz dostępu do urządzenia ani do kodów odzyskiwania? Skontaktuj się z administratorem.',
      other: 'Użyj innego konta',
    },

    proof: {
      leadElsewhere: 'Zaloguj się ponownie, aby kontynuować. Przez kolejne 15 minut nie zapytamy o to ponownie.',
      noWay:
        'Nie możemy teraz potwierdzić Twojej tożsamości: nie masz hasła, a konto, za pomocą którego się logujesz, jest niedostępne. Najpierw ustaw hasło przez e-mail.',
      byEmail: 'Ustaw hasło przez e-mail',
      confirmedTitle: 'Tożsamość potwierdzona',
      confirmed: 'Możesz teraz dokończyć zmianę.',
      goOn: 'Dalej',
      title: 'Potwierdź, że to Ty',
      lead: 'Aby kontynuować, wpisz hasło. Przez następne 15 minut nie zapytamy o nie ponownie.',
      leadWithCode:
        'Aby kontynuować, skorzystaj z weryfikacji dwuetapowej. Przez następne 15 minut nie poprosimy o nią ponownie.',
      password: 'Hasło',
      submit: 'Potwierdź',
      enterCode: 'Wpisz kod.',
      wrongPassword: 'Nieprawidłowe hasło.',
      cancel: 'Anuluj',
    },

    profile: {
      pictureElsewhere: (host) => `Twoje zdjęcie pochodzi z ${host}. Nie jest tu wyświetlane.`,
      lead: 'Te informacje są widoczne dla aplikacji, którym udostępniasz swój profil.',
      givenName: 'Imię',
      familyName: 'Nazwisko',
      username: 'Nazwa użytkownika',
      usernameHint:
        'Opcjonalnie. Od 3 do 30 znaków, pierwszy musi być literą. Aplikacje, które widzą Twój profil, mogą wyświetlać tę nazwę.',
      usernameTaken: 'Ta nazwa użytkownika jest zajęta.',
      usernameProblems: {
        too_short: 'Użyj co najmniej 3 znaków.',
        too_long: 'Użyj maksymalnie 30 znaków.',
        invalid_start: 'Nazwa użytkownika musi zaczynać się od litery.',
        invalid_characters: 'Używaj tylko liter od a do z, cyfr, kropek, łączników i podkreśleń.',
      },
      locale: 'Język',
      noLocale: 'Nie ustawiono',
      save: 'Zapisz profil',
      invalidLocale: 'Wybierz język z listy.',
      picture: 'Zdjęcie profilowe',
      pictureHint: 'PNG, JPEG lub WebP, maksymalnie 512 KB. Dane o lokalizacji zostaną usunięte.',
      upload: 'Prześlij zdjęcie',
      removePicture: 'Usuń zdjęcie',
      pictureProblems: {
        not_a_picture: 'Ten plik nie jest obrazem PNG, JPEG ani WebP lub jest uszkodzony.',
        too_large: 'To zdjęcie jest większe niż 512 KB.',
        too_many_pixels: 'To zdjęcie ma zbyt wiele pikseli.',
        none: 'Najpierw wybierz plik.',
      },
      address: 'Adres e-mail',
      verified: 'zweryfikowany',
      unverified: 'niezweryfikowany',
      verify: 'Zweryfikuj adres e-mail',
      changeAddress: 'Zmień adres e-mail',
    },
    attributes: {
      none: 'Nie ustawiono',
      yes: 'Tak',
      no: 'Nie',
      list: 'Oddziel elementy przecinkami.',
      listOf: (values) => `Oddziel elementy przecinkami. Dozwolone: ${values}.`,
      problems: {
        wrong_kind: 'Wpisz liczbę, na przykład 12.5.',
        not_allowed: 'Używaj tylko dozwolonych wartości.',
        too_long: 'Ta wartość jest za długa.',
        characters: 'Ta wartość zawiera niedozwolone znaki.',
      },
    },
    changeEmail: {
      title: 'Zmień adres e-mail',
      lead: (email) =>
        `Twój adres e-mail to ${email}. Zmieni się dopiero wtedy, gdy otworzysz link, który wyślemy na nowy adres.`,
      newAddress: 'Nowy adres e-mail',
      submit: 'Wyślij link',
      same: 'To już jest Twój adres e-mail.',
      confirmTitle: 'Potwierdź nowy adres e-mail',
      confirmLead: (email, current) => `Twój adres e-mail zmieni się z ${current} na ${email}.`,
      confirm: 'Potwierdź adres e-mail',
      changedTitle: 'Adres e-mail został zmieniony',
      confirmed: (email) => `Twój adres e-mail to teraz ${email}. Używaj go do logowania.`,
      verifyLead: (email) => `Potwierdź, że ${email} to Twój adres e-mail.`,
      verifiedTitle: 'Adres e-mail zweryfikowany',
      verified: (email) => `Adres ${email} jest zweryfikowany.`,
      toAccount: 'Przejdź do swojego konta',
      back: 'Wróć do profilu',
    },
    security: {
      noPassword: 'Nie masz hasła. Hasło pozwoli Ci się zalogować nawet po utracie dostępu do połączonego konta.',
      setPassword: 'Ustaw hasło',
      authenticatorOffAlone: 'Chroń konto kodem z aplikacji na telefonie przy każdym logowaniu.',
      proof: 'Kod z aplikacji uwierzytelniającej lub kod odzyskiwania',
      proofByRecoveryCode: 'Kod odzyskiwania',
      passwordTitle: 'Hasło',
      changePassword: 'Zmień hasło',
      breached:
        'Twoje hasło pojawiło się w wycieku danych z innego serwisu i mogą je znać inni. Zmień je wkrótce – tutaj i wszędzie, gdzie go używasz.',
      authenticatorTitle: 'Aplikacja uwierzytelniająca',
      authenticatorOff: 'Chroń konto nie tylko hasłem, ale też kodem z aplikacji na telefonie.',
      on: 'Włączona',
      authenticatorOn: 'Podczas logowania poprosimy Cię o kod z aplikacji.',
      setUp: 'Skonfiguruj aplikację',
      remove: 'Usuń',
      removeNamed: (name) => `Usuń klucz dostępu „${name}”`,
      removeApp: 'Usuń aplikację uwierzytelniającą',
      codesTitle: 'Kody odzyskiwania',
      noCodesLeft: 'Nie masz już kodów odzyskiwania. Utwórz nowe.',
      codesLeft: (count) =>
        plural(count, {
          one: 'Pozostał Ci 1 kod odzyskiwania. Pozwala on zalogować się jeden raz, gdy nie masz przy sobie urządzenia.',
          few: `Pozostały Ci ${number(count)} kody odzyskiwania. Każdy z nich pozwala zalogować się jeden raz, gdy nie masz przy sobie urządzenia.`,
          many: `Pozostało Ci ${number(count)} kodów odzyskiwania. Każdy z nich pozwala zalogować się jeden raz, gdy nie masz przy sobie urządzenia.`,
          other: `Pozostało Ci ${number(count)} kodu odzyskiwania. Każdy z nich pozwala zalogować się jeden raz, gdy nie masz przy sobie urządzenia.`,
        }),
      newCodes: 'Utwórz nowe kody',
      passkeysTitle: 'Klucze dostępu',
      passkeysLead: 'Loguj się bez hasła: za pomocą odcisku palca, skanu twarzy lub blokady ekranu.',
      passkeyName: 'Nazwa klucza dostępu',
      passkeyNameHint: 'Na przykład „Mój telefon”.',
      addPasskey: 'Dodaj klucz dostępu',
      needsScript: 'Klucze dostępu wymagają JavaScriptu i przeglądarki, która je obsługuje.',
      added: 'Dodano',
      lastUsed: 'Ostatnie użycie',
      never: 'Nigdy',
      passkeyFailed: 'Nie udało się dodać klucza dostępu. Spróbuj ponownie.',
      tooManyPasskeys: 'Osiągnięto limit kluczy dostępu: 20. Usuń jeden, aby dodać inny.',
      lastWay: 'To Twój jedyny sposób logowania. Zanim usuniesz ten klucz, ustaw hasło lub dodaj inny klucz dostępu.',
      confirmedForPasskey: 'Potwierdzono tożsamość. Możesz teraz dodać klucz dostępu.',
    },
    identities: {
      title: 'Połączone konta',
      lead: 'Konta w innych usługach, za pomocą których możesz się zalogować.',
      linked: 'Połączono',
      noEmail: 'Adres e-mail nie został udostępniony',
      disabled: 'Niedostępne',
      link: (label) => `Połącz konto: ${label}`,
      tooMany: 'Osiągnięto limit połączonych kont: 10. Odłącz jedno, aby połączyć inne.',
      unlink: 'Odłącz',
      unlinkNamed: (label) => `Odłącz konto: ${label}`,
      lastWay: 'To Twój jedyny sposób logowania. Zanim odłączysz to konto, ustaw hasło lub dodaj klucz dostępu.',
    },
    authenticator: {
      title: 'Skonfiguruj aplikację uwierzytelniającą',
      scan: 'Zeskanuj ten kod QR w aplikacji uwierzytelniającej.',
      alt: 'Kod QR z kluczem do aplikacji uwierzytelniającej',
      orType: 'Możesz też wpisać w aplikacji ten klucz:',
      open: 'Otwórz w aplikacji uwierzytelniającej',
      copy: 'Kopiuj klucz',
      code: '6-cyfrowy kod z aplikacji',
      submit: 'Włącz',
      wrongCode:
        'Ten kod jest nieprawidłowy. Kody zmieniają się co 30 sekund, więc sprawdź, czy zegar w telefonie jest dobrze ustawiony.',
      already: 'Aplikacja uwierzytelniająca jest już skonfigurowana. Najpierw ją usuń.',
      back: 'Wróć do ustawień bezpieczeństwa',
    },
    codes: {
      title: 'Zapisz kody odzyskiwania',
      lead: 'Każdy kod pozwala zalogować się jeden raz, gdy nie masz przy sobie urządzenia. Zapisz kody teraz, bo nie pokażemy ich ponownie.',
      done: 'Mam zapisane kody',
      copy: 'Kopiuj kody',
      copied: 'Skopiowano',
      download: 'Pobierz kody',
      print: 'Drukuj kody',
      file: (service, email) => `Kody odzyskiwania konta ${email} w ${service}`,
    },
    sessions: {
      lead: 'Urządzenia, na których zalogowano się na Twoje konto.',
      current: 'To urządzenie',
      since: 'Zalogowano',
      lastSeen: 'Ostatnia aktywność',
      from: 'Adres IP',
      end: 'Wyloguj',
      endNamed: (device) => `Wyloguj: ${device}`,
      endOthers: 'Wyloguj pozostałe urządzenia',
      onlyThis: 'To jedyne urządzenie, na którym zalogowano się na Twoje konto.',
      trusted: 'Zaufane urządzenia',
      trustedLead: 'Gdy logujesz się hasłem na tych urządzeniach, nie pytamy o kod.',
      trustedUntil: 'Zaufane do',
      lastSignIn: 'Ostatnie użycie',
      untrust: 'Usuń z zaufanych',
      untrustNamed: (device) => `Usuń z zaufanych: ${device}`,
    },
    activity: {
      lead: 'Ostatnia aktywność na Twoim koncie. Jeśli czegoś nie rozpoznajesz, zmień hasło.',
      none: 'Brak aktywności.',
      byAdministrator: 'Przez administratora',
      older: 'Starsze',
      someApp: 'o nieznanej nazwie',
    },
    data: {
      downloadTitle: 'Pobierz swoje dane',
      downloadLead: 'Wszystko, co o Tobie przechowujemy, w jednym pliku JSON.',
      download: 'Pobierz dane',
      deleteTitle: 'Usuń konto',
      deleteLead: 'Aplikacje natychmiast stracą dostęp. Tej operacji nie można cofnąć.',
      deleteQuestion: (email) => `Usunąć konto ${email}?`,
      deleteText:
        'Twój profil, metody logowania i połączone aplikacje zostaną trwale usunięte. Nastąpi też wylogowanie na wszystkich urządzeniach.',
      delete: 'Usuń konto',
      lastAdministrator: 'Nie ma innych administratorów. Najpierw nadaj uprawnienia administratora komuś innemu.',
      deletedTitle: 'Konto zostało usunięte',
      deleted:
        'Pozostała tylko informacja, że konto istniało. Aplikacje mogły zachować dane, które zostały im udostępnione.',
    },
    ownEvents: {
      signed_in: 'Zalogowano',
      sign_in_failed: 'Nieudane logowanie',
      second_step_asked: 'Prawidłowe hasło, oczekiwanie na weryfikację dwuetapową',
      session_raised: 'Potwierdzono tożsamość weryfikacją dwuetapową',
      signed_out: 'Wylogowano',
      approved: (app) => `Przyznano dostęp aplikacji ${app}`,
      let_in: (app) => `Zalogowano w aplikacji ${app}`,
      approvals_throttled: (app) => `Zbyt częste logowanie w aplikacji ${app}; na chwilę je wstrzymano`,
      authorization_denied: (app) => `Odmówiono dostępu aplikacji ${app}`,
      app_removed: (app) => `Usunięto dostęp aplikacji ${app}`,
      signed_up: 'Utworzono konto',
      user_created: 'Administrator utworzył konto',
      user_password_set: 'Administrator zmienił hasło',
      user_disabled: 'Administrator wyłączył konto',
      user_expired: 'Dostęp do konta wygasł',
      user_enabled: 'Administrator włączył konto',
      user_approved: 'Administrator zatwierdził konto',
      user_made_administrator: 'Przyznano uprawnienia administratora',
      user_administrator_removed: 'Odebrano uprawnienia administratora',
      user_roles_changed: 'Role zmienione przez administratora',
      user_reset_sent: 'Administrator wysłał link do zresetowania hasła',
      user_recovery_link_made: 'Administrator utworzył link do odzyskania konta',
      first_administrator_created: 'Utworzono pierwsze konto administratora',
      email_code_requested: 'Poproszono o kod logowania',
      email_verified_by_code: 'Zweryfikowano adres e-mail kodem',
      account_claimed: 'Zresetowano konto dla właściciela',
      password_reset_requested: 'Poproszono o zresetowanie hasła',
      password_reset: 'Zresetowano hasło przez e-mail',
      password_changed: 'Zmieniono hasło',
      password_removed: 'Usunięto hasło',
      password_found_in_breach: 'Znaleziono hasło w wycieku danych',
      profile_changed: 'Zaktualizowano profil',
      picture_changed: 'Zaktualizowano zdjęcie profilowe',
      email_change_requested: 'Poproszono o zmianę adresu e-mail',
      email_changed: 'Zmieniono adres e-mail',
      sessions_ended: 'Wylogowano na pozostałych urządzeniach',
      device_trusted: 'Dodano zaufane urządzenie: logowanie bez kodu',
      device_trust_ended: 'Urządzenie nie jest już zaufane',
      authenticator_added: 'Dodano aplikację uwierzytelniającą',
      authenticator_removed: 'Usunięto aplikację uwierzytelniającą',
      recovery_codes_replaced: 'Utworzono kody odzyskiwania',
      recovery_codes_removed: 'Usunięto kody odzyskiwania',
      recovery_code_used: 'Użyto kodu odzyskiwania',
      passkey_added: (name) => `Dodano klucz dostępu „${name}”`,
      passkey_removed: 'Usunięto klucz dostępu',
      second_factors_removed: 'Administrator usunął weryfikację dwuetapową',
      identity_linked: (name) => `Połączono logowanie przez ${name}`,
      identity_unlinked: (name) => `Odłączono logowanie przez ${name}`,
      factor_undone: 'Cofnięto dodanie metody logowania, wylogowano wszędzie',
      factor_kept: 'Zachowano wstrzymaną metodę logowania',
      account_reviewed: 'Sprawdzono dostęp do konta',
      data_downloaded: 'Pobrano dane',
      user_edited: 'Administrator zmienił profil',
      user_email_verified: 'Administrator zweryfikował adres e-mail',
      grant_ended_by_replay: (app) => `Dostęp aplikacji ${app} zakończono, bo kod został użyty dwa razy`,
    },
    methods: {
      password: 'Hasło',
      password_and_code: 'Hasło i kod',
      password_and_recovery_code: 'Hasło i kod odzyskiwania',
      password_and_passkey: 'Hasło i klucz dostępu',
      passkey: 'Klucz dostępu',
      password_on_trusted_device: 'Hasło na zaufanym urządzeniu',
      sign_up: 'Pierwsze logowanie',
      upstream: 'Dostawca tożsamości',
      upstream_on_trusted_device: 'Dostawca tożsamości na zaufanym urządzeniu',
      upstream_two_factors: 'Dostawca tożsamości z weryfikacją dwuetapową',
      upstream_and_code: 'Dostawca tożsamości i kod',
      upstream_and_recovery_code: 'Dostawca tożsamości i kod odzyskiwania',
      upstream_and_passkey: 'Dostawca tożsamości i klucz dostępu',
      email_code: 'Kod z e-maila',
      email_code_and_code: 'Kody z e-maila i z aplikacji',
      email_code_and_recovery_code: 'Kod z e-maila i kod odzyskiwania',
      email_code_and_passkey: 'Kod z e-maila i klucz dostępu',
    },
    reasons: {
      wrong_password: 'Nieprawidłowe hasło',
      wrong_second_step: 'Nieprawidłowy kod po prawidłowym haśle',
      wrong_password_in_account: 'Nieprawidłowe hasło przy potwierdzaniu tożsamości',
      wrong_passkey: 'Klucz dostępu nie został zaakceptowany',
      wrong_email_code: 'Nieprawidłowy kod z e-maila',
      unverified_email: 'Niezweryfikowany adres e-mail',
      throttled: 'Zbyt wiele prób',
      disabled: 'Konto wyłączone',
      expired: 'Dostęp wygasł',
      waiting_for_approval: 'Konto czeka na zatwierdzenie',
      password_over: 'Prawidłowe hasło, ale hasła już nie działają',
      changed_meanwhile: 'Konto zmieniono w tym samym czasie',
      upstream_identity_taken: 'Połączone z innym kontem',
      upstream_other_person: 'To nie jest połączone konto',
      upstream_not_fresh: 'Dostawca tożsamości nie poprosił o ponowne zalogowanie',
    },
  },

  device: {
    on: (browser, system) => `${browser} (${system})`,
    unknownOn: (system) => `Nieznana przeglądarka (${system})`,
    unknown: 'Nieznana przeglądarka',
  },

  emails: {
    greeting: 'Dzień dobry!',
    ignore: 'Jeśli nie spodziewasz się tej wiadomości, możesz ją zignorować.',
    notYou: 'Jeśli to nie Ty, natychmiast zresetuj hasło:',
    notYouEither: 'Jeśli to nie Ty, usuń wszystko, czego nie rozpoznajesz, i zmień hasło:',
    lookAtSecurity: 'Sprawdź ustawienia bezpieczeństwa',
    finishSignUp: {
      subject: 'Dokończ tworzenie konta',
      text: 'Otwórz ten link, aby skonfigurować konto. Link zadziała tylko raz i będzie ważny przez 24 godziny.',
      action: 'Utwórz konto',
    },
    addressHasAccount: {
      subject: 'Masz już konto',
      text: 'Ktoś, prawdopodobnie Ty, próbował utworzyć nowe konto z tym adresem e-mail, ale takie konto już istnieje. Możesz się zalogować lub zresetować hasło na stronie logowania.',
      action: 'Zaloguj się',
    },
    resetPassword: {
      subject: 'Zresetuj hasło',
      text: 'Otwórz ten link, aby ustawić nowe hasło. Link zadziała tylko raz i będzie ważny przez 30 minut.',
      action: 'Zresetuj hasło',
    },
    invitation: {
      subject: 'Masz zaproszenie',
      text: (service) =>
        `Masz zaproszenie do utworzenia konta w usłudze ${service}. Otwórz ten link, aby skonfigurować konto. Link zadziała tylko raz i będzie ważny przez 7 dni.`,
      textFrom: (inviter, service) =>
        `${inviter} zaprasza Cię do utworzenia konta w usłudze ${service}. Otwórz ten link, aby skonfigurować konto. Link zadziała tylko raz i będzie ważny przez 7 dni.`,
      action: 'Przyjmij zaproszenie',
    },
    noAccount: {
      subject: 'Nie ma konta z tym adresem e-mail',
      text: 'Ktoś, prawdopodobnie Ty, próbował zresetować hasło do konta z tym adresem e-mail, ale takie konto nie istnieje. Być może Twoje konto ma inny adres e-mail.',
      action: 'Użyj innego adresu e-mail',
    },
    confirmAddress: {
      subject: 'Potwierdź adres e-mail',
      text: 'Otwórz ten link i zaloguj się, aby używać tego adresu e-mail na swoim koncie. Link zadziała tylko raz i będzie ważny przez 24 godziny.',
      action: 'Potwierdź adres e-mail',
    },
    accountClaimed: {
      subject: 'Twoje konto zostało zresetowane',
      text: 'Potwierdzono, że ten adres e-mail należy do Ciebie. Nikt wcześniej tego nie zrobił, więc konto mógł skonfigurować ktoś inny. Usunęliśmy z niego wszystko: hasło, inne sposoby logowania, urządzenia i dostęp aplikacji.',
    },
    passwordChanged: {
      subject: 'Hasło zostało zmienione',
      text: 'Hasło do Twojego konta zostało zmienione. Wylogowaliśmy Cię na pozostałych urządzeniach.',
      action: 'Zresetuj hasło',
    },
    setUpFactor: {
      subject: 'Skonfiguruj weryfikację dwuetapową',
      text: 'Podano prawidłowe hasło do Twojego konta. Nie udało się przenieść Twojego drugiego składnika do tej usługi, więc aby kontynuować, skonfiguruj weryfikację dwuetapową ponownie. Link będzie ważny przez 30 minut.',
      action: 'Skonfiguruj weryfikację',
      notYou:
        'Jeśli to nie Ty się logujesz, ktoś inny zna Twoje hasło. Nie otwieraj linku i zresetuj hasło na stronie logowania.',
    },
    passwordBreached: {
      subject: 'Zmień wkrótce swoje hasło',
      text: 'Hasło do Twojego konta znajduje się na liście haseł pochodzących z wycieków danych z innych serwisów. Nie oznacza to, że ktoś zalogował się na Twoje konto, ale atakujący wypróbowują hasła z takich list. Wybierz nowe hasło, którego nie używasz nigdzie indziej:',
      action: 'Zmień hasło',
      after: 'Jeśli używasz tego samego hasła gdzie indziej, zmień je również tam.',
    },
    addressChangeAsked: {
      subject: 'Prośba o zmianę adresu e-mail',
      text: (email) =>
        `Ktoś chce zmienić adres e-mail Twojego konta na ${email}. Zmiana nastąpi po otwarciu linku, który wysłaliśmy na ten adres.`,
      action: 'Zresetuj hasło',
    },
    addressChanged: {
      subject: 'Adres e-mail został zmieniony',
      text: (email) =>
        `Adres e-mail Twojego konta to teraz ${email}. Jeśli to nie Ty, skontaktuj się z administratorem.`,
    },
    factorAdded: {
      texts: {
        authenticator_added: 'Do Twojego konta dodano aplikację uwierzytelniającą.',
        passkey_added: 'Do Twojego konta dodano klucz dostępu.',
        recovery_codes_replaced: 'Dla Twojego konta utworzono nowe kody odzyskiwania. Stare już nie działają.',
      },
      undo: 'Jeśli to nie Ty, otwórz ten link. Cofnie on zmianę i wyloguje Cię na wszystkich urządzeniach. Link zadziała tylko raz i będzie ważny przez 7 dni.',
      action: 'To nie ja',
      ignore: 'Jeśli to Ty, nie musisz nic robić.',
    },
    secondFactorChanged: {
      subject: 'Ustawienia bezpieczeństwa zostały zmienione',
      authenticator_removed: 'Z Twojego konta usunięto aplikację uwierzytelniającą.',
      passkey_removed: 'Z Twojego konta usunięto klucz dostępu.',
      all_factors_removed:
        'Z Twojego konta usunięto wszystkie metody logowania oprócz hasła. Weryfikacja dwuetapowa jest wyłączona.',
      second_factors_removed: 'Administrator usunął z Twojego konta aplikację uwierzytelniającą i klucze dostępu.',
    },
    identityLinked: (label) => `Możesz teraz logować się na swoje konto przez ${label}.`,
    wrongCodes: {
      subject: 'Ktoś może znać Twoje hasło',
      text: (device, at, ipAddress) =>
        `Ktoś wpisał Twoje hasło, a potem kilka nieprawidłowych kodów weryfikacyjnych. Ostatnia próba: ${device}, ${at}, adres IP ${ipAddress}. Jak dotąd logowanie się nie powiodło.`,
      action: 'Zresetuj hasło',
    },
    recoveryCodeUsed: {
      subject: 'Użyto kodu odzyskiwania',
      text: (device, at, ipAddress) =>
        `Na Twoim koncie użyto jednego z kodów odzyskiwania: ${device}, ${at}, adres IP ${ipAddress}.`,
    },
    newDevice: {
      subject: 'Nowe logowanie na Twoje konto',
      text: (device, at, ipAddress) =>
        `Zalogowano się na Twoje konto w przeglądarce, której wcześniej nie używano: ${device}, ${at}, adres IP ${ipAddress}.`,
      action: 'Zresetuj hasło',
    },
    apiKeyCreated: {
      subject: 'Nowy klucz API',
      text: (name, fromCommandLine) =>
        fromCommandLine
          ? `W wierszu poleceń utworzono klucz API o nazwie „${name}”.`
          : `Przy użyciu Twojego konta utworzono klucz API o nazwie „${name}”.`,
      permissions: {
        read: 'Klucz umożliwia odczyt wszystkiego, co widzą administratorzy.',
        write: 'Klucz umożliwia zarządzanie osobami bez roli, niechronionymi grupami, aplikacjami i webhookami.',
        administrator: 'Klucz umożliwia wykonywanie wszystkich czynności dostępnych dla administratorów.',
        people: 'Klucz umożliwia zarządzanie osobami bez roli i niechronionymi grupami.',
        applications: 'Klucz umożliwia zarządzanie aplikacjami.',
        auditor: 'Klucz umożliwia odczyt wszystkiego, co widzą administratorzy, bez wprowadzania zmian.',
      },
      expires: (day) => `Klucz wygasa ${day}.`,
      neverExpires: 'Klucz nie wygasa.',
      notYou: 'Jeśli nie rozpoznajesz tego klucza, unieważnij go i zmień hasło:',
      action: 'Zarządzaj kluczami API',
    },
    adminAccessChanged: {
      given: {
        subject: 'Masz teraz uprawnienia administratora',
        text: 'Możesz teraz zarządzać użytkownikami i aplikacjami w tej usłudze.',
        action: 'Otwórz konsolę',
      },
      removed: {
        subject: 'Odebrano Ci uprawnienia administratora',
        text: 'Nie możesz już zarządzać użytkownikami ani aplikacjami w tej usłudze.',
        action: 'Przejdź do swojego konta',
      },
      changed: {
        subject: 'Twoje role administracyjne zostały zmienione',
        text: (roles: string) => `Twoje role w tej usłudze to teraz: ${roles}.`,
        action: 'Otwórz konsolę',
      },
      roles: { administrator: 'Administrator', people: 'Użytkownicy', applications: 'Aplikacje', auditor: 'Audytor' },
      notExpected: 'Jeśli ta zmiana jest nieoczekiwana, skontaktuj się z administratorem.',
    },
    recoveryLinkMade: {
      subject: 'Link do odzyskania konta',
      text: 'Administrator utworzył link, który umożliwia ustawienie nowego hasła do Twojego konta. Link zadziała tylko raz i będzie ważny przez 24 godziny. Jego użycie spowoduje wylogowanie na wszystkich urządzeniach. Jeśli nie stało się to na Twoją prośbę, powiadom administratora i sprawdź aktywność na koncie:',
      action: 'Zobacz aktywność',
    },
    accountCreated: {
      subject: 'Twoje nowe konto',
      text: (service) =>
        `Utworzono dla Ciebie konto w usłudze ${service}. Otwórz ten link, aby skonfigurować konto. Link zadziała tylko raz i będzie ważny przez 7 dni.`,
      textFrom: (inviter, service) =>
        `Użytkownik ${inviter} utworzył dla Ciebie konto w usłudze ${service}. Otwórz ten link, aby skonfigurować konto. Link zadziała tylko raz i będzie ważny przez 7 dni.`,
      action: 'Skonfiguruj konto',
    },
    profileEdited: {
      subject: 'Twój profil został zmieniony',
      text: (name) =>
        `Administrator zmienił Twój profil. Aktualne imię i nazwisko: ${name}. Jeśli ta zmiana jest nieoczekiwana, skontaktuj się z administratorem.`,
    },
    emailEdited: {
      subject: 'Adres e-mail został zmieniony',
      text: (email) =>
        `Administrator zmienił adres e-mail Twojego konta na ${email}. Jeśli ta zmiana jest nieoczekiwana, skontaktuj się z administratorem.`,
    },
    accountDeleted: {
      subject: 'Twoje konto zostało usunięte',
      text: 'Twoje konto zostało usunięte zgodnie z Twoją prośbą. Aplikacje nie mają już do niego dostępu.',
    },
  },

  approval: {
    title: 'Oczekiwanie na zatwierdzenie',
    text: 'Twoje konto czeka na zatwierdzenie.',
    told: 'Wyślemy Ci e-maila, gdy będzie można się zalogować.',
    needed: 'Następnie konto musi zatwierdzić administrator.',
    fullTitle: 'Nie udało się utworzyć konta',
    full: 'W tej chwili nie można tworzyć nowych kont. Spróbuj ponownie później.',
    emails: {
      approved: {
        subject: 'Twoje konto zostało zatwierdzone',
        text: (service) => `Twoje konto w usłudze ${service} zostało zatwierdzone. Możesz się już zalogować.`,
        action: 'Zaloguj się',
      },
      declined: {
        subject: 'Twoje konto nie zostało zatwierdzone',
        text: (service) =>
          `Twoja prośba o konto w usłudze ${service} została odrzucona, a podane przez Ciebie dane usunięto. Wiadomość od administratora:`,
      },
      waiting: {
        subject: 'Nowe konta czekają na zatwierdzenie',
        text: (count) =>
          plural(count, {
            one: '1 osoba czeka, aż administrator zatwierdzi jej konto.',
            few: `${number(count)} osoby czekają, aż administrator zatwierdzi ich konta.`,
            many: `${number(count)} osób czeka, aż administrator zatwierdzi ich konta.`,
            other: `${number(count)} osoby czeka, aż administrator zatwierdzi ich konta.`,
          }),
        action: 'Przejrzyj prośby',
      },
    },
  },
  signUpLinks: {
    linkNeeded: 'Aby utworzyć konto, potrzebujesz linku rejestracyjnego. Poproś o niego administratora.',
    otherDomain: 'Nie możesz utworzyć konta z tym adresem e-mail. Użyj innego lub skontaktuj się z administratorem.',
    ended: {
      used_up: 'Ten link rejestracyjny został wykorzystany',
      expired: 'Ten link rejestracyjny wygasł',
      revoked: 'Ten link rejestracyjny został unieważniony',
    },
    endedText: 'Nie można już za jego pomocą utworzyć konta.',
  },

  recovery: {
    paused: {
      title: 'Wstrzymane metody logowania',
      lead: 'Dodano je w ciągu 7 dni przed zresetowaniem hasła. Nie można się nimi logować, dopóki nie podejmiesz decyzji.',
      names: {
        authenticator: 'Aplikacja uwierzytelniająca',
        passkey: (name) => `Klucz dostępu „${name}”`,
        recovery_codes: 'Kody odzyskiwania',
      },
      added: 'Dodano',
      keep: 'Zachowaj',
      keepNamed: (method) => `Zachowaj: ${method}`,
      remove: 'Usuń',
      removeNamed: (method) => `Usuń: ${method}`,
    },
    review: {
      title: 'Sprawdź swoje konto',
      lead: (day) =>
        `Twoje hasło zostało zresetowane ${day}. Wylogowaliśmy Cię na wszystkich urządzeniach. Sprawdź, kto i co nadal ma dostęp do Twojego konta.`,
      methodsTitle: 'Używane metody logowania',
      noMethods: 'Tylko hasło.',
      authenticator: 'Aplikacja uwierzytelniająca',
      recoveryCodes: (count) =>
        plural(count, {
          one: '1 kod odzyskiwania',
          few: `${number(count)} kody odzyskiwania`,
          many: `${number(count)} kodów odzyskiwania`,
          other: `${number(count)} kodu odzyskiwania`,
        }),
      devicesTitle: 'Urządzenia',
      appsTitle: 'Połączone aplikacje',
      noApps: 'Brak połączonych aplikacji.',
      keysTitle: 'Utworzone przez Ciebie klucze API',
      removeTitle: 'Czegoś nie rozpoznajesz?',
      removeLead:
        'Usuń wszystkie metody logowania oprócz hasła, wszystkie połączone aplikacje i wszystkie utworzone przez Ciebie klucze API oraz wyloguj się na pozostałych urządzeniach.',
      removesMethods: 'Do czasu ponownego skonfigurowania weryfikacji dwuetapowej będziesz logować się samym hasłem.',
      remove: 'Usuń cały pozostały dostęp',
      doneTitle: 'Wszystko się zgadza?',
      done: 'Zakończ sprawdzanie',
    },
    undo: {
      title: 'To nie Ty?',
      lead: 'Cofnij tę zmianę i wyloguj się na wszystkich urządzeniach. Następnie zresetuj hasło, bo może je znać ktoś inny.',
      submit: 'Cofnij i wyloguj wszędzie',
      doneTitle: 'Zmiana została cofnięta',
      done: 'Wylogowaliśmy Cię na wszystkich urządzeniach. Osoba, która to zrobiła, może nadal znać Twoje hasło, więc zresetuj je teraz.',
      reset: 'Zresetuj hasło',
    },
  },

  secondFactor: {
    setUpTitle: 'Skonfiguruj weryfikację dwuetapową',
    setUpLead: 'Aby się tu zalogować, potrzebujesz weryfikacji dwuetapowej.',
    setUpLeadFor: (app) => `Aby przejść do aplikacji ${app}, potrzebujesz weryfikacji dwuetapowej.`,
    withApp: 'Użyj zamiast tego aplikacji uwierzytelniającej',
    code: '6-cyfrowy kod z aplikacji',
    password: 'Obecne hasło',
    passwordHint: 'Potwierdź, że to Ty.',
    submit: 'Włącz i kontynuuj',
    wrongCode:
      'Ten kod jest nieprawidłowy. Kody zmieniają się co 30 sekund, więc sprawdź, czy zegar w telefonie jest dobrze ustawiony.',
    verifyTitle: 'Weryfikacja dwuetapowa',
    verifyLead: 'Wpisz kod z aplikacji uwierzytelniającej lub kod odzyskiwania.',
    verifyLeadPasskeyOnly: 'Użyj klucza dostępu lub wpisz kod odzyskiwania.',
    signingInAs: (email) => `Logujesz się jako ${email}.`,
    signedInAs: (email) => `Zalogowano jako ${email}.`,
    signOut: 'Wyloguj się',
    codesTitle: 'Zapisz kody odzyskiwania',
    codesLead:
      'Każdy kod pozwala zalogować się jeden raz, gdy nie masz przy sobie urządzenia. Zapisz kody teraz, bo nie pokażemy ich ponownie.',
    codesDone: 'Mam zapisane kody',
    usedTitle: 'Użyto kodu odzyskiwania',
    usedLeft: (count) =>
      plural(count, {
        one: 'Pozostał 1.',
        few: `Pozostały ${number(count)}.`,
        many: `Pozostało ${number(count)}.`,
        other: `Pozostało ${number(count)}.`,
      }),
    lost: 'Nie masz już telefonu?',
    remove: 'Usuń go',
    continue: 'Dalej',
  },

  passwordless: {
    create: 'Utwórz klucz dostępu',
    lead: 'Loguj się odciskiem palca, skanem twarzy lub blokadą ekranu. Niczego nie trzeba pamiętać.',
    withPassword: 'Użyj zamiast tego hasła',
    failed: 'Nie udało się utworzyć klucza dostępu. Spróbuj ponownie.',
    eitherTitle: 'Utwórz klucz dostępu lub ustaw hasło',
    notByEmail:
      'Korzystasz z weryfikacji dwuetapowej, więc sam link z e-maila nie wystarczy do utworzenia klucza dostępu. Zaloguj się kluczem dostępu lub skontaktuj się z administratorem.',
    createdTitle: 'Klucz dostępu utworzony',
    created:
      'Zaloguj się kluczem dostępu. Metody logowania dodane w ciągu ostatnich 7 dni pozostaną wstrzymane, dopóki ich nie sprawdzisz.',
    over: 'Hasła już tu nie działają. Zaloguj się w inny sposób lub utwórz klucz dostępu za pomocą linku z e-maila.',
    byEmail: 'Utwórz klucz dostępu przez e-mail',
    byEmailLead:
      'Wyślemy Ci e-mailem link do utworzenia klucza dostępu. Zadziała tylko raz i będzie ważny przez 30 minut.',
    ask: 'Klucze dostępu zastępują tu hasła. Z kluczem dostępu logujesz się odciskiem palca, skanem twarzy lub blokadą ekranu.',
    askUntil: (day) => `Twoje hasło działa do: ${day}.`,
    notNow: 'Nie teraz',
    remove: 'Usuń hasło',
    removeLead: 'Loguj się tylko kluczem dostępu. Hasło możesz ponownie ustawić w każdej chwili.',
    removeFor: 'Hasła nie są już tu używane. Będziesz logować się kluczem dostępu.',
    removeNeeds:
      'Aby usunąć hasło, najpierw dodaj klucz dostępu i zapisz kody odzyskiwania lub dodaj drugi klucz dostępu.',
    none: 'Nie masz hasła. Logujesz się kluczem dostępu.',
    notUsed: 'Hasła nie są tu używane.',
    reviewLead: (day) =>
      `Klucz dostępu przywracający dostęp do konta został utworzony ${day}. Wylogowaliśmy Cię na wszystkich urządzeniach. Sprawdź, kto i co nadal ma dostęp do Twojego konta.`,
    linkEmail: {
      subject: 'Utwórz klucz dostępu',
      text: 'Otwórz ten link, aby utworzyć klucz dostępu do swojego konta. Link zadziała tylko raz i będzie ważny przez 30 minut.',
      action: 'Utwórz klucz dostępu',
    },
    removedEmail: {
      subject: 'Twoje hasło zostało usunięte',
      text: 'Hasło do Twojego konta zostało usunięte. Od teraz logujesz się kluczem dostępu. Wylogowano Cię na innych urządzeniach.',
    },
    reviewRemoveLead:
      'Usuń wszystkie metody logowania oprócz nowego klucza dostępu, wszystkie połączone aplikacje i wszystkie utworzone przez Ciebie klucze API oraz wyloguj się na pozostałych urządzeniach.',
  },

  signOut: {
    title: (service) => `Wylogować się z usługi ${service}?`,
    askedBy: (app) => `Aplikacja ${app} chce Cię wylogować.`,
    text: 'Spowoduje to wylogowanie w tej przeglądarce. W otwartych aplikacjach sesja może pozostać aktywna.',
    confirm: 'Wyloguj się',
    stay: 'Nie wylogowuj mnie',
    noReturn: {
      hint_invalid: notConfirmed,
      client_mismatch: notConfirmed,
      client_missing: 'Nie wiemy, która aplikacja Cię tu przekierowała, dlatego nie mogliśmy odesłać Cię z powrotem.',
      unknown_client:
        'Aplikacja, która Cię tu przekierowała, nie jest zarejestrowana w tej usłudze, dlatego nie odesłaliśmy Cię z powrotem.',
      client_revoked: 'Administrator zablokował logowanie w tej aplikacji, dlatego nie odesłaliśmy Cię z powrotem.',
      post_logout_redirect_uri_mismatch:
        'Aplikacja chciała Cię przekierować pod adres URL, który nie jest dla niej zarejestrowany. Dla Twojego bezpieczeństwa nie przekierowaliśmy Cię tam.',
    },
    noReturnTodo:
      'Aby wrócić, otwórz aplikację samodzielnie. Jeśli problem się powtarza, skontaktuj się z deweloperem aplikacji i podaj poniższy numer referencyjny.',
  },

  upstreams: {
    continueWith: (label) => `Kontynuuj przez ${label}`,
    leavingTitle: (label) => `Przejdź do ${label}`,
    leavingText: (label) => `Przekierowujemy Cię do ${label}.`,
    failedTitle: (label) => `Nie udało się zalogować przez ${label}`,
    problems: {
      expired: () => 'To logowanie wygasło lub zostało rozpoczęte w innej przeglądarce. Zacznij od nowa.',
      canceled: (label) => `Logowanie przez ${label} zostało anulowane.`,
      unavailable: (label) => `Teraz nie można zalogować się przez ${label}. Zaloguj się w inny sposób.`,
      unreachable: (label) => `${label} nie odpowiada. Spróbuj ponownie za kilka minut lub zaloguj się w inny sposób.`,
      invalid: (label) =>
        `Odpowiedzi od ${label} nie można przyjąć. Spróbuj ponownie. Jeśli problem będzie się powtarzał, skontaktuj się z administratorem.`,
      notFresh: (label) =>
        `${label} nie poprosił o ponowne zalogowanie, więc to nie potwierdza, że to Ty. Spróbuj ponownie.`,
      identityTaken: (label) => `To konto ${label} jest tutaj połączone z innym kontem.`,
      otherPerson: (label) => `To konto ${label} nie jest tym, które jest połączone z Twoim kontem.`,
      refused: (label) => `Nie możesz zalogować się tutaj przy użyciu tego konta ${label}.`,
    },
    linkTitle: 'Masz już konto',
    linkText: (email, label) =>
      `Istnieje już konto dla adresu ${email}. Najpierw zaloguj się na nie w inny sposób, a potem połącz ${label} na stronie zabezpieczeń.`,
    noAccountTitle: 'Nie znaleziono konta',
    noAccountText: (label) =>
      `To konto ${label} nie jest tutaj połączone z żadnym kontem. Zaloguj się w inny sposób, a potem połącz je na stronie zabezpieczeń swojego konta.`,
    otherWay: 'Zaloguj się w inny sposób',
    tryAgain: (label) => `Spróbuj ponownie przez ${label}`,
  },

  chooseAccount: {
    title: 'Wybierz konto',
    continueTo: (app) => `aby przejść do aplikacji ${app}`,
    continue: 'Użyj tego konta',
    other: 'Użyj innego konta',
  },

  noAccess: {
    title: (app) => `Nie masz dostępu do aplikacji ${app}`,
    signedInAs: 'Zalogowano jako',
    text: 'To konto nie ma uprawnień do korzystania z tej aplikacji. Poproś administratora o dostęp lub użyj innego konta.',
    other: 'Użyj innego konta',
    back: (app) => `Wróć do aplikacji ${app}`,
  },

  consent: {
    title: (app) => `Zaloguj się w aplikacji ${app}`,
    lead: (app) => `Aplikacja ${app} otrzyma te informacje:`,
    changed: (app) => `Aplikacja ${app} prosi teraz o inne dane. Sprawdź je, zanim przejdziesz dalej.`,
    signedInAs: 'Zalogowano jako',
    notYou: 'To nie Ty?',
    returnTo: (host) => `Nastąpi przekierowanie na stronę ${host}.`,
    approve: 'Zezwól',
    cancel: 'Anuluj',
    later: 'Dostęp możesz w każdej chwili usunąć w sekcji „Połączone aplikacje”.',
    noPassword: (app) => `Aplikacja ${app} nigdy nie zobaczy Twojego hasła.`,
  },

  scopes: {
    openid: { heading: 'Twoja tożsamość', phrase: 'Twoją tożsamość' },
    profile: { heading: 'Twój profil', phrase: 'Twój profil' },
    email: { heading: 'Twój adres e-mail', phrase: 'Twój adres e-mail' },
  },
  identityHint: 'Unikalny identyfikator, po którym aplikacja rozpozna Cię przy kolejnej wizycie',
  accountId: 'Identyfikator konta',
  profileChanged: 'Ostatnia aktualizacja',
  emailUnverified: 'niezweryfikowany',
  claims: {
    name: 'Imię i nazwisko',
    given_name: 'Imię',
    family_name: 'Nazwisko',
    preferred_username: 'Nazwa użytkownika',
    picture: 'Zdjęcie profilowe',
    locale: 'Język',
  },
  furtherClaims: {
    enteredByYou: 'podane przez Ciebie',
    notSet: 'Nie podano',
    none: 'Brak',
    yes: 'Tak',
    no: 'Nie',
    more: (count) =>
      plural(count, {
        one: 'i jeszcze 1 pozycja',
        few: `i jeszcze ${number(count)} pozycje`,
        many: `i jeszcze ${number(count)} pozycji`,
        other: `i jeszcze ${number(count)} pozycji`,
      }),
    less: 'Pokaż mniej',
  },

  apps: {
    lead: 'W tych aplikacjach możesz logować się za pomocą tego konta.',
    none: 'Brak połączonych aplikacji.',
    noneHint: (service) => `Tu zobaczysz aplikacje, w których logujesz się za pomocą usługi ${service}.`,
    sees: 'Widzi',
    since: 'Połączono',
    lastUsed: 'Ostatnie użycie',
    remove: 'Usuń dostęp',
    removeNamed: (app) => `Usuń dostęp aplikacji ${app}`,
    removed: 'Usunięto dostęp.',
    notConnected: 'Ta aplikacja była już odłączona.',
    removeHint: 'Po usunięciu dostępu poprosimy Cię o zgodę przy następnym logowaniu w aplikacji.',
  },

  yourApps: {
    none: 'Nie ma jeszcze żadnych aplikacji',
    noneHint: 'Na tej stronie pojawią się aplikacje, które możesz stąd otworzyć.',
    more: 'Pokaż więcej',
    search: 'Szukaj aplikacji',
    find: 'Szukaj',
    notFound: 'Brak pasujących aplikacji',
    all: 'Pokaż wszystkie aplikacje',
    profileHint: 'Imię i nazwisko, zdjęcie oraz adres e-mail',
    securityHint: 'Hasło, klucze dostępu i weryfikacja dwuetapowa',
  },

  signedOut: {
    elsewhere:
      'Sesja w usłudze użytej do logowania może nadal trwać. Jeśli korzystasz ze wspólnego urządzenia, wyloguj się także tam.',
    title: 'Wylogowano',
    text: (service) =>
      `Wylogowano Cię z usługi ${service} w tej przeglądarce. W otwartych aplikacjach sesja może pozostać aktywna.`,
    again: 'Zaloguj się ponownie',
  },

  inactivity: {
    disabled: 'Konto wyłączone, ponieważ nie było używane',
    email: {
      subject: 'Twoje konto zostanie wkrótce wyłączone',
      text: (at) =>
        `Od dawna nie korzystasz ze swojego konta. Jeśli do ${at} nie zalogujesz się ani nie użyjesz żadnej aplikacji, konto zostanie wyłączone.`,
      action: 'Zaloguj się, aby zachować konto',
    },
  },

  accessRequests: {
    text: 'To konto nie ma uprawnień do korzystania z tej aplikacji. Możesz poprosić o dostęp lub użyć innego konta.',
    note: 'Uzasadnienie (opcjonalnie)',
    noteHint: (most) => `Maksymalna liczba znaków: ${most}. Zobaczą je osoby, które rozpatrują prośbę.`,
    noteProblem: (most) => `Wpisz zwykły tekst. Maksymalna liczba znaków: ${most}.`,
    ask: 'Poproś o dostęp',
    asked: (day) => `Prośbę o dostęp wysłano ${day}. Nie została jeszcze rozpatrzona.`,
    told: 'Wyślemy Ci e-maila, gdy zapadnie decyzja.',
    declined: 'Twoja prośba została odrzucona. Możesz ją ponowić po upływie doby.',
    tooMany: 'Wysłano dziś zbyt wiele próśb. Spróbuj ponownie jutro.',
    emails: {
      waiting: {
        subject: 'Prośby o dostęp',
        text: 'Te osoby proszą o dostęp:',
        action: 'Przejrzyj prośby',
      },
      allowed: {
        subject: (app) => `Masz dostęp do aplikacji ${app}`,
        text: (app) => `Twoja prośba została zaakceptowana. Możesz już korzystać z aplikacji ${app}.`,
        action: (app) => `Otwórz aplikację ${app}`,
      },
      declined: {
        subject: 'Twoja prośba o dostęp została odrzucona',
        text: (app) => `Twoja prośba o dostęp do aplikacji ${app} została odrzucona.`,
        reason: 'Podany powód:',
      },
    },
  },

  ends: {
    title: 'Koniec dostępu',
    own: (at) => `Twój dostęp kończy się ${at}.`,
    line: (what, at) => `${what}: ${at}`,
    email: {
      subject: 'Twój dostęp wkrótce się kończy',
      text: 'Ten dostęp wkrótce się kończy. Jeśli nadal go potrzebujesz, skontaktuj się z administratorem.',
      account: 'Twoje konto',
      membership: (name) => `Członkostwo w grupie „${name}”`,
      application: (name) => `Dostęp do aplikacji „${name}”`,
      action: 'Przejdź do konta',
    },
    list: {
      subject: 'Wkrótce kończy się dostęp',
      text: 'Ten dostęp kończy się w ciągu najbliższych 7 dni. Aby go przedłużyć, ustaw nową datę.',
      account: (person) => `${person}, konto`,
      membership: (person, group) => `${person}, grupa „${group}”`,
      application: (person, app) => `${person}, aplikacja „${app}”`,
      groupApplication: (group, app) => `Grupa „${group}”, aplikacja „${app}”`,
      more: (count) =>
        plural(count, {
          one: 'I jeszcze 1 pozycja.',
          few: `I jeszcze ${number(count)} pozycje.`,
          many: `I jeszcze ${number(count)} pozycji.`,
          other: `I jeszcze ${number(count)} pozycji.`,
        }),
      action: 'Zobacz, czyj dostęp wkrótce się kończy',
    },
  },

  reviews: {
    due: {
      subject: (name) => `Zbliża się termin przeglądu: ${name}`,
      text: (name, at) =>
        `Termin przeglądu dostępu „${name}” upływa ${at}. Zdecyduj, kto zachowa dostęp do Twoich aplikacji.`,
      left: (count) =>
        plural(count, {
          one: `Pozostała 1 decyzja.`,
          few: `Pozostały ${number(count)} decyzje.`,
          many: `Pozostało ${number(count)} decyzji.`,
          other: `Pozostało ${number(count)} decyzji.`,
        }),
      action: 'Otwórz przegląd',
    },
  },
  directories: {
    refused: {
      subject: 'Katalog próbował zmienić osobę z rolą administracyjną',
      text: 'Katalog próbował zmienić użytkowników, którzy mają rolę administracyjną. Mogą ich zmieniać tylko administratorzy, więc nic się nie zmieniło. Liczba żądań:',
      after: 'Jeśli ktoś odszedł, wyłącz jego konto. Jeśli się tego nie spodziewasz, unieważnij token SCIM katalogu.',
      action: 'Zobacz zdarzenia',
    },
  },

  errors: {
    reference: 'Numer referencyjny',
    home: 'Przejdź do swojego konta',
    unknownClient: {
      title: 'Ten link do logowania jest nieprawidłowy',
      text: 'Aplikacja, która Cię tu przekierowała, nie jest zarejestrowana w tej usłudze. Niczego jej nie udostępniono.',
      todo: 'Wróć do aplikacji i spróbuj ponownie. Jeśli problem się powtarza, skontaktuj się z deweloperem aplikacji i podaj poniższy numer referencyjny.',
    },
    redirectUri: {
      title: 'Ten link do logowania jest nieprawidłowy',
      text: 'Aplikacja chciała Cię przekierować pod adres URL, który nie jest dla niej zarejestrowany. Dla Twojego bezpieczeństwa nie przekierowaliśmy Cię tam. Niczego nie udostępniono.',
      todo: 'Wróć do aplikacji i spróbuj ponownie. Jeśli problem się powtarza, skontaktuj się z deweloperem aplikacji i podaj poniższy numer referencyjny. Administrator może na jego podstawie sprawdzić oba adresy URL.',
    },
    clientRevoked: {
      title: 'Ta aplikacja nie jest już dostępna',
      text: 'Administrator zablokował logowanie w tej aplikacji. Nie ma to wpływu na Twoje konto.',
      todo: 'Skontaktuj się z deweloperem aplikacji lub z administratorem.',
    },
    tooManyApprovals: {
      title: 'Zbyt wiele logowań',
      text: 'W krótkim czasie zbyt wiele razy zalogowano się w aplikacjach. Niczego nie udostępniono.',
      todo: 'Poczekaj kilka sekund, wróć do aplikacji i spróbuj ponownie. Jeśli problem się powtarza, skontaktuj się z deweloperem aplikacji.',
    },
    tooManyDownloads: {
      title: 'Zbyt wiele pobrań',
      text: 'Trwa już inne pobieranie Twoich danych lub zbyt wiele osób pobiera teraz swoje dane.',
      todo: 'Poczekaj minutę i spróbuj ponownie.',
    },
    formExpired: {
      title: 'Ta strona wygasła',
      text: 'Mogła zostać otwarta w innej przeglądarce albo przed zalogowaniem lub wylogowaniem. Możliwe też, że przeglądarka blokuje pliki cookie. Niczego nie zmieniono.',
      todo: 'Wróć i zacznij od nowa. Jeśli problem się powtarza, zezwól tej witrynie na pliki cookie.',
    },
    foreignForm: {
      title: 'To żądanie pochodzi z innej witryny',
      text: 'Inna witryna próbowała wysłać ten formularz w Twoim imieniu. Niczego nie zmieniono.',
      todo: (baseUrl) => `Jeśli to Ty, otwórz stronę ${baseUrl} i tam spróbuj ponownie.`,
    },
    notAdministrator: {
      title: 'Potrzebujesz uprawnień administratora',
      text: 'Twoje konto nie ma dostępu do tej strony.',
      todo: 'Poproś administratora o dostęp lub zaloguj się na inne konto.',
    },
    otherAccount: {
      title: 'Ten link dotyczy innego konta',
      text: 'O tę zmianę poproszono z innego konta niż to, którego teraz używasz. Niczego nie zmieniono.',
      todo: 'Wyloguj się, zaloguj się na tamto konto i otwórz link ponownie.',
    },
    badRequest: {
      title: 'Nie udało się odczytać żądania',
      text: 'Żądanie miało nieprawidłowy format. Niczego nie zmieniono.',
      todo: 'Wróć i spróbuj ponownie.',
    },
    notFound: {
      title: 'Nie znaleziono strony',
      text: 'W linku może być literówka albo strona już nie istnieje.',
      todo: 'Sprawdź adres URL lub przejdź do swojego konta.',
    },
    methodNotAllowed: {
      title: 'Tutaj to nie działa',
      text: 'Ten adres URL nie obsługuje takich żądań.',
      todo: 'Wróć i spróbuj ponownie.',
    },
    tooLarge: {
      title: 'Żądanie jest za duże',
      text: 'Usługa nie przyjmuje tak dużych żądań. Niczego nie zmieniono.',
      todo: 'Wróć i spróbuj ponownie. Jeśli przekierowała Cię tu aplikacja, skontaktuj się z jej deweloperem.',
    },
    busy: {
      title: 'Usługa jest teraz przeciążona',
      text: 'W tej chwili nie może odpowiedzieć. Niczego nie zmieniono.',
      todo: 'Poczekaj kilka sekund i odśwież tę stronę.',
    },
    outcomeUnknown: {
      title: 'Nie wiemy, czy to się udało',
      text: 'Podczas zapisywania utraciliśmy połączenie z bazą danych. Zmiana mogła zostać zapisana.',
      todo: 'Poczekaj kilka sekund i sprawdź, zanim spróbujesz ponownie.',
    },
    fault: {
      title: 'Coś poszło nie tak',
      text: 'To nasz błąd. Został zarejestrowany.',
      todo: 'Spróbuj ponownie. Jeśli problem się powtarza, skontaktuj się z administratorem i podaj poniższy numer referencyjny.',
    },
  },
};
