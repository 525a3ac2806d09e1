// Every page of the table is accessible and fits the screen: by all rules on a desktop in light, and by those that depend
// on the look on a small phone in dark.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSoundInBothLooks, sharedBrowser } from '../harness/browser.ts';
import { sites } from '../harness/pages/sites.ts';

for (const site of sites) {
  test(`axe finds nothing on the pages of ${site.name}, and nothing is blocked`, async () => {
    const context = await (await sharedBrowser()).newContext({ viewport: { width: 1280, height: 800 } });
    const complaints: string[] = [];
    context.on('console', (message) => {
      if (/Content Security Policy|Refused to/i.test(message.text())) complaints.push(message.text());
    });
    try {
      const page = await context.newPage();
      await site.walk(page, 'en', (name) => assertSoundInBothLooks(page, name));
      assert.deepEqual(complaints, []);
    } finally {
      await context.close();
    }
  });
}

test('every page has a name of its own', () => {
  const names = sites.flatMap(({ pageNames }) => pageNames);
  assert.equal(new Set(names).size, names.length);
});
