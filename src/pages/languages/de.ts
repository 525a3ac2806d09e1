// German, with "Sie". Apps in `ownEvents` stand in the dative, and so does `someApp`. The longest
// heading has a soft hyphen, because not every browser knows where German words break.

import type { Catalogue } from './en.ts';
import { wording } from './wording.ts';

const { plural, number } = wording<'one' | 'other'>('de');

const waitingTime = (minutes: number) => {
  if (minutes <= 90) return plural(minutes, { one: 'einer Minute', other: `${number(minutes)} Minuten` });
  const hours = Math.ceil(minutes / 60);
  if (hours <= 48) return plural(hours, { one: 'einer Stunde', other: `${number(hours)} Stunden` });
  const days = Math.ceil(hours / 24);
  return plural(days, { one: 'einem Tag', other: `${number(days)} Tagen` });
};

const notConfirmed =
  'Wir konnten nicht feststellen, welche App Sie hierher geleitet hat. Deshalb wurden Sie nicht zu ihr zurückgeleitet.';

export const de: Catalogue = {
  skipToContent: 'Zum Inhalt springen',
  dismiss: 'Schließen',
  title: (page, service) => `${page} · ${service}`,
  languagePicker: 'Sprache',
  links: { support: 'Hilfe', terms: 'Nutzungsbedingungen', privacy: 'Datenschutzerklärung' },

  signIn: {
    title: 'Anmelden',
    continueTo: (app) => `Weiter zu ${app}`,
    toAccount: 'Weiter zu Ihrem Konto',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    submit: 'Anmelden',
    failed: 'E-Mail-Adresse oder Passwort ist falsch.',
    throttled: (minutes) => `Zu viele Fehlversuche. Versuchen Sie es in ${waitingTime(minutes)} noch einmal.`,
    incomplete: 'Geben Sie Ihre E-Mail-Adresse und Ihr Passwort ein.',
    forgotten: 'Passwort vergessen?',
    create: 'Konto erstellen',
    passkey: 'Mit Passkey anmelden',
    passkeyFailed:
      'Die Anmeldung mit dem Passkey hat nicht funktioniert. Versuchen Sie es noch einmal oder verwenden Sie Ihr Passwort.',
    keep: 'Angemeldet bleiben',
  },

  emailCodes: {
    send: 'Code per E-Mail senden',
    title: 'Prüfen Sie Ihren Posteingang',
    lead: (email) =>
      `Wir haben eine E-Mail an ${email} gesendet. Geben Sie den Code daraus ein. Er gilt 10 Minuten, einmal und nur in diesem Browser.`,
    code: 'Code',
    again: 'Neuen Code senden',
    usePassword: 'Passwort verwenden',
    wrong: 'Der Code ist falsch oder abgelaufen.',
    spent: 'Zu viele falsche Codes. Fordern Sie einen neuen an.',
    recoveryTitle: 'Wenden Sie sich an Ihren Administrator',
    recovery:
      'Ihre E-Mail-Adresse wurde noch nie bestätigt, und für dieses Konto ist die Bestätigung in zwei Schritten aktiviert. Möglicherweise hat jemand anderes sie eingerichtet. Bitten Sie Ihren Administrator, die Bestätigung in zwei Schritten zu entfernen und Ihnen einen Wiederherstellungslink zu geben.',
    proofLead: (email) =>
      `Wir senden einen Code an ${email}. In den nächsten 15 Minuten werden Sie nicht noch einmal gefragt.`,
    reviewLead: (day) =>
      `Ihre E-Mail-Adresse wurde am ${day} bestätigt. Was davor eingerichtet wurde, etwa ein Passwort, haben wir entfernt, weil es von jemand anderem stammen könnte. Prüfen Sie, wer und was noch Zugriff auf Ihr Konto hat.`,
    reviewMethods: 'Nur Codes per E-Mail.',
    email: {
      subjects: { sign_in: 'Ihr Anmeldecode', proof: 'Ihr Bestätigungscode' },
      texts: {
        sign_in:
          'Geben Sie diesen Code ein, um sich anzumelden. Er funktioniert einmal, nur in dem Browser, in dem er angefordert wurde, und läuft nach 10 Minuten ab.',
        proof:
          'Geben Sie diesen Code ein, um Ihre Identität zu bestätigen. Er funktioniert einmal, nur in dem Browser, in dem er angefordert wurde, und läuft nach 10 Minuten ab.',
      },
      asked: (device, ipAddress) => `Angefordert von: ${device}, IP-Adresse ${ipAddress}.`,
      warning: 'Falls Sie das nicht waren, können Sie diese E-Mail ignorieren. Geben Sie den Code an niemanden weiter.',
    },
    notForYou: {
      subject: 'Melden Sie sich mit Passwort oder Passkey an',
      text: 'Jemand, vermutlich Sie, hat einen Code für die Anmeldung angefordert. Ihr Konto ist durch die Bestätigung in zwei Schritten geschützt. Verwenden Sie deshalb Ihr Passwort oder einen Passkey.',
    },
    noAccount:
      'Jemand, vermutlich Sie, hat einen Anmeldecode für diese E-Mail-Adresse angefordert. Es gibt aber kein Konto mit dieser Adresse. Möglicherweise haben Sie sich mit einer anderen E-Mail-Adresse registriert.',
  },

  account: {
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    newPassword: 'Neues Passwort',
    newPasswordHint: 'Mindestens 8 Zeichen. Am besten mehrere Wörter ohne Zusammenhang.',
    name: 'Name',
    nav: 'Ihr Konto',
    signOut: 'Abmelden',
    signedInAs: 'Angemeldet als',
    menu: 'Menü',
    reveal: {
      show: 'Anzeigen',
      hide: 'Ausblenden',
      showPassword: 'Passwort anzeigen',
      hidePassword: 'Passwort ausblenden',
    },
    file: { choose: 'Datei auswählen', none: 'Keine Datei ausgewählt' },
    throttled: (minutes) => `Zu viele Versuche. Versuchen Sie es in ${waitingTime(minutes)} noch einmal.`,
    invalidName: 'Der Name muss mindestens ein sichtbares Zeichen enthalten und darf höchstens 100 Zeichen lang sein.',
    invalidEmail: 'Geben Sie eine gültige E-Mail-Adresse ein.',
    managed: 'Das verwaltet Ihre Organisation.',
    noEmail:
      'Diese Funktion ist nicht verfügbar, weil der Dienst noch keine E-Mails senden kann. Wenden Sie sich an Ihren Administrator.',
    passwordProblems: {
      too_short: 'Verwenden Sie mindestens 8 Zeichen.',
      too_long: 'Verwenden Sie höchstens 256 Zeichen.',
      not_text: 'Das Passwort enthält Zeichen, die nicht zulässig sind.',
      common: 'Dieses Passwort ist zu weit verbreitet. Wählen Sie ein anderes.',
      personal: 'Ihr Name und Ihre E-Mail-Adresse sind als Passwort nicht zulässig. Wählen Sie ein anderes.',
      breached:
        'Dieses Passwort ist durch ein Datenleck bekannt geworden. Wählen Sie eines, das Sie nirgendwo sonst verwenden.',
      not_allowed: 'Passwörter können hier nicht verwendet werden. Erstellen Sie stattdessen einen Passkey.',
    },
    sections: {
      home: 'Ihre Apps',
      profile: 'Profil',
      security: 'Sicherheit',
      sessions: 'Geräte',
      apps: 'Verbundene Apps',
      activity: 'Aktivitäten',
      data: 'Ihre Daten',
    },
    console: 'Admin-Konsole',
    notices: {
      welcome: 'Willkommen! Ihr Konto ist bereit.',
      profile: 'Profil gespeichert.',
      picture: 'Bild aktualisiert.',
      password: 'Passwort geändert. Sie wurden auf Ihren anderen Geräten abgemeldet.',
      authenticator: 'Authenticator-App entfernt.',
      'authenticator-added': 'Authenticator-App hinzugefügt.',
      passkey: 'Passkey entfernt.',
      'password-removed': 'Passwort entfernt. Auf Ihren anderen Geräten wurden Sie abgemeldet.',
      'password-set': 'Passwort festgelegt. Auf Ihren anderen Geräten wurden Sie abgemeldet.',
      'identity-linked': 'Konto verknüpft.',
      'identity-unlinked': 'Verknüpfung aufgehoben.',
      'passkey-added': 'Passkey hinzugefügt.',
      session: 'Gerät abgemeldet.',
      sessions: 'Andere Geräte abgemeldet.',
      proof: 'Identität bestätigt.',
      untrusted: 'Das Gerät gilt nicht mehr als vertrauenswürdig.',
      'method-kept': 'Anmeldemethode beibehalten.',
      'method-removed': 'Anmeldemethode entfernt.',
      'not-possible': 'Das hat nicht funktioniert. Möglicherweise wurde in einem anderen Fenster etwas geändert.',
    },

    signUp: {
      title: 'Konto erstellen',
      toContinue: (app) => `Weiter zu ${app}`,
      lead: 'Wir senden Ihnen per E-Mail einen Link, mit dem Sie die Einrichtung Ihres Kontos abschließen können.',
      submit: 'Link senden',
      haveOne: 'Sie haben bereits ein Konto?',
      closed:
        'Konten für diesen Dienst werden von Administratoren erstellt. Bitten Sie Ihren Administrator um ein Konto.',
      finishTitle: 'Kontoeinrichtung abschließen',
      finishLead: (email) => `Sie melden sich künftig mit ${email} an.`,
      inviteTitle: 'Sie wurden eingeladen',
      setUpTitle: 'Dienst einrichten',
      setUpLead: 'Erstellen Sie das erste Administratorkonto.',
      emailTaken: 'Mit dieser E-Mail-Adresse gibt es bereits ein Konto.',
      nameHint: 'Dieser Name ist für Apps sichtbar.',
      finish: 'Konto erstellen',
    },
    emailSent: {
      title: 'Prüfen Sie Ihren Posteingang',
      text: (email) => `Wir haben eine E-Mail an ${email} gesendet. Öffnen Sie den Link darin, um fortzufahren.`,
      hint: 'Nach ein paar Minuten noch nichts angekommen? Sehen Sie im Spamordner nach oder versuchen Sie es noch einmal.',
      again: 'Erneut senden',
      other: 'Andere E-Mail-Adresse verwenden',
      outbox: 'Der Dienst läuft im Entwicklungsmodus: Die E-Mail liegt im Postausgang.',
    },
    resetPassword: {
      title: 'Passwort zurücksetzen',
      lead: 'Wir senden Ihnen per E-Mail einen Link, mit dem Sie ein neues Passwort festlegen können. Der Link kann nur einmal verwendet werden und ist 30 Minuten gültig.',
      submit: 'Link senden',
      back: 'Zurück zur Anmeldung',
      finishTitle: 'Neues Passwort festlegen',
      finishLead: 'Sie werden dabei auf allen Geräten abgemeldet.',
      finish: 'Passwort festlegen',
      doneTitle: 'Passwort geändert',
      done: 'Melden Sie sich mit Ihrem neuen Passwort an. Anmeldemethoden, die in den letzten 7 Tagen hinzugefügt wurden, sind pausiert, bis Sie sie überprüft haben.',
      signIn: 'Anmelden',
    },
    linkExpired: {
      title: 'Dieser Link ist nicht mehr gültig',
      text: 'Möglicherweise wurde er bereits verwendet oder durch einen neueren ersetzt. Es wurde nichts geändert.',
      again: 'Neuen Link anfordern',
      askAdministrator: 'Bitten Sie Ihren Administrator um einen neuen Link.',
    },

    secondStep: {
      title: 'Bestätigung in zwei Schritten',
      lead: 'Geben Sie den Code aus Ihrer Authenticator-App oder einen Wiederherstellungscode ein.',
      leadPasskeyOnly: 'Verwenden Sie Ihren Passkey oder geben Sie einen Wiederherstellungscode ein.',
      code: 'Code',
      submit: 'Weiter',
      passkey: 'Passkey verwenden',
      failed: 'Der Code ist falsch oder wurde bereits verwendet.',
      passkeyFailed:
        'Dieser Passkey hat nicht funktioniert. Versuchen Sie es noch einmal oder geben Sie einen Code ein.',
      tooManyCodes: (minutes) =>
        `Zu viele falsche Codes. Verwenden Sie einen Wiederherstellungscode oder einen Passkey, oder versuchen Sie es in ${waitingTime(minutes)} noch einmal.`,
      trust: 'Auf diesem Gerät 30 Tage lang nicht nach einem Code fragen',
      lost: 'Gerät und Wiederherstellungscodes verloren? Wenden Sie sich an Ihren Administrator.',
      other: 'Anderes Konto verwenden',
    },

    proof: {
      leadElsewhere:
        'Melden Sie sich erneut an, um fortzufahren. In den nächsten 15 Minuten werden Sie nicht noch einmal gefragt.',
      noWay:
        'Wir können Ihre Identität gerade nicht bestätigen: Sie haben kein Passwort, und das Konto, mit dem Sie sich anmelden, ist nicht verfügbar. Legen Sie zuerst per E-Mail ein Passwort fest.',
      byEmail: 'Passwort per E-Mail festlegen',
      confirmedTitle: 'Identität bestätigt',
      confirmed: 'Sie können Ihre Änderung jetzt fortsetzen.',
      goOn: 'Weiter',
      title: 'Identität bestätigen',
      lead: 'Geben Sie Ihr Passwort ein, um fortzufahren. In den nächsten 15 Minuten werden Sie nicht noch einmal gefragt.',
      leadWithCode:
        'Bestätigen Sie Ihre Identität in zwei Schritten, um fortzufahren. In den nächsten 15 Minuten werden Sie nicht noch einmal gefragt.',
      password: 'Passwort',
      submit: 'Bestätigen',
      enterCode: 'Geben Sie Ihren Code ein.',
      wrongPassword: 'Falsches Passwort.',
      cancel: 'Abbrechen',
    },

    profile: {
      pictureElsewhere: (host) => `Ihr Bild kommt von ${host}. Es wird hier nicht angezeigt.`,
      lead: 'Diese Angaben sind für Apps sichtbar, für die Sie Ihr Profil freigeben.',
      givenName: 'Vorname',
      familyName: 'Nachname',
      username: 'Nutzername',
      usernameHint:
        'Optional. 3 bis 30 Zeichen, das erste muss ein Buchstabe sein. Apps, die Ihr Profil sehen, können den Nutzernamen anzeigen.',
      usernameTaken: 'Dieser Nutzername ist bereits vergeben.',
      usernameProblems: {
        too_short: 'Verwenden Sie mindestens 3 Zeichen.',
        too_long: 'Verwenden Sie höchstens 30 Zeichen.',
        invalid_start: 'Der Nutzername muss mit einem Buchstaben beginnen.',
        invalid_characters: 'Verwenden Sie nur die Buchstaben a bis z, Ziffern, Punkte, Bindestriche und Unterstriche.',
      },
      locale: 'Sprache',
      noLocale: 'Keine Angabe',
      save: 'Profil speichern',
      invalidLocale: 'Wählen Sie eine Sprache aus der Liste aus.',
      picture: 'Profilbild',
      pictureHint: 'PNG, JPEG oder WebP, maximal 512 KB. Standortdaten werden entfernt.',
      upload: 'Bild hochladen',
      removePicture: 'Bild entfernen',
      pictureProblems: {
        not_a_picture: 'Die Datei ist kein PNG-, JPEG- oder WebP-Bild oder ist beschädigt.',
        too_large: 'Das Bild ist größer als 512 KB.',
        too_many_pixels: 'Das Bild hat zu viele Pixel.',
        none: 'Wählen Sie zuerst eine Datei aus.',
      },
      address: 'E-Mail-Adresse',
      verified: 'bestätigt',
      unverified: 'nicht bestätigt',
      verify: 'E-Mail-Adresse bestätigen',
      changeAddress: 'E-Mail-Adresse ändern',
    },
    attributes: {
      none: 'Nicht angegeben',
      yes: 'Ja',
      no: 'Nein',
      list: 'Trennen Sie mehrere Einträge mit Kommas.',
      listOf: (values) => `Trennen Sie mehrere Einträge mit Kommas. Erlaubt: ${values}.`,
      problems: {
        wrong_kind: 'Geben Sie eine Zahl ein, zum Beispiel 12.5.',
        not_allowed: 'Verwenden Sie nur die erlaubten Werte.',
        too_long: 'Dieser Wert ist zu lang.',
        characters: 'Dieser Wert enthält Zeichen, die nicht erlaubt sind.',
      },
    },
    changeEmail: {
      title: 'E-Mail-Adresse ändern',
      lead: (email) =>
        `Ihre E-Mail-Adresse lautet ${email}. Die Änderung wird erst wirksam, wenn Sie den Link öffnen, den wir an die neue Adresse senden.`,
      newAddress: 'Neue E-Mail-Adresse',
      submit: 'Link senden',
      same: 'Das ist bereits Ihre E-Mail-Adresse.',
      confirmTitle: 'Neue E-Mail-Adresse bestätigen',
      confirmLead: (email, current) => `Ihre E-Mail-Adresse wird von ${current} in ${email} geändert.`,
      confirm: 'E-Mail-Adresse bestätigen',
      changedTitle: 'E-Mail-Adresse geändert',
      confirmed: (email) => `Ihre E-Mail-Adresse lautet jetzt ${email}. Melden Sie sich künftig damit an.`,
      verifyLead: (email) => `Bestätigen Sie, dass ${email} Ihre E-Mail-Adresse ist.`,
      verifiedTitle: 'E-Mail-Adresse bestätigt',
      verified: (email) => `${email} ist bestätigt.`,
      toAccount: 'Zu Ihrem Konto',
      back: 'Zurück zu Ihrem Profil',
    },
    security: {
      noPassword:
        'Sie haben kein Passwort. Mit einem Passwort können Sie sich auch dann anmelden, wenn Sie auf ein verknüpftes Konto nicht mehr zugreifen können.',
      setPassword: 'Passwort festlegen',
      authenticatorOffAlone:
        'Schützen Sie Ihr Konto bei jeder Anmeldung mit einem Code aus einer App auf Ihrem Smartphone.',
      proof: 'Code aus Ihrer Authenticator-App oder Wiederherstellungscode',
      proofByRecoveryCode: 'Wiederherstellungscode',
      passwordTitle: 'Passwort',
      changePassword: 'Passwort ändern',
      breached:
        'Ihr Passwort ist durch ein Datenleck bei einem anderen Dienst bekannt geworden. Ändern Sie es bald – hier und überall sonst, wo Sie es verwenden.',
      authenticatorTitle: 'Authenticator-App',
      authenticatorOff:
        'Schützen Sie Ihr Konto zusätzlich zum Passwort mit einem Code aus einer App auf Ihrem Smartphone.',
      on: 'Aktiviert',
      authenticatorOn: 'Bei der Anmeldung werden Sie nach einem Code aus Ihrer App gefragt.',
      setUp: 'Authenticator-App einrichten',
      remove: 'Entfernen',
      removeNamed: (name) => `Passkey „${name}“ entfernen`,
      removeApp: 'Authenticator-App entfernen',
      codesTitle: 'Wiederherstellungs\u00adcodes',
      noCodesLeft: 'Sie haben keine Wiederherstellungscodes mehr. Erstellen Sie neue.',
      codesLeft: (count) =>
        plural(count, {
          one: 'Sie haben noch 1 Wiederherstellungscode. Damit können Sie sich einmal anmelden, wenn Sie Ihr Gerät nicht zur Hand haben.',
          other: `Sie haben noch ${number(count)} Wiederherstellungscodes. Mit jedem können Sie sich einmal anmelden, wenn Sie Ihr Gerät nicht zur Hand haben.`,
        }),
      newCodes: 'Neue Codes erstellen',
      passkeysTitle: 'Passkeys',
      passkeysLead: 'Melden Sie sich ohne Passwort an: per Fingerabdruck, Gesichtserkennung oder Displaysperre.',
      passkeyName: 'Name des Passkeys',
      passkeyNameHint: 'Zum Beispiel „Mein Smartphone“.',
      addPasskey: 'Passkey hinzufügen',
      needsScript: 'Für Passkeys brauchen Sie JavaScript und einen Browser, der sie unterstützt.',
      added: 'Hinzugefügt',
      lastUsed: 'Zuletzt verwendet',
      never: 'Noch nie',
      passkeyFailed: 'Der Passkey konnte nicht hinzugefügt werden. Versuchen Sie es noch einmal.',
      tooManyPasskeys:
        'Sie haben die Höchstzahl von 20 Passkeys erreicht. Entfernen Sie einen, um einen neuen hinzuzufügen.',
      lastWay:
        'Nur so können Sie sich anmelden. Legen Sie ein Passwort fest oder fügen Sie einen weiteren Passkey hinzu, bevor Sie ihn entfernen.',
      confirmedForPasskey: 'Identität bestätigt. Sie können den Passkey jetzt hinzufügen.',
    },
    identities: {
      title: 'Verknüpfte Konten',
      lead: 'Konten bei anderen Diensten, mit denen Sie sich anmelden können.',
      linked: 'Verknüpft',
      noEmail: 'Keine E-Mail-Adresse mitgeteilt',
      disabled: 'Nicht verfügbar',
      link: (label) => `${label} verknüpfen`,
      tooMany:
        'Sie haben die Höchstzahl von 10 verknüpften Konten erreicht. Heben Sie eine Verknüpfung auf, um ein anderes Konto zu verknüpfen.',
      unlink: 'Verknüpfung aufheben',
      unlinkNamed: (label) => `Verknüpfung aufheben: ${label}`,
      lastWay:
        'Nur so können Sie sich anmelden. Legen Sie ein Passwort fest oder fügen Sie einen Passkey hinzu, bevor Sie die Verknüpfung aufheben.',
    },
    authenticator: {
      title: 'Authenticator-App einrichten',
      scan: 'Scannen Sie diesen QR-Code mit Ihrer Authenticator-App.',
      alt: 'QR-Code mit dem Schlüssel für Ihre Authenticator-App',
      orType: 'Oder geben Sie diesen Schlüssel in der App ein:',
      open: 'In Authenticator-App öffnen',
      copy: 'Schlüssel kopieren',
      code: '6-stelliger Code aus der App',
      submit: 'Aktivieren',
      wrongCode:
        'Der Code ist falsch. Codes ändern sich alle 30 Sekunden. Prüfen Sie, ob die Uhrzeit auf Ihrem Smartphone stimmt.',
      already: 'Sie haben bereits eine Authenticator-App eingerichtet. Entfernen Sie diese zuerst.',
      back: 'Zurück zu „Sicherheit“',
    },
    codes: {
      title: 'Wiederherstellungs\u00adcodes speichern',
      lead: 'Mit jedem Code können Sie sich einmal anmelden, wenn Sie Ihr Gerät nicht zur Hand haben. Speichern Sie die Codes jetzt, denn sie werden nicht noch einmal angezeigt.',
      done: 'Ich habe die Codes gespeichert',
      copy: 'Codes kopieren',
      copied: 'Kopiert',
      download: 'Codes herunterladen',
      print: 'Codes drucken',
      file: (service, email) => `Wiederherstellungscodes für ${email} bei ${service}`,
    },
    sessions: {
      lead: 'Auf diesen Geräten sind Sie angemeldet.',
      current: 'Dieses Gerät',
      since: 'Angemeldet seit',
      lastSeen: 'Zuletzt aktiv',
      from: 'IP-Adresse',
      end: 'Abmelden',
      endNamed: (device) => `${device} abmelden`,
      endOthers: 'Alle anderen Geräte abmelden',
      onlyThis: 'Sie sind auf keinem anderen Gerät angemeldet.',
      trusted: 'Vertrauenswürdige Geräte',
      trustedLead:
        'Wenn Sie sich auf diesen Geräten mit Ihrem Passwort anmelden, werden Sie nicht nach einem Code gefragt.',
      trustedUntil: 'Gültig bis',
      lastSignIn: 'Zuletzt verwendet',
      untrust: 'Nicht mehr vertrauen',
      untrustNamed: (device) => `${device} nicht mehr vertrauen`,
    },
    activity: {
      lead: 'Die letzten Aktivitäten in Ihrem Konto. Wenn etwas davon nicht von Ihnen stammt, ändern Sie Ihr Passwort.',
      none: 'Noch keine Aktivitäten.',
      byAdministrator: 'Durch einen Administrator',
      older: 'Ältere Aktivitäten',
      someApp: 'einer App',
    },
    data: {
      downloadTitle: 'Ihre Daten herunterladen',
      downloadLead: 'Alles, was wir über Sie speichern, in einer JSON-Datei.',
      download: 'Daten herunterladen',
      deleteTitle: 'Ihr Konto löschen',
      deleteLead: 'Apps verlieren sofort den Zugriff. Das Löschen kann nicht rückgängig gemacht werden.',
      deleteQuestion: (email) => `Konto ${email} löschen?`,
      deleteText:
        'Ihr Profil, Ihre Anmeldemethoden und Ihre verbundenen Apps werden endgültig gelöscht, und Sie werden auf allen Geräten abgemeldet.',
      delete: 'Konto löschen',
      lastAdministrator:
        'Nur Sie haben noch Administratorrechte. Geben Sie zuerst einer anderen Person Administratorrechte.',
      deletedTitle: 'Konto gelöscht',
      deleted:
        'Erhalten bleibt nur ein Vermerk, dass es das Konto gab. Apps haben möglicherweise gespeichert, was Sie mit ihnen geteilt haben.',
    },
    ownEvents: {
      signed_in: 'Angemeldet',
      sign_in_failed: 'Anmeldung fehlgeschlagen',
      second_step_asked: 'Passwort richtig, zweiter Schritt der Bestätigung steht aus',
      session_raised: 'Identität in zwei Schritten bestätigt',
      signed_out: 'Abgemeldet',
      approved: (app) => `Zugriff von ${app} erlaubt`,
      let_in: (app) => `Bei ${app} angemeldet`,
      approvals_throttled: (app) => `Zu oft bei ${app} angemeldet; Anmeldung kurz ausgesetzt`,
      authorization_denied: (app) => `Zugriff von ${app} abgelehnt`,
      app_removed: (app) => `Zugriff von ${app} entfernt`,
      signed_up: 'Konto erstellt',
      user_created: 'Konto von einem Administrator erstellt',
      user_password_set: 'Passwort von einem Administrator geändert',
      user_disabled: 'Konto von einem Administrator deaktiviert',
      user_expired: 'Zugang zum Konto abgelaufen',
      user_enabled: 'Konto von einem Administrator aktiviert',
      user_approved: 'Konto von einem Administrator freigegeben',
      user_made_administrator: 'Administratorrechte erteilt',
      user_administrator_removed: 'Administratorrechte entzogen',
      user_roles_changed: 'Rollen von einem Administrator geändert',
      user_reset_sent: 'Link zum Zurücksetzen des Passworts von einem Administrator gesendet',
      user_recovery_link_made: 'Wiederherstellungslink von einem Administrator erstellt',
      first_administrator_created: 'Erstes Administratorkonto erstellt',
      email_code_requested: 'Anmeldecode angefordert',
      email_verified_by_code: 'E-Mail-Adresse mit einem Code bestätigt',
      account_claimed: 'Konto für seinen Inhaber zurückgesetzt',
      password_reset_requested: 'Zurücksetzen des Passworts angefordert',
      password_reset: 'Passwort per E-Mail zurückgesetzt',
      password_changed: 'Passwort geändert',
      password_removed: 'Passwort entfernt',
      password_found_in_breach: 'Passwort in einem Datenleck gefunden',
      profile_changed: 'Profil aktualisiert',
      picture_changed: 'Profilbild aktualisiert',
      email_change_requested: 'Änderung der E-Mail-Adresse angefordert',
      email_changed: 'E-Mail-Adresse geändert',
      sessions_ended: 'Auf anderen Geräten abgemeldet',
      device_trusted: 'Gerät als vertrauenswürdig eingestuft: Anmeldung ohne Code',
      device_trust_ended: 'Gerät nicht mehr vertrauenswürdig',
      authenticator_added: 'Authenticator-App hinzugefügt',
      authenticator_removed: 'Authenticator-App entfernt',
      recovery_codes_replaced: 'Wiederherstellungscodes erstellt',
      recovery_codes_removed: 'Wiederherstellungscodes entfernt',
      recovery_code_used: 'Wiederherstellungscode verwendet',
      passkey_added: (name) => `Passkey „${name}“ hinzugefügt`,
      passkey_removed: 'Passkey entfernt',
      second_factors_removed: 'Bestätigung in zwei Schritten von einem Administrator entfernt',
      identity_linked: (name) => `Konto bei ${name} verknüpft`,
      identity_unlinked: (name) => `Verknüpfung mit ${name} aufgehoben`,
      factor_undone: 'Hinzufügen einer Anmeldemethode rückgängig gemacht, auf allen Geräten abgemeldet',
      factor_kept: 'Pausierte Anmeldemethode beibehalten',
      account_reviewed: 'Kontozugriff überprüft',
      data_downloaded: 'Daten heruntergeladen',
      user_edited: 'Profil von einem Administrator geändert',
      user_email_verified: 'E-Mail-Adresse von einem Administrator bestätigt',
      grant_ended_by_replay: (app) => `Zugriff von ${app} beendet, weil ein Code zweimal verwendet wurde`,
    },
    methods: {
      password: 'Passwort',
      password_and_code: 'Passwort und Code',
      password_and_recovery_code: 'Passwort und Wiederherstellungscode',
      password_and_passkey: 'Passwort und Passkey',
      passkey: 'Passkey',
      password_on_trusted_device: 'Passwort auf einem vertrauenswürdigen Gerät',
      sign_up: 'Erste Anmeldung',
      upstream: 'Identitätsanbieter',
      upstream_on_trusted_device: 'Identitätsanbieter auf einem vertrauenswürdigen Gerät',
      upstream_two_factors: 'Identitätsanbieter mit Bestätigung in zwei Schritten',
      upstream_and_code: 'Identitätsanbieter und Code',
      upstream_and_recovery_code: 'Identitätsanbieter und Wiederherstellungscode',
      upstream_and_passkey: 'Identitätsanbieter und Passkey',
      email_code: 'Code per E-Mail',
      email_code_and_code: 'Codes per E-Mail und aus einer App',
      email_code_and_recovery_code: 'Code per E-Mail und Wiederherstellungscode',
      email_code_and_passkey: 'Code per E-Mail und Passkey',
    },
    reasons: {
      wrong_password: 'Falsches Passwort',
      wrong_second_step: 'Falscher Code nach richtigem Passwort',
      wrong_password_in_account: 'Falsches Passwort beim Bestätigen der Identität',
      wrong_passkey: 'Passkey nicht akzeptiert',
      wrong_email_code: 'Falscher Code aus einer E-Mail',
      unverified_email: 'E-Mail-Adresse nicht bestätigt',
      throttled: 'Zu viele Versuche',
      disabled: 'Konto deaktiviert',
      expired: 'Zugang abgelaufen',
      waiting_for_approval: 'Konto wartet auf Freigabe',
      password_over: 'Richtiges Passwort, aber Passwörter gelten nicht mehr',
      changed_meanwhile: 'Konto gleichzeitig geändert',
      upstream_identity_taken: 'Mit einem anderen Konto verknüpft',
      upstream_other_person: 'Nicht das verknüpfte Konto',
      upstream_not_fresh: 'Der Identitätsanbieter hat nicht erneut nach der Anmeldung gefragt',
    },
  },

  device: {
    on: (browser, system) => `${browser} auf ${system}`,
    unknownOn: (system) => `Unbekannter Browser auf ${system}`,
    unknown: 'Unbekannter Browser',
  },

  emails: {
    greeting: 'Guten Tag!',
    ignore: 'Falls Sie diese E-Mail nicht erwartet haben, können Sie sie ignorieren.',
    notYou: 'Falls Sie das nicht waren, setzen Sie umgehend Ihr Passwort zurück:',
    notYouEither:
      'Falls Sie das nicht waren, entfernen Sie alles, was Ihnen nicht bekannt vorkommt, und ändern Sie Ihr Passwort:',
    lookAtSecurity: 'Sicherheitseinstellungen prüfen',
    finishSignUp: {
      subject: 'Schließen Sie die Einrichtung Ihres Kontos ab',
      text: 'Öffnen Sie diesen Link, um Ihr Konto einzurichten. Der Link kann nur einmal verwendet werden und ist 24 Stunden gültig.',
      action: 'Konto erstellen',
    },
    addressHasAccount: {
      subject: 'Sie haben bereits ein Konto',
      text: 'Jemand, vermutlich Sie, wollte mit dieser E-Mail-Adresse ein neues Konto erstellen. Es gibt aber schon eines. Sie können sich anmelden oder auf der Anmeldeseite Ihr Passwort zurücksetzen.',
      action: 'Anmelden',
    },
    resetPassword: {
      subject: 'Setzen Sie Ihr Passwort zurück',
      text: 'Öffnen Sie diesen Link, um ein neues Passwort festzulegen. Der Link kann nur einmal verwendet werden und ist 30 Minuten gültig.',
      action: 'Passwort zurücksetzen',
    },
    invitation: {
      subject: 'Sie wurden eingeladen',
      text: (service) =>
        `Sie wurden eingeladen, ein Konto bei ${service} zu erstellen. Öffnen Sie diesen Link, um Ihr Konto einzurichten. Der Link kann nur einmal verwendet werden und ist 7 Tage gültig.`,
      textFrom: (inviter, service) =>
        `${inviter} hat Sie eingeladen, ein Konto bei ${service} zu erstellen. Öffnen Sie diesen Link, um Ihr Konto einzurichten. Der Link kann nur einmal verwendet werden und ist 7 Tage gültig.`,
      action: 'Einladung annehmen',
    },
    noAccount: {
      subject: 'Kein Konto mit dieser E-Mail-Adresse',
      text: 'Jemand, vermutlich Sie, wollte das Passwort eines Kontos mit dieser E-Mail-Adresse zurücksetzen. Es gibt aber kein solches Konto. Möglicherweise haben Sie sich mit einer anderen E-Mail-Adresse registriert.',
      action: 'Andere E-Mail-Adresse verwenden',
    },
    confirmAddress: {
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
      text: 'Öffnen Sie diesen Link und melden Sie sich an, um diese E-Mail-Adresse für Ihr Konto zu verwenden. Der Link kann nur einmal verwendet werden und ist 24 Stunden gültig.',
      action: 'E-Mail-Adresse bestätigen',
    },
    accountClaimed: {
      subject: 'Ihr Konto wurde zurückgesetzt',
      text: 'Sie haben gezeigt, dass diese E-Mail-Adresse Ihnen gehört. Das hatte vorher niemand getan, also könnte jemand anderes das Konto eingerichtet haben. Alles darin wurde entfernt: Passwort, andere Anmeldewege, Geräte und der Zugriff von Anwendungen.',
    },
    passwordChanged: {
      subject: 'Ihr Passwort wurde geändert',
      text: 'Das Passwort für Ihr Konto wurde geändert und Sie wurden auf Ihren anderen Geräten abgemeldet.',
      action: 'Passwort zurücksetzen',
    },
    setUpFactor: {
      subject: 'Richten Sie die Bestätigung in zwei Schritten ein',
      text: 'Sie haben sich mit Ihrem Passwort angemeldet. Ihr zweiter Faktor konnte nicht zu diesem Dienst übernommen werden. Richten Sie die Bestätigung in zwei Schritten deshalb neu ein, um fortzufahren. Der Link ist 30 Minuten gültig.',
      action: 'Bestätigung einrichten',
      notYou:
        'Falls Sie sich nicht angemeldet haben, kennt jemand anderes Ihr Passwort. Öffnen Sie den Link nicht, und setzen Sie Ihr Passwort auf der Anmeldeseite zurück.',
    },
    passwordBreached: {
      subject: 'Ändern Sie bald Ihr Passwort',
      text: 'Das Passwort für Ihr Konto steht auf einer Liste von Passwörtern aus Datenlecks bei anderen Diensten. Das heißt nicht, dass sich jemand in Ihrem Konto angemeldet hat, aber Angreifer probieren Passwörter aus solchen Listen aus. Wählen Sie ein neues, das Sie nirgendwo sonst verwenden:',
      action: 'Passwort ändern',
      after: 'Falls Sie dasselbe Passwort auch anderswo verwenden, ändern Sie es dort ebenfalls.',
    },
    addressChangeAsked: {
      subject: 'Änderung der E-Mail-Adresse angefordert',
      text: (email) =>
        `Jemand möchte die E-Mail-Adresse Ihres Kontos in ${email} ändern. Die Änderung wird wirksam, sobald der Link geöffnet wird, den wir an diese Adresse gesendet haben.`,
      action: 'Passwort zurücksetzen',
    },
    addressChanged: {
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      text: (email) =>
        `Die E-Mail-Adresse Ihres Kontos lautet jetzt ${email}. Falls Sie das nicht waren, wenden Sie sich an Ihren Administrator.`,
    },
    factorAdded: {
      texts: {
        authenticator_added: 'Ihrem Konto wurde eine Authenticator-App hinzugefügt.',
        passkey_added: 'Ihrem Konto wurde ein Passkey hinzugefügt.',
        recovery_codes_replaced:
          'Für Ihr Konto wurden neue Wiederherstellungscodes erstellt. Die alten sind nicht mehr gültig.',
      },
      undo: 'Falls Sie das nicht waren, öffnen Sie diesen Link. Damit machen Sie die Änderung rückgängig und werden auf allen Geräten abgemeldet. Der Link kann nur einmal verwendet werden und ist 7 Tage gültig.',
      action: 'Das war ich nicht',
      ignore: 'Falls Sie es waren, brauchen Sie nichts zu tun.',
    },
    secondFactorChanged: {
      subject: 'Ihre Sicherheitseinstellungen wurden geändert',
      authenticator_removed: 'Die Authenticator-App wurde aus Ihrem Konto entfernt.',
      passkey_removed: 'Ein Passkey wurde aus Ihrem Konto entfernt.',
      all_factors_removed:
        'Außer Ihrem Passwort wurden alle Anmeldemethoden aus Ihrem Konto entfernt. Die Bestätigung in zwei Schritten ist deaktiviert.',
      second_factors_removed: 'Ein Administrator hat die Authenticator-App und die Passkeys aus Ihrem Konto entfernt.',
    },
    identityLinked: (label) => `Sie können sich jetzt mit ${label} bei Ihrem Konto anmelden.`,
    wrongCodes: {
      subject: 'Jemand kennt möglicherweise Ihr Passwort',
      text: (device, at, ipAddress) =>
        `Jemand hat Ihr Passwort richtig eingegeben, danach aber mehrere falsche Bestätigungscodes. Letzter Versuch: ${device}, ${at}, IP-Adresse ${ipAddress}. Die Anmeldung ist bisher nicht gelungen.`,
      action: 'Passwort zurücksetzen',
    },
    recoveryCodeUsed: {
      subject: 'Ein Wiederherstellungscode wurde verwendet',
      text: (device, at, ipAddress) =>
        `Für Ihr Konto wurde einer Ihrer Wiederherstellungscodes verwendet: ${device}, ${at}, IP-Adresse ${ipAddress}.`,
    },
    newDevice: {
      subject: 'Neue Anmeldung in Ihrem Konto',
      text: (device, at, ipAddress) =>
        `In Ihrem Konto gab es eine neue Anmeldung mit einem Browser, den wir noch nicht kennen: ${device}, ${at}, IP-Adresse ${ipAddress}.`,
      action: 'Passwort zurücksetzen',
    },
    apiKeyCreated: {
      subject: 'Neuer API-Schlüssel',
      text: (name, fromCommandLine) =>
        fromCommandLine
          ? `Über die Befehlszeile wurde ein API-Schlüssel mit dem Namen „${name}“ erstellt.`
          : `Mit Ihrem Konto wurde ein API-Schlüssel mit dem Namen „${name}“ erstellt.`,
      permissions: {
        read: 'Der Schlüssel erlaubt Lesezugriff auf alles, was Administratoren sehen können.',
        write:
          'Der Schlüssel erlaubt die Verwaltung von Personen ohne Rolle, von nicht geschützten Gruppen, von Apps und Webhooks.',
        administrator: 'Der Schlüssel berechtigt zu allem, was Administratoren tun können.',
        people: 'Der Schlüssel erlaubt die Verwaltung von Personen ohne Rolle und von nicht geschützten Gruppen.',
        applications: 'Der Schlüssel erlaubt die Verwaltung von Apps.',
        auditor: 'Der Schlüssel erlaubt Lesezugriff auf alles, was Administratoren sehen können, und keine Änderungen.',
      },
      expires: (day) => `Er läuft am ${day} ab.`,
      neverExpires: 'Er läuft nie ab.',
      notYou: 'Falls Sie ihn nicht kennen, widerrufen Sie ihn und ändern Sie Ihr Passwort:',
      action: 'API-Schlüssel verwalten',
    },
    adminAccessChanged: {
      given: {
        subject: 'Sie haben jetzt Administratorrechte',
        text: 'Sie können jetzt Nutzer und Apps dieses Dienstes verwalten.',
        action: 'Konsole öffnen',
      },
      removed: {
        subject: 'Ihre Administratorrechte wurden entzogen',
        text: 'Sie können Nutzer und Apps dieses Dienstes nicht mehr verwalten.',
        action: 'Zu Ihrem Konto',
      },
      changed: {
        subject: 'Ihre Administrationsrollen wurden geändert',
        text: (roles: string) => `Ihre Rollen in diesem Dienst sind jetzt: ${roles}.`,
        action: 'Konsole öffnen',
      },
      roles: { administrator: 'Administrator', people: 'Nutzer', applications: 'Apps', auditor: 'Prüfer' },
      notExpected: 'Falls Sie damit nicht gerechnet haben, wenden Sie sich an einen Administrator.',
    },
    recoveryLinkMade: {
      subject: 'Wiederherstellungslink für Ihr Konto',
      text: 'Ein Administrator hat einen Link erstellt, mit dem ein neues Passwort für Ihr Konto festgelegt werden kann. Der Link kann nur einmal verwendet werden und ist 24 Stunden gültig. Wenn er verwendet wird, werden Sie auf allen Geräten abgemeldet. Falls Sie nicht um Hilfe gebeten haben, informieren Sie Ihren Administrator und prüfen Sie die Aktivitäten in Ihrem Konto:',
      action: 'Aktivitäten ansehen',
    },
    accountCreated: {
      subject: 'Ihr neues Konto',
      text: (service) =>
        `Für Sie wurde ein Konto bei ${service} erstellt. Öffnen Sie diesen Link, um Ihr Konto einzurichten. Der Link kann nur einmal verwendet werden und ist 7 Tage gültig.`,
      textFrom: (inviter, service) =>
        `${inviter} hat für Sie ein Konto bei ${service} erstellt. Öffnen Sie diesen Link, um Ihr Konto einzurichten. Der Link kann nur einmal verwendet werden und ist 7 Tage gültig.`,
      action: 'Konto einrichten',
    },
    profileEdited: {
      subject: 'Ihr Profil wurde geändert',
      text: (name) =>
        `Ein Administrator hat Ihr Profil geändert. Ihr Name lautet jetzt ${name}. Falls Sie damit nicht gerechnet haben, wenden Sie sich an Ihren Administrator.`,
    },
    emailEdited: {
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      text: (email) =>
        `Ein Administrator hat die E-Mail-Adresse Ihres Kontos in ${email} geändert. Falls Sie damit nicht gerechnet haben, wenden Sie sich an Ihren Administrator.`,
    },
    accountDeleted: {
      subject: 'Ihr Konto wurde gelöscht',
      text: 'Ihr Konto wurde auf Ihren Wunsch gelöscht. Apps haben keinen Zugriff mehr darauf.',
    },
  },

  approval: {
    title: 'Freigabe ausstehend',
    text: 'Ihr Konto wartet auf Freigabe.',
    told: 'Wir schreiben Ihnen eine E-Mail, sobald Sie sich anmelden können.',
    needed: 'Danach muss ein Administrator Ihr Konto freigeben.',
    fullTitle: 'Konto konnte nicht erstellt werden',
    full: 'Zurzeit können keine neuen Konten erstellt werden. Versuchen Sie es später noch einmal.',
    emails: {
      approved: {
        subject: 'Ihr Konto wurde freigegeben',
        text: (service) => `Ihr Konto bei ${service} wurde freigegeben. Sie können sich jetzt anmelden.`,
        action: 'Anmelden',
      },
      declined: {
        subject: 'Ihr Konto wurde nicht freigegeben',
        text: (service) =>
          `Ihre Anfrage für ein Konto bei ${service} wurde abgelehnt, und Ihre Angaben wurden gelöscht. Nachricht des Administrators:`,
      },
      waiting: {
        subject: 'Personen warten auf Freigabe',
        text: (count) =>
          plural(count, {
            one: '1 Person wartet darauf, dass ein Administrator ihr Konto freigibt.',
            other: `${number(count)} Personen warten darauf, dass ein Administrator ihre Konten freigibt.`,
          }),
        action: 'Anfragen ansehen',
      },
    },
  },
  signUpLinks: {
    linkNeeded:
      'Um ein Konto zu erstellen, benötigen Sie einen Registrierungslink. Bitten Sie Ihren Administrator darum.',
    otherDomain:
      'Mit dieser E-Mail-Adresse können Sie kein Konto erstellen. Verwenden Sie eine andere oder wenden Sie sich an Ihren Administrator.',
    ended: {
      used_up: 'Dieser Registrierungslink ist aufgebraucht',
      expired: 'Dieser Registrierungslink ist abgelaufen',
      revoked: 'Dieser Registrierungslink wurde widerrufen',
    },
    endedText: 'Damit kann kein Konto mehr erstellt werden.',
  },

  recovery: {
    paused: {
      title: 'Pausierte Anmeldemethoden',
      lead: 'Diese Methoden wurden in den 7 Tagen vor dem Zurücksetzen Ihres Passworts hinzugefügt. Bis Sie darüber entscheiden, ist damit keine Anmeldung möglich.',
      names: {
        authenticator: 'Authenticator-App',
        passkey: (name) => `Passkey „${name}“`,
        recovery_codes: 'Wiederherstellungs\u00adcodes',
      },
      added: 'Hinzugefügt',
      keep: 'Behalten',
      keepNamed: (method) => `${method} behalten`,
      remove: 'Entfernen',
      removeNamed: (method) => `${method} entfernen`,
    },
    review: {
      title: 'Konto überprüfen',
      lead: (day) =>
        `Ihr Passwort wurde am ${day} zurückgesetzt und Sie wurden auf allen Geräten abgemeldet. Prüfen Sie, wer und was noch Zugriff auf Ihr Konto hat.`,
      methodsTitle: 'Aktive Anmeldemethoden',
      noMethods: 'Nur Ihr Passwort.',
      authenticator: 'Authenticator-App',
      recoveryCodes: (count) =>
        plural(count, { one: '1 Wiederherstellungscode', other: `${number(count)} Wiederherstellungs\u00adcodes` }),
      devicesTitle: 'Geräte',
      appsTitle: 'Verbundene Apps',
      noApps: 'Keine verbundenen Apps.',
      keysTitle: 'Von Ihnen erstellte API-Schlüssel',
      removeTitle: 'Kommt Ihnen etwas nicht bekannt vor?',
      removeLead:
        'Entfernen Sie alle Anmeldemethoden außer Ihrem Passwort, alle verbundenen Apps und alle von Ihnen erstellten API-Schlüssel, und melden Sie sich auf allen anderen Geräten ab.',
      removesMethods:
        'Sie melden sich dann nur mit Ihrem Passwort an, bis Sie die Bestätigung in zwei Schritten wieder einrichten.',
      remove: 'Alle anderen Zugriffe entfernen',
      doneTitle: 'Alles in Ordnung?',
      done: 'Überprüfung abschließen',
    },
    undo: {
      title: 'Das waren nicht Sie?',
      lead: 'Machen Sie die Änderung rückgängig und melden Sie sich auf allen Geräten ab. Setzen Sie danach Ihr Passwort zurück, denn möglicherweise kennt es jemand anderes.',
      submit: 'Rückgängig machen und überall abmelden',
      doneTitle: 'Änderung rückgängig gemacht',
      done: 'Sie wurden auf allen Geräten abgemeldet. Wer das getan hat, kennt möglicherweise noch Ihr Passwort. Setzen Sie es deshalb jetzt zurück.',
      reset: 'Passwort zurücksetzen',
    },
  },

  secondFactor: {
    setUpTitle: 'Bestätigung in zwei Schritten einrichten',
    setUpLead: 'Für die Anmeldung brauchen Sie die Bestätigung in zwei Schritten.',
    setUpLeadFor: (app) => `Für die Anmeldung bei ${app} brauchen Sie die Bestätigung in zwei Schritten.`,
    withApp: 'Stattdessen eine Authenticator-App verwenden',
    code: '6-stelliger Code aus der App',
    password: 'Aktuelles Passwort',
    passwordHint: 'Zur Bestätigung Ihrer Identität.',
    submit: 'Aktivieren und fortfahren',
    wrongCode:
      'Der Code ist falsch. Codes ändern sich alle 30 Sekunden. Prüfen Sie, ob die Uhrzeit auf Ihrem Smartphone stimmt.',
    verifyTitle: 'Bestätigung in zwei Schritten',
    verifyLead: 'Geben Sie den Code aus Ihrer Authenticator-App oder einen Wiederherstellungscode ein.',
    verifyLeadPasskeyOnly: 'Verwenden Sie Ihren Passkey oder geben Sie einen Wiederherstellungscode ein.',
    signingInAs: (email) => `Sie melden sich als ${email} an.`,
    signedInAs: (email) => `Angemeldet als ${email}.`,
    signOut: 'Abmelden',
    codesTitle: 'Wiederherstellungs\u00adcodes speichern',
    codesLead:
      'Mit jedem Code können Sie sich einmal anmelden, wenn Sie Ihr Gerät nicht zur Hand haben. Speichern Sie die Codes jetzt, denn sie werden nicht noch einmal angezeigt.',
    codesDone: 'Ich habe die Codes gespeichert',
    usedTitle: 'Sie haben einen Wiederherstellungs\u00adcode verwendet',
    usedLeft: (count) => plural(count, { one: 'Noch 1 übrig.', other: `Noch ${number(count)} übrig.` }),
    lost: 'Smartphone verloren?',
    remove: 'Entfernen Sie es',
    continue: 'Weiter',
  },

  passwordless: {
    create: 'Passkey erstellen',
    lead: 'Melden Sie sich per Fingerabdruck, Gesichtserkennung oder Displaysperre an. Sie müssen sich nichts merken.',
    withPassword: 'Stattdessen ein Passwort verwenden',
    failed: 'Der Passkey konnte nicht erstellt werden. Versuchen Sie es noch einmal.',
    eitherTitle: 'Passkey erstellen oder Passwort festlegen',
    notByEmail:
      'Sie verwenden die Bestätigung in zwei Schritten. Deshalb reicht ein Link per E-Mail nicht aus, um einen Passkey zu erstellen. Melden Sie sich mit Ihrem Passkey an oder wenden Sie sich an Ihren Administrator.',
    createdTitle: 'Passkey erstellt',
    created:
      'Melden Sie sich mit Ihrem Passkey an. Anmeldemethoden, die in den letzten 7 Tagen hinzugefügt wurden, sind pausiert, bis Sie sie überprüft haben.',
    over: 'Passwörter funktionieren hier nicht mehr. Melden Sie sich auf andere Weise an oder erstellen Sie einen Passkey mit einem Link per E-Mail.',
    byEmail: 'Passkey per E-Mail erstellen',
    byEmailLead:
      'Wir senden Ihnen per E-Mail einen Link, mit dem Sie einen Passkey erstellen. Er kann nur einmal verwendet werden und ist 30 Minuten gültig.',
    ask: 'Passkeys ersetzen hier Passwörter. Damit melden Sie sich per Fingerabdruck, Gesichtserkennung oder Displaysperre an.',
    askUntil: (day) => `Ihr Passwort funktioniert bis ${day}.`,
    notNow: 'Jetzt nicht',
    remove: 'Passwort entfernen',
    removeLead: 'Melden Sie sich nur noch mit Ihrem Passkey an. Sie können jederzeit wieder ein Passwort festlegen.',
    removeFor: 'Passwörter werden hier nicht mehr verwendet. Sie melden sich dann mit Ihrem Passkey an.',
    removeNeeds:
      'Um Ihr Passwort zu entfernen, fügen Sie zuerst einen Passkey hinzu und speichern Sie Ihre Wiederherstellungscodes oder fügen Sie einen zweiten Passkey hinzu.',
    none: 'Sie haben kein Passwort. Sie melden sich mit einem Passkey an.',
    notUsed: 'Passwörter werden hier nicht verwendet.',
    reviewLead: (day) =>
      `Sie haben am ${day} einen Passkey erstellt, um wieder Zugriff zu erhalten, und wurden auf allen Geräten abgemeldet. Prüfen Sie, wer und was noch Zugriff auf Ihr Konto hat.`,
    linkEmail: {
      subject: 'Passkey erstellen',
      text: 'Öffnen Sie diesen Link, um einen Passkey für Ihr Konto zu erstellen. Der Link kann nur einmal verwendet werden und ist 30 Minuten gültig.',
      action: 'Passkey erstellen',
    },
    removedEmail: {
      subject: 'Ihr Passwort wurde entfernt',
      text: 'Das Passwort Ihres Kontos wurde entfernt. Sie melden sich jetzt mit einem Passkey an. Auf Ihren anderen Geräten wurden Sie abgemeldet.',
    },
    reviewRemoveLead:
      'Entfernen Sie alle Anmeldemethoden außer Ihrem neuen Passkey, alle verbundenen Apps und alle von Ihnen erstellten API-Schlüssel, und melden Sie sich auf allen anderen Geräten ab.',
  },

  signOut: {
    title: (service) => `Von ${service} abmelden?`,
    askedBy: (app) => `${app} möchte Sie abmelden.`,
    text: 'Sie werden in diesem Browser abgemeldet. In bereits geöffneten Apps bleiben Sie möglicherweise angemeldet.',
    confirm: 'Abmelden',
    stay: 'Angemeldet bleiben',
    noReturn: {
      hint_invalid: notConfirmed,
      client_mismatch: notConfirmed,
      client_missing:
        'Wir wissen nicht, welche App Sie hierher geleitet hat, und konnten Sie deshalb nicht zu ihr zurückleiten.',
      unknown_client:
        'Die App, die Sie hierher geleitet hat, ist bei diesem Dienst nicht registriert. Deshalb wurden Sie nicht zu ihr zurückgeleitet.',
      client_revoked:
        'Ein Administrator hat die Anmeldung bei dieser App gesperrt. Deshalb wurden Sie nicht zu ihr zurückgeleitet.',
      post_logout_redirect_uri_mismatch:
        'Die App wollte Sie an eine URL weiterleiten, die nicht für sie registriert ist. Zu Ihrer Sicherheit haben wir den Vorgang hier abgebrochen.',
    },
    noReturnTodo:
      'Öffnen Sie die App selbst, um zu ihr zurückzukehren. Falls das Problem weiterhin auftritt, wenden Sie sich an den Entwickler der App und geben Sie die unten stehende Referenz an.',
  },

  upstreams: {
    continueWith: (label) => `Mit ${label} fortfahren`,
    leavingTitle: (label) => `Weiter zu ${label}`,
    leavingText: (label) => `Sie werden zu ${label} weitergeleitet.`,
    failedTitle: (label) => `Anmeldung mit ${label} fehlgeschlagen`,
    problems: {
      expired: () =>
        'Diese Anmeldung ist abgelaufen oder wurde in einem anderen Browser begonnen. Beginnen Sie von vorn.',
      canceled: (label) => `Die Anmeldung mit ${label} wurde abgebrochen.`,
      unavailable: (label) =>
        `Die Anmeldung mit ${label} ist zurzeit nicht möglich. Melden Sie sich auf andere Weise an.`,
      unreachable: (label) =>
        `${label} hat nicht geantwortet. Versuchen Sie es in einigen Minuten noch einmal oder melden Sie sich auf andere Weise an.`,
      invalid: (label) =>
        `Die Antwort von ${label} kann nicht angenommen werden. Versuchen Sie es noch einmal. Falls das Problem weiterhin auftritt, wenden Sie sich an Ihren Administrator.`,
      notFresh: (label) =>
        `${label} hat Sie nicht erneut nach Ihrer Anmeldung gefragt. Damit ist nicht bestätigt, dass Sie es sind. Versuchen Sie es noch einmal.`,
      identityTaken: (label) => `Dieses Konto bei ${label} ist hier mit einem anderen Konto verknüpft.`,
      otherPerson: (label) => `Dieses Konto bei ${label} ist nicht das, das mit Ihrem Konto verknüpft ist.`,
      refused: (label) => `Mit diesem Konto bei ${label} können Sie sich hier nicht anmelden.`,
    },
    linkTitle: 'Sie haben bereits ein Konto',
    linkText: (email, label) =>
      `Für ${email} gibt es bereits ein Konto. Melden Sie sich zuerst auf andere Weise an und verknüpfen Sie ${label} dann in den Sicherheitseinstellungen des Kontos.`,
    noAccountTitle: 'Kein Konto gefunden',
    noAccountText: (label) =>
      `Dieses Konto bei ${label} ist hier mit keinem Konto verknüpft. Melden Sie sich auf andere Weise an und verknüpfen Sie es dann in den Sicherheitseinstellungen Ihres Kontos.`,
    otherWay: 'Auf andere Weise anmelden',
    tryAgain: (label) => `Noch einmal mit ${label} versuchen`,
  },

  chooseAccount: {
    title: 'Konto auswählen',
    continueTo: (app) => `Weiter zu ${app}`,
    continue: 'Mit diesem Konto fortfahren',
    other: 'Anderes Konto verwenden',
  },

  noAccess: {
    title: (app) => `Sie haben keinen Zugriff auf ${app}`,
    signedInAs: 'Angemeldet als',
    text: 'Dieses Konto ist für die App nicht freigeschaltet. Bitten Sie Ihren Administrator um Zugriff oder verwenden Sie ein anderes Konto.',
    other: 'Anderes Konto verwenden',
    back: (app) => `Zurück zu ${app}`,
  },

  consent: {
    title: (app) => `Bei ${app} anmelden`,
    lead: (app) => `${app} erhält folgende Angaben:`,
    changed: (app) => `${app} fordert jetzt andere Angaben an. Prüfen Sie sie, bevor Sie fortfahren.`,
    signedInAs: 'Angemeldet als',
    notYou: 'Nicht Ihr Konto?',
    returnTo: (host) => `Sie werden zu ${host} weitergeleitet.`,
    approve: 'Zulassen',
    cancel: 'Abbrechen',
    later: 'Sie können den Zugriff jederzeit unter „Verbundene Apps“ entfernen.',
    noPassword: (app) => `${app} erhält niemals Ihr Passwort.`,
  },

  scopes: {
    openid: { heading: 'Ihre Identität', phrase: 'Ihre Identität' },
    profile: { heading: 'Ihr Profil', phrase: 'Ihr Profil' },
    email: { heading: 'Ihre E-Mail-Adresse', phrase: 'Ihre E-Mail-Adresse' },
  },
  identityHint: 'Eine eindeutige ID, an der die App Sie wiedererkennt',
  accountId: 'Konto-ID',
  profileChanged: 'Zuletzt geändert',
  emailUnverified: 'nicht bestätigt',
  claims: {
    name: 'Name',
    given_name: 'Vorname',
    family_name: 'Nachname',
    preferred_username: 'Nutzername',
    picture: 'Profilbild',
    locale: 'Sprache',
  },
  furtherClaims: {
    enteredByYou: 'von Ihnen angegeben',
    notSet: 'Nicht angegeben',
    none: 'Keine',
    yes: 'Ja',
    no: 'Nein',
    more: (count) => plural(count, { one: 'und 1 weitere', other: `und ${number(count)} weitere` }),
    less: 'Weniger anzeigen',
  },

  apps: {
    lead: 'Bei diesen Apps können Sie sich mit diesem Konto anmelden.',
    none: 'Keine verbundenen Apps.',
    noneHint: (service) => `Apps, bei denen Sie sich mit ${service} anmelden, erscheinen hier.`,
    sees: 'Zugriff auf',
    since: 'Verbunden seit',
    lastUsed: 'Zuletzt verwendet',
    remove: 'Zugriff entfernen',
    removeNamed: (app) => `${app}: Zugriff entfernen`,
    removed: 'Zugriff entfernt.',
    notConnected: 'Die Verbindung zu dieser App war bereits getrennt.',
    removeHint:
      'Nachdem Sie den Zugriff entfernt haben, werden Sie bei der nächsten Anmeldung in der App erneut um Ihre Zustimmung gebeten.',
  },

  yourApps: {
    none: 'Noch keine Apps',
    noneHint: 'Apps, die Sie von hier aus öffnen können, erscheinen auf dieser Seite.',
    more: 'Mehr anzeigen',
    search: 'Apps durchsuchen',
    find: 'Suchen',
    notFound: 'Keine passenden Apps',
    all: 'Alle Apps anzeigen',
    profileHint: 'Name, Profilbild und E-Mail-Adresse',
    securityHint: 'Passwort, Passkeys und Bestätigung in zwei Schritten',
  },

  signedOut: {
    elsewhere:
      'Bei dem Dienst, mit dem Sie sich angemeldet haben, sind Sie möglicherweise noch angemeldet. Wenn Sie dieses Gerät mit anderen teilen, melden Sie sich auch dort ab.',
    title: 'Sie sind abgemeldet',
    text: (service) =>
      `Sie sind in diesem Browser nicht mehr bei ${service} angemeldet. In bereits geöffneten Apps bleiben Sie möglicherweise angemeldet.`,
    again: 'Erneut anmelden',
  },

  inactivity: {
    disabled: 'Konto deaktiviert, weil es nicht genutzt wurde',
    email: {
      subject: 'Ihr Konto wird bald deaktiviert',
      text: (at) =>
        `Sie haben Ihr Konto lange nicht genutzt. Wenn Sie sich bis zum ${at} weder anmelden noch eine Anwendung nutzen, wird es deaktiviert.`,
      action: 'Anmelden und Konto behalten',
    },
  },

  accessRequests: {
    text: 'Dieses Konto ist für die App nicht freigeschaltet. Sie können Zugriff anfragen oder ein anderes Konto verwenden.',
    note: 'Begründung (optional)',
    noteHint: (most) => `Höchstens ${most} Zeichen. Wer über Ihre Anfrage entscheidet, kann sie lesen.`,
    noteProblem: (most) => `Verwenden Sie höchstens ${most} Zeichen, nur Text.`,
    ask: 'Zugriff anfragen',
    asked: (day) => `Sie haben am ${day} Zugriff angefragt. Über Ihre Anfrage wurde noch nicht entschieden.`,
    told: 'Wir schreiben Ihnen eine E-Mail, sobald darüber entschieden ist.',
    declined: 'Ihre Anfrage wurde abgelehnt. Nach einem Tag können Sie erneut anfragen.',
    tooMany: 'Sie haben heute zu viele Anfragen gesendet. Versuchen Sie es morgen noch einmal.',
    emails: {
      waiting: {
        subject: 'Zugriffsanfragen',
        text: 'Diese Personen bitten um Zugriff:',
        action: 'Anfragen ansehen',
      },
      allowed: {
        subject: (app) => `Sie haben Zugriff auf ${app}`,
        text: (app) => `Ihre Anfrage wurde genehmigt. Sie können ${app} jetzt verwenden.`,
        action: (app) => `${app} öffnen`,
      },
      declined: {
        subject: 'Ihre Zugriffsanfrage wurde abgelehnt',
        text: (app) => `Ihre Anfrage auf Zugriff auf ${app} wurde abgelehnt.`,
        reason: 'Die Begründung:',
      },
    },
  },

  ends: {
    title: 'Ende des Zugriffs',
    own: (at) => `Ihr Zugriff endet am ${at}.`,
    line: (what, at) => `${what}: ${at}`,
    email: {
      subject: 'Ihr Zugriff endet bald',
      text: 'Dieser Zugriff endet bald. Wenn Sie ihn weiterhin benötigen, wenden Sie sich an Ihren Administrator.',
      account: 'Ihr Konto',
      membership: (name) => `Mitgliedschaft in der Gruppe „${name}“`,
      application: (name) => `Zugriff auf „${name}“`,
      action: 'Zu Ihrem Konto',
    },
    list: {
      subject: 'Zugriff, der bald endet',
      text: 'Dieser Zugriff endet in den nächsten 7 Tagen. Um ihn zu verlängern, legen Sie ein neues Datum fest.',
      account: (person) => `${person}, Konto`,
      membership: (person, group) => `${person}, Gruppe „${group}“`,
      application: (person, app) => `${person}, Anwendung „${app}“`,
      groupApplication: (group, app) => `Gruppe „${group}“, Anwendung „${app}“`,
      more: (count) =>
        plural(count, { one: 'Und ein weiterer Eintrag.', other: `Und ${number(count)} weitere Einträge.` }),
      action: 'Ansehen, wessen Zugriff bald endet',
    },
  },

  reviews: {
    due: {
      subject: (name) => `Bald fällig: ${name}`,
      text: (name, at) =>
        `Die Zugriffsprüfung „${name}“ ist am ${at} fällig. Entscheiden Sie, wer Zugriff auf Ihre Anwendungen behält.`,
      left: (count) =>
        plural(count, {
          one: `Noch 1 Entscheidung ist offen.`,
          other: `Noch ${number(count)} Entscheidungen sind offen.`,
        }),
      action: 'Prüfung öffnen',
    },
  },
  directories: {
    refused: {
      subject: 'Ein Verzeichnis wollte einen Nutzer mit Administrationsrolle ändern',
      text: 'Ein Verzeichnis hat versucht, Nutzer mit einer Administrationsrolle zu ändern. Das können nur Administratoren, deshalb wurde nichts geändert. Anzahl der Anfragen:',
      after:
        'Wenn jemand das Unternehmen verlassen hat, deaktivieren Sie das Konto. Wenn Sie das nicht erwartet haben, widerrufen Sie das SCIM-Token des Verzeichnisses.',
      action: 'Ereignisse ansehen',
    },
  },

  errors: {
    reference: 'Referenz',
    home: 'Zu Ihrem Konto',
    unknownClient: {
      title: 'Dieser Anmeldelink ist ungültig',
      text: 'Die App, die Sie hierher geleitet hat, ist bei diesem Dienst nicht registriert. Es wurden keine Daten an sie weitergegeben.',
      todo: 'Gehen Sie zurück zur App und versuchen Sie es noch einmal. Falls das Problem weiterhin auftritt, wenden Sie sich an den Entwickler der App und geben Sie die unten stehende Referenz an.',
    },
    redirectUri: {
      title: 'Dieser Anmeldelink ist ungültig',
      text: 'Die App wollte Sie an eine URL weiterleiten, die nicht für sie registriert ist. Zu Ihrer Sicherheit haben wir den Vorgang hier abgebrochen. Es wurden keine Daten weitergegeben.',
      todo: 'Gehen Sie zurück zur App und versuchen Sie es noch einmal. Falls das Problem weiterhin auftritt, wenden Sie sich an den Entwickler der App und geben Sie die unten stehende Referenz an. Ein Administrator kann damit beide URLs nachschlagen.',
    },
    clientRevoked: {
      title: 'Diese App ist nicht mehr verfügbar',
      text: 'Ein Administrator hat die Anmeldung bei dieser App gesperrt. Ihr Konto ist davon nicht betroffen.',
      todo: 'Wenden Sie sich an den Entwickler der App oder an Ihren Administrator.',
    },
    tooManyApprovals: {
      title: 'Zu viele Anmeldungen',
      text: 'Sie haben sich zu oft hintereinander bei Apps angemeldet. Es wurden keine Daten weitergegeben.',
      todo: 'Warten Sie einige Sekunden, gehen Sie zurück zur App und versuchen Sie es noch einmal. Falls das Problem weiterhin auftritt, wenden Sie sich an den Entwickler der App.',
    },
    tooManyDownloads: {
      title: 'Zu viele Downloads',
      text: 'Ein anderer Download Ihrer Daten läuft noch, oder es laden gerade zu viele Personen ihre Daten herunter.',
      todo: 'Warten Sie eine Minute und versuchen Sie es dann noch einmal.',
    },
    formExpired: {
      title: 'Diese Seite ist abgelaufen',
      text: 'Sie haben die Seite in einem anderen Browser oder noch vor dem An- oder Abmelden geöffnet, oder Ihr Browser blockiert Cookies. Es wurde nichts geändert.',
      todo: 'Gehen Sie zurück und beginnen Sie von vorn. Falls das Problem weiterhin auftritt, lassen Sie Cookies für diese Website zu.',
    },
    foreignForm: {
      title: 'Diese Anfrage kam von einer anderen Website',
      text: 'Eine andere Website hat versucht, dieses Formular in Ihrem Namen zu senden. Es wurde nichts geändert.',
      todo: (baseUrl) => `Falls Sie es selbst waren, öffnen Sie ${baseUrl} und versuchen Sie es dort noch einmal.`,
    },
    notAdministrator: {
      title: 'Sie benötigen Administratorrechte',
      text: 'Mit Ihrem Konto können Sie diese Seite nicht ansehen.',
      todo: 'Bitten Sie einen Administrator um Zugriff oder melden Sie sich mit einem anderen Konto an.',
    },
    otherAccount: {
      title: 'Dieser Link gehört zu einem anderen Konto',
      text: 'Die Änderung wurde mit einem anderen Konto angefordert als dem, mit dem Sie angemeldet sind. Es wurde nichts geändert.',
      todo: 'Melden Sie sich ab, melden Sie sich mit dem anderen Konto an und öffnen Sie den Link noch einmal.',
    },
    badRequest: {
      title: 'Die Anfrage konnte nicht gelesen werden',
      text: 'Die Anfrage hatte ein ungültiges Format. Es wurde nichts geändert.',
      todo: 'Gehen Sie zurück und versuchen Sie es noch einmal.',
    },
    notFound: {
      title: 'Seite nicht gefunden',
      text: 'Der Link enthält möglicherweise einen Tippfehler oder die Seite gibt es nicht mehr.',
      todo: 'Prüfen Sie die URL oder gehen Sie zu Ihrem Konto.',
    },
    methodNotAllowed: {
      title: 'Das funktioniert hier nicht',
      text: 'Anfragen dieser Art sind unter dieser URL nicht möglich.',
      todo: 'Gehen Sie zurück und versuchen Sie es noch einmal.',
    },
    tooLarge: {
      title: 'Die Anfrage ist zu groß',
      text: 'So große Anfragen nimmt der Dienst nicht an. Es wurde nichts geändert.',
      todo: 'Gehen Sie zurück und versuchen Sie es noch einmal. Falls eine App Sie hierher geleitet hat, wenden Sie sich an den Entwickler der App.',
    },
    busy: {
      title: 'Der Dienst ist gerade ausgelastet',
      text: 'Ihre Anfrage kann im Moment nicht bearbeitet werden. Es wurde nichts geändert.',
      todo: 'Warten Sie einige Sekunden und laden Sie die Seite dann neu.',
    },
    outcomeUnknown: {
      title: 'Wir wissen nicht, ob das funktioniert hat',
      text: 'Beim Speichern ist die Verbindung zu unserer Datenbank abgebrochen. Möglicherweise wurde Ihre Änderung gespeichert.',
      todo: 'Warten Sie einige Sekunden und sehen Sie nach, bevor Sie es noch einmal versuchen.',
    },
    fault: {
      title: 'Etwas ist schiefgelaufen',
      text: 'Der Fehler liegt bei uns und wurde protokolliert.',
      todo: 'Versuchen Sie es noch einmal. Falls das Problem weiterhin auftritt, wenden Sie sich an Ihren Administrator und geben Sie die unten stehende Referenz an.',
    },
  },
};
