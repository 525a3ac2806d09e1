// Who may use which application: what someone without access sees, and that losing access works on the next request at
// every instance.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AdminOutcome } from '../../../src/operations/admin/outcome.ts';
import { changeAllowed, setAccess } from '../../../src/operations/clients/access-list.ts';
import { updateClient } from '../../../src/operations/clients/clients.ts';
import { changeMembers, createGroup, deleteGroup } from '../../../src/operations/groups/groups.ts';
import { deleteUser } from '../../../src/operations/users/disable-user.ts';
import { answerOf, formIn, Person } from '../../harness/person.ts';
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
} from '../../harness/relying-party.ts';
import { requester, type TestClient, type TestService, type TestUser } from '../../harness/service.ts';
import { startTwoInstances, type TwoInstances } from '../../harness/two-instances.ts';

let instances: TwoInstances;
let one: TestService;
let two: TestService;
let groups = 0;

before(async () => {
  instances = await startTwoInstances();
  ({ one, two } = instances);
});
after(() => instances?.stop());

async function done(outcome: Promise<AdminOutcome<object>>): Promise<void> {
  const result = await outcome;
  if (result.kind === 'refused') assert.fail(result.problems[0].says);
}

/** What administrators do at the other instance than the one that answers the application. */
const admin = {
  listed: (client: TestClient) => done(updateClient(two.running.services, client.id, { access: 'listed' }, requester)),
  everyone: (client: TestClient) =>
    done(updateClient(two.running.services, client.id, { access: 'everyone' }, requester)),
  list: (action: 'allow' | 'disallow', client: TestClient, people: TestUser[], groupNames: string[] = []) => {
    const named = { people: people.map(({ email }) => email), groups: groupNames };
    return done(changeAllowed(two.running.services, client.id, action, named, requester));
  },
  async group(...members: TestUser[]): Promise<string> {
    const name = `Group ${++groups}`;
    await done(createGroup(two.running.services, { name }, requester));
    await admin.add(name, ...members);
    return name;
  },
  add: (group: string, ...people: TestUser[]) =>
    done(changeMembers(two.running.services, group, { add: people.map(({ id }) => id) }, requester)),
  remove: (group: string, ...people: TestUser[]) =>
    done(changeMembers(two.running.services, group, { remove: people.map(({ id }) => id) }, requester)),
};

/** Each leads to an application that the user has access to, loses it and gives it back. */
const ways: Record<
  string,
  (client: TestClient, user: TestUser) => Promise<{ lose(): Promise<void>; regain(): Promise<void> }>
> = {
  'removed from the list': async (client, user) => {
    await admin.list('allow', client, [user]);
    await admin.listed(client);
    return { lose: () => admin.list('disallow', client, [user]), regain: () => admin.list('allow', client, [user]) };
  },
  'removed from the group': async (client, user) => {
    const group = await admin.group(user);
    await admin.list('allow', client, [], [group]);
    await admin.listed(client);
    return { lose: () => admin.remove(group, user), regain: () => admin.add(group, user) };
  },
  'the group is taken off the list': async (client, user) => {
    const group = await admin.group(user);
    await admin.list('allow', client, [], [group]);
    await admin.listed(client);
    const list = (action: 'allow' | 'disallow') => () => admin.list(action, client, [], [group]);
    return { lose: list('disallow'), regain: list('allow') };
  },
  'the group is deleted': async (client, user) => {
    const group = await admin.group(user);
    await admin.list('allow', client, [], [group]);
    await admin.listed(client);
    const lose = () => done(deleteGroup(two.running.services, group, false, requester));
    return { lose, regain: () => admin.list('allow', client, [user]) };
  },
  'the application is switched to its list': async (client) => ({
    lose: () => admin.listed(client),
    regain: () => admin.everyone(client),
  }),
};

describe('losing access', () => {
  for (const [name, prepare] of Object.entries(ways)) {
    test(`${name}: tokens and codes end with the next request, and regaining access revives none`, async () => {
      const [client, user] = [await one.newClient(), await one.newUser()];
      const { lose, regain } = await prepare(client, user);
      const { tokens, person } = await obtainTokens(one, client, user);
      const { code, verifier } = await obtainCode(one, client, user, {}, person);
      const refresh = () => postForm(one, '/oauth/token', refreshParameters(client, tokens.refresh_token));
      const exchange = () => postForm(one, '/oauth/token', exchangeParameters(client, code, verifier));
      assert.equal((await refresh()).status, 200);
      assert.equal((await userinfo(one, tokens.access_token)).status, 200);
      await lose();
      for (const again of [false, true]) {
        assert.equal((await userinfo(one, tokens.access_token)).status, 401, `${again}`);
        for (const answer of [await refresh(), await exchange()]) {
          assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_grant']);
        }
        if (again) break;
        assert.equal((await person.visit(authorizePath(client, newVerifier()))).status, 403);
        await regain();
      }
      // Nothing but the tokens is lost: the consent is remembered.
      const silent = await person.visit(authorizePath(client, newVerifier(), { prompt: 'none' }));
      assert.ok(answerOf(silent).searchParams.get('code'));
    });
  }

  test('people listed before the switch, or listed twice, keep their tokens', async () => {
    const [client, user, other] = [await one.newClient(), await one.newUser(), await one.newUser()];
    const { tokens } = await obtainTokens(one, client, user);
    const { code, verifier } = await obtainCode(one, client, user);
    const lost = await obtainTokens(one, client, other);
    const group = await admin.group(user);
    await admin.list('allow', client, [user], [group]);
    await admin.listed(client);
    const works = async () => {
      assert.equal((await userinfo(one, tokens.access_token)).status, 200);
      const refresh = await postForm(one, '/oauth/token', refreshParameters(client, tokens.refresh_token));
      assert.equal(refresh.status, 200);
    };
    await works();
    assert.equal((await userinfo(one, lost.tokens.access_token)).status, 401);
    await admin.list('disallow', client, [user]);
    await works();
    // One change that swaps the group for the person leaves no gap either.
    const swapped = { people: [user.id], groups: [] };
    await done(setAccess(two.running.services, client.id, swapped, requester));
    await works();
    assert.equal((await postForm(one, '/oauth/token', exchangeParameters(client, code, verifier))).status, 200);
    await done(deleteUser(two.running.services, user.id, requester));
    assert.equal((await userinfo(one, tokens.access_token)).status, 401);
  });

  test('an exchange or approval that races with the removal leaves no valid token', async () => {
    const [client, user] = [await one.newClient(), await one.newUser()];
    await admin.list('allow', client, [user]);
    await admin.listed(client);
    const { person } = await obtainTokens(one, client, user);
    const exchanged = { before: 0, after: 0 };
    for (let round = 0; round < 12; round++) {
      const { code, verifier } = await obtainCode(one, client, user, {}, person);
      const next = newVerifier();
      const remove = async () => {
        // Now the one comes first, and now the other.
        for (let turn = 0; turn < round % 4; turn++) await new Promise((resolve) => setImmediate(resolve));
        await admin.list('disallow', client, [user]);
      };
      const [exchange, approval] = await Promise.all([
        postForm(one, '/oauth/token', exchangeParameters(client, code, verifier)),
        person.visit(authorizePath(client, next)),
        remove(),
      ]);
      exchanged[exchange.status === 200 ? 'before' : 'after']++;
      if (exchange.status !== 200) assert.equal(exchange.body.error, 'invalid_grant');
      await admin.list('allow', client, [user]);
      for (const service of [one, two]) {
        if (exchange.status !== 200) continue;
        const { access_token, refresh_token } = exchange.body;
        assert.equal((await userinfo(service, access_token)).status, 401);
        const refresh = await postForm(service, '/oauth/token', refreshParameters(client, refresh_token));
        assert.equal(refresh.body.error, 'invalid_grant');
      }
      const late = approval.status === 302 ? answerOf(approval).searchParams.get('code') : null;
      if (late === null) continue;
      const afterwards = await postForm(two, '/oauth/token', exchangeParameters(client, late, next));
      assert.equal(afterwards.body.error, 'invalid_grant');
    }
    assert.equal(exchanged.before + exchanged.after, 12);
  });
});

describe('someone without access', () => {
  async function refusedPage(changes: Record<string, string | undefined> = {}) {
    const client = await one.newClient({ name: 'Payroll & <Co>', access: 'listed' });
    const user = await one.newUser({ name: 'Ada Lovelace' });
    const person = new Person(one);
    await person.signIn(user);
    const path = authorizePath(client, newVerifier(), changes);
    const response = await person.visit(path);
    return { client, user, person, path, response, page: await response.clone().text() };
  }

  test('sees the application and the account', async () => {
    const { response, page, user } = await refusedPage();
    assert.equal(response.status, 403);
    assert.match(page, /<h1>You don&#39;t have access to Payroll &amp; &lt;Co&gt;<\/h1>/);
    assert.ok(page.includes('Ada Lovelace') && page.includes(user.email));
  });

  test('returns to the application with access_denied, state and iss', async () => {
    const { page, client } = await refusedPage({ state: 'a b&c' });
    const [, href = ''] = /<a class="button" href="([^"]*)">/.exec(page) ?? [];
    const url = new URL(href.replaceAll('&amp;', '&'));
    assert.equal(url.origin + url.pathname, client.redirectUri);
    const expected = { error: 'access_denied', state: 'a b&c', iss: one.baseUrl };
    assert.deepEqual(Object.fromEntries(url.searchParams), expected);
    const stateless = await refusedPage({ state: undefined });
    assert.equal(/href="[^"]*state=/.test(stateless.page), false);
  });

  test('is redirected at once with prompt=none', async () => {
    const { response } = await refusedPage({ prompt: 'none' });
    const answer = Object.fromEntries(answerOf(response).searchParams);
    assert.deepEqual(answer, { error: 'access_denied', state: 'state-1', iss: one.baseUrl });
  });

  test('can switch to an account with access and continue', async () => {
    const { client, person, response } = await refusedPage();
    const allowed = await one.newUser();
    await admin.list('allow', client, [allowed]);
    const form = await formIn(response, '/oauth-authorize/account');
    const signIn = await formIn(await person.submit(form, { account: 'other' }), '/sign-in');
    const consent = await person.submit(signIn, { email: allowed.email, password: allowed.password });
    const answer = await person.submit(await formIn(consent, '/oauth-authorize/decision'), { decision: 'approve' });
    assert.ok(answerOf(answer).searchParams.get('code'));
  });

  test('is recorded with client and person, with and without a page', async () => {
    const shown = await refusedPage();
    const silent = await refusedPage({ prompt: 'none' });
    const events = await one.events('access_refused');
    for (const { client, user } of [shown, silent]) {
      const found = events.filter(({ clientId, userId }) => clientId === client.id && userId === user.id);
      assert.equal(found.length, 1);
    }
  });

  test('losing access while the consent page is open means no code is issued', async () => {
    const [client, user] = [await one.newClient(), await one.newUser()];
    const person = new Person(one);
    await person.signIn(user);
    const consent = await formIn(await person.visit(authorizePath(client, newVerifier())), '/oauth-authorize/decision');
    await admin.listed(client);
    assert.equal((await person.submit(consent, { decision: 'approve' })).status, 403);
    assert.deepEqual(await one.running.services.storage.listConnectedApps(user.id), []);
  });
});

test("groups don't appear in tokens or claims", async () => {
  const [client, user] = [await one.newClient(), await one.newUser()];
  await admin.list('allow', client, [], [await admin.group(user)]);
  await admin.listed(client);
  const { tokens } = await obtainTokens(one, client, user);
  const { body } = await userinfo(one, tokens.access_token);
  const said = [decodeJwt(tokens.id_token), decodeJwt(tokens.access_token), body].flatMap(Object.keys);
  assert.deepEqual(
    said.filter((name) => /group|role|access/.test(name)),
    [],
  );
  assert.equal(
    JSON.stringify([decodeJwt(tokens.id_token), decodeJwt(tokens.access_token), body]).includes('Group'),
    false,
  );
});

test('removing access writes no rows per person', async () => {
  const [client, ...people] = [await one.newClient(), await one.newUser(), await one.newUser(), await one.newUser()];
  const group = await admin.group(...people);
  await admin.list('allow', client, [], [group]);
  for (const user of people) await obtainTokens(one, client, user);
  const ofPeople = async () => {
    const rows = [await one.rows('group_members'), await one.rows('grants'), await one.rows('consents')];
    return rows.map((table) => table.filter((row) => people.some(({ id }) => id === row.user_id)));
  };
  const before = await ofPeople();
  assert.deepEqual(
    before.map((rows) => rows.length),
    [3, 3, 3],
  );
  await admin.listed(client);
  assert.deepEqual(await ofPeople(), before);
  await done(deleteGroup(two.running.services, group, false, requester));
  assert.deepEqual(await ofPeople(), before);
});
