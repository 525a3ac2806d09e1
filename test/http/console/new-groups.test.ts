// Creating a group in the console, protected from the beginning or not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertOn, noticeOn, send, visit } from '../../harness/console.ts';
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
