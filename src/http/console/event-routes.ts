// The console's overview, and its events with why something failed.

import type { FastifyInstance } from 'fastify';
import { listExplainedEvents } from '../../operations/admin/events.ts';
import { refusalSentence, refused } from '../../operations/admin/outcome.ts';
import { overview } from '../../operations/admin/overview.ts';
import { type EventsFilter, eventsPage } from '../../pages/console/events.ts';
import { overviewPage } from '../../pages/console/overview.ts';
import type { HttpContext } from '../context.ts';
import { consolePages } from './console-pages.ts';

const DAY = 24 * 60 * 60 * 1000;

const nothing = {
  items: [],
  next: undefined,
  names: { users: new Map<string, string>(), clients: new Map<string, string>(), apiKeys: new Map<string, string>() },
};

export function consoleEventRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context);

  pages.get('/admin', async ({ frame, send }) => send(200, overviewPage(frame, await overview(services))));

  pages.get('/admin/events', async (page) => {
    const filter = filterIn(page.query);
    const since = startOfDay(filter.since);
    const until = startOfDay(filter.until);
    const invalidTime = since === 'invalid' || until === 'invalid';
    const outcome = invalidTime
      ? refused(page.frame.messages.admin.events.invalidTime)
      : await listExplainedEvents(services, {
          userEmailOrId: filter.person || undefined,
          client: filter.application || undefined,
          kind: filter.kind || undefined,
          failures: filter.failures !== '',
          requestId: filter.reference || undefined,
          since,
          // The last day counts until its end.
          until: until === undefined ? undefined : until + DAY,
          cursor: page.query.get('cursor') ?? undefined,
        });
    const { items, next, names } = outcome.kind === 'done' ? outcome : nothing;
    const problem = outcome.kind === 'done' ? undefined : invalidTime ? outcome.problem : refusalSentence(outcome);
    const body = eventsPage(page.frame, { filter, events: items, names, next, notice: page.notice, problem });
    return page.send(problem === undefined ? 200 : 400, body);
  });
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

/** When a day begins, in UTC; undefined when none is given. */
function startOfDay(text: string): number | undefined | 'invalid' {
  if (text === '') return undefined;
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) ? 'invalid' : at;
}
