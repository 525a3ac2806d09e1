// Who may do what: every operation of the API is called by the weakest who may and the strongest who may not, and before a release
// by every kind of caller. A refusal changes nothing. test/http/console/roles.test.ts compares the whole table.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createApiKey, revokeApiKey } from '../../../src/operations/api-keys/api-keys.ts';
import { setOwners } from '../../../src/operations/clients/owners.ts';
import { disableUser, enableUser, makeAdministrator } from '../../../src/operations/users/disable-user.ts';
import type { Authority, Permission, Role } from '../../../src/protocol/admin/rights.ts';
import { allowedRoute, assertAllListed, closestTo, Turns } from '../../harness/allowed-routes.ts';
import {
  Api,
  type ApiCaller,
  anonymous,
  examples,
  type Input,
  type Operation,
  type SignedInCaller,
  withBearer,
  withSession,
} from '../../harness/api.ts';
import { isReleaseLane, releaseTest } from '../../harness/lane.ts';
import { obtainTokens } from '../../harness/relying-party.ts';
import { heldRoles, isSum, newKeyWithRoles, newUserWithRoles } from '../../harness/roles.ts';
import { requester, startTestService, type TestService, type TestUser, tables } from '../../harness/service.ts';
import { sweep } from '../../harness/sweep.ts';

/** What a caller may do: what the table says, perhaps without changes, or nothing at all. */
type Rights = { readonly authority: Authority; readonly changes?: 403 } | 'unknown';

const withRoles = (...roles: Role[]): Rights => ({ authority: { roles } });
const readOnly: Rights = { authority: { roles: ['administrator'] }, changes: 403 };
const withPermission = (permission: Permission): Rights => ({ authority: { permission } });

const DAY = 24 * 60 * 60;
/** Tables that change by themselves, or with every attempt. */
const restless = ['events', 'leases', 'hourly_totals', 'sign_in_failures', 'service_facts', 'instances'];

let service: TestService;
let api: Api;
const callers = new Map<string, ApiCaller>();
/** The user whose account a caller without a session asks for. */
let somebody: SignedInCaller;

const roleKeys = heldRoles.filter((roles) => roles.length > 0 && !roles.includes('administrator'));

const expected: Record<string, Rights> = {
  anonymous: 'unknown',
  person: withRoles(),
  administrator: withRoles('administrator'),
  'administrator without the CSRF token': readOnly,
  "administrator with another session's CSRF token": readOnly,
  'administrator from another origin': readOnly,
  "administrator in another site's frame": readOnly,
  'read key': withPermission('read'),
  'write key': withPermission('write'),
  'administrator key': withPermission('administrator'),
  ...Object.fromEntries(roleKeys.map((roles) => [`person with ${roles.join(' and ')}`, withRoles(...roles)])),
  ...Object.fromEntries(
    roleKeys.map((roles) => [`key with ${roles.join(' and ')}`, { authority: { roles, isKey: true } } as const]),
  ),
  'expired key': 'unknown',
  'ended key': 'unknown',
  'access token': 'unknown',
  'garbage bearer': 'unknown',
  "garbage bearer with an administrator's cookie": 'unknown',
  "empty Authorization with an administrator's cookie": 'unknown',
};

before(async () => {
  service = await startTestService();
  // Messages stay as they are instead of being delivered meanwhile.
  await service.running.services.webhooks.close();
  const { services } = service.running;
  const key = async (permission: string, days?: number) => {
    const made = await createApiKey(services, { name: 'Test', permission, days }, requester);
    if (made.kind === 'refused') throw new Error(made.problems[0].says);
    return made;
  };
  const expired = await key('administrator', 1);
  service.clock.advance(2 * DAY);
  const ended = await key('administrator');
  await revokeApiKey(services, ended.key.id, requester);
  const admin = await withSession(service, await service.newUser({ admin: true }));
  const other = await withSession(service, await service.newUser({ admin: true }));
  somebody = await withSession(service, await service.newUser());
  const client = await service.newClient();
  const { tokens } = await obtainTokens(service, client, admin.user);
  const changed = (changes: Record<string, string>): ApiCaller => ({
    headers: (method) => ({ ...admin.headers(method), ...changes }),
  });
  for (const [name, caller] of Object.entries({
    anonymous,
    person: somebody,
    administrator: admin,
    'administrator without the CSRF token': { headers: () => ({ Cookie: admin.cookie, Origin: service.url }) },
    "administrator with another session's CSRF token": changed({ 'X-CSRF-Token': other.csrfToken }),
    'administrator from another origin': changed({ Origin: 'https://other.example' }),
    "administrator in another site's frame": changed({ 'Sec-Fetch-Site': 'cross-site' }),
    'read key': withBearer((await key('read')).secret),
    'write key': withBearer((await key('write', 30)).secret),
    'administrator key': withBearer((await key('administrator', 30)).secret),
    'expired key': withBearer(expired.secret),
    'ended key': withBearer(ended.secret),
    'access token': withBearer(tokens.access_token),
    'garbage bearer': withBearer('lk_api_nothing'),
    "garbage bearer with an administrator's cookie": changed({ Authorization: 'Bearer garbage' }),
    "empty Authorization with an administrator's cookie": changed({ Authorization: '' }),
  })) {
    callers.set(name, caller);
  }
  for (const roles of roleKeys) {
    callers.set(`key with ${roles.join(' and ')}`, withBearer(await newKeyWithRoles(service, roles)));
  }
  api = await Api.of(service);
});
after(() => service.stop());

function statusFor(rights: Rights, { method, path }: Operation): number {
  if (rights === 'unknown') return 401;
  if (method !== 'GET' && rights.changes !== undefined) return rights.changes;
  return allowedRoute(method, path).allows(rights.authority) ? 200 : 403;
}

test('every operation has an example and declares who can call it', () => {
  assert.deepEqual([...api.operations.keys()].sort(), Object.keys(examples).sort());
  assertAllListed('api', [...api.operations.values()]);
  for (const operation of api.operations.values()) {
    const own = operation.path.startsWith('/api/me');
    assert.equal(!operation.security.some((way) => 'key' in way), own, operation.id);
    assert.equal(allowedRoute(operation.method, operation.path).right === undefined, own, operation.id);
    const csrf = operation.security.filter((way) => 'session' in way).every((way) => 'csrf' in way);
    assert.equal(csrf, operation.method !== 'GET', operation.id);
  }
});

interface Named {
  readonly name: string;
  readonly caller: ApiCaller & { readonly user?: TestUser };
}

/** Those who don't have a caller yet are people with roles, who sign in. */
async function callerFor(name: string): Promise<Named['caller']> {
  const known = callers.get(name);
  if (known !== undefined) return known;
  const rights = expected[name];
  assert.ok(rights !== undefined && rights !== 'unknown' && 'roles' in rights.authority);
  return withSession(service, await newUserWithRoles(service, rights.authority.roles));
}

async function inputFor(operation: Operation, { user = somebody.user }: { readonly user?: TestUser }): Promise<Input> {
  return (await examples[operation.id]?.(service, user)) ?? {};
}

/** Nothing is in the way but who is calling: wrong keys are limited by the minute, and there is nothing to sweep up. */
async function startAnew(): Promise<void> {
  service.clock.advance(61);
  // The service's own sweep, which comes every minute, then finds nothing and isn't its turn.
  await sweep(service, 'test');
}

async function assertRefused(operation: Operation, status: number, { name, caller }: Named, input: Input) {
  const answer = await api.call(operation.id, caller, input);
  assert.equal(answer.status, status, `${operation.id} by ${name}`);
  assert.equal(answer.headers.has('www-authenticate'), status === 401, `${operation.id} by ${name}`);
}

/** Input that is also invalid gets the same status: it is not read. */
async function assertNotRead(operation: Operation, status: number, { name, caller }: Named, input: Input) {
  const nonsense = await api.call(operation.id, caller, { ...input, query: { no: 'such' } });
  assert.equal(nonsense.status, status, `${operation.id} by ${name}`);
}

async function assertDone(operation: Operation, { name, caller }: Named) {
  const answer = await api.call(operation.id, caller, await inputFor(operation, caller));
  assert.equal(answer.success, true, `${operation.id} by ${name}: ${answer.message}`);
}

test('every operation is done for the weakest who may call it, and refused to the strongest who may not', async () => {
  const people = await Promise.all(
    Object.entries(expected).map(async ([name, rights]) => ({ name, rights, caller: await callerFor(name) })),
  );
  const strangers = people.filter(({ rights }) => rights === 'unknown');
  const withoutChanges = people.filter(({ rights }) => rights === readOnly);
  const holders = people.flatMap(({ rights, ...each }) => {
    if (rights === 'unknown' || rights === readOnly) return [];
    const { authority } = rights;
    return 'roles' in authority && isSum(authority.roles) ? [] : [{ ...each, authority }];
  });
  const turns = { allowed: new Turns(), refused: new Turns(), stranger: new Turns(), withoutChange: new Turns() };

  const operations = [...api.operations.values()];
  const closest = (operation: Operation) => closestTo(allowedRoute(operation.method, operation.path), holders);
  const inputs = new Map<Operation, Input>();
  for (const operation of operations) inputs.set(operation, await inputFor(operation, somebody));
  await startAnew();
  const before = await contents();
  for (const operation of operations) {
    const input = inputs.get(operation) ?? {};
    const refused = turns.refused.next(closest(operation).strongestRefused);
    await assertRefused(operation, 403, refused, input);
    await assertNotRead(operation, 403, refused, input);
    await assertRefused(operation, 401, turns.stranger.next(strangers), input);
    if (operation.method === 'GET') continue;
    await assertRefused(operation, 403, turns.withoutChange.next(withoutChanges), input);
  }
  assert.deepEqual(await contents(), before, 'nothing has changed');
  for (const operation of operations) {
    const { weakestAllowed } = closest(operation);
    const all = operation.method === 'GET' ? weakestAllowed : [];
    for (const each of [turns.allowed.next(weakestAllowed), ...all]) await assertDone(operation, each);
  }

  const namesOf = (those: readonly { readonly name: string }[]) => those.map(({ name }) => name);
  turns.stranger.assertTaken(namesOf(strangers));
  turns.withoutChange.assertTaken(namesOf(withoutChanges));
  // What needs both roles is one operation, which is the person's turn.
  turns.allowed.assertTaken(namesOf(holders).filter((name) => name !== 'key with people and applications'));
  turns.refused.assertTaken(namesOf(holders).filter((name) => name !== 'administrator'));
});

test('an owner without a role calls what the table says for their application, and nothing for those of others', async () => {
  const { services } = service.running;
  const owned = await service.newClient({ name: 'Owned' });
  const owner = await withSession(service, await service.newUser({ name: 'Olga Owner' }));
  const outcome = await setOwners(services, owned.id, { people: [owner.user.id] }, requester);
  assert.equal(outcome.kind, 'done');
  const operations = [...api.operations.values()];
  const isOwn = ({ path }: Operation) => path.startsWith('/api/me');
  const inputs = new Map<Operation, Input>();
  for (const operation of operations) inputs.set(operation, await inputFor(operation, owner));
  await startAnew();
  const before = await contents();
  // An owner may use these for what is theirs; to an owner of others, nothing of it exists.
  const isAcross = ({ method, path }: Operation) =>
    /^\/api\/(access-requests|reviews)/.test(path) && allowedRoute(method, path).owners;
  for (const operation of operations.filter(isAcross)) {
    const input = inputs.get(operation) ?? {};
    const { status, data } = await api.call(operation.id, owner, input.params ? input : {});
    assert.deepEqual([status, data?.items], input.params ? [404, undefined] : [200, []], operation.id);
  }
  for (const operation of operations.filter((each) => !isOwn(each) && !isAcross(each))) {
    await assertRefused(operation, 403, { name: 'owner of another', caller: owner }, inputs.get(operation) ?? {});
  }
  assert.deepEqual(await contents(), before, 'nothing has changed');
  for (const operation of operations.filter(({ path }) => path.startsWith('/api/applications/{client_id}'))) {
    const input = inputs.get(operation) ?? {};
    const own = { ...input, params: { ...input.params, client_id: owned.id } };
    const answer = await api.call(operation.id, owner, own);
    const { owners } = allowedRoute(operation.method, operation.path);
    // What names a group is refused by the operation itself.
    const isRefused = answer.status === 403 && !/groups/.test(answer.message ?? '');
    assert.equal(isRefused, !owners, `${operation.id}: ${answer.status} ${answer.message}`);
  }
});

/** What is sent by those who are refused. As nothing of it is done, it can be sent again. */
const refusedInputs = new Map<string, Input>();

for (const [name, rights] of Object.entries(expected)) {
  releaseTest(`what the ${name} can do`, async () => {
    const caller = await callerFor(name);
    const operations = [...api.operations.values()];
    const statusOf = (operation: Operation) => statusFor(rights, operation);
    const refused = operations.filter((each) => statusOf(each) !== 200);
    for (const operation of refused) {
      if (!refusedInputs.has(operation.id)) refusedInputs.set(operation.id, await inputFor(operation, caller));
    }
    await startAnew();
    const before = await contents();
    for (const operation of refused) {
      const input = refusedInputs.get(operation.id) ?? {};
      await assertRefused(operation, statusOf(operation), { name, caller }, input);
      await assertNotRead(operation, statusOf(operation), { name, caller }, input);
    }
    assert.deepEqual(await contents(), before, 'nothing has changed');
    for (const operation of operations.filter((each) => statusOf(each) === 200)) {
      await assertDone(operation, { name, caller });
    }
  });
}

/** What can be done to a person, except to the last administrator. Nobody who waits for approval has admin access. */
const aboutSomebody = ({ method, path }: Operation) =>
  method !== 'GET' && path.startsWith('/api/people/{id}') && !/\/(approve|decline)$/.test(path);

test('nobody but administrators and their keys changes anything about people with a role', async () => {
  const { services } = service.running;
  const administrating = callers.get('administrator key');
  const others = ['write key', 'key with people', 'person with people', 'person with people and applications'];
  assert.ok(administrating);
  // Of the events about refusals, so many are recorded in some hours.
  service.clock.advance(3 * 60 * 60);
  const refusedCallers = await Promise.all(others.map((name) => callerFor(name)));
  const operations = [...api.operations.values()].filter((operation) => aboutSomebody(operation));
  const names = operations.map(({ id }) => id).sort();
  assert.deepEqual(names, [
    'deletePerson',
    'disablePerson',
    'enablePerson',
    'endPersonSessions',
    'makeAdministrator',
    'makeRecoveryLink',
    'removeAdministrator',
    'removeSecondFactors',
    'sendPasswordReset',
    'unlinkPersonIdentities',
    'updatePerson',
    'verifyPersonEmail',
  ]);
  const inputs = new Map<Operation, Input>();
  for (const operation of operations) {
    const input = await inputFor(operation, somebody);
    inputs.set(operation, input);
    const userId = input.params?.id ?? '';
    const isDisabled = operation.id === 'enablePerson';
    if (isDisabled) await enableUser(services, { id: userId }, requester);
    await makeAdministrator(services, { id: userId }, requester);
    if (isDisabled) await disableUser(services, { id: userId }, requester);
  }
  await sweep(service, 'test');
  const before = await contents();
  const known = (await service.events('administration_refused')).length;
  let calls = 0;
  for (const [index, operation] of operations.entries()) {
    const input = inputs.get(operation) ?? {};
    const userId = input.params?.id ?? '';
    const all = isReleaseLane ? refusedCallers : [refusedCallers[index % refusedCallers.length] ?? assert.fail()];
    for (const caller of all) {
      // A path that names the person in another way leads to the same person.
      for (const name of [userId, `~${userId}`]) {
        const answer = await api.call(operation.id, caller, { ...input, params: { ...input.params, id: name } });
        assert.equal(answer.status, 403, operation.id);
        calls++;
      }
    }
  }
  const refusals = (await service.events('administration_refused')).slice(known);
  assert.deepEqual(
    refusals.map(({ detail }) => detail?.right),
    Array.from({ length: calls }, () => 'roles.change'),
  );
  assert.deepEqual(await contents(), before, 'nothing has changed');
  for (const operation of operations) {
    if (operation.id === 'makeAdministrator') continue;
    const answer = await api.call(operation.id, administrating, inputs.get(operation) ?? {});
    assert.equal(answer.success, true, `${operation.id}: ${answer.message}`);
  }
});

test('guessing keys is slowed down, and a valid key keeps working', async () => {
  const guess = withBearer(`lk_api_${'a'.repeat(43)}`);
  let answer = await api.call('getOverview', guess);
  for (let count = 0; count < 400 && answer.status === 401; count++) answer = await api.call('getOverview', guess);
  assert.equal(answer.status, 429);
  assert.equal(answer.headers.get('retry-after'), '60');
  assert.equal((await api.call('getOverview', callers.get('read key') as ApiCaller)).status, 200);
});

/** A line for each table with a digest of its rows: shows whether something changed, and where. */
async function contents(): Promise<string[]> {
  await service.running.services.journal.flush();
  const names = tables.filter((name) => !restless.includes(name));
  // The last use of a key or session is updated for refused calls, too.
  const noted = { last_used_at: undefined, last_seen_at: undefined };
  return (await service.rowsOf(names)).map((found, index) => {
    const rows = found.map((row) => JSON.stringify({ ...row, ...noted })).sort();
    return `${names[index]}: ${rows.length} rows, ${createHash('sha256').update(rows.join()).digest('hex')}`;
  });
}
