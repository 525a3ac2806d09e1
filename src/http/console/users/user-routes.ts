// The console's pages about people: the list, one person, and every change to them. Creating and editing one is in
// person-form-routes.ts, inviting in invitation-routes.ts.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { type AdminOutcome, refusalSentence } from '../../../operations/admin/outcome.ts';
import { downloadUsers } from '../../../operations/downloads/list-download.ts';
import type { Services } from '../../../operations/services.ts';
import { listUpstreams } from '../../../operations/upstreams/upstreams.ts';
import {
  deleteUser,
  disableUser,
  enableUser,
  endSessions,
  makeAdministrator,
  removeAdministrator,
  verifyEmail,
} from '../../../operations/users/disable-user.ts';
import { listIdentities, revokeIdentities } from '../../../operations/users/identities.ts';
import { makeRecoveryLink, removeSecondFactors, sendReset } from '../../../operations/users/user-recovery.ts';
import { findUser, listUsers, userDetails } from '../../../operations/users/users.ts';
import { confirmPage, shareLinkPage } from '../../../pages/console/console-layout.ts';
import { userPage } from '../../../pages/console/users/user.ts';
import { usersPage } from '../../../pages/console/users/user-list.ts';
import { personSegment } from '../../../pages/layout/person-path.ts';
import type { Requester } from '../../../protocol/event.ts';
import type { HttpContext } from '../../context.ts';
import { peopleDownload } from '../../downloads/lists.ts';
import { redirect, sendErrorPage } from '../../send-page.ts';
import { type ConsoleRequest, consolePages } from '../console-pages.ts';
import { downloadRoutes } from '../download-routes.ts';
import { emptyList, listRequestIn, placeOf } from '../list-requests.ts';
import { shownIdentity } from '../upstreams/upstream-pages.ts';
import { consoleInvitationRoutes } from './invitation-routes.ts';
import { userFormRoutes } from './user-form-routes.ts';

const list = '/admin/people';
const pathOf = (id: string) => `${list}/${personSegment(id)}`;

type Change = (services: Services, user: { id: string }, requester: Requester) => Promise<AdminOutcome<object>>;

/** What each button does, by the last part of its path, and the notice that follows. */
const changes: Record<string, { operation: Change; done: string; powerful?: true }> = {
  disable: { operation: disableUser, done: 'disabled', powerful: true },
  enable: { operation: enableUser, done: 'enabled' },
  'make-administrator': { operation: makeAdministrator, done: 'made-administrator', powerful: true },
  'remove-administrator': { operation: removeAdministrator, done: 'administrator-removed', powerful: true },
  'send-reset': { operation: sendReset, done: 'reset-sent' },
  'end-sessions': { operation: endSessions, done: 'sessions-ended' },
  'verify-email': { operation: verifyEmail, done: 'email-verified', powerful: true },
  'remove-second-factors': { operation: removeSecondFactors, done: 'factors-removed', powerful: true },
};

export function consoleUserRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context);

  userFormRoutes(app, context);
  consoleInvitationRoutes(app, context);
  pages.get(list, sendUsers);

  downloadRoutes(app, context, 'people', peopleDownload, ({ query }, request) =>
    downloadUsers(services, listRequestIn(query), request),
  );

  pages.get(`${list}/:id`, (page) => sendUser(page, 200, undefined));

  for (const [name, { operation, done, powerful }] of Object.entries(changes)) {
    pages[powerful ? 'powerful' : 'post'](`${list}/:id/${name}`, async (form) => {
      const outcome = await operation(services, { id: form.id }, form.requester);
      if (outcome.kind === 'refused') return sendUser(form, 400, refusalSentence(outcome));
      return redirect(form.reply, 303, `${pathOf(form.id)}?done=${done}`);
    });
  }

  pages.powerful(`${list}/:id/recovery-link`, async (form) => {
    const outcome = await makeRecoveryLink(services, { id: form.id }, form.requester);
    if (outcome.kind === 'refused') return sendUser(form, 400, refusalSentence(outcome));
    const { url, expiresAt } = outcome;
    return form.send(200, shareLinkPage(form.frame, { url, until: expiresAt, back: pathOf(form.id) }));
  });

  pages.powerful(`${list}/:id/unlink`, async (form) => {
    const which = { upstream: form.field('upstream'), subject: form.field('subject') };
    const outcome = await revokeIdentities(services, { id: form.id }, which, form.requester);
    if (outcome.kind === 'refused') return sendUser(form, 400, refusalSentence(outcome));
    return redirect(form.reply, 303, `${pathOf(form.id)}?done=identity-unlinked`);
  });

  pages.get(`${list}/:id/delete`, async (page) => {
    const found = await findUser(services, { id: page.id });
    if (found.kind !== 'done') return sendErrorPage(context, page.request, page.reply, 404, 'notFound');
    const { user } = found;
    const m = page.frame.messages.admin.people;
    const body = confirmPage(page.frame, {
      section: 'people',
      title: m.deleteTitle(user.name),
      text: m.deleteText,
      action: `${pathOf(user.id)}/delete`,
      button: m.deleteConfirm,
      back: pathOf(user.id),
    });
    return page.send(200, body);
  });

  pages.powerful(`${list}/:id/delete`, async (form) => {
    const outcome = await deleteUser(services, { id: form.id }, form.requester);
    if (outcome.kind === 'refused') return sendUser(form, 400, refusalSentence(outcome));
    return redirect(form.reply, 303, `${list}?done=person-deleted`);
  });

  async function sendUsers(page: ConsoleRequest): Promise<FastifyReply> {
    const request = listRequestIn(page.query);
    const outcome = await listUsers(services, request);
    const listed = outcome.kind === 'done' ? outcome : emptyList;
    const body = usersPage(page.frame, {
      search: request.search,
      sort: request.sort || '-created',
      place: placeOf(listed),
      users: listed.items.map(({ id, name, email, adminSince, disabledAt, ...rest }) => ({
        id,
        name,
        email,
        administrator: adminSince !== null,
        disabled: disabledAt !== null,
        hasSecondFactor: rest.hasSecondFactor,
        lastSignInAt: rest.lastSignInAt,
        createdAt: rest.createdAt,
      })),
      now: services.clock.now(),
      notice: page.notice,
      problem: outcome.kind === 'done' ? undefined : refusalSentence(outcome),
    });
    return page.send(outcome.kind === 'done' ? 200 : 400, body);
  }

  async function sendUser(page: ConsoleRequest, status: number, problem: string | undefined): Promise<FastifyReply> {
    const found = await userDetails(services, { id: page.id });
    if (found.kind === 'refused') return sendErrorPage(context, page.request, page.reply, 404, 'notFound');
    const { user, sessions, apps, signIn, lastSignInAt } = found;
    const [identities, upstreams] = await Promise.all([listIdentities(services, user), listUpstreams(services)]);
    const body = userPage(page.frame, {
      id: user.id,
      name: user.name,
      email: user.email,
      createdAt: user.createdAt,
      breachedSince: user.breachedSince,
      picture: user.picture,
      emailVerified: user.emailVerifiedAt !== null,
      isYou: user.id === page.signedIn.user.id,
      administrator: user.adminSince !== null,
      disabled: user.disabledAt !== null,
      authenticator: signIn.authenticator !== undefined,
      passkeys: signIn.passkeys.length,
      pausedFactors: signIn.suspended.filter(({ kind }) => kind !== 'recovery_codes').length,
      apps: apps.map(({ client, grantedAt }) => ({ id: client.id, name: client.name, grantedAt })),
      sessions,
      identities: identities.length + upstreams.length === 0 ? undefined : identities.map(shownIdentity),
      canSendEmail: services.emailQueue.works,
      submissionToken: page.submissionToken,
      lastSignInAt,
      now: services.clock.now(),
      notice: status === 200 ? page.notice : undefined,
      problem,
    });
    return page.send(status, body);
  }
}
