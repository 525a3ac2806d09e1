// The console's pages about groups: the list, the people in one, and the names that forms offer.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { groupRefusal } from '../../../operations/admin/authority.ts';
import { endingSoonDays } from '../../../operations/admin/ends.ts';
import { groupNames } from '../../../operations/admin/named-groups.ts';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import { sharedNamesOf } from '../../../operations/admin/shared-names.ts';
import { listAttributes } from '../../../operations/attributes/attributes.ts';
import { downloadMembers } from '../../../operations/downloads/list-download.ts';
import {
  changeMembers,
  clientsOpenedBy,
  clientsWithClaimsOf,
  deleteGroup,
  findGroup,
  groupDetails,
  groupNameRefusal,
  isNewNameClaimed,
  listGroupsInUse,
  membersAmong,
  updateGroup,
} from '../../../operations/groups/groups.ts';
import { groups } from '../../../operations/groups/subject.ts';
import { findEntry, type RemovedEntry } from '../../../operations/groups/undo.ts';
import { groupNamesPath, joinableNamesPath } from '../../../pages/console/field-form.ts';
import { groupPage, groupViews } from '../../../pages/console/groups/groups.ts';
import { pickerSearch } from '../../../pages/console/users/user-picker.ts';
import { may } from '../../../protocol/admin/rights.ts';
import type { GroupInput } from '../../../protocol/resources/group.ts';
import type { HttpContext } from '../../context.ts';
import { membersDownload } from '../../downloads/lists.ts';
import { type ConsoleForm, type ConsoleRequest, consolePages } from '../console-pages.ts';
import { downloadRoutes } from '../download-routes.ts';
import {
  afterPicking,
  endingIn,
  findUsersByName,
  isGone,
  listRequestIn,
  type Picked,
  pickedIn,
  placeOf,
  sendNoList,
} from '../list-requests.ts';
import { subjectRoutes } from '../subject-routes.ts';
import { answerUndo, sealedUndo, undoField } from '../undo.ts';

const { console: list } = groups;

export function consoleGroupRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context, 'groups');

  // Here, a group in the list says what it's used for.
  const inUse = { ...groups, list: { ...groups.list, read: { page: listGroupsInUse } } };
  subjectRoutes(
    app,
    context,
    inUse,
    groupViews(() => isNewNameClaimed(services)),
    { leadsTo: ({ group }) => `${list}/${group.id}` },
  );

  // What a form offers while someone types, for those who can send it: with its first names, it needs no right to read groups.
  pages.needing('applications.change').get(groupNamesPath, async ({ visit, query }) => {
    return visit.sendJson(200, await groupNames(services, query.get('search') ?? ''));
  });
  pages.needing('groups.change').get(joinableNamesPath, async ({ visit, query, requester }) => {
    return visit.sendJson(200, await groupNames(services, query.get('search') ?? '', requester));
  });

  pages.get(`${list}/:id`, (page) => sendGroup(page, 200));
  downloadRoutes(
    app,
    context,
    { section: 'groups', path: `${list}/:id`, files: `${list}/:id/people` },
    async () => membersDownload(await listAttributes(services)),
    (page, request) => {
      const { search, sort } = listRequestIn(page);
      return downloadMembers(services, page.id, { search, sort, ...endingIn(page) }, request);
    },
  );

  const undo = (form: ConsoleForm) => {
    const restore = (restores: RemovedEntry) => {
      const change = { add: [{ id: restores.person ?? '' }], restores };
      return changeMembers(services, { id: form.id }, change, form.requester);
    };
    return answerUndo(form, restore, `${list}/:id`, sendGroup);
  };

  for (const [action, done] of [
    ['add', 'member-added'],
    ['remove', 'member-removed'],
  ] as const) {
    // Groups decide who can use applications.
    pages.powerful(`${list}/:id/${action}`, async (form) => {
      if (action === 'add' && form.fields.has(undoField)) return undo(form);
      const picked = pickedIn(form);
      // With no one ticked, the operation refuses an unknown person, as it does for a wrong ID.
      const people = (picked.ticked.length === 0 ? [''] : picked.ticked).map((id) => ({ id }));
      const change = { [action]: people, expiresAt: picked.end || null };
      const [only] = action === 'remove' && people.length === 1 ? people : [];
      const removed = only && (await findEntry(services, { person: only.id, group: form.id }));
      const outcome = await changeMembers(services, { id: form.id }, change, form.requester);
      if (outcome.kind === 'refused') {
        const problem =
          picked.ticked.length === 0 ? form.frame.messages.admin.people.pickerEmpty : refusalSentence(outcome);
        return sendGroup(form, form.statusOf(outcome), { problem, picked });
      }
      const path = `${list}/${outcome.group.id}`;
      const undoing = sealedUndo(form, form.own(`${list}/:id/add`), removed);
      return form.goTo(afterPicking(path, picked, people.length > 1 ? 'members-added' : done, { undo: undoing }));
    });
  }

  const change = async (form: ConsoleForm, entered: GroupInput, done: string) => {
    const outcome = await updateGroup(services, { id: form.id }, entered, form.requester);
    if (outcome.kind === 'done') return form.goTo(`${list}/${outcome.group.id}?done=${done}`);
    return sendGroup(form, form.statusOf(outcome), { problem: refusalSentence(outcome), entered });
  };
  // Applications that get names of groups see the new one, and may give it rights.
  pages.powerful(`${list}/:id/rename`, (form) => change(form, { name: form.field('name') }, 'group-renamed'));
  pages
    .needing('roles.change')
    .powerful(`${list}/:id/protect`, (form) =>
      change(form, { protected: form.field('protected') === 'yes' }, 'group-saved'),
    );

  pages.question(`${list}/:id/delete`, 'groups', async ({ id, frame, requester }) => {
    const found = await findGroup(services, { id });
    if (found.kind === 'refused') return undefined;
    const refusal = groupRefusal(requester, found.group);
    if (refusal !== undefined) return refusal;
    const { groups: m, managed } = frame.messages.admin;
    const { managedBy } = found.group;
    const users = (await clientsWithClaimsOf(services, found.group)).map(({ name }) => name);
    const back = `${list}/${found.group.id}`;
    return {
      title: m.deleteTitle(found.group.name),
      text: [
        m.deleteHint,
        ...(users.length === 0 ? [] : [m.usedBy(frame.messages.list(users))]),
        ...(managedBy === null ? [] : [managed.deleteGroup(managedBy)]),
      ].join(' '),
      button: m.delete,
      action: `${back}/delete`,
      back,
      fields: users.length === 0 ? {} : { force: 'true' },
    };
  });

  pages.buttons(`${list}/:id`, sendGroup, ({ id }) => id, {
    delete: {
      run: (own, id, requester, form) => deleteGroup(own, { id }, form.field('force') === 'true', requester),
      done: `${list}?done=group-deleted`,
      powerful: true,
    },
  });

  async function sendGroup(
    page: ConsoleRequest,
    status: number,
    attempt: {
      readonly problem?: string;
      readonly picked?: Picked;
      readonly entered?: GroupInput;
    } = {},
  ): Promise<FastifyReply> {
    const { search, sort: asked, ...part } = listRequestIn(page);
    const sort = asked || 'name';
    const request = { ...part, ...endingIn(page), search, sort, total: true };
    const found = await groupDetails(services, { id: page.id }, request);
    if (found.kind === 'refused') return sendNoList(page, found);
    const { group, count, members } = found;
    if (isGone(placeOf(members))) return page.sendMoved();
    const { authority } = page.requester;
    // Anyone who can't change a protected group sees no forms.
    const isFixed = groupRefusal(page.requester, group) !== undefined;
    const frame = isFixed ? page.readOnly(`${list}/${group.id}`) : page.frame;
    const body = groupPage(frame, {
      group,
      mayProtect: may(authority, 'roles.change'),
      mayName: (await groupNameRefusal(services, page.requester, group.id)) === undefined,
      count,
      members: members.items,
      search,
      sort,
      ...endingIn(page),
      endingDays: endingSoonDays,
      sharedNames: await sharedNamesOf(services, group),
      now: services.clock.now(),
      place: placeOf(members),
      picker: await findUsersByName(services, page.query.get(pickerSearch), attempt.picked, (ids) =>
        membersAmong(services, group, ids),
      ),
      opens: await clientsOpenedBy(services, group),
      claimedBy: await clientsWithClaimsOf(services, group),
      notice: page.notice,
      problem: attempt.problem,
      entered: attempt.entered ?? {},
    });
    return page.send(status, body);
  }
}
