// npm run screenshots -- [FOLDER] [--only NAME] [--language TAG] [--update-docs]: takes pictures of every page, on a phone and a
// desktop, in light and dark. Without a folder they go into a temporary one; the image in the README changes with
// --update-docs alone.

import { mkdirSync, writeFileSync } from 'node:fs';
import { launchBrowser, looks } from '../test/harness/browser.ts';
import { root } from '../test/harness/command.ts';
import { sites } from '../test/harness/pages/sites.ts';
import { readScreenshotOptions, screenshotFiles } from './screenshot-files.ts';

const options = readScreenshotOptions(process.argv.slice(2));
const { folder, only, language } = options;
const shown = sites.filter(
  ({ translated, pageNames }) => (translated || language === 'en') && (only === undefined || pageNames.includes(only)),
);
if (shown.length === 0) throw new Error(`there is no page called "${only}" in this language`);
mkdirSync(folder, { recursive: true });
const browser = await launchBrowser();
try {
  for (const site of shown) {
    const context = await browser.newContext({ deviceScaleFactor: 2, locale: language });
    const page = await context.newPage();
    const shoot = async (name: string) => {
      if (only !== undefined && only !== name) return;
      // What was clicked may have scrolled the page, and a sidebar would be in the middle of the picture.
      await page.evaluate('scrollTo(0, 0)');
      for (const { name: look, viewport, colorScheme } of looks) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        const picture = await page.screenshot({ fullPage: true });
        for (const file of screenshotFiles(options, root, name, look)) writeFileSync(file, picture);
      }
    };
    await site.walk(page, language, shoot, only);
    await context.close();
  }
} finally {
  await browser.close();
}
process.stdout.write(`Pictures are in ${folder}\n`);
