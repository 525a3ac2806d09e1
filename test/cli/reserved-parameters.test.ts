// Redirect URIs with parameters of a response in their own query. They can't be registered, by any door; what earlier versions
// registered keeps working and stays when something else changes, and `doctor` lists it.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Api, type ApiCaller, newKey } from '../harness/api.ts';
import { type CommandResult, runCommand } from '../harness/command.ts';
import { formIn, Person } from '../harness/person.ts';
import { authorizePath, newVerifier } from '../harness/relying-party.ts';
import { requester, startTestService, type TestClient, type TestService } from '../harness/service.ts';

let service: TestService;
let api: Api;
let key: ApiCaller;
let admin: Person;
const folder = mkdtempSync(join(tmpdir(), 'latchkey-reserved-'));
const reserved = 'https://app.example/cb?tenant=1&st%61te=mine';
const another = 'https://app.example/cb?iss=https%3A%2F%2Fother.example';
const plain = 'https://app.example/other';
const sentence = /has the parameter \\?"(state|iss)\\?", which responses add themselves/;

before(async () => {
  service = await startTestService();
  api = await Api.of(service);
  key = await newKey(service);
  admin = new Person(service);
  await admin.signIn(await service.newUser({ admin: true }));
});
after(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** With a URI that an earlier version registered. */
async function oldClient(): Promise<TestClient> {
  const client = await service.newClient();
  const { storage, journal, clock } = service.running.services;
  const event = journal.event({ kind: 'client_updated', clientId: client.id }, requester);
  const change = { redirectUris: [client.redirectUri, reserved] };
  assert.ok(await storage.updateClient(client.record, change, clock.now(), event));
  return client;
}

async function urisOf({ id }: TestClient): Promise<readonly string[]> {
  return (await service.running.services.storage.findClient(id))?.redirectUris ?? [];
}

const latchkey = (...words: string[]): Promise<CommandResult> =>
  runCommand(words, { LATCHKEY_BASE_URL: service.url, LATCHKEY_DATA_DIR: service.dataDir });

test('the API', async () => {
  const created = await api.call('createApplication', key, { body: { name: 'App', redirect_uris: [reserved] } });
  assert.equal(created.status, 400);
  assert.match(created.message, sentence);
  const client = await oldClient();
  const update = (body: object) => api.call('updateApplication', key, { params: { client_id: client.id }, body });
  assert.equal((await update({ redirect_uris: [client.redirectUri, reserved, plain], public: false })).status, 200);
  assert.equal((await update({ name: 'Renamed' })).status, 200);
  assert.equal((await update({ redirect_uris: [reserved, another] })).status, 400);
  assert.equal((await update({ redirect_uris: [reserved] })).status, 200);
  assert.deepEqual(await urisOf(client), [reserved]);
  assert.equal((await update({ redirect_uris: [plain] })).status, 200);
  assert.equal((await update({ redirect_uris: [reserved] })).status, 400, 'once it was removed');
});

test('the command line', async () => {
  const created = await latchkey('client', 'create', '--name', 'App', '--redirect-uri', reserved);
  assert.equal(created.status, 1);
  assert.match(created.stderr, sentence);
  const client = await oldClient();
  const uris = (...all: string[]) => all.flatMap((uri) => ['--redirect-uri', uri]);
  assert.equal((await latchkey('client', 'update', client.id, ...uris(reserved, plain))).status, 0);
  assert.match((await latchkey('client', 'update', client.id, ...uris(reserved, another))).stderr, sentence);
  assert.deepEqual(await urisOf(client), [reserved, plain]);
});

test('the console', async () => {
  const page = await admin.visit('/admin/applications/new');
  const response = await admin.submit(await formIn(page, '/admin/applications'), {
    name: 'App',
    redirect_uris: reserved,
    type: 'confidential',
    scope_openid: 'yes',
  });
  assert.equal(response.status, 400);
  assert.match((await response.text()).replaceAll('&quot;', '"'), sentence);
  const client = await oldClient();
  const path = `/admin/applications/${client.id}`;
  const change = async (values: Record<string, string>) => {
    const shown = await admin.visit(`${path}/settings`);
    const all = { name: 'Kept', scope_openid: 'yes', type: 'confidential', second_factor: 'optional', ...values };
    return admin.submit(await formIn(shown, path), all);
  };
  assert.equal((await change({ redirect_uris: `${reserved}\n${plain}` })).status, 200);
  assert.deepEqual(await urisOf(client), [reserved, plain]);
  assert.equal((await change({ redirect_uris: `${reserved}\n${another}` })).status, 400);
});

test('latchkey apply, before anything is changed', async () => {
  const file = join(folder, 'latchkey.json');
  const apply = (...applications: object[]) => {
    writeFileSync(file, JSON.stringify({ applications }));
    return latchkey('apply', '-f', file);
  };
  const client = await oldClient();
  const kept = { client_id: client.id, name: 'Applied' };
  const refused = await apply(
    { ...kept, redirect_uris: [reserved] },
    { client_id: 'new-app', name: 'New', redirect_uris: [another] },
  );
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, sentence);
  assert.match(refused.stderr, /new-app: .*Nothing was changed\./);
  assert.deepEqual(await urisOf(client), [client.redirectUri, reserved]);
  assert.equal((await apply({ ...kept, redirect_uris: [reserved, plain] })).status, 0);
  assert.deepEqual(await urisOf(client), [reserved, plain]);
  assert.equal((await apply({ ...kept, redirect_uris: [reserved, another] })).status, 1);
});

test('client import leaves it out, and says so', async () => {
  const file = join(folder, 'auth0.json');
  const callbacks = [plain, reserved];
  writeFileSync(file, JSON.stringify([{ client_id: 'abc', name: 'App', app_type: 'regular_web', callbacks }]));
  const { stdout, stderr } = await latchkey('client', 'import', file, '--from', 'auth0');
  assert.match(stderr + stdout, sentence);
  assert.match(stdout, /app\.example\/other/);
  assert.doesNotMatch(stdout, /"https:\/\/app\.example\/cb\?tenant/);
});

test('one that is registered still works, and doctor lists it', async () => {
  const client = await oldClient();
  const path = authorizePath({ ...client, redirectUri: reserved }, newVerifier());
  const person = new Person(service);
  assert.equal((await person.visit(path)).status, 200);
  const { stdout, status } = await latchkey('doctor', '--json');
  assert.equal(status, 0);
  const findings = JSON.parse(stdout) as { state: string; about: string; text: string }[];
  const found = findings.filter(({ about }) => about === 'redirect URIs');
  const [own] = found.filter(({ text }) => text.startsWith(`${client.id}: ${reserved} has the parameter "state"`));
  assert.equal(own?.state, 'warning');
  const ofPlain = found.filter(({ text }) => text.includes(client.redirectUri));
  assert.deepEqual(ofPlain, []);
});
