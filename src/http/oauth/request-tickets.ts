// Tickets that carry an authorization request from the page that asks about it to the form that answers. Both are bound
// to the session, because the answer is that of its user.

import type { TicketKind } from '../tickets.ts';

/** The request's query, byte for byte. */
type QueryTicket = TicketKind<string>;

const query = {
  field: 'request',
  boundTo: 'session',
  write: (rawQuery: string) => rawQuery,
  read: (text: string) => text,
} as const;

/** On the consent page. */
export const decisionTicket: QueryTicket = { purpose: 'decision', ...query };

/** On the page that asks which account to continue with. */
export const accountChoiceTicket: QueryTicket = { purpose: 'account-choice', ...query };
