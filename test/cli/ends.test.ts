// Access that ends by itself, on the command line, in a file for `apply`, and in an import.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runCommand } from '../harness/command.ts';

let folder: string;
const run = (args: string[], input?: string) => runCommand(args, { LATCHKEY_DATA_DIR: join(folder, 'data') }, input);

async function done(...args: string[]) {
  const result = await run([...args, '--json'], 'correct horse battery\n');
  assert.equal(result.status, 0, result.stderr);
  return JSON.parse(result.stdout);
}

async function refused(status: 1 | 2, args: string[], input?: string): Promise<string> {
  const result = await run(args, input);
  assert.equal(result.status, status, result.stdout);
  return result.stderr;
}

const create = (name: string, ...more: string[]) =>
  done('user', 'create', '--email', `${name}@example.test`, '--name', name, '--password-stdin', ...more);
const [root, ada, bob] = ['root@example.test', 'ada@example.test', 'bob@example.test'];
const end = '2099-01-31T23:59:59.999Z';

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-ends-'));
  await create('root', '--admin');
  await create('ada');
  await create('bob');
});
after(() => rmSync(folder, { recursive: true }));

describe('a person', () => {
  test('is created and updated with an end, which show and list name', async () => {
    const made = await create('temp', '--expires', '2099-01-31');
    assert.equal(made.expires_at, end);
    const later = await done('user', 'update', made.email, '--expires', '2099-06-30T12:00+02:00');
    assert.equal(later.expires_at, '2099-06-30T10:00:00.000Z');
    const shown = await run(['user', 'show', made.email]);
    assert.match(shown.stdout, /status +active\naccess ends +2099-06-30T10:00:00\.000Z\n/);
    assert.match((await run(['user', 'list'])).stdout, /STATUS +ENDS +EMAIL/);
    assert.deepEqual(await done('user', 'list', '--ending'), []);
    const soon = await done('user', 'update', made.email, '--expires', '30d');
    const days = (Date.parse(soon.expires_at) - Date.now()) / (24 * 60 * 60 * 1000);
    assert.ok(days > 29.9 && days <= 30, soon.expires_at);
    const listed = await done('user', 'list', '--ending');
    assert.deepEqual(
      listed.map(({ email }: { email: string }) => email),
      [made.email],
    );
    assert.equal((await done('user', 'update', made.email, '--expires', 'never')).expires_at, null);
    assert.doesNotMatch((await run(['user', 'list'])).stdout, /ENDS/);
    assert.match((await run(['user', 'list', '--ending'])).stdout, /^Nobody's access ends in the next 30 days\.\n$/);
    assert.match((await run(['user', 'list', '--ending', '--search', 'a'])).stdout, /^No people match\.\n$/);
    assert.match(await refused(2, ['user', 'list', '--ending', '--pending']), /can't be combined/);
  });

  test('an end that is none, or has passed, is refused with a sentence', async () => {
    for (const [text, problem] of [
      ['soon', 'must be a time such as 2027-01-31T17:00Z, a date such as 2027-01-31, or days from now such as 30d'],
      ['', 'must be a time such as'],
      ['2099-01-31T17:00', 'must be a time such as'],
      ['1999-12-31', 'must be in the future'],
      ['0d', 'must be in the future'],
    ] as const) {
      const stderr = await refused(1, ['user', 'update', ada, '--expires', text]);
      assert.ok(stderr.startsWith(`latchkey: the end ${problem}`), stderr);
    }
    const create = ['user', 'create', '--email', 'x@example.test', '--name', 'X', '--no-password', '--expires', '0d'];
    assert.match(await refused(1, create), /the end must be in the future/);
    assert.match(await refused(1, ['user', 'show', 'x@example.test']), /no person/);
  });

  test('the last administrator gets no end, and nobody becomes the only one with one', async () => {
    assert.match(
      await refused(1, ['user', 'update', root, '--expires', '30d']),
      /root@example\.test is the last administrator\. Make someone else an administrator first\.\n/,
    );
    const other = join(folder, 'empty');
    const alone = ['user', 'create', '--email', root, '--name', 'Root', '--no-password', '--admin', '--expires', '30d'];
    const first = await runCommand(alone, { LATCHKEY_DATA_DIR: other });
    assert.equal(first.status, 1);
    assert.match(first.stderr, /root@example\.test would be the only administrator, so their access can't end\.\n/);
    const second = await create('second', '--admin', '--expires', '30d');
    assert.ok(second.expires_at);
    assert.match(await refused(1, ['user', 'remove-admin', root]), /is the last administrator/);
    await done('user', 'delete', second.email, '--yes');
  });
});

test('a group has members with an end; adding someone again sets it, or takes it away', async () => {
  await done('group', 'create', 'Crew');
  const added = await done('group', 'add', 'Crew', ada, bob, '--expires', '2099-01-31');
  assert.deepEqual(added.members, [ada, bob]);
  assert.deepEqual(added.members_until, { [ada]: end, [bob]: end });
  assert.deepEqual((await done('group', 'add', 'Crew', bob)).members_until, { [ada]: end });
  const shown = await run(['group', 'show', 'Crew']);
  assert.match(shown.stdout, /member +ada@example\.test {2}ada {2}until 2099-01-31T23:59:59\.999Z\n/);
  assert.match(shown.stdout, /member +bob@example\.test {2}bob\n/);
  assert.match(await refused(1, ['group', 'add', 'Crew', bob, '--expires', '1999-01-31']), /must be in the future/);
  assert.match(await refused(2, ['group', 'remove', 'Crew', bob, '--expires', '30d']), /--expires/);
  assert.deepEqual((await done('group', 'add', 'Crew', ada, '--expires', 'never')).members_until, {});
});

test('the list of an application has entries with an end', async () => {
  const { client_id: id } = await done('client', 'create', '--name', 'Ends', '--redirect-uri', 'https://a.example/cb');
  const allowed = await done('client', 'allow', id, ada, '--group', 'crew', '--expires', '2099-01-31');
  assert.deepEqual(allowed.allowed, { people: [ada], groups: ['Crew'] });
  assert.deepEqual(allowed.allowed_until, { people: { [ada]: end }, groups: { Crew: end } });
  assert.deepEqual((await done('client', 'allow', id, bob)).allowed_until, allowed.allowed_until);
  const shown = (await run(['client', 'show', id])).stdout;
  assert.match(shown, /allowed +ada@example\.test {2}until 2099-01-31T23:59:59\.999Z\nallowed +bob@example\.test\n/);
  assert.match(shown, /allowed group +Crew {2}until 2099/);
  assert.deepEqual((await done('client', 'allow', id, ada, '--group', 'Crew')).allowed_until, {
    people: {},
    groups: {},
  });
  assert.match(await refused(2, ['client', 'disallow', id, ada, '--expires', '30d']), /--expires/);
});

describe('apply', () => {
  const file = (content: object) => JSON.stringify(content);
  const apply = async (content: object, ...more: string[]) => {
    const result = await run(['apply', '-f', '-', ...more], file(content));
    assert.equal(result.status, 0, result.stderr);
    return result.stdout;
  };
  const app = { client_id: 'ending', name: 'Ending', redirect_uris: ['https://a.example/cb'] };
  const exported = async () => {
    const all = JSON.parse((await run(['apply', '--export'])).stdout);
    const group = all.groups.find(({ name }: { name: string }) => name === 'Applied');
    const client = all.applications.find(({ client_id }: { client_id: string }) => client_id === 'ending');
    return [group.members_until, client?.allowed_until];
  };

  test('ends stand beside the lists: left out they stay, given they are exactly these', async () => {
    const groups = [{ name: 'Applied', members: [ada, bob], members_until: { 'ADA@example.test': '2099-01-31' } }];
    const allowed = { people: [ada, bob], groups: ['Applied'] };
    const until = { people: { [bob]: '2099-01-31' }, groups: { applied: '2099-01-31T23:59:59.999Z' } };
    const made = await apply({ groups, applications: [{ ...app, allowed, allowed_until: until }] });
    assert.match(made, /\+ member until: ada@example\.test 2099-01-31T23:59:59\.999Z/);
    assert.match(made, /\+ allowed people until: bob@example\.test 2099-01-31/);
    const both = { people: { [bob]: end }, groups: { Applied: end } };
    assert.deepEqual(await exported(), [{ [ada]: end }, both]);

    const same = { groups: [{ name: 'Applied', members: [ada, bob] }], applications: [{ ...app, allowed }] };
    assert.match(await apply(same), /^0 created, 0 changed, 0 deleted, 2 unchanged/);
    assert.deepEqual(await exported(), [{ [ada]: end }, both]);

    const other = {
      groups: [{ name: 'Applied', members_until: { [bob]: '2099-02-28' } }],
      applications: [{ ...app, allowed_until: { people: {} } }],
    };
    const dry = await apply(other, '--dry-run');
    assert.match(dry, /- member until: ada@example\.test 2099-01-31T23:59:59\.999Z/);
    assert.match(dry, /- allowed people until: bob@example\.test 2099-01-31T23:59:59\.999Z/);
    assert.deepEqual(await exported(), [{ [ada]: end }, both], 'a dry run changes nothing');
    const fewer = { ...app, allowed: { people: [ada] }, allowed_until: { people: { [ada]: end } } };
    const planned = JSON.parse(await apply({ applications: [fewer] }, '--dry-run', '--json'));
    assert.deepEqual(planned.applications[0].changes, {
      allowed: { people: { added: [], removed: [bob] } },
      allowed_until: { people: { added: [`${ada} ${end}`], removed: [] } },
    });
    await apply(other);
    const later = '2099-02-28T23:59:59.999Z';
    assert.deepEqual(await exported(), [{ [bob]: later }, { people: {}, groups: { Applied: end } }]);
    assert.match(await apply(other), /^0 created, 0 changed, 0 deleted, 2 unchanged/);
  });

  test('whoever leaves the list takes the end along, and comes back without one', async () => {
    await apply({ groups: [{ name: 'Applied', members: [ada], members_until: { [ada]: '2099-01-31' } }] });
    await apply({ groups: [{ name: 'Applied', members: [bob] }] });
    await apply({ groups: [{ name: 'Applied', members: [ada, bob] }] });
    assert.deepEqual((await exported())[0], {});
  });

  for (const [what, content, problem] of [
    [
      'no member',
      { groups: [{ name: 'Applied', members: [ada], members_until: { [bob]: '30d' } }] },
      /"members_until" names "bob@example\.test", which isn't in the list/,
    ],
    [
      'nobody',
      { groups: [{ name: 'Applied', members_until: { 'zed@example.test': '30d' } }] },
      /names "zed@example\.test", which isn't in the list/,
    ],
    [
      'a name of the language',
      JSON.parse('{"groups": [{"name": "Applied", "members_until": {"__proto__": "30d"}}]}'),
      /names "__proto__", which isn't in the list/,
    ],
    [
      'someone twice',
      { groups: [{ name: 'Applied', members: [ada], members_until: { [ada]: '30d', 'Ada@Example.test': '40d' } }] },
      /which it has named before/,
    ],
    [
      'a time in the past',
      { groups: [{ name: 'Applied', members: [ada], members_until: { [ada]: '1999-01-31' } }] },
      /names "ada@example\.test", but the end must be in the future/,
    ],
    [
      'no time',
      { groups: [{ name: 'Applied', members: [ada], members_until: { [ada]: 'soon' } }] },
      /but the end must be a time such as/,
    ],
    [
      'a number',
      { groups: [{ name: 'Applied', members: [ada], members_until: { [ada]: 17 } }] },
      /groups\[0\]: "members_until" must be an object with a time for each name/,
    ],
    [
      'a list',
      { applications: [{ ...app, allowed_until: { people: ['x'] } }] },
      /"allowed_until\.people" must be an object with a time for each name/,
    ],
    [
      'another key',
      { applications: [{ ...app, allowed_until: { everyone: {} } }] },
      /"everyone" is not among the keys that are known: people, groups/,
    ],
    [
      'a new application without a list',
      { applications: [{ ...app, client_id: 'new-one', allowed_until: { people: { [ada]: '30d' } } }] },
      /"allowed_until\.people" names "ada@example\.test", which isn't in the list/,
    ],
    [
      'a group that is not listed',
      { applications: [{ ...app, allowed: { groups: [] }, allowed_until: { groups: { Applied: '30d' } } }] },
      /"allowed_until\.groups" names "Applied", which isn't in the list/,
    ],
  ] as const) {
    test(`an end for ${what} is refused, and nothing changes`, async () => {
      const before = (await run(['apply', '--export'])).stdout;
      assert.match(await refused(1, ['apply', '-f', '-'], file(content)), problem);
      assert.equal((await run(['apply', '--export'])).stdout, before);
    });
  }
});

test('a CSV file has a column for the end; a bad one refuses the row by its line', async () => {
  const path = join(folder, 'people.csv');
  const rows = (...lines: string[]) => writeFileSync(path, ['email,name,expires_at', ...lines, ''].join('\n'));
  const args = ['user', 'import', path, '--from', 'csv'];
  rows(
    'c1@example.test,One,2099-01-31',
    'c2@example.test,Two,',
    'c3@example.test,Three,1999-01-31',
    'c4@example.test,Four,31.1.2099',
  );
  const failed = await run(args);
  assert.equal(failed.status, 1);
  assert.match(failed.stdout + failed.stderr, /line 4\b.*: the end of access must be in the future/);
  assert.match(failed.stdout + failed.stderr, /line 5\b.*: the end of access must be a time such as/);
  assert.match(await refused(1, ['user', 'show', 'c1@example.test']), /no person/);
  await done(...args, '--skip-invalid');
  assert.equal((await done('user', 'show', 'c1@example.test')).expires_at, end);
  assert.equal((await done('user', 'show', 'c2@example.test')).expires_at, null);
  assert.match(await refused(1, ['user', 'show', 'c3@example.test']), /no person/);
});
