// Who may use an application, in the console: everyone, or the people and groups on its list.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { endingSoonDays } from '../../../operations/admin/ends.ts';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import {
  allowedAmong,
  changeAllowed,
  groupsOnList,
  clientAccessPage as readPage,
  setAccess,
  usersOnList,
} from '../../../operations/clients/access-list.ts';
import { findClient } from '../../../operations/clients/clients.ts';
import { readOwners } from '../../../operations/clients/owners.ts';
import {
  checkAccess,
  countPeopleWithAccess,
  firstSince,
  listPeopleWithAccess,
} from '../../../operations/clients/people-with-access.ts';
import { downloadPeopleWithAccess } from '../../../operations/downloads/list-download.ts';
import { listAllGroups } from '../../../operations/groups/groups.ts';
import { findEntry, type RemovedEntry } from '../../../operations/groups/undo.ts';
import { findUserCalled } from '../../../operations/users/users.ts';
import { type ClientAccessPage, clientAccessPage, keptText } from '../../../pages/console/clients/access-list.ts';
import type { OwnersCard } from '../../../pages/console/clients/owners.ts';
import { type AccessAnswer, checkedPerson, listView } from '../../../pages/console/clients/people-with-access.ts';
import { confirmPage } from '../../../pages/console/console-layout.ts';
import { listUrl } from '../../../pages/console/lists.ts';
import { pickerSearch } from '../../../pages/console/users/user-picker.ts';
import { may } from '../../../protocol/admin/rights.ts';
import { clientFields } from '../../../protocol/resources/client.ts';
import { Invalid } from '../../../protocol/resources/field.ts';
import type { Client } from '../../../storage/storage.ts';
import type { HttpContext } from '../../context.ts';
import { accessDownload } from '../../downloads/lists.ts';
import { type ConsoleForm, type ConsoleRequest, clientsPath, consolePages } from '../console-pages.ts';
import { downloadRoutes } from '../download-routes.ts';
import {
  accessFiltersIn,
  afterPicking,
  cursorIn,
  endingIn,
  findUsersByName,
  isGone,
  listedIn,
  listRequestIn,
  type Picked,
  pickedIn,
  placeOf,
  sendNoList,
} from '../list-requests.ts';
import { answerUndo, sealedUndo, undoField } from '../undo.ts';
import { tabOf } from './client-tab.ts';
import { ownerRoutes } from './owner-routes.ts';
import { removalQuestion } from './removal-question.ts';

const path = `${clientsPath}/:id/access`;

/** What was sent by one of the two forms, when it was refused. */
interface Attempt extends Partial<Pick<ClientAccessPage, 'problem' | 'chosen'>> {
  readonly picked?: Picked;
  readonly sentOwners?: OwnersCard['sent'];
  /** Whom an owner typed. */
  readonly typed?: string;
  readonly view?: Partial<typeof listView>;
}

/** As many names of groups as someone would look through. */
const mostOffered = 200;

export function clientListRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context, 'applications');

  const changing = pages.needing('access.change');

  pages.needing('applications.owned').get(path, (page) => sendAccess(page, 200));
  downloadRoutes(
    app,
    context,
    { section: 'applications', path, right: 'access.read' },
    async () => accessDownload,
    (page, request) => {
      const { search, sort } = listRequestIn(page);
      return downloadPeopleWithAccess(services, page.id, { search, sort, ...accessFiltersIn(page) }, request);
    },
  );

  // Everyone who isn't on the list is cut off, so this is asked first.
  pages.asks(path, limitQuestion);
  const change = async (form: ConsoleForm) => {
    const access = clientFields.access.read(form.field('access'), {});
    if (access instanceof Invalid) return form.visit.sendErrorPage(400, 'badRequest');
    const question = await limitQuestion(form);
    if (question !== undefined) return form.send(200, question);
    const outcome = await setAccess(services, form.id, { access }, form.requester);
    if (outcome.kind === 'refused') return form.visit.sendErrorPage(404, 'notFound');
    return form.goTo(`${path}?done=access-${access}`);
  };
  pages.powerful(path, change, { when: async (form) => (await limitQuestion(form)) === undefined });

  const undo = (form: ConsoleForm) => {
    const restore = (restores: RemovedEntry) => {
      const people = [restores.person ?? []].flat().map((id) => ({ id }));
      const groups = [restores.group ?? []].flat();
      return changeAllowed(services, form.id, 'allow', { people, groups, restores }, form.requester);
    };
    return answerUndo(form, restore, path, sendAccess);
  };

  changing.asks(`${path}/disallow`, askBeforeRemoval);
  for (const action of ['allow', 'disallow'] as const) {
    const question = action === 'allow' ? async () => undefined : askBeforeRemoval;
    const change = async (form: ConsoleForm) => {
      if (action === 'allow' && form.fields.has(undoField)) return undo(form);
      const asked = await question(form);
      if (asked !== undefined) return form.send(200, asked);
      const picked = pickedIn(form);
      const { person, group } = entryIn(form);
      const asOwner = isOwnersPage(form);
      const people = action === 'allow' && !asOwner ? picked.ticked : [person.trim()].filter((id) => id !== '');
      const groups = [group].filter((id) => id !== '');
      const typed = asOwner && action === 'allow' ? await findUserCalled(services, people[0] ?? '') : undefined;
      const named = {
        people: typed?.kind === 'done' ? [{ id: typed.user.id }] : people,
        groups,
        expiresAt: picked.end || null,
      };
      const view = viewIn(form.fields.get('view'));
      const sent = {
        view,
        ...(group === '' ? { picked } : { chosen: { group, end: picked.end } }),
        ...(asOwner && { typed: person }),
      };
      if (named.people.length + groups.length === 0) {
        return sendAccess(form, 400, { problem: form.frame.messages.admin.people.pickerEmpty, ...sent });
      }
      const removed = action === 'disallow' ? await findEntry(services, placeOfEntry(form)) : undefined;
      const outcome = await changeAllowed(services, form.id, action, named, form.requester);
      if (outcome.kind === 'refused') {
        return sendAccess(form, form.statusOf(outcome), { problem: refusalSentence(outcome), ...sent });
      }
      const undoing = sealedUndo(form, form.own(`${path}/allow`), removed);
      // While everyone can use it, the table doesn't show who is on the list.
      const shown = outcome.client.access === 'everyone' && people.length > 0 ? listView : view;
      return form.goTo(afterPicking(path, picked, `access-${action}ed`, { ...shown, undo: undoing }));
    };
    changing.powerful(`${path}/${action}`, change, { when: async (form) => (await question(form)) === undefined });
  }

  ownerRoutes(app, context, sendAccess);

  async function limitQuestion(form: ConsoleForm): Promise<string | undefined> {
    if (form.field('access') !== 'listed' || form.field('sure') === 'yes') return undefined;
    const found = await findClient(services, form.id);
    if (found.kind === 'refused' || found.client.access === 'listed') return undefined;
    const { messages } = form.frame;
    const m = messages.admin.access;
    const preview = await usersOnList(services, form.id);
    const losesAll = preview.kept === 0 && preview.users > 0;
    const { name } = found.client;
    return confirmPage(form.frame, {
      section: 'applications',
      title: losesAll ? m.nobodyTitle(name) : m.limitTitle(name),
      text: losesAll ? m.nobodyText(preview.users) : `${keptText(messages, preview)} ${m.limitText}`,
      action: form.own(path),
      button: m.limit,
      back: form.own(path),
      fields: { access: 'listed', sure: 'yes' },
    });
  }

  function askBeforeRemoval(form: ConsoleForm): Promise<string | undefined> {
    const entry = entryIn(form);
    return removalQuestion(services, form, form.id, entry, {
      section: 'applications',
      action: form.own(`${path}/disallow`),
      back: listUrl(form.own(path), viewIn(form.fields.get('view'))),
      fields: { ...entry, ...viewIn(form.fields.get('view')) },
    });
  }

  async function sendAccess(
    page: ConsoleRequest,
    status: number,
    { problem, picked, chosen, view, typed, sentOwners }: Attempt = {},
  ): Promise<FastifyReply> {
    const found = await findClient(services, page.id);
    if (found.kind === 'refused') return page.refuse(found);
    const { client } = found;
    const { authority } = page.requester;
    const asOwner = isOwnersPage(page);
    const mayRead = may(authority, 'access.read', client.id);
    const shown =
      mayRead && (view ?? viewIn(page.query.get('view'))).view === undefined
        ? await peopleWithAccess(page, client)
        : await peopleOnList(page, client, mayRead);
    if (shown.kind === 'refused') return sendNoList(page, shown);
    if (isGone(shown.place)) return page.sendMoved();
    const answer = may(authority, 'applications.people') ? await answerAbout(page) : undefined;
    const refusal = problem ?? shown.problem;
    const body = clientAccessPage(page.frame, {
      ...tabOf(page, client, { problem: refusal }),
      access: client.access,
      preview: client.access === 'everyone' && !asOwner ? await usersOnList(services, client.id) : undefined,
      groups: shown.groups,
      shown,
      answer,
      now: services.clock.now(),
      // With those on the list, which can get another end.
      allGroups: asOwner ? [] : await listAllGroups(services),
      chosen,
      asOwner: asOwner ? { typed: typed ?? '', end: picked?.end ?? '' } : undefined,
      owners: asOwner
        ? undefined
        : { ...(await readOwners(services, client.id)), asking: client.accessRequests === 'on', sent: sentOwners },
      picker: asOwner
        ? undefined
        : await findUsersByName(services, page.query.get(pickerSearch), picked, (ids) =>
            allowedAmong(services, client, ids),
          ),
    });
    const isRefused = shown.problem !== undefined || answer?.problem !== undefined;
    return page.send(status === 200 && isRefused ? 400 : status, body);
  }

  async function peopleOnList(page: ConsoleRequest, client: Client, mayRead: boolean) {
    const found = await readPage(services, client.id, { ...cursorIn(page), ...endingIn(page) });
    if (found.kind === 'refused') return found;
    const { people, groups } = found;
    return {
      kind: 'list' as const,
      groups,
      people: people.items,
      place: placeOf(people),
      ...endingIn(page),
      endingDays: endingSoonDays,
      count: mayRead ? undefined : await countPeopleWithAccess(services, client),
      problem: undefined,
    };
  }

  async function peopleWithAccess(page: ConsoleRequest, client: Client) {
    const [{ search, sort: asked, ...part }, filters] = [listRequestIn(page), accessFiltersIn(page)];
    const sort = asked || 'name';
    const [read, groups] = await Promise.all([
      listPeopleWithAccess(services, client.id, {
        ...part,
        ...filters,
        search,
        sort,
        total: true,
        authority: page.requester.authority,
      }),
      groupsOnList(services, client),
    ]);
    const { items, place, problem } = listedIn(read.kind === 'refused' ? read : { kind: 'done', ...read.people });
    return {
      kind: 'access' as const,
      groups,
      groupNames: groups.slice(0, mostOffered).map(({ name }) => name),
      people: items.map((each) => ({ ...each, since: firstSince(each.reasons) })),
      place,
      search,
      sort,
      filters,
      problem,
    };
  }

  async function answerAbout({ id, query }: ConsoleRequest): Promise<AccessAnswer> {
    const person = query.get(checkedPerson)?.trim() ?? '';
    if (person === '') return { person };
    const checked = await checkAccess(services, id, person);
    if (checked.kind === 'refused') return { person, problem: refusalSentence(checked) };
    const { client, ...result } = checked;
    return { person, result: { ...result, isRevoked: client.revokedAt !== null } };
  }
}

/** Whether it's for someone who owns the application, and looks after no others. */
function isOwnersPage({ requester: { authority } }: ConsoleRequest): boolean {
  return !may(authority, 'applications.read');
}

/** Whether the people on the list are meant, and not those with access. */
function viewIn(view: string | null | undefined): Partial<typeof listView> {
  return view === listView.view ? listView : {};
}

function placeOfEntry(form: ConsoleForm) {
  const { person, group } = entryIn(form);
  return { client: form.id, ...(person === '' ? { group } : { person }) };
}

/** The person or group of a row; the other is empty. */
function entryIn({ field }: ConsoleForm) {
  return { person: field('person'), group: field('group') };
}
