// A directory that is hostile, or whose token was stolen: what it can't reach, whom it can't become, and who can't be it.

import assert from 'node:assert/strict';
import { after, before, type TestContext } from 'node:test';
import { revokeScimToken } from '../../src/operations/scim/scim-tokens.ts';
import { changeSettings } from '../../src/operations/settings/change-settings.ts';
import { inviteUser } from '../../src/operations/users/invitations.ts';
import type { SettingsInput } from '../../src/protocol/resources/settings.ts';
import { urns } from '../../src/protocol/scim/urns.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { newKey } from '../harness/api.ts';
import { Person } from '../harness/person.ts';
import { sendRaw } from '../harness/raw-request.ts';
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
import { heldRoles, newUserWithRoles } from '../harness/roles.ts';
import { directoryWith, newDirectory, type ScimResponse, type TestDirectory } from '../harness/scim.ts';
import { requester, startTestService, type TestService } from '../harness/service.ts';
import { askToReset, askToSignUp } from '../harness/sign-up.ts';
import { assertNothingChanged, everythingIn, linkFor } from '../harness/store.ts';
import { attack } from './attack.ts';

let service: TestService;
let entra: TestDirectory;
let okta: TestDirectory;
/** May take over people of `verified.example`. */
let hr: TestDirectory;
let count = 0;
/** What requests with tokens change anyway. */
const passing = [
  'events',
  'leases',
  'hourly_totals',
  'service_facts',
  'instances',
  'spent_tickets',
  'sign_in_failures',
  'scim_tokens',
  'settings',
];

before(async () => {
  service = await startTestService({ LATCHKEY_SIGN_UP: 'open' });
  entra = await newDirectory(service);
  okta = await newDirectory(service, { source: 'okta' });
  hr = await newDirectory(service, { source: 'hr', adopts: true });
});
after(() => service?.stop());

const newEmail = (domain = 'scim.example') => `person-${++count}@${domain}`;
const disable = { op: 'replace', path: 'active', value: false };
const rename = (value: string) => ({ op: 'replace', path: 'userName', value });
const post = (directory: TestDirectory, userName: string, more: object = {}) =>
  directory.send('POST', '/Users', { schemas: [urns.user], userName, ...more });
const put = (directory: TestDirectory, id: string, userName: string, more: object = {}) =>
  directory.send('PUT', `/Users/${id}`, { schemas: [urns.user], userName, ...more });

async function set(values: SettingsInput): Promise<void> {
  assert.equal((await changeSettings(service.running.services, values, requester)).kind, 'done');
}

async function userOf(id: string) {
  const user = await service.running.services.storage.findUser(id);
  assert.ok(user);
  return user;
}

/** What a response says, apart from what differs each time. */
function traits({ status, headers, body }: ScimResponse) {
  return { status, body, headers: [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)) };
}

/** Does something when a request is about to write: whatever the request has read by then is old. */
async function beforeWriting<Result>(
  operation: keyof Storage & string,
  meanwhile: () => Promise<unknown>,
  work: () => Promise<Result>,
): Promise<Result> {
  const storage = service.running.services.storage as unknown as Record<string, (...args: unknown[]) => unknown>;
  const original = storage[operation] ?? assert.fail(operation);
  let isFirst = true;
  storage[operation] = async (...args) => {
    if (isFirst) {
      isFirst = false;
      await meanwhile();
    }
    return original(...args);
  };
  try {
    const result = await work();
    assert.equal(isFirst, false, `${operation} was not reached`);
    return result;
  } finally {
    storage[operation] = original;
  }
}

const attacks: Record<string, () => Promise<void>> = {
  'a SCIM token opens nothing else, and nothing else opens SCIM': async () => {
    const client = await service.newClient();
    const user = await service.newUser({ admin: true });
    const { tokens } = await obtainTokens(service, client, user);
    const browser = new Person(service);
    await browser.signIn(user);
    const session = browser.cookies.get('latchkey_session') ?? '';
    const key = await newKey(service, 'administrator');
    const keySecret = (key.headers('GET').Authorization ?? '').slice('Bearer '.length);
    const { secret } = entra;
    const before = await everythingIn(service, passing);

    const bearer = { Authorization: `Bearer ${secret}` };
    for (const [method, path] of [
      ['GET', '/api/me'],
      ['GET', '/api/people'],
      ['POST', '/api/people'],
      ['GET', '/api/scim-tokens'],
      ['POST', '/api/scim-tokens'],
      ['GET', '/api/people.csv'],
      ['GET', '/oauth/userinfo'],
    ] as const) {
      const body = method === 'POST' ? { body: '{}' } : {};
      const headers = { ...bearer, 'Content-Type': 'application/json' };
      assert.equal((await fetch(service.url + path, { method, headers, ...body })).status, 401, path);
    }
    for (const path of ['/admin', '/admin/people', '/account']) {
      const headers = { ...bearer, Cookie: `latchkey_session=${secret}` };
      const { status } = await fetch(service.url + path, { headers, redirect: 'manual' });
      assert.equal(status, 302, path);
    }
    for (const parameters of [
      { ...refreshParameters(client, secret) },
      { grant_type: 'client_credentials', client_id: client.id, client_secret: secret },
      { ...exchangeParameters(client, secret, newVerifier()) },
    ]) {
      assert.ok((await postForm(service, '/oauth/token', parameters)).status >= 400);
    }

    const revoked = await newDirectory(service);
    const [row] = (await service.rows('scim_tokens')).filter(({ source }) => source === 'entra').slice(-1);
    await revokeScimToken(service.running.services, String(row?.id), requester);
    const expired = await newDirectory(service, { expiresAt: service.clock.now() + 1 });
    service.clock.advance(1);
    const digests = (await service.rows('scim_tokens')).map(({ digest }) => String(digest));
    const ids = (await service.rows('scim_tokens')).map(({ id }) => String(id));
    const others = [keySecret, tokens.access_token, tokens.refresh_token, tokens.id_token, client.secret, session];
    for (const wrong of [...others, ...digests.slice(0, 2), ...ids.slice(0, 2), secret.slice(0, -1), `${secret}A`]) {
      for (const [method, path] of [
        ['GET', '/Users'],
        ['POST', '/Users'],
      ] as const) {
        const answer = await directoryWith(service, wrong).send(method, path, method === 'POST' ? {} : undefined);
        assert.deepEqual([answer.status, answer.body.schemas], [401, [urns.error]]);
      }
    }
    for (const { secret: ended } of [revoked, expired]) {
      assert.equal((await directoryWith(service, ended).send('GET', '/Users')).status, 401);
    }
    for (const init of [
      { headers: { Cookie: `latchkey_session=${session}` } },
      { headers: { Cookie: `latchkey_session=${session}`, Authorization: 'Bearer ' } },
      { headers: { Authorization: `Basic ${btoa(`scim:${secret}`)}` } },
      { headers: { Authorization: secret } },
      { headers: { Authorization: `Bearer ${secret} ${secret}` } },
      { headers: { 'X-Authorization': `Bearer ${secret}` } },
    ]) {
      assert.equal((await fetch(`${service.url}/scim/v2/Users`, init)).status, 401, JSON.stringify(init).slice(0, 40));
    }
    for (const query of ['access_token', 'token', 'authorization']) {
      assert.equal((await fetch(`${service.url}/scim/v2/Users?${query}=${secret}`)).status, 401);
    }
    // Two that differ aren't one.
    const headers = [`Authorization: Bearer ${secret}`, 'Authorization: Bearer wrong'];
    assert.notEqual((await sendRaw(service, { line: 'GET /scim/v2/Users', headers: headers.reverse() })).status, 200);
    await assertNothingChanged(service, before, passing);
    assert.doesNotMatch(service.log(), new RegExp(secret));
  },

  'paths in another notation need the same token': async () => {
    const id = await entra.create(newEmail());
    const targets = [
      '/scim/v2/Users/',
      '/scim/v2//Users',
      '//scim/v2/Users',
      '/scim/v2/./Users',
      '/scim/v2/x/../Users',
      '/scim/v2/%2e%2e/v2/Users',
      '/scim/v2/%55sers',
      '/%73%63%69%6d/v2/Users',
      '/SCIM/v2/Users',
      '/scim/V2/Users',
      '/scim/v2/users',
      '/scim/v2/Users;a=b',
      '/scim/v2/Users%00',
      '/scim/v2/Users%2f',
      '/scim/v2/Users?',
      '/scim/v2',
      '/scim',
      `/scim/v2/Users/${id}/`,
      `/scim/v2/Users/${id}%2f`,
      `/scim/v2/Users//${id}`,
      `http://localhost/scim/v2/Users/${id}`,
    ];
    for (const target of targets) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
        for (const override of ['X-HTTP-Method-Override: GET', 'X-Original-URL: /scim/v2/ServiceProviderConfig']) {
          const { status, text } = await sendRaw(service, { line: `${method} ${target}`, headers: [override] });
          assert.ok(
            [400, 401, 404, 405, 429, 501].includes(status) || Number.isNaN(status),
            `${method} ${target}: ${status}`,
          );
          assert.doesNotMatch(text, /"userName"|totalResults/);
        }
      }
    }
    // Wrong tokens were none: nothing was sent. With the right one, what isn't a path of SCIM is nothing.
    const headers = [`Authorization: Bearer ${entra.secret}`];
    for (const target of targets) {
      service.clock.advance(1);
      const { status } = await sendRaw(service, { line: `DELETE ${target}`, headers });
      assert.ok([204, 400, 404].includes(status), `${target}: ${status}`);
      if (status === 204) await entra.create(newEmail());
    }
    for (const method of ['OPTIONS', 'TRACE', 'HEAD', 'PUT', 'DELETE']) {
      service.clock.advance(1);
      const { status, text } = await sendRaw(service, { line: `${method} /scim/v2/Users`, headers });
      assert.ok(status < 500, `${method}: ${status}`);
      assert.doesNotMatch(text, new RegExp(entra.secret));
    }
  },

  "what belongs to somebody else doesn't exist, in the same words": async () => {
    await set({ scim_verified_domains: ['verified.example'] });
    const others = {
      'another source': await okta.create(newEmail('verified.example')),
      nobody: (await service.newUser({ email: newEmail('verified.example') })).id,
      'an administrator': (await service.newUser({ admin: true, email: newEmail('verified.example') })).id,
    };
    const before = await everythingIn(service, passing);
    const requests: Record<string, (id: string) => Promise<ScimResponse>> = {
      GET: (id) => entra.send('GET', `/Users/${id}`),
      PUT: (id) => put(entra, id, 'new@verified.example'),
      PATCH: (id) => entra.patch(id, disable),
      DELETE: (id) => entra.send('DELETE', `/Users/${id}`),
      filter: (id) => entra.send('GET', `/Users?filter=${encodeURIComponent(`id eq "${id}"`)}`),
      prefix: (id) => entra.send('GET', `/Users?filter=${encodeURIComponent(`id sw "${id.slice(0, 20)}"`)}`),
    };
    for (const [name, request] of Object.entries(requests)) {
      const unknown = traits(await request('01hzzzzzzzzzzzzzzzzzzzzzzz'));
      assert.ok(unknown.status === 404 || unknown.body.totalResults === 0, name);
      for (const [whose, id] of Object.entries(others)) {
        assert.deepEqual(traits(await request(id)), unknown, `${name}, ${whose}`);
      }
    }
    await assertNothingChanged(service, before, passing);
    // Whose a taken address is isn't said either, nor that it's an administrator's.
    const emails = await Promise.all(Object.values(others).map(async (id) => (await userOf(id)).email));
    const [first, ...rest] = await Promise.all(emails.map((email) => post(entra, email)));
    assert.equal(first?.status, 409);
    for (const answer of rest) assert.deepEqual(traits(answer), traits(first as ScimResponse));
  },

  'neither password, roles, groups, entitlements, owner nor ID are taken from a body': async () => {
    const hidden = 'hunter2-never-stored';
    const email = newEmail();
    const stolen = await okta.create(newEmail());
    const powers = {
      id: stolen,
      password: hidden,
      roles: [{ value: 'administrator', primary: true }, 'administrator'],
      entitlements: [{ value: 'administrator' }],
      groups: [{ value: 'Admins', display: 'Admins' }],
      meta: { created: '2000-01-01T00:00:00Z', location: 'https://evil.example' },
      admin: true,
      admin_since: 1,
      adminSince: 1,
      managed_by: 'okta',
      managedBy: null,
      passwordHash: hidden,
      emailVerifiedAt: 1,
      generation: -1,
      [`${urns.user}:password`]: hidden,
      [`${urns.user}:roles`]: ['administrator'],
      [urns.own]: { roles: 'administrator', admin_since: 1, password: hidden, managed_by: 'okta' },
      [urns.enterprise]: { roles: 'administrator', password: hidden, manager: { value: stolen, password: hidden } },
    };
    const created = await post(entra, email, powers);
    assert.equal(created.status, 201);
    const { id } = created.body;
    assert.notEqual(id, stolen);
    const original = await userOf(id);
    const answers = [created, await put(entra, id, email, powers), await entra.patch(id, { op: 'add', value: powers })];
    for (const [path, value] of Object.entries(powers)) {
      for (const op of ['add', 'replace', 'remove']) {
        for (const spelled of [path, path.toUpperCase(), ` ${path} `, `${path}[value eq "x"]`, `${path}.value`]) {
          answers.push(await entra.patch(id, { op, path: spelled, value }));
        }
      }
    }
    for (const { status } of answers) assert.ok([200, 201, 204, 400].includes(status), String(status));
    assert.equal((await entra.patch(id, { op: 'replace', path: 'id', value: stolen })).body.scimType, 'mutability');
    assert.deepEqual({ ...(await userOf(id)), updatedAt: 0 }, { ...original, updatedAt: 0 });
    assert.deepEqual(
      [original.passwordHash, original.adminSince, original.roles, original.managedBy, original.emailVerifiedAt],
      ['', null, null, 'entra', null],
    );
    const everything = [...(await everythingIn(service, [])), service.log(), JSON.stringify(answers)].join('\n');
    assert.doesNotMatch(everything, new RegExp(hidden));
    assert.equal((await entra.send('GET', '/Users?filter=password%20eq%20%22x%22')).body.scimType, 'invalidFilter');
    assert.equal((await entra.send('GET', `/Users/${id}?attributes=password,passwordHash`)).body.password, undefined);
  },

  "nobody with a role is changed, whichever it is, also if it's given at this moment": async () => {
    await set({ scim_verified_domains: ['verified.example'] });
    for (const roles of heldRoles.filter((each) => each.length > 0)) {
      const { id } = await newUserWithRoles(service, roles);
      await service.running.services.storage.verifyEmail(
        id,
        (await userOf(id)).email,
        service.clock.now(),
        service.running.services.journal.event({ kind: 'user_email_verified', userId: id }, requester),
      );
      await set({ scim_verified_domains: ['verified.example', 'example.test'] });
      const before = await userOf(id);
      for (const answer of [
        await hr.patch(id, disable),
        await hr.patch(id, rename(newEmail('verified.example'))),
        await hr.patch(id, { op: 'add', path: 'externalId', value: 'mine' }),
        await put(hr, id, before.email, { externalId: 'mine' }),
      ]) {
        assert.equal(answer.status, 403, roles.join());
      }
      assert.equal((await hr.send('DELETE', `/Users/${id}`)).status, 404);
      assert.deepEqual(await userOf(id), before);
    }
    await set({ scim_verified_domains: ['verified.example'] });

    const key = await newKey(service, 'administrator');
    const give = async (id: string) => {
      const headers = { ...key.headers('PATCH'), 'Content-Type': 'application/json' };
      const init = { method: 'PATCH', headers, body: JSON.stringify({ roles: ['people'] }) };
      assert.equal((await fetch(`${service.url}/api/people/${id}`, init)).status, 200);
    };
    const adoptable = async () => (await service.newUser({ email: newEmail('verified.example') })).id;
    const own = () => hr.create(newEmail('verified.example'));
    const requests: Record<
      string,
      [() => Promise<string>, keyof Storage & string, (id: string) => Promise<ScimResponse>]
    > = {
      adopting: [adoptable, 'changeScimUser', (id) => hr.patch(id, { op: 'add', path: 'externalId', value: id })],
      'adopting and disabling': [adoptable, 'changeScimUser', (id) => hr.patch(id, disable)],
      changing: [own, 'changeScimUser', (id) => hr.patch(id, rename(newEmail('verified.example')))],
      replacing: [own, 'changeScimUser', (id) => put(hr, id, newEmail('verified.example'))],
      deleting: [own, 'deleteScimUser', (id) => hr.send('DELETE', `/Users/${id}`)],
      releasing: [
        async () => {
          const id = await adoptable();
          assert.equal((await hr.patch(id, { op: 'add', path: 'externalId', value: id })).status, 204);
          return id;
        },
        'releaseScimUser',
        (id) => hr.send('DELETE', `/Users/${id}`),
      ],
    };
    for (const [name, [prepare, operation, request]] of Object.entries(requests)) {
      const id = await prepare();
      const before = await userOf(id);
      const answer = await beforeWriting(
        operation,
        () => give(id),
        () => request(id),
      );
      assert.equal(answer.status, 403, name);
      const { roles: _, updatedAt: __, generation: ___, ...rest } = await userOf(id);
      const { roles: ____, updatedAt: _____, generation: ______, ...expected } = before;
      assert.deepEqual(rest, expected, name);
    }
  },

  'adopts only with a token that may, whom nobody has, in a verified domain': async () => {
    // What stands in the setting is compared as DNS does, and no part of a domain is the domain.
    await set({ scim_verified_domains: ['Verified.EXAMPLE', '@münchen.example'] });
    const strangers = [
      'a@sub.verified.example',
      'a@notverified.example',
      'a@verified.example.evil.example',
      'a@verified.example.co',
      'a@verified',
      'verified.example@evil.example',
      'a@vеrified.example', // A Cyrillic е.
      'a@munchen.example',
      'a@xn--mnchen-3ya.example.evil.example',
    ];
    for (const email of strangers) {
      const { id } = await service.newUser({ email });
      assert.equal((await hr.patch(id, disable)).status, 404, email);
      assert.equal((await hr.send('GET', `/Users/${id}`)).status, 404, email);
      assert.deepEqual(await hr.find(`userName eq "${email}"`), [], email);
      const refused = await post(hr, `new-${email}`);
      assert.deepEqual([refused.status, refused.body.scimType], [400, 'invalidValue'], email);
    }
    for (const email of ['%2a@verified.example', '*@verified.example', 'verified.example']) {
      assert.deepEqual(await hr.find(`userName eq "${email}"`), [], email);
    }
    const { id: international } = await service.newUser({ email: 'b@xn--mnchen-3ya.example' });
    assert.deepEqual(await hr.find('userName eq "b@MÜNCHEN.example"'), [international]);
    const unverified = await service.newUser({ email: newEmail('verified.example'), emailVerified: false });
    const theirs = await okta.create(newEmail('verified.example'));
    for (const id of [unverified.id, theirs]) assert.equal((await hr.patch(id, disable)).status, 404);
    const free = (await service.newUser({ email: newEmail('verified.example') })).id;
    for (const directory of [entra, okta]) assert.equal((await directory.patch(free, disable)).status, 404);

    // The list gets shorter, or another directory is faster, while a request is under way.
    const second = await newDirectory(service, { source: 'second', adopts: true });
    // Changes nothing but whose they are.
    const faster = () => second.patch(free, { ...disable, value: true });
    assert.equal((await beforeWriting('changeScimUser', faster, () => hr.patch(free, disable))).status, 404);
    assert.deepEqual([(await userOf(free)).managedBy, (await userOf(free)).disabledAt], ['second', null]);
    await set({ scim_verified_domains: [] });
    assert.equal((await hr.patch(international, disable)).status, 404);
  },

  'nobody gets an address that somebody has, however it is spelled, or an invitation to it': async () => {
    const admin = await service.newUser({ admin: true, email: 'Boss@xn--mnchen-3ya.example' });
    const id = await entra.create(newEmail());
    const before = await userOf(id);
    for (const email of [
      'boss@münchen.example',
      'BOSS@MÜNCHEN.EXAMPLE',
      'ｂｏｓｓ@münchen.example',
      'boss@mu\u0308nchen.example',
      ' boss@münchen.example ',
      'boss＠münchen.example',
      'bo\u200bss@münchen.example',
      'boss@münchen.example.',
      'bo\u00adss@münchen.example',
    ]) {
      for (const answer of [
        await post(entra, email),
        await entra.patch(id, rename(email)),
        await put(entra, id, email),
      ]) {
        assert.ok([400, 409].includes(answer.status), `${JSON.stringify(email)}: ${answer.status}`);
      }
      // The setting decides what an address in emails is.
      await set({ scim_user_name: 'username' });
      const emails = [{ value: email, primary: true }];
      assert.ok([400, 409].includes((await entra.patch(id, { op: 'replace', path: 'emails', value: emails })).status));
      assert.ok([400, 409].includes((await post(entra, `user${++count}`, { emails })).status));
      await set({ scim_user_name: 'email' });
    }
    assert.deepEqual(await userOf(id), before);
    assert.equal((await userOf(admin.id)).email, admin.email);

    // An invitation to a role stays, and another one, or a sign-up that isn't finished, gives the directory's person nothing.
    const invited = newEmail();
    const invite = async (email: string, admin: boolean) => {
      const outcome = await inviteUser(service.running.services, { email, name: 'Boss', admin }, requester);
      assert.equal(outcome.kind, 'done');
      return linkFor(service, email);
    };
    const boss = newEmail();
    const bossLink = await invite(boss, true);
    assert.equal((await entra.patch(id, rename(boss))).status, 409);
    assert.equal((await new Person(service).visit(bossLink)).status, 200);
    const link = await invite(invited, false);
    const signing = newEmail();
    await askToSignUp(service, signing);
    for (const [address, path] of [
      [invited, link],
      [signing, await linkFor(service, signing)],
    ] as const) {
      assert.equal((await entra.patch(id, rename(address))).status, 204);
      assert.equal((await new Person(service).visit(path)).status, 410);
      const { adminSince, roles, emailVerifiedAt } = await userOf(id);
      assert.deepEqual([adminSince, roles, emailVerifiedAt], [null, null, null]);
    }
  },

  'a name that became free has nothing of who had it': async () => {
    const [email, next] = [newEmail(), newEmail()];
    const first = await entra.create(email, { externalId: 'reused' });
    await askToReset(service, email);
    const reset = await linkFor(service, email);
    assert.equal((await entra.patch(first, rename(next))).status, 204);
    assert.equal((await new Person(service).visit(reset)).status, 410, 'a link to the address before');
    const second = await entra.create(email);
    assert.notEqual(second, first);
    assert.equal((await entra.patch(second, { op: 'add', path: 'externalId', value: 'reused' })).status, 409);

    // Swapping external IDs takes three steps, none of which leaves two people with one.
    assert.equal((await entra.patch(first, { op: 'remove', path: 'externalId' })).status, 204);
    const answers = await Promise.all(
      [first, second].map((id) => entra.patch(id, { op: 'add', path: 'externalId', value: 'reused' })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 409]);
  },

  'active: false ends sessions, tokens, codes and links with the next request, for good': async () => {
    await set({ scim_verified_domains: ['verified.example'] });
    const user = await service.newUser({ email: newEmail('verified.example') });
    const client = await service.newClient();
    const browser = new Person(service);
    await browser.signIn(user);
    const { tokens } = await obtainTokens(service, client, user);
    const { code, verifier } = await obtainCode(service, client, user);
    await askToReset(service, user.email);
    const reset = await linkFor(service, user.email);
    assert.equal((await browser.request('/account')).status, 200);
    assert.equal((await userinfo(service, tokens.access_token)).status, 200);

    assert.equal((await hr.patch(user.id, disable)).status, 204);
    const check = async () => {
      assert.equal((await browser.request('/account')).status, 302);
      const silent = await browser.request(authorizePath(client, newVerifier(), { prompt: 'none' }));
      assert.match(silent.headers.get('location') ?? '', /error=login_required/);
      assert.equal((await userinfo(service, tokens.access_token)).status, 401);
      const refreshed = await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
      assert.deepEqual([refreshed.status, refreshed.body.error], [400, 'invalid_grant']);
      const exchanged = await postForm(service, '/oauth/token', exchangeParameters(client, code, verifier));
      assert.deepEqual([exchanged.status, exchanged.body.error], [400, 'invalid_grant']);
    };
    await check();
    assert.equal((await new Person(service).visit(reset)).status, 410);
    assert.notEqual((await new Person(service).signIn(user)).status, 200);
    // Enabled again, nothing of it comes back.
    assert.equal((await hr.patch(user.id, { ...disable, value: true })).status, 204);
    await check();
  },
};

attack(63, 'a directory reaches its own people without a role, and nothing else', async (t: TestContext) => {
  for (const [name, body] of Object.entries(attacks)) {
    // Emails and sign-ins are limited for a network.
    service.clock.advance(16 * 60);
    await set({ scim_verified_domains: [], scim_user_name: 'email' });
    await t.test(name, body);
  }
});
