// Uploading and removing the picture on the profile page, and the public URL that clients get for it.

import type { FastifyInstance } from 'fastify';
import { changePicture, findPicture } from '../../operations/account/profile.ts';
import { pictureLimits } from '../../protocol/reading/image.ts';
import type { HttpContext } from '../context.ts';
import { redirect } from '../send-page.ts';
import { accountPages } from './account-pages.ts';
import { profilePath, sendProfile } from './profile-routes.ts';

export function pictureRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = accountPages(app, context, profilePath);

  pages.upload(
    '/account/picture',
    pictureLimits.bytes,
    async (upload) => {
      const { pictureProblems } = upload.frame.messages.account.profile;
      const remove = upload.field('remove') === 'yes';
      const bytes = remove ? undefined : await upload.file('picture');
      if (!remove && bytes === undefined)
        return sendProfile(upload, 400, { problems: { picture: pictureProblems.none } });
      const outcome = await changePicture(services, upload.signedIn, bytes, upload.requester);
      if (outcome === 'changed') return redirect(upload.reply, 303, `${profilePath}?done=picture`);
      return sendProfile(upload, 400, { problems: { picture: pictureProblems[outcome] } });
    },
    (page) =>
      sendProfile(page, 413, { problems: { picture: page.frame.messages.account.profile.pictureProblems.too_large } }),
  );

  app.get<{ Params: { userId: string; version: string } }>('/pictures/:userId/:version', async (request, reply) => {
    const picture = await findPicture(services, request.params.userId, request.params.version);
    if (picture === undefined) return reply.callNotFound();
    return reply
      .header('Content-Type', picture.contentType)
      .header('Content-Disposition', 'inline')
      .header('Content-Security-Policy', "default-src 'none'; sandbox")
      .header('Cross-Origin-Resource-Policy', 'cross-origin')
      .header('Cache-Control', 'public, max-age=31536000, immutable')
      .send(picture.bytes);
  });
}
