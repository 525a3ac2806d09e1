// npm run screenshots -- [FOLDER] [--only NAME] [--language TAG] [--update-docs]: takes pictures of every page, on a phone and a
// desktop, in light and dark. Without a folder they go into a temporary one; --update-docs takes the pages in the README, and
// replaces its images.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchBrowser, looks } from '../test/harness/browser.ts';
import { root } from '../test/harness/command.ts';
import { sites } from '../test/harness/pages/sites.ts';
import { checksumOfSources, dated, docsImage, readScreenshotOptions, screenshotFile } from './screenshot-files.ts';

const options = readScreenshotOptions(process.argv.slice(2));
const { folder, only, language } = options;
const isWanted = (name: string) => only === undefined || only.includes(name);
const shown = sites.filter(
  ({ translated, pageNames }) => (translated || language === 'en') && pageNames.some(isWanted),
);
if (shown.length === 0) throw new Error(`there is no page called "${only}" in this language`);
mkdirSync(folder, { recursive: true });
const browser = await launchBrowser();
try {
  for (const site of shown) {
    const context = await browser.newContext({ deviceScaleFactor: 2, locale: language });
    const page = await context.newPage();
    const shoot = async (name: string) => {
      // What was clicked may have scrolled the page, and a sidebar would be in the middle of the picture.
      await page.evaluate('scrollTo(0, 0)');
      for (const { name: look, viewport, colorScheme } of looks) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        const picture = await page.screenshot({ fullPage: true });
        writeFileSync(screenshotFile(options, name, look), picture);
        const image = docsImage(options, root, name, look);
        // What is seen without scrolling. A desktop's is shown at half its size, so it needs no more pixels than that.
        const scale = viewport.width > 1000 ? 'css' : 'device';
        if (image !== undefined) writeFileSync(image, await page.screenshot({ scale }));
        if (image !== undefined && name === dated.page) {
          writeFileSync(join(root, dated.checksum), `${checksumOfSources(root)}\n`);
        }
      }
    };
    await site.walk(page, language, shoot, isWanted);
    await context.close();
  }
} finally {
  await browser.close();
}
process.stdout.write(`Pictures are in ${folder}\n`);
