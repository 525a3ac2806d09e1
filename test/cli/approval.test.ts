// latchkey user list --pending, approve and decline.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newWaiting } from '../harness/approval.ts';
import { runCommand } from '../harness/command.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { mailsTo } from '../harness/store.ts';

let service: TestService;
/** A service that can't send emails: it has a public base URL and no mail server. */
let mailless: TestService;
before(async () => {
  service = await startTestService();
  mailless = await startTestService({ LATCHKEY_BASE_URL: 'https://login.example' });
});
after(async () => {
  await service?.stop();
  await mailless?.stop();
});

const run = (args: string[], at = service) =>
  runCommand(['user', ...args], { LATCHKEY_BASE_URL: at.baseUrl as string, LATCHKEY_DATA_DIR: at.dataDir });

async function json(args: string[]) {
  const result = await run([...args, '--json']);
  assert.equal(result.status, 0, result.stderr);
  return JSON.parse(result.stdout);
}

const stored = (id: string) => service.running.services.storage.findUser(id);

test('those who wait are listed, approved and declined, several at once', async () => {
  assert.match((await run(['list', '--pending'])).stdout, /Nobody is waiting for approval\./);
  await service.newUser();
  const people = [];
  for (let count = 0; count < 4; count++) {
    people.push(await newWaiting(service));
    service.clock.advance(1);
  }
  const [a, b, c, d] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0], (typeof people)[0]];
  const listed = await json(['list', '--pending']);
  assert.deepEqual(
    listed.map(({ id }: { id: string }) => id),
    people.map(({ id }) => id),
  );
  assert.equal(listed[0].pending_since, new Date(a.pendingSince ?? 0).toISOString());
  assert.match((await run(['list'])).stdout, /waiting for approval/);
  assert.match((await run(['show', a.id])).stdout, /waiting for approval/);
  assert.equal((await run(['list', '--pending', '--search', 'a'])).status, 2);

  const approved = await run(['approve', a.email, b.id]);
  assert.equal(
    approved.stdout,
    `Approved ${a.email}. They can sign in now.\nApproved ${b.email}. They can sign in now.\n`,
  );
  for (const { id } of [a, b]) assert.equal((await stored(id))?.pendingSince, null);

  // If any name is unknown or doesn't wait, nothing changes.
  for (const wrong of ['nobody@example.test', a.email]) {
    const refused = await run(['decline', c.email, wrong]);
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /there is no person|is not waiting for approval/i);
    assert.ok(await stored(c.id));
  }
  const declined = await run(['decline', c.email, d.email, '--message', 'Not this time.']);
  assert.equal(declined.status, 0, declined.stderr);
  assert.equal(declined.stderr, 'The next release will need --yes to delete something without a terminal.\n');
  for (const { id, email } of [c, d]) {
    assert.equal(await stored(id), undefined);
    assert.match((await mailsTo(service, email))[0]?.text ?? '', /Not this time\./);
  }
  assert.equal((await run(['approve'])).status, 2);
});

test('enable and disable say to approve or decline instead', async () => {
  const { id, email } = await newWaiting(service);
  for (const command of ['enable', 'disable']) {
    const { status, stderr } = await run([command, id]);
    assert.equal(status, 1);
    assert.ok(stderr.includes(`${email} is waiting for approval. Approve or decline them instead`), stderr);
  }
  assert.ok((await stored(id))?.pendingSince);
  assert.equal((await run(['decline', id, '--message', 'a'.repeat(501)])).status, 1);
});

test("without a mail server a message isn't dropped silently", async () => {
  const { id } = await newWaiting(mailless);
  const refused = await run(['decline', id, '--message', 'No.'], mailless);
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /email is not set up/i);
  const { status, stderr } = await run(['decline', id, '--yes'], mailless);
  assert.deepEqual([status, stderr], [0, '']);
});
