import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Clause, clauseOf, sentenceOf } from '../../src/protocol/problem.ts';

const cases: readonly (readonly [what: string, clause: Clause, sentence: string])[] = [
  ['words', { says: 'there is no group "x"' }, 'There is no group "x".'],
  ['words before the rest', { subject: 'the name', says: 'is empty' }, 'The name is empty.'],
  ['a name of one word', { subject: 'shop', says: 'is a public client' }, 'shop is a public client.'],
  ['an email address', { subject: 'a@example.test', says: 'is disabled' }, 'a@example.test is disabled.'],
  ['an IP address', { says: "fe80::1 isn't a public IP address" }, "fe80::1 isn't a public IP address."],
];
for (const [what, clause, sentence] of cases) {
  test(`a sentence that begins with ${what} begins with it as it's written, or with a capital`, () => {
    assert.equal(sentenceOf(clause), sentence);
    assert.equal(clauseOf(clause).toLowerCase(), sentence.slice(0, -1).toLowerCase());
  });
}
