// Nothing that strangers have stored commands the terminal of whoever lists it, whenever it was stored.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { createApiKey } from '../../src/operations/api-keys/api-keys.ts';
import { runCommand } from '../harness/command.ts';
import { challengeFor, passkeyForm } from '../harness/passkeys.ts';
import { formIn, Person } from '../harness/person.ts';
import { post } from '../harness/second-factors.ts';
import { requester, startTestService, type TestClient, type TestService, type TestUser } from '../harness/service.ts';
import { SoftwareAuthenticator } from '../harness/software-authenticator.ts';

/** Clears a screen in both ways that terminals know, forges a line, and turns the rest of it around. */
const hostile = 'a\u001b[2J\u009b2J\r\nforged \u0085\u007f\u202egnp.exe';
const commanding = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

let service: TestService;
let user: TestUser;
let client: TestClient;

before(async () => {
  service = await startTestService();
  user = await service.newUser();
  client = await service.newClient();
  const input = { name: 'Key', permission: 'read', days: undefined } as const;
  await createApiKey(service.running.services, input, requester);
  await service.events();
  const database = new DatabaseSync(join(service.dataDir, 'latchkey.db'), { timeout: 10_000 });
  for (const [table, column] of [
    ['users', 'name'],
    ['users', 'email'],
    ['users', 'given_name'],
    ['clients', 'name'],
    ['api_keys', 'name'],
    ['events', 'address'],
    ['events', 'request_id'],
  ]) {
    database.prepare(`UPDATE ${table} SET ${column} = ?`).run(hostile);
  }
  database.prepare('UPDATE clients SET redirect_uris = ?').run(JSON.stringify([`https://a.example/${hostile}`]));
  database.prepare('UPDATE events SET detail = ?').run(JSON.stringify({ name: hostile, list: [hostile] }));
  database.close();
});
after(() => service.stop());

/** U and C stand for the ids of the user and the client. */
const commands = ['user list', 'user show U', 'client list', 'client show C', 'api-key list', 'events'];

for (const command of commands) {
  test(`${command} prints stored text without its control characters`, async () => {
    const environment = { LATCHKEY_BASE_URL: service.url, LATCHKEY_DATA_DIR: service.dataDir };
    const args = command.split(' ').map((word) => ({ U: user.id, C: client.id })[word] ?? word);
    const plain = await runCommand(args, environment);
    const json = await runCommand([...args, '--json'], environment);
    for (const { status, stdout, stderr } of [plain, json]) {
      assert.equal(status, 0, stderr);
      assert.doesNotMatch(stdout + stderr, commanding);
      assert.doesNotMatch(stdout, /^forged/m);
    }
    assert.match(plain.stdout, /\\u009b2J/);
    assert.ok(JSON.stringify(JSON.parse(json.stdout)).includes(JSON.stringify(hostile).slice(1, -1)), 'the same value');
  });
}

test("errors don't repeat control characters either", async () => {
  const environment = { LATCHKEY_BASE_URL: service.url, LATCHKEY_DATA_DIR: service.dataDir };
  const { status, stderr } = await runCommand(['user', 'show', '\u009b2J\u001b[2J'], environment);
  assert.equal(status, 1);
  assert.doesNotMatch(stderr, commanding);
});

test('names of browsers, passkeys and applications are stored without control characters', async () => {
  const visitor = await service.newUser();
  const person = new Person(service);
  const { email, password } = visitor;
  const userAgent = { 'User-Agent': 'Firefox/140.0 \u009b2J\u0085 (X11; Linux x86_64)' };
  await person.submit(await formIn(await person.visit('/sign-in')), { email, password }, userAgent);

  const form = await passkeyForm(person);
  const challenge = await challengeFor(person, form);
  const device = new SoftwareAuthenticator(service.url);
  const answer = { answer: device.create(challenge), challenge: challenge.challenge };
  for (const name of ['\u009b2J', 'phone\u0085', 'phone\u001b[2J', hostile]) {
    const { status } = await post(person, form.action, { ...form.fields, ...answer, name });
    assert.equal(status, 400, JSON.stringify(name));
  }
  const added = await post(person, form.action, { ...form.fields, ...answer, name: '\u202emy\u2066 phone' });
  assert.equal(added.status, 200);
  await assert.rejects(service.newClient({ name: 'An app\u009b2J' }), /control characters/);
  await service.newClient({ name: 'An \u202eapp' });

  await service.events();
  for (const table of ['sessions', 'passkeys', 'events']) {
    const rows = (await service.rows(table)).filter((row) => row.user_id === visitor.id);
    assert.ok(rows.length > 0);
    for (const row of rows) for (const value of Object.values(row)) assert.doesNotMatch(String(value), commanding);
  }
  const environment = { LATCHKEY_BASE_URL: service.url, LATCHKEY_DATA_DIR: service.dataDir };
  const { stdout } = await runCommand(['events'], environment);
  assert.doesNotMatch(stdout, commanding);
  assert.match(stdout, /signed_in .*Firefox on Linux/);
  assert.match(stdout, /passkey_added .*name=my phone/);
  assert.match(stdout, /client_created .*name=An app/);
});
