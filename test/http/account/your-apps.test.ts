// Your apps, the home page of the account, and the pages of an application where people see them.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { updateClient } from '../../../src/operations/clients/clients.ts';
import { createGroup } from '../../../src/operations/groups/groups.ts';
import { clientFields, linksOf as linksOfClient } from '../../../src/protocol/resources/client.ts';
import { givenByName } from '../../../src/protocol/resources/resource.ts';
import { signedIn } from '../../harness/account.ts';
import { Api, newKey, withSession } from '../../harness/api.ts';
import { alertOn, clientSettings, register, send, visit } from '../../harness/console.ts';
import { formIn, type Person } from '../../harness/person.ts';
import { authorizePath, newVerifier, obtainTokens } from '../../harness/relying-party.ts';
import { requester } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const service = serviceOfSuite();

const cardsOn = (page: string) =>
  [...page.matchAll(/<a class="app-card" href="([^"]+)" rel="noopener noreferrer">.*?<span>([^<]*)<\/span><\/a>/g)].map(
    ([, url, name]) => `${name} ${url}`,
  );
const homeOf = async (person: Person, query = '') => (await person.visit(`/account${query}`)).text();
const links = {
  client_uri: 'https://wiki.example',
  policy_uri: 'https://wiki.example/privacy',
  tos_uri: 'https://wiki.example/terms',
  launch_url: 'https://wiki.example/#/start',
};

async function newApp(name: string, given: Partial<typeof links>, access: 'everyone' | 'listed' = 'everyone') {
  const client = await service.newClient({ name });
  const outcome = await updateClient(
    service.running.services,
    client.id,
    { ...givenByName(clientFields, given), access },
    requester,
  );
  assert.equal(outcome.kind, 'done');
  return client;
}

describe('the home page', () => {
  test('without apps it explains the page and links to profile and security', async () => {
    const page = await homeOf(await signedIn(service, await service.newUser()));
    assert.match(page, /<h1>Your apps<\/h1>/);
    assert.match(page, /No apps yet/);
    assert.match(page, /class="shortcut" href="\/account\/profile"/);
    assert.match(page, /class="shortcut" href="\/account\/security"/);
    assert.equal(cardsOn(page).length, 0);
  });

  test('it lists what the person can use, by name, preferring the launch URL to the home page', async () => {
    const user = await service.newUser();
    const person = await signedIn(service, user);
    await newApp('Wiki', links);
    await newApp('calendar', { client_uri: 'https://calendar.example/?a=1&b=2' });
    const listed = await newApp('Payroll', { launch_url: 'https://payroll.example' }, 'listed');
    const connected = await service.newClient({ name: 'Connected, nowhere to go' });
    await obtainTokens(service, connected, user);
    const open = ['calendar https://calendar.example/?a=1&amp;b=2', 'Wiki https://wiki.example/#/start'];
    assert.deepEqual(cardsOn(await homeOf(person)), open);

    const { services } = service.running;
    const group = await createGroup(services, { name: 'Finance' }, requester);
    assert.equal(group.kind, 'done');
    const api = await Api.of(service);
    const key = await newKey(service);
    const id = group.kind === 'done' ? group.group.id : '';
    await api.call('addToGroup', key, { params: { id }, body: { people: [user.email] } });
    await api.call('allowAccess', key, { params: { client_id: listed.id }, body: { groups: ['Finance'] } });
    const cards = cardsOn(await homeOf(person));
    assert.deepEqual(cards, [open[0], 'Payroll https://payroll.example', open[1]]);
    assert.equal(cardsOn(await homeOf(await signedIn(service, await service.newUser()))).length, 2);
  });

  test('a page has sixty apps, and the rest is on the next', async () => {
    await Promise.all(
      Array.from({ length: 70 }, (_, index) =>
        newApp(`App ${100 + index}`, { launch_url: `https://a${index}.example` }),
      ),
    );
    const person = await signedIn(service, await service.newUser());
    const first = await homeOf(person);
    const more = /href="\/account(\?after=[\w-]+)" rel="next"/.exec(first)?.[1] ?? '';
    const second = await homeOf(person, more);
    const names = [...cardsOn(first), ...cardsOn(second)].filter((card) => card.startsWith('App '));
    assert.equal(cardsOn(first).length, 60);
    assert.equal(new Set(names).size, 70);
    assert.doesNotMatch(second, /rel="next"/);
    for (const wrong of ['?after=x', '?after=', `?after=${'A'.repeat(3000)}`]) {
      assert.deepEqual(cardsOn(await homeOf(person, wrong)), cardsOn(first));
    }
  });

  test('from thirteen on, they are rows that can be searched', async () => {
    const user = await service.newUser();
    const person = await signedIn(service, user);
    assert.match(await homeOf(person), /role="search"/, 'those of the other tests');
    const found = await homeOf(person, '?search=+WiK+');
    assert.deepEqual(cardsOn(found), ['Wiki https://wiki.example/#/start']);
    assert.match(found, /<input id="search"[^>]* value="WiK"/);
    assert.match(found, /<ul class="app-cards compact">/);
    assert.match(found, /<a href="\/account">Show all apps<\/a>/);
    const first = await homeOf(person, '?search=app+1');
    assert.equal(cardsOn(first).length, 60);
    const more = /href="\/account(\?search=app\+1&amp;after=[\w-]+)" rel="next"/.exec(first)?.[1] ?? '';
    assert.equal(cardsOn(await homeOf(person, more.replace('&amp;', '&'))).length, 10);
    for (const none of ['<b>', '%', 'x'.repeat(3000)]) {
      const page = await homeOf(person, `?search=${encodeURIComponent(none)}`);
      assert.match(page, /No matching apps/);
      assert.equal(cardsOn(page).length, 0);
      assert.doesNotMatch(page, /<b>/);
    }
  });

  test('the profile has moved, and a form that was open before can still be saved', async () => {
    const user = await service.newUser();
    const person = await signedIn(service, user);
    const form = await formIn(await person.visit('/account/profile'), '/account/profile');
    const saved = await person.submit({ ...form, action: '/account' }, { name: 'Grace Hopper' });
    assert.match(saved.url, /\/account\/profile\?done=profile$/);
    assert.match(await saved.text(), /Profile saved\./);
    assert.match(await homeOf(person, '?done=profile'), /Profile saved\./);
    assert.equal((await service.running.services.storage.findUser(user.id))?.name, 'Grace Hopper');
  });
});

describe('the pages of an application', () => {
  test('are shown when it asks for consent and under Connected apps', async () => {
    const user = await service.newUser();
    const client = await newApp('Linked', links);
    const person = await signedIn(service, user);
    const consent = await (await person.visit(authorizePath(client, newVerifier(), {}))).text();
    const external = (url: string, label: string) =>
      `<a href="${url}" target="_blank" rel="noopener noreferrer">${label}</a>`;
    await obtainTokens(service, client, user);
    const connected = await (await person.visit('/account/apps')).text();
    for (const [page, home] of [
      [consent, 'wiki.example'],
      [connected, 'Linked'],
    ] as const) {
      assert.ok(page.includes(external(links.client_uri, home)));
      assert.ok(page.includes(external(links.policy_uri, 'Privacy policy')));
      assert.ok(page.includes(external(links.tos_uri, 'Terms of service')));
    }
    const bare = await (await person.visit(authorizePath(await service.newClient(), newVerifier(), {}))).text();
    assert.doesNotMatch(bare, /app-links/);
    assert.match(bare, /<strong>Your identity<\/strong>[\s\S]*<p class="quiet">A unique ID that lets the application/);
    const { data } = await (await Api.of(service)).call('listMyApplications', await withSession(service, user));
    assert.deepEqual({ ...data.items[0], ...links }, data.items[0]);
  });

  test('are set, kept and removed in the console, and an invalid one is refused', async () => {
    const admin = await signedIn(service, await service.newUser({ admin: true }));
    const { id } = await register(service, admin, links);
    const linksOf = async () => {
      const client = await service.running.services.storage.findClient(id);
      return client && linksOfClient(client);
    };
    assert.deepEqual(await linksOf(), links);
    const path = `/admin/applications/${id}`;
    assert.match(
      (await visit(admin, `${path}/settings`)).page,
      /name="launch_url"[^>]* value="https:\/\/wiki\.example\/#\/start"/,
    );
    const given = { ...clientSettings, ...links, policy_uri: '', tos_uri: ' https://wiki.example/new-terms ' };
    assert.equal((await send(admin, `${path}/settings`, path, given)).status, 200);
    const changed = { ...links, policy_uri: null, tos_uri: 'https://wiki.example/new-terms' };
    assert.deepEqual(await linksOf(), changed);
    assert.deepEqual((await service.events('client_updated')).at(-1)?.detail?.changed, ['policy_uri', 'tos_uri']);
    for (const [name, url, problem] of [
      ['launch_url', 'javascript:alert(1)', /must begin with https:/],
      ['client_uri', 'http://wiki.example', /uses plain http/],
      ['client_uri', 'https://wiki.example/#x', /has a fragment/],
      ['policy_uri', 'https://a:b@wiki.example', /has credentials/],
    ] as const) {
      const { status, page } = await send(admin, `${path}/settings`, path, {
        ...clientSettings,
        ...links,
        [name]: url,
      });
      assert.equal(status, 400);
      assert.match(alertOn(page) ?? '', problem);
      assert.deepEqual(await linksOf(), changed);
    }
  });

  test('are set, changed and removed through the API', async () => {
    const api = await Api.of(service);
    const key = await newKey(service);
    const body = { name: 'Wiki', redirect_uris: ['https://wiki.example/cb'], ...links };
    const { data } = await api.call('createApplication', key, { body });
    assert.deepEqual({ ...data, ...links }, data);
    const params = { client_id: data.client_id };
    const changed = await api.call('updateApplication', key, { params, body: { launch_url: null } });
    assert.deepEqual({ ...changed.data, ...links, launch_url: null }, changed.data);
    const bad = await api.call('updateApplication', key, { params, body: { tos_uri: 'data:text/html,x' } });
    assert.equal(bad.status, 400);
  });
});
