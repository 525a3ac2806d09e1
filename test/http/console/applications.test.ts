// Applications in the console: creating, editing, their secrets, revoking and deleting.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { addRedirectUri, createClient, updateClient } from '../../../src/operations/clients/clients.ts';
import { deleteClient } from '../../../src/operations/clients/revoke-client.ts';
import { createWebhook } from '../../../src/operations/webhooks/endpoints.ts';
import { digestOf } from '../../../src/protocol/digest.ts';
import { alertOn, clientSettings, namesOn, noticeOn, register, send, textOf, visit } from '../../harness/console.ts';
import { readForm } from '../../harness/person.ts';
import { obtainTokens, postForm, refreshParameters, userinfo } from '../../harness/relying-party.ts';
import { requester, type TestClient } from '../../harness/service.ts';
import { assertNothingChanged, everythingIn } from '../../harness/store.ts';
import { consoleOfSuite } from '../../harness/suite.ts';

const { service, administrator, admin } = consoleOfSuite();

describe('the list of applications', () => {
  const apps = ['Busy', 'Idle', 'Limited', 'Mobile'] as const;
  const listed = async (query: string) => namesOn((await visit(admin, `/admin/applications?search=&${query}`)).page);
  const ours = async (query: string) => (await listed(query)).filter((name) => apps.some((each) => each === name));

  before(async () => {
    const [day, now] = [24 * 60 * 60 * 1000, service.clock.now()];
    const people = [await service.newUser(), await service.newUser()];
    const use = (client: TestClient, person: number, ago: number) =>
      service.execute(`INSERT INTO consents (user_id, client_id, client_generation, scopes, granted_at, last_used_at)
        VALUES ('${people[person]?.id}', '${client.id}', ${client.record.generation}, 'openid', 1, ${now - ago * day})`);
    const busy = await service.newClient({ name: 'Busy' });
    const idle = await service.newClient({ name: 'Idle' });
    const limited = await service.newClient({ name: 'Limited', access: 'listed' });
    await register(service, admin, { name: 'Mobile', type: 'public', redirect_uris: 'com.example.app:/callback' });
    await use(busy, 0, 50);
    await use(busy, 1, 2);
    await use(idle, 0, 100);
    await use(limited, 0, 1);
    const { storage } = service.running.services;
    const owner = { kind: 'person', id: administrator.id, event: journalEvent() } as const;
    await storage.changeOwners(busy.id, { added: [owner], removed: [] }, now);
  });

  const journalEvent = () => service.running.services.journal.event({ kind: 'owner_added' }, requester);

  for (const [query, names] of [
    ['sort=name', ['Busy', 'Idle', 'Limited', 'Mobile']],
    ['sort=name&access=listed', ['Limited']],
    ['sort=name&type=public', ['Mobile']],
    ['sort=name&unused=90d', ['Idle', 'Mobile']],
    ['sort=name&unused=90d&type=public', ['Mobile']],
    ['sort=name&owner=none', ['Idle', 'Limited', 'Mobile']],
    ['sort=name&owner=me', ['Busy']],
    ['sort=-people&access=listed', ['Limited']],
    ['sort=people&type=public', ['Mobile']],
    ['sort=last_used', ['Mobile', 'Idle', 'Busy', 'Limited']],
    ['sort=-last_used&unused=90d', ['Idle', 'Mobile']],
  ] as const) {
    test(query, async () => {
      assert.deepEqual(await ours(query.replace('=me', `=${administrator.id}`)), names);
    });
  }

  test('pages follow one another in the order of people, and say so', async () => {
    const read = async (url: string): Promise<(string | undefined)[]> => {
      const page = await (await admin.request(url, { headers: { 'Sec-CH-UA-Mobile': '?1' } })).text();
      const next = /href="([^"]*)" rel="next"/.exec(page)?.[1]?.replaceAll('&amp;', '&');
      return [...namesOn(page), ...(next === undefined ? [] : await read(next))];
    };
    const many = 26;
    for (let made = 0; made < many; made++) await service.newClient({ name: `Filler ${made}` });
    const all = await read('/admin/applications?sort=-people');
    assert.equal(new Set(all).size, all.length);
    assert.ok(all.length >= many + 4);
    assert.equal(all[0], 'Busy');
  });

  test('refuses a filter that it does not know, and says only what is unusual about one', async () => {
    for (const query of ['access=everyone', 'type=confidential', 'unused=soon']) {
      assert.equal((await visit(admin, `/admin/applications?${query}`)).status, 400, query);
    }
    const { page } = await visit(admin, '/admin/applications');
    assert.doesNotMatch(page, /Confidential/);
    assert.match(page, /Mobile<\/a><span class="badge[^>]*>Public</);
  });
});

describe('applications', () => {
  test('pages of an unknown application are not found, whatever its ID', async () => {
    for (const id of ['nobody', '%E9%BE%93', '%0D%0AX-Injected:%201']) {
      for (const page of ['', '/rotate-secret', '/retire-secret', '/revoke', '/delete']) {
        assert.equal((await admin.visit(`/admin/applications/${id}${page}`)).status, 404, id + page);
      }
    }
  });

  test('one is created, its secret is shown once with a .env file, and works', async () => {
    const { status, page } = await send(admin, '/admin/applications/new', '/admin/applications', clientSettings);
    assert.equal(status, 200);
    const id = textOf(page, 'client-id');
    const secret = textOf(page, 'client-secret');
    assert.equal(
      textOf(page, 'env'),
      `OIDC_ISSUER=${service.url}\nOIDC_CLIENT_ID=${id}\nOIDC_CLIENT_SECRET=${secret}\n` +
        'OIDC_REDIRECT_URI=https://recipes.example/callback\n',
    );
    const record = await service.running.services.storage.findClient(id);
    assert.deepEqual(record?.scopes, ['openid', 'email']);
    assert.deepEqual(record?.postLogoutRedirectUris, ['https://recipes.example/bye']);
    const again = await visit(admin, `/admin/applications/${id}`);
    assert.equal(again.page.includes(secret), false);
    const client = { id, secret, redirectUri: clientSettings.redirect_uris, record: record as TestClient['record'] };
    const { tokens } = await obtainTokens(service, client, await service.newUser(), { scope: 'openid' });
    assert.equal((await userinfo(service, tokens.access_token)).status, 200);
    const [event] = (await service.events('client_created')).slice(-1);
    assert.equal(event?.detail?.by, `administrator ${administrator.id}`, 'the event tells who did it');
  });

  test('a public one has no secret', async () => {
    const client = await register(service, admin, { type: 'public', redirect_uris: 'com.example.app:/callback' });
    assert.equal(client.secret, '');
    assert.equal(client.record.isPublic, true);
    assert.deepEqual(client.record.secrets, []);
  });

  const faults: [string, Record<string, string>, RegExp][] = [
    ['no name', { name: ' ' }, /The name is empty/],
    ['no address', { redirect_uris: ' \n' }, /At least one redirect URI is needed/],
    ['plain http', { redirect_uris: 'http://a.example/' }, /uses plain http/],
    ['plain http after signing out', { post_logout_redirect_uris: 'http://a.example/' }, /uses plain http/],
    ['a private scheme', { redirect_uris: 'com.example.app:/cb' }, /only public clients may have/],
    ['no scope', { scope_openid: '', scope_email: '' }, /The scope is empty/],
  ];
  for (const [name, change, sentence] of faults) {
    test(`with ${name} none is created, and the input is kept`, async () => {
      const since = await everythingIn(service);
      const form = { ...clientSettings, name: 'Kept name', ...change };
      const { status, page } = await send(admin, '/admin/applications/new', '/admin/applications', form);
      assert.equal(status, 400);
      assert.match(alertOn(page) ?? '', sentence);
      if (!('name' in change)) assert.match(page, /value="Kept name"/);
      await assertNothingChanged(service, since);
    });
  }

  test('every problem is shown at its field, on registration and on edit', async () => {
    const wrong = {
      ...clientSettings,
      name: ' ',
      redirect_uris: 'https://a.example/*\nnonsense',
      launch_url: 'javascript:alert(1)',
      client_uri: 'http://a.example',
      scope_openid: '',
      scope_email: '',
    };
    const { id } = await register(service, admin);
    for (const [from, to] of [
      ['/admin/applications/new', '/admin/applications'],
      [`/admin/applications/${id}/settings`, `/admin/applications/${id}`],
    ] as const) {
      const { status, page } = await send(admin, from, to, wrong);
      assert.equal(status, 400);
      const told = [...page.matchAll(/<p class="field-problem" role="alert" id="(\w+)-problem">([^<]*)</g)];
      assert.deepEqual(told.map(([, name]) => name).sort(), [
        'client_uri',
        'launch_url',
        'name',
        'redirect_uris',
        'scope',
      ]);
      const at = Object.fromEntries(told.map(([, name, text]) => [name, text]));
      assert.equal(at.name, 'The name is empty.');
      assert.match(
        at.redirect_uris ?? '',
        /\/\*&quot; has a wildcard;.*&quot;nonsense&quot; is not an absolute URI\.$/,
      );
      assert.match(at.client_uri ?? '', /^&quot;http:\/\/a\.example&quot; uses plain http/);
      assert.match(at.launch_url ?? '', /^&quot;javascript:alert\(1\)&quot; must begin with https:/);
      assert.match(page, /<input id="client_uri"[^>]* aria-invalid="true" aria-describedby="client_uri-problem /);
      assert.doesNotMatch(page, /<p class="alert"/);
    }
  });

  test('name, URIs, scopes and type can be edited', async () => {
    const client = await register(service, admin);
    const path = `/admin/applications/${client.id}`;
    const changed = {
      name: 'Cook book',
      redirect_uris: 'https://a.example/cb\r\nhttps://b.example/cb',
      type: 'confidential',
      scope_openid: 'yes',
      scope_profile: 'yes',
      post_logout_redirect_uris: '',
    };
    const { page } = await send(admin, `${path}/settings`, path, changed);
    assert.equal(noticeOn(page), 'Changes saved.');
    const record = await service.running.services.storage.findClient(client.id);
    assert.equal(record?.name, 'Cook book');
    assert.deepEqual(record?.redirectUris, ['https://a.example/cb', 'https://b.example/cb']);
    assert.deepEqual(record?.postLogoutRedirectUris, []);
    assert.deepEqual(record?.scopes, ['openid', 'profile']);
    const refused = await send(admin, `${path}/settings`, path, { ...changed, redirect_uris: 'https://a.example/*' });
    assert.equal(refused.status, 400);
    assert.match(alertOn(refused.page) ?? '', /has a wildcard/);
    assert.match(refused.page, />https:\/\/a\.example\/\*</, 'what was typed stays');
  });

  test('a confidential one loses its secrets when it becomes public, and gets a new one when it changes back', async () => {
    const client = await register(service, admin);
    const path = `/admin/applications/${client.id}`;
    const { tokens } = await obtainTokens(service, client, await service.newUser(), { scope: 'openid' });
    await send(admin, `${path}/settings`, path, { ...clientSettings, type: 'public' });
    assert.deepEqual((await service.running.services.storage.findClient(client.id))?.secrets, []);
    const refresh = () => postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
    assert.equal((await refresh()).status, 401, 'a public client has no secret to send');
    const { page } = await send(admin, `${path}/settings`, path, clientSettings);
    const secret = textOf(page, 'client-secret');
    assert.ok(secret.startsWith('lk_secret_') && secret !== client.secret);
    assert.equal((await refresh()).status, 401, 'the first secret is gone for good');
  });

  test('two secrets work at a time, each with its last use; the previous one can be retired', async () => {
    const client = await register(service, admin);
    const path = `/admin/applications/${client.id}`;
    const { tokens } = await obtainTokens(service, client, await service.newUser(), { scope: 'openid' });
    const rotated = await send(admin, `${path}/secrets`, `${path}/rotate-secret`);
    const secret = textOf(rotated.page, 'client-secret');
    const refreshWith = async (with_: string) =>
      (await postForm(service, '/oauth/token', refreshParameters({ ...client, secret: with_ }, tokens.refresh_token)))
        .status;
    await service.running.services.journal.flush();
    const usesOn = (page: string) =>
      [...page.matchAll(/<dt>Last used<\/dt><dd>([\s\S]*?)<\/dd>/g)].map(([, use]) => use);
    const before = usesOn((await visit(admin, `${path}/secrets`)).page);
    assert.equal(before[0], 'Never');
    assert.match(before[1] ?? '', /<time/, 'the exchange was made with what is the old one now');
    assert.deepEqual([await refreshWith(client.secret), await refreshWith(secret)], [200, 200]);
    await service.running.services.journal.flush();
    assert.match(usesOn((await visit(admin, `${path}/secrets`)).page)[0] ?? '', /<time/);

    assert.match((await visit(admin, `${path}/retire-secret`)).page, /It was last used on/);
    assert.equal(await refreshWith(client.secret), 200, 'asking stops nothing');
    const { page } = await send(admin, `${path}/retire-secret`, `${path}/retire-secret`);
    assert.equal(noticeOn(page), 'Previous secret retired.');
    assert.deepEqual([await refreshWith(client.secret), await refreshWith(secret)], [401, 200]);
    assert.equal((await visit(admin, `${path}/secrets`)).page.includes(`${path}/retire-secret`), false);
  });

  test("resubmitting a form doesn't create a second application or secret", async () => {
    const form = readForm((await visit(admin, '/admin/applications/new')).page, '/admin/applications');
    assert.ok(form);
    const [first, again] = [await admin.submit(form, clientSettings), await admin.submit(form, clientSettings)];
    assert.deepEqual([first.status, again.status], [200, 200]);
    const id = textOf(await first.text(), 'client-id');
    const path = `/admin/applications/${id}`;
    assert.match(await again.text(), new RegExp(`<h1>Recipe box</h1>[\\s\\S]*href="${path}/settings"`), 'its own page');
    const rotate = readForm((await visit(admin, `${path}/secrets`)).page, `${path}/rotate-secret`);
    assert.ok(rotate);
    const secrets = [await (await admin.submit(rotate, {})).text(), await (await admin.submit(rotate, {})).text()];
    assert.deepEqual(
      secrets.map((page) => textOf(page, 'client-secret') !== ''),
      [true, false],
    );
    assert.match(secrets[1] ?? '', /<h1>Recipe box<\/h1>/, 'reloading leads back to the application');
    assert.equal((await service.events('client_secret_rotated')).filter(({ clientId }) => clientId === id).length, 1);
  });

  test('a third secret needs confirmation, because it retires the oldest', async () => {
    const client = await register(service, admin);
    const path = `/admin/applications/${client.id}`;
    await send(admin, `${path}/secrets`, `${path}/rotate-secret`);
    const { page } = await visit(admin, `${path}/secrets`);
    assert.equal(readForm(page, `${path}/rotate-secret`), undefined);
    const asked = await visit(admin, `${path}/rotate-secret`);
    assert.match(asked.page, /A new one replaces the previous secret, which was never used/);
    const rotated = await send(admin, `${path}/rotate-secret`, `${path}/rotate-secret`);
    assert.match(textOf(rotated.page, 'client-secret'), /^lk_secret_/);
    assert.equal((await service.running.services.storage.findClient(client.id))?.secrets.length, 2);
  });

  test("concurrent changes by another administrator aren't overwritten", async () => {
    const client = await register(service, admin);
    const path = `/admin/applications/${client.id}`;
    const stale = readForm((await visit(admin, `${path}/settings`)).page, path);
    assert.ok(stale);
    service.clock.advance(1);
    await send(admin, `${path}/settings`, path, { ...clientSettings, redirect_uris: 'https://new.example/callback' });
    const answer = await admin.submit(stale, clientSettings);
    assert.equal(answer.status, 409);
    assert.match(alertOn(await answer.text()) ?? '', /Someone else changed this application/);
    assert.deepEqual((await service.running.services.storage.findClient(client.id))?.redirectUris, [
      'https://new.example/callback',
    ]);
  });

  test('concurrently added URIs are all kept, and saving without changes changes nothing', async () => {
    const client = await register(service, admin);
    const { services } = service.running;
    const uris = ['a', 'b', 'c', 'd'].map((name) => `https://${name}.example/callback`);
    await Promise.all(uris.map((uri) => addRedirectUri(services, client.id, uri, requester)));
    const now = await service.running.services.storage.findClient(client.id);
    assert.deepEqual([...(now?.redirectUris ?? [])].sort(), [...uris, clientSettings.redirect_uris].sort());
    const since = await service.events('client_updated');
    await updateClient(services, client.id, { name: clientSettings.name, scopes: ['openid', 'email'] }, requester);
    assert.deepEqual(await service.events('client_updated'), since);
  });

  test('if two administrators make a public one confidential at once, one gets a secret, and it works', async () => {
    const client = await service.newClient({ isPublic: true });
    const { services } = service.running;
    const make = () => updateClient(services, client.id, { isPublic: false }, requester);
    const secrets = (await Promise.all([make(), make()])).flatMap((made) =>
      made.kind === 'done' ? (made.secret ?? []) : [],
    );
    assert.equal(secrets.length, 1);
    const [kept] = (await service.running.services.storage.findClient(client.id))?.secrets ?? [];
    assert.equal(kept?.digest, digestOf(secrets[0] ?? ''));
  });

  test("a new application with a deleted one's ID revives nothing", async () => {
    const { services } = service.running;
    const input = { id: 'photos', name: 'Photos', isPublic: false, redirectUris: ['https://photos.example/cb'] };
    const create = () => createClient(services, input, requester);
    const made = await create();
    assert.equal(made.kind, 'done');
    if (made.kind !== 'done') return;
    const client = {
      id: 'photos',
      secret: made.secret ?? '',
      redirectUri: 'https://photos.example/cb',
      record: made.client,
    };
    const { tokens } = await obtainTokens(service, client, await service.newUser());
    await deleteClient(services, 'photos', requester);
    assert.equal((await userinfo(service, tokens.access_token)).status, 401);
    service.clock.advance(1);
    const again = await create();
    assert.equal((await userinfo(service, tokens.access_token)).status, 401);
    const secret = again.kind === 'done' ? (again.secret ?? '') : '';
    const refreshed = await postForm(
      service,
      '/oauth/token',
      refreshParameters({ ...client, secret }, tokens.refresh_token),
    );
    assert.equal(refreshed.status, 400);
  });

  test('revoking asks first, with the number of people, and ends every token; restoring revives none', async () => {
    const client = await register(service, admin);
    const path = `/admin/applications/${client.id}`;
    const { tokens } = await obtainTokens(service, client, await service.newUser(), { scope: 'openid' });
    await obtainTokens(service, client, await service.newUser(), { scope: 'openid' });
    assert.match((await visit(admin, `${path}/revoke`)).page, /2 people use it and will lose access right away/);
    assert.equal((await userinfo(service, tokens.access_token)).status, 200, 'asking stops nothing');
    const { page } = await send(admin, `${path}/revoke`, `${path}/revoke`);
    assert.match(noticeOn(page) ?? '', /^Application revoked\./);
    assert.equal((await userinfo(service, tokens.access_token)).status, 401);
    const restored = await send(admin, `${path}/danger`, `${path}/restore`);
    assert.match(noticeOn(restored.page) ?? '', /People can sign in again/);
    assert.equal((await userinfo(service, tokens.access_token)).status, 401);
    assert.match((await visit(admin, `${path}/revoke`)).page, /Nobody uses it/);
  });

  test('deleting asks first, and a deleted application is not found', async () => {
    const client = await register(service, admin);
    const path = `/admin/applications/${client.id}`;
    const question = async () => (await visit(admin, `${path}/delete`)).page;
    assert.match(await question(), /Nobody uses it\. Its client ID, secrets and consents will be permanently deleted/);
    const { services } = service.running;
    for (const owned of ['1 webhook', '2 webhooks']) {
      await createWebhook(services, { url: 'https://shop.example/hook', clientId: client.id }, requester);
      assert.match(await question(), new RegExp(`secrets, consents and ${owned} will be permanently deleted`));
    }
    const { page } = await send(admin, `${path}/delete`, `${path}/delete`);
    assert.equal(noticeOn(page), 'Application deleted.');
    assert.equal((await visit(admin, path)).status, 404);
  });

  test("they're found by name, ID and host, in pages", async () => {
    const client = await register(service, admin, { name: 'Zebra counter', redirect_uris: 'https://zoo.example/cb' });
    for (const search of ['zebra', 'COUNTER', 'bra', 'unter', 'bra+unt', client.id.slice(0, 10), 'zoo.ex']) {
      const { page } = await visit(admin, `/admin/applications?search=${search}`);
      assert.deepEqual(namesOn(page), ['Zebra counter'], search);
    }
    assert.match((await visit(admin, '/admin/applications?search=%25')).page, /No applications found/);
    for (let made = 0; made < 51; made++) await service.newClient({ name: `Many ${made}` });
    const first = await visit(admin, '/admin/applications?search=many');
    const next = /href="([^"]*)" rel="next"/.exec(first.page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = await visit(admin, next);
    const names = [...namesOn(first.page), ...namesOn(second.page)];
    assert.equal(names.length, 51);
    assert.equal(new Set(names).size, 51);
    assert.equal((await visit(admin, '/admin/applications?cursor=nonsense')).status, 400);
  });

  test('a logo is uploaded and removed, and other files are refused', async () => {
    const client = await register(service, admin);
    const path = `/admin/applications/${client.id}`;
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const upload = async (fields: Record<string, string | Buffer>) => {
      const form = readForm((await visit(admin, `${path}/settings`)).page, `${path}/logo`);
      const body = new FormData();
      for (const [name, value] of Object.entries({ ...form?.fields, ...fields })) {
        if (typeof value === 'string') body.set(name, value);
        else body.set(name, new Blob([new Uint8Array(value)], { type: 'image/png' }), 'logo.png');
      }
      return admin.request(`${path}/logo`, { method: 'POST', body, headers: { Origin: service.url } });
    };
    assert.equal((await upload({ logo: png })).status, 303);
    const logo = /src="(\/logos\/[^"]+)"/.exec((await visit(admin, path)).page)?.[1] ?? '';
    assert.equal((await admin.request(logo)).headers.get('content-type'), 'image/png');
    const since = await everythingIn(service);
    assert.equal((await upload({ logo: Buffer.from('<svg onload=alert(1)>') })).status, 400);
    assert.equal((await upload({ logo: Buffer.alloc(0) })).status, 400);
    assert.equal((await upload({ logo: Buffer.alloc(600 * 1024) })).status, 413);
    assert.equal((await upload({ logo: png, form_token: 'x' })).status, 403);
    await assertNothingChanged(service, since);
    assert.equal((await upload({ remove: 'yes' })).status, 303);
    assert.equal((await service.running.services.storage.findClient(client.id))?.logoVersion, null);
  });
});
