// The console's lists as people look at them: short on a phone, and nothing cut off on a desktop while there is room.

import assert from 'node:assert/strict';
import { before, describe, type TestContext, test } from 'node:test';
import { type BrowserContextOptions, devices, type Page } from 'playwright-core';
import { createApiKey } from '../../src/operations/api-keys/api-keys.ts';
import { changeMembers, createGroup } from '../../src/operations/groups/groups.ts';
import { createScimToken } from '../../src/operations/scim/scim-tokens.ts';
import { editUser } from '../../src/operations/users/edit-user.ts';
import { inviteUser } from '../../src/operations/users/invitations.ts';
import { DAY } from '../../src/protocol/durations.ts';
import { assertKnownPageIsSound } from '../harness/browser.ts';
import { firstUntilRelease, releaseTest } from '../harness/lane.ts';
import { requester, type TestUser } from '../harness/service.ts';
import { consoleSite } from '../harness/signed-in-browser.ts';
import { activeGrant, anEvent, storedSession } from '../storage/records.ts';

const phone: BrowserContextOptions = { ...devices['Pixel 7'], viewport: { width: 375, height: 667 } };
const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };

const site = consoleSite();
let person: TestUser;
let group: string;

before(async () => {
  const each = Array.from({ length: 60 }, (_, index) => index + 1);
  await Promise.all(
    each.flatMap((number) => [
      site.service.newUser({
        name: `Katherine Johnson ${number}`,
        email: `katherine.johnson-${number}@computing.langley.example`,
        password: null,
      }),
      site.service.newClient({ name: `Trajectory planner ${number}` }),
      createGroup(site.service.running.services, { name: `Flight research ${number}` }, requester),
    ]),
  );
  await fillOtherLists();
});

/** The lists that are parts of pages, each with a few rows. */
async function fillOtherLists(): Promise<void> {
  const { services } = site.service.running;
  const { storage, clock } = services;
  const now = clock.now();
  person = await site.service.newUser({
    name: 'Dorothy Vaughan',
    email: 'dorothy@langley.example',
  });
  const email = (made: number) => `katherine.johnson-${made}@computing.langley.example`;
  const add = [person.email, email(1), email(2), email(3)];
  const changed = await changeMembers(services, 'Flight research 1', { add }, requester);
  group = changed.kind === 'done' ? changed.group.id : '';
  await changeMembers(services, 'Flight research 2', { add: [person.email], expiresAt: '30d' }, requester);
  const clients = (await storage.listClients()).filter(({ name }) => / [1-3]$/.test(name));
  for (const [index, client] of clients.entries()) {
    await activeGrant(storage, person.record, client);
    await storage.addTotals([{ hour: now, kind: 'exchange', clientId: client.id, total: 1000 * index + 1 }]);
    const told = { at: now - DAY, clientId: client.id, userId: person.id };
    const failure = { kind: 'sign_in_failed', detail: { reason: 'wrong_second_step' } } as const;
    await storage.appendEvents([anEvent({ ...told, ...failure })]);
    for (const device of ['Firefox on Linux', 'Chrome on Android']) {
      await storedSession(storage, person.record, { device, address: '192.0.2.7', createdAt: now, lastSeenAt: now });
    }
    await createApiKey(services, { name: `Deploy bot ${index}`, permission: 'administrator', days: 30 }, requester);
    await createScimToken(services, { name: `Directory ${index}`, source: 'okta', days: 30 }, requester);
    const groups = ['Flight research 1', 'Flight research 2'];
    await inviteUser(services, { email: `mary.jackson-${index}@langley.example`, name: '', groups }, requester);
  }
  const actor = { kind: 'administrator', id: site.administrator.record.id } as const;
  await inviteUser(services, { email: 'guest@example.com', name: '' }, { ...requester, actor });
}

const inConsole = (options: BrowserContextOptions, path: string, work: (page: Page) => Promise<void>) =>
  site.open(path, work, options);

const rows = (page: Page) => page.locator('tbody tr:not(.details)').count();

const lists = ['/admin/people', '/admin/applications', '/admin/groups', '/admin/events'];

/** Looks at several pages in one browser. */
const onEach = (
  t: TestContext,
  options: BrowserContextOptions,
  paths: Readonly<Record<string, string>>,
  look: (page: Page, name: string) => Promise<void>,
) =>
  inConsole(options, '/admin', async (page) => {
    for (const [name, path] of Object.entries(paths)) {
      await t.test(name, async () => {
        await page.goto(`${site.service.url}${path}`);
        await look(page, name);
      });
    }
  });

const heightsOf = (page: Page, rows: string) =>
  page.evaluate<number[]>(`[...document.querySelectorAll('${rows}')].map((row) => row.getBoundingClientRect().height)`);

/** Where what is above a list begins. */
const tops = (page: Page) =>
  page.evaluate<string>(
    '[...document.querySelectorAll("h1, .tabs, .actions, .list-bar, .search, .menu, .chips, .filter-form, .rows")].map((each) => each.className + "=" + Math.round(each.getBoundingClientRect().top)).join(" ")',
  );

/** Facts that are cut off. */
const cutFacts = (page: Page) =>
  page.evaluate<string[]>(
    '[...document.querySelectorAll("tbody td")].filter((cell) => cell.scrollWidth > cell.clientWidth && cell.offsetParent).map((cell) => cell.innerText)',
  );

test('on a phone, a list has 25 rows of two lines', (t) =>
  onEach(t, phone, Object.fromEntries(lists.map((path) => [path, path])), async (page, path) => {
    assert.equal(await rows(page), 25);
    // Two lines and their padding are 60 px. 25 of them, and what is above and below them, are less than four screens.
    const highest = Math.max(...(await heightsOf(page, 'tbody tr:not(.details)')));
    assert.ok(highest <= 66, `a row is ${highest} px high`);
    const first = await page.evaluate<number>('document.querySelector("tbody tr").getBoundingClientRect().bottom');
    assert.ok(first <= 667, `the first row ends at ${first} px: ${await tops(page)}`);
    for (const chips of await page.locator('main .chips').all()) {
      const { height = 99 } = { ...(await chips.boundingBox()) };
      assert.ok(height < 50, `chips in one row: ${height} px`);
    }
    const searches = await page.evaluate<[string, number][]>(
      '[...document.querySelectorAll(".list-bar [role=search]")].map((each) => [getComputedStyle(each.querySelector("button")).borderTopStyle, each.offsetHeight])',
    );
    for (const [border, height] of searches) {
      assert.ok(border === 'none' && height < 50, `a search has its button inside: ${border}, ${height} px`);
    }
    assert.equal(await page.getByRole('link', { name: /CSV|JSON/ }).count(), 0, 'downloads are in a menu');
    const height = await page.evaluate<number>('document.documentElement.scrollHeight');
    assert.ok(height <= 2400, `the page is ${height} px high`);
    await assertKnownPageIsSound(page, `${path} on a phone`);
  }));

// The same rules of the same style sheet as for the lists above.
releaseTest('on a phone, other lists have rows of two lines', (t) =>
  onEach(
    t,
    phone,
    {
      'most-used applications': '/admin',
      'members of a group': `/admin/groups/${group}`,
      'API keys': '/admin/keys',
      'SCIM tokens': '/admin/scim-tokens',
      invitations: '/admin/people/invitations',
      "a person's groups and applications": `/admin/people/${person.id}/access`,
      "a person's devices": `/admin/people/${person.id}/security`,
    },
    async (page, name) => {
      const heights = await heightsOf(page, '.compact tbody tr:not(.details)');
      assert.ok(heights.length >= 3, `${heights.length} rows`);
      // With a button in it, a line is 32 px high.
      assert.ok(Math.max(...heights) <= 74, `a row is ${Math.max(...heights)} px high`);
      assert.equal(await page.locator('.rows:not(.compact):visible').count(), 0);
      await assertKnownPageIsSound(page, `${name} on a phone`);
    },
  ),
);

test('on a desktop, a list has 50 rows, and names and email addresses are not cut off', (t) =>
  onEach(t, desktop, Object.fromEntries(lists.map((path) => [path, path])), async (page, path) => {
    assert.equal(await rows(page), 50);
    const cut = await page.evaluate<string[]>(
      '[...document.querySelectorAll("tbody th")].filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)',
    );
    assert.deepEqual(cut, []);
    if (path === '/admin/events') {
      await page.getByText('guest@example.com by Margaret Hamilton').waitFor();
      assert.deepEqual(await cutFacts(page), []);
    }
  }));

test('a name in a list is underlined under the pointer', () =>
  inConsole(desktop, '/admin/people', async (page) => {
    const link = page.getByRole('rowheader').getByRole('link').first();
    const line = () =>
      link.evaluate((element) =>
        (element as unknown as { computedStyleMap(): Map<string, unknown> })
          .computedStyleMap()
          .get('text-decoration-line')
          ?.toString(),
      );
    assert.equal(await line(), 'none');
    await link.hover();
    assert.equal(await line(), 'underline');
  }));

describe('on a phone, what a row says', () => {
  // Nobody's access ended so far: the column that says it would leave less room to the others on a desktop.
  before(() => editUser(site.service.running.services, { id: person.id }, { expiresAt: '20d' }, requester));

  /** The visible text of the first row, and the facts in it that are wider than their place. */
  const firstRow = (page: Page) =>
    page.evaluate<{ text: string; cut: string[] }>(`(() => {
      const row = document.querySelector('.compact tbody tr');
      const facts = [...row.querySelectorAll('td, .second, td > a')].filter((each) => each.scrollWidth > each.clientWidth);
      return { text: row.innerText.replace(/\\s+/g, ' ').trim(), cut: facts.map((each) => each.textContent) };
    })()`);
  for (const [path, text] of firstUntilRelease([
    [
      '/admin/people?search=katherine',
      /^Katherine Johnson 1 katherine\.johnson-1@computing\.langley\.example Never signed in$/,
    ],
    ['/admin/people?search=dorothy', /^Dorothy Vaughan dorothy@langley\.example Access ends in 20 days .* ago$/],
    ['/admin/applications?search=planner+42', /^T? ?Trajectory planner 42 0 people never used$/],
    ['/admin/groups?search=research+42', /^Flight research 42 0 members 0 applications$/],
  ] as const)) {
    test(`${path}: words that need no column, none of them cut off`, () =>
      inConsole(phone, path, async (page) => {
        const row = await firstRow(page);
        assert.match(row.text, text);
        assert.deepEqual(row.cut, []);
      }));
  }

  test('an email address and an end that do not fit on one line have one each', async () => {
    const email = 'christine.darden@computing.langley.example';
    await site.service.newUser({ name: 'Christine Darden', email, expiresAt: '20d' });
    await inConsole(phone, '/admin/people?search=christine', async (page) => {
      const row = await firstRow(page);
      assert.equal(row.text, `Christine Darden ${email} Access ends in 20 days Never signed in`);
      assert.deepEqual(row.cut, []);
    });
  });

  test('the short name of an application begins where the line does', async () => {
    const { id } = await site.service.newClient({ name: 'Ox' });
    await inConsole(phone, `/admin/events?application=${id}&kind=client_created`, async (page) => {
      const row = page.locator('.compact tbody tr').first();
      const [line, name] = await Promise.all([
        row.locator('summary').boundingBox(),
        row.locator('td > a').boundingBox(),
      ]);
      assert.equal(name?.x, line?.x);
    });
  });

  test('why a sign-in failed has most of the line, and what is cut off ends in an ellipsis', () =>
    inConsole(phone, '/admin/events?kind=sign_in_failed', async (page) => {
      const facts = await page.evaluate<{ part: number; overflow: string }[]>(`(() => {
        const row = document.querySelector('.compact tbody tr');
        const shown = [row.querySelector('.second'), ...row.querySelectorAll('td > a')];
        return shown.map((each) => ({
          part: each.getBoundingClientRect().width / row.getBoundingClientRect().width,
          overflow: getComputedStyle(each).textOverflow,
        }));
      })()`);
      assert.equal(facts.length, 3);
      assert.ok((facts[0]?.part ?? 0) > 0.5, JSON.stringify(facts));
      for (const { overflow } of facts) assert.equal(overflow, 'ellipsis');
      await assertKnownPageIsSound(page, 'failures on a phone');
    }));
});
