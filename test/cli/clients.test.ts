// latchkey client …, next to a running service: secrets, public and confidential clients, and search.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { runCommand } from '../harness/command.ts';
import { obtainTokens, postForm, refreshParameters } from '../harness/relying-party.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service?.stop());

const run = (...args: string[]) =>
  runCommand(['client', ...args], { LATCHKEY_BASE_URL: service.url, LATCHKEY_DATA_DIR: service.dataDir });

async function json(...args: string[]) {
  const result = await run(...args, '--json');
  assert.equal(result.status, 0, result.stderr);
  return JSON.parse(result.stdout);
}

test('each secret shows when it was created and last used, and the previous one can be retired', async () => {
  const client = await service.newClient();
  const { tokens } = await obtainTokens(service, client, await service.newUser());
  const rotated = await json('rotate-secret', client.id);
  // Writes what is queued.
  await service.events();
  const refresh = async (secret: string) =>
    (await postForm(service, '/oauth/token', refreshParameters({ ...client, secret }, tokens.refresh_token))).status;

  const [newest, old] = (await json('show', client.id)).secrets;
  assert.equal(newest.last_used_at, null);
  for (const time of [newest.created_at, old.created_at, old.last_used_at]) {
    assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000, time);
  }
  assert.match(
    (await run('show', client.id)).stdout,
    /^secret +…\S{4}, created \d{4}-\S+Z, never used\nsecret +…\S{4}, created \d{4}-\S+Z, last used \d{4}-\S+Z$/m,
  );

  assert.equal(await refresh(client.secret), 200);
  const retired = await json('retire-secret', client.id);
  assert.deepEqual(
    retired.secrets.map((secret: { created_at: string }) => secret.created_at),
    [newest.created_at],
  );
  assert.equal(await refresh(client.secret), 401);
  assert.equal(await refresh(rotated.client_secret), 200);
  const again = await run('retire-secret', client.id);
  assert.equal(again.status, 1);
  assert.equal(again.stderr, `latchkey: ${client.id} has no old secret.\n`);
  await run('rotate-secret', client.id);
  assert.match((await run('retire-secret', client.id)).stdout, /^Retired the previous secret of "Test app"\./);
});

test("a client becomes public, then confidential again with a new secret that's shown once", async () => {
  const client = await service.newClient();
  const published = await json('update', client.id, '--public');
  assert.deepEqual([published.public, published.secrets, 'client_secret' in published], [true, [], false]);
  const { client_secret: secret, ...confidential } = await json('update', client.id, '--confidential');
  assert.match(secret, /^lk_secret_/);
  assert.notEqual(secret, client.secret);
  assert.equal(confidential.public, false);
  assert.deepEqual(await json('show', client.id), confidential);
  assert.equal('client_secret' in (await json('update', client.id, '--confidential')), false, 'it is so already');

  await json('update', client.id, '--public');
  const text = await run('update', client.id, '--confidential');
  assert.match(
    text.stdout,
    /is now a confidential client\.\n\n {2}client_id {6}\S+\n {2}client_secret {2}lk_secret_\S+\n\nCopy the secret now/,
  );
});

test('a public client with a private-use scheme cannot become confidential', async () => {
  const client = await service.newClient({ isPublic: true, redirectUris: ['com.example.app:/cb'] });
  const refused = await run('update', client.id, '--confidential');
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /which only public clients may have/);
  assert.equal((await json('show', client.id)).public, true);
});

test('post-logout redirect URIs are replaced and removed, and follow the rules for redirect URIs', async () => {
  const uris = ['https://app.example/bye', 'http://localhost:9/bye'];
  const options = uris.flatMap((uri) => ['--post-logout-redirect-uri', uri]);
  const made = await json('create', '--name', 'Leaving', '--redirect-uri', 'https://app.example/cb', ...options);
  assert.deepEqual(made.post_logout_redirect_uris, uris);
  assert.match((await run('show', made.client_id)).stdout, /^post-logout redirect URI +https:\/\/app\.example\/bye$/m);
  assert.deepEqual((await json('update', made.client_id, '--name', 'Left')).post_logout_redirect_uris, uris);
  const replaced = await json('update', made.client_id, '--post-logout-redirect-uri', 'https://app.example/');
  assert.deepEqual(replaced.post_logout_redirect_uris, ['https://app.example/']);
  const refused = await run('update', made.client_id, '--post-logout-redirect-uri', 'http://app.example/');
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /the post-logout redirect URI "http:\/\/app\.example\/" uses plain http/);
  const none = await json('update', made.client_id, '--no-post-logout-redirect-uri');
  assert.deepEqual(none.post_logout_redirect_uris, []);
  assert.deepEqual((await json('show', made.client_id)).post_logout_redirect_uris, []);
});

test('client show takes a name, but a client ID wins, and a name that two share shows neither', async () => {
  const album = await service.newClient({ name: 'Photo album' });
  assert.equal((await json('show', 'Photo album')).client_id, album.id);
  assert.equal((await json('show', 'photo ALBUM')).client_id, album.id);
  const confusing = await service.newClient({ name: album.id });
  assert.equal((await json('show', album.id)).client_id, album.id, 'not the one with this name');
  const twin = await service.newClient({ name: 'Photo Album' });
  const both = await run('show', 'Photo album');
  assert.deepEqual([both.status, both.stdout], [1, '']);
  assert.match(both.stderr, /^latchkey: 2 applications are called "Photo album"\. Use a client ID: /);
  for (const { id } of [album, twin]) assert.ok(both.stderr.includes(id), both.stderr);
  assert.ok(!both.stderr.includes(confusing.id));
  const none = await run('show', 'Photo');
  assert.deepEqual([none.status, none.stderr], [1, 'latchkey: there is no application "Photo".\n']);
  await service.newClient({ name: 'Wiki' });
  assert.equal((await run('show', 'wik')).stderr, 'latchkey: there is no application "wik". Did you mean "Wiki"?\n');
});

test('commands that change something take a client ID alone, and say which one', async () => {
  const { id } = await service.newClient({ name: 'Calendar' });
  const { email } = await service.newUser();
  for (const args of [
    ['update', 'calendar', '--name', 'Diary'],
    ['rotate-secret', 'Calendar'],
    ['retire-secret', 'Calendar'],
    ['revoke', 'Calendar'],
    ['restore', 'Calendar'],
    ['delete', 'Calendar', '--yes'],
    ['allow', 'Calendar', email],
    ['disallow', 'Calendar', email],
    ['preview', 'Calendar', email],
  ]) {
    const { status, stdout, stderr } = await run(...args);
    const complaint = `latchkey: "${args[1]}" is a name, and this command takes a client ID: ${id}.\n`;
    assert.deepEqual([status, stdout, stderr], [1, '', complaint], String(args[0]));
  }
  assert.deepEqual([(await json('show', id)).name, (await json('show', id)).revoked_at], ['Calendar', null]);
  assert.equal((await run('revoke', 'Nothing')).stderr, 'latchkey: there is no application "Nothing".\n');
  // The application is there; who is missing is somebody else.
  assert.match((await run('allow', id, 'nobody@example.test')).stderr, /nobody@example\.test/);
});

test('client list --search finds applications on every page', async () => {
  for (let index = 0; index < 51; index++) {
    await service.newClient({ name: 'Zeppelin', redirectUris: [`https://host${index}.example/cb`] });
  }
  const found = await json('list', '--search', 'zepp');
  assert.equal(new Set(found.map((client: { client_id: string }) => client.client_id)).size, 51);
  const byHost = await json('list', '--search', 'Host50.');
  assert.deepEqual(byHost[0].redirect_uris, ['https://host50.example/cb']);
  assert.equal(byHost.length, 1);
  assert.match(
    (await run('list', '--search', 'host50')).stdout,
    /^CLIENT_ID .*\n\S+ +confidential +active +Zeppelin\n$/,
  );
  assert.equal((await run('list', '--search', 'nothing')).stdout, 'No applications match "nothing".\n');
});

test('the search finds what is still to be indexed', async () => {
  const { id } = await service.newClient({ name: 'Ancient' });
  const database = new DatabaseSync(join(service.dataDir, 'latchkey.db'), { timeout: 10_000 });
  database.prepare('DELETE FROM search_words WHERE ref = ?').run(id);
  database.prepare("INSERT INTO unsearchable (kind, ref) VALUES ('client', ?)").run(id);
  database.close();
  assert.deepEqual(
    (await json('list', '--search', 'ancient')).map((client: { client_id: string }) => client.client_id),
    [id],
  );
});

test('a client can require a second factor, and an update leaves it unchanged unless given', async () => {
  const uri = ['--redirect-uri', 'https://vault.example/cb'];
  const created = await json('create', '--name', 'Vault', ...uri, '--second-factor', 'required');
  assert.equal(created.second_factor, 'required');
  assert.match((await run('show', created.client_id)).stdout, /^second factor +required$/m);
  assert.equal((await json('update', created.client_id, '--name', 'Safe')).second_factor, 'required');
  assert.equal((await json('update', created.client_id, '--second-factor', 'optional')).second_factor, 'optional');
  const event = (await service.events('client_updated')).at(-1);
  assert.deepEqual([event?.detail?.changed, event?.detail?.second_factor], [['secondFactor'], 'optional']);
  for (const args of [
    ['create', '--name', 'Other', ...uri],
    ['update', created.client_id],
  ]) {
    const refused = await run(...args, '--second-factor', 'maybe');
    assert.deepEqual([refused.status, refused.stderr], [1, 'latchkey: the second factor is required or optional.\n']);
  }
  assert.equal((await json('create', '--name', 'Plain', ...uri)).second_factor, 'optional');
});

test("an application's links are set, shown, changed and removed", async () => {
  const links = {
    client_uri: 'https://vault.example',
    policy_uri: 'https://vault.example/privacy',
    tos_uri: null,
    launch_url: 'http://localhost:3000/start',
  };
  const given = ['--client-uri', links.client_uri, '--policy-uri', links.policy_uri, '--launch-url', links.launch_url];
  const created = await json('create', '--name', 'Vault', '--redirect-uri', 'https://vault.example/cb', ...given);
  assert.deepEqual({ ...created, ...links }, created);
  assert.match((await run('show', created.client_id)).stdout, /^policy_uri +https:\/\/vault\.example\/privacy$/m);
  const terms = 'https://vault.example/terms';
  const changed = await json('update', created.client_id, '--tos-uri', terms, '--launch-url', '');
  assert.deepEqual({ ...changed, ...links, tos_uri: terms, launch_url: null }, changed);
  const refused = await run('update', created.client_id, '--launch-url', 'javascript:alert(1)');
  assert.deepEqual(
    [refused.status, refused.stderr],
    [1, 'latchkey: the launch_url "javascript:alert(1)" must begin with https:.\n'],
  );
});
