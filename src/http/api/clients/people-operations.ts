// `/api/applications/{client_id}/people`: who can use an application, and why.

import { Type } from 'typebox';
import {
  type AccessCheck,
  accessSorts,
  checkAccess,
  listPeopleWithAccess,
  personWithAccessJson,
  reasonJson,
} from '../../../operations/clients/people-with-access.ts';
import { downloadPeopleWithAccess } from '../../../operations/downloads/list-download.ts';
import { accessFilters, reasonKinds } from '../../../protocol/admin/access-filters.ts';
import { sendDownload } from '../../downloads/downloads.ts';
import { accessDownload } from '../../downloads/lists.ts';
import { type ApiOperation, type Download, done, operationsOn } from '../define-operation.ts';
import { downloadFormats, Lines, namesOfFormats } from '../download-schemas.ts';
import {
  component,
  counted,
  foundPageOf,
  Id,
  nullable,
  page,
  pageJson,
  search,
  sortedBy,
  Text,
  Time,
} from '../schemas.ts';

export const Reason = component('AccessReason', {
  kind: Type.Enum(reasonKinds),
  group: nullable(Type.Object({ id: Text, name: Text })),
  since: nullable(Type.String({ format: 'date-time', description: 'Null if it began before Latchkey recorded that.' })),
  expires_at: nullable(Time),
});
const PersonWithAccess = component('PersonWithAccess', {
  person: Type.Object({ id: Text, name: Text, email: Text }),
  reasons: Type.Array(Reason),
  expires_at: nullable(
    Type.String({ format: 'date-time', description: 'The latest end of the reasons; null if one of them has none.' }),
  ),
  connected_at: nullable(Time),
  last_used_at: nullable(Time),
});
const AccessCheckResult = component('AccessCheck', {
  allowed: Type.Boolean(),
  reasons: Type.Array(Reason, {
    description: 'What would let the person in, also while their account or the application is disabled.',
  }),
});

const text = (about: string, maxLength: number) =>
  Type.Optional(Type.String({ maxLength, description: `Only those ${about}.` }));
const filters = {
  reason: Type.Optional(Type.Enum(reasonKinds, { description: `Only those ${accessFilters.reason.about}.` })),
  group: text(`${accessFilters.group.about}, by name or ID`, 300),
  expires_within: text(accessFilters.expires_within.about, 100),
  unused: text(accessFilters.unused.about, 100),
};
const listed = { ...search, ...sortedBy(accessSorts), ...filters };

const subject = { tag: 'applications', path: '/api/applications', area: 'applications' } as const;
const onClient = operationsOn(subject, { client_id: Id }, ({ client_id }) => client_id);
const right = 'access.read';

export const accessPeopleOperations: readonly ApiOperation[] = [
  onClient('listPeopleWithAccess', 'GET /people', {
    right,
    summary:
      'List the people who can use an application now, and why; of one that everyone can use, those who have connected it',
    query: { ...listed, ...page, ...counted },
    data: foundPageOf(PersonWithAccess),
    message: 'People retrieved.',
    run: (services, id, { authority }, { query }) =>
      listPeopleWithAccess(services, id, { ...query, total: query.total === 'yes', authority }),
    json: ({ people }) => pageJson(people, personWithAccessJson),
  }),
  onClient('checkAccess', 'GET /access/check', {
    right: 'applications.people',
    summary: 'Check whether a person can use an application now, and why',
    query: { person: Type.String({ maxLength: 300, description: 'The ID, email address or username of the person.' }) },
    data: AccessCheckResult,
    message: 'Access checked.',
    run: (services, id, _requester, { query: { person } }) => checkAccess(services, id, person),
    json: ({ allowed, reasons }: AccessCheck) => ({ allowed, reasons: reasons.map(reasonJson) }),
  }),
  ...downloadFormats.map((format) =>
    onClient(`downloadPeopleWithAccess_${format}`, `GET /people.${format}`, {
      right,
      summary: `Download the people who can use an application now, and why, as ${namesOfFormats[format]}`,
      query: listed,
      download: format,
      data: Lines(format),
      message: `The people, as ${namesOfFormats[format]}.`,
      run: async (services, id, requester, { query }) => {
        const caller = requester.actor?.id ?? '';
        const outcome = await downloadPeopleWithAccess(services, id, query, { format, caller, requester });
        if (outcome.kind === 'refused') return outcome;
        return done<Download>({ send: (reply) => sendDownload(reply, format, accessDownload, outcome) });
      },
      json: ({ data }: { readonly data: Download }) => data,
    }),
  ),
];
