import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PossibleMethods, usualMethod } from '../../../src/protocol/sign-in/usual-method.ts';

const all: PossibleMethods = { password: true, passkey: true, emailCode: true, upstreams: ['corp', 'home'] };
const none: PossibleMethods = { password: false, passkey: false, emailCode: false, upstreams: [] };
const password = { kind: 'password' };
const passkey = { kind: 'passkey' };

const cases: [string, PossibleMethods, { method?: string; upstream?: string }, object | undefined][] = [
  ['the last one', all, { method: 'password_and_code' }, password],
  ['a passkey', all, { method: 'passkey' }, passkey],
  ['a passkey after the password counts as the password', all, { method: 'password_and_passkey' }, password],
  ['a code by email', all, { method: 'email_code_and_code' }, { kind: 'email_code' }],
  ['an upstream, by name', all, { method: 'upstream', upstream: 'home' }, { kind: 'upstream', upstream: 'home' }],
  ['an upstream that is gone', all, { method: 'upstream', upstream: 'old' }, { kind: 'upstream', upstream: 'corp' }],
  ['no upstream is left', { ...all, upstreams: [] }, { method: 'upstream', upstream: 'old' }, passkey],
  ['passwords are over', { ...all, password: false }, { method: 'password' }, passkey],
  ['after signing up', { ...all, passkey: false }, { method: 'sign_up' }, password],
  ['nothing is known', { ...none, upstreams: ['corp'] }, {}, { kind: 'upstream', upstream: 'corp' }],
  ['only a code', { ...none, emailCode: true }, { method: 'password' }, { kind: 'email_code' }],
  ['nothing is possible', none, { method: 'password' }, undefined],
];

for (const [name, possible, last, expected] of cases) {
  test(name, () => assert.deepEqual(usualMethod(possible, last), expected));
}
