// The claims of an application in the API: what can be set, what is refused, and what changes of groups do to it.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { deleteGroup, updateGroup } from '../../../src/operations/groups/groups.ts';
import { Api, type KeyCaller, newKey, withSession } from '../../harness/api.ts';
import { newAttribute, newGroup } from '../../harness/claim-subjects.ts';
import { requester, startTestService, type TestService } from '../../harness/service.ts';
import { assertNothingChanged, everythingIn } from '../../harness/store.ts';

let service: TestService;
let api: Api;
let key: KeyCaller;

before(async () => {
  service = await startTestService();
  key = await newKey(service);
  api = await Api.of(service);
  await newGroup(service, 'Staff');
  await newGroup(service, 'Admins');
  await newAttribute(service, 'department');
  await newAttribute(service, 'nickname', 'person');
});
after(() => service.stop());

interface WithClaims {
  readonly claims: readonly Record<string, unknown>[];
}

const claimsOf = (data: unknown) => (data as WithClaims).claims;
const app = { name: 'Roles', redirect_uris: ['https://roles.example/cb'] };
const plain = { label: null, id_token: false };
const map = [
  { group: 'Admins', value: 'admin' },
  { group: 'Staff', value: 'editor' },
];
const allSix = [
  { claim: 'groups', source: 'groups', groups: null, ...plain },
  { claim: 'dept', source: 'attribute', attribute: 'department', self_asserted: false, ...plain },
  { claim: 'tier', source: 'value', value: 'gold', ...plain },
  { claim: 'admin', source: 'has-group', group: 'Admins', ...plain, id_token: true },
  { claim: 'role', source: 'if-group', map, else: 'viewer', ...plain, label: 'Your role' },
  { claim: 'roles', source: 'map-groups', map, ...plain },
];

async function create(claims?: unknown) {
  const made = await api.call('createApplication', key, { body: { ...app, ...(claims !== undefined && { claims }) } });
  return { ...made, id: made.data?.client_id };
}

const get = async (id: string) => claimsOf((await api.call('getApplication', key, { params: { client_id: id } })).data);
const patch = (id: string, claims: unknown, caller = key) =>
  api.call('updateApplication', caller, { params: { client_id: id }, body: { claims } });

test('an application has none by default', async () => {
  const { data, id } = await create();
  assert.deepEqual(claimsOf(data), []);
  assert.deepEqual(await get(id), []);
});

test('all six sources are stored with references and shown as they were given', async () => {
  const { data, id } = await create(allSix);
  assert.deepEqual(claimsOf(data), allSix);
  assert.deepEqual(await get(id), allSix);
  const stored = await service.running.services.storage.findClient(id);
  const group = await service.running.services.storage.findGroup('Admins');
  assert.deepEqual(stored?.claims[3], {
    claim: 'admin',
    label: null,
    idToken: true,
    source: 'has-group',
    group: { id: group?.id, name: 'Admins' },
  });
  assert.deepEqual(stored?.claims[1], {
    claim: 'dept',
    label: null,
    idToken: false,
    source: 'attribute',
    attribute: { name: 'department', since: (await attributeTimes()).department },
    selfAsserted: false,
  });
});

async function attributeTimes(): Promise<Record<string, number>> {
  const rows = await service.rows('attributes');
  return Object.fromEntries(rows.map(({ name, created_at }) => [name, Number(created_at)]));
}

test('PATCH accepts what GET shows, and that changes nothing', async () => {
  const { id } = await create(allSix);
  const since = await everythingIn(service);
  const answer = await patch(id, await get(id));
  assert.equal(answer.status, 200, answer.message);
  await assertNothingChanged(service, since);
  assert.equal((await patch(id, [...allSix].reverse())).status, 200);
  assert.deepEqual(await get(id), [...allSix].reverse());
  assert.equal((await patch(id, [])).status, 200);
  assert.deepEqual(await get(id), []);
});

test('the document has the six sources, for what is sent and what is shown', () => {
  const document = JSON.parse(JSON.stringify(api.document));
  const { anyOf } = document.components.schemas.ApplicationClaim;
  assert.deepEqual(
    anyOf.map((each: { properties: { source: { const: string } } }) => each.properties.source.const),
    allSix.map(({ source }) => source),
  );
  const items = { $ref: '#/components/schemas/ApplicationClaim' };
  for (const [path, method] of [
    ['/api/applications', 'post'],
    ['/api/applications/{client_id}', 'patch'],
  ] as const) {
    const { claims } = document.paths[path][method].requestBody.content['application/json'].schema.properties;
    assert.deepEqual([claims.items, claims.maxItems], [items, 20]);
    assert.equal('documentedItems' in claims, false);
  }
  assert.deepEqual(document.components.schemas.Application.properties.claims.items, items);
});

describe('refused, and nothing changes', () => {
  const deep = `${'['.repeat(90)}${']'.repeat(90)}`;
  const faults: [string, string, RegExp][] = [
    ['no list', '{}', /must be an array/],
    ['an unknown group', '[{"claim":"a","source":"has-group","group":"Nobody"}]', /^There is no group "Nobody"\.$/],
    [
      'the ID of a group',
      '[{"claim":"a","source":"has-group","group":"STAFF_ID"}]',
      /^There is no group "[a-z0-9]+"\.$/,
    ],
    ['a group called __proto__', '[{"claim":"a","source":"groups","groups":["__proto__"]}]', /no group "__proto__"/],
    [
      'an unknown attribute',
      '[{"claim":"a","source":"attribute","attribute":"shoe"}]',
      /^There is no attribute "shoe"\.$/,
    ],
    [
      'an attribute of every object',
      '[{"claim":"a","source":"attribute","attribute":"constructor"}]',
      /^There is no attribute "constructor"\.$/,
    ],
    [
      'an attribute that people can edit',
      '[{"claim":"nick","source":"attribute","attribute":"nickname"}]',
      /^The attribute nickname can be edited by people, so the claim nick must be self-asserted\.$/,
    ],
    ['a reserved name', '[{"claim":"Sub","source":"groups"}]', /^The claim "Sub" is reserved/],
    ['a standard claim', '[{"claim":"PREFERRED_username","source":"groups"}]', /is reserved/],
    ['a prototype', '[{"claim":"__proto__","source":"groups"}]', /^The claim "__proto__" must begin with a letter/],
    ['a prototype as a member', '[{"claim":"a","source":"groups","__proto__":{"x":1}}]', /has the member "__proto__"/],
    ['a key twice', '[{"claim":"a","source":"groups","claim":"b"}]', /the key "claim" is there a second time/],
    ['deep', `[{"claim":"a","source":"value","value":${deep}}]`, /needs a text as "value"/],
    ['deeper', `[${'['.repeat(120)}${']'.repeat(120)}]`, /more levels than anybody needs/],
    ['a zero byte', '[{"claim":"a","source":"value","value":"\\u0000"}]', /has characters that are not allowed/],
    ['half a character', '[{"claim":"a","source":"value","value":"\\ud800"}]', /has characters that are not allowed/],
    ['a Cyrillic name', '[{"claim":"r\u043ele","source":"groups"}]', /must begin with a letter/],
    ['a number', '[{"claim":"a","source":"value","value":1e400}]', /needs a text as "value"/],
    [
      '21 of them',
      JSON.stringify(Array.from({ length: 21 }, (_, index) => ({ claim: `c${index}`, source: 'groups' }))),
      /must have at most 20 items/,
    ],
    [
      'the same in another case',
      '[{"claim":"role","source":"groups"},{"claim":"ROLE","source":"groups"}]',
      /^The claim "ROLE" appears twice\.$/,
    ],
  ];
  for (const [name, claims, message] of faults) {
    test(name, async () => {
      const { id } = await create([{ claim: 'kept', source: 'groups' }]);
      const staff = await service.running.services.storage.findGroup('Staff');
      const since = await everythingIn(service);
      const bytes = `{"claims":${claims.replace('STAFF_ID', staff?.id ?? '')}}`;
      const answer = await api.call('updateApplication', key, {
        params: { client_id: id },
        raw: { type: 'application/json', bytes },
      });
      assert.equal(answer.status, 400, answer.message);
      assert.match(answer.message, message);
      assert.ok(answer.message.length < 300, answer.message);
      await assertNothingChanged(service, since);
    });
  }

  test('a body that is too large', async () => {
    const { id } = await create();
    const bytes = JSON.stringify({ claims: [{ claim: 'a', source: 'value', value: 'x'.repeat(20_000) }] });
    const answer = await api.call('updateApplication', key, {
      params: { client_id: id },
      raw: { type: 'application/json', bytes },
    });
    assert.equal(answer.status, 413);
  });

  test('of several problems, the first is told', async () => {
    const answer = await create([
      { claim: 'a', source: 'groups', groups: ['Nobody'] },
      { claim: 'sub', source: 'groups' },
    ]);
    assert.equal(answer.status, 400);
    assert.match(answer.message, /is reserved/);
  });
});

test('names with signs, Unicode and names of every object are taken as they are', async () => {
  const names = ['A, B; C = D: E', 'Ｓtaff ️‍🌈', 'constructor', 'else', '"quoted" \\ </script>'];
  for (const name of names) await newGroup(service, name);
  const claims = names.map((group, index) => ({ claim: `c${index}`, source: 'has-group', group, ...plain }));
  const odd = ['constructor', 'toString', 'hasOwnProperty', 'valueOf'];
  const fixed = odd.map((claim) => ({ claim, source: 'value', value: claim, ...plain }));
  const { id, status, message } = await create([...claims, ...fixed]);
  assert.equal(status, 201, message);
  const shown = await get(id);
  const { storage } = service.running.services;
  for (const [index, name] of names.entries()) {
    assert.equal(shown[index]?.group, (await storage.findGroup(name))?.name);
  }
  assert.deepEqual(shown.slice(names.length), fixed);
});

test('an attribute that people can edit is a source if the claim says so', async () => {
  const claim = { claim: 'nick', source: 'attribute', attribute: 'nickname', self_asserted: true, ...plain };
  const { id } = await create([claim]);
  assert.deepEqual(await get(id), [claim]);
});

test('another name of a group shows in claims, and a deleted group stays, as deleted', async () => {
  const { services } = service.running;
  const [editors, readers] = [await newGroup(service, 'Editors'), await newGroup(service, 'Readers')];
  const { id } = await create([
    {
      claim: 'role',
      source: 'if-group',
      map: [
        { group: 'Editors', value: 'e' },
        { group: 'readers', value: 'r' },
      ],
    },
  ]);
  assert.equal((await updateGroup(services, editors, { name: 'Writers' }, requester)).kind, 'done');
  assert.equal((await deleteGroup(services, readers, true, requester)).kind, 'done');
  await newGroup(service, 'Readers');
  const shown = await get(id);
  assert.deepEqual(shown[0]?.map, [
    { group: 'Writers', value: 'e' },
    { group: 'Readers (deleted)', value: 'r' },
  ]);
  const since = await everythingIn(service);
  assert.equal((await patch(id, shown)).status, 200);
  await assertNothingChanged(service, since);
  const relabeled = await patch(id, [{ ...shown[0], label: 'Role' }]);
  assert.equal(relabeled.status, 200, relabeled.message);
  assert.deepEqual((await get(id))[0]?.map, shown[0]?.map);
  assert.equal((await create(shown)).message, 'There is no group "Readers (deleted)".');
});

test('a group that is renamed or deleted at the same moment never leaves a reference behind', async () => {
  const { services } = service.running;
  for (let round = 0; round < 6; round++) {
    const name = `Racing ${round}`;
    const group = await newGroup(service, name);
    const { id } = await create([{ claim: 'old', source: 'has-group', group: name }]);
    const added = { claim: 'new', source: 'has-group', group: name, ...plain };
    const [answer] = await Promise.all([
      patch(id, [...(await get(id)), added]),
      round % 2 === 0
        ? deleteGroup(services, group, true, requester)
        : updateGroup(services, group, { name: `Renamed ${round}` }, requester),
    ]);
    const shown = round % 2 === 0 ? `${name} (deleted)` : `Renamed ${round}`;
    const claims = await get(id);
    assert.deepEqual(new Set(claims.map((claim) => claim.group)), new Set([shown]), answer.message);
    assert.equal(claims.length, answer.status === 200 ? 2 : 1, answer.message);
  }
});

test('changing claims needs fresh proof, and the event says what changed', async () => {
  const administrator = await service.newUser({ admin: true });
  const session = await withSession(service, administrator);
  const { id } = await create();
  service.clock.advance(16 * 60);
  const change = { params: { client_id: id }, body: { claims: [allSix[4], allSix[1]] } };
  const since = await everythingIn(service);
  const asked = await api.call('updateApplication', session, change);
  assert.deepEqual([asked.status, asked.data], [403, { error_code: 'PROOF_REQUIRED' }]);
  await assertNothingChanged(service, since);
  const fresh = await withSession(service, administrator);
  assert.equal((await api.call('updateApplication', fresh, change)).status, 200);
  const event = (await service.events('client_updated')).at(-1);
  assert.deepEqual(event?.detail, {
    changed: ['claims'],
    claims: ['role=if-group:Admins=admin;Staff=editor;else=viewer (shown as "Your role")', 'dept=attribute:department'],
    by: `administrator ${administrator.id}`,
  });
});

describe('the preview', () => {
  test('shows what userinfo and the ID token would have, and is recorded', async () => {
    const person = await service.newUser();
    await newGroup(service, 'Preview', person);
    const { id } = await create([
      { claim: 'groups', source: 'groups' },
      { claim: 'in', source: 'has-group', group: 'Preview', id_token: true },
    ]);
    const params = { client_id: id };
    const all = await api.call('previewClaims', key, { params, query: { person: person.id } });
    const { userinfo, id_token } = all.data as unknown as Record<string, Record<string, unknown>>;
    assert.equal(userinfo?.email, person.email);
    assert.deepEqual([userinfo?.groups, userinfo?.in], [['Preview'], true]);
    assert.deepEqual(id_token, { iss: service.baseUrl, sub: person.id, aud: id, in: true });
    const event = (await service.events('claims_previewed')).at(-1);
    assert.deepEqual([event?.clientId, event?.userId], [id, person.id]);
    const few = await api.call('previewClaims', key, { params, query: { person: person.id, scope: 'openid' } });
    assert.deepEqual(few.data, {
      userinfo: { sub: person.id },
      id_token: { iss: service.baseUrl, sub: person.id, aud: id },
    });
  });

  const refused: [string, Record<string, string>, number, RegExp][] = [
    ['nobody', { person: 'nobody' }, 404, /There is no person/],
    ['no person', {}, 400, /"person" is missing/],
    ['an unknown scope', { person: 'PERSON', scope: 'groups' }, 400, /Unknown scope/],
    ['another parameter', { person: 'PERSON', claims: 'x' }, 400, /There is no parameter "claims" here/],
  ];
  for (const [name, query, status, message] of refused) {
    test(`is refused for ${name}`, async () => {
      const person = await service.newUser();
      const { id } = await create();
      const filled = Object.fromEntries(Object.entries(query).map(([k, v]) => [k, v === 'PERSON' ? person.id : v]));
      const answer = await api.call('previewClaims', key, { params: { client_id: id }, query: filled });
      assert.equal(answer.status, status, answer.message);
      assert.match(answer.message, message);
    });
  }
});
