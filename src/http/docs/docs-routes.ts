// Serves the documentation of this version under /docs: the files of docs/, and the few next to it that they link to.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { docsPage } from '../../pages/docs/docs.ts';
import type { Document } from '../../pages/docs/markdown.ts';
import type { HttpContext } from '../context.ts';
import { englishFrame, sendPage } from '../send-page.ts';

const root = new URL('../../../', import.meta.url);
const folder = new URL('docs/', root);

/** Documents outside docs/, by the name under which they are served. */
const outsideDocs: Readonly<Record<string, string>> = { security: 'SECURITY.md', architecture: 'ARCHITECTURE.md' };

const imageTypes: Readonly<Record<string, string>> = { svg: 'image/svg+xml', png: 'image/png' };

/** An installation may leave the documentation out. */
export function docsAreIncluded(): boolean {
  return existsSync(folder);
}

export function docsRoutes(app: FastifyInstance, context: HttpContext): void {
  if (context.docs === 'off') return;
  const files = findFiles();
  const rendered = new Map<string, Promise<Document>>();

  /** Rendered on first request and cached: the files don't change while the service runs. */
  function documentAt(name: string, file: string): Promise<Document> {
    const known = rendered.get(name);
    if (known !== undefined) return known;
    const document = render(name, file);
    rendered.set(name, document);
    return document;
  }

  async function render(name: string, file: string): Promise<Document> {
    const { renderDocument } = await import('../../pages/docs/markdown.ts');
    const { copy, copied } = englishFrame(context).messages.admin;
    const base = new URL(file, root);
    return renderDocument(readFileSync(base, 'utf8'), {
      linkTo: (href) => servedAt(files, name, base, href),
      copy,
      copied,
    });
  }

  app.get<{ Params: { '*': string } }>('/docs/*', async (request, reply) => {
    const name = request.params['*'];
    const image = /^images\/([a-z-]+)\.(svg|png)$/.exec(name);
    if (image !== null && existsSync(new URL(name, folder))) {
      return reply
        .header('Content-Type', imageTypes[image[2] ?? ''])
        .header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        .header('Cache-Control', 'public, max-age=3600')
        .send(readFileSync(new URL(name, folder)));
    }
    return send(name, reply);
  });
  app.get('/docs', (_request, reply) => send('', reply));

  async function send(name: string, reply: Parameters<typeof sendPage>[0]) {
    const file = files.get(name);
    if (file === undefined) return reply.callNotFound();
    const { title, body } = await documentAt(name, file);
    const frame = englishFrame(context);
    const sections = Object.entries(frame.messages.docs.chapters).map(([chapter, label]) => ({
      path: pathOf(chapter),
      title: label,
      here: chapter === name || (chapter !== '' && name.startsWith(`${chapter}/`)),
    }));
    return sendPage(reply, 200, docsPage(frame, { title, body, sections }));
  }
}

/** The file of each document, by the name under which it's served: `clients/fetch`, and `clients` for its README. */
function findFiles(): ReadonlyMap<string, string> {
  const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md'))
    .map((name): [string, string] => [name.replace(/\.md$/, '').replace(/(^|\/)README$/, ''), `docs/${name}`]);
  const outside = Object.entries(outsideDocs).filter(([, file]) => existsSync(new URL(file, root)));
  return new Map([...inside, ...outside]);
}

function pathOf(name: string): string {
  return name === '' ? '/docs' : `/docs/${name}`;
}

/** Where a link of a document leads; undefined when its target isn't served, such as a source file. */
function servedAt(files: ReadonlyMap<string, string>, name: string, base: URL, href: string): string | undefined {
  if (/^[a-z]+:/.test(href)) return href;
  if (href.startsWith('#')) return `${pathOf(name)}${href}`;
  const target = new URL(href, base);
  const file = target.pathname.slice(root.pathname.length);
  for (const [served, candidate] of files) if (candidate === file) return `${pathOf(served)}${target.hash}`;
  return file.startsWith('docs/images/') ? `/${file}` : undefined;
}
