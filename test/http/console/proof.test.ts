// What an administrator's session can do without recent proof of identity, in the console and in the API, and whom emails
// tell about powerful changes.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { makeAdministrator, removeAdministrator } from '../../../src/operations/users/disable-user.ts';
import { makeRecoveryLink } from '../../../src/operations/users/user-recovery.ts';
import { Api, examples, newKey, type SignedInCaller, withSession } from '../../harness/api.ts';
import { clientSettings, noticeOn, send, textOf, visit } from '../../harness/console.ts';
import { Person, readForm } from '../../harness/person.ts';
import { proofAsked, proofFormOn } from '../../harness/proof.ts';
import { requester, startTestService, type TestUser } from '../../harness/service.ts';
import { assertNothingChanged, everythingIn, mailsTo, routesUnder } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const MINUTE = 60;

const service = serviceOfSuite();
let administrator: TestUser;
before(async () => {
  administrator = await service.newUser({ admin: true });
});

/** An administrator whose proof is too old. */
async function unproven(): Promise<Person> {
  const admin = new Person(service);
  await admin.signIn(administrator);
  service.clock.advance(16 * MINUTE);
  return admin;
}

describe('the console', () => {
  const powerful = [
    '/admin/keys',
    '/admin/keys/end',
    '/admin/scim-tokens',
    '/admin/scim-tokens/:id/revoke',
    ...['revoke', 'delete', 'rotate-secret', 'retire-secret'].map((name) => `/admin/applications/:id/${name}`),
    ...['disable', 'delete', 'rotate-secret', 'retire-secret'].map((name) => `/admin/webhooks/:id/${name}`),
    '/admin/webhooks',
    ...['', '/refresh', '/disable', '/enable', '/delete'].map((rest) => `/admin/providers/:id${rest}`),
    '/admin/providers',
    ...['claims', 'claims/remove'].map((name) => `/admin/applications/:id/${name}`),
    ...['access', 'access/allow', 'access/disallow', 'redirect-uris', 'post-logout-redirect-uris'].map(
      (name) => `/admin/applications/:id/${name}`,
    ),
    ...['add', 'remove'].map((name) => `/admin/groups/:id/${name}`),
    ...[
      'disable',
      'delete',
      'make-administrator',
      'remove-administrator',
      'roles',
      'recovery-link',
      'remove-second-factors',
    ].map((name) => `/admin/people/:id/${name}`),
  ];

  test('asks for proof before sensitive changes only', async () => {
    const admin = await unproven();
    const [client, user] = [await service.newClient(), await service.newUser()];
    const token = readForm((await visit(admin, '/admin/keys')).page, '/admin/keys')?.fields.form_token ?? '';
    const routes = await routesUnder(service, '/admin', 'POST');
    for (const path of powerful) assert.ok(routes.includes(path), path);
    const since = await everythingIn(service);
    const filled = (path: string) => path.replace(':id', path.includes('people') ? user.id : client.id);
    for (const path of powerful) {
      const form = { action: filled(path), fields: { form_token: token }, buttons: [] };
      const proof = await proofAsked(await admin.submit(form, { name: 'A key', permission: 'write' }));
      await proofAsked(await admin.submit(proof, { password: 'wrong' }), 400);
      service.clock.advance(16 * MINUTE);
    }
    await assertNothingChanged(service, since);
    const others = ['/admin/people/:id/end-sessions', '/admin/people/:id/enable', '/admin/applications/:id/restore'];
    for (const path of others) {
      const response = await admin.submit({ action: filled(path), fields: { form_token: token }, buttons: [] }, {});
      assert.equal(proofFormOn(await response.text()), undefined, path);
    }
  });

  test("continues once after the proof, and doesn't ask again for 15 minutes", async () => {
    const admin = await unproven();
    const form = readForm((await visit(admin, '/admin/keys')).page, '/admin/keys');
    assert.ok(form);
    const asked = await admin.submit(form, { name: 'Deployments', permission: 'write', days: '7' });
    const proof = await proofAsked(asked);
    const right = { password: administrator.password };
    const made = await (await admin.submit(proof, right)).text();
    assert.match(textOf(made, 'key'), /^lk_api_/);
    const again = await (await admin.submit(proof, right)).text();
    assert.match(again, /<h1>API keys<\/h1>/, 'a form that makes a key is carried out once');
    const keys = (await service.rows('api_keys')).filter((row) => row.name === 'Deployments');
    assert.deepEqual(
      keys.map((row) => row.permission),
      ['write'],
    );
    const user = await service.newUser();
    service.clock.advance(15 * MINUTE);
    const page = `/admin/people/${user.id}`;
    assert.match(noticeOn((await send(admin, page, `${page}/disable`)).page) ?? '', /./);
    const told = (await mailsTo(service, administrator.email)).filter(({ subject }) =>
      subject.startsWith('New API key'),
    );
    assert.equal(told.length, 1);
  });

  test("changing where an application sends people, its type or who gets in needs proof; renaming doesn't", async () => {
    const admin = await unproven();
    const client = await service.newClient();
    const page = `/admin/applications/${client.id}`;
    const save = (changes: Record<string, string>) =>
      send(admin, `${page}/settings`, page, {
        ...clientSettings,
        redirect_uris: client.redirectUri,
        post_logout_redirect_uris: '',
        ...changes,
      });
    assert.equal(proofFormOn((await save({ name: 'Renamed' })).page), undefined);
    const since = await everythingIn(service);
    for (const change of [
      { redirect_uris: `${client.redirectUri}\nhttps://evil.example/cb` },
      { post_logout_redirect_uris: 'https://evil.example/' },
      { second_factor: 'required' },
      { client_uri: 'https://evil.example/' },
      { launch_url: 'https://evil.example/' },
      { policy_uri: 'https://evil.example/' },
      { tos_uri: 'https://evil.example/' },
      { type: 'public' },
    ]) {
      const { page: asked } = await save(change);
      assert.ok(proofFormOn(asked), JSON.stringify(change));
    }
    await assertNothingChanged(service, since);
    const proof = proofFormOn((await save({ type: 'public' })).page);
    assert.ok(proof);
    await admin.submit(proof, { password: administrator.password });
    assert.equal((await service.running.services.storage.findClient(client.id))?.isPublic, true);
  });

  test('registering a refused URI asks for a second look first, then for proof', async () => {
    const admin = await unproven();
    const client = await service.newClient();
    const token = readForm((await visit(admin, '/admin/keys')).page, '/admin/keys')?.fields.form_token ?? '';
    const action = `/admin/applications/${client.id}/redirect-uris`;
    const form = { action, fields: { form_token: token }, buttons: [] };
    const uri = 'https://elsewhere.example/cb';
    const question = readForm(await (await admin.submit(form, { uri })).text(), action);
    assert.equal(question?.fields.sure, 'yes');
    const proof = await proofAsked(await admin.submit(question, {}));
    assert.deepEqual((await service.running.services.storage.findClient(client.id))?.redirectUris, [
      client.redirectUri,
    ]);
    await admin.submit(proof, { password: administrator.password });
    assert.deepEqual((await service.running.services.storage.findClient(client.id))?.redirectUris, [
      client.redirectUri,
      uri,
    ]);
  });

  test('creating someone with a verified email address or a password needs proof; emailing them a link does not', async () => {
    const admin = await unproven();
    const create = (fields: Record<string, string>) =>
      send(admin, '/admin/people/new', '/admin/people', { name: 'Somebody', password_choice: 'link', ...fields });
    const { storage } = service.running.services;
    const asked = await create({ email: 'verified@example.test', email_verified: 'yes' });
    const prepared = { password_choice: 'set', password: 'known to its creator' };
    const askedToo = await create({ email: 'prepared@example.test', ...prepared });
    for (const email of ['verified@example.test', 'prepared@example.test']) {
      assert.equal(await storage.findUserByEmail(email), undefined, email);
    }
    assert.equal(proofFormOn((await create({ email: 'plain@example.test' })).page), undefined);
    assert.equal((await storage.findUserByEmail('plain@example.test'))?.emailVerifiedAt, null);
    for (const { page } of [asked, askedToo]) {
      const proof = proofFormOn(page);
      assert.ok(proof, page);
      await admin.submit(proof, { password: administrator.password });
    }
    assert.ok((await storage.findUserByEmail('verified@example.test'))?.emailVerifiedAt);
    assert.ok((await storage.findUserByEmail('prepared@example.test'))?.passwordHash);
  });
});

test("without a mail server, a link to a new account is the creator's, so it needs proof", async () => {
  const silent = await startTestService({ LATCHKEY_BASE_URL: 'https://id.example' });
  try {
    const user = await silent.newUser({ admin: true });
    const admin = new Person(silent);
    await admin.signIn(user);
    const [api, caller, key] = [await Api.of(silent), await withSession(silent, user), await newKey(silent)];
    silent.clock.advance(16 * MINUTE);
    const list = '/admin/people/invitations';
    const forms = [
      ['/admin/people/new', '/admin/people', { name: 'Somebody', password_choice: 'link', email: 'new@example.test' }],
      [list, '/admin/people/invite', { email: 'guest@example.test' }],
      [list, `${list}/resend`, {}],
    ] as const;
    const bodies = {
      createPerson: { name: 'Somebody', email: 'new-by-api@example.test' },
      inviteUser: { email: 'invited@example.test' },
      resendInvitation: { email: 'invited@example.test' },
    };
    assert.equal((await api.call('inviteUser', key, { body: { email: 'invited@example.test' } })).status, 201);
    const since = await everythingIn(silent);
    for (const [page, action, fields] of forms) {
      const answer = await send(admin, page, action, fields);
      assert.ok(proofFormOn(answer.page), `${action}: ${answer.page}`);
    }
    for (const [operation, body] of Object.entries(bodies)) {
      const { status, data } = await api.call(operation, caller, { body });
      assert.deepEqual([status, data], [403, { error_code: 'PROOF_REQUIRED' }], operation);
    }
    await assertNothingChanged(silent, since);
    for (const [operation, body] of Object.entries(bodies)) {
      const { success } = await api.call(operation, key, { body });
      assert.ok(success, `an API key is never asked: ${operation}`);
    }
  } finally {
    await silent.stop();
  }
});

describe('the API', () => {
  let api: Api;
  let caller: SignedInCaller;
  before(async () => {
    api = await Api.of(service);
    caller = await withSession(service, administrator);
    service.clock.advance(16 * MINUTE);
  });

  const powerful = [
    'deleteApplication',
    'rotateApplicationSecret',
    'retireApplicationSecret',
    'revokeApplication',
    'deletePerson',
    'disablePerson',
    'makeAdministrator',
    'removeAdministrator',
    'removeSecondFactors',
    'makeRecoveryLink',
    'setAccess',
    'allowAccess',
    'disallowAccess',
    'addToGroup',
    'removeFromGroup',
    'enableUpstream',
  ];
  const inputOf = async (operation: string) => examples[operation]?.(service, administrator) ?? {};

  test('refuses sensitive changes by a session without proof, but not by an API key', async () => {
    const key = await newKey(service, 'administrator');
    for (const operation of powerful) {
      const input = await inputOf(operation);
      const since = await everythingIn(service);
      const refused = await api.call(operation, caller, input);
      assert.equal(refused.status, 403, operation);
      assert.deepEqual(refused.data, { error_code: 'PROOF_REQUIRED' });
      assert.match(refused.message, /\/account\/proof/);
      await assertNothingChanged(service, since);
      const done = await api.call(operation, key, input);
      assert.equal(done.success, true, operation);
    }
    const { id } = await service.newClient();
    const update = (body: object) => api.call('updateApplication', caller, { params: { client_id: id }, body });
    const since = await everythingIn(service);
    for (const change of [
      { public: true },
      { redirect_uris: ['https://evil.example/cb'] },
      { post_logout_redirect_uris: ['https://evil.example/'] },
      { access: 'listed' },
      { second_factor: 'required' },
      { client_uri: 'https://evil.example/' },
      { policy_uri: 'https://evil.example/' },
      { tos_uri: 'https://evil.example/' },
      { launch_url: 'https://evil.example/' },
    ]) {
      const answer = await update({ name: 'Renamed', ...change });
      assert.equal(answer.status, 403, JSON.stringify(change));
      assert.deepEqual(answer.data, { error_code: 'PROOF_REQUIRED' });
    }
    await assertNothingChanged(service, since);
    assert.equal((await update({ name: 'Renamed', scopes: ['openid'] })).status, 200);

    const create = (body: object) => api.call('createPerson', caller, { body: { name: 'Somebody', ...body } });
    const verified = { email: 'verified-by-api@example.test', email_verified: true };
    assert.equal((await create(verified)).status, 403);
    assert.equal(
      (await create({ email: 'prepared-by-api@example.test', password: 'known to its creator' })).status,
      403,
    );
    assert.equal((await create({ ...verified, email_verified: false })).status, 201);
  });

  test('accepts them after proof at the URL it names', async () => {
    const person = new Person(service);
    for (const pair of caller.cookie.split('; ')) person.cookies.set(...(pair.split('=', 2) as [string, string]));
    const proof = await proofAsked(await person.visit('/account/proof'));
    const page = await (await person.submit(proof, { password: administrator.password })).text();
    assert.equal(noticeOn(page), 'Identity confirmed.');
    const { success } = await api.call('disablePerson', caller, await inputOf('disablePerson'));
    assert.equal(success, true);
  });
});

describe('emails', () => {
  test('notify the person about admin access given or removed and about recovery links', async () => {
    const user = await service.newUser();
    const { services } = service.running;
    for (const [change, subject] of [
      [makeAdministrator, 'You now have admin access'],
      [removeAdministrator, 'Your admin access was removed'],
      [makeRecoveryLink, 'Recovery link for your account'],
    ] as const) {
      const outcome = await change(services, user.id, requester);
      assert.equal(outcome.kind, 'done');
      const told = (await mailsTo(service, user.email)).filter((mail) => mail.subject.startsWith(subject));
      assert.equal(told.length, 1, subject);
      if ('url' in outcome) assert.equal(told[0]?.text.includes(String(outcome.url)), false, 'not the link itself');
    }
    const before = (await mailsTo(service, user.email)).length;
    await removeAdministrator(services, user.id, requester);
    assert.equal((await mailsTo(service, user.email)).length, before, 'nothing when nothing has changed');
  });
});
