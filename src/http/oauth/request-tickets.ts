// Tickets that carry an authorization request from the page that asks about it to the form that answers. Both are bound
// to the session, because the answer is that of its user.

import { formatScopes, parseScopes, type Scope } from '../../protocol/oauth/scope.ts';
import type { TicketKind } from '../tickets.ts';

/** The request's query, byte for byte. */
interface CarriedRequest {
  readonly query: string;
}

interface ShownRequest extends CarriedRequest {
  /** The scopes that the page listed, the only ones that its form can approve. */
  readonly shown: readonly Scope[];
}

const carried = { field: 'request', boundTo: 'session' } as const;

/** On the consent page: the scopes, and on the next line the query, which can't contain a line break. */
export const decisionTicket: TicketKind<ShownRequest> = {
  purpose: 'decision',
  ...carried,
  write: ({ query, shown }) => `${formatScopes(shown)}\n${query}`,
  read(text) {
    const lineBreak = text.indexOf('\n');
    return { query: text.slice(lineBreak + 1), shown: parseScopes(text.slice(0, lineBreak)) };
  },
};

/** On the page that asks which account to continue with. */
export const accountChoiceTicket: TicketKind<CarriedRequest> = {
  purpose: 'account-choice',
  ...carried,
  write: ({ query }) => query,
  read: (query) => ({ query }),
};
