// Everything people read comes from the catalogue: rendered with a catalogue that marks its words, no page has others.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountFrame } from '../../src/pages/account-layout.ts';
import { chooseAccountPage } from '../../src/pages/choose-account.ts';
import { connectedAppsPage } from '../../src/pages/connected-apps.ts';
import { consentPage } from '../../src/pages/consent.ts';
import { errorPage } from '../../src/pages/error.ts';
import type { Frame } from '../../src/pages/layout.ts';
import { type ErrorTopic, en } from '../../src/pages/messages.ts';
import { signInPage } from '../../src/pages/sign-in.ts';
import { signedOutPage } from '../../src/pages/signed-out.ts';

/** The same catalogue with every text in brackets; the language stays, because it is markup. */
function marked<Value>(value: Value): Value {
  if (typeof value === 'string') return `[${value}]` as Value;
  if (typeof value === 'function') return ((...args: unknown[]) => marked(value(...args))) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, marked(member)])) as Value;
}

const frame: Frame = {
  messages: { ...marked(en), language: 'en' },
  assets: { stylesheet: '/style.css', icon: '/icon.svg', script: '/passkeys.js' },
};
// What comes from people and applications is digits here, so that only the pages' own words have letters.
const app = { name: '1', logoUrl: undefined };
const account = { name: '2', email: '3' };
const own: AccountFrame = { ...frame, account, formToken: '' };
const claims = { sub: '4', name: '5', email: '6', email_verified: false, updated_at: 7 };

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
  ...Object.fromEntries(
    Object.keys(en.errors)
      .filter((topic) => topic !== 'reference' && topic !== 'home')
      .map((topic) => [topic, errorPage(frame, { topic: topic as ErrorTopic, reference: '10', baseUrl: '11' })]),
  ),
};

for (const [name, page] of Object.entries(pages)) {
  test(`the page "${name}" has no words of its own`, () => {
    const text = page.replace(/<[^>]*>/g, ' ').replaceAll('&quot;', '"');
    const unmarked = text.replace(/\[[^[\]]*(\[[^[\]]*\][^[\]]*)*\]/g, '').replace(/&#?\w+;/g, '');
    // Lists are joined by Intl in the page's language ("a, b and c").
    assert.deepEqual(unmarked.match(/\p{L}+/gu)?.filter((word) => word !== 'and') ?? [], []);
    const attributes = [...page.matchAll(/\s(?:alt|title|placeholder|aria-label)="([^"]*)"/g)].map(
      ([, value]) => value,
    );
    for (const value of attributes) assert.match(value ?? '', /^(\[.*\])?$/);
  });
}
