// Ids and names from the store, for completion. It opens what is there and changes nothing: no store is created, and none
// is migrated by pressing a key.

import { existsSync } from 'node:fs';
import { type Environment, readConfig } from '../../platform/config.ts';
import { searchedWords } from '../../protocol/admin/search-words.ts';
import { judgeSchema } from '../../storage/migrating.ts';
import { readMigrations, sqlStorage } from '../../storage/sql/sql-storage.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Completes } from '../frame/spec.ts';
import { databaseFile, openStore } from '../store/open-store.ts';
import type { Candidate } from './complete.ts';

/** More than anybody looks through. */
const most = 100;
/** Milliseconds: somebody waits for the key that they have pressed. */
const patience = 2000;

type Stored = Exclude<Completes, 'file'>;

const readers: Record<Stored, (storage: Storage, typed: string) => Promise<Candidate[]>> = {
  client: async (storage) => (await storage.listClients()).map(({ id, name }) => ({ word: id, about: name })),
  webhook: async (storage) => (await storage.listWebhooks()).map(({ id, url }) => ({ word: id, about: url })),
  upstream: async (storage) => (await storage.listUpstreams()).map(({ name, label }) => ({ word: name, about: label })),
  'api-key': async (storage) => (await storage.listApiKeys()).map(({ id, name }) => ({ word: id, about: name })),
  group: async (storage) => {
    const { items } = await storage.pageGroups({ after: undefined, limit: 1000 });
    return items.map(({ name }) => ({ word: name, about: '' }));
  },
  // There may be millions of people, so only a search finds them.
  person: async (storage, typed) => {
    const words = searchedWords(typed);
    if (words.length === 0) return [];
    const { items } = await storage.pageUsers({ words, after: undefined, limit: most, order: undefined });
    return items.map(({ email, name }) => ({ word: email, about: name }));
  },
};

/** None if there's no store, or it doesn't answer. */
export async function storedWords(kind: Stored, typed: string, environment: Environment): Promise<Candidate[]> {
  const tooLate = AbortSignal.timeout(patience);
  const late = new Promise<Candidate[]>((resolve) => tooLate.addEventListener('abort', () => resolve([])));
  return Promise.race([readStored(kind, typed, environment).catch(() => []), late]);
}

async function readStored(kind: Stored, typed: string, environment: Environment): Promise<Candidate[]> {
  const config = readConfig(environment);
  if (config.databaseUrl === undefined && !existsSync(databaseFile(config))) return [];
  const driver = await openStore(config, { reportLoss: () => {} });
  try {
    const state = judgeSchema(await driver.appliedMigrations(), readMigrations());
    return state.kind === 'current' ? await readers[kind](sqlStorage(driver), typed) : [];
  } finally {
    await driver.close();
  }
}
