// The inspector's text about each step: why it exists, and what a client concludes from the outcome.

import type { Words } from './http-exchange.ts';

const lookAtResponse = { open: ['Response'] } as const;

export const steps = {
  discovery: {
    title: 'Discovery',
    why: 'The application asks Latchkey where everything is, and checks that the document speaks for the right issuer.',
  },
  authorization: {
    title: 'The authorization request',
    why: `The application makes up a state, a nonce and a PKCE verifier, keeps them on its server, and sends your browser to
      Latchkey. Of the verifier only the SHA-256 travels, as the challenge.`,
    ...lookAtResponse,
  },
  redirect: {
    title: 'The 301',
    why: `The published address ends in .php and leads to the same page without it. Your browser follows this where the
      application cannot see it, so the application has asked for the same address itself, once, and not gone on.`,
  },
  atLatchkey: {
    title: 'You, at Latchkey',
    why: `Now only your browser and Latchkey talk: the sign-in page, unless you were signed in, and the consent page, unless
      you had approved before. The application sees none of it, least of all your password.`,
  },
  callback: {
    title: 'The callback',
    why: `Latchkey sends your browser back. Before anything else the application checks that the answer belongs to the
      request it sent from this very browser, and that it comes from the right issuer.`,
    open: ['Request'],
  },
  exchange: {
    title: 'The exchange',
    why: `From server to server, the application trades the code for tokens. It proves who it is with its secret, and that it
      began this sign-in with the verifier.`,
    accepted: 'The code is used up now. The tokens stay on the server, encrypted; the browser never sees them.',
    refused: 'The sign-in ends here. The client lets the person start again with a new authorization request.',
    open: ['Request', 'Response'],
  },
  idToken: {
    title: 'The ID token',
    why: `It says who has signed in. The application believes it only after every check, and only then takes its sub, which
      never changes, as the name of your account.`,
    accepted: `Every check has passed. The ID token is not a credential. The server keeps it, encrypted, for one thing: to
      tell Latchkey later whom to sign out.`,
    refused: 'A check has failed. The client throws all the tokens away, and nobody is signed in.',
    open: ['Payload'],
  },
  userinfo: {
    title: 'Userinfo',
    why: 'The access token opens this one address. It answers with what you have agreed to share.',
    refused: `The access is over. A client does not try again: it forgets the tokens and lets the person sign in anew.`,
    ...lookAtResponse,
  },
  refresh: {
    title: 'A refresh',
    why: 'The refresh token gets a new access token without asking you. It stays the same, and lasts 30 days.',
    accepted: 'From now on the application uses the new access token.',
    refused: 'The grant is gone. A client does not try again: it forgets the tokens and lets the person sign in anew.',
    ...lookAtResponse,
  },
  refreshedIdToken: {
    title: 'The new ID token',
    why: 'A refresh brings a new ID token. It is checked like the first one, and it must be about the same person.',
    accepted: 'Every check has passed.',
    refused: 'A check has failed. The client throws the new tokens away.',
  },
  revocation: {
    title: 'The revocation',
    why: `The application gives its refresh token back. That ends the whole grant, with every access token of it. The
      response is 200 for any token, even for one that never was, so that nobody can find out which tokens exist.`,
    open: ['Request', 'Response'],
  },
  afterRevocation: {
    title: 'The 401 that follows',
    why: 'The access token has minutes to live, but its grant is over. The application asks once more, to show it.',
    refused: `A 401 means: send the person through authorization again. The application has forgotten the tokens, and you are
      signed out of it.`,
    ...lookAtResponse,
  },
  signOut: {
    title: 'The sign-out',
    why: `The application has ended its own session and forgotten the tokens. Now it sends your browser to Latchkey, to end
      your session there, too: otherwise the next “Sign in” would let you in without a question. The ID token shows that
      you are the person this is about, so Latchkey does not ask.`,
    ...lookAtResponse,
  },
  signedOut: {
    title: 'Back from Latchkey',
    why: `Latchkey has ended your session and sends your browser back. It goes only to a post-logout redirect URI that is
      registered for the application, and brings the state along as it was sent.`,
    open: ['Request'],
  },
  wrongVerifier: {
    title: 'An exchange with a wrong verifier',
    why: 'The code is right, but the verifier is another one: all that a thief of the code could offer.',
    refused: 'A stolen code is worth nothing without its verifier. The failed exchange leaves the code as it was.',
    ...lookAtResponse,
  },
  rightVerifier: {
    title: 'The exchange with the right verifier',
    why: 'The same code again, now with the verifier that the application has kept since the beginning.',
    accepted: 'The code was still good. So a stranger’s guess does not spoil the sign-in of the person it belongs to.',
    refused: 'The sign-in ends here. The client lets the person start again with a new authorization request.',
    ...lookAtResponse,
  },
  replay: {
    title: 'The same code again',
    why: 'The same exchange a second time, exactly as before.',
    refused: `A code works once. A client never repeats an exchange that succeeded. The tokens of the first exchange live on
      here; a replay after more than ten seconds would end them too, because then somebody may have stolen the code.`,
    ...lookAtResponse,
  },
  lateExchange: {
    title: 'An exchange that comes too late',
    why: 'A code lives for 60 seconds. The application has waited longer, and tries the exchange now.',
    accepted: 'The code was still good. The application gives the tokens back.',
    refused: 'The code has expired. The client lets the person start again with a new authorization request.',
    open: ['Request', 'Response'],
  },
  refreshAfterRemoval: {
    title: 'A refresh after the removal',
    why: 'You have taken the application’s access away. The application tries to refresh, once.',
    accepted: 'It still works: the application has not been removed. Remove it under Connected apps, then press again.',
    refused: 'A failed refresh means that the grant is gone. A client does not try again.',
    ...lookAtResponse,
  },
  userinfoAfterRemoval: {
    title: 'Userinfo after the removal',
    why: 'The access token has not expired, but it stopped working in the moment of the removal.',
    refused:
      'A client forgets the tokens and lets the person sign in anew. So has the application: you are signed out of it.',
    ...lookAtResponse,
  },
} as const satisfies Record<string, Words>;

export const cancelled =
  'The person has said no. The client says so in plain words, signs nobody in, and does not ask again by itself.';
