// Who can use an application, and why, from the command line; and who is in a group.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { changeAllowed, setAccess } from '../../src/operations/clients/access-list.ts';
import { createGroup } from '../../src/operations/groups/groups.ts';
import { disableUser } from '../../src/operations/users/disable-user.ts';
import { isoTime } from '../../src/protocol/iso-time.ts';
import { runCommand } from '../harness/command.ts';
import { requester, type TestClient, type TestUser } from '../harness/service.ts';
import { serviceOfSuite } from '../harness/suite.ts';

const service = serviceOfSuite();
let grafana: TestClient;
let ada: TestUser;
let bob: TestUser;

const run = (...words: string[]) => runCommand(words, { LATCHKEY_DATA_DIR: service.dataDir });

before(async () => {
  grafana = await service.newClient({ name: 'Grafana' });
  ada = await service.newUser({ name: 'Ada North' });
  bob = await service.newUser({ name: 'Bob North' });
  const { services } = service.running;
  await createGroup(services, { name: 'Engineering' }, requester);
  await setAccess(services, grafana.id, { access: 'listed' }, requester);
  await changeAllowed(services, grafana.id, 'allow', { people: [ada.id], groups: ['Engineering'] }, requester);
});

test('adding to a group and removing from it says so in one line, however many are in it', async () => {
  assert.equal(
    (await run('group', 'add', 'Engineering', ada.email, bob.email)).stdout,
    'Added 2 people to "Engineering".\n',
  );
  const json = JSON.parse((await run('group', 'add', 'engineering', ada.email, '--json')).stdout);
  assert.deepEqual(json.members, [ada.email, bob.email].sort());
  assert.equal(
    (await run('group', 'remove', 'Engineering', ada.email)).stdout,
    `Removed ${ada.email} from "Engineering".\n`,
  );
});

test('members of a group are found by the beginning of a word', async () => {
  const found = await run('group', 'members', 'Engineering', '--search', 'bo');
  assert.match(
    found.stdout,
    new RegExp(`^ID +EMAIL +NAME +SINCE +EXPIRES\\n${bob.id}  ${bob.email}  Bob North +\\S+Z\n$`),
  );
  assert.equal((await run('group', 'members', 'Engineering', '--search', 'ada')).stdout, 'No members match "ada".\n');
  const [member, ...others] = JSON.parse((await run('group', 'members', 'Engineering', '--json')).stdout);
  assert.deepEqual([member.email, member.membership_expires_at, others], [bob.email, null, []]);
  const unknown = await run('group', 'members', 'Nothing');
  assert.deepEqual([unknown.status, unknown.stderr], [1, 'latchkey: there is no group "Nothing".\n']);
});

test('the people who can use an application are listed by its name, with every filter of the API', async () => {
  const emails = async (...options: string[]) =>
    JSON.parse((await run('client', 'people', 'grafana', '--json', ...options)).stdout).map(
      (item: { person: TestUser }) => item.person.email,
    );
  assert.deepEqual(await emails('--group', 'Engineering'), [bob.email]);
  assert.deepEqual(await emails('--reason', 'person'), [ada.email]);
  assert.deepEqual(await emails('--search', 'bo'), [bob.email]);
  assert.deepEqual(await emails('--unused', '90d'), []);
  assert.deepEqual(await emails('--expires-within', '30d'), []);
  const { stdout } = await run('client', 'people', grafana.id);
  assert.match(stdout, /^ID +EMAIL +NAME +BY +SINCE +EXPIRES +LAST USED\n/);
  assert.match(stdout, new RegExp(`${bob.email} +Bob North +Engineering +\\S+Z\n`));
  assert.match(stdout, new RegExp(`${ada.email} +Ada North +directly +\\S+Z\n`));
  const refused = await run('client', 'people', 'Grafana', '--unused', 'long');
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /"unused" must be a number of days/);
});

test('checking a person has the exit status of the answer, and another one for errors', async () => {
  const yes = await run('client', 'check', 'Grafana', bob.email);
  assert.deepEqual(yes, { status: 0, stdout: `${bob.email} can use "Grafana":\n  through Engineering\n`, stderr: '' });
  const json = JSON.parse((await run('client', 'check', 'Grafana', ada.id, '--json')).stdout);
  const since = isoTime(service.clock.now());
  assert.deepEqual(json, { allowed: true, reasons: [{ kind: 'person', group: null, since, expires_at: null }] });

  const cleo = await service.newUser();
  const no = await run('client', 'check', 'Grafana', cleo.email);
  assert.deepEqual(no, {
    status: 1,
    stdout: `${cleo.email} can't use "Grafana": the application's list has neither them nor a group of theirs.\n`,
    stderr: '',
  });
  await disableUser(service.running.services, bob.id, requester);
  const disabled = await run('client', 'check', 'Grafana', bob.email);
  assert.deepEqual(
    [disabled.status, disabled.stdout],
    [1, `${bob.email} can't use "Grafana": the account is disabled.\n`],
  );
  const called = await service.newUser({ name: 'Called' });
  await service.execute(
    `UPDATE users SET preferred_username = 'called', username_key = 'called' WHERE id = '${called.id}'`,
  );
  assert.match((await run('client', 'check', 'Grafana', 'called')).stdout, new RegExp(`^${called.email} can't use`));
  const { stdout: help } = await run('client', 'check', '--help');
  assert.match(help, /<email\|username\|id>[\s\S]*named by email address, username or ID/);
  const unknown = await run('client', 'check', 'Grafana', 'nobody');
  assert.match(unknown.stderr, /no person with the email address, username or ID "nobody"/);
  for (const words of [['Grafana', 'nobody@example.test'], ['Nothing', ada.email], ['Grafana']]) {
    const failed = await run('client', 'check', ...words);
    assert.deepEqual([failed.status, failed.stdout], [2, ''], words.join(' '));
    assert.notEqual(failed.stderr, '');
  }
});
