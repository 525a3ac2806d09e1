// Decides what `npm run screenshots` takes and which files it writes: by default nothing in the checkout.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isLanguageTag, type LanguageTag } from '../src/protocol/languages.ts';

export interface ScreenshotOptions {
  readonly folder: string;
  /** The name of the one page to take; undefined for all. */
  readonly only: string | undefined;
  /** The language of the pages; the console, the demo and the documentation are taken in English alone. */
  readonly language: LanguageTag;
  /** Whether the images in docs/images are replaced too. */
  readonly updateDocs: boolean;
}

/** The images that the documents show, by the name of the page and the look. */
const docsImages: Readonly<Record<string, string>> = { 'consent, phone, light': 'docs/images/consent.png' };

export function readScreenshotOptions(args: string[]): ScreenshotOptions {
  const { values, positionals } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      language: { type: 'string', default: 'en' },
      'update-docs': { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const [folder, ...others] = positionals;
  if (others.length > 0) throw new Error(`one folder is enough, and "${others[0]}" is another`);
  const { language } = values;
  if (!isLanguageTag(language)) throw new Error(`there is no language "${language}"`);
  return {
    folder: folder === undefined ? mkdtempSync(join(tmpdir(), 'latchkey-screenshots-')) : resolve(folder),
    only: values.only,
    language,
    updateDocs: values['update-docs'],
  };
}

/** Where the picture of a page in one look goes. */
export function screenshotFiles(options: ScreenshotOptions, root: string, page: string, look: string): string[] {
  const language = options.language === 'en' ? '' : `-${options.language}`;
  const file = join(options.folder, `${page}${language}-${look.replace(', ', '-')}.png`);
  const image = options.updateDocs ? docsImages[`${page}, ${look}`] : undefined;
  return image === undefined ? [file] : [file, join(root, image)];
}
