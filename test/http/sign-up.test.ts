// Making an account and getting back into one, both by a link in a mail; what may be a password; mail that has to wait.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { disableUser } from '../../src/operations/admin/user-access.ts';
import { linkLifetimes, newLink } from '../../src/operations/mail/links.ts';
import type { LinkPurpose } from '../../src/storage/storage.ts';
import { startMailServer } from '../harness/mail-server.ts';
import { answerOf, type Form, formIn, Person } from '../harness/person.ts';
import {
  authorizePath,
  exchangeParameters,
  newVerifier,
  obtainTokens,
  postForm,
  refreshParameters,
  userinfo,
} from '../harness/relying-party.ts';
import {
  freePort,
  origin,
  startTestService,
  type TestClient,
  type TestService,
  type TestUser,
} from '../harness/service.ts';
import * as store from '../harness/store.ts';

const SECOND = 1000;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const session = 'latchkey_session';

let service: TestService;
let client: TestClient;

before(async () => {
  service = await startTestService({ LATCHKEY_SIGN_UP: 'open' });
  client = await service.newClient({ name: 'Calendar' });
});
after(() => service.stop());
// Mails are limited for a network: a test begins when those of the tests before count no more.
beforeEach(() => service.clock.advance(16 * MINUTE));

let addresses = 0;
const newAddress = () => `newcomer${++addresses}@example.test`;
const name = 'Grace Hopper';
const password = 'a phrase of my own';

const mailsTo = (address: string, from = service) => store.mailsTo(from, address);
const linkFor = (address: string) => store.linkFor(service, address);

/** The secret of a link that works. */
async function keptLink(purpose: LinkPurpose, userId: string | null, email: string, on = service): Promise<string> {
  const { emailQueue, emailTemplates } = on.running.services;
  const { link, url } = newLink(on.running.services, purpose, userId, { email });
  await emailQueue.queue(emailTemplates.confirmAddress({ to: email, url }), link);
  return new URL(url).searchParams.get('link') ?? '';
}

async function askToSignUp(email: string, on = service, person = new Person(on)): Promise<Response> {
  return person.submit(await formIn(await person.visit('/sign-up'), '/sign-up'), { email });
}

async function askToReset(email: string, person = new Person(service)): Promise<Response> {
  return person.submit(await formIn(await person.visit('/reset-password'), '/reset-password'), { email });
}

async function statusOfSignIn(email: string, password: string): Promise<number> {
  return (await new Person(service).signIn({ email, password } as TestUser)).status;
}

async function usersWith(email: string): Promise<Record<string, unknown>[]> {
  return (await service.rows('users')).filter((row) => String(row.email).toLowerCase() === email.toLowerCase());
}

/** Failures are counted, too: asking for a mail again and again is one. */
const without = ['events', 'leases', 'hourly_totals'];
const everything = () => store.everythingIn(service, without);
const assertNothingChanged = (since: readonly string[]) => store.assertNothingChanged(service, since, without);

/** What an answer gives away: its status, its page, and its headers but for those that differ each time. */
async function traitsOf(response: Response): Promise<unknown> {
  const headers = [...response.headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
  return { status: response.status, headers, page: await response.text() };
}

describe('making an account', () => {
  test('sign-up is closed unless it is opened: the page says so, and a form makes nothing', async () => {
    const closed = await startTestService();
    try {
      const person = new Person(closed);
      const page = await person.visit('/sign-up');
      assert.equal(page.status, 200);
      assert.match(await page.text(), /Accounts are made by the administrator/);
      const signIn = await (await person.visit('/sign-in')).text();
      assert.equal(signIn.includes('Create an account'), false);
      const ticket = await formIn(new Response(signIn), '/sign-in');
      const form: Form = { ...ticket, action: '/sign-up' };
      const refused = await person.submit(form, { email: 'somebody@example.test' });
      assert.equal(refused.status, 403);
      assert.match(await refused.text(), /Accounts are made by the administrator/);
      for (const table of ['users', 'links', 'mails']) assert.deepEqual(await closed.rows(table), []);

      // A link from the time when it was open.
      const link = await keptLink('sign_up', null, 'somebody@example.test', closed);
      assert.equal((await person.visit(`/sign-up/finish?link=${link}`)).status, 410);
      const finish = { action: '/sign-up/finish', fields: { link, name, password }, buttons: [] };
      assert.equal((await person.submit(finish, {})).status, 410);
      assert.deepEqual(await closed.rows('users'), []);
    } finally {
      await closed.stop();
    }
  });

  test('a link in a mail makes an account with a confirmed address, exactly as it was typed', async () => {
    const email = 'Newcomer.Mixed+News@Example.test';
    const asked = await askToSignUp(`  ${email} `);
    assert.match(await asked.text(), /Look into your mailbox/);
    assert.deepEqual(await usersWith(email), [], 'nothing is made before the mail is opened');
    const [mail] = await mailsTo(email);
    assert.equal(mail?.subject, 'Finish your account · Latchkey');
    assert.ok(mail?.html.includes(await linkFor(email)));

    const person = new Person(service);
    const form = await formIn(await person.visit(await linkFor(email)), '/sign-up/finish');
    const done = await person.submit(form, { name: `  ${name} `, password });
    assert.equal(done.status, 200);
    assert.match(await done.text(), /Newcomer\.Mixed\+News@Example\.test/);
    const [user] = await usersWith(email);
    assert.equal(user?.email, email);
    assert.equal(user?.name, name);
    assert.equal((await service.events('signed_up')).at(-1)?.userId, user?.id);

    const verifier = newVerifier();
    const answer = await person.authorize(authorizePath(client, verifier), {} as TestUser);
    const parameters = exchangeParameters(client, answer.searchParams.get('code') ?? '', verifier);
    const { body } = await postForm(service, '/oauth/token', parameters);
    const claims = (await userinfo(service, body.access_token)).body;
    assert.equal(claims.email, email);
    assert.equal(claims.email_verified, true);
    assert.equal(claims.sub, user?.id);
  });

  test('what is no address is refused, and nothing is sent', async () => {
    const stored = (await service.rows('mails')).length;
    for (const email of ['', 'somebody', 'somebody@', 'a@b@c', 'a b@example.test', '<a@example.test>', 'a@b,c@d']) {
      const refused = await askToSignUp(email);
      assert.equal(refused.status, 400, email);
      assert.match(await refused.text(), /That is not an e-mail address/);
    }
    assert.equal((await service.rows('mails')).length, stored);
  });

  test('who came from an application goes on there, in whichever browser the mail is opened', async () => {
    const email = newAddress();
    const path = authorizePath(client, newVerifier(), { state: 'kept & carried' });
    const person = new Person(service);
    const { fields } = await formIn(await person.visit(path), '/sign-in');
    const text = await (await person.submit({ action: '/sign-up/start', fields, buttons: [] }, {})).text();
    assert.match(text, /to continue to Calendar/);
    await person.submit(await formIn(new Response(text), '/sign-up'), { email });

    const elsewhere = new Person(service);
    const form = await formIn(await elsewhere.visit(await linkFor(email)), '/sign-up/finish');
    const body = new URLSearchParams({ ...form.fields, name, password });
    const done = await elsewhere.request(form.action, { method: 'POST', body });
    assert.equal(done.status, 303);
    assert.equal(done.headers.get('location'), path);
    const consent = await formIn(await elsewhere.visit(path), '/oauth-authorize/decision');
    const answer = answerOf(await elsewhere.submit(consent, { decision: 'approve' }));
    assert.equal(answer.searchParams.get('state'), 'kept & carried');
    assert.ok(answer.searchParams.get('code'));
  });

  test('an address that has an account gets the same answer, and its owner another mail', async () => {
    const email = newAddress();
    const unknown = await traitsOf(await askToSignUp(email));
    await service.newUser({ email });
    const known = await traitsOf(await askToSignUp(email));
    assert.deepEqual(known, unknown);
    const [second, first] = await mailsTo(email);
    assert.match(first?.subject ?? '', /Finish your account/);
    assert.match(second?.subject ?? '', /You have an account already/);
    assert.equal(second?.text.includes('link='), false);

    const links = (await service.rows('links')).length;
    await askToSignUp(email.toUpperCase());
    assert.equal((await mailsTo(email)).length, 3, 'to the address as it is kept');
    assert.equal((await mailsTo(email.toUpperCase())).length, 0);
    assert.equal((await service.rows('links')).length, links);
  });

  test('looking at a link uses nothing up', async () => {
    const email = newAddress();
    await askToSignUp(email);
    const path = await linkFor(email);
    const before = await everything();
    for (const method of ['GET', 'HEAD', 'GET', 'HEAD']) {
      assert.equal((await new Person(service).request(path, { method })).status, 200, method);
    }
    await assertNothingChanged(before);
    const person = new Person(service);
    assert.equal((await person.submit(await formIn(await person.visit(path)), { name, password })).status, 200);
    assert.equal((await usersWith(email)).length, 1);
  });

  test('a name that is none is refused, and the link goes on working', async () => {
    const email = newAddress();
    await askToSignUp(email);
    const person = new Person(service);
    const form = await formIn(await person.visit(await linkFor(email)));
    for (const bad of ['', '   ', '\u200b\u202e', 'x'.repeat(101)]) {
      const refused = await person.submit(form, { name: bad, password });
      assert.equal(refused.status, 400);
      assert.match(await refused.text(), /A name needs at least one letter/);
    }
    assert.deepEqual(await usersWith(email), []);
    assert.equal((await person.submit(form, { name, password })).status, 200);
  });

  test('one link used twice at the same time makes one account', async () => {
    const email = newAddress();
    await askToSignUp(email);
    const form = await formIn(await new Person(service).visit(await linkFor(email)));
    const people = [new Person(service), new Person(service)];
    const answers = await Promise.all(people.map((person) => person.submit(form, { name, password })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 410]);
    assert.equal((await usersWith(email)).length, 1);
    assert.equal(people.filter((person) => person.cookies.has(session)).length, 1);
  });

  test('two links for one address used at the same time make one account', async () => {
    const email = newAddress();
    const forms: Form[] = [];
    for (const spelling of [email, email.toUpperCase()]) {
      await askToSignUp(spelling);
      forms.push(await formIn(await new Person(service).visit(await linkFor(spelling))));
    }
    const answers = await Promise.all(forms.map((form) => new Person(service).submit(form, { name, password })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 410]);
    assert.equal((await usersWith(email)).length, 1);
  });
});

describe('links', () => {
  const ways: Record<LinkPurpose, { path: string; fields: Record<string, string> }> = {
    set_up: { path: '/set-up', fields: { email: 'first@admin.example', name, password } },
    invite: { path: '/invitation', fields: { name, password } },
    recover: { path: '/recover', fields: { password } },
    sign_up: { path: '/sign-up/finish', fields: { name, password } },
    reset_password: { path: '/reset-password/finish', fields: { password } },
    change_email: { path: '/account/email/confirm', fields: {} },
  };
  const purposes = Object.keys(ways) as LinkPurpose[];
  const ownerless = new Set<LinkPurpose>(['sign_up', 'invite', 'set_up']);

  const otherCase = (letter: string) => (/[a-z]/.test(letter) ? letter.toUpperCase() : letter.toLowerCase());

  const working = async (purpose: LinkPurpose) =>
    keptLink(purpose, ownerless.has(purpose) ? null : (await service.newUser()).id, newAddress());

  const use = (purpose: LinkPurpose, link: string) =>
    new Person(service).submit({ action: ways[purpose].path, fields: ways[purpose].fields, buttons: [] }, { link });

  test('they work for 24 hours, invitations for 7 days, those to reset a password for 30 minutes', () => {
    assert.deepEqual(linkLifetimes, {
      set_up: 24 * HOUR * SECOND,
      invite: 7 * 24 * HOUR * SECOND,
      recover: 24 * HOUR * SECOND,
      sign_up: 24 * HOUR * SECOND,
      change_email: 24 * HOUR * SECOND,
      reset_password: 30 * MINUTE * SECOND,
    });
  });

  for (const purpose of purposes) {
    const cases: { name: string; link: () => Promise<string> }[] = [
      // The first: the others are to fail for another reason than their age.
      {
        name: 'a link that has expired',
        link: async () => {
          const link = await working(purpose);
          service.clock.advance(linkLifetimes[purpose] / SECOND - 5);
          assert.equal((await new Person(service).visit(`${ways[purpose].path}?link=${link}`)).status, 200);
          service.clock.advance(5);
          return link;
        },
      },
      { name: 'no link', link: async () => '' },
      { name: 'what has not the form of a link', link: async () => "lkl_' OR 1=1" },
      { name: 'a forged link', link: async () => `lkl_${randomBytes(32).toString('base64url')}` },
      {
        name: 'a link in another case',
        link: async () => (await working(purpose)).replace(/(?<=^lkl_.*)[a-z]/gi, otherCase),
      },
      ...purposes
        .filter((other) => other !== purpose)
        .map((other) => ({ name: `a link for ${other}`, link: () => working(other) })),
      {
        name: 'a link that was used',
        link: async () => {
          const link = await working(purpose);
          // To the page of a signed-in person, or to the one that says that it is done.
          assert.equal((await use(purpose, link)).status, 200);
          return link;
        },
      },
    ];
    test(`${ways[purpose].path} answers 410 to a link that does not work, and changes nothing`, async () => {
      const links: [string, string][] = [];
      for (const c of cases) links.push([c.name, await c.link()]);
      const before = await everything();
      for (const [name, link] of links) {
        const seen = await new Person(service).visit(`${ways[purpose].path}?link=${encodeURIComponent(link)}`);
        assert.equal(seen.status, 410, name);
        assert.match(await seen.text(), /This link does not work any more/);
        const used = await use(purpose, link);
        assert.equal(used.status, 410, name);
        assert.match(await used.text(), /This link does not work any more/);
      }
      await assertNothingChanged(before);
    });
  }

  test('a form that another site sends uses no link up', async () => {
    const links = await Promise.all(purposes.map(working));
    const before = await everything();
    for (const [index, purpose] of purposes.entries()) {
      const link = links[index] ?? '';
      const { path: action, fields } = ways[purpose];
      for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }]) {
        const foreign = await new Person(service).submit({ action, fields, buttons: [] }, { link }, headers as never);
        assert.equal(foreign.status, 403);
      }
    }
    await assertNothingChanged(before);
  });

  test('only their digests are stored', async () => {
    const links = await Promise.all(purposes.map(working));
    const stored = (await everything()).join('\n');
    for (const link of links) assert.equal(stored.includes(link.slice(4)), false);
  });
});

describe('resetting a password', () => {
  test('a link sets the password and ends all sessions, once, and only if it is the newest', async () => {
    const user = await service.newUser();
    const browsers = [new Person(service), new Person(service)];
    for (const browser of browsers) await browser.signIn(user);
    await askToReset(user.email);
    const older = await linkFor(user.email);
    await askToReset(user.email.toUpperCase());
    const newer = await linkFor(user.email);
    assert.notEqual(newer, older);
    assert.equal((await new Person(service).visit(older)).status, 410, 'the newest alone works');

    const person = new Person(service);
    const done = await person.submit(await formIn(await person.visit(newer)), { password });
    assert.equal(done.status, 200);
    assert.match(await done.text(), /Your password is changed/);
    for (const browser of browsers) assert.equal((await browser.request('/account')).status, 302);
    const known = (await service.rows('known_devices')).filter((row) => row.user_id === user.id);
    assert.deepEqual(known, [], 'no browser is known any more');
    assert.equal(person.cookies.has(session), false, 'the mail alone signs nobody in');
    assert.equal((await person.visit(newer)).status, 410);
    assert.equal(await statusOfSignIn(user.email, user.password), 400);
    assert.equal(await statusOfSignIn(user.email, password), 200);
    const told = (await mailsTo(user.email)).filter(({ subject }) => subject.startsWith('Your password was changed'));
    assert.equal(told.length, 1);
  });

  test('one link used twice at the same time sets one password', async () => {
    const user = await service.newUser();
    await askToReset(user.email);
    const form = await formIn(await new Person(service).visit(await linkFor(user.email)));
    const candidates = ['the first of two', 'the second of two'];
    const answers = await Promise.all(candidates.map((each) => new Person(service).submit(form, { password: each })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 410]);
    const winner = candidates[answers.findIndex(({ status }) => status === 200)] as string;
    assert.equal(await statusOfSignIn(user.email, winner), 200);
  });

  test('an unknown address and a disabled person get the same answer as anybody', async () => {
    const email = newAddress();
    const unknown = await traitsOf(await askToReset(email));
    const user = await service.newUser({ email });
    const known = await traitsOf(await askToReset(email));
    const subjects = async () => (await mailsTo(email)).map(({ subject }) => subject.split(' · ')[0]);
    assert.deepEqual(await subjects(), ['Reset your password', 'There is no account for this address']);
    const path = await linkFor(email);

    await disableUser(service.running.services, user.id, origin);
    const links = await service.rows('links');
    const disabled = await traitsOf(await askToReset(email));
    assert.deepEqual(known, unknown);
    assert.deepEqual(disabled, unknown);
    assert.equal((await subjects()).length, 2, 'no mail');
    assert.deepEqual(await service.rows('links'), links, 'and no link');

    const before = await usersWith(email);
    const form = { action: '/reset-password/finish', fields: {}, buttons: [] };
    const link = new URLSearchParams(path.split('?')[1]).get('link') ?? '';
    assert.equal((await new Person(service).submit(form, { link, password })).status, 410, 'sent before');
    assert.deepEqual(await usersWith(email), before);
  });

  test('it works while signed in, too, and signs out', async () => {
    const user = await service.newUser();
    const person = new Person(service);
    await person.signIn(user);
    await askToReset(user.email, person);
    const done = await person.submit(await formIn(await person.visit(await linkFor(user.email))), { password });
    assert.match(await done.text(), /Your password is changed/);
    assert.equal((await person.request('/account')).status, 302);
    assert.equal((await person.signIn({ ...user, password })).status, 200);
  });

  test('who came from an application signs in there with the new password', async () => {
    const user = await service.newUser();
    const path = authorizePath(client, newVerifier());
    const person = new Person(service);
    const { fields } = await formIn(await person.visit(path), '/sign-in');
    const page = await person.submit({ action: '/reset-password/start', fields, buttons: [] }, {});
    await person.submit(await formIn(page, '/reset-password'), { email: user.email });
    const elsewhere = new Person(service);
    const done = await elsewhere.submit(await formIn(await elsewhere.visit(await linkFor(user.email))), { password });
    const [, onward = ''] = /<a class="button primary" href="([^"]*)"/.exec(await done.text()) ?? [];
    assert.equal(onward.replaceAll('&amp;', '&'), path);
    assert.ok((await elsewhere.authorize(path, { ...user, password })).searchParams.get('code'));
  });

  test('applications stay connected', async () => {
    const user = await service.newUser();
    const { tokens } = await obtainTokens(service, client, user);
    await askToReset(user.email);
    const person = new Person(service);
    await person.submit(await formIn(await person.visit(await linkFor(user.email))), { password });
    assert.equal((await userinfo(service, tokens.access_token)).status, 200);
    assert.equal(
      (await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token))).status,
      200,
    );
  });

  test('whoever has the mailbox has the address: it is confirmed from then on', async () => {
    const user = await service.newUser({ emailVerified: false });
    await askToReset(user.email);
    const person = new Person(service);
    await person.submit(await formIn(await person.visit(await linkFor(user.email))), { password });
    assert.notEqual((await service.running.services.storage.findUser(user.id))?.emailVerifiedAt, null);
  });
});

interface Choice {
  readonly email: string;
  /** 200 when the password was taken, 400 when it was refused. */
  choose(password: string): Promise<Response>;
}

const waysToChoose: { name: string; begin: () => Promise<Choice> }[] = [
  {
    name: 'at sign-up',
    async begin() {
      const email = newAddress();
      await askToSignUp(email);
      const person = new Person(service);
      const form = await formIn(await person.visit(await linkFor(email)));
      return { email, choose: (password) => person.submit(form, { name, password }) };
    },
  },
  {
    name: 'when changing it',
    async begin() {
      const user = await service.newUser({ email: newAddress(), name });
      const person = new Person(service);
      await person.signIn(user);
      const form = await formIn(await person.visit('/account/security'), '/account/password');
      const fields = { current_password: user.password };
      return { email: user.email, choose: (password) => person.submit(form, { ...fields, new_password: password }) };
    },
  },
  {
    name: 'when resetting it',
    async begin() {
      const { email } = await service.newUser({ email: newAddress(), name });
      await askToReset(email);
      const person = new Person(service);
      const form = await formIn(await person.visit(await linkFor(email)));
      return { email, choose: (password) => person.submit(form, { password }) };
    },
  },
];

for (const way of waysToChoose) {
  describe(`a new password ${way.name}`, () => {
    const refused: { name: string; password: (email: string) => string; because: RegExp }[] = [
      { name: 'seven characters', password: () => 'k3y$tOn', because: /at least 8 characters/ },
      { name: 'seven characters of two units each', password: () => '🗝🔑🗝🔑🗝🔑🚪', because: /at least 8 characters/ },
      { name: 'nothing', password: () => '', because: /at least 8 characters/ },
      { name: '257 characters', password: () => 'long and '.repeat(29).slice(0, 257), because: /at most 256/ },
      { name: 'a common one', password: () => 'iloveyou', because: /first that are guessed/ },
      { name: 'a common one in capitals', password: () => 'PassWord1', because: /first that are guessed/ },
      { name: 'a common one in full width', password: () => 'ｐａｓｓｗｏｒｄ', because: /first that are guessed/ },
      { name: 'the own address', password: (email) => email, because: /your name or your address/ },
      {
        name: 'the own address in capitals',
        password: (email) => email.toUpperCase(),
        because: /your name or your address/,
      },
      {
        name: 'the own address without its domain',
        password: (email) => email.split('@')[0] ?? '',
        because: /your name or your address/,
      },
      { name: 'the own name', password: () => 'grace hopper', because: /your name or your address/ },
    ];

    test('is refused when it is too short, too long, common or about the person; eight characters are enough', async () => {
      const { email, choose } = await way.begin();
      const before = await everything();
      for (const c of refused) {
        const answer = await choose(c.password(email));
        assert.equal(answer.status, 400, c.name);
        assert.match(await answer.text(), c.because, c.name);
      }
      await assertNothingChanged(before);
      assert.equal((await choose('k3y$tOne')).status, 200);
      assert.equal(await statusOfSignIn(email, 'k3y$tOne'), 200);
    });

    test('may have 256 characters, and counts to the last one', async () => {
      const { email, choose } = await way.begin();
      const start = 'long and '.repeat(29).slice(0, 255);
      assert.equal((await choose(`${start}1`)).status, 200);
      assert.equal(await statusOfSignIn(email, `${start}1`), 200);
      assert.equal(await statusOfSignIn(email, `${start}2`), 400);
      assert.equal(await statusOfSignIn(email, start), 400);
    });

    test('is the same in every spelling of its characters, with the spaces around it', async () => {
      const { email, choose } = await way.begin();
      assert.equal((await choose('  na\u00efve \ufb01anc\u00e9 \u2167  ')).status, 200);
      assert.equal(await statusOfSignIn(email, '  nai\u0308ve fiance\u0301 VIII  '), 200);
      assert.equal(await statusOfSignIn(email, 'na\u00efve \ufb01anc\u00e9 \u2167'), 400);
    });
  });
}

describe('mail', () => {
  const mail = { LATCHKEY_MAIL_FROM: 'Latchkey <latchkey@example.test>', LATCHKEY_SIGN_UP: 'open' };

  /** Sends what is due until a look at the table satisfies. A background round may be under way: hence the repeating. */
  async function sendUntil(from: TestService, satisfied: (rows: Record<string, unknown>[]) => boolean): Promise<void> {
    for (let tries = 0; tries < 100; tries++) {
      await from.running.services.emailQueue.sendDue();
      if (satisfied(await from.rows('mails'))) return;
      await pause(10);
    }
    assert.fail(`still ${JSON.stringify(await from.rows('mails'))}`);
  }
  const gone = (rows: unknown[]) => rows.length === 0;

  test('while the server is down the page is the same, the mail waits sealed, and it is sent when the server is back', async () => {
    const server = await startMailServer();
    const sending = await startTestService({ ...mail, LATCHKEY_SMTP_URL: server.url });
    try {
      const email = newAddress();
      const up = await traitsOf(await askToSignUp(email, sending));
      assert.match((await server.next(email, /Finish your account/)).link, /\/sign-up\/finish\?link=/);
      await sendUntil(sending, gone);
      assert.equal((await fetch(`${sending.url}/dev/outbox`)).status, 404, 'real mail is not for everybody to see');

      await server.stop();
      const started = performance.now();
      const down = await traitsOf(await askToSignUp(email, sending));
      assert.ok(performance.now() - started < 5000);
      assert.deepEqual(down, up);

      const waits: number[] = [];
      for (let attempt = 1; attempt <= 4; attempt++) {
        await sendUntil(sending, ([row]) => Number(row?.attempts) === attempt && waitOf(row, sending) > 0);
        const [row] = await sending.rows('mails');
        waits.push(Math.round(waitOf(row, sending) / 5000) * 5);
        sending.clock.advance(waitOf(row, sending) / SECOND);
      }
      assert.deepEqual(waits, [5, 10, 20, 40], 'less and less often');
      const stored = JSON.stringify(await sending.rows('mails'));
      for (const plain of [email, email.split('@')[0] as string, 'link', 'lkl_', 'Finish']) {
        assert.equal(stored.includes(plain), false, plain);
        assert.equal(stored.includes(Buffer.from(plain).toString('base64url').slice(0, -2)), false, plain);
      }

      await server.startAgain();
      await sendUntil(sending, gone);
      const { link, from } = await server.next(email, /Finish your account/);
      assert.equal(from, 'Latchkey <latchkey@example.test>');
      assert.equal((await fetch(link)).status, 200);
      assert.equal(server.received.length, 2);
      const delays = await sending.events('mail_delayed');
      assert.ok(delays.length >= 4);
      assert.equal(JSON.stringify(delays).includes(email), false);
    } finally {
      await sending.stop();
      await server.stop();
    }
  });

  /** Milliseconds until the next attempt. */
  function waitOf(row: Record<string, unknown> | undefined, from: TestService): number {
    return Number(row?.next_attempt_at) - from.clock.now();
  }

  test('what cannot be sent for a day is given up, and what the server refuses for good at once', async () => {
    const server = await startMailServer();
    const sending = await startTestService({ ...mail, LATCHKEY_SMTP_URL: server.url });
    const { emailQueue, emailTemplates } = sending.running.services;
    const queue = (to: string) => emailQueue.queue(emailTemplates.accountDeleted({ to }));
    const postponed = (attempts: number) => (rows: Record<string, unknown>[]) =>
      rows.length === 1 && Number(rows[0]?.attempts) === attempts && waitOf(rows[0], sending) < 65 * MINUTE * SECOND;
    try {
      server.refuse({ code: 450, text: 'try again later' });
      await queue('patient@example.test');
      await sendUntil(sending, postponed(1));
      sending.clock.advance(23 * HOUR);
      await sendUntil(sending, postponed(2));
      assert.equal((await sending.events('mail_given_up')).length, 0);
      sending.clock.advance(HOUR);
      await sendUntil(sending, gone);
      assert.equal((await sending.events('mail_given_up')).length, 1);

      server.refuse({ code: 550, text: 'there is no refused@example.test' });
      await queue('refused@example.test');
      await sendUntil(sending, gone);
      const givenUp = await sending.events('mail_given_up');
      assert.equal(givenUp.length, 2);
      assert.equal(JSON.stringify(givenUp).includes('refused@'), false, 'events name no one');
      server.refuse(undefined);
      const now = sending.clock.now();
      await sending.running.services.storage.queueEmail({ id: 'x', sealed: 'of another key', createdAt: now });
      await sendUntil(sending, gone);
      assert.equal((await sending.events('mail_given_up')).length, 3);
      await queue('next@example.test');
      assert.match((await server.next('next@example.test', /deleted/)).text, /Your account was deleted/);
    } finally {
      await sending.stop();
      await server.stop();
    }
  });

  test('a server that accepts connections and says nothing delays no page', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket.on('error', () => {})));
    const port = await freePort();
    await new Promise<void>((resolve) => silent.listen(port, '127.0.0.1', resolve));
    const sending = await startTestService({ ...mail, LATCHKEY_SMTP_URL: `smtp://127.0.0.1:${port}` });
    try {
      const started = performance.now();
      for (let count = 0; count < 3; count++) assert.equal((await askToSignUp(newAddress(), sending)).status, 200);
      // The first timeout of a sending is ten seconds.
      assert.ok(performance.now() - started < 5000);
      for (let tries = 0; tries < 200 && sockets.length === 0; tries++) await pause(10);
      assert.ok(sockets.length > 0, 'and sending has begun');
      assert.equal((await sending.rows('mails')).length, 3);
    } finally {
      silent.close();
      for (const socket of sockets) socket.destroy();
      await sending.stop();
    }
  });

  test('two instances that send at the same time send each mail once', async () => {
    const server = await startMailServer();
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-two-'));
    const shared = { ...mail, LATCHKEY_SMTP_URL: server.url, LATCHKEY_DATA_DIR: folder, ...(await sharedDatabase()) };
    const instances = [await startTestService(shared), await startTestService(shared)];
    const queues = instances.map(({ running }) => running.services.emailQueue);
    try {
      const people = Array.from({ length: 35 }, newAddress);
      // They are sent when all of them wait.
      for (const queue of queues) queue.onQueued = () => {};
      const { emailTemplates } = (instances[0] as TestService).running.services;
      await Promise.all(people.map((to, index) => queues[index % 2]?.queue(emailTemplates.accountDeleted({ to }))));
      await Promise.all(queues.map((queue) => queue.sendDue()));
      await Promise.all(queues.map((queue) => queue.sendDue()));
      assert.deepEqual(server.received.map(({ to }) => to).sort(), people.sort());
      assert.deepEqual(await queues[0]?.list(50), []);
    } finally {
      for (const instance of instances) await instance.stop();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  async function sharedDatabase(): Promise<Record<string, string>> {
    if (process.env.TEST_ENGINE !== 'postgres') return {};
    const { sharedPostgres } = await import('../harness/postgres.ts');
    return { DATABASE_URL: await (await sharedPostgres()).newDatabase() };
  }

  test('without a mail server, mails are on a page for developers on a loopback address alone', async () => {
    const email = newAddress();
    await askToSignUp(email);
    const page = await (await fetch(`${service.url}/dev/outbox`)).text();
    assert.ok(page.includes(email));
    assert.ok(page.includes(await linkFor(email)));
    assert.equal(JSON.stringify(await service.rows('mails')).includes(email), false, 'and sealed in the store');
    // A name that somebody else points at this machine is not the service's own.
    const { port, host } = new URL(service.url);
    const statusFor = (name: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const options = { port, host: 'localhost', path: '/dev/outbox', headers: { Host: name } };
        get(options, (answer) => resolve(answer.resume().statusCode)).on('error', reject);
      });
    assert.equal(await statusFor(host), 200);
    for (const name of ['evil.example', `evil.example:${port}`]) assert.equal(await statusFor(name), 404);
  });

  test('in production without a mail server, what needs mail says so and does nothing', async () => {
    const production = await startTestService({
      LATCHKEY_BASE_URL: 'https://login.example',
      LATCHKEY_SIGN_UP: 'open',
    });
    try {
      const user = await production.newUser();
      const person = new Person(production);
      const missing = /This service cannot send mail yet/;
      const signIn = await formIn(await person.visit('/sign-in'), '/sign-in');
      await person.signIn(user);
      const account = await formIn(await person.visit('/account/email'), '/sign-out');
      const forms: [string, Form['fields']][] = [
        ['/sign-up', { ...signIn.fields, email: 'new@example.test' }],
        ['/reset-password', { email: user.email }],
        ['/account/email', { ...account.fields, email: 'new@example.test', current_password: user.password }],
      ];
      const before = await production.rows('users');
      for (const [action, fields] of forms) {
        const page = await person.visit(action);
        assert.equal(page.status, 200);
        assert.match(await page.text(), missing, action);
        const refused = await person.submit({ action, fields, buttons: [] }, {});
        assert.equal(refused.status, 403, action);
        assert.match(await refused.text(), missing, action);
      }
      assert.deepEqual(await production.rows('users'), before);
      for (const table of ['links', 'mails']) assert.deepEqual(await production.rows(table), []);
      const outbox = await fetch(`${production.url}/dev/outbox`);
      assert.equal(outbox.status, 404);
    } finally {
      await production.stop();
    }
  });
});
