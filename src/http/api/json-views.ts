// Resources as more than one part of the API writes them.

import { isoTime } from '../../operations/admin/json-views.ts';
import type { ConnectedApp, Session } from '../../storage/storage.ts';

export function connectedJson({ client, scopes, grantedAt, lastUsedAt }: ConnectedApp) {
  return {
    client_id: client.id,
    name: client.name,
    scopes: [...scopes],
    granted_at: isoTime(grantedAt),
    last_used_at: isoTime(lastUsedAt),
  };
}

/** Never the digest: a session is called by a name that says nothing about its secret. */
export function sessionJson({ id, device, address, createdAt, lastSeenAt }: Omit<Session, 'digest'> & { id: string }) {
  return { id, device, address, created_at: isoTime(createdAt), last_seen_at: isoTime(lastSeenAt) };
}
