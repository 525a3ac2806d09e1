// Owners of applications from the command line.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createGroup } from '../../src/operations/groups/groups.ts';
import { runCommand } from '../harness/command.ts';
import { requester, type TestClient, type TestUser } from '../harness/service.ts';
import { serviceOfSuite } from '../harness/suite.ts';

const service = serviceOfSuite();
const run = (...words: string[]) => runCommand(words, { LATCHKEY_DATA_DIR: service.dataDir });
let client: TestClient;
let other: TestClient;
let ada: TestUser;
let bob: TestUser;

before(async () => {
  client = await service.newClient({ name: 'Grafana' });
  other = await service.newClient({ name: 'Wiki' });
  ada = await service.newUser({ name: 'Ada North' });
  bob = await service.newUser({ name: 'Bob North' });
  for (const [name, isProtected] of [
    ['Staff', true],
    ['Open', false],
  ] as const) {
    const made = await createGroup(service.running.services, { name, protected: isProtected }, requester);
    assert.equal(made.kind, 'done');
  }
});

const update = (...options: string[]) => run('client', 'update', client.id, ...options);
/** The names of people and groups, as `client show` has them in JSON. */
async function shown(): Promise<readonly (readonly string[])[]> {
  const { owners } = JSON.parse((await run('client', 'show', client.id, '--json')).stdout);
  return [owners.people, owners.groups].map((list: { name: string }[]) => list.map(({ name }) => name).toSorted());
}
const listed = async (owner: string) => {
  const { stdout } = await run('client', 'list', '--owner', owner, '--json');
  return JSON.parse(stdout).map(({ name }: { name: string }) => name);
};

test('options replace all owners, both kinds, and show and list have them', async () => {
  const steps: readonly [options: readonly string[], people: readonly string[], groups: readonly string[]][] = [
    [['--owner', ada.email, '--owner', bob.id, '--owner-group', 'staff'], ['Ada North', 'Bob North'], ['Staff']],
    [['--owner', ada.email], ['Ada North'], []],
    [['--owner-group', 'Staff'], [], ['Staff']],
    [['--owner', bob.email, '--owner-group', 'Staff'], ['Bob North'], ['Staff']],
    [['--name', 'Grafana 2'], ['Bob North'], ['Staff']],
    [['--no-owners'], [], []],
  ];
  for (const [options, people, groups] of steps) {
    const { status, stderr } = await update(...options);
    assert.equal(status, 0, stderr);
    assert.deepEqual(await shown(), [people, groups], options.join(' '));
    const ofBob = (await listed(bob.email)).length;
    assert.equal(ofBob, people.includes('Bob North') ? 1 : 0, options.join(' '));
  }
});

test('show has a line for each, and list says when none match', async () => {
  await update('--owner', ada.email, '--owner-group', 'Staff');
  const { stdout } = await run('client', 'show', client.id);
  assert.match(stdout, new RegExp(`^owner +${ada.email}$`, 'm'));
  assert.match(stdout, /^owner group +Staff$/m);
  assert.deepEqual(await listed('none'), ['Wiki']);
  assert.deepEqual(await listed(ada.id), await listed(ada.email));
  assert.equal((await run('client', 'list', '--owner', bob.email)).stdout, 'No applications match.\n');
  assert.equal((await run('client', 'update', other.id, '--owner', bob.email)).status, 0);
  assert.deepEqual(await listed('none'), []);
  assert.deepEqual(await listed(bob.email), ['Wiki']);
});

test('what is wrong changes nothing, neither owners nor the rest', async () => {
  await update('--owner', ada.email);
  const before = await shown();
  const name = (await service.running.services.storage.findClient(client.id))?.name;
  for (const [options, status, says] of [
    [['--no-owners', '--owner', bob.email], 2, /--no-owners can't be combined with owners/],
    [['--owner', 'nobody@example.test', '--name', 'X'], 1, /nobody@example\.test/],
    [['--owner-group', 'Nothing', '--name', 'X'], 1, /there is no group "Nothing"/],
    [['--owner-group', 'Open', '--name', 'X'], 1, /isn't protected/],
  ] as const) {
    const done = await update(...options);
    assert.equal(done.status, status, done.stderr);
    assert.match(done.stderr, says);
    assert.deepEqual(await shown(), before);
    assert.equal((await service.running.services.storage.findClient(client.id))?.name, name);
  }
  const unknown = await run('client', 'list', '--owner', 'nobody@example.test');
  assert.equal(unknown.status, 1);
});
