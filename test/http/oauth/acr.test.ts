// The acr claim, and acr_values in an authorization request.

import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { answerOf, type Form, formIn, Person, readForm } from '../../harness/person.ts';
import { verifyPath } from '../../harness/policy.ts';
import {
  authorizePath,
  decodeJwt,
  newVerifier,
  obtainTokens,
  postForm,
  refreshParameters,
} from '../../harness/relying-party.ts';
import {
  alignToStep,
  codeOf,
  exchangedIdToken,
  idTokenOf,
  newOwner,
  type Owner,
  tryCode,
} from '../../harness/second-factors.ts';
import type { TestClient } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const service = serviceOfSuite();
let client: TestClient;
let owner: Owner;

before(async () => {
  client = await service.newClient();
  alignToStep(service);
  owner = await newOwner(service);
});
beforeEach(() => {
  service.clock.advance(60 * 60);
  alignToStep(service);
});

const byCode = (step: { person: Person; form: Form }) => tryCode(step, codeOf(service, owner));

test('discovery lists the values and the claim', async () => {
  const document = await (await fetch(`${service.url}/.well-known/openid-configuration`)).json();
  const { acr_values_supported, claims_supported } = document as Record<string, string[]>;
  assert.deepEqual(acr_values_supported, ['1', '2']);
  for (const claim of ['acr', 'sid']) assert.ok(claims_supported?.includes(claim), claim);
});

test('acr says one factor or two, also after a refresh', async () => {
  const { tokens } = await obtainTokens(service, client, await service.newUser());
  assert.equal(decodeJwt(tokens.id_token).acr, '1');
  const { body } = await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
  assert.equal(decodeJwt(body.id_token).acr, '1');
  assert.equal((await idTokenOf(service, client, new Person(service), owner.user, {}, byCode)).acr, '2');
});

test('acr_values=2 asks people with a second factor for it if the session lacks it', async () => {
  const { person } = owner;
  const plain = await person.visit(authorizePath(client, newVerifier(), { acr_values: '1 2' }));
  assert.equal(readForm(await plain.text(), verifyPath), undefined, 'one factor is what it prefers');
  const silent = authorizePath(client, newVerifier(), { acr_values: '2', prompt: 'none' });
  assert.equal(answerOf(await person.request(silent)).searchParams.get('error'), 'login_required');
  const verifier = newVerifier();
  const asked = await person.visit(authorizePath(client, verifier, { acr_values: 'unknown 2' }));
  let response = await person.submit(await formIn(asked, verifyPath), { code: codeOf(service, owner) });
  if (response.status === 200) {
    response = await person.submit(await formIn(response, '/oauth-authorize/decision'), { decision: 'approve' });
  }
  assert.equal((await exchangedIdToken(service, client, response, verifier)).acr, '2');
  assert.ok(answerOf(await person.request(silent)).searchParams.get('code'), 'asked once');
});

test('people without one continue, also with prompt=none', async () => {
  const user = await service.newUser();
  const token = await idTokenOf(service, client, new Person(service), user, { acr_values: '2' }, byCode);
  assert.equal(token.acr, '1');
  const { person } = await obtainTokens(service, client, user);
  const silent = authorizePath(client, newVerifier(), { acr_values: '2', prompt: 'none' });
  assert.ok(answerOf(await person.request(silent)).searchParams.get('code'));
});

test('unknown values are ignored, and a repeated parameter is refused', async () => {
  const { person } = await obtainTokens(service, client, await service.newUser());
  const path = authorizePath(client, newVerifier(), { acr_values: 'phr urn:example:loa:3' });
  assert.ok(answerOf(await person.request(path)).searchParams.get('code'));
  const repeated = await person.request(`${authorizePath(client, newVerifier(), { acr_values: '2' })}&acr_values=1`);
  assert.equal(answerOf(repeated).searchParams.get('error'), 'invalid_request');
});
