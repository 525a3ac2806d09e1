// Verified domains, on every surface.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subjectCommands } from '../../src/cli/frame/subject-commands.ts';
import { verifiedDomains } from '../../src/operations/settings/verified-domains.ts';
import { Api, newKey } from '../harness/api.ts';
import { noticeOn, send, visit } from '../harness/console.ts';
import { consoleOfSuite } from '../harness/suite.ts';

const { service, admin } = consoleOfSuite();
const path = '/admin/verified-domains';
const names = async () => (await service.running.services.settings.readFresh()).scim_verified_domains;

test('the console adds one, names what is wrong at its field, and deletes it after a question', async () => {
  const added = await send(admin, path, path, { name: 'Example.COM' });
  assert.equal(noticeOn(added.page), 'Verified domain created.');
  assert.deepEqual(await names(), ['example.com']);
  const refused = await send(admin, path, path, { name: 'no domain' });
  assert.equal(refused.status, 400);
  assert.notEqual((await visit(admin, `${path}/example.com/delete`)).page.indexOf('Delete example.com?'), -1);
  const deleted = await send(admin, path, `${path}/example.com/delete`);
  assert.equal(noticeOn(deleted.page), 'Verified domain deleted.');
  assert.deepEqual(await names(), []);
});

test('the API lists, adds and deletes them', async () => {
  const api = await Api.of(service);
  const key = await newKey(service, 'administrator');
  assert.equal((await api.call('createVerifiedDomain', key, { body: { name: 'a.example' } })).status, 201);
  assert.equal((await api.call('createVerifiedDomain', key, { body: { name: 'a.example' } })).status, 409);
  assert.deepEqual((await api.call('listVerifiedDomains', key)).data.items, [{ name: 'a.example' }]);
  assert.equal((await api.call('deleteVerifiedDomain', key, { params: { name: 'a.example' } })).status, 200);
  assert.equal((await api.call('deleteVerifiedDomain', key, { params: { name: 'a.example' } })).status, 404);
});

test('the commands are create, list and delete', () => {
  assert.deepEqual(Object.keys(subjectCommands(verifiedDomains).commands), ['create', 'list', 'delete']);
});
