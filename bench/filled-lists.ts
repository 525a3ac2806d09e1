// Fills a store with everything that administrators list, besides people: groups, applications, events and so on. Of what is limited to
// 10,000, there is a little less and far more: both are the most expensive of their kind.

import { DAY, HOUR } from '../src/protocol/durations.ts';
import type { Driver } from '../src/storage/driver.ts';
import { fillPeople, personId } from './filled-people.ts';

const lasting = Number.MAX_SAFE_INTEGER;
/** What one statement inserts: the embedded store writes it as a whole. */
const portions = { embedded: 5000, server: 100_000 };
/** A little less than what a list reads and sorts. */
const justFew = 9900;

export const filled = {
  person: '01000000000000000070123456',
  largeGroup: 'large',
  /** Limited to its list. */
  application: 'app-1',
  openApplication: 'app-0',
  largeMembers: 52_000,
};

export async function fillLists(driver: Driver, people: number): Promise<void> {
  const now = Date.now();
  const since = now - 30 * DAY;
  /** Of what would be deleted after a month: the service would be busy with that while requests are measured. */
  const lately = now - 20 * DAY;
  /** So many of the people, wherever they are. */
  const some = (count: number, offset: number) => `i % ${Math.max(5, Math.ceil(people / count))} = ${offset}`;
  await fillPeople(driver, people, since, {
    last_sign_in_at: `CASE WHEN i % 5 = 0 THEN 0 ELSE ${now - 90 * DAY} + (i * 7919) % ${90 * DAY} END`,
    last_active_at: `CASE WHEN i % 5 = 0 THEN NULL ELSE ${now - 60 * DAY} + (i * 7919) % ${60 * DAY} END`,
    disabled_at: `CASE WHEN ${some(2 * justFew, 1)} THEN ${since} END`,
    pending_since: `CASE WHEN ${some(justFew, 1)} THEN ${lately} + i END`,
    inactive_end: `CASE WHEN ${some(2 * justFew, 1)} AND NOT ${some(justFew, 1)} THEN ${since} END`,
    expires_at: `CASE WHEN ${some(2 * justFew, 3)} THEN ${now + DAY} + (i * 7919) % ${59 * DAY} END`,
    roles: `CASE WHEN ${some(justFew, 2)} THEN 'auditor' WHEN ${some(100, 4)} THEN 'people' END`,
    managed_by: `CASE WHEN i % 3 = 0 THEN 'okta' WHEN ${some(justFew, 4)} THEN 'entra' END`,
    external_id: `CASE WHEN i % 3 = 0 OR ${some(justFew, 4)} THEN CAST(i AS TEXT) END`,
    has_factor: 'i % 2',
  });
  const text = (value: string) => `CAST(${value} AS TEXT)`;
  /** A row for each number, from 0 on. */
  const insert = async (table: string, count: number, row: Readonly<Record<string, string>>) => {
    const portion = portions[driver.engine];
    for (let first = 0; first < count; first += portion) {
      const sql = `INSERT INTO ${table} (${Object.keys(row).join(', ')})
        WITH RECURSIVE n(i) AS (SELECT CAST(${first} AS BIGINT) UNION ALL SELECT i + 1 FROM n
          WHERE i < ${Math.min(first + portion, count) - 1})
        SELECT ${Object.values(row).join(', ')} FROM n`;
      await driver.write([{ sql, params: [] }]);
    }
  };
  const anyone = personId(`(i * 7919) % ${people}`);
  const app = (number: string) => `'app-' || ${text(number)}`;
  const applications = 300;
  await insert('clients', applications, {
    id: app('i'),
    name: `'Application ' || ${text('i')}`,
    is_public: '0',
    redirect_uris: `'["https://app' || ${text('i')} || '.example/callback"]'`,
    scopes: `'openid profile email'`,
    generation: '0',
    created_at: `${since} + i`,
    updated_at: `${since}`,
    access: `CASE WHEN i % 2 = 1 THEN 'listed' ELSE 'everyone' END`,
    post_logout_redirect_uris: `'[]'`,
  });
  const word =
    driver.engine === 'server'
      ? (value: string) => `convert_to(${value}, 'UTF8')`
      : (value: string) => `CAST(${value} AS BLOB)`;
  for (const kind of ['client', 'client_name']) {
    const name = word(`'application ' || ${text('i')}`);
    await insert('search_words', applications, { kind: `'${kind}'`, word: name, ref: app('i'), source: `'name'` });
  }
  const consent = {
    client_generation: '0',
    scopes: `'openid'`,
    granted_at: `${since}`,
    last_used_at: `${now - 60 * DAY} + (i * 7919) % ${60 * DAY}`,
  };
  for (const application of [filled.application, filled.openApplication]) {
    await insert('consents', people, { user_id: personId('i'), client_id: `'${application}'`, ...consent });
  }
  await insert('consents', applications / 2 - 1, {
    user_id: `'${filled.person}'`,
    client_id: app('2 * i + 2'),
    ...consent,
  });
  const groups = 1000;
  await insert('groups', groups, {
    id: `CASE i WHEN 0 THEN '${filled.largeGroup}' WHEN 1 THEN 'everyone' ELSE 'group-' || ${text('i')} END`,
    name: `'Group ' || ${text('i')}`,
    name_key: `'group ' || ${text('i')}`,
    created_at: `${since}`,
    updated_at: `${since}`,
    ended_by: `${lasting}`,
  });
  const entry = { began_with: '0', ended_by: `${lasting}`, end_notices: '0', began_at: `${now - 90 * DAY} + i` };
  const ends = `CASE WHEN i % 10 = 0 THEN ${now + DAY} + (i * 7919) % ${59 * DAY} END`;
  const members = Math.min(filled.largeMembers, Math.floor(people / 2));
  await insert('group_members', members, {
    group_id: `'${filled.largeGroup}'`,
    user_id: personId('2 * i'),
    expires_at: ends,
    ...entry,
  });
  await insert('group_members', people, {
    group_id: `'everyone'`,
    user_id: personId('i'),
    expires_at: 'NULL',
    ...entry,
  });
  await insert('group_members', 50 * (groups - 2), {
    group_id: `'group-' || ${text('2 + i / 50')}`,
    user_id: anyone,
    expires_at: 'NULL',
    ...entry,
  });
  await insert('client_access', members, {
    client_id: `'${filled.application}'`,
    kind: `'person'`,
    subject_id: personId('2 * i'),
    expires_at: ends,
    ...entry,
  });
  await insert('client_access', groups, {
    client_id: `'${filled.application}'`,
    kind: `'group'`,
    subject_id: `CASE i WHEN 0 THEN '${filled.largeGroup}' WHEN 1 THEN 'everyone' ELSE 'group-' || ${text('i')} END`,
    expires_at: 'NULL',
    ...entry,
  });
  await insert('sessions', Math.floor(people / 10), {
    digest: `'digest' || ${text('i')}`,
    user_id: `CASE WHEN i < 100 THEN '${filled.person}' ELSE ${anyone} END`,
    user_generation: '0',
    created_at: `${lately}`,
    last_seen_at: `${now - HOUR}`,
    auth_time: `${lately}`,
    amr: `'pwd'`,
    proven_at: `${lately}`,
    kept: '1',
    trusted: '0',
    id: `'session' || ${text('i')}`,
  });
  const eventCount = 2 * people;
  await insert('events', eventCount, {
    // In the order of time, as the service's own.
    id: `'0' || substr(${text('10000000000000000 + i')}, 2) || 'eeeeeeeee'`,
    at: `${since} + i * ${Math.floor((30 * DAY) / eventCount)}`,
    kind: `CASE WHEN i % 1000 = 0 THEN 'token_revoked' WHEN i % 10 = 1 THEN 'sign_in_failed'
      WHEN i % 10 < 6 THEN 'signed_in' ELSE 'code_exchanged' END`,
    user_id: `CASE WHEN i % 100 = 7 THEN '${filled.person}' ELSE ${anyone} END`,
    client_id: app(`i % 7 * (i % 11) % ${applications}`),
    address: `'192.0.2.' || ${text('i % 256')}`,
    request_id: `'req-' || ${text('i / 2')}`,
    detail: `'{"device":"Firefox on Linux"}'`,
  });
  for (const kind of ['sign_in', 'failure', 'exchange', 'refresh', 'userinfo']) {
    const hour = `${Math.floor(since / HOUR) * HOUR} + i * ${HOUR}`;
    await insert('hourly_totals', 30 * 24, { hour, kind: `'${kind}'`, client_id: `''`, total: '17' });
    const daily = {
      hour: `${Math.floor(since / HOUR) * HOUR} + i / ${applications} * ${DAY}`,
      client_id: app(`i % ${applications}`),
    };
    await insert('hourly_totals', 30 * applications, { ...daily, kind: `'${kind}'`, total: '3' });
  }
  await insert('links', 20_000, {
    digest: `'link' || ${text('i')}`,
    purpose: `'invite'`,
    detail: `'{"email":"invited' || ${text('i')} || '@example.com","name":"Invited","invitedAt":${now}}'`,
    expires_at: `${now + DAY} + i`,
    email_key: `'invited' || ${text('i')} || '@example.com'`,
  });
  await insert('sign_up_links', 2000, {
    id: `'link-' || ${text('i')}`,
    digest: `'digest' || ${text('i')}`,
    uses: '10',
    used: 'i % 10',
    group_ids: `'["${filled.largeGroup}"]'`,
    note: `'For the team'`,
    created_at: `${since} + i`,
    expires_at: `${now + DAY} + i`,
  });
  await insert('identities', Math.floor(people / 10), {
    issuer: `'https://github.com'`,
    subject: text('i'),
    user_id: personId('i'),
    linked_at: `${since}`,
  });
}

/** What a webhook has delivered. */
export async function fillDeliveries(driver: Driver, endpointId: string, deliveries: number): Promise<void> {
  const now = Date.now();
  const sql = `INSERT INTO webhook_deliveries (endpoint_id, id, type, at, data, attempts, next_attempt_at, finished_at, delivered, delete_after)
    WITH RECURSIVE n(i) AS (SELECT CAST(0 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < ${deliveries - 1})
    SELECT '${endpointId}', 'msg_' || substr(CAST(10000000000 + i AS TEXT), 2), 'user.signed_in', ${now - DAY} + i, '{}', 1, 0, ${now},
      CASE WHEN i % 100 = 0 THEN 0 ELSE 1 END, ${now + 30 * DAY} FROM n`;
  await driver.write([{ sql, params: [] }]);
}
