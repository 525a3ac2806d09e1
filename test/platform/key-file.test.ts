import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ConfigurationError, readConfig } from '../../src/platform/config.ts';
import { loadKeys, rotateKeys } from '../../src/platform/key-file.ts';
import { type KeyList, readKeyList } from '../../src/platform/key-list.ts';
import { serviceKeys } from '../../src/platform/keys.ts';

const keyOf = (name: string) => createHash('sha256').update(name).digest('base64url');
const first = keyOf('first');
const second = keyOf('second');

describe('loading keys', () => {
  let directory: string;
  let keysFile: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'latchkey-keys-'));
    keysFile = join(directory, 'keys');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const load = () => loadKeys({ keys: undefined, keysFile });

  test('a missing key file is created, readable by its owner only', () => {
    load();
    assert.equal(statSync(keysFile).mode & 0o777, 0o600);
    assert.match(readFileSync(keysFile, 'utf8'), /^[A-Za-z0-9_-]{43}\n$/);
  });

  test('the key file is read again and not replaced', () => {
    const made = load();
    const text = readFileSync(keysFile, 'utf8');
    assert.deepEqual(load().ids, made.ids);
    assert.equal(readFileSync(keysFile, 'utf8'), text);
  });

  test('two key files hold different keys', () => {
    const made = load();
    rmSync(keysFile);
    assert.notDeepEqual(load().ids, made.ids);
  });

  for (const mode of [0o644, 0o640, 0o666]) {
    test(`a key file with mode ${mode.toString(8)} is made private`, () => {
      writeFileSync(keysFile, first);
      chmodSync(keysFile, mode);
      load();
      assert.equal(statSync(keysFile).mode & 0o777, 0o600);
    });
  }

  test('keys in the environment take precedence, and no file is created', () => {
    assert.deepEqual(loadKeys({ keys: [first], keysFile }).ids, serviceKeys([first]).ids);
    assert.equal(existsSync(keysFile), false);
  });

  const accepted: { name: string; text: string; expected: KeyList }[] = [
    { name: 'one key is accepted', text: first, expected: [first] },
    { name: 'a final line feed is ignored', text: `${first}\n`, expected: [first] },
    { name: 'keys on lines are read newest first', text: `${second}\n${first}\n`, expected: [second, first] },
    { name: 'keys with Windows line ends are read', text: `${second}\r\n${first}\r\n`, expected: [second, first] },
    { name: 'keys with commas are read', text: `${second}, ${first}`, expected: [second, first] },
    { name: 'a longer key is accepted', text: first + second, expected: [first + second] },
  ];
  for (const c of accepted) {
    test(c.name, () => {
      assert.deepEqual(readConfig({ LATCHKEY_KEYS: c.text }).keys, c.expected);
      writeFileSync(keysFile, c.text, { mode: 0o600 });
      assert.deepEqual(load().ids, serviceKeys(c.expected).ids);
    });
  }

  const refused = [
    { name: 'white space alone is refused', text: ' \n' },
    { name: 'a key of 42 characters is refused', text: 'a'.repeat(42) },
    { name: 'a key outside base64url is refused', text: `${'a'.repeat(43)}+` },
    { name: 'a padded key is refused', text: `${first}=` },
    { name: 'one bad key among good ones is refused', text: `${first}\nshort` },
    { name: 'a comment is refused', text: `# keys\n${first}` },
  ];
  for (const c of refused) {
    test(c.name, () => {
      assert.throws(
        () => readConfig({ LATCHKEY_KEYS: c.text }),
        (error) =>
          error instanceof ConfigurationError && /^LATCHKEY_KEYS must contain keys/.test(error.problems[0] ?? ''),
      );
      writeFileSync(keysFile, c.text, { mode: 0o600 });
      assert.throws(load, ConfigurationError);
      assert.equal(readFileSync(keysFile, 'utf8'), c.text);
    });
  }

  const known = {
    'the key that was in the deployment files': '2Zq0mYI4iW5v3nR7cT1xLb8sK6dPfGhJoUaEyNtVwQk',
    'one character': 'A'.repeat(43),
    'a few characters': 'deadbeef'.repeat(6),
    'the alphabet': 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
    'a count of digits': '0123456789'.repeat(5),
    'a request to change it': 'CHANGE_ME-CHANGE_ME-with-a-key-of-43-characters',
    'a word for an example': 'this-is-an-Example-of-a-key-do-not-use-it-43x',
    'a name for what belongs there': 'put-your-key-here-0f8a7c2e9b41d653-aZqW3xY7vT',
  };
  for (const [name, text] of Object.entries(known)) {
    test(`${name} is refused as a key, with a command to generate one`, () => {
      for (const list of [text, `${first},${text}`]) {
        assert.throws(
          () => readConfig({ LATCHKEY_KEYS: list }),
          (error: Error) =>
            /LATCHKEY_KEYS contains an example or placeholder key.*: openssl rand/.test(error.message) &&
            !error.message.includes(text),
        );
        writeFileSync(keysFile, list, { mode: 0o600 });
        assert.throws(load, ConfigurationError);
        assert.throws(() => rotateKeys(keysFile), ConfigurationError);
      }
    });
  }

  test('random keys are never mistaken for placeholders', () => {
    for (let count = 0; count < 5000; count++) {
      assert.notEqual(readKeyList(randomBytes(32).toString('base64url')), undefined);
      assert.notEqual(readKeyList(randomBytes(32).toString('hex')), undefined);
    }
  });

  test('a refusal does not repeat the keys', () => {
    assert.throws(
      () => readConfig({ LATCHKEY_KEYS: `${first} nearly-a-secret` }),
      (error: Error) => !error.message.includes(first) && !error.message.includes('nearly-a-secret'),
    );
  });

  // An empty list would sign with an empty key, which anybody has.
  describe('there is no empty list of keys', () => {
    test('in the environment: an empty LATCHKEY_KEYS counts as not set', () => {
      assert.equal(readConfig({ LATCHKEY_KEYS: '' }).keys, undefined);
      assert.throws(() => readConfig({ LATCHKEY_KEYS: ', ,' }), ConfigurationError);
    });

    for (const text of ['', '\n', ' , \r\n']) {
      test(`in a file that holds ${JSON.stringify(text)}`, () => {
        writeFileSync(keysFile, text, { mode: 0o600 });
        assert.equal(readKeyList(text), undefined);
        assert.throws(load, ConfigurationError);
        assert.throws(() => rotateKeys(keysFile), ConfigurationError);
        assert.equal(readFileSync(keysFile, 'utf8'), text, 'the file stays as it was');
      });
    }

    test('in a file emptied while the service runs: the keys stay', async () => {
      writeFileSync(keysFile, first, { mode: 0o600 });
      const keys = load();
      await keys.refresh(async () => []);
      writeFileSync(keysFile, '');
      assert.deepEqual(await keys.refresh(async () => []), { changed: false, retired: false });
      assert.deepEqual(keys.ids, serviceKeys([first]).ids);
    });

    test("in code: it doesn't type-check, and throws at runtime", () => {
      // @ts-expect-error a list of keys has at least one
      assert.throws(() => serviceKeys([]), ConfigurationError);
      // @ts-expect-error a list of keys has at least one
      assert.throws(() => loadKeys({ keys: [], keysFile }), ConfigurationError);
      const unknownLength: string[] = [];
      // @ts-expect-error an array may be empty
      assert.throws(() => serviceKeys(unknownLength), ConfigurationError);
    });

    test('nor an empty key', () => {
      assert.throws(() => serviceKeys(['']), ConfigurationError);
      assert.throws(() => serviceKeys([first, '']), ConfigurationError);
    });
  });

  describe('reading them again', () => {
    const [firstId] = serviceKeys([first]).ids;
    const [secondId] = serviceKeys([second]).ids;
    const used = (id: string, firstUsedAt: number, retiredAt: number | null = null) => ({ id, firstUsedAt, retiredAt });
    let now = 0;

    test('a key is used once the store has recorded it, and the old one verifies for a limited time', async () => {
      now = 5000;
      writeFileSync(keysFile, first, { mode: 0o600 });
      const keys = loadKeys({ keys: undefined, keysFile }, { now: () => now });
      assert.deepEqual(await keys.refresh(async () => [used(firstId, 1000)]), { changed: true, retired: false });
      const list = keys.accessTokenKeys(now);
      assert.deepEqual(await keys.refresh(async () => [used(firstId, 1000)]), { changed: false, retired: false });
      assert.equal(keys.accessTokenKeys(now), list, 'what was verified with it is still known');

      rotateKeys(keysFile);
      const [newId = ''] = load().ids;
      await assert.rejects(keys.refresh(() => Promise.reject(new Error('no store'))));
      assert.deepEqual(keys.ids, [firstId], 'the old key signs for as long as the store cannot be asked');
      await keys.refresh(async () => [used(firstId, 1000), used(newId, 5000)]);
      assert.deepEqual(keys.ids, [newId, firstId]);
      assert.equal(keys.accessTokenKeys(now).length, 2);
      now = 5000 + 15 * 60_000;
      assert.equal(keys.accessTokenKeys(now).length, 1);
    });

    test('a key retired elsewhere verifies nothing from then on', async () => {
      const keys = loadKeys({ keys: [second, first], keysFile }, { now: () => now });
      await keys.refresh(async () => [used(secondId, now)]);
      assert.equal(keys.accessTokenKeys(now).length, 2);
      assert.deepEqual(await keys.refresh(async () => [used(secondId, now), used(firstId, 1, now)]), {
        changed: true,
        retired: false,
      });
      assert.equal(keys.accessTokenKeys(now).length, 1);
      const both = [used(secondId, now, now), used(firstId, 1, now)];
      assert.equal((await keys.refresh(async () => both)).retired, true);
      assert.deepEqual(keys.accessTokenKeys(now), []);
    });

    test("a slow response about earlier keys doesn't replace later ones", async () => {
      writeFileSync(keysFile, first, { mode: 0o600 });
      const keys = load();
      let answer = () => {};
      const slow = keys.refresh(() => new Promise((resolve) => (answer = () => resolve([]))));
      rotateKeys(keysFile);
      const meanwhile = keys.refresh(async () => []);
      answer();
      await Promise.all([slow, meanwhile]);
      await keys.refresh(async () => []);
      assert.equal(keys.ids.length, 2);
    });
  });
});
