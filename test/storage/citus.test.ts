// PostgreSQL with Citus, events on the workers: every rule of the conformance suite.

import { describe } from 'node:test';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { newCitusDatabase, skip } from '../harness/citus.ts';
import { searchableConformance } from './conformance/searchable.ts';
import { storageConformance } from './conformance.ts';
import { lendStores } from './lent-stores.ts';
import { storageOn } from './records.ts';

const lend = lendStores(async () => openPostgres(await newCitusDatabase()));

describe('Citus', { skip }, () => {
  storageConformance('Citus', async () => {
    const { driver, close } = await lend();
    return { storage: storageOn(driver), driver, close };
  });
  searchableConformance('Citus', lend);
});
