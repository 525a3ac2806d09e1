// What a person has access to, in the console: their groups and applications, which are added and ended there. That needs the right
// to change groups or applications, as on their own pages, and someone whom the reader may change.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { groupContentRefusal, reachOf } from '../../../operations/admin/authority.ts';
import { findGroups, groupNames } from '../../../operations/admin/named-groups.ts';
import { type Refused, refusalSentence } from '../../../operations/admin/outcome.ts';
import { changeAllowed } from '../../../operations/clients/access-list.ts';
import { listClients } from '../../../operations/clients/clients.ts';
import { firstSince } from '../../../operations/clients/people-with-access.ts';
import { changeMembers } from '../../../operations/groups/groups.ts';
import { findEntry, type RemovedEntry } from '../../../operations/groups/undo.ts';
import { editUser } from '../../../operations/users/edit-user.ts';
import { applicationsOf, groupsOf } from '../../../operations/users/user-access.ts';
import { findChangeable, userDetails } from '../../../operations/users/users.ts';
import { listUrl } from '../../../pages/console/lists.ts';
import { type ShownApp, type UserAccessPage, userAccessPage } from '../../../pages/console/users/user-access.ts';
import { may } from '../../../protocol/admin/rights.ts';
import { isoTime } from '../../../protocol/iso-time.ts';
import type { AccessibleClient, ConnectedApp } from '../../../storage/storage.ts';
import type { HttpContext } from '../../context.ts';
import { removalQuestion } from '../clients/removal-question.ts';
import { type ConsoleForm, type ConsoleRequest, consolePages } from '../console-pages.ts';
import { endIn } from '../field-forms.ts';
import { answerUndo, sealedUndo, undoField } from '../undo.ts';
import { frameFor, type Problem, person, tabOfPerson } from './person-tabs.ts';

const tab = `${person}/access`;
/** As many as someone would look through. */
const mostOffered = 200;

type Attempt = Problem & Partial<Pick<UserAccessPage, 'addition' | 'gift' | 'end'>>;

export function personAccessRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context, 'people');
  const changingGroups = pages.needing('groups.change');
  const changingClients = pages.needing('applications.change');

  pages.get(tab, (page) => sendAccess(page, 200));

  /** Requesters who may not change the person can't give them access either. */
  const entries = (change: (form: ConsoleForm) => Promise<FastifyReply>) => async (form: ConsoleForm) => {
    const found = await findChangeable(services, { id: form.id }, form.requester);
    if (found.kind === 'done') return change(form);
    return found.reason === 'not_found' ? form.refuse(found) : again(form, found);
  };
  const sentIn = (form: ConsoleForm, name: string) => ({ chosen: form.field(name), end: endIn(form, 'expires_at') });
  const again = (form: ConsoleForm, outcome: Refused, sent: Attempt = {}) =>
    sendAccess(form, form.statusOf(outcome), { problem: refusalSentence(outcome), ...sent });

  const addToGroup = entries(async (form) => {
    if (form.fields.has(undoField)) {
      const restore = (restores: RemovedEntry) => {
        const change = { add: [{ id: form.id }], restores };
        return changeMembers(services, { id: restores.group ?? '' }, change, form.requester);
      };
      return answerUndo(form, restore, tab, sendAccess);
    }
    const addition = sentIn(form, 'group');
    const named = await findGroups(services, [addition.chosen]);
    if (named.kind === 'refused') return again(form, named, { addition });
    const change = { add: [{ id: form.id }], expiresAt: addition.end || null };
    const outcome = await changeMembers(services, { id: named.groups[0]?.id ?? '' }, change, form.requester);
    return outcome.kind === 'done' ? form.goTo(`${tab}?done=group-joined`) : again(form, outcome, { addition });
  });
  changingGroups.powerful(`${person}/groups/add`, addToGroup);

  const removeFromGroup = entries(async (form) => {
    const change = { remove: [{ id: form.id }] };
    const group = form.field('group');
    const removed = await findEntry(services, { person: form.id, group });
    const outcome = await changeMembers(services, { id: group }, change, form.requester);
    if (outcome.kind === 'refused') return again(form, outcome);
    const undo = sealedUndo(form, form.own(`${person}/groups/add`), removed);
    return form.goTo(listUrl(tab, { done: 'group-left', undo }));
  });
  changingGroups.powerful(`${person}/groups/remove`, removeFromGroup);

  const giveAccess = entries(async (form) => {
    if (form.fields.has(undoField)) {
      const restore = (restores: RemovedEntry) => {
        const entry = { people: [{ id: form.id }], groups: [], restores };
        return changeAllowed(services, restores.client ?? '', 'allow', entry, form.requester);
      };
      return answerUndo(form, restore, tab, sendAccess);
    }
    const gift = sentIn(form, 'application');
    const entry = { people: [{ id: form.id }], groups: [], expiresAt: gift.end || null };
    const outcome = await changeAllowed(services, gift.chosen, 'allow', entry, form.requester);
    if (outcome.kind === 'refused') return again(form, outcome, { gift });
    return form.goTo(listUrl(tab, { search: form.field('search') || undefined, done: 'access-given' }));
  });
  changingClients.powerful(`${person}/applications/allow`, giveAccess);

  const ending = `${person}/applications/disallow`;
  const question = (form: ConsoleForm) => {
    const application = form.field('application');
    return removalQuestion(
      services,
      form,
      application,
      { person: form.id, group: '' },
      {
        section: 'people',
        action: form.own(ending),
        back: form.own(tab),
        fields: { application },
      },
    );
  };
  changingClients.asks(ending, question);
  const endAccess = entries(async (form) => {
    const asked = await question(form);
    if (asked !== undefined) return form.send(200, asked);
    const entry = { people: [{ id: form.id }], groups: [] };
    const client = form.field('application');
    const removed = await findEntry(services, { client, person: form.id });
    const outcome = await changeAllowed(services, client, 'disallow', entry, form.requester);
    if (outcome.kind === 'refused') return again(form, outcome);
    const undo = sealedUndo(form, form.own(`${person}/applications/allow`), removed);
    return form.goTo(listUrl(tab, { done: 'access-ended', undo }));
  });
  changingClients.powerful(ending, endAccess, { when: async (form) => (await question(form)) === undefined });

  // An end that comes at once is the same as disabling a person.
  pages.powerful(`${person}/end`, async (form) => {
    const end = endIn(form, 'expires_at');
    const outcome = await editUser(services, { id: form.id }, { expiresAt: end || null }, form.requester);
    return outcome.kind === 'done' ? form.goTo(`${tab}?done=saved`) : again(form, outcome, { end });
  });

  async function sendAccess(page: ConsoleRequest, status: number, attempt: Attempt = {}): Promise<FastifyReply> {
    const found = await userDetails(services, { id: page.id });
    if (found.kind === 'refused') return page.refuse(found);
    const { user, apps } = found;
    const { requester } = page;
    const [reach, groups, usable, names, offered] = await Promise.all([
      reachOf(services, requester, user),
      groupsOf(services, user),
      applicationsOf(services, user),
      may(requester.authority, 'groups.change') ? groupNames(services, '', requester) : { names: [], more: false },
      offeredTo(page),
    ]);
    const body = userAccessPage(frameFor(page, reach), {
      ...tabOfPerson(services, page, user, attempt),
      groups: groups.map((group) => ({
        ...group,
        isOpen: groupContentRefusal(requester, group) === undefined,
      })),
      groupNames: names,
      addition: attempt.addition,
      apps: appsOf(apps, usable),
      offered,
      gift: attempt.gift,
      end: attempt.end ?? isoTime(user.expiresAt) ?? '',
    });
    return page.send(status, body);
  }

  /** The applications with a list, by name. */
  async function offeredTo({ requester, query }: ConsoleRequest): Promise<UserAccessPage['offered']> {
    const search = query.get('search') ?? '';
    if (!may(requester.authority, 'applications.change')) return { search: '', apps: [], more: false };
    const listed = await listClients(services, { search, sort: search === '' ? 'name' : '', limit: mostOffered });
    if (listed.kind === 'refused') return { search, apps: [], more: false };
    const limited = listed.items.filter(({ access, revokedAt }) => access === 'listed' && revokedAt === null);
    return { search, apps: limited, more: listed.next !== undefined };
  }
}

/** The applications that they can use, and those that they've connected and can't use any more, by name. */
function appsOf(connected: readonly ConnectedApp[], usable: readonly AccessibleClient[]): ShownApp[] {
  const ids = new Set(usable.map(({ client }) => client.id));
  const lost = connected.filter(({ client }) => !ids.has(client.id));
  const apps = [
    ...usable.map(({ client, reasons, expiresAt, lastUsedAt }): ShownApp => {
      return { id: client.id, name: client.name, reasons, since: firstSince(reasons), expiresAt, lastUsedAt };
    }),
    ...lost.map(({ client, lastUsedAt }): ShownApp => {
      const nothing = { reasons: [], since: null, expiresAt: null };
      return { id: client.id, name: client.name, ...nothing, lastUsedAt };
    }),
  ];
  return apps.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}
