// Dutch, with "je".

import type { Catalogue } from './en.ts';
import { wording } from './wording.ts';

const { plural, number } = wording<'one' | 'other'>('nl');

const waitingTime = (minutes: number) => {
  if (minutes <= 90) return plural(minutes, { one: 'een minuut', other: `${number(minutes)} minuten` });
  const hours = Math.ceil(minutes / 60);
  if (hours <= 48) return plural(hours, { one: 'een uur', other: `${number(hours)} uur` });
  const days = Math.ceil(hours / 24);
  return plural(days, { one: 'een dag', other: `${number(days)} dagen` });
};

const notConfirmed =
  'We konden niet vaststellen welke app je hierheen heeft gestuurd. Daarom hebben we je niet teruggestuurd.';

export const nl: Catalogue = {
  skipToContent: 'Direct naar de inhoud',
  dismiss: 'Sluiten',
  title: (page, service) => `${page} · ${service}`,
  languagePicker: 'Taal',
  links: { support: 'Help', terms: 'Gebruiksvoorwaarden', privacy: 'Privacybeleid' },

  signIn: {
    title: 'Inloggen',
    continueTo: (app) => `Doorgaan naar ${app}`,
    toAccount: 'Doorgaan naar je account',
    email: 'E-mailadres',
    password: 'Wachtwoord',
    submit: 'Inloggen',
    failed: 'Onjuist e-mailadres of wachtwoord.',
    throttled: (minutes) => `Te veel mislukte pogingen. Probeer het over ${waitingTime(minutes)} opnieuw.`,
    incomplete: 'Vul je e-mailadres en wachtwoord in.',
    forgotten: 'Wachtwoord vergeten?',
    create: 'Account maken',
    passkey: 'Inloggen met toegangssleutel',
    passkeyFailed: 'Inloggen met die toegangssleutel is niet gelukt. Probeer het opnieuw of gebruik je wachtwoord.',
    keep: 'Ingelogd blijven',
  },

  emailCodes: {
    send: 'Code per e-mail ontvangen',
    title: 'Check je e-mail',
    lead: (email) =>
      `We hebben een e-mail gestuurd naar ${email}. Vul de code uit die e-mail in. De code werkt één keer, in deze browser, en is 10 minuten geldig.`,
    code: 'Code',
    again: 'Nieuwe code sturen',
    usePassword: 'Je wachtwoord gebruiken',
    wrong: 'De code is onjuist of verlopen.',
    spent: 'Te veel onjuiste codes. Vraag een nieuwe aan.',
    recoveryTitle: 'Vraag het je beheerder',
    recovery:
      'Je e-mailadres is nog nooit geverifieerd en verificatie in twee stappen staat aan voor dit account, dus misschien heeft iemand anders die ingesteld. Vraag je beheerder om verificatie in twee stappen te verwijderen en je een herstellink te geven.',
    proofLead: (email) => `We sturen een code naar ${email}. We vragen het de komende 15 minuten niet nog een keer.`,
    reviewLead: (day) =>
      `Je e-mailadres is op ${day} geverifieerd. Wat daarvoor was ingesteld, zoals een wachtwoord, is verwijderd, omdat iemand anders het kan hebben ingesteld. Controleer wie en wat nog toegang heeft tot je account.`,
    reviewMethods: 'Alleen codes per e-mail.',
    email: {
      subjects: { sign_in: 'Je inlogcode', proof: 'Je bevestigingscode' },
      texts: {
        sign_in:
          'Vul deze code in om in te loggen. De code werkt één keer, in de browser waarin hij is aangevraagd, en verloopt na 10 minuten.',
        proof:
          'Vul deze code in om je identiteit te bevestigen. De code werkt één keer, in de browser waarin hij is aangevraagd, en verloopt na 10 minuten.',
      },
      asked: (device, ipAddress) => `Aangevraagd via: ${device}, IP-adres ${ipAddress}.`,
      warning: 'Was jij dit niet? Dan kun je deze e-mail negeren. Deel de code met niemand.',
    },
    notForYou: {
      subject: 'Log in met je wachtwoord of toegangssleutel',
      text: 'Iemand, waarschijnlijk jij, heeft een code aangevraagd om in te loggen. Je account gebruikt verificatie in twee stappen, dus je hebt je wachtwoord of een toegangssleutel nodig.',
    },
    noAccount:
      'Iemand, waarschijnlijk jij, heeft een inlogcode aangevraagd voor dit e-mailadres, maar er is geen account met dit adres. Misschien heb je een ander e-mailadres gebruikt toen je je account maakte.',
  },

  account: {
    email: 'E-mailadres',
    password: 'Wachtwoord',
    newPassword: 'Nieuw wachtwoord',
    newPasswordHint: 'Minstens 8 tekens. Gebruik bijvoorbeeld een paar willekeurige woorden.',
    name: 'Naam',
    nav: 'Je account',
    signOut: 'Uitloggen',
    signedInAs: 'Ingelogd als',
    menu: 'Menu',
    reveal: {
      show: 'Tonen',
      hide: 'Verbergen',
      showPassword: 'Wachtwoord tonen',
      hidePassword: 'Wachtwoord verbergen',
    },
    file: { choose: 'Bestand kiezen', none: 'Geen bestand gekozen' },
    throttled: (minutes) => `Te veel pogingen. Probeer het over ${waitingTime(minutes)} opnieuw.`,
    invalidName: 'Vul een naam in met minstens één zichtbaar teken en maximaal 100 tekens.',
    invalidEmail: 'Vul een geldig e-mailadres in.',
    managed: 'Dit wordt beheerd door je organisatie.',
    noEmail:
      'Dit is niet beschikbaar omdat deze service nog geen e-mail kan versturen. Neem contact op met je beheerder.',
    passwordProblems: {
      too_short: 'Gebruik minstens 8 tekens.',
      too_long: 'Gebruik maximaal 256 tekens.',
      not_text: 'Dit wachtwoord bevat tekens die je niet kunt gebruiken.',
      common: 'Dit wachtwoord wordt te vaak gebruikt. Kies een ander wachtwoord.',
      personal: 'Je kunt je naam of e-mailadres niet als wachtwoord gebruiken. Kies een ander wachtwoord.',
      breached:
        'Dit wachtwoord komt voor in een datalek en kan bij anderen bekend zijn. Kies een wachtwoord dat je nergens anders gebruikt.',
      not_allowed: 'Je kunt hier geen wachtwoord gebruiken. Maak in plaats daarvan een toegangssleutel.',
    },
    sections: {
      home: 'Je apps',
      profile: 'Profiel',
      security: 'Beveiliging',
      sessions: 'Apparaten',
      apps: 'Gekoppelde apps',
      activity: 'Activiteit',
      data: 'Je gegevens',
    },
    console: 'Beheerdersconsole',
    notices: {
      welcome: 'Welkom! Je account is klaar.',
      profile: 'Profiel opgeslagen.',
      picture: 'Foto bijgewerkt.',
      password: 'Wachtwoord gewijzigd. Je bent uitgelogd op je andere apparaten.',
      authenticator: 'Authenticator-app verwijderd.',
      'authenticator-added': 'Authenticator-app toegevoegd.',
      passkey: 'Toegangssleutel verwijderd.',
      'password-removed': 'Wachtwoord verwijderd. Je bent uitgelogd op je andere apparaten.',
      'password-set': 'Wachtwoord ingesteld. Je bent uitgelogd op je andere apparaten.',
      'identity-linked': 'Account gekoppeld.',
      'identity-unlinked': 'Account ontkoppeld.',
      'passkey-added': 'Toegangssleutel toegevoegd.',
      session: 'Apparaat uitgelogd.',
      sessions: 'Andere apparaten uitgelogd.',
      proof: 'Identiteit bevestigd.',
      untrusted: 'Het apparaat wordt niet meer vertrouwd.',
      'method-kept': 'Inlogmethode behouden.',
      'method-removed': 'Inlogmethode verwijderd.',
      'not-possible': 'Dat is niet gelukt. Misschien is er in een ander venster iets gewijzigd.',
    },

    signUp: {
      title: 'Account maken',
      toContinue: (app) => `Doorgaan naar ${app}`,
      lead: 'We mailen je een link waarmee je je registratie kunt afronden.',
      submit: 'Link sturen',
      haveOne: 'Heb je al een account?',
      closed: 'Bij deze service maakt een beheerder de accounts aan. Vraag je beheerder om een account.',
      finishTitle: 'Je registratie afronden',
      finishLead: (email) => `Je logt straks in met ${email}.`,
      inviteTitle: 'Je bent uitgenodigd',
      setUpTitle: 'Deze service instellen',
      setUpLead: 'Maak het eerste beheerdersaccount.',
      emailTaken: 'Er bestaat al een account met dit e-mailadres.',
      nameHint: 'De naam die apps te zien krijgen.',
      finish: 'Account maken',
    },
    emailSent: {
      title: 'Check je e-mail',
      text: (email) => `We hebben een e-mail gestuurd naar ${email}. Open de link in die e-mail om door te gaan.`,
      hint: 'Na een paar minuten nog niets ontvangen? Kijk in je spammap of probeer het opnieuw.',
      again: 'Opnieuw verzenden',
      other: 'Een ander e-mailadres gebruiken',
      outbox: 'Deze service draait in de ontwikkelmodus: de e-mail staat in het postvak UIT.',
    },
    resetPassword: {
      title: 'Wachtwoord resetten',
      lead: 'We mailen je een link waarmee je een nieuw wachtwoord kunt kiezen. De link werkt één keer en is 30 minuten geldig.',
      submit: 'Link sturen',
      back: 'Terug naar inloggen',
      finishTitle: 'Kies een nieuw wachtwoord',
      finishLead: 'Je wordt hiermee op alle apparaten uitgelogd.',
      finish: 'Wachtwoord instellen',
      doneTitle: 'Wachtwoord gewijzigd',
      done: 'Log in met je nieuwe wachtwoord. Inlogmethoden die in de afgelopen 7 dagen zijn toegevoegd, zijn gepauzeerd totdat je ze hebt gecontroleerd.',
      signIn: 'Inloggen',
    },
    linkExpired: {
      title: 'Deze link is niet meer geldig',
      text: 'Misschien is de link al gebruikt of vervangen door een nieuwere. Er is niets gewijzigd.',
      again: 'Nieuwe link aanvragen',
      askAdministrator: 'Vraag je beheerder om een nieuwe link.',
    },

    secondStep: {
      title: 'Verificatie in twee stappen',
      lead: 'Vul de code uit je authenticator-app of een herstelcode in.',
      leadPasskeyOnly: 'Gebruik je toegangssleutel of vul een herstelcode in.',
      code: 'Code',
      submit: 'Doorgaan',
      passkey: 'Toegangssleutel gebruiken',
      failed: 'Deze code is onjuist of al gebruikt.',
      passkeyFailed: 'Deze toegangssleutel werkte niet. Probeer het opnieuw of vul een code in.',
      tooManyCodes: (minutes) =>
        `Te veel onjuiste codes. Gebruik een herstelcode of een toegangssleutel, of probeer het over ${waitingTime(minutes)} opnieuw.`,
      trust: '30 dagen niet meer om een code vragen op dit apparaat',
      lost: 'Ben je je apparaat en je herstelcodes kwijt? Neem contact op met je beheerder.',
      other: 'Ander account gebruiken',
    },

    proof: {
      leadElsewhere: 'Log opnieuw in om door te gaan. We vragen het de komende 15 minuten niet nog een keer.',
      noWay:
        'We kunnen nu niet bevestigen dat jij het bent: je hebt geen wachtwoord en het account waarmee je inlogt, is niet beschikbaar. Stel eerst via e-mail een wachtwoord in.',
      byEmail: 'Wachtwoord instellen via e-mail',
      confirmedTitle: 'Identiteit bevestigd',
      confirmed: 'Je kunt nu verdergaan met je wijziging.',
      goOn: 'Doorgaan',
      title: 'Bevestig dat jij het bent',
      lead: 'Vul je wachtwoord in om door te gaan. De komende 15 minuten vragen we er niet opnieuw om.',
      leadWithCode:
        'Gebruik verificatie in twee stappen om door te gaan. De komende 15 minuten vragen we er niet opnieuw om.',
      password: 'Wachtwoord',
      submit: 'Bevestigen',
      enterCode: 'Vul je code in.',
      wrongPassword: 'Onjuist wachtwoord.',
      cancel: 'Annuleren',
    },

    profile: {
      pictureElsewhere: (host) => `Je foto komt van ${host}. Hier wordt die niet getoond.`,
      lead: 'Dit zien apps als je je profiel met ze deelt.',
      givenName: 'Voornaam',
      familyName: 'Achternaam',
      username: 'Gebruikersnaam',
      usernameHint:
        'Optioneel. 3 tot 30 tekens, beginnend met een letter. Apps die je profiel zien, kunnen deze naam tonen.',
      usernameTaken: 'Deze gebruikersnaam is al bezet.',
      usernameProblems: {
        too_short: 'Gebruik minstens 3 tekens.',
        too_long: 'Gebruik maximaal 30 tekens.',
        invalid_start: 'Je gebruikersnaam moet met een letter beginnen.',
        invalid_characters: 'Gebruik alleen de letters a tot en met z, cijfers, punten, koppeltekens en underscores.',
      },
      locale: 'Taal',
      noLocale: 'Niet ingesteld',
      save: 'Profiel opslaan',
      invalidLocale: 'Kies een taal uit de lijst.',
      picture: 'Profielfoto',
      pictureHint: 'PNG, JPEG of WebP, maximaal 512 KB. Locatiegegevens worden verwijderd.',
      upload: 'Foto uploaden',
      removePicture: 'Foto verwijderen',
      pictureProblems: {
        not_a_picture: 'Dit bestand is geen PNG-, JPEG- of WebP-afbeelding, of het is beschadigd.',
        too_large: 'Deze foto is groter dan 512 KB.',
        too_many_pixels: 'Deze foto heeft te veel pixels.',
        none: 'Kies eerst een bestand.',
      },
      address: 'E-mailadres',
      verified: 'geverifieerd',
      unverified: 'niet geverifieerd',
      verify: 'E-mailadres verifiëren',
      changeAddress: 'E-mailadres wijzigen',
    },
    attributes: {
      none: 'Niet ingesteld',
      yes: 'Ja',
      no: 'Nee',
      list: "Scheid items met komma's.",
      listOf: (values) => `Scheid items met komma's. Toegestaan: ${values}.`,
      problems: {
        wrong_kind: 'Voer een getal in, bijvoorbeeld 12.5.',
        not_allowed: 'Gebruik alleen de toegestane waarden.',
        too_long: 'Die waarde is te lang.',
        characters: 'Die waarde bevat tekens die niet zijn toegestaan.',
      },
    },
    changeEmail: {
      title: 'Je e-mailadres wijzigen',
      lead: (email) =>
        `Je e-mailadres is ${email}. Het verandert pas als je de link opent die we naar het nieuwe adres sturen.`,
      newAddress: 'Nieuw e-mailadres',
      submit: 'Link sturen',
      same: 'Dit is al je e-mailadres.',
      confirmTitle: 'Bevestig je nieuwe e-mailadres',
      confirmLead: (email, current) => `Je e-mailadres wordt gewijzigd van ${current} in ${email}.`,
      confirm: 'E-mailadres bevestigen',
      changedTitle: 'E-mailadres gewijzigd',
      confirmed: (email) => `Je e-mailadres is nu ${email}. Gebruik dit voortaan om in te loggen.`,
      verifyLead: (email) => `Bevestig dat ${email} je e-mailadres is.`,
      verifiedTitle: 'E-mailadres geverifieerd',
      verified: (email) => `${email} is geverifieerd.`,
      toAccount: 'Naar je account',
      back: 'Terug naar je profiel',
    },
    security: {
      noPassword:
        'Je hebt geen wachtwoord. Met een wachtwoord kun je ook inloggen als je geen toegang meer hebt tot een gekoppeld account.',
      setPassword: 'Wachtwoord instellen',
      authenticatorOffAlone: 'Beveilig je account bij het inloggen met een code uit een app op je telefoon.',
      proof: 'Code uit je authenticator-app of een herstelcode',
      proofByRecoveryCode: 'Herstelcode',
      passwordTitle: 'Wachtwoord',
      changePassword: 'Wachtwoord wijzigen',
      breached:
        'Je wachtwoord komt voor in een datalek bij een andere dienst en kan bij anderen bekend zijn. Wijzig het snel, hier en overal waar je het gebruikt.',
      authenticatorTitle: 'Authenticator-app',
      authenticatorOff:
        'Beveilig je account niet alleen met je wachtwoord, maar ook met een code uit een app op je telefoon.',
      on: 'Aan',
      authenticatorOn: 'Als je inlogt, vragen we je om een code uit je app.',
      setUp: 'Authenticator-app instellen',
      remove: 'Verwijderen',
      removeNamed: (name) => `Toegangssleutel ‘${name}’ verwijderen`,
      removeApp: 'Authenticator-app verwijderen',
      codesTitle: 'Herstelcodes',
      noCodesLeft: 'Je hebt geen herstelcodes meer. Maak nieuwe aan.',
      codesLeft: (count) =>
        plural(count, {
          one: 'Je hebt nog 1 herstelcode. Daarmee kun je één keer inloggen als je je apparaat niet bij de hand hebt.',
          other: `Je hebt nog ${number(count)} herstelcodes. Met elke code kun je één keer inloggen als je je apparaat niet bij de hand hebt.`,
        }),
      newCodes: 'Nieuwe codes maken',
      passkeysTitle: 'Toegangssleutels',
      passkeysLead: 'Log zonder wachtwoord in met je vingerafdruk, gezicht of schermvergrendeling.',
      passkeyName: 'Naam van de toegangssleutel',
      passkeyNameHint: 'Bijvoorbeeld ‘Mijn telefoon’.',
      addPasskey: 'Toegangssleutel toevoegen',
      needsScript: 'Voor toegangssleutels heb je JavaScript nodig en een browser die ze ondersteunt.',
      added: 'Toegevoegd',
      lastUsed: 'Laatst gebruikt',
      never: 'Nooit',
      passkeyFailed: 'De toegangssleutel kon niet worden toegevoegd. Probeer het opnieuw.',
      tooManyPasskeys:
        'Je hebt het maximum van 20 toegangssleutels bereikt. Verwijder er een om een andere toe te voegen.',
      lastWay:
        'Dit is je enige manier om in te loggen. Stel een wachtwoord in of voeg nog een toegangssleutel toe voordat je deze verwijdert.',
      confirmedForPasskey: 'Identiteit bevestigd. Je kunt de toegangssleutel nu toevoegen.',
    },
    identities: {
      title: 'Gekoppelde accounts',
      lead: 'Accounts bij andere diensten waarmee je kunt inloggen.',
      linked: 'Gekoppeld',
      noEmail: 'Geen e-mailadres gedeeld',
      disabled: 'Niet beschikbaar',
      link: (label) => `${label} koppelen`,
      tooMany: 'Je hebt het maximum van 10 gekoppelde accounts bereikt. Ontkoppel er een om een ander te koppelen.',
      unlink: 'Ontkoppelen',
      unlinkNamed: (label) => `${label} ontkoppelen`,
      lastWay:
        'Dit is je enige manier om in te loggen. Stel een wachtwoord in of voeg een toegangssleutel toe voordat je het account ontkoppelt.',
    },
    authenticator: {
      title: 'Een authenticator-app instellen',
      scan: 'Scan deze QR-code met je authenticator-app.',
      alt: 'QR-code met de sleutel voor je authenticator-app',
      orType: 'Of vul deze sleutel in de app in:',
      open: 'Openen in authenticator-app',
      copy: 'Sleutel kopiëren',
      code: '6-cijferige code uit de app',
      submit: 'Aanzetten',
      wrongCode:
        'Deze code is onjuist. De code verandert elke 30 seconden. Controleer dus of de klok van je telefoon goed staat.',
      already: 'Je hebt al een authenticator-app ingesteld. Verwijder die eerst.',
      back: 'Terug naar ‘Beveiliging’',
    },
    codes: {
      title: 'Bewaar je herstelcodes',
      lead: 'Met elke code kun je één keer inloggen als je je apparaat niet bij de hand hebt. Bewaar de codes nu, want je krijgt ze niet nog een keer te zien.',
      done: 'Ik heb de codes bewaard',
      copy: 'Codes kopiëren',
      copied: 'Gekopieerd',
      download: 'Codes downloaden',
      print: 'Codes afdrukken',
      file: (service, email) => `Herstelcodes van ${email} voor ${service}`,
    },
    sessions: {
      lead: 'De apparaten waarop je bent ingelogd.',
      current: 'Dit apparaat',
      since: 'Ingelogd sinds',
      lastSeen: 'Laatst actief',
      from: 'IP-adres',
      end: 'Uitloggen',
      endNamed: (device) => `${device} uitloggen`,
      endOthers: 'Op alle andere apparaten uitloggen',
      onlyThis: 'Je bent nergens anders ingelogd.',
      trusted: 'Vertrouwde apparaten',
      trustedLead: 'Als je op deze apparaten inlogt met je wachtwoord, vragen we je niet om een code.',
      trustedUntil: 'Vertrouwd tot',
      lastSignIn: 'Laatst gebruikt',
      untrust: 'Niet meer vertrouwen',
      untrustNamed: (device) => `${device} niet meer vertrouwen`,
    },
    activity: {
      lead: 'Recente activiteit in je account. Herken je iets niet? Wijzig dan je wachtwoord.',
      none: 'Nog geen activiteit.',
      byAdministrator: 'Door een beheerder',
      older: 'Oudere activiteit',
      someApp: 'een app',
    },
    data: {
      downloadTitle: 'Je gegevens downloaden',
      downloadLead: 'Alles wat we over je opslaan, in één JSON-bestand.',
      download: 'Gegevens downloaden',
      deleteTitle: 'Je account verwijderen',
      deleteLead: 'Apps verliezen meteen hun toegang. Je kunt dit niet ongedaan maken.',
      deleteQuestion: (email) => `Account ${email} verwijderen?`,
      deleteText:
        'Je profiel, inlogmethoden en gekoppelde apps worden definitief verwijderd en je wordt op alle apparaten uitgelogd.',
      delete: 'Account verwijderen',
      lastAdministrator: 'Je bent de laatste beheerder. Maak eerst iemand anders beheerder.',
      deletedTitle: 'Account verwijderd',
      deleted:
        'We bewaren alleen dat het account heeft bestaan. Mogelijk hebben apps bewaard wat je met ze hebt gedeeld.',
    },
    ownEvents: {
      signed_in: 'Ingelogd',
      sign_in_failed: 'Mislukte inlogpoging',
      second_step_asked: 'Juist wachtwoord, wacht op verificatie in twee stappen',
      session_raised: 'Identiteit bevestigd met verificatie in twee stappen',
      signed_out: 'Uitgelogd',
      approved: (app) => `Toegang gegeven aan ${app}`,
      let_in: (app) => `Ingelogd bij ${app}`,
      approvals_throttled: (app) => `Te vaak ingelogd bij ${app}; even gepauzeerd`,
      authorization_denied: (app) => `Toegang voor ${app} geweigerd`,
      app_removed: (app) => `Toegang van ${app} ingetrokken`,
      signed_up: 'Account gemaakt',
      user_created: 'Account gemaakt door een beheerder',
      user_password_set: 'Wachtwoord gewijzigd door een beheerder',
      user_disabled: 'Account uitgeschakeld door een beheerder',
      user_expired: 'Toegang tot het account verlopen',
      user_enabled: 'Account ingeschakeld door een beheerder',
      user_approved: 'Account goedgekeurd door een beheerder',
      user_made_administrator: 'Beheerderstoegang gekregen',
      user_administrator_removed: 'Beheerderstoegang ingetrokken',
      user_roles_changed: 'Rollen gewijzigd door een beheerder',
      user_reset_sent: 'Link om het wachtwoord te resetten gestuurd door een beheerder',
      user_recovery_link_made: 'Herstellink gemaakt door een beheerder',
      first_administrator_created: 'Eerste beheerdersaccount gemaakt',
      email_code_requested: 'Inlogcode aangevraagd',
      email_verified_by_code: 'E-mailadres geverifieerd met een code',
      account_claimed: 'Account gereset voor de eigenaar',
      password_reset_requested: 'Wachtwoordreset aangevraagd',
      password_reset: 'Wachtwoord gereset via e-mail',
      password_changed: 'Wachtwoord gewijzigd',
      password_removed: 'Wachtwoord verwijderd',
      password_found_in_breach: 'Wachtwoord gevonden in een datalek',
      profile_changed: 'Profiel bijgewerkt',
      picture_changed: 'Profielfoto bijgewerkt',
      email_change_requested: 'Wijziging van e-mailadres aangevraagd',
      email_changed: 'E-mailadres gewijzigd',
      sessions_ended: 'Uitgelogd op andere apparaten',
      device_trusted: 'Apparaat vertrouwd: inloggen zonder code',
      device_trust_ended: 'Apparaat niet meer vertrouwd',
      authenticator_added: 'Authenticator-app toegevoegd',
      authenticator_removed: 'Authenticator-app verwijderd',
      recovery_codes_replaced: 'Herstelcodes gemaakt',
      recovery_codes_removed: 'Herstelcodes verwijderd',
      recovery_code_used: 'Herstelcode gebruikt',
      passkey_added: (name) => `Toegangssleutel ‘${name}’ toegevoegd`,
      passkey_removed: 'Toegangssleutel verwijderd',
      second_factors_removed: 'Verificatie in twee stappen verwijderd door een beheerder',
      identity_linked: (name) => `Inloggen met ${name} gekoppeld`,
      identity_unlinked: (name) => `Inloggen met ${name} ontkoppeld`,
      factor_undone: 'Toevoegen van inlogmethode ongedaan gemaakt, overal uitgelogd',
      factor_kept: 'Gepauzeerde inlogmethode behouden',
      account_reviewed: 'Toegang tot account gecontroleerd',
      data_downloaded: 'Gegevens gedownload',
      user_edited: 'Profiel gewijzigd door een beheerder',
      user_email_verified: 'E-mailadres geverifieerd door een beheerder',
      grant_ended_by_replay: (app) => `Toegang van ${app} beëindigd omdat een code twee keer is gebruikt`,
    },
    methods: {
      password: 'Wachtwoord',
      password_and_code: 'Wachtwoord en code',
      password_and_recovery_code: 'Wachtwoord en herstelcode',
      password_and_passkey: 'Wachtwoord en toegangssleutel',
      passkey: 'Toegangssleutel',
      password_on_trusted_device: 'Wachtwoord op een vertrouwd apparaat',
      sign_up: 'Eerste login',
      upstream: 'Identiteitsprovider',
      upstream_on_trusted_device: 'Identiteitsprovider op een vertrouwd apparaat',
      upstream_two_factors: 'Identiteitsprovider met verificatie in twee stappen',
      upstream_and_code: 'Identiteitsprovider en code',
      upstream_and_recovery_code: 'Identiteitsprovider en herstelcode',
      upstream_and_passkey: 'Identiteitsprovider en toegangssleutel',
      email_code: 'Code per e-mail',
      email_code_and_code: 'Codes per e-mail en uit een app',
      email_code_and_recovery_code: 'Code per e-mail en herstelcode',
      email_code_and_passkey: 'Code per e-mail en toegangssleutel',
    },
    reasons: {
      wrong_password: 'Onjuist wachtwoord',
      wrong_second_step: 'Onjuiste code na het juiste wachtwoord',
      wrong_password_in_account: 'Onjuist wachtwoord bij het bevestigen van je identiteit',
      wrong_passkey: 'Toegangssleutel niet geaccepteerd',
      wrong_email_code: 'Onjuiste code uit een e-mail',
      unverified_email: 'E-mailadres niet geverifieerd',
      throttled: 'Te veel pogingen',
      disabled: 'Account uitgeschakeld',
      expired: 'Toegang verlopen',
      waiting_for_approval: 'Account wacht op goedkeuring',
      password_over: 'Juist wachtwoord, maar wachtwoorden werken niet meer',
      changed_meanwhile: 'Account tegelijkertijd gewijzigd',
      upstream_identity_taken: 'Gekoppeld aan een ander account',
      upstream_other_person: 'Niet het gekoppelde account',
      upstream_not_fresh: 'De identiteitsprovider vroeg niet om opnieuw in te loggen',
    },
  },

  device: {
    on: (browser, system) => `${browser} op ${system}`,
    unknownOn: (system) => `Onbekende browser op ${system}`,
    unknown: 'Onbekende browser',
  },

  emails: {
    greeting: 'Hallo,',
    ignore: 'Had je deze e-mail niet verwacht? Dan kun je hem negeren.',
    notYou: 'Was jij dit niet? Reset dan meteen je wachtwoord:',
    notYouEither: 'Was jij dit niet? Verwijder dan alles wat je niet herkent en wijzig je wachtwoord:',
    lookAtSecurity: 'Beveiliging controleren',
    finishSignUp: {
      subject: 'Rond je registratie af',
      text: 'Open deze link om je account in te stellen. De link werkt één keer en is 24 uur geldig.',
      action: 'Account maken',
    },
    addressHasAccount: {
      subject: 'Je hebt al een account',
      text: 'Iemand, waarschijnlijk jij, wilde met dit e-mailadres een nieuw account maken, maar er bestaat er al een. Je kunt inloggen of op de inlogpagina je wachtwoord resetten.',
      action: 'Inloggen',
    },
    resetPassword: {
      subject: 'Reset je wachtwoord',
      text: 'Open deze link om een nieuw wachtwoord te kiezen. De link werkt één keer en is 30 minuten geldig.',
      action: 'Wachtwoord resetten',
    },
    invitation: {
      subject: 'Je bent uitgenodigd',
      text: (service) =>
        `Je bent uitgenodigd om een account bij ${service} te maken. Open deze link om je account in te stellen. De link werkt één keer en is 7 dagen geldig.`,
      textFrom: (inviter, service) =>
        `${inviter} heeft je uitgenodigd om een account bij ${service} te maken. Open deze link om je account in te stellen. De link werkt één keer en is 7 dagen geldig.`,
      action: 'Uitnodiging accepteren',
    },
    noAccount: {
      subject: 'Geen account met dit e-mailadres',
      text: 'Iemand, waarschijnlijk jij, wilde het wachtwoord resetten van een account met dit e-mailadres, maar zo’n account bestaat niet. Misschien heb je een ander e-mailadres gebruikt toen je je account maakte.',
      action: 'Ander e-mailadres proberen',
    },
    confirmAddress: {
      subject: 'Bevestig je e-mailadres',
      text: 'Open deze link en log in om dit e-mailadres voor je account te gebruiken. De link werkt één keer en is 24 uur geldig.',
      action: 'E-mailadres bevestigen',
    },
    accountClaimed: {
      subject: 'Je account is gereset',
      text: 'Je hebt laten zien dat dit e-mailadres van jou is. Dat had nog niemand gedaan, dus misschien heeft iemand anders het account ingesteld. Alles erin is verwijderd: het wachtwoord, andere manieren om in te loggen, apparaten en de toegang van apps.',
    },
    passwordChanged: {
      subject: 'Je wachtwoord is gewijzigd',
      text: 'Het wachtwoord van je account is gewijzigd en je bent uitgelogd op je andere apparaten.',
      action: 'Wachtwoord resetten',
    },
    setUpFactor: {
      subject: 'Stel verificatie in twee stappen in',
      text: 'Je hebt ingelogd met je wachtwoord. Je tweede factor kon niet worden overgezet naar deze dienst. Stel verificatie in twee stappen daarom opnieuw in om door te gaan. De link is 30 minuten geldig.',
      action: 'Verificatie instellen',
      notYou:
        'Heb jij niet ingelogd? Dan kent iemand anders je wachtwoord. Open de link niet en reset je wachtwoord op de inlogpagina.',
    },
    passwordBreached: {
      subject: 'Wijzig snel je wachtwoord',
      text: 'Het wachtwoord van je account staat op een lijst met wachtwoorden uit datalekken bij andere diensten. Dat betekent niet dat iemand op je account heeft ingelogd, maar aanvallers proberen wachtwoorden van zulke lijsten uit. Kies een nieuw wachtwoord dat je nergens anders gebruikt:',
      action: 'Wachtwoord wijzigen',
      after: 'Gebruik je hetzelfde wachtwoord ook ergens anders? Wijzig het daar dan ook.',
    },
    addressChangeAsked: {
      subject: 'Wijziging van je e-mailadres aangevraagd',
      text: (email) =>
        `Iemand wil het e-mailadres van je account wijzigen in ${email}. Het verandert zodra de link wordt geopend die we naar dat adres hebben gestuurd.`,
      action: 'Wachtwoord resetten',
    },
    addressChanged: {
      subject: 'Je e-mailadres is gewijzigd',
      text: (email) =>
        `Het e-mailadres van je account is nu ${email}. Was jij dit niet? Neem dan contact op met je beheerder.`,
    },
    factorAdded: {
      texts: {
        authenticator_added: 'Er is een authenticator-app toegevoegd aan je account.',
        passkey_added: 'Er is een toegangssleutel toegevoegd aan je account.',
        recovery_codes_replaced: 'Er zijn nieuwe herstelcodes gemaakt voor je account. De oude werken niet meer.',
      },
      undo: 'Was jij dit niet? Open dan deze link. Daarmee maak je de wijziging ongedaan en word je op alle apparaten uitgelogd. De link werkt één keer en is 7 dagen geldig.',
      action: 'Dit was ik niet',
      ignore: 'Was jij het wel? Dan hoef je niets te doen.',
    },
    secondFactorChanged: {
      subject: 'Je beveiligingsinstellingen zijn gewijzigd',
      authenticator_removed: 'De authenticator-app is verwijderd uit je account.',
      passkey_removed: 'Er is een toegangssleutel verwijderd uit je account.',
      all_factors_removed:
        'Alle inlogmethoden behalve je wachtwoord zijn verwijderd uit je account. Verificatie in twee stappen staat uit.',
      second_factors_removed:
        'Een beheerder heeft de authenticator-app en de toegangssleutels uit je account verwijderd.',
    },
    identityLinked: (label) => `Je kunt nu met ${label} inloggen op je account.`,
    wrongCodes: {
      subject: 'Misschien kent iemand je wachtwoord',
      text: (device, at, ipAddress) =>
        `Iemand heeft je wachtwoord ingevuld en daarna meerdere onjuiste verificatiecodes. Laatste poging: ${device}, ${at}, IP-adres ${ipAddress}. Het inloggen is tot nu toe niet gelukt.`,
      action: 'Wachtwoord resetten',
    },
    recoveryCodeUsed: {
      subject: 'Er is een herstelcode gebruikt',
      text: (device, at, ipAddress) =>
        `Een van je herstelcodes is gebruikt voor je account: ${device}, ${at}, IP-adres ${ipAddress}.`,
    },
    newDevice: {
      subject: 'Nieuwe login op je account',
      text: (device, at, ipAddress) =>
        `Er is ingelogd op je account met een browser die we nog niet kennen: ${device}, ${at}, IP-adres ${ipAddress}.`,
      action: 'Wachtwoord resetten',
    },
    apiKeyCreated: {
      subject: 'Nieuwe API-sleutel',
      text: (name, fromCommandLine) =>
        fromCommandLine
          ? `Er is een API-sleutel met de naam ‘${name}’ gemaakt via de opdrachtregel.`
          : `Er is een API-sleutel met de naam ‘${name}’ gemaakt met je account.`,
      permissions: {
        read: 'De sleutel geeft leestoegang tot alles wat beheerders kunnen zien.',
        write: 'Met de sleutel kunnen personen zonder rol, niet-beveiligde groepen, apps en webhooks worden beheerd.',
        administrator: 'Met de sleutel is alles mogelijk wat beheerders kunnen doen.',
        people: 'Met de sleutel kunnen personen zonder rol en niet-beveiligde groepen worden beheerd.',
        applications: 'Met de sleutel kunnen apps worden beheerd.',
        auditor: 'De sleutel geeft leestoegang tot alles wat beheerders kunnen zien en kan niets wijzigen.',
      },
      expires: (day) => `De sleutel verloopt op ${day}.`,
      neverExpires: 'De sleutel verloopt nooit.',
      notYou: 'Herken je de sleutel niet? Trek deze dan in en wijzig je wachtwoord:',
      action: 'API-sleutels beheren',
    },
    adminAccessChanged: {
      given: {
        subject: 'Je hebt nu beheerderstoegang',
        text: 'Je kunt nu de gebruikers en apps van deze service beheren.',
        action: 'Console openen',
      },
      removed: {
        subject: 'Je beheerderstoegang is ingetrokken',
        text: 'Je kunt de gebruikers en apps van deze service niet meer beheren.',
        action: 'Naar je account',
      },
      changed: {
        subject: 'Je beheerdersrollen zijn gewijzigd',
        text: (roles: string) => `Je rollen in deze service zijn nu: ${roles}.`,
        action: 'Console openen',
      },
      roles: { administrator: 'Beheerder', people: 'Gebruikers', applications: 'Apps', auditor: 'Auditor' },
      notExpected: 'Had je dit niet verwacht? Neem dan contact op met een beheerder.',
    },
    recoveryLinkMade: {
      subject: 'Herstellink voor je account',
      text: 'Een beheerder heeft een link gemaakt waarmee een nieuw wachtwoord voor je account kan worden ingesteld. De link werkt één keer en is 24 uur geldig. Als de link wordt gebruikt, word je op alle apparaten uitgelogd. Heb je niet om hulp gevraagd? Laat het dan je beheerder weten en controleer de activiteit in je account:',
      action: 'Activiteit bekijken',
    },
    accountCreated: {
      subject: 'Je nieuwe account',
      text: (service) =>
        `Er is een account bij ${service} voor je gemaakt. Open deze link om je account in te stellen. De link werkt één keer en is 7 dagen geldig.`,
      textFrom: (inviter, service) =>
        `${inviter} heeft een account bij ${service} voor je gemaakt. Open deze link om je account in te stellen. De link werkt één keer en is 7 dagen geldig.`,
      action: 'Account instellen',
    },
    profileEdited: {
      subject: 'Je profiel is gewijzigd',
      text: (name) =>
        `Een beheerder heeft je profiel gewijzigd. Je naam is nu ${name}. Had je dit niet verwacht? Neem dan contact op met je beheerder.`,
    },
    emailEdited: {
      subject: 'Je e-mailadres is gewijzigd',
      text: (email) =>
        `Een beheerder heeft het e-mailadres van je account gewijzigd in ${email}. Had je dit niet verwacht? Neem dan contact op met je beheerder.`,
    },
    accountDeleted: {
      subject: 'Je account is verwijderd',
      text: 'Je account is op jouw verzoek verwijderd. Apps hebben er geen toegang meer toe.',
    },
  },

  approval: {
    title: 'Wacht op goedkeuring',
    text: 'Je account wacht op goedkeuring.',
    told: 'We mailen je zodra je kunt inloggen.',
    needed: 'Daarna moet een beheerder je account goedkeuren.',
    fullTitle: 'Account maken is niet gelukt',
    full: 'Er kunnen op dit moment geen nieuwe accounts worden gemaakt. Probeer het later opnieuw.',
    emails: {
      approved: {
        subject: 'Je account is goedgekeurd',
        text: (service) => `Je account bij ${service} is goedgekeurd. Je kunt nu inloggen.`,
        action: 'Inloggen',
      },
      declined: {
        subject: 'Je account is niet goedgekeurd',
        text: (service) =>
          `Je aanvraag voor een account bij ${service} is afgewezen en de gegevens die je hebt ingevuld zijn verwijderd. Bericht van de beheerder:`,
      },
      waiting: {
        subject: 'Er wachten mensen op goedkeuring',
        text: (count) =>
          plural(count, {
            one: '1 persoon wacht tot een beheerder het account goedkeurt.',
            other: `${number(count)} mensen wachten tot een beheerder hun account goedkeurt.`,
          }),
        action: 'Aanvragen bekijken',
      },
    },
  },
  signUpLinks: {
    linkNeeded: 'Je hebt een registratielink nodig om een account aan te maken. Vraag je beheerder erom.',
    otherDomain:
      'Met dit e-mailadres kun je geen account aanmaken. Gebruik een ander adres of neem contact op met je beheerder.',
    ended: {
      used_up: 'Deze registratielink is opgebruikt',
      expired: 'Deze registratielink is verlopen',
      revoked: 'Deze registratielink is ingetrokken',
    },
    endedText: 'Je kunt er geen account meer mee aanmaken.',
  },

  recovery: {
    paused: {
      title: 'Gepauzeerde inlogmethoden',
      lead: 'Deze methoden zijn toegevoegd in de 7 dagen voordat je wachtwoord werd gereset. Je kunt er niet mee inloggen totdat je een keuze maakt.',
      names: {
        authenticator: 'Authenticator-app',
        passkey: (name) => `Toegangssleutel ‘${name}’`,
        recovery_codes: 'Herstelcodes',
      },
      added: 'Toegevoegd',
      keep: 'Behouden',
      keepNamed: (method) => `${method} behouden`,
      remove: 'Verwijderen',
      removeNamed: (method) => `${method} verwijderen`,
    },
    review: {
      title: 'Controleer je account',
      lead: (day) =>
        `Je wachtwoord is op ${day} gereset en je bent op alle apparaten uitgelogd. Controleer wie en wat nog toegang heeft tot je account.`,
      methodsTitle: 'Actieve inlogmethoden',
      noMethods: 'Alleen je wachtwoord.',
      authenticator: 'Authenticator-app',
      recoveryCodes: (count) => plural(count, { one: '1 herstelcode', other: `${number(count)} herstelcodes` }),
      devicesTitle: 'Apparaten',
      appsTitle: 'Gekoppelde apps',
      noApps: 'Geen gekoppelde apps.',
      keysTitle: 'API-sleutels die je hebt gemaakt',
      removeTitle: 'Herken je iets niet?',
      removeLead:
        'Verwijder alle inlogmethoden behalve je wachtwoord, alle gekoppelde apps en alle API-sleutels die je hebt gemaakt, en log uit op alle andere apparaten.',
      removesMethods:
        'Je logt dan alleen met je wachtwoord in, totdat je verificatie in twee stappen weer hebt ingesteld.',
      remove: 'Alle andere toegang intrekken',
      doneTitle: 'Klopt alles?',
      done: 'Controle afronden',
    },
    undo: {
      title: 'Was jij dit niet?',
      lead: 'Maak deze wijziging ongedaan en log uit op alle apparaten. Reset daarna je wachtwoord, want misschien kent iemand anders het.',
      submit: 'Ongedaan maken en overal uitloggen',
      doneTitle: 'Wijziging ongedaan gemaakt',
      done: 'Je bent uitgelogd op alle apparaten. Wie dit heeft gedaan, kent misschien nog je wachtwoord. Reset het daarom nu.',
      reset: 'Wachtwoord resetten',
    },
  },

  secondFactor: {
    setUpTitle: 'Verificatie in twee stappen instellen',
    setUpLead: 'Je hebt verificatie in twee stappen nodig om hier in te loggen.',
    setUpLeadFor: (app) => `Je hebt verificatie in twee stappen nodig om door te gaan naar ${app}.`,
    withApp: 'Liever een authenticator-app gebruiken',
    code: '6-cijferige code uit de app',
    password: 'Huidig wachtwoord',
    passwordHint: 'Bevestig dat jij het bent.',
    submit: 'Aanzetten en doorgaan',
    wrongCode:
      'Deze code is onjuist. De code verandert elke 30 seconden. Controleer dus of de klok van je telefoon goed staat.',
    verifyTitle: 'Verificatie in twee stappen',
    verifyLead: 'Vul de code uit je authenticator-app of een herstelcode in.',
    verifyLeadPasskeyOnly: 'Gebruik je toegangssleutel of vul een herstelcode in.',
    signingInAs: (email) => `Je logt in als ${email}.`,
    signedInAs: (email) => `Ingelogd als ${email}.`,
    signOut: 'Uitloggen',
    codesTitle: 'Bewaar je herstelcodes',
    codesLead:
      'Met elke code kun je één keer inloggen als je je apparaat niet bij de hand hebt. Bewaar de codes nu, want je krijgt ze niet nog een keer te zien.',
    codesDone: 'Ik heb de codes bewaard',
    usedTitle: 'Je hebt een herstelcode gebruikt',
    usedLeft: (count) =>
      plural(count, { one: 'Je hebt er nog 1 over.', other: `Je hebt er nog ${number(count)} over.` }),
    lost: 'Telefoon kwijt?',
    remove: 'Verwijder hem',
    continue: 'Doorgaan',
  },

  passwordless: {
    create: 'Toegangssleutel maken',
    lead: 'Log in met je vingerafdruk, gezicht of schermvergrendeling. Je hoeft niets te onthouden.',
    withPassword: 'Liever een wachtwoord gebruiken',
    failed: 'De toegangssleutel kon niet worden gemaakt. Probeer het opnieuw.',
    eitherTitle: 'Maak een toegangssleutel of kies een wachtwoord',
    notByEmail:
      'Je gebruikt verificatie in twee stappen. Daarom is een link via e-mail niet genoeg om een toegangssleutel te maken. Log in met je toegangssleutel of neem contact op met je beheerder.',
    createdTitle: 'Toegangssleutel gemaakt',
    created:
      'Log in met je toegangssleutel. Inlogmethoden die in de afgelopen 7 dagen zijn toegevoegd, zijn gepauzeerd totdat je ze hebt gecontroleerd.',
    over: 'Wachtwoorden werken hier niet meer. Log op een andere manier in of maak een toegangssleutel met een link via e-mail.',
    byEmail: 'Toegangssleutel maken via e-mail',
    byEmailLead:
      'We sturen je een e-mail met een link om een toegangssleutel te maken. De link werkt één keer en is 30 minuten geldig.',
    ask: 'Toegangssleutels vervangen hier wachtwoorden. Hiermee log je in met je vingerafdruk, gezicht of schermvergrendeling.',
    askUntil: (day) => `Je wachtwoord werkt tot en met ${day}.`,
    notNow: 'Niet nu',
    remove: 'Wachtwoord verwijderen',
    removeLead: 'Log alleen nog in met je toegangssleutel. Je kunt altijd weer een wachtwoord instellen.',
    removeFor: 'Wachtwoorden worden hier niet meer gebruikt. Je logt dan in met je toegangssleutel.',
    removeNeeds:
      'Om je wachtwoord te verwijderen, voeg je eerst een toegangssleutel toe en bewaar je je herstelcodes of voeg je een tweede toegangssleutel toe.',
    none: 'Je hebt geen wachtwoord. Je logt in met een toegangssleutel.',
    notUsed: 'Wachtwoorden worden hier niet gebruikt.',
    reviewLead: (day) =>
      `Je hebt op ${day} een toegangssleutel gemaakt om weer toegang te krijgen en je bent op alle apparaten uitgelogd. Controleer wat nog toegang heeft tot je account.`,
    linkEmail: {
      subject: 'Maak een toegangssleutel',
      text: 'Open deze link om een toegangssleutel voor je account te maken. De link werkt één keer en is 30 minuten geldig.',
      action: 'Toegangssleutel maken',
    },
    removedEmail: {
      subject: 'Je wachtwoord is verwijderd',
      text: 'Het wachtwoord van je account is verwijderd. Je logt nu in met een toegangssleutel en je bent uitgelogd op je andere apparaten.',
    },
    reviewRemoveLead:
      'Verwijder alle inlogmethoden behalve je nieuwe toegangssleutel, alle gekoppelde apps en alle API-sleutels die je hebt gemaakt, en log uit op alle andere apparaten.',
  },

  signOut: {
    title: (service) => `Uitloggen bij ${service}?`,
    askedBy: (app) => `${app} wil je uitloggen.`,
    text: 'Je wordt uitgelogd in deze browser. In apps die al open zijn, blijf je misschien ingelogd.',
    confirm: 'Uitloggen',
    stay: 'Ingelogd blijven',
    noReturn: {
      hint_invalid: notConfirmed,
      client_mismatch: notConfirmed,
      client_missing: 'We weten niet welke app je hierheen heeft gestuurd en konden je daarom niet terugsturen.',
      unknown_client:
        'De app die je hierheen heeft gestuurd, is niet geregistreerd bij deze service. Daarom hebben we je niet teruggestuurd.',
      client_revoked: 'Een beheerder heeft inloggen bij deze app geblokkeerd. Daarom hebben we je niet teruggestuurd.',
      post_logout_redirect_uri_mismatch:
        'De app wilde je doorsturen naar een URL die niet voor de app is geregistreerd. Voor je veiligheid hebben we je niet doorgestuurd.',
    },
    noReturnTodo:
      'Open de app zelf om terug te gaan. Blijft dit gebeuren? Neem dan contact op met de ontwikkelaar van de app en vermeld de referentie hieronder.',
  },

  upstreams: {
    continueWith: (label) => `Doorgaan met ${label}`,
    leavingTitle: (label) => `Doorgaan naar ${label}`,
    leavingText: (label) => `Je wordt doorgestuurd naar ${label}.`,
    failedTitle: (label) => `Inloggen met ${label} is niet gelukt`,
    problems: {
      expired: () => 'Deze inlogpoging is verlopen of is in een andere browser gestart. Begin opnieuw.',
      canceled: (label) => `Het inloggen met ${label} is geannuleerd.`,
      unavailable: (label) => `Je kunt op dit moment niet inloggen met ${label}. Log op een andere manier in.`,
      unreachable: (label) =>
        `${label} heeft niet gereageerd. Probeer het over een paar minuten opnieuw of log op een andere manier in.`,
      invalid: (label) =>
        `${label} stuurde een antwoord dat niet kan worden geaccepteerd. Probeer het opnieuw. Neem contact op met je beheerder als dit blijft gebeuren.`,
      notFresh: (label) =>
        `${label} heeft je niet gevraagd om opnieuw in te loggen, dus dit bevestigt niet dat jij het bent. Probeer het opnieuw.`,
      identityTaken: (label) => `Dit ${label}-account is hier aan een ander account gekoppeld.`,
      otherPerson: (label) => `Dit ${label}-account is niet het account dat aan jouw account is gekoppeld.`,
      refused: (label) => `Je kunt hier niet inloggen met dit ${label}-account.`,
    },
    linkTitle: 'Je hebt al een account',
    linkText: (email, label) =>
      `Er is al een account voor ${email}. Log daar eerst op een andere manier in en koppel ${label} dan op de beveiligingspagina.`,
    noAccountTitle: 'Geen account gevonden',
    noAccountText: (label) =>
      `Dit ${label}-account is hier aan geen enkel account gekoppeld. Log op een andere manier in en koppel het dan op de beveiligingspagina van je account.`,
    otherWay: 'Op een andere manier inloggen',
    tryAgain: (label) => `Opnieuw proberen met ${label}`,
  },

  chooseAccount: {
    title: 'Kies een account',
    continueTo: (app) => `Doorgaan naar ${app}`,
    continue: 'Doorgaan met dit account',
    other: 'Ander account gebruiken',
  },

  noAccess: {
    title: (app) => `Je hebt geen toegang tot ${app}`,
    signedInAs: 'Ingelogd als',
    text: 'Dit account heeft geen toestemming om de app te gebruiken. Vraag je beheerder om toegang of gebruik een ander account.',
    other: 'Ander account gebruiken',
    back: (app) => `Terug naar ${app}`,
  },

  consent: {
    title: (app) => `Inloggen bij ${app}`,
    lead: (app) => `${app} krijgt deze gegevens:`,
    changed: (app) => `${app} vraagt nu om andere gegevens. Controleer ze voordat je doorgaat.`,
    signedInAs: 'Ingelogd als',
    notYou: 'Ben jij dit niet?',
    returnTo: (host) => `Je wordt doorgestuurd naar ${host}.`,
    approve: 'Toestaan',
    cancel: 'Annuleren',
    later: 'Je kunt de toegang altijd intrekken onder ‘Gekoppelde apps’.',
    noPassword: (app) => `${app} krijgt je wachtwoord nooit te zien.`,
  },

  scopes: {
    openid: { heading: 'Je identiteit', phrase: 'je identiteit' },
    profile: { heading: 'Je profiel', phrase: 'je profiel' },
    email: { heading: 'Je e-mailadres', phrase: 'je e-mailadres' },
  },
  identityHint: 'Een unieke ID waarmee de app je herkent als je terugkomt',
  accountId: 'Account-ID',
  profileChanged: 'Laatst bijgewerkt',
  emailUnverified: 'niet geverifieerd',
  claims: {
    name: 'Naam',
    given_name: 'Voornaam',
    family_name: 'Achternaam',
    preferred_username: 'Gebruikersnaam',
    picture: 'Profielfoto',
    locale: 'Taal',
  },
  furtherClaims: {
    enteredByYou: 'door jou ingevuld',
    notSet: 'Niet ingevuld',
    none: 'Geen',
    yes: 'Ja',
    no: 'Nee',
    more: (count) => plural(count, { one: 'en nog één', other: `en nog ${number(count)}` }),
    less: 'Minder tonen',
  },

  apps: {
    lead: 'Bij deze apps kun je met dit account inloggen.',
    none: 'Geen gekoppelde apps.',
    noneHint: (service) => `Apps waarbij je inlogt met ${service}, zie je hier.`,
    sees: 'Toegang tot',
    since: 'Gekoppeld sinds',
    lastUsed: 'Laatst gebruikt',
    remove: 'Toegang intrekken',
    removeNamed: (app) => `${app}: toegang intrekken`,
    removed: 'Toegang ingetrokken.',
    notConnected: 'Deze app was al ontkoppeld.',
    removeHint: 'Nadat je de toegang hebt ingetrokken, word je om toestemming gevraagd als je weer bij de app inlogt.',
  },

  yourApps: {
    none: 'Nog geen apps',
    noneHint: 'Apps die je vanaf hier kunt openen, zie je op deze pagina.',
    more: 'Meer tonen',
    search: 'Apps zoeken',
    find: 'Zoeken',
    notFound: 'Geen apps gevonden',
    all: 'Alle apps tonen',
    profileHint: 'Je naam, foto en e-mailadres',
    securityHint: 'Je wachtwoord, toegangssleutels en verificatie in twee stappen',
  },

  signedOut: {
    elsewhere:
      'Je bent mogelijk nog ingelogd bij de dienst waarmee je hebt ingelogd. Log daar ook uit als je dit apparaat met anderen deelt.',
    title: 'Je bent uitgelogd',
    text: (service) =>
      `Je bent in deze browser niet meer ingelogd bij ${service}. In apps die al open zijn, blijf je misschien ingelogd.`,
    again: 'Opnieuw inloggen',
  },

  inactivity: {
    disabled: 'Account uitgeschakeld omdat het niet werd gebruikt',
    email: {
      subject: 'Je account wordt binnenkort uitgeschakeld',
      text: (at) =>
        `Je hebt je account lang niet gebruikt. Als je vóór ${at} niet inlogt en geen applicatie gebruikt, wordt het uitgeschakeld.`,
      action: 'Inloggen en account behouden',
    },
  },

  accessRequests: {
    text: 'Dit account heeft geen toestemming om de app te gebruiken. Je kunt toegang aanvragen of een ander account gebruiken.',
    note: 'Reden (optioneel)',
    noteHint: (most) => `Maximaal ${most} tekens. Wie over je aanvraag beslist, kan dit lezen.`,
    noteProblem: (most) => `Gebruik maximaal ${most} tekens platte tekst.`,
    ask: 'Toegang aanvragen',
    asked: (day) => `Je hebt op ${day} toegang aangevraagd. Er is nog niet over je aanvraag beslist.`,
    told: 'We mailen je zodra er een beslissing is.',
    declined: 'Je aanvraag is afgewezen. Na een dag kun je opnieuw toegang aanvragen.',
    tooMany: 'Je hebt vandaag te veel aanvragen verstuurd. Probeer het morgen opnieuw.',
    emails: {
      waiting: {
        subject: 'Toegangsaanvragen',
        text: 'Deze mensen vragen om toegang:',
        action: 'Aanvragen bekijken',
      },
      allowed: {
        subject: (app) => `Je hebt toegang tot ${app}`,
        text: (app) => `Je aanvraag is goedgekeurd. Je kunt ${app} nu gebruiken.`,
        action: (app) => `${app} openen`,
      },
      declined: {
        subject: 'Je toegangsaanvraag is afgewezen',
        text: (app) => `Je aanvraag voor toegang tot ${app} is afgewezen.`,
        reason: 'De opgegeven reden:',
      },
    },
  },

  ends: {
    title: 'Einde van de toegang',
    own: (at) => `Je toegang eindigt op ${at}.`,
    line: (what, at) => `${what}: ${at}`,
    email: {
      subject: 'Je toegang eindigt binnenkort',
      text: 'Deze toegang eindigt binnenkort. Heb je die nog nodig? Neem dan contact op met je beheerder.',
      account: 'Je account',
      membership: (name) => `Lidmaatschap van de groep ‘${name}’`,
      application: (name) => `Toegang tot ‘${name}’`,
      action: 'Naar je account',
    },
    list: {
      subject: 'Toegang die binnenkort eindigt',
      text: 'Deze toegang eindigt in de komende 7 dagen. Stel een nieuwe datum in om die te verlengen.',
      account: (person) => `${person}, account`,
      membership: (person, group) => `${person}, groep ‘${group}’`,
      application: (person, app) => `${person}, applicatie ‘${app}’`,
      groupApplication: (group, app) => `Groep ‘${group}’, applicatie ‘${app}’`,
      more: (count) => plural(count, { one: 'En nog één.', other: `En nog ${number(count)}.` }),
      action: 'Bekijk wiens toegang binnenkort eindigt',
    },
  },

  reviews: {
    due: {
      subject: (name) => `Controle moet binnenkort klaar zijn: ${name}`,
      text: (name, at) =>
        `De toegangscontrole ‘${name}’ moet klaar zijn op ${at}. Bepaal wie toegang houdt tot je applicaties.`,
      left: (count) =>
        plural(count, {
          one: `Je moet nog 1 beslissing nemen.`,
          other: `Je moet nog ${number(count)} beslissingen nemen.`,
        }),
      action: 'Controle openen',
    },
  },
  directories: {
    refused: {
      subject: 'Een directory probeerde iemand met een beheerdersrol te wijzigen',
      text: 'Een directory probeerde gebruikers met een beheerdersrol te wijzigen. Alleen beheerders kunnen hen wijzigen, dus er is niets veranderd. Aantal verzoeken:',
      after:
        'Is iemand vertrokken? Schakel dan het account uit. Had je dit niet verwacht? Trek dan het SCIM-token van de directory in.',
      action: 'Gebeurtenissen bekijken',
    },
  },

  errors: {
    reference: 'Referentie',
    home: 'Naar je account',
    unknownClient: {
      title: 'Deze inloglink is ongeldig',
      text: 'De app die je hierheen heeft gestuurd, is niet geregistreerd bij deze service. Er zijn geen gegevens met de app gedeeld.',
      todo: 'Ga terug naar de app en probeer het opnieuw. Blijft dit gebeuren? Neem dan contact op met de ontwikkelaar van de app en vermeld de referentie hieronder.',
    },
    redirectUri: {
      title: 'Deze inloglink is ongeldig',
      text: 'De app wilde je doorsturen naar een URL die niet voor de app is geregistreerd. Voor je veiligheid hebben we je niet doorgestuurd. Er zijn geen gegevens gedeeld.',
      todo: 'Ga terug naar de app en probeer het opnieuw. Blijft dit gebeuren? Neem dan contact op met de ontwikkelaar van de app en vermeld de referentie hieronder. Een beheerder kan daarmee beide URL’s opzoeken.',
    },
    clientRevoked: {
      title: 'Deze app is niet meer beschikbaar',
      text: 'Een beheerder heeft inloggen bij deze app geblokkeerd. Dit heeft geen gevolgen voor je account.',
      todo: 'Neem contact op met de ontwikkelaar van de app of met je beheerder.',
    },
    tooManyApprovals: {
      title: 'Te vaak ingelogd',
      text: 'Je bent te vaak achter elkaar ingelogd bij apps. Er zijn geen gegevens gedeeld.',
      todo: 'Wacht een paar seconden, ga terug naar de app en probeer het opnieuw. Blijft dit gebeuren? Neem dan contact op met de ontwikkelaar van de app.',
    },
    tooManyDownloads: {
      title: 'Te veel downloads',
      text: 'Er loopt nog een andere download van je gegevens, of er downloaden nu te veel mensen hun gegevens.',
      todo: 'Wacht een minuut en probeer het dan opnieuw.',
    },
    formExpired: {
      title: 'Deze pagina is verlopen',
      text: 'Je hebt de pagina geopend in een andere browser of voordat je in- of uitlogde, of je browser blokkeert cookies. Er is niets gewijzigd.',
      todo: 'Ga terug en begin opnieuw. Blijft dit gebeuren? Sta dan cookies toe voor deze site.',
    },
    foreignForm: {
      title: 'Dit verzoek kwam van een andere site',
      text: 'Een andere site probeerde dit formulier namens jou te versturen. Er is niets gewijzigd.',
      todo: (baseUrl) => `Was jij het zelf? Open dan ${baseUrl} en probeer het daar opnieuw.`,
    },
    notAdministrator: {
      title: 'Je hebt beheerderstoegang nodig',
      text: 'Met je account kun je deze pagina niet bekijken.',
      todo: 'Vraag een beheerder om toegang of log in met een ander account.',
    },
    otherAccount: {
      title: 'Deze link is voor een ander account',
      text: 'Je bent ingelogd met een ander account dan het account waarmee deze wijziging is aangevraagd. Er is niets gewijzigd.',
      todo: 'Log uit, log in met het andere account en open de link opnieuw.',
    },
    badRequest: {
      title: 'We konden dit verzoek niet lezen',
      text: 'Het verzoek had een ongeldige indeling. Er is niets gewijzigd.',
      todo: 'Ga terug en probeer het opnieuw.',
    },
    notFound: {
      title: 'Pagina niet gevonden',
      text: 'Misschien zit er een typefout in de link of bestaat de pagina niet meer.',
      todo: 'Controleer de URL of ga naar je account.',
    },
    methodNotAllowed: {
      title: 'Dat werkt hier niet',
      text: 'Deze URL accepteert dit soort verzoeken niet.',
      todo: 'Ga terug en probeer het opnieuw.',
    },
    tooLarge: {
      title: 'Dit verzoek is te groot',
      text: 'Het verzoek is groter dan deze service toestaat. Er is niets gewijzigd.',
      todo: 'Ga terug en probeer het opnieuw. Heeft een app je hierheen gestuurd? Neem dan contact op met de ontwikkelaar van de app.',
    },
    busy: {
      title: 'Het is nu erg druk',
      text: 'De service kan op dit moment niet reageren. Er is niets gewijzigd.',
      todo: 'Wacht een paar seconden en laad deze pagina dan opnieuw.',
    },
    outcomeUnknown: {
      title: 'We weten niet of dat is gelukt',
      text: 'De verbinding met onze database viel weg tijdens het opslaan. Misschien is je wijziging wel opgeslagen.',
      todo: 'Wacht een paar seconden en controleer het voordat je het opnieuw probeert.',
    },
    fault: {
      title: 'Er is iets misgegaan',
      text: 'Dit ligt aan ons. De fout is vastgelegd.',
      todo: 'Probeer het opnieuw. Blijft dit gebeuren? Neem dan contact op met je beheerder en vermeld de referentie hieronder.',
    },
  },
};
