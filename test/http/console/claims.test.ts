// The claims of an application in the console, without JavaScript: adding, editing and removing one, and the preview.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { updateClient } from '../../../src/operations/clients/clients.ts';
import { newAttribute, newGroup } from '../../harness/claim-subjects.ts';
import { alertOn, noticeOn, send, visit } from '../../harness/console.ts';
import { readForm } from '../../harness/person.ts';
import { requester } from '../../harness/service.ts';
import { assertNothingChanged, everythingIn } from '../../harness/store.ts';
import { consoleOfSuite } from '../../harness/suite.ts';

const { service, administrator, admin } = consoleOfSuite();

before(async () => {
  for (const name of ['Admins', 'Staff', 'A & "B" <i>']) await newGroup(service, name);
  await newAttribute(service, 'department', 'administrator', 'Department of work');
  await newAttribute(service, 'nickname', 'person');
});

const pageOf = (id: string) => `/admin/applications/${id}`;
const claimsOf = async (id: string) => (await service.running.services.storage.findClient(id))?.claims ?? [];

/** What a field of the page shows. */
const shownIn = (page: string, name: string) =>
  new RegExp(`<input id="${name}" name="${name}"[^>]* value="([^"]*)"`).exec(page)?.[1];

function add(id: string, source: string, values: Record<string, string>) {
  return send(admin, `${pageOf(id)}/claims/new?source=${source}`, `${pageOf(id)}/claims`, values);
}

test('each source has a form that adds a claim, and the page of the application lists it', async () => {
  const { id } = await service.newClient();
  assert.match(
    (await visit(admin, `${pageOf(id)}/claims`)).page,
    /No claims\. The application doesn’t see groups or attributes\./,
  );
  const { page: choice } = await visit(admin, `${pageOf(id)}/claims/new`);
  const forms: [string, Record<string, string>, string][] = [
    [
      'groups',
      { claim: 'groups', groups: 'staff\r\n\r\n A & "B" <i> ' },
      'Which of these groups they’re in: Staff and A &amp; &quot;B&quot; &lt;i&gt;',
    ],
    [
      'attribute',
      { claim: 'dept', attribute: 'department', label: 'Department' },
      'Their attribute Department of work',
    ],
    ['value', { claim: 'tier', value: 'gold', id_token: 'yes' }, '“gold” for everyone'],
    ['has-group', { claim: 'admin', group: 'Admins' }, 'Whether they’re in Admins'],
    [
      'if-group',
      { claim: 'role', group_0: 'Admins', value_0: 'admin', group_2: 'Staff', value_2: 'editor', else: 'viewer' },
      'The first that applies: “admin” for Admins, “editor” for Staff, otherwise “viewer”',
    ],
    ['map-groups', { claim: 'roles', group_1: 'Staff', value_1: 'editor' }, 'All that apply: “editor” for Staff'],
  ];
  for (const [source, values, line] of forms) {
    assert.ok(choice.includes(`href="${pageOf(id)}/claims/new?source=${source}"`), source);
    const { page } = await add(id, source, values);
    assert.equal(noticeOn(page), 'Claim saved.', `${source}: ${alertOn(page)}`);
    assert.ok(page.includes(line), line);
  }
  const claims = await claimsOf(id);
  assert.deepEqual(
    claims.map((claim) => [claim.claim, claim.source, claim.label, claim.idToken]),
    [
      ['groups', 'groups', null, false],
      ['dept', 'attribute', 'Department', false],
      ['tier', 'value', null, true],
      ['admin', 'has-group', null, false],
      ['role', 'if-group', null, false],
      ['roles', 'map-groups', null, false],
    ],
  );
});

test('a claim is edited in its place, shows what it has, and is removed', async () => {
  const { id } = await service.newClient();
  await add(id, 'value', { claim: 'a:b/c', value: 'x' });
  await add(id, 'if-group', { claim: 'role', group_0: 'Staff', value_0: 's', label: 'Role', id_token: 'yes' });
  const edit = `${pageOf(id)}/claims/edit?claim=${encodeURIComponent('a:b/c')}`;
  assert.ok((await visit(admin, `${pageOf(id)}/claims`)).page.includes(`href="${edit}"`));
  const { page } = await send(admin, edit, `${pageOf(id)}/claims`, { claim: 'tier', value: 'y' });
  assert.equal(noticeOn(page), 'Claim saved.');
  const [tier, role] = await claimsOf(id);
  assert.deepEqual([tier?.claim, tier?.source === 'value' && tier.value, role?.claim], ['tier', 'y', 'role']);

  const { page: filled } = await visit(admin, `${pageOf(id)}/claims/edit?claim=role`);
  assert.deepEqual(
    ['claim', 'label', 'group_0', 'value_0'].map((name) => shownIn(filled, name)),
    ['role', 'Role', 'Staff', 's'],
  );
  assert.match(filled, /name="id_token" type="checkbox" value="yes" checked/);
  assert.equal(readForm(filled, `${pageOf(id)}/claims`)?.fields.was, 'role');

  const removal = readForm((await visit(admin, `${pageOf(id)}/claims`)).page, `${pageOf(id)}/claims/remove`);
  assert.equal(removal?.fields.claim, 'tier');
  const removed = await send(admin, `${pageOf(id)}/claims`, `${pageOf(id)}/claims/remove`);
  assert.equal(noticeOn(removed.page), 'Claim removed.');
  assert.deepEqual(
    (await claimsOf(id)).map((each) => each.claim),
    ['role'],
  );
  assert.equal((await visit(admin, `${pageOf(id)}/claims/edit?claim=tier`)).status, 404);
});

test('more rows keep what was typed and change nothing, even without proof', async () => {
  const { id } = await service.newClient();
  const since = await everythingIn(service);
  const { page } = await add(id, 'map-groups', { claim: 'r', group_0: 'Staff', value_0: '<b>', more: 'yes' });
  assert.deepEqual(
    ['claim', 'group_0', 'value_0'].map((name) => shownIn(page, name)),
    ['r', 'Staff', '&lt;b&gt;'],
  );
  assert.ok(page.includes('name="group_7"') && !page.includes('name="group_8"'));
  await assertNothingChanged(service, since);
  const huge = await add(id, 'map-groups', { claim: 'r', rows: '999', more: 'yes' });
  assert.ok(huge.page.includes('name="group_99"') && !huge.page.includes('name="group_100"'));
});

describe('refused, with what was typed', () => {
  const faults: [string, string, Record<string, string>, RegExp][] = [
    ['a reserved name', 'value', { claim: 'Sub', value: 'kept' }, /The claim "Sub" is reserved/],
    ['an invalid name', 'value', { claim: '__proto__', value: 'kept' }, /must begin with a letter/],
    ['an unknown group', 'has-group', { claim: 'a', group: 'kept' }, /There is no group "kept"/],
    ['an attribute of people', 'attribute', { claim: 'kept', attribute: 'nickname' }, /must be self-asserted/],
    ['a group without a value', 'map-groups', { claim: 'kept', group_0: 'Staff' }, /needs a text as "value"/],
    ['no group at all', 'if-group', { claim: 'kept', else: 'x' }, /needs a list of/],
    ['a name that is taken', 'value', { claim: 'TAKEN', value: 'kept' }, /The claim "TAKEN" appears twice/],
  ];
  for (const [name, source, values, problem] of faults) {
    test(name, async () => {
      const { id } = await service.newClient();
      await add(id, 'value', { claim: 'taken', value: 'x' });
      const since = await everythingIn(service);
      const { status, page } = await add(id, source, values);
      assert.equal(status, 400);
      assert.match(alertOn(page)?.replaceAll('&quot;', '"') ?? '', problem);
      assert.match(page, /value="kept"|value="kept" /);
      await assertNothingChanged(service, since);
    });
  }

  test('a change that somebody else made meanwhile is shown first', async () => {
    const { id } = await service.newClient();
    const form = readForm((await visit(admin, `${pageOf(id)}/claims/new?source=value`)).page, `${pageOf(id)}/claims`);
    assert.ok(form);
    service.clock.advance(1);
    await updateClient(service.running.services, id, { name: 'Other' }, requester);
    const response = await admin.submit(form, { claim: 'tier', value: 'typed' });
    assert.equal(response.status, 409);
    const page = await response.text();
    assert.match(alertOn(page) ?? '', /Someone else changed this application/);
    assert.equal(shownIn(page, 'value'), 'typed');
    assert.deepEqual(await claimsOf(id), []);
  });

  test('a form without a source, and pages of what is unknown', async () => {
    const { id } = await service.newClient();
    const form = readForm((await visit(admin, `${pageOf(id)}/claims/new?source=value`)).page, `${pageOf(id)}/claims`);
    assert.ok(form);
    assert.equal((await admin.submit(form, { source: 'constructor', claim: 'a', value: 'b' })).status, 400);
    for (const path of ['/admin/applications/nobody/claims/new', '/admin/applications/nobody/preview']) {
      assert.equal((await visit(admin, path)).status, 404);
    }
  });
});

test('the preview finds a person, shows both, and marks what they enter themselves', async () => {
  const person = await service.newUser({
    attributes: { as: 'json', values: { nickname: 'Mother' } },
    name: 'Radia <b>Perlman</b>',
  });
  await newGroup(service, 'Routing', person);
  const { id } = await service.newClient();
  await add(id, 'has-group', { claim: 'routes', group: 'Routing', id_token: 'yes' });
  await add(id, 'attribute', { claim: 'nick', attribute: 'nickname', self_asserted: 'yes' });
  const { page: found } = await visit(admin, `${pageOf(id)}/preview?search=radia`);
  assert.ok(found.includes(`href="${pageOf(id)}/preview?person=${person.id}"`));
  assert.equal((await service.events('claims_previewed')).length, 0);
  const { page } = await visit(admin, `${pageOf(id)}/preview?person=${person.id}`);
  assert.match(page, /<h1>Preview for Radia &lt;b&gt;Perlman&lt;\/b&gt;<\/h1>/);
  assert.equal(page.match(/<code>routes<\/code>/g)?.length, 2);
  assert.equal(page.match(/<code>nick<\/code>/g)?.length, 1);
  assert.match(page, /<code>&quot;Mother&quot;<\/code>\s*<span class="badge[^>]*>.*entered by you/s);
  const [event] = await service.events('claims_previewed');
  assert.deepEqual(
    [event?.clientId, event?.userId, event?.detail?.by],
    [id, person.id, `administrator ${administrator.id}`],
  );
  const nobody = await visit(admin, `${pageOf(id)}/preview?person=nobody`);
  assert.deepEqual([nobody.status, alertOn(nobody.page)], [404, 'There is no person &quot;nobody&quot;.']);
});
