// The table of who can use an application: names that are markup or formulas, cursors and filters of another application, and
// the table as a way to learn of people and groups that the reader may not see.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { changeAllowed } from '../../src/operations/clients/access-list.ts';
import { changeMembers, createGroup } from '../../src/operations/groups/groups.ts';
import type { Role } from '../../src/protocol/admin/rights.ts';
import { newKey, withBearer } from '../harness/api.ts';
import { namesOn, visit } from '../harness/console.ts';
import { Person } from '../harness/person.ts';
import { newKeyWithRoles, newUserWithRoles } from '../harness/roles.ts';
import { requester, type TestClient, type TestUser } from '../harness/service.ts';
import { consoleOfSuite } from '../harness/suite.ts';

const { service, admin } = consoleOfSuite();
const tab = ({ id }: Pick<TestClient, 'id'>) => `/admin/applications/${id}/access`;

async function newGroup(name: string, people: readonly TestUser[]): Promise<string> {
  const { services } = service.running;
  const made = await createGroup(services, { name }, requester);
  assert.ok(made.kind === 'done');
  const add = people.map(({ id }) => ({ id }));
  await changeMembers(services, { id: made.group.id }, { add, expiresAt: null }, requester);
  return made.group.id;
}

async function listedClient(people: readonly TestUser[], groups: readonly string[], name = 'Grafana') {
  const client = await service.newClient({ name, access: 'listed' });
  const entry = { people: people.map(({ id }) => id), groups, expiresAt: '9d' };
  const outcome = await changeAllowed(service.running.services, client.id, 'allow', entry, requester);
  assert.equal(outcome.kind, 'done');
  return client;
}

async function signedInAs(roles: readonly Role[]): Promise<Person> {
  const person = new Person(service);
  await person.signIn(await newUserWithRoles(service, roles, 'A reader'));
  return person;
}

test('names of people, groups and applications are text in the table, the answer and the file', async () => {
  const markup = '<img src=x onerror=alert(1)>';
  const mallory = await service.newUser({ name: `=1+1 ${markup}` });
  const names = [`"><b>${markup}`, `A; =SUM(1) ${markup}`];
  for (const name of names) await newGroup(name, [mallory]);
  const client = await listedClient([mallory], names, `App ${markup}`);
  const path = tab(client);
  for (const query of [
    '',
    `?check=${mallory.id}`,
    `?check=${encodeURIComponent(markup)}`,
    `?group=${encodeURIComponent(markup)}`,
    `?group=${encodeURIComponent(names[0] ?? '')}&search=${encodeURIComponent(markup)}`,
    `?unused=${encodeURIComponent(markup)}&sort=${encodeURIComponent(markup)}`,
    `?reason=${encodeURIComponent('__proto__')}`,
    `?find=${encodeURIComponent('"><b>')}&view=list`,
  ]) {
    const { status, page } = await visit(admin, path + query);
    assert.ok(status === 200 || status === 400, `${query}: ${status}`);
    assert.doesNotMatch(page, /<img|<b>/, query);
  }
  assert.match((await visit(admin, path)).page, /Through &quot;&gt;&lt;b&gt;/);
  const file = await (await admin.request(`${path}.csv`)).text();
  const [, line = ''] = file.split('\r\n');
  const cells = line.slice(mallory.id.length);
  assert.ok(cells.startsWith(`,'=1+1 ${markup},`), cells);
  assert.match(cells, /group A; '=SUM\(1\)/, 'also where a semicolon would begin a cell');
});

test("a cursor and a filter of one application show nothing of another's people", async () => {
  const people: TestUser[] = [];
  for (let index = 0; index < 51; index++) people.push(await service.newUser({ name: `Own ${index}` }));
  const outsiders = [await service.newUser({ name: 'Outsider One' }), await service.newUser({ name: 'Outsider Two' })];
  const team = await newGroup('Outside', outsiders);
  const [one, other] = [await listedClient(people, []), await listedClient(outsiders, ['Outside'])];
  const [group, own] = [`/admin/groups/${team}`, new Set(['Outsider One', 'Outsider Two', 'Outside'])];
  for (const sort of ['name', '-created', 'last_sign_in']) {
    const first = (await visit(admin, `${tab(one)}?sort=${sort}`)).page;
    const cursor = /[?&;]cursor=([^"&]+)" rel="next"/.exec(first)?.[1] ?? assert.fail(sort);
    for (const path of [tab(other), group]) {
      const { page } = await visit(admin, `${path}?sort=${sort}&cursor=${cursor}`);
      assert.deepEqual(
        namesOn(page).filter((name) => !own.has(name ?? '') && name !== 'Grafana'),
        [],
        path,
      );
      assert.doesNotMatch(page, /Own \d/, path);
    }
  }
  const filtered = (await visit(admin, `${tab(one)}?group=Outside`)).page;
  assert.doesNotMatch(filtered, /Outsider/);
  const file = await (await admin.request(`${tab(one)}.csv?group=${team}&search=outsider`)).text();
  assert.equal(file.trim().split('\r\n').length, 1, 'the heading alone');
});

describe('who learns of people and groups from it', () => {
  const cases: readonly (readonly [roles: readonly Role[], sees: boolean])[] = [
    [['applications'], false],
    [['people'], false],
    [['people', 'applications'], true],
    [['auditor'], true],
  ];
  for (const [roles, sees] of cases) {
    test(`${roles.join(' and ')}: ${sees ? 'yes' : 'no'}`, async () => {
      const name = `Hidden ${roles.join(' ')}`;
      const hidden = await service.newUser({ name });
      const secret = `Secret of ${roles.join(' ')}`;
      await newGroup(secret, [hidden]);
      const client = await listedClient([], ['Outside']);
      const outcome = await changeAllowed(
        service.running.services,
        client.id,
        'allow',
        { people: [], groups: [secret], expiresAt: null },
        requester,
      );
      assert.equal(outcome.kind, 'done');
      const reader = await signedInAs(roles);
      const path = tab(client);
      const queries = [
        '',
        `?check=${hidden.id}`,
        '?search=hidden',
        `?group=${encodeURIComponent(secret)}`,
        '?reason=group',
      ];
      for (const query of queries) {
        const { page } = await visit(reader, path + query);
        assert.equal(page.includes(`>${name}<`), sees, query);
        assert.equal(/access\.(csv|jsonl)/.test(page), sees, query);
      }
      for (const file of ['access.csv', 'access.jsonl']) {
        const response = await reader.request(`/admin/applications/${client.id}/${file}`);
        assert.equal(response.status, sees ? 200 : 403, file);
        assert.equal((await response.text()).includes(name), sees, file);
      }
      // Whether what is asked for exists makes no difference.
      const same = async (real: string, made: string) => {
        const pages = [(await visit(reader, path + real)).page, (await visit(reader, path + made)).page];
        const [one, other] = pages.map((page) => page.replace(/name="(form_token|once)" value="[^"]*"/g, ''));
        assert.equal(one === other, !sees, real);
      };
      await same(`?check=${hidden.email}`, '?check=nobody@example.test');
      await same(`?group=${encodeURIComponent(secret)}`, '?group=nothing');
      await same('?unused=90d', '?unused=long');

      const key = withBearer(await newKeyWithRoles(service, roles));
      for (const way of ['people', 'people.csv', `access/check?person=${hidden.id}`]) {
        const response = await fetch(`${service.url}/api/applications/${client.id}/${way}`, {
          headers: key.headers('GET'),
        });
        assert.equal(response.status, sees ? 200 : 403, way);
        assert.equal((await response.text()).includes(name), sees && !way.startsWith('access'), way);
      }
    });
  }

  test('a key never opens the console', async () => {
    const client = await listedClient([], []);
    const key = await newKey(service, 'administrator');
    for (const path of [tab(client), `${tab(client)}.csv`]) {
      const response = await fetch(service.url + path, { headers: key.headers('GET'), redirect: 'manual' });
      assert.equal(response.status, 302, path);
    }
  });

  test('someone who may only read changes nothing there', async () => {
    const entry = await service.newUser({ name: 'Stays Listed' });
    const client = await listedClient([entry], []);
    const auditor = await signedInAs(['auditor']);
    const { page } = await visit(auditor, tab(client));
    assert.match(page, /Stays Listed/);
    const form_token = /name="form_token" value="([^"]*)"/.exec(page)?.[1] ?? '';
    for (const action of ['allow', 'disallow']) {
      const form = {
        action: `${tab(client)}/${action}`,
        fields: { form_token, person: entry.id, sure: 'yes' },
        buttons: [],
      };
      assert.equal((await auditor.submit(form, {})).status, 403, action);
    }
    assert.match((await visit(auditor, tab(client))).page, /Stays Listed/);
  });
});
