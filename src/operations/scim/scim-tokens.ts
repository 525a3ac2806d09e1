// The token of a directory, which opens `/scim/v2` and nothing else.

import { digestOf } from '../../protocol/digest.ts';
import type { ScimToken } from '../../storage/storage.ts';
import type { Timing } from '../services.ts';

const form = /^lk_scim_[A-Za-z0-9_-]{43}$/;

/** Undefined if there is no such token, or it has ended. */
export async function findScimToken({ storage, clock }: Timing, secret: string): Promise<ScimToken | undefined> {
  if (!form.test(secret)) return undefined;
  const token = await storage.findScimToken(digestOf(secret));
  const hasEnded = token !== undefined && token.expiresAt !== null && token.expiresAt <= clock.now();
  return hasEnded ? undefined : token;
}
