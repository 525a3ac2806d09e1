import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ConfigurationError, readConfig } from '../../src/platform/config.ts';
import { loadKeys, rotateKeys } from '../../src/platform/key-file.ts';
import { type KeyList, readKeyList } from '../../src/platform/key-list.ts';
import { serviceKeys } from '../../src/platform/keys.ts';

const first = 'a'.repeat(43);
const second = 'b'.repeat(43);

describe('loading keys', () => {
  let directory: string;
  let keysFile: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'latchkey-keys-'));
    keysFile = join(directory, 'keys');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const load = () => loadKeys({ keys: undefined, keysFile });

  test('a missing key file is made, readable by its owner alone', () => {
    load();
    assert.equal(statSync(keysFile).mode & 0o777, 0o600);
    assert.match(readFileSync(keysFile, 'utf8'), /^[A-Za-z0-9_-]{43}\n$/);
  });

  test('the key file is read again and not replaced', () => {
    const made = load();
    const text = readFileSync(keysFile, 'utf8');
    assert.deepEqual(load().accessTokenKeys, made.accessTokenKeys);
    assert.equal(readFileSync(keysFile, 'utf8'), text);
  });

  test('two key files hold different keys', () => {
    const made = load();
    rmSync(keysFile);
    assert.notDeepEqual(load().accessTokenKeys, made.accessTokenKeys);
  });

  for (const mode of [0o644, 0o640, 0o666]) {
    test(`a key file with mode ${mode.toString(8)} is closed to others`, () => {
      writeFileSync(keysFile, first);
      chmodSync(keysFile, mode);
      load();
      assert.equal(statSync(keysFile).mode & 0o777, 0o600);
    });
  }

  test('keys in the environment win, and no file is made', () => {
    assert.deepEqual(loadKeys({ keys: [first], keysFile }).accessTokenKeys, serviceKeys([first]).accessTokenKeys);
    assert.equal(existsSync(keysFile), false);
  });

  const accepted: { name: string; text: string; expected: KeyList }[] = [
    { name: 'one key is accepted', text: first, expected: [first] },
    { name: 'a final line feed is ignored', text: `${first}\n`, expected: [first] },
    { name: 'keys on lines are read newest first', text: `${second}\n${first}\n`, expected: [second, first] },
    { name: 'keys with Windows line ends are read', text: `${second}\r\n${first}\r\n`, expected: [second, first] },
    { name: 'keys with commas are read', text: `${second}, ${first}`, expected: [second, first] },
    { name: 'a longer key is accepted', text: 'c'.repeat(86), expected: ['c'.repeat(86)] },
  ];
  for (const c of accepted) {
    test(c.name, () => {
      assert.deepEqual(readConfig({ LATCHKEY_KEYS: c.text }).keys, c.expected);
      writeFileSync(keysFile, c.text, { mode: 0o600 });
      assert.deepEqual(load().accessTokenKeys, serviceKeys(c.expected).accessTokenKeys);
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
        (error) => error instanceof ConfigurationError && /^LATCHKEY_KEYS must hold keys/.test(error.problems[0] ?? ''),
      );
      writeFileSync(keysFile, c.text, { mode: 0o600 });
      assert.throws(load, ConfigurationError);
      assert.equal(readFileSync(keysFile, 'utf8'), c.text);
    });
  }

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

    test('in a file that was emptied while the service runs: the keys stay', () => {
      writeFileSync(keysFile, first, { mode: 0o600 });
      const keys = load();
      writeFileSync(keysFile, '');
      assert.equal(keys.refresh(), false);
      assert.deepEqual(keys.accessTokenKeys, serviceKeys([first]).accessTokenKeys);
    });

    test('in code: it does not type-check, and throws where types are not looked at', () => {
      // @ts-expect-error a list of keys has at least one
      assert.throws(() => serviceKeys([]), ConfigurationError);
      // @ts-expect-error a list of keys has at least one
      assert.throws(() => loadKeys({ keys: [], keysFile }), ConfigurationError);
      const unknownLength: string[] = [];
      // @ts-expect-error an array may be empty
      assert.throws(() => serviceKeys(unknownLength), ConfigurationError);
    });

    test('and no empty key', () => {
      assert.throws(() => serviceKeys(['']), ConfigurationError);
      assert.throws(() => serviceKeys([first, '']), ConfigurationError);
    });
  });
});
