// Usernames: optional, unique whatever their case, set on the profile page or over the API, and shared as the claim
// preferred_username.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Api, newKey, withSession } from '../../harness/api.ts';
import { formIn, Person } from '../../harness/person.ts';
import { authorizePath, newVerifier, obtainTokens, userinfo } from '../../harness/relying-party.ts';
import type { TestUser } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const service = serviceOfSuite();
let api: Api;
before(async () => {
  api = await Api.of(service);
});

const taken = 'That username is taken.';
const invalid: Record<string, string> = {
  ab: 'Use at least 3 characters.',
  ['a'.repeat(31)]: 'Use no more than 30 characters.',
  '7of9': 'Start your username with a letter.',
  'ada lovelace': 'Use only the letters a to z, digits, dots, hyphens and underscores.',
  'ada@example.test': 'Use only the letters a to z, digits, dots, hyphens and underscores.',
  аda: 'Use only the letters a to z, digits, dots, hyphens and underscores.',
  'ada\u200b': 'Use only the letters a to z, digits, dots, hyphens and underscores.',
};

async function signedIn(user: TestUser): Promise<Person> {
  const person = new Person(service);
  await person.signIn(user);
  return person;
}

/** Sends the profile form, with the names that test users have. */
async function save(person: Person, username: string): Promise<Response> {
  const form = await formIn(await person.visit('/account/profile'), '/account/profile');
  const names = { name: 'Grace Hopper', given_name: 'Grace', family_name: 'Hopper' };
  return person.submit(form, { ...names, locale: '', preferred_username: username });
}

function inputOf(page: string): string {
  return /<input[^>]*name="preferred_username"[^>]*>/.exec(page)?.[0] ?? '';
}

/** What stands at the field, by way of aria-describedby. */
function problemAtField(page: string): string | undefined {
  const [, ids = ''] = /aria-describedby="([^"]*)"/.exec(inputOf(page)) ?? [];
  const problemId = ids.split(' ').find((id) => id.endsWith('-problem'));
  return new RegExp(`id="${problemId}"[^>]*>([^<]*)<`).exec(page)?.[1];
}

async function storedUsername(user: TestUser): Promise<unknown> {
  return (await service.rows('users')).find(({ id }) => id === user.id)?.preferred_username;
}

async function claimOf(user: TestUser): Promise<unknown> {
  const { tokens } = await obtainTokens(service, await service.newClient(), user);
  const { body } = await userinfo(service, tokens.access_token);
  assert.equal('preferred_username' in body, body.preferred_username !== undefined);
  return body.preferred_username;
}

describe('on the profile page', () => {
  test('the field is optional and empty at first', async () => {
    const input = inputOf(await (await (await signedIn(await service.newUser())).visit('/account/profile')).text());
    assert.match(input, /value=""/);
    assert.doesNotMatch(input, /required|aria-invalid/);
  });

  test('a username is saved, shown again, and shared under the scope profile', async () => {
    const user = await service.newUser();
    const person = await signedIn(user);
    const response = await save(person, '  Ada.Lovelace_1815-12 ');
    assert.equal(response.status, 200);
    assert.match(inputOf(await response.text()), /value="Ada.Lovelace_1815-12"/);
    assert.equal(await claimOf(user), 'Ada.Lovelace_1815-12');

    const client = await service.newClient();
    const consent = await (await person.visit(authorizePath(client, newVerifier()))).text();
    assert.match(consent, /<dt>Username<\/dt><dd>Ada\.Lovelace_1815-12</);
    const { tokens } = await obtainTokens(service, client, user, { scope: 'openid email' });
    assert.equal((await userinfo(service, tokens.access_token)).body.preferred_username, undefined);
  });

  test('an empty field removes it', async () => {
    const user = await service.newUser();
    const person = await signedIn(user);
    await save(person, 'removed');
    await save(person, '');
    assert.equal(await storedUsername(user), null);
    assert.equal(await claimOf(user), undefined);
    const another = await service.newUser();
    await save(await signedIn(another), 'removed');
    assert.equal(await storedUsername(another), 'removed');
  });

  test("a username that's taken is refused, in any case", async () => {
    await save(await signedIn(await service.newUser()), 'Grace');
    const user = await service.newUser();
    const person = await signedIn(user);
    for (const username of ['Grace', 'grace', 'GRACE']) {
      const response = await save(person, username);
      assert.equal(response.status, 409);
      const page = await response.text();
      assert.equal(problemAtField(page), taken);
      assert.match(inputOf(page), new RegExp(`value="${username}".*aria-invalid="true"`));
      assert.equal(await storedUsername(user), null);
    }
  });

  test('people can change the case of their own username', async () => {
    const user = await service.newUser();
    const person = await signedIn(user);
    await save(person, 'hopper');
    await save(person, 'Hopper');
    assert.equal(await storedUsername(user), 'Hopper');
  });

  for (const [username, sentence] of Object.entries(invalid)) {
    test(`${JSON.stringify(username)} is refused at the field`, async () => {
      const user = await service.newUser();
      const response = await save(await signedIn(user), username);
      assert.equal(response.status, 400);
      assert.equal(problemAtField(await response.text()), sentence);
      assert.equal(await storedUsername(user), null);
    });
  }

  test('saving the same username again is not a change', async () => {
    const user = await service.newUser();
    const person = await signedIn(user);
    await save(person, 'unchanged');
    await save(person, 'unchanged');
    const changes = (await service.events('profile_changed')).filter(({ userId }) => userId === user.id);
    assert.equal(changes.length, 1);
  });
});

describe('over the API', () => {
  test("it's read, set, left unchanged and removed", async () => {
    const user = await service.newUser();
    const caller = await withSession(service, user);
    const key = await newKey(service);
    const read = async () => {
      const [me, profile, person] = await Promise.all([
        api.call('getMe', caller),
        api.call('getProfile', caller),
        api.call('getPerson', key, { params: { id: user.id } }),
      ]);
      return [me, profile, person].map(({ data }) => data.preferred_username);
    };
    assert.deepEqual(await read(), [null, null, null]);

    const set = await api.call('updateProfile', caller, { body: { preferred_username: 'over.the.api' } });
    assert.equal(set.data.preferred_username, 'over.the.api');
    assert.deepEqual(await read(), ['over.the.api', 'over.the.api', 'over.the.api']);

    await api.call('updateProfile', caller, { body: { given_name: 'Amazing' } });
    assert.equal(await storedUsername(user), 'over.the.api');

    const removed = await api.call('updateProfile', caller, { body: { preferred_username: null } });
    assert.equal(removed.data.preferred_username, null);
    assert.deepEqual(await read(), [null, null, null]);
  });

  test("one that's taken is a conflict, and an invalid one is refused", async () => {
    const owner = await withSession(service, await service.newUser());
    await api.call('updateProfile', owner, { body: { preferred_username: 'turing' } });
    const caller = await withSession(service, await service.newUser());
    const conflict = await api.call('updateProfile', caller, { body: { preferred_username: 'Turing', name: 'Alan' } });
    assert.deepEqual([conflict.status, conflict.message], [409, taken]);
    for (const username of Object.keys(invalid).filter((text) => !text.includes('\u200b'))) {
      const { status, message } = await api.call('updateProfile', caller, { body: { preferred_username: username } });
      assert.equal(status, 400, username);
      assert.match(message, /^The username /);
    }
    assert.deepEqual((await api.call('getProfile', caller)).data.name, 'Grace Hopper');
  });
});

test('if several people choose the same username at once, one gets it', async () => {
  const callers = await Promise.all(
    Array.from({ length: 4 }, async () => withSession(service, await service.newUser())),
  );
  const answers = await Promise.all(
    callers.map((caller) => api.call('updateProfile', caller, { body: { preferred_username: 'wanted' } })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409]);
});

test('the data download includes it', async () => {
  const person = await signedIn(await service.newUser());
  await save(person, 'downloaded');
  const data = (await (await person.visit('/account/data.json')).json()) as { account: Record<string, unknown> };
  assert.equal(data.account.preferred_username, 'downloaded');
});
