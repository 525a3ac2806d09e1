// How many calls to the store each response takes. Each call is one statement, on either engine.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { allGroups, claimOf, setClaims } from '../../harness/claims.ts';
import {
  authorizePath,
  exchangeParameters,
  newVerifier,
  obtainTokens,
  postForm,
  refreshParameters,
  userinfo,
} from '../../harness/relying-party.ts';
import type { TestClient, TestUser } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const service = serviceOfSuite();
let client: TestClient;
let withClaims: TestClient;
let user: TestUser;
let calls: string[] = [];

/** Calls that happen outside the request, some time later. */
const background = new Set([
  'appendEvents',
  'noteGrantUses',
  'noteSessionsSeen',
  'noteSecretUses',
  'addTotals',
  'takeLease',
  'sweep',
  'makeSearchable',
  'webhooksAreDue',
  'forgetInstance',
  'listEmails',
  'listServiceKeys',
]);
/** In front of the framework, less is read. */
const read = process.env.TEST_DOOR === 'framework' ? 'findAuthorizationContext' : 'findRememberedApproval';

before(async () => {
  client = await service.newClient();
  withClaims = await service.newClient();
  await setClaims(service, withClaims.id, [claimOf('groups', allGroups, { idToken: true })]);
  user = await service.newUser();
  const storage = service.running.services.storage as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const [name, operation] of Object.entries(storage)) {
    storage[name] = (...args) => {
      if (!background.has(name)) calls.push(name);
      return operation(...args);
    };
  }
});

/** Work in the background that calls something else comes once in a while, not with each of three. */
async function assertCalls(work: () => Promise<unknown>, expected: readonly string[], prepare = async () => {}) {
  for (let time = 0; time < 3; time++) {
    await prepare();
    calls = [];
    await work();
    if (isDeepStrictEqual(calls, expected)) return;
  }
  assert.deepEqual(calls, expected);
}

test('userinfo makes one read', async () => {
  const { tokens } = await obtainTokens(service, client, user);
  await assertCalls(() => userinfo(service, tokens.access_token), ['findTokenHolder']);
});

test('a refresh makes one read', async () => {
  const { tokens } = await obtainTokens(service, client, user);
  const refresh = () => postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
  await assertCalls(refresh, ['findClientAndRefreshable']);
});

test('an authorization with a session and remembered consent makes two round trips, and so does an exchange', async () => {
  const { person } = await obtainTokens(service, client, user);
  const verifier = newVerifier();
  let code = '';
  const authorize = async () => {
    const response = await person.request(authorizePath(client, verifier));
    code = new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
  };
  await authorize();
  await assertCalls(authorize, [read, 'issueCode']);
  const exchange = () => postForm(service, '/oauth/token', exchangeParameters(client, code, verifier));
  await assertCalls(exchange, ['findClientAndGrant', 'consumeCode'], authorize);
});

test('claims of an application take no further call', async () => {
  const { tokens, person } = await obtainTokens(service, withClaims, user);
  let info: Awaited<ReturnType<typeof userinfo>> | undefined;
  const ask = async () => {
    info = await userinfo(service, tokens.access_token);
  };
  await assertCalls(ask, ['findTokenHolder']);
  assert.deepEqual(info?.body.groups, []);
  const refresh = () => postForm(service, '/oauth/token', refreshParameters(withClaims, tokens.refresh_token));
  await assertCalls(refresh, ['findClientAndRefreshable']);
  const authorize = () => person.request(authorizePath(withClaims, newVerifier()));
  await authorize();
  await assertCalls(authorize, [read, 'issueCode']);
});
