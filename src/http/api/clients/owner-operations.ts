// What owners of an application read of it, besides who has access.

import { Type } from 'typebox';
import { listOwnedEvents } from '../../../operations/clients/owned-clients.ts';
import { explanationOf } from '../../../pages/console/events/event-words.ts';
import { english } from '../../../pages/languages/languages.ts';
import { isoTime } from '../../../protocol/iso-time.ts';
import { type ApiOperation, operationsOn } from '../define-operation.ts';
import { component, Id, nullable, page, pageJson, pageOf, Text, Time } from '../schemas.ts';

const OwnedEvent = component('ApplicationEvent', {
  id: Text,
  at: Time,
  kind: Text,
  failed: Type.Boolean(),
  person: nullable(Type.Object({ id: Text, name: nullable(Text) })),
  group: nullable(Text),
  reason: nullable(Text),
  explanation: nullable(Type.String({ description: 'Why something failed, in words.' })),
});

const subject = { tag: 'applications', path: '/api/applications', area: 'applications' } as const;
const onClient = operationsOn(subject, { client_id: Id }, ({ client_id }) => client_id);

export const ownerOperations: readonly ApiOperation[] = [
  onClient('listApplicationEvents', 'GET /events', {
    right: 'applications.owned',
    summary: "List an application's events, newest first, without IP addresses and devices, as its owners see them",
    query: { failures: Type.Optional(Type.Enum(['yes'], { description: 'Failures only.' })), ...page },
    data: pageOf(OwnedEvent),
    message: 'Events retrieved.',
    run: (services, id, _requester, { query: { failures, ...part } }) =>
      listOwnedEvents(services, id, { ...part, failures: failures !== undefined }),
    json: ({ events, names }) =>
      pageJson(events, (event) => ({
        id: event.id,
        at: isoTime(event.at),
        kind: event.kind,
        failed: event.failed,
        person: event.userId === undefined ? null : { id: event.userId, name: names.users.get(event.userId) ?? null },
        group: textIn(event.detail?.group),
        reason: textIn(event.detail?.reason),
        explanation: explanationOf(english, event) ?? null,
      })),
  }),
];

function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
