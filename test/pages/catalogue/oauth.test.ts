// Pages that applications send people to.

import { chooseAccountPage, noAccessPage, signOutPage } from '../../../src/pages/oauth/account-question.ts';
import { consentPage } from '../../../src/pages/oauth/consent.ts';
import { account, app, frame, picture, testPages } from './marked.ts';

const claims = { sub: '4', name: '5', picture, locale: 'de-AT', email: '6', email_verified: false, updated_at: 7 };
/** One of each kind of value. */
const further = [true, false, undefined, 5, '6', [], ['7', '8'], Array.from({ length: 11 }, (_, n) => `${n}`)].map(
  (value) => ({ label: '9', value, selfAsserted: true }),
);

const noAccess = { app, account, ticket: '', location: '/8' };

testPages({
  'no access': noAccessPage(frame, { ...noAccess, asking: { kind: 'off' } }),
  'no access, to ask for': noAccessPage(frame, {
    ...noAccess,
    asking: { kind: 'form', ticket: '', note: '31', limit: 300, isRefused: true },
  }),
  'no access, asked for': noAccessPage(frame, { ...noAccess, asking: { kind: 'open', askedAt: 0, told: true } }),
  'no access, declined': noAccessPage(frame, { ...noAccess, asking: { kind: 'declined' } }),
  'no access, asked too often': noAccessPage(frame, { ...noAccess, asking: { kind: 'too_many' } }),
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
  'sign out?': signOutPage(frame, { app, account, action: '/', fields: {} }),
  'sign out? asked by nobody knows whom': signOutPage(frame, { account, action: '/', fields: {} }),
});
