// docs/deploying.md names every file in deploy/ and puts it where the file expects to be.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { readKeyList } from '../../src/platform/key-list.ts';
import { root } from '../harness/command.ts';

const guide = readFileSync(join(root, 'docs/deploying.md'), 'utf8');
const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8');

test('the guide names exactly the files that exist', () => {
  const named = [...guide.matchAll(/\bdeploy\/([\w.-]*\w)/g)].map(([, name]) => name as string);
  for (const name of named) assert.ok(name === '.env' || existsSync(join(root, 'deploy', name)), name);
  // Docker and git find these two themselves.
  const found = readdirSync(join(root, 'deploy')).filter((name) => !/^(\.|Dockerfile\.)/.test(name));
  for (const name of found) assert.ok(named.includes(name), name);
});

/** The files that people copy from. */
const published = ['deploy', 'docs', 'examples', 'README.md', 'SECURITY.md', 'CONTRIBUTING.md'].flatMap((name) => {
  const path = join(root, name);
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(png|svg)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
});

for (const file of published) {
  test(`${relative(root, file)} contains no working secret`, () => {
    const text = readFileSync(file, 'utf8');
    const words = (text.match(/[\w-]{43,}/g) ?? []).filter((word) => readKeyList(word) !== undefined);
    // Some metrics and settings have names of that length.
    const keys = words.filter((word) => !/^latchkey(_[a-z]+)+$|^[A-Z]+(_[A-Z]+)+$/.test(word));
    assert.deepEqual(keys, []);
    // What a person has to fill in is empty, taken from elsewhere, or not accepted.
    for (const [, name = '', value = ''] of text.matchAll(
      /^#?([A-Z_]*(?<!IDENTIFIER_)(?:KEYS?|PASSWORD|SECRET))=(.*)$/gm,
    )) {
      assert.match(value, /^(…|\$\{.*)?$/, name);
    }
    for (const [, password = ''] of text.matchAll(/\w+:\/\/\w+:([^@\s/]+)@/g)) {
      assert.match(password, /^(password|…|\$\{.*\}?)$/, 'the password in a URL');
    }
  });
}

test('files are installed where their comments say', () => {
  const installed = new Map(
    [...guide.matchAll(/^install .*deploy\/(\S+) (\/\S+)$/gm)].map(([, name, place]) => [name, place as string]),
  );
  assert.ok(read('latchkey.service').includes(`EnvironmentFile=${installed.get('latchkey.env.example')}\n`));
  for (const name of ['latchkey.env.example', 'latchkey-command', 'nginx.conf']) {
    assert.ok(read(name).includes(installed.get(name) ?? assert.fail(name)), name);
  }
});

test("the guide's user and certificate match the unit and nginx", () => {
  assert.match(guide, /^useradd .* latchkey$/m);
  assert.match(read('latchkey.service'), /^User=latchkey$/m);
  const root = /certbot certonly --webroot -w (\S+)/.exec(guide)?.[1];
  assert.ok(read('nginx.conf').includes(`root ${root};`));
});
