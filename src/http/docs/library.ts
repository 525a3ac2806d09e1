// The documents of this installation: which there are, how they look, and the search in them. A release has all
// of it as files; in a checkout, where documents change, a process makes it when the first page is read.

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Document } from '../../pages/docs/markdown.ts';
import { type NavigationGroup, navigationOf } from '../../pages/docs/navigation.ts';
import { Html } from '../../pages/layout/html.ts';
import { openSearchIndex, type SearchIndex } from './search-index.ts';

/** Where a release has the parts. */
const madeFolder = new URL('../../bundle/docs/', import.meta.url);

/** The JSON of a part that make-documents.ts has made. */
type Parts = (name: string) => string;

export interface Library {
  navigation(): Promise<readonly NavigationGroup[]>;
  /** Undefined if there is no such document. */
  documentAt(name: string): Promise<Document | undefined>;
  searchIndex(): Promise<SearchIndex>;
}

/** One for the documentation and for the search of the console. */
export const library = openLibrary();

export function openLibrary(): Library {
  const parts = untilItWorks(async () => (existsSync(madeFolder) ? partsOfRelease : makeParts()));
  const names = untilItWorks(async () => new Set<string>(JSON.parse((await parts())('names'))));
  const navigation = untilItWorks(async () => navigationOf(await names()));
  const searchIndex = untilItWorks(async () => openSearchIndex(JSON.parse((await parts())('search'))));
  return {
    navigation,
    searchIndex,
    async documentAt(name) {
      if (!(await names()).has(name)) return undefined;
      const { title, body, headings } = JSON.parse((await parts())(`pages/${name}`));
      return { title, body: new Html(body), headings };
    },
  };
}

const partsOfRelease: Parts = (name) => readFileSync(new URL(`${name}.json`, madeFolder), 'utf8');

async function makeParts(): Promise<Parts> {
  const script = fileURLToPath(new URL('./make-documents.ts', import.meta.url));
  const printed = await new Promise<string>((resolve, reject) => {
    // It doesn't need the environment, which has secrets.
    const options = { env: {}, maxBuffer: 64 * 1024 ** 2 };
    execFile(process.execPath, [script], options, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
  });
  const made = new Map(printed.split('\n').map((line) => [line.slice(0, line.indexOf('\t')), line] as const));
  return (name) => made.get(name)?.slice(name.length + 1) ?? '';
}

/** The result of the first call that doesn't fail. */
function untilItWorks<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
