// Asking for access to an application: on the page for people without it, and what those who decide see and do.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { updateClient } from '../../src/operations/clients/clients.ts';
import { disableUser, enableUser } from '../../src/operations/users/disable-user.ts';
import { DAY } from '../../src/protocol/durations.ts';
import {
  ask,
  askableClient,
  askForm,
  askPath,
  noAccessPage,
  ownersAre,
  signedInPerson,
} from '../harness/access-requests.ts';
import { Api, newKey, withSession } from '../harness/api.ts';
import { alertOn, noticeOn, problemAt, send, visit } from '../harness/console.ts';
import { readForm } from '../harness/person.ts';
import { authorizePath, newVerifier } from '../harness/relying-party.ts';
import { requester, type TestClient, type TestUser } from '../harness/service.ts';
import { mailsTo } from '../harness/store.ts';
import { consoleOfSuite } from '../harness/suite.ts';
import { sweep } from '../harness/sweep.ts';
import { until } from '../harness/until.ts';
import { allowLoopback, newWebhook, startReceiver } from '../harness/webhooks.ts';

const { service, administrator, admin, signInAgain } = consoleOfSuite(allowLoopback);
const list = '/admin/access-requests';
const services = () => service.running.services;
const stored = (id: string) => services().storage.findAccessRequest(id);
const hasAccess = ({ client, user }: { client: TestClient; user: TestUser }) =>
  services().storage.hasAccess(client.id, user.id, service.clock.now());
const set = async (client: TestClient, access_requests: 'on' | 'off') => {
  const outcome = await updateClient(services(), client.id, { accessRequests: access_requests }, requester);
  assert.equal(outcome.kind, 'done');
};
const allow = (id: string, values: Record<string, string> = {}) =>
  send(admin, `${list}/${id}/allow`, `${list}/${id}/allow`, values);
const toldOf = async ({ email }: TestUser, subject: RegExp) =>
  (await mailsTo(service, email)).filter((each) => subject.test(each.subject));
const decline = (id: string, values: Record<string, string> = {}) =>
  send(admin, `${list}/${id}/decline`, `${list}/${id}/decline`, values);

const membersOf = (data: object) => data as Readonly<Record<string, unknown>>;

describe('the person who lacks access', () => {
  test('asks on the page that says so, and sees there that they have', async () => {
    const { id, user, client, person, page } = await ask(service, { note: 'For the launch\r\nin May' });
    assert.match(page, /You asked for access on .*Your request hasn&#39;t been decided yet\. We&#39;ll email you/s);
    assert.equal(readForm(page, askPath), undefined);
    assert.equal(readForm(await noAccessPage(person, client), askPath), undefined, 'one request at a time');
    const request = await stored(id);
    assert.deepEqual(
      [request?.userId, request?.clientId, request?.status, request?.note],
      [user.id, client.id, 'open', 'For the launch\nin May'],
    );
    const [event] = (await service.events('access_requested')).slice(-1);
    assert.deepEqual([event?.userId, event?.clientId, event?.detail], [user.id, client.id, { request: id }]);
  });

  test('is offered it where the application lets people ask, and nowhere else', async () => {
    const closed = await service.newClient({ access: 'listed' });
    const person = await signedInPerson(service, await service.newUser());
    const page = await noAccessPage(person, closed);
    assert.equal(readForm(page, askPath), undefined);
    assert.match(page, /Ask your administrator for access/);
    await set(closed, 'on');
    const form = await askForm(person, closed);
    await set(closed, 'off');
    assert.match(await (await person.submit(form, {})).text(), /Ask your administrator for access/);
    assert.equal(await services().storage.findLatestRequest(closed.id, closed.id), undefined);
    const home = await (await person.visit('/account')).text();
    assert.doesNotMatch(home, new RegExp(askPath));
  });

  test('writes at most 300 characters, and keeps what they typed', async () => {
    const client = await askableClient(service);
    const person = await signedInPerson(service, await service.newUser());
    const form = await askForm(person, client);
    for (const note of ['🚀'.repeat(301), 'a\u0000b', 'a\u001bb']) {
      const answer = await person.submit(form, { note });
      const page = await answer.text();
      assert.notEqual(answer.status, 303);
      assert.doesNotMatch(page, /You asked for access/);
    }
    const tooLong = await (await person.submit(form, { note: `${'x'.repeat(300)}yz` })).text();
    assert.equal(problemAt(tooLong, 'note'), 'Use at most 300 characters of plain text.');
    assert.match(tooLong, /<textarea[^>]*>x{300}yz<\/textarea>/);
    const fine = await (await person.submit(form, { note: `  ${'🚀'.repeat(300)}\r\n` })).text();
    assert.match(fine, /You asked for access/);
  });

  test('asks five times a day', async () => {
    const user = await service.newUser();
    for (let count = 0; count < 5; count++) await ask(service, { user });
    const [person, sixth] = [await signedInPerson(service, user), await askableClient(service)];
    assert.match(await noAccessPage(person, sixth), /You&#39;ve sent too many requests today\. Try again tomorrow\./);
    service.clock.advance(DAY / 1000);
    const later = await signedInPerson(service, user);
    assert.ok(await askForm(later, sixth));
    await signInAgain();
  });

  test('is told of the decision, with where to go', async () => {
    const client = await askableClient(service, { name: 'Photos', launchUrl: 'https://photos.example/start' });
    const allowed = await ask(service, { client });
    await allow(allowed.id, { expires_at: '30d' });
    const [email] = await toldOf(allowed.user, /You have access to Photos/);
    assert.ok(email);
    assert.match(email?.text ?? '', /You can use Photos now\.\n\nYour access ends on /);
    assert.match(email?.text ?? '', /\nhttps:\/\/photos\.example\/start\n/);
    const declined = await ask(service, { client });
    await decline(declined.id, { reason: 'Use the shared album.\r\nIt has them all.' });
    const [other] = await toldOf(declined.user, /was declined/);
    assert.match(
      other?.text ?? '',
      /access to Photos was declined\.\n\nThe reason given:\n\nUse the shared album\.\n\nIt has/,
    );
    // In an email in Arabic, a URL and what a person wrote in English would get their last character at the other end.
    assert.match(email?.html ?? '', /<span dir="ltr">https:\/\/photos\.example\/start<\/span>/);
    assert.match(other?.html ?? '', /<p dir="auto"[^>]*>Use the shared album\.<\/p>/);
    const homeless = await ask(service);
    await allow(homeless.id, { expires_at: 'never' });
    const [plain] = await toldOf(homeless.user, /You have access/);
    assert.ok(plain);
    assert.doesNotMatch(plain?.text ?? '', /Your access ends|Open /);
    assert.deepEqual(
      (await service.rows('events')).filter((row) => JSON.stringify(row).includes('shared album')),
      [],
    );
  });

  test('asks again a day after a refusal', async () => {
    const { id, user, client } = await ask(service);
    await decline(id);
    const again = await signedInPerson(service, user);
    assert.match(await noAccessPage(again, client), /Your request was declined\. You can ask again after a day\./);
    service.clock.advance(DAY / 1000);
    await ask(service, { user, client });
    await signInAgain();
  });

  test('finds their requests in their own data, without who decided', async () => {
    const { id, client, person } = await ask(service, { note: 'My reasons' });
    await decline(id);
    const response = await person.request('/account/data.json');
    const { access_requests } = JSON.parse(await response.text()) as { access_requests: object[] };
    assert.equal(access_requests.length, 1);
    const [{ asked_at, decided_at, ...rest }] = access_requests as [Record<string, unknown>];
    assert.ok(asked_at && decided_at);
    assert.deepEqual(rest, {
      client_id: client.id,
      name: client.record.name,
      status: 'declined',
      note: 'My reasons',
      expires_at: null,
    });
    assert.equal(JSON.stringify(access_requests).includes(administrator.id), false);
  });
});

describe('those who decide', () => {
  test('see what waits, newest first, and on the overview', async () => {
    const first = await ask(service, { note: 'First <b>note</b>' });
    service.clock.advance(1);
    const second = await ask(service);
    const { page } = await visit(admin, list);
    assert.ok(page.indexOf(second.user.email) < page.indexOf(first.user.email));
    assert.match(page, /First &lt;b&gt;note&lt;\/b&gt;/);
    const overview = (await visit(admin, '/admin')).page;
    assert.match(
      overview,
      /href="\/admin\/access-requests"[\s\S]{0,200}Access requests waiting|Access requests waiting/,
    );
    await allow(first.id);
    assert.doesNotMatch((await visit(admin, list)).page, new RegExp(first.user.email));
    assert.match(
      (await visit(admin, `${list}?status=allowed`)).page,
      new RegExp(`${first.user.email}[\\s\\S]*by ${administrator.record.name}`),
    );
  });

  test('allow it, for 90 days unless they choose another end, with proof of identity', async () => {
    const asked = await ask(service);
    const question = (await visit(admin, `${list}/${asked.id}/allow`)).page;
    assert.match(question, /<option value="90d" selected>/);
    service.clock.advance(3600);
    const stale = await send(admin, `${list}/${asked.id}/allow`, `${list}/${asked.id}/allow`, { expires_at: '90d' });
    assert.match(stale.page, /Confirm it/);
    assert.equal(await hasAccess(asked), false);
    await signInAgain();
    const done = await allow(asked.id, { expires_at: '90d' });
    assert.equal(noticeOn(done.page), 'Access allowed.');
    assert.equal(await hasAccess(asked), true);
    const request = await stored(asked.id);
    assert.deepEqual([request?.status, request?.expiresAt], ['allowed', service.clock.now() + 90 * DAY]);
    const [entry] = (await service.rows('client_access')).filter(({ subject_id }) => subject_id === asked.user.id);
    assert.equal(Number(entry?.expires_at), service.clock.now() + 90 * DAY);
    const [event] = (await service.events('access_request_allowed')).slice(-1);
    assert.deepEqual(
      [event?.userId, event?.clientId, event?.actor?.id],
      [asked.user.id, asked.client.id, administrator.id],
    );
    const [added] = (await service.events('access_allowed')).slice(-1);
    assert.equal(added?.userId, asked.user.id);
    // The person is let in at once.
    const person = await signedInPerson(service, asked.user);
    assert.equal((await person.visit(authorizePath(asked.client, newVerifier()))).status, 200);
  });

  test('are shown what they typed again if it is wrong', async () => {
    const asked = await ask(service);
    const past = await allow(asked.id, { expires_at: 'at', expires_at_time: '2020-01-01T00:00' });
    assert.equal(past.status, 400);
    assert.match(past.page, /must be in the future/);
    const long = await decline(asked.id, { reason: 'y'.repeat(501) });
    assert.equal(long.status, 400);
    assert.match(long.page, /The reason must have at most 500 characters\./);
    assert.match(long.page, /y{501}/);
    assert.equal((await stored(asked.id))?.status, 'open');
  });

  test('learn that somebody else was faster', async () => {
    const asked = await ask(service);
    const [yes, no] = [
      await visit(admin, `${list}/${asked.id}/allow`),
      await visit(admin, `${list}/${asked.id}/decline`),
    ];
    const form = (page: string, path: string) => readForm(page, path) ?? assert.fail(path);
    await admin.submit(form(no.page, `${list}/${asked.id}/decline`), {});
    const late = await admin.submit(form(yes.page, `${list}/${asked.id}/allow`), { expires_at: 'never' });
    assert.equal(late.status, 400);
    assert.equal(alertOn(await late.text()), 'The request was declined before.');
    assert.equal(await hasAccess(asked), false);
  });

  test('have no request of somebody who is disabled', async () => {
    const asked = await ask(service, { note: 'A secret reason' });
    await disableUser(services(), { id: asked.user.id }, requester);
    assert.equal((await allow(asked.id).catch(() => ({ status: 404 }))).status, 404);
    await enableUser(services(), { id: asked.user.id }, requester);
    assert.equal(await stored(asked.id), undefined);
    assert.ok(await askForm(await signedInPerson(service, asked.user), asked.client));
  });

  test('lose the note 30 days after the decision', async () => {
    const asked = await ask(service, { note: 'Something personal' });
    await decline(asked.id);
    service.clock.advance((30 * DAY) / 1000 - 1);
    await sweep(service, 'test');
    assert.equal((await stored(asked.id))?.note, 'Something personal');
    service.clock.advance(1);
    await sweep(service, 'test');
    assert.equal((await stored(asked.id))?.note, null);
    await signInAgain();
  });
});

describe('after 30 days', () => {
  test('a request is over, which an event says', async () => {
    const asked = await ask(service);
    service.clock.advance((30 * DAY) / 1000);
    await signInAgain();
    const late = await allow(asked.id, { expires_at: 'never' });
    assert.equal(alertOn(late.page), 'The request has expired.');
    assert.doesNotMatch((await visit(admin, list)).page, new RegExp(asked.user.email));
    await sweep(service, 'test');
    const [event] = (await service.events('access_request_expired')).slice(-1);
    assert.deepEqual([event?.userId, event?.detail], [asked.user.id, { request: asked.id }]);
    assert.equal((await stored(asked.id))?.status, 'expired');
    assert.ok(await askForm(await signedInPerson(service, asked.user), asked.client));
  });
});

describe('whether people can ask', () => {
  const box = async ({ id }: TestClient) => {
    const { page } = await visit(admin, `/admin/applications/${id}/access`);
    return /<input id="access_requests" name="access_requests" type="checkbox" value="on"(?: checked)?>/.exec(
      page,
    )?.[0];
  };
  const save = ({ id }: TestClient, values: Record<string, string>) =>
    send(admin, `/admin/applications/${id}/access`, `/admin/applications/${id}/owners`, values);

  test('is offered with the owners in the console, and off until then', async () => {
    const client = await service.newClient({ access: 'listed' });
    assert.doesNotMatch((await box(client)) ?? 'checked', /checked/);
    const owner = await service.newUser();
    const saved = await save(client, { people: owner.email, access_requests: 'on' });
    assert.equal(noticeOn(saved.page), 'Changes saved.');
    assert.match(saved.page, /People without access can ask for it\./);
    assert.match((await box(client)) ?? '', / checked/);
    assert.ok(await askForm(await signedInPerson(service, await service.newUser()), client));
    const [event] = (await service.events('client_updated')).filter(({ clientId }) => clientId === client.id);
    assert.equal(event?.detail?.access_requests, 'on');
  });

  test('is left alone with owners that are refused, and what was ticked stays', async () => {
    const client = await service.newClient({ access: 'listed' });
    const refused = await save(client, { people: 'nobody@example.com', access_requests: 'on' });
    assert.equal(refused.status, 400);
    assert.match(refused.page, /name="access_requests" type="checkbox" value="on" checked>/);
    assert.equal((await services().storage.findClient(client.id))?.accessRequests, 'off');
  });

  test('is decided without owners, too', async () => {
    const client = await askableClient(service);
    const { page } = await save(client, {});
    assert.match(page, /People without access can’t ask for it\./);
    assert.equal((await services().storage.findClient(client.id))?.accessRequests, 'off');
  });
});

describe('emails to those who decide', () => {
  /** Past the time in which what is being stored is left to the next email. */
  const round = async (seconds = 11) => {
    service.clock.advance(seconds);
    await sweep(service, 'test');
  };
  const listsOf = (user: TestUser) => toldOf(user, /Requests for access/);

  test('owners get one an hour, which lists what waits for them, and administrators what has no owner', async () => {
    await round(7200);
    const [owner, other] = [await service.newUser(), await service.newUser()];
    const [theirs, second] = [await askableClient(service, { name: 'Theirs' }), await askableClient(service)];
    await ownersAre(service, theirs, [owner]);
    await ownersAre(service, second, [other]);
    const before = (await listsOf(administrator)).length;
    const first = await ask(service, { client: theirs, note: 'The note isn’t in it' });
    await round();
    const [email, ...none] = await listsOf(owner);
    assert.equal(none.length, 0);
    assert.ok(
      email?.text.includes(`${first.user.record.name} <${first.user.email}>, application “Theirs”`),
      email?.text ?? 'no email',
    );
    assert.doesNotMatch(email?.text ?? '', /The note/);
    assert.match(email?.text ?? '', /\/admin\/access-requests\n/);
    assert.equal((await listsOf(other)).length, 0);
    assert.equal((await listsOf(administrator)).length, before);
    const again = await ask(service, { client: theirs });
    await round();
    assert.equal((await listsOf(owner)).length, 1, 'one an hour');
    await round(3600);
    const [latest] = await listsOf(owner);
    assert.equal((await listsOf(owner)).length, 2);
    for (const { user } of [first, again]) assert.ok(latest?.text.includes(user.email));
    await round(3600);
    assert.equal((await listsOf(owner)).length, 2, 'nothing was asked since');
    await ask(service);
    await round(3600);
    assert.equal((await listsOf(administrator)).length, before + 1);
    await signInAgain();
  });
});

describe('API and webhooks', () => {
  test('a request has the members that the document says, and is decided by them', async (t) => {
    const receiver = await startReceiver();
    t.after(() => receiver.stop());
    const api = await Api.of(service);
    const [key, caller] = [await newKey(service), await withSession(service, administrator)];
    const types = ['access_request.asked', 'access_request.allowed', 'access_request.declined'] as const;
    await newWebhook(service, { url: receiver.url, types });
    const asked = await ask(service, { note: 'Because of <this>' });
    const query = { status: 'open', application: asked.client.id, person: asked.user.email };
    const listed = await api.call('listAccessRequests', key, { query });
    assert.deepEqual(listed.data.items, [
      {
        id: asked.id,
        person: { id: asked.user.id, name: asked.user.record.name, email: asked.user.email },
        application: { client_id: asked.client.id, name: asked.client.record.name },
        status: 'open',
        note: 'Because of <this>',
        asked_at: new Date((await stored(asked.id))?.askedAt ?? 0).toISOString(),
        decided_at: null,
        decided_by: null,
        expires_at: null,
      },
    ]);
    for (const filter of [{ status: 'allowed' }, { application: 'other' }, { person: 'nobody@example.test' }]) {
      const none = await api.call('listAccessRequests', key, { query: { ...query, ...filter } });
      assert.deepEqual(none.data.items, [], JSON.stringify(filter));
    }
    const refused = await api.send('GET', '/api/access-requests?status=closed', key);
    assert.equal(refused.status, 400);
    const params = { id: asked.id };
    const done = await api.call('allowAccessRequest', caller, { params, body: { expires_at: '2030-01-01T00:00Z' } });
    assert.equal(done.status, 200);
    const { status, decided_by, expires_at } = membersOf(done.data);
    assert.deepEqual(
      [status, decided_by, expires_at],
      ['allowed', { kind: 'administrator', id: administrator.id }, '2030-01-01T00:00:00.000Z'],
    );
    for (const operation of ['allowAccessRequest', 'declineAccessRequest']) {
      assert.equal((await api.call(operation, key, { params, body: {} })).status, 409);
      assert.equal((await api.call(operation, key, { params: { id: 'unknown' }, body: {} })).status, 404);
    }
    const next = await ask(service);
    const declined = await api.call('declineAccessRequest', key, { params: { id: next.id }, body: { reason: 'No.' } });
    assert.equal(declined.status, 200);
    assert.deepEqual(membersOf(declined.data).decided_by, { kind: 'api_key', id: key.id });
    const messages = () =>
      receiver.received.map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> });
    await until(async () => messages().length >= 4, 'all messages are delivered');
    const about = messages().filter(({ data }) => data.request_id === asked.id);
    assert.deepEqual(
      about.map(({ type, data }) => [type, data.sub, data.client_id]).sort(),
      ['allowed', 'asked'].map((what) => [`access_request.${what}`, asked.user.id, asked.client.id]),
    );
    assert.doesNotMatch(JSON.stringify(messages()), /Because of/);
  });
});
