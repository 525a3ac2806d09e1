// The console's pages about people: the list with its invitation form, one person, and every change to them.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { type AdminOutcome, refusalSentence } from '../../operations/admin/outcome.ts';
import { inviteUser } from '../../operations/admin/people/invitations.ts';
import {
  deleteUser,
  disableUser,
  enableUser,
  endSessions,
  makeAdministrator,
  removeAdministrator,
} from '../../operations/admin/user-access.ts';
import { makeRecoveryLink, removeSecondFactors, sendReset } from '../../operations/admin/user-recovery.ts';
import { findUser, listUsers, userDetails } from '../../operations/admin/users.ts';
import type { Services } from '../../operations/services.ts';
import { confirmPage, shareLinkPage } from '../../pages/console/console-layout.ts';
import { type UsersPage, userPage, usersPage } from '../../pages/console/users.ts';
import type { Origin } from '../../protocol/event.ts';
import type { HttpContext } from '../context.ts';
import { redirect, sendErrorPage } from '../send-page.ts';
import { type ConsoleRequest, consolePages } from './console-pages.ts';

const list = '/admin/people';

/** Operations also accept an email address; the paths of these pages don't. */
const isId = (text: string) => /^[a-z0-9_-]{1,40}$/.test(text);

type Change = (services: Services, userId: string, origin: Origin) => Promise<AdminOutcome<object>>;

/** What each button does, by the last part of its path, and the notice that follows. */
const changes: Record<string, { operation: Change; done: string; powerful?: true }> = {
  disable: { operation: disableUser, done: 'disabled', powerful: true },
  enable: { operation: enableUser, done: 'enabled' },
  'make-administrator': { operation: makeAdministrator, done: 'made-administrator', powerful: true },
  'remove-administrator': { operation: removeAdministrator, done: 'administrator-removed', powerful: true },
  'send-reset': { operation: sendReset, done: 'reset-sent' },
  'end-sessions': { operation: endSessions, done: 'sessions-ended' },
  'remove-second-factors': { operation: removeSecondFactors, done: 'factors-removed', powerful: true },
};

export function consoleUserRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context);

  pages.get(list, (page) => sendUsers(page, 200, {}));

  pages.post(`${list}/invite`, async (form) => {
    const invitation = { email: form.field('email'), name: form.field('name') };
    const outcome = await inviteUser(services, invitation, form.origin);
    if (outcome.kind === 'refused') return sendUsers(form, 400, { invitation, problem: refusalSentence(outcome) });
    if (outcome.url === undefined) return redirect(form.reply, 303, `${list}?done=invited`);
    return form.send(200, shareLinkPage(form.frame, { url: outcome.url, until: outcome.expiresAt, back: list }));
  });

  pages.get(`${list}/:id`, (page) => sendUser(page, 200, undefined));

  for (const [name, { operation, done, powerful }] of Object.entries(changes)) {
    pages[powerful ? 'powerful' : 'post'](`${list}/:id/${name}`, async (form) => {
      if (!isId(form.id)) return sendErrorPage(context, form.request, form.reply, 404, 'notFound');
      const outcome = await operation(services, form.id, form.origin);
      if (outcome.kind === 'refused') return sendUser(form, 400, refusalSentence(outcome));
      return redirect(form.reply, 303, `${list}/${form.id}?done=${done}`);
    });
  }

  pages.powerful(`${list}/:id/recovery-link`, async (form) => {
    const outcome = await makeRecoveryLink(services, form.id, form.origin);
    if (outcome.kind === 'refused') return sendUser(form, 400, refusalSentence(outcome));
    const { url, expiresAt } = outcome;
    return form.send(200, shareLinkPage(form.frame, { url, until: expiresAt, back: `${list}/${form.id}` }));
  });

  pages.get(`${list}/:id/delete`, async (page) => {
    const found = isId(page.id) ? await findUser(services, page.id) : undefined;
    if (found?.kind !== 'done') return sendErrorPage(context, page.request, page.reply, 404, 'notFound');
    const { user } = found;
    const m = page.frame.messages.admin.people;
    const body = confirmPage(page.frame, {
      section: 'people',
      title: m.deleteTitle(user.name),
      text: m.deleteText,
      action: `${list}/${user.id}/delete`,
      button: m.delete,
      back: `${list}/${user.id}`,
    });
    return page.send(200, body);
  });

  pages.powerful(`${list}/:id/delete`, async (form) => {
    const outcome = await deleteUser(services, form.id, form.origin);
    if (outcome.kind === 'refused') return sendUser(form, 400, refusalSentence(outcome));
    return redirect(form.reply, 303, `${list}?done=person-deleted`);
  });

  async function sendUsers(page: ConsoleRequest, status: number, attempt: Partial<UsersPage>): Promise<FastifyReply> {
    const search = page.query.get('search') ?? '';
    const outcome = await listUsers(services, { search, cursor: page.query.get('cursor') ?? undefined });
    const { items, next } = outcome.kind === 'done' ? outcome : { items: [], next: undefined };
    const body = usersPage(page.frame, {
      search,
      users: items.map(({ id, name, email, adminSince, disabledAt }) => ({
        ...{ id, name, email, administrator: adminSince !== null, disabled: disabledAt !== null },
      })),
      next,
      invitation: { email: '', name: '' },
      notice: status === 200 ? page.notice : undefined,
      problem: outcome.kind === 'done' ? undefined : refusalSentence(outcome),
      ...attempt,
    });
    return page.send(outcome.kind === 'done' ? status : 400, body);
  }

  async function sendUser(page: ConsoleRequest, status: number, problem: string | undefined): Promise<FastifyReply> {
    const found = await userDetails(services, page.id);
    if (found.kind === 'refused') return sendErrorPage(context, page.request, page.reply, 404, 'notFound');
    const { user, sessions, apps, signIn } = found;
    const body = userPage(page.frame, {
      ...{ id: user.id, name: user.name, email: user.email, createdAt: user.createdAt },
      emailVerified: user.emailVerifiedAt !== null,
      isYou: user.id === page.signedIn.user.id,
      administrator: user.adminSince !== null,
      disabled: user.disabledAt !== null,
      authenticator: signIn.authenticator !== undefined,
      passkeys: signIn.passkeys.length,
      pausedFactors: signIn.suspended.filter(({ kind }) => kind !== 'recovery_codes').length,
      apps: apps.map(({ client, grantedAt }) => ({ id: client.id, name: client.name, grantedAt })),
      sessions,
      canSendEmail: services.emailQueue.works,
      notice: status === 200 ? page.notice : undefined,
      problem,
    });
    return page.send(status, body);
  }
}
