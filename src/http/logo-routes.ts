// Logos, from the service's own origin, as nothing but the image that they are.

import type { FastifyInstance } from 'fastify';
import type { HttpContext } from './context.ts';

export function logoUrl(client: { id: string; logoVersion: string | null }): string | undefined {
  return client.logoVersion === null ? undefined : `/logos/${client.id}/${client.logoVersion}`;
}

export function logoRoutes(app: FastifyInstance, context: HttpContext): void {
  app.get<{ Params: { clientId: string; version: string } }>('/logos/:clientId/:version', async (request, reply) => {
    const logo = await context.services.storage.findLogo(request.params.clientId);
    if (logo === undefined || logo.version !== request.params.version) return reply.callNotFound();
    return reply
      .header('Content-Type', logo.contentType)
      .header('Content-Disposition', 'inline')
      .header('Content-Security-Policy', "default-src 'none'; sandbox")
      .header('Cache-Control', 'public, max-age=31536000, immutable')
      .send(Buffer.from(logo.bytes));
  });
}
