// Requests for access as a way in: for an application that somebody can't know of, as markup, in floods, decided twice, about
// somebody who is gone, and as a way of an owner into applications of others.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  allowAccessRequest,
  declineAccessRequest,
  listAccessRequests,
} from '../../src/operations/access-requests/access-requests.ts';
import { deleteClient } from '../../src/operations/clients/revoke-client.ts';
import { deleteUser, disableUser } from '../../src/operations/users/disable-user.ts';
import { ask, askableClient, askForm, ownersAre, signedInPerson } from '../harness/access-requests.ts';
import { newKey, withSession } from '../harness/api.ts';
import { visit } from '../harness/console.ts';
import { type Form, Person } from '../harness/person.ts';
import { requester, type TestService } from '../harness/service.ts';
import { mailsTo } from '../harness/store.ts';
import { consoleOfSuite } from '../harness/suite.ts';
import { sweep } from '../harness/sweep.ts';
import { startTwoInstances, type TwoInstances } from '../harness/two-instances.ts';

const { service, administrator, admin, signInAgain } = consoleOfSuite();
const services = () => service.running.services;
const list = '/admin/access-requests';

describe('asking', () => {
  test('a form without its stamp gets the same answer for every application, and asks for nothing', async () => {
    const [person, other] = [
      await signedInPerson(service, await service.newUser()),
      await signedInPerson(service, await service.newUser()),
    ];
    const [client, unlisted, open] = [
      await askableClient(service),
      await service.newClient({ access: 'listed' }),
      await service.newClient({ accessRequests: 'on' }),
    ];
    const form = await askForm(person, client);
    const [content = '', stamp = ''] = (form.fields.request ?? '').split('.');
    const text = Buffer.from(content, 'base64url').toString();
    const forged = (id: string) => `${Buffer.from(text.replaceAll(client.id, id)).toString('base64url')}.${stamp}`;
    const answers = new Set<string>();
    for (const id of [unlisted.id, open.id, 'no-such-application', '', '../x', "';--"]) {
      for (const request of [forged(id), `${forged(id)}x`, id, '']) {
        for (const fields of [{ request }, { request, client_id: id }]) {
          const response = await person.submit({ ...form, fields: {} }, fields);
          const page = (await response.text()).replaceAll(
            /[0-9a-f]{8}-[\w-]+|req_\w+|name="return_to" value="[^"]*"/g,
            '',
          );
          answers.add(`${response.status} ${/<h1>(.*?)<\/h1>/.exec(page)?.[1]}`);
        }
      }
    }
    // The form of somebody else, and of nobody.
    for (const visitor of [other, new Person(service)]) {
      const response = await visitor.submit(form, {});
      answers.add(`${response.status} ${/<h1>(.*?)<\/h1>/.exec(await response.text())?.[1]}`);
    }
    assert.equal(answers.size, 1, [...answers].join());
    assert.match([...answers][0] ?? '', /^403 /);
    assert.deepEqual(await service.rows('access_requests'), []);
    // From another site's page, too.
    const foreign = await person.submit(form, {}, { Origin: 'https://evil.example' });
    assert.equal(foreign.status, 403);
    assert.deepEqual(await service.rows('access_requests'), []);
    assert.match(await (await person.submit(form, {})).text(), /You asked for access/);
  });

  test('the form of an earlier moment asks for nothing that can no longer be asked for', async () => {
    const client = await askableClient(service);
    const person = await signedInPerson(service, await service.newUser());
    const form = await askForm(person, client);
    await deleteClient(services(), client.id, requester);
    const { status } = await person.submit(form, {});
    assert.equal(status, 400);
    assert.equal(await services().storage.findLatestRequest(client.id, client.id), undefined);
  });

  test('of a flood of forms, five a day are requests, and owners get one email', async () => {
    service.clock.advance(7200);
    const [owner, user] = [await service.newUser(), await service.newUser()];
    const person = await signedInPerson(service, user);
    const forms: Form[] = [];
    for (let count = 0; count < 8; count++) {
      const client = await askableClient(service);
      await ownersAre(service, client, [owner]);
      forms.push(await askForm(person, client));
    }
    const send = () => forms.map((form) => person.submit(form, { note: 'x' }));
    const answers = await Promise.all([...send(), ...send(), ...send()]);
    assert.ok(answers.every(({ status }) => status < 500));
    const requests = (await service.rows('access_requests')).filter(({ user_id }) => user_id === user.id);
    assert.equal(requests.length, 5);
    assert.equal((await service.events('access_requested')).filter(({ userId }) => userId === user.id).length, 5);
    for (let minute = 0; minute < 10; minute++) {
      service.clock.advance(60);
      await sweep(service, 'test');
    }
    const sent = (await mailsTo(service, owner.email)).filter(({ subject }) => /Requests for access/.test(subject));
    assert.equal(sent.length, 1);
    assert.equal(sent[0]?.text.match(/^- /gm)?.length, 5);
    await signInAgain();
  });

  test('a note is text where it is shown, and nowhere else', async () => {
    const markup = '<img src=x onerror=alert(1)>';
    const note = `=HYPERLINK("https://evil.example") ${markup}`;
    const user = await service.newUser({ name: `=1+1 ${markup}` });
    const { id } = await ask(service, { user, note });
    for (const path of [list, `${list}/${id}/allow`, `${list}/${id}/decline`]) {
      const { page } = await visit(admin, path);
      assert.doesNotMatch(page, /<img/, path);
      assert.match(page, /HYPERLINK/, path);
    }
    service.clock.advance(7200);
    await sweep(service, 'test');
    const [email] = (await mailsTo(service, administrator.email)).filter(({ subject }) => /Requests/.test(subject));
    assert.ok(email);
    assert.doesNotMatch(email.html ?? '', /<img src=x|HYPERLINK/);
    assert.doesNotMatch(email.text, /HYPERLINK/);
    await signInAgain();
    for (const path of ['/admin/events.csv', '/admin/events.jsonl', '/admin/people.csv', '/admin/events', '/admin']) {
      assert.doesNotMatch((await visit(admin, path)).page, /HYPERLINK/, path);
    }
    await services().journal.flush();
    const places = await Promise.all(
      ['events', 'webhook_deliveries', 'search_words'].map((table) => service.rows(table)),
    );
    assert.doesNotMatch(JSON.stringify(places), /HYPERLINK/);
    assert.doesNotMatch(service.log(), /HYPERLINK/);
  });
});

describe('deciding', () => {
  test('about somebody who is deleted or disabled meanwhile lets nobody in, and leaves nothing', async () => {
    for (const stop of [deleteUser, disableUser]) {
      const { id, user, client } = await ask(service, { note: 'Still here?' });
      await stop(services(), { id: user.id }, requester);
      for (const decide of [
        () => allowAccessRequest(services(), id, {}, requester),
        () => declineAccessRequest(services(), id, '', requester),
      ]) {
        const outcome = await decide();
        assert.ok(outcome.kind === 'refused' && outcome.reason === 'not_found');
      }
      assert.equal(await services().storage.hasAccess(client.id, user.id, service.clock.now()), false);
      assert.deepEqual(
        (await service.rows('access_requests')).filter(({ user_id }) => user_id === user.id),
        [],
      );
    }
  });

  test('an owner sees and decides what is for their application alone, whatever they name', async () => {
    const [owner, friend] = [await service.newUser({ name: 'An Owner' }), await service.newUser()];
    const [own, foreign] = [await askableClient(service), await askableClient(service)];
    await ownersAre(service, own, [owner]);
    await ownersAre(service, foreign, [friend]);
    const [theirs, others] = [
      await ask(service, { client: own, note: 'For the owner' }),
      await ask(service, { client: foreign, note: 'Not for the owner' }),
    ];
    for (let count = 0; count < 3; count++) await ask(service, { client: foreign });
    const person = await signedInPerson(service, owner);
    const caller = await withSession(service, owner);
    const get = async (path: string) => {
      const response = await fetch(`${service.url}/api/access-requests${path}`, { headers: caller.headers('GET') });
      return { status: response.status, text: await response.text() };
    };
    const whole = await get('');
    assert.equal(whole.status, 200);
    assert.match(whole.text, /For the owner/);
    // A cursor of somebody who sees everything.
    const key = await newKey(service);
    const page = await fetch(`${service.url}/api/access-requests?limit=1`, { headers: key.headers('GET') });
    const { data } = (await page.json()) as { data: { next_cursor: string } };
    for (const query of [
      '',
      `?application=${foreign.id}`,
      `?person=${others.user.id}`,
      `?person=${encodeURIComponent(others.user.email)}&application=${foreign.id}`,
      `?cursor=${data.next_cursor}`,
      `?cursor=${data.next_cursor}&application=${foreign.id}&status=open`,
      '?status=open&limit=200',
    ]) {
      const { text } = await get(query);
      assert.doesNotMatch(text, new RegExp(`Not for the owner|${foreign.id}|${others.user.id}`), query);
      const shown = (await visit(person, list + query)).page;
      assert.doesNotMatch(shown, new RegExp(`Not for the owner|${others.user.email}`), query);
    }
    const csrf = { ...caller.headers('POST'), 'Content-Type': 'application/json' };
    const unknown = new Set<string>();
    for (const id of [others.id, 'nosuchrequest']) {
      for (const action of ['allow', 'decline']) {
        const response = await fetch(`${service.url}/api/access-requests/${id}/${action}`, {
          method: 'POST',
          headers: csrf,
          body: '{}',
        });
        unknown.add(`${response.status} ${(await response.text()).replace(id, 'ID')}`);
        assert.equal((await visit(person, `${list}/${id}/${action}`)).status, 404);
        const form = { action: `${list}/${id}/${action}`, fields: {}, buttons: [] };
        assert.ok((await person.submit(form, { expires_at: 'never' })).status >= 400);
      }
    }
    assert.equal(unknown.size, 1, [...unknown].join());
    assert.equal((await services().storage.findAccessRequest(others.id))?.status, 'open');
    const allowed = await fetch(`${service.url}/api/access-requests/${theirs.id}/allow`, {
      method: 'POST',
      headers: csrf,
      body: '{"expires_at":"90d"}',
    });
    assert.equal(allowed.status, 200, await allowed.text());
    // Nor do they give themselves access.
    const asOwner = await ask(service, { user: owner, client: own });
    const self = await fetch(`${service.url}/api/access-requests/${asOwner.id}/allow`, {
      method: 'POST',
      headers: csrf,
      body: '{}',
    });
    assert.equal(self.status, 403);
    assert.equal(await services().storage.hasAccess(own.id, owner.id, service.clock.now()), false);
  });

  test('somebody who owns nothing sees nothing', async () => {
    const { user, person, id } = await ask(service);
    assert.equal((await person.request(list)).status, 403);
    const caller = await withSession(service, user);
    const response = await fetch(`${service.url}/api/access-requests/${id}`, { headers: caller.headers('GET') });
    assert.ok(response.status >= 400);
    assert.equal((await fetch(`${service.url}/api/access-requests`, { headers: caller.headers('GET') })).status, 403);
    const nobody = { authority: { roles: [] } };
    const listed = await listAccessRequests(services(), {}, nobody);
    assert.ok(listed.kind === 'done');
    assert.deepEqual(listed.items, []);
  });
});

describe('on two instances', () => {
  let both: TwoInstances;
  before(async () => {
    both = await startTwoInstances();
  });
  after(() => both?.stop());

  test('one request is decided once, and one email says so', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, user, client } = await ask(both.one);
      const decide = ({ running }: TestService, allows: boolean) =>
        allows
          ? allowAccessRequest(running.services, id, {}, requester)
          : declineAccessRequest(running.services, id, '', requester);
      const outcomes = await Promise.all([
        decide(both.one, true),
        decide(both.two, false),
        decide(both.two, true),
        decide(both.one, false),
      ]);
      const won = outcomes.filter(({ kind }) => kind === 'done');
      assert.equal(won.length, 1);
      for (const outcome of outcomes) {
        if (outcome.kind === 'refused') assert.match(outcome.problems[0].says, /was (allowed|declined) before/);
      }
      const { storage } = both.two.running.services;
      const status = (await storage.findAccessRequest(id))?.status;
      assert.equal(await storage.hasAccess(client.id, user.id, both.one.clock.now()), status === 'allowed');
      const decisions = (await mailsTo(both.one, user.email)).filter(({ subject }) => /access/.test(subject));
      assert.equal(decisions.length, 1);
    }
  });
});
