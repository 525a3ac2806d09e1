// The documentation in a browser: what its stylesheet has to hold.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertNotTooWide, sharedBrowser } from '../harness/browser.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service?.stop());

test('a title is larger than a heading, and a heading larger than the one below it', async () => {
  const context = await (await sharedBrowser()).newContext();
  try {
    const page = await context.newPage();
    await page.goto(`${service.url}/docs/people`);
    const sizeOf = (tag: string) =>
      page.evaluate<number>(`parseFloat(getComputedStyle(document.querySelector('.docs ${tag}')).fontSize)`);
    const sizes = await Promise.all(['h1', 'h2', 'h3', 'p'].map(sizeOf));
    const descending = [...new Set(sizes)].toSorted((a, b) => b - a);
    assert.deepEqual(sizes, descending);
    assert.ok(descending.every((size) => size > 0));
  } finally {
    await context.close();
  }
});

test('Copy covers no part of a command', async () => {
  const context = await (await sharedBrowser()).newContext();
  try {
    const page = await context.newPage();
    await page.goto(`${service.url}/docs/clients/authjs`);
    await page.locator('.code button').first().waitFor();
    for (const width of [1280, 700, 375]) {
      await page.setViewportSize({ width, height: 800 });
      const covered = await page.evaluate<string[]>(`[...document.querySelectorAll('.code')].flatMap((block) => {
        const [pre, button] = [block.querySelector('pre'), block.querySelector('button')];
        const [code, copy] = [pre.getBoundingClientRect(), button.getBoundingClientRect()];
        const isApart = copy.left >= code.right || copy.top >= code.bottom;
        return isApart && copy.width > 0 ? [] : [pre.textContent];
      })`);
      assert.deepEqual(covered, [], `${width}`);
      await assertNotTooWide(page, `${width}`);
    }
  } finally {
    await context.close();
  }
});
