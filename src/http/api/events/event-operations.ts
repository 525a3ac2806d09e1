// `/api/events` and `/api/overview`: what happened, event by event and in total.

import { type Static, type TObject, Type } from 'typebox';
import { refused } from '../../../operations/admin/outcome.ts';
import { type EventsQuery, listEvents } from '../../../operations/events/events.ts';
import { overview, type Series as SeriesFacts, type Warning } from '../../../operations/events/overview.ts';
import { explanationOf } from '../../../pages/console/events/event-words.ts';
import { english } from '../../../pages/languages/languages.ts';
import { detailWithActor, type EventRecord } from '../../../protocol/event.ts';
import { isoTime } from '../../../protocol/iso-time.ts';
import { type ApiOperation, done, operationsAt } from '../define-operation.ts';
import { counted, Event, EventKindName, listParts, Overview, page, pageOf } from '../schemas.ts';

const activity = operationsAt({ tag: 'activity', path: '/api', area: 'events' });
const text = (description: string) => Type.Optional(Type.String({ maxLength: 320, description }));
const time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

export const eventFilter = {
  person: text('An email address, a username or an ID.'),
  application: text('A client_id, or a part of a name.'),
  kind: Type.Optional(EventKindName),
  failures: Type.Optional(Type.Enum(['yes'], { description: 'Failures only.' })),
  reference: text('What an error page has called the request, or the ID of its trace.'),
  since: time('From this moment on.'),
  until: time('Before this moment.'),
};

/** Undefined for a leap second: the schema lets it through, and JavaScript knows no such time. */
export function eventsQueryOf(query: Static<TObject<typeof eventFilter>>): EventsQuery | undefined {
  const [since, until] = [query.since, query.until].map((time) => (time === undefined ? undefined : Date.parse(time)));
  if (Number.isNaN(since) || Number.isNaN(until)) return undefined;
  const { person, application, kind, failures, reference } = query;
  return {
    user: person,
    client: application,
    kinds: kind && [kind],
    requestId: reference,
    since,
    until,
    failures: failures !== undefined,
  };
}

export const eventOperations: readonly ApiOperation[] = [
  activity('listEvents', 'GET /events', {
    summary: 'List events, newest first',
    query: { ...eventFilter, ...page, ...counted },
    data: pageOf(Event),
    message: 'Events retrieved.',
    run: async (services, { query: { cursor, limit, total, ...query } }, { authority }) => {
      const wanted = eventsQueryOf(query);
      if (wanted === undefined) return refused('"since" or "until" isn\'t a valid time');
      return listEvents(services, { ...wanted, cursor, limit, authority, total: total === 'yes' });
    },
    json: listParts(eventJson),
  }),
  activity('getOverview', 'GET /overview', {
    summary: 'Read activity, usage by application, and what needs attention',
    data: Overview,
    message: 'Overview retrieved.',
    run: async (services, _input, { authority }) => {
      const { day, month, users, waiting, clients, warnings } = await overview(services, authority);
      return done({
        day: day === undefined ? null : seriesJson(day),
        month: month === undefined ? null : seriesJson(month),
        people: users === undefined ? null : { all: users.all, active: users.active, pending: waiting.count },
        applications: clients.map(({ id, name, signIns, refreshes, failures }) => ({
          client_id: id,
          name,
          sign_ins: signIns,
          refreshes,
          failures,
        })),
        warnings: warnings.map(warningJson),
      });
    },
  }),
];

function eventJson(event: EventRecord) {
  const detail = Object.entries(detailWithActor(event)).map(([name, value]): [string, string | number | string[]] => {
    return [name, typeof value === 'object' ? [...value] : value];
  });
  return {
    id: event.id,
    at: isoTime(event.at),
    kind: event.kind,
    person: event.userId ?? null,
    application: event.clientId ?? null,
    address: event.address,
    request_id: event.requestId,
    trace_id: event.traceId ?? null,
    detail: Object.fromEntries(detail),
    explanation: explanationOf(english, event) ?? null,
  };
}

function seriesJson({ from, step, totals }: SeriesFacts) {
  return {
    from: isoTime(from),
    step_seconds: step / 1000,
    sign_ins: [...totals.sign_in],
    failures: [...totals.failure],
    refreshes: [...totals.refresh],
  };
}

function warningJson(warning: Warning) {
  if (warning.kind !== 'old_secret_in_use') return { kind: warning.kind, application: null, last_used_at: null };
  const { client, usedAt, kind } = warning;
  return { kind, application: { client_id: client.id, name: client.name }, last_used_at: isoTime(usedAt) };
}
