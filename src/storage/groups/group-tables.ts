// Groups, their members, who is on the list of which application, and who owns it. Part of the tables in schema.ts.

import type { RequestStatus } from '../../protocol/account/access-requests.ts';
import type { Actor } from '../../protocol/event.ts';
import { integer, nullable, table, text } from '../table.ts';
import { managed } from '../users/outside-tables.ts';

export const groups = table('groups', 'gr', ['id'], {
  id: text(),
  name: text(),
  name_key: nullable(text()),
  created_at: integer(),
  updated_at: integer(),
  ended_by: integer(),
  /** Since when only administrators change it. */
  protected_since: nullable(integer()),
  ...managed,
});

/** When it ends by itself, and how many emails about that were sent; and when it began, which was not always noted. */
const times = { expires_at: nullable(integer()), end_notices: integer(), began_at: nullable(integer()) };

export const groupMembers = table('group_members', 'gm', ['group_id', 'user_id', 'began_with'], {
  group_id: text(),
  user_id: text(),
  began_with: integer(),
  ended_by: integer(),
  ...times,
});

export const clientAccess = table('client_access', 'ca', ['client_id', 'kind', 'subject_id', 'began_with'], {
  client_id: text(),
  kind: text<'everyone' | 'person' | 'group'>(),
  subject_id: text(),
  began_with: integer(),
  ended_by: integer(),
  ...times,
});

/** The people who decide who has access to an application, and the groups whose members do. */
export const clientOwners = table('client_owners', 'co', ['client_id', 'kind', 'subject_id'], {
  client_id: text(),
  kind: text<'person' | 'group'>(),
  subject_id: text(),
  began_at: integer(),
});

export const accessRequests = table('access_requests', 'ar', ['id'], {
  id: text(),
  client_id: text(),
  user_id: text(),
  status: text<RequestStatus>(),
  /** Null for none, and once it was removed. */
  note: nullable(text()),
  asked_at: integer(),
  /** Or when it ended without a decision. */
  decided_at: nullable(integer()),
  decided_by_kind: nullable(text<Actor['kind']>()),
  decided_by_id: nullable(text()),
  /** Of the access that was given. */
  expires_at: nullable(integer()),
  /** 1 once everyone who decides was told of it. */
  told: integer(),
});
