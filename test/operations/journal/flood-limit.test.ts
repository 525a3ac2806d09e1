// How many events strangers can have written: so many at once, then so many over time, with shares that noise can't use up.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FloodLimit } from '../../../src/operations/journal/flood-limit.ts';

const kind = 'sign_in_failed';
const from = (address: string) => ({ address, requestId: '' });

function newLimit() {
  const clock = { at: Date.UTC(2026, 0, 15), now: () => clock.at };
  const limit = new FloodLimit(clock);
  const admitted = (count: number, address: (index: number) => string, facts = {}) => {
    let sum = 0;
    for (let index = 0; index < count; index++) if (limit.admits({ kind, ...facts }, from(address(index)))) sum++;
    return sum;
  };
  return { clock, limit, admitted };
}

const network = (index: number) => `198.51.${Math.floor(index / 256) % 256}.${index % 256}`;
const onlyOne = () => '192.0.2.7';

test('one network has 200 at once, and then one in 50 seconds', () => {
  const { clock, admitted } = newLimit();
  assert.equal(admitted(1000, onlyOne), 200);
  clock.at += 49_000;
  assert.equal(admitted(10, onlyOne), 0);
  clock.at += 2000;
  assert.equal(admitted(10, onlyOne), 1);
});

test('all networks together have 2,000 at once, and then one in 10 seconds', () => {
  const { clock, admitted } = newLimit();
  assert.equal(admitted(5000, network), 2000);
  clock.at += 100_000;
  assert.equal(admitted(5000, network), 10);
});

test('other kinds, and events about a known client or user, have their own limit', () => {
  const { limit, admitted } = newLimit();
  admitted(1000, onlyOne);
  assert.equal(limit.admits({ kind: 'authorization_refused' }, from(onlyOne())), true);
  assert.equal(limit.admits({ kind, clientId: 'a' }, from(onlyOne())), true);
  assert.equal(limit.admits({ kind, userId: 'u' }, from(onlyOne())), true);
});

test("a network gets its full share again only once it's forgotten", () => {
  const { clock, admitted } = newLimit();
  admitted(200, onlyOne);
  clock.at += 9_999_000;
  assert.equal(admitted(1000, onlyOne), 199, 'refilled for 9,999 seconds');
  clock.at += 10_000_000;
  assert.equal(admitted(1000, onlyOne), 200);
});

test('setting the clock back gives nobody more', () => {
  const { clock, admitted } = newLimit();
  admitted(200, onlyOne);
  clock.at -= 3_600_000;
  assert.equal(admitted(10, onlyOne), 0);
});
