// Adding an identity provider in the console: what there is to choose from, who can sign in, and a secret that stays.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { deleteUpstream } from '../../../src/operations/upstreams/upstreams.ts';
import { upstreamPresets } from '../../../src/protocol/upstreams/presets.ts';
import { noticeOn, problemAt, textOf, visit } from '../../harness/console.ts';
import {
  allowLoopbackUpstreams,
  type DiscoveryServer,
  newLinkedUser,
  startDiscovery,
} from '../../harness/discovery.ts';
import { Person, readForm } from '../../harness/person.ts';
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

const typedIn = (page: string, name: string) =>
  new RegExp(`<input[^>]*name="${name}"[^>]* value="([^"]*)"`).exec(page)?.[1];
const chosenOn = (page: string) => /<input type="radio" name="who" value="(\w+)" checked/.exec(page)?.[1];

async function submitOn(page: string, action: string, values: Record<string, string>, by = admin) {
  const form = readForm(page, action);
  assert.ok(form, `no form ${action}`);
  const response = await by.submit(form, values);
  return { status: response.status, page: await response.text() };
}
const openNew = async (preset: string, by = admin) => (await visit(by, `${list}/new?for=${preset}`)).page;
const given = () => ({
  name: 'company',
  label: 'Company',
  issuer: provider.issuer,
  client_id: 'ours',
  client_secret: 'hidden secret',
});
const stored = () => service.running.services.storage.findUpstream('company');
const remove = () => deleteUpstream(service.running.services, 'company', requester);

test('it begins with what can be added, each with what is known about it', async () => {
  const { page } = await visit(admin, `${list}/new`);
  assert.equal(readForm(page, list), undefined);
  assert.doesNotMatch(page, /<img/, 'no logos of others');
  for (const [name, { label, kind, issuer }] of Object.entries(upstreamPresets)) {
    assert.ok(page.includes(`href="${list}/new?for=${name}"`), name);
    const form = await openNew(name);
    assert.equal(typedIn(form, 'label'), label);
    assert.equal(readForm(form, list)?.fields.kind, kind);
    assert.equal(typedIn(form, 'issuer'), kind === 'github' ? undefined : issuer);
    const before = form.indexOf('id="callback"');
    assert.ok(before > 0 && before < form.indexOf('name="client_id"'), 'the callback URL comes first');
    assert.equal(textOf(form, 'callback'), `${service.url}/sign-in/with/${typedIn(form, 'name')}/callback`);
    assert.equal(chosenOn(form), 'linked');
  }
  assert.match(await openNew('latchkey'), /<option value="HS256" selected>/);
  assert.equal(typedIn(await openNew('github'), 'trusted_amr'), undefined);
  const advanced = /<summary>Advanced<\/summary>([\s\S]*?)<\/details>/.exec(await openNew('keycloak'))?.[1] ?? '';
  for (const name of ['trusted_amr', 'trusted_acr', 'algorithm']) assert.match(advanced, new RegExp(`name="${name}"`));
  assert.match((await visit(admin, `${list}/new?for=constructor`)).page, /class="tiles"/);
});

test('the part of the issuer that everyone has their own of must be replaced', async () => {
  const page = await openNew('microsoft');
  const sent = await submitOn(page, list, { ...given(), issuer: typedIn(page, 'issuer') ?? '' });
  assert.deepEqual(
    [sent.status, problemAt(sent.page, 'issuer')],
    [400, 'Replace TENANT_ID in the issuer URL with your own.'],
  );
});

describe('who can sign in', () => {
  for (const [values, expected] of [
    [{ who: 'linked', domains: 'ignored.example', creates_accounts: 'yes' }, [false, [], []]],
    [
      { who: 'domains', domains: 'Example.com, example.org' },
      [true, ['example.com', 'example.org'], ['example.com', 'example.org']],
    ],
    [{ who: 'anyone', trusted_domains: 'ignored.example' }, [true, ['*'], []]],
    [{ who: 'custom', trusted_domains: 'example.com', creates_accounts: 'yes' }, [true, ['example.com'], []]],
    [{ trusted_domains: 'example.com', allowed_domains: 'example.com' }, [false, ['example.com'], ['example.com']]],
  ] as const) {
    test(`${JSON.stringify(values)} is stored in the fields that it stands for, and shown again`, async () => {
      const made = await submitOn(await openNew('other'), list, { ...given(), ...values });
      assert.match(noticeOn(made.page) ?? '', /Identity provider added/);
      const upstream = await stored();
      assert.deepEqual([upstream?.createsAccounts, upstream?.trustedDomains, upstream?.allowedDomains], expected);
      assert.equal(chosenOn(made.page), 'who' in values ? values.who : 'custom');
      // Saving what is shown changes nothing.
      const shown = { who: chosenOn(made.page) ?? '', domains: upstream?.allowedDomains.join('\n') ?? '' };
      if (shown.who !== 'custom') {
        const path = `${list}/company`;
        await submitOn(made.page, path, { label: 'Company', client_id: 'ours', ...shown });
        const after = await stored();
        assert.deepEqual([after?.createsAccounts, after?.trustedDomains, after?.allowedDomains], expected);
      }
      await remove();
    });
  }

  for (const [domains, problem] of [
    ['', 'Enter at least one domain.'],
    ['not a domain', /isn&#39;t a domain/],
    ['*', /isn&#39;t a domain/],
  ] as const) {
    test(`people of ${JSON.stringify(domains)} is refused: it would mean everyone`, async () => {
      const sent = await submitOn(await openNew('other'), list, { ...given(), who: 'domains', domains });
      assert.equal(sent.status, 400);
      const found = problemAt(sent.page, 'domains') ?? '';
      if (typeof problem === 'string') assert.equal(found, problem);
      else assert.match(found, problem);
      assert.equal(chosenOn(sent.page), 'domains');
      assert.equal(await stored(), undefined);
    });
  }

  test('a warning stands there while nobody new can get in', async () => {
    const warning = /Nobody can sign in with this identity provider yet/;
    const made = await submitOn(await openNew('other'), list, { ...given(), who: 'linked' });
    assert.match(made.page, warning);
    const upstream = await stored();
    assert.ok(upstream);
    await newLinkedUser(service, upstream);
    assert.doesNotMatch((await visit(admin, `${list}/company`)).page, warning);
    await remove();
    assert.doesNotMatch((await submitOn(await openNew('other'), list, { ...given(), who: 'anyone' })).page, warning);
    await remove();
  });
});

describe('a form that is refused', () => {
  const wrong = () => ({ ...given(), issuer: `${provider.issuer}/nowhere`, who: 'domains', domains: 'example.com' });

  test('keeps everything, with the secret sealed', async () => {
    const { status, page } = await submitOn(await openNew('keycloak'), list, wrong());
    assert.equal(status, 400);
    assert.match(page, /The client secret you entered is kept for 15 minutes/);
    assert.doesNotMatch(page, /hidden secret/);
    assert.doesNotMatch(/<input[^>]*name="client_secret"[^>]*>/.exec(page)?.[0] ?? '', / required| value=/);
    for (const [name, value] of Object.entries({ name: 'company', label: 'Company', client_id: 'ours' })) {
      assert.equal(typedIn(page, name), value);
    }
    assert.equal(chosenOn(page), 'domains');
    const { client_secret: _, ...rest } = given();
    const made = await submitOn(page, list, { ...rest, who: 'domains', domains: 'example.com' });
    assert.match(noticeOn(made.page) ?? '', /Identity provider added/);
    const { storage, keys } = service.running.services;
    const upstream = await storage.findUpstream('company');
    assert.equal(keys.unseal('upstream secret company', upstream?.sealedSecret ?? ''), 'hidden secret');
    assert.equal((await everythingIn(service)).join('\n').includes('hidden secret'), false);
    assert.equal(service.log().includes('hidden secret'), false);

    // The same for one that exists.
    const path = `${list}/company`;
    const values = { label: 'Company', client_id: 'ours', who: 'domains' };
    const refused = await submitOn((await visit(admin, path)).page, path, {
      ...values,
      client_secret: 'newer',
      domains: '',
    });
    assert.equal(problemAt(refused.page, 'domains'), 'Enter at least one domain.');
    await submitOn(refused.page, path, { ...values, domains: 'example.com' });
    const changed = await storage.findUpstream('company');
    assert.equal(keys.unseal('upstream secret company', changed?.sealedSecret ?? ''), 'newer');
    await remove();
  });

  test('typing another secret replaces the one that was kept', async () => {
    const { page } = await submitOn(await openNew('other'), list, wrong());
    await submitOn(page, list, { ...given(), client_secret: 'another' });
    const { keys } = service.running.services;
    assert.equal(keys.unseal('upstream secret company', (await stored())?.sealedSecret ?? ''), 'another');
    await remove();
  });

  const { client_secret: _secret, ...withoutSecret } = {
    client_secret: '',
    name: 'company',
    label: 'Company',
    client_id: 'ours',
  };
  test('its secret is worth nothing after 15 minutes, in another session, at another URL, or changed', async () => {
    const { page } = await submitOn(await openNew('other'), list, wrong());
    const sealed = readForm(page, list)?.fields.sealed_secret ?? '';
    assert.notEqual(sealed, '');
    const rest = () => ({ ...withoutSecret, issuer: provider.issuer });
    const refused = async (by: Person, value: string) => {
      const sent = await submitOn(await openNew('other', by), list, { ...rest(), sealed_secret: value }, by);
      assert.deepEqual([sent.status, problemAt(sent.page, 'client_secret')], [400, 'Enter the client secret again.']);
      assert.equal(await stored(), undefined);
    };
    const sameAdministrator = new Person(service);
    await sameAdministrator.signIn(administrator);
    await refused(sameAdministrator, sealed);
    const other = new Person(service);
    await other.signIn(await service.newUser({ admin: true }));
    await refused(other, sealed);
    await refused(
      admin,
      sealed.replace(/^(.{20})(.)/, (_, kept, each) => kept + (each === 'A' ? 'B' : 'A')),
    );
    await refused(admin, 'x');

    // Made at another URL.
    await submitOn(await openNew('other'), list, given());
    const path = `${list}/company`;
    const saved = await submitOn((await visit(admin, path)).page, path, {
      label: 'C',
      client_id: 'ours',
      sealed_secret: sealed,
    });
    assert.equal(problemAt(saved.page, 'client_secret'), 'Enter the client secret again.');
    await remove();

    service.clock.advance(15 * 60 + 1);
    const again = new Person(service);
    again.cookies.set('latchkey_session', admin.cookies.get('latchkey_session') ?? '');
    await service.execute(`UPDATE sessions SET proven_at = ${service.clock.now()}`);
    await refused(admin, sealed);
  });
});
