import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { argon2Passwords, PasswordsBusy } from '../../../src/platform/passwords/passwords.ts';

describe('hashing and verifying', () => {
  // What a hash costs says nothing about which passwords match it.
  const passwords = argon2Passwords({ concurrency: 2, queue: 100, memory: 512 });

  test('a hash is Argon2id in PHC format with 19 MB, 2 passes and 1 lane', async () => {
    const form = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/;
    const usual = argon2Passwords({ concurrency: 2, queue: 100 });
    const hash = await usual.hash('correct horse');
    assert.match(hash, form);
    assert.equal(await usual.verify('correct horse', hash), true);
    assert.equal(await usual.verify('correct horsf', hash), false);
  });

  test('two hashes of one password differ', async () => {
    assert.notEqual(await passwords.hash('correct horse'), await passwords.hash('correct horse'));
  });

  const cases = [
    { name: 'the right password is verified', hashed: 'correct horse', given: 'correct horse', expected: true },
    { name: 'a wrong password is not', hashed: 'correct horse', given: 'correct horsf', expected: false },
    { name: 'an empty password is not', hashed: 'correct horse', given: '', expected: false },
    { name: 'a password in another case is not', hashed: 'correct horse', given: 'Correct horse', expected: false },
    {
      name: 'a password with a space after it is not',
      hashed: 'correct horse',
      given: 'correct horse ',
      expected: false,
    },
    { name: 'a decomposed spelling is verified', hashed: 'p\u00e4ssword', given: 'pa\u0308ssword', expected: true },
    { name: 'a composed spelling is verified', hashed: 'pa\u0308ssword', given: 'p\u00e4ssword', expected: true },
    { name: 'a full-width spelling is verified', hashed: 'password', given: 'ｐａｓｓｗｏｒｄ', expected: true },
    {
      name: 'a long password counts to its last character',
      hashed: `${'x'.repeat(255)}a`,
      given: `${'x'.repeat(255)}b`,
      expected: false,
    },
    { name: 'a password in many bytes is verified', hashed: '😀'.repeat(256), given: '😀'.repeat(256), expected: true },
  ];
  for (const c of cases) {
    test(c.name, async () => assert.equal(await passwords.verify(c.given, await passwords.hash(c.hashed)), c.expected));
  }

  test('no password is correct without a hash', async () => {
    assert.equal(await passwords.verify('correct horse', undefined), false);
  });

  // From the test suite of the Argon2 reference implementation: the parameters are those of the hash.
  const reference = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
  test('a hash of the reference implementation is verified', async () => {
    assert.equal(await passwords.verify('password', reference), true);
    assert.equal(await passwords.verify('passwore', reference), false);
  });

  const unreadable = [
    { name: 'an empty hash verifies nothing', hash: '' },
    { name: 'a hash in plain text verifies nothing', hash: 'password' },
    { name: 'a hash of another algorithm verifies nothing', hash: reference.replace('argon2id', 'argon2i') },
    { name: 'a hash of another version verifies nothing', hash: reference.replace('v=19', 'v=16') },
    { name: 'a cut-off hash verifies nothing', hash: reference.slice(0, reference.lastIndexOf('$')) },
    { name: 'a hash with its salt changed verifies nothing', hash: reference.replace('c29t', 'c29u') },
    // Computing any of these would take longer than this test has.
    { name: 'bcrypt of cost 31 is not computed', hash: `foreign:$2b$31$${'.'.repeat(53)}` },
    { name: 'PBKDF2 with 10^12 iterations is not computed', hash: 'foreign:$pbkdf2-sha1$i=1000000000000$AAAA$AAAA' },
    { name: 'scrypt with N of 2^30 is not computed', hash: 'foreign:$scrypt$ln=30,r=8,p=1$AAAA$AAAA' },
    { name: 'Argon2 with 4 GB is not computed', hash: 'foreign:$argon2i$v=19$m=4194304,t=9,p=1$AAAA$AAAA' },
    { name: 'a foreign hash without a form verifies nothing', hash: 'foreign:' },
  ];
  for (const c of unreadable) {
    test(c.name, async () => assert.equal(await passwords.verify('password', c.hash), false));
  }
});

describe('the queue', () => {
  const busy = (error: unknown) => error instanceof PasswordsBusy && error.name === 'PasswordsBusy';

  test('checks beyond the queue are refused at once', async () => {
    const passwords = argon2Passwords({ concurrency: 1, queue: 1 });
    const running = passwords.hash('one');
    const waiting = passwords.hash('two');
    await assert.rejects(passwords.hash('three'), busy);
    await Promise.all([running, waiting]);
  });

  test('verifying is refused like hashing', async () => {
    const passwords = argon2Passwords({ concurrency: 1, queue: 0 });
    const hash = await passwords.hash('one');
    const running = passwords.verify('one', hash);
    await assert.rejects(passwords.verify('one', hash), busy);
    assert.equal(await running, true);
  });

  test("up to the concurrency limit, checks don't queue", async () => {
    const passwords = argon2Passwords({ concurrency: 2, queue: 0 });
    const running = [passwords.hash('one'), passwords.hash('two')];
    await assert.rejects(passwords.hash('three'), busy);
    await Promise.all(running);
  });

  test('a place that becomes free is used again', async () => {
    const passwords = argon2Passwords({ concurrency: 1, queue: 1 });
    for (let round = 0; round < 3; round++) await Promise.all([passwords.hash('one'), passwords.hash('two')]);
    await passwords.hash('three');
  });

  test('queued checks run in order', async () => {
    const passwords = argon2Passwords({ concurrency: 1, queue: 3 });
    const order: number[] = [];
    await Promise.all([1, 2, 3, 4].map((number) => passwords.hash('x').then(() => order.push(number))));
    assert.deepEqual(order, [1, 2, 3, 4]);
  });

  test('checking a password without a hash takes a place like any other', async () => {
    const passwords = argon2Passwords({ concurrency: 1, queue: 0 });
    const running = passwords.verify('x', undefined);
    await setImmediate();
    await assert.rejects(passwords.hash('y'), busy);
    assert.equal(await running, false);
  });

  test('so does checking against an empty or imported hash', async () => {
    const passwords = argon2Passwords({ concurrency: 1, queue: 0 });
    for (const hash of ['', 'foreign:', `foreign:$2b$04$${'.'.repeat(53)}`]) {
      const running = passwords.verify('x', hash);
      await setImmediate();
      await assert.rejects(passwords.hash('y'), busy);
      assert.equal(await running, false);
    }
  });

  test('a check refused during preparation can be retried', async () => {
    const passwords = argon2Passwords({ concurrency: 1, queue: 0 });
    const running = passwords.hash('x');
    await assert.rejects(passwords.verify('y', undefined), busy);
    await running;
    assert.equal(await passwords.verify('y', undefined), false);
  });
});
