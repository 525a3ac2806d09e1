// What the client guides have in common: each is found, tells the same things, and names the versions that are tested.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../harness/command.ts';
import { filesIn } from './guide-program.ts';

const folder = join(root, 'docs/clients');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const guides = readdirSync(folder).filter((name) => !['README.md', 'not-supported.md'].includes(name));
const tests = ['guides.test.ts', 'guides-debian.test.ts'].map((name) =>
  readFileSync(join(root, 'test/clients', name), 'utf8'),
);

test('there is a guide for each library that was promised one', () => {
  assert.deepEqual(guides.sort(), [
    ...['authjs.md', 'authlib.md', 'express-openid-connect.md', 'fetch.md', 'mod-auth-openidc.md'],
    ...['oauth4webapi.md', 'oidc-client-ts.md', 'openid-client.md', 'passport-oauth2.md'],
  ]);
});

for (const guide of guides) {
  test(`${guide} is listed, is run, and gives the settings`, () => {
    const text = read(guide);
    assert.ok(read('README.md').includes(`](${guide})`), 'in the index');
    assert.ok(
      tests.some((source) => source.includes(`'${guide}'`)),
      'in the tests',
    );
    assert.ok(filesIn(guide).size > 0, 'a program');
    const [, settings = ''] = /^## Settings\n([\s\S]*?)^## /m.exec(text) ?? [];
    for (const word of ['issuer', 'client authentication', 'HS256', 'S256', 'https']) {
      assert.ok(settings.includes(word), `${word} among the settings`);
    }
    assert.match(text, /^## What to know$/m);
  });

  test(`${guide} names the versions that are tested`, () => {
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const [, install = ''] = /^npm install (.*)$/m.exec(read(guide)) ?? [];
    for (const wanted of install.split(' ').filter(Boolean)) {
      const at = wanted.lastIndexOf('@');
      assert.equal(devDependencies[wanted.slice(0, at)], wanted.slice(at + 1), wanted);
    }
  });
}
