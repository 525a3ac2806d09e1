import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fairQueue } from '../../src/platform/fair-queue.ts';

/** Runs work by name and notes the order in which it starts; each piece ends when it is let go. */
function harness(concurrency: number, queue: number) {
  const run = fairQueue({ concurrency, queue, busy: () => new Error('busy') });
  const started: string[] = [];
  const finish: (() => void)[] = [];
  const outcomes = new Map<string, string>();
  const ask = (name: string, owner: string, urgent = false) => {
    const work = async () => {
      started.push(name);
      await new Promise<void>((resolve) => finish.push(resolve));
    };
    run(work, { owner, urgent }).then(
      () => outcomes.set(name, 'done'),
      (error: Error) => outcomes.set(name, error.message),
    );
  };
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  const drain = async () => {
    for (;;) {
      await settle();
      const next = finish.shift();
      if (next === undefined) return;
      next();
    }
  };
  return { ask, started, outcomes, settle, drain };
}

test("owners take turns: a busy one doesn't hold up the others", async () => {
  const { ask, started, drain } = harness(1, 100);
  for (let count = 1; count <= 4; count++) ask(`a${count}`, 'a');
  ask('b1', 'b');
  ask('c1', 'c');
  await drain();
  assert.deepEqual(started, ['a1', 'a2', 'b1', 'c1', 'a3', 'a4']);
});

test('urgent tasks get three turns out of four', async () => {
  const { ask, started, drain } = harness(1, 100);
  ask('first', 'x');
  for (let count = 1; count <= 2; count++) ask(`o${count}`, `stranger ${count}`);
  for (let count = 1; count <= 6; count++) ask(`u${count}`, `known ${count}`, true);
  await drain();
  assert.deepEqual(started, ['first', 'u1', 'u2', 'u3', 'o1', 'u4', 'u5', 'u6', 'o2']);
});

test('in a full queue, the owner with the most entries makes room for a new one', async () => {
  const { ask, started, outcomes, settle, drain } = harness(1, 3);
  ask('running', 'x');
  for (let count = 1; count <= 3; count++) ask(`a${count}`, 'a');
  ask('a4', 'a');
  ask('b1', 'b');
  await settle();
  assert.equal(outcomes.get('a4'), 'busy', 'one owner cannot grow beyond the line');
  assert.equal(outcomes.get('a3'), 'busy', 'the last of the greediest goes');
  await drain();
  assert.deepEqual(started, ['running', 'a1', 'b1', 'a2']);
});

test("a queue full of different owners rejects the next one, and the other queue isn't affected", async () => {
  const { ask, outcomes, settle, drain } = harness(1, 2);
  ask('running', 'x');
  ask('a', 'a');
  ask('b', 'b');
  ask('c', 'c');
  ask('u', 'u', true);
  await settle();
  assert.equal(outcomes.get('c'), 'busy');
  await drain();
  for (const name of ['running', 'a', 'b', 'u']) assert.equal(outcomes.get(name), 'done', name);
});
