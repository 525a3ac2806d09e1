// Everything that people read on the pages and in emails, in one typed catalogue. Another language is another value of type
// Messages.

import type { Scope } from '../../protocol/oauth/scope.ts';
import { accountMessages } from './account.ts';
import { consoleMessages } from './console.ts';
import { docsMessages } from './docs.ts';
import { emailMessages } from './emails.ts';
import { lazy } from './lazy.ts';
import { recoveryMessages } from './recovery.ts';
import { secondFactorMessages } from './second-factor.ts';
import { signOutMessages } from './sign-out.ts';
import { waitingTime } from './waiting-time.ts';

const day = { day: 'numeric', month: 'long', timeZone: 'UTC' } as const;
const dateFormat = lazy(() => new Intl.DateTimeFormat('en-GB', { ...day, year: 'numeric' }));
const hourFormat = lazy(() => new Intl.DateTimeFormat('en-GB', { ...day, hour: '2-digit', minute: '2-digit' }));
const languageNames = lazy(() => new Intl.DisplayNames(['en'], { type: 'language' }));

export const en = {
  language: 'en',
  product: 'Latchkey',
  skipToContent: 'Skip to content',
  title: (page: string) => `${page} · Latchkey`,

  signIn: {
    title: 'Sign in',
    continueTo: (app: string) => `to continue to ${app}`,
    toAccount: 'to your account',
    email: 'E-mail',
    password: 'Password',
    submit: 'Sign in',
    failed: 'The e-mail address or the password is not right.',
    throttled: (minutes: number) => `Too many attempts have failed. Wait ${waitingTime(minutes)} and try again.`,
    incomplete: 'Enter your e-mail address and your password.',
    forgotten: 'Forgot your password?',
    create: 'Create an account',
    passkey: 'Sign in with a passkey',
    passkeyFailed: 'The passkey was not accepted.',
    keep: 'Keep me signed in',
  },

  account: accountMessages,
  admin: consoleMessages,
  emails: emailMessages,
  recovery: recoveryMessages,
  secondFactor: secondFactorMessages,
  signOut: signOutMessages,
  docs: docsMessages,

  chooseAccount: {
    title: 'Choose an account',
    continueTo: (app: string) => `to continue to ${app}`,
    continue: 'Continue with this account',
    other: 'Use another account',
  },

  noAccess: {
    title: (app: string) => `You don't have access to ${app}`,
    signedInAs: 'Signed in as',
    text: "This account isn't on the list of people who can use it. Ask your administrator for access, or use another account.",
    other: 'Use another account',
    back: (app: string) => `Back to ${app}`,
  },

  consent: {
    title: (app: string) => `Allow ${app} to sign you in?`,
    lead: (app: string) => `${app} will receive:`,
    changed: (app: string) => `What ${app} asks for has changed. Review it before you continue.`,
    signedInAs: 'Signed in as',
    notYou: 'Not you?',
    returnTo: 'You return to',
    approve: 'Allow',
    cancel: 'Cancel',
    later: 'You can remove this at any time under Connected apps.',
    noPassword: (app: string) => `${app} never sees your password.`,
  },

  /** What each scope shares with an application, as a heading and as a phrase in a list. */
  scopes: {
    openid: { heading: 'That it is you', phrase: 'who you are' },
    profile: { heading: 'Your profile', phrase: 'your profile' },
    email: { heading: 'Your e-mail address', phrase: 'your e-mail address' },
  } satisfies Record<Scope, { heading: string; phrase: string }>,
  accountId: 'Identifier of your account',
  profileChanged: 'Last changed',
  emailUnverified: 'not confirmed yet',
  claims: {
    name: 'Name',
    given_name: 'Given name',
    family_name: 'Family name',
    preferred_username: 'Username',
    picture: 'Picture',
    locale: 'Language',
  },

  languageName: (code: string) => languageNames().of(code) ?? code,

  apps: {
    lead: 'These applications can sign you in with this account.',
    none: 'No application is connected to your account.',
    noneHint: 'When you sign in to an application with Latchkey, it appears here.',
    sees: 'Can see',
    since: 'Since',
    lastUsed: 'Last used',
    remove: 'Remove',
    removed: 'The application is removed. Its access has ended.',
    notConnected: 'That application was not connected any more.',
    removeHint: 'A removed application has to ask you again the next time.',
  },

  signedOut: {
    title: 'You are signed out',
    text: 'This browser is no longer signed in to Latchkey. Applications that you opened may still be.',
    again: 'Sign in again',
  },

  errors: {
    reference: 'Reference',
    home: 'Go to your account',
    unknownClient: {
      title: 'This sign-in link is not right',
      text: 'The application that sent you here is not known to this service. Nothing was shared with it.',
      todo: 'Go back to the application and try again. If it happens again, tell its makers, and give them the reference below.',
    },
    redirectUri: {
      title: 'This sign-in link is not right',
      text: 'The application asked us to send you to an address that is not registered for it. To keep you safe, we stopped here. Nothing was shared.',
      todo: 'Go back to the application and try again. If it happens again, tell its makers, and give them the reference below: the administrator finds the two addresses under it.',
    },
    clientRevoked: {
      title: 'This application has been stopped',
      text: 'An administrator has stopped sign-in for this application. Your account is not affected.',
      todo: 'Ask the makers of the application, or the administrator of this service.',
    },
    tooManyApprovals: {
      title: 'Too many sign-ins',
      text: "You've signed in to applications too many times in a row. Nothing was shared.",
      todo: "Wait a few seconds, then go back to the application and try again. If it keeps happening, contact the app's developer.",
    },
    tooManyDownloads: {
      title: 'Too many downloads',
      text: 'Another download of your data is still running, or too many people are downloading theirs right now.',
      todo: 'Wait a minute, then try again.',
    },
    formExpired: {
      title: 'This page is out of date',
      text: 'The form was opened in another browser, or before you signed in or out, or this browser does not keep cookies. Nothing was changed.',
      todo: 'Go back to where you came from and start again. If it happens again, allow cookies for this site.',
    },
    foreignForm: {
      title: 'That did not come from here',
      text: 'Another site tried to send this form for you. Nothing was changed.',
      todo: (baseUrl: string) => `If it was you, open ${baseUrl} and try there.`,
    },
    notAdministrator: {
      title: 'This is for administrators',
      text: 'The account that you are signed in with may not see this page.',
      todo: 'Ask an administrator of this service, or sign in with another account.',
    },
    otherAccount: {
      title: 'This link is for another account',
      text: "You're signed in with a different account than the one that asked for this change. Nothing was changed.",
      todo: 'Sign out, sign in to the other account, and open the link again.',
    },
    doneAlready: {
      title: 'That is done already',
      text: 'This form was sent before. Nothing was done a second time.',
      todo: 'Go back, and reload the page if you want to do it again.',
    },
    badRequest: {
      title: 'We could not read that',
      text: 'The request was malformed. Nothing was changed.',
      todo: 'Go back and try again.',
    },
    notFound: {
      title: 'There is nothing here',
      text: 'The address may be misspelled, or the page is gone.',
      todo: 'Check the address, or go to your account.',
    },
    methodNotAllowed: {
      title: 'That does not work here',
      text: 'This address does not take that kind of request.',
      todo: 'Go back and try again.',
    },
    tooLarge: {
      title: 'That is too much',
      text: 'The request is larger than this service accepts. Nothing was changed.',
      todo: 'Go back to where you came from. If an application sent you here, tell its makers.',
    },
    busy: {
      title: 'We are busy right now',
      text: 'The service cannot answer at the moment. Nothing was changed.',
      todo: 'Wait a few seconds, then reload this page.',
    },
    outcomeUnknown: {
      title: "We can't tell if that worked",
      text: 'We lost the connection to our database while saving. Your change may have been saved.',
      todo: 'Wait a few seconds, then check before you try again.',
    },
    fault: {
      title: 'Something went wrong',
      text: 'The fault is on our side. It has been recorded.',
      todo: 'Try again. If it happens again, tell the administrator, and give them the reference below.',
    },
  },

  dates: {
    day: (at: number) => dateFormat().format(at),
    hour: (at: number) => hourFormat().format(at),
    recently: (at: number, now: number) => {
      const days = Math.floor(now / 86_400_000) - Math.floor(at / 86_400_000);
      return days <= 0 ? 'Today' : days === 1 ? 'Yesterday' : dateFormat().format(at);
    },
  },
};

export type Messages = typeof en;
export type ErrorTopic = Exclude<keyof Messages['errors'], 'reference' | 'home'>;

/** The only language so far. `ui_locales` and the user's own setting would choose here. */
export function messagesFor(): Messages {
  return en;
}
