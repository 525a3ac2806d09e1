// Downloads of a list in the console, with the same filter as the page that shows it.

import type { FastifyInstance } from 'fastify';
import type { DownloadFormat, DownloadRequest, ListDownload } from '../../operations/admin/downloads/list-download.ts';
import type { AdminOutcome } from '../../operations/admin/outcome.ts';
import type { HttpContext } from '../context.ts';
import { type DownloadedList, downloadRetryAfter, downloadTypes, sendDownload } from '../downloads/downloads.ts';
import { sendErrorPage } from '../send-page.ts';
import { type ConsoleRequest, consolePages } from './console-pages.ts';

const formats: readonly DownloadFormat[] = ['csv', 'jsonl'];

/** `begin` is undefined for a filter that can't be understood. */
export function downloadRoutes<Item>(
  app: FastifyInstance,
  context: HttpContext,
  path: string,
  list: DownloadedList<Item>,
  begin: (page: ConsoleRequest, request: DownloadRequest) => Promise<AdminOutcome<ListDownload<Item>> | undefined>,
): void {
  const pages = consolePages(app, context);
  for (const format of formats) {
    pages.get(`${path}.${format}`, async (page) => {
      const { request, reply, origin } = page;
      if (request.method === 'HEAD') return reply.header('Content-Type', downloadTypes[format]).send();
      const outcome = await begin(page, { format, caller: page.signedIn.user.id, origin });
      if (outcome?.kind === 'done') return sendDownload(reply, format, list, outcome);
      if (outcome?.reason !== 'busy') return sendErrorPage(context, request, reply, 400, 'badRequest');
      reply.header('Retry-After', downloadRetryAfter);
      return sendErrorPage(context, request, reply, 429, 'tooManyDownloads');
    });
  }
}
