// Italian, with "tu", and wording that doesn't depend on the reader's gender.

import type { Catalogue } from './en.ts';
import { wording } from './wording.ts';

const { plural, number } = wording<'one' | 'many' | 'other'>('it');

const waitingTime = (minutes: number) => {
  if (minutes <= 90) {
    const n = number(minutes);
    return plural(minutes, { one: 'un minuto', many: `${n} di minuti`, other: `${n} minuti` });
  }
  const hours = Math.ceil(minutes / 60);
  if (hours <= 48) {
    const n = number(hours);
    return plural(hours, { one: 'un’ora', many: `${n} di ore`, other: `${n} ore` });
  }
  const days = Math.ceil(hours / 24);
  const n = number(days);
  return plural(days, { one: 'un giorno', many: `${n} di giorni`, other: `${n} giorni` });
};

/** "il 7 marzo", but "l’8 marzo" and "l’11 marzo", and Intl writes "1 marzo" for "il 1º marzo". */
const on = (day: string) => (/^(?:8|11) /.test(day) ? `l’${day}` : `il ${day.replace(/^1 /, '1º ')}`);

const eachCode = 'Ogni codice ti permette di accedere una volta senza il tuo dispositivo.';

const notConfirmed =
  'Non è stato possibile verificare quale app ha aperto questa pagina, quindi il ritorno all’app è stato bloccato.';

export const it: Catalogue = {
  skipToContent: 'Vai al contenuto',
  dismiss: 'Chiudi',
  title: (page, service) => `${page} · ${service}`,
  languagePicker: 'Lingua',
  links: { support: 'Assistenza', terms: 'Termini di servizio', privacy: 'Informativa sulla privacy' },

  signIn: {
    title: 'Accedi',
    continueTo: (app) => `per continuare su ${app}`,
    toAccount: 'al tuo account',
    email: 'Email',
    password: 'Password',
    submit: 'Accedi',
    failed: 'Email o password non corrette.',
    throttled: (minutes) => `Troppi tentativi non riusciti. Riprova tra ${waitingTime(minutes)}.`,
    incomplete: 'Inserisci la tua email e la password.',
    forgotten: 'Hai dimenticato la password?',
    create: 'Crea un account',
    passkey: 'Accedi con una passkey',
    passkeyFailed: 'La passkey non ha funzionato. Riprova o usa la password.',
    keep: 'Mantieni l’accesso',
  },

  emailCodes: {
    send: 'Inviami un codice via email',
    title: 'Controlla la tua email',
    lead: (email) =>
      `Abbiamo inviato un’email a ${email}. Inserisci il codice che contiene. Vale una sola volta, in questo browser, per 10 minuti.`,
    code: 'Codice',
    again: 'Invia un nuovo codice',
    usePassword: 'Usa la password',
    wrong: 'Il codice non è corretto o è scaduto.',
    spent: 'Troppi codici errati. Richiedine uno nuovo.',
    recoveryTitle: 'Contatta l’amministratore',
    recovery:
      'Il tuo indirizzo email non era mai stato verificato e per questo account è attiva la verifica in due passaggi, quindi potrebbe averla configurata qualcun altro. Chiedi all’amministratore di rimuovere la verifica in due passaggi e di darti un link di recupero.',
    proofLead: (email) => `Invieremo un codice a ${email}. Non te lo chiederemo più per 15 minuti.`,
    reviewLead: (day) =>
      `Il tuo indirizzo email è stato verificato (${day}). Ciò che era stato configurato prima, come una password, è stato rimosso, perché potrebbe averlo fatto qualcun altro. Controlla che cosa ha ancora accesso al tuo account.`,
    reviewMethods: 'Solo codici via email.',
    email: {
      subjects: { sign_in: 'Il tuo codice di accesso', proof: 'Il tuo codice di conferma' },
      texts: {
        sign_in:
          'Inserisci questo codice per accedere. Funziona una sola volta, nel browser che l’ha richiesto, e scade tra 10 minuti.',
        proof:
          'Inserisci questo codice per confermare la tua identità. Funziona una sola volta, nel browser che l’ha richiesto, e scade tra 10 minuti.',
      },
      asked: (device, ipAddress) => `Richiesto da: ${device}, indirizzo IP ${ipAddress}.`,
      warning: 'Se non eri tu, puoi ignorare questa email. Non condividere il codice con nessuno.',
    },
    notForYou: {
      subject: 'Accedi con la password o una passkey',
      text: 'Qualcuno, probabilmente tu, ha richiesto un codice per accedere. Il tuo account usa la verifica in due passaggi, quindi servono la password o una passkey.',
    },
    noAccount:
      'Qualcuno, probabilmente tu, ha richiesto un codice per accedere con questo indirizzo email, ma non è associato a nessun account. Forse hai creato il tuo con un altro indirizzo.',
  },

  account: {
    email: 'Email',
    password: 'Password',
    newPassword: 'Nuova password',
    newPasswordHint: 'Almeno 8 caratteri. Prova con alcune parole senza legami tra loro.',
    name: 'Nome completo',
    nav: 'Il tuo account',
    signOut: 'Esci',
    signedInAs: 'Accesso eseguito come',
    menu: 'Menu',
    reveal: { show: 'Mostra', hide: 'Nascondi', showPassword: 'Mostra password', hidePassword: 'Nascondi password' },
    file: { choose: 'Scegli file', none: 'Nessun file scelto' },
    throttled: (minutes) => `Troppi tentativi. Riprova tra ${waitingTime(minutes)}.`,
    invalidName: 'Inserisci un nome di massimo 100 caratteri, di cui almeno uno visibile.',
    invalidEmail: 'Inserisci un indirizzo email valido.',
    managed: 'Questo dato è gestito dalla tua organizzazione.',
    noEmail:
      'Questa funzione non è disponibile perché il servizio non può ancora inviare email. Contatta l’amministratore.',
    passwordProblems: {
      too_short: 'Usa almeno 8 caratteri.',
      too_long: 'Usa al massimo 256 caratteri.',
      not_text: 'La password contiene caratteri non consentiti.',
      common: 'Questa password è troppo comune. Scegline un’altra.',
      personal: 'La password non può essere il tuo nome o il tuo indirizzo email. Scegline un’altra.',
      breached:
        'Questa password compare in una fuga di dati e altri potrebbero conoscerla. Scegline una che non usi da nessun’altra parte.',
      not_allowed: 'Qui non si possono usare le password. Crea una passkey.',
    },
    sections: {
      home: 'Le tue app',
      profile: 'Profilo',
      security: 'Sicurezza',
      sessions: 'Dispositivi',
      apps: 'App collegate',
      activity: 'Attività',
      data: 'I tuoi dati',
    },
    console: 'Console di amministrazione',
    notices: {
      welcome: 'Ti diamo il benvenuto! Il tuo account è pronto.',
      profile: 'Profilo salvato.',
      picture: 'Foto aggiornata.',
      password: 'Password modificata. Gli altri tuoi dispositivi sono stati disconnessi.',
      authenticator: 'App di autenticazione rimossa.',
      'authenticator-added': 'App di autenticazione aggiunta.',
      passkey: 'Passkey rimossa.',
      'password-removed': 'Password rimossa. Gli altri tuoi dispositivi sono stati disconnessi.',
      'password-set': 'Password impostata. Gli altri tuoi dispositivi sono stati disconnessi.',
      'identity-linked': 'Account collegato.',
      'identity-unlinked': 'Account scollegato.',
      'passkey-added': 'Passkey aggiunta.',
      session: 'Dispositivo disconnesso.',
      sessions: 'Altri dispositivi disconnessi.',
      proof: 'Identità confermata.',
      untrusted: 'Il dispositivo non è più attendibile.',
      'method-kept': 'Metodo di accesso mantenuto.',
      'method-removed': 'Metodo di accesso rimosso.',
      'not-possible': 'Operazione non riuscita. Qualcosa potrebbe essere cambiato in un’altra finestra.',
    },

    signUp: {
      title: 'Crea un account',
      toContinue: (app) => `per continuare su ${app}`,
      lead: 'Ti invieremo un’email con un link per completare la creazione dell’account.',
      submit: 'Invia link',
      haveOne: 'Hai già un account?',
      closed:
        'Gli account di questo servizio vengono creati da un amministratore. Chiedi al tuo di crearne uno per te.',
      finishTitle: 'Completa la creazione dell’account',
      finishLead: (email) => `Accederai come ${email}.`,
      inviteTitle: 'Hai ricevuto un invito',
      setUpTitle: 'Configura questo servizio',
      setUpLead: 'Crea il primo account amministratore.',
      emailTaken: 'Esiste già un account con questo indirizzo email.',
      nameHint: 'Il nome che vedranno le app.',
      finish: 'Crea account',
    },
    emailSent: {
      title: 'Controlla la tua email',
      text: (email) => `Abbiamo inviato un’email a ${email}. Apri il link che contiene per continuare.`,
      hint: 'Non è arrivato nulla dopo qualche minuto? Controlla la cartella dello spam o riprova.',
      again: 'Invia di nuovo',
      other: 'Usa un altro indirizzo email',
      outbox: 'Questo servizio è in modalità di sviluppo: l’email si trova nella posta in uscita.',
    },
    resetPassword: {
      title: 'Reimposta la password',
      lead: 'Ti invieremo un’email con un link per scegliere una nuova password. Può essere usato una sola volta e scade dopo 30 minuti.',
      submit: 'Invia link',
      back: 'Torna alla pagina di accesso',
      finishTitle: 'Scegli una nuova password',
      finishLead: 'Tutti i tuoi dispositivi verranno disconnessi.',
      finish: 'Imposta password',
      doneTitle: 'Password modificata',
      done: 'Accedi con la nuova password. I metodi di accesso aggiunti negli ultimi 7 giorni sono sospesi finché non li controlli.',
      signIn: 'Accedi',
    },
    linkExpired: {
      title: 'Questo link è scaduto',
      text: 'Potrebbe essere già stato usato o sostituito da uno più recente. Non è stato modificato nulla.',
      again: 'Richiedi un nuovo link',
      askAdministrator: 'Chiedine uno nuovo all’amministratore.',
    },

    secondStep: {
      title: 'Verifica in due passaggi',
      lead: 'Inserisci il codice dell’app di autenticazione o un codice di recupero.',
      leadPasskeyOnly: 'Usa la tua passkey o inserisci un codice di recupero.',
      code: 'Codice',
      submit: 'Continua',
      passkey: 'Usa una passkey',
      failed: 'Il codice non è corretto o è già stato usato.',
      passkeyFailed: 'La passkey non ha funzionato. Riprova o inserisci un codice.',
      tooManyCodes: (minutes) =>
        `Troppi codici errati. Usa un codice di recupero o una passkey, oppure riprova tra ${waitingTime(minutes)}.`,
      trust: 'Non chiedere il codice su questo dispositivo per 30 giorni',
      lost: 'Non hai più il dispositivo né i codici di recupero? Contatta l’amministratore.',
      other: 'Usa un altro account',
    },

    proof: {
      leadElsewhere: 'Accedi di nuovo per continuare. Non te lo chiederemo più per 15 minuti.',
      noWay:
        'Al momento non possiamo verificare la tua identità: non hai una password e l’account con cui accedi non è disponibile. Imposta prima una password tramite email.',
      byEmail: 'Imposta una password tramite email',
      confirmedTitle: 'Identità confermata',
      confirmed: 'Ora puoi continuare con la modifica.',
      goOn: 'Continua',
      title: 'Conferma la tua identità',
      lead: 'Inserisci la password per continuare. Non ti verrà richiesta di nuovo per 15 minuti.',
      leadWithCode: 'Usa la verifica in due passaggi per continuare. Non ti verrà richiesta di nuovo per 15 minuti.',
      password: 'Password',
      submit: 'Conferma',
      enterCode: 'Inserisci il codice.',
      wrongPassword: 'Password non corretta.',
      cancel: 'Annulla',
    },

    profile: {
      pictureElsewhere: (host) => `La tua foto proviene da ${host}. Qui non viene mostrata.`,
      lead: 'Le informazioni che le app vedono quando condividi con loro il tuo profilo.',
      givenName: 'Nome',
      familyName: 'Cognome',
      username: 'Nome utente',
      usernameHint:
        'Facoltativo. Da 3 a 30 caratteri; il primo deve essere una lettera. Le app che vedono il tuo profilo possono mostrare questo nome.',
      usernameTaken: 'Questo nome utente è già in uso.',
      usernameProblems: {
        too_short: 'Usa almeno 3 caratteri.',
        too_long: 'Usa al massimo 30 caratteri.',
        invalid_start: 'Il nome utente deve iniziare con una lettera.',
        invalid_characters: 'Usa solo lettere dalla a alla z, numeri, punti, trattini e trattini bassi.',
      },
      locale: 'Lingua',
      noLocale: 'Non impostata',
      save: 'Salva profilo',
      invalidLocale: 'Scegli una lingua dall’elenco.',
      picture: 'Foto',
      pictureHint: 'PNG, JPEG o WebP, massimo 512 KB. I dati sulla posizione vengono rimossi.',
      upload: 'Carica foto',
      removePicture: 'Rimuovi foto',
      pictureProblems: {
        not_a_picture: 'Il file non è un’immagine PNG, JPEG o WebP, oppure è danneggiato.',
        too_large: 'La foto supera i 512 KB.',
        too_many_pixels: 'La foto ha troppi pixel.',
        none: 'Prima scegli un file.',
      },
      address: 'Indirizzo email',
      verified: 'verificato',
      unverified: 'non verificato',
      verify: 'Verifica indirizzo email',
      changeAddress: 'Modifica indirizzo email',
    },
    attributes: {
      none: 'Non impostato',
      yes: 'Sì',
      no: 'No',
      list: 'Separa gli elementi con virgole.',
      listOf: (values) => `Separa gli elementi con virgole. Valori consentiti: ${values}.`,
      problems: {
        wrong_kind: 'Inserisci un numero, ad esempio 12.5.',
        not_allowed: 'Usa solo i valori consentiti.',
        too_long: 'Questo valore è troppo lungo.',
        characters: 'Questo valore contiene caratteri non consentiti.',
      },
    },
    changeEmail: {
      title: 'Modifica l’indirizzo email',
      lead: (email) =>
        `Il tuo indirizzo email è ${email}. Non cambierà finché non aprirai il link che invieremo a quello nuovo.`,
      newAddress: 'Nuovo indirizzo email',
      submit: 'Invia link',
      same: 'Questo è già il tuo indirizzo email.',
      confirmTitle: 'Conferma il nuovo indirizzo email',
      confirmLead: (email, current) => `Il tuo indirizzo email ${current} verrà sostituito da ${email}.`,
      confirm: 'Conferma indirizzo email',
      changedTitle: 'Indirizzo email modificato',
      confirmed: (email) => `Il tuo indirizzo email ora è ${email}. Usalo per accedere.`,
      verifyLead: (email) => `Conferma che ${email} è il tuo indirizzo email.`,
      verifiedTitle: 'Indirizzo email verificato',
      verified: (email) => `${email} è verificato.`,
      toAccount: 'Vai al tuo account',
      back: 'Torna al profilo',
    },
    security: {
      noPassword:
        'Non hai una password. Con una password puoi accedere anche se perdi l’accesso a un account collegato.',
      setPassword: 'Imposta una password',
      authenticatorOffAlone: 'Proteggi il tuo account a ogni accesso con un codice generato da un’app sul telefono.',
      proof: 'Codice dell’app di autenticazione o codice di recupero',
      proofByRecoveryCode: 'Codice di recupero',
      passwordTitle: 'Password',
      changePassword: 'Cambia password',
      breached:
        'La tua password compare in una fuga di dati di un altro servizio e altri potrebbero conoscerla. Cambiala presto, qui e ovunque tu la usi.',
      authenticatorTitle: 'App di autenticazione',
      authenticatorOff:
        'Oltre che con la password, proteggi il tuo account con un codice generato da un’app sul telefono.',
      on: 'Attiva',
      authenticatorOn: 'Quando accedi, ti verrà richiesto un codice dell’app.',
      setUp: 'Configura app di autenticazione',
      remove: 'Rimuovi',
      removeNamed: (name) => `Rimuovi la passkey “${name}”`,
      removeApp: 'Rimuovi app di autenticazione',
      codesTitle: 'Codici di recupero',
      noCodesLeft: 'Non hai più codici di recupero. Creane di nuovi.',
      codesLeft: (count) =>
        plural(count, {
          one: 'Ti resta 1 codice di recupero. Ti permette di accedere una volta senza il tuo dispositivo.',
          many: `Ti restano ${number(count)} di codici di recupero. ${eachCode}`,
          other: `Ti restano ${number(count)} codici di recupero. ${eachCode}`,
        }),
      newCodes: 'Crea nuovi codici',
      passkeysTitle: 'Passkey',
      passkeysLead: 'Accedi senza password, con l’impronta digitale, il volto o il blocco schermo.',
      passkeyName: 'Nome della passkey',
      passkeyNameHint: 'Ad esempio “Il mio telefono”.',
      addPasskey: 'Aggiungi una passkey',
      needsScript: 'Le passkey richiedono JavaScript e un browser compatibile.',
      added: 'Data di aggiunta',
      lastUsed: 'Ultimo utilizzo',
      never: 'Mai',
      passkeyFailed: 'Non è stato possibile aggiungere la passkey. Riprova.',
      tooManyPasskeys: 'Hai raggiunto il limite di 20 passkey. Rimuovine una per aggiungerne un’altra.',
      lastWay:
        'È il tuo unico modo per accedere. Imposta una password o aggiungi un’altra passkey prima di rimuoverla.',
      confirmedForPasskey: 'Identità confermata. Ora puoi aggiungere la passkey.',
    },
    identities: {
      title: 'Account collegati',
      lead: 'Account di altri servizi con cui puoi accedere.',
      linked: 'Collegato',
      noEmail: 'Indirizzo email non condiviso',
      disabled: 'Non disponibile',
      link: (label) => `Collega ${label}`,
      tooMany: 'Hai raggiunto il limite di 10 account collegati. Scollegane uno per collegarne un altro.',
      unlink: 'Scollega',
      unlinkNamed: (label) => `Scollega ${label}`,
      lastWay: 'È il tuo unico modo per accedere. Imposta una password o aggiungi una passkey prima di scollegarlo.',
    },
    authenticator: {
      title: 'Configura un’app di autenticazione',
      scan: 'Scansiona questo codice QR con l’app di autenticazione.',
      alt: 'Codice QR con la chiave di configurazione per l’app di autenticazione',
      orType: 'Oppure inserisci questa chiave di configurazione nell’app:',
      open: 'Apri nell’app di autenticazione',
      copy: 'Copia chiave',
      code: 'Codice di 6 cifre dell’app',
      submit: 'Attiva',
      wrongCode:
        'Il codice non è corretto. I codici cambiano ogni 30 secondi: controlla che l’ora del telefono sia esatta.',
      already: 'Hai già configurato un’app di autenticazione. Prima devi rimuoverla.',
      back: 'Torna a Sicurezza',
    },
    codes: {
      title: 'Salva i codici di recupero',
      lead: `${eachCode} Salva i codici adesso: non potrai più visualizzarli.`,
      done: 'Ho salvato i codici',
      copy: 'Copia codici',
      copied: 'Copiato',
      download: 'Scarica codici',
      print: 'Stampa codici',
      file: (service, email) => `Codici di recupero di ${email} per ${service}`,
    },
    sessions: {
      lead: 'I dispositivi su cui hai eseguito l’accesso.',
      current: 'Questo dispositivo',
      since: 'Data di accesso',
      lastSeen: 'Ultima attività',
      from: 'Indirizzo IP',
      end: 'Disconnetti',
      endNamed: (device) => `Disconnetti ${device}`,
      endOthers: 'Disconnetti gli altri dispositivi',
      onlyThis: 'Non hai eseguito l’accesso su altri dispositivi.',
      trusted: 'Dispositivi attendibili',
      trustedLead: 'Quando accedi con la password su questi dispositivi, non ti verrà richiesto un codice.',
      trustedUntil: 'Scadenza',
      lastSignIn: 'Ultimo utilizzo',
      untrust: 'Rimuovi dall’elenco',
      untrustNamed: (device) => `Rimuovi dall’elenco: ${device}`,
    },
    activity: {
      lead: 'Attività recente del tuo account. Se non riconosci qualcosa, cambia la password.',
      none: 'Ancora nessuna attività.',
      byAdministrator: 'Da parte di un amministratore',
      older: 'Attività precedente',
      someApp: 'un’app',
    },
    data: {
      downloadTitle: 'Scarica i tuoi dati',
      downloadLead: 'Tutto ciò che conserviamo su di te, in un unico file JSON.',
      download: 'Scarica dati',
      deleteTitle: 'Elimina il tuo account',
      deleteLead: 'Le app perdono subito l’accesso. Questa operazione non può essere annullata.',
      deleteQuestion: (email) => `Eliminare l’account ${email}?`,
      deleteText:
        'Il tuo profilo, i tuoi metodi di accesso e le app collegate verranno eliminati definitivamente e tutte le tue sessioni verranno chiuse.',
      delete: 'Elimina account',
      lastAdministrator: 'Non ci sono altri amministratori. Prima concedi l’accesso amministratore a un’altra persona.',
      deletedTitle: 'Account eliminato',
      deleted:
        'Resta solo una traccia del fatto che l’account è esistito. Le app potrebbero aver conservato ciò che hai condiviso con loro.',
    },
    ownEvents: {
      signed_in: 'Accesso eseguito',
      sign_in_failed: 'Accesso non riuscito',
      second_step_asked: 'Password corretta, in attesa della verifica in due passaggi',
      session_raised: 'Identità confermata con la verifica in due passaggi',
      signed_out: 'Disconnessione eseguita',
      approved: (app) => `Autorizzazione concessa a ${app}`,
      let_in: (app) => `Accesso eseguito a ${app}`,
      approvals_throttled: (app) => `Troppi accessi a ${app}, sospesi per qualche istante`,
      authorization_denied: (app) => `Autorizzazione negata a ${app}`,
      app_removed: (app) => `Autorizzazione revocata a ${app}`,
      signed_up: 'Account creato',
      user_created: 'Account creato da un amministratore',
      user_password_set: 'Password modificata da un amministratore',
      user_disabled: 'Account disattivato da un amministratore',
      user_expired: 'L’accesso all’account è scaduto',
      user_enabled: 'Account riattivato da un amministratore',
      user_approved: 'Account approvato da un amministratore',
      user_edited: 'Profilo modificato da un amministratore',
      user_email_verified: 'Indirizzo email verificato da un amministratore',
      user_made_administrator: 'Accesso amministratore concesso',
      user_administrator_removed: 'Accesso amministratore revocato',
      user_roles_changed: 'Ruoli modificati da un amministratore',
      user_reset_sent: 'Link per reimpostare la password inviato da un amministratore',
      user_recovery_link_made: 'Link di recupero creato da un amministratore',
      first_administrator_created: 'Primo account amministratore creato',
      email_code_requested: 'Codice di accesso richiesto',
      email_verified_by_code: 'Indirizzo email verificato con un codice',
      account_claimed: 'Account reimpostato per il proprietario',
      password_reset_requested: 'Reimpostazione della password richiesta',
      password_reset: 'Password reimpostata tramite email',
      password_changed: 'Password modificata',
      password_removed: 'Password rimossa',
      password_found_in_breach: 'Password trovata in una fuga di dati',
      profile_changed: 'Profilo aggiornato',
      picture_changed: 'Foto aggiornata',
      email_change_requested: 'Modifica dell’indirizzo email richiesta',
      email_changed: 'Indirizzo email modificato',
      sessions_ended: 'Altri dispositivi disconnessi',
      device_trusted: 'Dispositivo attendibile aggiunto',
      device_trust_ended: 'Dispositivo attendibile rimosso',
      authenticator_added: 'App di autenticazione aggiunta',
      authenticator_removed: 'App di autenticazione rimossa',
      recovery_codes_replaced: 'Codici di recupero creati',
      recovery_codes_removed: 'Codici di recupero rimossi',
      recovery_code_used: 'Codice di recupero usato',
      passkey_added: (name) => `Passkey “${name}” aggiunta`,
      passkey_removed: 'Passkey rimossa',
      second_factors_removed: 'Verifica in due passaggi rimossa da un amministratore',
      identity_linked: (name) => `Accesso con ${name} collegato`,
      identity_unlinked: (name) => `Accesso con ${name} scollegato`,
      factor_undone: 'Nuovo metodo di accesso annullato, tutti i dispositivi disconnessi',
      factor_kept: 'Metodo di accesso sospeso mantenuto',
      account_reviewed: 'Accessi all’account controllati',
      data_downloaded: 'Dati scaricati',
      grant_ended_by_replay: (app) => `Autorizzazione revocata a ${app}: un codice è stato usato due volte`,
    },
    methods: {
      password: 'Password',
      password_and_code: 'Password e codice',
      password_and_recovery_code: 'Password e codice di recupero',
      password_and_passkey: 'Password e passkey',
      passkey: 'Passkey',
      password_on_trusted_device: 'Password su un dispositivo attendibile',
      sign_up: 'Primo accesso',
      upstream: 'Provider di identità',
      upstream_on_trusted_device: 'Provider di identità su un dispositivo attendibile',
      upstream_two_factors: 'Provider di identità con verifica in due passaggi',
      upstream_and_code: 'Provider di identità e codice',
      upstream_and_recovery_code: 'Provider di identità e codice di recupero',
      upstream_and_passkey: 'Provider di identità e passkey',
      email_code: 'Codice via email',
      email_code_and_code: 'Codici via email e da un’app',
      email_code_and_recovery_code: 'Codice via email e codice di recupero',
      email_code_and_passkey: 'Codice via email e passkey',
    },
    reasons: {
      wrong_password: 'Password non corretta',
      wrong_second_step: 'Codice errato dopo la password corretta',
      wrong_password_in_account: 'Password non corretta nella conferma dell’identità',
      wrong_passkey: 'Passkey non accettata',
      wrong_email_code: 'Codice dell’email errato',
      unverified_email: 'Indirizzo email non verificato',
      throttled: 'Troppi tentativi',
      disabled: 'Account disattivato',
      expired: 'Accesso scaduto',
      waiting_for_approval: 'Account in attesa di approvazione',
      password_over: 'Password corretta, ma le password non funzionano più',
      changed_meanwhile: 'Account modificato nello stesso momento',
      upstream_identity_taken: 'Collegato a un altro account',
      upstream_other_person: 'Non è l’account collegato',
      upstream_not_fresh: 'Il provider di identità non ha chiesto di accedere di nuovo',
    },
  },

  device: {
    on: (browser, system) => `${browser} su ${system}`,
    unknownOn: (system) => `Browser sconosciuto su ${system}`,
    unknown: 'Browser sconosciuto',
  },

  emails: {
    greeting: 'Ciao,',
    ignore: 'Se non ti aspettavi questa email, puoi ignorarla.',
    notYou: 'Se non eri tu, reimposta subito la password:',
    notYouEither: 'Se non eri tu, rimuovi tutto ciò che non riconosci e cambia la password:',
    lookAtSecurity: 'Controlla le impostazioni di sicurezza',
    finishSignUp: {
      subject: 'Completa la creazione dell’account',
      text: 'Apri questo link per configurare l’account. Può essere usato una sola volta e scade dopo 24 ore.',
      action: 'Crea account',
    },
    addressHasAccount: {
      subject: 'Hai già un account',
      text: 'Qualcuno, probabilmente tu, ha cercato di creare un account con questo indirizzo email, ma ne esiste già uno. Puoi accedere oppure, dalla stessa pagina, reimpostare la password.',
      action: 'Accedi',
    },
    resetPassword: {
      subject: 'Reimposta la password',
      text: 'Apri questo link per scegliere una nuova password. Può essere usato una sola volta e scade dopo 30 minuti.',
      action: 'Reimposta password',
    },
    invitation: {
      subject: 'Hai ricevuto un invito',
      text: (service) =>
        `Hai ricevuto un invito a creare un account su ${service}. Apri questo link per configurare l’account. Può essere usato una sola volta e scade dopo 7 giorni.`,
      textFrom: (inviter, service) =>
        `${inviter} ti invita a creare un account su ${service}. Apri questo link per configurare l’account. Può essere usato una sola volta e scade dopo 7 giorni.`,
      action: 'Accetta invito',
    },
    noAccount: {
      subject: 'Nessun account con questo indirizzo email',
      text: 'Qualcuno, probabilmente tu, ha cercato di reimpostare la password di un account con questo indirizzo email, ma non ne esiste nessuno. Forse hai creato il tuo con un altro indirizzo.',
      action: 'Prova un altro indirizzo email',
    },
    confirmAddress: {
      subject: 'Conferma il tuo indirizzo email',
      text: 'Per usare questo indirizzo email con il tuo account, apri questo link e accedi. Può essere usato una sola volta e scade dopo 24 ore.',
      action: 'Conferma indirizzo email',
    },
    accountClaimed: {
      subject: 'Il tuo account è stato reimpostato',
      text: 'Hai dimostrato che questo indirizzo email è tuo. Nessuno l’aveva fatto prima, quindi l’account potrebbe averlo configurato qualcun altro. Tutto ciò che conteneva è stato rimosso: la password, gli altri modi di accedere, i dispositivi e l’accesso delle applicazioni.',
    },
    passwordChanged: {
      subject: 'La tua password è stata modificata',
      text: 'La password del tuo account è stata modificata e gli altri tuoi dispositivi sono stati disconnessi.',
      action: 'Reimposta password',
    },
    setUpFactor: {
      subject: 'Configura la verifica in due passaggi',
      text: 'Hai effettuato l’accesso con la tua password. Non è stato possibile trasferire il tuo secondo fattore a questo servizio: per continuare, configura di nuovo la verifica in due passaggi. Il link è valido per 30 minuti.',
      action: 'Configura la verifica',
      notYou:
        'Se non hai effettuato tu l’accesso, qualcun altro conosce la tua password. Non aprire il link e reimposta la password dalla pagina di accesso.',
    },
    passwordBreached: {
      subject: 'Cambia presto la tua password',
      text: 'La password del tuo account compare in un elenco di password provenienti da fughe di dati di altri servizi. Questo non significa che qualcuno abbia effettuato l’accesso al tuo account, ma i malintenzionati provano le password di questi elenchi. Scegline una nuova che non usi da nessun’altra parte:',
      action: 'Cambia password',
      after: 'Se usi la stessa password altrove, cambiala anche lì.',
    },
    addressChangeAsked: {
      subject: 'Richiesta di modifica dell’indirizzo email',
      text: (email) =>
        `Qualcuno ha chiesto di sostituire l’indirizzo email del tuo account con ${email}. La modifica avrà effetto quando verrà aperto il link che abbiamo inviato a quell’indirizzo.`,
      action: 'Reimposta password',
    },
    addressChanged: {
      subject: 'Il tuo indirizzo email è stato modificato',
      text: (email) =>
        `L’indirizzo email del tuo account ora è ${email}. Se non hai fatto tu questa modifica, contatta l’amministratore.`,
    },
    factorAdded: {
      texts: {
        authenticator_added: 'Al tuo account è stata aggiunta un’app di autenticazione.',
        passkey_added: 'Al tuo account è stata aggiunta una passkey.',
        recovery_codes_replaced:
          'Per il tuo account sono stati creati nuovi codici di recupero. Quelli precedenti non funzionano più.',
      },
      undo: 'Se non hai fatto tu questa modifica, apri questo link per annullarla e disconnettere tutti i tuoi dispositivi. Il link può essere usato una sola volta e scade dopo 7 giorni.',
      action: 'Non ero io',
      ignore: 'Se eri tu, non devi fare nulla.',
    },
    secondFactorChanged: {
      subject: 'Le tue impostazioni di sicurezza sono state modificate',
      authenticator_removed: 'L’app di autenticazione è stata rimossa dal tuo account.',
      passkey_removed: 'Una passkey è stata rimossa dal tuo account.',
      all_factors_removed:
        'Tutti i metodi di accesso tranne la password sono stati rimossi dal tuo account. La verifica in due passaggi è disattivata.',
      second_factors_removed: 'Un amministratore ha rimosso l’app di autenticazione e le passkey dal tuo account.',
    },
    identityLinked: (label) => `Ora puoi accedere al tuo account con ${label}.`,
    wrongCodes: {
      subject: 'Qualcuno potrebbe conoscere la tua password',
      text: (device, at, ipAddress) =>
        `Qualcuno ha inserito la tua password e poi diversi codici di verifica errati. Ultimo tentativo: ${device}, ${on(at)}, indirizzo IP ${ipAddress}. Questa persona non è riuscita ad accedere.`,
      action: 'Reimposta password',
    },
    recoveryCodeUsed: {
      subject: 'È stato usato un codice di recupero',
      text: (device, at, ipAddress) =>
        `Uno dei tuoi codici di recupero è stato usato per il tuo account: ${device}, ${on(at)}, indirizzo IP ${ipAddress}.`,
    },
    newDevice: {
      subject: 'Nuovo accesso al tuo account',
      text: (device, at, ipAddress) =>
        `È stato eseguito l’accesso al tuo account da un browser che non avevamo mai visto: ${device}, ${on(at)}, indirizzo IP ${ipAddress}.`,
      action: 'Reimposta password',
    },
    apiKeyCreated: {
      subject: 'Nuova chiave API',
      text: (name, fromCommandLine) =>
        fromCommandLine
          ? `Dalla riga di comando è stata creata una chiave API denominata “${name}”.`
          : `Con il tuo account è stata creata una chiave API denominata “${name}”.`,
      permissions: {
        read: 'Permette di leggere tutto ciò che vedono gli amministratori.',
        write: 'Permette di gestire le persone senza ruolo, i gruppi non protetti, le applicazioni e i webhook.',
        administrator: 'Permette di fare tutto ciò che possono fare gli amministratori.',
        people: 'Permette di gestire le persone senza ruolo e i gruppi non protetti.',
        applications: 'Permette di gestire le applicazioni.',
        auditor: 'Permette di leggere tutto ciò che vedono gli amministratori, senza modificare nulla.',
      },
      expires: (day) => `Scade ${on(day)}.`,
      neverExpires: 'Non ha scadenza.',
      notYou: 'Se non la riconosci, revocala e cambia la password:',
      action: 'Gestisci chiavi API',
    },
    adminAccessChanged: {
      given: {
        subject: 'Ora hai l’accesso amministratore',
        text: 'Ora puoi gestire gli utenti e le app di questo servizio.',
        action: 'Apri la console',
      },
      removed: {
        subject: 'Il tuo accesso amministratore è stato revocato',
        text: 'Non puoi più gestire gli utenti e le app di questo servizio.',
        action: 'Vai al tuo account',
      },
      changed: {
        subject: 'I tuoi ruoli di amministrazione sono cambiati',
        text: (roles: string) => `Ora i tuoi ruoli in questo servizio sono: ${roles}.`,
        action: 'Apri la console',
      },
      roles: { administrator: 'Amministratore', people: 'Utenti', applications: 'App', auditor: 'Revisore' },
      notExpected: 'Se non te lo aspettavi, contatta un amministratore.',
    },
    recoveryLinkMade: {
      subject: 'Link di recupero per il tuo account',
      text: 'Un amministratore ha creato un link per impostare una nuova password per il tuo account. Può essere usato una sola volta, scade dopo 24 ore e disconnette tutti i tuoi dispositivi. Se non hai chiesto aiuto, avvisa l’amministratore e controlla l’attività del tuo account:',
      action: 'Vedi la tua attività',
    },
    accountCreated: {
      subject: 'Il tuo nuovo account',
      text: (service) =>
        `È stato creato un account per te su ${service}. Apri questo link per configurare l’account. Può essere usato una sola volta e scade dopo 7 giorni.`,
      textFrom: (inviter, service) =>
        `${inviter} ha creato un account per te su ${service}. Apri questo link per configurare l’account. Può essere usato una sola volta e scade dopo 7 giorni.`,
      action: 'Configura account',
    },
    profileEdited: {
      subject: 'Il tuo profilo è stato modificato',
      text: (name) =>
        `Un amministratore ha modificato il tuo profilo. Ora il tuo nome è ${name}. Se non te lo aspettavi, contatta l’amministratore.`,
    },
    emailEdited: {
      subject: 'Il tuo indirizzo email è stato modificato',
      text: (email) =>
        `Un amministratore ha sostituito l’indirizzo email del tuo account con ${email}. Se non te lo aspettavi, contatta l’amministratore.`,
    },
    accountDeleted: {
      subject: 'Il tuo account è stato eliminato',
      text: 'Il tuo account è stato eliminato, come hai chiesto. Le app non vi hanno più accesso.',
    },
  },

  approval: {
    title: 'In attesa di approvazione',
    text: 'Il tuo account è in attesa di approvazione.',
    told: 'Ti invieremo un’email quando potrai accedere.',
    needed: 'Poi un amministratore dovrà approvare il tuo account.',
    fullTitle: 'Impossibile creare l’account',
    full: 'Al momento non è possibile creare nuovi account. Riprova più tardi.',
    emails: {
      approved: {
        subject: 'Il tuo account è stato approvato',
        text: (service) => `Il tuo account su ${service} è stato approvato. Ora puoi accedere.`,
        action: 'Accedi',
      },
      declined: {
        subject: 'Il tuo account non è stato approvato',
        text: (service) =>
          `La tua richiesta di un account su ${service} è stata rifiutata e i dati che hai inserito sono stati eliminati. Messaggio dell’amministratore:`,
      },
      waiting: {
        subject: 'Persone in attesa di approvazione',
        text: (count) =>
          plural(count, {
            one: '1 persona è in attesa che un amministratore approvi il suo account.',
            many: `${number(count)} di persone sono in attesa che un amministratore approvi i loro account.`,
            other: `${number(count)} persone sono in attesa che un amministratore approvi i loro account.`,
          }),
        action: 'Esamina le richieste',
      },
    },
  },
  signUpLinks: {
    linkNeeded: 'Per creare un account serve un link di registrazione. Chiedine uno all’amministratore.',
    otherDomain:
      'Non puoi creare un account con questo indirizzo email. Usane un altro o rivolgiti all’amministratore.',
    ended: {
      used_up: 'Questo link di registrazione è esaurito',
      expired: 'Questo link di registrazione è scaduto',
      revoked: 'Questo link di registrazione è stato revocato',
    },
    endedText: 'Non è più possibile usarlo per creare un account.',
  },

  recovery: {
    paused: {
      title: 'Metodi di accesso sospesi',
      lead: 'Sono stati aggiunti nei 7 giorni precedenti alla reimpostazione della password. Non possono essere usati per accedere finché non decidi se mantenerli.',
      names: {
        authenticator: 'App di autenticazione',
        passkey: (name) => `Passkey “${name}”`,
        recovery_codes: 'Codici di recupero',
      },
      added: 'Data di aggiunta',
      keep: 'Mantieni',
      keepNamed: (method) => `Mantieni: ${method}`,
      remove: 'Rimuovi',
      removeNamed: (method) => `Rimuovi: ${method}`,
    },
    review: {
      title: 'Controlla il tuo account',
      lead: (day) =>
        `La tua password è stata reimpostata (${day}) e tutti i tuoi dispositivi sono stati disconnessi. Controlla che cosa ha ancora accesso al tuo account.`,
      methodsTitle: 'Metodi di accesso in uso',
      noMethods: 'Solo la password.',
      authenticator: 'App di autenticazione',
      recoveryCodes: (count) =>
        plural(count, {
          one: '1 codice di recupero',
          many: `${number(count)} di codici di recupero`,
          other: `${number(count)} codici di recupero`,
        }),
      devicesTitle: 'Dispositivi',
      appsTitle: 'App collegate',
      noApps: 'Nessuna app collegata.',
      keysTitle: 'Chiavi API che hai creato',
      removeTitle: 'C’è qualcosa che non riconosci?',
      removeLead:
        'Rimuovi tutti i metodi di accesso (tranne la password), tutte le app collegate e tutte le chiavi API che hai creato, e disconnetti tutti gli altri dispositivi.',
      removesMethods: 'Accederai con la sola password finché non configurerai di nuovo la verifica in due passaggi.',
      remove: 'Rimuovi tutti gli altri accessi',
      doneTitle: 'È tutto a posto?',
      done: 'Termina il controllo',
    },
    undo: {
      title: 'Non eri tu?',
      lead: 'Annulla questa modifica e disconnetti tutti i dispositivi. Poi reimposta la password, perché qualcun altro potrebbe conoscerla.',
      submit: 'Annulla la modifica e disconnetti tutto',
      doneTitle: 'Modifica annullata',
      done: 'Tutti i tuoi dispositivi sono stati disconnessi. Chi ha fatto la modifica potrebbe conoscere ancora la tua password: reimpostala adesso.',
      reset: 'Reimposta password',
    },
  },

  secondFactor: {
    setUpTitle: 'Configura la verifica in due passaggi',
    setUpLead: 'Per accedere ti serve la verifica in due passaggi.',
    setUpLeadFor: (app) => `Per continuare su ${app} ti serve la verifica in due passaggi.`,
    withApp: 'Usa invece un’app di autenticazione',
    code: 'Codice di 6 cifre dell’app',
    password: 'Password attuale',
    passwordHint: 'Per confermare la tua identità.',
    submit: 'Attiva e continua',
    wrongCode:
      'Il codice non è corretto. I codici cambiano ogni 30 secondi: controlla che l’ora del telefono sia esatta.',
    verifyTitle: 'Verifica in due passaggi',
    verifyLead: 'Inserisci il codice dell’app di autenticazione o un codice di recupero.',
    verifyLeadPasskeyOnly: 'Usa la tua passkey o inserisci un codice di recupero.',
    signingInAs: (email) => `Stai accedendo come ${email}.`,
    signedInAs: (email) => `Accesso eseguito come ${email}.`,
    signOut: 'Esci',
    codesTitle: 'Salva i codici di recupero',
    codesLead: `${eachCode} Salva i codici adesso: non potrai più visualizzarli.`,
    codesDone: 'Ho salvato i codici',
    usedTitle: 'Hai usato un codice di recupero',
    usedLeft: (count) =>
      plural(count, {
        one: 'Te ne resta 1.',
        many: `Te ne restano ${number(count)}.`,
        other: `Te ne restano ${number(count)}.`,
      }),
    lost: 'Hai perso il telefono?',
    remove: 'Rimuovilo',
    continue: 'Continua',
  },

  passwordless: {
    create: 'Crea una passkey',
    lead: 'Accedi con l’impronta digitale, il volto o il blocco schermo. Non devi ricordare nulla.',
    withPassword: 'Usa invece una password',
    failed: 'Non è stato possibile creare la passkey. Riprova.',
    eitherTitle: 'Crea una passkey o scegli una password',
    notByEmail:
      'Usi la verifica in due passaggi, quindi un link via email non basta per creare una passkey. Accedi con la tua passkey o contatta l’amministratore.',
    createdTitle: 'Passkey creata',
    created:
      'Accedi con la tua passkey. I metodi di accesso aggiunti negli ultimi 7 giorni sono sospesi finché non li controlli.',
    over: 'Qui le password non funzionano più. Accedi in un altro modo o crea una passkey con un link via email.',
    byEmail: 'Crea una passkey tramite email',
    byEmailLead:
      'Ti invieremo via email un link per creare una passkey. Può essere usato una sola volta e scade dopo 30 minuti.',
    ask: 'Qui le passkey stanno sostituendo le password. Con una passkey accedi con l’impronta digitale, il volto o il blocco schermo.',
    askUntil: (day) => `La tua password funziona fino al ${day}.`,
    notNow: 'Non ora',
    remove: 'Rimuovi password',
    removeLead: 'Accedi solo con la tua passkey. Puoi impostare di nuovo una password in qualsiasi momento.',
    removeFor: 'Qui le password non si usano più. Accederai con la tua passkey.',
    removeNeeds:
      'Per rimuovere la password, aggiungi prima una passkey e salva i codici di recupero oppure aggiungi una seconda passkey.',
    none: 'Non hai una password. Accedi con una passkey.',
    notUsed: 'Qui le password non si usano.',
    reviewLead: (day) =>
      `Hai creato una passkey per rientrare nel tuo account (${day}) e tutti i tuoi dispositivi sono stati disconnessi. Controlla che cosa ha ancora accesso al tuo account.`,
    linkEmail: {
      subject: 'Crea una passkey',
      text: 'Apri questo link per creare una passkey per il tuo account. Può essere usato una sola volta e scade dopo 30 minuti.',
      action: 'Crea passkey',
    },
    removedEmail: {
      subject: 'La tua password è stata rimossa',
      text: 'La password del tuo account è stata rimossa. Ora accedi con una passkey e gli altri tuoi dispositivi sono stati disconnessi.',
    },
    reviewRemoveLead:
      'Rimuovi tutti i metodi di accesso (tranne la nuova passkey), tutte le app collegate e tutte le chiavi API che hai creato, e disconnetti tutti gli altri dispositivi.',
  },

  signOut: {
    title: (service) => `Vuoi uscire da ${service}?`,
    askedBy: (app) => `${app} ha chiesto la tua disconnessione.`,
    text: 'Uscirai dall’account in questo browser. L’accesso potrebbe restare attivo nelle app ancora aperte.',
    confirm: 'Esci',
    stay: 'Non uscire',
    noReturn: {
      hint_invalid: notConfirmed,
      client_mismatch: notConfirmed,
      client_missing:
        'Non sappiamo quale app ha aperto questa pagina, quindi il ritorno all’app non è stato possibile.',
      unknown_client:
        'L’app che ha aperto questa pagina non è registrata in questo servizio, quindi il ritorno all’app è stato bloccato.',
      client_revoked:
        'Un amministratore ha disattivato l’accesso a questa app, quindi il ritorno all’app è stato bloccato.',
      post_logout_redirect_uri_mismatch:
        'L’app ha chiesto il reindirizzamento a un URL che non risulta registrato. Per la tua sicurezza, lo abbiamo bloccato.',
    },
    noReturnTodo:
      'Per tornare indietro, apri direttamente l’app. Se il problema persiste, contatta lo sviluppatore dell’app e comunicagli il riferimento riportato sotto.',
  },

  upstreams: {
    continueWith: (label) => `Continua con ${label}`,
    leavingTitle: (label) => `Continua su ${label}`,
    leavingText: (label) => `Stai per essere reindirizzato a ${label}.`,
    failedTitle: (label) => `Accesso con ${label} non riuscito`,
    problems: {
      expired: () => 'Questo accesso è scaduto o è stato iniziato in un altro browser. Ricomincia.',
      canceled: (label) => `L’accesso con ${label} è stato annullato.`,
      unavailable: (label) => `Al momento non è possibile accedere con ${label}. Accedi in un altro modo.`,
      unreachable: (label) => `${label} non ha risposto. Riprova tra qualche minuto o accedi in un altro modo.`,
      invalid: (label) =>
        `${label} ha inviato una risposta che non può essere accettata. Riprova. Se il problema persiste, contatta il tuo amministratore.`,
      notFresh: (label) =>
        `${label} non ti ha chiesto di accedere di nuovo, quindi questo non conferma che sei tu. Riprova.`,
      identityTaken: (label) => `Questo account ${label} è collegato qui a un altro account.`,
      otherPerson: (label) => `Questo account ${label} non è quello collegato al tuo account.`,
      refused: (label) => `Non puoi accedere qui con questo account ${label}.`,
    },
    linkTitle: 'Hai già un account',
    linkText: (email, label) =>
      `Esiste già un account per ${email}. Prima accedi in un altro modo, poi collega ${label} nella sua pagina di sicurezza.`,
    noAccountTitle: 'Nessun account trovato',
    noAccountText: (label) =>
      `Questo account ${label} non è collegato ad alcun account qui. Accedi in un altro modo, poi collegalo nella pagina di sicurezza del tuo account.`,
    otherWay: 'Accedi in un altro modo',
    tryAgain: (label) => `Riprova con ${label}`,
  },

  chooseAccount: {
    title: 'Scegli un account',
    continueTo: (app) => `per continuare su ${app}`,
    continue: 'Continua con questo account',
    other: 'Usa un altro account',
  },

  noAccess: {
    title: (app) => `Non hai accesso a ${app}`,
    signedInAs: 'Accesso eseguito come',
    text: 'Questo account non è tra quelli che possono usare l’app. Chiedi l’accesso all’amministratore o usa un altro account.',
    other: 'Usa un altro account',
    back: (app) => `Torna a ${app}`,
  },

  consent: {
    title: (app) => `Accedi a ${app}`,
    lead: (app) => `${app} riceverà:`,
    changed: (app) => `Le informazioni richieste da ${app} sono cambiate. Controllale prima di continuare.`,
    signedInAs: 'Accesso eseguito come',
    notYou: 'Non sei tu?',
    returnTo: (host) => `Proseguirai su ${host}.`,
    approve: 'Consenti',
    cancel: 'Annulla',
    later: 'Puoi revocare l’autorizzazione in qualsiasi momento in App collegate.',
    noPassword: (app) => `${app} non vede mai la tua password.`,
  },

  scopes: {
    openid: { heading: 'La tua identità', phrase: 'la tua identità' },
    profile: { heading: 'Il tuo profilo', phrase: 'il tuo profilo' },
    email: { heading: 'Il tuo indirizzo email', phrase: 'il tuo indirizzo email' },
  },
  identityHint: 'Un ID univoco con cui l’app ti riconosce quando torni',
  accountId: 'ID account',
  profileChanged: 'Ultimo aggiornamento',
  emailUnverified: 'non verificato',
  claims: {
    name: 'Nome completo',
    given_name: 'Nome',
    family_name: 'Cognome',
    preferred_username: 'Nome utente',
    picture: 'Foto',
    locale: 'Lingua',
  },
  furtherClaims: {
    enteredByYou: 'inserito da te',
    notSet: 'Non impostato',
    none: 'Nessuno',
    yes: 'Sì',
    no: 'No',
    more: (count) =>
      plural(count, { one: 'e un altro', many: `e altri ${number(count)}`, other: `e altri ${number(count)}` }),
    less: 'Mostra meno',
  },

  apps: {
    lead: 'Puoi accedere a queste app con questo account.',
    none: 'Nessuna app collegata.',
    noneHint: (service) => `Qui vengono visualizzate le app a cui accedi con ${service}.`,
    sees: 'Può vedere',
    since: 'Data di collegamento',
    lastUsed: 'Ultimo utilizzo',
    remove: 'Revoca',
    removeNamed: (app) => `Revoca l’autorizzazione di ${app}`,
    removed: 'Autorizzazione revocata.',
    notConnected: 'Questa app era già stata scollegata.',
    removeHint: 'Dopo la revoca, l’autorizzazione ti verrà richiesta di nuovo al prossimo accesso all’app.',
  },

  yourApps: {
    none: 'Ancora nessuna app',
    noneHint: 'Le app che puoi aprire da qui compaiono in questa pagina.',
    more: 'Mostra altro',
    search: 'Cerca app',
    find: 'Cerca',
    notFound: 'Nessuna app corrisponde',
    all: 'Mostra tutte le app',
    profileHint: 'Il tuo nome, la tua foto e il tuo indirizzo email',
    securityHint: 'La tua password, le tue passkey e la verifica in due passaggi',
  },

  signedOut: {
    elsewhere:
      'La sessione nel servizio con cui hai effettuato l’accesso potrebbe essere ancora attiva. Se condividi questo dispositivo, esci anche da lì.',
    title: 'Disconnessione completata',
    text: (service) =>
      `La tua sessione su ${service} in questo browser è terminata. Potrebbe restare attiva nelle app ancora aperte.`,
    again: 'Accedi di nuovo',
  },

  inactivity: {
    disabled: 'Account disattivato per inutilizzo',
    email: {
      subject: 'Il tuo account verrà presto disattivato',
      text: (at) =>
        `Non usi il tuo account da molto tempo. Per mantenerlo, accedi o usa un’applicazione prima di questa data: ${at}. Altrimenti verrà disattivato.`,
      action: 'Accedi per mantenere l’account',
    },
  },

  accessRequests: {
    text: 'Questo account non è tra quelli che possono usare l’app. Puoi richiedere l’accesso o usare un altro account.',
    note: 'Motivo (facoltativo)',
    noteHint: (most) => `Massimo ${most} caratteri. Chi decide sulla tua richiesta potrà leggerlo.`,
    noteProblem: (most) => `Usa al massimo ${most} caratteri di testo semplice.`,
    ask: 'Richiedi l’accesso',
    asked: (day) => `Hai richiesto l’accesso il ${day}. La richiesta è ancora in attesa di una decisione.`,
    told: 'Ti invieremo un’email quando ci sarà una decisione.',
    declined: 'La tua richiesta è stata rifiutata. Puoi richiedere di nuovo l’accesso dopo un giorno.',
    tooMany: 'Oggi hai inviato troppe richieste. Riprova domani.',
    emails: {
      waiting: {
        subject: 'Richieste di accesso',
        text: 'Queste persone richiedono l’accesso:',
        action: 'Esamina le richieste',
      },
      allowed: {
        subject: (app) => `Hai accesso a ${app}`,
        text: (app) => `La tua richiesta è stata approvata. Ora puoi usare ${app}.`,
        action: (app) => `Apri ${app}`,
      },
      declined: {
        subject: 'La tua richiesta di accesso è stata rifiutata',
        text: (app) => `La tua richiesta di accesso a ${app} è stata rifiutata.`,
        reason: 'Motivo indicato:',
      },
    },
  },

  ends: {
    title: 'Fine dell’accesso',
    own: (at) => `Fine del tuo accesso: ${at}.`,
    line: (what, at) => `${what}: ${at}`,
    email: {
      subject: 'Il tuo accesso sta per terminare',
      text: 'Questo accesso sta per terminare. Se ti serve ancora, contatta l’amministratore.',
      account: 'Il tuo account',
      membership: (name) => `Appartenenza al gruppo “${name}”`,
      application: (name) => `Accesso a “${name}”`,
      action: 'Vai al tuo account',
    },
    list: {
      subject: 'Accessi che stanno per terminare',
      text: 'Questi accessi terminano nei prossimi 7 giorni. Per prolungarli, imposta una nuova data.',
      account: (person) => `${person}, account`,
      membership: (person, group) => `${person}, gruppo “${group}”`,
      application: (person, app) => `${person}, applicazione “${app}”`,
      groupApplication: (group, app) => `Gruppo “${group}”, applicazione “${app}”`,
      more: (count) =>
        plural(count, { one: 'E un altro.', many: `E altri ${number(count)}.`, other: `E altri ${number(count)}.` }),
      action: 'Vedi quali accessi stanno per terminare',
    },
  },

  reviews: {
    due: {
      subject: (name) => `Revisione in scadenza: ${name}`,
      text: (name, at) =>
        `La revisione degli accessi “${name}” scade il ${at}. Decidi chi mantiene l’accesso alle tue applicazioni.`,
      left: (count) =>
        plural(count, {
          one: `Resta 1 decisione da prendere.`,
          many: `Restano ${number(count)} di decisioni da prendere.`,
          other: `Restano ${number(count)} decisioni da prendere.`,
        }),
      action: 'Apri la revisione',
    },
  },
  directories: {
    refused: {
      subject: 'Una directory ha tentato di modificare un utente con un ruolo di amministrazione',
      text: 'Una directory ha tentato di modificare utenti che hanno un ruolo di amministrazione. Solo gli amministratori possono modificarli, quindi non è cambiato nulla. Numero di richieste:',
      after:
        'Se qualcuno ha lasciato l’organizzazione, disattiva il suo account. Se non te lo aspettavi, revoca il token SCIM della directory.',
      action: 'Visualizza gli eventi',
    },
  },

  errors: {
    reference: 'Riferimento',
    home: 'Vai al tuo account',
    unknownClient: {
      title: 'Questo link di accesso non è valido',
      text: 'L’app che ha aperto questa pagina non è registrata in questo servizio. Non è stato condiviso nulla.',
      todo: 'Torna all’app e riprova. Se il problema persiste, contatta lo sviluppatore dell’app e comunicagli il riferimento riportato sotto.',
    },
    redirectUri: {
      title: 'Questo link di accesso non è valido',
      text: 'L’app ha chiesto il reindirizzamento a un URL che non risulta registrato. Per la tua sicurezza, lo abbiamo bloccato. Non è stato condiviso nulla.',
      todo: 'Torna all’app e riprova. Se il problema persiste, contatta lo sviluppatore dell’app e comunicagli il riferimento riportato sotto, con cui un amministratore può risalire a entrambi gli URL.',
    },
    clientRevoked: {
      title: 'Questa app non è più disponibile',
      text: 'Un amministratore ha disattivato l’accesso a questa app. Per il tuo account non cambia nulla.',
      todo: 'Contatta lo sviluppatore dell’app o l’amministratore.',
    },
    tooManyApprovals: {
      title: 'Troppi accessi',
      text: 'Hai eseguito l’accesso alle app troppe volte di seguito. Non è stato condiviso nulla.',
      todo: 'Attendi qualche secondo, poi torna all’app e riprova. Se il problema persiste, contatta lo sviluppatore dell’app.',
    },
    tooManyDownloads: {
      title: 'Troppi download',
      text: 'Un altro download dei tuoi dati è ancora in corso, oppure troppe persone stanno scaricando i propri in questo momento.',
      todo: 'Attendi un minuto, poi riprova.',
    },
    formExpired: {
      title: 'Questa pagina è scaduta',
      text: 'L’hai aperta in un altro browser oppure prima di accedere o di uscire, o il tuo browser blocca i cookie. Non è stato modificato nulla.',
      todo: 'Torna indietro e ricomincia. Se il problema persiste, consenti i cookie per questo sito.',
    },
    foreignForm: {
      title: 'Questa richiesta proviene da un altro sito',
      text: 'Un altro sito ha cercato di inviare questo modulo al posto tuo. Non è stato modificato nulla.',
      todo: (baseUrl) => `Se eri tu, apri ${baseUrl} e riprova da lì.`,
    },
    notAdministrator: {
      title: 'Serve l’accesso amministratore',
      text: 'Il tuo account non può visualizzare questa pagina.',
      todo: 'Chiedi l’accesso a un amministratore oppure accedi con un altro account.',
    },
    otherAccount: {
      title: 'Questo link è per un altro account',
      text: 'L’account con cui hai eseguito l’accesso non è quello che ha richiesto la modifica. Non è stato modificato nulla.',
      todo: 'Esci, accedi all’altro account e apri di nuovo il link.',
    },
    badRequest: {
      title: 'Richiesta non leggibile',
      text: 'Il formato della richiesta non è corretto. Non è stato modificato nulla.',
      todo: 'Torna indietro e riprova.',
    },
    notFound: {
      title: 'Pagina non trovata',
      text: 'Il link potrebbe contenere un errore oppure la pagina non esiste più.',
      todo: 'Controlla l’URL o vai al tuo account.',
    },
    methodNotAllowed: {
      title: 'Operazione non possibile qui',
      text: 'Questo URL non accetta questo tipo di richiesta.',
      todo: 'Torna indietro e riprova.',
    },
    tooLarge: {
      title: 'Dimensioni eccessive',
      text: 'La richiesta supera le dimensioni accettate da questo servizio. Non è stato modificato nulla.',
      todo: 'Torna indietro e riprova. Se questa pagina è stata aperta da un’app, contatta il suo sviluppatore.',
    },
    busy: {
      title: 'Il servizio è sovraccarico',
      text: 'Al momento il servizio non può rispondere. Non è stato modificato nulla.',
      todo: 'Attendi qualche secondo, poi ricarica questa pagina.',
    },
    outcomeUnknown: {
      title: 'Non sappiamo se l’operazione è riuscita',
      text: 'Abbiamo perso la connessione al nostro database durante il salvataggio. La modifica potrebbe essere stata salvata.',
      todo: 'Attendi qualche secondo, poi controlla prima di riprovare.',
    },
    fault: {
      title: 'Si è verificato un errore',
      text: 'Il problema dipende da noi. L’errore è stato registrato.',
      todo: 'Riprova. Se il problema persiste, contatta l’amministratore e comunicagli il riferimento riportato sotto.',
    },
  },
};
