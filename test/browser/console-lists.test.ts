// The console's lists as people look at them: short on a phone, and nothing cut off on a desktop while there is room.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Browser, type BrowserContextOptions, devices, type Page } from 'playwright-core';
import { createGroup } from '../../src/operations/groups/groups.ts';
import { assertPageIsSound, sharedBrowser } from '../harness/browser.ts';
import { readForm } from '../harness/person.ts';
import { requester, startTestService, type TestService, type TestUser } from '../harness/service.ts';

const phone: BrowserContextOptions = { ...devices['Pixel 7'], viewport: { width: 375, height: 667 } };
const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };

let service: TestService;
let browser: Browser;
let administrator: TestUser;

before(async () => {
  browser = await sharedBrowser();
  service = await startTestService();
  administrator = await service.newUser({ admin: true, name: 'Margaret Hamilton' });
  for (let made = 1; made <= 60; made++) {
    await service.newUser({
      name: `Katherine Johnson ${made}`,
      email: `katherine.johnson-${made}@computing.langley.example`,
      password: null,
    });
    await service.newClient({ name: `Trajectory planner ${made}` });
    await createGroup(service.running.services, `Flight research ${made}`, requester);
  }
});
after(() => service?.stop());

async function inConsole(options: BrowserContextOptions, path: string, work: (page: Page) => Promise<void>) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(10_000);
  try {
    const page = await context.newPage();
    const { fields = {} } = readForm(await (await page.request.get(`${service.url}/sign-in`)).text(), '/sign-in') ?? {};
    const form = { ...fields, email: administrator.email, password: administrator.password };
    await page.request.post(`${service.url}/sign-in`, { form, maxRedirects: 0 });
    await page.goto(`${service.url}${path}`);
    await work(page);
  } finally {
    await context.close();
  }
}

const rows = (page: Page) => page.locator('tbody tr:not(.details)').count();

describe('on a phone', () => {
  // Two lines and their padding are 60 px. 25 of them, and what is above and below them, are less than four screens.
  for (const [path, most] of [
    ['/admin/people', 2400],
    ['/admin/applications', 2400],
    ['/admin/groups', 2400],
    ['/admin/events', 2400],
  ] as const) {
    test(`${path} has 25 rows of two lines`, () =>
      inConsole(phone, path, async (page) => {
        assert.equal(await rows(page), 25);
        const heights = await page.evaluate<number[]>(
          '[...document.querySelectorAll("tbody tr:not(.details)")].map((row) => row.getBoundingClientRect().height)',
        );
        assert.ok(Math.max(...heights) <= 66, `a row is ${Math.max(...heights)} px high`);
        const height = await page.evaluate<number>('document.documentElement.scrollHeight');
        assert.ok(height <= most, `the page is ${height} px high`);
        await assertPageIsSound(page, `${path} on a phone`);
      }));
  }
});

describe('on a desktop', () => {
  for (const path of ['/admin/people', '/admin/applications', '/admin/groups', '/admin/events'])
    test(`${path} has 50 rows, and names and email addresses are not cut off`, () =>
      inConsole(desktop, path, async (page) => {
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
});
