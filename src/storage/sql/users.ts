// People and their sessions.

import { emailKey } from '../../protocol/account/email-address.ts';
import { usernameKey } from '../../protocol/account/username.ts';
import type { Driver, Statement } from '../driver.ts';
import type { Session, Storage, User } from '../storage.ts';
import { insertEvent } from './events.ts';
import { columns, toSession, toUser } from './rows.ts';
import { forgetWords, setEmailWords, setNameWords } from './search.ts';

type People = Pick<
  Storage,
  | 'createUser'
  | 'findUser'
  | 'findUserByEmail'
  | 'listUsers'
  | 'setPasswordHash'
  | 'disableUser'
  | 'enableUser'
  | 'deleteUser'
  | 'startSession'
  | 'findSession'
  | 'endSession'
  | 'answerRequest'
  | 'noteSessionsSeen'
>;

export function sqlUsers(driver: Driver): People {
  return {
    async createUser(user, event) {
      await driver.write([...insertUser(user), insertEvent(event)]);
    },

    async findUser(userId) {
      const [row] = await driver.read(`SELECT ${columns.user} FROM users u WHERE u.id = $1`, [userId]);
      return row && toUser(row);
    },

    async findUserByEmail(email) {
      const sql = `SELECT ${columns.user} FROM users u WHERE u.email_key = $1`;
      const [row] = await driver.read(sql, [emailKey(email)]);
      return row && toUser(row);
    },

    async listUsers() {
      const rows = await driver.read(`SELECT ${columns.user} FROM users u ORDER BY u.created_at, u.id`, []);
      return rows.map(toUser);
    },

    async setPasswordHash(userId, passwordHash, now, event) {
      const update = {
        sql: 'UPDATE users SET password_hash = $2, updated_at = $3 WHERE id = $1 RETURNING id',
        params: [userId, passwordHash, now],
        mustReturn: true,
      };
      const endSessions = { sql: 'DELETE FROM sessions WHERE user_id = $1', params: [userId] };
      const forgetLinks = { sql: 'DELETE FROM links WHERE user_id = $1', params: [userId] };
      return (await driver.write([update, endSessions, forgetLinks, insertEvent(event)])) !== undefined;
    },

    async disableUser(userId, now, event) {
      const sql = `UPDATE users SET disabled_at = $2, generation = generation + 1, updated_at = $2
        WHERE id = $1 AND disabled_at IS NULL RETURNING id`;
      const stop = { sql, params: [userId, now], mustReturn: true };
      const forgetLinks = { sql: 'DELETE FROM links WHERE user_id = $1', params: [userId] };
      const done = await driver.write([...keepAnAdministrator(userId), stop, forgetLinks, insertEvent(event)]);
      return done !== undefined;
    },

    async enableUser(userId, now, event) {
      const sql = `UPDATE users SET disabled_at = NULL, updated_at = $2
        WHERE id = $1 AND disabled_at IS NOT NULL RETURNING id`;
      const done = await driver.write([{ sql, params: [userId, now], mustReturn: true }, insertEvent(event)]);
      return done !== undefined;
    },

    async deleteUser(userId, event) {
      const done = await driver.write([
        ...keepAnAdministrator(userId),
        {
          sql: 'DELETE FROM links WHERE email_key IN (SELECT email_key FROM users WHERE id = $1)',
          params: [userId],
        },
        { sql: 'DELETE FROM users WHERE id = $1 RETURNING id', params: [userId], mustReturn: true },
        { sql: 'DELETE FROM sessions WHERE user_id = $1', params: [userId] },
        { sql: 'DELETE FROM consents WHERE user_id = $1', params: [userId] },
        { sql: 'DELETE FROM grants WHERE user_id = $1', params: [userId] },
        ...forgetAccount(userId),
        forgetWords('person', userId),
        // That something happened stays, for those who watch over the service, and which of them did it; where from and
        // with what does not.
        {
          sql: `UPDATE events SET address = '', detail = CASE WHEN actor_kind IS NULL THEN '{}' ELSE detail END
            WHERE user_id = $1`,
          params: [userId],
        },
        insertEvent(event),
      ]);
      return done !== undefined;
    },

    async startSession(session, passwordHash, replacedDigest, deviceDigest, passwordAlone = false) {
      const enough = passwordAlone
        ? `AND NOT EXISTS (SELECT 1 FROM authenticators a WHERE a.user_id = users.id)
           AND NOT EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = users.id)`
        : '';
      // Holds the person's row: a change of password comes wholly before this write, and is seen, or wholly after it,
      // and ends the session.
      const hold = {
        sql: `UPDATE users SET last_active_at = $4
          WHERE id = $1 AND generation = $2 AND password_hash = $3 AND disabled_at IS NULL ${enough} RETURNING id`,
        params: [session.userId, session.userGeneration, passwordHash, session.lastSeenAt],
        mustReturn: true,
      };
      const replace = { sql: 'DELETE FROM sessions WHERE digest = $1', params: [replacedDigest ?? ''] };
      const remember = {
        sql: `INSERT INTO known_devices (user_id, digest, last_seen_at) VALUES ($1, $2, $3)
          ON CONFLICT (user_id, digest) DO UPDATE SET last_seen_at = excluded.last_seen_at`,
        params: [session.userId, deviceDigest ?? '', session.createdAt],
      };
      const writes = [hold, insertSession(session), replace, ...(deviceDigest === undefined ? [] : [remember])];
      return (await driver.write(writes)) !== undefined;
    },

    async findSession(digest) {
      const sql = `SELECT ${columns.session}, ${columns.user} FROM sessions s
        JOIN users u ON u.id = s.user_id AND u.generation = s.user_generation AND u.disabled_at IS NULL
        WHERE s.digest = $1`;
      const [row] = await driver.read(sql, [digest]);
      return row && { session: toSession(row), user: toUser(row) };
    },

    async endSession(digest) {
      const sql = 'DELETE FROM sessions WHERE digest = $1 RETURNING digest';
      return (await driver.write([{ sql, params: [digest], mustReturn: true }])) !== undefined;
    },

    async answerRequest(digest, answered) {
      const sql = 'UPDATE sessions SET answered = $2 WHERE digest = $1 RETURNING digest';
      return (await driver.write([{ sql, params: [digest, answered], mustReturn: true }])) !== undefined;
    },

    async noteSessionsSeen(digests, now) {
      const sql = 'UPDATE sessions SET last_seen_at = $2 WHERE digest = $1 AND last_seen_at < $2';
      await driver.write(digests.map((digest) => ({ sql, params: [digest, now] })));
    },
  };
}

export function insertSession(session: Session): Statement {
  return {
    sql: `INSERT INTO sessions (digest, user_id, user_generation, created_at, last_seen_at, auth_time, amr, answered,
        device, address)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    params: [
      ...[session.digest, session.userId, session.userGeneration, session.createdAt, session.lastSeenAt],
      ...[session.authTime, session.amr.join(' '), session.answered, session.device, session.address],
    ],
  };
}

export function optionalKey(username: string | null): string | null {
  return username === null ? null : usernameKey(username);
}

export function insertUser(user: User): Statement[] {
  const insert = {
    sql: `INSERT INTO users (id, email, email_key, email_verified_at, name, given_name, family_name, preferred_username,
        picture, locale, password_hash, admin_since, disabled_at, generation, created_at, updated_at, username_key)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
    params: [
      ...[user.id, user.email, emailKey(user.email), user.emailVerifiedAt, user.name, user.givenName],
      ...[user.familyName, user.preferredUsername, user.picture, user.locale, user.passwordHash, user.adminSince],
      ...[user.disabledAt, user.generation, user.createdAt, user.updatedAt, optionalKey(user.preferredUsername)],
    ],
  };
  // Whoever else was asked to make an account with this address has come too late.
  const forgetLinks = {
    sql: 'DELETE FROM links WHERE email_key = $1 AND user_id IS NULL',
    params: [emailKey(user.email)],
  };
  const names = [user.name, user.givenName, user.familyName];
  return [insert, forgetLinks, ...setNameWords(user.id, names), ...setEmailWords(user.id, user.email)];
}

/** What a person leaves besides sessions, consents and grants. */
function forgetAccount(userId: string): Statement[] {
  const tables = ['known_devices', 'links', 'authenticators', 'recovery_codes', 'passkeys', 'pictures'];
  return tables.map((table) => ({ sql: `DELETE FROM ${table} WHERE user_id = $1`, params: [userId] }));
}

const holdAdministrators = { sql: "UPDATE leases SET holder = holder WHERE name = 'administrators'", params: [] };

/**
 * Gives up when the person is the last administrator who can sign in. Two administrators who remove each other at the same
 * moment wait for each other at the first statement, and the second finds that it is the last.
 */
export function keepAnAdministrator(userId: string): Statement[] {
  return [
    holdAdministrators,
    {
      sql: `SELECT u.id FROM users u WHERE u.id = $1 AND (u.admin_since IS NULL OR u.disabled_at IS NOT NULL OR EXISTS
        (SELECT 1 FROM users o WHERE o.admin_since IS NOT NULL AND o.disabled_at IS NULL AND o.id <> u.id))`,
      params: [userId],
      mustReturn: true,
    },
  ];
}

/** Gives up when there is an administrator already. */
export function firstAdministrator(): Statement[] {
  return [
    holdAdministrators,
    {
      sql: `SELECT 1 AS one WHERE NOT EXISTS
        (SELECT 1 FROM users WHERE admin_since IS NOT NULL AND disabled_at IS NULL)`,
      params: [],
      mustReturn: true,
    },
  ];
}
