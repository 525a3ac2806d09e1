// The documents of this installation: which there are, what they're called, how they look, and the search in them.
// Each is read and rendered when it's asked for, and a few are kept: rendered, all of them would take 26 MB.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Document } from '../../pages/docs/markdown.ts';
import { docsPath, inReadingOrder, type NavigationGroup, navigationOf } from '../../pages/docs/navigation.ts';
import { docsMessages } from '../../pages/messages/docs.ts';
import { docsFolder } from '../../platform/client-guides.ts';
import type { SearchIndex } from './search-index.ts';

/** Readers go back and forth between a few pages. */
const documentsKept = 8;

const root = new URL('../../../', import.meta.url);

/** Documents outside docs/, by the name under which they are served. */
const outsideDocs: Readonly<Record<string, string>> = {
  security: 'SECURITY.md',
  architecture: 'ARCHITECTURE.md',
  contributing: 'CONTRIBUTING.md',
  changelog: 'CHANGELOG.md',
};

export interface Library {
  readonly navigation: () => readonly NavigationGroup[];
  /** Undefined if there is no such document. */
  documentAt(name: string): Promise<Document> | undefined;
  searchIndex(): Promise<SearchIndex>;
}

/** One for the documentation and for the search of the console. */
export const library = once(openLibrary);

export function openLibrary(): Library {
  const files = findFiles();
  const textOf = (file: string) => readFileSync(new URL(file, root), 'utf8');
  const rendered = new Map<string, Promise<Document>>();
  const navigation = once(() => {
    const title = (file: string) => /^# (.+)$/m.exec(textOf(file))?.[1] ?? file;
    return navigationOf(new Map([...files].map(([name, file]) => [name, title(file)])));
  });

  // Loaded with the first page: the renderer and the highlighter would slow down every start.
  const markdown = once(() => import('../../pages/docs/markdown.ts'));

  async function render(name: string, file: string): Promise<Document> {
    const { renderDocument } = await markdown();
    const linkTo = (href: string) => servedAt(files, name, file, href);
    return renderDocument(textOf(file), { linkTo, messages: docsMessages });
  }

  async function buildIndex(): Promise<SearchIndex> {
    const [{ sectionsOf }, { buildSearchIndex }] = await Promise.all([markdown(), import('./search-index.ts')]);
    const sections = inReadingOrder(navigation())
      .values()
      .map(({ name, label: title }) =>
        sectionsOf(textOf(files.get(name) ?? '')).map((section) => ({ name, title, ...section })),
      );
    return buildSearchIndex(sections);
  }

  return {
    navigation,
    documentAt(name) {
      const file = files.get(name);
      if (file === undefined) return undefined;
      const document = rendered.get(name) ?? render(name, file);
      // The one that was read last is the last to go.
      rendered.delete(name);
      rendered.set(name, document);
      const [oldest = name] = rendered.keys();
      if (rendered.size > documentsKept) rendered.delete(oldest);
      return document;
    },
    searchIndex: once(buildIndex),
  };
}

/** The file of each document, by the name under which it's served: `clients/fetch`, and `clients` for its README. */
function findFiles(): ReadonlyMap<string, string> {
  const inside = readdirSync(docsFolder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md'))
    .map((name): [string, string] => [name.replace(/\.md$/, '').replace(/(^|\/)README$/, ''), `docs/${name}`]);
  const outside = Object.entries(outsideDocs).filter(([, file]) => existsSync(new URL(file, root)));
  return new Map([...inside, ...outside]);
}

/** Where a link of a document leads; undefined when its target isn't served, such as a source file. */
function servedAt(files: ReadonlyMap<string, string>, name: string, own: string, href: string): string | undefined {
  if (/^[a-z]+:/.test(href)) return href;
  if (href.startsWith('#')) return `${docsPath(name)}${href}`;
  const target = new URL(href, new URL(own, root));
  const file = target.pathname.slice(root.pathname.length);
  for (const [served, candidate] of files) if (candidate === file) return `${docsPath(served)}${target.hash}`;
  return file.startsWith('docs/images/') ? `/${file}` : undefined;
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
