// What an error of PostgreSQL, or of the way there, means.

import pg from 'pg';
import { codeOf, messageOf } from '../../protocol/reading/caught-errors.ts';
import { OutcomeUnknown, StorageConflict, StorageUnavailable, StoreUnusable } from '../driver.ts';
import { onStandby } from './look-up.ts';

export const standbySentence = 'PostgreSQL is a standby; DATABASE_URL must lead to the primary';

/** The SQLSTATE of an error that the server has answered with. */
export function stateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** The server has answered, and with this error nothing was changed. */
export function isAnswered(error: unknown): boolean {
  const state = stateOf(error);
  return state !== undefined && !answerLost.test(state);
}

/** A name is unknown to the server, or given already: a pooler leads the connection to more than one process. */
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
/** The role or the database is missing, or may not be used: an operator changes that, and then all is well again. */
const refusedAccess = /^(28|3D|42501)/;
const certificateProblem = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** Statement completion unknown, transaction resolution unknown, and a server that goes away with the answer. */
const answerLost = /^(40003|08|57P0[1-3])/;

/** For what commits: without an answer from the server, nobody knows whether it has. */
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
  if (passing.test(state)) return new StorageUnavailable(message, { cause: error });
  return state === '23505' ? new StorageConflict(message, { cause: error }) : new Error(message, { cause: error });
}

/** The messages of Node and pg say what happened, and this what to do. */
function networkSentence(error: unknown, message: string): string {
  const code = codeOf(error) ?? '';
  // What Node adds after a semicolon is about its own options.
  const [what = ''] = message.split(';');
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `${what}; the host in DATABASE_URL must be in the certificate`;
  if (certificateProblem.test(code))
    return `${what}; sslrootcert in DATABASE_URL names the certificate authority's file`;
  if (message === 'The server does not support SSL connections') {
    return `${what}; switch TLS on in PostgreSQL, or accept clear text with sslmode=disable in DATABASE_URL`;
  }
  return message;
}
