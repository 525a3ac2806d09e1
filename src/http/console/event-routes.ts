// The console's overview, and its events with why something failed.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { listClients } from '../../operations/admin/clients.ts';
import { downloadEvents } from '../../operations/admin/downloads/list-download.ts';
import { type EventsQuery, listExplainedEvents } from '../../operations/admin/events.ts';
import { refusalSentence } from '../../operations/admin/outcome.ts';
import { overview } from '../../operations/admin/overview.ts';
import { type EventsFilter, eventsPage } from '../../pages/console/events.ts';
import { overviewPage } from '../../pages/console/overview.ts';
import type { HttpContext } from '../context.ts';
import { eventsDownload } from '../downloads/lists.ts';
import { type ConsoleRequest, consolePages } from './console-pages.ts';
import { downloadRoutes } from './download-routes.ts';
import { type ResolvedFilter, resolveFilter } from './event-filter.ts';
import { emptyList, placeOf } from './list-requests.ts';

const DAY = 24 * 60 * 60 * 1000;
/** Suggested in the filter. */
const mostApplications = 50;

const nobody = {
  users: new Map<string, string>(),
  clients: new Map<string, string>(),
  apiKeys: new Map<string, string>(),
};

export function consoleEventRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context);

  pages.get('/admin', async ({ frame, send }) => send(200, overviewPage(frame, await overview(services))));

  pages.get('/admin/events', async (page) => {
    const filter = filterIn(page.query);
    const resolved = await resolveFilter(services, filter);
    const query = eventsQueryOf(filter, resolved);
    if (query === undefined) return sendEvents(page, filter, resolved, page.frame.messages.admin.events.invalidTime);
    const outcome = await listExplainedEvents(services, { ...query, cursor: page.query.get('cursor') ?? undefined });
    if (outcome.kind === 'refused') return sendEvents(page, filter, resolved, refusalSentence(outcome));
    return sendEvents(page, filter, resolved, undefined, outcome);
  });

  downloadRoutes(app, context, '/admin/events', eventsDownload, async ({ query }, request) => {
    const filter = filterIn(query);
    const wanted = eventsQueryOf(filter, await resolveFilter(services, filter));
    return wanted && downloadEvents(services, wanted, request);
  });

  async function sendEvents(
    page: ConsoleRequest,
    filter: EventsFilter,
    { choices, names }: ResolvedFilter,
    problem: string | undefined,
    listed?: Extract<Awaited<ReturnType<typeof listExplainedEvents>>, { kind: 'done' }>,
  ): Promise<FastifyReply> {
    const applications = await listClients(services, { limit: mostApplications });
    const body = eventsPage(page.frame, {
      ...{ filter, choices, filtered: names, now: services.clock.now() },
      applications: applications.kind === 'done' ? applications.items : [],
      events: listed?.items ?? [],
      names: listed?.names ?? nobody,
      place: placeOf(listed ?? emptyList),
      notice: problem === undefined ? page.notice : undefined,
      problem,
    });
    return page.send(problem === undefined ? 200 : 400, body);
  }
}

function filterIn(query: URLSearchParams): EventsFilter {
  const parameter = (name: keyof EventsFilter) => query.get(name)?.trim() ?? '';
  return {
    person: parameter('person'),
    application: parameter('application'),
    kind: parameter('kind'),
    failures: parameter('failures'),
    reference: parameter('reference'),
    since: parameter('since'),
    until: parameter('until'),
  };
}

/** Undefined when a date isn't one. */
function eventsQueryOf(filter: EventsFilter, { person }: ResolvedFilter): EventsQuery | undefined {
  const since = startOfDay(filter.since);
  const until = startOfDay(filter.until);
  if (since === 'invalid' || until === 'invalid') return undefined;
  return {
    userEmailOrId: person || undefined,
    client: filter.application || undefined,
    kind: filter.kind || undefined,
    failures: filter.failures !== '',
    requestId: filter.reference || undefined,
    since,
    // The last day counts until its end.
    until: until === undefined ? undefined : until + DAY,
  };
}

/** When a day begins, in UTC; undefined when none is given. */
function startOfDay(text: string): number | undefined | 'invalid' {
  if (text === '') return undefined;
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) ? 'invalid' : at;
}
