// Pages on the way in: signing in, up and out, codes, links from emails, and two-step verification.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { english as en } from '../../../src/pages/languages/languages.ts';
import { signedOutPage, tooManyWaitingPage, waitingPage } from '../../../src/pages/sign-in/dead-ends.ts';
import { emailCodePage, recoveryNeededPage } from '../../../src/pages/sign-in/email-code.ts';
import {
  emailSentPage,
  factorUndonePage,
  finishSignUpPage,
  linkExpiredPage,
  newPasswordPage,
  passkeyCreatedPage,
  passwordResetPage,
  resetPasswordPage,
  setUpLinkSentPage,
  signUpLinkEndedPage,
  signUpPage,
  undoFactorPage,
} from '../../../src/pages/sign-in/emailed-links.ts';
import { secondStepPage } from '../../../src/pages/sign-in/second-step.ts';
import {
  proofBeforeSetUpPage,
  savedCodesPage,
  setUpFactorPage,
  usedCodePage,
  verifyPage,
} from '../../../src/pages/sign-in/set-up-factor.ts';
import { signInPage } from '../../../src/pages/sign-in/sign-in.ts';
import { leavingPage, upstreamEndPage, upstreamProofPage } from '../../../src/pages/sign-in/upstreams.ts';
import { account, app, frame, testPages } from './marked.ts';

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
const { account: m } = frame.messages;
const problem = m.proof.wrongPassword;
const problems = { email: problem, name: problem, password: problem };
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
const secondStep = { app, ticket: '', authenticator: true, passkeys: true, trust: true, problem, signInUrl };
const setUp = {
  app,
  email: '113',
  uri: '114',
  key: '115',
  action: '/116',
  ticket: '',
  password: undefined,
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
  'signed out': signedOutPage(frame, true),
  ...Object.fromEntries(
    (Object.keys(en.signOut.noReturn) as (keyof typeof en.signOut.noReturn)[]).map((reason) => [
      `signed out, ${reason}`,
      signedOutPage(frame, false, { reason, reference: '' }),
    ]),
  ),
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
  'set-up link sent': setUpLinkSentPage(frame, { email: '25', outbox: true, signInUrl: '/' }),
  'mail sent': emailSentPage(frame, { email: '25', outbox: true, action: '/', fields: {}, other: { action: '/' } }),
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
  'password reset': passwordResetPage(frame, signInUrl),
  'second step': secondStepPage(frame, secondStep),
  'second step, passkey only': secondStepPage(frame, { ...secondStep, app: undefined, authenticator: false }),
  'second step, app only': secondStepPage(frame, { ...secondStep, passkeys: false }),
  'second step after a code by email': secondStepPage(frame, { ...secondStep, trust: undefined }),
  'set up two-step verification': setUpFactorPage(frame, setUp),
  'set up in a session': setUpFactorPage(frame, {
    ...setUp,
    app: undefined,
    password: { email: '54', ticket: '' },
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
  'used recovery code': usedCodePage(frame, { left: 9, continueTo: '/112' }),
  'last recovery code': usedCodePage(frame, { left: 0, continueTo: '/112' }),
  "this wasn't me": undoFactorPage(frame, { addition: 'passkey_added', link: '' }),
  'change undone': factorUndonePage(frame),
};

testPages(pages);

test('recovery codes on the way in are shown without the language picker, too', () => {
  assert.ok(!pages['recovery codes on the way in']?.includes('action="/language"'));
});
