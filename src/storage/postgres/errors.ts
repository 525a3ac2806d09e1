// What an error of PostgreSQL, or of the connection, means.

import pg from 'pg';
import { codeOf, messageOf } from '../../protocol/reading/caught-errors.ts';
import { OutcomeUnknown, StorageConflict, StorageUnavailable, StoreUnusable } from '../driver.ts';
import { onStandby } from './look-up.ts';

export const standbySentence = 'PostgreSQL is a standby; DATABASE_URL must lead to the primary';

/** The SQLSTATE of an error from the server. */
export function stateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** The server responded, and nothing was changed. */
export function isAnswered(error: unknown): boolean {
  const state = stateOf(error);
  return state !== undefined && !answerLost.test(state) && !isWorkerLost(error);
}

/** Tables that are on several servers can't be queried like that. */
export function isUnsupported(error: unknown): boolean {
  return stateOf(error) === '0A000';
}

/** A statement name is unknown or taken: a pooler connects to more than one process. */
export function hasLostName(error: unknown): boolean {
  const state = stateOf(error);
  return state === '26000' || state === '42P05';
}

/** Serialization failure and deadlock: the transaction was rolled back and can be repeated. */
export function isCollision(error: unknown): boolean {
  const state = stateOf(error);
  return state === '40001' || state === '40P01';
}

/** Connection, resources, operator intervention, system, read-only standby: conditions that pass. */
const passing = /^(08|40|53|57|58|55P03|25006)/;
/** The role or the database is missing or access is denied: recovers once the operator fixes it. */
const refusedAccess = /^(28|3D|42501)/;
const certificateProblem = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** Statement completion unknown, transaction resolution unknown, and a server that shut down before responding. */
const answerLost = /^(40003|08|57P0[1-3])/;

/** What Citus says when another server has committed or not, and what libpq says when it's gone. Neither has a SQLSTATE of its own. */
const workerLost =
  /could not commit transaction for shard|failure on connection|server closed the connection|lost synchronization|could not (send|receive) data|SSL (connection|error|SYSCALL)|no connection to the server|connection not open|invalid socket/;

const isWorkerLost = (error: unknown) => stateOf(error) === 'XX000' && workerLost.test(messageOf(error));

/** For commits: without a response from the server, the outcome is unknown. */
export async function answerOf<Answer>(committing: Promise<Answer>): Promise<Answer> {
  try {
    return await committing;
  } catch (error) {
    if (isAnswered(error)) throw error;
    throw new OutcomeUnknown(messageOf(error), { cause: error });
  }
}

export function storageError(error: unknown): Error {
  if (error instanceof StoreUnusable || error instanceof StorageUnavailable) return error;
  const state = stateOf(error);
  const message = messageOf(error);
  if (state !== undefined && refusedAccess.test(state)) {
    return new StorageUnavailable(`PostgreSQL refuses access: ${message}; check DATABASE_URL`, { cause: error });
  }
  // An error without a SQLSTATE comes from the network, or from waiting too long for it.
  if (state === undefined) return new StorageUnavailable(networkSentence(error, message), { cause: error });
  if (state === onStandby) return new StorageUnavailable(standbySentence, { cause: error });
  if (passing.test(state) || isWorkerLost(error)) return new StorageUnavailable(message, { cause: error });
  return state === '23505' ? new StorageConflict(message, { cause: error }) : new Error(message, { cause: error });
}

/** Node's and pg's messages say what happened; this adds what to do. */
function networkSentence(error: unknown, message: string): string {
  const code = codeOf(error) ?? '';
  // After a semicolon, Node's message is about its own options.
  const [what = ''] = message.split(';');
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `${what}; the host in DATABASE_URL must be in the certificate`;
  if (certificateProblem.test(code))
    return `${what}; sslrootcert in DATABASE_URL names the certificate authority's file`;
  if (message === 'The server does not support SSL connections') {
    return `${what}; switch TLS on in PostgreSQL, or accept clear text with sslmode=disable in DATABASE_URL`;
  }
  return message;
}
