// `/api/groups`: what a group says of its members, and the people in it. Everything else follows from the subject.

import { Type } from 'typebox';
import { listAttributes } from '../../../operations/attributes/attributes.ts';
import { downloadMembers } from '../../../operations/downloads/list-download.ts';
import { changeMembers, groupDetails, memberSorts, membershipJson } from '../../../operations/groups/groups.ts';
import { groups } from '../../../operations/groups/subject.ts';
import { userJsonOfEach } from '../../../operations/users/user-json.ts';
import { entryFields } from '../../../protocol/resources/entry.ts';
import { groupFields } from '../../../protocol/resources/group.ts';
import { givenByName, jsonOf } from '../../../protocol/resources/resource.ts';
import type { Group } from '../../../storage/storage.ts';
import { sendDownload } from '../../downloads/downloads.ts';
import { membersDownload } from '../../downloads/lists.ts';
import { type ApiOperation, type Download, done, operationsOn } from '../define-operation.ts';
import { downloadFormats, Lines, namesOfFormats } from '../download-schemas.ts';
import { creatingBody, shownFields } from '../field-schemas.ts';
import {
  component,
  counted,
  ending,
  foundPageOf,
  Id,
  nullable,
  page,
  pageJson,
  Subjects,
  search,
  sortedBy,
  Time,
} from '../schemas.ts';
import { subjectOperations } from '../subject-operations.ts';
import { person } from '../users/user-operations.ts';

const details = {
  data: component('GroupDetails', {
    ...shownFields(groupFields),
    people: Type.Integer({ minimum: 0, description: 'Number of members.' }),
  }),
  json: ({ group, people }: { readonly group: Group; readonly people: number }) => ({
    ...jsonOf(groupFields, group),
    people,
  }),
};
const Member = component('GroupMember', {
  ...person,
  membership_since: nullable(
    Type.String({ format: 'date-time', description: 'Null if it began before Latchkey recorded that.' }),
  ),
  membership_expires_at: nullable(Time),
});

const listed = { ...search, ...sortedBy(memberSorts), ...ending };

/** A name is no ID. */
const onGroup = operationsOn({ tag: 'groups', path: groups.api, area: 'groups' }, { id: Id }, ({ id }) => ({ id }));

function memberOperation(operationId: string, action: 'add' | 'remove', summary: string): ApiOperation {
  return onGroup(operationId, `POST /${action}`, {
    summary,
    // Groups decide who can use applications.
    powerful: true,
    body: creatingBody(action === 'add' ? entryFields : {}, { people: Subjects }),
    data: Type.Unsafe<object>({ $ref: '#/components/schemas/Group' }),
    message: 'Group updated.',
    run: (services, id, requester, { body }) => {
      // Checked against the schema.
      const { people } = body as { readonly people: readonly string[] };
      return changeMembers(services, id, { [action]: people, ...givenByName(entryFields, body) }, requester);
    },
    json: ({ group }: { readonly group: Group }) => jsonOf(groupFields, group),
  });
}

export const groupOperations: readonly ApiOperation[] = [
  ...subjectOperations(groups, { besides: { show: details } }),
  onGroup('listGroupMembers', 'GET /people', {
    summary: 'List the people in a group; with a search, in the order of the matching words',
    query: { ...listed, ...page, ...counted },
    data: foundPageOf(Member),
    message: 'Members retrieved.',
    run: (services, id, _requester, { query }) =>
      groupDetails(services, id, { ...query, ending: query.ending === 'yes', total: query.total === 'yes' }),
    json: async ({ members }, services) => {
      const json = await userJsonOfEach(services);
      return pageJson(members, (member) => ({ ...json(member), ...membershipJson(member) }));
    },
  }),
  ...downloadFormats.map((format) =>
    onGroup(`downloadGroupMembers_${format}`, `GET /people.${format}`, {
      summary: `Download the people in a group as ${namesOfFormats[format]}`,
      query: listed,
      download: format,
      data: Lines(format),
      message: `The members, as ${namesOfFormats[format]}.`,
      run: async (services, { id }, requester, { query }) => {
        const caller = requester.actor?.id ?? '';
        const members = { ...query, ending: query.ending === 'yes' };
        const outcome = await downloadMembers(services, id, members, { format, caller, requester });
        if (outcome.kind === 'refused') return outcome;
        const list = membersDownload(await listAttributes(services));
        return done<Download>({ send: (reply) => sendDownload(reply, format, list, outcome) });
      },
      json: ({ data }: { readonly data: Download }) => data,
    }),
  ),
  memberOperation(
    'addToGroup',
    'add',
    'Add people to a group; who is in it already gets the end that is given, or none',
  ),
  memberOperation('removeFromGroup', 'remove', 'Remove people from a group'),
];
