// What administrators do for people: invitations, accounts with and without a password, corrections, and downloads.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createApiKey, revokeApiKey } from '../../../src/operations/api-keys/api-keys.ts';
import { deleteUser } from '../../../src/operations/users/disable-user.ts';
import { createUserWithLink } from '../../../src/operations/users/users.ts';
import { Api, newKey, withBearer, withSession } from '../../harness/api.ts';
import { alertOn, namesOn, noticeOn, questionOn, send, textOf, visit } from '../../harness/console.ts';
import { formIn, Person, readForm } from '../../harness/person.ts';
import { proofFormOn } from '../../harness/proof.ts';
import { requester, startTestService } from '../../harness/service.ts';
import { linkFor, mailsTo } from '../../harness/store.ts';
import { consoleOfSuite } from '../../harness/suite.ts';

const password = 'a phrase of my own';
const invitations = '/admin/people/invitations';

const { service, administrator, admin, signInAgain } = consoleOfSuite();

const stored = (id: string) => service.running.services.storage.findUser(id);
const next = (page: string, rel: 'next' | 'prev') =>
  new RegExp(`href="([^"]*)" rel="${rel}"`).exec(page)?.[1]?.replaceAll('&amp;', '&');

describe('invitations', () => {
  test('name the inviter and the service, are listed until accepted, and can be resent and withdrawn', async () => {
    const email = 'Guest@example.test';
    await send(admin, invitations, '/admin/people/invite', { email, name: 'Dorothy Vaughan' });
    const [mail] = await mailsTo(service, email);
    assert.match(mail?.text ?? '', /Margaret Hamilton invited you to create an account on Latchkey\./);
    const listed = (await visit(admin, invitations)).page;
    for (const words of [/Guest@example\.test/, /Dorothy Vaughan/, /Margaret Hamilton/]) assert.match(listed, words);
    const first = await linkFor(service, email);

    service.clock.advance(1);
    const again = await send(admin, invitations, `${invitations}/resend`, {});
    assert.equal(noticeOn(again.page), 'Invitation sent again.');
    const second = await linkFor(service, email);
    assert.equal((await new Person(service).visit(first)).status, 410, 'the newest link alone works');
    assert.equal((await new Person(service).visit(second)).status, 200);

    const question = questionOn(listed, `${invitations}/withdraw`) ?? '';
    const form = readForm((await visit(admin, question)).page, `${invitations}/withdraw`);
    assert.equal((await visit(admin, `${invitations}/withdraw?email=made@up.example`)).status, 404);
    const withdrawn = await send(admin, invitations, `${invitations}/withdraw`, {});
    assert.equal(noticeOn(withdrawn.page), 'Invitation withdrawn.');
    assert.match(withdrawn.page, /No pending invitations\./);
    assert.equal((await new Person(service).visit(second)).status, 410);
    assert.ok(form);
    const late = await admin.submit(form, {});
    assert.deepEqual([late.status, alertOn(await late.text())], [400, `There is no pending invitation for ${email}.`]);
    const kinds = (await service.events()).map(({ kind }) => kind).filter((kind) => kind.includes('invit'));
    assert.deepEqual(kinds, ['user_invited', 'invitation_resent', 'invitation_withdrawn']);
  });

  test("from the command line have no inviter, and expired ones aren't pending", async () => {
    const { inviteUser, listInvitations } = await import('../../../src/operations/users/invitations.ts');
    const { services } = service.running;
    await inviteUser(services, { email: 'cli@example.test', name: '' }, requester);
    assert.match(
      (await mailsTo(service, 'cli@example.test'))[0]?.text ?? '',
      /You've been invited to create an account/,
    );
    const pending = async () => {
      const page = await listInvitations(services, {});
      return page.kind === 'done' ? page.items.map(({ email, inviter }) => [email, inviter]) : [];
    };
    assert.deepEqual(await pending(), [['cli@example.test', undefined]]);
    service.clock.advance(7 * 24 * 60 * 60);
    assert.deepEqual(await pending(), []);
    await signInAgain();
  });
});

describe('lists of invitations and sign-up links', () => {
  const links = '/admin/people/sign-up-links';
  const makers = async (list: string) => {
    const { page } = await visit(admin, list);
    return ['API key Test', 'Revoked API key', 'Deleted person', 'Command line'].filter((words) =>
      page.includes(words),
    );
  };

  test('name the API key, and say that a key or a person is gone', async () => {
    const api = await Api.of(service);
    const key = await newKey(service, 'administrator');
    assert.equal((await api.call('inviteUser', key, { body: { email: 'byakey@example.test' } })).status, 201);
    assert.equal((await api.call('createSignUpLink', key, { body: {} })).status, 201);
    const inviter = async (email = 'byakey@example.test') => {
      const { items } = (await api.call('listInvitations', await newKey(service, 'read'))).data;
      const invitation = items.find((each: { readonly email?: unknown }) => each.email === email);
      const { invited_by, invited_by_key }: Readonly<Record<string, unknown>> = { ...invitation };
      return [invited_by, invited_by_key];
    };
    assert.deepEqual(await inviter(), [null, 'Test']);
    const actor = { kind: 'administrator', id: administrator.id } as const;
    const own = await createApiKey(
      service.running.services,
      { name: 'Own', permission: 'administrator', days: undefined },
      { ...requester, actor },
    );
    const caller = withBearer(own.kind === 'done' ? own.secret : '');
    await api.call('inviteUser', caller, { body: { email: 'byownkey@example.test' } });
    assert.deepEqual(await inviter('byownkey@example.test'), ['Margaret Hamilton', 'Own']);
    for (const list of [invitations, links]) assert.deepEqual(await makers(list), ['API key Test'], list);
    const { services } = service.running;
    await revokeApiKey(services, key.id, requester);
    assert.deepEqual(await inviter(), [null, key.id]);
    for (const list of [invitations, links]) assert.deepEqual(await makers(list), ['Revoked API key'], list);

    const other = await service.newUser({ admin: true });
    const session = await withSession(service, other);
    assert.equal((await api.call('inviteUser', session, { body: { email: 'byother@example.test' } })).status, 201);
    assert.equal((await api.call('createSignUpLink', session, { body: {} })).status, 201);
    await deleteUser(services, { id: other.id }, requester);
    for (const list of [invitations, links]) {
      assert.deepEqual(await makers(list), ['Revoked API key', 'Deleted person'], list);
    }
  });
});

describe('a person', () => {
  test('created without a password sets one with a link that verifies the email address', async () => {
    const fields = { name: 'Annie Easley', email: 'annie@example.test', given_name: 'Annie' };
    const { page } = await send(admin, '/admin/people/new', '/admin/people', { ...fields, password_choice: 'link' });
    assert.match(noticeOn(page) ?? '', /emailed them a link to choose a password/);
    const user = await service.running.services.storage.findUserByEmail(fields.email);
    assert.deepEqual([user?.givenName, user?.emailVerifiedAt], ['Annie', null]);
    assert.match(
      (await mailsTo(service, fields.email))[0]?.text ?? '',
      /Margaret Hamilton created an account for you on/,
    );
    const browser = new Person(service);
    service.clock.advance(6 * 24 * 60 * 60);
    const form = await formIn(await browser.visit(await linkFor(service, fields.email)));
    assert.equal((await browser.submit(form, { password })).status, 200);
    assert.notEqual((await stored(user?.id ?? ''))?.emailVerifiedAt, null);
    const signedIn = await new Person(service).signIn({ ...administrator, email: fields.email, password });
    assert.equal(new URL(signedIn.url).pathname, '/account', 'there is nothing to review');
    await signInAgain();
  });

  test('is created with a password, and resubmitting the form creates nobody', async () => {
    const form = readForm((await visit(admin, '/admin/people/new')).page, '/admin/people');
    assert.ok(form);
    const values = {
      name: 'Mary Jackson',
      email: 'mary@example.test',
      password_choice: 'set',
      email_verified: 'yes',
    };
    const weak = await admin.submit(form, { ...values, password: 'password1' });
    assert.equal(weak.status, 400);
    const again = readForm(await weak.text(), '/admin/people');
    assert.ok(again);
    assert.equal((await admin.submit(again, { ...values, password })).status, 200);
    assert.equal((await admin.submit(again, { ...values, password })).status, 200);
    assert.equal((await new Person(service).signIn({ ...administrator, email: values.email, password })).status, 200);
    assert.notEqual((await service.running.services.storage.findUserByEmail(values.email))?.emailVerifiedAt, null);
    const taken = await send(admin, '/admin/people/new', '/admin/people', { ...values, password });
    assert.equal(taken.status, 400);
  });

  test("isn't created until every field is valid, and each problem is shown at its field", async () => {
    const problemsIn = (page: string) =>
      [...page.matchAll(/<p class="field-problem" role="alert" id="([^"]*)">([^<]*)</g)].map(([, id, text]) => [
        id,
        text,
      ]);
    const wrong = {
      name: ' ',
      given_name: 'x'.repeat(101),
      family_name: 'y'.repeat(101),
      email: 'nonsense',
      password_choice: 'set',
      password: 'short',
    };
    const refused = await send(admin, '/admin/people/new', '/admin/people', wrong);
    assert.equal(refused.status, 400);
    assert.deepEqual(problemsIn(refused.page), [
      ['name-problem', 'The name is empty.'],
      ['given_name-problem', 'The given name is longer than 100 characters.'],
      ['family_name-problem', 'The family name is longer than 100 characters.'],
      ['email-problem', '&quot;nonsense&quot; is not an email address.'],
      ['password-problem', 'The password must have at least 8 characters.'],
    ]);
    const email = 'unsure@example.test';
    const unsure = { name: 'Unsure', given_name: '', family_name: '', email, password_choice: 'link', password };
    const contradiction = await send(admin, '/admin/people/new', '/admin/people', unsure);
    assert.deepEqual(problemsIn(contradiction.page), [
      ['password-problem', 'You entered a password, but chose to let the person choose one.'],
    ]);
    assert.equal(await service.running.services.storage.findUserByEmail(email), undefined);
    const taken = { ...unsure, email: administrator.email.toUpperCase(), name: '' };
    const both = await send(admin, '/admin/people/new', '/admin/people', taken);
    assert.deepEqual(
      problemsIn(both.page).map(([id]) => id),
      ['name-problem', 'email-problem', 'password-problem'],
    );
  });

  test('without email, the link to set a password is shown, and no notification is claimed', async () => {
    const quiet = await startTestService({ LATCHKEY_BASE_URL: 'https://id.example' });
    try {
      const input = { email: 'a@example.test', name: 'A', emailVerified: false, admin: false, password: undefined };
      const made = await createUserWithLink(quiet.running.services, input, requester);
      assert.ok(made.kind === 'done' && made.link?.url?.startsWith('https://id.example/recover?link='));
      const browser = new Person(quiet);
      await browser.signIn(await quiet.newUser({ admin: true }));
      const path = `/admin/people/${made.user.id}/edit`;
      assert.match((await visit(browser, path)).page, /Email isn&#39;t set up, so the person isn&#39;t notified\./);
      const names = { name: 'B', given_name: '', family_name: '' };
      const saved = await send(browser, path, path, { ...names, email: input.email });
      assert.equal(noticeOn(saved.page), 'Changes saved.');
    } finally {
      await quiet.stop();
    }
  });

  test('gets a new name, is notified, and is found by it', async () => {
    const user = await service.newUser({ name: 'Kathrine Jonson' });
    const path = `/admin/people/${user.id}`;
    const { email } = user;
    const names = { name: 'Katherine Johnson', given_name: '', family_name: 'Johnson' };
    const { page } = await send(admin, `${path}/edit`, `${path}/edit`, { ...names, email });
    assert.equal(noticeOn(page), 'Changes saved. The person was notified by email.');
    assert.match((await visit(admin, `${path}/edit`)).page, /The person is notified by email\./);
    const [mail] = await mailsTo(service, user.email);
    assert.match(mail?.text ?? '', /An administrator changed your profile\. Your name is now Katherine Johnson\./);
    assert.deepEqual(namesOn((await visit(admin, '/admin/people?search=katherine+johns')).page), ['Katherine Johnson']);
    assert.match((await visit(admin, '/admin/people?search=jonson')).page, /No people found/);
    assert.equal((await stored(user.id))?.emailVerifiedAt === null, false, 'the email address stays verified');
    const before = (await service.events('user_edited')).length;
    const same = await send(admin, `${path}/edit`, `${path}/edit`, { ...names, email });
    assert.equal(noticeOn(same.page), 'Nothing changed.');
    assert.equal((await service.events('user_edited')).length, before, 'saving nothing changes nothing');
  });

  test('gets a new email address after proof: both addresses are notified, links end, sessions stay', async () => {
    const user = await service.newUser({ name: 'Christine Darden' });
    const name = { name: 'Christine Darden', given_name: '', family_name: '' };
    const theirs = new Person(service);
    await theirs.signIn(user);
    const path = `/admin/people/${user.id}`;
    await send(admin, path, `${path}/send-reset`);
    const link = await linkFor(service, user.email);
    service.clock.advance(20 * 60);
    const asked = await send(admin, `${path}/edit`, `${path}/edit`, { ...name, email: 'Darden@example.test' });
    const proof = proofFormOn(asked.page);
    assert.ok(proof, 'whoever has the address can reset the password');
    await admin.submit(proof, { password: administrator.password });
    const changed = await stored(user.id);
    assert.deepEqual([changed?.email, changed?.emailVerifiedAt], ['Darden@example.test', null]);
    for (const to of [user.email, 'Darden@example.test']) {
      const [mail] = await mailsTo(service, to);
      assert.match(mail?.text ?? '', /changed your account's email address to Darden@example\.test/, to);
    }
    assert.equal((await new Person(service).visit(link)).status, 410);
    assert.equal((await theirs.request('/account')).status, 200);
    const taken = await send(admin, `${path}/edit`, `${path}/edit`, { ...name, email: administrator.email });
    assert.deepEqual([taken.status, /already/.test(alertOn(taken.page) ?? '')], [400, true]);
    const invalid = await send(admin, `${path}/edit`, `${path}/edit`, { ...name, email: 'nonsense' });
    assert.equal(invalid.status, 400);

    const { page } = await visit(admin, path);
    assert.match(page, new RegExp(`href="${path}/verify-email"[^>]*>Mark as verified<`));
    const verified = await send(admin, path, `${path}/verify-email`);
    assert.equal(noticeOn(verified.page), 'Email address verified.');
    assert.notEqual((await stored(user.id))?.emailVerifiedAt, null);
    assert.equal(readForm(verified.page, `${path}/verify-email`), undefined);
    const [event] = (await service.events('user_email_verified')).slice(-1);
    assert.equal(event?.detail?.by, `administrator ${administrator.id}`);
  });
});

describe('the list of people', () => {
  test('shows last sign-in, status, second factor and admin, can be sorted, and pages both ways', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `Sorted ${String(index).padStart(2, '0')}`);
    for (const name of names.toSorted(() => 0.5 - Math.random())) {
      const { id } = await service.newUser({ name });
      service.clock.advance(1);
      if (name === 'Sorted 07') await new Person(service).signIn(await service.newUser({ name: 'Just signed in' }));
      assert.ok(id);
    }
    const byName = await visit(admin, '/admin/people?sort=name');
    const shown = namesOn(byName.page);
    assert.deepEqual(
      shown,
      shown.toSorted((a = '', b = '') => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)),
    );
    assert.match(byName.page, /aria-sort="ascending"/);
    assert.match(byName.page, /<p>1–50 of \d+<\/p>/);
    const later = await visit(admin, next(byName.page, 'next') ?? '');
    assert.match(later.page, /<p>51–\d+ of \d+<\/p>/);
    const back = await visit(admin, next(later.page, 'prev') ?? '');
    assert.deepEqual(namesOn(back.page), shown);
    assert.equal(next(back.page, 'prev'), undefined);
    const recent = namesOn((await visit(admin, '/admin/people?sort=-last_sign_in')).page);
    assert.ok(recent.indexOf('Just signed in') < 5);
    assert.equal((await visit(admin, '/admin/people?sort=password')).status, 400);
    const row =
      byName.page.split('<tr>').find((part) => /<th scope="row"[^>]*><a [^>]*>Margaret Hamilton/.test(part)) ?? '';
    assert.doesNotMatch(row, /badge (good|danger)/);
    for (const words of [/Admin/, /Off/, /<time [^>]*title="[^"]+"/]) assert.match(row, words);
    assert.match((await visit(admin, '/admin/people?search=sorted')).page, /<p>1–50 of \d+<\/p>/);
  });
});

describe('downloads', () => {
  const download = async (path: string, who: Person = admin) => {
    const response = await who.request(path);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  test('contain everyone who matches the filter, as CSV and JSON Lines, without formulas', async () => {
    const hostile = [
      '=HYPERLINK("http://evil.example")',
      '+1+1',
      '-1',
      '@SUM(A1)',
      'Quo"te, comma',
      'Ada;=1+1',
      'Ada;@SUM(A1)',
    ];
    for (const [index, name] of hostile.entries()) {
      await service.newUser({ name, email: `formula${index}@evil.example` });
    }
    const csv = await download('/admin/people.csv?search=evil.example');
    assert.equal(csv.status, 200);
    assert.equal(csv.headers.get('content-disposition'), 'attachment; filename="latchkey-people.csv"');
    const lines = csv.text.trimEnd().split('\r\n');
    assert.equal(lines.length, hostile.length + 1);
    assert.match(lines[0] ?? '', /^id,email,email_verified,name,/);
    for (const line of lines.slice(1)) assert.doesNotMatch(line, /(^|[,;])"?[=+@-]/, line);
    assert.ok(csv.text.includes(`"'=HYPERLINK(""http://evil.example"")"`));
    assert.ok(csv.text.includes('"Quo""te, comma"'));
    const jsonl = await download('/admin/people.jsonl?search=evil.example&sort=name');
    const people = jsonl.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { name: string });
    assert.deepEqual(people.map(({ name }) => name).toSorted(), hostile.toSorted(), 'JSON needs no apostrophe');
    assert.equal(jsonl.text.includes('hash'), false);
    const [event] = (await service.events('list_downloaded')).slice(-1);
    assert.deepEqual([event?.detail?.list, event?.detail?.format], ['people', 'jsonl']);
    assert.equal(event?.detail?.by, `administrator ${administrator.id}`);
  });

  test('contain every matching event, beyond one page, the same in the console and the API', async () => {
    const client = await service.newClient({ name: 'Busy' });
    const { journal, random } = service.running.services;
    for (let made = 0; made < 1203; made++) journal.note({ kind: 'token_revoked', clientId: client.id }, requester);
    assert.ok(random);
    const { text } = await download(`/admin/events.csv?application=${client.id}&kind=token_revoked`);
    const ids = text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[0]);
    assert.deepEqual([ids.length, new Set(ids).size], [1203, 1203]);
    const { createApiKey } = await import('../../../src/operations/api-keys/api-keys.ts');
    const key = await createApiKey(service.running.services, { name: 'K', permission: 'read', days: 1 }, requester);
    assert.equal(key.kind, 'done');
    if (key.kind !== 'done') return;
    const headers = withBearer(key.secret).headers('GET');
    const api = await fetch(`${service.url}/api/events.jsonl?application=${client.id}&kind=token_revoked`, { headers });
    const lines = (await api.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; event: string });
    assert.deepEqual(
      lines.map(({ id }) => id),
      ids,
    );
    assert.equal(lines[0]?.event, 'Token revoked');
    const head = await fetch(`${service.url}/api/events.csv`, { method: 'HEAD', headers });
    assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'text/csv; charset=utf-8']);
  });

  test('are refused to others, for an invalid filter, and while one is running', async () => {
    const user = new Person(service);
    await user.signIn(await service.newUser());
    assert.equal((await download('/admin/people.csv', user)).status, 403);
    assert.equal((await new Person(service).request('/admin/events.csv')).status, 302);
    for (const path of ['/admin/people.csv?sort=x', '/admin/events.csv?kind=x', '/admin/events.jsonl?since=x']) {
      assert.equal((await download(path)).status, 400, path);
    }
    const { downloads } = service.running.services;
    assert.equal(downloads.begin(administrator.id), true);
    const busy = await download('/admin/people.csv');
    assert.deepEqual([busy.status, busy.headers.get('retry-after')], [429, '10']);
    downloads.end(administrator.id);
    assert.equal((await download('/admin/people.csv')).status, 200);
    assert.equal(downloads.begin(administrator.id), true, 'a finished download is over');
    downloads.end(administrator.id);
  });
});

test("resubmitting a form doesn't create another one-time link", async () => {
  const user = await service.newUser();
  const path = `/admin/people/${user.id}`;
  const form = readForm((await visit(admin, `${path}/recovery-link`)).page, `${path}/recovery-link`);
  assert.ok(form);
  const first = textOf(await (await admin.submit(form, {})).text(), 'link');
  const again = await (await admin.submit(form, {})).text();
  assert.equal(textOf(again, 'link'), '');
  assert.match(again, new RegExp(`<h1>${user.record.name}</h1>`));
  assert.equal((await new Person(service).visit(first.slice(service.url.length))).status, 200);
});
