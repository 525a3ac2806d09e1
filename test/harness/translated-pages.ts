// Pages for everyone, rendered in a language without a service: those that a browser would take long to get to.

import type { AccountFrame } from '../../src/pages/account/account-layout.ts';
import { activityPage } from '../../src/pages/account/activity.ts';
import { connectedAppsPage } from '../../src/pages/account/connected-apps.ts';
import { createPasskeyPage } from '../../src/pages/account/create-passkey.ts';
import { profilePage } from '../../src/pages/account/profile.ts';
import { proofDonePage, proofPage } from '../../src/pages/account/proof.ts';
import { reviewPage } from '../../src/pages/account/review.ts';
import { authenticatorPage, recoveryCodesPage, securityPage } from '../../src/pages/account/security.ts';
import { sessionsPage } from '../../src/pages/account/sessions.ts';
import { yourAppsPage } from '../../src/pages/account/your-apps.ts';
import { messagesIn } from '../../src/pages/languages/languages.ts';
import { errorPage } from '../../src/pages/layout/error-page.ts';
import type { Frame } from '../../src/pages/layout/layout.ts';
import {
  type AskForAccess,
  chooseAccountPage,
  noAccessPage,
  signOutPage,
} from '../../src/pages/oauth/account-question.ts';
import { consentPage } from '../../src/pages/oauth/consent.ts';
import { signedOutPage } from '../../src/pages/sign-in/dead-ends.ts';
import { emailCodePage, recoveryNeededPage } from '../../src/pages/sign-in/email-code.ts';
import {
  emailSentPage,
  finishSignUpPage,
  linkExpiredPage,
  newPasswordPage,
  passkeyCreatedPage,
  passwordResetPage,
  setUpLinkSentPage,
  undoFactorPage,
} from '../../src/pages/sign-in/emailed-links.ts';
import { secondStepPage } from '../../src/pages/sign-in/second-step.ts';
import { savedCodesPage, setUpFactorPage, usedCodePage, verifyPage } from '../../src/pages/sign-in/set-up-factor.ts';
import type { LanguageTag } from '../../src/protocol/languages.ts';

const everyAsking: readonly AskForAccess[] = [
  { kind: 'form', ticket: '', note: 'x', limit: 300, isRefused: true },
  { kind: 'open', askedAt: 0, told: true },
  { kind: 'declined' },
  { kind: 'too_many' },
];
const account = { name: 'Ada Lovelace', email: 'ada@example.com', administrator: true };
const url = 'https://photos.example';
const app = {
  name: 'Photo album',
  logoUrl: undefined,
  links: { client_uri: url, policy_uri: url, tos_uri: url, launch_url: url },
};
const codes = ['5xgk-nwsr-1g3a-gzwt', '8w2c-q4ht-6ydm-0rvn'];
const paused = [
  { kind: 'authenticator', value: '', createdAt: 0 },
  { kind: 'passkey', value: '', name: 'Laptop', createdAt: 0 },
  { kind: 'recovery_codes', value: '', createdAt: 0 },
] as const;
const session = { id: '1', current: false, device: 'Firefox on Windows', address: '192.0.2.1', createdAt: 0 };
const key = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const links = { support: url, terms: url, privacy: url };

export function translatedPages(tag: LanguageTag): Record<string, string> {
  const messages = messagesIn(tag);
  const { account: m } = messages;
  const frame: Frame = {
    messages,
    brand: {
      name: 'Latchkey',
      logo: undefined,
      monogram: undefined,
      favicon: undefined,
      stylesheet: undefined,
      colors: undefined,
      links,
      signInMessage: '',
    },
    returnTo: '/',
    assets: {
      stylesheet: '',
      consoleStylesheet: '',
      icon: '',
      scripts: {
        passkeys: '',
        copy: '',
        passwords: '',
        times: '',
        files: '',
        poll: '',
        questions: '',
        picks: '',
        ends: '',
        names: '',
        follows: '',
        notices: '',
        previews: '',
        search: '',
      },
    },
  };
  const own: AccountFrame = { ...frame, account, formToken: '' };
  const problem = m.passwordProblems.personal;
  const now = 0;
  const claims = {
    sub: '4',
    name: account.name,
    given_name: 'Ada',
    family_name: 'Lovelace',
    locale: tag,
    updated_at: 7,
    email: account.email,
    email_verified: false,
  };
  const groups = Array.from({ length: 200 }, (_, index) => `Team ${index}`);
  const further = [true, false, undefined, 5, 'Sales', [], ['Admins', 'Staff'], groups].map((value) => ({
    label: 'department',
    value,
    selfAsserted: true,
  }));
  const codeForms = { authenticator: true, passkeys: true, problem: m.secondStep.tooManyCodes(14) };
  const identity = { issuer: 'https://id.acme.example', subject: '1', label: 'Acme', linkedAt: 0, disabled: false };
  const identities = {
    linked: [
      { ...identity, email: 'ada@acme.example', lastUsedAt: 0, canUnlink: true },
      { ...identity, email: null, lastUsedAt: null, disabled: true, canUnlink: false },
    ],
    linkable: [{ name: 'google', label: 'Google' }],
    canLink: true,
  };
  const sessions = [
    { ...session, lastSeenAt: 0 },
    { ...session, current: true, lastSeenAt: 0 },
  ];
  const event = { id: '1', at: 0, address: '192.0.2.1', requestId: '', detail: { device: 'Firefox on Windows' } };
  return {
    'second step': secondStepPage(frame, { app, ticket: '', ...codeForms, trust: true, signInUrl: '/' }),
    'second factor in a session': verifyPage(frame, {
      app,
      email: account.email,
      action: '/',
      ticketField: 'x',
      ticket: '',
      ...codeForms,
      leave: { formToken: '' },
    }),
    'set up two-step verification': setUpFactorPage(frame, {
      app,
      email: account.email,
      uri: 'x',
      key,
      action: '/',
      ticket: '',
      password: { email: account.email, ticket: '' },
      problem: m.authenticator.wrongCode,
      leave: { formToken: '' },
    }),
    'authenticator app': authenticatorPage(own, {
      uri: 'x',
      key,
      sealedSecret: '',
      problem: m.authenticator.wrongCode,
    }),
    'recovery codes': recoveryCodesPage(own, codes),
    'used recovery code': usedCodePage(frame, { left: 9, continueTo: '/' }),
    'recovery codes on the way in': savedCodesPage(frame, { codes, email: account.email, continueTo: '/' }),
    'set-up link sent': setUpLinkSentPage(frame, { email: account.email, outbox: true, signInUrl: '/' }),
    'mail sent': emailSentPage(frame, {
      email: account.email,
      outbox: true,
      action: '/',
      fields: {},
      other: { href: '/' },
    }),
    'finish the sign-up': finishSignUpPage(frame, {
      purpose: 'sign_up',
      email: account.email,
      name: '',
      link: '',
      password: true,
      problems: { name: m.invalidName, password: problem },
    }),
    'link over': linkExpiredPage(frame, '/'),
    'new password': newPasswordPage(frame, {
      action: '/',
      link: '',
      email: account.email,
      ways: { password: true, passkey: 'alone' },
      problem,
    }),
    'new passkey': newPasswordPage(frame, {
      action: '/',
      link: '',
      email: account.email,
      ways: { password: false, passkey: 'after_code' },
      problem: undefined,
      passkeyProblem: messages.passwordless.failed,
    }),
    'no new passkey': newPasswordPage(frame, {
      action: '/',
      link: '',
      email: account.email,
      ways: { password: false, passkey: 'no' },
      problem: undefined,
    }),
    'passkey created': passkeyCreatedPage(frame, { signInUrl: '/', email: account.email, codes }),
    'create a passkey': createPasskeyPage(own, { action: '/', to: '/', until: now, problem: undefined }),
    'password reset': passwordResetPage(frame, '/'),
    'choose account': chooseAccountPage(frame, { app, account, ticket: '' }),
    'no access': noAccessPage(frame, { app, account, ticket: '', location: '/', asking: { kind: 'off' } }),
    ...Object.fromEntries(
      everyAsking.map((asking) => [
        `no access, ${asking.kind}`,
        noAccessPage(frame, { app, account, ticket: '', location: '/', asking }),
      ]),
    ),
    consent: consentPage(frame, {
      app,
      host: 'photos.example',
      account,
      changed: true,
      ticket: '',
      shared: (['openid', 'profile', 'email'] as const).map((scope) => ({ scope, claims })),
      further,
    }),
    'sign out?': signOutPage(frame, { app, account, action: '/', fields: {} }),
    "this wasn't me": undoFactorPage(frame, { addition: 'passkey_added', link: '' }),
    proof: proofPage(own, {
      action: '/',
      held: { name: 'x', value: '' },
      ...codeForms,
      back: '/',
      password: { email: account.email, ticket: '' },
      upstreams: [{ name: 'acme', label: 'Acme' }],
      passwords: true,
    }),
    'proof elsewhere': proofPage(own, {
      action: '/',
      held: { name: 'x', value: '' },
      authenticator: false,
      passkeys: false,
      back: '/',
      password: undefined,
      upstreams: [{ name: 'acme', label: 'Acme' }],
      passwords: true,
    }),
    'no way to prove it': proofPage(own, {
      action: '/',
      held: { name: 'x', value: '' },
      authenticator: false,
      passkeys: false,
      back: '/',
      password: undefined,
      upstreams: [],
      passwords: true,
    }),
    'proof by email': proofPage(own, {
      action: '/',
      held: { name: 'x', value: '' },
      authenticator: true,
      passkeys: false,
      back: '/',
      password: undefined,
      upstreams: [],
      passwords: true,
      email: { asked: 'x' },
      emailCodeProblem: frame.messages.emailCodes.wrong,
    }),
    'code by email': emailCodePage(frame, {
      app,
      email: account.email,
      ticket: '',
      again: { ticket: '', keep: false },
      passwordUrl: '/',
      passwords: true,
      outbox: true,
      problem: frame.messages.emailCodes.spent,
    }),
    'code by email that is not enough': recoveryNeededPage(frame, '/'),
    'proof done': proofDonePage(own, { action: '/', held: { name: 'x', value: '' }, back: '/' }),
    review: reviewPage(own, {
      resetAt: 0,
      hasPassword: true,
      paused,
      hasAuthenticator: true,
      recoveryCodes: 3,
      passkeys: ['Laptop'],
      sessions,
      to: '',
      now,
      apps: [{ app, lastUsedAt: 0 }],
      apiKeys: ['Report'],
      notice: m.notices['method-kept'],
      identities: [{ label: 'GitHub', email: account.email }],
    }),
    security: securityPage(own, {
      authenticator: true,
      recoveryCodes: 3,
      paused,
      breached: true,
      notice: m.notices.password,
      now,
      passkeys: [{ id: '1', name: 'Laptop', createdAt: 0, lastUsedAt: null }],
      canRemovePasskey: true,
      canAddPasskey: true,
      problem: undefined,
      hasPassword: true,
      canSetPassword: true,
      canRemovePassword: true,
      identities,
    }),
    'security without a password': securityPage(own, {
      authenticator: false,
      recoveryCodes: 0,
      paused: [],
      notice: undefined,
      now,
      passkeys: [{ id: '1', name: 'Laptop', createdAt: 0, lastUsedAt: null }],
      canRemovePasskey: false,
      canAddPasskey: false,
      problem: undefined,
      hasPassword: false,
      canSetPassword: true,
      canRemovePassword: false,
      breached: false,
      identities: { ...identities, canLink: false },
    }),
    'signed out elsewhere': signedOutPage(frame, true),
    devices: sessionsPage(own, {
      sessions,
      notice: undefined,
      now,
      trusted: [{ id: '1', current: true, device: 'Firefox on Windows', lastSeenAt: 0, trustedUntil: 0 }],
    }),
    'connected apps': connectedAppsPage(own, {
      notice: 'removed',
      now,
      apps: [{ clientId: '9', app, scopes: ['openid', 'profile', 'email'], further, grantedAt: 0, lastUsedAt: 0 }],
    }),
    'your apps': yourAppsPage(own, {
      apps: [{ app, url }],
      search: '',
      isLater: false,
      next: '9',
      notice: m.notices.welcome,
    }),
    'your apps, none found': yourAppsPage(own, {
      apps: [],
      search: '9',
      isLater: false,
      next: undefined,
      notice: undefined,
    }),
    profile: profilePage(own, {
      profile: { name: account.name, givenName: '', familyName: '', preferredUsername: '', locale: tag },
      picture: undefined,
      email: account.email,
      emailVerified: false,
      managed: false,
      expiresAt: 0,
      attributes: (
        [
          ['text', null, 'characters'],
          ['number', null, 'wrong_kind'],
          ['boolean', null, 'not_allowed'],
          ['list', null, 'too_long'],
          ['list', ['57'], undefined],
        ] as const
      ).map(([kind, allowedValues, problem]) => ({
        name: '57',
        label: '57',
        value: '',
        shown: '',
        kind,
        allowedValues,
        problem,
      })),
      notice: undefined,
      problems: {},
    }),
    activity: activityPage(own, {
      events: (['sign_in_failed', 'second_step_asked', 'password_reset'] as const).map((kind) => ({ ...event, kind })),
      clientNames: new Map(),
      older: '1',
    }),
    'invalid link': errorPage(frame, { topic: 'redirectUri', reference: '30b3fm7xsf9c', baseUrl: url }),
  };
}
