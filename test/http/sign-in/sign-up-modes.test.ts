// Who can sign up: the modes, links to sign up with, and the groups of new accounts.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createGroup, deleteGroup } from '../../../src/operations/groups/groups.ts';
import { changeSettings } from '../../../src/operations/settings/change-settings.ts';
import { removeAdministrator } from '../../../src/operations/users/disable-user.ts';
import { createSignUpLink, revokeSignUpLink } from '../../../src/operations/users/sign-up-links.ts';
import type { Requester } from '../../../src/protocol/event.ts';
import type { SettingsInput } from '../../../src/protocol/resources/settings.ts';
import type { SignUpLinkInput } from '../../../src/protocol/resources/sign-up-link.ts';
import { HostileUpstream } from '../../harness/hostile-upstream.ts';
import { type Form, formIn, Person } from '../../harness/person.ts';
import { movableClock, requester, type TestService } from '../../harness/service.ts';
import { askToSignUp, name, newAddress, password, traitsOf, usersWith } from '../../harness/sign-up.ts';
import { linkFor, mailsTo } from '../../harness/store.ts';
import { startTwoInstances, type TwoInstances } from '../../harness/two-instances.ts';
import { addUpstream, allowLoopbackUpstreams, signInWith } from '../../harness/upstreams.ts';
import { setAdministrator } from '../../storage/records.ts';

let both: TwoInstances;
let service: TestService;

before(async () => {
  both = await startTwoInstances({ ...allowLoopbackUpstreams, LATCHKEY_SIGN_UP: 'open' }, { clock: movableClock() });
  service = both.one;
  for (const group of ['Crew', 'Staff', 'Guests'])
    await createGroup(service.running.services, { name: group }, requester);
});
after(() => both?.stop());
// Emails are limited for a network: each test starts when those of the tests before it no longer count.
beforeEach(async () => {
  service.clock.advance(16 * 60);
  await set({ sign_up: 'open', sign_up_domains: [], default_groups: [] });
});

async function set(settings: SettingsInput): Promise<void> {
  const outcome = await changeSettings(service.running.services, settings, requester);
  assert.equal(outcome.kind, 'done');
}

async function newLink(input: SignUpLinkInput = {}, by: Requester = requester): Promise<{ id: string; path: string }> {
  const made = await createSignUpLink(service.running.services, input, by);
  assert.ok(made.kind === 'done', JSON.stringify(made));
  return { id: made.link.id, path: made.url.slice(service.url.length) };
}

/** Asks for the email with the page that the link leads to. */
async function askWith(path: string, email: string, person = new Person(service)): Promise<Response> {
  service.clock.advance(1);
  const answer = await person.submit(await formIn(await person.visit(path), '/sign-up'), { email });
  await service.running.services.emailQueue.answerRequests();
  return answer;
}

async function finishForm(email: string, person = new Person(service)): Promise<Form> {
  return formIn(await person.visit(await linkFor(service, email)), '/sign-up/finish');
}

async function finish(email: string): Promise<Response> {
  const person = new Person(service);
  return person.submit(await finishForm(email, person), { name, password });
}

async function groupsOf(email: string): Promise<string[]> {
  const { storage } = service.running.services;
  const user = await storage.findUserByEmail(email);
  assert.ok(user, email);
  return (await storage.listGroupsOf(user.id, service.clock.now())).map((group) => group.name);
}

async function usedOf(id: string): Promise<number | undefined> {
  return (await service.running.services.storage.findSignUpLink({ id }, 0))?.used;
}

const buttonOn = async (person = new Person(service)) =>
  (await (await person.visit('/sign-in')).text()).includes('Create an account');

describe('modes', () => {
  test('the setting counts once it is changed, on every instance within seconds, without a restart', async () => {
    const { two } = both;
    const page = async () => (await new Person(two).visit('/sign-up')).text();
    assert.match(await page(), /Send link/);
    await set({ sign_up: 'closed' });
    assert.match(await (await new Person(service).visit('/sign-up')).text(), /Sign-up is closed/);
    two.clock.advance(3);
    assert.match(await page(), /Sign-up is closed/);
    await set({ sign_up: 'links' });
    two.clock.advance(3);
    assert.match(await page(), /You need a sign-up link to create an account/);
  });

  test('the sign-in page offers sign-up to those who may have no link', async () => {
    for (const [sign_up, isOffered] of [
      ['closed', false],
      ['links', false],
      ['domains', true],
      ['approval', true],
      ['open', true],
    ] as const) {
      await set({ sign_up });
      assert.equal(await buttonOn(), isOffered, sign_up);
    }
  });

  test('with links, a form without one is refused and sends nothing', async () => {
    const person = new Person(service);
    const form = await formIn(await person.visit('/sign-up'), '/sign-up');
    await set({ sign_up: 'links' });
    const email = newAddress();
    const refused = await person.submit(form, { email });
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /You need a sign-up link/);
    assert.deepEqual(await mailsTo(service, email), []);
  });

  test('with domains, only addresses in them sign up, and nobody learns the domains or who has an account', async () => {
    await set({ sign_up: 'domains', sign_up_domains: ['example.test', 'bücher.example'] });
    const known = await service.newUser({ email: 'known@elsewhere.example' });
    const before = (await service.rows('mails')).length;
    const page = await (await new Person(service).visit('/sign-up')).text();
    const traits = [];
    for (const email of [
      known.email,
      'nobody@elsewhere.example',
      'x@mail.example.test',
      'x@example.test.evil.example',
    ]) {
      const answer = await askToSignUp(service, email);
      assert.equal(answer.status, 403, email);
      const { page: text, ...rest } = (await traitsOf(answer)) as { page: string };
      assert.match(text, /You can&#39;t create an account with this email address/);
      traits.push({ ...rest, page: text.replaceAll(email, '').replace(/name="continue" value="[^"]*"/, '') });
    }
    for (const other of traits.slice(1)) assert.deepEqual(withoutCookie(other), withoutCookie(traits[0] ?? {}));
    assert.doesNotMatch(`${page}${JSON.stringify(traits)}`, /example\.test(?!\.)|xn--bcher/);
    assert.equal((await service.rows('mails')).length, before);
    assert.equal((await askToSignUp(service, 'not an address')).status, 400);

    for (const email of ['Someone@EXAMPLE.test', 'ada@BÜCHER.example']) {
      assert.equal((await askToSignUp(service, email)).status, 200, email);
      assert.equal((await finish(email)).status, 200, email);
      assert.equal((await usersWith(service, email)).length, 1);
    }
  });

  test('what was allowed when the email was sent is judged again when the account is created', async () => {
    for (const settings of [
      { sign_up: 'closed' },
      { sign_up: 'links' },
      { sign_up: 'domains', sign_up_domains: ['elsewhere.example'] },
    ]) {
      await set({ sign_up: 'open', sign_up_domains: [] });
      const email = newAddress();
      await askToSignUp(service, email);
      const form = await finishForm(email);
      await set(settings);
      assert.equal((await new Person(service).visit(await linkFor(service, email))).status, 410);
      assert.equal((await new Person(service).submit(form, { name, password })).status, 410);
      assert.deepEqual(await usersWith(service, email), [], JSON.stringify(settings));
    }
  });
});

describe('a link to sign up with', () => {
  test('works in every mode but closed, counts a use when the account is created, and is kept as a digest', async () => {
    for (const sign_up of ['links', 'domains', 'approval', 'open'] as const) {
      await set({ sign_up });
      service.clock.advance(16 * 60);
      const { id, path } = await newLink({ uses: 2 });
      const email = newAddress();
      assert.equal((await askWith(path, email)).status, 200, sign_up);
      assert.equal(await usedOf(id), 0, 'asking for the email uses nothing');
      assert.equal((await finish(email)).status, 200, sign_up);
      assert.equal(await usedOf(id), 1);
      const [user] = await usersWith(service, email);
      assert.notEqual(user?.email_verified_at, null);
      const event = (await service.events('signed_up')).at(-1);
      assert.deepEqual([event?.userId, event?.detail?.link], [user?.id, id]);
      const secret = new URL(path, service.url).searchParams.get('link') ?? '';
      assert.match(secret, /^lku_/);
      const stored = JSON.stringify(await service.rowsOf(['sign_up_links', 'links', 'mails', 'events', 'users']));
      assert.equal(stored.includes(secret), false);
      assert.equal(service.log().includes(secret), false);
    }
    const { path } = await newLink();
    await set({ sign_up: 'closed' });
    assert.match(await (await new Person(service).visit(path)).text(), /Sign-up is closed/);
  });

  test('that was closed between the page and the form creates nothing', async () => {
    const { path } = await newLink();
    const person = new Person(service);
    const form = await formIn(await person.visit(path), '/sign-up');
    await set({ sign_up: 'closed' });
    const email = newAddress();
    const refused = await person.submit(form, { email });
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /Sign-up is closed/);
    assert.deepEqual(await mailsTo(service, email), []);
  });

  test('that is unknown or altered is refused, without and with a form', async () => {
    await set({ sign_up: 'links' });
    const { path } = await newLink();
    const person = new Person(service);
    const form = await formIn(await person.visit(path), '/sign-up');
    const link = form.fields.link ?? '';
    const altered = `${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`;
    for (const bad of [altered, link.toUpperCase(), `${link} `, 'lku_', '', 'x'.repeat(3000), "lku_' OR 1=1 --"]) {
      const opened = await new Person(service).visit(`/sign-up?link=${encodeURIComponent(bad)}`);
      assert.equal(opened.status, 410, bad);
      const email = newAddress();
      const sent = await person.submit({ ...form, fields: { ...form.fields, link: bad } }, { email });
      assert.equal(sent.status, bad === '' ? 403 : 410, bad);
      assert.deepEqual(await mailsTo(service, email), []);
    }
  });

  test('that has ended says so, on its page, with its form and behind the email', async () => {
    const { services } = service.running;
    const ends = {
      used_up: {
        async end({ path }: { path: string }) {
          const email = newAddress();
          await askWith(path, email);
          assert.equal((await finish(email)).status, 200);
        },
        says: /This sign-up link has been used up/,
      },
      expired: { end: async () => service.clock.advance(24 * 60 * 60), says: /This sign-up link has expired/ },
      revoked: {
        end: async ({ id }: { id: string }) => revokeSignUpLink(services, id, requester),
        says: /This sign-up link was revoked/,
      },
    };
    for (const [what, { end, says }] of Object.entries(ends)) {
      service.clock.advance(16 * 60);
      const link = await newLink({ days: 1 });
      // So that the email is still good when the link has expired.
      if (what === 'expired') service.clock.advance(12 * 60 * 60);
      const person = new Person(service);
      const form = await formIn(await person.visit(link.path), '/sign-up');
      const email = newAddress();
      await askWith(link.path, email);
      const late = await finishForm(email);
      if (what === 'expired') service.clock.advance(12 * 60 * 60);
      else await end(link);
      const answers = [
        await new Person(service).visit(link.path),
        await person.submit(form, { email: newAddress() }),
        await new Person(service).visit(await linkFor(service, email)),
        await new Person(service).submit(late, { name, password }),
      ];
      for (const answer of answers) {
        assert.equal(answer.status, 410, what);
        assert.match(await answer.text(), says);
      }
      assert.deepEqual(await usersWith(service, email), [], what);
    }
  });

  test('used by more people at once than it allows creates as many accounts as it allows', async () => {
    const { id, path } = await newLink({ uses: 2, groups: ['Crew'] });
    const emails = Array.from({ length: 5 }, () => newAddress());
    for (const email of emails) {
      await askWith(path, email);
      service.clock.advance(5 * 60);
    }
    const forms = await Promise.all(emails.map((email) => finishForm(email)));
    const answers = await Promise.all(forms.map((form) => new Person(service).submit(form, { name, password })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 410, 410, 410]);
    for (const answer of answers) {
      if (answer.status === 410) assert.match(await answer.text(), /This sign-up link has been used up/);
    }
    assert.equal(await usedOf(id), 2);
    const created = await Promise.all(emails.map((email) => usersWith(service, email)));
    assert.equal(created.flat().length, 2);
  });

  test('ends with the admin access of whoever made it, with an event, and does not come back', async () => {
    const { services } = service.running;
    await service.newUser({ admin: true });
    const admin = await service.newUser({ admin: true });
    const actor = { kind: 'administrator', id: admin.id } as const;
    const { id, path } = await newLink({}, { ...requester, actor });
    const email = newAddress();
    await askWith(path, email);
    const form = await finishForm(email);
    assert.equal((await removeAdministrator(services, { id: admin.id }, requester)).kind, 'done');
    assert.equal((await service.events('sign_up_link_revoked')).at(-1)?.detail?.link, id);
    assert.equal((await new Person(service).submit(form, { name, password })).status, 410);
    await setAdministrator(
      services.storage,
      admin.id,
      1,
      services.journal.event({ kind: 'user_made_administrator' }, requester),
    );
    assert.equal((await new Person(service).visit(path)).status, 410);
    const refused = await createSignUpLink(services, {}, { ...requester, actor: { kind: 'api_key', id: 'gone' } });
    assert.deepEqual([refused.kind, await usersWith(service, email)], ['refused', []]);
  });

  test('keeps the language and the link when the page is shown again', async () => {
    await set({ sign_up: 'links' });
    const { path } = await newLink();
    const person = new Person(service);
    const again = await person.submit(await formIn(await person.visit(path), '/sign-up'), { email: 'no address' });
    assert.equal(again.status, 400);
    const form = await formIn(again, '/sign-up');
    assert.equal(`/sign-up?link=${form.fields.link}`, path);
  });
});

describe('groups of new accounts', () => {
  test('default groups are for sign-up and links, which add their own', async () => {
    await set({ default_groups: ['Crew', 'Staff'] });
    const plain = newAddress();
    await askToSignUp(service, plain);
    await finish(plain);
    assert.deepEqual(await groupsOf(plain), ['Crew', 'Staff']);
    const { path } = await newLink({ groups: ['guests', 'Staff'] });
    const linked = newAddress();
    await askWith(path, linked);
    await finish(linked);
    assert.deepEqual(await groupsOf(linked), ['Crew', 'Guests', 'Staff']);
    const added = (await service.events('group_member_added')).slice(-3);
    const [user] = await usersWith(service, linked);
    assert.deepEqual(
      added.map(({ userId, detail }) => [userId, detail?.group]),
      ['Crew', 'Staff', 'Guests'].map((group) => [user?.id, group]),
    );
  });

  test('a group that was deleted meanwhile is left out', async () => {
    const { services } = service.running;
    await createGroup(services, { name: 'Short-lived' }, requester);
    const { path } = await newLink({ groups: ['Short-lived', 'Crew'] });
    const email = newAddress();
    await askWith(path, email);
    await deleteGroup(services, 'Short-lived', true, requester);
    assert.equal((await finish(email)).status, 200);
    assert.deepEqual(await groupsOf(email), ['Crew']);
  });

  test('default groups are for accounts from an identity provider, whatever sign_up says', async () => {
    const provider = await HostileUpstream.start(() => service.clock.now());
    try {
      await set({ sign_up: 'closed', default_groups: ['Guests'] });
      await addUpstream(service, provider, { createsAccounts: true });
      provider.person = { sub: 'one', email: 'one@people.example', email_verified: true, name: 'Ada Lovelace' };
      await signInWith(service, provider, new Person(service));
      assert.deepEqual(await groupsOf('one@people.example'), ['Guests']);
    } finally {
      await provider.stop();
    }
  });
});

function withoutCookie(traits: object): object {
  const { headers = [], ...rest } = traits as { headers?: [string, string][] };
  return { ...rest, headers: headers.filter(([header]) => !['set-cookie', 'content-length'].includes(header)) };
}
