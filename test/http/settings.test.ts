// The settings of the service: in the console, in the API, and on every instance.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { changeSettings } from '../../src/operations/settings/change-settings.ts';
import { signedIn } from '../harness/account.ts';
import { Api, newKey, withSession } from '../harness/api.ts';
import { alertOn, clientSettings, noticeOn, register, send, visit } from '../harness/console.ts';
import { type Person, readForm } from '../harness/person.ts';
import { finishSetUp, sessionSetUpPath, setUpOn } from '../harness/policy.ts';
import { requester, startTestService, type TestService } from '../harness/service.ts';
import { startTwoInstances, type TwoInstances } from '../harness/two-instances.ts';

const path = '/admin/settings';
const sessions = `${path}/sessions`;
const accounts = `${path}/accounts`;
const initial = {
  second_factor: 'optional',
  session_hours: 24,
  kept_session_days: 30,
  kept_session_idle_days: 14,
  default_upstream: '',
  email_codes: 'off',
  passwords: 'allowed',
  passwords_until: '',
  sign_up: 'closed',
  sign_up_domains: [],
  default_groups: [],
  scim_user_name: 'email',
  scim_verified_domains: [],
  disable_inactive_after_days: null,
  inactive_notice_days: 14,
  review_keep_days: 730,
  first_steps: 'shown',
  service_name: 'Latchkey',
  accent: '',
  support_url: '',
  terms_url: '',
  privacy_url: '',
  sign_in_message: '',
};

const noImages = { logo: null, logo_dark: null, favicon: null };

let both: TwoInstances;
let service: TestService;
let admin: Person;

before(async () => {
  both = await startTwoInstances();
  service = both.one;
  admin = await signedIn(service, await service.newUser({ admin: true }));
});
after(() => both?.stop());
beforeEach(async () => {
  const { services } = service.running;
  const values = Object.entries(initial).map(([name, value]) => ({ name, value: JSON.stringify(value) }));
  await services.storage.storeSettings(values, 0, services.journal.event({ kind: 'settings_changed' }, requester));
  await services.settings.readFresh();
  both.two.clock.advance(3);
});

const settingsOf = ({ running }: TestService) => running.services.settings.read();
const valueOn = (page: string, name: string) => new RegExp(`name="${name}"[^>]* value="([^"]*)"`).exec(page)?.[1] ?? '';
const chosenOn = (page: string) => /name="second_factor" value="(\w+)" checked/.exec(page)?.[1];

test('the console shows the settings, and saves what was changed, with an event', async () => {
  assert.equal(chosenOn((await visit(admin, path)).page), 'optional');
  assert.equal(valueOn((await visit(admin, sessions)).page, 'session_hours'), '24');
  const saved = await send(admin, sessions, sessions, { session_hours: ' 8 ', kept_session_days: '30' });
  assert.equal(saved.status, 200);
  assert.match(noticeOn(saved.page) ?? '', /^Settings saved/);
  assert.equal(valueOn(saved.page, 'session_hours'), '8');
  assert.deepEqual(await settingsOf(service), { ...initial, session_hours: 8 });
  const event = (await service.events('settings_changed')).at(-1);
  assert.deepEqual(event?.detail?.changed, ['session_hours']);
  assert.equal(event?.detail?.session_hours, 8);
  assert.match(String(event?.detail?.by), /^administrator /);
  assert.match((await visit(admin, '/admin/events')).page, /Settings changed/);
});

test('unchanged values make no event', async () => {
  const count = async () => (await service.events('settings_changed')).length;
  const before = await count();
  assert.equal((await send(admin, path, path, { second_factor: 'optional' })).status, 200);
  assert.equal((await send(admin, sessions, sessions, { session_hours: '24' })).status, 200);
  assert.equal(await count(), before);
});

test("a form with older values doesn't undo concurrent changes", async () => {
  const form = readForm((await visit(admin, sessions)).page, sessions);
  assert.ok(form);
  await send(admin, sessions, sessions, { kept_session_days: '60' });
  const shown = {
    session_hours: '12',
    kept_session_days: '30',
    kept_session_idle_days: '14',
  };
  await admin.submit(form, shown);
  assert.deepEqual(await settingsOf(service), { ...initial, session_hours: 12, kept_session_days: 60 });
});

test('an invalid value changes nothing, and the input is kept', async () => {
  for (const [section, values, problem] of [
    [sessions, { session_hours: '0' }, 'Sign out after (hours) must be a whole number from 1 to 720.'],
    [
      path,
      { passwords_until: '2030-01-31', passwords: 'off', second_factor: 'nobody' },
      'Two-step verification must be one of: optional, administrators, everyone.',
    ],
    [
      sessions,
      { kept_session_days: 'x'.repeat(5000) },
      'Keep signed in for (days) must be a whole number from 1 to 365.',
    ],
  ] as const) {
    const { status, page } = await send(admin, section, section, values);
    assert.equal(status, 400);
    assert.equal(alertOn(page), problem);
    const [[name, typed] = ['', '']] = Object.entries(values);
    assert.equal(valueOn(page, name), typed);
    assert.deepEqual(await settingsOf(service), initial);
  }
});

test('only administrators can see and change them', async () => {
  const person = await signedIn(service, await service.newUser());
  assert.equal((await person.visit(path)).status, 403);
  const form = readForm((await visit(admin, sessions)).page, sessions);
  assert.ok(form);
  assert.equal((await person.submit(form, { session_hours: '8' })).status, 403);
  assert.deepEqual(await settingsOf(service), initial);
});

test('the API reads them and changes the given ones', async () => {
  const api = await Api.of(service);
  const key = await newKey(service, 'administrator');
  assert.deepEqual((await api.call('getSettings', key)).data, { ...initial, ...noImages });
  const changed = await api.call('updateSettings', key, { body: { kept_session_idle_days: 7 } });
  assert.deepEqual(changed.data, { ...initial, ...noImages, kept_session_idle_days: 7, affected: null });
  assert.match(String((await service.events('settings_changed')).at(-1)?.detail?.by), /^api_key /);
  for (const [body, field] of [
    [{ second_factor: 'nobody' }, 'second_factor'],
    [{ session_hours: 0 }, 'session_hours'],
    [{ session_hours: '8' }, 'session_hours'],
    [{ theme: 'dark' }, 'theme'],
  ] as const) {
    const answer = await api.call('updateSettings', key, { body });
    assert.equal(answer.status, 400);
    assert.deepEqual(answer.data, { field });
  }
  assert.equal((await api.call('updateSettings', key, { body: {} })).status, 400);
  const person = await withSession(service, await service.newUser());
  assert.equal((await api.call('getSettings', person)).status, 403);
});

test('a change applies on every instance within five seconds', async () => {
  const { two } = both;
  assert.equal((await settingsOf(two)).session_hours, 24);
  await send(admin, sessions, sessions, { session_hours: '8' });
  assert.equal((await settingsOf(service)).session_hours, 8, 'at once where it was made');
  two.clock.advance(4);
  assert.equal((await settingsOf(two)).session_hours, 8);
});

test("an application's second_factor can be set in the console and through the API", async () => {
  const api = await Api.of(service);
  const key = await newKey(service, 'administrator');
  const needOf = async (id: string) => (await service.running.services.storage.findClient(id))?.secondFactor;
  const { id } = await register(service, admin, { second_factor: 'required' });
  assert.equal(await needOf(id), 'required');
  const page = `/admin/applications/${id}`;
  assert.match((await visit(admin, `${page}/settings`)).page, /name="second_factor" value="required" checked/);
  await send(admin, `${page}/settings`, page, clientSettings);
  assert.equal(await needOf(id), 'required', 'a form without the field leaves it');
  await send(admin, `${page}/settings`, page, { ...clientSettings, second_factor: 'optional' });
  assert.equal(await needOf(id), 'optional');
  const params = { client_id: id };
  const changed = await api.call('updateApplication', key, { params, body: { second_factor: 'required' } });
  assert.equal(changed.data.second_factor, 'required');
  assert.equal((await api.call('getApplication', key, { params })).data.second_factor, 'required');
  const bad = await api.call('updateApplication', key, { params, body: { second_factor: 'maybe' } });
  assert.deepEqual([bad.status, bad.data], [400, { field: 'second_factor' }]);
});

test('default groups are known by name, whatever a group is called by now', async () => {
  const api = await Api.of(service);
  const key = await newKey(service, 'administrator');
  const { settings, storage } = service.running.services;
  const group = (await api.call('createGroup', key, { body: { name: 'Crew' } })).data;
  const named = async () => (await api.call('getSettings', key)).data.default_groups;
  const unknown = await api.call('updateSettings', key, { body: { default_groups: ['Crew', 'Nobody'] } });
  assert.deepEqual([unknown.status, unknown.message], [400, 'There is no group "Nobody".']);
  assert.deepEqual(await named(), []);
  const set = await api.call('updateSettings', key, { body: { default_groups: [' crew', 'Crew'] } });
  assert.deepEqual(set.data.default_groups, ['Crew'], 'once, as it is called');
  assert.deepEqual((await service.events('settings_changed')).at(-1)?.detail?.default_groups, ['Crew']);
  assert.deepEqual((await settings.read()).default_groups, [group.id]);
  const params = { id: String(group.id) };
  await api.call('renameGroup', key, { params, body: { name: 'Team, A' } });
  assert.deepEqual(await named(), ['Team, A']);
  const { page } = await visit(admin, accounts);
  assert.match(page, /name="default_groups"[^>]*>Team, A<\/textarea>/);
  assert.equal((await send(admin, accounts, accounts, { sign_up: 'open', default_groups: 'Team, A' })).status, 200);
  assert.deepEqual(await named(), ['Team, A']);
  await api.call('deleteGroup', key, { params });
  assert.equal(await storage.findGroupById(String(group.id)), undefined);
  assert.deepEqual(await named(), []);
});

test('what was typed in a field that a choice hides is not stored', async () => {
  for (const [section, values] of [
    [path, { passwords: 'allowed', passwords_until: '2030-01-31' }],
    [accounts, { sign_up: 'open', sign_up_domains: 'a.example' }],
  ] as const) {
    assert.match(noticeOn((await send(admin, section, section, values)).page) ?? '', /^Settings saved\./);
  }
  const { sign_up, passwords_until, sign_up_domains } = await settingsOf(service);
  assert.deepEqual([sign_up, passwords_until, sign_up_domains], ['open', '', []]);
});

test('lists have an item in each line of the form', async () => {
  const saved = await send(admin, accounts, accounts, {
    sign_up: 'domains',
    sign_up_domains: 'a.example\r\n\r\nB.example',
  });
  assert.equal(saved.status, 200);
  assert.deepEqual((await settingsOf(service)).sign_up_domains, ['a.example', 'b.example']);
  assert.match(saved.page, /name="sign_up_domains"[^>]*>a\.example\nb\.example<\/textarea>/);
  const refused = await send(admin, accounts, accounts, { sign_up_domains: 'a.example\r\n*.b.example' });
  assert.equal(refused.status, 400);
  assert.equal(alertOn(refused.page), 'Domains for sign-up must be a list of at most 50 domains such as example.com.');
});

test('every setting is in one section, whose form has a button of its own', async () => {
  const { page } = await visit(admin, path);
  const [tabs = ''] = /<nav class="tabs"[\s\S]*?<\/nav>/.exec(page) ?? [];
  const links = [...tabs.matchAll(/ href="([^"]*)"[^>]*>([^<]*)</g)].map(([, href = '', label = '']) => ({
    href,
    label,
  }));
  assert.deepEqual(
    links.map(({ label }) => label),
    ['Sign-in', 'Accounts', 'Sessions', 'Directory', 'Appearance', 'Attributes', 'Console'],
  );
  const shown: string[] = [];
  for (const { href } of links.filter(({ label }) => !['Attributes'].includes(label))) {
    const section = (await visit(admin, href)).page;
    assert.match(section, /<nav class="tabs"/);
    assert.ok(readForm(section, href), href);
    shown.push(...(/name="fields" value="([^"]*)"/.exec(section)?.[1]?.split(' ') ?? []));
  }
  // Without an identity provider there's none to choose.
  const all = Object.keys(initial).filter((name) => name !== 'default_upstream');
  assert.deepEqual(shown.toSorted(), all.toSorted());
  const headings = [...page.matchAll(/<h2 class="section-title">([^<]*)<|name="(\w+)" value="[^"]*" checked/g)];
  assert.deepEqual(
    headings.map(([, heading, name]) => heading ?? name),
    ['Two-step verification', 'second_factor', 'Signing in', 'email_codes', 'passwords'],
  );
  const { page: directory } = await visit(admin, `${path}/directory`);
  assert.match(directory, /name="fields" value="scim_user_name scim_verified_domains"/);
});

describe('a rule for many people', () => {
  let own: TestService;
  let you: Person;
  const send = async (values: Record<string, string>) => {
    const form = readForm((await visit(you, path)).page, path);
    assert.ok(form);
    const page = await (await you.submit(form, values)).text();
    const [, title = '', text = ''] = /<h1>([^<]*)<[\s\S]* id="question-text">([^<]*)/.exec(page) ?? [];
    return {
      page,
      title,
      text: text.replaceAll('&#39;', "'"),
      question: title === '' ? undefined : readForm(page, path),
    };
  };
  const stored = () => settingsOf(own);

  before(async () => {
    own = await startTestService();
    you = await signedIn(own, await own.newUser({ admin: true }));
    await own.newUser();
    await own.newUser();
  });
  after(() => own?.stop());
  beforeEach(() =>
    changeSettings(
      own.running.services,
      { second_factor: 'optional', passwords: 'allowed', passwords_until: '' },
      requester,
    ),
  );

  const rules = [
    [
      { passwords: 'off' },
      'Turn passwords off for everyone?',
      "3 of 3 people have no other way to sign in. They're asked to create a passkey when they sign in. That includes you.",
    ],
    [
      { passwords: 'not_for_administrators', passwords_until: '2100-01-31' },
      'Turn passwords off for everyone with a role?',
      "1 of 1 person has no other way to sign in. They're asked to create a passkey when they sign in. After 31 January 2100 (UTC) their password stops working, and they need a link from the reset page. That includes you.",
    ],
    [
      { second_factor: 'everyone' },
      'Require two-step verification for everyone?',
      "3 of 3 people have no second factor. They set one up at their next sign-in. That includes you: you'll be asked next.",
    ],
    [
      { second_factor: 'administrators' },
      'Require two-step verification for everyone with a role?',
      "1 of 1 person has no second factor. They set one up at their next sign-in. That includes you: you'll be asked next.",
    ],
  ] as const;
  for (const [values, title, text] of rules) {
    test(`${Object.values(values).join(' ')} asks first, with numbers`, async () => {
      const asked = await send(values);
      assert.deepEqual([asked.title, asked.text], [title, text]);
      assert.deepEqual(await stored(), { ...(await stored()), second_factor: 'optional', passwords: 'allowed' });
    });
  }

  test('an end of passwords asks, and so does an earlier one, but not a later one', async () => {
    await changeSettings(own.running.services, { passwords: 'off' }, requester);
    const asked = await send({ passwords_until: '2100-01-31' });
    assert.equal(asked.title, 'Stop passwords after 31 January 2100 (UTC)?');
    assert.match(asked.text, /^3 of 3 people have no other way to sign in\./);
    await changeSettings(own.running.services, { passwords_until: '2100-01-31' }, requester);
    assert.equal((await send({ passwords_until: '2100-01-30' })).title, 'Stop passwords after 30 January 2100 (UTC)?');
    assert.equal((await send({ passwords_until: '2000-01-31' })).title, 'Stop passwords now?');
    assert.equal((await send({ passwords_until: '2101-01-31' })).question, undefined);
    assert.equal((await stored()).passwords_until, '2101-01-31');
    const sooner = await send({ passwords: 'not_for_administrators', passwords_until: '2100-01-31' });
    assert.equal(sooner.title, 'Stop passwords after 31 January 2100 (UTC)?');
    assert.match(sooner.text, /^1 of 1 person has no other way to sign in\./);
  });

  test('several are one question', async () => {
    const asked = await send({ passwords: 'off', second_factor: 'everyone' });
    assert.equal(asked.title, 'Save these settings?');
    assert.match(
      asked.page,
      /Require two-step verification for everyone\? 3 of 3 people[\s\S]*Turn passwords off for everyone\? 3 of 3/,
    );
  });

  test('once confirmed, the administrator sees that it was saved, then sets up what they lack', async () => {
    const { question } = await send({ second_factor: 'administrators' });
    assert.ok(question);
    const saved = await you.submit(question, {});
    const page = await saved.text();
    assert.equal(saved.status, 200);
    assert.match(page, /<h1>Settings saved<\/h1>/);
    assert.equal((await stored()).second_factor, 'administrators');
    const next = /<a class="button primary" href="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    await finishSetUp(own, you, await setUpOn(await you.visit(next), sessionSetUpPath));
    const event = (await own.events('settings_changed')).at(-1);
    assert.equal(event?.detail?.second_factor, 'administrators');
    assert.equal((await send({ second_factor: 'optional' })).question, undefined, 'less asks nothing');
    assert.match(
      (await send({ second_factor: 'everyone' })).text,
      /^2 of 3 people have no second factor\. They set one up at their next sign-in\.$/,
    );
  });
});
