// The page on which a user downloads everything that is stored about them, or deletes their account.

import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { downloadOwnData } from '../../operations/account/data-download.ts';
import { deleteAccount } from '../../operations/account/delete-account.ts';
import { accountDeletedPage, ownDataPage } from '../../pages/account/own-data.ts';
import type { HttpContext } from '../context.ts';
import { clearSessionCookie } from '../cookies.ts';
import { frameOf, sendErrorPage, sendPage } from '../send-page.ts';
import { accountPages } from './account-pages.ts';

export function dataRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = accountPages(app, context, '/account/data');

  pages.get('/account/data', ({ reply, frame }) => sendPage(reply, 200, ownDataPage(frame, undefined)));

  pages.get('/account/data.json', async ({ request, reply, signedIn, origin }) => {
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': 'attachment; filename="latchkey-account.json"',
      'Cache-Control': 'no-store',
    };
    if (request.method === 'HEAD') return reply.headers(headers).send();
    const outcome = await downloadOwnData(services, signedIn, origin);
    if (outcome.kind === 'begun') return reply.headers(headers).send(paced(outcome.pieces, outcome.end));
    reply.header('Retry-After', outcome.retryAfterSeconds);
    return sendErrorPage(context, request, reply, 429, 'tooManyDownloads');
  });

  pages.powerful('/account/delete', async ({ request, reply, signedIn, origin, frame }) => {
    const outcome = await deleteAccount(services, signedIn, origin);
    if (outcome.kind === 'deleted') {
      clearSessionCookie(context, reply);
      return sendPage(reply, 200, accountDeletedPage(frameOf(context, request, signedIn)));
    }
    return sendPage(reply, 409, ownDataPage(frame, frame.messages.account.data.lastAdministrator));
  });
}

/** Milliseconds in which the browser must take the next piece, and all of them. */
const timeForPiece = 30_000;
const timeForAll = 10 * 60_000;

/**
 * Makes the next piece when the browser has taken the one before, and lets other requests in between. Whoever takes too
 * long loses the download, so that nobody keeps others from theirs.
 */
function paced(pieces: AsyncGenerator<string, void>, end: () => void): Readable {
  const stream = Readable.from(inTurns(), { objectMode: false, highWaterMark: 16 * 1024 });
  const stalled = setTimeout(() => stream.destroy(), timeForPiece);
  const late = setTimeout(() => stream.destroy(), timeForAll);
  stream.once('close', () => {
    clearTimeout(stalled);
    clearTimeout(late);
    end();
  });
  return stream;

  async function* inTurns() {
    for await (const piece of pieces) {
      stalled.refresh();
      yield piece;
      await nextTurn();
    }
  }
}
