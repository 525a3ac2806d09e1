// What an error of SQLite means to callers of the driver.

import { messageOf } from '../../protocol/reading/caught-errors.ts';
import { OutcomeUnknown, StorageConflict, StorageUnavailable, StoreUnusable } from '../driver.ts';
import { type FailureKind, failureKind } from './connection.ts';

export function translated(error: unknown): Error {
  if (error instanceof StoreUnusable || error instanceof StorageUnavailable) return error;
  return storageError(failureKind(error), messageOf(error));
}

export function storageError(kind: FailureKind, message: string): Error {
  if (kind === 'unavailable') return new StorageUnavailable(message);
  if (kind === 'unknown') return new OutcomeUnknown(message);
  return kind === 'conflict' ? new StorageConflict(message) : new Error(message);
}
