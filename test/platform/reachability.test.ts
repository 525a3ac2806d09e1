// When a relying party takes Latchkey for unreachable, by the answers to several questions at once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../../src/platform/relying-party/issuer.ts';
import { Reachability } from '../../src/platform/relying-party/reachability.ts';

const noAnswer: Answer<string> = { kind: 'unanswered', problem: 'no answer', isInvalid: false };
const answered: Answer<string> = { kind: 'answered', value: 'here' };

test('a question that was asked before another was answered says nothing about now', async () => {
  let now = 0;
  const said: string[] = [];
  const reachability = new Reachability({
    now: () => now,
    failed: (problem) => said.push(problem),
    invalid: (problem) => said.push(problem),
    answered: () => said.push('answered'),
  });
  const { promise, resolve } = Promise.withResolvers<Answer<string>>();
  const early = reachability.ask(() => promise);
  now = 10;
  assert.deepEqual(await reachability.ask(async () => answered), answered);
  now = 2000;
  resolve(noAnswer);
  assert.deepEqual(await early, noAnswer);
  assert.deepEqual(await reachability.ask(async () => answered), answered);
  assert.deepEqual(said, ['answered', 'answered']);

  // One that was asked since does.
  now = 2010;
  assert.deepEqual(await reachability.ask(async () => noAnswer), noAnswer);
  assert.equal((await reachability.ask(async () => answered)).kind, 'unanswered');
  assert.deepEqual(said.slice(2), ['no answer']);
});
