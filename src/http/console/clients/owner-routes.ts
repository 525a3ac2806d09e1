// Owners of applications in the console: who they are, and what they see of theirs.

import type { FastifyInstance } from 'fastify';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import { listOwnedClients, listOwnedEvents } from '../../../operations/clients/owned-clients.ts';
import { updateClientAndOwners } from '../../../operations/clients/owners.ts';
import { type OwnersCard, ownedApplicationsPage, ownedEventsPage } from '../../../pages/console/clients/owners.ts';
import { ownedPath } from '../../../pages/console/console-layout.ts';
import { ownedBy } from '../../../protocol/admin/rights.ts';
import type { Answer } from '../../account/account-pages.ts';
import type { HttpContext } from '../../context.ts';
import { appIdentity } from '../../logos.ts';
import { type ConsoleForm, type ConsoleRequest, clientsPath, consolePages } from '../console-pages.ts';
import { cursorIn, isGone, placeOf, sendNoList } from '../list-requests.ts';
import { tabOf } from './client-tab.ts';

const one = `${clientsPath}/:id`;

export function ownerRoutes(
  app: FastifyInstance,
  context: HttpContext,
  again: (
    page: ConsoleRequest,
    status: number,
    attempt: { readonly problem: string; readonly sentOwners: OwnersCard['sent'] },
  ) => Answer,
): void {
  const { services } = context;
  const pages = consolePages(app, context, 'applications');
  const owned = pages.needing('applications.owned');

  owned.get(ownedPath, async ({ frame, send, notice, requester: { authority } }) => {
    const clients = await listOwnedClients(services, ownedBy(authority));
    const shown = clients.map((client) => ({
      ...client,
      app: appIdentity(client),
      revoked: client.revokedAt !== null,
    }));
    return send(200, ownedApplicationsPage(frame, { clients: shown, notice, problem: undefined }));
  });

  owned.get(`${one}/activity`, async (page) => {
    const failures = page.query.get('failures') === 'yes';
    const listed = await listOwnedEvents(services, page.id, { ...cursorIn(page), failures });
    if (listed.kind === 'refused') return sendNoList(page, listed);
    const { client, events, names } = listed;
    if (isGone(placeOf(events))) return page.sendMoved();
    const body = ownedEventsPage(page.frame, {
      ...tabOf(page, client),
      events: events.items,
      names,
      failures,
      place: placeOf(events),
      now: services.clock.now(),
    });
    return page.send(200, body);
  });

  const save = async (form: ConsoleForm) => {
    const asking = form.field('access_requests') === 'on';
    const sent = { people: form.field('people'), groups: form.field('groups'), asking };
    const owners = { people: linesOf(sent.people), groups: linesOf(sent.groups) };
    const change = { accessRequests: asking ? 'on' : 'off' };
    const outcome = await updateClientAndOwners(services, form.id, change, owners, form.requester);
    if (outcome.kind === 'done') return form.goTo(`${one}/access?done=saved`);
    if (outcome.reason === 'not_found') return form.refuse(outcome);
    return again(form, form.statusOf(outcome), { problem: refusalSentence(outcome), sentOwners: sent });
  };
  pages.needing('owners.change').powerful(`${one}/owners`, save, { multiline: ['people', 'groups'] });
}

function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
