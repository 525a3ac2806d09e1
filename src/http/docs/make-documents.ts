// Makes what the documentation is served from: each document as HTML, their names, and the index of the search. A process of its
// own: it prints each part as its name, a tab and JSON, and its renderer and highlighter end with it. A release has the parts as files.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { renderDocument, sectionsOf } from '../../pages/docs/markdown.ts';
import { docsPath, inReadingOrder, navigationOf } from '../../pages/docs/navigation.ts';
import { docsMessages } from '../../pages/messages/docs.ts';
import { docsFolder } from '../../platform/client-guides.ts';
import { makeSearchIndex } from './search-index.ts';

const root = new URL('../../../', import.meta.url);

/** Documents outside docs/, by the name under which they are served. */
const outsideDocs: Readonly<Record<string, string>> = {
  security: 'SECURITY.md',
  architecture: 'ARCHITECTURE.md',
  contributing: 'CONTRIBUTING.md',
  changelog: 'CHANGELOG.md',
};

const files = findFiles();
const texts = new Map([...files].map(([name, file]) => [name, readFileSync(new URL(file, root), 'utf8')]));
const textOf = (name: string) => texts.get(name) ?? '';

const names = new Set(files.keys());
print('names', [...names]);
for (const [name, file] of files) {
  const linkTo = (href: string) => servedAt(name, file, href);
  const { title, body, headings } = renderDocument(textOf(name), { linkTo, messages: docsMessages });
  print(`pages/${name}`, { title, body: body.text, headings });
}
const sections = inReadingOrder(navigationOf(names)).flatMap(({ name, label: title }) =>
  sectionsOf(textOf(name)).map((section) => ({ name, title, ...section })),
);
print('search', makeSearchIndex(sections));

function print(name: string, part: object): void {
  process.stdout.write(`${name}\t${JSON.stringify(part)}\n`);
}

/**
 * The file of each document, by the name under which it's served: `clients/fetch`, and `clients` for its README. Records of decisions
 * are for those who change the service.
 */
function findFiles(): ReadonlyMap<string, string> {
  const inside = readdirSync(docsFolder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md') && !name.startsWith('decisions/'))
    .sort()
    .map((name): [string, string] => [name.replace(/\.md$/, '').replace(/(^|\/)README$/, ''), `docs/${name}`]);
  const outside = Object.entries(outsideDocs).filter(([, file]) => existsSync(new URL(file, root)));
  return new Map([...inside, ...outside]);
}

/** Where a link of a document leads; undefined when its target isn't served, such as a source file. */
function servedAt(name: string, own: string, href: string): string | undefined {
  if (/^[a-z]+:/.test(href)) return href;
  if (href.startsWith('#')) return `${docsPath(name)}${href}`;
  const target = new URL(href, new URL(own, root));
  const file = target.pathname.slice(root.pathname.length);
  for (const [served, candidate] of files) if (candidate === file) return `${docsPath(served)}${target.hash}`;
  return file.startsWith('docs/images/') ? `/${file}` : undefined;
}
