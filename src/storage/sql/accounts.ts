// A person's own account: profile, picture, devices, links, second factors and passkeys.

import { emailKey } from '../../protocol/account/email-address.ts';
import type { ImageType } from '../../protocol/reading/image.ts';
import type { Driver, Row, Statement } from '../driver.ts';
import type { Link, LinkPurpose, Passkey, Storage } from '../storage.ts';
import { insertEvent } from './events.ts';
import { columns, toSession, toUser } from './rows.ts';
import { setEmailWords, setNameWords } from './search.ts';
import { firstAdministrator, insertSession, insertUser, optionalKey } from './users.ts';

type Accounts = Pick<
  Storage,
  | 'changeProfile'
  | 'setPicture'
  | 'findPicture'
  | 'changeEmail'
  | 'changePassword'
  | 'listSessions'
  | 'endOtherSessions'
  | 'findSignInFacts'
  | 'listKnownDevices'
  | 'findLink'
  | 'signUp'
  | 'spendTicket'
  | 'enableAuthenticator'
  | 'removeAuthenticator'
  | 'removeSecondFactors'
  | 'acceptAuthenticatorStep'
  | 'replaceRecoveryCodes'
  | 'useRecoveryCode'
  | 'addPasskey'
  | 'removePasskey'
  | 'findPasskey'
  | 'notePasskeyUse'
>;

export function sqlAccounts(driver: Driver): Accounts {
  const done = async (...statements: Statement[]) => (await driver.write(statements)) !== undefined;

  return {
    changeProfile(userId, profile, now, event) {
      const update = {
        sql: `UPDATE users SET name = $2, given_name = $3, family_name = $4, locale = $5, preferred_username = $6,
            username_key = $7, updated_at = $8
          WHERE id = $1 RETURNING id`,
        params: [
          ...[userId, profile.name, profile.givenName, profile.familyName, profile.locale],
          ...[profile.preferredUsername, optionalKey(profile.preferredUsername), now],
        ],
        mustReturn: true,
      };
      const names = [profile.name, profile.givenName, profile.familyName];
      return done(update, ...setNameWords(userId, names), insertEvent(event));
    },

    setPicture(userId, picture, now, event) {
      const update = {
        sql: 'UPDATE users SET picture = $2, updated_at = $3 WHERE id = $1 RETURNING id',
        params: [userId, picture?.url ?? null, now],
        mustReturn: true,
      };
      const store =
        picture === undefined
          ? { sql: 'DELETE FROM pictures WHERE user_id = $1', params: [userId] }
          : {
              sql: `INSERT INTO pictures (user_id, version, content_type, bytes) VALUES ($1, $2, $3, $4)
                ON CONFLICT (user_id) DO UPDATE SET version = excluded.version, content_type = excluded.content_type,
                  bytes = excluded.bytes`,
              params: [userId, picture.version, picture.contentType, picture.bytes],
            };
      return done(update, store, insertEvent(event));
    },

    async findPicture(userId, version) {
      const sql = 'SELECT version, content_type, bytes FROM pictures WHERE user_id = $1 AND version = $2';
      const [row] = await driver.read(sql, [userId, version]);
      return (
        row && {
          version: row.version as string,
          contentType: row.content_type as ImageType,
          bytes: row.bytes as Uint8Array,
        }
      );
    },

    changeEmail(userId, email, linkDigest, now, event) {
      const take = takeLink(linkDigest, 'change_email', now);
      const update = {
        sql: `UPDATE users SET email = $2, email_key = $3, email_verified_at = $4, updated_at = $4
          WHERE id = $1 AND disabled_at IS NULL RETURNING id`,
        params: [userId, email, emailKey(email), now],
        mustReturn: true,
      };
      const words = setEmailWords(userId, email);
      return done(lockUser(userId), take, update, ...words, forgetLinks(userId), insertEvent(event));
    },

    changePassword(userId, change, now, event) {
      const { proof, session } = change;
      // A proof by link was checked by taking the link; without a session, any generation will do.
      const update = {
        sql: `UPDATE users SET password_hash = $2, updated_at = $3 WHERE id = $1 AND disabled_at IS NULL
          AND password_hash = COALESCE($4, password_hash) AND generation = COALESCE($5, generation) RETURNING id`,
        params: [
          ...[userId, change.passwordHash, now, proof.kind === 'password' ? proof.currentHash : null],
          session?.userGeneration ?? null,
        ],
        mustReturn: true,
      };
      const endSessions = {
        sql: 'DELETE FROM sessions WHERE user_id = $1',
        params: [userId],
      };
      const forgetDevices = {
        sql: 'DELETE FROM known_devices WHERE user_id = $1 AND digest <> $2',
        params: [userId, change.keptDevice ?? ''],
      };
      // Whoever has the mailbox has the address: a reset by mail proves it as well as a confirmation does.
      const verify = {
        sql: 'UPDATE users SET email_verified_at = $2 WHERE id = $1 AND email_verified_at IS NULL',
        params: [userId, now],
      };
      return done(
        lockUser(userId),
        ...(proof.kind === 'link' ? [takeLink(proof.digest, proof.purpose, now)] : []),
        ...(proof.kind === 'link' && proof.purpose === 'reset_password' ? [verify] : []),
        update,
        endSessions,
        ...(session === undefined ? [] : [insertSession(session)]),
        forgetDevices,
        forgetLinks(userId),
        insertEvent(event),
      );
    },

    async listSessions(userId, seenAfter) {
      const sql = `SELECT ${columns.session} FROM sessions s
        JOIN users u ON u.id = s.user_id AND u.generation = s.user_generation
        WHERE s.user_id = $1 AND s.last_seen_at > $2 ORDER BY s.last_seen_at DESC, s.digest LIMIT 200`;
      return (await driver.read(sql, [userId, seenAfter])).map(toSession);
    },

    async endOtherSessions(userId, keptDigest, event) {
      const sql = 'DELETE FROM sessions WHERE user_id = $1 AND digest <> $2 RETURNING digest';
      const results = await driver.write([
        { sql, params: [userId, keptDigest] },
        forgetLinks(userId),
        insertEvent(event),
      ]);
      return results?.[0]?.length ?? 0;
    },

    async findSignInFacts(userId, deviceDigest) {
      const sql = `SELECT a.sealed_secret, a.last_step,
          (SELECT COUNT(*) FROM known_devices d WHERE d.user_id = u.id AND d.digest = $2) AS known,
          (SELECT COUNT(*) FROM recovery_codes r WHERE r.user_id = u.id) AS recovery_codes
        FROM users u LEFT JOIN authenticators a ON a.user_id = u.id WHERE u.id = $1`;
      const [row] = await driver.read(sql, [userId, deviceDigest ?? '']);
      const passkeys = await driver.read('SELECT * FROM passkeys WHERE user_id = $1 ORDER BY created_at, id', [userId]);
      return {
        knownDevice: Number(row?.known ?? 0) > 0,
        authenticator:
          row === undefined || row.sealed_secret === null
            ? undefined
            : { sealedSecret: row.sealed_secret as string, lastStep: row.last_step as number },
        recoveryCodes: Number(row?.recovery_codes ?? 0),
        passkeys: passkeys.map(toPasskey),
      };
    },

    async listKnownDevices(userId) {
      const sql = 'SELECT last_seen_at FROM known_devices WHERE user_id = $1 ORDER BY last_seen_at DESC';
      return (await driver.read(sql, [userId])).map((row) => row.last_seen_at as number);
    },

    async findLink(digest, purpose, now) {
      const sql = 'SELECT * FROM links WHERE digest = $1 AND purpose = $2 AND expires_at > $3';
      const [row] = await driver.read(sql, [digest, purpose, now]);
      return row && toLink(row);
    },

    signUp(user, link, now, event) {
      const guard = link.purpose === 'set_up' ? firstAdministrator() : [];
      return done(...guard, takeLink(link.digest, link.purpose, now), ...insertUser(user), insertEvent(event));
    },

    async spendTicket(digest, expiresAt) {
      const sql = `INSERT INTO spent_tickets (digest, expires_at) VALUES ($1, $2)
        ON CONFLICT (digest) DO NOTHING RETURNING digest`;
      return done({ sql, params: [digest, expiresAt], mustReturn: true });
    },

    enableAuthenticator(userId, authenticator, codeDigests, now, event) {
      const insert = {
        sql: `INSERT INTO authenticators (user_id, sealed_secret, last_step, created_at)
          SELECT u.id, $2, CAST($3 AS BIGINT), CAST($4 AS BIGINT) FROM users u WHERE u.id = $1
          ON CONFLICT (user_id) DO NOTHING RETURNING user_id`,
        params: [userId, authenticator.sealedSecret, authenticator.lastStep, now],
        mustReturn: true,
      };
      const codes = codeDigests === undefined ? [] : newRecoveryCodes(userId, codeDigests);
      return done(lockUser(userId), insert, ...codes, insertEvent(event));
    },

    removeAuthenticator(userId, event) {
      const remove = {
        sql: 'DELETE FROM authenticators WHERE user_id = $1 RETURNING user_id',
        params: [userId],
        mustReturn: true,
      };
      // Recovery codes stand in for whatever second factor there is, and go with the last of them.
      const forget = {
        sql: `DELETE FROM recovery_codes WHERE user_id = $1
          AND NOT EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = $1)`,
        params: [userId],
      };
      return done(lockUser(userId), remove, forget, insertEvent(event));
    },

    removeSecondFactors(userId, event) {
      const some = {
        sql: `SELECT 1 AS one FROM users u WHERE u.id = $1 AND (
          EXISTS (SELECT 1 FROM authenticators a WHERE a.user_id = u.id)
          OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id))`,
        params: [userId],
        mustReturn: true,
      };
      const remove = ['authenticators', 'passkeys', 'recovery_codes'].map((table) => ({
        sql: `DELETE FROM ${table} WHERE user_id = $1`,
        params: [userId],
      }));
      return done(lockUser(userId), some, ...remove, insertEvent(event));
    },

    acceptAuthenticatorStep(userId, step) {
      const sql = 'UPDATE authenticators SET last_step = $2 WHERE user_id = $1 AND last_step < $2 RETURNING user_id';
      return done({ sql, params: [userId, step], mustReturn: true });
    },

    async replaceRecoveryCodes(userId, codeDigests, event) {
      await driver.write([lockUser(userId), ...newRecoveryCodes(userId, codeDigests), insertEvent(event)]);
    },

    useRecoveryCode(userId, codeDigest) {
      const sql = 'DELETE FROM recovery_codes WHERE user_id = $1 AND digest = $2 RETURNING digest';
      return done({ sql, params: [userId, codeDigest], mustReturn: true });
    },

    addPasskey(passkey, codeDigests, event) {
      const insert = {
        sql: `INSERT INTO passkeys (id, user_id, public_key, counter, transports, name, created_at)
          SELECT $2, u.id, $3, CAST($4 AS BIGINT), $5, $6, CAST($7 AS BIGINT) FROM users u WHERE u.id = $1
          ON CONFLICT (id) DO NOTHING RETURNING id`,
        params: [
          ...[passkey.userId, passkey.id, passkey.publicKey, passkey.counter, passkey.transports.join(' ')],
          ...[passkey.name, passkey.createdAt],
        ],
        mustReturn: true,
      };
      const codes = codeDigests === undefined ? [] : newRecoveryCodes(passkey.userId, codeDigests);
      return done(lockUser(passkey.userId), insert, ...codes, insertEvent(event));
    },

    removePasskey(userId, passkeyId, event) {
      const remove = {
        sql: 'DELETE FROM passkeys WHERE user_id = $1 AND id = $2 RETURNING id',
        params: [userId, passkeyId],
        mustReturn: true,
      };
      const forget = {
        sql: `DELETE FROM recovery_codes WHERE user_id = $1
          AND NOT EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = $1)
          AND NOT EXISTS (SELECT 1 FROM authenticators a WHERE a.user_id = $1)`,
        params: [userId],
      };
      return done(lockUser(userId), remove, forget, insertEvent(event));
    },

    async findPasskey(passkeyId) {
      const sql = `SELECT p.*, ${columns.user} FROM passkeys p JOIN users u ON u.id = p.user_id WHERE p.id = $1`;
      const [row] = await driver.read(sql, [passkeyId]);
      return row && { passkey: toPasskey(row), user: toUser(row) };
    },

    notePasskeyUse(passkeyId, counter, now) {
      // A counter that does not grow means that the key was copied; most keys never count and stay at zero.
      const sql = `UPDATE passkeys SET counter = $2, last_used_at = $3
        WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0)) RETURNING id`;
      return done({ sql, params: [passkeyId, counter, now], mustReturn: true });
    },
  };
}

/** A new link takes the place of earlier ones for the same purpose and person, or address; of set-up links one is enough. */
export function newLink(link: Link): Statement[] {
  const { digest, purpose, userId, detail, expiresAt } = link;
  const { email } = JSON.parse(detail) as { email?: string };
  const about = email === undefined ? null : emailKey(email);
  const insert = {
    sql: `INSERT INTO links (digest, purpose, user_id, detail, expires_at, email_key) VALUES ($1, $2, $3, $4, $5, $6)`,
    params: [digest, purpose, userId, detail, expiresAt, about],
  };
  if (userId !== null) {
    const sql = 'DELETE FROM links WHERE user_id = $1 AND purpose = $2';
    return [lockUser(userId), { sql, params: [userId, purpose] }, insert];
  }
  const ofAddress = { sql: 'DELETE FROM links WHERE email_key = $1 AND purpose = $2', params: [about ?? '', purpose] };
  const ofPurpose = { sql: 'DELETE FROM links WHERE purpose = $1', params: [purpose] };
  return [purpose === 'set_up' ? ofPurpose : ofAddress, insert];
}

/**
 * Changes nothing but holds the person's row, and gives up when there is none: what several writes do to one account
 * happens one after the other, and never to an account that is gone.
 */
function lockUser(userId: string): Statement {
  return {
    sql: 'UPDATE users SET updated_at = updated_at WHERE id = $1 RETURNING id',
    params: [userId],
    mustReturn: true,
  };
}

/** Gives up the whole write when the link is not there any more. */
function takeLink(digest: string, purpose: LinkPurpose, now: number): Statement {
  return {
    sql: 'DELETE FROM links WHERE digest = $1 AND purpose = $2 AND expires_at > $3 RETURNING digest',
    params: [digest, purpose, now],
    mustReturn: true,
  };
}

/** After a change of password or address, links that were sent before are worth nothing. */
function forgetLinks(userId: string): Statement {
  return { sql: 'DELETE FROM links WHERE user_id = $1', params: [userId] };
}

function newRecoveryCodes(userId: string, digests: readonly string[]): Statement[] {
  return [
    { sql: 'DELETE FROM recovery_codes WHERE user_id = $1', params: [userId] },
    ...digests.map((digest) => ({
      sql: 'INSERT INTO recovery_codes (user_id, digest) VALUES ($1, $2)',
      params: [userId, digest],
    })),
  ];
}

function toLink(row: Row): Link {
  return {
    digest: row.digest as string,
    purpose: row.purpose as LinkPurpose,
    userId: row.user_id as string | null,
    detail: row.detail as string,
    expiresAt: row.expires_at as number,
  };
}

function toPasskey(row: Row): Passkey {
  return {
    id: row.id as string,
    userId: row.user_id as string,
    publicKey: row.public_key as string,
    counter: row.counter as number,
    transports: (row.transports as string).split(' ').filter(Boolean),
    name: row.name as string,
    createdAt: row.created_at as number,
    lastUsedAt: row.last_used_at as number | null,
  };
}
