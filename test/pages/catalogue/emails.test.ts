// Emails, and the outbox that shows them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailsIn } from '../../../src/pages/mail/emails.ts';
import { outboxPage } from '../../../src/pages/mail/outbox.ts';
import type { EmailMessage } from '../../../src/protocol/emails.ts';
import { frame, testPages, withoutMarked } from './marked.ts';

const email = { id: '33', at: 0, to: '34', subject: '35', text: '36' };
const pages: Record<string, string> = {
  outbox: outboxPage(frame, { emails: [email] }),
  'an email of the outbox': outboxPage(frame, { emails: [email], chosen: email }),
  'outbox, empty': outboxPage(frame, { emails: [] }),
};

testPages(pages);

test('an email in the outbox has the text direction of its language', () => {
  assert.match(pages.outbox ?? '', /<h2 [^>]*dir="auto">35<\/h2>/);
  assert.match(pages.outbox ?? '', /<p [^>]*dir="auto">36<\/p>/);
});

const url = 'https://0/0';
const emails = emailsIn(frame.messages, 'https://0', frame.brand);
const sent = { to: '1', url };
const device = { to: '1', device: '', at: 0, address: '2' };
const everyEnd = (['account', 'membership', 'person', 'group'] as const).map((kind) => {
  return { kind, person: '2', group: '3', application: '4', at: 0 };
});
const everyEmail: Record<keyof typeof emails, readonly EmailMessage[]> = {
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
  setUpFactor: [emails.setUpFactor(sent)],
  accountClaimed: [emails.accountClaimed(sent)],
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
  accessRequested: [0, 1].map((more) =>
    emails.accessRequested({ to: '1', waiting: [{ person: '2', application: '3' }], more }),
  ),
  accessRequestAllowed: [
    emails.accessRequestAllowed({ to: '1', application: '2', url, expiresAt: 0 }),
    emails.accessRequestAllowed({ to: '1', application: '2', url: undefined, expiresAt: null }),
  ],
  accessRequestDeclined: ['', '2\n3'].map((reason) =>
    emails.accessRequestDeclined({ to: '1', application: '4', reason }),
  ),
  accountInactive: [emails.accountInactive({ to: '1', at: 0 })],
  accessEnds: [emails.accessEnds({ to: '1', ending: everyEnd })],
  accessEndsList: [0, 1].map((more) => emails.accessEndsList({ to: '1', ending: everyEnd, more })),
  reviewDue: [1, 2].map((left) => emails.reviewDue({ to: '1', review: '2', id: '3', at: 0, left })),
  directoryRefused: [emails.directoryRefused({ to: '1', refused: [{ source: '2', count: 3 }] })],
  wrongCodes: [emails.wrongCodes(device)],
  recoveryCodeUsed: [0, 9].map((left) => emails.recoveryCodeUsed({ ...device, left })),
  newDevice: [emails.newDevice(device), emails.newDevice({ ...device, device: 'Unknown browser on 3' })],
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
