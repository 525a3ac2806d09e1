// A peer: better-auth with its OAuth provider plugin on SQLite, configured to do the same work: durable commits, opaque
// access tokens, HS256 ID tokens and a consent that is looked up. It always rotates refresh tokens.

import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { oauthProvider } from '@better-auth/oauth-provider';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';

const [port, databaseFile] = process.argv.slice(2);
const database = new DatabaseSync(databaseFile);
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');

const options = {
  baseURL: `http://localhost:${port}`,
  secret: 'a secret of the benchmark, and long enough',
  database,
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { level: 'error' },
  plugins: [oauthProvider({ loginPage: '/sign-in', consentPage: '/consent', disableJwtPlugin: true })],
};
const { runMigrations } = await getMigrations(options);
await runMigrations();
createServer(toNodeHandler(betterAuth(options))).listen(Number(port), '127.0.0.1', () => {
  process.stdout.write('ready\n');
});
