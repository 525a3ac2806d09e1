// Attributes in the console: their definitions below Settings, the questions that name applications, and a person's values.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAttribute } from '../../../src/operations/attributes/attributes.ts';
import { alertOn, noticeOn, send, visit } from '../../harness/console.ts';
import { readForm } from '../../harness/person.ts';
import { requester } from '../../harness/service.ts';
import { consoleOfSuite } from '../../harness/suite.ts';

const list = '/admin/settings/attributes';

const { service, admin, signInAgain } = consoleOfSuite();

const stored = (name: string) => service.running.services.storage.findAttribute(name);

/** Gives an application a claim from the attribute. */
async function useIn(name: string, id: string): Promise<void> {
  const { storage, journal } = service.running.services;
  const found = await stored(name);
  assert.ok(found);
  const { record } = await service.newClient();
  const source = { source: 'attribute', attribute: { name, since: found.createdAt }, selfAsserted: false } as const;
  const claim = { claim: 'dept', label: null, idToken: false, ...source };
  const client = { ...record, id, name: `The ${id}`, claims: [claim] };
  await storage.createClient(client, undefined, journal.event({ kind: 'client_created' }, requester));
}

test('one is created below Settings, changed and deleted', async () => {
  assert.match((await visit(admin, '/admin/settings')).page, new RegExp(`href="${list}"`));
  assert.match((await visit(admin, list)).page, /No attributes yet\./);
  const values = 'Sales\nSupport, EMEA\n';
  const invalid = await send(admin, list, list, { name: 'Team!', label: 'Team', kind: 'text' });
  assert.equal(invalid.status, 400);
  assert.match(invalid.page, /id="name-problem">The name must be 1 to 32 lowercase letters/);
  const refused = await send(admin, list, list, { name: 'team', label: 'Team', kind: 'text', values });
  assert.equal(refused.status, 400);
  assert.match(refused.page, /id="values-problem"/);
  const fields = { name: 'team', label: 'Team', kind: 'text', values: 'Sales\nSupport' };
  assert.equal(noticeOn((await send(admin, list, list, fields)).page), 'Attribute created.');
  assert.deepEqual((await stored('team'))?.allowedValues, ['Sales', 'Support']);

  const path = `${list}/team`;
  const saved = await send(admin, path, path, { label: 'The team', editable_by: 'person', values: '' });
  assert.equal(noticeOn(saved.page), 'Attribute saved.');
  const { label, editableBy, allowedValues } = (await stored('team')) ?? {};
  assert.deepEqual([label, editableBy, allowedValues], ['The team', 'person', null]);
  assert.equal(noticeOn((await send(admin, `${path}/delete`, `${path}/delete`)).page), 'Attribute deleted.');
  assert.equal(await stored('team'), undefined);
  assert.equal((await visit(admin, path)).status, 404);
});

test('changes need fresh proof', async () => {
  await createAttribute(service.running.services, { name: 'proven', label: 'Proven', kind: 'text' }, requester);
  service.clock.advance(16 * 60);
  const asked = await send(admin, `${list}/proven`, `${list}/proven`, { label: 'Other', editable_by: 'administrator' });
  assert.match(asked.page, /type="password"/);
  assert.equal((await stored('proven'))?.label, 'Proven');
  // Somebody's value doesn't.
  const user = await service.newUser();
  const path = `/admin/people/${user.id}`;
  const set = await send(admin, path, `${path}/attributes`, { 'attribute.proven': 'x' });
  assert.equal(noticeOn(set.page), 'Attributes saved.');
  await signInAgain();
});

test('the questions before deleting one and before opening it to people name the applications', async () => {
  const path = `${list}/used`;
  await createAttribute(service.running.services, { name: 'used', label: 'Used', kind: 'text' }, requester);
  await useIn('used', 'shop');
  const { storage } = service.running.services;

  const question = await send(admin, path, path, { label: 'Used', editable_by: 'person', values: 'a\nb' });
  assert.equal(question.status, 409);
  assert.match(question.page, /The shop/);
  assert.equal((await stored('used'))?.editableBy, 'administrator');
  const form = readForm(question.page, path);
  assert.ok(form);
  // Another application has come to use it since the question was asked, so that it's asked again.
  await useIn('used', 'wiki');
  const again = await (await admin.submit(form, {})).text();
  assert.match(again, /The shop and The wiki/);
  const confirmed = readForm(again, path);
  assert.ok(confirmed);
  assert.equal(noticeOn(await (await admin.submit(confirmed, {})).text()), 'Attribute saved.');
  const opened = await stored('used');
  assert.deepEqual([opened?.editableBy, opened?.allowedValues], ['person', ['a', 'b']]);
  for (const id of ['shop', 'wiki']) {
    const [claim] = (await storage.findClient(id))?.claims ?? [];
    assert.ok(claim?.source === 'attribute' && claim.selfAsserted);
  }

  const deletion = await visit(admin, `${path}/delete`);
  assert.match(deletion.page, /The shop and The wiki/);
  await useIn('used', 'blog').catch(() => {});
  const sent = await send(admin, `${path}/delete`, `${path}/delete`);
  assert.equal(noticeOn(sent.page), 'Attribute deleted.');
  assert.deepEqual((await storage.findClient('shop'))?.claims, []);
});

test("a person's page has their values, and leaves alone what it doesn't change", async () => {
  const { services } = service.running;
  for (const [name, kind, allowedValues] of [
    ['dept', 'text', ['Sales', 'Support']],
    ['age', 'number', null],
    ['remote', 'boolean', null],
    ['skills', 'list', null],
  ] as const) {
    await createAttribute(services, { name, label: `Their ${name}`, kind, allowedValues }, requester);
  }
  const user = await service.newUser();
  const path = `/admin/people/${user.id}`;
  const attributes = async () => (await services.storage.findUser(user.id))?.attributes;
  const { page } = await visit(admin, path);
  assert.match(page, /Their dept[\s\S]*<option value="Sales">Sales<\/option>/);
  const form = readForm(page, `${path}/attributes`);
  assert.ok(form);
  await admin.submit(form, { 'attribute.dept': 'Sales', 'attribute.age': '1.5', 'attribute.skills': 'piano, chess' });
  const first = { dept: 'Sales', age: 1.5, skills: ['piano', 'chess'] };
  assert.deepEqual(await attributes(), first);
  // The same form, whose other fields are as they were then: what was changed since stays.
  await admin.submit(form, { 'attribute.remote': 'false' });
  assert.deepEqual(await attributes(), { ...first, remote: false });
  const now = { 'attribute.age': '', 'attribute.skills': '' };
  assert.equal(noticeOn((await send(admin, path, `${path}/attributes`, now)).page), 'Attributes saved.');
  assert.deepEqual(await attributes(), { dept: 'Sales', remote: false });
  const wrong = await send(admin, path, `${path}/attributes`, { 'attribute.age': 'old', 'attribute.dept': 'Support' });
  assert.equal(wrong.status, 400);
  assert.match(alertOn(wrong.page) ?? '', /attribute "age"|attribute &quot;age&quot;/);
  assert.match(wrong.page, /value="old"/);
  assert.deepEqual(await attributes(), { dept: 'Sales', remote: false });
});
