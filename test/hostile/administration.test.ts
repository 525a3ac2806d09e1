// Administration by people and keys that may not, or not this way: secrets in what they can read, side doors to powerful
// changes, and who becomes the first and stays the last administrator.

import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import { sections } from '../../src/cli/apply/sections.ts';
import { createApiKey } from '../../src/operations/api-keys/api-keys.ts';
import { makeAdministrator, removeAdministrator } from '../../src/operations/users/disable-user.ts';
import { makeSetUpLink } from '../../src/operations/users/set-up-link.ts';
import { makeRecoveryLink } from '../../src/operations/users/user-recovery.ts';
import { permissions } from '../../src/protocol/admin/rights.ts';
import { digestOf } from '../../src/protocol/digest.ts';
import { formTokenOf, newCompleteUser, signedIn } from '../harness/account.ts';
import { Api, type ApiCaller, examples, newKey, withBearer, withSession } from '../harness/api.ts';
import { newUpstream } from '../harness/discovery.ts';
import { isReleaseLane } from '../harness/lane.ts';
import { formIn, Person } from '../harness/person.ts';
import { proofFormOn } from '../harness/proof.ts';
import { alignToStep } from '../harness/second-factors.ts';
import { requester, type TestService, type TestUser } from '../harness/service.ts';
import { askToReset, newAddress } from '../harness/sign-up.ts';
import { startTwoInstances, type TwoInstances } from '../harness/two-instances.ts';
import { newWebhook } from '../harness/webhooks.ts';
import { attack } from './attack.ts';

let instances: TwoInstances;
let service: TestService;
let other: TestService;
let api: Api;

before(async () => {
  instances = await startTwoInstances();
  ({ one: service, two: other } = instances);
  api = await Api.of(service);
});
after(() => instances?.stop());
beforeEach(() => {
  other.clock.advance((service.clock.now() - other.clock.now()) / 1000);
  for (const each of [service, other]) {
    each.clock.advance(16 * 60);
    alignToStep(each);
  }
});

attack(
  51,
  'a set-up link makes one administrator, and the last one stays, whoever removes whom at the same time',
  async () => {
    // Comes first: there is no administrator yet.
    const made = await makeSetUpLink(service.running.services, requester);
    assert.ok(made.kind === 'done');
    const link = new URL(made.url).searchParams.get('link') ?? '';
    const uses = Array.from({ length: isReleaseLane ? 20 : 8 }, (_, index) => {
      const person = new Person(index % 2 ? service : other);
      const fields = { link, name: 'First', email: `first${index}@example.test`, password: 'a phrase of my own' };
      return person.submit({ action: '/set-up', fields, buttons: [] }, {});
    });
    await Promise.all(uses);
    const administrators = async () => (await service.rows('users')).filter((row) => row.admin_since !== null);
    assert.equal((await administrators()).length, 1);
    assert.equal((await makeSetUpLink(other.running.services, requester)).kind, 'refused');

    const [first = assert.fail()] = await administrators();
    const second = await service.newUser({ admin: true });
    const one = { ...second, id: String(first.id), email: String(first.email), password: 'a phrase of my own' };
    const key = await newKey(service, 'administrator');
    const call = (method: string, path: string, at: TestService) =>
      fetch(`${at.url}/api/people/${path}`, { method, headers: key.headers(method) });
    const console = async (by: TestUser, whom: string, at: TestService) => {
      const person = new Person(at);
      await person.signIn(by);
      const action = `/admin/people/${whom}/remove-administrator`;
      return { person, form: { action, fields: { form_token: await formTokenOf(person) }, buttons: [] } };
    };
    const ways: Record<string, () => Promise<[() => Promise<unknown>, () => Promise<unknown>]>> = {
      'the API': async () => [
        () => call('POST', `${one.id}/remove-administrator`, service),
        () => call('POST', `${second.id}/remove-administrator`, other),
      ],
      'the console, by each other': async () => {
        const [mine, theirs] = [await console(one, second.id, service), await console(second, one.id, other)];
        return [() => mine.person.submit(mine.form, {}), () => theirs.person.submit(theirs.form, {})];
      },
      'the command line and the API': async () => [
        () => removeAdministrator(other.running.services, { id: one.id }, requester),
        () => call('POST', `${second.id}/remove-administrator`, service),
      ],
      'disabling and deleting': async () => [
        () => call('POST', `${one.id}/disable`, other),
        () => call('DELETE', second.id, service),
      ],
    };
    for (const [name, prepare] of Object.entries(ways)) {
      for (const { id } of [one, second]) await makeAdministrator(service.running.services, { id }, requester);
      assert.equal((await administrators()).length, 2, name);
      const [mine, theirs] = await prepare();
      await Promise.all([mine(), theirs()]);
      const left = (await administrators()).filter((row) => row.disabled_at === null);
      assert.equal(left.length, 1, name);
    }
  },
);

attack(
  49,
  'nobody reads a secret: not with a read-only key, not as anyone else, in no list, file, event or export',
  async () => {
    const { services } = service.running;
    const client = await service.newClient();
    const { user, passkey, secret: totp, link, person } = await newCompleteUser(service, client);
    const upstream = await newUpstream(service, { secret: 'a hidden upstream secret' });
    const { secret: webhookSecret } = await newWebhook(service, { clientId: client.id });
    await askToReset(service, user.email);
    const recovery = await makeRecoveryLink(services, { id: user.id }, requester);
    assert.ok(recovery.kind === 'done');
    const read = await createApiKey(services, { name: 'Reads', permission: 'read', days: undefined }, requester);
    assert.ok(read.kind === 'done');
    const session = person.cookies.get('latchkey_session') ?? '';
    const [row] = (await service.rows('users')).filter(({ id }) => id === user.id);
    const sealed = (
      await service.rowsOf(['authenticators', 'webhook_secrets', 'upstreams', 'recovery_codes', 'mails'])
    ).flat();
    const stored = sealed
      .flatMap((each) => Object.entries(each))
      .flatMap(([name, value]) => (/sealed|digest/.test(name) && typeof value === 'string' ? [value] : []));
    const clear = [
      client.secret,
      session,
      webhookSecret,
      'a hidden upstream secret',
      read.secret,
      recovery.url.split('link=')[1] ?? '',
      link,
    ];
    const secrets = [
      ...clear,
      ...clear.map(digestOf),
      ...stored,
      String(row?.password_hash),
      Buffer.from(totp).toString('base64url'),
      Buffer.from(totp).toString('hex'),
      passkey.publicKey,
    ];
    assert.ok(secrets.every((each) => each.length > 10) && stored.length > 3);

    const readKey = withBearer(read.secret);
    const outsider = await withSession(service, await service.newUser());
    const bodies: string[] = [];
    let asked = 0;
    for (const operation of api.operations.values()) {
      const example = (await examples[operation.id]?.(service, outsider.user)) ?? {};
      // Their own example first, and then that of the person and the application with everything.
      const named: Record<string, string> = { client_id: client.id, name: upstream.name };
      if (operation.path.startsWith('/api/people')) named.id = user.id;
      // What is refused before it's looked up is the same with either, and waits for a release.
      const own = isReleaseLane || operation.path.startsWith('/api/me') ? [example.params ?? {}] : [];
      for (const params of [...own, { ...example.params, ...named }]) {
        const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
        for (const caller of [readKey, outsider] as ApiCaller[]) {
          const body = operation.method === 'GET' ? null : JSON.stringify(example.body ?? {});
          const init = {
            method: operation.method,
            headers: { ...caller.headers(operation.method), 'Content-Type': 'application/json' },
            body,
          };
          const response = await fetch(service.url + path, init);
          if (operation.method !== 'GET' && !path.startsWith('/api/me')) {
            assert.ok(response.status >= 400, `${operation.method} ${path}`);
          }
          bodies.push(await response.text());
          asked += 1;
        }
      }
    }
    assert.ok(asked > 2 * api.operations.size - 1, `${asked}`);
    // They did get to read what is there.
    for (const visible of [user.email, client.id, upstream.name, '"items"']) {
      assert.ok(
        bodies.some((body) => body.includes(visible)),
        visible,
      );
    }
    bodies.push(await (await fetch(`${service.url}/api/openapi.json`)).text());
    for (const path of ['/account/data.json', '/account/security', '/account/activity'])
      bodies.push(await (await person.visit(path)).text());
    for (const section of sections) bodies.push(JSON.stringify(await section.export(services, (name) => name)));
    for (const secret of secrets) {
      assert.equal(bodies.filter((body) => body.includes(secret)).length, 0, secret);
    }
  },
);

attack(50, 'a powerful change needs fresh proof, by whichever door', async () => {
  const admin = await withSession(service, await service.newUser({ admin: true }));
  const person = await service.newUser();
  const client = await service.newClient();
  const upstream = await newUpstream(service, { name: 'side', issuer: 'https://github.side.example' });
  const key = await newKey(service);
  const group = await fetch(`${service.url}/api/groups`, {
    method: 'POST',
    headers: { ...key.headers('POST'), 'Content-Type': 'application/json' },
    body: '{"name":"Side door"}',
  });
  const { data } = (await group.json()) as { data: { id: string } };
  for (const each of [service, other]) each.clock.advance(16 * 60);
  const fresh = await withSession(service, await service.newUser({ admin: true }));
  const call = (caller: ApiCaller, [method, path, body]: (typeof changes)[number], more: Record<string, string> = {}) =>
    fetch(service.url + path, {
      method,
      headers: { ...caller.headers(method), 'Content-Type': 'application/json', ...more },
      body: body === undefined ? null : JSON.stringify(body),
    });
  const app = `/api/applications/${client.id}`;
  const changes: [string, string, object?][] = [
    ['PATCH', `/api/people/${person.id}`, { email: newAddress() }],
    ['POST', `/api/people/${person.id}/make-administrator`],
    ['POST', `/api/people/${person.id}/recovery-link`],
    ['DELETE', `/api/people/${person.id}`],
    ['POST', '/api/people', { email: newAddress(), name: 'Eve', email_verified: true }],
    ['POST', '/api/people/import', { from: 'csv', people: [{ id: 'x', email: newAddress() }] }],
    ['PATCH', `/api/upstreams/${upstream.name}`, { trusted_amr: ['pwd'] }],
    ['PATCH', `/api/upstreams/${upstream.name}`, { trusted_domains: ['*'] }],
    ['PATCH', '/api/settings', { second_factor: 'optional' }],
    ['DELETE', `/api/groups/${data.id}`],
    ['POST', `${app}/secrets`],
    ['PATCH', app, { redirect_uris: ['https://evil.example/cb'] }],
    ['PATCH', app, { post_logout_redirect_uris: ['https://evil.example/'] }],
    ['PATCH', app, { access: 'listed' }],
    ['PATCH', app, { second_factor: 'required' }],
    ['PATCH', app, { public: true }],
    ['PATCH', app, { launch_url: 'https://evil.example/' }],
    ['PATCH', app, { client_uri: 'https://evil.example/' }],
  ];
  const before = JSON.stringify(await service.rowsOf(['users', 'clients', 'upstreams', 'settings', 'groups']));
  const accepted: string[] = [];
  for (const change of changes) {
    const stale = await call(admin, change);
    if (!/PROOF_REQUIRED/.test(await stale.text()))
      accepted.push(`${change[0]} ${change[1]} ${JSON.stringify(change[2])}: ${stale.status}`);
    const foreign = await call(fresh, change, { 'X-CSRF-Token': admin.csrfToken });
    assert.equal(foreign.status, 403, `${change[0]} ${change[1]}: the token of another administrator's session`);
    assert.match(await foreign.text(), /X-CSRF-Token/);
  }
  assert.deepEqual(accepted, []);
  const without = (text: string) => text.replaceAll(/"last_\w+":\d+/g, '');
  assert.equal(
    without(JSON.stringify(await service.rowsOf(['users', 'clients', 'upstreams', 'settings', 'groups']))),
    without(before),
  );

  // An import leaves whoever is here as they are.
  const rows = [
    { id: person.id, email: newAddress(), name: 'Eve' },
    { id: 'another', email: person.email, name: 'Eve' },
    { id: 'spelled', email: person.email.toUpperCase(), name: 'Eve' },
  ];
  const imported = await call(key, ['POST', '/api/people/import', { from: 'csv', people: rows }]);
  assert.match(await imported.text(), /"imported":0/);
  const still = await service.running.services.storage.findUser(person.id);
  assert.deepEqual([still?.email, still?.name], [person.email, person.record.name]);
});

attack(52, 'an API key belongs to whoever makes it, and never makes another', async () => {
  const [maker, victim] = [await service.newUser({ admin: true }), await service.newUser({ admin: true })];
  const admin = await signedIn(service, maker);
  const form = await formIn(await admin.visit('/admin/keys'), '/admin/keys');
  const named = { user_id: victim.id, created_by: victim.id, createdBy: victim.id, owner: victim.id, id: 'chosen' };
  const response = await admin.submit(form, { name: 'Mine', permission: 'read', days: '', ...named });
  assert.equal(proofFormOn(await response.text()), undefined);
  const keys = (await service.rows('api_keys')).filter((row) => row.name === 'Mine');
  assert.deepEqual(
    keys.map((row) => [row.created_by, row.id === 'chosen']),
    [[maker.id, false]],
  );
  const person = await signedIn(service, await service.newUser());
  const denied = await person.submit({ ...form, fields: { ...form.fields } }, { name: 'Theirs', permission: 'write' });
  assert.ok(denied.status >= 400);
  const given = { name: 'By API', permission: 'read', days: null };
  for (const permission of permissions) {
    const key = await newKey(service, permission);
    assert.equal((await api.call('createApiKey', key, { body: given })).status, 403, permission);
    const { status } = await api.call('revokeApiKey', key, { params: { id: String(keys[0]?.id) } });
    assert.equal(status, 403, permission);
  }
  const session = await withSession(service, maker);
  for (const name of ['user_id', 'created_by', 'id']) {
    const response = await api.call('createApiKey', session, { body: { ...given, [name]: victim.id } });
    assert.equal(response.status, 400, name);
  }
  const after = await service.rows('api_keys');
  assert.deepEqual(
    [after.some((row) => row.name === 'By API'), after.some((row) => row.name === 'Mine')],
    [false, true],
  );
});
