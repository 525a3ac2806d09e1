// Decides what `npm run screenshots` takes and which files it writes: by default nothing in the checkout.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface ScreenshotOptions {
  readonly folder: string;
  /** The name of the one page to take; undefined for all. */
  readonly only: string | undefined;
  /** Whether the images in docs/images are replaced too. */
  readonly updateDocs: boolean;
}

/** The images that the documents show, by the name of the page and the look. */
const docsImages: Readonly<Record<string, string>> = { 'consent, phone, light': 'docs/images/consent.png' };

export function readScreenshotOptions(args: string[]): ScreenshotOptions {
  const { values, positionals } = parseArgs({
    args,
    options: { only: { type: 'string' }, 'update-docs': { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [folder, ...others] = positionals;
  if (others.length > 0) throw new Error(`one folder is enough, and "${others[0]}" is another`);
  return {
    folder: folder === undefined ? mkdtempSync(join(tmpdir(), 'latchkey-screenshots-')) : resolve(folder),
    only: values.only,
    updateDocs: values['update-docs'],
  };
}

/** Where the picture of a page in one look goes. */
export function screenshotFiles(options: ScreenshotOptions, root: string, page: string, look: string): string[] {
  const file = join(options.folder, `${page}-${look.replace(', ', '-')}.png`);
  const image = options.updateDocs ? docsImages[`${page}, ${look}`] : undefined;
  return image === undefined ? [file] : [file, join(root, image)];
}
