// Codes that are issued while another instance removes the person's access to the application.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { formTokenOf } from '../harness/account.ts';
import { Person } from '../harness/person.ts';
import { removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';
import { authorizePath, exchangeParameters, newVerifier, obtainCode, postForm } from '../harness/relying-party.ts';
import { freePort, startTestService, type TestService } from '../harness/service.ts';

let one: TestService;
let two: TestService;
before(async () => {
  const shared = {
    DATABASE_URL: await (await sharedPostgres()).newDatabase(),
    LATCHKEY_KEYS: randomBytes(32).toString('base64url'),
    LATCHKEY_BASE_URL: `http://localhost:${await freePort()}`,
  };
  one = await startTestService(shared);
  two = await startTestService(shared);
});
after(async () => {
  await one?.stop();
  await two?.stop();
});
after(removeSharedPostgres);

test('a code from before the removal of access stays dead when access is given again', async () => {
  const client = await one.newClient();
  const user = await one.newUser();
  const { person } = await obtainCode(one, client, user);
  const there = new Person(two);
  for (const [name, value] of person.cookies) there.cookies.set(name, value);
  const fields = { form_token: await formTokenOf(there), remove: client.id };
  const remove = { action: '/account/apps', fields, buttons: [] };
  let raced = 0;
  for (let round = 0; round < 15; round++) {
    const verifiers = Array.from({ length: 12 }, newVerifier);
    const silently = (verifier: string) => authorizePath(client, verifier, { prompt: 'none' });
    const [locations, removed] = await Promise.all([
      Promise.all(
        verifiers.map(async (verifier) => (await person.request(silently(verifier))).headers.get('location')),
      ),
      there.submit(remove, {}),
    ]);
    assert.equal(removed.status, 200);
    await obtainCode(one, client, user, {}, person);
    for (const [index, location] of locations.entries()) {
      const code = new URL(location ?? '').searchParams.get('code');
      if (code === null) continue;
      raced++;
      const parameters = exchangeParameters(client, code, verifiers[index] ?? '');
      const { status } = await postForm(one, '/oauth/token', parameters);
      assert.equal(status, 400, `round ${round}`);
    }
  }
  assert.ok(raced > 0, 'some were early enough to get a code');
});
