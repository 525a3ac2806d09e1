// Serves the icons of upstreams, sandboxed like the logos of clients.

import type { FastifyInstance } from 'fastify';
import { UpstreamIcons } from '../../operations/upstreams/upstream-icons.ts';
import type { AppIdentity } from '../../pages/layout/identity.ts';
import type { Upstream } from '../../storage/storage.ts';
import type { HttpContext } from '../context.ts';
import { sendImage } from '../logos.ts';

/** How pages show an upstream: by its label and its icon. */
export function upstreamIdentity({ name, label, iconVersion }: Upstream): AppIdentity {
  return { name: label, logoUrl: iconVersion === null ? undefined : `/upstream-icons/${name}/${iconVersion}` };
}

export function upstreamIconRoutes(app: FastifyInstance, context: HttpContext): void {
  const icons = new UpstreamIcons(context.services);

  app.get<{ Params: { name: string; version: string } }>('/upstream-icons/:name/:version', async (request, reply) => {
    const icon = await icons.find(request.params.name, request.params.version);
    return icon === undefined ? reply.callNotFound() : sendImage(reply, icon);
  });
}
