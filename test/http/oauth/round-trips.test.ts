// How many calls to the store each response takes. Each call is one statement, on either engine.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
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

async function callsOf(work: () => Promise<unknown>): Promise<string[]> {
  calls = [];
  await work();
  return calls;
}

test('userinfo makes one read', async () => {
  const { tokens } = await obtainTokens(service, client, user);
  assert.deepEqual(await callsOf(() => userinfo(service, tokens.access_token)), ['findTokenHolder']);
});

test('a refresh makes one read', async () => {
  const { tokens } = await obtainTokens(service, client, user);
  const refresh = () => postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
  assert.deepEqual(await callsOf(refresh), ['findClientAndRefreshable']);
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
  assert.deepEqual(await callsOf(authorize), [read, 'issueCode']);
  const exchange = () => postForm(service, '/oauth/token', exchangeParameters(client, code, verifier));
  assert.deepEqual(await callsOf(exchange), ['findClientAndGrant', 'consumeCode']);
});

test('claims of an application take no further call', async () => {
  const { tokens, person } = await obtainTokens(service, withClaims, user);
  let info: Awaited<ReturnType<typeof userinfo>> | undefined;
  const ask = async () => {
    info = await userinfo(service, tokens.access_token);
  };
  assert.deepEqual(await callsOf(ask), ['findTokenHolder']);
  assert.deepEqual(info?.body.groups, []);
  const refresh = () => postForm(service, '/oauth/token', refreshParameters(withClaims, tokens.refresh_token));
  assert.deepEqual(await callsOf(refresh), ['findClientAndRefreshable']);
  const authorize = () => person.request(authorizePath(withClaims, newVerifier()));
  await authorize();
  assert.deepEqual(await callsOf(authorize), [read, 'issueCode']);
});
