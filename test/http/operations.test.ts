// What an operator relies on: health, a store in trouble, secrets that stay secret, the sweep, and events.

import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import * as manageClients from '../../src/operations/manage-clients.ts';
import * as manageUsers from '../../src/operations/manage-users.ts';
import { sweepOnce } from '../../src/operations/sweep.ts';
import { formIn, Person } from '../harness/person.ts';
import {
  exchangeParameters,
  obtainCode,
  obtainTokens,
  postForm,
  refreshParameters,
  userinfo,
} from '../harness/relying-party.ts';
import { origin, startTestService, type TestService } from '../harness/service.ts';

async function withService(
  work: (service: TestService) => Promise<void>,
  options: { busyTimeout?: number } = {},
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

test('a locked database gives 503 with Retry-After, never invalid_grant, and everything works when it is free', () =>
  withService(
    async (service) => {
      const client = await service.newClient();
      const user = await service.newUser();
      const { tokens, person } = await obtainTokens(service, client, user);
      const { code, verifier } = await obtainCode(service, client, user);
      const form = await formIn(await person.visit('/account/apps'), '/account/apps');

      const lock = new DatabaseSync(join(service.dataDir, 'latchkey.db'));
      lock.exec('BEGIN IMMEDIATE');
      const exchange = await postForm(service, '/oauth/token', exchangeParameters(client, code, verifier));
      assert.equal(exchange.status, 503);
      assert.equal(exchange.body.error_code, 'SERVER_BUSY');
      assert.equal(exchange.body.error, 'temporarily_unavailable');
      assert.ok(Number(exchange.headers.get('retry-after')) > 0);
      assert.equal(exchange.headers.get('access-control-allow-origin'), '*');
      const revocation = await postForm(service, '/oauth/revoke', {
        token: tokens.refresh_token,
        client_id: client.id,
        client_secret: client.secret,
      });
      assert.equal(revocation.status, 503, 'nothing was revoked, and 200 would be a lie');
      const removal = await person.submit(form, { remove: client.id });
      assert.equal(removal.status, 503);
      assert.ok(Number(removal.headers.get('retry-after')) > 0);
      assert.match(await removal.text(), /busy right now/);
      assert.equal((await userinfo(service, tokens.access_token)).status, 200, 'reading goes on');
      const refreshed = await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
      assert.equal(refreshed.status, 200, 'and so does refreshing');
      lock.exec('ROLLBACK');
      lock.close();

      const again = await postForm(service, '/oauth/token', exchangeParameters(client, code, verifier));
      assert.equal(again.status, 200);
      assert.equal((await person.submit(form, { remove: client.id })).status, 200);
    },
    { busyTimeout: 100 },
  ));

test('no secret, code, token, cookie or password is logged or kept in the clear', () =>
  withService(async (service) => {
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
    const files = ['latchkey.db', 'latchkey.db-wal'].map((name) => readFileSync(join(service.dataDir, name), 'latin1'));
    for (const [name, secret] of Object.entries(secrets)) {
      assert.ok(secret.length > 10, name);
      assert.equal(service.log().includes(secret), false, `${name} in the log`);
      for (const file of files) assert.equal(file.includes(secret), false, `${name} in the store`);
      const bare = secret.split('.').at(-1) ?? secret;
      for (const file of files) assert.equal(file.includes(bare), false, `${name} in the store, without its prefix`);
    }
    assert.ok(files.join('').includes('$argon2id$v=19$m=19456,t=2,p=1$'));
    assert.match(service.log(), /"route":"\/oauth\/token"/);
  }));

test('database and key file belong to the service alone', () =>
  withService(async (service) => {
    await service.newClient();
    for (const name of ['latchkey.db', 'latchkey.db-wal', 'latchkey.db-shm', 'keys']) {
      assert.equal(statSync(join(service.dataDir, name)).mode & 0o777, 0o600, name);
    }
  }));

test('there is no default account and no default client', () =>
  withService(async (service) => {
    assert.deepEqual(await service.running.services.storage.listUsers(), []);
    assert.deepEqual(await service.running.services.storage.listClients(), []);
  }));

test('events tell what happened, with time, person, client, address and request', () =>
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

test('changes of clients and people, and signing out, are events', () =>
  withService(async (service) => {
    const { services } = service.running;
    const client = await service.newClient();
    const user = await service.newUser();
    const person = new Person(service);
    await person.signIn(user);
    await person.submit(await formIn(await person.visit('/account/apps'), '/sign-out'), {});
    await manageClients.updateClient(services, client.id, { name: 'New name' }, origin);
    await manageClients.rotateClientSecret(services, client.id, origin);
    await manageClients.revokeClient(services, client.id, origin);
    await manageClients.restoreClient(services, client.id, origin);
    await manageClients.deleteClient(services, client.id, origin);
    await manageUsers.setPassword(services, user.email, 'a new password', origin);
    await manageUsers.disableUser(services, user.email, origin);
    await manageUsers.enableUser(services, user.email, origin);
    await manageUsers.deleteUser(services, user.email, origin);
    const events = await service.events();
    const about = (prefix: string) => events.filter((event) => event.kind.startsWith(prefix));
    assert.deepEqual(
      about('client_').map((event) => event.kind),
      [
        ...['client_created', 'client_updated', 'client_secret_rotated'],
        ...['client_revoked', 'client_restored', 'client_deleted'],
      ],
    );
    assert.deepEqual(
      [...about('user_'), ...about('signed_')].map((event) => event.kind),
      [
        ...['user_created', 'user_password_set', 'user_disabled', 'user_enabled', 'user_deleted'],
        ...['signed_in', 'signed_out'],
      ],
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

test('a flood of refusals is written singly up to a rate and counted beyond it', () =>
  withService(async (service) => {
    const { journal, storage } = service.running.services;
    for (let count = 0; count < 5000; count++) {
      journal.noteFromStranger({ kind: 'authorization_refused' }, { address: '', requestId: '' });
    }
    await journal.flush();
    const events = await storage.listEvents('', 10_000);
    const singly = events.filter((event) => event.kind === 'authorization_refused').length;
    assert.ok(singly >= 2000 && singly <= 2010);
    assert.deepEqual(events.at(-1)?.detail, { kind: 'authorization_refused', count: 5000 - singly });
  }));

test('what is over is swept in batches; what lives stays', () =>
  withService(async (service) => {
    const client = await service.newClient();
    const user = await service.newUser();
    const { tokens } = await obtainTokens(service, client, user);
    await obtainCode(service, client, user);
    const count = (table: string) => {
      const database = new DatabaseSync(join(service.dataDir, 'latchkey.db'), { readOnly: true });
      const row = database.prepare(`SELECT COUNT(*) AS n FROM ${table}`).get();
      database.close();
      return row?.n;
    };
    assert.equal(count('grants'), 2);
    service.clock.advance(2 * 24 * 60 * 60);
    assert.equal(await sweepOnce(service.running.services, 90), false);
    assert.equal(count('grants'), 1, 'the code that was never exchanged is gone');
    assert.equal(
      (await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token))).status,
      200,
    );
    service.clock.advance(29 * 24 * 60 * 60);
    await sweepOnce(service.running.services, 90);
    assert.equal(count('grants'), 0);
    assert.equal(count('sessions'), 0);
    assert.ok((count('events') as number) > 0);
    service.clock.advance(90 * 24 * 60 * 60);
    await sweepOnce(service.running.services, 90);
    assert.equal(count('events'), 0);
    assert.equal(count('users'), 1);
  }));
