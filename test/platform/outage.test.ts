// However many attempts fail during an outage, the log gets one line when it begins, one every ten seconds, one at the end.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { Outage } from '../../src/platform/outage.ts';

let now = 0;
let lines: string[];
let outage: Outage;
beforeEach(() => {
  now = 50_000;
  lines = [];
  const take = (facts: object, text: string) => lines.push(`${text} ${JSON.stringify(facts)}`);
  const texts = { level: 'warn' as const, begins: 'begins', continues: 'continues', ends: 'ends' };
  outage = new Outage(
    texts,
    () => ({ info: take, warn: take, error: take }),
    () => now,
  );
});

const error = new Error('gone');

test('a long outage is a few log lines with counts', () => {
  for (let tenths = 0; tenths < 250; tenths++) {
    outage.failed('read', error);
    now += 100;
  }
  now += 1000;
  outage.succeeded('read');
  outage.succeeded('read');
  assert.deepEqual(lines, [
    'begins {"reason":"gone"}',
    'continues {"failures":101,"seconds":10,"reason":"gone"}',
    'continues {"failures":201,"seconds":20,"reason":"gone"}',
    'ends {"failures":250,"seconds":26}',
  ]);
});

test("intermittent failures are one outage until there's none for a second", () => {
  for (let count = 0; count < 5; count++) {
    outage.failed('write', error);
    now += 500;
    outage.succeeded('write');
  }
  assert.equal(lines.length, 1);
  now += 500;
  outage.succeeded('write');
  assert.equal(lines.at(-1), 'ends {"failures":5,"seconds":3}');
});

test("successful reads don't end an outage of writes", () => {
  outage.failed('write', error);
  now += 5000;
  outage.succeeded('read');
  assert.equal(lines.length, 1);
  outage.succeeded('write');
  assert.equal(lines.length, 2);
});

test('without an outage nothing is logged, and the next one starts counting at zero', () => {
  outage.succeeded('read');
  assert.equal(lines.length, 0);
  for (let count = 0; count < 2; count++) {
    outage.failed('read', error);
    now += 2000;
    outage.succeeded('read');
  }
  assert.deepEqual(
    lines.filter((line) => line.startsWith('ends')),
    ['ends {"failures":1,"seconds":2}', 'ends {"failures":1,"seconds":2}'],
  );
});

test('errors other than outages are left to the caller', async () => {
  const fault = new Error('a fault');
  const attempts = [
    () => Promise.reject(fault),
    () => {
      throw fault;
    },
  ];
  for (const attempt of attempts) {
    await assert.rejects(async () => outage.watch('read', () => false, attempt), fault);
  }
  assert.deepEqual(lines, []);
});

test('what fails or succeeds at once is noticed like what does so later', async () => {
  const attempts = [
    () => Promise.reject(error),
    () => {
      throw error;
    },
  ];
  for (const [index, attempt] of attempts.entries()) {
    await assert.rejects(async () => outage.watch('read', () => true, attempt), error);
    now += 2000;
    assert.equal(
      await outage.watch<unknown>('read', () => true, index === 0 ? () => 'there' : async () => 'there'),
      'there',
    );
  }
  assert.deepEqual(
    lines.map((line) => line.split(' ')[0]),
    ['begins', 'ends', 'begins', 'ends'],
  );
});
