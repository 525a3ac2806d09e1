// What only administrators have to do with: who is one, API keys, and totals by the hour.

import type { TotalKind } from '../../protocol/event.ts';
import type { Driver, Row, Value } from '../driver.ts';
import type { ApiKey, Storage } from '../storage.ts';
import { newLink } from './accounts.ts';
import { insertEvent } from './events.ts';
import { keepAnAdministrator } from './users.ts';

const DAY = 24 * 60 * 60 * 1000;

type Administration = Pick<
  Storage,
  | 'countAdministrators'
  | 'setAdministrator'
  | 'keepLink'
  | 'createApiKey'
  | 'findApiKey'
  | 'listApiKeys'
  | 'endApiKey'
  | 'noteApiKeyUses'
  | 'addTotals'
  | 'sumTotalsByHour'
  | 'sumTotalsByClient'
  | 'countUsers'
>;

export function sqlAdministration(driver: Driver): Administration {
  return {
    async countAdministrators() {
      const sql = 'SELECT COUNT(*) AS n FROM users WHERE admin_since IS NOT NULL AND disabled_at IS NULL';
      return Number((await driver.read(sql, []))[0]?.n ?? 0);
    },

    async setAdministrator(userId, since, event) {
      const sql = `UPDATE users SET admin_since = $2 WHERE id = $1
        AND ${since === null ? 'admin_since IS NOT NULL' : 'admin_since IS NULL AND disabled_at IS NULL'} RETURNING id`;
      const guard = since === null ? keepAnAdministrator(userId) : [];
      const update = { sql, params: [userId, since], mustReturn: true };
      // A link that was made for an ordinary person must not lead to an administrator's account.
      const forgetLinks = { sql: 'DELETE FROM links WHERE user_id = $1', params: [userId] };
      return (await driver.write([...guard, update, forgetLinks, insertEvent(event)])) !== undefined;
    },

    async keepLink(link, event) {
      const stands = {
        sql: 'SELECT id FROM users WHERE id = $1 AND disabled_at IS NULL',
        params: [link.userId],
        mustReturn: true,
      };
      const writes = newLink(link);
      // Behind the statement that holds the person's row.
      if (link.userId !== null) writes.splice(1, 0, stands);
      return (await driver.write([...writes, insertEvent(event)])) !== undefined;
    },

    async createApiKey(key, event) {
      const sql = `INSERT INTO api_keys (digest, id, name, permission, created_by, created_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)`;
      const params = [key.digest, key.id, key.name, key.permission, key.createdBy, key.createdAt, key.expiresAt];
      await driver.write([{ sql, params }, insertEvent(event)]);
    },

    async findApiKey(digest) {
      const [row] = await driver.read(`${selectKeys} WHERE k.digest = $1`, [digest]);
      return row && toApiKey(row);
    },

    async listApiKeys() {
      return (await driver.read(`${selectKeys} ORDER BY k.created_at DESC, k.id`, [])).map(toApiKey);
    },

    async endApiKey(keyId, event) {
      const end = { sql: 'DELETE FROM api_keys WHERE id = $1 RETURNING id', params: [keyId], mustReturn: true };
      return (await driver.write([end, insertEvent(event)])) !== undefined;
    },

    async noteApiKeyUses(keyIds, now) {
      const sql = 'UPDATE api_keys SET last_used_at = $2 WHERE id = $1';
      await driver.write(keyIds.toSorted().map((id) => ({ sql, params: [id, now] })));
    },

    async addTotals(totals) {
      const sql = `INSERT INTO hourly_totals (hour, kind, client_id, total) VALUES ($1, $2, $3, $4)
        ON CONFLICT (hour, kind, client_id) DO UPDATE SET total = hourly_totals.total + excluded.total`;
      const rows = new Map<string, Value[]>();
      const add = (hour: number, kind: TotalKind, clientId: string, total: number) => {
        const key = `${hour} ${kind} ${clientId}`;
        rows.set(key, [hour, kind, clientId, total + Number(rows.get(key)?.[3] ?? 0)]);
      };
      for (const { hour, kind, clientId, total } of totals) {
        add(hour, kind, '', total);
        if (clientId !== '') add(dayOf(hour), kind, clientId, total);
      }
      // In one order everywhere, so that two instances adding to the same rows never wait for each other.
      const ordered = [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1));
      await driver.write(ordered.map(([, params]) => ({ sql, params })));
    },

    async sumTotalsByHour(since) {
      const sql = `SELECT hour, kind, total FROM hourly_totals WHERE hour >= $1 AND client_id = ''
        ORDER BY hour, kind`;
      return (await driver.read(sql, [since])).map((row) => ({
        hour: row.hour as number,
        kind: row.kind as TotalKind,
        total: row.total as number,
      }));
    },

    async sumTotalsByClient(since) {
      const sql = `SELECT client_id, kind, CAST(SUM(total) AS BIGINT) AS total FROM hourly_totals
        WHERE hour >= $1 AND client_id <> '' GROUP BY client_id, kind ORDER BY client_id, kind`;
      return (await driver.read(sql, [dayOf(since)])).map((row) => ({
        clientId: row.client_id as string,
        kind: row.kind as TotalKind,
        total: row.total as number,
      }));
    },

    async countUsers(activeSince) {
      const sql = `SELECT (SELECT COUNT(*) FROM users) AS everybody,
        (SELECT COUNT(*) FROM users WHERE last_active_at >= $1) AS active`;
      const [row] = await driver.read(sql, [activeSince]);
      return { all: Number(row?.everybody ?? 0), active: Number(row?.active ?? 0) };
    },
  };
}

function dayOf(time: number): number {
  return Math.floor(time / DAY) * DAY;
}

/** With whether the administrator who has made the key still is one. */
const selectKeys = `SELECT k.*, CASE WHEN k.created_by IS NULL OR u.id IS NOT NULL THEN 1 ELSE 0 END AS maker_stands
  FROM api_keys k LEFT JOIN users u ON u.id = k.created_by AND u.admin_since IS NOT NULL AND u.disabled_at IS NULL`;

function toApiKey(row: Row): ApiKey {
  return {
    digest: row.digest as string,
    id: row.id as string,
    name: row.name as string,
    permission: row.permission as ApiKey['permission'],
    createdBy: row.created_by as string | null,
    createdAt: row.created_at as number,
    expiresAt: row.expires_at as number | null,
    lastUsedAt: row.last_used_at as number | null,
    makerStands: row.maker_stands === 1,
  };
}
