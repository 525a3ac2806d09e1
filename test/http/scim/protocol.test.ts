// SCIM from outside: who is let in, what is refused before anything is looked up, and what the service says about itself.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createApiKey } from '../../../src/operations/api-keys/api-keys.ts';
import { createAttribute } from '../../../src/operations/attributes/attributes.ts';
import { urns } from '../../../src/protocol/scim/urns.ts';
import { directoryWith, newDirectory, type TestDirectory } from '../../harness/scim.ts';
import { requester } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const service = serviceOfSuite();
let directory: TestDirectory;

before(async () => {
  directory = await newDirectory(service);
});

test('every path needs a SCIM token', async () => {
  const wrong = directory.secret.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  const input = { name: 'Key', permission: 'administrator', days: null };
  const made = await createApiKey(service.running.services, input, requester);
  const key = made.kind === 'done' ? made.secret : '';
  const ended = await newDirectory(service, { expiresAt: service.clock.now() + 1 });
  const paths = ['/Users', '/Users/x', '/Groups', '/ServiceProviderConfig', '/Schemas', '/Bulk', '/Me', '/nothing', ''];
  for (const secret of [wrong, key, ended.secret, '']) {
    for (const path of paths) {
      const { status, headers, body } = await directoryWith(service, secret).send('GET', path);
      assert.deepEqual([status, body.status, body.schemas], [401, '401', [urns.error]], path);
      assert.equal(headers.get('WWW-Authenticate'), 'Bearer realm="Latchkey"');
    }
  }
});

test('a SCIM token opens nothing else', async () => {
  for (const path of ['/api/people', '/api/me', '/oauth/userinfo']) {
    const headers = { Authorization: `Bearer ${directory.secret}` };
    assert.equal((await fetch(service.url + path, { headers })).status, 401, path);
  }
});

test('each token is limited to 50 requests per second', async () => {
  const own = await newDirectory(service, { source: 'fast' });
  const ask = () =>
    fetch(`${service.url}/scim/v2/ServiceProviderConfig`, { headers: { Authorization: `Bearer ${own.secret}` } });
  const answers = await Promise.all(Array.from({ length: 51 }, ask));
  assert.equal(answers.filter(({ status }) => status === 200).length, 50);
  const refused = answers.find(({ status }) => status === 429);
  assert.equal(refused?.headers.get('Retry-After'), '1');
  assert.match(await (refused?.text() ?? ''), /limited to 50 requests a second/);
  assert.equal((await directory.send('GET', '/ServiceProviderConfig')).status, 200);
});

test('bodies can have 1 MB', async () => {
  const person = (size: number) => ({ schemas: [urns.user], userName: 'large@scim.example', title: 'x'.repeat(size) });
  const { status, body } = await directory.send('POST', '/Users', person(1024 * 1024));
  assert.deepEqual([status, body.status, body.schemas], [413, '413', [urns.error]]);
  assert.equal((await directory.send('POST', '/Users', person(1024 * 1024 - 200))).status, 201);
  const Operations = Array.from({ length: 1001 }, () => ({ op: 'replace', path: 'active', value: true }));
  const many = await directory.send('PATCH', '/Users/x', { schemas: [urns.patch], Operations });
  assert.equal(many.status, 413);
});

test("a body that isn't one JSON object is refused", async () => {
  for (const body of ['', '{', '[]', '"x"', '{"userName": "a", "userName": "b"}', '['.repeat(100_000)]) {
    const answer = await directory.send('POST', '/Users', body);
    assert.deepEqual([answer.status, answer.body.scimType], [400, 'invalidSyntax'], body.slice(0, 40));
  }
  const headers = { Authorization: `Bearer ${directory.secret}`, 'Content-Type': 'text/plain' };
  const other = await fetch(`${service.url}/scim/v2/Users`, { method: 'POST', headers, body: '{}' });
  assert.equal(other.status, 400);
});

test('application/json is taken as well', async () => {
  const headers = { Authorization: `Bearer ${directory.secret}`, 'Content-Type': 'application/json; charset=utf-8' };
  const body = JSON.stringify({ schemas: [urns.user], userName: 'json@scim.example' });
  assert.equal((await fetch(`${service.url}/scim/v2/Users`, { method: 'POST', headers, body })).status, 201);
});

test('Bulk and Me are 501, and what does not exist is 404', async () => {
  for (const [method, path] of [
    ['POST', '/Bulk'],
    ['GET', '/Me'],
    ['PATCH', '/Me'],
  ] as const) {
    const { status, body } = await directory.send(method, path, method === 'GET' ? undefined : {});
    assert.deepEqual([status, body.schemas], [501, [urns.error]], path);
  }
  for (const path of ['/nothing', '/users/x/y', '/Users/x/y', '/Schemas/x', '/Users/%00', '/..%2fUsers']) {
    const { status, body } = await directory.send('GET', path);
    assert.deepEqual([status, body.schemas], [404, [urns.error]], path);
  }
  assert.equal((await directory.send('PUT', '/Users', {})).status, 404);
});

test('an encoded path is the same path', async () => {
  const headers = { Authorization: `Bearer ${directory.secret}` };
  for (const path of ['/%73cim/v2/Users', '/scim/v2/%55sers']) {
    assert.equal((await fetch(service.url + path)).status, 401, path);
    assert.equal((await fetch(service.url + path, { headers })).status, 200, path);
  }
});

test('what the service supports', async () => {
  const { body } = await directory.send('GET', '/ServiceProviderConfig');
  const { patch, bulk, filter, changePassword, sort, etag, authenticationSchemes } = body;
  assert.deepEqual(
    [patch, filter, bulk, changePassword, sort, etag].map(({ supported }) => supported),
    [true, true, false, false, false, false],
  );
  assert.equal(authenticationSchemes[0].type, 'oauthbearertoken');
  const types = await directory.send('GET', '/ResourceTypes');
  assert.deepEqual(
    types.body.Resources.map(({ id, endpoint, description }: Record<string, string>) => [id, endpoint, description]),
    [
      ['User', '/Users', 'A person.'],
      ['Group', '/Groups', 'A group of people.'],
    ],
  );
  assert.equal((await directory.send('GET', '/ResourceTypes/User')).body.schema, urns.user);
});

test('schemas have the attributes of people that are defined', async () => {
  const { services } = service.running;
  for (const [name, kind] of [
    ['department', 'text'],
    ['badges', 'list'],
  ] as const) {
    assert.equal((await createAttribute(services, { name, label: name, kind }, requester)).kind, 'done');
  }
  const { body } = await directory.send('GET', '/Schemas');
  assert.equal(body.totalResults, 4);
  const names = async (urn: string) =>
    (await directory.send('GET', `/Schemas/${urn}`)).body.attributes.map(
      ({ name, multiValued }: { name: string; multiValued: boolean }) => (multiValued ? `${name}[]` : name),
    );
  assert.deepEqual(await names(urns.enterprise), ['department']);
  assert.deepEqual((await names(urns.own)).toSorted(), ['badges[]', 'department']);
  assert.ok((await names(urns.user)).includes('userName'));
  assert.ok(!(await names(urns.user)).includes('password'));
});

test('no secret and no address is logged', async () => {
  assert.doesNotMatch(service.log(), new RegExp(`${directory.secret}|json@scim`));
});
