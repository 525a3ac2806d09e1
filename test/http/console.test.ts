// The console over HTTP: who may open it, what its forms change, and how a failure explains itself.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createApiKey } from '../../src/operations/admin/api-keys.ts';
import { deleteClient } from '../../src/operations/admin/client-access.ts';
import { addRedirectUri, createClient, updateClient } from '../../src/operations/admin/clients.ts';
import { makeSetUpLink } from '../../src/operations/admin/set-up-link.ts';
import { digestOf } from '../../src/protocol/digest.ts';
import { formIn, Person, readForm } from '../harness/person.ts';
import {
  authorizePath,
  exchangeParameters,
  newVerifier,
  obtainCode,
  obtainTokens,
  postForm,
  refreshParameters,
  userinfo,
} from '../harness/relying-party.ts';
import { origin, startTestService, type TestClient, type TestService, type TestUser } from '../harness/service.ts';
import { assertNothingChanged, everythingIn, linkFor, mailsTo, routesUnder } from '../harness/store.ts';

const HOUR = 60 * 60;
const password = 'a phrase of my own';

let service: TestService;
let administrator: TestUser;
let admin: Person;

before(async () => {
  service = await startTestService();
  administrator = await service.newUser({ admin: true, name: 'Margaret Hamilton' });
});
after(() => service.stop());
// Beyond the limits for mails and failures, within those of a session.
beforeEach(async () => {
  service.clock.advance(HOUR);
  admin = new Person(service);
  await admin.signIn(administrator);
});

const visit = async (path: string) => {
  const response = await admin.visit(path);
  return { status: response.status, page: await response.text() };
};

/** Sends the form of a page that has this action. */
async function send(path: string, action: string, values: Record<string, string> = {}) {
  const form = readForm((await visit(path)).page, action);
  assert.ok(form, `no form ${action} on ${path}`);
  const response = await admin.submit(form, values);
  return { status: response.status, page: await response.text() };
}

const textOf = (page: string, id: string) => new RegExp(`<pre id="${id}"[^>]*>([^<]*)</pre>`).exec(page)?.[1] ?? '';
const alertOn = (page: string) => /<p class="alert" role="alert">([^<]*)</.exec(page)?.[1];
const noticeOn = (page: string) => /<p class="notice" role="status">([^<]*)</.exec(page)?.[1];
const namesOn = (page: string) => [...page.matchAll(/thing-name"><a [^>]*>([^<]*)</g)].map(([, name]) => name);
const findClient = (id: string) => service.running.services.storage.findClient(id);
const findUser = (id: string) => service.running.services.storage.findUser(id);

const settings = {
  name: 'Recipe box',
  redirect_uris: 'https://recipes.example/callback',
  scope_openid: 'yes',
  scope_email: 'yes',
  type: 'confidential',
};

/** Creates an application in the console. */
async function register(changes: Record<string, string> = {}): Promise<TestClient> {
  const { status, page } = await send('/admin/applications/new', '/admin/applications', { ...settings, ...changes });
  assert.equal(status, 200, alertOn(page) ?? '');
  const id = textOf(page, 'client-id');
  const record = await findClient(id);
  assert.ok(record);
  return { id, secret: textOf(page, 'client-secret'), redirectUri: record.redirectUris[0] ?? '', record };
}

describe('who may open the console', () => {
  let pages: string[];
  let forms: string[];
  let person: Person;

  before(async () => {
    const client = await service.newClient();
    const user = await service.newUser();
    const fill = (path: string) => path.replace(':id', path.includes('people') ? user.id : client.id);
    pages = routesUnder(service, '/admin', 'GET').map(fill);
    forms = routesUnder(service, '/admin', 'POST').map(fill);
    assert.ok(pages.length >= 10 && forms.length >= 20);
    person = new Person(service);
    await person.signIn(await service.newUser());
  });

  test('nobody without a session: they are led to sign in, and back', async () => {
    for (const path of pages) {
      const answer = await new Person(service).request(path);
      assert.equal(answer.status, 302, path);
      assert.equal(answer.headers.get('location'), `/sign-in?to=${path}`);
    }
    // With what was asked for: a reference is often opened from a message.
    const asked = new Person(service);
    const page = await formIn(await asked.visit('/admin/events?reference=abc-1'));
    const led = await asked.submit(page, { email: administrator.email, password: administrator.password });
    assert.match(await led.text(), /value="abc-1"/);
    const stranger = new Person(service);
    const form = await formIn(await stranger.visit('/admin/people'));
    const back = await stranger.submit(form, { email: administrator.email, password: administrator.password });
    assert.match(await back.text(), /<h1>People<\/h1>/);
  });

  test('nobody who is not an administrator', async () => {
    for (const path of pages) {
      const answer = await person.request(path);
      assert.equal(answer.status, 403, path);
      assert.match(await answer.text(), /This is for administrators/);
    }
  });

  test('a form changes nothing for anybody else, from elsewhere, or without the token of the session', async () => {
    const formToken = (await formIn(await admin.visit('/admin/keys'), '/admin/keys')).fields.form_token ?? '';
    const foreignToken = (await formIn(await person.visit('/account'), '/account')).fields.form_token ?? '';
    const since = await everythingIn(service);
    const fields = { ...settings, email: 'x@y.example', permission: 'write', uri: 'https://evil.example/' };
    for (const action of forms) {
      const post = async (who: Person, values: object, headers: object = {}) =>
        (await who.submit({ action, fields: { ...fields, ...values }, buttons: [] }, {}, { ...headers })).status;
      // Led to sign in.
      assert.equal(await post(new Person(service), {}), 200, action);
      assert.equal(await post(person, { form_token: foreignToken }), 403, action);
      assert.equal(await post(person, { form_token: formToken }), 403, action);
      // A form with a file is of another kind.
      if (action.endsWith('/logo')) continue;
      assert.equal(await post(admin, {}), 403, action);
      assert.equal(await post(admin, { form_token: foreignToken }), 403, action);
      for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }]) {
        assert.equal(await post(admin, { form_token: formToken }, headers), 403, action);
      }
    }
    await assertNothingChanged(service, since);
  });

  test('an administrator until the moment that it is taken away', async () => {
    const other = await service.newUser({ admin: true });
    const browser = new Person(service);
    await browser.signIn(other);
    assert.equal((await browser.request('/admin')).status, 200);
    const { page } = await send(`/admin/people/${other.id}`, `/admin/people/${other.id}/remove-administrator`);
    assert.equal(noticeOn(page), 'The person is not an administrator any more.');
    assert.equal((await browser.request('/admin')).status, 403);
  });

  test('the account of an administrator leads there, that of others does not', async () => {
    assert.match((await visit('/account')).page, /href="\/admin"/);
    assert.doesNotMatch(await (await person.visit('/account')).text(), /href="\/admin"/);
  });

  test('what is not there is not found', async () => {
    for (const path of ['/admin/applications/nothing', '/admin/people/nobody', '/admin/nowhere']) {
      assert.equal((await visit(path)).status, 404, path);
    }
  });
});

test('the first administrator is made by the set-up address, once, and by none while there is one', async () => {
  const empty = await startTestService();
  try {
    const { services } = empty.running;
    const links = [await makeSetUpLink(services, origin), await makeSetUpLink(services, origin)];
    const paths = links.map((link) => (link.kind === 'done' ? link.url.slice(empty.url.length) : ''));
    const first = new Person(empty);
    assert.equal((await first.visit(paths[0] ?? '')).status, 410, 'the newest alone works');
    const input = { email: 'first@example.test', name: 'First', password };
    const form = await formIn(await first.visit(paths[1] ?? ''));
    const bad = await first.submit(form, { ...input, email: 'nobody' });
    assert.equal(bad.status, 400);
    const done = await first.submit(await formIn(bad), input);
    assert.match(await done.text(), /<h1>Overview<\/h1>/);
    assert.equal((await first.visit(paths[1] ?? '')).status, 410, 'it is used');
    const late = await new Person(empty).submit(form, { ...input, email: 'second@example.test' });
    assert.equal(late.status, 410);
    assert.equal((await empty.rows('users')).length, 1);
    assert.equal((await makeSetUpLink(services, origin)).kind, 'refused');
    const [event] = await empty.events('first_administrator_created');
    assert.equal(event?.userId, (await services.storage.findUserByEmail('first@example.test'))?.id);
  } finally {
    await empty.stop();
  }
});

describe('applications', () => {
  test('one is created: its secret is shown once, with a ready .env, and works', async () => {
    const { status, page } = await send('/admin/applications/new', '/admin/applications', settings);
    assert.equal(status, 200);
    const id = textOf(page, 'client-id');
    const secret = textOf(page, 'client-secret');
    assert.equal(
      textOf(page, 'env'),
      `OIDC_ISSUER=${service.url}\nOIDC_CLIENT_ID=${id}\nOIDC_CLIENT_SECRET=${secret}\n` +
        'OIDC_REDIRECT_URI=https://recipes.example/callback\n',
    );
    const record = await findClient(id);
    assert.deepEqual(record?.scopes, ['openid', 'email']);
    const again = await visit(`/admin/applications/${id}`);
    assert.equal(again.page.includes(secret), false);
    const client = { id, secret, redirectUri: settings.redirect_uris, record: record as TestClient['record'] };
    const { tokens } = await obtainTokens(service, client, await service.newUser(), { scope: 'openid' });
    assert.equal((await userinfo(service, tokens.access_token)).status, 200);
    const [event] = (await service.events('client_created')).slice(-1);
    assert.equal(event?.detail?.by, `administrator ${administrator.id}`, 'the event tells who did it');
  });

  test('a public one has no secret', async () => {
    const client = await register({ type: 'public', redirect_uris: 'com.example.app:/callback' });
    assert.equal(client.secret, '');
    assert.equal(client.record.isPublic, true);
    assert.deepEqual(client.record.secrets, []);
  });

  const faults: [string, Record<string, string>, RegExp][] = [
    ['no name', { name: ' ' }, /The name is empty/],
    ['no address', { redirect_uris: ' \n' }, /At least one redirect URI is needed/],
    ['plain http', { redirect_uris: 'http://a.example/' }, /uses plain http/],
    ['a private scheme', { redirect_uris: 'com.example.app:/cb' }, /only public clients may have/],
    ['no scope', { scope_openid: '', scope_email: '' }, /The scope is empty/],
  ];
  for (const [name, change, sentence] of faults) {
    test(`with ${name} none is created, and what was typed stays`, async () => {
      const since = await everythingIn(service);
      const form = { ...settings, name: 'Kept name', ...change };
      const { status, page } = await send('/admin/applications/new', '/admin/applications', form);
      assert.equal(status, 400);
      assert.match(alertOn(page) ?? '', sentence);
      if (!('name' in change)) assert.match(page, /value="Kept name"/);
      await assertNothingChanged(service, since);
    });
  }

  test('name, addresses, scopes and type are edited', async () => {
    const client = await register();
    const path = `/admin/applications/${client.id}`;
    const changed = {
      ...{ name: 'Cook book', redirect_uris: 'https://a.example/cb\r\nhttps://b.example/cb', type: 'confidential' },
      ...{ scope_openid: 'yes', scope_profile: 'yes' },
    };
    const { page } = await send(path, path, changed);
    assert.equal(noticeOn(page), 'Saved.');
    const record = await findClient(client.id);
    assert.equal(record?.name, 'Cook book');
    assert.deepEqual(record?.redirectUris, ['https://a.example/cb', 'https://b.example/cb']);
    assert.deepEqual(record?.scopes, ['openid', 'profile']);
    const refused = await send(path, path, { ...changed, redirect_uris: 'https://a.example/*' });
    assert.equal(refused.status, 400);
    assert.match(alertOn(refused.page) ?? '', /has a wildcard/);
    assert.match(refused.page, />https:\/\/a\.example\/\*</, 'what was typed stays');
  });

  test('a confidential one becomes public and loses its secrets; back again it gets a new one', async () => {
    const client = await register();
    const path = `/admin/applications/${client.id}`;
    const { tokens } = await obtainTokens(service, client, await service.newUser(), { scope: 'openid' });
    await send(path, path, { ...settings, type: 'public' });
    assert.deepEqual((await findClient(client.id))?.secrets, []);
    const refresh = () => postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
    assert.equal((await refresh()).status, 401, 'a public client has no secret to send');
    const { page } = await send(path, path, settings);
    const secret = textOf(page, 'client-secret');
    assert.ok(secret.startsWith('lk_secret_') && secret !== client.secret);
    assert.equal((await refresh()).status, 401, 'the first secret is gone for good');
  });

  test('two secrets work at a time, each with its last use; the old one is retired', async () => {
    const client = await register();
    const path = `/admin/applications/${client.id}`;
    const { tokens } = await obtainTokens(service, client, await service.newUser(), { scope: 'openid' });
    const rotated = await send(path, `${path}/rotate-secret`);
    const secret = textOf(rotated.page, 'client-secret');
    const refreshWith = async (with_: string) =>
      (await postForm(service, '/oauth/token', refreshParameters({ ...client, secret: with_ }, tokens.refresh_token)))
        .status;
    await service.running.services.journal.flush();
    const usesOn = (page: string) =>
      [...page.matchAll(/<dt>Last used<\/dt><dd>([\s\S]*?)<\/dd>/g)].map(([, use]) => use);
    const before = usesOn((await visit(path)).page);
    assert.equal(before[0], 'Never');
    assert.match(before[1] ?? '', /<time/, 'the exchange was made with what is the old one now');
    assert.deepEqual([await refreshWith(client.secret), await refreshWith(secret)], [200, 200]);
    await service.running.services.journal.flush();
    assert.match(usesOn((await visit(path)).page)[0] ?? '', /<time/);

    assert.match((await visit(`${path}/retire-secret`)).page, /It was last used on/);
    assert.equal(await refreshWith(client.secret), 200, 'asking stops nothing');
    const { page } = await send(`${path}/retire-secret`, `${path}/retire-secret`);
    assert.equal(noticeOn(page), 'The old secret does not work any more.');
    assert.deepEqual([await refreshWith(client.secret), await refreshWith(secret)], [401, 200]);
    assert.equal((await visit(path)).page.includes(`${path}/retire-secret`), false);
  });

  test('a form that is sent again does nothing again: no second application, no second secret', async () => {
    const form = readForm((await visit('/admin/applications/new')).page, '/admin/applications');
    assert.ok(form);
    const [first, again] = [await admin.submit(form, settings), await admin.submit(form, settings)];
    assert.deepEqual([first.status, again.status], [200, 409]);
    const id = textOf(await first.text(), 'client-id');
    const path = `/admin/applications/${id}`;
    const rotate = readForm((await visit(path)).page, `${path}/rotate-secret`);
    assert.ok(rotate);
    assert.deepEqual([(await admin.submit(rotate, {})).status, (await admin.submit(rotate, {})).status], [200, 409]);
    assert.equal((await service.events('client_secret_rotated')).filter(({ clientId }) => clientId === id).length, 1);
  });

  test('a third secret is made after a question only: it stops the old one', async () => {
    const client = await register();
    const path = `/admin/applications/${client.id}`;
    await send(path, `${path}/rotate-secret`);
    const { page } = await visit(path);
    assert.equal(readForm(page, `${path}/rotate-secret`), undefined);
    const asked = await visit(`${path}/rotate-secret`);
    assert.match(asked.page, /A new one stops the old one, which was never used/);
    const rotated = await send(`${path}/rotate-secret`, `${path}/rotate-secret`);
    assert.match(textOf(rotated.page, 'client-secret'), /^lk_secret_/);
    assert.equal((await findClient(client.id))?.secrets.length, 2);
  });

  test('what another administrator has changed meanwhile is not changed back', async () => {
    const client = await register();
    const path = `/admin/applications/${client.id}`;
    const stale = readForm((await visit(path)).page, path);
    assert.ok(stale);
    service.clock.advance(1);
    await send(path, path, { ...settings, redirect_uris: 'https://new.example/callback' });
    const answer = await admin.submit(stale, settings);
    assert.equal(answer.status, 409);
    assert.match(alertOn(await answer.text()) ?? '', /Somebody else has changed this application/);
    assert.deepEqual((await findClient(client.id))?.redirectUris, ['https://new.example/callback']);
  });

  test('addresses that are registered at the same moment are all registered, and saving nothing changes nothing', async () => {
    const client = await register();
    const { services } = service.running;
    const uris = ['a', 'b', 'c', 'd'].map((name) => `https://${name}.example/callback`);
    await Promise.all(uris.map((uri) => addRedirectUri(services, client.id, uri, origin)));
    const now = await findClient(client.id);
    assert.deepEqual([...(now?.redirectUris ?? [])].sort(), [...uris, settings.redirect_uris].sort());
    const since = await service.events('client_updated');
    await updateClient(services, client.id, { name: settings.name, scope: 'openid email' }, origin);
    assert.deepEqual(await service.events('client_updated'), since);
  });

  test('of two who make a public one confidential at the same moment one gets a secret, and it works', async () => {
    const client = await service.newClient({ isPublic: true });
    const { services } = service.running;
    const make = () => updateClient(services, client.id, { isPublic: false }, origin);
    const secrets = (await Promise.all([make(), make()])).flatMap((made) =>
      made.kind === 'done' ? (made.secret ?? []) : [],
    );
    assert.equal(secrets.length, 1);
    const [kept] = (await findClient(client.id))?.secrets ?? [];
    assert.equal(kept?.digest, digestOf(secrets[0] ?? ''));
  });

  test('one that is made again under the same id revives nothing of the one that was deleted', async () => {
    const { services } = service.running;
    const input = { id: 'photos', name: 'Photos', isPublic: false, redirectUris: ['https://photos.example/cb'] };
    const create = () => createClient(services, { ...input, scope: undefined, logo: undefined }, origin);
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
    await deleteClient(services, 'photos', origin);
    assert.equal((await userinfo(service, tokens.access_token)).status, 401);
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

  test('revoking asks first, with the number of people, and stops every token; restoring revives none', async () => {
    const client = await register();
    const path = `/admin/applications/${client.id}`;
    const { tokens } = await obtainTokens(service, client, await service.newUser(), { scope: 'openid' });
    await obtainTokens(service, client, await service.newUser(), { scope: 'openid' });
    assert.match((await visit(`${path}/revoke`)).page, /2 people use it and are cut off at once/);
    assert.equal((await userinfo(service, tokens.access_token)).status, 200, 'asking stops nothing');
    const { page } = await send(`${path}/revoke`, `${path}/revoke`);
    assert.match(noticeOn(page) ?? '', /is stopped/);
    assert.equal((await userinfo(service, tokens.access_token)).status, 401);
    const restored = await send(path, `${path}/restore`);
    assert.match(noticeOn(restored.page) ?? '', /can sign people in again/);
    assert.equal((await userinfo(service, tokens.access_token)).status, 401);
    assert.match((await visit(`${path}/revoke`)).page, /Nobody uses it/);
  });

  test('deleting asks first, and what is gone is not found', async () => {
    const client = await register();
    const path = `/admin/applications/${client.id}`;
    assert.match((await visit(`${path}/delete`)).page, /gone for good/);
    const { page } = await send(`${path}/delete`, `${path}/delete`);
    assert.equal(noticeOn(page), 'The application is deleted.');
    assert.equal((await visit(path)).status, 404);
  });

  test('they are found by name, id and host, a page at a time', async () => {
    const client = await register({ name: 'Zebra counter', redirect_uris: 'https://zoo.example/cb' });
    for (const search of ['zebra', 'COUNTER', client.id.slice(0, 10), 'zoo.ex']) {
      const { page } = await visit(`/admin/applications?search=${search}`);
      assert.deepEqual(namesOn(page), ['Zebra counter'], search);
    }
    assert.match((await visit('/admin/applications?search=%25')).page, /No application is found/);
    for (let made = 0; made < 51; made++) await service.newClient({ name: `Many ${made}` });
    const first = await visit('/admin/applications?search=many');
    const next = /href="([^"]*)" rel="next"/.exec(first.page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = await visit(next);
    const names = [...namesOn(first.page), ...namesOn(second.page)];
    assert.equal(names.length, 51);
    assert.equal(new Set(names).size, 51);
    assert.equal((await visit('/admin/applications?cursor=nonsense')).status, 400);
  });

  test('a logo is uploaded and removed, and nothing that is not an image', async () => {
    const client = await register();
    const path = `/admin/applications/${client.id}`;
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const upload = async (fields: Record<string, string | Buffer>) => {
      const form = readForm((await visit(path)).page, `${path}/logo`);
      const body = new FormData();
      for (const [name, value] of Object.entries({ ...form?.fields, ...fields })) {
        if (typeof value === 'string') body.set(name, value);
        else body.set(name, new Blob([new Uint8Array(value)], { type: 'image/png' }), 'logo.png');
      }
      return admin.request(`${path}/logo`, { method: 'POST', body, headers: { Origin: service.url } });
    };
    assert.equal((await upload({ logo: png })).status, 303);
    const logo = /src="(\/logos\/[^"]+)"/.exec((await visit(path)).page)?.[1] ?? '';
    assert.equal((await admin.request(logo)).headers.get('content-type'), 'image/png');
    const since = await everythingIn(service);
    assert.equal((await upload({ logo: Buffer.from('<svg onload=alert(1)>') })).status, 400);
    assert.equal((await upload({ logo: Buffer.alloc(0) })).status, 400);
    assert.equal((await upload({ logo: Buffer.alloc(600 * 1024) })).status, 413);
    assert.equal((await upload({ logo: png, form_token: 'x' })).status, 403);
    await assertNothingChanged(service, since);
    assert.equal((await upload({ remove: 'yes' })).status, 303);
    assert.equal((await findClient(client.id))?.logoVersion, null);
  });
});

describe('people', () => {
  test('they are found by address, by any word of their name, and by id', async () => {
    const user = await service.newUser({ name: 'Jocelyn Bell Burnell', email: 'pulsar@stars.example' });
    for (const search of ['pulsar@', 'JOC', 'bell', 'burnell', 'bell bur', user.id]) {
      const { page } = await visit(`/admin/people?search=${encodeURIComponent(search)}`);
      assert.deepEqual(namesOn(page), ['Jocelyn Bell Burnell'], search);
    }
    assert.match((await visit('/admin/people?search=ell')).page, /Nobody is found/);
  });

  test('one is invited by mail, and the address is confirmed by that', async () => {
    const email = 'invited@example.test';
    const { page } = await send('/admin/people', '/admin/people/invite', { email, name: 'Guest' });
    assert.equal(noticeOn(page), 'The invitation is on its way.');
    assert.match((await mailsTo(service, email))[0]?.subject ?? '', /You are invited/);
    const guest = new Person(service);
    const form = await formIn(await guest.visit(await linkFor(service, email)));
    const welcome = await guest.submit(form, { name: 'Guest of honour', password });
    assert.match(await welcome.text(), /Guest of honour/);
    const user = await service.running.services.storage.findUserByEmail(email);
    assert.notEqual(user?.emailVerifiedAt, null);
    assert.equal(user?.adminSince, null);
    const again = await send('/admin/people', '/admin/people/invite', { email });
    assert.equal(again.status, 400);
    assert.match(alertOn(again.page) ?? '', /There is a person with the address/);
  });

  test('without mail the address of an invitation is handed over, and confirms nothing', async () => {
    const quiet = await startTestService({
      LATCHKEY_BASE_URL: 'https://id.example',
    });
    try {
      const boss = await quiet.newUser({ admin: true });
      const browser = new Person(quiet);
      await browser.signIn(boss);
      const form = await formIn(await browser.visit('/admin/people'), '/admin/people/invite');
      const page = await (await browser.submit(form, { email: 'guest@example.test', name: '' })).text();
      const path = textOf(page, 'link').replace('https://id.example', '');
      const guest = new Person(quiet);
      const accepted = await guest.submit(await formIn(await guest.visit(path)), { name: 'Guest', password });
      assert.equal(accepted.status, 200);
      const user = await quiet.running.services.storage.findUserByEmail('guest@example.test');
      assert.equal(user?.emailVerifiedAt, null);
      assert.match(await (await browser.visit('/admin')).text(), /Mail is not set up: nobody can reset/);
      const person = await (await browser.visit(`/admin/people/${user?.id}`)).text();
      assert.match(person, /Mail is not set up, so a reset cannot be sent/);
    } finally {
      await quiet.stop();
    }
  });

  test('a person is disabled and enabled: sessions and tokens are over at once, and stay over', async () => {
    const client = await service.newClient();
    const user = await service.newUser();
    const { tokens, person } = await obtainTokens(service, client, user);
    const path = `/admin/people/${user.id}`;
    assert.match((await visit(path)).page, /Test app/, 'their applications are seen');
    const { page } = await send(path, `${path}/disable`);
    assert.match(noticeOn(page) ?? '', /is disabled/);
    assert.equal((await userinfo(service, tokens.access_token)).status, 401);
    assert.equal((await person.request('/account')).status, 302);
    await send(path, `${path}/enable`);
    assert.equal((await userinfo(service, tokens.access_token)).status, 401);
    assert.equal((await new Person(service).signIn(user)).status, 200);
  });

  test('a reset is sent, sessions are ended, and an administrator is made', async () => {
    const user = await service.newUser();
    const browser = new Person(service);
    await browser.signIn(user);
    const path = `/admin/people/${user.id}`;
    await send(path, `${path}/send-reset`);
    assert.match(await linkFor(service, user.email), /^\/reset-password\/finish/);
    await send(path, `${path}/end-sessions`);
    assert.equal((await browser.request('/account')).status, 302);
    await send(path, `${path}/make-administrator`);
    assert.notEqual((await findUser(user.id))?.adminSince, null);
    await send(path, `${path}/remove-administrator`);
    for (const event of (await service.events()).filter(({ userId }) => userId === user.id).slice(-3)) {
      assert.equal(event.detail?.by, `administrator ${administrator.id}`, event.kind);
    }
  });

  test('somebody whom no mail reaches chooses a new password by a link, once', async () => {
    const user = await service.newUser({ emailVerified: false });
    const path = `/admin/people/${user.id}`;
    const first = textOf((await send(path, `${path}/recovery-link`)).page, 'link');
    const second = textOf((await send(path, `${path}/recovery-link`)).page, 'link');
    const visitor = new Person(service);
    assert.equal((await visitor.visit(first.slice(service.url.length))).status, 410, 'the newest alone works');
    const form = await formIn(await visitor.visit(second.slice(service.url.length)));
    assert.equal((await visitor.submit(form, { password })).status, 200);
    assert.equal((await visitor.submit(form, { password: `${password} again` })).status, 410);
    assert.equal((await new Person(service).signIn({ ...user, password })).status, 200);
    assert.equal((await findUser(user.id))?.emailVerifiedAt, null, 'it proves no mailbox');
  });

  test('what an administrator does shows in the activity of the person, without where from', async () => {
    const user = await service.newUser();
    await send(`/admin/people/${user.id}`, `/admin/people/${user.id}/send-reset`);
    const browser = new Person(service);
    await browser.signIn(user);
    const page = await (await browser.visit('/account/activity')).text();
    assert.match(page, /sent a link to reset the password<\/span> <span class="quiet">by the administrator/);
    const data = (await (await browser.visit('/account/data.json')).json()) as {
      activity: { kind: string; address: string | null; detail: object }[];
    };
    const sent = data.activity.find(({ kind }) => kind === 'user_reset_sent');
    assert.deepEqual([sent?.address, sent?.detail], [null, {}]);
  });

  test('an invitation takes the place of an earlier one, and goes with the account', async () => {
    const email = 'twice@example.test';
    const invite = () => send('/admin/people', '/admin/people/invite', { email });
    await invite();
    const first = await linkFor(service, email);
    service.clock.advance(1);
    await invite();
    const second = await linkFor(service, email);
    assert.equal((await new Person(service).visit(first)).status, 410);
    const guest = new Person(service);
    await guest.submit(await formIn(await guest.visit(second)), { name: 'Guest', password });
    const user = await service.running.services.storage.findUserByEmail(email);
    const path = `/admin/people/${user?.id}`;
    await send(`${path}/delete`, `${path}/delete`);
    assert.equal(
      (await service.rows('links')).some(({ detail }) => String(detail).includes(email)),
      false,
    );
  });

  test('links for an ordinary person do not lead to the account of an administrator', async () => {
    const user = await service.newUser();
    const path = `/admin/people/${user.id}`;
    const link = textOf((await send(path, `${path}/recovery-link`)).page, 'link').slice(service.url.length);
    await send(path, `${path}/make-administrator`);
    assert.equal((await new Person(service).visit(link)).status, 410);
    await send(path, `${path}/remove-administrator`);
    await send(path, `${path}/disable`);
    const answer = await send(path, `${path}/make-administrator`);
    assert.match(alertOn(answer.page) ?? '', /disabled/);
  });

  test('what administrators did to a person is known after the person is deleted, and by whom', async () => {
    const user = await service.newUser();
    const path = `/admin/people/${user.id}`;
    await send(path, `${path}/recovery-link`);
    await send(`${path}/delete`, `${path}/delete`);
    const [made] = (await service.events('user_recovery_link_made')).slice(-1);
    assert.equal(made?.detail?.by, `administrator ${administrator.id}`);
    assert.equal(made?.address, '');
  });

  test('deleting asks first', async () => {
    const user = await service.newUser();
    const path = `/admin/people/${user.id}`;
    assert.match((await visit(`${path}/delete`)).page, /gone for good/);
    const { page } = await send(`${path}/delete`, `${path}/delete`);
    assert.equal(noticeOn(page), 'The person is deleted.');
    assert.equal((await visit(path)).status, 404);
  });

  test('the last administrator cannot disable, demote or delete themselves, in the console or in their account', async () => {
    const path = `/admin/people/${administrator.id}`;
    const since = await everythingIn(service);
    for (const [page, action] of [
      [path, `${path}/disable`],
      [path, `${path}/remove-administrator`],
      [`${path}/delete`, `${path}/delete`],
    ] as const) {
      const answer = await send(page, action);
      assert.equal(answer.status, 400, action);
      assert.match(alertOn(answer.page) ?? '', /is the last administrator/);
    }
    const answer = await send('/account/data', '/account/delete', { current_password: administrator.password });
    assert.equal(answer.status, 409);
    assert.match(alertOn(answer.page) ?? '', /last administrator/);
    await assertNothingChanged(service, since);
  });
});

describe('events', () => {
  const itemsOn = (page: string) => page.split('<li id=').slice(1);

  test('they are filtered by person, application, kind, time and reference', async () => {
    const client = await service.newClient({ name: 'Filtered' });
    const user = await service.newUser({ name: 'Filtered person' });
    const other = await service.newUser();
    await obtainTokens(service, client, user);
    await obtainTokens(service, client, other);
    const count = async (query: string) => itemsOn((await visit(`/admin/events?${query}`)).page).length;
    assert.equal(await count(`application=${client.id}&kind=code_exchanged`), 2);
    assert.equal(await count(`person=${encodeURIComponent(user.email)}&kind=code_exchanged`), 1);
    assert.equal(await count(`person=${user.id}&kind=signed_in`), 1);
    const today = new Date(service.clock.now()).toISOString().slice(0, 10);
    const longAgo = '2001-01-01';
    assert.equal(await count(`application=${client.id}&since=${today}&until=${today}&kind=approved`), 2);
    assert.equal(await count(`application=${client.id}&since=${longAgo}&until=${longAgo}`), 0);
    const [exchanged] = (await service.events('code_exchanged')).slice(-1);
    assert.equal(await count(`reference=${exchanged?.requestId}`), 1);
    assert.match((await visit('/admin/events?since=yesterday')).page, /That is not a date/);
    assert.equal((await visit('/admin/events?kind=nonsense')).status, 400);
    assert.match((await visit(`/admin/events?person=nobody@nowhere.example`)).page, /There is no person/);
    assert.match((await visit('/admin/events?application=Filtered')).page, /There is no application/);
  });

  test('a page leads to older ones, and none is told twice', async () => {
    const client = await service.newClient();
    for (let made = 0; made < 60; made++) {
      service.running.services.journal.note({ kind: 'token_revoked', clientId: client.id }, origin);
    }
    const ids: (string | undefined)[] = [];
    for (let path: string | undefined = `/admin/events?application=${client.id}&kind=token_revoked`; path; ) {
      const { page } = await visit(path);
      ids.push(...itemsOn(page).map((item) => /^"(\w+)"/.exec(item)?.[1]));
      path = /href="([^"]*)" rel="next"/.exec(page)?.[1]?.replaceAll('&amp;', '&');
    }
    assert.equal(ids.length, 60);
    assert.equal(new Set(ids).size, 60);
  });

  test('a redirect URI that does not match is shown beside the registered one, and registered by a button', async () => {
    const client = await service.newClient({
      redirectUris: ['https://other.example/', 'https://app.example/callback'],
    });
    const wrong = 'https://app.example/calback';
    const verifier = newVerifier();
    const path = authorizePath(client, verifier, { redirect_uri: wrong });
    const refused = await new Person(service).visit(path);
    assert.equal(refused.status, 400);
    const reference = refused.headers.get('x-request-id') ?? '';
    const events = `/admin/events?reference=${reference}`;
    const { page } = await visit(events);
    assert.match(page, /not registered, letter by letter/);
    assert.match(page, /<code>https:\/\/app\.example\/cal<mark><\/mark>back<\/code>/);
    assert.match(page, /<code>https:\/\/app\.example\/cal<mark>l<\/mark>back<\/code>/);
    const done = await send(events, `/admin/applications/${client.id}/redirect-uris`);
    assert.match(noticeOn(done.page) ?? '', /The address is registered/, 'at a host of its own, without a question');
    assert.deepEqual((await findClient(client.id))?.redirectUris, [...client.record.redirectUris, wrong]);
    assert.match((await visit(events)).page, /It is registered now/);
    assert.equal((await new Person(service).visit(path)).status, 200);
  });

  test('an address at another host is registered after a question only', async () => {
    const client = await service.newClient({ name: 'Asked', redirectUris: ['https://app.example/callback'] });
    const uri = 'https://app.example.evil.example/callback';
    await new Person(service).visit(authorizePath(client, newVerifier(), { redirect_uri: uri }));
    const action = `/admin/applications/${client.id}/redirect-uris`;
    const asked = await send(`/admin/events?application=${client.id}&kind=authorization_refused`, action);
    assert.match(asked.page, /Asked has no address at app\.example\.evil\.example so far/);
    assert.deepEqual((await findClient(client.id))?.redirectUris, client.record.redirectUris);
    const form = readForm(asked.page, action);
    assert.ok(form);
    await admin.submit(form, {});
    assert.deepEqual((await findClient(client.id))?.redirectUris, [...client.record.redirectUris, uri]);
  });

  test('any other fault of an authorization request explains itself, too', async () => {
    const client = await service.newClient();
    const answer = await new Person(service).request(
      authorizePath(client, newVerifier(), { code_challenge: undefined }),
    );
    const { page } = await visit(`/admin/events?reference=${answer.headers.get('x-request-id')}`);
    assert.match(page, /code_challenge/);
  });

  test('an event says who did it, and what', async () => {
    const client = await register({ name: 'Before' });
    const path = `/admin/applications/${client.id}`;
    await send(path, path, { ...settings, name: 'After' });
    const { page } = await visit(`/admin/events?application=${client.id}&kind=client_updated`);
    assert.match(page, /<dt>Changed<\/dt><dd>name<\/dd>/);
    assert.match(page, /<dt>Name<\/dt><dd>After<\/dd>/);
    assert.match(page, new RegExp(`by <a href="/admin/people/${administrator.id}">Margaret Hamilton</a>`));
  });

  test('a flood of noise from one network hides nothing that concerns an application', async () => {
    for (let made = 0; made < 2500; made++) {
      const facts = { kind: 'authorization_refused', detail: { reason: 'unknown_client' } } as const;
      service.running.services.journal.noteFromStranger(facts, { address: '203.0.113.9', requestId: 'noise' });
    }
    const client = await service.newClient();
    const answer = await new Person(service).visit(
      authorizePath(client, newVerifier(), { redirect_uri: 'https://x.example/' }),
    );
    const { page } = await visit(`/admin/events?reference=${answer.headers.get('x-request-id')}`);
    assert.match(page, /not registered, letter by letter/);
    const suppressed = await visit('/admin/events?kind=events_suppressed');
    assert.match(
      suppressed.page,
      /<dt>Kind<\/dt><dd>authorization_refused<\/dd>[\s\S]*<dt>How many<\/dt><dd>2300<\/dd>/,
    );
  });

  test('what cannot be registered says why, and a hostile one is text', async () => {
    const client = await service.newClient();
    const hostile = 'https://a.example/<script>alert(1)</script>';
    await new Person(service).visit(authorizePath(client, newVerifier(), { redirect_uri: hostile }));
    const { page } = await visit(`/admin/events?application=${client.id}&kind=authorization_refused`);
    assert.match(page, /It cannot be registered: it has characters that must be percent-encoded/);
    assert.doesNotMatch(page, /<script>alert/);
    assert.equal(readForm(page, `/admin/applications/${client.id}/redirect-uris`), undefined);
  });

  type Spoiled = Record<string, string>;
  const exchanges: [string, (sent: Spoiled) => Spoiled | Promise<Spoiled>, RegExp][] = [
    ['a wrong verifier', () => ({ code_verifier: newVerifier() }), /code_verifier does not belong/],
    ['another redirect URI', () => ({ redirect_uri: 'https://b.example/' }), /not the one of the authorization/],
    ['an unknown code', () => ({ code: 'lkc_nothing' }), /No such code is known/],
    ['a wrong secret', () => ({ client_secret: 'wrong' }), /none of those that work/],
    [
      'an expired code',
      () => {
        service.clock.advance(61);
        return {};
      },
      /The code had expired/,
    ],
    [
      'a code that was used',
      async (sent) => {
        await postForm(service, '/oauth/token', sent);
        return {};
      },
      /The code had been exchanged before/,
    ],
    [
      'the code of another application',
      async () => {
        const other = await service.newClient();
        return { client_id: other.id, client_secret: other.secret };
      },
      /The code was issued to another application/,
    ],
  ];
  for (const [name, spoil, sentence] of exchanges) {
    test(`a refused exchange says what was wrong: ${name}`, async () => {
      const client = await service.newClient();
      const { code, verifier } = await obtainCode(service, client, await service.newUser());
      const parameters = exchangeParameters(client, code, verifier);
      const refused = await postForm(service, '/oauth/token', { ...parameters, ...(await spoil(parameters)) });
      assert.notEqual(refused.status, 200);
      const { page } = await visit(`/admin/events?reference=${refused.headers.get('x-request-id')}`);
      assert.match(page, sentence);
    });
  }
});

describe('the overview', () => {
  test('counts sign-ins, failures and refreshes, and the use of applications', async () => {
    const fresh = await startTestService();
    try {
      const boss = await fresh.newUser({ admin: true });
      const browser = new Person(fresh);
      await browser.signIn(boss);
      const client = await fresh.newClient({ name: 'Counted' });
      const { tokens } = await obtainTokens(fresh, client, await fresh.newUser());
      await fresh.newUser();
      for (let made = 0; made < 3; made++) {
        await postForm(fresh, '/oauth/token', refreshParameters(client, tokens.refresh_token));
      }
      await new Person(fresh).signIn({ ...boss, password: 'not the password' });
      const page = await (await browser.visit('/admin')).text();
      const series = (name: string) => [...page.matchAll(new RegExp(`<h3>${name} <span>(\\d+)</span>`, 'g'))];
      assert.deepEqual(
        series('Sign-ins').map(([, n]) => n),
        ['2', '2'],
      );
      assert.deepEqual(
        series('Failures').map(([, n]) => n),
        ['1', '1'],
      );
      assert.deepEqual(
        series('Refreshes').map(([, n]) => n),
        ['3', '3'],
      );
      assert.match(page, /aria-label="Refreshes, Last 24 hours: 3 in all, 3 at most at a time\."/);
      assert.match(page, /<dt>People<\/dt><dd>3</);
      assert.match(page, /<dt>Active in the last 30 days<\/dt><dd>2</);
      assert.match(page, /Counted<\/a><\/th>\s*<td>1<\/td><td>3<\/td><td>0<\/td>/);
      // A day later the last 24 hours are empty, and the last 30 days are not.
      fresh.clock.advance(25 * HOUR);
      const later = await (await browser.visit('/admin')).text();
      assert.match(later, /Refreshes, Last 24 hours: 0 in all/);
      assert.match(later, /Refreshes, Last 30 days: 3 in all/);
    } finally {
      await fresh.stop();
    }
  });

  test('warns of missing mail, plain http, and old secrets that are still in use', async () => {
    const { page } = await visit('/admin');
    assert.match(page, /Mails are not sent: they wait in the outbox/);
    assert.match(page, /plain http/);
    const client = await register({ name: 'Slow to change' });
    const path = `/admin/applications/${client.id}`;
    const { tokens } = await obtainTokens(service, client, await service.newUser(), { scope: 'openid' });
    await send(path, `${path}/rotate-secret`);
    assert.doesNotMatch((await visit('/admin')).page, /Slow to change still uses/);
    // Within the hour: that is when the old one is retired.
    service.clock.advance(60);
    await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
    assert.match((await visit('/admin')).page, /Slow to change still uses its old secret/);
    await send(`${path}/retire-secret`, `${path}/retire-secret`);
    assert.doesNotMatch((await visit('/admin')).page, /Slow to change still uses/);
  });
});

describe('API keys', () => {
  test('one is created, shown once, stored as a digest, and ended', async () => {
    const { page } = await send('/admin/keys', '/admin/keys', { name: 'Report', permission: 'write', days: '30' });
    const secret = textOf(page, 'key');
    assert.match(secret, /^lk_api_[\w-]{43}$/);
    const listed = await visit('/admin/keys');
    assert.match(listed.page, /Report/);
    assert.equal(listed.page.includes(secret), false);
    assert.equal((await everythingIn(service)).join('\n').includes(secret.slice(7)), false);
    const [key] = await service.rows('api_keys');
    assert.equal(key?.created_by, administrator.id);
    const ended = await send('/admin/keys', '/admin/keys/end', { end: String(key?.id) });
    assert.equal(noticeOn(ended.page), 'The key does not work any more.');
    assert.deepEqual(await service.rows('api_keys'), []);
  });

  test('one is worth nothing when its maker is not an administrator any more', async () => {
    const maker = await service.newUser({ admin: true, name: 'Katherine Johnson' });
    const { services } = service.running;
    const input = { name: 'Theirs', permission: 'write', days: undefined };
    const made = await createApiKey(services, input, { ...origin, actor: { kind: 'administrator', id: maker.id } });
    assert.equal(made.kind, 'done');
    if (made.kind !== 'done') return;
    const status = async () =>
      (await fetch(`${service.url}/api/people`, { headers: { Authorization: `Bearer ${made.secret}` } })).status;
    assert.equal(await status(), 200);
    assert.match((await visit('/admin/keys')).page, /<dt>Made by<\/dt><dd>Katherine Johnson<\/dd>/);
    await send(`/admin/people/${maker.id}`, `/admin/people/${maker.id}/disable`);
    assert.equal(await status(), 401);
    assert.match((await visit('/admin/keys')).page, /Over/);
    await send('/admin/keys', '/admin/keys/end', { end: made.key.id });
  });

  test('one that is over says so, and bad input makes none', async () => {
    for (const bad of [{ name: '' }, { permission: 'all' }, { days: '0' }, { days: '1.5' }, { days: 'x' }]) {
      const answer = await send('/admin/keys', '/admin/keys', { name: 'Key', permission: 'read', days: '', ...bad });
      assert.equal(answer.status, 400, JSON.stringify(bad));
    }
    assert.deepEqual(await service.rows('api_keys'), []);
    const input = { name: 'Short', permission: 'read', days: 1 };
    await createApiKey(service.running.services, input, origin);
    service.clock.advance(24 * HOUR);
    await admin.signIn(administrator);
    assert.match((await visit('/admin/keys')).page, /Over/);
  });
});
