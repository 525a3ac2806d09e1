// What people see who sign in with an identity provider: they have no password, link and unlink accounts, prove who they are
// with a fresh sign-in there, and find a way back when the identity provider is gone.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { updateClient } from '../../../src/operations/clients/clients.ts';
import { changeSettings } from '../../../src/operations/settings/change-settings.ts';
import {
  createUpstream,
  deleteUpstream,
  disableUpstream,
  enableUpstream,
} from '../../../src/operations/upstreams/upstreams.ts';
import { noticeOn, visit } from '../../harness/console.ts';
import { newImported } from '../../harness/imported.ts';
import { formIn, Person, readForm } from '../../harness/person.ts';
import { authorizePath, newVerifier, obtainTokens, userinfo } from '../../harness/relying-party.ts';
import { requester, startTestService, type TestService, type TestUser } from '../../harness/service.ts';
import { linkFor } from '../../harness/store.ts';
import {
  allowLoopbackUpstreams,
  formOn,
  type Provider,
  startProvider,
  Traveller,
} from '../../harness/upstream-latchkey.ts';

const MINUTE = 60;
const security = '/account/security';
const away = Traveller.awayFrom;

let service: TestService;
let provider: Provider;

before(async () => {
  service = await startTestService(allowLoopbackUpstreams);
  provider = await startProvider(service, { trustedDomains: ['corp.example', 'example.test'], routesDomains: true });
});
after(async () => {
  await provider?.service.stop();
  await service?.stop();
});

/** For both services alike. */
function later(seconds: number): void {
  for (const each of [service, provider.service]) each.clock.advance(seconds);
}

async function setDefault(name: string): Promise<void> {
  const outcome = await changeSettings(service.running.services, { default_upstream: name }, requester);
  assert.equal(outcome.kind, 'done');
}

/** Somebody whom the identity provider has brought here for the first time. */
async function newcomer(): Promise<{ traveller: Traveller; user: TestUser }> {
  const user = await provider.service.newUser();
  const traveller = new Traveller(service, provider);
  const page = await traveller.visit('/sign-in');
  const form = formOn(page, '/sign-in');
  const response = await traveller.submit({ ...form, action: `/sign-in/with/${provider.name}` });
  await traveller.signInThere(response, user);
  return { traveller, user };
}

describe('someone without a password', () => {
  test("sees the linked account, can't unlink the last way in, and is offered to set a password", async () => {
    const { traveller, user } = await newcomer();
    const page = await traveller.visit(security);
    assert.match(page, /You don&#39;t have a password/);
    assert.match(page, /Set a password<\/button>/);
    assert.match(page, /Linked accounts/);
    assert.ok(page.includes(user.email));
    assert.match(page, /This is your only way to sign in/);
    assert.equal(readForm(page, '/account/identities/unlink'), undefined);
    assert.equal(readForm(page, '/account/identities/link'), undefined);
  });

  test('proves their identity with a fresh sign-in, then the change continues', async () => {
    const { traveller, user } = await newcomer();
    later(20 * MINUTE);
    const form = formOn(await traveller.visit(security), '/account/password');
    const asked = await (await traveller.submit(form, { new_password: 'a phrase of my own' })).text();
    assert.doesNotMatch(asked, /type="password"/);
    assert.match(asked, /Continue with Company/);
    const response = await traveller.submit(formOn(asked, '/account/password'), { upstream: provider.name });
    const url = away(response);
    assert.equal(url.searchParams.get('prompt'), 'login');
    const back = await traveller.signInThere(response, user);
    const done = await back.text();
    assert.match(done, /Identity confirmed/);
    const changed = await traveller.submit(formOn(done, '/account/password'));
    assert.equal(noticeOn(await changed.text()), 'Password set. You&#39;re signed out on your other devices.');
    const browser = new Person(service);
    const entered = await browser.signIn({ ...user, password: 'a phrase of my own' });
    assert.equal(entered.status, 200);
    const unlink = formOn(await (await browser.visit(security)).text(), '/account/identities/unlink');
    assert.equal(noticeOn(await (await browser.submit(unlink, {})).text()), 'Account unlinked.');
    assert.doesNotMatch(await (await browser.visit(security)).text(), /\/account\/identities\/unlink/);
  });

  test("can't prove it with another identity or an earlier sign-in", async () => {
    const { traveller } = await newcomer();
    const other = await provider.service.newUser();
    later(20 * MINUTE);
    const proof = formOn(await traveller.visit('/account/proof'), '/account/proof');
    const response = await traveller.submit(proof, { upstream: provider.name });
    traveller.there.cookies.clear();
    const back = await traveller.signInThere(response, other);
    assert.equal(back.status, 403);
    assert.match(await (await traveller.here.visit('/account/proof')).text(), /Continue with Company/);
  });

  test('gets back in by email when the upstream is disabled', async () => {
    const { services } = service.running;
    const { traveller, user } = await newcomer();
    later(20 * MINUTE);
    await disableUpstream(services, provider.name, requester);
    later(5);
    try {
      const asked = await traveller.visit('/account/proof');
      assert.match(asked, /Set a password by email/);
      assert.match(asked, /href="\/reset-password"/);
      const stranger = new Person(service);
      const form = await formIn(await stranger.visit('/reset-password'), '/reset-password');
      await stranger.submit(form, { email: user.email });
      const link = await formIn(await stranger.visit(await linkFor(service, user.email)));
      const done = await stranger.submit(link, { password: 'another phrase of mine' });
      assert.equal(done.status, 200);
      const entered = await stranger.signIn({ ...user, password: 'another phrase of mine' });
      assert.equal(entered.status, 200);
    } finally {
      await enableUpstream(services, provider.name, requester);
      later(5);
    }
  });

  test("has the linked account in their data, and is told at sign-out that the upstream's session continues", async () => {
    const { traveller, user } = await newcomer();
    const data = JSON.parse(await traveller.visit('/account/data.json'));
    const linked = data.linked_accounts as Record<string, string>[];
    assert.equal(linked.length, 1);
    assert.equal(linked[0]?.issuer, provider.service.url);
    assert.equal(linked[0]?.email, user.email);
    const out = await traveller.submit(formOn(await traveller.visit('/account'), '/sign-out'));
    assert.match(await out.text(), /You may still be signed in to the service you signed in with/);
  });
});

test('someone with a password links an account after proof', async () => {
  const user = await service.newUser();
  const there = await provider.service.newUser();
  const traveller = new Traveller(service, provider);
  await traveller.here.signIn(user);
  later(20 * MINUTE);
  const link = formOn(await traveller.visit(security), '/account/identities/link');
  const asked = await (await traveller.submit(link)).text();
  const response = await traveller.submit(formOn(asked, '/account/identities/link'), { password: user.password });
  const back = await traveller.signInThere(response, there);
  const page = await back.text();
  assert.equal(noticeOn(page), 'Account linked.');
  assert.ok(page.includes(there.email));

  const other = await service.newUser();
  const second = new Traveller(service, provider);
  await second.here.signIn(other);
  const again = await second.submit(formOn(await second.visit(security), '/account/identities/link'));
  assert.equal((await second.signInThere(again, there)).status, 409);
});

describe('a default upstream', () => {
  test('skips the password form', async () => {
    await setDefault(provider.name);
    try {
      const client = await service.newClient();
      const user = await provider.service.newUser({ email: 'ada@corp.example' });
      const traveller = new Traveller(service, provider);
      const start = await traveller.here.visit(authorizePath(client, newVerifier(), { login_hint: user.email }));
      assert.equal(start.status, 302);
      assert.equal(away(start).searchParams.get('login_hint'), user.email);
      const consent = await (await traveller.signInThere(start, user)).text();
      assert.doesNotMatch(consent, /type="password"/);
      const done = await traveller.submit(formOn(consent, '/oauth-authorize/decision'), { decision: 'approve' });
      assert.ok(new URL(done.headers.get('location') ?? '').searchParams.has('code'));
      assert.equal(away(await new Person(service).visit('/account')).origin, provider.service.url);
    } finally {
      await setDefault('');
    }
  });

  test("depends on the request's application, the domain of its hint, or the setting", async () => {
    const { services } = service.running;
    const client = await service.newClient();
    const at = async (changes: Record<string, string> = {}) =>
      away(await new Person(service).visit(authorizePath(client, newVerifier(), changes)));
    assert.equal((await at()).protocol, 'about:');
    assert.equal((await at({ login_hint: 'somebody@elsewhere.example' })).protocol, 'about:');
    assert.equal((await at({ login_hint: 'somebody@corp.example' })).origin, provider.service.url);
    const unknown = await updateClient(services, client.id, { upstream: 'nobody' }, requester);
    assert.ok(
      unknown.kind === 'refused' && unknown.problems[0].says.includes('there is no identity provider "nobody"'),
    );
    await updateClient(services, client.id, { upstream: provider.name }, requester);
    const plain = (await at()).searchParams;
    assert.deepEqual([plain.get('prompt'), plain.get('max_age')], [null, null]);
    assert.equal((await at({ prompt: 'login' })).searchParams.get('prompt'), 'login');
    assert.equal((await at({ prompt: 'select_account' })).searchParams.get('prompt'), 'select_account');
    assert.equal((await at({ max_age: '60' })).searchParams.get('max_age'), '60');
    const silent = await at({ prompt: 'none' });
    assert.equal(silent.origin, new URL(client.redirectUri).origin);
    assert.equal(silent.searchParams.get('error'), 'login_required');
  });

  test('a deleted upstream is no longer the default, even if a new one gets its name', async () => {
    const { services } = service.running;
    const input = { name: 'short-lived', kind: 'github', clientId: 'ours', secret: 'hidden' };
    await createUpstream(services, input, requester);
    await setDefault(input.name);
    await deleteUpstream(services, input.name, requester);
    assert.equal((await services.settings.readFresh()).default_upstream, '');
  });

  test('canceling there shows a page that links to the password form', async () => {
    await setDefault(provider.name);
    try {
      const client = await service.newClient();
      const user = await service.newUser();
      const traveller = new Traveller(service, provider);
      const start = away(await traveller.here.visit(authorizePath(client, newVerifier())));
      const state = start.searchParams.get('state') ?? '';
      const denied = new URLSearchParams({ error: 'access_denied', state, iss: provider.service.url });
      const ended = await traveller.here.visit(`/sign-in/with/${provider.name}/callback?${denied}`);
      assert.equal(ended.status, 403);
      const page = await ended.text();
      assert.match(page, /Try again with Company/);
      const path = /href="(\/sign-in\?password[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
      const form = formOn(await traveller.visit(path), '/sign-in');
      const consent = await traveller.submit(form, { email: user.email, password: user.password });
      assert.match(await consent.text(), /\/oauth-authorize\/decision/);
      const direct = await new Person(service).visit('/sign-in?password');
      assert.match(await direct.text(), /type="password"/);
    } finally {
      await setDefault('');
    }
  });
});

test('a picture from elsewhere is shown as its host and never loaded, and applications get its URL', async () => {
  const picture = 'https://pictures.elsewhere.example/u/1?size=96';
  const user = await newImported(service, 'with|picture', { picture });
  const client = await service.newClient();
  const administrator = await service.newUser({ admin: true });
  const person = new Person(service);
  await person.signIn(user);
  const admin = new Person(service);
  await admin.signIn(administrator);
  const pages = [
    await visit(person, '/account/profile'),
    await visit(person, authorizePath(client, newVerifier())),
    await visit(admin, '/admin/people/with%7Cpicture'),
  ];
  for (const { page } of pages) {
    assert.ok(page.includes('pictures.elsewhere.example'));
    assert.ok(!page.includes(picture) && !/<img[^>]+elsewhere/.test(page), page);
  }
  const policy = (await person.visit('/account/profile')).headers.get('content-security-policy') ?? '';
  assert.match(policy, /img-src 'self'(;|$)/);
  const { tokens } = await obtainTokens(service, client, user);
  assert.equal((await userinfo(service, tokens.access_token)).body.picture, picture);
});
