// Rows that are in force in a backup and no longer in the store that it replaces: a key, a link, a membership. What is found is
// deleted from the restored store, or marked as it would have been.

import type { SnapshotReader, Statement } from '../driver.ts';
import { accessIsUnbroken, lasting } from '../groups/access-conditions.ts';
import { pagesOf, rowsWith } from './reading.ts';

/** What a restore says was taken away since the backup was made, in this order. */
export const revocationKinds = {
  people_disabled: 'People disabled',
  roles_lost: 'Roles taken away',
  passwords_changed: 'Passwords changed',
  factors_changed: 'Passkeys, authenticator apps, recovery codes or linked identities changed',
  applications_revoked: 'Applications revoked or deleted',
  secrets_rotated: 'Client secrets rotated',
  api_keys_revoked: 'API keys revoked',
  scim_tokens_revoked: 'SCIM tokens revoked',
  service_keys_retired: "The service's keys retired",
  upstreams_disabled: 'Identity providers disabled or deleted',
  webhooks_disabled: 'Webhooks disabled or deleted',
  webhook_secrets_rotated: 'Secrets of webhooks rotated',
  sign_up_links_revoked: 'Sign-up links revoked',
  links_ended: 'Links and invitations revoked or used',
  apps_disconnected: 'Connected apps whose tokens were revoked',
  consents_withdrawn: 'Permissions of apps withdrawn',
  memberships_ended: 'Memberships ended',
  access_ended: 'Places on access lists ended',
  owners_removed: 'Owners removed',
  sessions_ended: 'Sessions ended',
  browsers_forgotten: 'Browsers no longer trusted',
} as const;

export type RevocationKind = keyof typeof revocationKinds;

interface EndedRow {
  readonly id: string;
  readonly name: string;
  readonly statements: readonly Statement[];
}

interface EndedRows {
  readonly kind: RevocationKind;
  /** Of what a restore ends anyway, unless it's asked to keep it. */
  readonly isOfSessions: boolean;
  find(restored: SnapshotReader, present: SnapshotReader): AsyncGenerator<EndedRow>;
}

interface Described {
  readonly table: string;
  readonly key: readonly string[];
  /** SQL for what people call a row `t`. */
  readonly name: string;
  /** SQL for whether a row `t` is in force. */
  readonly inForce?: string;
  readonly ofSessions?: true;
  /** In place of a deletion, with the key as parameters. */
  readonly end?: string;
}

const email = (id: string) => `COALESCE((SELECT u.email FROM users u WHERE u.id = ${id}), ${id})`;
const application = (id: string) => `COALESCE((SELECT c.name FROM clients c WHERE c.id = ${id}), ${id})`;
const group = (id: string) => `COALESCE((SELECT gr.name FROM groups gr WHERE gr.id = ${id}), ${id})`;
const isThere = (id: string) => `EXISTS (SELECT 1 FROM groups gr WHERE gr.id = ${id} AND gr.ended_by = ${lasting})`;
const personOrGroup = `CASE t.kind WHEN 'group' THEN ${group('t.subject_id')} ELSE ${email('t.subject_id')} END`;

const ofThisApplication = `EXISTS (SELECT 1 FROM clients c WHERE c.id = t.client_id AND c.generation = t.client_generation)`;

/** Its row doesn't say so when its person or its application was stopped, or the person's access had a gap. */
const isValidGrant = (now: number) => `EXISTS (SELECT 1 FROM grants g
  JOIN users u ON u.id = g.user_id AND u.generation = g.user_generation
  JOIN clients c ON c.id = g.client_id AND c.generation = g.client_generation
  WHERE g.id = t.id AND ${accessIsUnbroken(String(now))})`;

export function endedRows(now: number): readonly EndedRows[] {
  const lasts = (column: string) => `(t.${column} IS NULL OR t.${column} > ${now})`;
  const described: Partial<Record<RevocationKind, Described>> = {
    api_keys_revoked: { table: 'api_keys', key: ['digest'], name: 't.name', inForce: lasts('expires_at') },
    scim_tokens_revoked: { table: 'scim_tokens', key: ['digest'], name: 't.name', inForce: lasts('expires_at') },
    upstreams_disabled: {
      table: 'upstreams',
      key: ['name'],
      name: 't.name',
      inForce: 't.disabled_at IS NULL',
      end: `UPDATE upstreams SET disabled_at = ${now} WHERE name = $1`,
    },
    webhooks_disabled: {
      table: 'webhook_endpoints',
      key: ['id'],
      name: 't.url',
      inForce: `t.disabled_at IS NULL AND t.purpose = 'webhook'`,
      end: `UPDATE webhook_endpoints SET disabled_at = ${now}, disabled_reason = 'administrator' WHERE id = $1`,
    },
    sign_up_links_revoked: {
      table: 'sign_up_links',
      key: ['id'],
      name: "CASE t.note WHEN '' THEN t.id ELSE t.note END",
      inForce: `t.revoked_at IS NULL AND t.expires_at > ${now} AND t.used < t.uses`,
      end: `UPDATE sign_up_links SET revoked_at = ${now} WHERE id = $1`,
    },
    links_ended: {
      table: 'links',
      key: ['digest'],
      name: `t.purpose || CASE WHEN t.user_id IS NULL THEN '' ELSE ' ' || ${email('t.user_id')} END`,
      inForce: `t.expires_at > ${now}`,
    },
    apps_disconnected: {
      table: 'grants',
      key: ['id'],
      name: `${email('t.user_id')} || ' in ' || ${application('t.client_id')}`,
      inForce: `t.exchanged_at IS NOT NULL AND t.ended_at IS NULL AND t.expires_at > ${now} AND ${isValidGrant(now)}`,
    },
    consents_withdrawn: {
      table: 'consents',
      key: ['user_id', 'client_id'],
      name: `${email('t.user_id')} || ' in ' || ${application('t.client_id')}`,
      inForce: ofThisApplication,
    },
    memberships_ended: {
      table: 'group_members',
      key: ['group_id', 'user_id'],
      name: `${email('t.user_id')} || ' in ' || ${group('t.group_id')}`,
      inForce: `t.ended_by = ${lasting} AND ${lasts('expires_at')} AND ${isThere('t.group_id')}`,
    },
    access_ended: {
      table: 'client_access',
      key: ['client_id', 'kind', 'subject_id'],
      name: `${personOrGroup} || ' in ' || ${application('t.client_id')}`,
      inForce: `t.kind <> 'everyone' AND t.ended_by = ${lasting} AND ${lasts('expires_at')}
        AND (t.kind <> 'group' OR ${isThere('t.subject_id')})`,
    },
    owners_removed: {
      table: 'client_owners',
      key: ['client_id', 'kind', 'subject_id'],
      name: `${personOrGroup} || ' of ' || ${application('t.client_id')}`,
    },
    sessions_ended: { table: 'sessions', key: ['digest'], name: email('t.user_id'), ofSessions: true },
    browsers_forgotten: {
      table: 'known_devices',
      key: ['user_id', 'digest'],
      name: email('t.user_id'),
      inForce: `t.trusted_until > ${now}`,
      ofSessions: true,
    },
  };
  return Object.entries(described).map(([kind, rows]) => ({
    kind: kind as RevocationKind,
    isOfSessions: rows.ofSessions === true,
    find: (restored, present) => find(rows, restored, present),
  }));
}

async function* find(
  { table, key, name, inForce = 'true', end }: Described,
  restored: SnapshotReader,
  present: SnapshotReader,
): AsyncGenerator<EndedRow> {
  const keyOf = (row: Readonly<Record<string, unknown>>) => key.map((column) => String(row[column]));
  const sql =
    end ?? `DELETE FROM ${table} WHERE ${key.map((column, index) => `${column} = $${index + 1}`).join(' AND ')}`;
  for await (const page of pagesOf(restored, table, key, `${name} AS name`, inForce)) {
    const left = await rowsWith(present, table, key, page, key.map((column) => `t.${column}`).join(', '), inForce);
    const inBoth = new Set(left.map((row) => JSON.stringify(keyOf(row))));
    for (const row of page) {
      const own = keyOf(row);
      if (inBoth.has(JSON.stringify(own))) continue;
      yield { id: own.join(' '), name: String(row.name), statements: [{ sql, params: own }] };
    }
  }
}
