// Invalid input to the API is refused in a sentence that says what is wrong.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Api, type Input, type KeyCaller, newKey } from '../../harness/api.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

let service: TestService;
let api: Api;
let key: KeyCaller;

before(async () => {
  service = await startTestService();
  key = await newKey(service);
  api = await Api.of(service);
});
after(() => service.stop());

const good = { name: 'App', redirect_uris: ['https://app.example/cb'] };
const json = 'application/json';
const bodies: [string, Input, string, string?][] = [
  ['no body', {}, 'The Content-Type must be application/json.'],
  [
    'a form',
    { raw: { type: 'application/x-www-form-urlencoded', bytes: 'name=x' } },
    'The Content-Type must be application/json.',
  ],
  [
    'not JSON',
    { raw: { type: json, bytes: '{"name":' } },
    'The body is not valid JSON: the text ends where a value is expected, at line 1, column 9.',
  ],
  ['not UTF-8', { raw: { type: json, bytes: Buffer.from([0x7b, 0xff, 0x7d]) } }, 'The body is not valid UTF-8.'],
  ['another charset', { raw: { type: `${json}; charset=latin1`, bytes: '{}' } }, 'The body must be encoded in UTF-8.'],
  ['an array', { body: [good] }, 'The body must be a JSON object.'],
  [
    'a member twice',
    { raw: { type: json, bytes: '{"name":"a","name":"b"}' } },
    'The body is not valid JSON: the key "name" is there a second time at line 1, column 13.',
  ],
  ['a member that is unknown', { body: { ...good, owner: 'me' } }, 'There is no member "owner" here.', 'owner'],
  [
    'a prototype',
    { raw: { type: json, bytes: '{"name":"a","redirect_uris":["x"],"__proto__":{}}' } },
    'There is no member "__proto__" here.',
    '__proto__',
  ],
  ['a member that is missing', { body: { name: 'App' } }, 'The member "redirect_uris" is missing.', 'redirect_uris'],
  ['another type', { body: { ...good, name: 5 } }, 'The member "name" must be a string.', 'name'],
  [
    'another type inside',
    { body: { ...good, redirect_uris: [true] } },
    'The member "redirect_uris.0" must be a string.',
    'redirect_uris.0',
  ],
  [
    'nothing in a list',
    { body: { ...good, redirect_uris: [] } },
    'The member "redirect_uris" must not be empty.',
    'redirect_uris',
  ],
  [
    'text for a yes or no',
    { body: { ...good, public: 'yes' } },
    'The member "public" must be true or false.',
    'public',
  ],
  [
    'a scope that is unknown',
    { body: { ...good, scopes: ['admin'] } },
    'The member "scopes.0" must be one of: openid, profile, email.',
    'scopes.0',
  ],
  [
    'a control character',
    { body: { ...good, name: 'a\u0000b' } },
    'The member "name" has characters that are not allowed.',
  ],
  [
    'half a character',
    { raw: { type: json, bytes: '{"name":"\\ud800"}' } },
    'The member "name" has characters that are not allowed.',
  ],
  [
    'depth',
    { raw: { type: json, bytes: `${'{"a":'.repeat(101)}1${'}'.repeat(101)}` } },
    'The body is not valid JSON: more levels than anybody needs at line 1, column 506.',
  ],
  ['an empty name', { body: { ...good, name: '' } }, 'The name is empty.'],
  [
    'an address that is invalid',
    { body: { ...good, redirect_uris: ['http://app.example/'] } },
    'The redirect URI "http://app.example/" uses plain http, which is allowed only for localhost, 127.0.0.1 and [::1].',
  ],
];
for (const [name, input, message, field] of bodies) {
  test(`a body: ${name}`, async () => {
    const answer = await api.call('createApplication', key, input);
    assert.equal(answer.status, 400);
    assert.equal(answer.message, message);
    assert.deepEqual(answer.data, field === undefined ? null : { field });
  });
}

test('a body where none is allowed', async () => {
  const params = { client_id: (await service.newClient()).id };
  assert.equal((await api.call('revokeApplication', key, { params, body: { reason: 'x' } })).status, 400);
  assert.equal(
    (await api.call('revokeApplication', key, { params, raw: { type: 'text/plain', bytes: 'x' } })).status,
    400,
  );
  assert.equal((await api.call('revokeApplication', key, { params, body: {} })).status, 200);
});

test('nothing to change', async () => {
  const params = { client_id: (await service.newClient()).id };
  const answer = await api.call('updateApplication', key, { params, body: {} });
  assert.deepEqual([answer.status, answer.message], [400, 'At least one member is needed.']);
});

const queries: [string, string][] = [
  ['limit=0', 'The parameter "limit" must be at least 1.'],
  ['limit=201', 'The parameter "limit" must be at most 200.'],
  ['limit=ten', 'The parameter "limit" must be a whole number.'],
  ['limit=1e2', 'The parameter "limit" must be a whole number.'],
  ['limit=5&limit=6', 'The parameter "limit" is repeated.'],
  ['page=2', 'There is no parameter "page" here.'],
  ['__proto__=2', 'There is no parameter "__proto__" here.'],
  ['kind=%00', 'The parameter "kind" has characters that are not allowed.'],
  ['%ff=1', 'The name of a parameter is not plain percent-encoded UTF-8.'],
  ['kind=nothing', 'The parameter "kind" is not one that is known here.'],
  ['since=yesterday', 'The parameter "since" must be a time such as 2026-01-31T12:00:00Z.'],
  ['until=2026-01-31', 'The parameter "until" must be a time such as 2026-01-31T12:00:00Z.'],
  ['cursor=nothing', 'The cursor does not belong to this list.'],
];
for (const [query, message] of queries) {
  test(`a query: ${query}`, async () => {
    const answer = await api.send('GET', `/api/events?${query}`, key);
    assert.deepEqual([answer.status, answer.message], [400, message]);
  });
}

test('a cursor from another list', async () => {
  for (const id of ['listUsers', 'listClients']) {
    assert.equal((await api.call(id, key, { query: { cursor: 'WyJhIiwiYiJd' } })).status, 400);
  }
});

test('none of these is a 5xx, and none creates anything', async () => {
  assert.equal(service.log().includes('a request failed'), false);
  assert.deepEqual(
    (await service.rows('clients')).filter(({ name }) => name !== 'Test app'),
    [],
  );
});
