// Which authorization request a session has answered.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestOf } from '../../../src/protocol/digest.ts';
import { MINUTE } from '../../../src/protocol/durations.ts';
import { answerTo, formatAnswer } from '../../../src/protocol/oauth/next-step.ts';

const query = 'client_id=a&prompt=login';
const now = 1_800_000_000_000;

test("a prompt is marked as answered by the request's digest, as in earlier versions", () => {
  assert.equal(formatAnswer('signed_in', query), `sign-in ${digestOf(query)}`);
  assert.equal(formatAnswer('chose_account', query), `account ${digestOf(query)}`);
});

test('a session answers the request it was started for', () => {
  for (const answer of ['signed_in', 'chose_account'] as const) {
    const session = { answered: formatAnswer(answer, query), createdAt: now };
    assert.equal(answerTo(query, session, now), answer);
  }
});

test('a session answers no other request, not even one that only differs in encoding', () => {
  for (const answer of ['signed_in', 'chose_account'] as const) {
    const session = { answered: formatAnswer(answer, query), createdAt: now };
    assert.equal(answerTo(`${query}&`, session, now), undefined);
    assert.equal(answerTo('client_id=b&prompt=login', session, now), undefined);
  }
  assert.equal(answerTo(query, { answered: null, createdAt: now }, now), undefined);
});

test('a sign-in counts as the answer for ten minutes, an account choice for the whole session', () => {
  const session = (answer: 'signed_in' | 'chose_account', minutes: number) => ({
    answered: formatAnswer(answer, query),
    createdAt: now - minutes * MINUTE,
  });
  assert.equal(answerTo(query, session('signed_in', 9.99), now), 'signed_in');
  assert.equal(answerTo(query, session('signed_in', 10), now), undefined);
  assert.equal(answerTo(query, session('chose_account', 10_000), now), 'chose_account');
});
