// latchkey client … and user …, run as an operator runs them.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { png } from '../harness/account.ts';
import { type CommandResult, runCommand } from '../harness/command.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-cli-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

function run(args: string[], input?: string): Promise<CommandResult> {
  return runCommand(args, { LATCHKEY_DATA_DIR: join(folder, 'data') }, input);
}

async function json(args: string[], input?: string) {
  const result = await run([...args, '--json'], input);
  assert.equal(result.status, 0, result.stderr);
  return JSON.parse(result.stdout);
}

const create = ['client', 'create', '--name', 'My app', '--redirect-uri', 'https://app.example/cb'];

test('a client is created, shown, changed, rotated, revoked, restored and deleted', async () => {
  const created = await json(create);
  assert.match(created.client_id, /^[a-z0-9][a-z0-9_-]*$/);
  assert.match(created.client_secret, /^[A-Za-z0-9_-]{32,}$/);
  assert.equal(created.name, 'My app');
  assert.deepEqual(created.redirect_uris, ['https://app.example/cb']);
  assert.deepEqual(created.scopes, ['openid', 'profile', 'email']);
  assert.equal(created.public, false);
  assert.equal(created.revoked_at, null);
  const id = created.client_id;

  const shown = await json(['client', 'show', id]);
  assert.equal('client_secret' in shown, false, 'the secret is shown once');
  const updated = await json([
    'client',
    'update',
    id,
    '--name',
    'Renamed',
    '--scope',
    'openid email',
    '--redirect-uri',
    'https://app.example/a',
    '--redirect-uri',
    'https://app.example/b',
  ]);
  assert.equal(updated.name, 'Renamed');
  assert.deepEqual(updated.redirect_uris, ['https://app.example/a', 'https://app.example/b']);
  assert.deepEqual(updated.scopes, ['openid', 'email']);
  const rotated = await json(['client', 'rotate-secret', id]);
  assert.notEqual(rotated.client_secret, created.client_secret);
  assert.equal(rotated.secrets.length, 2);
  assert.ok((await json(['client', 'revoke', id])).revoked_at);
  assert.equal((await json(['client', 'restore', id])).revoked_at, null);
  const list = await json(['client', 'list']);
  assert.ok(list.some((client: { client_id: string }) => client.client_id === id));
  await json(['client', 'delete', id]);
  const gone = await run(['client', 'show', id]);
  assert.equal(gone.status, 1);
  assert.equal(gone.stderr, `latchkey: there is no application "${id}".\n`);
});

test('text output is readable', async () => {
  const created = await run(create);
  assert.match(
    created.stdout,
    /^Created application "My app"\.\n\n {2}client_id {6}\S+\n {2}client_secret {2}\S+\n\nCopy the secret now/,
  );
  const [, id = ''] = /client_id +(\S+)/.exec(created.stdout) ?? [];
  assert.match((await run(['client', 'list'])).stdout, new RegExp(`${id} +confidential +active +My app`));
  assert.match((await run(['client', 'show', id])).stdout, /redirect URI +https:\/\/app\.example\/cb/);
  assert.match((await run(['client', 'revoke', id])).stdout, /Its tokens no longer work/);
  assert.match((await run(['client', 'revoke', id])).stderr, /is revoked already/);
});

test('a public client has no secret and may have a private-use scheme', async () => {
  const created = await json([
    'client',
    'create',
    '--public',
    '--name',
    'Phone',
    '--redirect-uri',
    'com.example.app:/cb',
  ]);
  assert.equal(created.public, true);
  assert.equal('client_secret' in created, false);
  assert.match((await run(['client', 'rotate-secret', created.client_id])).stderr, /public client and has no secret/);
});

for (const [uri, why] of [
  ['http://app.example/cb', /plain http/],
  ['https://app.example/cb#x', /fragment/],
  ['https://*.example/cb', /wildcard/],
  ['javascript:alert(1)', /must be https/],
  ['data:text/html,x', /must be https/],
  ['com.example.app:/cb', /only public clients/],
  ['/cb', /not an absolute URI/],
  ['https://user:pw@app.example/', /credentials/],
] as const) {
  test(`the redirect URI ${uri} is refused at registration`, async () => {
    const result = await run(['client', 'create', '--name', 'x', '--redirect-uri', uri, '--json']);
    assert.equal(result.status, 1);
    assert.match(result.stderr, why);
    assert.equal(result.stderr.trim().split('\n').length, 1);
    assert.equal(result.stdout, '');
  });
}

test("a logo's type is detected from its content", async () => {
  writeFileSync(join(folder, 'logo.svg'), png);
  writeFileSync(join(folder, 'logo.png'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  assert.equal((await json([...create, '--logo', join(folder, 'logo.svg')])).logo, true);
  const refused = await run([...create, '--logo', join(folder, 'logo.png')]);
  assert.match(refused.stderr, /not a PNG, JPEG or WebP image/);
  assert.equal(refused.status, 1);
  assert.match((await run([...create, '--logo', join(folder, 'nothing')])).stderr, /can't read/);
});

test('a person is created, shown, given a password, disabled, enabled and deleted', async () => {
  const created = await json(
    ['user', 'create', '--email', 'Ada@Example.test', '--name', 'Ada', '--password-stdin'],
    'a password of mine\nsecond line\n',
  );
  assert.match(created.id, /^[a-z0-9][a-z0-9_-]*$/);
  assert.equal(created.email, 'Ada@Example.test');
  assert.equal(created.name, 'Ada');
  assert.equal(created.admin, false);
  assert.equal('password' in created, false);
  assert.equal(JSON.stringify(created).includes('argon2'), false);
  for (const name of ['ada@example.test', created.id]) {
    assert.equal((await json(['user', 'show', name])).id, created.id);
  }
  assert.ok((await json(['user', 'disable', created.id])).disabled_at);
  assert.match((await run(['user', 'disable', 'ada@example.test'])).stderr, /is disabled already/);
  assert.equal((await json(['user', 'enable', 'ada@example.test'])).disabled_at, null);
  await json(['user', 'set-password', created.id, '--password-stdin'], 'another password\n');
  const list = await json(['user', 'list']);
  assert.deepEqual(
    list.map((user: { id: string }) => user.id),
    [created.id],
  );
  const twice = await run(
    ['user', 'create', '--email', 'ADA@example.TEST', '--name', 'x', '--password-stdin'],
    'another password of mine\n',
  );
  assert.equal(twice.status, 1);
  assert.match(twice.stderr, /there is already a person with the email address ada@example\.test/);
  await json(['user', 'delete', created.id]);
  assert.deepEqual(await json(['user', 'list']), []);
});

test("without a terminal there's no prompt: a password is generated and shown once", async () => {
  const created = await json(['user', 'create', '--email', 'b@example.test', '--name', 'B']);
  assert.match(created.password, /^[a-z0-9]{5}(-[a-z0-9]{5}){3}$/);
});

for (const [name, args, input, why] of [
  ['a short password', ['--email', 'c@example.test', '--name', 'C', '--password-stdin'], '1234567\n', /at least 8/],
  ['a long password', ['--email', 'c@example.test', '--name', 'C', '--password-stdin'], 'x'.repeat(257), /at most 256/],
  ['a wrong address', ['--email', 'nonsense', '--name', 'C', '--password-stdin'], '12345678\n', /not an email address/],
  [
    'a name of control characters',
    ['--email', 'c@example.test', '--name', '\u0007', '--password-stdin'],
    '12345678\n',
    /name/,
  ],
] as const) {
  test(`${name} is refused with one clear sentence`, async () => {
    const result = await run(['user', 'create', ...args], input);
    assert.equal(result.status, 1);
    assert.match(result.stderr, why);
    assert.equal(result.stderr.trim().split('\n').length, 1);
  });
}

for (const args of [
  [],
  ['nonsense'],
  ['client'],
  ['client', 'nonsense'],
  ['client', 'create'],
  ['client', 'create', '--name', 'x'],
  ['client', 'create', '--nonsense'],
  ['client', 'show'],
  ['client', 'show', 'a', 'b'],
  ['client', 'update', 'x'],
  ['user'],
  ['user', 'create', '--email', 'x@example.test'],
  ['user', 'disable'],
  ['user', 'constructor'],
  ['user', 'invite'],
  ['user', 'make-admin'],
  ['client', 'retire-secret'],
  ['client', 'update', 'x', '--public', '--confidential'],
  ['setup-link', 'now'],
  ['api-key'],
  ['api-key', 'create'],
  ['api-key', 'create', '--name', 'x', '--days', 'many'],
  ['api-key', 'end'],
  ['apply'],
  ['apply', 'latchkey.json'],
  ['serve', 'now'],
  ['events', '--limit', 'many'],
]) {
  test(`"latchkey ${args.join(' ')}" is wrong usage`, async () => {
    assert.equal((await run(args)).status, 2);
  });
}
