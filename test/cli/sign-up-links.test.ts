// latchkey sign-up-link …, invitations with more than a name, and which of two settings for sign-up counts.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runCommand } from '../harness/command.ts';
import { formIn, Person } from '../harness/person.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { askToSignUp, name, newAddress, password } from '../harness/sign-up.ts';
import { linkFor } from '../harness/store.ts';

let service: TestService;
/** It has a public base URL and no mail server. */
let mailless: TestService;
before(async () => {
  service = await startTestService();
  mailless = await startTestService({ LATCHKEY_BASE_URL: 'https://login.example' });
  for (const group of ['Crew', 'Staff']) await run(['group', 'create', group]);
});
after(async () => {
  await service?.stop();
  await mailless?.stop();
});

function run(args: string[], at = service, more: Record<string, string> = {}) {
  return runCommand(args, { LATCHKEY_BASE_URL: at.baseUrl ?? at.url, LATCHKEY_DATA_DIR: at.dataDir, ...more });
}

async function json(args: string[], at = service) {
  const result = await run([...args, '--json'], at);
  assert.equal(result.status, 0, result.stderr);
  return JSON.parse(result.stdout);
}

test('a link is created, says that sign-up is closed, is listed, used and revoked', async () => {
  const closed = await run(['sign-up-link', 'create']);
  assert.match(
    closed.stdout,
    /^One person can create an account with this link until .*\n\n {2}id {3}\w+\n {2}url {2}http/,
  );
  assert.match(closed.stdout, /Sign-up is closed, so the link doesn't work/);
  await run(['settings', 'set', 'sign_up', 'links']);
  service.clock.advance(3);
  const args = ['--uses', '2', '--days', '3', '--group', 'crew', '--group', 'Staff', '--note', 'Workshop'];
  const made = await json(['sign-up-link', 'create', ...args]);
  assert.deepEqual([made.uses, made.groups, made.note, made.used], [2, ['Crew', 'Staff'], 'Workshop', 0]);
  const text = await run(['sign-up-link', 'create', '--uses', '20']);
  assert.match(text.stdout, /^20 people can create[\s\S]*won't be able to see it again\.\n$/);
  assert.doesNotMatch(text.stdout, /closed/);

  const email = newAddress();
  const person = new Person(service);
  const path = made.url.slice(service.url.length);
  await person.submit(await formIn(await person.visit(path), '/sign-up'), { email });
  await service.running.services.emailQueue.answerRequests();
  const form = await formIn(await person.visit(await linkFor(service, email)), '/sign-up/finish');
  assert.equal((await person.submit(form, { name, password })).status, 200);
  const [, listed] = await json(['sign-up-link', 'list']);
  assert.deepEqual([listed.id, listed.used, listed.url], [made.id, 1, undefined]);
  const table = (await run(['sign-up-link', 'list'])).stdout;
  assert.match(table, /ID +STATUS +USED +EXPIRES +CREATED BY +GROUPS +NOTE\n/);
  assert.match(table, new RegExp(`${made.id} +active +1/2 .* command line +Crew, Staff +Workshop`));

  const revoked = await run(['sign-up-link', 'revoke', made.id]);
  assert.deepEqual([revoked.status, revoked.stdout], [0, `Revoked sign-up link ${made.id}. It no longer works.\n`]);
  assert.match((await run(['sign-up-link', 'list'])).stdout, new RegExp(`${made.id} +revoked`));
  for (const [words, status, sentence] of [
    [['revoke', made.id], 1, /was revoked before/],
    [['revoke', 'unknown'], 1, /there is no sign-up link "unknown"/],
    [['create', '--uses', '0'], 1, /can be used 1 to 10,000 times/],
    [['create', '--uses', 'many'], 2, /--uses/],
    [['create', '--days', '400'], 1, /valid for 1 to 365 days/],
    [['create', '--group', 'Nobody'], 1, /there is no group "Nobody"/],
    [['create', '--note', 'x'.repeat(201)], 1, /at most 200 characters/],
  ] as const) {
    const refused = await run(['sign-up-link', ...words]);
    assert.equal(refused.status, status, words.join(' '));
    assert.match(refused.stderr, sentence);
  }
});

test('an invitation carries groups, admin access and an end', async () => {
  const email = 'invited@example.test';
  const args = ['--email', email, '--group', 'Crew', '--group', 'Staff', '--admin', '--expires', '2099-12-31'];
  const alone = await run(['user', 'invite', ...args]);
  const reason = `latchkey: ${email} would be the only administrator, so their access can't end.\n`;
  assert.deepEqual([alone.status, alone.stderr], [1, reason]);
  await service.newUser({ admin: true });
  const invited = await json(['user', 'invite', ...args]);
  const carried = { groups: ['Crew', 'Staff'], admin: true, account_expires_at: '2099-12-31T23:59:59.999Z' };
  const of = ({ groups, admin, account_expires_at }: typeof carried) => ({ groups, admin, account_expires_at });
  assert.deepEqual(of(invited), carried);
  service.clock.advance(1);
  assert.deepEqual(of(await json(['user', 'resend-invitation', email])), carried);
  assert.deepEqual(of((await json(['user', 'invitations']))[0]), carried);
  const table = (await run(['user', 'invitations'])).stdout;
  assert.match(table, /GROUPS +ROLES +ACCESS ENDS\n.*Crew, Staff +administrator +2099-12-31T/);
  const person = new Person(service);
  const form = await formIn(await person.visit(await linkFor(service, email)), '/invitation');
  assert.equal((await person.submit(form, { name, password })).status, 200);
  const shown = await json(['user', 'show', email]);
  assert.equal(shown.admin, true);
  const stored = await service.running.services.storage.findUserByEmail(email);
  assert.equal(stored?.expiresAt, Date.parse(carried.account_expires_at));

  const past = await run(['user', 'invite', '--email', 'x@example.test', '--expires', '2020-01-01']);
  assert.deepEqual([past.status, past.stderr], [1, 'latchkey: the end must be in the future.\n']);
  const never = await json(['user', 'invite', '--email', newAddress(), '--expires', 'never']);
  assert.equal(never.account_expires_at, null);
});

test('a link that is printed gives no admin access, and the output says so', async () => {
  const printed = await run(['user', 'invite', '--email', 'a@example.test', '--admin'], mailless);
  assert.match(printed.stdout, /invitation\?link=\S+\n\nA link that you share gives no admin access\.\n$/);
  const { admin, url } = await json(['user', 'invite', '--email', 'a@example.test', '--admin'], mailless);
  assert.equal(admin, false);
  const person = new Person(mailless);
  const path = url.slice('https://login.example'.length);
  await person.submit(await formIn(await person.visit(path), '/invitation'), { name, password });
  const stored = await mailless.running.services.storage.findUserByEmail('a@example.test');
  assert.deepEqual([stored?.adminSince, stored?.emailVerifiedAt], [null, null]);
});

test('LATCHKEY_SIGN_UP counts until the setting is changed, and doctor says which of the two does', async () => {
  const finding = async (more: Record<string, string> = {}, at = service) => {
    const { stdout } = await run(['doctor', '--json'], at, more);
    const found: { about: string; state: string; text: string }[] = JSON.parse(stdout);
    const { state, text } = found.find(({ about }) => about === 'sign-up') ?? {};
    return [state, text];
  };
  assert.deepEqual(await finding({}, mailless), ['ok', 'closed, by default.']);
  assert.deepEqual(await finding({ LATCHKEY_SIGN_UP: 'closed' }, mailless), ['ok', 'closed, by LATCHKEY_SIGN_UP.']);
  assert.match(String(await finding({ LATCHKEY_SIGN_UP: 'open' }, mailless)), /^warning,open, but nobody can sign up/);
  assert.deepEqual(await finding(), ['ok', 'links, by the setting sign_up.'], 'the variable is not set');
  assert.deepEqual(await finding({ LATCHKEY_SIGN_UP: 'links' }), ['ok', 'links, by the setting sign_up.']);
  const [state, text = ''] = await finding({ LATCHKEY_SIGN_UP: 'open' });
  assert.equal(state, 'warning');
  assert.match(text, /^The setting sign_up is "links" and counts\. LATCHKEY_SIGN_UP is "open" and doesn't/);
  const set = await run(['settings', 'set', 'sign_up', 'domains']);
  assert.equal(set.stdout, 'sign_up is now domains.\nOnly sign-up links work until you set sign_up_domains.\n');
  assert.match(String(await finding()), /warning,domains, but the setting sign_up_domains is empty/);
  service.clock.advance(3);
  assert.equal((await askToSignUp(service, newAddress())).status, 403, 'by the setting, without a restart');
});

test('without a mail server, opening sign-up says that one is needed', async () => {
  const opened = await run(['settings', 'set', 'sign_up', 'open'], mailless);
  const sentence = 'Nobody can sign up without a mail server. Set LATCHKEY_SMTP_URL.';
  assert.equal(opened.stdout, `sign_up is now open.\n${sentence}\n`);
  assert.equal((await run(['settings', 'set', 'sign_up', 'closed'], mailless)).stdout, 'sign_up is now closed.\n');
});

test('LATCHKEY_SIGN_UP takes every mode, and nothing else', async () => {
  const refused = await run(['doctor', '--json'], service, { LATCHKEY_SIGN_UP: 'maybe' });
  assert.match(refused.stdout, /LATCHKEY_SIGN_UP must be one of closed, links, domains, approval, open/);
});
