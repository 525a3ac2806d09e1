// The console's one search: what it finds, where that leads, and what somebody with a role doesn't find.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { createGroup } from '../../../src/operations/groups/groups.ts';
import { setRoles } from '../../../src/operations/users/set-roles.ts';
import { visit } from '../../harness/console.ts';
import { Person } from '../../harness/person.ts';
import { requester } from '../../harness/service.ts';
import { consoleOfSuite } from '../../harness/suite.ts';

const { service, admin } = consoleOfSuite();

before(async () => {
  const { services } = service.running;
  for (let made = 0; made < 7; made++) await service.newUser({ name: `Dorothy Vaughan ${made}`, password: null });
  await service.newUser({ name: 'Mary Jackson', email: 'mary@langley.example', password: null });
  await service.newClient({ name: 'Langley wiki' });
  for (const name of ['West Langley computers', '100% Langley', 'Other'])
    await createGroup(services, { name }, requester);
});

/** The names under each heading, with where they lead. */
async function find(text: string, as = admin): Promise<Record<string, string[]>> {
  const { status, page } = await visit(as, `/admin/search?${new URLSearchParams({ q: text })}`);
  assert.equal(status, 200);
  const sections = [...page.matchAll(/<h2 id="found-(\w+)">[\s\S]*?<\/section>/g)];
  return Object.fromEntries(
    sections.map(([section, kind = '']) => [
      kind,
      [...section.matchAll(/<a href="([^"]*)">(?:<span>)?([^<]*)/g)].map(([, href, name]) => `${name} ${href}`),
    ]),
  );
}

async function withRole(role: 'people' | 'applications' | 'auditor'): Promise<Person> {
  const user = await service.newUser({ name: `Has the role ${role}` });
  await setRoles(service.running.services, { id: user.id }, [role], requester);
  const person = new Person(service);
  await person.signIn(user);
  return person;
}

describe('the search', () => {
  test('finds people, applications and groups, and leads to them', async () => {
    const found = await find('langley');
    assert.match(found.people?.join() ?? '', /^Mary Jackson \/admin\/people\/[0-9a-z]{26}$/);
    assert.match(found.applications?.join() ?? '', /^Langley wiki \/admin\/applications\/[0-9a-z]{26}$/);
    const groups = found.groups?.map((each) => each.replace(/[0-9a-z]{26}$/, 'ID'));
    assert.deepEqual(groups, ['100% Langley /admin/groups/ID', 'West Langley computers /admin/groups/ID']);
  });

  test('shows a few of each, and leads to the list with all of them', async () => {
    const { people = [] } = await find('dorothy');
    assert.equal(people.length, 6);
    assert.equal(people.at(-1), 'Show all 7 people /admin/people?search=dorothy');
    const { page } = await visit(admin, '/admin/people?search=dorothy');
    assert.equal(page.match(/<th scope="row"/g)?.length, 7);
  });

  test('a group is found by any part of its name, and % is a character like any other', async () => {
    const { page } = await visit(admin, '/admin/groups?search=0%25+langley');
    assert.match(page, /100% Langley/);
    assert.doesNotMatch(page, /West Langley|>Other</);
    assert.match((await visit(admin, '/admin/groups?search=_')).page, /No groups found\./);
  });

  test('finds events by the reference of an error page and by their ID', async () => {
    const refused = await admin.visit(
      '/oauth-authorize?client_id=nobody&redirect_uri=https://nobody.example/&response_type=code',
    );
    const [, reference = ''] = /<code[^>]*>([A-Za-z0-9]{8}-[0-9a-z]+)<\/code>/.exec(await refused.text()) ?? [];
    assert.notEqual(reference, '');
    const byReference = await find(reference);
    assert.match(
      byReference.events?.join() ?? '',
      new RegExp(`^Authorization refused /admin/events\\?reference=${reference}#`),
    );
    const event = (await service.events('authorization_refused')).at(-1);
    const byId = await find(event?.id ?? '');
    assert.equal(byId.events?.join(), `Authorization refused /admin/events?reference=${event?.id}#${event?.id}`);
    const { page } = await visit(admin, `/admin/events?reference=${event?.id}`);
    assert.equal(page.match(/<tr id=/g)?.length, 1);
  });

  test('finds settings by label and by key, and leads to the field', async () => {
    assert.deepEqual((await find('session_hours')).settings, [
      'Session length (hours) /admin/settings/sessions#session_hours',
    ]);
    const { settings = [] } = await find('two-step verif');
    assert.equal(settings[0], 'Two-step verification /admin/settings#second_factor');
    for (const [path, anchor] of [
      ['', 'second_factor'],
      ['/sessions', 'session_hours'],
    ]) {
      assert.match((await visit(admin, `/admin/settings${path}`)).page, new RegExp(` id="${anchor}"`));
    }
    const [logo = ''] = (await find('logo_dark')).settings ?? [];
    assert.match(logo, /\/admin\/settings\/branding#logo_dark-image$/);
    assert.match((await visit(admin, '/admin/settings/branding')).page, / id="logo_dark-image"/);
  });

  test('lists who is exactly called so first, then whole words, and of these who signed in last', async () => {
    const people: Record<string, string> = {};
    for (const [name, email, at] of [
      ['Ada Andersen', 'one@people.example', 10],
      ['Ada Andersen', 'two@people.example', 30],
      ['Ada Andersen', 'three@people.example', 20],
      ['Adalbert Ada', 'four@people.example', 5],
      ['Adam Smith', 'five@people.example', 99],
      ['Beth Adams', 'six@people.example', 90],
      ['Countess', 'ada@example.com', 0],
      ['Ada', 'seven@people.example', 1],
    ] as const) {
      const { id } = await service.newUser({ name, email, password: null });
      people[`${name} /admin/people/${id}`] = email.replace(/@.*/, '');
      await service.execute(`UPDATE users SET last_sign_in_at = ${at} WHERE id = '${id}'`);
    }
    const listed = async (text: string) => (await find(text)).people?.map((each) => people[each] ?? each);
    const all = 'Show all 8 people /admin/people?search=ada';
    assert.deepEqual(await listed('ada'), ['seven', 'ada', 'two', 'three', 'one', all]);
    assert.deepEqual(await listed('ada@example.com'), ['ada']);
    assert.deepEqual(await listed('smith adam'), ['five']);
    assert.deepEqual(await listed('ada and'), ['two', 'three', 'one']);
    assert.deepEqual(await listed('adam'), ['five', 'six']);
    // IDs of imported people can be words.
    const { id } = await service.newUser({ id: 'ada', name: 'Zoe', email: 'zoe@people.example', password: null });
    assert.equal((await find('ada')).people?.[1], `Zoe /admin/people/${id}`);
    const { services } = service.running;
    for (const name of ['Roasters', 'Oast', 'Coast guard']) await createGroup(services, { name }, requester);
    const groups = (await find('oast')).groups?.map((each) => each.replace(/ \/.*/, ''));
    assert.deepEqual(groups, ['Oast', 'Coast guard', 'Roasters']);
  });

  test('finds forms and pages by what they are called elsewhere, for those who may use them', async () => {
    for (const [text, kind, expected] of [
      ['new application', 'actions', 'New application /admin/applications/new'],
      ['create user', 'actions', 'New person /admin/people/new'],
      ['brand', 'pages', 'Settings: Appearance /admin/settings/branding'],
      ['audit log', 'pages', 'Events /admin/events'],
      ['sso', 'pages', 'Identity providers /admin/providers'],
      ['saml', 'actions', 'Add identity provider /admin/providers/new'],
      ['mfa', 'settings', 'Two-step verification /admin/settings#second_factor'],
    ] as const) {
      assert.ok((await find(text))[kind]?.includes(expected), `${text}: ${JSON.stringify(await find(text))}`);
    }
    assert.match((await find('nextjs')).documents?.[0] ?? '', /\/docs\/clients\/next-auth/);
    assert.match((await find('gdpr')).documents?.[0] ?? '', /\/docs\/people#personal-data/);
    const auditor = await withRole('auditor');
    assert.deepEqual((await find('new application', auditor)).actions, undefined);
    const people = await withRole('people');
    assert.deepEqual((await find('create', people)).actions, [
      'Create sign-up link /admin/people/sign-up-links',
      'Create group /admin/groups',
      'New person /admin/people/new',
      'Invite people /admin/people/invitations',
    ]);
    assert.equal((await find('brand', people)).pages, undefined);
  });

  test('finds pages and documents', async () => {
    const found = await find('webhooks');
    assert.deepEqual(found.pages, ['Webhooks /admin/webhooks']);
    assert.ok((found.documents?.length ?? 0) > 1);
    assert.match(found.documents?.[0] ?? '', / \/docs\//);
    assert.match(found.documents?.at(-1) ?? '', /\/docs\/search\?q=webhooks$/);
  });

  test('says when nothing matches, and nothing at all before somebody has typed', async () => {
    assert.match((await visit(admin, '/admin/search?q=%3Cqqqqzz%3E')).page, /Nothing matches “&lt;qqqqzz&gt;”\./);
    assert.doesNotMatch((await visit(admin, '/admin/search')).page, /role="status"/);
  });

  test('finds what each role may read, and nothing else', async () => {
    const kinds = async (as: Person, text: string) =>
      Object.keys(await find(text, as)).filter((kind) => kind !== 'documents');
    const [people, applications, auditor] = await Promise.all([
      withRole('people'),
      withRole('applications'),
      withRole('auditor'),
    ]);
    assert.deepEqual(await kinds(people, 'langley'), ['people', 'groups']);
    assert.deepEqual(await kinds(applications, 'langley'), ['applications']);
    assert.deepEqual(await kinds(auditor, 'langley'), ['people', 'applications', 'groups']);
    assert.deepEqual(await kinds(people, 'session_hours'), []);
    assert.deepEqual(await kinds(auditor, 'session_hours'), ['settings']);
    assert.deepEqual(await kinds(applications, 'people'), []);
    // What is about the service is an administrator's and an auditor's.
    const event = (await service.events('group_created')).at(-1);
    assert.deepEqual(await kinds(people, event?.id ?? ''), []);
    assert.deepEqual(await kinds(auditor, event?.id ?? ''), ['events']);
    const stranger = new Person(service);
    await stranger.signIn(await service.newUser());
    assert.equal((await visit(stranger, '/admin/search?q=langley')).status, 403);
  });
});
