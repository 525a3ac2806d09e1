// For a run of all tests: one PostgreSQL for all of them, since starting one takes longer than most files of tests.

import { startPostgres, type TestPostgres } from './postgres.ts';

let server: TestPostgres | undefined;

export async function globalSetup(): Promise<void> {
  server = await startPostgres();
  await server.makeTemplate();
  process.env.TEST_POSTGRES_PORT = String(server.port);
}

export async function globalTeardown(): Promise<void> {
  await server?.remove();
}
