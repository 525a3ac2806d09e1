// Logos, from the service's own origin, as nothing but the image that they are.

import type { FastifyInstance } from 'fastify';
import type { Logo } from '../storage/storage.ts';
import type { HttpContext } from './context.ts';

/** So many logos are kept in memory: answers that wait in slow connections share one copy. */
const cacheSize = 64;

export function logoUrl(client: { id: string; logoVersion: string | null }): string | undefined {
  return client.logoVersion === null ? undefined : `/logos/${client.id}/${client.logoVersion}`;
}

export function logoRoutes(app: FastifyInstance, context: HttpContext): void {
  const { storage } = context.services;
  const cache = new Map<string, Promise<Logo | undefined>>();

  function find(clientId: string, version: string): Promise<Logo | undefined> {
    const name = `${clientId}/${version}`;
    const known = cache.get(name);
    if (known !== undefined) return known;
    const found = storage.findLogo(clientId, version);
    if (cache.size >= cacheSize) cache.delete(cache.keys().next().value ?? '');
    cache.set(name, found);
    found.catch(() => cache.delete(name));
    return found;
  }

  app.get<{ Params: { clientId: string; version: string } }>('/logos/:clientId/:version', async (request, reply) => {
    const { clientId, version } = request.params;
    const client = await storage.findClient(clientId);
    const logo = client?.logoVersion === version ? await find(clientId, version) : undefined;
    if (logo === undefined) return reply.callNotFound();
    return reply
      .header('Content-Type', logo.contentType)
      .header('Content-Disposition', 'inline')
      .header('Content-Security-Policy', "default-src 'none'; sandbox")
      .header('Cache-Control', 'public, max-age=31536000, immutable')
      .send(logo.bytes);
  });
}
