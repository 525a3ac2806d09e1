// Attributes of people over the API: their definitions, people's values, and what applications' claims keep from changing.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { ApplicationClaim } from '../../../src/protocol/oauth/application-claims.ts';
import { type ApiCaller, newKey, withSession } from '../../harness/api.ts';
import { Person } from '../../harness/person.ts';
import { startTestService, type TestClient, type TestService, type TestUser } from '../../harness/service.ts';
import { everythingIn } from '../../harness/store.ts';
import { sweep } from '../../harness/sweep.ts';

let service: TestService;
let key: ApiCaller;
let user: TestUser;
before(async () => {
  service = await startTestService();
  key = await newKey(service);
});
after(() => service.stop());

interface Answer {
  readonly status: number;
  readonly message: string;
  readonly data: Data;
}

/** What some test looks at. */
interface Data {
  readonly items: readonly Data[];
  readonly results: readonly { readonly result: string; readonly id: string }[];
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly name: string;
  readonly editable_by: string;
  readonly updated_at: string;
  readonly error_code: string;
}

async function call(method: string, path: string, body?: object, caller = key): Promise<Answer> {
  const response = await fetch(`${service.url}/api${path}`, {
    method,
    headers: { ...caller.headers(method), ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { message, data } = (await response.json()) as Answer;
  return { status: response.status, message, data };
}

const attribute = (name: string, more: object = {}) => ({ name, label: name, kind: 'text', ...more });

async function defined(...all: ReturnType<typeof attribute>[]): Promise<void> {
  for (const each of all) assert.equal((await call('POST', '/attributes', each)).status, 201);
}

/** Gives an application a claim from an attribute, as an administrator does. */
async function withClaim(name: string, selfAsserted = false): Promise<TestClient> {
  const { storage } = service.running.services;
  const found = await storage.findAttribute(name);
  assert.ok(found);
  const client = await service.newClient({ name: `App of ${name}` });
  const claim: ApplicationClaim = {
    claim: 'dept',
    label: null,
    idToken: false,
    source: 'attribute',
    attribute: { name, since: found.createdAt },
    selfAsserted,
  };
  const event = service.running.services.journal.event(
    { kind: 'client_created' },
    { address: '127.0.0.1', requestId: 'test' },
  );
  const id = `app-${name.replaceAll('_', '-')}`;
  assert.ok(await storage.createClient({ ...client.record, id, claims: [claim] }, undefined, event));
  return { ...client, id };
}

const claimsOf = async ({ id }: TestClient) => (await service.running.services.storage.findClient(id))?.claims;

beforeEach(async () => {
  user = await service.newUser();
});

describe('a definition', () => {
  test('is created, listed by name, read, changed and deleted', async () => {
    const made = await call('POST', '/attributes', attribute('team', { label: ' The team ', values: ['b', 'a'] }));
    const team = { name: 'team', label: 'The team', kind: 'text', editable_by: 'administrator', values: ['b', 'a'] };
    assert.deepEqual([made.status, made.data], [201, team]);
    await defined(attribute('age', { kind: 'number', editable_by: 'person' }));
    const listed = await call('GET', '/attributes');
    assert.deepEqual(
      listed.data.items.map(({ name }) => name),
      ['age', 'team'],
    );
    const changed = await call('PATCH', '/attributes/team', { label: 'Team', values: null, editable_by: 'person' });
    const after = { ...team, label: 'Team', values: null, editable_by: 'person' };
    assert.deepEqual([changed.status, changed.data], [200, after]);
    assert.deepEqual((await call('GET', '/attributes/team')).data, after);
    assert.equal((await call('DELETE', '/attributes/team')).status, 200);
    assert.equal((await call('GET', '/attributes/team')).status, 404);
    assert.equal((await call('DELETE', '/attributes/team')).status, 404);
    const events = await service.events();
    const details = events.flatMap(({ kind, detail }) =>
      kind.startsWith('attribute_') ? [[kind, detail?.attribute, detail?.changed]] : [],
    );
    assert.deepEqual(details, [
      ['attribute_created', 'team', undefined],
      ['attribute_created', 'age', undefined],
      ['attribute_updated', 'team', ['label', 'editableBy', 'values']],
      ['attribute_deleted', 'team', undefined],
    ]);
    await call('DELETE', '/attributes/age');
  });

  const refusals: [string, object][] = [
    ['a name in capitals', attribute('Team')],
    ['a name that begins with a digit', attribute('1team')],
    ['a name that is too long', attribute('a'.repeat(33))],
    ['an unknown kind', attribute('x', { kind: 'date' })],
    ['no label', { name: 'x', kind: 'text' }],
    ['an empty label', attribute('x', { label: ' ' })],
    ['values of a number', attribute('x', { kind: 'number', values: ['1'] })],
    ['values of a boolean', attribute('x', { kind: 'boolean', values: ['true'] })],
    ['no values', attribute('x', { values: [] })],
    ['an empty value', attribute('x', { values: ['a', ''] })],
    ['a value with a comma', attribute('x', { values: ['a,b'] })],
    ['a value that is too long', attribute('x', { values: ['a'.repeat(1025)] })],
    ['too many values', attribute('x', { values: Array.from({ length: 101 }, (_, index) => String(index)) })],
    ['another editor', attribute('x', { editable_by: 'nobody' })],
  ];
  for (const [name, body] of refusals) {
    test(`with ${name} is refused`, async () => {
      assert.equal((await call('POST', '/attributes', body)).status, 400);
      assert.equal((await call('GET', '/attributes/x')).status, 404);
    });
  }

  test('keeps its name and kind, and its name is taken', async () => {
    await defined(attribute('fixed', { kind: 'number' }));
    assert.equal((await call('PATCH', '/attributes/fixed', { kind: 'text' })).status, 400);
    assert.equal((await call('PATCH', '/attributes/fixed', { name: 'other' })).status, 400);
    assert.equal((await call('PATCH', '/attributes/fixed', { values: ['1'] })).status, 400);
    assert.equal((await call('POST', '/attributes', attribute('fixed'))).status, 409);
    await call('DELETE', '/attributes/fixed');
  });

  test('needs fresh proof with a session; a value of somebody does not', async () => {
    await defined(attribute('proven'));
    const administrator = await withSession(service, await service.newUser({ admin: true }));
    service.clock.advance(16 * 60);
    const refused = [
      await call('POST', '/attributes', attribute('another'), administrator),
      await call('PATCH', '/attributes/proven', { label: 'Other' }, administrator),
      await call('DELETE', '/attributes/proven', undefined, administrator),
    ];
    assert.deepEqual(
      refused.map(({ status, data }) => [status, data?.error_code]),
      refused.map(() => [403, 'PROOF_REQUIRED']),
    );
    const set = await call('PATCH', `/people/${user.id}`, { attributes: { proven: 'x' } }, administrator);
    assert.deepEqual([set.status, set.data.attributes], [200, { proven: 'x' }]);
    await call('DELETE', '/attributes/proven');
  });

  test('is one of at most 50', async () => {
    const count = (await call('GET', '/attributes')).data.items.length;
    const names = Array.from({ length: 51 - count }, (_, index) => `many_${index}`);
    const statuses = [];
    for (const name of names) statuses.push((await call('POST', '/attributes', attribute(name))).status);
    assert.deepEqual([...new Set(statuses.slice(0, -1))], [201]);
    assert.equal(statuses.at(-1), 409);
    for (const name of names) await call('DELETE', `/attributes/${name}`);
  });
});

describe('values of people', () => {
  before(() =>
    defined(
      attribute('department', { values: ['Sales', 'Support'] }),
      attribute('age', { kind: 'number' }),
      attribute('remote', { kind: 'boolean' }),
      attribute('skills', { kind: 'list' }),
      attribute('constructor'),
    ),
  );
  after(async () => {
    for (const name of ['department', 'age', 'remote', 'skills', 'constructor'])
      await call('DELETE', `/attributes/${name}`);
  });
  const set = (attributes: object, id = user.id) => call('PATCH', `/people/${id}`, { attributes });
  const all = { department: 'Sales', age: 1.5, remote: false, skills: ['piano', 'chess'], constructor: 'x' };

  test('are merged by name, and null removes one', async () => {
    assert.deepEqual((await call('GET', `/people/${user.id}`)).data.attributes, {});
    assert.deepEqual((await set(all)).data.attributes, all);
    const changed = await set({ age: null, skills: ['chess'] });
    const { age: _, ...rest } = { ...all, skills: ['chess'] };
    assert.deepEqual(changed.data.attributes, rest);
    assert.deepEqual((await call('GET', `/people/${user.id}`)).data.attributes, rest);
    const listed = await call('GET', `/people?search=${encodeURIComponent(user.email)}`);
    assert.deepEqual(listed.data.items[0]?.attributes, rest);
    assert.deepEqual((await set({ constructor: null, department: '', skills: [] })).data.attributes, { remote: false });
  });

  test('are set together with a name, and on a new account', async () => {
    const both = await call('PATCH', `/people/${user.id}`, { name: 'Grace', attributes: { age: 3 } });
    assert.deepEqual([both.data.name, both.data.attributes], ['Grace', { age: 3 }]);
    const body = { email: 'with@attributes.test', name: 'W', attributes: { department: 'Support', age: null } };
    const made = await call('POST', '/people', body);
    assert.deepEqual([made.status, made.data.attributes], [201, { department: 'Support' }]);
    const refused = await call('POST', '/people', {
      ...body,
      email: 'x@attributes.test',
      attributes: { department: 'x' },
    });
    assert.equal(refused.status, 400);
    assert.equal((await call('GET', '/people?search=x@attributes.test')).data.items.length, 0);
  });

  const wrong: [string, object][] = [
    ['unknown', { nothing: 'x' }],
    ['unknown, and a name of the language', JSON.parse('{"__proto__": "x"}')],
    ['not allowed', { department: 'Marketing' }],
    ['a text for a number', { age: '5' }],
    ['a number for a text', { department: 5 }],
    ['a text for a boolean', { remote: 'true' }],
    ['a text for a list', { skills: 'a,b' }],
    ['numbers in a list', { skills: [1] }],
    ['an object', { constructor: {} }],
    ['more than 1,024 bytes', { constructor: 'ä'.repeat(513) }],
    ['a zero byte', { constructor: 'a\0b' }],
    ['half a surrogate pair', { constructor: 'a\ud800' }],
  ];
  for (const [name, attributes] of wrong) {
    test(`${name}: nothing changes`, async () => {
      await set({ age: 1 });
      const refused = await set({ ...attributes, remote: true, ...attributes });
      assert.equal(refused.status, 400);
      assert.deepEqual((await call('GET', `/people/${user.id}`)).data.attributes, { age: 1 });
    });
  }

  test('an event names what changed, and not the values; updated_at changes with them', async () => {
    const before = (await call('GET', `/people/${user.id}`)).data.updated_at;
    service.clock.advance(5);
    const after = (await set({ department: 'Sales', constructor: 'very secret value' })).data.updated_at;
    assert.ok(after > before);
    const edited = await service.events('user_edited');
    const { detail } = edited.at(-1) ?? {};
    assert.deepEqual(detail?.changed, ['attributes.department', 'attributes.constructor']);
    const [events] = await service.rowsOf(['events']);
    assert.equal(JSON.stringify(events).includes('very secret value'), false);
    assert.equal(service.log().includes('very secret value'), false);
    const count = edited.length;
    await set({ department: 'Sales' });
    assert.equal((await service.events('user_edited')).length, count);
  });

  test('of concurrent changes of different attributes, none is lost', async () => {
    const answers = await Promise.all(Object.entries(all).map(([name, value]) => set({ [name]: value })));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    assert.deepEqual((await call('GET', `/people/${user.id}`)).data.attributes, all);
  });

  test('are in downloads: a column each in CSV, and an object in JSON lines', async () => {
    await set(all);
    const search = `?search=${encodeURIComponent(user.email)}`;
    const download = async (format: string) => {
      const response = await fetch(`${service.url}/api/people.${format}${search}`, { headers: key.headers('GET') });
      return (await response.text()).trim().split(/\r?\n/);
    };
    const [header = '', row = ''] = await download('csv');
    assert.ok(
      header.endsWith(',attribute.age,attribute.constructor,attribute.department,attribute.remote,attribute.skills'),
    );
    assert.ok(row.endsWith(',1.5,x,Sales,false,"piano,chess"'), row);
    const [line = ''] = await download('jsonl');
    assert.deepEqual(JSON.parse(line).attributes, all);
  });

  test('an imported record has them, typed or as text, and an unknown one refuses it', async () => {
    const people = [
      { email: 'i1@attributes.test', 'attribute.age': '7', 'attribute.skills': 'a, b', 'attribute.remote': 'TRUE' },
      { email: 'i2@attributes.test', 'attribute.age': 7, 'attribute.skills': ['a'], 'attribute.remote': false },
      { email: 'i3@attributes.test', 'attribute.nothing': 'x' },
      { email: 'i4@attributes.test', 'attribute.department': 'x' },
    ];
    const { data } = await call('POST', '/people/import', { from: 'csv', people });
    const { results } = data;
    assert.deepEqual(
      results.map(({ result }) => result),
      ['imported', 'imported', 'refused', 'refused'],
    );
    const values = [];
    for (const { id } of results.slice(0, 2)) values.push((await call('GET', `/people/${id}`)).data.attributes);
    assert.deepEqual(values, [
      { age: 7, remote: true, skills: ['a', 'b'] },
      { age: 7, remote: false, skills: ['a'] },
    ]);
  });

  test('are in what people download about themselves', async () => {
    await set(all);
    const person = new Person(service);
    await person.signIn(user);
    const data = (await (await person.visit('/account/data.json')).json()) as { account: { attributes: object } };
    assert.deepEqual(data.account.attributes, all);
  });
});

describe('deleting an attribute', () => {
  test('hides its values at once and removes them, so that a new one with its name starts empty', async () => {
    await defined(attribute('doomed'), attribute('kept'));
    await call('PATCH', `/people/${user.id}`, { attributes: { doomed: 'old value', kept: 'k' } });
    assert.equal((await call('DELETE', '/attributes/doomed')).status, 200);
    assert.deepEqual((await call('GET', `/people/${user.id}`)).data.attributes, { kept: 'k' });
    assert.equal((await everythingIn(service)).join('\n').includes('old value'), false);
    await defined(attribute('doomed', { kind: 'number' }));
    assert.deepEqual((await call('GET', `/people/${user.id}`)).data.attributes, { kept: 'k' });
    for (const name of ['doomed', 'kept']) await call('DELETE', `/attributes/${name}`);
  });

  test('whose values are still there, its name is taken and nobody sees one; the sweep removes the rest', async () => {
    await defined(attribute('slow'));
    await call('PATCH', `/people/${user.id}`, { attributes: { slow: 'x' } });
    const { storage, clock, journal } = service.running.services;
    const found = await storage.findAttribute('slow');
    assert.ok(found);
    const event = journal.event({ kind: 'attribute_deleted' }, { address: '127.0.0.1', requestId: 'test' });
    // As if the process had ended right after the write.
    await storage.deleteAttribute(found, [], clock.now(), [event]);
    assert.deepEqual((await call('GET', `/people/${user.id}`)).data.attributes, {});
    assert.equal((await call('PATCH', `/people/${user.id}`, { attributes: { slow: 'y' } })).status, 400);
    const taken = await call('POST', '/attributes', attribute('slow'));
    assert.deepEqual([taken.status, taken.message.includes('still being removed')], [409, true]);
    await sweep(service, 'test');
    assert.deepEqual((await storage.findUser(user.id))?.attributes, {});
    await defined(attribute('slow'));
    await call('DELETE', '/attributes/slow');
  });

  test('that applications use is refused with their names, unless forced, which removes the claims', async () => {
    await defined(attribute('used'));
    const client = await withClaim('used');
    const refused = await call('DELETE', '/attributes/used');
    assert.equal(refused.status, 409);
    assert.match(refused.message, /App of used/);
    assert.equal((await call('DELETE', '/attributes/used?force=false')).status, 409);
    assert.equal((await claimsOf(client))?.length, 1);
    assert.equal((await call('DELETE', '/attributes/used?force=true')).status, 200);
    assert.deepEqual(await claimsOf(client), []);
    const { detail } = (await service.events('attribute_deleted')).at(-1) ?? {};
    assert.deepEqual(detail?.applications, [client.id]);
    const updated = (await service.events('client_updated')).filter(({ clientId }) => clientId === client.id);
    assert.deepEqual(
      updated.map((event) => event.detail?.changed),
      [['claims']],
    );
  });
});

test('letting people edit a used attribute names the applications and needs force, which marks their claims', async () => {
  await defined(attribute('opened'));
  const client = await withClaim('opened');
  const open = { editable_by: 'person' };
  const refused = await call('PATCH', '/attributes/opened', open);
  assert.equal(refused.status, 409);
  assert.match(refused.message, /App of opened/);
  // Anything else about it can change.
  assert.equal((await call('PATCH', '/attributes/opened', { label: 'Other' })).status, 200);
  assert.equal((await call('PATCH', '/attributes/opened?force=true', open)).data.editable_by, 'person');
  const [claim] = (await claimsOf(client)) ?? [];
  assert.ok(claim?.source === 'attribute' && claim.selfAsserted);
  // The claim says so, so that there's nothing to confirm any more.
  await call('PATCH', '/attributes/opened', { editable_by: 'administrator' });
  assert.equal((await call('PATCH', '/attributes/opened', open)).status, 200);
  await call('DELETE', '/attributes/opened?force=true');
});
