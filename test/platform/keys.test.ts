import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { keyId, serviceKeys } from '../../src/platform/keys.ts';
import { forever, never } from '../../src/protocol/key-retirement.ts';

const first = 'a'.repeat(43);
const second = 'b'.repeat(43);
const third = 'c'.repeat(43);

describe('a stamp', () => {
  const keys = serviceKeys([first]);
  const stamp = keys.stamp('decision', 'session1', 'request1');

  test("it's accepted with the same purpose and parts", () => {
    assert.equal(keys.verifyStamp(stamp, 'decision', 'session1', 'request1'), true);
  });

  test('it is the same each time', () => assert.equal(keys.stamp('decision', 'session1', 'request1'), stamp));

  test('it is safe in a form and a URL', () => assert.match(stamp, /^[A-Za-z0-9_-]{43}$/));

  const refused: { name: string; stamp?: string; purpose?: string; parts?: string[] }[] = [
    { name: 'another purpose is refused', purpose: 'sign-in' },
    { name: 'another part is refused', parts: ['session1', 'request2'] },
    { name: 'parts in another order are refused', parts: ['request1', 'session1'] },
    { name: 'a missing part is refused', parts: ['session1'] },
    { name: 'no parts are refused', parts: [] },
    { name: 'an additional part is refused', parts: ['session1', 'request1', ''] },
    { name: 'parts divided elsewhere are refused', parts: ['session1request1'] },
    { name: 'parts that spell the separator are refused', parts: ['session1","request1'] },
    { name: 'a purpose that swallows a part is refused', purpose: 'decision","session1', parts: ['request1'] },
    { name: 'an empty stamp is refused', stamp: '' },
    { name: 'a cut-off stamp is refused', stamp: stamp.slice(0, -1) },
    { name: 'a longer stamp is refused', stamp: `${stamp}A` },
    { name: 'a changed stamp is refused', stamp: (stamp.startsWith('A') ? 'B' : 'A') + stamp.slice(1) },
  ];
  for (const c of refused) {
    test(c.name, () => {
      const parts = c.parts ?? ['session1', 'request1'];
      // Any text, although the compiler accepts known purposes only.
      const untyped: { verifyStamp(stamp: string, purpose: string, ...parts: string[]): boolean } = keys;
      assert.equal(untyped.verifyStamp(c.stamp ?? stamp, c.purpose ?? 'decision', ...parts), false);
    });
  }

  test("another secret doesn't accept it", () => {
    assert.equal(serviceKeys([second]).verifyStamp(stamp, 'decision', 'session1', 'request1'), false);
  });
});

describe('rotation', () => {
  let now = 1000;
  const clock = { now: () => now };
  const ends = [
    forever,
    { accessTokens: 2000, forms: 3000, hints: forever.hints },
    { accessTokens: 1500, forms: 1600, hints: never.hints },
  ];
  const validity = { ends, clock, signing: 0 };
  const old = serviceKeys([first]);
  const rotated = serviceKeys([second, first], validity);
  const done = serviceKeys([second]);

  beforeEach(() => {
    now = 1000;
  });

  test('each key verifies access tokens until it expires, and not again when the clock goes back', () => {
    const keys = serviceKeys([third, second, first], validity);
    const [newest, middle, oldest] = [third, second, first].map((secret) => serviceKeys([secret]).accessTokenKey);
    assert.deepEqual(keys.accessTokenKeys(now), [newest, middle, oldest]);
    assert.equal(keys.accessTokenKeys(now), keys.accessTokenKeys(now), 'the list is the same while nothing ends');
    now = 1499;
    assert.equal(keys.accessTokenKeys(now).length, 3);
    now = 1500;
    assert.deepEqual(keys.accessTokenKeys(now), [newest, middle]);
    now = 1999;
    assert.equal(keys.accessTokenKeys(now).length, 2);
    now = 1_000_000;
    assert.deepEqual(keys.accessTokenKeys(now), [newest]);
    now = 1000;
    assert.deepEqual(keys.accessTokenKeys(now), [newest]);
  });

  test('a stamp by the old key is accepted until it expires', () => {
    const keys = serviceKeys([second, first], validity);
    assert.equal(keys.verifyStamp(old.stamp('account', 'x'), 'account', 'x'), true);
    now = 2999;
    assert.equal(keys.verifyStamp(old.stamp('account', 'x'), 'account', 'x'), true);
    now = 3000;
    assert.equal(keys.verifyStamp(old.stamp('account', 'x'), 'account', 'x'), false);
    assert.equal(keys.verifyStamp(keys.stamp('account', 'x'), 'account', 'x'), true);
  });

  test('the newest key makes a sid, and old ones verify theirs unless they are compromised', () => {
    const keys = serviceKeys([third, second, first], validity);
    const [newest, middle] = [third, second].map((secret) => serviceKeys([secret]).sidKey(null));
    assert.deepEqual(keys.sidKey(null), newest);
    assert.deepEqual(keys.sidKey(keyId(second)), middle);
    assert.deepEqual(keys.sidKey('of no key that is listed'), newest);
    now = 1_000_000;
    assert.deepEqual(keys.sidKeys(now), [newest, middle]);
  });

  test('old keys verify nothing until their expiry is known', () => {
    const keys = serviceKeys([second, first]);
    assert.deepEqual(keys.accessTokenKeys(now), [done.accessTokenKey]);
    assert.equal(keys.verifyStamp(old.stamp('account', 'x'), 'account', 'x'), false);
  });

  test('a newest key that was retired verifies nothing', () => {
    const keys = serviceKeys([first], { ends: [never], clock, signing: 0 });
    assert.deepEqual(keys.accessTokenKeys(now), []);
    assert.equal(keys.verifyStamp(keys.stamp('account', 'x'), 'account', 'x'), false);
  });

  test('key IDs are distinct, stable, and not part of the key', () => {
    assert.deepEqual(rotated.ids, [...done.ids, ...old.ids]);
    assert.equal(new Set([...rotated.ids, ...serviceKeys([third]).ids]).size, 3);
    for (const id of rotated.ids) assert.match(id, /^[A-Za-z0-9_-]{22}$/);
  });

  test('the newest key makes the stamps', () =>
    assert.equal(rotated.stamp('account', 'x'), done.stamp('account', 'x')));

  test('the newest key signs access tokens', () => {
    assert.deepEqual(rotated.accessTokenKey, done.accessTokenKey);
  });

  test('a new key that not every instance has verifies already, and the one before it signs and seals', () => {
    const keys = serviceKeys([second, first], { ends: [forever, forever], clock, signing: 1 });
    assert.equal(keys.signingId, old.ids[0]);
    assert.deepEqual(keys.accessTokenKey, old.accessTokenKey);
    assert.deepEqual(keys.accessTokenKeys(now), [done.accessTokenKey, old.accessTokenKey]);
    assert.deepEqual(keys.sidKey(null), old.sidKey(null));
    assert.deepEqual(keys.publicIdTokenKey('client1'), old.publicIdTokenKey('client1'));
    assert.equal(keys.stamp('account', 'x'), old.stamp('account', 'x'));
    assert.equal(keys.verifyStamp(done.stamp('account', 'x'), 'account', 'x'), true);
    assert.equal(old.unseal('mail 1', keys.seal('mail 1', 'hello')), 'hello');
    assert.equal(keys.unseal('mail 1', done.seal('mail 1', 'hello')), 'hello');
    assert.equal(old.unseal('mail 1', keys.reseal('mail 1', done.seal('mail 1', 'hello')) ?? ''), 'hello');
  });

  test('a removed key accepts nothing', () => {
    assert.equal(done.verifyStamp(old.stamp('account', 'x'), 'account', 'x'), false);
  });

  test("the newest key makes a public client's key", () => {
    assert.deepEqual(rotated.publicIdTokenKey('client1'), done.publicIdTokenKey('client1'));
  });
});

describe('sealed text', () => {
  const keys = serviceKeys([first]);

  for (const [name, text] of Object.entries({
    'a short text': 'hello',
    'an empty text': '',
    'Unicode text': 'Zoë 漢字 👩🏽‍🚀 \0',
    'a long text': 'x'.repeat(100_000),
  })) {
    test(`${name} can be opened`, () => assert.equal(keys.unseal('mail 1', keys.seal('mail 1', text)), text));
  }

  test("it's safe in a form, hides the text, and differs each time", () => {
    const text = 'a secret that is long enough to be recognised';
    const sealed = [keys.seal('mail 1', text), keys.seal('mail 1', text)];
    for (const each of sealed) {
      assert.match(each, /^[A-Za-z0-9_-]+$/);
      assert.equal(Buffer.from(each, 'base64url').includes('secret'), false);
      assert.equal(Buffer.from(each, 'base64url').length, text.length + 28);
    }
    assert.notEqual(sealed[0], sealed[1]);
  });

  test("it can't be opened for another purpose", () => {
    const sealed = keys.seal('authenticator ada', 'hello');
    for (const purpose of ['authenticator bob', 'authenticator', 'authenticator ada ', 'mail ada', '']) {
      const untyped: { unseal(purpose: string, sealed: string): string | undefined } = keys;
      assert.equal(untyped.unseal(purpose, sealed), undefined, purpose);
    }
  });

  test("it can't be opened with another key", () => {
    assert.equal(serviceKeys([second]).unseal('mail 1', keys.seal('mail 1', 'hello')), undefined);
  });

  test('any changed bit or missing byte is detected', () => {
    const sealed = Buffer.from(keys.seal('mail 1', 'hello'), 'base64url');
    for (let position = 0; position < sealed.length; position++) {
      for (let bit = 0; bit < 8; bit++) {
        const changed = Buffer.from(sealed);
        changed[position] = (changed[position] ?? 0) ^ (1 << bit);
        assert.equal(keys.unseal('mail 1', changed.toString('base64url')), undefined, `byte ${position}, bit ${bit}`);
      }
      assert.equal(keys.unseal('mail 1', sealed.subarray(0, position).toString('base64url')), undefined);
      assert.equal(keys.unseal('mail 1', sealed.subarray(position + 1).toString('base64url')), undefined);
    }
    assert.equal(keys.unseal('mail 1', Buffer.concat([sealed, Buffer.alloc(1)]).toString('base64url')), undefined);
  });

  test("text that was never sealed can't be opened", () => {
    for (const text of ['', 'x', 'hello', 'A'.repeat(37), 'A'.repeat(38), 'A'.repeat(1000), '%%% 漢字']) {
      assert.equal(keys.unseal('mail 1', text), undefined, text);
    }
  });

  test('a rotated key still opens what it sealed, and the newest seals', () => {
    const old = keys.seal('mail 1', 'hello');
    const rotated = serviceKeys([second, first]);
    assert.equal(rotated.unseal('mail 1', old), 'hello');
    const fresh = rotated.seal('mail 1', 'hello');
    assert.equal(serviceKeys([second]).unseal('mail 1', fresh), 'hello');
    assert.equal(keys.unseal('mail 1', fresh), undefined);
    assert.equal(serviceKeys([second]).unseal('mail 1', old), undefined, 'and not once it is taken out');
  });
});

describe('sealing again', () => {
  const keys = serviceKeys([second, first]);

  test('text sealed by an old key is resealed with the newest', () => {
    const again = keys.reseal('mail 1', serviceKeys([first]).seal('mail 1', 'hello'));
    assert.equal(serviceKeys([second]).unseal('mail 1', again ?? ''), 'hello');
  });

  test('text sealed by the newest key is unchanged', () => {
    const sealed = keys.seal('mail 1', 'hello');
    assert.equal(keys.reseal('mail 1', sealed), sealed);
  });

  test("text sealed by no known key, or for another purpose, isn't resealed", () => {
    assert.equal(keys.reseal('mail 1', serviceKeys([third]).seal('mail 1', 'hello')), undefined);
    assert.equal(keys.reseal('mail 1', keys.seal('mail 2', 'hello')), undefined);
    assert.equal(keys.reseal('mail 1', 'hello'), undefined);
  });
});

describe('the keys of the separate purposes', () => {
  const keys = serviceKeys([first]);

  test('they have 256 bits', () => {
    assert.equal(keys.accessTokenKey.length, 32);
    assert.equal(keys.sidKey(null).length, 32);
    assert.equal(keys.publicIdTokenKey('client1').length, 32);
  });

  test('they all differ, from each other and from the secret', () => {
    const all = [
      keys.accessTokenKey,
      keys.sidKey(null),
      keys.publicIdTokenKey('client1'),
      keys.publicIdTokenKey('client2'),
    ];
    const texts = all.map((key) => Buffer.from(key).toString('hex'));
    assert.equal(
      new Set([...texts, Buffer.from(first).toString('hex'), Buffer.from(first, 'base64url').toString('hex')]).size,
      6,
    );
  });

  test('they are the same for the same secret', () => {
    assert.deepEqual(serviceKeys([first]).accessTokenKey, keys.accessTokenKey);
    assert.deepEqual(serviceKeys([first]).publicIdTokenKey('client1'), keys.publicIdTokenKey('client1'));
  });
});
