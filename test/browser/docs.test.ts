// The documentation in a browser: what its stylesheet has to hold.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sharedBrowser } from '../harness/browser.ts';
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
