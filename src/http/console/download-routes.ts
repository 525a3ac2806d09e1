// Downloads of a list in the console, with the same filter as the page that shows it.

import type { FastifyInstance } from 'fastify';
import { type AdminOutcome, refusalSentence } from '../../operations/admin/outcome.ts';
import type { DownloadFormat, DownloadRequest, ListDownload } from '../../operations/downloads/list-download.ts';
import { listUrl, refusedDownloadPage } from '../../pages/console/lists.ts';
import type { Right } from '../../protocol/admin/rights.ts';
import type { HttpContext } from '../context.ts';
import { type DownloadedList, downloadRetryAfter, downloadTypes, sendDownload } from '../downloads/downloads.ts';
import { type ConsoleRequest, consolePages } from './console-pages.ts';

const formats: readonly DownloadFormat[] = ['csv', 'jsonl'];

/** A filter that can't be understood, and what its list says about it. */
export interface InvalidFilter {
  readonly kind: 'invalid_filter';
  readonly sentence: string;
}

/** A list that can be downloaded. */
interface Place {
  readonly section: 'people' | 'events' | 'applications' | 'groups' | 'reviews';
  /** Where it is. */
  readonly path: string;
  /** Where its files are, if they aren't called like it. */
  readonly files?: string;
  /** What it needs, if that isn't what its section needs. */
  readonly right?: Right;
}

export function downloadRoutes<Item>(
  app: FastifyInstance,
  context: HttpContext,
  { section, path, files = path, right }: Place,
  list: () => Promise<DownloadedList<Item>>,
  begin: (page: ConsoleRequest, request: DownloadRequest) => Promise<AdminOutcome<ListDownload<Item>> | InvalidFilter>,
): void {
  const ofSection = consolePages(app, context, section);
  const pages = right === undefined ? ofSection : ofSection.needing(right);
  for (const format of formats) {
    pages.get(`${files}.${format}`, async (page) => {
      const { request, reply, requester } = page;
      if (request.method === 'HEAD') return reply.header('Content-Type', downloadTypes[format]).send();
      const outcome = await begin(page, { format, caller: page.signedIn.user.id, requester });
      if (outcome.kind === 'done') return sendDownload(reply, format, await list(), outcome);
      if (outcome.kind === 'refused' && outcome.reason === 'busy') {
        reply.header('Retry-After', downloadRetryAfter);
        return page.visit.sendErrorPage(429, 'tooManyDownloads');
      }
      const problem = outcome.kind === 'refused' ? refusalSentence(outcome) : outcome.sentence;
      const back = listUrl(page.own(path), Object.fromEntries(page.query));
      return page.send(400, refusedDownloadPage(page.frame, { section, back, problem }));
    });
  }
}
