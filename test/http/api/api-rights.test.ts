// Who may do what: every kind of caller calls every operation of the API. A refusal changes nothing.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createApiKey, revokeApiKey } from '../../../src/operations/api-keys/api-keys.ts';
import { disableUser, enableUser, makeAdministrator } from '../../../src/operations/users/disable-user.ts';
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
import { newLinkedUser } from '../../harness/discovery.ts';
import { obtainTokens } from '../../harness/relying-party.ts';
import { requester, startTestService, type TestService, tables } from '../../harness/service.ts';
import { sweep } from '../../harness/sweep.ts';

/** The status for reading, for writing, for deciding who is an administrator, and for the caller's own account. */
interface Rights {
  readonly read: number;
  readonly write: number;
  readonly administrator: number;
  readonly ownRead: number;
  readonly ownWrite: number;
}

const everything: Rights = { read: 200, write: 200, administrator: 200, ownRead: 200, ownWrite: 200 };
const nothing: Rights = { read: 401, write: 401, administrator: 401, ownRead: 401, ownWrite: 401 };
const readOnly: Rights = { read: 200, write: 403, administrator: 403, ownRead: 200, ownWrite: 403 };
const notOwn = { ownRead: 403, ownWrite: 403 };

const DAY = 24 * 60 * 60;
/** Tables that change by themselves, or with every attempt. */
const restless = ['events', 'leases', 'hourly_totals', 'sign_in_failures', 'service_facts', 'instances'];

let service: TestService;
let api: Api;
const callers = new Map<string, ApiCaller>();
/** The user whose account a caller without a session asks for. */
let somebody: SignedInCaller;

const expected: Record<string, Rights> = {
  anonymous: nothing,
  person: { read: 403, write: 403, administrator: 403, ownRead: 200, ownWrite: 200 },
  administrator: everything,
  'administrator without the CSRF token': readOnly,
  "administrator with another session's CSRF token": readOnly,
  'administrator from another origin': readOnly,
  "administrator in another site's frame": readOnly,
  'read key': { read: 200, write: 403, administrator: 403, ...notOwn },
  'write key': { read: 200, write: 200, administrator: 403, ...notOwn },
  'administrator key': { read: 200, write: 200, administrator: 200, ...notOwn },
  'expired key': nothing,
  'ended key': nothing,
  'access token': nothing,
  'garbage bearer': nothing,
  "garbage bearer with an administrator's cookie": nothing,
  "empty Authorization with an administrator's cookie": nothing,
};

before(async () => {
  service = await startTestService();
  // Messages stay as they are instead of being delivered meanwhile.
  await service.running.services.webhooks.close();
  const { services } = service.running;
  const key = async (permission: string, days?: number) => {
    const made = await createApiKey(services, { name: 'Test', permission, days }, requester);
    if (made.kind === 'refused') throw new Error(made.problem);
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
  api = await Api.of(service);
});
after(() => service.stop());

function rightOf({ id, method, security }: Operation): keyof Rights {
  if (id === 'makeAdministrator' || id === 'removeAdministrator') return 'administrator';
  const own = !security.some((way) => 'key' in way);
  if (method === 'GET') return own ? 'ownRead' : 'read';
  return own ? 'ownWrite' : 'write';
}

test('every operation has an example and declares who can call it', () => {
  assert.deepEqual([...api.operations.keys()].sort(), Object.keys(examples).sort());
  for (const operation of api.operations.values()) {
    const own = operation.path.startsWith('/api/me');
    assert.equal(rightOf(operation).startsWith('own'), own, operation.id);
    const csrf = operation.security.filter((way) => 'session' in way).every((way) => 'csrf' in way);
    assert.equal(csrf, operation.method !== 'GET', operation.id);
  }
});

/** What is sent by those who are refused. As nothing of it is done, it can be sent again. */
const refusedInputs = new Map<string, Input>();

for (const [name, rights] of Object.entries(expected)) {
  test(`what the ${name} can do`, async () => {
    const caller = callers.get(name) as ApiCaller & { user?: SignedInCaller['user'] };
    const user = caller.user ?? somebody.user;
    const prepare = async ({ id }: Operation) => (await examples[id]?.(service, user)) ?? {};
    const operations = [...api.operations.values()];
    const statusOf = (operation: Operation) => rights[rightOf(operation)];

    const refused: { operation: Operation; input: Input }[] = [];
    for (const operation of operations.filter((each) => statusOf(each) !== 200)) {
      const input = refusedInputs.get(operation.id) ?? (await prepare(operation));
      refusedInputs.set(operation.id, input);
      refused.push({ operation, input });
    }
    // Wrong keys are limited by the minute, and each caller starts anew.
    service.clock.advance(61);
    // The service's own sweep, which comes every minute, then finds nothing and isn't its turn.
    await sweep(service, 'test');
    const before = await contents();
    for (const { operation, input } of refused) {
      const status = statusOf(operation);
      const answer = await api.call(operation.id, caller, input);
      assert.equal(answer.status, status, operation.id);
      assert.equal(answer.headers.has('www-authenticate'), status === 401, operation.id);
      // Input that is also invalid gets the same status: it is not read.
      const nonsense = await api.call(operation.id, caller, { ...input, query: { no: 'such' } });
      assert.equal(nonsense.status, status, operation.id);
    }
    assert.deepEqual(await contents(), before, 'nothing has changed');

    for (const operation of operations.filter((each) => statusOf(each) === 200)) {
      const answer = await api.call(operation.id, caller, await prepare(operation));
      assert.equal(answer.success, true, `${operation.id}: ${answer.message}`);
    }
  });
}

/** What can be done to a person, except to the last administrator. Nobody who waits for approval has admin access. */
const aboutSomebody = ({ method, path }: Operation) =>
  method !== 'GET' && path.startsWith('/api/people/{id}') && !/\/(approve|decline)$/.test(path);

test('a write key changes nothing about people with admin access, and an administrator key can', async () => {
  const { services } = service.running;
  const [writing, administrating] = [callers.get('write key'), callers.get('administrator key')];
  assert.ok(writing && administrating);
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
  for (const { id } of operations) {
    const input = (await examples[id]?.(service, somebody.user)) ?? {};
    const userId = input.params?.id ?? '';
    const isDisabled = id === 'enablePerson';
    if (isDisabled) await enableUser(services, { id: userId }, requester);
    await makeAdministrator(services, { id: userId }, requester);
    if (isDisabled) await disableUser(services, { id: userId }, requester);
    await sweep(service, 'test');
    const before = await contents();
    // A path that names the person in another way leads to the same person.
    for (const name of [userId, `~${userId}`]) {
      const answer = await api.call(id, writing, { ...input, params: { ...input.params, id: name } });
      assert.equal(answer.status, 403, id);
      assert.match(answer.message, /"administrator"/, id);
    }
    assert.deepEqual(await contents(), before, `${id} has changed something`);
    if (id === 'makeAdministrator') continue;
    const answer = await api.call(id, administrating, input);
    assert.equal(answer.success, true, `${id}: ${answer.message}`);
  }
});

test('a write key deletes an identity provider only if no administrator is linked to it', async () => {
  const [writing, administrating] = [callers.get('write key'), callers.get('administrator key')];
  assert.ok(writing && administrating);
  const input = (await examples.deleteUpstream?.(service, somebody.user)) ?? {};
  const upstream = await service.running.services.storage.findUpstream(input.params?.name ?? '');
  assert.ok(upstream);
  const { id } = await newLinkedUser(service, upstream);
  await makeAdministrator(service.running.services, { id }, requester);
  assert.equal((await api.call('deleteUpstream', writing, input)).status, 403);
  assert.equal((await service.running.services.storage.listIdentities(id)).length, 1);
  assert.equal((await api.call('deleteUpstream', administrating, input)).status, 200);
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
