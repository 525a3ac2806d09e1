// Attributes on one's own profile: those that people may edit, and no others.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { changeAttribute, createAttribute } from '../../../src/operations/attributes/attributes.ts';
import { editUser } from '../../../src/operations/users/edit-user.ts';
import { formTokenOf, signedIn } from '../../harness/account.ts';
import { formIn, type Person } from '../../harness/person.ts';
import { requester, type TestUser } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';
import { newWebhook, startReceiver } from '../../harness/webhooks.ts';

const path = '/account/profile';

const service = serviceOfSuite({ LATCHKEY_WEBHOOK_NETWORKS: '127.0.0.0/8' });
let user: TestUser;
let person: Person;
before(async () => {
  const { services } = service.running;
  for (const [name, editableBy, kind] of [
    ['nickname', 'person', 'text'],
    ['shoe_size', 'person', 'number'],
    ['department', 'administrator', 'text'],
  ] as const) {
    await createAttribute(services, { name, label: `Your ${name}`, kind, editableBy }, requester);
  }
  user = await service.newUser();
  person = await signedIn(service, user);
});

/** Browsers send all fields of a form. */
const save = async (values: Record<string, string>) =>
  person.submit(await formIn(await person.visit(path), path), { name: 'Zed', ...values });

const attributes = async (id = user.id) => (await service.running.services.storage.findUser(id))?.attributes;

test('people change those that they may edit; an empty field removes a value', async () => {
  const form = await formIn(await person.visit(path), path);
  assert.equal('attribute.department' in form.fields, false);
  await save({ 'attribute.nickname': ' Zed ', 'attribute.shoe_size': '42.5' });
  assert.deepEqual(await attributes(), { nickname: 'Zed', shoe_size: 42.5 });
  const shown = await person.visit(path);
  assert.match(await shown.text(), /name="attribute\.nickname"[^>]*value="Zed"/);
  await save({ 'attribute.shoe_size': '', 'attribute.nickname': 'Zed' });
  assert.deepEqual(await attributes(), { nickname: 'Zed' });
  // A form that doesn't have the field says nothing about it.
  const token = await formTokenOf(person);
  const body = new URLSearchParams({ form_token: token, name: 'Zed' });
  await person.request(path, { method: 'POST', body });
  assert.deepEqual(await attributes(), { nickname: 'Zed' });
});

test('what is wrong stands at its field, and nothing is saved', async () => {
  const before = await attributes();
  const response = await save({ 'attribute.shoe_size': 'large', 'attribute.nickname': 'Other' });
  assert.equal(response.status, 400);
  const page = await response.text();
  assert.match(page, /id="attribute\.shoe_size-problem">Enter a number/);
  assert.match(page, /name="attribute\.nickname"[^>]*value="Other"/);
  assert.deepEqual(await attributes(), before);
});

test('one for administrators is never theirs to set, nor one that was theirs until now', async () => {
  const { services } = service.running;
  const values = { department: 'Sales' };
  await editUser(services, { id: user.id }, { attributes: { as: 'json', values } }, requester);
  const form = await formIn(await person.visit(path), path);
  const send = (name: string) => {
    const fields = { form_token: form.fields.form_token ?? '', name: 'Zed', [`attribute.${name}`]: 'Board' };
    return person.request(path, { method: 'POST', body: new URLSearchParams(fields) });
  };
  await send('department');
  assert.equal((await attributes())?.department, 'Sales');
  await changeAttribute(services, 'nickname', { editableBy: 'administrator' }, requester);
  await send('nickname');
  assert.equal((await attributes())?.nickname, 'Zed');
  await changeAttribute(services, 'nickname', { editableBy: 'person' }, requester);
  await send('nickname');
  assert.equal((await attributes())?.nickname, 'Board');
});

test('the event names what changed, and so does the webhook', async () => {
  const receiver = await startReceiver();
  try {
    await newWebhook(service, { url: receiver.url, types: ['user.updated'] });
    service.clock.advance(120);
    await save({ 'attribute.nickname': 'Unseen', 'attribute.shoe_size': '40' });
    const { detail } = (await service.events('profile_changed')).at(-1) ?? {};
    assert.deepEqual(detail, { changed: ['attributes.nickname', 'attributes.shoe_size'] });
    await save({ name: 'Zed Last' });
    const last = (await service.events('profile_changed')).at(-1);
    assert.deepEqual(last?.detail, {});
    const [rows] = await service.rowsOf(['webhook_deliveries']);
    const changed = rows?.map(({ data }) => JSON.parse(String(data)).changed);
    assert.deepEqual(changed, [['attributes.nickname', 'attributes.shoe_size'], ['profile']]);
    assert.equal(JSON.stringify(await service.rowsOf(['events', 'webhook_deliveries'])).includes('Unseen'), false);
  } finally {
    await receiver.stop();
  }
});
