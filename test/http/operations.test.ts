// What operators rely on: health checks, a failing store, no secrets in logs, the sweep, and events.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rotateClientSecret, updateClient } from '../../src/operations/clients/clients.ts';
import { deleteClient, restoreClient, revokeClient } from '../../src/operations/clients/revoke-client.ts';
import { deleteUser, disableUser, enableUser } from '../../src/operations/users/disable-user.ts';
import { setPassword } from '../../src/operations/users/user-recovery.ts';
import { formIn, Person } from '../harness/person.ts';
import { obtainCode, obtainTokens, postForm, refreshParameters } from '../harness/relying-party.ts';
import { requester, startTestService, type TestService, tables } from '../harness/service.ts';
import { sweep } from '../harness/sweep.ts';

async function withService(
  work: (service: TestService) => Promise<void>,
  options: { realPasswordCost?: boolean } = {},
): Promise<void> {
  const service = await startTestService({}, options);
  try {
    await work(service);
  } finally {
    await service.stop();
  }
}

test('/healthz and /readyz answer', () =>
  withService(async (service) => {
    assert.deepEqual(await (await fetch(`${service.url}/healthz`)).json(), { status: 'ok' });
    assert.deepEqual(await (await fetch(`${service.url}/readyz`)).json(), { status: 'ready' });
  }));

test('/readyz answers 503 with Retry-After when the store is gone', () =>
  withService(async (service) => {
    await service.running.services.storage.close();
    const response = await fetch(`${service.url}/readyz`);
    assert.equal(response.status, 503);
    assert.ok(Number(response.headers.get('retry-after')) > 0);
    assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
  }));

test('no secret, code, token, cookie or password is logged or kept in the clear', () =>
  withService(
    async (service) => {
      const client = await service.newClient();
      const user = await service.newUser({ password: 'a very private password' });
      const { tokens, code, verifier, person } = await obtainTokens(service, client, user);
      const query = new URLSearchParams({ code, client_secret: client.secret, access_token: tokens.access_token });
      await fetch(`${service.url}/oauth/token?${query}`, { method: 'POST' });
      await fetch(`${service.url}/${code}/${client.secret}`);
      await fetch(`${service.url}/oauth/userinfo?${query}`, { headers: { Authorization: 'Bearer misplaced-token' } });
      const form = await formIn(await new Person(service).visit('/sign-in'));
      await new Person(service).submit(form, { email: user.password, password: user.password });
      await service.events();

      const secrets = {
        password: user.password,
        'client secret': client.secret,
        code,
        verifier,
        'access token': tokens.access_token,
        'refresh token': tokens.refresh_token,
        'ID token': tokens.id_token,
        session: person.cookies.get('latchkey_session') ?? '',
        browser: person.cookies.get('latchkey_browser') ?? '',
        misplaced: 'misplaced-token',
      };
      const stored = JSON.stringify(await Promise.all(tables.map((table) => service.rows(table))));
      for (const [name, secret] of Object.entries(secrets)) {
        assert.ok(secret.length > 10, name);
        assert.equal(service.log().includes(secret), false, `${name} in the log`);
        assert.equal(stored.includes(secret), false, `${name} in the store`);
        const bare = secret.split('.').at(-1) ?? secret;
        assert.equal(stored.includes(bare), false, `${name} in the store, without its prefix`);
      }
      assert.ok(stored.includes('$argon2id$v=19$m=19456,t=2,p=1$'));
      assert.match(service.log(), /"route":"\/oauth\/token"/);
    },
    { realPasswordCost: true },
  ));

test('there is no default account and no default client', () =>
  withService(async (service) => {
    assert.deepEqual(await service.running.services.storage.listUsers(), []);
    assert.deepEqual(await service.running.services.storage.listClients(), []);
  }));

test('events have the time, person, client, IP address and request', () =>
  withService(async (service) => {
    const client = await service.newClient();
    const user = await service.newUser();
    const started = service.clock.now();
    const { tokens } = await obtainTokens(service, client, user);
    await postForm(service, '/oauth/revoke', {
      token: tokens.refresh_token,
      client_id: client.id,
      client_secret: client.secret,
    });
    const events = await service.events();
    assert.deepEqual(
      events.map((event) => event.kind),
      ['client_created', 'user_created', 'signed_in', 'approved', 'code_exchanged', 'token_revoked'],
    );
    for (const event of events.slice(2)) {
      assert.ok(event.at >= started && event.at <= service.clock.now());
      assert.equal(event.userId, user.id);
      assert.equal(event.clientId, client.id);
      assert.equal(event.address, '127.0.0.1');
      assert.match(event.requestId, /^[A-Za-z0-9]+-[a-z0-9]+$/);
    }
  }));

test('changes to clients and people, and sign-outs, are events', () =>
  withService(async (service) => {
    const { services } = service.running;
    const client = await service.newClient();
    const user = await service.newUser();
    const person = new Person(service);
    await person.signIn(user);
    await person.submit(await formIn(await person.visit('/account/apps'), '/sign-out'), {});
    await updateClient(services, client.id, { name: 'New name' }, requester);
    await rotateClientSecret(services, client.id, requester);
    await revokeClient(services, client.id, requester);
    await restoreClient(services, client.id, requester);
    await deleteClient(services, client.id, requester);
    await setPassword(services, user.email, 'a new password', requester);
    await disableUser(services, user.email, requester);
    await enableUser(services, user.email, requester);
    await deleteUser(services, user.email, requester);
    const events = await service.events();
    const about = (prefix: string) => events.filter((event) => event.kind.startsWith(prefix));
    assert.deepEqual(
      about('client_').map((event) => event.kind),
      [
        'client_created',
        'client_updated',
        'client_secret_rotated',
        'client_revoked',
        'client_restored',
        'client_deleted',
      ],
    );
    assert.deepEqual(
      [...about('user_'), ...about('signed_')].map((event) => event.kind),
      ['user_created', 'user_password_set', 'user_disabled', 'user_enabled', 'user_deleted', 'signed_in', 'signed_out'],
    );
    for (const event of about('client_')) assert.equal(event.clientId, client.id, event.kind);
    for (const event of [...about('user_'), ...about('signed_')]) assert.equal(event.userId, user.id, event.kind);
  }));

test('a token request without client_id is an event', () =>
  withService(async (service) => {
    await postForm(service, '/oauth/token', { grant_type: 'refresh_token', refresh_token: 'x' });
    const [event] = await service.events('client_authentication_failed');
    assert.equal(event?.detail?.reason, 'client_id_missing');
  }));

test('a flood of refusals is recorded up to a rate, then counted', () =>
  withService(async (service) => {
    const { journal, storage } = service.running.services;
    for (let count = 0; count < 5000; count++) {
      const address = `192.0.2.${count % 50}`;
      journal.noteRateLimited({ kind: 'authorization_refused' }, { address, requestId: '' });
    }
    await journal.flush();
    const events = await storage.findEvents({}, 10_000, 'oldest');
    const singly = events.filter((event) => event.kind === 'authorization_refused').length;
    assert.ok(singly >= 2000 && singly <= 2010);
    assert.deepEqual(events.at(-1)?.detail, { kind: 'authorization_refused', count: 5000 - singly });
  }));

test('expired rows are swept in batches; valid ones stay', () =>
  withService(async (service) => {
    const client = await service.newClient();
    const user = await service.newUser();
    const { tokens } = await obtainTokens(service, client, user);
    await obtainCode(service, client, user);
    const count = async (table: string) => (await service.rows(table)).length;
    assert.equal(await count('grants'), 2);
    service.clock.advance(2 * 24 * 60 * 60);
    assert.equal((await sweep(service, 'one')).kind, 'swept');
    assert.equal(await count('grants'), 1, 'the code that was never exchanged is gone');
    assert.equal(
      (await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token))).status,
      200,
    );
    service.clock.advance(29 * 24 * 60 * 60);
    await sweep(service, 'one');
    assert.equal(await count('grants'), 0);
    assert.equal(await count('sessions'), 0);
    assert.ok((await count('events')) > 0);
    // Those of the requests are written a little later.
    await service.events();
    service.clock.advance(90 * 24 * 60 * 60);
    await sweep(service, 'one');
    assert.equal(await count('events'), 0);
    assert.equal(await count('users'), 1);
  }));

test("one process sweeps at a time, and another takes over when it's gone", () =>
  withService(async (service) => {
    const round = async (holder: string) => (await sweep(service, holder)).kind;
    assert.equal(await round('one'), 'swept');
    assert.equal(await round('two'), 'elsewhere');
    assert.equal(await round('one'), 'swept');
    service.clock.advance(181);
    assert.equal(await round('two'), 'swept');
    assert.equal(await round('one'), 'elsewhere');
  }));
