// What can be said to somebody who is declined.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanMessage, messageLimit, messageProblem } from '../../../src/protocol/account/standing.ts';

const cleaned: readonly (readonly [given: string, sent: string])[] = [
  ['', ''],
  ['  \r\n ', ''],
  [' Sorry. ', 'Sorry.'],
  ['One\r\ntwo\rthree\nfour', 'One\ntwo\nthree\nfour'],
  ['in\u202evisible\u200b\ufeff', 'invisible'],
  ['👩🏽‍🚀', '👩🏽‍🚀'],
];

for (const [given, sent] of cleaned) {
  test(`${JSON.stringify(given)} is sent as ${JSON.stringify(sent)}`, () => assert.equal(cleanMessage(given), sent));
}

const judged: readonly (readonly [message: string, isAccepted: boolean])[] = [
  ['', true],
  ['Two\nlines', true],
  ['a'.repeat(messageLimit), true],
  ['a'.repeat(messageLimit + 1), false],
  ['😀'.repeat(messageLimit), true],
  ['😀'.repeat(messageLimit + 1), false],
  ['a tab\tis none', false],
  ['\0', false],
  ['bell\u0007', false],
  ['\u009b31m', false],
  ['half \ud800', false],
];

for (const [message, isAccepted] of judged) {
  test(`${JSON.stringify(message).slice(0, 20)} (${message.length}) is ${isAccepted ? 'accepted' : 'refused'}`, () => {
    assert.equal(messageProblem(message) === undefined, isAccepted);
  });
}
