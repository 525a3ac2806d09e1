// The console's overview, and its events with why something failed.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { countWaitingRequests } from '../../../operations/access-requests/access-requests.ts';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import { listClients } from '../../../operations/clients/clients.ts';
import { downloadEvents } from '../../../operations/downloads/list-download.ts';
import { type EventsQuery, listExplainedEvents } from '../../../operations/events/events.ts';
import { firstSteps } from '../../../operations/events/first-steps.ts';
import { overview, peopleToLookAt } from '../../../operations/events/overview.ts';
import { changeSettings } from '../../../operations/settings/change-settings.ts';
import type { EventsFilter } from '../../../pages/console/events/event-filter.ts';
import { type EventRange, eventRanges } from '../../../pages/console/events/event-filter.ts';
import { eventsPage } from '../../../pages/console/events/events.ts';
import { firstStepsPath } from '../../../pages/console/first-steps.ts';
import { overviewPage } from '../../../pages/console/overview.ts';
import type { Messages } from '../../../pages/languages/languages.ts';
import { ownVersion } from '../../../platform/version.ts';
import { DAY } from '../../../protocol/durations.ts';
import type { HttpContext } from '../../context.ts';
import { eventsDownload } from '../../downloads/lists.ts';
import { type ConsoleRequest, consolePages } from '../console-pages.ts';
import { downloadRoutes, type InvalidFilter } from '../download-routes.ts';
import { cursorIn, isGone, placeOf } from '../list-requests.ts';
import { type ResolvedFilter, resolveFilter } from './event-filter.ts';

const rangeLengths: Record<EventRange, number> = { '24h': DAY, '7d': 7 * DAY, '30d': 30 * DAY };
/** Suggested in the filter. */
const mostApplications = 50;

const nobody = {
  users: new Map<string, string>(),
  clients: new Map<string, string>(),
  apiKeys: new Map<string, string>(),
};

export function consoleEventRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context, 'events');

  pages.get('/admin', async ({ frame, send, notice, query, requester: { authority } }) => {
    const period = query.get('period') === '30d' ? 'month' : 'day';
    const [shown, steps, filtered, requests] = await Promise.all([
      overview(services, authority),
      firstSteps(services, authority),
      peopleToLookAt(services, authority),
      countWaitingRequests(services, authority),
    ]);
    const now = services.clock.now();
    const docs = context.docs === 'on';
    const version = ownVersion();
    return send(
      200,
      overviewPage(frame, {
        ...shown,
        series: shown[period],
        period,
        steps,
        filtered,
        requests,
        docs,
        notice,
        now,
        version,
      }),
    );
  });

  pages.needing('settings.change').post(firstStepsPath, async (form) => {
    const change = { first_steps: form.field('first_steps') };
    const { kind } = await changeSettings(services, change, form.requester);
    return form.goTo(kind === 'done' ? '/admin?done=checklist-hidden' : '/admin');
  });

  pages.get('/admin/events', async (page) => {
    const { messages } = page.frame;
    const filter = filterIn(page.query);
    const { authority } = page.requester;
    const resolved = await resolveFilter(services, messages, filter, authority);
    const wanted = eventsQueryOf(messages, filter, resolved, services.clock.now());
    if (wanted.kind === 'invalid_filter') return sendEvents(page, filter, resolved, wanted.sentence);
    const outcome = await listExplainedEvents(services, {
      ...wanted.query,
      ...cursorIn(page),
      authority,
      total: true,
    });
    if (outcome.kind === 'refused') return sendEvents(page, filter, resolved, refusalSentence(outcome));
    if (isGone(placeOf(outcome))) return page.sendMoved();
    return sendEvents(page, filter, resolved, undefined, outcome);
  });

  downloadRoutes(
    app,
    context,
    { section: 'events', path: '/admin/events' },
    async () => eventsDownload,
    async ({ query, frame: { messages } }, request) => {
      const filter = filterIn(query);
      const resolved = await resolveFilter(services, messages, filter, request.requester.authority);
      const wanted = eventsQueryOf(messages, filter, resolved, services.clock.now());
      return wanted.kind === 'invalid_filter' ? wanted : downloadEvents(services, wanted.query, request);
    },
  );

  async function sendEvents(
    page: ConsoleRequest,
    filter: EventsFilter,
    { choices, names }: ResolvedFilter,
    sentence: string | undefined,
    listed?: Extract<Awaited<ReturnType<typeof listExplainedEvents>>, { kind: 'done' }>,
  ): Promise<FastifyReply> {
    // What a chooser asks isn't said twice.
    const asked = Object.values(choices).some((choice) => choice?.title === sentence);
    const problem = asked ? undefined : sentence;
    const applications = await listClients(services, { limit: mostApplications });
    const body = eventsPage(page.frame, {
      filter,
      choices,
      filtered: names,
      now: services.clock.now(),
      applications: applications.kind === 'done' ? applications.items : [],
      events: listed?.items,
      names: listed?.names ?? nobody,
      place: placeOf(listed),
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
    range: parameter('range'),
    since: parameter('since'),
    until: parameter('until'),
    sort: parameter('sort'),
  };
}

function eventsQueryOf(
  messages: Messages,
  filter: EventsFilter,
  { person, unclear }: ResolvedFilter,
  now: number,
): { kind: 'valid'; query: EventsQuery } | InvalidFilter {
  if (unclear !== undefined) return { kind: 'invalid_filter', sentence: unclear };
  const { invalidTime, invalidRange } = messages.admin.events;
  const day = startOfDay(filter.since);
  const until = startOfDay(filter.until);
  if (day === 'invalid' || until === 'invalid') return { kind: 'invalid_filter', sentence: invalidTime };
  const range = eventRanges.find((each) => each === filter.range);
  if (range === undefined && filter.range !== '') return { kind: 'invalid_filter', sentence: invalidRange };
  const begin = range && now - rangeLengths[range];
  const query = {
    user: person || undefined,
    client: filter.application || undefined,
    kinds: filter.kind ? [filter.kind] : undefined,
    failures: filter.failures !== '',
    requestId: filter.reference || undefined,
    since: day === undefined || begin === undefined ? (day ?? begin) : Math.max(day, begin),
    // The last day counts until its end.
    until: until === undefined ? undefined : until + DAY,
    sort: filter.sort,
  };
  return { kind: 'valid', query };
}

/** When a day begins, in UTC; undefined when none is given. */
function startOfDay(text: string): number | undefined | 'invalid' {
  if (text === '') return undefined;
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) ? 'invalid' : at;
}
