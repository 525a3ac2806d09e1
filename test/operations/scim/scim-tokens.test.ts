// Tokens of directories: who makes them, until when they work, and what is noted of their use.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  createScimToken,
  findScimToken,
  listScimTokens,
  revokeScimToken,
} from '../../../src/operations/scim/scim-tokens.ts';
import type { Authority } from '../../../src/protocol/admin/rights.ts';
import { Api, newKey, withBearer, withSession } from '../../harness/api.ts';
import { requester, startTestService, type TestService } from '../../harness/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service?.stop());

async function made(days?: number) {
  const { services } = service.running;
  const outcome = await createScimToken(services, { source: 'entra', name: 'A', days }, requester);
  assert.ok(outcome.kind === 'done', JSON.stringify(outcome));
  return outcome;
}

test('a token works until it expires or is revoked, and its last use is noted to the minute', async () => {
  const { services } = service.running;
  const [lasting, ending] = [await made(), await made(1)];
  assert.equal((await findScimToken(services, ending.secret))?.id, ending.token.id);
  const used = service.clock.now();
  const lastUse = async () => (await listScimTokens(services)).find(({ id }) => id === ending.token.id)?.lastUsedAt;
  assert.equal(await lastUse(), used);
  service.clock.advance(30);
  await findScimToken(services, ending.secret);
  assert.equal(await lastUse(), used);
  service.clock.advance(31);
  await findScimToken(services, ending.secret);
  assert.equal(await lastUse(), service.clock.now());
  service.clock.advance(24 * 60 * 60);
  assert.equal(await findScimToken(services, ending.secret), undefined);
  assert.deepEqual(
    (await listScimTokens(services)).map(({ id, ended }) => [id, ended]).toSorted(),
    [
      [lasting.token.id, false],
      [ending.token.id, true],
    ].toSorted(),
  );
  assert.ok(await findScimToken(services, lasting.secret));
  assert.equal((await revokeScimToken(services, lasting.token.id, requester)).kind, 'done');
  assert.equal(await findScimToken(services, lasting.secret), undefined);
  for (const secret of ['', 'lk_scim_', `${lasting.secret}a`, lasting.token.digest]) {
    assert.equal(await findScimToken(services, secret), undefined);
  }
});

test('only administrators create and revoke them', async () => {
  const { services } = service.running;
  const { token } = await made();
  const limited: Authority[] = [
    { roles: ['people', 'applications', 'auditor'] },
    { permission: 'write' },
    { permission: 'read' },
  ];
  const before = await service.rows('scim_tokens');
  for (const authority of limited) {
    for (const outcome of [
      await createScimToken(services, { source: 'entra', name: 'B' }, { ...requester, authority }),
      await revokeScimToken(services, token.id, { ...requester, authority }),
    ]) {
      assert.equal(outcome.kind === 'refused' && outcome.reason, 'forbidden');
    }
  }
  assert.deepEqual(await service.rows('scim_tokens'), before);
  for (const authority of [{ roles: ['administrator'] }, { permission: 'administrator' }] as Authority[]) {
    const outcome = await createScimToken(services, { source: 'entra', name: 'B' }, { ...requester, authority });
    assert.equal(outcome.kind, 'done');
  }
});

test('a token opens nothing under /api, and creating or revoking one there needs proof', async () => {
  const api = await Api.of(service);
  const { secret } = await made();
  assert.equal((await api.call('getOverview', withBearer(secret))).status, 401);
  const body = { source: 'entra', name: 'C' };
  assert.equal((await api.call('createScimToken', await newKey(service, 'write'), { body })).status, 403);
  const session = await withSession(service, await service.newUser({ admin: true }));
  const { status, data } = await api.call('createScimToken', session, { body });
  assert.equal(status, 201);
  service.clock.advance(16 * 60);
  for (const [operation, input] of [
    ['createScimToken', { body }],
    ['revokeScimToken', { params: { id: data.id } }],
  ] as const) {
    const refused = await api.call(operation, session, input);
    assert.deepEqual([refused.status, refused.message.includes('/account/proof')], [403, true], operation);
  }
});
