// The console's pages about groups: the list, and the people in one.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import {
  changeMembers,
  createGroup,
  deleteGroup,
  findGroup,
  groupDetails,
  listGroups,
} from '../../../operations/groups/groups.ts';
import { confirmPage } from '../../../pages/console/console-layout.ts';
import { groupPage, groupsPage } from '../../../pages/console/groups/groups.ts';
import type { HttpContext } from '../../context.ts';
import { redirect, sendErrorPage } from '../../send-page.ts';
import { type ConsoleRequest, consolePages } from '../console-pages.ts';
import { emptyList, placeOf } from '../list-requests.ts';
import { findUsersByName } from '../users/user-picker.ts';

const list = '/admin/groups';

export function consoleGroupRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context);

  pages.get(list, (page) => sendGroups(page, 200, '', undefined));

  pages.post(list, async (form) => {
    const outcome = await createGroup(services, form.field('name'), form.requester);
    if (outcome.kind === 'refused') return sendGroups(form, 400, form.field('name'), refusalSentence(outcome));
    return redirect(form.reply, 303, `${list}/${outcome.group.id}?done=group-created`);
  });

  pages.get(`${list}/:id`, (page) => sendGroup(page, 200, undefined));

  for (const action of ['add', 'remove'] as const) {
    pages.post(`${list}/:id/${action}`, async (form) => {
      const outcome = await changeMembers(
        services,
        form.id,
        { [action]: [{ id: form.field('person') }] },
        form.requester,
      );
      if (outcome.kind === 'refused') return sendGroup(form, 400, refusalSentence(outcome));
      return redirect(
        form.reply,
        303,
        `${list}/${outcome.group.id}?done=${action === 'add' ? 'member-added' : 'member-removed'}`,
      );
    });
  }

  pages.get(`${list}/:id/delete`, async (page) => {
    const found = await findGroup(services, page.id);
    if (found.kind === 'refused') return sendErrorPage(context, page.request, page.reply, 404, 'notFound');
    const { group } = found;
    const m = page.frame.messages.admin.groups;
    const body = confirmPage(page.frame, {
      section: 'groups',
      title: m.deleteTitle(group.name),
      text: m.deleteHint,
      action: `${list}/${group.id}/delete`,
      button: m.delete,
      back: `${list}/${group.id}`,
    });
    return page.send(200, body);
  });

  pages.powerful(`${list}/:id/delete`, async (form) => {
    const outcome = await deleteGroup(services, form.id, form.requester);
    if (outcome.kind === 'refused') return sendErrorPage(context, form.request, form.reply, 404, 'notFound');
    return redirect(form.reply, 303, `${list}?done=group-deleted`);
  });

  async function sendGroups(
    page: ConsoleRequest,
    status: number,
    name: string,
    problem: string | undefined,
  ): Promise<FastifyReply> {
    const outcome = await listGroups(services, { cursor: page.query.get('cursor') ?? undefined });
    const listed = outcome.kind === 'done' ? outcome : emptyList;
    const body = groupsPage(page.frame, {
      groups: listed.items,
      place: placeOf(listed),
      name,
      notice: status === 200 ? page.notice : undefined,
      problem: outcome.kind === 'refused' ? refusalSentence(outcome) : problem,
    });
    return page.send(outcome.kind === 'refused' ? 400 : status, body);
  }

  async function sendGroup(page: ConsoleRequest, status: number, problem: string | undefined): Promise<FastifyReply> {
    const found = await groupDetails(services, page.id, { cursor: page.query.get('cursor') ?? undefined });
    if (found.kind === 'refused') {
      const [code, topic] =
        found.reason === 'not_found' ? ([404, 'notFound'] as const) : ([400, 'badRequest'] as const);
      return sendErrorPage(context, page.request, page.reply, code, topic);
    }
    const { group, count, members } = found;
    const body = groupPage(page.frame, {
      id: group.id,
      name: group.name,
      count,
      members: members.items,
      place: placeOf(members),
      picker: await findUsersByName(services, page),
      notice: status === 200 ? page.notice : undefined,
      problem,
    });
    return page.send(status, body);
  }
}
