// Moving accounts to another store: every way to sign in still works, and the profiles are the same.

import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { sealSecret } from '../../src/operations/second-factors/authenticator-secret.ts';
import { requestReset } from '../../src/operations/sign-in/reset-password.ts';
import { digestOf } from '../../src/protocol/digest.ts';
import { accountPage } from '../../src/protocol/sign-in/destination.ts';
import { totpCode, totpStep } from '../../src/protocol/sign-in/totp.ts';
import { newRecoveryCode } from '../../src/protocol/sign-in/typed-codes.ts';
import { sqlFor } from '../../src/storage/migrating.ts';
import { readMigrations } from '../../src/storage/sql/sql-storage.ts';
import { transferTables } from '../../src/storage/transfer.ts';
import { runCommand } from '../harness/command.ts';
import { type Form, formIn, Person } from '../harness/person.ts';
import { removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';
import { requester, startTestService, type TestService, type TestUser } from '../harness/service.ts';

const random = (size: number) => randomBytes(size);
const secret = randomBytes(20);
const recoveryCode = newRecoveryCode(random);
const picture = { version: 'v1', contentType: 'image/png', bytes: randomBytes(300) } as const;
const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const passkeyId = randomBytes(32).toString('base64url');

let source: TestService;
let target: TestService;
let user: TestUser;
let person: Person;
let databaseUrl: string;

before(async () => {
  source = await startTestService();
  user = await source.newUser({ name: 'Ada Ünï' });
  person = new Person(source);
  await person.signIn(user);
  await fillAccount();

  databaseUrl = await (await sharedPostgres()).newDatabase();
  const exported = await runCommand(['export'], { LATCHKEY_DATA_DIR: source.dataDir });
  assert.equal(exported.status, 0, exported.stderr);
  const imported = await runCommand(['import'], { DATABASE_URL: databaseUrl }, exported.stdout);
  assert.equal(imported.status, 0, imported.stderr);
  const keysFile = join(source.dataDir, 'keys');
  const environment = { DATABASE_URL: databaseUrl, LATCHKEY_KEYS_FILE: keysFile, LATCHKEY_BASE_URL: source.url };
  target = await startTestService(environment);
});
after(async () => {
  await target?.stop();
  await source.stop();
  await removeSharedPostgres();
});

/** A user with a row in every table about users. */
async function fillAccount(): Promise<void> {
  const { services } = source.running;
  const { storage, clock, journal } = services;
  const event = () => journal.event({ kind: 'profile_changed', userId: user.id }, requester);
  const authenticator = { sealedSecret: sealSecret(services, user.id, secret), lastStep: 0 };
  await storage.enableAuthenticator(user.id, authenticator, [digestOf(recoveryCode)], clock.now(), event());
  const passkey = { id: passkeyId, publicKey: publicKey(), counter: 0, transports: ['internal', 'hybrid'] };
  const facts = { userId: user.id, name: 'My phone', createdAt: clock.now(), lastUsedAt: null };
  await storage.addPasskey({ ...passkey, ...facts }, undefined, event());
  const url = `${source.url}/pictures/${user.id}/${picture.version}`;
  await storage.setPicture(user.id, { ...picture, url }, clock.now(), event());
  await requestReset(services, user.email, accountPage, requester);
  // The request is answered after the response. Whatever that writes has to be there before the move.
  await source.rows('mails');
  await journal.flush();
}

/** COSE: an elliptic curve, ES256, P-256. */
function publicKey(): string {
  const { x = '', y = '' } = keys.publicKey.export({ format: 'jwk' });
  const parts = ['a5010203262001215820', Buffer.from(x, 'base64url'), '225820', Buffer.from(y, 'base64url')];
  const bytes = parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part));
  return Buffer.concat(bytes).toString('base64url');
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();

/** The answer of a browser that has the passkey. */
function answerTo(challenge: string): string {
  const data = { type: 'webauthn.get', challenge, origin: source.url, crossOrigin: false };
  const clientData = Buffer.from(JSON.stringify(data));
  const state = Buffer.concat([sha256('localhost'), Buffer.from([0x05, 0, 0, 0, 0])]);
  const signature = sign('sha256', Buffer.concat([state, sha256(clientData)]), keys.privateKey);
  const response = {
    clientDataJSON: clientData.toString('base64url'),
    authenticatorData: state.toString('base64url'),
    signature: signature.toString('base64url'),
  };
  const id = { id: passkeyId, rawId: passkeyId, type: 'public-key' };
  return JSON.stringify({ ...id, clientExtensionResults: {}, response });
}

async function rowsOf(service: TestService, table: string): Promise<string[]> {
  const text = (value: unknown) => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
    return value === null ? null : String(value);
  };
  const rows = await service.rows(table);
  return rows.map((row) => JSON.stringify(Object.entries(row).map(([name, value]) => [name, text(value)]))).sort();
}

async function secondStep(browser: Person): Promise<Form> {
  return formIn(await browser.signIn(user), '/sign-in/second-step');
}

const isSignedIn = async (browser: Person) => (await browser.request('/account')).status === 200;

test('every row of every table is moved unchanged', async () => {
  const filled: string[] = [];
  for (const { name } of transferTables) {
    const rows = await rowsOf(source, name);
    assert.deepEqual(await rowsOf(target, name), rows, name);
    if (rows.length > 0) filled.push(name);
  }
  for (const name of [
    'users',
    'sessions',
    'known_devices',
    'links',
    'mails',
    'authenticators',
    'recovery_codes',
    'passkeys',
    'pictures',
    'events',
  ]) {
    assert.ok(filled.includes(name), `${name} had something in it`);
  }
});

test('the session and the known browser are moved', async () => {
  const moved = new Person(target);
  for (const [name, value] of person.cookies) moved.cookies.set(name, value);
  assert.ok(await isSignedIn(moved));
  const device = digestOf(person.cookies.get('latchkey_device') ?? '');
  assert.equal((await target.running.services.storage.findSignInFacts(user.id, [device])).knownDevice, device);
});

test('the authenticator app and the recovery codes finish a sign-in after the move', async () => {
  for (const code of [totpCode(secret, totpStep(target.clock.now())), recoveryCode]) {
    const browser = new Person(target);
    await browser.submit(await secondStep(browser), { code });
    assert.ok(await isSignedIn(browser));
  }
});

test('the passkey signs in after the move', async () => {
  const browser = new Person(target);
  const form = await formIn(await browser.visit('/sign-in'), '/sign-in/passkey');
  const body = new URLSearchParams(form.fields);
  const response = await browser.request('/sign-in/passkey/options', { method: 'POST', body });
  const { options, challenge } = (await response.json()) as { options: { challenge: string }; challenge: string };
  await browser.submit(form, { answer: answerTo(options.challenge), challenge });
  assert.ok(await isSignedIn(browser));
});

test('the picture is identical', async () => {
  const response = await fetch(`${target.url}/pictures/${user.id}/${picture.version}`);
  assert.equal(response.headers.get('content-type'), picture.contentType);
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), picture.bytes);
});

test('a queued email can be decrypted after the move, and its link works', async () => {
  const mails = await target.running.services.emailQueue.list(10);
  const reset = mails.find(({ email }) => email.to === user.email && email.text.includes('/reset-password/finish'));
  const [, path = ''] = /https?:\/\/[^/]+(\/reset-password\/finish\?link=\S+)/.exec(reset?.email.text ?? '') ?? [];
  assert.equal((await new Person(target).visit(path)).status, 200);
});

test('moving back gives the same export, line by line', async () => {
  await target.running.services.journal.flush();
  const exported = await runCommand(['export'], { DATABASE_URL: databaseUrl });
  const back = { LATCHKEY_DATA_DIR: join(source.dataDir, 'back') };
  const imported = await runCommand(['import'], back, exported.stdout);
  assert.equal(imported.status, 0, imported.stderr);
  assert.equal((await runCommand(['export'], back)).stdout, exported.stdout);
});

test('every table and column of the current schema is moved or known to be transient', () => {
  const ofTheMoment = ['sign_in_failures', 'leases', 'spent_tickets', 'service_facts', 'instances'];
  const database = new DatabaseSync(':memory:');
  for (const migration of readMigrations()) database.exec(sqlFor('embedded', migration));
  const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const moved = new Map(transferTables.map((table) => [table.name, new Set(table.columns)]));
  for (const name of names.map((row) => String(row.name))) {
    if (ofTheMoment.includes(name)) continue;
    const columns = database.prepare(`SELECT name FROM pragma_table_info('${name}')`).all();
    assert.deepEqual(moved.get(name), new Set(columns.map((column) => String(column.name))), name);
  }
  assert.equal(names.length, moved.size + ofTheMoment.length);
});
