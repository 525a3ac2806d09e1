// Links, invitations and recovery, and accounts that somebody has prepared for somebody else.

import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import { linkLifetimes } from '../../src/operations/email-links/links.ts';
import { inviteUser, withdrawInvitation } from '../../src/operations/users/invitations.ts';
import { makeRecoveryLink, removeSecondFactors } from '../../src/operations/users/user-recovery.ts';
import type { LinkPurpose } from '../../src/storage/storage.ts';
import { formTokenOf, signedIn } from '../harness/account.ts';
import { newKey } from '../harness/api.ts';
import { runCommand } from '../harness/command.ts';
import { HostileUpstream } from '../harness/hostile-upstream.ts';
import { keptLink } from '../harness/links.ts';
import { answer, offered, register } from '../harness/passkeys.ts';
import { formIn, Person } from '../harness/person.ts';
import { alignToStep, codeOf, isSignedIn, newOwner, reachSecondStep, tryCode } from '../harness/second-factors.ts';
import { requester, startTestService, type TestService, type TestUser } from '../harness/service.ts';
import { askToReset, askToSignUp, newAddress, password, statusOfSignIn } from '../harness/sign-up.ts';
import { SoftwareAuthenticator } from '../harness/software-authenticator.ts';
import { linkFor, mailsTo } from '../harness/store.ts';
import { addUpstream, allowLoopbackUpstreams, isSignedIn as hasSession, signInWith } from '../harness/upstreams.ts';
import { attack } from './attack.ts';

const MINUTE = 60;

let service: TestService;
let provider: HostileUpstream;

before(async () => {
  service = await startTestService({ ...allowLoopbackUpstreams, LATCHKEY_SIGN_UP: 'open' });
  provider = await HostileUpstream.start(() => service.clock.now());
  await addUpstream(service, provider, { createsAccounts: true });
});
after(async () => {
  await service?.stop();
  await provider?.stop();
});
// Emails are limited for a network: each test starts when those of the tests before it no longer count.
beforeEach(() => {
  provider.twists = {};
  service.clock.advance(16 * MINUTE);
  alignToStep(service);
});

const send = (person: Person, action: string, fields: Record<string, string> | string) => {
  const body = typeof fields === 'string' ? fields : String(new URLSearchParams(fields));
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: service.url };
  return person.request(action, { method: 'POST', body: Buffer.from(body), headers });
};

const hashOf = async ({ id }: TestUser) =>
  (await service.rows('users')).find((row) => row.id === id)?.password_hash ?? assert.fail();

attack(10, "a new password needs that person's own link, unspent, of this purpose, and alone", async () => {
  const victim = await service.newUser();
  const attacker = await service.newUser();
  const before = await hashOf(victim);
  const pages = ['/reset-password/finish', '/recover'];
  const others: LinkPurpose[] = ['sign_up', 'invite', 'set_up', 'change_email', 'undo_factor'];
  const offered: string[] = ['', 'undefined', victim.id, victim.email, 'lkl_', `lkl_${'A'.repeat(43)}`];
  for (const purpose of others) {
    const ownerless = ['sign_up', 'invite', 'set_up'].includes(purpose);
    offered.push(
      await keptLink(service, purpose, ownerless ? null : victim.id, ownerless ? newAddress() : victim.email),
    );
  }
  const person = new Person(service);
  const { continue: ticket = '' } = (await formIn(await person.visit('/sign-in'), '/sign-in')).fields;
  offered.push(ticket);
  for (const path of pages) {
    for (const link of offered) {
      const response = await send(person, path, { link, password, email: victim.email, user_id: victim.id });
      assert.ok([400, 410].includes(response.status), `${path} ${link}: ${response.status}`);
    }
  }
  // Without having opened any page, and with somebody else's link.
  const own = await keptLink(service, 'reset_password', attacker.id, attacker.email);
  const fields = `password=${encodeURIComponent(password)}&email=${victim.email}&user_id=${victim.id}`;
  assert.equal((await send(person, '/recover', `link=${own}&${fields}`)).status, 410, 'each page has its own links');
  assert.equal((await send(person, pages[0] ?? '', `link=${own}&link=${own}&${fields}`)).status, 400);
  assert.equal((await send(person, pages[0] ?? '', `link[]=${own}&${fields}`)).status, 410);
  assert.equal((await send(person, pages[0] ?? '', `link=${own}&${fields}`)).status, 200);
  assert.equal((await send(person, pages[0] ?? '', `link=${own}&${fields}`)).status, 410, 'spent');
  assert.equal(await statusOfSignIn(service, attacker.email, password), 200, 'it was for its owner');
  // A newer one ends the older one.
  const older = await keptLink(service, 'reset_password', victim.id, victim.email);
  await keptLink(service, 'reset_password', victim.id, victim.email);
  assert.equal((await send(person, pages[0] ?? '', { link: older, password })).status, 410);
  assert.equal(await hashOf(victim), before);
});

attack(
  12,
  'what has expired is over in that millisecond, and what is spent stays spent when the clock goes back',
  async () => {
    const paths: Record<Exclude<LinkPurpose, 'set_up_factor'>, string> = {
      set_up: '/set-up',
      invite: '/invitation',
      sign_up: '/sign-up/finish',
      reset_password: '/reset-password/finish',
      recover: '/recover',
      change_email: '/account/email/confirm',
      undo_factor: '/not-me',
    };
    for (const purpose of Object.keys(paths) as (keyof typeof paths)[]) {
      const lifetime = linkLifetimes[purpose];
      const user = await service.newUser();
      const ownerless = ['sign_up', 'invite', 'set_up'].includes(purpose);
      const link = await keptLink(service, purpose, ownerless ? null : user.id, newAddress());
      const visitor = () => (purpose === 'change_email' ? signedIn(service, user) : new Person(service));
      const open = async () => (await (await visitor()).visit(`${paths[purpose]}?link=${link}`)).status;
      service.clock.advance(lifetime / 1000 - 0.001);
      assert.equal(await open(), 200, purpose);
      service.clock.advance(0.001);
      assert.equal(await open(), 410, purpose);
      const late = await visitor();
      const form_token = purpose === 'change_email' ? await formTokenOf(late) : '';
      const fields = { link, password, name: 'Ada', email: newAddress(), form_token };
      const used = await send(late, paths[purpose], fields);
      assert.equal(used.status, 410, purpose);
    }

    alignToStep(service);
    const owner = await newOwner(service);
    const [late, inTime] = [await reachSecondStep(service, owner.user), await reachSecondStep(service, owner.user)];
    service.clock.advance(10 * MINUTE - 0.001);
    await tryCode(inTime, codeOf(service, owner));
    assert.ok(hasSession(inTime.person));
    service.clock.advance(0.001);
    assert.equal((await tryCode(late, codeOf(service, owner, 1))).status, 403, 'the ticket of the second step');

    const user = await service.newUser();
    const link = await keptLink(service, 'reset_password', user.id, user.email);
    assert.equal((await send(new Person(service), '/reset-password/finish', { link, password })).status, 200);
    service.clock.advance(MINUTE);
    const step = await reachSecondStep(service, owner.user);
    const code = codeOf(service, owner);
    await tryCode(step, code);
    assert.ok(await isSignedIn(step.person));
    service.clock.advance(-60 * MINUTE);
    assert.equal((await send(new Person(service), '/reset-password/finish', { link, password })).status, 410);
    const again = await reachSecondStep(service, owner.user);
    await tryCode(again, codeOf(service, owner));
    assert.equal(hasSession(again.person), false, 'a code from before the last one');
    service.clock.advance(60 * MINUTE);
  },
);

attack(13, 'an invitation is for its address, whoever opens it, and a withdrawn one is dead', async () => {
  const { services } = service.running;
  const email = newAddress();
  const thief = await service.newUser();
  const browser = await signedIn(service, thief);
  await inviteUser(services, { email, name: '' }, requester);
  const path = await linkFor(service, email);
  const [, first = ''] = path.split('link=');
  const fields = {
    name: 'Guest',
    password,
    email: thief.email,
    user_id: thief.id,
    admin: 'yes',
    email_verified: 'yes',
  };
  await withdrawInvitation(services, email, requester);
  assert.equal((await send(browser, '/invitation', { ...fields, link: first })).status, 410);
  service.clock.advance(1);
  await inviteUser(services, { email, name: '' }, requester);
  const [, second = ''] = (await linkFor(service, email)).split('link=');
  assert.notEqual(second, first);
  assert.equal((await send(browser, '/invitation', { ...fields, link: first })).status, 410);
  await send(browser, '/invitation', { ...fields, link: second });
  const made = (await service.rows('users')).filter((row) => [email, thief.email].includes(String(row.email)));
  assert.equal(made.length, 2);
  const invited = made.find((row) => row.email === email);
  assert.equal(invited?.admin_since, null);
  assert.equal(await hashOf(thief), thief.record.passwordHash, 'whoever was signed in is as before');
  const me = (await (await browser.request('/api/me')).json()) as { data: { id: string } };
  assert.equal(me.data.id, invited?.id, 'and is signed in as the one whom they made');
});

attack(14, 'nobody verifies an email address by saying so', async () => {
  const { services } = service.running;
  const user = await service.newUser({ emailVerified: false });
  const person = await signedIn(service, user);
  const verifiedAt = async () => (await services.storage.findUser(user.id))?.emailVerifiedAt;
  const token = await formTokenOf(person);
  const extra = {
    email_verified: true,
    emailVerified: true,
    email_verified_at: 1,
    email: 'other@example.test',
    admin: true,
  };
  for (const [name, value] of Object.entries(extra)) {
    const init = { method: 'PATCH', headers: { 'X-CSRF-Token': token, 'Content-Type': 'application/json' } };
    const response = await person.request('/api/me/profile', { ...init, body: JSON.stringify({ [name]: value }) });
    assert.equal(response.status, 400, name);
    await send(person, '/account/profile', { form_token: token, name: 'Grace', [name]: String(value) });
  }
  assert.equal(await verifiedAt(), null);
  assert.equal((await services.storage.findUser(user.id))?.email, user.email);

  // An import says what the other service knew; without that, an address isn't verified.
  const { headers } = await newKey(service);
  const people = [null, '', 'no', 'False', 1, undefined].map((email_verified, index) => ({
    id: `claimed|${index}`,
    email: `claimed${index}@example.test`,
    ...(email_verified === undefined ? {} : { email_verified }),
  }));
  await fetch(`${service.url}/api/people/import`, {
    method: 'POST',
    headers: { ...headers('POST'), 'Content-Type': 'application/json' },
    body: JSON.stringify({ from: 'csv', people }),
  });
  const imported = (await service.rows('users')).filter((row) => String(row.email).startsWith('claimed'));
  assert.ok(imported.length > 0);
  for (const row of imported) assert.equal(row.email_verified_at, null, String(row.email));

  // An identity provider that isn't trusted for the domain.
  provider.person = { sub: 'liar', email: 'liar@elsewhere.example', email_verified: true };
  const { person: liar } = await signInWith(service, provider);
  assert.equal(hasSession(liar), false);
  assert.equal(await services.storage.findUserByEmail('liar@elsewhere.example'), undefined);
});

attack(15, 'no response, event, message or log line repeats a secret that was sent by email', async () => {
  const { services } = service.running;
  const client = await service.newClient();
  const user = await service.newUser();
  const { headers } = await newKey(service);
  await fetch(`${service.url}/api/webhooks`, {
    method: 'POST',
    headers: { ...headers('POST'), 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: 'https://hooks.example.com/' }),
  });
  const email = newAddress();
  const bodies: string[] = [];
  const call = async (path: string, body: object) => {
    const init = { method: 'POST', headers: { ...headers('POST'), 'Content-Type': 'application/json' } };
    const response = await fetch(service.url + path, { ...init, body: JSON.stringify(body) });
    assert.ok(response.ok, `${path}: ${await response.clone().text()}`);
    bodies.push(await response.text());
  };
  bodies.push(await (await askToSignUp(service, email)).text());
  bodies.push(await (await askToSignUp(service, email)).text());
  bodies.push(await (await askToReset(service, user.email)).text());
  const guest = newAddress();
  await call('/api/people/invitations', { email: guest });
  await call('/api/people/invitations/resend', { email: guest });
  await call(`/api/people/${user.id}/send-reset`, {});
  const person = await signedIn(service, user);
  await send(person, '/account/email', { form_token: await formTokenOf(person), email: newAddress() });
  await services.emailQueue.answerRequests();
  for (const path of ['/account/activity', '/api/me', '/account/data'])
    bodies.push(await (await person.visit(path)).text());
  for (const path of [
    '/api/events',
    '/api/people',
    `/api/people/${user.id}`,
    '/api/people/invitations',
    '/api/webhooks',
  ]) {
    bodies.push(await (await fetch(service.url + path, { headers: headers('GET') })).text());
  }
  const secrets = (await services.emailQueue.list(100)).flatMap(
    ({ email: { text } }) => text.match(/lkl_[\w-]{43}/g) ?? [],
  );
  assert.ok(secrets.length >= 6, `${secrets.length}`);
  // Commands don't know which engine it is.
  if (process.env.TEST_ENGINE !== 'postgres') {
    const environment = { LATCHKEY_BASE_URL: service.url, LATCHKEY_DATA_DIR: service.dataDir };
    for (const command of [['user', 'list'], ['events'], ['webhook', 'list']]) {
      const { status, stdout } = await runCommand([...command, '--json'], environment);
      assert.equal(status, 0, command.join(' '));
      bodies.push(stdout);
    }
  }
  const kept = await service.rowsOf(['events', 'webhook_deliveries', 'links', 'mails']);
  const everything = [service.log(), ...bodies, JSON.stringify(kept), JSON.stringify(await service.events())];
  for (const secret of [...secrets, user.password, client.secret]) {
    assert.equal(everything.filter((text) => text.includes(secret)).length, 0, secret);
  }
  // With a public base URL there is no page with emails, whatever the request claims to be.
  const published = await startTestService({ LATCHKEY_BASE_URL: 'https://id.example.com' });
  try {
    for (const host of ['id.example.com', 'localhost']) {
      const response = await fetch(`${published.url}/dev/outbox`, {
        headers: { Host: host, 'X-Forwarded-For': '::1' },
      });
      assert.equal(response.status, 404);
    }
  } finally {
    await published.stop();
  }
});

attack(16, 'whoever prepared an account for someone else is out once its owner takes it', async () => {
  const { services } = service.running;
  const email = 'owner@people.example';
  const prepared = await service.newUser({ email, emailVerified: false, password: 'known to the attacker' });
  const attacker = await signedIn(service, prepared);
  const device = new SoftwareAuthenticator(service.url);
  assert.equal((await register(attacker, device)).status, 200);

  // By an identity provider: the account isn't theirs for having the same address.
  provider.person = { sub: 'owner', email, email_verified: true };
  const { person, response } = await signInWith(service, provider);
  assert.equal(hasSession(person), false);
  assert.equal(response.status, 403);
  assert.equal(await services.storage.findIdentity({ issuer: provider.issuer, subject: 'owner' }), undefined);
  // By an invitation: there is an account already.
  assert.equal((await inviteUser(services, { email, name: '' }, requester)).kind, 'refused');
  // By signing up: the email says so, and has no link that would create another one.
  await askToSignUp(service, email);
  const [notice] = await mailsTo(service, email);
  assert.doesNotMatch(notice?.text ?? '', /sign-up\/finish/);
  // By a reset: the second factor may be the owner's, so an administrator has to help.
  await askToReset(service, email);
  assert.equal((await new Person(service).visit(await linkFor(service, email))).status, 403);
  assert.equal(await isSignedIn(attacker), true);
  await removeSecondFactors(services, { id: prepared.id }, requester);
  const made = await makeRecoveryLink(services, { id: prepared.id }, requester);
  assert.ok(made.kind === 'done');
  const form = await formIn(await new Person(service).visit(made.url.replace(service.url, '')));
  await new Person(service).submit(form, { password });
  // Nothing of what was prepared is left.
  assert.equal(await isSignedIn(attacker), false);
  assert.equal(await statusOfSignIn(service, email, prepared.password), 400);
  const offer = await offered(service);
  await answer(offer, device.get(offer.challenge));
  assert.equal(hasSession(offer.person), false, 'the passkey is gone');
  const owner = new Person(service);
  await owner.signIn({ ...prepared, password });
  assert.equal(hasSession(owner), true);
});
