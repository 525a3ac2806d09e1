// `latchkey access-request …`: requests of people who lack access to an application.

import {
  allowAccessRequest,
  declineAccessRequest,
  listAccessRequests,
  requestJson,
} from '../../operations/access-requests/access-requests.ts';
import { requestStatuses } from '../../protocol/account/access-requests.ts';
import { messageLimit } from '../../protocol/account/standing.ts';
import { entryFields } from '../../protocol/resources/entry.ts';
import { clientNamed } from '../clients/named-client.ts';
import { requireDone } from '../command.ts';
import { fieldOptions, givenByOptions } from '../frame/field-options.ts';
import { limitOption, readList } from '../frame/lists.ts';
import { summaries } from '../summaries.ts';
import { briefTime, untilText } from '../terminal/times.ts';
import { defineStoreCommand } from '../with-services.ts';

const exampleId = '6vhp3ewcjxhvrg8cvwbfwnwr7h';
const named = { id: { label: '<id>' } } as const;

export const accessRequest = {
  summary: summaries['access-request'],
  details: 'An application takes requests with "latchkey client update <client_id> --access-requests on".',
  examples: ['latchkey access-request list --status open', `latchkey access-request allow ${exampleId}`],
  commands: {
    list: defineStoreCommand({
      summary: 'list requests for access, newest first',
      options: {
        status: { values: requestStatuses, about: 'only those with this status' },
        application: { value: 'CLIENT_ID|NAME', completes: 'client', about: 'only those for this application' },
        person: { value: 'EMAIL|ID', completes: 'person', about: 'only those of this person' },
        ...limitOption,
      },
      examples: [
        'latchkey access-request list --status open',
        'latchkey access-request list --application photos --json',
      ],
      async run({ services, values, requester }) {
        const { status, person } = values;
        const application = values.application && (await clientNamed(services, values.application)).id;
        const { items, rest } = await readList(values, (request) =>
          listAccessRequests(services, { ...request, status, application, person }, requester),
        );
        const rows = items.map((each) => [
          each.id,
          each.status,
          briefTime(each.askedAt),
          each.person.email,
          each.application.name,
          each.note ?? '',
        ]);
        return {
          json: items.map(requestJson),
          list: [['ID', 'STATUS', 'ASKED', 'PERSON', 'APPLICATION', 'NOTE'], ...rows],
          none: 'No access requests.',
          rest,
        };
      },
    }),
    allow: defineStoreCommand({
      summary: "allow a request: the person is added to the application's access list, and notified by email",
      arguments: named,
      options: fieldOptions(entryFields, 'create'),
      examples: [
        `latchkey access-request allow ${exampleId}`,
        `latchkey access-request allow ${exampleId} --expires 90d`,
      ],
      async run({ services, values, args, requester }) {
        const given = givenByOptions(entryFields, 'create', values);
        const { request } = requireDone(await allowAccessRequest(services, args.id, given, requester));
        const { person, application, expiresAt } = request;
        const until = expiresAt === null ? '' : ` ${untilText(expiresAt).trim()}`;
        return {
          json: requestJson(request),
          text: `Allowed: ${person.email} can use ${JSON.stringify(application.name)}${until}.`,
        };
      },
    }),
    decline: defineStoreCommand({
      summary: 'decline a request; the person is notified by email',
      arguments: named,
      options: {
        reason: { value: 'TEXT', about: `what to tell them, as plain text of at most ${messageLimit} characters` },
      },
      examples: [
        `latchkey access-request decline ${exampleId}`,
        `latchkey access-request decline ${exampleId} --reason "Use the shared account of your team."`,
      ],
      async run({ services, values: { reason = '' }, args, requester }) {
        const { request } = requireDone(await declineAccessRequest(services, args.id, reason, requester));
        return {
          json: requestJson(request),
          text: `Declined the request of ${request.person.email} for ${JSON.stringify(request.application.name)}.`,
        };
      },
    }),
  },
};
