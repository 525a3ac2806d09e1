// Every text on a page comes from the catalogue: rendered with a catalogue that marks its words, no page has others.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { AccountFrame } from '../../src/pages/account/account-layout.ts';
import { activityPage } from '../../src/pages/account/activity.ts';
import { changeEmailPage, confirmEmailPage, emailChangedPage } from '../../src/pages/account/change-email.ts';
import { connectedAppsPage } from '../../src/pages/account/connected-apps.ts';
import { createPasskeyPage } from '../../src/pages/account/create-passkey.ts';
import { accountDeletedPage, deleteAccountPage, ownDataPage } from '../../src/pages/account/own-data.ts';
import { profilePage } from '../../src/pages/account/profile.ts';
import { proofDonePage, proofPage } from '../../src/pages/account/proof.ts';
import { reviewPage } from '../../src/pages/account/review.ts';
import { authenticatorPage, recoveryCodesPage, securityPage } from '../../src/pages/account/security.ts';
import { sessionsPage } from '../../src/pages/account/sessions.ts';
import { yourAppsPage } from '../../src/pages/account/your-apps.ts';
import { apiKeysPage, newApiKeyPage, revokedApiKeyPage } from '../../src/pages/console/api-keys/api-keys.ts';
import { attributePage, attributesPage } from '../../src/pages/console/attributes/attributes.ts';
import { clientAccessPage } from '../../src/pages/console/clients/access-list.ts';
import {
  claimFormPage,
  claimSourcePage,
  claimsPreviewPage,
  clientClaimsPage,
} from '../../src/pages/console/clients/claims.ts';
import {
  clientDangerPage,
  clientSecretsPage,
  clientSettingsPage,
  clientWebhookPage,
  newClientPage,
  newSecretPage,
} from '../../src/pages/console/clients/client.ts';
import { clientsPage } from '../../src/pages/console/clients/client-list.ts';
import { type ConnectPage, connectPage } from '../../src/pages/console/clients/connect.ts';
import { confirmPage, notAllowedPage, shareLinkPage } from '../../src/pages/console/console-layout.ts';
import { type EventsPage, eventsPage } from '../../src/pages/console/events/events.ts';
import type { FormField } from '../../src/pages/console/field-form.ts';
import { groupPage, groupsPage } from '../../src/pages/console/groups/groups.ts';
import { refusedDownloadPage } from '../../src/pages/console/lists.ts';
import { overviewPage } from '../../src/pages/console/overview.ts';
import { newScimTokenPage, scimTokensPage } from '../../src/pages/console/scim/scim-tokens.ts';
import { searchPage } from '../../src/pages/console/search.ts';
import { brandingPage, settingsPage } from '../../src/pages/console/settings/setting-forms.ts';
import { upstreamsPage } from '../../src/pages/console/upstreams/list.ts';
import { choosePresetPage, newUpstreamPage } from '../../src/pages/console/upstreams/new-upstream.ts';
import { type TriedPage, triedPage } from '../../src/pages/console/upstreams/tried.ts';
import { endpointsPage, upstreamPage } from '../../src/pages/console/upstreams/upstream.ts';
import { invitationsPage } from '../../src/pages/console/users/invitations.ts';
import { newSignUpLinkPage, signUpLinksPage } from '../../src/pages/console/users/sign-up-links.ts';
import { userPage } from '../../src/pages/console/users/user.ts';
import type { FilterChoice } from '../../src/pages/console/users/user-filter.ts';
import { editUserPage, newUserPage } from '../../src/pages/console/users/user-forms.ts';
import { usersPage } from '../../src/pages/console/users/user-list.ts';
import { declinePage, waitingPeoplePage } from '../../src/pages/console/users/waiting.ts';
import { deliveriesPage, webhookSettingsPage } from '../../src/pages/console/webhooks/webhook.ts';
import { newWebhookPage, webhookSecretPage, webhooksPage } from '../../src/pages/console/webhooks/webhooks.ts';
import { docsPage, docsSearchPage } from '../../src/pages/docs/docs.ts';
import type { NavigationEntry, NavigationGroup } from '../../src/pages/docs/navigation.ts';
import { type ErrorTopic, english as en, type Messages } from '../../src/pages/languages/languages.ts';
import { errorPage } from '../../src/pages/layout/error-page.ts';
import { html } from '../../src/pages/layout/html.ts';
import type { Frame } from '../../src/pages/layout/layout.ts';
import { type Email, emailsIn } from '../../src/pages/mail/emails.ts';
import { outboxPage } from '../../src/pages/mail/outbox.ts';
import { chooseAccountPage, logoutQuestionPage, noAccessPage } from '../../src/pages/oauth/account-question.ts';
import { consentPage } from '../../src/pages/oauth/consent.ts';
import { emailCodePage, recoveryNeededPage } from '../../src/pages/sign-in/email-code.ts';
import {
  emailSentPage,
  factorUndonePage,
  finishSignUpPage,
  linkExpiredPage,
  newPasswordPage,
  passkeyCreatedPage,
  passwordResetPage,
  resetPasswordPage,
  signUpLinkEndedPage,
  signUpPage,
  undoFactorPage,
} from '../../src/pages/sign-in/emailed-links.ts';
import { secondStepPage } from '../../src/pages/sign-in/second-step.ts';
import {
  proofBeforeSetUpPage,
  savedCodesPage,
  setUpFactorPage,
  usedCodePage,
  verifyPage,
} from '../../src/pages/sign-in/set-up-factor.ts';
import { signInPage } from '../../src/pages/sign-in/sign-in.ts';
import { signedOutPage } from '../../src/pages/sign-in/signed-out.ts';
import { leavingPage, upstreamEndPage, upstreamProofPage } from '../../src/pages/sign-in/upstreams.ts';
import { tooManyWaitingPage, waitingPage } from '../../src/pages/sign-in/waiting.ts';
import { type EventKind, eventKinds } from '../../src/protocol/event.ts';
import { type PresetName, upstreamPresets } from '../../src/protocol/upstreams/presets.ts';

/** The catalogue with every text in brackets. The language stays as it is, because it is markup. */
function marked<Value>(value: Value): Value {
  if (typeof value === 'string') return `[${value}]` as Value;
  if (typeof value === 'function') return ((...args: unknown[]) => marked(value(...args))) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, marked(member)])) as Value;
}

const frame: Frame = {
  messages: { ...marked(en), language: 'en' },
  brand: {
    name: '0',
    monogram: undefined,
    logo: undefined,
    favicon: undefined,
    stylesheet: undefined,
    colors: undefined,
    links: { support: 'https://0.0', terms: 'https://0.0', privacy: 'https://0.0' },
    signInMessage: '0',
  },
  returnTo: '/0',
  assets: {
    stylesheet: '/style.css',
    consoleStylesheet: '/console.css',
    icon: '/icon.svg',
    scripts: {
      passkeys: '/passkeys.js',
      copy: '/copy.js',
      passwords: '/passwords.js',
      times: '/times.js',
      files: '/files.js',
      poll: '/poll.js',
      questions: '/questions.js',
      picks: '/picks.js',
      follows: '/follows.js',
      notices: '/notices.js',
      previews: '/previews.js',
      search: '/search.js',
    },
  },
};
// Data of users and clients is digits here, so that only the pages' own words have letters.
const links = { client_uri: 'https://1.1', policy_uri: 'https://1.1', tos_uri: 'https://1.1', launch_url: null };
const app = { name: '1', logoUrl: undefined, links };
const account = { name: '2', email: '3', administrator: true };
const own: AccountFrame = { ...frame, account, formToken: '' };
const picture = 'https://latchkey.example/pictures/22/22';
const claims = { sub: '4', name: '5', picture, locale: 'de-AT', email: '6', email_verified: false, updated_at: 7 };

/** One of each kind of value. */
const further = [true, false, undefined, 5, '6', [], ['7', '8'], Array.from({ length: 11 }, (_, n) => `${n}`)].map(
  (value) => ({ label: '9', value, selfAsserted: true }),
);

const providerEnd = {
  app,
  label: '8',
  again: { name: 'company', ticket: '' },
  leave: { href: '/', label: frame.messages.upstreams.otherWay },
  reference: '8',
};

const emailCode = {
  app,
  email: '8',
  ticket: '',
  again: { ticket: '', keep: true },
  passwordUrl: '/8',
  passwords: true,
  outbox: true,
  problem: frame.messages.emailCodes.wrong,
};

const pages: Record<string, string> = {
  'sign-in': signInPage(frame, {
    keep: true,
    app,
    email: '',
    ticket: '',
    signUp: true,
    emailCode: true,
    upstreams: [{ name: 'company', label: '8', iconUrl: '/upstream-icons/company/1' }],
    problem: frame.messages.signIn.failed,
    passwords: 'allowed',
    passwordOver: false,
  }),
  'sign-in, passwords off': signInPage(frame, {
    keep: true,
    app,
    email: '',
    ticket: '',
    signUp: false,
    upstreams: [],
    problem: frame.messages.passwordless.over,
    emailCode: true,
    passwords: 'off',
    passwordOver: true,
  }),
  'sign-in, passwords over': signInPage(frame, {
    keep: true,
    app,
    email: '',
    ticket: '',
    signUp: false,
    upstreams: [],
    problem: undefined,
    emailCode: false,
    passwords: 'over',
    passwordOver: false,
  }),
  'sign-in without an application': signInPage(frame, {
    keep: true,
    app: undefined,
    email: '',
    ticket: '',
    signUp: false,
    emailCode: false,
    upstreams: [],
    passwords: 'allowed',
    passwordOver: false,
    problem: undefined,
  }),
  'sign-in with a remembered account': signInPage(frame, {
    keep: true,
    app: undefined,
    email: '3',
    remembered: { account, method: { kind: 'upstream', upstream: 'company' } },
    ticket: '',
    signUp: false,
    emailCode: true,
    upstreams: [{ name: 'company', label: '8', iconUrl: undefined }],
    passwords: 'allowed',
    passwordOver: false,
    problem: undefined,
  }),
  'code by email': emailCodePage(frame, emailCode),
  'code by email, without an application': emailCodePage(frame, {
    ...emailCode,
    app: undefined,
    passwords: false,
    outbox: false,
    problem: frame.messages.emailCodes.spent,
  }),
  'code by email that is not enough': recoveryNeededPage(frame, '/'),
  'on the way to an identity provider': leavingPage(frame, { label: '8', url: 'https://8/' }),
  ...Object.fromEntries(
    Object.values(frame.messages.upstreams.problems).map((problem, index) => [
      `provider problem ${index}`,
      upstreamEndPage(frame, { ...providerEnd, ending: { kind: 'problem', text: problem('8') } }),
    ]),
  ),
  'provider account to link': upstreamEndPage(frame, { ...providerEnd, ending: { kind: 'link_needed', email: '8' } }),
  'provider account without an account': upstreamEndPage(frame, { ...providerEnd, ending: { kind: 'no_account' } }),
  'second factor after an identity provider': upstreamProofPage(frame, { ticket: '', back: '/', problem: undefined }),
  'no access': noAccessPage(frame, { app, account, ticket: '', location: '/8' }),
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
    further,
    changed: true,
    ticket: '',
  }),
  'connected apps': connectedAppsPage(own, {
    apps: [{ clientId: '9', app, scopes: ['openid', 'email'], further, grantedAt: 0, lastUsedAt: 0 }],
    notice: 'removed',
    now: 0,
  }),
  'your apps': yourAppsPage(own, { apps: [{ app, url: 'https://8.8' }], next: '9', notice: undefined }),
  'your apps, none': yourAppsPage(own, { apps: [], next: undefined, notice: undefined }),
  'connected apps, none': connectedAppsPage(own, { apps: [], notice: undefined, now: 0 }),
  'signed out': signedOutPage(frame, true),
  'sign out?': logoutQuestionPage(frame, { app, account, ticket: '' }),
  'sign out? asked by nobody knows whom': logoutQuestionPage(frame, { app: undefined, account, ticket: '' }),
  ...Object.fromEntries(
    (Object.keys(en.signOut.noReturn) as (keyof typeof en.signOut.noReturn)[]).map((reason) => [
      `signed out, ${reason}`,
      signedOutPage(frame, false, { reason, reference: '' }),
    ]),
  ),
  ...accountPages(),
  ...consolePages(),
  ...docsPages(),
  ...Object.fromEntries(
    Object.keys(en.errors)
      .filter((topic) => topic !== 'reference' && topic !== 'home')
      .map((topic) => [topic, errorPage(frame, { topic: topic as ErrorTopic, reference: '10', baseUrl: '11' })]),
  ),
};

function docsPages(): Record<string, string> {
  const entry = (name: string, label: string, children: readonly NavigationEntry[] = []) => ({ name, label, children });
  const navigation: readonly NavigationGroup[] = [
    { group: 'start', entries: [entry('103', '104')] },
    { group: 'reference', entries: [entry('105', '106'), entry('decisions', '111', [entry('112', '113')])] },
  ];
  const heading = (depth: number) => ({ depth, text: '114', anchor: '115' });
  const document = { title: '101', body: html`102`, headings: [heading(2), heading(3)] };
  const section = { name: '116', title: '117', heading: '118', anchor: '119' };
  const results = [{ section, excerpt: [{ text: '120', matches: true }] }];
  return {
    documentation: docsPage(frame, { navigation, name: '105', document }),
    'search in the documentation': docsSearchPage(frame, { navigation, query: '121', results, more: true }),
    'search without a result': docsSearchPage(frame, { navigation, query: '121', results: [], more: false }),
    'search without a query': docsSearchPage(frame, { navigation, query: '', results: [], more: false }),
  };
}

/** Sign-up, account recovery, the second step, and the account pages. */
function accountPages(): Record<string, string> {
  const { account: m } = frame.messages;
  const problem = m.proof.wrongPassword;
  const notice = m.notices.profile;
  const problems = { email: problem, name: problem, password: problem };
  const profile = { name: '12', givenName: '', familyName: '', preferredUsername: '', locale: '' };
  const passkeys = [
    { id: '13', name: '14', createdAt: 0, lastUsedAt: null },
    { id: '15', name: '16', createdAt: 0, lastUsedAt: 1 },
  ];
  const paused = [
    { kind: 'authenticator', value: '', createdAt: 0 },
    { kind: 'passkey', value: '', name: '43', createdAt: 0 },
    { kind: 'recovery_codes', value: '', createdAt: 0 },
  ] as const;
  const identity = { issuer: 'https://1.1', subject: '50', label: '51', email: '52', linkedAt: 0, disabled: false };
  const identities = {
    linked: [
      { ...identity, lastUsedAt: null, canUnlink: true },
      { ...identity, email: null, lastUsedAt: 1, disabled: true, canUnlink: false },
    ],
    linkable: [{ name: '53', label: '54' }],
    canLink: true,
  };
  const security = {
    hasPassword: true,
    canSetPassword: true,
    canRemovePassword: false,
    identities,
    breached: false,
    authenticator: true,
    recoveryCodes: 1,
    passkeys,
    canRemovePasskey: true,
    canAddPasskey: true,
    paused: [],
    reviewDue: false,
    notice,
    problem,
    now: 0,
  };
  const session = { id: '17', current: false, device: null, address: '192.0.2.1', createdAt: 0, lastSeenAt: 0 };
  const events = (Object.keys(en.account.ownEvents) as EventKind[]).flatMap((kind) =>
    ['18', ''].map((address) => ({ id: '19', at: 0, kind, clientId: '20', address, requestId: '', detail: {} })),
  );
  const trusted = [true, false].map((current) => ({ id: '49', current, device: null, lastSeenAt: 0, trustedUntil: 0 }));
  const signInUrl = '/39';
  const reset = { email: '', problem, available: true, ticket: '', signInUrl, passwordsOff: false };
  const signUp = {
    app,
    email: '',
    ticket: '',
    problem,
    state: 'allowed',
    link: undefined,
    approval: false,
    signInUrl,
  } as const;
  const changeEmail = { email: '21', newEmail: '', available: true, problem };
  const secondStep = { app, ticket: '', authenticator: true, passkeys: true, trust: true, problem, signInUrl };
  const setUp = {
    app,
    email: '113',
    uri: '114',
    key: '115',
    action: '/116',
    ticket: '',
    needsPassword: false,
    problem,
    leave: { signInUrl },
  };
  const verify = {
    app,
    email: '117',
    action: '/118',
    ticketField: '119',
    ticket: '',
    authenticator: true,
    passkeys: true,
    problem,
    leave: { formToken: '' },
  };
  const finish = { link: '', password: true, problems };
  const newPassword = { action: '/42', link: '', email: '27', problem };
  const held = { name: 'held_request', value: '' };
  const proof = {
    passwords: true,
    action: '/47',
    held,
    authenticator: true,
    passkeys: true,
    back: '/48',
    problem,
    password: true,
    upstreams: [{ name: '53', label: '54' }],
  };
  const attributes = (
    [
      ['text', null, 'characters'],
      ['text', ['60'], 'not_allowed'],
      ['number', null, 'wrong_kind'],
      ['boolean', null, undefined],
      ['list', null, 'too_long'],
      ['list', ['61', '62'], 'unknown'],
    ] as const
  ).map(([kind, allowedValues, problem], index) => {
    return { name: `63${index}`, label: '64', value: '65', shown: '65', kind, allowedValues, problem };
  });
  const known = { expiresAt: 0, picture, email: '23', emailVerified: false, managed: false, attributes };
  return {
    'sign-up': signUpPage(frame, signUp),
    'sign-up with approval': signUpPage(frame, { ...signUp, approval: true }),
    'sign-up while too many wait': signUpPage(frame, { ...signUp, state: 'full' }),
    'waiting for approval': waitingPage(frame, { told: true, signInUrl: '' }),
    'too many wait': tooManyWaitingPage(frame, ''),
    'sign-up, closed': signUpPage(frame, { ...signUp, app: undefined, state: 'closed' }),
    'sign-up, without mail': signUpPage(frame, { ...signUp, state: 'no_mail' }),
    'sign-up, with links only': signUpPage(frame, { ...signUp, state: 'link_needed' }),
    'sign-up, another domain': signUpPage(frame, { ...signUp, state: 'other_domain', link: 'lku_27' }),
    'sign-up link, used up': signUpLinkEndedPage(frame, 'used_up'),
    'sign-up link, expired': signUpLinkEndedPage(frame, 'expired'),
    'sign-up link, revoked': signUpLinkEndedPage(frame, 'revoked'),
    'finish the sign-up': finishSignUpPage(frame, { ...finish, purpose: 'sign_up', email: '24', name: '' }),
    invitation: finishSignUpPage(frame, { ...finish, purpose: 'invite', email: '24', name: '41' }),
    'invitation without a password': finishSignUpPage(frame, {
      ...finish,
      purpose: 'invite',
      email: '24',
      name: '41',
      password: false,
    }),
    'set-up': finishSignUpPage(frame, { ...finish, purpose: 'set_up', email: '', name: '' }),
    'mail sent': emailSentPage(frame, { email: '25', outbox: true }),
    'link over': linkExpiredPage(frame, '/26'),
    'link over, from an administrator': linkExpiredPage(frame, undefined),
    'reset the password': resetPasswordPage(frame, reset),
    'reset the password, without mail': resetPasswordPage(frame, { ...reset, available: false }),
    'reset the password, passwords off': resetPasswordPage(frame, { ...reset, passwordsOff: true }),
    'new password': newPasswordPage(frame, { ...newPassword, ways: { password: true, passkey: 'no' } }),
    'new password or passkey': newPasswordPage(frame, { ...newPassword, ways: { password: true, passkey: 'alone' } }),
    'new passkey': newPasswordPage(frame, {
      ...newPassword,
      ways: { password: false, passkey: 'after_code' },
      passkeyProblem: frame.messages.passwordless.failed,
      codeProblem: problem,
    }),
    'no new passkey': newPasswordPage(frame, { ...newPassword, ways: { password: false, passkey: 'no' } }),
    'passkey created': passkeyCreatedPage(frame, { signInUrl, email: '27', codes: ['111'] }),
    'create a passkey': createPasskeyPage(own, { action: '/42', to: '/43', until: 0, problem }),
    'password reset': passwordResetPage(frame, signInUrl),
    'second step': secondStepPage(frame, secondStep),
    'second step, passkey only': secondStepPage(frame, { ...secondStep, app: undefined, authenticator: false }),
    'second step, app only': secondStepPage(frame, { ...secondStep, passkeys: false }),
    'second step after a code by email': secondStepPage(frame, { ...secondStep, trust: undefined }),
    'set up two-step verification': setUpFactorPage(frame, setUp),
    'set up in a session': setUpFactorPage(frame, {
      ...setUp,
      app: undefined,
      needsPassword: true,
      leave: { formToken: '' },
    }),
    'set up in a session, without a password': proofBeforeSetUpPage(frame, {
      app: setUp.app,
      email: setUp.email,
      action: setUp.action,
      ticketField: 'x',
      ticket: '',
      upstreams: [{ name: 'x', label: '57' }],
      passwords: true,
      leave: { formToken: '' },
    }),
    'set up in a session, without a way': proofBeforeSetUpPage(frame, {
      app: undefined,
      email: setUp.email,
      action: setUp.action,
      ticketField: 'x',
      ticket: '',
      upstreams: [],
      passwords: true,
      leave: { formToken: '' },
    }),
    'set up in a session, with nothing but a mailbox': proofBeforeSetUpPage(frame, {
      app: undefined,
      email: setUp.email,
      action: setUp.action,
      ticketField: 'x',
      ticket: '',
      upstreams: [],
      passwords: true,
      again: '/8',
      leave: { formToken: '' },
    }),
    'second factor in a session': verifyPage(frame, verify),
    'second factor in a session, passkey only': verifyPage(frame, { ...verify, app: undefined, authenticator: false }),
    'recovery codes on the way in': savedCodesPage(frame, { codes: ['111'], email: '120', continueTo: '/112' }),
    profile: profilePage(own, { profile, ...known, notice, problems }),
    'profile, picture elsewhere': profilePage(own, {
      profile,
      ...known,
      picture: 'https://58.58/59',
      notice,
      problems,
    }),
    'profile, bare': profilePage(own, {
      profile,
      ...known,
      picture: undefined,
      emailVerified: true,
      managed: true,
      expiresAt: null,
      notice,
      problems: {},
    }),
    'change the address': changeEmailPage(own, changeEmail),
    'change the address, without mail': changeEmailPage(own, { ...changeEmail, available: false }),
    'confirm the address': confirmEmailPage(own, { email: '28', current: '37', link: '' }),
    'address changed': emailChangedPage(frame, '40', '41'),
    'verify the address': confirmEmailPage(own, { email: '28', current: '28', link: '' }),
    'address verified': emailChangedPage(frame, '40', '40'),
    'used recovery code': usedCodePage(frame, { left: 9, continueTo: '/112' }),
    'last recovery code': usedCodePage(frame, { left: 0, continueTo: '/112' }),
    security: securityPage(own, security),
    'security after a reset': securityPage(own, { ...security, authenticator: false, paused, reviewDue: true }),
    'security after the first code': securityPage(own, { ...security, reviewDue: true, firstCode: true }),
    'security with a breached password': securityPage(own, { ...security, breached: true }),
    'security without a password': securityPage(own, {
      ...security,
      authenticator: false,
      passkeys: [],
      hasPassword: false,
    }),
    'security, at the limits': securityPage(own, {
      ...security,
      canRemovePasskey: false,
      canAddPasskey: false,
      identities: { ...identities, canLink: false },
    }),
    'security, nothing on': securityPage(own, { ...security, authenticator: false, passkeys: [] }),
    'security without passwords': securityPage(own, { ...security, canSetPassword: false, canRemovePassword: true }),
    'security, never a password': securityPage(own, { ...security, hasPassword: false, canSetPassword: false }),
    'security, password to remove': securityPage(own, { ...security, canRemovePassword: true }),
    'review with a passkey': reviewPage(own, {
      resetAt: 0,
      hasPassword: false,
      paused: [],
      hasAuthenticator: false,
      recoveryCodes: 0,
      passkeys: ['44'],
      notice,
      now: 0,
      sessions: [],
      apps: [],
      apiKeys: [],
      identities: [],
      to: '',
    }),
    review: reviewPage(own, {
      resetAt: 0,
      hasPassword: true,
      paused,
      hasAuthenticator: true,
      recoveryCodes: 1,
      passkeys: ['44'],
      notice,
      now: 0,
      sessions: [{ ...session, current: true }],
      apps: [{ app, lastUsedAt: 0 }],
      apiKeys: ['45'],
      to: '',
      identities: [{ label: '46', email: '47' }],
    }),
    'review, nothing else': reviewPage(own, {
      resetAt: 0,
      hasPassword: true,
      paused: [],
      hasAuthenticator: false,
      recoveryCodes: 0,
      passkeys: [],
      notice,
      now: 0,
      sessions: [],
      apps: [],
      apiKeys: [],
      identities: [],
      to: '',
    }),
    'review after the first code': reviewPage(own, {
      resetAt: 0,
      firstCode: true,
      hasPassword: false,
      paused: [],
      hasAuthenticator: false,
      recoveryCodes: 0,
      passkeys: [],
      notice,
      now: 0,
      sessions: [],
      apps: [],
      apiKeys: [],
      identities: [],
      to: '',
    }),
    'proof by email': proofPage(own, {
      ...proof,
      passkeys: false,
      password: false,
      upstreams: [],
      email: { asked: undefined },
    }),
    'proof by a code': proofPage(own, {
      ...proof,
      passkeys: false,
      password: false,
      upstreams: [],
      email: { asked: 'x' },
      emailCodeProblem: frame.messages.emailCodes.wrong,
    }),
    "this wasn't me": undoFactorPage(frame, { addition: 'passkey_added', link: '' }),
    'change undone': factorUndonePage(frame),
    proof: proofPage(own, proof),
    'proof by password': proofPage(own, { ...proof, authenticator: false, passkeys: false }),
    'proof elsewhere': proofPage(own, { ...proof, authenticator: false, passkeys: false, password: false }),
    'no way to prove it': proofPage(own, {
      ...proof,
      authenticator: false,
      passkeys: false,
      password: false,
      upstreams: [],
    }),
    'no way to prove it, passwords off': proofPage(own, {
      ...proof,
      passwords: false,
      authenticator: false,
      passkeys: false,
      password: false,
      upstreams: [],
    }),
    'proof done': proofDonePage(own, { action: '/46', held: { name: '47', value: '48' }, back: '/49' }),
    'security, adding a passkey': securityPage(own, { ...security, newPasskey: '46' }),
    'authenticator app': authenticatorPage(own, { uri: '29', key: '30', sealedSecret: '', problem }),
    'recovery codes': recoveryCodesPage(own, ['31', '32']),
    devices: sessionsPage(own, { sessions: [session, { ...session, current: true }], trusted, notice, now: 0 }),
    'devices, this one': sessionsPage(own, { sessions: [{ ...session, current: true }], trusted: [], notice, now: 0 }),
    activity: activityPage(own, { events, clientNames: new Map([['20', '33']]), older: '38' }),
    'activity, none': activityPage(own, { events: [], clientNames: new Map(), older: undefined }),
    'own data': ownDataPage(own, problem),
    'delete the account': deleteAccountPage(own),
    'account deleted': accountDeletedPage(frame),
    outbox: outboxPage(frame, { emails: [{ id: '33', at: 0, to: '34', subject: '35', text: '36' }] }),
    'outbox, empty': outboxPage(frame, { emails: [] }),
  };
}

/** The console. */
function consolePages(): Record<string, string> {
  const { admin: m } = frame.messages;
  const notice = m.notices.saved;
  const problem = m.events.invalidTime;
  const problems = { name: problem, scope: problem, accent: problem };
  const fieldOf = (name: string, kind: FormField['kind'], value: string, options?: string[]): FormField => ({
    name,
    control: name,
    kind,
    value,
    optional: false,
    ...(options && { options: options.map((each) => ({ value: each })) }),
  });
  const attributeForm = [
    fieldOf('name', 'text', '1'),
    fieldOf('kind', 'choice', 'text', ['text', 'number', 'boolean', 'list']),
    fieldOf('label', 'text', '2'),
    fieldOf('editable_by', 'choice', 'person', ['administrator', 'person']),
    fieldOf('values', 'lines', '3'),
  ];
  const fields = [
    fieldOf('name', 'text', '50'),
    fieldOf('redirect_uris', 'lines', '51'),
    fieldOf('post_logout_redirect_uris', 'lines', '51'),
    fieldOf('scopes', 'boxes', 'openid', ['openid', 'profile', 'email']),
    fieldOf('public', 'choice', 'public', ['confidential', 'public']),
    fieldOf('second_factor', 'choice', 'optional', ['optional', 'required']),
    fieldOf('upstream', 'select', '', ['']),
    ...['client_uri', 'launch_url', 'policy_uri', 'tos_uri'].map((name) => fieldOf(name, 'url', '')),
  ];
  const totals = { sign_in: [0, 1], failure: [1, 2], refresh: [3, 4] };
  const series = { from: 0, step: 1, totals };
  const answered = (status: number | null) => ({ status, error: '113' });
  const logouts = {
    state: 'waiting_for_secret' as const,
    messages: [
      { id: '111', at: 0, state: 'given_up' as const, attempts: 1, lastAttempt: answered(null) },
      { id: '112', at: 0, state: 'waiting' as const, attempts: 2, lastAttempt: answered(503) },
      { id: '114', at: 0, state: 'delivered' as const, attempts: 3, lastAttempt: undefined },
    ],
  };
  const client = { id: '52', app, revokedAt: null };
  const application = {
    client,
    isPublic: false,
    now: 0,
    submissionToken: '',
    notice,
    problem,
    secrets: [
      { lastFour: null, createdAt: 0, usedAt: null },
      { lastFour: '2345', createdAt: 0, usedAt: 1 },
    ],
  };
  const place = { next: '59', previous: '58', start: 50, count: 50 };
  const total = { count: 201, more: true };
  const person = {
    waiting: false,
    picture: 'https://56.56/57',
    attributes: [
      {
        name: '63',
        label: '64',
        value: '65',
        shown: '65',
        kind: 'text',
        allowedValues: null,
        problem: undefined,
      } as const,
    ],
    id: '53',
    name: '54',
    email: '55',
    emailVerified: true,
    isYou: true,
    managedBy: null,
    isOwned: false,
    roles: ['administrator', 'people'] as const,
    canChangeRoles: true,
    standing: 'active' as const,
    expiresAt: 90_000,
    end: '103',
    createdAt: 0,
    submissionToken: '',
    lastSignInAt: null,
    now: 0,
    authenticator: true,
    passkeys: 2,
    pausedFactors: 1,
    breachedSince: 0,
    canSendEmail: true,
    notice,
    problem,
    groups: [{ id: '59', name: '60', listedUntil: 90_000 }],
    apps: [
      { id: '56', name: '57', access: 'everyone' as const, until: null, connectedAt: 0 },
      { id: '56', name: '57', access: [undefined, '60'], until: 90_000, connectedAt: null },
      { id: '56', name: '57', access: [], until: null, connectedAt: 0 },
    ],
    trusted: [{ device: null, lastSeenAt: 0, trustedUntil: 90_000 }],
    sessions: [{ device: null, address: '58', lastSeenAt: 0 }],
    identities: [
      { upstream: { name: '121', label: '122' }, subject: '123', email: null, linkedAt: 0, lastUsedAt: 0 },
      { upstream: undefined, subject: '123', email: '124', linkedAt: 0, lastUsedAt: null },
    ],
  };
  const group = {
    id: '109',
    name: '110',
    email: '111',
    isProtected: true,
    mayProtect: true,
    mayName: true,
    managedBy: null,
    members: total,
    clients: total,
  };
  const noGroup = {
    place,
    seesClients: true,
    name: '',
    protect: false,
    mayProtect: true,
    mayName: true,
    notice,
    problem,
  };
  const picker = { search: '112', found: [group] };
  const access = {
    client,
    access: 'listed' as const,
    preview: undefined,
    people: [group],
    ending: false,
    endingDays: 102,
    now: 0,
    place,
    picker,
    notice,
    problem,
  };
  const nobodyYet = { users: 0, signedInAt: undefined, approvedAt: undefined, refused: undefined };
  const refusedEvent = { id: '150', failed: true, at: 0, address: '', requestId: '151', mismatch: undefined } as const;
  const connections: ConnectPage['connection'][] = [
    nobodyYet,
    { ...nobodyYet, users: 1 },
    { ...nobodyYet, users: 1, approvedAt: 0 },
    { ...nobodyYet, users: 1, signedInAt: 0 },
    ...['wrong_secret', 'redirect_uri_mismatch'].map((reason) => ({
      ...nobodyYet,
      refused: {
        ...refusedEvent,
        kind: 'client_authentication_failed' as const,
        detail: { reason },
        person: undefined,
      },
    })),
    { ...nobodyYet, refused: { ...refusedEvent, kind: 'access_refused', person: '152', hasAccess: false } },
  ];
  const guide = {
    name: '153',
    href: '/154',
    install: '155',
    environment: '156',
    files: [
      { name: undefined, text: '157' },
      { name: '158', text: '159' },
    ],
    nextSteps: '161',
    callbackPath: undefined,
    secret: 'environment' as const,
  };
  const connect: ConnectPage = {
    client,
    notice,
    problem,
    isPublic: false,
    access: 'listed',
    createdAt: 0,
    now: 0,
    endpoints: {
      'client-id': '162',
      issuer: '163',
      discovery: '164',
      authorization: '165',
      token: '166',
      userinfo: '167',
      revocation: '168',
      logout: '169',
      jwks: '170',
    },
    connection: nobodyYet,
    guides: [{ name: '153', label: '171' }],
    guide,
  };
  const choices: FilterChoice[] = [
    { name: 'role', values: ['auditor', 'any'] },
    { name: 'status', values: ['active', 'disabled', 'pending'] },
    { name: 'second_factor', values: ['none'] },
    { name: 'signed_in', values: ['never', '30d'] },
    { name: 'expires_within', values: undefined },
    { name: 'managed_by', values: ['202'] },
  ];
  const listed = { search: '', sort: 'name', filters: {}, choices, place, now: 0, notice, problem };
  const filter = {
    person: '',
    application: '',
    kind: '',
    failures: '',
    reference: '',
    range: '',
    since: '',
    until: '',
    sort: '',
  };
  const event = { id: '60', failed: true, at: 0, address: '61', requestId: '62', mismatch: undefined };
  const difference = { before: '63', received: '64', registered: '65', after: '66' };
  const mismatch = { clientId: '67', received: '68', difference };
  const events = [
    ...eventKinds.map((kind) => ({ ...event, kind, userId: '69', clientId: '70' })),
    ...Object.entries(en.admin.reasons).flatMap(([kind, reasons]) =>
      Object.keys(reasons).map((reason) => ({ ...event, kind: kind as EventKind, detail: { reason } })),
    ),
    { ...event, kind: 'exchange_refused', detail: { reasons: ['expired', 'client_mismatch'] } },
    { ...event, kind: 'authorization_refused', detail: { reason: 'unknown_client', requested_client: '71' } },
    { ...event, kind: 'access_refused', userId: '69', clientId: '70', hasAccess: false },
    { ...event, kind: 'access_refused', userId: '69', clientId: '70', hasAccess: true },
    { ...event, kind: 'user_disabled', actor: { kind: 'administrator', id: '72' } },
    {
      ...event,
      kind: 'client_updated',
      detail: Object.fromEntries(Object.keys(en.admin.events.details).map((n) => [n, '1'])),
    },
    { ...event, kind: 'user_disabled', address: '', actor: { kind: 'api_key', id: '73' } },
    { ...event, kind: 'authorization_refused', mismatch: { ...mismatch, state: 'can_be_registered' } },
    { ...event, kind: 'authorization_refused', mismatch: { ...mismatch, state: 'registered' } },
    {
      ...event,
      kind: 'authorization_refused',
      mismatch: { ...mismatch, received: '', difference: undefined, state: { problem: '74' } },
    },
  ] as EventsPage['events'];
  const provider = {
    name: '1',
    identity: app,
    host: '2',
    createsAccounts: true,
    disabled: false,
    people: 3,
  };
  const upstreamFormFields: readonly FormField[] = [
    fieldOf('kind', 'choice', 'oidc', ['oidc', 'github']),
    fieldOf('issuer', 'url', '1'),
    fieldOf('name', 'text', '2'),
    fieldOf('label', 'text', '3'),
    fieldOf('client_id', 'text', '4'),
    fieldOf('client_secret', 'secret', ''),
    fieldOf('trusted_domains', 'lines', '5'),
    fieldOf('allowed_domains', 'lines', '6'),
    fieldOf('creates_accounts', 'flag', 'yes'),
    fieldOf('routes_domains', 'flag', ''),
    fieldOf('trusted_amr', 'words', '7'),
    fieldOf('trusted_acr', 'words', '8'),
    fieldOf('scopes', 'words', '9'),
    fieldOf('algorithm', 'select', '10', ['', '10']),
  ];
  const upstream = {
    form: {
      name: '1',
      kind: 'oidc' as const,
      fields: upstreamFormFields,
      who: { chosen: 'custom' as const, domains: '2' },
      sealedSecret: '3',
      version: '2',
      problems,
    },
    identity: app,
    issuer: '3',
    callbackUrl: '4',
    people: { all: 2, withoutOtherWay: 1, administrators: 0 },
    disabled: false,
    letsNobodyIn: true,
    endpoints: [
      ...[null, true, false, '5'].map((value) => ({ name: 'token_endpoint', value })),
      ...Object.keys(m.upstreams.endpoint).map((name) => ({ name, value: '6' })),
    ],
    createdAt: 0,
    now: 0,
    notice,
    problem,
  };
  const webhook = {
    id: '114',
    url: '115',
    host: '116',
    description: '117',
    client: { id: '118', name: '119' },
    clientDeletedAt: null,
    waiting: 2,
    deliveredAt: 0,
    disabledReason: null,
    failingSince: 0,
    dropped: 1,
    status: 'failing' as const,
  };
  const webhookSettings = {
    fields: [fieldOf('url', 'url', '115'), fieldOf('description', 'text', '117')],
    types: { all: false, each: [{ name: '120', meaning: '121', chosen: true }] },
  };
  const keyFields = [
    fieldOf('name', 'text', ''),
    fieldOf('permission', 'choice', 'read', ['read', 'write', 'administrator']),
    fieldOf('days', 'number', ''),
  ];
  const account = { groups: [], roles: [], accountExpiresAt: null };
  const invited = { email: '2', name: '3', invitedAt: 0, expiresAt: 5, ...account };
  const notInvited = { email: '', name: '', groups: '', expires: '', roles: [] };
  const signUpLink = { id: '108', note: '109', groups: ['110'], uses: 5, used: 1, expiresAt: 0, end: undefined };
  const signUpLinkFields = [
    fieldOf('uses', 'number', '1'),
    fieldOf('groups', 'lines', ''),
    fieldOf('note', 'text', ''),
    fieldOf('days', 'number', '7'),
  ];
  const attempt = { at: 0, duration: 1, status: 503, response: '122', error: '123' };
  const delivery = {
    id: '124',
    type: '125',
    at: 0,
    state: 'waiting' as const,
    attempts: 1,
    nextAttemptAt: 0,
    message: '126',
    lastAttempt: attempt,
  };
  const listedClaims = [
    { claim: '135', source: 'value' as const, line: '136', label: '137', idToken: true, selfAsserted: true },
  ];
  const typed = {
    claim: '138',
    label: '139',
    idToken: true,
    groups: '140',
    attribute: '141',
    selfAsserted: true,
    value: '142',
    group: '143',
    map: [{ group: '144', value: '145' }],
    else: '146',
  };
  const claimForm = {
    id: '127',
    app: '128',
    was: '138',
    version: '',
    rows: 2,
    limits: { claim: 128, value: 1024 },
    groups: ['147'],
    attributes: [
      { name: '141', byPeople: false },
      { name: '148', byPeople: true },
    ],
    notice,
    problem,
  };
  const listedUser = { id: '92', name: '93', email: '94', createdAt: 0, waiting: false, managedBy: '95' };
  const waitingPerson = { id: '92', name: '93', email: '94', pendingSince: 0 };
  const userForm = [
    fieldOf('name', 'text', '1'),
    fieldOf('given_name', 'text', '2'),
    fieldOf('family_name', 'text', '3'),
    fieldOf('email', 'email', '4'),
  ];
  const key = {
    id: '75',
    name: '76',
    permission: 'read',
    createdAt: 0,
    expiresAt: null,
    lastUsedAt: null,
    lastFour: '4567',
  } as const;
  const scimToken = {
    id: '75',
    source: '95',
    name: '76',
    adopts: false,
    upstream: null,
    subjectClaim: 'sub',
    createdAt: 0,
    expiresAt: null,
    lastUsedAt: null,
    lastFour: null,
  } as const;
  const scimTokens = {
    baseUrl: '100',
    docs: true,
    fields: [
      fieldOf('source', 'text', ''),
      fieldOf('name', 'text', ''),
      fieldOf('adopt', 'flag', ''),
      fieldOf('upstream', 'select', '', ['', '96']),
      fieldOf('subject_claim', 'choice', 'sub', ['sub', 'oid']),
      fieldOf('days', 'number', ''),
    ],
    problems,
    submissionToken: '',
    now: 0,
    notice,
    problem,
  };
  return {
    'console, overview': overviewPage(own, {
      waiting: { count: 2, people: [waitingPerson] },
      now: 0,
      period: 'day',
      series,
      steps: [],
      docs: true,
      notice,
      users: { all: 1 },
      filtered: {
        signedIn: { count: 2, more: false },
        neverSignedIn: { count: 3, more: false },
        withoutSecondFactor: { count: 4, more: true },
      },
      clients: [{ id: '77', name: '78', signIns: 1, refreshes: 2, failures: 3 }],
      warnings: [
        { kind: 'no_mail' },
        { kind: 'outbox' },
        { kind: 'plain_http' },
        { kind: 'instances_differ' },
        { kind: 'administrator_keys', keys: ['79', '80'] },
        { kind: 'old_secret_in_use', client: { id: '79', name: '80' }, usedAt: 0 },
      ],
    }),
    'console, overview of a month': overviewPage(own, {
      waiting: { count: 0, people: [] },
      now: 0,
      period: 'month',
      series,
      steps: [
        { step: 'email', done: false },
        { step: 'base_url', done: false },
        { step: 'backup', done: false },
        { step: 'second_administrator', done: false },
        { step: 'second_factor', done: false },
        { step: 'first_application', done: true },
      ],
      docs: true,
      users: undefined,
      filtered: undefined,
      clients: [],
      warnings: [],
    }),
    'console, overview of nothing': overviewPage(own, {
      waiting: { count: 0, people: [] },
      now: 0,
      period: 'day',
      series,
      steps: [{ step: 'first_application', done: false }],
      docs: false,
      users: { all: 0 },
      filtered: undefined,
      clients: [],
      warnings: [],
    }),
    'console, applications': clientsPage(own, {
      ...listed,
      clients: [
        {
          id: '81',
          app,
          isPublic: true,
          revoked: true,
          access: 'listed' as const,
          people: total,
          lastUsedAt: 0,
          createdAt: 0,
        },
        {
          id: '82',
          app,
          isPublic: false,
          revoked: false,
          access: 'everyone' as const,
          people: total,
          lastUsedAt: null,
          createdAt: 0,
        },
      ],
    }),
    'console, no application': clientsPage(own, { ...listed, clients: [] }),
    'console, none found': clientsPage(own, { ...listed, search: '83', clients: [] }),
    'console, new application': newClientPage(own, { fields, hasMore: true, submissionToken: '', problem, problems }),
    'console, application, settings': clientSettingsPage(own, {
      client,
      fields,
      version: '',
      notice,
      problem,
      problems,
    }),
    'console, application, secrets': clientSecretsPage(own, application),
    'console, application, no secrets': clientSecretsPage(own, { ...application, isPublic: true, secrets: [] }),
    'console, application, webhook': clientWebhookPage(own, {
      ...application,
      logouts,
      webhooks: [{ id: '109', url: '110', status: 'active' }],
    }),
    'console, application, no webhook': clientWebhookPage(own, {
      ...application,
      logouts: { state: 'ready', messages: [] },
      webhooks: [],
    }),
    'console, application, danger': clientDangerPage(own, application),
    'console, revoked, danger': clientDangerPage(own, { ...application, client: { ...client, revokedAt: 0 } }),
    'console, application, claims': clientClaimsPage(own, { ...application, claims: listedClaims }),
    'console, application, no claims': clientClaimsPage(own, { ...application, claims: [] }),
    ...Object.fromEntries(
      connections.map((connection, index) => [
        `console, connect ${index}`,
        connectPage(own, { ...connect, connection }),
      ]),
    ),
    'console, connect, revoked': connectPage(own, { ...connect, client: { ...client, revokedAt: 0 }, guides: [] }),
    'console, connect, settings': connectPage(own, { ...connect, guide: { ...guide, secret: 'placeholder' } }),
    'console, connect, other callback': connectPage(own, { ...connect, guide: { ...guide, callbackPath: '160' } }),
    'console, secret': newSecretPage(own, { clientId: '84', secret: '85', env: '86', isListed: true }),
    'console, no secret': newSecretPage(own, { clientId: '84', secret: undefined, env: '86', isListed: false }),
    'console, not allowed': notAllowedPage(own),
    'console, question': confirmPage(own, {
      section: 'people',
      title: m.people.deleteTitle('87'),
      text: m.people.deleteText,
      action: '/88',
      button: m.people.delete,
      back: '/89',
    }),
    'console, link': shareLinkPage(own, { url: '90', until: 0, back: '/91' }),
    'console, sources of a claim': claimSourcePage(own, { id: '127', app: '128', notice, problem }),
    ...Object.fromEntries(
      (Object.keys(m.claims.sources) as (keyof typeof m.claims.sources)[]).flatMap((source) => [
        [`console, claim from ${source}`, claimFormPage(own, { ...claimForm, typed: { ...typed, source } })],
        [
          `console, new claim from ${source}`,
          claimFormPage(own, { ...claimForm, was: undefined, attributes: [], typed: { ...typed, source } }),
        ],
      ]),
    ),
    'console, preview': claimsPreviewPage(own, {
      id: '127',
      app: '128',
      picker: { search: '129', found: [listedUser], truncated: true },
      preview: {
        name: '130',
        userinfo: [{ claim: '131', value: '132', selfAsserted: true }],
        idToken: [{ claim: '133', value: '134', selfAsserted: false }],
        dropped: true,
      },
      notice,
      problem,
    }),
    'console, preview of nobody': claimsPreviewPage(own, {
      id: '127',
      app: '128',
      picker: { search: '129', found: [] },
      preview: undefined,
      notice,
      problem,
    }),
    'console, access': clientAccessPage(own, {
      ...access,
      groups: [{ ...group, listedUntil: 90_000 }],
      allGroups: [group],
    }),
    'console, access of nobody': clientAccessPage(own, {
      ...access,
      access: 'everyone',
      preview: { users: 0, kept: 0, more: false },
      people: [],
      groups: [],
      allGroups: [],
      ending: true,
      picker: { search: '', found: [] },
    }),
    'console, groups': groupsPage(own, { search: '', groups: [group, { ...group, managedBy: '95' }], ...noGroup }),
    'console, no groups': groupsPage(own, { search: '', groups: [], ...noGroup, mayProtect: false, mayName: false }),
    'console, no such group': groupsPage(own, { search: '96', groups: [], ...noGroup }),
    'console, search': searchPage(own, {
      query: '97',
      found: [
        { kind: 'people', hits: [{ href: '/98', name: '99', about: '100' }], all: { href: '/101', label: '102' } },
        { kind: 'documents', hits: [{ href: '/103', name: '104' }] },
      ],
    }),
    'console, search without results': searchPage(own, { query: '105', found: [] }),
    'console, group': groupPage(own, {
      ...group,
      count: 1,
      members: [
        { ...group, listedUntil: 90_000 },
        { ...group, listedUntil: -1 },
      ],
      ending: false,
      endingDays: 102,
      now: 0,
      place,
      picker: { ...picker, present: [group.id], ticked: [group.id], end: '96' },
      opens: [{ id: '97', name: '98', until: 90_000 }],
      claimedBy: [
        { id: '97', name: '98' },
        { id: '99', name: '100' },
      ],
      notice,
      problem,
    }),
    'console, group of a directory': groupPage(own, {
      ...group,
      managedBy: '95',
      count: 1,
      members: [group],
      ending: false,
      endingDays: 102,
      now: 0,
      place,
      picker,
      opens: [],
      claimedBy: [],
      notice,
      problem,
    }),
    'console, empty group': groupPage(own, {
      ...group,
      mayProtect: false,
      count: 0,
      members: [],
      ending: true,
      endingDays: 102,
      now: 0,
      place,
      picker,
      opens: [],
      claimedBy: [],
      notice,
      problem,
    }),
    'console, people': usersPage(own, {
      ...listed,
      users: [
        {
          ...listedUser,
          roles: ['administrator'],
          standing: 'disabled',
          expiresAt: null,
          hasSecondFactor: true,
          lastSignInAt: 0,
        },
        {
          ...listedUser,
          roles: ['administrator'],
          standing: 'expired',
          expiresAt: -1,
          hasSecondFactor: true,
          lastSignInAt: 0,
        },
        {
          ...listedUser,
          roles: [],
          standing: 'active',
          expiresAt: 90_000,
          hasSecondFactor: false,
          lastSignInAt: null,
        },
        {
          ...listedUser,
          roles: [],
          standing: 'waiting',
          expiresAt: null,
          hasSecondFactor: false,
          lastSignInAt: null,
        },
      ],
    }),
    'console, nobody': usersPage(own, { ...listed, users: [] }),
    'console, nobody who meets filters': usersPage(own, {
      ...listed,
      users: [],
      sort: '',
      filters: {
        role: 'auditor',
        status: 'active',
        second_factor: 'none',
        signed_in: 'never',
        expires_within: '1d',
        managed_by: '202',
      },
      place: { ...place, total, truncated: true },
    }),
    'console, one page of people': usersPage(own, {
      ...listed,
      users: [],
      place: { ...place, next: undefined, previous: undefined, total },
    }),
    'console, nobody found': usersPage(own, { ...listed, search: '95', users: [] }),
    'console, people who wait': waitingPeoplePage(own, { ...listed, people: [waitingPerson, waitingPerson] }),
    'console, nobody waits': waitingPeoplePage(own, { ...listed, people: [] }),
    'console, decline': declinePage(own, {
      people: [waitingPerson],
      message: '98',
      messageLimit: 9,
      canSendEmail: true,
      problem: undefined,
    }),
    'console, invitations': invitationsPage(own, {
      ...listed,
      invitations: [
        { ...invited, id: '1', inviter: '4' },
        { ...invited, id: '2', inviter: undefined, groups: ['6', '7'], roles: ['administrator'], accountExpiresAt: 8 },
      ],
      attempt: notInvited,
      canGiveRoles: true,
      canSendEmail: true,
    }),
    'console, no invitations': invitationsPage(own, {
      ...listed,
      invitations: [],
      attempt: notInvited,
      canGiveRoles: true,
      canSendEmail: false,
    }),
    'console, sign-up links': signUpLinksPage(own, {
      ...listed,
      links: [
        { ...signUpLink, maker: '111' },
        ...(['revoked', 'expired', 'used_up'] as const).map((end) => ({
          ...signUpLink,
          note: '',
          maker: undefined,
          end,
        })),
      ],
      closed: false,
      fields: signUpLinkFields,
      problems,
      submissionToken: '',
    }),
    'console, no sign-up links': signUpLinksPage(own, {
      ...listed,
      links: [],
      closed: true,
      fields: signUpLinkFields,
      problems,
      submissionToken: '',
    }),
    'console, new sign-up link': newSignUpLinkPage(own, { url: '112', uses: 1, until: 0 }),
    'console, new sign-up link for many': newSignUpLinkPage(own, { url: '112', uses: 1200, until: 0 }),
    'console, share a link without admin access': shareLinkPage(own, {
      url: '113',
      until: 0,
      back: '/114',
      remark: own.messages.admin.people.noAdminByLink,
    }),
    'console, new person': newUserPage(own, {
      fields: [...userForm, fieldOf('email_verified', 'flag', '')],
      withPassword: true,
      end: '101',
      submissionToken: '',
      problem,
      problems: {
        name: problem,
        given_name: problem,
        family_name: problem,
        email: problem,
        password: m.people.notChosen,
      },
    }),
    'console, edit person': editUserPage(own, {
      id: '1',
      name: '2',
      canSendEmail: true,
      owner: undefined,
      fields: userForm,
      problem,
      problems: {},
    }),
    'console, edit person of a directory': editUserPage(
      { ...own, allows: () => false },
      { id: '1', name: '2', canSendEmail: true, owner: '95', fields: userForm, problem, problems: {} },
    ),
    'console, person': userPage(own, person),
    'console, person of a directory': userPage(own, { ...person, managedBy: '95', isOwned: true, roles: [] }),
    'console, disabled person of a directory': userPage(own, {
      ...person,
      managedBy: '95',
      isOwned: true,
      roles: [],
      standing: 'disabled',
    }),
    'console, person of a directory with a role': userPage(own, { ...person, managedBy: '95' }),
    'console, person without anything': userPage(own, {
      ...person,
      authenticator: false,
      passkeys: 0,
      pausedFactors: 0,
      breachedSince: null,
      groups: [],
      apps: [],
      sessions: [],
      trusted: [],
      identities: [],
      canSendEmail: false,
      isYou: false,
      roles: [],
      emailVerified: false,
    }),
    'console, person who waits': userPage(own, { ...person, standing: 'waiting' }),
    'console, expired person': userPage(own, { ...person, standing: 'expired', expiresAt: -1 }),
    'console, disabled person': userPage(own, {
      ...person,
      standing: 'disabled',
      expiresAt: null,
      identities: undefined,
    }),
    'console, events': eventsPage(own, {
      filter,
      events,
      names: {
        users: new Map([['69', '96']]),
        clients: new Map([['70', '97']]),
        apiKeys: new Map([['73', '108']]),
      },
      place,
      now: 0,
      filtered: { person: '1', application: undefined },
      notice,
      problem,
      choices: {
        person: { title: m.events.severalPeople('4'), found: [{ id: '1', name: '2', email: '3' }] },
        application: { title: m.events.chooseApplication, found: [{ id: '1', name: '2' }] },
      },
      applications: [{ id: '1', name: '2' }],
    }),
    'console, no events': eventsPage(own, {
      filter,
      events: [],
      place,
      now: 0,
      notice,
      problem,
      applications: [],
      filtered: { person: undefined, application: undefined },
      choices: { person: undefined, application: undefined },
      names: { users: new Map(), clients: new Map(), apiKeys: new Map() },
    }),
    'console, download refused': refusedDownloadPage(own, { section: 'events', query: {}, problem }),
    'console, revoked key': revokedApiKeyPage(own, {
      created: [
        { kind: 'person', id: '75', name: '76', at: 0 },
        { kind: 'group', id: null, name: '77', at: 0 },
      ],
      truncated: true,
      now: 0,
    }),
    'console, keys': apiKeysPage(own, {
      keys: [
        { ...key, maker: '107', held: [], ended: false },
        {
          ...key,
          maker: undefined,
          held: ['people', 'auditor'],
          permission: 'write',
          expiresAt: 0,
          lastUsedAt: 0,
          ended: true,
        },
      ],
      fields: keyFields,
      problems,
      submissionToken: '',
      now: 0,
      notice,
      problem,
    }),
    'console, no keys': apiKeysPage(own, {
      keys: [],
      fields: keyFields,
      problems,
      submissionToken: '',
      now: 0,
      notice,
      problem,
    }),
    'console, new key': newApiKeyPage(own, { secret: '99', example: '100' }),
    'console, SCIM tokens': scimTokensPage(own, {
      ...scimTokens,
      tokens: [
        { ...scimToken, maker: '107', ended: false },
        {
          ...scimToken,
          maker: undefined,
          adopts: true,
          upstream: '96',
          subjectClaim: 'oid',
          expiresAt: 0,
          lastUsedAt: 0,
          ended: true,
        },
      ],
    }),
    'console, no SCIM tokens': scimTokensPage(own, { ...scimTokens, tokens: [], docs: false }),
    'console, new SCIM token': newScimTokenPage(own, { secret: '99', baseUrl: '100' }),
    'console, webhooks': webhooksPage(own, {
      canCreate: true,
      webhooks: [webhook, { ...webhook, client: undefined, status: 'disabled', deliveredAt: null }],
      now: 0,
      notice,
    }),
    'console, providers': upstreamsPage(own, {
      upstreams: [provider, { ...provider, disabled: true, createsAccounts: false }],
      docs: true,
      notice,
    }),
    'console, no identity providers': upstreamsPage(own, { upstreams: [], docs: false, notice }),
    'console, kinds of providers': choosePresetPage(own, [
      { for: 'google', label: '1' },
      { for: 'other', label: '' },
    ]),
    ...Object.fromEntries(
      (Object.keys(upstreamPresets) as PresetName[]).map((preset) => [
        `console, new provider: ${preset}`,
        newUpstreamPage(own, {
          preset,
          kind: upstreamPresets[preset].kind,
          fields: upstreamFormFields,
          who: { chosen: 'domains', domains: '1' },
          sealedSecret: preset === 'google' ? '2' : undefined,
          submissionToken: '',
          callback: { prefix: '3', suffix: '4' },
          problem,
          problems,
        }),
      ]),
    ),
    ...Object.fromEntries(
      triedResults(m.upstreams.tried).map((result, index) => [
        `console, tried provider ${index}`,
        triedPage(own, { name: '1', label: '2', result }),
      ]),
    ),
    'console, provider': upstreamPage(own, upstream),
    'console, disabled provider without an icon': upstreamPage(own, {
      ...upstream,
      disabled: true,
      identity: { name: '1', logoUrl: undefined },
      form: { ...upstream.form, kind: 'github', problems: {} },
    }),
    'console, endpoints of an identity provider': endpointsPage(own, {
      name: '1',
      label: '2',
      version: '3',
      changes: Object.keys(m.upstreams.endpoint).map((name) => ({ name, before: null, after: true })),
    }),
    'console, the same endpoints': endpointsPage(own, { name: '1', label: '2', version: '3', changes: [] }),
    'console, no webhooks': webhooksPage(own, { canCreate: true, webhooks: [], now: 0, notice }),
    'console, new webhook': newWebhookPage(own, {
      settings: webhookSettings,
      client: undefined,
      submissionToken: '',
      problem,
      problems,
    }),
    'console, new webhook of an application': newWebhookPage(own, {
      settings: { ...webhookSettings, types: undefined },
      client: webhook.client,
      submissionToken: '',
      problem,
      problems,
    }),
    'console, webhook secret': webhookSecretPage(own, { id: '111', secret: '112', docs: true }),
    'console, webhook': deliveriesPage(own, {
      webhook,
      state: undefined,
      place,
      now: 0,
      notice,
      problem,
      deliveries: [
        delivery,
        { ...delivery, state: 'given_up', lastAttempt: { ...attempt, status: 500, response: '', error: null } },
        { ...delivery, state: 'delivered', lastAttempt: { ...attempt, status: null, response: null, error: '113' } },
      ],
    }),
    'console, webhook that nothing was sent to': deliveriesPage(own, {
      webhook: { ...webhook, status: 'disabled', disabledReason: 'gone' },
      deliveries: [],
      state: undefined,
      place,
      now: 0,
      notice,
      problem,
    }),
    'console, no such deliveries': deliveriesPage(own, {
      webhook: { ...webhook, status: 'disabled', disabledReason: 'administrator' },
      deliveries: [],
      state: 'waiting',
      place,
      now: 0,
      notice,
      problem,
    }),
    'console, webhook settings': webhookSettingsPage(own, {
      webhook,
      settings: webhookSettings,
      now: 0,
      submissionToken: '',
      notice,
      problem,
      problems,
      secrets: [
        { createdAt: 0, endsAt: null },
        { createdAt: 0, endsAt: 0 },
      ],
    }),
    'console, webhook settings of the service': webhookSettingsPage(own, {
      webhook: { ...webhook, client: undefined, waiting: 0 },
      settings: webhookSettings,
      now: 0,
      submissionToken: '',
      notice,
      problem,
      problems,
      secrets: [{ createdAt: 0, endsAt: null }],
    }),
    'console, attributes': attributesPage(own, {
      attributes: [{ name: '1', label: '2', kind: 'list', editableBy: 'person' }],
      submissionToken: '',
      fields: attributeForm,
      notice,
      problem,
      problems: {},
    }),
    'console, no attributes': attributesPage(own, {
      attributes: [],
      submissionToken: '',
      fields: attributeForm,
      notice,
      problem,
      problems: {},
    }),
    'console, attribute': attributePage(own, {
      name: '1',
      label: '2',
      kind: 'text',
      usedBy: [{ id: '3', name: '4' }],
      fields: attributeForm.slice(2),
      notice,
      problem,
      problems: {},
    }),
    'console, unused attribute': attributePage(own, {
      name: '1',
      label: '2',
      kind: 'boolean',
      usedBy: [],
      fields: attributeForm.slice(2, 4),
      notice,
      problem,
      problems: {},
    }),
    ...Object.fromEntries(
      [
        [m.attributes.deleteTitle('1'), m.attributes.deleteHint, m.attributes.delete],
        [m.attributes.deleteTitle('1'), m.attributes.deleteUsed(['2', '3']), m.attributes.delete],
        [m.attributes.openTitle('1'), m.attributes.openText(['2', '3']), m.attributes.openConfirm],
      ].map(([title = '', text = '', button = ''], index) => [
        `console, question about an attribute ${index}`,
        confirmPage(own, { section: 'settings', title, text, button, action: '/1', back: '/2' }),
      ]),
    ),
    'console, settings': settingsPage(own, {
      passwordOnly: { everyone: 2, administrators: 1, most: 10 },
      fields: [
        fieldOf('second_factor', 'choice', '107', ['optional', 'administrators', 'everyone']),
        fieldOf('default_upstream', 'select', '117', ['', '117']),
        fieldOf('session_hours', 'number', '108'),
        fieldOf('kept_session_days', 'number', '109'),
        fieldOf('kept_session_idle_days', 'number', '110'),
      ],
      notice,
      problem,
    }),
    'console, branding': brandingPage(own, {
      fields: [
        fieldOf('service_name', 'text', '111'),
        fieldOf('accent', 'color', '112'),
        fieldOf('support_url', 'url', '114'),
        fieldOf('terms_url', 'url', '115'),
        fieldOf('privacy_url', 'url', '116'),
        fieldOf('sign_in_message', 'text', '113'),
      ],
      notice,
      problem,
      problems,
      images: [
        { name: 'logo', path: '/brand/logo/1' },
        { name: 'logo_dark', path: '/brand/logo_dark/1' },
        { name: 'favicon', path: undefined },
      ],
    }),
  };
}

test('every page in src/pages is tested here', () => {
  const folder = new URL('../../src/pages/', import.meta.url);
  // The page that shows the components exists for developers alone.
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.startsWith('dev/'),
  );
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
  test(`the page "${name}" has no hard-coded text`, () => {
    // Languages are listed under their own names.
    const shown = page
      .replace(/(<select id="locale"[^>]*>.*?<\/option>).*?<\/select>/gs, '$1</select>')
      .replace(/<button type="submit" name="language"[^>]*>[^<]*<\/button>/g, '')
      // The console's relative times come from Intl.
      .replace(/(<time [^>]*data-time="ago"[^>]*>)[^<]*<\/time>/g, '$1</time>')
      .replace('</span>English</summary>', '</span></summary>');
    const text = shown.replace(/<[^>]*>/g, ' ').replaceAll('&quot;', '"');
    const unmarked = withoutMarked(text).replace(/&#?\w+;/g, '');
    // Lists are joined by Intl in the page's language ("a, b and c").
    assert.deepEqual(unmarked.match(/\p{L}+/gu)?.filter((word) => word !== 'and') ?? [], []);
    const attributes = [
      ...page.matchAll(
        /\s(?:alt|title|placeholder|aria-label|data-(?:failed|copied|title|(?:show|hide)(?:-password)?))="([^"]*)"/g,
      ),
    ].map(([, value]) => value);
    // Digits are data of people.
    for (const value of attributes) assert.match(value ?? '', /^(\[.*\]|[\d ()]*)$/);
  });
}

test('times are elements that the script localizes, and say UTC until then', () => {
  for (const [name, page] of Object.entries(pages)) {
    for (const [element, text] of page.matchAll(/<time datetime="[^"]+Z" data-time="(?!ago)[^>]*>([^<]*)<\/time>/g)) {
      assert.match(text ?? '', / UTC\]$/, `${name}: ${element}`);
    }
    // The days of a chart are days in UTC, whatever the reader's time zone.
    const rest = page.replace(/<(time|figure|table)\b[\s\S]*?<\/\1>/g, '');
    for (const [text] of rest.matchAll(/1 January 1970[^<"]{0,20}/g)) assert.match(text, /UTC/, name);
  }
});

test("a button's accessible name is one catalogue entry", () => {
  for (const [name, page] of Object.entries(pages)) {
    if (name.startsWith('console')) continue;
    assert.ok(!page.includes('<span class="unseen"> '), name);
  }
});

test('an email in the outbox has the text direction of its language', () => {
  assert.match(pages.outbox ?? '', /<h2 [^>]*dir="auto">35<\/h2>/);
  assert.match(pages.outbox ?? '', /<p [^>]*dir="auto">36<\/p>/);
});

test("recovery codes are shown without the language picker, because they can't be shown again", () => {
  for (const name of ['recovery codes', 'recovery codes on the way in']) {
    assert.ok(!pages[name]?.includes('action="/language"'), name);
  }
  assert.ok(pages.security?.includes('action="/language"'));
});

const url = 'https://0/0';
const emails = emailsIn(frame.messages, 'https://0', frame.brand);
const sent = { to: '1', url };
const device = { to: '1', device: '', at: 0, address: '2' };
const everyEnd = (['account', 'membership', 'person', 'group'] as const).map((kind) => {
  return { kind, person: '2', group: '3', application: '4', at: 0 };
});
const everyEmail: Record<keyof typeof emails, readonly Email[]> = {
  emailCode: (['sign_in', 'proof'] as const).map((use) => emails.emailCode({ ...device, code: '3', use })),
  codeNotForYou: [emails.codeNotForYou(device)],
  noAccountForCode: [emails.noAccountForCode(device)],
  finishSignUp: [emails.finishSignUp(sent)],
  addressHasAccount: [emails.addressHasAccount(sent)],
  resetPassword: [emails.resetPassword(sent)],
  noAccount: [emails.noAccount(sent)],
  invitation: ['2', undefined].map((inviter) => emails.invitation({ ...sent, inviter })),
  accountCreated: ['2', undefined].map((inviter) => emails.accountCreated({ ...sent, inviter })),
  profileEdited: [emails.profileEdited({ to: '1', name: '2' })],
  emailEdited: [emails.emailEdited({ to: '1', email: '2' })],
  confirmAddress: [emails.confirmAddress(sent)],
  passwordChanged: [emails.passwordChanged(sent)],
  passkeyLink: [emails.passkeyLink(sent)],
  passwordRemoved: [emails.passwordRemoved(sent)],
  passwordBreached: [emails.passwordBreached({ to: '1' })],
  addressChangeAsked: [emails.addressChangeAsked({ to: '1', newAddress: '2' })],
  addressChanged: [emails.addressChanged({ to: '1', newAddress: '2' })],
  factorAdded: (['authenticator_added', 'passkey_added', 'recovery_codes_replaced'] as const).map((change) =>
    emails.factorAdded({ ...sent, change }),
  ),
  identityLinked: [emails.identityLinked({ to: '1', label: '2' })],
  secondFactorChanged: (
    ['authenticator_removed', 'passkey_removed', 'all_factors_removed', 'second_factors_removed'] as const
  ).map((change) => emails.secondFactorChanged({ to: '1', change })),
  accessEnds: [emails.accessEnds({ to: '1', ending: everyEnd })],
  accessEndsList: [0, 1].map((more) => emails.accessEndsList({ to: '1', ending: everyEnd, more })),
  directoryRefused: [emails.directoryRefused({ to: '1', refused: [{ source: '2', count: 3 }] })],
  wrongCodes: [emails.wrongCodes(device)],
  recoveryCodeUsed: [0, 9].map((left) => emails.recoveryCodeUsed({ ...device, left })),
  newDevice: [emails.newDevice(device), emails.newDevice({ ...device, device: 'an unknown browser on 3' })],
  apiKeyCreated: [
    emails.apiKeyCreated({ to: '1', name: '2', can: ['people', 'auditor'], expiresAt: null, fromCommandLine: true }),
    emails.apiKeyCreated({ to: '1', name: '2', can: ['write'], expiresAt: 0, fromCommandLine: false }),
  ],
  adminAccessChanged: (['given', 'removed', 'changed'] as const).map((change) =>
    emails.adminAccessChanged({ to: '1', change, roles: ['people', 'auditor'] }),
  ),
  recoveryLinkMade: [emails.recoveryLinkMade({ to: '1' })],
  accountDeleted: [emails.accountDeleted({ to: '1' })],
  accountApproved: [emails.accountApproved({ to: '1' })],
  accountDeclined: [emails.accountDeclined({ to: '1', message: '2\n3' })],
  peopleWaiting: [1, 2].map((count) => emails.peopleWaiting({ to: '1', count })),
};

for (const [name, versions] of Object.entries(everyEmail)) {
  test(`the email "${name}" has no hard-coded text`, () => {
    for (const { subject, text, html: page } of versions) {
      for (const part of [subject, text, page.replace(/<style>.*?<\/style>|<[^>]*>/g, ' ')]) {
        const unmarked = withoutMarked(part.replaceAll(/https:\/\/\S+/g, ''));
        assert.deepEqual(unmarked.match(/\p{L}+/gu) ?? [], []);
      }
    }
  });
}

/** What is left of a text without what is in brackets, which may be nested. */
function withoutMarked(text: string): string {
  const inner = text.replace(/\[[^[\]]*\]/g, '');
  return inner === text ? text : withoutMarked(inner);
}

/** Every way in which trying an identity provider out ends. */
function triedResults(m: Messages['admin']['upstreams']['tried']): TriedPage['result'][] {
  const claims = {
    subject: '1',
    objectId: null,
    email: '2',
    emailVerified: true,
    name: '3',
    givenName: null,
    familyName: null,
    locale: null,
    amr: [],
    acr: null,
    authTime: null,
  };
  const user = { id: '4', name: '5' };
  const received = (['id_token', 'userinfo', 'api'] as const).map((from) => ({
    from,
    claims: [{ name: '6', value: '7' }],
  }));
  const whole = { kind: 'received', claims, verified: true, twoFactors: true, received } as const;
  const standings = Object.keys(m.standing) as (keyof typeof m.standing)[];
  return [
    ...standings.map((standing) => ({ ...whole, would: { kind: 'linked', user, standing } as const })),
    { ...whole, verified: false, would: { kind: 'provisioned', user, standing: 'active' } },
    { ...whole, twoFactors: false, would: { kind: 'newcomer', email: '8', waits: true } },
    { ...whole, would: { kind: 'newcomer', email: '8', waits: false } },
    { ...whole, would: { kind: 'link_needed', email: '8' } },
    ...[...Object.keys(m.noAccount), '9'].map((reason) => ({
      ...whole,
      claims: { ...claims, email: null, name: null },
      would: { kind: 'no_account', reason } as const,
    })),
    {
      ...whole,
      verified: false,
      claims: { ...claims, emailVerified: false },
      would: { kind: 'no_account', reason: '9' },
    },
    ...[...Object.keys(m.refusals), '9'].map((reason) => ({ kind: 'refused', reason, problem: '10' }) as const),
  ];
}
