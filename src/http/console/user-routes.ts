// The console's pages about people.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { userDetails } from '../../operations/admin/details.ts';
import { listUsers } from '../../operations/admin/lists.ts';
import {
  deleteUser,
  disableUser,
  enableUser,
  endSessions,
  inviteUser,
  makeRecoveryLink,
  removeSecondFactors,
  sendReset,
  setAdministrator,
} from '../../operations/admin/manage-users.ts';
import { type AdminOutcome, sentenceOf } from '../../operations/admin/outcome.ts';
import type { Services } from '../../operations/services.ts';
import { askPage, handOverPage } from '../../pages/console/console-layout.ts';
import { type UsersPage, userPage, usersPage } from '../../pages/console/users.ts';
import type { Origin } from '../../protocol/event.ts';
import type { HttpContext } from '../context.ts';
import { redirect, sendErrorPage } from '../send-page.ts';
import { type ConsoleRequest, consolePages } from './console-pages.ts';

const list = '/admin/people';

/** The command line also takes an address for a person; the addresses of pages do not. */
const isId = (text: string) => /^[a-z0-9_-]{1,40}$/.test(text);

type Change = (services: Services, id: string, origin: Origin) => Promise<AdminOutcome<object>>;

/** What one button does, and what the page says then. */
const changes: Record<string, { operation: Change; done: string }> = {
  disable: { operation: disableUser, done: 'disabled' },
  enable: { operation: enableUser, done: 'enabled' },
  'make-administrator': {
    operation: (services, id, origin) => setAdministrator(services, id, true, origin),
    done: 'made-administrator',
  },
  'remove-administrator': {
    operation: (services, id, origin) => setAdministrator(services, id, false, origin),
    done: 'administrator-removed',
  },
  'send-reset': { operation: sendReset, done: 'reset-sent' },
  'end-sessions': { operation: endSessions, done: 'sessions-ended' },
  'remove-second-factors': { operation: removeSecondFactors, done: 'factors-removed' },
};

export function consoleUserRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { storage, emailQueue } = services;
  const { page, form } = consolePages(app, context);

  page(list, (own) => sendPeople(own, 200, {}));

  form(`${list}/invite`, async (own) => {
    const invitation = { email: own.field('email'), name: own.field('name') };
    const outcome = await inviteUser(services, invitation, own.origin);
    if (outcome.kind === 'refused') return sendPeople(own, 400, { invitation, problem: sentenceOf(outcome) });
    if (outcome.url === undefined) return redirect(own.reply, 303, `${list}?done=invited`);
    return own.send(200, handOverPage(own.frame, { url: outcome.url, until: outcome.expiresAt, back: list }));
  });

  page(`${list}/:id`, (own) => sendPerson(own, 200, undefined));

  for (const [name, { operation, done }] of Object.entries(changes)) {
    form(`${list}/:id/${name}`, async (own) => {
      if (!isId(own.id)) return sendErrorPage(context, own.request, own.reply, 404, 'notFound');
      const outcome = await operation(services, own.id, own.origin);
      if (outcome.kind === 'refused') return sendPerson(own, 400, sentenceOf(outcome));
      return redirect(own.reply, 303, `${list}/${own.id}?done=${done}`);
    });
  }

  form(`${list}/:id/recovery-link`, async (own) => {
    const outcome = await makeRecoveryLink(services, own.id, own.origin);
    if (outcome.kind === 'refused') return sendPerson(own, 400, sentenceOf(outcome));
    const { url, expiresAt } = outcome;
    return own.send(200, handOverPage(own.frame, { url, until: expiresAt, back: `${list}/${own.id}` }));
  });

  page(`${list}/:id/delete`, async (own) => {
    const user = await storage.findUser(own.id);
    if (user === undefined) return sendErrorPage(context, own.request, own.reply, 404, 'notFound');
    const m = own.frame.messages.admin.people;
    const body = askPage(own.frame, {
      section: 'people',
      title: m.deleteTitle(user.name),
      text: m.deleteText,
      action: `${list}/${user.id}/delete`,
      button: m.delete,
      back: `${list}/${user.id}`,
    });
    return own.send(200, body);
  });

  form(`${list}/:id/delete`, async (own) => {
    const outcome = await deleteUser(services, own.id, own.origin);
    if (outcome.kind === 'refused') return sendPerson(own, 400, sentenceOf(outcome));
    return redirect(own.reply, 303, `${list}?done=person-deleted`);
  });

  async function sendPeople(own: ConsoleRequest, status: number, attempt: Partial<UsersPage>): Promise<FastifyReply> {
    const search = own.query.get('search') ?? '';
    const listed = await listUsers(services, { search, cursor: own.query.get('cursor') ?? undefined });
    const found = listed.kind === 'done' ? listed : { items: [], next: undefined };
    const body = usersPage(own.frame, {
      search,
      people: found.items.map(({ id, name, email, adminSince, disabledAt }) => ({
        ...{ id, name, email, administrator: adminSince !== null, disabled: disabledAt !== null },
      })),
      next: found.next,
      invitation: { email: '', name: '' },
      notice: status === 200 ? own.notice : undefined,
      problem: listed.kind === 'done' ? undefined : sentenceOf(listed),
      ...attempt,
    });
    return own.send(listed.kind === 'done' ? status : 400, body);
  }

  async function sendPerson(own: ConsoleRequest, status: number, problem: string | undefined): Promise<FastifyReply> {
    const found = await userDetails(services, own.id);
    if (found.kind === 'refused') return sendErrorPage(context, own.request, own.reply, 404, 'notFound');
    const { user, sessions, apps, factors } = found;
    const body = userPage(own.frame, {
      ...{ id: user.id, name: user.name, email: user.email, createdAt: user.createdAt },
      emailVerified: user.emailVerifiedAt !== null,
      isYou: user.id === own.signedIn.user.id,
      administrator: user.adminSince !== null,
      disabled: user.disabledAt !== null,
      authenticator: factors.authenticator !== undefined,
      passkeys: factors.passkeys.length,
      apps: apps.map(({ client, grantedAt }) => ({ id: client.id, name: client.name, grantedAt })),
      sessions,
      canSendEmail: emailQueue.works,
      notice: status === 200 ? own.notice : undefined,
      problem,
    });
    return own.send(status, body);
  }
}
