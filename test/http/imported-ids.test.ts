// People who came from another service keep the ids that they had there: wherever an id goes, theirs works as well.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { jwtVerify } from 'jose';
import { exportSection } from '../../src/operations/apply/apply-section.ts';
import { listEvents } from '../../src/operations/events/events.ts';
import { groupSection } from '../../src/operations/groups/group-section.ts';
import { createGroup } from '../../src/operations/groups/groups.ts';
import { findUser } from '../../src/operations/users/users.ts';
import { formTokenOf, png, upload } from '../harness/account.ts';
import { Api, type ApiCaller, newKey } from '../harness/api.ts';
import { noticeOn, send, visit } from '../harness/console.ts';
import { callLikeAnother, newImported } from '../harness/imported.ts';
import { firstUntilRelease } from '../harness/lane.ts';
import { answer, challengeFor, offered, passkeyForm, register } from '../harness/passkeys.ts';
import { formIn, Person } from '../harness/person.ts';
import { obtainTokens, userinfo } from '../harness/relying-party.ts';
import { requester, startTestService, type TestService, type TestUser } from '../harness/service.ts';
import { SoftwareAuthenticator } from '../harness/software-authenticator.ts';

const longest = 'auth0|'.padEnd(255, 'aB.:@|_-9');
/** The first few differ most. */
const ids = {
  auth0: 'auth0|5f7c8ec7c33c6c004bbafe82',
  'an email address': 'Someone@Elsewhere.Example',
  'the name of a page': 'new',
  'the longest': longest,
  keycloak: '0c2d8a4e-8c1b-4b6e-9a55-2f3f4d5e6a7b',
  'with a colon': 'f:23ecf95b-c1ae-48ea:Grace',
  'one character': 'x',
  'dots around it': '.a..b.',
  'a leading hyphen': '-rf',
  'the name of a list': 'invitations',
};

let service: TestService;
let administrator: TestUser;
let admin: Person;
let api: Api;
let caller: ApiCaller;

before(async () => {
  service = await startTestService();
  administrator = await service.newUser({ admin: true, name: 'Margaret Hamilton' });
  admin = new Person(service);
  await admin.signIn(administrator);
  api = await Api.of(service);
  caller = await newKey(service);
});
after(() => service.stop());

const pathOf = (id: string) =>
  `/admin/people/${['new', 'invitations'].includes(id) ? '~' : ''}${encodeURIComponent(id)}`;

describe('an id from another service', () => {
  for (const [name, id] of firstUntilRelease(Object.entries(ids), 4)) {
    test(`${name} works wherever an ID is used`, async () => {
      const user = await newImported(service, id);
      const { services } = service.running;

      const client = await service.newClient({ postLogoutRedirectUris: ['https://app.example/bye'] });
      const { tokens, person } = await obtainTokens(service, client, user);
      const { payload } = await jwtVerify(tokens.id_token, Buffer.from(client.secret));
      assert.equal(payload.sub, id);
      assert.equal((await userinfo(service, tokens.access_token)).body.sub, id);
      assert.ok([...person.cookies.values()].join('').length < 1000);

      const device = new SoftwareAuthenticator(service.url);
      const challenge = await challengeFor(person, await passkeyForm(person));
      const handle = Buffer.from((challenge.options as { user?: { id: string } }).user?.id ?? '', 'base64url');
      assert.ok(handle.length <= 64);
      assert.equal(handle.toString() === id, id.length <= 64);
      assert.equal((await register(person, device)).status, 200);
      const offer = await offered(service);
      assert.equal((await answer(offer, device.get(offer.challenge))).status, 200);

      const form_token = await formTokenOf(person);
      const uploaded = await upload(person, { form_token, picture: png }, { Origin: service.url });
      assert.equal(uploaded.headers.get('location'), '/account/profile?done=picture');
      const { picture } = (await userinfo(service, tokens.access_token)).body as { picture: string };
      assert.equal((await fetch(picture)).headers.get('content-type'), 'image/png');

      const logout = new URLSearchParams({
        id_token_hint: tokens.id_token,
        post_logout_redirect_uri: 'https://app.example/bye',
      });
      const bye = await person.request(`/oauth/logout?${logout}`);
      assert.equal(bye.headers.get('location'), 'https://app.example/bye');

      const one = await api.call('getPerson', caller, {
        params: { id: ['new', 'invitations'].includes(id) ? `~${id}` : id },
      });
      assert.equal(one.data.id, id);
      const group = await createGroup(services, { name: `Group ${name}` }, requester);
      assert.ok(group.kind === 'done');
      const added = await api.call('addToGroup', caller, { params: { id: group.group.id }, body: { people: [id] } });
      assert.equal(added.success, true);
      const members = await api.call('listGroupMembers', caller, { params: { id: group.group.id } });
      assert.deepEqual(
        members.data.items.map((each) => each.id),
        [id],
      );
      const access = { people: [id] };
      const allowed = await api.call('allowAccess', caller, { params: { client_id: client.id }, body: access });
      assert.deepEqual(allowed.data.allowed.people, [user.email]);
      const about = await api.call('listEvents', caller, { query: { person: id } });
      assert.ok(about.data.items.length > 5);

      const list = await visit(admin, `/admin/people?search=${encodeURIComponent(user.email)}`);
      assert.ok(list.page.includes(`href="${pathOf(id)}"`));
      const person1 = await visit(admin, pathOf(id));
      assert.equal(person1.status, 200);
      assert.ok(person1.page.includes(`<code>${id}</code>`));
      assert.ok((await visit(admin, `${pathOf(id)}/edit`)).page.includes(user.email));
      assert.match((await visit(admin, `/admin/events?person=${encodeURIComponent(id)}`)).page, /Signed in/);
      for (const action of ['end-sessions', 'disable', 'enable']) {
        const { status, page } = await send(admin, pathOf(id), `${pathOf(id)}/${action}`, {});
        assert.ok(status === 200 && noticeOn(page) !== undefined, action);
      }
      const group1 = `/admin/groups/${group.group.id}`;
      const removed = await send(admin, group1, `${group1}/remove`, { person: id });
      assert.equal(removed.status, 200);
      for (const format of ['csv', 'jsonl']) {
        const people = await (await admin.request(`/admin/people.${format}`)).text();
        const inCell = format === 'csv' && id.startsWith('-') ? `'${id}` : id;
        assert.ok(people.includes(format === 'csv' ? inCell : `"id":"${id}"`), format);
      }

      const gone = await send(admin, `${pathOf(id)}/delete`, `${pathOf(id)}/delete`, {});
      assert.equal(noticeOn(gone.page), 'Person deleted.');
      assert.match((await visit(admin, `/admin/events?person=${encodeURIComponent(id)}`)).page, /Person deleted/);
      const left = await listEvents(services, { user: id });
      assert.ok(
        left.kind === 'done' && left.items.length > 0,
        'events are found by the id of somebody who was deleted',
      );
    });
  }

  test('is case-sensitive', async () => {
    const [large, small] = [await newImported(service, 'ABC'), await newImported(service, 'abc')];
    for (const { id, email } of [large, small]) {
      assert.equal((await api.call('getPerson', caller, { params: { id } })).data.email, email);
    }
  });

  test('after sign-in, the browser returns to the page of a person with such an ID', async () => {
    const { id } = await newImported(service, 'Back|to:me@x');
    const stranger = new Person(service);
    const response = await stranger.visit(pathOf(id));
    const back = await stranger.submit(await formIn(response, '/sign-in'), {
      email: administrator.email,
      password: administrator.password,
    });
    assert.ok((await back.text()).includes(`<code>${id}</code>`));
  });

  test('a change that needs proof continues after it', async () => {
    const { id } = await newImported(service, 'needs|proof:of@you');
    const late = new Person(service);
    await late.signIn(administrator);
    service.clock.advance(20 * 60);
    const { page } = await send(late, pathOf(id), `${pathOf(id)}/disable`, {});
    const proof = await formIn(new Response(page), `${pathOf(id)}/disable`);
    const done = await late.submit(proof, { password: administrator.password });
    assert.match(await done.text(), /Disabled|disabled/);
    assert.notEqual((await service.running.services.storage.findUser(id))?.disabledAt, null);
    admin = late;
  });

  test('lists continue after people with such IDs', async () => {
    const made = ['page|1', 'page:2', 'page@3', longest.replace('auth0', 'pages')];
    for (const id of made)
      await newImported(service, id, { email: `${id.length}${id.charAt(4).charCodeAt(0)}@paged.example` });
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const query = { limit: '1', ...(cursor && { cursor }) };
      const { data } = await api.call('listUsers', caller, { query });
      seen.push(...data.items.map(({ id }) => id));
      cursor = data.next_cursor;
    } while (cursor !== null && seen.length < 100);
    for (const id of made) assert.ok(seen.includes(id), id);
  });
});

describe("an ID that is someone else's email address", () => {
  const shared = 'shared@example.test';
  let holder: TestUser;
  let owner: TestUser;

  before(async () => {
    holder = await newImported(service, shared, { email: 'holder@example.test' });
    owner = await newImported(service, 'owner-1');
    await callLikeAnother(service, owner, { email: shared });
  });

  test('means whoever has the ID, and the pages of both say so', async () => {
    const { services } = service.running;
    for (const [named, expected] of [
      [shared, holder],
      ['holder@example.test', holder],
      ['owner-1', owner],
      [{ id: shared }, holder],
      [{ email: shared }, owner],
    ] as const) {
      const one = await findUser(services, named);
      assert.ok(one.kind === 'done' && one.user.id === expected.id, JSON.stringify(named));
    }
    for (const { id } of [holder, owner]) {
      assert.match((await visit(admin, pathOf(id))).page, /shared@example\.test is the ID of one person and/);
    }
  });

  test('is unambiguous in a path', async () => {
    assert.equal((await api.call('getPerson', caller, { params: { id: shared } })).data.email, 'holder@example.test');
    assert.match((await visit(admin, pathOf(shared))).page.replaceAll('<wbr>', ''), /holder@example\.test/);
  });

  test("isn't used in an exported file, which names the other person by ID", async () => {
    const { services } = service.running;
    const made = await createGroup(services, { name: 'Ambiguous' }, requester);
    assert.ok(made.kind === 'done');
    const { id } = made.group;
    await api.call('addToGroup', caller, { params: { id }, body: { people: ['owner-1', 'holder@example.test'] } });
    const exported = (await exportSection(groupSection, services, () => '')).find(({ name }) => name === 'Ambiguous');
    assert.deepEqual(exported?.members, ['holder@example.test', 'owner-1']);
  });

  test("or someone's username, means the ID where usernames are accepted", async () => {
    const { services } = service.running;
    await newImported(service, 'grace', { email: 'grace-id@example.test' });
    const hopper = await newImported(service, 'hopper');
    await callLikeAnother(service, hopper, { username: 'Grace' });
    const outcome = await listEvents(services, { user: 'grace' });
    assert.ok(outcome.kind === 'done');
    assert.deepEqual([...new Set(outcome.items.map(({ userId }) => userId))], ['grace']);
  });
});
