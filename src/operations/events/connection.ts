// Whether an application gets people signed in: when it last did, or why the last try was refused.

import type { Authority } from '../../protocol/admin/rights.ts';
import type { Total } from '../../protocol/admin/totals.ts';
import { HOUR } from '../../protocol/durations.ts';
import type { EventKind } from '../../protocol/events/kinds.ts';
import type { Client } from '../../storage/storage.ts';
import type { Recording } from '../services.ts';
import { type ExplainedEvent, listExplainedEvents } from './events.ts';

/** What keeps a person from being signed in to an application. */
const refusals: readonly EventKind[] = [
  'authorization_refused',
  'access_refused',
  'client_authentication_failed',
  'exchange_refused',
];
/** An application that works is refused something now and then: that is news for a while. */
const newsFor = HOUR;

/** What its events say. Events are deleted after a while, so there may be none of an application that works. */
export interface Connection {
  /** How many users have given it access. */
  readonly users: Total;
  /** When a code was last exchanged for tokens. */
  readonly signedInAt: number | undefined;
  /** When a person last agreed, if no code was ever exchanged. */
  readonly approvedAt: number | undefined;
  /** What was refused since then and since the application was last changed. */
  readonly refused: (ExplainedEvent & { readonly person: string | undefined }) | undefined;
}

/** Each look is a walk along the index of the application's events of one kind, however many others there are. */
export async function connectionOf(
  services: Recording,
  { id, updatedAt }: Pick<Client, 'id' | 'updatedAt'>,
  authority: Authority | undefined,
): Promise<Connection> {
  const newest = async (...kinds: readonly EventKind[]) => {
    const listed = await listExplainedEvents(services, { client: { id }, kinds, limit: 1, authority });
    const [event] = listed.kind === 'done' ? listed.items : [];
    if (listed.kind === 'refused' || event === undefined) return undefined;
    return { ...event, person: listed.names.users.get(event.userId ?? '') };
  };
  const [users, signedIn, refused] = await Promise.all([
    services.storage.countConnectedUsers(id),
    newest('code_exchanged'),
    newest(...refusals),
  ]);
  const approved = signedIn === undefined ? await newest('approved') : undefined;
  const news = signedIn === undefined ? 0 : Math.max(signedIn.at, services.clock.now() - newsFor);
  const isOver = refused === undefined || refused.hasAccess === true || refused.at < Math.max(news, updatedAt);
  return { users, signedInAt: signedIn?.at, approvedAt: approved?.at, refused: isOver ? undefined : refused };
}
