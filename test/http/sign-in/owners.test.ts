// What the service asks of administrators when someone signs in, it asks of owners of an application as well: those who are named, and
// those who are in a protected group that is.

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { setOwners } from '../../../src/operations/clients/owners.ts';
import { changeMembers, createGroup } from '../../../src/operations/groups/groups.ts';
import { signedIn } from '../../harness/account.ts';
import { visit } from '../../harness/console.ts';
import { resetForm, setPasswords, today } from '../../harness/passwordless.ts';
import { answerOf, formIn, Person } from '../../harness/person.ts';
import { finishSetUp, setPolicy, setUpOn } from '../../harness/policy.ts';
import { authorizePath, newVerifier } from '../../harness/relying-party.ts';
import { alignToStep, isSignedIn, post } from '../../harness/second-factors.ts';
import { requester, type TestUser } from '../../harness/service.ts';
import { statusOfSignIn } from '../../harness/sign-up.ts';
import { consoleOfSuite } from '../../harness/suite.ts';
import { sweep } from '../../harness/sweep.ts';

const DAY = 24 * 60 * 60;

const { service, admin, signInAgain } = consoleOfSuite();
const services = () => service.running.services;

beforeEach(async () => {
  service.clock.advance(60 * 60);
  alignToStep(service);
  await setPolicy(service, 'optional');
  await setPasswords(service, 'allowed');
});

interface Ownership {
  begin(): Promise<void>;
  end(): Promise<void>;
}

async function set(clientId: string, owners: Parameters<typeof setOwners>[2]) {
  assert.equal((await setOwners(services(), clientId, owners, requester)).kind, 'done');
}

let groups = 0;
async function protectedGroup(): Promise<string> {
  const made = await createGroup(services(), { name: `Keepers ${++groups}`, protected: true }, requester);
  assert.ok(made.kind === 'done');
  return made.group.id;
}

async function change(id: string, members: Parameters<typeof changeMembers>[2]) {
  assert.equal((await changeMembers(services(), { id }, members, requester)).kind, 'done');
}

/** How somebody comes to own an application, and no longer does. */
const ways: Readonly<Record<string, (user: TestUser) => Promise<Ownership>>> = {
  'named as an owner': async ({ id }) => {
    const client = await service.newClient();
    return {
      begin: () => set(client.id, { people: [id] }),
      end: () => set(client.id, { people: [] }),
    };
  },
  'in a protected group that becomes an owner': async ({ id }) => {
    const client = await service.newClient();
    const group = await protectedGroup();
    await change(group, { add: [{ id }], expiresAt: null });
    return {
      begin: () => set(client.id, { groups: [group] }),
      end: () => set(client.id, { groups: [] }),
    };
  },
  'added to a protected group that owns': async ({ id }) => {
    const client = await service.newClient();
    const group = await protectedGroup();
    await set(client.id, { groups: [group] });
    return {
      begin: () => change(group, { add: [{ id }], expiresAt: null }),
      end: () => change(group, { remove: [{ id }] }),
    };
  },
  'in a protected group until their membership ends': async ({ id }) => {
    const client = await service.newClient();
    const group = await protectedGroup();
    await set(client.id, { groups: [group] });
    return {
      begin: () => change(group, { add: [{ id }], expiresAt: '40d' }),
      end: async () => {
        service.clock.advance(41 * DAY);
        assert.equal((await sweep(service, `sweep ${group}`)).kind, 'swept');
      },
    };
  },
};

/** Where a sign-in leads to first. */
async function locationAfter(user: TestUser): Promise<string> {
  const person = new Person(service);
  const form = await formIn(await person.visit('/sign-in'), '/sign-in');
  const fields = { ...form.fields, email: user.email, password: user.password };
  return (await post(person, '/sign-in', fields)).headers.get('location') ?? '';
}

for (const [way, prepare] of Object.entries(ways)) {
  describe(`somebody ${way}`, () => {
    test('needs a second factor where administrators do', async () => {
      const client = await service.newClient();
      const user = await service.newUser();
      const ownership = await prepare(user);
      await setPolicy(service, 'administrators');
      // Nothing is asked of somebody who owns nothing.
      const before = await signedIn(service, user);
      const me = async () => (await before.request('/api/me')).status;
      const silent = async () => {
        const path = authorizePath(client, newVerifier(), { prompt: 'none' });
        return answerOf(await before.request(path)).searchParams.get('error');
      };
      assert.equal(await me(), 200);
      assert.notEqual(await silent(), 'login_required');

      await ownership.begin();
      assert.equal(await me(), 403);
      assert.equal(await silent(), 'login_required');
      for (const path of ['/account/apps', '/admin/your-applications']) {
        assert.match((await before.request(path)).headers.get('location') ?? '', /^\/sign-in\/verify\?to=\//, path);
      }
      const person = new Person(service);
      const setUp = await setUpOn(await person.signIn(user));
      assert.equal(await isSignedIn(person), false);
      await finishSetUp(service, person, setUp);
      assert.equal((await person.request('/admin/your-applications')).status, 200);
    });

    test('needs none any more once they own nothing', async () => {
      const user = await service.newUser();
      const ownership = await prepare(user);
      await setPolicy(service, 'administrators');
      await ownership.begin();
      await setUpOn(await new Person(service).signIn(user));
      await ownership.end();
      const person = new Person(service);
      await person.signIn(user);
      assert.ok(await isSignedIn(person));
      assert.equal((await person.request('/admin/your-applications')).status, 403);
    });

    test('is asked for a passkey where administrators have no password, and needs one after the day', async () => {
      const user = await service.newUser();
      const ownership = await prepare(user);
      await setPasswords(service, 'not_for_administrators', today(service));
      assert.equal(await locationAfter(user), '/account');
      await ownership.begin();
      assert.match(await locationAfter(user), /^\/account\/passkey/);
      service.clock.advance(DAY);
      assert.equal(await statusOfSignIn(service, user.email, user.password), 403);
      // Nor is there a new one: the form of the emailed link takes a passkey alone.
      const { person, form } = await resetForm(service, user.email);
      const sent = await person.submit(form, { password: 'another rather long phrase' });
      assert.equal(sent.status, 400);
      assert.equal((await services().storage.findUser(user.id))?.passwordHash, user.record.passwordHash);
      await ownership.end();
      assert.equal(await locationAfter(user), '/account');
    });

    test('is counted among those with a role who have nothing but a password', async () => {
      const user = await service.newUser();
      const ownership = await prepare(user);
      await signInAgain();
      const counted = async () => {
        const { page } = await visit(admin, '/admin/settings');
        const hint = /id="passwords-hint">([^<]*)</.exec(page)?.[1] ?? '';
        return Number(/([\d,]+) of them with a role/.exec(hint)?.[1] ?? assert.fail(hint || page.slice(0, 500)));
      };
      const before = await counted();
      await ownership.begin();
      assert.equal(await counted(), before + 1);
      await ownership.end();
      await signInAgain();
      assert.equal(await counted(), before);
    });
  });
}
