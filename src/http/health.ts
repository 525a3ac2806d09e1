// Health checks: /healthz says that the process runs, /readyz that it takes requests and can read and write its store.

import type { FastifyInstance } from 'fastify';
import { findSweepPause } from '../operations/housekeeping/upkeep.ts';
import { readinessCheck } from '../operations/readiness.ts';
import type { HttpContext } from './context.ts';
import { retryAfterSeconds } from './oauth/responses.ts';
import { requestIdsOf } from './observing/traces.ts';

export function healthRoutes(app: FastifyInstance, context: HttpContext): void {
  app.get('/healthz', (_request, reply) => reply.header('Cache-Control', 'no-store').send({ status: 'ok' }));

  const checkReadiness = readinessCheck(context.services, context.instanceId);
  app.get('/readyz', async (request, reply) => {
    reply.header('Cache-Control', 'no-store');
    const { phase } = context.lifecycle;
    if (phase !== 'serving') {
      return reply.code(503).header('Retry-After', retryAfterSeconds.SERVER_BUSY).send({ status: phase });
    }
    const readiness = await checkReadiness();
    if (readiness.kind === 'ready') {
      // Requests are served as usual: this is for monitoring, not for load balancers.
      const paused = (await findSweepPause(context.services)) !== undefined;
      const { events } = readiness;
      return reply.send({
        status: 'ready',
        ...(paused && { sweep: 'paused' }),
        ...(events !== 'ready' && { events }),
      });
    }
    const { reason, error } = readiness;
    // A probe every second would fill the log during an outage, which is logged once (cli/service/outages.ts).
    request.log.debug({ ...requestIdsOf(request), reason, err: error }, 'not ready');
    return reply.code(503).header('Retry-After', retryAfterSeconds.SERVER_BUSY).send({ status: 'not ready', reason });
  });
}
