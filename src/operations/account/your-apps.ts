// The applications that a user can open from their account.

import { formatCursor, parseCursor } from '../../protocol/admin/cursor.ts';
import { launchUrlOf } from '../../protocol/oauth/client-links.ts';
import type { Client, SignedIn } from '../../storage/storage.ts';
import type { Services } from '../services.ts';

const pageLength = 60;

export interface YourApps {
  readonly apps: readonly { readonly client: Client; readonly url: string }[];
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/** By name, a page at a time. A cursor that isn't one starts at the beginning. */
export async function yourApps(
  services: Pick<Services, 'storage'>,
  { user }: SignedIn,
  cursor: string,
): Promise<YourApps> {
  // A cursor names its place in hex, so that any name fits into a URL.
  const position = parseCursor(cursor)?.position;
  const after = position && ([fromHex(position[0]), position[1]] as const);
  const { items, next } = await services.storage.pageClientsToLaunch(user.id, { after, limit: pageLength });
  const apps = items.flatMap((client) => {
    const url = launchUrlOf(client);
    return url === null ? [] : [{ client, url }];
  });
  return { apps, next: next && formatCursor({ position: [toHex(next[0]), next[1]], direction: 'after', count: 0 }) };
}

function toHex(text: string): string {
  return Buffer.from(text).toString('hex');
}

function fromHex(hex: string): string {
  return Buffer.from(hex, 'hex').toString();
}
