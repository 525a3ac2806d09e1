// People imported from another service. A repeated import matches them by its name and their old ID.

import type { EventRecord } from '../../protocol/event.ts';
import type { User } from '../records.ts';

export interface ImportedUser {
  readonly oldId: string;
  readonly user: User;
}

/** Keys by which a person is a duplicate of, or conflicts with, another. */
export interface ImportKeys {
  readonly oldId: string;
  readonly id: string | undefined;
  readonly email: string;
  readonly username: string | null;
}

/** Which of the given keys are in the store. */
export interface TakenKeys {
  /** Old IDs that were imported from this source. */
  readonly oldIds: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
  /** As `emailKey` and `usernameKey` make them. */
  readonly emailKeys: ReadonlySet<string>;
  readonly usernameKeys: ReadonlySet<string>;
}

export interface ImportOrigin {
  readonly source: string;
  readonly oldId: string;
  readonly importedAt: number;
}

export interface Imports {
  findTaken(source: string, people: readonly ImportKeys[]): Promise<TakenKeys>;
  /**
   * Atomic. A StorageConflict if one was imported before, or has an ID, email address or username that's taken. Ends pending
   * sign-up links and invitations for their email addresses.
   */
  importUsers(source: string, people: readonly ImportedUser[], now: number, event: EventRecord): Promise<void>;
  /** Where the user came from, if from another service. */
  findImportOrigin(userId: string): Promise<ImportOrigin | undefined>;
  /** Whether anyone has a password hash of another service. */
  hasForeignHashes(): Promise<boolean>;
  countForeignHashes(): Promise<number>;
}
