// Who may use an application, in the console: everyone, or the people and groups on its list.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import { changeAllowed, clientAccessPage as readPage, setAccess } from '../../../operations/clients/access-list.ts';
import { findClient } from '../../../operations/clients/clients.ts';
import { listAllGroups } from '../../../operations/groups/groups.ts';
import { clientAccessPage } from '../../../pages/console/clients/access-list.ts';
import { confirmPage } from '../../../pages/console/console-layout.ts';
import { clientFields } from '../../../protocol/resources/client.ts';
import { Invalid } from '../../../protocol/resources/field.ts';
import type { HttpContext } from '../../context.ts';
import { redirect, sendErrorPage } from '../../send-page.ts';
import { type ConsoleForm, type ConsoleRequest, consolePages } from '../console-pages.ts';
import { placeOf } from '../list-requests.ts';
import { findUsersByName } from '../users/user-picker.ts';
import { clientsPath } from './client-page.ts';

export function clientListRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context);
  const pathOf = ({ id }: ConsoleRequest) => `${clientsPath}/${id}/access`;

  pages.get(`${clientsPath}/:id/access`, (page) => sendAccess(page, 200, undefined));

  pages.post(`${clientsPath}/:id/access`, async (form) => {
    const access = clientFields.access.read(form.field('access'), {});
    if (access instanceof Invalid) return sendErrorPage(context, form.request, form.reply, 400, 'badRequest');
    // Everyone who isn't on the list is cut off, so this is asked first.
    if (access === 'listed' && form.field('sure') !== 'yes') return askFirst(form);
    const outcome = await setAccess(services, form.id, { access }, form.requester);
    if (outcome.kind === 'refused') return sendErrorPage(context, form.request, form.reply, 404, 'notFound');
    return redirect(form.reply, 303, `${pathOf(form)}?done=access-${access}`);
  });

  for (const action of ['allow', 'disallow'] as const) {
    pages.post(`${clientsPath}/:id/access/${action}`, async (form) => {
      const named = { people: namedIn(form, 'person'), groups: namedIn(form, 'group') };
      if (named.people.length + named.groups.length === 0) {
        return sendErrorPage(context, form.request, form.reply, 400, 'badRequest');
      }
      const outcome = await changeAllowed(services, form.id, action, named, form.requester);
      if (outcome.kind === 'refused') return sendAccess(form, 400, refusalSentence(outcome));
      return redirect(form.reply, 303, `${pathOf(form)}?done=access-${action}ed`);
    });
  }

  async function askFirst(form: ConsoleForm): Promise<FastifyReply> {
    const found = await findClient(services, form.id);
    if (found.kind === 'refused') return sendErrorPage(context, form.request, form.reply, 404, 'notFound');
    const m = form.frame.messages.admin.access;
    const body = confirmPage(form.frame, {
      section: 'applications',
      title: m.limitTitle(found.client.name),
      text: m.limitText,
      action: pathOf(form),
      button: m.limit,
      back: pathOf(form),
      fields: { access: 'listed', sure: 'yes' },
    });
    return form.send(200, body);
  }

  async function sendAccess(page: ConsoleRequest, status: number, problem: string | undefined): Promise<FastifyReply> {
    const found = await readPage(services, page.id, { cursor: page.query.get('cursor') ?? undefined });
    if (found.kind === 'refused') {
      const [code, topic] =
        found.reason === 'not_found' ? ([404, 'notFound'] as const) : ([400, 'badRequest'] as const);
      return sendErrorPage(context, page.request, page.reply, code, topic);
    }
    const { client, people, groups } = found;
    const listed = new Set(groups.map(({ id }) => id));
    const all = await listAllGroups(services);
    const body = clientAccessPage(page.frame, {
      id: client.id,
      name: client.name,
      access: client.access,
      groups,
      people: people.items,
      place: placeOf(people),
      otherGroups: all.filter(({ id }) => !listed.has(id)),
      picker: await findUsersByName(services, page),
      notice: status === 200 ? page.notice : undefined,
      problem,
    });
    return page.send(status, body);
  }
}

function namedIn(form: ConsoleForm, field: 'person' | 'group'): string[] {
  return form.field(field) === '' ? [] : [form.field(field)];
}
