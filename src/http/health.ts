// Health checks: /healthz says that the process runs, /readyz that it reaches its storage.

import type { FastifyInstance } from 'fastify';
import { findSweepPause } from '../operations/journal/sweep.ts';
import type { HttpContext } from './context.ts';
import { retryAfterSeconds } from './oauth/responses.ts';

export function healthRoutes(app: FastifyInstance, context: HttpContext): void {
  app.get('/healthz', (_request, reply) => reply.header('Cache-Control', 'no-store').send({ status: 'ok' }));

  app.get('/readyz', async (request, reply) => {
    reply.header('Cache-Control', 'no-store');
    try {
      await context.services.storage.ping();
      // Requests are served as usual: this is for whoever watches, not for whoever balances load.
      const paused = (await findSweepPause(context.services)) !== undefined;
      return reply.send({ status: 'ready', ...(paused && { sweep: 'paused' }) });
    } catch (error) {
      request.log.warn({ reqId: request.id, err: error }, 'the store does not answer');
      return reply
        .code(503)
        .header('Retry-After', retryAfterSeconds.SERVER_BUSY)
        .send({ status: 'the store does not answer' });
    }
  });
}
