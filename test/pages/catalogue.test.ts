// Everything people read comes from the catalogue: rendered with a catalogue that marks its words, no page has others.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { AccountFrame } from '../../src/pages/account-layout.ts';
import { activityPage } from '../../src/pages/activity.ts';
import { changeEmailPage, confirmEmailPage, emailChangedPage } from '../../src/pages/change-email.ts';
import { chooseAccountPage } from '../../src/pages/choose-account.ts';
import { connectedAppsPage } from '../../src/pages/connected-apps.ts';
import { consentPage } from '../../src/pages/consent.ts';
import { errorPage } from '../../src/pages/error.ts';
import type { Frame } from '../../src/pages/layout.ts';
import { type ErrorTopic, en } from '../../src/pages/messages.ts';
import { outboxPage } from '../../src/pages/outbox.ts';
import { accountDeletedPage, ownDataPage } from '../../src/pages/own-data.ts';
import { profilePage } from '../../src/pages/profile.ts';
import { newPasswordPage, passwordResetPage, resetPasswordPage } from '../../src/pages/reset-password.ts';
import { secondStepPage } from '../../src/pages/second-step.ts';
import { authenticatorPage, recoveryCodesPage, securityPage } from '../../src/pages/security.ts';
import { sessionsPage } from '../../src/pages/sessions.ts';
import { signInPage } from '../../src/pages/sign-in.ts';
import { finishSignUpPage, linkOverPage, mailSentPage, signUpPage } from '../../src/pages/sign-up.ts';
import { signedOutPage } from '../../src/pages/signed-out.ts';
import type { EventKind } from '../../src/protocol/event.ts';

/** The same catalogue with every text in brackets; the language stays, because it is markup. */
function marked<Value>(value: Value): Value {
  if (typeof value === 'string') return `[${value}]` as Value;
  if (typeof value === 'function') return ((...args: unknown[]) => marked(value(...args))) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, marked(member)])) as Value;
}

const frame: Frame = {
  messages: { ...marked(en), language: 'en' },
  assets: {
    stylesheet: '/style.css',
    consoleStylesheet: '/console.css',
    icon: '/icon.svg',
    scripts: { passkeys: '/passkeys.js', copy: '/copy.js' },
  },
};
// What comes from people and applications is digits here, so that only the pages' own words have letters.
const app = { name: '1', logoUrl: undefined };
const account = { name: '2', email: '3' };
const own: AccountFrame = { ...frame, account, formToken: '' };
const picture = 'https://latchkey.example/22';
const claims = { sub: '4', name: '5', picture, locale: 'de-AT', email: '6', email_verified: false, updated_at: 7 };

const pages: Record<string, string> = {
  'sign-in': signInPage(frame, {
    ...{ app, email: '', ticket: '', signUp: true },
    problem: frame.messages.signIn.failed,
  }),
  'sign-in without an application': signInPage(frame, {
    ...{ app: undefined, email: '', ticket: '', signUp: false },
    problem: undefined,
  }),
  'choose account': chooseAccountPage(frame, { app, account, ticket: '' }),
  consent: consentPage(frame, {
    app,
    host: '8',
    account,
    shared: [
      { scope: 'openid', claims },
      { scope: 'profile', claims },
      { scope: 'email', claims },
    ],
    ticket: '',
  }),
  'connected apps': connectedAppsPage(own, {
    apps: [{ clientId: '9', face: app, scopes: ['openid', 'email'], grantedAt: 0, lastUsedAt: 0 }],
    notice: 'removed',
    now: 0,
  }),
  'connected apps, none': connectedAppsPage(own, { apps: [], notice: undefined, now: 0 }),
  'signed out': signedOutPage(frame),
  ...accountPages(),
  ...Object.fromEntries(
    Object.keys(en.errors)
      .filter((topic) => topic !== 'reference' && topic !== 'home')
      .map((topic) => [topic, errorPage(frame, { topic: topic as ErrorTopic, reference: '10', baseUrl: '11' })]),
  ),
};

/** Signing up, getting back in, the second step, and the pages of one's own account. */
function accountPages(): Record<string, string> {
  const { account: m } = frame.messages;
  const problem = m.wrongPassword;
  const notice = m.notices.profile;
  const profile = { name: '12', givenName: '', familyName: '', locale: '' };
  const passkeys = [
    { id: '13', name: '14', createdAt: 0, lastUsedAt: null },
    { id: '15', name: '16', createdAt: 0, lastUsedAt: 1 },
  ];
  const security = { authenticator: true, recoveryCodes: 1, passkeys, notice, problem, now: 0 };
  const session = { id: '17', current: false, device: null, address: '192.0.2.1', createdAt: 0, lastSeenAt: 0 };
  const events = (Object.keys(en.account.happenings) as EventKind[]).flatMap((kind) =>
    ['18', ''].map((address) => ({ id: '19', at: 0, kind, clientId: '20', address, requestId: '', detail: {} })),
  );
  const signInUrl = '/39';
  const reset = { email: '', problem, available: true, ticket: '', signInUrl };
  const signUp = { app, email: '', ticket: '', problem, state: 'open', signInUrl } as const;
  const changeEmail = { email: '21', newEmail: '', available: true, problem };
  const secondStep = { app, ticket: '', authenticator: true, passkeys: true, problem, signInUrl };
  const known = { picture, email: '23', emailVerified: false };
  return {
    'sign-up': signUpPage(frame, signUp),
    'sign-up, closed': signUpPage(frame, { ...signUp, app: undefined, state: 'closed' }),
    'sign-up, without mail': signUpPage(frame, { ...signUp, state: 'no_mail' }),
    'finish the sign-up': finishSignUpPage(frame, { purpose: 'sign_up', email: '24', name: '', link: '', problem }),
    invitation: finishSignUpPage(frame, { purpose: 'invite', email: '24', name: '41', link: '', problem }),
    'set-up': finishSignUpPage(frame, { purpose: 'set_up', email: '', name: '', link: '', problem }),
    'mail sent': mailSentPage(frame, { email: '25', outbox: true }),
    'link over': linkOverPage(frame, '/26'),
    'link over, from an administrator': linkOverPage(frame, undefined),
    'reset the password': resetPasswordPage(frame, reset),
    'reset the password, without mail': resetPasswordPage(frame, { ...reset, available: false }),
    'new password': newPasswordPage(frame, { action: '/42', link: '', email: '27', problem }),
    'password reset': passwordResetPage(frame, signInUrl),
    'second step': secondStepPage(frame, secondStep),
    'second step, passkey only': secondStepPage(frame, { ...secondStep, app: undefined, authenticator: false }),
    'second step, app only': secondStepPage(frame, { ...secondStep, passkeys: false }),
    profile: profilePage(own, { profile, ...known, notice, problem }),
    'profile, bare': profilePage(own, {
      profile,
      ...known,
      picture: undefined,
      emailVerified: true,
      notice,
      problem,
    }),
    'change the address': changeEmailPage(own, changeEmail),
    'change the address, without mail': changeEmailPage(own, { ...changeEmail, available: false }),
    'confirm the address': confirmEmailPage(frame, { email: '28', current: '37', link: '' }),
    'address changed': emailChangedPage(frame, '40'),
    security: securityPage(own, security),
    'security, nothing on': securityPage(own, { ...security, authenticator: false, passkeys: [] }),
    'authenticator app': authenticatorPage(own, { uri: '29', key: '30', sealedSecret: '', problem }),
    'recovery codes': recoveryCodesPage(own, ['31', '32']),
    devices: sessionsPage(own, { sessions: [session, { ...session, current: true }], notice, now: 0 }),
    'devices, this one': sessionsPage(own, { sessions: [{ ...session, current: true }], notice, now: 0 }),
    activity: activityPage(own, { events, apps: new Map([['20', '33']]), older: '38' }),
    'activity, none': activityPage(own, { events: [], apps: new Map(), older: undefined }),
    'own data': ownDataPage(own, problem),
    'account deleted': accountDeletedPage(frame),
    outbox: outboxPage(frame, { mails: [{ at: 0, to: '34', subject: '35', text: '36' }] }),
    'outbox, empty': outboxPage(frame, { mails: [] }),
  };
}

test('every page of src/pages is here', () => {
  const folder = new URL('../../src/pages/', import.meta.url);
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  const makers = sources.flatMap((name) =>
    [...readFileSync(new URL(name, folder), 'utf8').matchAll(/^export function (\w+Page)\b/gm)].map(
      ([, maker]) => maker,
    ),
  );
  const here = readFileSync(new URL(import.meta.url), 'utf8');
  assert.ok(makers.length > 20);
  for (const maker of makers) assert.match(here, new RegExp(`\\b${maker}\\((frame|own)`));
});

for (const [name, page] of Object.entries(pages)) {
  test(`the page "${name}" has no words of its own`, () => {
    // Languages are called by their own names.
    const shown = page.replace(/<option value="[^"]+">[^<]*<\/option>/g, '');
    const text = shown.replace(/<[^>]*>/g, ' ').replaceAll('&quot;', '"');
    const unmarked = text.replace(/\[[^[\]]*(\[[^[\]]*\][^[\]]*)*\]/g, '').replace(/&#?\w+;/g, '');
    // Lists are joined by Intl in the page's language ("a, b and c").
    assert.deepEqual(unmarked.match(/\p{L}+/gu)?.filter((word) => word !== 'and') ?? [], []);
    const attributes = [...page.matchAll(/\s(?:alt|title|placeholder|aria-label|data-failed)="([^"]*)"/g)].map(
      ([, value]) => value,
    );
    for (const value of attributes) assert.match(value ?? '', /^(\[.*\])?$/);
  });
}
