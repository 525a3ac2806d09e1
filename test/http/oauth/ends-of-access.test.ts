// Access that ends by itself: every token, code and session ends at that moment, by the clock of the instance that handles the request, and those
// who have to know are told within a minute.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createApiKey } from '../../../src/operations/api-keys/api-keys.ts';
import { setAccess } from '../../../src/operations/clients/access-list.ts';
import { updateClient } from '../../../src/operations/clients/clients.ts';
import { changeMembers, createGroup, findGroup } from '../../../src/operations/groups/groups.ts';
import { digestOf } from '../../../src/protocol/digest.ts';
import { Api, withBearer } from '../../harness/api.ts';
import { logIn, newLogoutClient, toldOf } from '../../harness/backchannel-logout.ts';
import { answerOf, Person } from '../../harness/person.ts';
import {
  authorizePath,
  exchangeParameters,
  newVerifier,
  obtainCode,
  postForm,
  refreshParameters,
  userinfo,
} from '../../harness/relying-party.ts';
import {
  requester,
  startTestService,
  type TestClient,
  type TestService,
  type TestUser,
} from '../../harness/service.ts';
import { sweep } from '../../harness/sweep.ts';
import { until } from '../../harness/until.ts';
import { allowLoopback, newWebhook, type Receiver, startReceiver } from '../../harness/webhooks.ts';

let service: TestService;
let receiver: Receiver;
let webhooks: Receiver;
let client: TestClient;
let user: TestUser;
let groups = 0;

before(async () => {
  service = await startTestService(allowLoopback);
  receiver = await startReceiver();
  webhooks = await startReceiver();
  await newWebhook(service, { url: webhooks.url });
});
after(async () => {
  await service?.stop();
  await receiver?.stop();
  await webhooks?.stop();
});
beforeEach(async () => {
  service.clock.advance(16 * 60);
  await sweep(service, 'test');
  receiver.received.length = 0;
  webhooks.received.length = 0;
  client = await newLogoutClient(service, receiver, {});
  user = await service.newUser();
});

const services = () => service.running.services;
const minute = 60_000;

async function allow(expiresAt: number | null | undefined, group?: string): Promise<void> {
  const { storage, journal, clock } = services();
  const id = group ?? user.id;
  const event = journal.event({ kind: 'access_allowed', clientId: client.id, userId: user.id }, requester);
  const listed = [{ id, event, expiresAt }];
  const nobody = { people: [], groups: [] };
  const allowed = group === undefined ? { ...nobody, people: listed } : { ...nobody, groups: listed };
  assert.ok(await storage.changeAccess(client.id, { allow: allowed, disallow: nobody }, clock.now()));
}

async function listed(): Promise<void> {
  assert.equal((await updateClient(services(), client.id, { access: 'listed' }, requester)).kind, 'done');
}

async function newGroup(): Promise<string> {
  const created = await createGroup(services(), { name: `Ending ${++groups}` }, requester);
  assert.ok(created.kind === 'done');
  return created.group.id;
}

async function join(group: string, expiresAt: number | null): Promise<void> {
  const { storage, journal, clock } = services();
  const event = journal.event({ kind: 'group_member_added', userId: user.id }, requester);
  assert.ok(await storage.changeMembers(group, { add: [{ id: user.id, event, expiresAt }], remove: [] }, clock.now()));
}

async function endPerson(expiresAt: number | null): Promise<void> {
  const { storage, journal, clock } = services();
  const event = journal.event({ kind: 'user_edited', userId: user.id }, requester);
  assert.ok(await storage.changeUserEnd(user.id, expiresAt, clock.now(), event));
}

/** Each gives the user access to the client until a time, and moves that time. */
const ways: Record<
  string,
  { begin(end: number): Promise<unknown>; move(end: number): Promise<unknown>; isPerson?: true }
> = {
  'an entry for a person': {
    begin: async (end) => {
      await allow(end);
      await listed();
    },
    move: (end) => allow(end),
  },
  'an entry for a group': {
    begin: async (end) => {
      const group = await newGroup();
      await join(group, null);
      await allow(end, group);
      await listed();
    },
    move: async (end) =>
      allow(end, ((await findGroup(services(), `Ending ${groups}`)) as { group: { id: string } }).group.id),
  },
  'a membership': {
    begin: async (end) => {
      const group = await newGroup();
      await join(group, end);
      await allow(null, group);
      await listed();
    },
    move: async (end) =>
      join(((await findGroup(services(), `Ending ${groups}`)) as { group: { id: string } }).group.id, end),
  },
  'a person': { begin: endPerson, move: endPerson, isPerson: true },
};

async function messages(): Promise<{ type: string; data: Record<string, unknown> }[]> {
  await services().webhooks.sendDue();
  await until(async () => {
    await services().webhooks.sendDue();
    return (await services().storage.countWaitingWebhooks(10)).messages === 0;
  }, 'nothing waits');
  return webhooks.received.map(({ body }) => JSON.parse(body));
}

for (const [name, { begin, move, isPerson = false }] of Object.entries(ways)) {
  describe(name, () => {
    test('everything ends at that moment, and not a millisecond before', async () => {
      const end = services().clock.now() + minute;
      await begin(end);
      const { person, tokens, sid } = await logIn(service, client, user);
      const { code, verifier } = await obtainCode(service, client, user, {}, person);
      const refresh = () => postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
      const exchange = () => postForm(service, '/oauth/token', exchangeParameters(client, code, verifier));
      const silently = async () =>
        answerOf(await person.visit(authorizePath(client, newVerifier(), { prompt: 'none' })));
      service.clock.advance((end - 1 - services().clock.now()) / 1000);
      assert.equal((await userinfo(service, tokens.access_token)).status, 200);
      assert.equal((await refresh()).status, 200);
      assert.ok((await silently()).searchParams.get('code'));
      service.clock.advance(0.001);
      assert.equal(services().clock.now(), end);
      assert.equal((await userinfo(service, tokens.access_token)).status, 401);
      for (const { status, body } of [await refresh(), await exchange()]) {
        assert.deepEqual([status, (body as { error?: string }).error], [400, 'invalid_grant']);
      }
      assert.equal((await silently()).searchParams.get('error'), isPerson ? 'login_required' : 'access_denied');
      const account = await person.request('/account');
      assert.equal(account.status, isPerson ? 302 : 200);
      if (isPerson) {
        const again = await new Person(service).signIn(user);
        assert.equal(again.status, 400);
        const [refused] = (await service.events('sign_in_failed')).slice(-1);
        assert.deepEqual([refused?.userId, refused?.detail?.reason], [user.id, 'expired']);
      }

      // Told within a minute: by a round of the sweep.
      await sweep(service, 'test');
      const told = (await messages()).filter(({ data }) => data.sub === user.id || data.client_id === client.id);
      const about = told.map(({ type, data }) => [type, data.reason ?? data.client_id]);
      const entry = name === 'a membership' ? null : client.id;
      const expired = isPerson ? ['user.expired', undefined] : ['access.expired', entry];
      assert.deepEqual(
        about.filter(([type]) => type === 'grant.ended' || String(type).endsWith('.expired')).sort(),
        [expired, ['grant.ended', 'expired']].sort(),
      );
      assert.ok((await toldOf(service, receiver, client)).includes(sid));

      // Nothing is said twice, and nothing comes back.
      webhooks.received.length = 0;
      await sweep(service, 'test');
      assert.deepEqual(
        (await messages()).filter(({ type }) => /expired|ended/.test(type)),
        [],
      );
      await move(services().clock.now() + minute);
      assert.equal((await userinfo(service, tokens.access_token)).status, 401);
      assert.equal((await refresh()).status, 400);
      const { tokens: later } = await logIn(service, client, user, new Person(service));
      assert.equal((await userinfo(service, later.access_token)).status, 200);
    });

    test('an end that is moved before it comes changes nothing for tokens', async () => {
      const end = services().clock.now() + minute;
      await begin(end);
      const { tokens } = await logIn(service, client, user);
      await move(end + minute);
      service.clock.advance(61);
      await sweep(service, 'test');
      assert.equal((await userinfo(service, tokens.access_token)).status, 200);
      service.clock.advance(60);
      assert.equal((await userinfo(service, tokens.access_token)).status, 401);
    });
  });
}

test('access that begins after an end that nobody has written yet revives nothing', async () => {
  await allow(services().clock.now() + minute);
  await listed();
  const { tokens } = await logIn(service, client, user);
  service.clock.advance(61);
  const group = await newGroup();
  const added = changeMembers(services(), group, { add: [user.id] }, requester);
  const opened = setAccess(services(), client.id, { groups: [`Ending ${groups}`] }, requester);
  assert.deepEqual([(await added).kind, (await opened).kind], ['done', 'done']);
  assert.equal(await services().storage.hasAccess(client.id, user.id, services().clock.now()), true);
  assert.equal((await userinfo(service, tokens.access_token)).status, 401);
  const everyone = await updateClient(services(), client.id, { access: 'everyone' }, requester);
  assert.equal(everyone.kind, 'done');
  assert.equal((await userinfo(service, tokens.access_token)).status, 401);
});

test('access begins when another request writes the end right after the refusal', async () => {
  const { storage } = services();
  /** As if the sweep came between the refused write and the look for the reason. */
  const beforeSweep = async (written: Promise<boolean>) => {
    const isDone = await written;
    if (!isDone) await sweep(service, 'test');
    return isDone;
  };
  const racing: typeof storage = {
    ...storage,
    changeMembers: (...given) => beforeSweep(storage.changeMembers(...given)),
    changeAccess: (...given) => beforeSweep(storage.changeAccess(...given)),
  };
  const own = { ...services(), storage: racing };
  const group = await newGroup();
  const begins = {
    'a membership': () => changeMembers(own, group, { add: [user.id] }, requester),
    'an entry for a group': () => setAccess(own, client.id, { groups: [group] }, requester),
  };
  for (const [name, begin] of Object.entries(begins)) {
    await allow(services().clock.now() + minute);
    service.clock.advance(61);
    assert.equal((await begin()).kind, 'done', name);
  }
});

test('the API key and the session of an administrator end with their access', async () => {
  const { storage, journal, clock } = services();
  await service.newUser({ admin: true });
  const admin = await service.newUser({ admin: true });
  const person = new Person(service);
  await person.signIn(admin);
  const actor = { kind: 'administrator', id: admin.id } as const;
  const made = await createApiKey(
    services(),
    { name: 'Test', permission: 'read', days: undefined },
    { ...requester, actor },
  );
  assert.ok(made.kind === 'done');
  const key = withBearer(made.secret);
  const api = await Api.of(service);
  assert.equal((await api.call('getPerson', key, { params: { id: user.id } })).success, true);
  const event = journal.event({ kind: 'user_edited', userId: admin.id }, requester);
  assert.ok(await storage.changeUserEnd(admin.id, clock.now() + minute, clock.now(), event));
  service.clock.advance(60);
  assert.equal((await api.call('getPerson', key, { params: { id: user.id } })).success, false);
  assert.equal((await person.request('/admin')).status, 302);
  assert.equal(
    await storage.findSession(digestOf(person.cookies.get('latchkey_session') ?? ''), clock.now()),
    undefined,
  );
});
