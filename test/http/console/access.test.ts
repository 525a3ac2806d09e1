// Who may open the console, and how the first administrator gets in.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { createGroup } from '../../../src/operations/groups/groups.ts';
import { makeSetUpLink } from '../../../src/operations/users/set-up-link.ts';
import { clientSettings, noticeOn, send, visit } from '../../harness/console.ts';
import { formIn, Person } from '../../harness/person.ts';
import { requester, startTestService } from '../../harness/service.ts';
import { assertNothingChanged, everythingIn, routesUnder } from '../../harness/store.ts';
import { consoleOfSuite } from '../../harness/suite.ts';

const password = 'a phrase of my own';

const { service, administrator, admin } = consoleOfSuite();

describe('who can open the console', () => {
  let pages: string[];
  let forms: string[];
  let person: Person;

  before(async () => {
    const client = await service.newClient();
    const user = await service.newUser();
    const made = await createGroup(service.running.services, { name: 'Console' }, requester);
    const group = made.kind === 'done' ? made.group.id : '';
    const idIn = (path: string) => (path.includes('people') ? user.id : path.includes('groups') ? group : client.id);
    const fill = (path: string) => path.replace(':id', idIn(path));
    pages = (await routesUnder(service, '/admin', 'GET')).map(fill);
    forms = (await routesUnder(service, '/admin', 'POST')).map(fill);
    assert.ok(pages.length >= 10 && forms.length >= 20);
    person = new Person(service);
    await person.signIn(await service.newUser());
  });

  test("nobody without a session: they're redirected to sign in, and back", async () => {
    for (const path of pages) {
      const answer = await new Person(service).request(path);
      assert.equal(answer.status, 302, path);
      assert.equal(answer.headers.get('location'), `/sign-in?to=${path}`);
    }
    // Including the query: links with a reference are often opened from a message.
    const asked = new Person(service);
    const page = await formIn(await asked.visit('/admin/events?reference=abc-1'));
    const led = await asked.submit(page, { email: administrator.email, password: administrator.password });
    assert.match(await led.text(), /value="abc-1"/);
    const stranger = new Person(service);
    const form = await formIn(await stranger.visit('/admin/people'));
    const back = await stranger.submit(form, { email: administrator.email, password: administrator.password });
    assert.match(await back.text(), /<h1>People<\/h1>/);
  });

  test('nobody who is not an administrator', async () => {
    for (const path of pages) {
      const answer = await person.request(path);
      assert.equal(answer.status, 403, path);
      assert.match(await answer.text(), /You need admin access/);
    }
  });

  test("a form is refused from non-administrators, from other sites, and without the session's token", async () => {
    const formToken = (await formIn(await admin.visit('/admin/keys'), '/admin/keys')).fields.form_token ?? '';
    const foreignToken =
      (await formIn(await person.visit('/account/profile'), '/account/profile')).fields.form_token ?? '';
    const since = await everythingIn(service);
    const fields = { ...clientSettings, email: 'x@y.example', permission: 'write', uri: 'https://evil.example/' };
    for (const action of forms) {
      const post = async (who: Person, values: object, headers: object = {}) =>
        (await who.submit({ action, fields: { ...fields, ...values }, buttons: [] }, {}, { ...headers })).status;
      // Redirected to sign in.
      assert.equal(await post(new Person(service), {}), 200, action);
      assert.equal(await post(person, { form_token: foreignToken }), 403, action);
      assert.equal(await post(person, { form_token: formToken }), 403, action);
      // A form with a file has another content type.
      if (/\/(logo|logo_dark|favicon|icon)$/.test(action)) continue;
      assert.equal(await post(admin, {}), 403, action);
      assert.equal(await post(admin, { form_token: foreignToken }), 403, action);
      for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }]) {
        assert.equal(await post(admin, { form_token: formToken }, headers), 403, action);
      }
    }
    await assertNothingChanged(service, since);
  });

  test('an administrator, until their admin access is removed', async () => {
    const other = await service.newUser({ admin: true });
    const browser = new Person(service);
    await browser.signIn(other);
    assert.equal((await browser.request('/admin')).status, 200);
    const { page } = await send(admin, `/admin/people/${other.id}`, `/admin/people/${other.id}/remove-administrator`);
    assert.equal(noticeOn(page), 'Admin access removed.');
    assert.equal((await browser.request('/admin')).status, 403);
  });

  test("only an administrator's account page links to it", async () => {
    assert.match((await visit(admin, '/account')).page, /href="\/admin"/);
    assert.doesNotMatch(await (await person.visit('/account')).text(), /href="\/admin"/);
  });

  test('unknown pages are not found', async () => {
    for (const path of ['/admin/applications/nothing', '/admin/people/nobody', '/admin/nowhere']) {
      assert.equal((await visit(admin, path)).status, 404, path);
    }
  });
});

test('the set-up link creates the first administrator once, and not while there is one', async () => {
  const empty = await startTestService();
  try {
    const { services } = empty.running;
    const links = [await makeSetUpLink(services, requester), await makeSetUpLink(services, requester)];
    const paths = links.map((link) => (link.kind === 'done' ? link.url.slice(empty.url.length) : ''));
    const first = new Person(empty);
    assert.equal((await first.visit(paths[0] ?? '')).status, 410, 'the newest alone works');
    const input = { email: 'first@example.test', name: 'First', password };
    const form = await formIn(await first.visit(paths[1] ?? ''));
    const bad = await first.submit(form, { ...input, email: 'nobody' });
    assert.equal(bad.status, 400);
    const done = await first.submit(await formIn(bad), input);
    assert.match(await done.text(), /<h1>Overview<\/h1>/);
    assert.equal((await first.visit(paths[1] ?? '')).status, 410, 'it is used');
    const late = await new Person(empty).submit(form, { ...input, email: 'second@example.test' });
    assert.equal(late.status, 410);
    assert.equal((await empty.rows('users')).length, 1);
    assert.equal((await makeSetUpLink(services, requester)).kind, 'refused');
    const [event] = await empty.events('first_administrator_created');
    assert.equal(event?.userId, (await services.storage.findUserByEmail('first@example.test'))?.id);
  } finally {
    await empty.stop();
  }
});
