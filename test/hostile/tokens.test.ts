// Codes and tokens in the wrong hands, twice, after their client has changed, or altered.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { createClient, updateClient } from '../../src/operations/clients/clients.ts';
import { deleteClient, restoreClient, revokeClient } from '../../src/operations/clients/revoke-client.ts';
import { signedIn } from '../harness/account.ts';
import { Person } from '../harness/person.ts';
import {
  authorizePath,
  decodeJwt,
  exchangeParameters,
  newVerifier,
  obtainCode,
  obtainTokens,
  postForm,
  refreshParameters,
  userinfo,
} from '../harness/relying-party.ts';
import { requester, type TestClient, type TestService, type TestUser } from '../harness/service.ts';
import { startTwoInstances, type TwoInstances } from '../harness/two-instances.ts';
import { attack } from './attack.ts';

let instances: TwoInstances;
let one: TestService;
let two: TestService;
let client: TestClient;
let user: TestUser;

before(async () => {
  instances = await startTwoInstances();
  ({ one, two } = instances);
  client = await one.newClient({ redirectUris: ['http://localhost:9999/callback', 'http://localhost:9999/other'] });
  user = await one.newUser();
});
after(() => instances?.stop());

const statusOf = async (parameters: Record<string, string>, at = one) =>
  (await postForm(at, '/oauth/token', parameters)).status;

/** Both clocks stand still, at slightly different times. */
const advance = (seconds: number) => {
  for (const each of [one, two]) each.clock.advance(seconds);
};

attack(30, 'of all ways to exchange a code, exactly one succeeds', async () => {
  const other = await one.newClient();
  const person = new Person(one);
  await obtainCode(one, client, user, {}, person);
  const cells = [true, false].flatMap((rightClient) =>
    (['fresh', 'expired', 'used'] as const).flatMap((state) =>
      [true, false].flatMap((rightVerifier) =>
        [true, false].flatMap((rightUri) =>
          [true, false].map((withSecret) => ({ rightClient, state, rightVerifier, rightUri, withSecret })),
        ),
      ),
    ),
  );
  const succeeded: object[] = [];
  for (const cell of cells) {
    const { code, verifier } = await obtainCode(one, client, user, {}, person);
    const right = exchangeParameters(client, code, verifier);
    if (cell.state === 'used') assert.equal(await statusOf(right), 200);
    if (cell.state === 'expired') advance(60);
    const sender = cell.rightClient ? client : other;
    const { client_secret: _, ...rest } = right;
    const status = await statusOf({
      ...rest,
      client_id: sender.id,
      ...(cell.withSecret && { client_secret: sender.secret }),
      ...(!cell.rightVerifier && { code_verifier: newVerifier() }),
      ...(!cell.rightUri && { redirect_uri: client.record.redirectUris[1] ?? '' }),
    });
    if (status === 200) succeeded.push(cell);
  }
  assert.equal(cells.length, 48);
  const only = { rightClient: true, state: 'fresh', rightVerifier: true, rightUri: true, withSecret: true };
  assert.deepEqual(succeeded, [only]);
});

attack(31, 'a code that arrives fifty times at once, at two instances, is exchanged once', async () => {
  const { code, verifier } = await obtainCode(one, client, user);
  const parameters = exchangeParameters(client, code, verifier);
  const sent = Array.from({ length: 50 }, (_, index) => statusOf(parameters, index % 2 === 0 ? one : two));
  const statuses = await Promise.all(sent);
  assert.equal(statuses.filter((status) => status === 200).length, 1);
  assert.ok(statuses.every((status) => status === 200 || status === 400));
});

attack(32, "a refresh token works for its client with its client's secret, until it is revoked anywhere", async () => {
  const other = await one.newClient();
  const open = await one.newClient({ isPublic: true });
  const { tokens } = await obtainTokens(one, client, user);
  const right = refreshParameters(client, tokens.refresh_token);
  const { client_secret: _, ...withoutSecret } = right;
  const wrong: Record<string, string>[] = [
    withoutSecret,
    { ...right, client_secret: '' },
    { ...right, client_secret: other.secret },
    { ...right, client_id: other.id, client_secret: other.secret },
    { ...withoutSecret, client_id: open.id },
    { ...right, client_id: open.id },
    { ...right, client_id: client.id.toUpperCase() },
  ];
  for (const parameters of wrong) assert.notEqual(await statusOf(parameters), 200, JSON.stringify(parameters));
  assert.equal(await statusOf(right, two), 200);

  // While it is revoked: whatever begins after the response is refused, at every instance.
  const { client_id, client_secret } = { client_id: client.id, client_secret: client.secret };
  const revocation = { token: tokens.refresh_token, client_id, client_secret };
  const during = Array.from({ length: 8 }, (_, index) => postForm(index % 2 ? one : two, '/oauth/token', right));
  const revoked = await fetch(`${one.url}/oauth/revoke`, { method: 'POST', body: new URLSearchParams(revocation) });
  assert.equal(revoked.status, 200);
  for (const each of [one, two]) assert.equal(await statusOf(right, each), 400);
  for (const { status, body } of await Promise.all(during)) {
    if (status === 200) assert.equal((await userinfo(two, body.access_token)).status, 401, 'issued meanwhile');
  }
});

attack(
  34,
  'a client that is restored, or changes its kind, has none of its old grants, consents and secrets',
  async () => {
    const { services } = two.running;
    const app = await one.newClient();
    const { tokens, person } = await obtainTokens(one, app, user);
    const pending = await obtainCode(one, app, user, {}, person);
    await revokeClient(services, app.id, requester);
    await restoreClient(services, app.id, requester);
    assert.equal((await userinfo(one, tokens.access_token)).status, 401);
    assert.equal(await statusOf(refreshParameters(app, tokens.refresh_token)), 400);
    assert.equal(await statusOf(exchangeParameters(app, pending.code, pending.verifier)), 400);
    const silent = await person.visit(authorizePath(app, newVerifier(), { prompt: 'none' }));
    assert.match(silent.headers.get('location') ?? '', /error=consent_required/);

    // Deleted, and another one under its name, as a file for apply would make it.
    const { redirectUris, name } = app.record;
    const later = await obtainTokens(one, app, user);
    await deleteClient(services, app.id, requester);
    const again = await createClient(services, { id: app.id, name, redirectUris }, requester);
    if (again.kind === 'done') {
      assert.equal((await userinfo(one, later.tokens.access_token)).status, 401);
      const renewed = { ...app, secret: again.secret ?? '' };
      for (const each of [app, renewed]) {
        assert.notEqual(await statusOf(refreshParameters(each, later.tokens.refresh_token)), 200);
      }
      const asked = await person.visit(authorizePath(app, newVerifier(), { prompt: 'none' }));
      assert.match(asked.headers.get('location') ?? '', /error=consent_required/);
    }

    // To public and back: the secret from before isn't accepted again.
    const changing = await one.newClient();
    const before = await obtainTokens(one, changing, user);
    await updateClient(services, changing.id, { isPublic: true }, requester);
    const { client_secret: _, ...withoutSecret } = refreshParameters(changing, before.tokens.refresh_token);
    assert.notEqual(await statusOf(withoutSecret), 200, 'a grant of a confidential client');
    await updateClient(services, changing.id, { isPublic: false }, requester);
    assert.notEqual(await statusOf(refreshParameters(changing, before.tokens.refresh_token)), 200);
    assert.notEqual(await statusOf(withoutSecret), 200);
  },
);

attack(35, 'an access token that was altered in any way is none', async () => {
  const stranger = await one.newUser();
  const { tokens } = await obtainTokens(one, client, user);
  const { tokens: theirs } = await obtainTokens(one, client, stranger);
  const [header = '', payload = '', signature = ''] = tokens.access_token.split('.');
  const [, otherPayload = ''] = theirs.access_token.split('.');
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = decodeJwt(tokens.access_token);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  // The last character of a signature has two bits that mean nothing.
  const sameBits = alphabet[alphabet.indexOf(signature.at(-1) ?? '') ^ 1] ?? '';
  const altered = [
    tokens.access_token.slice(0, -1),
    tokens.access_token.slice(1),
    `${header}.${payload}`,
    `${header}.${payload}.`,
    `${header}..${signature}`,
    `${tokens.access_token}=`,
    `${tokens.access_token}A`,
    `${tokens.access_token}.x`,
    `${header}.${otherPayload}.${signature}`,
    `${header}.${encode({ ...claims, sub: stranger.id })}.${signature}`,
    `${encode({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
    `${header}.${payload}.${signature.slice(0, -1)}${sameBits}`,
    `${header}.${payload}.${signature.replaceAll('-', '+').replaceAll('_', '/')}=`,
    tokens.access_token.toLowerCase(),
    `${header}.${payload} .${signature}`,
    tokens.id_token,
    tokens.refresh_token,
  ];
  for (const token of altered) {
    if (token === tokens.access_token) continue;
    assert.equal((await userinfo(one, token)).status, 401, token);
  }
  assert.equal((await userinfo(one, tokens.access_token)).body.sub, user.id);
  const session = await signedIn(one, user);
  assert.equal(
    (await fetch(`${one.url}/api/me`, { headers: { Authorization: `Bearer ${tokens.access_token}` } })).status,
    401,
  );
  assert.equal((await session.request('/oauth/userinfo')).status, 401, 'nor is a session a token');
});
