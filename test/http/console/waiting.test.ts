// Approving and declining people in the console, and by the API.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Api, newKey, withSession } from '../../harness/api.ts';
import { newWaiting } from '../../harness/approval.ts';
import { alertOn, noticeOn, send, visit } from '../../harness/console.ts';
import { Person, readForm } from '../../harness/person.ts';
import { mailsTo } from '../../harness/store.ts';
import { consoleOfSuite } from '../../harness/suite.ts';
import { until } from '../../harness/until.ts';
import { allowLoopback, newWebhook, startReceiver } from '../../harness/webhooks.ts';

const path = '/admin/people/waiting';
const { service, administrator, admin } = consoleOfSuite(allowLoopback);

const stored = (id: string) => service.running.services.storage.findUser(id);
const decide = (values: Record<string, string>, at = path) => send(admin, at, path, values);

describe('in the console', () => {
  test('those who wait are listed, and are first on the overview', async () => {
    const empty = await visit(admin, path);
    assert.match(empty.page, /Nobody is waiting for approval\./);
    assert.doesNotMatch((await visit(admin, '/admin')).page, /Waiting for approval/);
    const people = [];
    for (let count = 0; count < 7; count++) people.push(await newWaiting(service, { name: `Person ${count}` }));
    const overview = (await visit(admin, '/admin')).page;
    const body = overview.slice(overview.indexOf('<main'));
    assert.ok(body.indexOf('Waiting for approval') < body.indexOf('Finish setting up'));
    assert.equal(body.match(/name="person_/g)?.length, 5);
    assert.match(body, /href="\/admin\/people\/waiting"[^>]*>See all 7/);
    const { page } = await visit(admin, path);
    for (const { email, name } of people) assert.ok(page.includes(email) && page.includes(name));
    const list = (await visit(admin, '/admin/people')).page;
    assert.equal(list.match(/Waiting for approval<\/span>/g)?.length, 7);
    await decide({ all: 'yes', decision: 'approve' });
    assert.equal((await service.events('user_approved')).length, 7);
    assert.doesNotMatch((await visit(admin, '/admin')).page, /Waiting for approval/);
  });

  test('one is approved on their page, which no longer offers it', async () => {
    const { id, email } = await newWaiting(service);
    const before = (await visit(admin, `/admin/people/${id}`)).page;
    assert.match(before, /They can&#39;t sign in until you approve them/);
    assert.doesNotMatch(before, /\/(enable|disable|make-administrator|send-reset)"/);
    const done = await decide({ decision: 'approve' }, `/admin/people/${id}`);
    assert.equal(noticeOn(done.page), 'Approved. They can sign in now.');
    assert.equal(readForm(done.page, path), undefined);
    assert.equal((await stored(id))?.disabledAt, null);
    assert.match((await mailsTo(service, email))[0]?.subject ?? '', /was approved/);
    const [event] = (await service.events('user_approved')).slice(-1);
    assert.deepEqual([event?.userId, event?.actor?.id], [id, administrator.id]);
  });

  test('the chosen ones are declined after a question, with the message, and the others still wait', async () => {
    const [one, two, other] = [await newWaiting(service), await newWaiting(service), await newWaiting(service)];
    const chosen = { [`person_${one.id}`]: 'yes', [`person_${two.id}`]: 'yes' };
    assert.equal(alertOn((await decide({ decision: 'approve' })).page), 'Choose at least one person.');
    const asked = await decide({ ...chosen, decision: 'decline' });
    assert.equal(asked.status, 200);
    assert.match(asked.page, /Decline 2 people\?/);
    for (const { id } of [one, two, other]) assert.ok(await stored(id), 'nothing happens before the answer');
    const form = readForm(asked.page, path);
    assert.ok(form);
    const long = await admin.submit(form, { message: 'a'.repeat(501) });
    assert.equal(long.status, 400);
    assert.match(await long.text(), /The message must have at most 500 characters\./);
    const done = await (await admin.submit(form, { message: 'Two lines:\r\n<b>this one</b>' })).text();
    assert.equal(noticeOn(done), 'Declined. The accounts were deleted.');
    for (const { id, email } of [one, two]) {
      assert.equal(await stored(id), undefined);
      assert.match((await mailsTo(service, email))[0]?.text ?? '', /Two lines:\n\n<b>this one<\/b>/);
    }
    assert.ok((await stored(other.id))?.pendingSince);

    // Somebody else has decided meanwhile.
    const late = await admin.submit(form, {});
    assert.equal(late.status, 400);
    assert.match(alertOn(await late.text()) ?? '', /There is no person/);
    await decide({ [`person_${other.id}`]: 'yes', decision: 'approve' });
    const again = { ...form, fields: { ...form.fields, people: other.id } };
    const refused = await (await admin.submit(again, {})).text();
    assert.equal(alertOn(refused), `${other.email} is not waiting for approval.`);
    assert.ok(await stored(other.id));
  });

  test('nobody else can decide', async () => {
    const { id } = await newWaiting(service);
    const form = readForm((await visit(admin, path)).page, path);
    assert.ok(form);
    const person = new Person(service);
    await person.signIn(await service.newUser());
    for (const anyone of [person, new Person(service)]) {
      const response = await anyone.submit(form, { [`person_${id}`]: 'yes', decision: 'approve' });
      assert.ok(response.status === 403 || /\/sign-in/.test(await response.text()));
    }
    assert.ok((await stored(id))?.pendingSince);
    await decide({ [`person_${id}`]: 'yes', decision: 'approve' });
  });
});

describe('by the API', () => {
  let api: Api;
  before(async () => {
    api = await Api.of(service);
  });

  test('people who wait are listed, approved and declined; anyone else is a conflict', async () => {
    const key = await newKey(service);
    const [one, two] = [await newWaiting(service), await newWaiting(service)];
    const listed = await api.call('listUsers', key, { query: { pending: 'yes' } });
    const items = listed.data.items as unknown as { id: string; pending_since: string; disabled_at: string }[];
    assert.deepEqual(items.map(({ id }) => id).toSorted(), [one.id, two.id].toSorted());
    assert.equal(items[0]?.pending_since, new Date(one.pendingSince ?? 0).toISOString());
    assert.equal(items[0]?.disabled_at, items[0]?.pending_since);
    assert.equal((await api.call('listUsers', key, { query: { pending: 'yes', search: 'a' } })).status, 400);
    const overview = await api.call('getOverview', key);
    assert.equal((overview.data.people as unknown as { pending: number }).pending, 2);

    for (const operation of ['enablePerson', 'disablePerson']) {
      const refused = await api.call(operation, key, { params: { id: one.id } });
      assert.deepEqual(
        [refused.status, refused.message],
        [409, `${one.email} is waiting for approval. Approve or decline them instead.`],
      );
    }
    const approved = await api.call('approvePerson', key, { params: { id: one.id } });
    assert.deepEqual([approved.status, approved.data.pending_since, approved.data.disabled_at], [200, null, null]);
    for (const [operation, id] of [
      ['approvePerson', one.id],
      ['declinePerson', one.id],
      ['approvePerson', administrator.id],
    ] as const) {
      assert.equal((await api.call(operation, await newKey(service, 'administrator'), { params: { id } })).status, 409);
    }
    const long = await api.call('declinePerson', key, { params: { id: two.id }, body: { message: 'é'.repeat(501) } });
    assert.equal(long.status, 400);
    // A body isn't needed.
    const declined = await api.call('declinePerson', key, { params: { id: two.id } });
    assert.deepEqual([declined.status, declined.data], [200, null]);
    assert.equal(await stored(two.id), undefined);
    assert.equal((await api.call('declinePerson', key, { params: { id: two.id } })).status, 404);
  });

  test("a key that only reads can't decide, and a session needs no proof of identity", async () => {
    const { id } = await newWaiting(service);
    const reader = await newKey(service, 'read');
    for (const operation of ['approvePerson', 'declinePerson']) {
      assert.equal((await api.call(operation, reader, { params: { id } })).status, 403);
    }
    const session = await withSession(service, administrator);
    service.clock.advance(60 * 60);
    assert.equal((await api.call('approvePerson', session, { params: { id } })).status, 200);
  });

  test('webhooks report the account, its approval, and that it is gone', async () => {
    const receiver = await startReceiver();
    try {
      await newWebhook(service, { url: receiver.url, types: ['user.created', 'user.approved', 'user.deleted'] });
      const [one, two] = [await newWaiting(service), await newWaiting(service)];
      const key = await newKey(service);
      await api.call('approvePerson', key, { params: { id: one.id } });
      await api.call('declinePerson', key, { params: { id: two.id } });
      // Not from the store, which forgets the delivered ones with the person.
      await until(() => receiver.received.length === 4, 'all of them are delivered');
      const messages = receiver.received.map(({ body }) => JSON.parse(body) as { type: string; data: { sub: string } });
      assert.deepEqual(
        messages.map(({ type, data }) => `${type} ${data.sub}`).toSorted(),
        [
          `user.approved ${one.id}`,
          `user.created ${one.id}`,
          `user.created ${two.id}`,
          `user.deleted ${two.id}`,
        ].toSorted(),
      );
    } finally {
      await receiver.stop();
    }
  });
});
