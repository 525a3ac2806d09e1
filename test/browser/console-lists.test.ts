// The console's lists as people look at them: short on a phone, and nothing cut off on a desktop while there is room.

import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { type BrowserContextOptions, devices, type Page } from 'playwright-core';
import { createGroup } from '../../src/operations/groups/groups.ts';
import { assertKnownPageIsSound } from '../harness/browser.ts';
import { requester, startTestService, type TestService, type TestUser } from '../harness/service.ts';
import { signedIn } from '../harness/signed-in-browser.ts';

const phone: BrowserContextOptions = { ...devices['Pixel 7'], viewport: { width: 375, height: 667 } };
const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };

let service: TestService;
let administrator: TestUser;

before(async () => {
  service = await startTestService();
  administrator = await service.newUser({ admin: true, name: 'Margaret Hamilton' });
  const each = Array.from({ length: 60 }, (_, index) => index + 1);
  await Promise.all(
    each.flatMap((number) => [
      service.newUser({
        name: `Katherine Johnson ${number}`,
        email: `katherine.johnson-${number}@computing.langley.example`,
        password: null,
      }),
      service.newClient({ name: `Trajectory planner ${number}` }),
      createGroup(service.running.services, `Flight research ${number}`, requester),
    ]),
  );
});
after(() => service?.stop());

const inConsole = (options: BrowserContextOptions, path: string, work: (page: Page) => Promise<void>) =>
  signedIn({ service, user: administrator, path, options }, work);

const rows = (page: Page) => page.locator('tbody tr:not(.details)').count();

const lists = ['/admin/people', '/admin/applications', '/admin/groups', '/admin/events'];

/** Looks at each list in one browser. */
const onEach = (t: TestContext, options: BrowserContextOptions, look: (page: Page, path: string) => Promise<void>) =>
  inConsole(options, '/admin', async (page) => {
    for (const path of lists) {
      await t.test(path, async () => {
        await page.goto(`${service.url}${path}`);
        await look(page, path);
      });
    }
  });

test('on a phone, a list has 25 rows of two lines', (t) =>
  onEach(t, phone, async (page, path) => {
    assert.equal(await rows(page), 25);
    const heights = await page.evaluate<number[]>(
      '[...document.querySelectorAll("tbody tr:not(.details)")].map((row) => row.getBoundingClientRect().height)',
    );
    // Two lines and their padding are 60 px. 25 of them, and what is above and below them, are less than four screens.
    assert.ok(Math.max(...heights) <= 66, `a row is ${Math.max(...heights)} px high`);
    const height = await page.evaluate<number>('document.documentElement.scrollHeight');
    assert.ok(height <= 2400, `the page is ${height} px high`);
    await assertKnownPageIsSound(page, `${path} on a phone`);
  }));

test('on a desktop, a list has 50 rows, and names and email addresses are not cut off', (t) =>
  onEach(t, desktop, async (page) => {
    assert.equal(await rows(page), 50);
    const cut = await page.evaluate<string[]>(
      '[...document.querySelectorAll("tbody th")].filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)',
    );
    assert.deepEqual(cut, []);
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
