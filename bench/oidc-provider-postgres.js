// oidc-provider's adapter for PostgreSQL, shaped like the relational ones among its own examples: one table for every kind
// of entry, the entry as JSON, a statement for each call.

import pg from 'pg';

export async function postgresAdapter(url) {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  await pool.query(`CREATE TABLE oidc_payloads (
    id TEXT, type TEXT, payload JSONB NOT NULL, grant_id TEXT, user_code TEXT, uid TEXT,
    expires_at TIMESTAMPTZ, consumed_at TIMESTAMPTZ, PRIMARY KEY (id, type));
    CREATE INDEX ON oidc_payloads (grant_id); CREATE INDEX ON oidc_payloads (uid)`);

  return class PostgresAdapter {
    constructor(type) {
      this.type = type;
    }

    async upsert(id, payload, expiresIn) {
      const expiresAt = expiresIn ? new Date(Date.now() + expiresIn * 1000) : null;
      await pool.query({
        name: 'upsert',
        text: `INSERT INTO oidc_payloads (id, type, payload, grant_id, user_code, uid, expires_at)
          VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id, type) DO UPDATE SET payload = excluded.payload,
          grant_id = excluded.grant_id, user_code = excluded.user_code, uid = excluded.uid,
          expires_at = excluded.expires_at`,
        values: [id, this.type, payload, payload.grantId, payload.userCode, payload.uid, expiresAt],
      });
    }

    find(id) {
      return this.#findBy('id', id);
    }

    findByUid(uid) {
      return this.#findBy('uid', uid);
    }

    findByUserCode(code) {
      return this.#findBy('user_code', code);
    }

    async #findBy(column, value) {
      const text = `SELECT payload, consumed_at FROM oidc_payloads WHERE ${column} = $1 AND type = $2`;
      const { rows } = await pool.query({ name: `find by ${column}`, text, values: [value, this.type] });
      const [row] = rows;
      return row && { ...row.payload, ...(row.consumed_at && { consumed: true }) };
    }

    async destroy(id) {
      await pool.query('DELETE FROM oidc_payloads WHERE id = $1 AND type = $2', [id, this.type]);
    }

    async revokeByGrantId(grantId) {
      await pool.query('DELETE FROM oidc_payloads WHERE grant_id = $1 AND type = $2', [grantId, this.type]);
    }

    async consume(id) {
      const text = 'UPDATE oidc_payloads SET consumed_at = now() WHERE id = $1 AND type = $2';
      await pool.query({ name: 'consume', text, values: [id, this.type] });
    }
  };
}
