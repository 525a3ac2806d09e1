// Serves the logos of clients, the icons of upstreams, the images of the brand, and people's pictures, whose public URL clients
// get, from the service's own origin, sandboxed so that a browser treats them as images only; and what is made from the brand: a stylesheet, and a favicon.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { findPicture } from '../operations/account/profile.ts';
import { brandImages, clientLogos, upstreamIcons } from '../operations/recent-images.ts';
import type { AppIdentity } from '../pages/layout/identity.ts';
import { stylesheetAt } from '../protocol/brand/accent.ts';
import { monogramAt } from '../protocol/brand/monogram.ts';
import { linksOf } from '../protocol/resources/client.ts';
import type { Client, Logo, Upstream } from '../storage/storage.ts';
import type { HttpContext } from './context.ts';

const immutable = 'public, max-age=31536000, immutable';

/** How pages show a client: by its name and its logo. */
export function appIdentity(client: Client): AppIdentity {
  const logoUrl = client.logoVersion === null ? undefined : `/logos/${client.id}/${client.logoVersion}`;
  return { name: client.name, logoUrl, links: linksOf(client), contactEmail: client.contactEmail };
}

/** How pages show an upstream: by its label and its icon. */
export function upstreamIdentity({ name, label, iconVersion }: Upstream): AppIdentity {
  return { name: label, logoUrl: iconVersion === null ? undefined : `/upstream-icons/${name}/${iconVersion}` };
}

export function imageRoutes(app: FastifyInstance, { services }: HttpContext): void {
  for (const [path, find] of [
    ['/logos/:clientId/:version', clientLogos(services)],
    ['/upstream-icons/:name/:version', upstreamIcons(services)],
    ['/brand/:name/:version', brandImages(services)],
  ] as const) {
    app.get<{ Params: Record<string, string> }>(path, async (request, reply) => {
      const [name = '', version = ''] = Object.values(request.params);
      const image = await find(name, version);
      return image === undefined ? reply.callNotFound() : sendImage(reply, image);
    });
  }

  app.get<{ Params: { userId: string; version: string } }>('/pictures/:userId/:version', async (request, reply) => {
    const picture = await findPicture(services, request.params.userId, request.params.version);
    if (picture === undefined) return reply.callNotFound();
    return sendImage(reply.header('Cross-Origin-Resource-Policy', 'cross-origin'), picture);
  });

  app.get<{ Params: { file: string } }>('/brand.:file', (request, reply) => {
    const path = `/brand.${request.params.file}`;
    const stylesheet = stylesheetAt(path);
    const content = stylesheet ?? monogramAt(path);
    if (content === undefined) return reply.callNotFound();
    return reply
      .header('Content-Type', stylesheet === undefined ? 'image/svg+xml' : 'text/css; charset=utf-8')
      .header('Content-Security-Policy', "default-src 'none'")
      .header('Cache-Control', immutable)
      .send(content);
  });
}

/** An image at a URL that names its version. */
function sendImage(reply: FastifyReply, { contentType, bytes }: Logo): FastifyReply {
  return reply
    .header('Content-Type', contentType)
    .header('Content-Disposition', 'inline')
    .header('Content-Security-Policy', "default-src 'none'; sandbox")
    .header('Cache-Control', immutable)
    .send(bytes);
}
