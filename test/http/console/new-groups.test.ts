// Creating a group in the console, protected from the beginning or not.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Api, newKey, withSession } from '../../harness/api.ts';
import { alertOn, noticeOn, problemAt, send, visit } from '../../harness/console.ts';
import { Person, readForm } from '../../harness/person.ts';
import { proofAsked } from '../../harness/proof.ts';
import { newUserWithRoles } from '../../harness/roles.ts';
import { consoleOfSuite } from '../../harness/suite.ts';

const list = '/admin/groups';
const MINUTE = 60;

const { service, administrator, admin } = consoleOfSuite();

const protectedSince = async (name: string) => (await service.running.services.storage.findGroup(name))?.protectedSince;

test('an administrator creates a group that is protected, or one that is not', async () => {
  const { page } = await send(admin, list, list, { name: 'Grafana Admins', protected: 'yes' });
  assert.equal(noticeOn(page), 'Group created.');
  assert.equal(typeof (await protectedSince('Grafana Admins')), 'number');
  await send(admin, list, list, { name: 'Staff' });
  assert.equal(await protectedSince('Staff'), null);
  const [first] = await service.events('group_created');
  assert.equal(first?.detail?.protected, 'yes');
});

test('a form that is refused keeps what was ticked', async () => {
  const { status, page } = await send(admin, list, list, { name: 'staff', protected: 'yes' });
  assert.equal(status, 400);
  assert.match(alertOn(page) ?? '', /already a group/);
  assert.match(page, /name="protected"[^>]* checked/);
});

test('protecting one needs proof, like protecting one that exists', async () => {
  service.clock.advance(16 * MINUTE);
  const form = readForm((await visit(admin, list)).page, list);
  assert.ok(form);
  const proof = await proofAsked(await admin.submit(form, { name: 'Later', protected: 'yes' }));
  assert.equal(await protectedSince('Later'), undefined);
  await admin.submit(proof, { password: administrator.password });
  assert.equal(typeof (await protectedSince('Later')), 'number');
  service.clock.advance(16 * MINUTE);
  const { page } = await send(admin, list, list, { name: 'Without proof' });
  assert.equal(noticeOn(page), 'Group created.');
});

test('someone who looks after people has no box, and is refused if they send it', async () => {
  const helper = new Person(service);
  await helper.signIn(await newUserWithRoles(service, ['people']));
  assert.equal((await visit(helper, list)).page.includes('name="protected"'), false);
  const { status, page } = await send(helper, list, list, { name: 'Mine', protected: 'yes' });
  assert.equal(status, 403);
  assert.equal(alertOn(page), 'Only an administrator can decide whether a group is protected.');
  assert.equal(await protectedSince('Mine'), undefined);
  assert.equal((await service.events('administration_refused')).length, 1);
});

test('a name that is refused says so at its field', async () => {
  const { status, page } = await send(admin, list, list, { name: ' ' });
  assert.equal(status, 400);
  assert.equal(problemAt(page, 'name'), 'The name is empty.');
});

describe('the API', () => {
  test('asks for proof before it creates one that is protected, and for no other', async () => {
    const api = await Api.of(service);
    const caller = await withSession(service, administrator);
    service.clock.advance(16 * MINUTE);
    const create = (body: object) => api.call('createGroup', caller, { body });
    assert.equal((await create({ name: 'Open', protected: false })).status, 201);
    const { status, data } = await create({ name: 'Closed', protected: true });
    assert.deepEqual([status, data], [403, { error_code: 'PROOF_REQUIRED' }]);
    assert.equal(await protectedSince('Closed'), undefined);
  });

  test('takes no change that changes nothing', async () => {
    const api = await Api.of(service);
    const key = await newKey(service);
    const { id } = (await api.call('createGroup', key, { body: { name: 'Same' } })).data;
    const { status, message } = await api.call('renameGroup', key, { params: { id: String(id) }, body: {} });
    assert.deepEqual([status, message], [400, 'At least one member is needed.']);
  });

  test('finds groups by any part of their name, as the console does, and counts those', async () => {
    const api = await Api.of(service);
    const key = await newKey(service);
    for (const name of ['Night shift', 'Day shift']) await api.call('createGroup', key, { body: { name } });
    const { data } = await api.call('listGroups', key, { query: { search: 'SHIF', total: 'yes' } });
    assert.deepEqual(
      data.items.map(({ name }) => name),
      ['Day shift', 'Night shift'],
    );
    assert.deepEqual({ ...data, items: [] }, { ...data, items: [], total: { count: 2, more: false } });
    assert.deepEqual((await api.call('listGroups', key, { query: { search: 'nothing' } })).data.items, []);
  });
});
