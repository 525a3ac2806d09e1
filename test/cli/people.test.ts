// latchkey user …, next to a running service: administrators, and account recovery.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createApiKey } from '../../src/operations/api-keys/api-keys.ts';
import { isoTime } from '../../src/protocol/iso-time.ts';
import { runCommand } from '../harness/command.ts';
import { register } from '../harness/passkeys.ts';
import { formIn, Person } from '../harness/person.ts';
import { newOwner } from '../harness/second-factors.ts';
import { requester, startTestService, type TestService } from '../harness/service.ts';
import { SoftwareAuthenticator } from '../harness/software-authenticator.ts';

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

function run(args: string[], at = service) {
  return runCommand(['user', ...args], {
    LATCHKEY_BASE_URL: at.baseUrl as string,
    LATCHKEY_DATA_DIR: at.dataDir,
  });
}

async function json(args: string[], at = service) {
  const result = await run([...args, '--json'], at);
  assert.equal(result.status, 0, result.stderr);
  return JSON.parse(result.stdout);
}

async function refusal(args: string[], at = service): Promise<string> {
  const { status, stdout, stderr } = await run([...args, '--json'], at);
  assert.equal(status, 1);
  assert.equal(stdout, '');
  assert.equal(stderr.trim().split('\n').length, 1, 'one sentence');
  return stderr;
}

test('a person is created without a password, corrected and verified', async () => {
  const made = await json(['create', '--email', 'new@example.test', '--name', 'New Person', '--no-password']);
  assert.deepEqual([made.email, made.link.url, made.password], ['new@example.test', null, undefined]);
  const shared = await json(['create', '--email', 'nobody@example.test', '--name', 'N', '--no-password'], mailless);
  assert.match(shared.link.url, /^https:\/\/login\.example\/recover\?link=/);
  const both = await run(['create', '--email', 'x@example.test', '--name', 'X', '--no-password', '--password-stdin']);
  assert.equal(both.status, 2);
  const updated = await json(['update', 'new@example.test', '--name', 'Newer Person', '--email', 'newer@example.test']);
  assert.deepEqual(
    [updated.name, updated.email, updated.email_verified],
    ['Newer Person', 'newer@example.test', false],
  );
  assert.equal((await json(['verify-email', 'newer@example.test'])).email_verified, true);
  assert.match(await refusal(['verify-email', 'newer@example.test']), /has a verified email address already/);
  assert.equal((await run(['update', 'newer@example.test'])).status, 2);
});

test('invitations are listed, resent and withdrawn', async () => {
  await json(['invite', '--email', 'guest@example.test', '--name', 'Guest'], mailless);
  const [pending] = await json(['invitations'], mailless);
  assert.deepEqual([pending.email, pending.name, pending.invited_by], ['guest@example.test', 'Guest', null]);
  const again = await json(['resend-invitation', 'guest@example.test'], mailless);
  assert.match(again.url, /^https:\/\/login\.example\/invitation\?link=/);
  assert.match((await run(['invitations'], mailless)).stdout, /guest@example\.test +Guest +command line/);
  await json(['withdraw-invitation', 'guest@example.test'], mailless);
  assert.deepEqual(await json(['invitations'], mailless), []);
  assert.match(await refusal(['withdraw-invitation', 'guest@example.test'], mailless), /no pending invitation/);
});

test("the last administrator can't be demoted, disabled or deleted; with another one, they can", async () => {
  const lone = await startTestService();
  try {
    const { email } = await lone.newUser({ admin: true });
    for (const command of [['remove-admin'], ['disable'], ['delete', '--yes']]) {
      assert.equal(
        await refusal([...command, email], lone),
        `latchkey: ${email} is the last administrator. Make someone else an administrator first.\n`,
      );
    }
    const shown = await json(['show', email], lone);
    assert.equal(shown.admin, true);
    assert.equal(shown.disabled_at, null);

    const second = await lone.newUser();
    assert.equal((await json(['make-admin', second.id], lone)).admin, true);
    assert.match(await refusal(['make-admin', second.email], lone), /is an administrator already/);
    assert.equal((await json(['remove-admin', email], lone)).admin, false);
    assert.match(await refusal(['remove-admin', email], lone), /is not an administrator/);
    assert.match((await run(['make-admin', email], lone)).stdout, /is now an administrator\.\n$/);
    assert.ok((await json(['disable', second.email], lone)).disabled_at);
    assert.match(
      await refusal(['delete', email, '--yes'], lone),
      /the last administrator/,
      'a disabled one does not count',
    );
    await json(['enable', second.email], lone);
    await json(['delete', email], lone);
    assert.match(await refusal(['show', email], lone), /there is no person/);
  } finally {
    await lone.stop();
  }
});

test('end-sessions signs a person out everywhere', async () => {
  const user = await service.newUser();
  const browsers = [new Person(service), new Person(service)];
  for (const browser of browsers) await browser.signIn(user);
  assert.match((await run(['end-sessions', user.email])).stdout, /out everywhere/);
  for (const browser of browsers) assert.notEqual((await browser.request('/account')).status, 200);
});

test('a recovery link is printed with its expiry and sets the password once', async () => {
  const user = await service.newUser();
  const printed = await run(['recovery-link', user.email]);
  assert.equal(printed.status, 0);
  assert.match(printed.stdout, /It works once and expires in 24 hours:\n\n {2}http:\S+\/recover\?link=\S+\n$/);
  const made = await json(['recovery-link', user.id]);
  assert.equal(made.email, user.email);
  assert.ok(Math.abs(Date.parse(made.expires_at) - Date.now() - 86_400_000) < 60_000, made.expires_at);

  const person = new Person(service);
  const form = await formIn(await person.request(made.url), '/recover');
  assert.equal((await person.submit(form, { password: 'another long password' })).status, 200);
  assert.equal((await person.submit(form, { password: 'a third long password' })).status, 410);
  await new Person(service).signIn(user).then((refused) => assert.notEqual(refused.status, 200));
  const welcome = await new Person(service).signIn({ ...user, password: 'another long password' });
  assert.equal(welcome.status, 200);

  await json(['disable', user.id]);
  assert.match(await refusal(['recovery-link', user.id]), /is disabled/);
});

describe('with a mail server', () => {
  const linkFor = async (to: string) => {
    const found = (await service.running.services.emailQueue.list(100)).find(({ email }) => email.to === to);
    assert.ok(found, `a mail to ${to}`);
    return /http\S+\?link=\S+/.exec(found.email.text)?.[0] ?? '';
  };

  test('send-reset sends the same email as "Forgot your password?"', async () => {
    const user = await service.newUser();
    assert.match(
      (await run(['send-reset', user.email])).stdout,
      /^Sent an email to \S+\. .*expires in 30 minutes\.\n$/,
    );
    const page = await new Person(service).request(await linkFor(user.email));
    assert.equal((await formIn(page, '/reset-password/finish')).action, '/reset-password/finish');
  });

  test('an invitation is emailed, and no link is printed', async () => {
    const text = await run(['invite', '--email', 'new@example.test', '--name', 'Newton']);
    assert.match(text.stdout, /^Sent an invitation to new@example\.test\. .*expires in 7 days\.\n$/);
    const person = new Person(service);
    const form = await formIn(await person.request(await linkFor('new@example.test')), '/invitation');
    await person.submit(form, { name: 'Newton', password: 'correct horse battery' });
    const made = await json(['show', 'new@example.test']);
    assert.deepEqual([made.name, made.admin, made.email_verified], ['Newton', false, true]);
    assert.match(
      await refusal(['invite', '--email', 'NEW@example.test']),
      /there is already a person with the email address/,
    );
    const invited = await json(['invite', '--email', 'other@example.test']);
    assert.deepEqual([invited.mailed, invited.url], [true, null]);
  });
});

describe('without a mail server', () => {
  test('an invitation is a link to share', async () => {
    const printed = await run(['invite', '--email', 'new@example.test'], mailless);
    assert.match(
      printed.stdout,
      /share this link.*expires in 7 days:\n\n {2}https:\/\/login\.example\/invitation\?link=\S+\n$/,
    );
    const { url, mailed } = await json(['invite', '--email', 'newer@example.test'], mailless);
    assert.equal(mailed, false);
    const person = new Person(mailless);
    const form = await formIn(await person.request(new URL(url).pathname + new URL(url).search), '/invitation');
    await person.submit(form, { name: 'Newer', password: 'correct horse battery' });
    const made = await json(['show', 'newer@example.test'], mailless);
    assert.equal(made.email_verified, false, 'whoever has handed it over proves no address');
  });

  test('send-reset fails and says what to do instead', async () => {
    const user = await mailless.newUser();
    assert.match(await refusal(['send-reset', user.email], mailless), /email is not set up: share a recovery link/);
  });
});

test('user show says when and how somebody signs in, and which groups they are in', async () => {
  const { user, person } = await newOwner(service);
  await register(person, new SoftwareAuthenticator(service.url));
  const groups = ['Board', 'Staff'];
  for (const group of groups) {
    await runCommand(['group', 'create', group], { LATCHKEY_DATA_DIR: service.dataDir });
    const end = group === 'Staff' ? ['--expires', '2099-01-31T17:00Z'] : [];
    const added = await runCommand(['group', 'add', group, user.email, ...end], { LATCHKEY_DATA_DIR: service.dataDir });
    assert.equal(added.status, 0, added.stderr);
  }
  const shown = await json(['show', user.email]);
  assert.deepEqual(shown.second_factors, { authenticator: true, passkeys: 1, recovery_codes: 10 });
  assert.deepEqual(
    shown.groups.map(({ name, expires_at }: Record<string, string>) => [name, expires_at]),
    [
      ['Board', null],
      ['Staff', '2099-01-31T17:00:00.000Z'],
    ],
  );
  const { lastSignInAt } = (await service.running.services.storage.findListedUser(user.id)) ?? {};
  assert.equal(shown.last_sign_in_at, isoTime(lastSignInAt ?? null));
  assert.deepEqual([shown.sessions, shown.applications], [1, 0]);
  const { stdout } = await run(['show', user.id]);
  for (const line of [
    `last sign-in +${shown.last_sign_in_at}`,
    'second factor +passkey ".+", never used',
    'second factor +authenticator app',
    'recovery codes +10 left',
    'group +Board',
    'group +Staff {2}until 2099-01-31T17:00:00.000Z',
    'sessions +1',
  ]) {
    assert.match(stdout, new RegExp(`^${line}$`, 'm'));
  }

  const stranger = await service.newUser();
  const nothing = await json(['show', stranger.email]);
  assert.deepEqual([nothing.last_sign_in_at, nothing.groups], [null, []]);
  const { stdout: little } = await run(['show', stranger.email]);
  assert.match(little, /^last sign-in +never$/m);
  assert.match(little, /^group +none$/m);
  assert.match(little, /^second factor +none$/m);
  assert.doesNotMatch(little, /^recovery codes /m);
});

test('user list --search finds people on every page', async () => {
  for (let index = 0; index < 51; index++)
    await service.newUser({ email: `tester${index}@search.test`, name: 'Zenobia' });
  const found = await json(['list', '--search', 'zeno']);
  assert.equal(new Set(found.map(({ id }: { id: string }) => id)).size, 51);
  assert.deepEqual(
    (await json(['list', '--search', 'Tester50@'])).map(({ email }: { email: string }) => email),
    ['tester50@search.test'],
  );
  assert.match(
    (await run(['list', '--search', 'tester50'])).stdout,
    /^ID .*\n\S+ +active +tester50@search\.test +Zenobia\n$/,
  );
  assert.equal((await run(['list', '--search', 'nobody like that'])).stdout, 'No people match "nobody like that".\n');
});

for (const [stop, restore] of [
  ['disable', 'enable'],
  ['remove-admin', 'make-admin'],
] as const) {
  test(`${stop} revokes the API keys that an administrator created, and ${restore} brings none back`, async () => {
    const [maker] = [await service.newUser({ admin: true }), await service.newUser({ admin: true })];
    const { services } = service.running;
    const actor = { kind: 'administrator', id: maker.id } as const;
    await createApiKey(services, { name: 'Theirs', permission: 'write', days: undefined }, { ...requester, actor });
    assert.equal((await services.storage.listApiKeysOf(maker.id)).length, 1);
    await json([stop, maker.email]);
    assert.deepEqual(await services.storage.listApiKeysOf(maker.id), []);
    await json([restore, maker.email]);
    assert.deepEqual(await services.storage.listApiKeysOf(maker.id), []);
  });
}
