// What is stored about the service's own keys, and the texts that they have sealed. The keys themselves are never stored.

import type { EventRecord } from '../../protocol/event.ts';
import type { KeyRecord } from '../../protocol/key-retirement.ts';

/**
 * Where sealed text is stored: authenticators by user, emails and the secrets of webhooks by their own id, the secrets
 * for upstreams by the upstream's name.
 */
export type SealedKind = 'authenticator' | 'email' | 'webhook_secret' | 'upstream_secret';

export interface SealedText {
  readonly id: string;
  readonly sealed: string;
}

export interface KeyRecords {
  listServiceKeys(): Promise<KeyRecord[]>;
  /** Keeps the earliest time for each key. */
  noteServiceKeyUse(keyId: string, now: number): Promise<void>;
  /** Permanent. A key that was retired before keeps its time. */
  retireServiceKeys(keyIds: readonly string[], now: number, event: EventRecord): Promise<void>;
  /** In the order of their ids. */
  listSealed(kind: SealedKind, afterId: string, limit: number): Promise<SealedText[]>;
  /** Replaces texts that are unchanged; returns how many. */
  reseal(kind: SealedKind, changes: readonly (SealedText & { readonly resealed: string })[]): Promise<number>;
}
