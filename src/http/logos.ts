// Serves the logos of clients from the service's own origin, sandboxed so that a browser treats them as images only.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { ClientLogos } from '../operations/clients/client-logos.ts';
import type { AppIdentity } from '../pages/layout/identity.ts';
import { linksOf } from '../protocol/oauth/client-links.ts';
import type { Client, Logo } from '../storage/storage.ts';
import type { HttpContext } from './context.ts';

/** How pages show a client: by its name and its logo. */
export function appIdentity(client: Client): AppIdentity {
  const logoUrl = client.logoVersion === null ? undefined : `/logos/${client.id}/${client.logoVersion}`;
  return { name: client.name, logoUrl, links: linksOf(client), contactEmail: client.contactEmail };
}

export function logoRoutes(app: FastifyInstance, context: HttpContext): void {
  const logos = new ClientLogos(context.services);

  app.get<{ Params: { clientId: string; version: string } }>('/logos/:clientId/:version', async (request, reply) => {
    const logo = await logos.find(request.params.clientId, request.params.version);
    return logo === undefined ? reply.callNotFound() : sendImage(reply, logo);
  });
}

/** An image at a URL that names its version. */
export function sendImage(reply: FastifyReply, { contentType, bytes }: Logo): FastifyReply {
  return reply
    .header('Content-Type', contentType)
    .header('Content-Disposition', 'inline')
    .header('Content-Security-Policy', "default-src 'none'; sandbox")
    .header('Cache-Control', 'public, max-age=31536000, immutable')
    .send(bytes);
}
