// The last four characters of secrets that are shown once: by the API, in the console, on the command line and in events.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Api, type SignedInCaller, withSession } from '../harness/api.ts';
import { visit } from '../harness/console.ts';
import { Person } from '../harness/person.ts';
import { startTestService, type TestService, type TestUser } from '../harness/service.ts';

let service: TestService;
let api: Api;
let boss: TestUser;
let session: SignedInCaller;
let admin: Person;

before(async () => {
  service = await startTestService();
  api = await Api.of(service);
  boss = await service.newUser({ admin: true });
  session = await withSession(service, boss);
  admin = new Person(service);
  await admin.signIn(boss);
});
after(() => service?.stop());

const dataOf = (answer: { readonly data: unknown }) => answer.data as never;
const lastEvent = async (kind: Parameters<TestService['events']>[0]) => (await service.events(kind)).at(-1)?.detail;
const shown = (secret: string) => new RegExp(`<code[^>]*>…${secret.slice(-4)}</code>`);

interface WithSecrets {
  readonly client_id: string;
  readonly client_secret: string;
  readonly secrets: readonly { readonly last_four: string | null }[];
}

test("a client's secrets show theirs, the previous one too, and those of before none", async () => {
  const body = { name: 'Recipe box', redirect_uris: ['https://recipes.example/cb'] };
  const first: WithSecrets = dataOf(await api.call('createApplication', session, { body }));
  assert.deepEqual(
    first.secrets.map(({ last_four }) => last_four),
    [first.client_secret.slice(-4)],
  );
  assert.equal((await lastEvent('client_created'))?.last_four, first.client_secret.slice(-4));

  const params = { client_id: first.client_id };
  const second: WithSecrets = dataOf(await api.call('rotateApplicationSecret', session, { params }));
  const both = [second.client_secret.slice(-4), first.client_secret.slice(-4)];
  assert.deepEqual(
    second.secrets.map(({ last_four }) => last_four),
    both,
  );
  assert.equal((await lastEvent('client_secret_rotated'))?.last_four, both[0]);
  const { page } = await visit(admin, `/admin/applications/${first.client_id}/secrets`);
  for (const four of both) assert.match(page, shown(four));

  await api.call('retireApplicationSecret', session, { params });
  assert.equal((await lastEvent('client_secret_retired'))?.last_four, both[1]);

  // As the previous version rotates it, which knows nothing of the column.
  await service.execute(
    `UPDATE clients SET old_secret_digest = secret_digest, old_secret_created_at = secret_created_at,
      secret_digest = 'another' WHERE id = '${first.client_id}'`,
  );
  const { secrets }: WithSecrets = dataOf(await api.call('getApplication', session, { params }));
  assert.deepEqual(
    secrets.map(({ last_four }) => last_four),
    [null, both[0]],
  );
});

test('a client that becomes confidential notes the secret that it gets', async () => {
  const body = { name: 'Public', redirect_uris: ['https://public.example/cb'], public: true };
  const made: WithSecrets = dataOf(await api.call('createApplication', session, { body }));
  assert.equal((await lastEvent('client_created'))?.last_four, undefined);
  const params = { client_id: made.client_id };
  const changed: WithSecrets = dataOf(
    await api.call('updateApplication', session, { params, body: { public: false } }),
  );
  assert.deepEqual(changed.secrets[0]?.last_four, changed.client_secret.slice(-4));
  assert.equal((await lastEvent('client_updated'))?.last_four, changed.client_secret.slice(-4));
});

for (const { create, list, end, field, body, path, made, ended, table } of [
  {
    create: 'createApiKey',
    list: 'listApiKeys',
    end: 'revokeApiKey',
    field: 'key',
    body: { name: 'Backups' },
    path: '/admin/keys',
    made: 'api_key_created',
    ended: 'api_key_ended',
    table: 'api_keys',
  },
  {
    create: 'createScimToken',
    list: 'listScimTokens',
    end: 'revokeScimToken',
    field: 'token',
    body: { source: 'entra', name: 'Production' },
    path: '/admin/scim-tokens',
    made: 'scim_token_created',
    ended: 'scim_token_ended',
    table: 'scim_tokens',
  },
] as const) {
  test(`${path} shows those of each, and nothing for one from before`, async () => {
    const { [field]: secret, ...facts }: Record<string, string> = dataOf(await api.call(create, session, { body }));
    const four = String(secret).slice(-4);
    assert.equal(facts.last_four, four);
    const listed: readonly { readonly last_four: string | null }[] = dataOf(await api.call(list, session));
    assert.deepEqual(
      listed.map(({ last_four }) => last_four),
      [four],
    );
    assert.match((await visit(admin, path)).page, shown(four));
    assert.equal((await lastEvent(made))?.last_four, four);
    await service.execute(`UPDATE ${table} SET last_four = NULL`);
    const older: readonly { readonly last_four: string | null }[] = dataOf(await api.call(list, session));
    assert.equal(older[0]?.last_four, null);
    assert.doesNotMatch((await visit(admin, path)).page, /…/);

    await service.execute(`UPDATE ${table} SET last_four = '${four}'`);
    await api.call(end, session, { params: { id: facts.id ?? '' } });
    assert.equal((await lastEvent(ended))?.last_four, four);
  });
}

test('the events say so in words', async () => {
  const { page } = await visit(admin, '/admin/events?kind=client_secret_rotated');
  assert.match(page, /Last four characters/);
});
