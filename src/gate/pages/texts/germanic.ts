// English, German and Dutch. German says "Sie", Dutch says "je".

import type { Texts } from '../page.ts';

export const en: Texts = {
  titles: {
    forbidden: "This account can't open this page",
    unknown_host: 'No application is set up here',
    insecure: 'Open this page with https',
    no_cookie: 'The sign-in cookie is missing',
    sign_in_failed: "Couldn't sign you in",
    canceled: 'Sign-in was canceled',
    unavailable: "Sign-in isn't available right now",
    signed_in: "You're signed in",
    sign_out: 'Sign out?',
    signed_out: "You're signed out",
    not_found: 'Page not found',
  },
  texts: {
    forbidden: 'Ask your administrator for access, or use another account.',
    unknown_host: "Check the URL. If it's correct, contact your administrator.",
    insecure:
      'This application is only available over a secure connection. In the address bar, change `http://` to `https://`.',
    no_cookie:
      "Your browser didn't send back the cookie it got when you started signing in. Allow cookies for this site and try again, or open the link in the browser where you started.",
    sign_in_failed:
      'This sign-in took too long, was already finished, or failed. Try again. If it keeps happening, contact your administrator.',
    canceled: 'You need to sign in to open this application.',
    unavailable: "The sign-in service isn't responding. Wait a few seconds, then try again.",
    sign_out: 'This signs you out in this browser. You may stay signed in to applications you have open.',
    signed_out: 'Sign in to open this application again.',
    not_found: 'The link may be mistyped, or the page may no longer exist.',
  },
  forAdministrators: {
    unknown_host: 'For administrators: add this host to the configuration file of `latchkey gate`.',
    insecure:
      'For administrators: if the URL already starts with `https://`, the proxy has to send `X-Forwarded-Proto: https`.',
  },
  signedInAs: 'Signed in as',
  actions: {
    signIn: 'Sign in',
    signOut: 'Sign out',
    otherAccount: 'Use another account',
    tryAgain: 'Try again',
    continue: 'Continue',
    cancel: 'Cancel',
  },
};

export const de: Texts = {
  titles: {
    forbidden: 'Dieses Konto kann diese Seite nicht öffnen',
    unknown_host: 'Hier ist keine App eingerichtet',
    insecure: 'Öffnen Sie diese Seite mit https',
    no_cookie: 'Das Cookie für die Anmeldung fehlt',
    sign_in_failed: 'Die Anmeldung hat nicht funktioniert',
    canceled: 'Die Anmeldung wurde abgebrochen',
    unavailable: 'Die Anmeldung ist gerade nicht möglich',
    signed_in: 'Sie sind angemeldet',
    sign_out: 'Abmelden?',
    signed_out: 'Sie sind abgemeldet',
    not_found: 'Seite nicht gefunden',
  },
  texts: {
    forbidden: 'Bitten Sie Ihren Administrator um Zugriff oder verwenden Sie ein anderes Konto.',
    unknown_host: 'Prüfen Sie die URL. Wenn sie stimmt, wenden Sie sich an Ihren Administrator.',
    insecure:
      'Diese App ist nur über eine sichere Verbindung erreichbar. Ändern Sie in der Adresszeile `http://` in `https://`.',
    no_cookie:
      'Ihr Browser hat das Cookie nicht zurückgeschickt, das er zu Beginn der Anmeldung bekommen hat. Lassen Sie Cookies für diese Website zu und versuchen Sie es noch einmal, oder öffnen Sie den Link in dem Browser, in dem Sie begonnen haben.',
    sign_in_failed:
      'Diese Anmeldung hat zu lange gedauert, war schon abgeschlossen oder ist fehlgeschlagen. Versuchen Sie es noch einmal. Falls das Problem weiterhin auftritt, wenden Sie sich an Ihren Administrator.',
    canceled: 'Um diese App zu öffnen, müssen Sie sich anmelden.',
    unavailable: 'Der Anmeldedienst antwortet nicht. Warten Sie einige Sekunden und versuchen Sie es dann noch einmal.',
    sign_out:
      'Sie werden in diesem Browser abgemeldet. In bereits geöffneten Apps bleiben Sie möglicherweise angemeldet.',
    signed_out: 'Melden Sie sich an, um diese App wieder zu öffnen.',
    not_found: 'Der Link enthält möglicherweise einen Tippfehler oder die Seite gibt es nicht mehr.',
  },
  forAdministrators: {
    unknown_host: 'Für Administratoren: Tragen Sie diesen Host in die Konfigurationsdatei von `latchkey gate` ein.',
    insecure:
      'Für Administratoren: Wenn die URL schon mit `https://` beginnt, muss der Proxy `X-Forwarded-Proto: https` senden.',
  },
  signedInAs: 'Angemeldet als',
  actions: {
    signIn: 'Anmelden',
    signOut: 'Abmelden',
    otherAccount: 'Anderes Konto verwenden',
    tryAgain: 'Noch einmal versuchen',
    continue: 'Weiter',
    cancel: 'Abbrechen',
  },
};

export const nl: Texts = {
  titles: {
    forbidden: 'Dit account kan deze pagina niet openen',
    unknown_host: 'Hier is geen app ingesteld',
    insecure: 'Open deze pagina met https',
    no_cookie: 'De cookie voor het inloggen ontbreekt',
    sign_in_failed: 'Het inloggen is niet gelukt',
    canceled: 'Het inloggen is geannuleerd',
    unavailable: 'Inloggen kan op dit moment niet',
    signed_in: 'Je bent ingelogd',
    sign_out: 'Uitloggen?',
    signed_out: 'Je bent uitgelogd',
    not_found: 'Pagina niet gevonden',
  },
  texts: {
    forbidden: 'Vraag je beheerder om toegang of gebruik een ander account.',
    unknown_host: 'Controleer de URL. Klopt die? Neem dan contact op met je beheerder.',
    insecure:
      'Deze app is alleen bereikbaar via een beveiligde verbinding. Verander in de adresbalk `http://` in `https://`.',
    no_cookie:
      'Je browser heeft de cookie niet teruggestuurd die bij het begin van het inloggen is geplaatst. Sta cookies toe voor deze site en probeer het opnieuw, of open de link in de browser waarin je bent begonnen.',
    sign_in_failed:
      'Deze inlogpoging heeft te lang geduurd, was al voltooid of is mislukt. Probeer het opnieuw. Blijft dit gebeuren? Neem dan contact op met je beheerder.',
    canceled: 'Je moet inloggen om deze app te openen.',
    unavailable: 'De inlogservice reageert niet. Wacht een paar seconden en probeer het dan opnieuw.',
    sign_out: 'Je wordt uitgelogd in deze browser. In apps die al open zijn, blijf je misschien ingelogd.',
    signed_out: 'Log in om deze app weer te openen.',
    not_found: 'Misschien zit er een typefout in de link of bestaat de pagina niet meer.',
  },
  forAdministrators: {
    unknown_host: 'Voor beheerders: voeg deze host toe aan het configuratiebestand van `latchkey gate`.',
    insecure:
      'Voor beheerders: begint de URL al met `https://`, dan moet de proxy `X-Forwarded-Proto: https` meesturen.',
  },
  signedInAs: 'Ingelogd als',
  actions: {
    signIn: 'Inloggen',
    signOut: 'Uitloggen',
    otherAccount: 'Ander account gebruiken',
    tryAgain: 'Opnieuw proberen',
    continue: 'Doorgaan',
    cancel: 'Annuleren',
  },
};
