// `/api/events` and `/api/overview`: what happened, event by event and in total.

import { Type } from 'typebox';
import { listEvents } from '../../operations/admin/events.ts';
import { refused } from '../../operations/admin/outcome.ts';
import { overview, type Series as SeriesFacts, type Warning } from '../../operations/admin/overview.ts';
import { explanationOf } from '../../pages/console/events.ts';
import { english } from '../../pages/languages/languages.ts';
import { detailWithActor, type EventRecord } from '../../protocol/event.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import { type ApiOperation, defineOperation, done, respondWith } from './define-operation.ts';
import { Event, EventKindName, Overview, page, pageOf } from './schemas.ts';

const tag = 'activity';
const text = (description: string) => Type.Optional(Type.String({ maxLength: 320, description }));
const time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

export const eventOperations: readonly ApiOperation[] = [
  defineOperation({
    operationId: 'listEvents',
    method: 'GET',
    path: '/api/events',
    tag,
    summary: 'List what has happened, the newest first',
    needs: 'read',
    query: {
      person: text('An e-mail address or an id.'),
      application: text('A client_id or a name.'),
      kind: Type.Optional(EventKindName),
      reference: text('What an error page has called the request.'),
      since: time('From this moment on.'),
      until: time('Before this moment.'),
      ...page,
    },
    data: pageOf(Event),
    message: 'Here are the events.',
    run: async ({ services, query }) => {
      const [since, until] = [query.since, query.until].map((time) =>
        time === undefined ? undefined : Date.parse(time),
      );
      // The schema lets a leap second through, which isn't a time that JavaScript knows.
      if (Number.isNaN(since) || Number.isNaN(until))
        return refused('there is no such time as "since" or "until" says');
      const { person, application, kind, reference, cursor, limit } = query;
      const wanted = { userEmailOrId: person, client: application, kind, requestId: reference, since, until };
      return respondWith(await listEvents(services, { ...wanted, cursor, limit }), ({ items, next }) => ({
        items: items.map(eventJson),
        next_cursor: next ?? null,
      }));
    },
  }),

  defineOperation({
    operationId: 'getOverview',
    method: 'GET',
    path: '/api/overview',
    tag,
    summary: 'Read how much happens, who uses what, and what needs attention',
    needs: 'read',
    data: Overview,
    message: 'Here is the overview.',
    run: async ({ services }) => {
      const { day, month, users, clients, warnings } = await overview(services);
      return done({
        day: seriesJson(day),
        month: seriesJson(month),
        people: users,
        applications: clients.map(({ id, name, signIns, refreshes, failures }) => ({
          ...{ client_id: id, name, sign_ins: signIns, refreshes, failures },
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
