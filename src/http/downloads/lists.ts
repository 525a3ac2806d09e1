// What a downloaded list of people or events has in its columns, for the console and the API alike.

import { firstSince, personWithAccessJson } from '../../operations/clients/people-with-access.ts';
import type { NamedEvent } from '../../operations/downloads/list-download.ts';
import { membershipJson } from '../../operations/groups/groups.ts';
import { reviewItemJson } from '../../operations/reviews/review-items.ts';
import { reviewCell, reviewColumns } from '../../operations/reviews/review-rows.ts';
import { listedUserJson, userJsonWith } from '../../operations/users/user-json.ts';
import { explanationOf } from '../../pages/console/events/event-words.ts';
import { english } from '../../pages/languages/languages.ts';
import { attributeText, attributeValue } from '../../protocol/account/attribute-values.ts';
import { detailWithActor } from '../../protocol/event.ts';
import { attributeColumn } from '../../protocol/import/sources/own.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import type { Attribute, Listed, ListedUser, PersonWithAccess, ShownReviewItem, User } from '../../storage/storage.ts';
import type { DownloadedList, DownloadRow } from './downloads.ts';

const peopleColumns = [
  'id',
  'email',
  'email_verified',
  'name',
  'given_name',
  'family_name',
  'preferred_username',
  'admin',
  'roles',
  'managed_by',
  'second_factor',
  'last_sign_in_at',
  'last_active_at',
  'password_breached_at',
  'disabled_at',
  'disabled_reason',
  'expires_at',
  'pending_since',
  'created_at',
  'updated_at',
];

/** In CSV each attribute is a column, as an import takes it. */
export function peopleDownload(attributes: readonly Attribute[]): DownloadedList<ListedUser> {
  return {
    name: 'people',
    columns: [...peopleColumns, ...attributes.map(attributeColumn)],
    toRow: (user) => listedUserJson(attributes, user),
    cell: attributeCell(attributes),
  };
}

function attributeCell(attributes: readonly Attribute[]) {
  return (user: Pick<User, 'attributes'>, column: string) => {
    const attribute = attributes.find((each) => attributeColumn(each) === column);
    return attribute && attributeText(attributeValue(user.attributes, attribute.name));
  };
}

const memberColumns = [
  'id',
  'email',
  'email_verified',
  'name',
  'given_name',
  'family_name',
  'preferred_username',
  'roles',
  'managed_by',
  'membership_since',
  'membership_expires_at',
  'disabled_at',
  'disabled_reason',
  'expires_at',
];

/** The people in a group. */
export function membersDownload(attributes: readonly Attribute[]): DownloadedList<Listed<User>> {
  return {
    name: 'members',
    columns: [...memberColumns, ...attributes.map(attributeColumn)],
    toRow: (member) => ({ ...userJsonWith(attributes, member), ...membershipJson(member) }),
    cell: attributeCell(attributes),
  };
}

/** In CSV the reasons are one cell, such as "person; group Engineering". */
export const accessDownload: DownloadedList<PersonWithAccess> = {
  name: 'people-with-access',
  columns: ['id', 'name', 'email', 'reasons', 'since', 'expires_at', 'connected_at', 'last_used_at'],
  toRow: personWithAccessJson,
  cell: ({ person, reasons }, column) => {
    if (column === 'reasons')
      return reasons.map(({ kind, group }) => (group ? `group ${group.name}` : kind)).join('; ');
    if (column === 'since') return isoTime(firstSince(reasons)) ?? '';
    return column === 'id' || column === 'name' || column === 'email' ? person[column] : undefined;
  },
};

/** In CSV each cell is text, and in JSON an item is what the API shows. */
export const reviewDownload: DownloadedList<ShownReviewItem> = {
  name: 'review',
  columns: reviewColumns,
  toRow: reviewItemJson,
  cell: (item, column) => reviewCell(item, column as (typeof reviewColumns)[number]) ?? '',
};

const eventCells: Readonly<Record<string, (named: NamedEvent) => DownloadRow[string]>> = {
  id: ({ event }) => event.id,
  at: ({ event }) => isoTime(event.at),
  kind: ({ event }) => event.kind,
  event: ({ event }) => english.admin.kinds[event.kind],
  person: ({ event }) => event.userId ?? null,
  person_email: ({ email }) => email ?? null,
  application: ({ event }) => event.clientId ?? null,
  application_name: ({ application }) => application ?? null,
  address: ({ event }) => event.address,
  request_id: ({ event }) => event.requestId,
  trace_id: ({ event }) => event.traceId ?? null,
  explanation: ({ event }) => explanationOf(english, event) ?? null,
  detail: ({ event }) => detailWithActor(event),
};

export const eventsDownload: DownloadedList<NamedEvent> = {
  name: 'events',
  columns: Object.keys(eventCells),
  toRow: (named) => Object.fromEntries(Object.entries(eventCells).map(([column, cell]) => [column, cell(named)])),
};
