// Serves the documentation of this version under /docs: the files of docs/, the few next to it that they link to, and
// a search in all of them.

import { existsSync, readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { docsPage, docsSearchPage } from '../../pages/docs/docs.ts';
import { docsFolder } from '../../platform/client-guides.ts';
import type { HttpContext } from '../context.ts';
import { queryOf } from '../requests.ts';
import { englishFrame, sendPage } from '../send-page.ts';
import { library } from './library.ts';

const imageTypes: Readonly<Record<string, string>> = { svg: 'image/svg+xml', png: 'image/png' };
/** What the page repeats of a query; the search itself takes even less. */
const longestShownQuery = 200;

export function docsRoutes(app: FastifyInstance, context: HttpContext): void {
  if (context.docs === 'off') return;
  app.get('/docs', (_request, reply) => send('', reply));

  app.get('/docs/search', async (request, reply) => {
    const query = (queryOf(request).get('q') ?? '').slice(0, longestShownQuery).trim();
    const found = query === '' ? { results: [], more: false } : (await library.searchIndex()).search(query);
    const page = docsSearchPage(englishFrame(context), { navigation: await library.navigation(), query, ...found });
    return sendPage(reply, 200, page);
  });

  app.get<{ Params: { '*': string } }>('/docs/*', async (request, reply) => {
    const name = request.params['*'];
    const image = /^images\/([a-z-]+)\.(svg|png)$/.exec(name);
    if (image !== null && existsSync(new URL(name, docsFolder))) {
      return reply
        .header('Content-Type', imageTypes[image[2] ?? ''])
        .header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        .header('Cache-Control', 'public, max-age=3600')
        .send(readFileSync(new URL(name, docsFolder)));
    }
    return send(name, reply);
  });

  async function send(name: string, reply: FastifyReply) {
    const document = await library.documentAt(name);
    if (document === undefined) return reply.callNotFound();
    const page = docsPage(englishFrame(context), { navigation: await library.navigation(), name, document });
    return sendPage(reply, 200, page);
  }
}
