// Groups are chosen in forms: which names are offered, to whom, and what is said about a name that there isn't.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { createGroup } from '../../../src/operations/groups/groups.ts';
import { alertOn, problemAt, send, visit } from '../../harness/console.ts';
import { Person } from '../../harness/person.ts';
import { newUserWithRoles } from '../../harness/roles.ts';
import { requester } from '../../harness/service.ts';
import { consoleOfSuite } from '../../harness/suite.ts';

const { service, admin } = consoleOfSuite();

const meant = 'There is no group &quot;Finanec&quot;. Did you mean Finance?';
let clientId = '';

before(async () => {
  const { services } = service.running;
  await createGroup(services, { name: 'Finance' }, requester);
  await createGroup(services, { name: 'Auditors', protected: true }, requester);
  clientId = (await service.newClient()).id;
});

const namesFor = async (person: Person, path: string, search: string) => {
  const response = await person.request(`${path}?${new URLSearchParams({ search })}`);
  return response.status === 200 ? ((await response.json()) as { names: string[]; more: boolean }) : response.status;
};

async function signedInWith(...roles: ('people' | 'applications' | 'auditor')[]): Promise<Person> {
  const person = new Person(service);
  await person.signIn(await newUserWithRoles(service, roles));
  return person;
}

describe('a name that there is not', () => {
  test('on an invitation', async () => {
    const path = '/admin/people/invitations';
    const values = { email: 'meant@example.test', groups: 'Finanec' };
    const { status, page } = await send(admin, path, '/admin/people/invite', values);
    assert.deepEqual([status, alertOn(page)], [400, meant]);
    assert.match(page, /<textarea[^>]* data-names="\/admin\/group-names\/joinable"[^>]*>Finanec</);
  });

  test('on a sign-up link', async () => {
    const path = '/admin/people/sign-up-links';
    const { page } = await send(admin, path, path, { uses: '1', days: '7', groups: 'Finanec' });
    assert.ok(page.includes(meant));
    assert.match(page, /<textarea[^>]* data-names="\/admin\/group-names\/joinable"[^>]*>Finanec</);
  });

  test('in the settings', async () => {
    const { page } = await send(admin, '/admin/settings/accounts', '/admin/settings/accounts', {
      default_groups: 'Finanec',
    });
    assert.ok(problemAt(page, 'default_groups')?.endsWith('Did you mean Finance?'), alertOn(page) ?? '');
    assert.match(page, /<textarea[^>]* data-names="\/admin\/group-names\/joinable"[^>]*>Finanec</);
  });

  test('in claims', async () => {
    const claims = `/admin/applications/${clientId}/claims`;
    const { page } = await send(admin, `${claims}/new?source=has-group`, claims, { claim: 'boss', group: 'Finanec' });
    assert.equal(alertOn(page), meant);
    assert.match(page, /<input[^>]* list="group-names"/);
    const several = { claim: 'teams', groups: 'Finanec\nNowhere near' };
    const listed = await send(admin, `${claims}/new?source=groups`, claims, several);
    assert.equal(alertOn(listed.page), `${meant} There is no group &quot;Nowhere near&quot;.`);
  });

  test('that is like none gets no suggestion', async () => {
    const values = { email: 'meant@example.test', groups: 'Zzzzzz' };
    const { page } = await send(admin, '/admin/people/invitations', '/admin/people/invite', values);
    assert.equal(alertOn(page), 'There is no group &quot;Zzzzzz&quot;.');
  });
});

describe('names', () => {
  test('are offered to those who can send such a form, with or without the right to read groups', async () => {
    const [people, applications, auditor] = [
      await signedInWith('people'),
      await signedInWith('applications'),
      await signedInWith('auditor'),
    ];
    const all = '/admin/group-names';
    const joinable = `${all}/joinable`;
    assert.deepEqual(await namesFor(admin, joinable, ''), { names: ['Auditors', 'Finance'], more: false });
    assert.deepEqual(await namesFor(people, joinable, ''), { names: ['Finance'], more: false });
    assert.deepEqual(await namesFor(applications, all, 'NAN'), { names: ['Finance'], more: false });
    assert.equal(await namesFor(people, all, ''), 403);
    assert.equal(await namesFor(applications, joinable, ''), 403);
    assert.equal(await namesFor(auditor, all, ''), 403);
    assert.equal(await namesFor(auditor, joinable, ''), 403);
  });

  test('of thousands of groups, a page has the first, and a search finds the others', async () => {
    const each = Array.from({ length: 250 }, (_, index) => `Crew ${1000 + index}`);
    await Promise.all(each.map((name) => createGroup(service.running.services, { name }, requester)));
    const form = `/admin/applications/${clientId}/claims/new?source=has-group`;
    const { page } = await visit(admin, form);
    const [list = ''] = /<datalist[\s\S]*?<\/datalist>/.exec(page) ?? [];
    assert.equal(list.match(/<option /g)?.length, 200);
    assert.doesNotMatch(list, /Crew 1249/);
    assert.match(page, /data-names="\/admin\/group-names"/);
    assert.deepEqual(await namesFor(admin, '/admin/group-names', 'crew 1249'), { names: ['Crew 1249'], more: false });
    // Whatever part of the name is wrong.
    for (const typed of ['Cre 1249', 'Crew1249', 'Xrew 1249']) {
      const values = { email: 'crew@example.test', groups: typed };
      const refused = await send(admin, '/admin/people/invitations', '/admin/people/invite', values);
      assert.match(alertOn(refused.page) ?? '', /Did you mean Crew 1249\?$/, typed);
    }
  });
});
