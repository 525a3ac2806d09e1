// Decides what `npm run screenshots` takes and which files it writes: by default nothing in the checkout.

import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isLanguageTag, type LanguageTag } from '../src/protocol/languages.ts';

export interface ScreenshotOptions {
  readonly folder: string;
  /** The names of the pages to take; undefined for all. */
  readonly only: readonly string[] | undefined;
  /** The language of the pages; the console, the demo and the documentation are taken in English alone. */
  readonly language: LanguageTag;
  /** Whether the images in docs/images are replaced too. */
  readonly updateDocs: boolean;
}

/** The pages that the README shows, in which look. Each is an image in docs/images with the name of its page. */
export const docsImages: Readonly<Record<string, string>> = {
  consent: 'phone, light',
  'sign-in': 'phone, light',
  'console-busy': 'desktop, light',
  'console-failures': 'desktop, light',
};

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
    only: values.only === undefined ? (values['update-docs'] ? Object.keys(docsImages) : undefined) : [values.only],
    language,
    updateDocs: values['update-docs'],
  };
}

/** Where the picture of a page in one look goes. */
export function screenshotFile({ folder, language }: ScreenshotOptions, page: string, look: string): string {
  const suffix = language === 'en' ? '' : `-${language}`;
  return join(folder, `${page}${suffix}-${look.replace(', ', '-')}.png`);
}

/** The image of the documents that shows a page in this look, if it's to be replaced. */
export function docsImage(options: ScreenshotOptions, root: string, page: string, look: string): string | undefined {
  const isShown = options.updateDocs && options.language === 'en' && docsImages[page] === look;
  return isShown ? join(root, `docs/images/${page}.png`) : undefined;
}

/** The image whose page changes most: what the page is made of, so that a test can tell when the image is out of date. */
export const dated = {
  page: 'console-busy',
  checksum: 'test/fixtures/console-busy.sha256',
  sources: [
    'pages/console/overview.ts',
    'pages/console/console-layout.ts',
    'pages/layout/app-shell.ts',
    'pages/layout/layout.ts',
    'pages/components/chart.ts',
    'pages/components/controls.ts',
    'pages/components/display.ts',
    'pages/components/icon.ts',
    'pages/messages/console-overview.ts',
    ...[
      'tokens',
      'base',
      'shell',
      'sidebar',
      'controls',
      'forms',
      'display',
      'lists',
      'tables',
      'charts',
      'console',
    ].map((name) => `pages/assets/${name}.css`),
  ],
} as const;

/** Of the templates and styles of that page. */
export function checksumOfSources(root: string): string {
  const hash = createHash('sha256');
  for (const source of dated.sources) hash.update(readFileSync(join(root, 'src', source)));
  return hash.digest('hex');
}
