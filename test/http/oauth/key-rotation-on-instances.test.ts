// A new key on two instances, each with its own key file: it's used when both have it, and not before.

import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { liveInstances } from '../../../src/operations/instances/instances.ts';
import { rotateKeys } from '../../../src/platform/key-file.ts';
import { forgeAccessToken } from '../../harness/forged-tokens.ts';
import { formIn, Person } from '../../harness/person.ts';
import { obtainTokens, postForm, refreshParameters, userinfo } from '../../harness/relying-party.ts';
import type { TestService } from '../../harness/service.ts';
import { startTwoInstances, type TwoInstances } from '../../harness/two-instances.ts';
import { until } from '../../harness/until.ts';

const MINUTE = 60;

let both: TwoInstances;
before(async () => {
  both = await startTwoInstances({}, { keyFiles: ['keys-one', 'keys-two'] });
});
after(() => both.stop());

const keysOf = ({ running }: TestService) => running.services.keys;
const status = async (service: TestService, token: string) => (await userinfo(service, token)).status;

test('a key verifies when an instance has it, is used when all have it, and ends the old one from then on', async () => {
  const { one, two, folder } = both;
  const advance = (seconds: number) => {
    for (const { clock } of [one, two]) clock.advance(seconds);
  };
  const user = await one.newUser();
  const client = await one.newClient();
  const { tokens } = await obtainTokens(one, client, user);
  const tokenOf = async (service: TestService) =>
    (await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token))).body.access_token;
  /** A token and a form of one instance, at the other. */
  const assertExchange = async (from: TestService, to: TestService) => {
    assert.equal(await status(to, await tokenOf(from)), 200);
    const [here, there] = [new Person(from), new Person(to)];
    const form = await formIn(await here.visit('/sign-in'));
    for (const [name, value] of here.cookies) there.cookies.set(name, value);
    await there.submit(form, { email: user.email, password: user.password });
    assert.equal((await there.request('/account')).status, 200);
  };
  const [oldId] = keysOf(one).ids;

  rotateKeys(join(folder, 'keys-one'));
  await until(() => keysOf(one).ids.length === 2, 'the first instance has the new key');
  const [newKey = '', oldKey = ''] = readFileSync(join(folder, 'keys-one'), 'utf8').split('\n');
  const forged = (key: string) => {
    const now = Math.floor(one.clock.now() / 1000);
    return forgeAccessToken(tokens.access_token, key, { iat: now, exp: now + 900 });
  };
  assert.deepEqual([keysOf(one).signingId, keysOf(two).signingId], [oldId, oldId]);
  await assertExchange(one, two);
  await assertExchange(two, one);
  assert.equal(await status(one, forged(newKey)), 200, 'it verifies already');
  const { waiting } = await liveInstances(one.running.services);
  assert.deepEqual(
    waiting.map(({ keyId, lacking }) => [keyId, lacking.length]),
    [[keysOf(one).ids[0], 1]],
  );

  // However long the second instance takes, the old key is as good as before.
  advance(5 * 60 * MINUTE);
  await until(() => one.log().includes('the newest is used once every instance has it'), 'it is logged');
  await assertExchange(one, two);

  copyFileSync(join(folder, 'keys-one'), join(folder, 'keys-two'));
  await until(() => [one, two].every((service) => keysOf(service).signingId !== oldId), 'both use the new key');
  await assertExchange(one, two);
  await assertExchange(two, one);
  // Their clocks differ by the time between their starts.
  advance(14 * MINUTE);
  for (const service of [one, two]) assert.equal(await status(service, forged(oldKey)), 200);
  advance(2 * MINUTE);
  for (const service of [one, two]) assert.equal(await status(service, forged(oldKey)), 401);
});
