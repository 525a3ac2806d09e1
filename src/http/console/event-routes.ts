// The console's overview, its events and why something failed.

import type { FastifyInstance } from 'fastify';
import { listEvents } from '../../operations/admin/lists.ts';
import { refused, sentenceOf } from '../../operations/admin/outcome.ts';
import { overview } from '../../operations/admin/overview.ts';
import { type EventsFilter, eventsPage, type RedirectMismatch } from '../../pages/console/events.ts';
import { overviewPage } from '../../pages/console/overview.ts';
import { closest, differenceOf } from '../../protocol/admin/text-difference.ts';
import type { EventRecord } from '../../protocol/event.ts';
import { redirectUriProblem } from '../../protocol/oauth/redirect-uri.ts';
import type { Client } from '../../storage/storage.ts';
import type { HttpContext } from '../context.ts';
import { consolePages } from './console-pages.ts';

const DAY = 24 * 60 * 60 * 1000;

export function consoleEventRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { storage } = services;
  const { page } = consolePages(app, context);

  page('/admin', async ({ frame, send }) => send(200, overviewPage(frame, await overview(services))));

  page('/admin/events', async (own) => {
    const asked = (name: keyof EventsFilter) => own.query.get(name)?.trim() ?? '';
    const filter: EventsFilter = {
      ...{ person: asked('person'), application: asked('application'), kind: asked('kind') },
      ...{ reference: asked('reference'), since: asked('since'), until: asked('until') },
    };
    const since = dayOf(filter.since);
    const until = dayOf(filter.until);
    const m = own.frame.messages.admin.events;
    const invalidTime = since === 'bad' || until === 'bad';
    const listed = invalidTime
      ? refused('')
      : await listEvents(services, {
          person: filter.person || undefined,
          application: filter.application || undefined,
          kind: filter.kind || undefined,
          reference: filter.reference || undefined,
          since,
          // The last day is meant with all its hours.
          until: until === undefined ? undefined : until + DAY,
          cursor: own.query.get('cursor') ?? undefined,
        });
    const found = listed.kind === 'done' ? listed : { items: [], next: undefined };
    const actors = found.items.flatMap(({ actor }) => actor ?? []);
    const administrators = actors.filter(({ kind }) => kind === 'administrator').map(({ id }) => id);
    const [apps, people] = await Promise.all([
      findEach(
        found.items.flatMap(({ clientId }) => clientId ?? []),
        (id) => storage.findClient(id),
      ),
      findEach([...found.items.flatMap(({ userId }) => userId ?? []), ...administrators], (id) => storage.findUser(id)),
    ]);
    const keys = actors.some(({ kind }) => kind === 'api_key') ? await storage.listApiKeys() : [];
    const problem = invalidTime ? m.invalidTime : listed.kind === 'refused' ? sentenceOf(listed) : undefined;
    const names = <Named extends { name: string }>(known: Map<string, Named>) =>
      new Map([...known].map(([id, { name }]) => [id, name]));
    const body = eventsPage(own.frame, {
      filter,
      events: found.items.map((event) => ({ ...event, mismatch: mismatchIn(event, apps) })),
      people: names(people),
      apps: names(apps),
      keys: new Map(keys.map(({ id, name }) => [id, name])),
      next: found.next,
      notice: own.notice,
      problem,
    });
    return own.send(problem === undefined ? 200 : 400, body);
  });
}

/** Those that are still there, each looked for once. */
async function findEach<Found>(
  ids: readonly string[],
  find: (id: string) => Promise<Found | undefined>,
): Promise<Map<string, Found>> {
  const found = new Map<string, Found>();
  await Promise.all(
    [...new Set(ids)].map(async (id) => {
      const each = await find(id);
      if (each !== undefined) found.set(id, each);
    }),
  );
  return found;
}

/** For a redirect URI that was refused: what it was, beside the registered one that is most like it. */
function mismatchIn(event: EventRecord, apps: ReadonlyMap<string, Client>): RedirectMismatch | undefined {
  const client = apps.get(event.clientId ?? '');
  if (client === undefined || event.detail?.reason !== 'redirect_uri_mismatch') return undefined;
  const received = String(event.detail.received ?? '');
  const registered = [event.detail.registered ?? []].flat().map(String);
  const nearest = received === '' ? undefined : closest(received, registered);
  const problem = redirectUriProblem(received, client.isPublic);
  const canBe = problem === undefined ? 'can_be_registered' : { problem };
  return {
    clientId: client.id,
    received,
    difference: nearest === undefined ? undefined : differenceOf(received, nearest),
    state: client.redirectUris.includes(received) ? 'registered' : canBe,
  };
}

/** The beginning of a day (UTC), undefined when none is given. */
function dayOf(text: string): number | undefined | 'bad' {
  if (text === '') return undefined;
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) ? 'bad' : at;
}
