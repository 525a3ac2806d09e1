// The command line where people can't have passwords.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runCommand } from '../harness/command.ts';
import { createPasskey, formOfLink } from '../harness/passwordless.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { SoftwareAuthenticator } from '../harness/software-authenticator.ts';

let service: TestService;
const folder = mkdtempSync(join(tmpdir(), 'latchkey-passwords-'));
before(async () => {
  service = await startTestService();
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service?.stop();
});

function run(args: string[], input = '') {
  const environment = { LATCHKEY_BASE_URL: service.url, LATCHKEY_DATA_DIR: service.dataDir };
  return runCommand(args, environment, input);
}

async function text(args: string[], input = ''): Promise<string> {
  const { status, stdout, stderr } = await run(args, input);
  assert.equal(status, 0, stderr);
  return stdout;
}

async function refusal(args: string[], input = ''): Promise<string> {
  const { status, stdout, stderr } = await run(args, input);
  assert.equal(status, 1, stdout);
  return stderr;
}

const set = (value: string, name = 'passwords') => text(['settings', 'set', name, value]);
const create = (email: string, ...more: string[]) => ['user', 'create', '--email', email, '--name', 'New', ...more];

test('turning passwords off says how many people have no other way in', async () => {
  await service.newUser({ admin: true });
  await service.newUser();
  assert.match(await set('off'), /^passwords is now off\.\n2 people have a password and no other way to sign in\.$/m);
  assert.match(
    await set('not_for_administrators'),
    /1 person with a role has a password and no other way to sign in\./,
  );
  const json = JSON.parse(await text(['settings', 'set', 'passwords', 'off', '--json']));
  assert.deepEqual(json, { passwords: 'off', without_other_way: 2 });
  assert.match(await set('2099-01-31', 'passwords_until'), /2 people have/);
  assert.equal((await set('allowed')).trim(), 'passwords is now allowed.');
});

test('user create prints an invitation link, with which the person creates a passkey', async () => {
  await set('off');
  const printed = await text(create('invited@example.test'));
  assert.doesNotMatch(printed, /password {2}/);
  const [, url = ''] = /invitation link with them to create a passkey\.[\s\S]*?\n\n {2}(http\S+)/.exec(printed) ?? [];
  const opened = await formOfLink(service, 'invited@example.test', url.replace(service.url, ''));
  assert.equal((await createPasskey(opened, new SoftwareAuthenticator(service.url))).status, 200);
  const user = await service.running.services.storage.findUserByEmail('invited@example.test');
  assert.equal(user?.passwordHash, '');
  // A link that was printed says nothing about the email address.
  assert.equal(user?.emailVerifiedAt, null);
  const { link } = JSON.parse(await text([...create('shared@example.test'), '--json']));
  assert.match(link.url, /\/recover\?link=/);
  await set('allowed');
});

test('a password that is given is refused with the reason', async () => {
  const user = await service.newUser();
  const admin = await service.newUser({ admin: true });
  await set('off');
  const reason = /the setting "passwords" turns passwords off for this person/;
  assert.match(await refusal(create('given@example.test', '--password-stdin'), 'a phrase of my own\n'), reason);
  assert.match(await refusal(['user', 'set-password', user.email, '--password-stdin'], 'a phrase of my own\n'), reason);
  await set('not_for_administrators');
  assert.match(
    await refusal(create('boss@example.test', '--admin', '--password-stdin'), 'a phrase of my own\n'),
    reason,
  );
  assert.match(await refusal(['user', 'set-password', admin.email]), reason);
  assert.match(await text(create('boss@example.test', '--admin')), /invitation link/);
  await text(['user', 'set-password', user.email, '--password-stdin'], 'a phrase of my own\n');
  await set('allowed');
});

test('password columns of an import are refused with the reason', async () => {
  const file = join(folder, 'people.csv');
  const hash = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
  writeFileSync(file, `id,email,name,password_hash\nb1,b1@example.test,B,${hash}\n`);
  await set('off');
  const refused = await refusal(['user', 'import', file, '--from', 'csv']);
  assert.match(refused, /the password hash is refused: the setting "passwords" is off/);
  assert.match(await text(['user', 'import', file, '--from', 'csv', '--drop-refused-hashes']), /Imported 1/);
  await set('allowed');
});

test('the command line always helps somebody back in', async () => {
  const user = await service.newUser();
  await set('off');
  await set('2020-01-01', 'passwords_until');
  assert.match(await text(['user', 'recovery-link', user.email]), /\/recover\?link=/);
  await text(['user', 'make-admin', user.email]);
  await set('', 'passwords_until');
  await set('allowed');
});
