// Health checks: /healthz says that the process runs, /readyz that it takes requests and reaches its storage.

import type { FastifyInstance } from 'fastify';
import type { HttpContext } from './context.ts';
import { failureOf } from './failures.ts';
import { retryAfterSeconds } from './oauth/responses.ts';

export function healthRoutes(app: FastifyInstance, context: HttpContext): void {
  app.get('/healthz', (_request, reply) => reply.header('Cache-Control', 'no-store').send({ status: 'ok' }));

  app.get('/readyz', async (request, reply) => {
    reply.header('Cache-Control', 'no-store');
    const { phase } = context.lifecycle;
    if (phase !== 'serving') {
      return reply.code(503).header('Retry-After', retryAfterSeconds.SERVER_BUSY).send({ status: phase });
    }
    try {
      await context.services.storage.ping();
      return reply.send({ status: 'ready' });
    } catch (error) {
      failureOf(error as Error, request.log, request.id);
      return reply
        .code(503)
        .header('Retry-After', retryAfterSeconds.SERVER_BUSY)
        .send({ status: 'the store does not answer' });
    }
  });
}
