// The signed-in person's own pages but for security: profile, address, devices, applications, activity, data.

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  activity,
  activityLength,
  changePicture,
  changeProfile,
  confirmEmailChange,
  deleteAccount,
  endOtherSessions,
  endOwnSession,
  ownData,
  ownSessions,
  requestEmailChange,
} from '../../operations/account/account.ts';
import { connectedApps, removeApp } from '../../operations/account/connected-apps.ts';
import { findLink } from '../../operations/mail/links.ts';
import { activityPage } from '../../pages/account/activity.ts';
import { changeEmailPage, confirmEmailPage, emailChangedPage } from '../../pages/account/change-email.ts';
import { connectedAppsPage } from '../../pages/account/connected-apps.ts';
import { accountDeletedPage, ownDataPage } from '../../pages/account/own-data.ts';
import { type ProfilePage, profilePage } from '../../pages/account/profile.ts';
import { sessionsPage } from '../../pages/account/sessions.ts';
import { emailSentPage, linkExpiredPage } from '../../pages/sign-in/sign-up.ts';
import { pictureLimits } from '../../protocol/reading/image.ts';
import type { HttpContext } from '../context.ts';
import { clearSessionCookie, readCookie } from '../cookies.ts';
import { failureOf, sendFailure } from '../failures.ts';
import { bodyOf, comesFromHere, isFormToken, receiveForm } from '../forms.ts';
import { appIdentity } from '../oauth/authorization-page.ts';
import { originOf } from '../origin.ts';
import { frameOf, redirect, sendErrorPage, sendPage } from '../send-page.ts';
import { linkIn } from '../sign-in/sign-up-routes.ts';
import { readUpload } from '../uploads.ts';
import { type AccountRequest, accountPages } from './account-pages.ts';
import { noticeOf, refusalOf } from './notices.ts';

const appNotices: Readonly<Record<string, 'removed' | 'notConnected'>> = { yes: 'removed', no: 'notConnected' };
/** Room for the picture and for what a form puts around it. */
const uploadLimit = pictureLimits.bytes + 8 * 1024;

export function accountRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { page, form, open } = accountPages(app, context);

  page('/account', (own) => sendProfile(own, 200, {}));

  form('/account', '/account', async (own) => {
    const { fields, frame, reply } = own;
    const input = {
      name: fields.get('name') ?? '',
      givenName: fields.get('given_name') ?? '',
      familyName: fields.get('family_name') ?? '',
      locale: fields.get('locale') ?? '',
    };
    const outcome = await changeProfile(services, own.signedIn, input, originOf(own.request));
    if (outcome === 'changed') return redirect(reply, 303, '/account?done=profile');
    const m = frame.messages.account;
    const problem = outcome === 'invalid_name' ? m.invalidName : m.profile.invalidLocale;
    return sendProfile(own, 400, { profile: input, problem });
  });

  // A file that is far too large is refused while it arrives, and in the same words.
  const uploadErrors = async (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const own = error.statusCode === 413 ? await open(request, reply) : undefined;
    if (own === undefined) return sendFailure(context, request, reply, failureOf(error, request.log, request.id));
    return sendProfile(own, 413, { problem: own.frame.messages.account.profile.pictureFaults.too_large });
  };

  app.post('/account/picture', { bodyLimit: uploadLimit, errorHandler: uploadErrors }, async (request, reply) => {
    if (!comesFromHere(context, request)) return sendErrorPage(context, request, reply, 403, 'foreignForm');
    const own = await open(request, reply);
    if (own === undefined) return redirect(reply, 303, '/sign-in?to=/account');
    const fields = await readUpload(request.headers['content-type'], bodyOf(request));
    if (fields === undefined) return sendErrorPage(context, request, reply, 400, 'badRequest');
    const token = fields.get('form_token');
    const session = readCookie(context, request, 'session') ?? '';
    if (typeof token !== 'string' || !isFormToken(context, session, token)) {
      return sendErrorPage(context, request, reply, 403, 'formExpired');
    }
    const { pictureFaults } = own.frame.messages.account.profile;
    const file = fields.get('picture');
    const remove = fields.get('remove') === 'yes';
    if (!remove && (file === null || typeof file === 'string' || file.size === 0)) {
      return sendProfile(own, 400, { problem: pictureFaults.none });
    }
    const bytes = remove ? undefined : new Uint8Array(await (file as File).arrayBuffer());
    const outcome = await changePicture(services, own.signedIn, bytes, originOf(request));
    if (outcome === 'changed') return redirect(reply, 303, '/account?done=picture');
    return sendProfile(own, 400, { problem: pictureFaults[outcome] });
  });

  app.get<{ Params: { userId: string; version: string } }>('/pictures/:userId/:version', async (request, reply) => {
    const picture = await services.storage.findPicture(request.params.userId, request.params.version);
    if (picture === undefined) return reply.callNotFound();
    return reply
      .header('Content-Type', picture.contentType)
      .header('Content-Disposition', 'inline')
      .header('Content-Security-Policy', "default-src 'none'; sandbox")
      .header('Cross-Origin-Resource-Policy', 'cross-origin')
      .header('Cache-Control', 'public, max-age=31536000, immutable')
      .send(picture.bytes);
  });

  page('/account/email', (own) => sendChangeEmail(own, 200, '', undefined));

  form('/account/email', '/account/email', async (own) => {
    const { fields, frame, reply } = own;
    const email = fields.get('email') ?? '';
    if (!services.emailQueue.works) return sendChangeEmail(own, 403, email, undefined);
    const input = { email, currentPassword: fields.get('current_password') ?? '' };
    const outcome = await requestEmailChange(services, own.signedIn, input, originOf(own.request));
    if (outcome.kind === 'sent') {
      const sent = { email: email.trim(), outbox: services.emailQueue.kind === 'outbox' };
      return sendPage(reply, 200, emailSentPage(frame, sent));
    }
    const m = frame.messages.account;
    if (outcome.kind === 'invalid_email') return sendChangeEmail(own, 400, email, m.invalidEmail);
    if (outcome.kind === 'same_email') return sendChangeEmail(own, 400, email, m.changeEmail.same);
    const refusal = refusalOf(own, outcome);
    return sendChangeEmail(own, refusal.status, email, refusal.problem);
  });

  // By whoever has the mail, signed in or not: looking changes nothing, the button does.
  app.get('/account/email/confirm', async (request, reply) => {
    const secret = linkIn(request);
    const link = await findLink(services, 'change_email', secret);
    const user = link?.userId == null ? undefined : await services.storage.findUser(link.userId);
    if (link === undefined || user === undefined || secret === undefined) return sendLinkExpired(reply);
    // Whose account it is stands there: a link can be sent to somebody who has nothing to do with it.
    const page = { email: link.data.email ?? '', current: user.email, link: secret };
    return sendPage(reply, 200, confirmEmailPage(frameOf(context), page));
  });

  app.post('/account/email/confirm', async (request, reply) => {
    const fields = receiveForm(context, request, reply);
    if (fields === undefined) return reply;
    const outcome = await confirmEmailChange(services, fields.get('link'), originOf(request));
    if (outcome.kind === 'link_expired') return sendLinkExpired(reply);
    return sendPage(reply, 200, emailChangedPage(frameOf(context), outcome.email));
  });

  page('/account/sessions', async (own) => {
    const sessions = await ownSessions(services, own.signedIn);
    const body = sessionsPage(own.frame, { sessions, notice: noticeOf(own), now: services.clock.now() });
    return sendPage(own.reply, 200, body);
  });

  form('/account/sessions', '/account/sessions', async ({ request, reply, signedIn, fields }) => {
    if (fields.get('end_others') === 'yes') {
      await endOtherSessions(services, signedIn, originOf(request));
      return redirect(reply, 303, '/account/sessions?done=sessions');
    }
    const ended = await endOwnSession(services, signedIn, fields.get('end') ?? '', originOf(request));
    return redirect(reply, 303, `/account/sessions?done=${ended ? 'session' : 'not-possible'}`);
  });

  page('/account/apps', async ({ request, reply, signedIn, frame }) => {
    const apps = await connectedApps(services, signedIn);
    const removed = new URLSearchParams(request.raw.url?.split('?')[1]).get('removed') ?? '';
    const body = connectedAppsPage(frame, {
      apps: apps.map((connected) => ({
        clientId: connected.client.id,
        face: appIdentity(connected.client),
        scopes: connected.scopes,
        grantedAt: connected.grantedAt,
        lastUsedAt: connected.lastUsedAt,
      })),
      notice: appNotices[removed],
      now: services.clock.now(),
    });
    return sendPage(reply, 200, body);
  });

  form('/account/apps', '/account/apps', async ({ request, reply, signedIn, fields }) => {
    const clientId = fields.get('remove');
    if (clientId === undefined) return sendErrorPage(context, request, reply, 400, 'badRequest');
    const removed = await removeApp(services, signedIn, clientId, originOf(request));
    return redirect(reply, 303, `/account/apps?removed=${removed ? 'yes' : 'no'}`);
  });

  page('/account/activity', async ({ request, reply, signedIn, frame }) => {
    const before = new URLSearchParams(request.raw.url?.split('?')[1]).get('before') ?? '';
    const events = await activity(services, signedIn, /^[0-9a-z]{26}$/.test(before) ? before : undefined);
    const older = events.length === activityLength ? events.at(-1)?.id : undefined;
    const ids = [...new Set(events.flatMap(({ clientId }) => clientId ?? []))];
    const clients = await Promise.all(ids.map((id) => services.storage.findClient(id)));
    const apps = new Map(clients.flatMap((client) => (client === undefined ? [] : [[client.id, client.name]])));
    return sendPage(reply, 200, activityPage(frame, { events, apps, older }));
  });

  page('/account/data', ({ reply, frame }) => sendPage(reply, 200, ownDataPage(frame, undefined)));

  page('/account/data.json', async ({ request, reply, signedIn }) =>
    reply
      .header('Content-Type', 'application/json; charset=utf-8')
      .header('Content-Disposition', 'attachment; filename="latchkey-account.json"')
      .header('Cache-Control', 'no-store')
      .send(JSON.stringify(await ownData(services, signedIn, originOf(request)), null, 2)),
  );

  form('/account/delete', '/account/data', async (own) => {
    const { request, reply, signedIn, frame, fields } = own;
    const password = fields.get('current_password') ?? '';
    const outcome = await deleteAccount(services, signedIn, password, originOf(request));
    if (outcome.kind === 'deleted') {
      clearSessionCookie(context, reply);
      return sendPage(reply, 200, accountDeletedPage(frameOf(context)));
    }
    const { lastAdministrator } = frame.messages.account.data;
    const refusal =
      outcome.kind === 'last_administrator' ? { status: 409, problem: lastAdministrator } : refusalOf(own, outcome);
    return sendPage(reply, refusal.status, ownDataPage(frame, refusal.problem));
  });

  function sendProfile(own: AccountRequest, status: number, attempt: Partial<ProfilePage>): FastifyReply {
    const { user } = own.signedIn;
    const body = profilePage(own.frame, {
      profile: {
        name: user.name,
        givenName: user.givenName ?? '',
        familyName: user.familyName ?? '',
        locale: user.locale ?? '',
      },
      picture: user.picture ?? undefined,
      email: user.email,
      emailVerified: user.emailVerifiedAt !== null,
      notice: status === 200 ? noticeOf(own) : undefined,
      problem: undefined,
      ...attempt,
    });
    return sendPage(own.reply, status, body);
  }

  function sendChangeEmail(
    own: AccountRequest,
    status: number,
    newEmail: string,
    problem: string | undefined,
  ): FastifyReply {
    const { email } = own.signedIn.user;
    const body = changeEmailPage(own.frame, { email, newEmail, available: services.emailQueue.works, problem });
    return sendPage(own.reply, status, body);
  }

  function sendLinkExpired(reply: FastifyReply): FastifyReply {
    return sendPage(reply, 410, linkExpiredPage(frameOf(context), '/account/email'));
  }
}
