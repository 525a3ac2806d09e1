// Who may use an application, in the console: everyone, or the people and groups on its list.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { endingSoonDays } from '../../../operations/admin/ends.ts';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import {
  allowedAmong,
  changeAllowed,
  clientAccessPage as readPage,
  setAccess,
  usersOnList,
} from '../../../operations/clients/access-list.ts';
import { findClient } from '../../../operations/clients/clients.ts';
import { listAllGroups } from '../../../operations/groups/groups.ts';
import { findEntry, type RemovedEntry } from '../../../operations/groups/undo.ts';
import { type ClientAccessPage, clientAccessPage, keptText } from '../../../pages/console/clients/access-list.ts';
import { confirmPage } from '../../../pages/console/console-layout.ts';
import { clientFields } from '../../../protocol/resources/client.ts';
import { Invalid } from '../../../protocol/resources/field.ts';
import type { HttpContext } from '../../context.ts';
import { type ConsoleForm, type ConsoleRequest, clientsPath, consolePages } from '../console-pages.ts';
import {
  afterPicking,
  cursorIn,
  endingIn,
  findUsersByName,
  type Picked,
  pickedIn,
  placeOf,
  sendNoList,
} from '../list-requests.ts';
import { answerUndo, sealedUndo, undoField } from '../undo.ts';
import { tabOf } from './client-tab.ts';
import { removalQuestion } from './removal-question.ts';

const path = `${clientsPath}/:id/access`;

/** What was sent by one of the two forms, when it was refused. */
interface Attempt extends Partial<Pick<ClientAccessPage, 'problem' | 'chosen'>> {
  readonly picked?: Picked;
}

export function clientListRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context, 'applications');

  pages.get(path, (page) => sendAccess(page, 200));

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

  pages.asks(`${path}/disallow`, askBeforeRemoval);
  for (const action of ['allow', 'disallow'] as const) {
    const question = action === 'allow' ? async () => undefined : askBeforeRemoval;
    const change = async (form: ConsoleForm) => {
      if (action === 'allow' && form.fields.has(undoField)) return undo(form);
      const asked = await question(form);
      if (asked !== undefined) return form.send(200, asked);
      const picked = pickedIn(form);
      const { person, group } = entryIn(form);
      const people = action === 'allow' ? picked.ticked : [person].filter((id) => id !== '');
      const groups = [group].filter((id) => id !== '');
      const named = { people, groups, expiresAt: picked.end || null };
      const sent = group === '' ? { picked } : { chosen: { group, end: picked.end } };
      if (named.people.length + groups.length === 0) {
        return sendAccess(form, 400, { problem: form.frame.messages.admin.people.pickerEmpty, ...sent });
      }
      const removed = action === 'disallow' ? await findEntry(services, placeOfEntry(form)) : undefined;
      const outcome = await changeAllowed(services, form.id, action, named, form.requester);
      if (outcome.kind === 'refused') return sendAccess(form, 400, { problem: refusalSentence(outcome), ...sent });
      const undoing = sealedUndo(form, form.own(`${path}/allow`), removed);
      return form.goTo(afterPicking(path, picked, `access-${action}ed`, undoing));
    };
    pages.powerful(`${path}/${action}`, change, { when: async (form) => (await question(form)) === undefined });
  }

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
      back: form.own(path),
      fields: entry,
    });
  }

  async function sendAccess(
    page: ConsoleRequest,
    status: number,
    { problem, picked, chosen }: Attempt = {},
  ): Promise<FastifyReply> {
    const found = await readPage(services, page.id, { ...cursorIn(page), ...endingIn(page) });
    if (found.kind === 'refused') return sendNoList(page, found);
    const { client, people, groups } = found;
    const body = clientAccessPage(page.frame, {
      ...tabOf(page, client, { problem }),
      access: client.access,
      preview: client.access === 'everyone' ? await usersOnList(services, client.id) : undefined,
      groups,
      people: people.items,
      place: placeOf(people),
      ...endingIn(page),
      endingDays: endingSoonDays,
      now: services.clock.now(),
      // With those on the list, which can get another end.
      allGroups: await listAllGroups(services),
      chosen,
      picker: await findUsersByName(services, page, picked, (ids) => allowedAmong(services, client, ids)),
    });
    return page.send(status, body);
  }
}

function placeOfEntry(form: ConsoleForm) {
  const { person, group } = entryIn(form);
  return { client: form.id, ...(person === '' ? { group } : { person }) };
}

/** The person or group of a row; the other is empty. */
function entryIn({ field }: ConsoleForm) {
  return { person: field('person'), group: field('group') };
}
