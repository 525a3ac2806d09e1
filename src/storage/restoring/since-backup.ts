// What was taken away since a backup was made, by comparing what it has with the store that it replaces: people disabled or without
// a role, ways to sign in changed, applications revoked, secrets rotated, keys, tokens, links, webhooks and access ended. Each is found with
// the statements that do the same to the restored store. What was added since is nobody's concern here.

import { rolesOf } from '../../protocol/account/roles.ts';
import { switchAccess } from '../clients/access-list-sql.ts';
import type { Row, SnapshotReader, Statement, Value } from '../driver.ts';
import { nextChange } from '../groups/access-conditions.ts';
import * as schema from '../schema.ts';
import { columnNames, replaceIn } from '../sql/query.ts';
import { endedRows, type RevocationKind } from './ended-rows.ts';
import { pagesOf, rowsWith } from './reading.ts';

export interface Revocation {
  readonly kind: RevocationKind;
  readonly id: string;
  /** As it's called in the restored store. */
  readonly name: string;
  readonly statements: readonly Statement[];
}

/** `withSessions` is for a restore that keeps them. */
export async function* revocationsSince(
  restored: SnapshotReader,
  present: SnapshotReader,
  now: number,
  withSessions: boolean,
): AsyncGenerator<Revocation> {
  yield* ofPeople(restored, present);
  yield* ofApplications(restored, present, now);
  yield* ofServiceKeys(restored, present);
  yield* ofWebhooks(restored, present);
  for (const rows of endedRows(now)) {
    if (rows.isOfSessions && !withSessions) continue;
    for await (const { id, name, statements } of rows.find(restored, present)) {
      yield { kind: rows.kind, id, name, statements };
    }
  }
}

/** Whether the present store is the one that the backup was made of, later: they have a person, an application or an event in common. */
export async function haveCommonPast(restored: SnapshotReader, present: SnapshotReader): Promise<boolean> {
  let isEmpty = true;
  for (const table of ['users', 'clients']) {
    for await (const page of pagesOf(restored, table, ['id'], 'created_at')) {
      isEmpty = false;
      const created = new Map(page.map(({ id, created_at }) => [id, created_at]));
      const found = await rowsWith(present, table, ['id'], page, 'id, created_at');
      if (found.some(({ id, created_at }) => created.get(id ?? null) === created_at)) return true;
    }
  }
  const newest = await restored.read('SELECT id FROM events ORDER BY id DESC LIMIT 500', []);
  return isEmpty || (await rowsWith(present, 'events', ['id'], newest, 'id')).length > 0;
}

const personColumns = `email, password_hash, breached_since, review_since, disabled_at, expires_at, inactive_end, admin_since, roles`;

async function* ofPeople(restored: SnapshotReader, present: SnapshotReader): AsyncGenerator<Revocation> {
  for await (const page of pagesOf(restored, 'users', ['id'], personColumns)) {
    const now = byId(await rowsWith(present, 'users', ['id'], page, `id, ${personColumns}`));
    const factors = await factorsOf(restored, page);
    const presentFactors = await factorsOf(present, page);
    for (const then of page) {
      const id = String(then.id);
      const person = now.get(id);
      if (person === undefined) continue;
      const found = (kind: RevocationKind, statements: readonly Statement[], more = '') => ({
        kind,
        id,
        name: `${then.email}${more}`,
        statements,
      });
      if (person.disabled_at !== null && then.disabled_at === null) yield found('people_disabled', [disable(person)]);
      const lost = lostRoles(then, person);
      if (lost.length > 0) yield found('roles_lost', [takeRoles(then, person)], ` (${lost.join(', ')})`);
      if (person.password_hash !== then.password_hash) {
        const isForeign = String(then.password_hash).startsWith('foreign:');
        yield found('passwords_changed', [setPassword(person)], isForeign ? ' (or only hashed anew at sign-in)' : '');
      }
      if (factors.get(id)?.text !== presentFactors.get(id)?.text) {
        yield found('factors_changed', replaceFactors(id, presentFactors.get(id)?.rows ?? []));
      }
    }
  }
}

function disable({ id, disabled_at, expires_at, inactive_end }: Row): Statement {
  const sql = `UPDATE users SET disabled_at = $2, expires_at = $3, inactive_end = $4, generation = generation + 1 WHERE id = $1`;
  return { sql, params: params(id, disabled_at, expires_at, inactive_end) };
}

function held({ admin_since, roles }: Row) {
  return rolesOf({ adminSince: admin_since as number | null, roles: roles as string | null });
}

function lostRoles(then: Row, now: Row) {
  const left = held(now);
  return held(then).filter((role) => !left.includes(role));
}

/** What was given since isn't. */
function takeRoles(then: Row, now: Row): Statement {
  const lost = lostRoles(then, now);
  const left = held(then).filter((role) => !lost.includes(role));
  const others = left.filter((role) => role !== 'administrator');
  return {
    sql: 'UPDATE users SET admin_since = $2, roles = $3 WHERE id = $1',
    params: params(then.id, left.includes('administrator') ? then.admin_since : null, others.join(' ') || null),
  };
}

function setPassword({ id, password_hash, breached_since, review_since }: Row): Statement {
  return {
    sql: 'UPDATE users SET password_hash = $2, breached_since = $3, review_since = $4 WHERE id = $1',
    params: params(id, password_hash, breached_since, review_since),
  };
}

/** With the columns by which one is recognized: others change whenever it's used, or when keys are rotated. */
const factorTables = [
  { table: schema.authenticators, marks: ['created_at', 'suspended_at'] },
  { table: schema.passkeys, marks: ['id', 'suspended_at'] },
  { table: schema.recoveryCodes, marks: ['digest', 'suspended_at'] },
  { table: schema.identities, marks: ['issuer', 'subject'] },
] as const;

interface Factors {
  readonly text: string;
  readonly rows: readonly { readonly place: number; readonly row: Row }[];
}

async function factorsOf(reader: SnapshotReader, people: readonly Row[]): Promise<Map<string, Factors>> {
  const owners = people.map(({ id }) => ({ user_id: id ?? null }));
  const found = new Map<string, { marks: string[]; rows: { place: number; row: Row }[] }>();
  for (const [place, { table, marks }] of factorTables.entries()) {
    for (const row of await rowsWith(reader, table.name, ['user_id'], owners, columnNames(table).join(', '))) {
      const own = found.get(String(row.user_id)) ?? { marks: [], rows: [] };
      own.marks.push(JSON.stringify([table.name, ...marks.map((mark) => row[mark])]));
      own.rows.push({ place, row });
      found.set(String(row.user_id), own);
    }
  }
  return new Map([...found].map(([id, { marks, rows }]) => [id, { text: marks.sort().join('\n'), rows }]));
}

const replaceFactor = factorTables.map(({ table }) => replaceIn<schema.Table>(table));

function replaceFactors(userId: string, rows: Factors['rows']): Statement[] {
  return [
    ...factorTables.map(({ table }) => ({ sql: `DELETE FROM ${table.name} WHERE user_id = $1`, params: [userId] })),
    ...rows.flatMap(({ place, row }) => replaceFactor[place]?.(row as never) ?? []),
  ];
}

const secretColumns = [
  'secret_digest',
  'secret_created_at',
  'secret_states',
  'secret_last_four',
  'old_secret_digest',
  'old_secret_created_at',
  'old_secret_states',
  'old_secret_last_four',
] as const;
const clientColumns = `name, access, revoked_at, ${secretColumns.join(', ')}`;
const revoke = 'UPDATE clients SET revoked_at = $2, generation = generation + 1 WHERE id = $1';
const setSecrets = `UPDATE clients SET ${secretColumns.map((name, index) => `${name} = $${index + 2}`).join(', ')} WHERE id = $1`;

/** One that was deleted is revoked, which ends everything that it can do, and can be taken back. */
async function* ofApplications(
  restored: SnapshotReader,
  present: SnapshotReader,
  now: number,
): AsyncGenerator<Revocation> {
  for await (const page of pagesOf(restored, 'clients', ['id'], clientColumns)) {
    const left = byId(await rowsWith(present, 'clients', ['id'], page, `id, ${clientColumns}`));
    for (const then of page) {
      const id = String(then.id);
      const client = left.get(id);
      const common = { id, name: String(then.name) };
      if (then.revoked_at === null && (client === undefined || client.revoked_at !== null)) {
        const statement = { sql: revoke, params: params(id, client?.revoked_at ?? now) };
        yield { ...common, kind: 'applications_revoked', statements: [statement] };
      }
      if (then.access === 'everyone' && client?.access === 'listed') {
        const statements = [nextChange, ...switchAccess(id, 'listed', now)];
        yield { kind: 'access_ended', id, name: `everyone in ${then.name}`, statements };
      }
      // Only then is a secret of the backup no longer valid.
      const valid = [client?.secret_digest, client?.old_secret_digest];
      const isRotated = [then.secret_digest, then.old_secret_digest].some(
        (old) => old !== null && !valid.includes(old),
      );
      if (client !== undefined && isRotated) {
        const statement = { sql: setSecrets, params: params(id, ...secretColumns.map((name) => client[name])) };
        yield { ...common, kind: 'secrets_rotated', statements: [statement] };
      }
    }
  }
}

const retire = replaceIn(schema.serviceKeys);

async function* ofServiceKeys(restored: SnapshotReader, present: SnapshotReader): AsyncGenerator<Revocation> {
  const keys = 'SELECT id, first_used_at, retired_at FROM service_keys WHERE retired_at IS NOT NULL';
  const known = byId(await restored.read(keys, []));
  for (const row of await present.read(keys, [])) {
    const { id, first_used_at, retired_at } = row;
    if (known.has(String(id))) continue;
    const statement = retire({
      id: String(id),
      first_used_at: Number(first_used_at),
      retired_at: Number(retired_at),
    });
    yield { kind: 'service_keys_retired', id: String(id), name: String(id), statements: [statement] };
  }
}

const secretsOfWebhook = `SELECT ${columnNames(schema.webhookSecrets).join(', ')} FROM webhook_secrets WHERE endpoint_id = $1 ORDER BY id`;
const replaceSecret = replaceIn<schema.Table>(schema.webhookSecrets);

/** One that was disabled or deleted is among the ended rows. */
async function* ofWebhooks(restored: SnapshotReader, present: SnapshotReader): AsyncGenerator<Revocation> {
  for await (const page of pagesOf(restored, 'webhook_endpoints', ['id'], 't.url')) {
    const left = byId(await rowsWith(present, 'webhook_endpoints', ['id'], page, 't.id'));
    for (const { id = null, url } of page) {
      if (!left.has(String(id))) continue;
      const secrets = await present.read(secretsOfWebhook, [id]);
      const current = new Set(secrets.filter(({ ends_at }) => ends_at === null).map((secret) => secret.id));
      const then = await restored.read(secretsOfWebhook, [id]);
      if (then.every((secret) => secret.ends_at !== null || current.has(secret.id ?? null))) continue;
      const statements = [
        { sql: 'DELETE FROM webhook_secrets WHERE endpoint_id = $1', params: [id] },
        ...secrets.map((secret) => replaceSecret(secret as never)),
      ];
      yield { kind: 'webhook_secrets_rotated', id: String(id), name: String(url), statements };
    }
  }
}

function byId(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [String(row.id), row]));
}

function params(...values: readonly (Value | undefined)[]): Value[] {
  return values.map((value) => value ?? null);
}
