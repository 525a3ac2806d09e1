// Identity providers in the console: adding one, its settings, icon and endpoints, and what deleting it costs.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteUpstream } from '../../../src/operations/upstreams/upstreams.ts';
import { revokeIdentities } from '../../../src/operations/users/identities.ts';
import { png } from '../../harness/account.ts';
import { alertOn, noticeOn, problemAt, send, textOf, visit } from '../../harness/console.ts';
import {
  allowLoopbackUpstreams,
  type DiscoveryServer,
  newLinkedUser,
  newUpstream,
  startDiscovery,
} from '../../harness/discovery.ts';
import { readForm } from '../../harness/person.ts';
import { requester } from '../../harness/service.ts';
import { everythingIn } from '../../harness/store.ts';
import { consoleOfSuite } from '../../harness/suite.ts';

const list = '/admin/providers';

const { service, administrator, admin } = consoleOfSuite(allowLoopbackUpstreams);
let provider: DiscoveryServer;

before(async () => {
  provider = await startDiscovery();
});
after(() => provider.stop());

const company = () => ({
  kind: 'oidc',
  name: 'company',
  label: 'Company “SSO”',
  issuer: provider.issuer,
  client_id: 'ours',
  client_secret: 'hidden secret',
  trusted_domains: 'Example.com\nexample.org',
  creates_accounts: 'yes',
});

/** What the form of one that is there has, besides what a test changes. */
const kept = { label: 'Company', client_id: 'ours', creates_accounts: 'yes', algorithm: '' };

const add = (values: Record<string, string>) => send(admin, `${list}/new?for=other`, list, values);

test('one is added, shown with its callback URL and changed; its secret is never shown', async () => {
  assert.match((await visit(admin, list)).page, /No identity providers yet\./);
  const made = await add(company());
  assert.equal(noticeOn(made.page), 'Identity provider added. Register its callback URL there.');
  assert.equal(textOf(made.page, 'callback'), `${service.url}/sign-in/with/company/callback`);
  assert.match((await visit(admin, list)).page, /Company “SSO”/);
  assert.equal((await everythingIn(service)).join('\n').includes('hidden secret'), false);
  assert.equal(made.page.includes('hidden secret'), false);

  const path = `${list}/company`;
  const saved = await send(admin, path, path, { ...kept, trusted_amr: 'mfa  hwk', algorithm: 'HS256' });
  assert.equal(noticeOn(saved.page), 'Identity provider updated.');
  const { storage } = service.running.services;
  const stored = await storage.findUpstream('company');
  assert.deepEqual([stored?.trustedAmr, stored?.trustedDomains, stored?.createsAccounts], [['mfa', 'hwk'], [], true]);
  const [event] = (await service.events('upstream_updated')).slice(-1);
  assert.deepEqual(event?.detail, {
    upstream: 'company',
    changed: ['label', 'trustedDomains', 'trustedAmr', 'algorithm'],
    by: `administrator ${administrator.id}`,
  });
  const events = (await visit(admin, '/admin/events')).page;
  assert.match(events, /Label, Trusted domains, Trusted amr values, Signature algorithm/);

  const stale = readForm((await visit(admin, path)).page, path);
  assert.ok(stale);
  service.clock.advance(1);
  await send(admin, path, path, { ...kept, label: 'Renamed', algorithm: 'HS256' });
  const refused = await admin.submit(stale, { ...kept, label: 'Outdated' });
  assert.equal(refused.status, 409);
  assert.equal((await storage.findUpstream('company'))?.label, 'Renamed');
});

test("problems are shown at their fields, and a secret isn't echoed", async () => {
  const wrong: [Record<string, string>, string, RegExp][] = [
    [{ name: 'No spaces' }, 'name', /lowercase letters/],
    [{ name: 'other', issuer: '' }, 'issuer', /The issuer is needed/],
    [{ name: 'other', issuer: 'https://10.0.0.1' }, 'issuer', /LATCHKEY_UPSTREAM_NETWORKS/],
    [{ name: 'other', issuer: `${provider.issuer}/nowhere` }, 'issuer', /^The discovery/],
    [{ name: 'other', client_secret: 'ü' }, 'client_secret', /printable ASCII/],
    [{ name: 'other', trusted_domains: 'a b@c' }, 'trusted_domains', /isn&#39;t a domain/],
    [{ name: 'other', scopes: 'email' }, 'scopes', /must include openid/],
  ];
  for (const [values, field, problem] of wrong) {
    const { status, page } = await add({ ...company(), ...values });
    assert.equal(status, 400, field);
    assert.match(problemAt(page, field) ?? '', problem);
    assert.equal(page.includes('hidden secret'), false);
    // The algorithm and the scopes are there to be changed if the identity provider can't be used as it is.
    assert.equal(page.includes('<details open>'), field === 'issuer' || field === 'scopes', field);
  }
  const taken = await add(company());
  assert.equal(alertOn(taken.page), 'There is already an identity provider &quot;company&quot;.');
});

test('changed endpoints are shown first, and only what was shown is accepted', async () => {
  const path = `${list}/company`;
  const same = await send(admin, path, `${path}/look-up`);
  assert.match(same.page, /Nothing has changed/);
  const before = provider.announced;
  provider.announced = { ...before, token_endpoint: `${provider.issuer}/elsewhere` };
  const { page } = await send(admin, path, `${path}/look-up`);
  assert.ok(page.includes(`${provider.issuer}/token`) && page.includes(`${provider.issuer}/elsewhere`));
  const accept = readForm(page, `${path}/refresh`);
  assert.ok(accept);
  const { storage } = service.running.services;
  const endpoint = async () => (await storage.findUpstream('company'))?.metadata.tokenEndpoint;

  provider.announced = { ...before, token_endpoint: `${provider.issuer}/evil` };
  const moved = await admin.submit(accept, {});
  assert.equal(moved.status, 400);
  assert.match(alertOn(await moved.text()) ?? '', /other endpoints than a moment ago/);
  assert.equal(await endpoint(), `${provider.issuer}/token`);

  provider.announced = { ...before, token_endpoint: `${provider.issuer}/elsewhere` };
  const saved = await send(admin, path, path, kept);
  assert.equal(noticeOn(saved.page), 'Identity provider updated.');
  assert.equal(await endpoint(), `${provider.issuer}/token`, 'another algorithm moves nothing');
  const again = readForm((await send(admin, path, `${path}/look-up`)).page, `${path}/refresh`);
  assert.ok(again);
  assert.equal(noticeOn(await (await admin.submit(again, {})).text()), 'New endpoints are in use.');
  assert.equal(await endpoint(), `${provider.issuer}/elsewhere`);
  const [event] = (await service.events('upstream_refreshed')).slice(-1);
  assert.deepEqual(event?.detail?.changed, ['token_endpoint']);
  provider.announced = {};
  const failed = await send(admin, path, `${path}/look-up`);
  assert.match(alertOn(failed.page) ?? '', /Discovery failed/i);
  provider.announced = before;
});

test('an icon is uploaded, served sandboxed, and removed', async () => {
  const path = `${list}/company`;
  const upload = async (values: Record<string, string | Buffer>) => {
    const form = readForm((await visit(admin, path)).page, `${path}/icon`);
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...form?.fields, ...values })) {
      if (typeof value === 'string') body.set(name, value);
      else body.set(name, new Blob([new Uint8Array(value)], { type: 'image/png' }), 'icon.png');
    }
    const headers = { Origin: service.url };
    const response = await admin.request(`${path}/icon`, { method: 'POST', body, headers });
    return { status: response.status, page: await response.text() };
  };
  assert.match(alertOn((await upload({})).page) ?? '', /Choose an image/);
  assert.match(alertOn((await upload({ icon: Buffer.from('<svg/>') })).page) ?? '', /PNG/);
  assert.equal((await upload({ icon: Buffer.from(png) })).status, 303);
  const { page } = await visit(admin, path);
  const url = /src="(\/upstream-icons\/company\/[^"]+)"/.exec(page)?.[1] ?? '';
  const icon = await fetch(`${service.url}${url}`);
  assert.equal(icon.headers.get('content-security-policy'), "default-src 'none'; sandbox");
  assert.deepEqual(Buffer.from(await icon.arrayBuffer()), Buffer.from(png));
  await upload({ remove: 'yes' });
  assert.equal((await fetch(`${service.url}${url}`)).status, 404);
});

test("unlinking an identity also ends the person's sessions", async () => {
  const upstream = await newUpstream(service);
  const user = await newLinkedUser(service, upstream);
  const { storage } = service.running.services;
  const page = `/admin/people/${user.id}`;
  assert.equal((await storage.listSessions(user.id, 0)).length, 1);
  const done = await send(admin, page, `${page}/unlink`);
  assert.equal(noticeOn(done.page), 'Identity unlinked. The person is signed out everywhere.');
  assert.deepEqual([await storage.listIdentities(user.id), await storage.listSessions(user.id, 0)], [[], []]);
  const event = (await service.events('identity_unlinked')).at(-1);
  assert.deepEqual([event?.userId, event?.detail?.upstream], [user.id, 'github']);
  assert.notEqual(event?.actor, undefined);
  const { services } = service.running;
  const person = await newLinkedUser(service, upstream);
  const of = (subject?: string) =>
    revokeIdentities(services, { id: person.id }, { upstream: 'github', subject }, requester);
  assert.equal((await of('another')).kind, 'refused');
  assert.equal((await of()).kind, 'done');
  assert.equal((await of()).kind, 'refused');
  await deleteUpstream(services, 'github', requester);
});

test("a person's page shows their identities, and disabling and deleting say how many people it locks out", async () => {
  const upstream = await newUpstream(service);
  const user = await newLinkedUser(service, upstream);
  const person = (await visit(admin, `/admin/people/${user.id}/security`)).page;
  assert.match(person, /<a href="\/admin\/providers\/github">GitHub<\/a>[\s\S]*ada@elsewhere\.example/);

  const path = `${list}/github`;
  assert.match((await visit(admin, `${path}/disable`)).page, /1 person can&#39;t sign in another way/);
  const disabled = await send(admin, path, `${path}/disable`);
  assert.equal(noticeOn(disabled.page), 'Identity provider disabled.');
  assert.match(disabled.page, /This identity provider is disabled/);
  assert.equal(noticeOn((await send(admin, path, `${path}/enable`)).page), 'Identity provider enabled.');

  const question = (await visit(admin, `${path}/delete`)).page;
  assert.match(question, /1 person loses the identity linked to it\. 1 person has no other way to sign in/);
  const deleted = await send(admin, `${path}/delete`, `${path}/delete`);
  assert.equal(noticeOn(deleted.page), 'Identity provider deleted.');
  assert.equal((await service.rows('identities')).length, 0);
  assert.equal((await visit(admin, path)).status, 404);
});
