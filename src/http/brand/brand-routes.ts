// Serves the images of the brand, sandboxed like the logos of clients, the stylesheet with the colours of its
// accent, and the favicon that is drawn from its name.

import type { FastifyInstance } from 'fastify';
import { BrandImageFinder } from '../../operations/recent-images.ts';
import { stylesheetAt } from '../../protocol/brand/accent.ts';
import { monogramAt } from '../../protocol/brand/monogram.ts';
import type { HttpContext } from '../context.ts';
import { sendImage } from '../logos.ts';

const immutable = 'public, max-age=31536000, immutable';

export function brandRoutes(app: FastifyInstance, context: HttpContext): void {
  const images = new BrandImageFinder(context.services);

  app.get<{ Params: { name: string; version: string } }>('/brand/:name/:version', async (request, reply) => {
    const image = await images.find(request.params.name, request.params.version);
    return image === undefined ? reply.callNotFound() : sendImage(reply, image);
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
