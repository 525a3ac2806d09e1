import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MINUTE } from '../../../src/protocol/durations.ts';
import {
  codeGuessCounters,
  networkOf,
  oldestBucket,
  signInCounters,
  throttleBucket,
  throttledFor,
} from '../../../src/protocol/sign-in/throttle-rules.ts';

const now = 1_800_000_000_000;

describe('the counters of a sign-in', () => {
  const keysOf = (email: string, address: string) => signInCounters(email, address).map(({ key }) => key);

  test('the limits are 10 per account and IP address, 50 per account, 100 per IP address', () => {
    assert.deepEqual(
      signInCounters('a@b.example', '192.0.2.1').map(({ limit }) => limit),
      [10, 50, 100],
    );
  });

  test('the three counters of an attempt are different', () => {
    assert.equal(new Set(keysOf('a@b.example', '192.0.2.1')).size, 3);
  });

  test("a counter's name contains neither the account nor the IP address", () => {
    for (const key of keysOf('a@b.example', '192.0.2.1')) assert.match(key, /^[A-Za-z0-9_-]{43}$/);
  });

  const cases: { name: string; email: string; address: string; shared: boolean[] }[] = [
    {
      name: 'the same attempt counts the same',
      email: 'a@b.example',
      address: '192.0.2.1',
      shared: [true, true, true],
    },
    {
      name: 'another spelling of the e-mail address counts the same',
      email: ' A@B.Example ',
      address: '192.0.2.1',
      shared: [true, true, true],
    },
    {
      name: 'another spelling of the network address counts the same',
      email: 'a@b.example',
      address: '::ffff:192.0.2.1',
      shared: [true, true, true],
    },
    {
      name: 'another address shares the account alone',
      email: 'a@b.example',
      address: '192.0.2.2',
      shared: [false, true, false],
    },
    {
      name: 'another account shares the address alone',
      email: 'c@b.example',
      address: '192.0.2.1',
      shared: [false, false, true],
    },
    {
      name: 'another account from another address shares nothing',
      email: 'c@b.example',
      address: '192.0.2.2',
      shared: [false, false, false],
    },
  ];
  const reference = keysOf('a@b.example', '192.0.2.1');
  for (const c of cases) {
    test(c.name, () => {
      assert.deepEqual(
        keysOf(c.email, c.address).map((key, index) => key === reference[index]),
        c.shared,
      );
    });
  }
});

describe('the window', () => {
  test('a failed sign-in counts for 15 minutes', () => {
    for (const { window } of signInCounters('a@b.example', '192.0.2.1')) assert.equal(window, 15 * MINUTE);
  });

  const cases = [
    { name: 'a minute begins its bucket', now: 100 * MINUTE, bucket: 115, oldest: 101 },
    { name: 'the last millisecond of a minute is in its bucket', now: 101 * MINUTE - 1, bucket: 115, oldest: 101 },
    { name: 'the next millisecond is in the next bucket', now: 101 * MINUTE, bucket: 116, oldest: 102 },
  ];
  for (const c of cases) {
    test(c.name, () => {
      assert.equal(throttleBucket(c.now, 15 * MINUTE), c.bucket);
      assert.equal(oldestBucket(c.now), c.oldest);
    });
  }
});

describe('whether an attempt has to wait', () => {
  const counters = [
    { key: 'pair', limit: 10, window: 15 * MINUTE },
    { key: 'account', limit: 50, window: 15 * MINUTE },
    { key: 'network', limit: 100, window: 15 * MINUTE },
  ];
  const bucket = throttleBucket(now, 15 * MINUTE);
  const cases: {
    name: string;
    counts: { key: string; failures: number; firstBucket: number }[];
    now?: number;
    expected: number | undefined;
  }[] = [
    { name: 'without failures it goes ahead', counts: [], expected: undefined },
    {
      name: 'after 9 failures of the pair it goes ahead',
      counts: [{ key: 'pair', failures: 9, firstBucket: bucket }],
      expected: undefined,
    },
    {
      name: 'after 10 failures of the pair it waits for the window to pass',
      counts: [{ key: 'pair', failures: 10, firstBucket: bucket }],
      expected: 900,
    },
    {
      name: 'after 49 failures of the account it goes ahead',
      counts: [{ key: 'account', failures: 49, firstBucket: bucket }],
      expected: undefined,
    },
    {
      name: 'after 50 failures of the account it waits',
      counts: [{ key: 'account', failures: 50, firstBucket: bucket }],
      expected: 900,
    },
    {
      name: 'after 99 failures of the network it goes ahead',
      counts: [{ key: 'network', failures: 99, firstBucket: bucket }],
      expected: undefined,
    },
    {
      name: 'after 100 failures of the network it waits',
      counts: [{ key: 'network', failures: 100, firstBucket: bucket }],
      expected: 900,
    },
    {
      name: 'more failures than the limit wait too',
      counts: [{ key: 'pair', failures: 11, firstBucket: bucket }],
      expected: 900,
    },
    {
      name: 'counters of others do not count',
      counts: [{ key: 'other', failures: 1000, firstBucket: bucket }],
      expected: undefined,
    },
    {
      name: 'limits are not added up',
      counts: [
        { key: 'pair', failures: 9, firstBucket: bucket },
        { key: 'account', failures: 9, firstBucket: bucket },
      ],
      expected: undefined,
    },
    {
      name: 'the wait ends when the oldest failures leave the window',
      counts: [{ key: 'pair', failures: 10, firstBucket: bucket - 14 }],
      expected: 60,
    },
    {
      name: 'the wait shortens as time passes',
      counts: [{ key: 'pair', failures: 10, firstBucket: bucket - 14 }],
      now: now + 30_000,
      expected: 30,
    },
    {
      name: 'a fraction of a second is rounded up',
      counts: [{ key: 'pair', failures: 10, firstBucket: bucket - 14 }],
      now: now + 30_001,
      expected: 30,
    },
    {
      name: 'the wait is at least a second',
      counts: [{ key: 'pair', failures: 10, firstBucket: bucket - 14 }],
      now: now + 60_000,
      expected: 1,
    },
    {
      name: 'the longest of several waits counts',
      counts: [
        { key: 'pair', failures: 10, firstBucket: bucket - 10 },
        { key: 'account', failures: 50, firstBucket: bucket - 2 },
        { key: 'network', failures: 99, firstBucket: bucket },
      ],
      expected: 13 * 60,
    },
  ];
  for (const c of cases) test(c.name, () => assert.equal(throttledFor(counters, c.counts, c.now ?? now), c.expected));
});

describe('the network of an IP address', () => {
  const cases = [
    { address: '192.0.2.1', expected: '192.0.2.1' },
    { address: '::ffff:192.0.2.1', expected: '192.0.2.1' },
    { address: '192.0.2.1:50123', expected: '192.0.2.1' },
    { address: '[2001:db8:1:2::1]:443', expected: '2001:db8:1:2::/64' },
    { address: '', expected: '' },
    { address: '::FFFF:192.0.2.1', expected: '192.0.2.1' },
    { address: '2001:db8:1:2:3:4:5:6', expected: '2001:db8:1:2::/64' },
    { address: '2001:db8:1:2:ffff:ffff:ffff:ffff', expected: '2001:db8:1:2::/64' },
    { address: '2001:DB8:1:2::1', expected: '2001:db8:1:2::/64' },
    { address: '2001:0db8:0001:0002::1', expected: '2001:db8:1:2::/64' },
    { address: '2001:db8:1:3::1', expected: '2001:db8:1:3::/64' },
    { address: '2001:db8::1', expected: '2001:db8:0:0::/64' },
    { address: '2001:db8:0:0:1::', expected: '2001:db8:0:0::/64' },
    { address: '2001:db8:0000:0000:0:0:0:1', expected: '2001:db8:0:0::/64' },
    { address: '2001::5:6:7:8:9', expected: '2001:0:0:5::/64' },
    { address: '64:ff9b::192.0.2.1', expected: '64:ff9b:0:0::/64' },
    { address: 'fe80::1%eth0', expected: 'fe80:0:0:0::/64' },
    { address: '::1', expected: '0:0:0:0::/64' },
    { address: '::', expected: '0:0:0:0::/64' },
  ];
  for (const c of cases) test(`${c.address} is in ${c.expected}`, () => assert.equal(networkOf(c.address), c.expected));
});

test('guesses in all known browsers have their own shared limit', () => {
  const keysOf = (knownDevice: string | undefined) =>
    codeGuessCounters({ userId: 'ada', sessionGeneration: 1, knownDevice }).map(({ key }) => key);
  const [one, other, stranger] = [keysOf('one'), keysOf('other'), keysOf(undefined)];
  // Whoever knew the password before there was a second factor may have made many browsers known.
  assert.deepEqual(
    one.map((key) => other.includes(key)),
    [false, false, true],
  );
  assert.deepEqual(
    one.filter((key) => stranger.includes(key)),
    [],
  );
});
