// The inspector's text about each step: why it exists, and what a client concludes from the outcome.

import type { Words } from './http-exchange.ts';

const lookAtResponse = { open: ['Response'] } as const;

export const steps = {
  discovery: {
    title: 'Discovery',
    why: 'The application asks Latchkey for its endpoints, and checks that the document is for the right issuer.',
  },
  authorization: {
    title: 'Authorization request',
    why: `The application generates a state, a nonce and a PKCE verifier, stores them on its server, and sends your browser to
      Latchkey. It sends only the SHA-256 hash of the verifier, as the challenge.`,
    ...lookAtResponse,
  },
  redirect: {
    title: 'Redirect from the .php URL',
    why: `The published authorization URL ends in .php and redirects to the page itself. Your browser follows this redirect
      where the application can't see it, so the application requested the same URL once itself, without following it.`,
    detail: true,
  },
  atLatchkey: {
    title: 'You, at Latchkey',
    why: `Only your browser and Latchkey are talking now: the sign-in page, unless you were already signed in, and the consent
      page, unless you had already approved. The application sees none of this, and never sees your password.`,
  },
  callback: {
    title: 'Callback',
    why: `Latchkey sends your browser back. The application first checks that the response belongs to a request it
      made from this browser, and that it comes from the right issuer.`,
    open: ['Request'],
  },
  exchange: {
    title: 'Code exchange',
    why: `The application's server exchanges the code for tokens. The client secret proves which application it is; the verifier
      proves that it started this sign-in.`,
    accepted: 'The code is now used up. The tokens stay on the server, encrypted; the browser never sees them.',
    refused: 'The sign-in ends here. A client lets people start over with a new authorization request.',
    open: ['Request', 'Response'],
  },
  idToken: {
    title: 'ID token',
    why: `It says who signed in. The application trusts it only once every check has passed, and identifies your account by its
      sub, which never changes.`,
    accepted: `Every check passed. An ID token isn't a credential. The server keeps it, encrypted, to tell Latchkey later who
      to sign out.`,
    refused: 'A check failed. A client discards all tokens, and nobody is signed in.',
    open: ['Payload'],
  },
  userinfo: {
    title: 'Userinfo',
    why: 'The access token works at this one endpoint, which returns what you agreed to share.',
    refused: 'Access has ended. A client doesn’t retry: it deletes the tokens and asks people to sign in again.',
    ...lookAtResponse,
  },
  refresh: {
    title: 'Refresh',
    why: 'The refresh token gets a new access token without involving you. It stays the same for 30 days.',
    accepted: 'From now on, the application uses the new access token.',
    refused: 'The grant has ended. A client doesn’t retry: it deletes the tokens and asks people to sign in again.',
    ...lookAtResponse,
  },
  refreshedIdToken: {
    title: 'New ID token',
    why: 'A refresh also returns a new ID token. It’s checked like the first one, and has to be for the same person.',
    accepted: 'Every check passed.',
    refused: 'A check failed. A client discards the new tokens.',
  },
  revocation: {
    title: 'Revocation',
    why: `The application revokes its refresh token. This ends the whole grant, including every access token. The response is
      200 for any token, even one that never existed, so that nobody can find out which tokens exist.`,
    open: ['Request', 'Response'],
  },
  afterRevocation: {
    title: 'Userinfo after the revocation',
    why: 'The access token hasn’t expired, but its grant has ended. The application tries it once more to show this.',
    refused: `A 401 means: send people through authorization again. The application has deleted the tokens, and you're signed
      out of it.`,
    ...lookAtResponse,
  },
  signOut: {
    title: 'Sign-out request',
    why: `The application has ended its own session and deleted the tokens. Now it sends your browser to Latchkey to end your
      session there too; otherwise the next “Sign in” would let you straight back in. The ID token proves that this is your
      session, so Latchkey doesn't ask.`,
    ...lookAtResponse,
  },
  signedOut: {
    title: 'Back from Latchkey',
    why: `Latchkey has ended your session and sends your browser back. It only goes to a post-logout redirect URI that is
      registered for the application, and returns the state unchanged.`,
    open: ['Request'],
  },
  wrongVerifier: {
    title: 'Exchange with the wrong verifier',
    why: 'The code is right, but the verifier isn’t. This is all someone who stole the code could send.',
    refused: 'A stolen code is useless without its verifier. The failed exchange doesn’t use up the code.',
    ...lookAtResponse,
  },
  rightVerifier: {
    title: 'Exchange with the right verifier',
    why: 'The same code again, this time with the verifier that the application has kept since the beginning.',
    accepted: 'The code still worked, so someone else’s guess doesn’t break your sign-in.',
    refused: 'The sign-in ends here. A client lets people start over with a new authorization request.',
    ...lookAtResponse,
  },
  replay: {
    title: 'The same code again',
    why: 'The same exchange a second time, exactly as before.',
    refused: `A code works once. A client never repeats an exchange that succeeded. The tokens from the first exchange keep
      working here; a replay more than ten seconds later would end them too, because the code may have been stolen.`,
    ...lookAtResponse,
  },
  lateExchange: {
    title: 'Late exchange',
    why: 'A code is valid for 60 seconds. The application waited longer than that before exchanging it.',
    accepted: 'The code still worked. The application revokes the tokens.',
    refused: 'The code has expired. A client lets people start over with a new authorization request.',
    open: ['Request', 'Response'],
  },
  refreshAfterRemoval: {
    title: 'Refresh after removal',
    why: 'You removed the application’s access. The application tries to refresh, once.',
    accepted: 'It still works: the application hasn’t been removed. Remove it under Connected apps, then try again.',
    refused: 'A failed refresh means that the grant has ended. A client doesn’t retry.',
    ...lookAtResponse,
  },
  userinfoAfterRemoval: {
    title: 'Userinfo after removal',
    why: 'The access token hasn’t expired, but it stopped working the moment you removed the application.',
    refused:
      'A client deletes the tokens and asks people to sign in again. The application has done so: you’re signed out of it.',
    ...lookAtResponse,
  },
} as const satisfies Record<string, Words>;

export const cancelled = 'The person canceled. A client says so, signs nobody in, and doesn’t ask again on its own.';
