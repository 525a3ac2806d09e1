// The pages of a person's own account.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activityPage } from '../../../src/pages/account/activity.ts';
import { changeEmailPage, confirmEmailPage, emailChangedPage } from '../../../src/pages/account/change-email.ts';
import { connectedAppsPage } from '../../../src/pages/account/connected-apps.ts';
import { createPasskeyPage } from '../../../src/pages/account/create-passkey.ts';
import { accountDeletedPage, deleteAccountPage, ownDataPage } from '../../../src/pages/account/own-data.ts';
import { profilePage } from '../../../src/pages/account/profile.ts';
import { proofDonePage, proofPage } from '../../../src/pages/account/proof.ts';
import { reviewPage } from '../../../src/pages/account/review.ts';
import { authenticatorPage, recoveryCodesPage, securityPage } from '../../../src/pages/account/security.ts';
import { sessionsPage } from '../../../src/pages/account/sessions.ts';
import { yourAppsPage } from '../../../src/pages/account/your-apps.ts';
import { english as en } from '../../../src/pages/languages/languages.ts';
import type { EventKind } from '../../../src/protocol/events/kinds.ts';
import { app, frame, own, picture, testPages } from './marked.ts';

/** One of each kind of value. */
const further = [true, false, undefined, 5, '6', [], ['7', '8'], Array.from({ length: 11 }, (_, n) => `${n}`)].map(
  (value) => ({ label: '9', value, selfAsserted: true }),
);
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
  notice,
  problem,
  now: 0,
};
const session = { id: '17', current: false, device: null, address: '192.0.2.1', createdAt: 0, lastSeenAt: 0 };
const events = (Object.keys(en.account.ownEvents) as EventKind[]).flatMap((kind) =>
  ['18', ''].map((address) => ({ id: '19', at: 0, kind, clientId: '20', address, requestId: '', detail: {} })),
);
const trusted = [true, false].map((current) => ({ id: '49', current, device: null, lastSeenAt: 0, trustedUntil: 0 }));
const changeEmail = { email: '21', newEmail: '', available: true, problem };
const held = { name: 'held_request', value: '' };
const proof = {
  passwords: true,
  action: '/47',
  held,
  authenticator: true,
  passkeys: true,
  back: '/48',
  problem,
  password: { email: '53', ticket: '' },
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
const apps = { apps: [], search: '', isLater: false, next: undefined, notice: undefined };

const pages: Record<string, string> = {
  'connected apps': connectedAppsPage(own, {
    apps: [{ clientId: '9', app, scopes: ['openid', 'email'], further, grantedAt: 0, lastUsedAt: 0 }],
    notice: 'removed',
    now: 0,
  }),
  'your apps': yourAppsPage(own, { ...apps, apps: [{ app, url: 'https://8.8' }], next: '9' }),
  'your apps, none': yourAppsPage(own, apps),
  'your apps, none found': yourAppsPage(own, { ...apps, search: '52' }),
  'connected apps, none': connectedAppsPage(own, { apps: [], notice: undefined, now: 0 }),
  'create a passkey': createPasskeyPage(own, { action: '/42', to: '/43', until: 0, problem }),
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
  security: securityPage(own, security),
  'security after a reset': securityPage(own, { ...security, authenticator: false, paused }),
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
    password: undefined,
    upstreams: [],
    email: { asked: undefined },
  }),
  'proof by a code': proofPage(own, {
    ...proof,
    passkeys: false,
    password: undefined,
    upstreams: [],
    email: { asked: 'x' },
    emailCodeProblem: frame.messages.emailCodes.wrong,
  }),
  proof: proofPage(own, proof),
  'proof by password': proofPage(own, { ...proof, authenticator: false, passkeys: false }),
  'proof elsewhere': proofPage(own, { ...proof, authenticator: false, passkeys: false, password: undefined }),
  'no way to prove it': proofPage(own, {
    ...proof,
    authenticator: false,
    passkeys: false,
    password: undefined,
    upstreams: [],
  }),
  'no way to prove it, passwords off': proofPage(own, {
    ...proof,
    passwords: false,
    authenticator: false,
    passkeys: false,
    password: undefined,
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
};

testPages(pages);

test("recovery codes are shown without the language picker, because they can't be shown again", () => {
  assert.ok(!pages['recovery codes']?.includes('action="/language"'));
  assert.ok(pages.security?.includes('action="/language"'));
});
