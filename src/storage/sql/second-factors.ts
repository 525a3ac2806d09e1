// Second factors: authenticator apps, recovery codes and passkeys, and the browsers that skip the second step. Every change first locks the user's row, so that two
// changes to one account happen one after the other and none is made to an account that is gone.

import { emailKey } from '../../protocol/account/email-address.ts';
import type { EventRecord } from '../../protocol/event.ts';
import { marksPerBrowser } from '../../protocol/sign-in/session-limits.ts';
import { passkeyLimit } from '../../protocol/sign-in/ways-in.ts';
import type { Statement } from '../driver.ts';
import type { Authenticator, FactorRef, NewPasskey, Passkey, SuspendedFactor } from '../records.ts';
import { authenticators, knownDevices, passkeys, recoveryCodes, type SelectedRow } from '../schema.ts';
import { keepAWayIn } from '../upstreams/ways-in-sql.ts';
import { endedBy } from '../users/what-ends-sql.ts';
import type { Database } from './database.ts';
import { lockUser, requireSession } from './guards.ts';
import { columns, computed, insertNew, insertRows, insertWhere, optional, required, select } from './query.ts';
import { recordColumns } from './record-columns.ts';
import { toUser, userColumns } from './rows.ts';

const passkeyRows = recordColumns(passkeys, 'suspended_at');
const markPlaces = Array.from({ length: marksPerBrowser }, (_, index) => `$${index + 2}`).join(', ');
const signInFacts = select(
  [
    optional(columns(authenticators, 'sealed_secret', 'last_step')),
    computed<{
      known_device: string | null;
      trusted_until: number | null;
      recovery_codes: number;
      suspended_authenticator: number | null;
      suspended_codes: number | null;
    }>(
      `(SELECT MAX(d.digest) FROM known_devices d WHERE d.user_id = u.id AND d.digest IN (${markPlaces})) AS known_device,
      (SELECT d.trusted_until FROM known_devices d WHERE d.user_id = u.id AND d.digest IN (${markPlaces})
        ORDER BY d.digest DESC LIMIT 1) AS trusted_until,
      (SELECT COUNT(*) FROM recovery_codes rc WHERE rc.user_id = u.id AND rc.suspended_at IS NULL) AS recovery_codes,
      (SELECT x.created_at FROM authenticators x WHERE x.user_id = u.id AND x.suspended_at IS NOT NULL)
        AS suspended_authenticator,
      (SELECT MAX(rc.created_at) FROM recovery_codes rc WHERE rc.user_id = u.id AND rc.suspended_at IS NOT NULL)
        AS suspended_codes`,
    ),
  ],
  `FROM users u LEFT JOIN authenticators a ON a.user_id = u.id AND a.suspended_at IS NULL WHERE u.id = $1`,
);
const knownDevice = select(
  [columns(knownDevices, 'digest')],
  `FROM known_devices d WHERE d.user_id = $1 AND d.digest IN (${markPlaces}) ORDER BY d.digest DESC LIMIT 1`,
);
const knownDeviceByEmail = select(
  [columns(knownDevices, 'digest')],
  `FROM users u JOIN known_devices d ON d.user_id = u.id AND d.digest IN (${markPlaces}) WHERE u.email_key = $1`,
);
const passkeysOfUser = select([columns(passkeys)], 'FROM passkeys p WHERE p.user_id = $1 ORDER BY p.created_at, p.id');
const passkeyById = select(
  [passkeyRows.columns, userColumns],
  'FROM passkeys p JOIN users u ON u.id = p.user_id WHERE p.id = $1 AND p.suspended_at IS NULL',
);
const recoveryCode = select(
  [columns(recoveryCodes, 'digest')],
  'FROM recovery_codes rc WHERE rc.user_id = $1 AND rc.digest = $2 AND rc.suspended_at IS NULL',
);
const insertAuthenticator = insertNew(authenticators);
/** Rolls back if the passkey is registered, or the user has reached the limit. */
const insertPasskey = insertWhere(
  passkeys,
  (
    place,
    further,
  ) => `WHERE (SELECT COUNT(*) FROM passkeys o WHERE o.user_id = ${place.user_id}) < CAST(${further(0)} AS BIGINT)
    ON CONFLICT (id) DO NOTHING`,
);
const insertRecoveryCodes = insertRows(recoveryCodes);

/**
 * The first second factor brings recovery codes, and removing the last one removes them. With `sessionGeneration`, a factor
 * is added only while that is the user's: a reset must not be outrun by a request that was checked before it.
 * What was proved before without the new factor no longer counts, except in the session that it's added in (`session`).
 */
export function sqlSecondFactors(database: Database) {
  return {
    /** `deviceDigests` are those of the browser's marks, of any users. */
    async findSignInFacts(userId: string, deviceDigests: readonly string[] | undefined = []) {
      const [row] = await database.read(signInFacts, [userId, ...marksOf(deviceDigests)]);
      const found = await database.read(passkeysOfUser, [userId]);
      return {
        knownDevice: row?.known_device ?? undefined,
        trustedUntil: row?.trusted_until ?? undefined,
        authenticator:
          row === undefined || row.a_sealed_secret === null
            ? undefined
            : { sealedSecret: row.a_sealed_secret, lastStep: row.a_last_step },
        recoveryCodes: row?.recovery_codes ?? 0,
        passkeys: found.filter((each) => each.p_suspended_at === null).map(passkeyRows.decode),
        suspended: [
          ...suspendedOf('authenticator', row?.suspended_authenticator),
          ...found.filter((each) => each.p_suspended_at !== null).map(toSuspendedPasskey),
          ...suspendedOf('recovery_codes', row?.suspended_codes),
        ],
      };
    },

    /** The browser's mark by which it is known for the user; `deviceDigests` are those of its marks, of any users. */
    async findKnownDevice(userId: string, deviceDigests: readonly string[]) {
      const [row] = await database.read(knownDevice, [userId, ...marksOf(deviceDigests)]);
      return row?.d_digest;
    },

    /** Whether the browser is known for the user with this email address, with the same work for every address. */
    async isKnownDevice(email: string, deviceDigests: readonly string[]) {
      return (await database.read(knownDeviceByEmail, [emailKey(email), ...marksOf(deviceDigests)])).length > 0;
    },

    /** `recoveryCodes` only with the first second factor. False when the user has an authenticator. */
    enableAuthenticator(
      userId: string,
      authenticator: Authenticator,
      codeDigests: readonly string[] | undefined,
      now: number,
      event: EventRecord,
      sessionGeneration?: number,
      session?: string,
    ) {
      return database.writeWith(event, [
        lockUser(userId, sessionGeneration),
        ...requireSession(userId, session),
        ...addAuthenticator(userId, authenticator, codeDigests, now),
        endProof(userId, session),
      ]);
    },

    removeAuthenticator(userId: string, event: EventRecord, sessionGeneration?: number, session?: string) {
      const remove = required('DELETE FROM authenticators WHERE user_id = $1 RETURNING user_id', [userId]);
      return database.writeWith(event, [
        lockUser(userId, sessionGeneration),
        ...requireSession(userId, session),
        remove,
        ...endedBy('factor_removed', { userId, now: event.at, event }),
      ]);
    },

    /** False when a code of this time step or a later one was accepted before. */
    acceptAuthenticatorStep(userId: string, step: number) {
      const sql = `UPDATE authenticators SET last_step = $2
        WHERE user_id = $1 AND last_step < $2 AND suspended_at IS NULL RETURNING user_id`;
      return database.write([required(sql, [userId, step])]);
    },

    /** Authenticator, passkeys and recovery codes together; false when there were none. */
    removeSecondFactors(userId: string, event: EventRecord) {
      const some = required(
        `SELECT 1 AS one FROM users u WHERE u.id = $1 AND (
          EXISTS (SELECT 1 FROM authenticators a WHERE a.user_id = u.id)
          OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id))`,
        [userId],
      );
      return database.writeWith(event, [
        lockUser(userId),
        some,
        ...endedBy('factors_removed', { userId, now: event.at, event }),
      ]);
    },

    replaceRecoveryCodes(
      userId: string,
      codeDigests: readonly string[],
      now: number,
      event: EventRecord,
      sessionGeneration?: number,
      session?: string,
    ) {
      return database.writeWith(event, [
        lockUser(userId, sessionGeneration),
        ...requireSession(userId, session),
        ...newRecoveryCodes(userId, codeDigests, now),
      ]);
    },

    /** Codes are consumed by `startSession` and `proveSession`. */
    async hasRecoveryCode(userId: string, codeDigest: string) {
      return (await database.read(recoveryCode, [userId, codeDigest])).length > 0;
    },

    /**
     * `recoveryCodes` only with the first second factor. False when the passkey is registered already, or the user has
     * reached the limit.
     */
    addPasskey(
      passkey: Passkey,
      codeDigests: readonly string[] | undefined,
      event: EventRecord,
      sessionGeneration?: number,
      session?: string,
    ) {
      return database.writeWith(event, [
        lockUser(passkey.userId, sessionGeneration),
        ...requireSession(passkey.userId, session),
        ...addPasskey({ passkey, codeDigests }),
        endProof(passkey.userId, session),
      ]);
    },

    /**
     * False when it isn't the user's, or is their last way to sign in. `passwordCounts` is false for a user whose password
     * no longer signs in.
     */
    removePasskey(
      userId: string,
      passkeyId: string,
      event: EventRecord,
      passwordCounts = true,
      sessionGeneration?: number,
      session?: string,
    ) {
      const remove = required('DELETE FROM passkeys WHERE user_id = $1 AND id = $2 RETURNING id', [userId, passkeyId]);
      return database.writeWith(event, [
        lockUser(userId, sessionGeneration),
        ...requireSession(userId, session),
        remove,
        keepAWayIn(userId, passwordCounts),
        ...endedBy('factor_removed', { userId, now: event.at, event }),
      ]);
    },

    findPasskey: (passkeyId: string) =>
      database.first(passkeyById, [passkeyId], (row) => ({ passkey: passkeyRows.decode(row), user: toUser(row) })),

    /** False if the passkey's counter went back, or stopped after having counted. */
    notePasskeyUse(passkeyId: string, counter: number, now: number) {
      // A counter that does not grow means that the passkey was copied; most passkeys never count and stay at zero.
      const sql = `UPDATE passkeys SET counter = $2, last_used_at = $3
        WHERE id = $1 AND suspended_at IS NULL AND (counter < $2 OR (counter = 0 AND $2 = 0)) RETURNING id`;
      return database.write([required(sql, [passkeyId, counter, now])]);
    },
  };
}

/** As many as a query has places for. */
function marksOf(deviceDigests: readonly string[]): string[] {
  return Array.from({ length: marksPerBrowser }, (_, index) => deviceDigests[index] ?? '');
}

/** The row of an authenticator, with the recovery codes that come with it. */
export function addAuthenticator(
  userId: string,
  { sealedSecret, lastStep }: Authenticator,
  codeDigests: readonly string[] | undefined,
  now: number,
): Statement[] {
  const row = {
    user_id: userId,
    sealed_secret: sealedSecret,
    last_step: lastStep,
    created_at: now,
    suspended_at: null,
  };
  return [insertAuthenticator(row), ...newRecoveryCodes(userId, codeDigests, now)];
}

/** The row of a passkey, with the recovery codes that come with it. Rolls back as `insertPasskey` does. */
export function addPasskey({ passkey, codeDigests }: NewPasskey): Statement[] {
  return [
    insertPasskey({ ...passkeyRows.encode(passkey), suspended_at: null }, passkeyLimit),
    ...newRecoveryCodes(passkey.userId, codeDigests, passkey.createdAt),
  ];
}

/** Replaces all codes; undefined leaves them unchanged. */
function newRecoveryCodes(userId: string, digests: readonly string[] | undefined, now: number): Statement[] {
  if (digests === undefined) return [];
  return [
    { sql: 'DELETE FROM recovery_codes WHERE user_id = $1', params: [userId] },
    ...insertRecoveryCodes(digests.map((digest) => ({ user_id: userId, digest, created_at: now, suspended_at: null }))),
  ];
}

/** Consumes the code, and rolls back the write if it was used before. Nothing without a code. */
export function useRecoveryCode(userId: string, codeDigest: string | undefined): Statement[] {
  if (codeDigest === undefined) return [];
  const sql = `DELETE FROM recovery_codes
    WHERE user_id = $1 AND digest = $2 AND suspended_at IS NULL RETURNING digest`;
  return [required(sql, [userId, codeDigest])];
}

/** Voids the proof of the user's other sessions. */
export function endProof(userId: string, keptSession = ''): Statement {
  return {
    sql: 'UPDATE sessions SET proven_at = 0 WHERE user_id = $1 AND digest <> $2',
    params: [userId, keptSession],
  };
}

function suspendedOf(
  kind: Exclude<FactorRef['kind'], 'passkey'>,
  createdAt: number | null | undefined,
): SuspendedFactor[] {
  return createdAt == null ? [] : [{ kind, createdAt }];
}

function toSuspendedPasskey(row: SelectedRow<typeof passkeys>): SuspendedFactor {
  return { kind: 'passkey', id: row.p_id, createdAt: row.p_created_at, name: row.p_name };
}

const trustedOfUser = select(
  [columns(knownDevices)],
  `FROM known_devices d WHERE d.user_id = $1 AND d.trusted_until > $2
    ORDER BY d.last_seen_at DESC, d.digest`,
);

/**
 * Trust ends by itself at its time. Whatever changes the user's password, removes a second factor or disables the user
 * ends it, too, in the same write.
 */
export function sqlTrustedDevices(database: Database) {
  return {
    /** The last seen first. */
    listTrustedDevices: (userId: string, now: number) =>
      database.list(trustedOfUser, [userId, now], (row) => ({
        digest: row.d_digest,
        device: row.d_device,
        lastSeenAt: row.d_last_seen_at,
        trustedUntil: row.d_trusted_until ?? 0,
      })),

    /** The browser stays known. False when it isn't trusted. */
    endTrust(userId: string, digest: string, now: number, event: EventRecord) {
      const sql = `UPDATE known_devices SET trusted_until = NULL
        WHERE user_id = $1 AND digest = $2 AND trusted_until > $3 RETURNING digest`;
      return database.writeWith(event, [required(sql, [userId, digest, now])]);
    },
  };
}

/** Only locks the browser's row; rolls back if it isn't trusted. */
export function lockTrustedDevice(userId: string, digest: string, now: number): Statement {
  const sql = `UPDATE known_devices SET last_seen_at = last_seen_at
    WHERE user_id = $1 AND digest = $2 AND trusted_until > $3 RETURNING digest`;
  return required(sql, [userId, digest, now]);
}
