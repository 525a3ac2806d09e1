// Indexes for search what 0.3.0 has written, in small batches, so that no request waits behind it.

import type { Storing } from '../services.ts';

const batchSize = 500;

export async function makeEverythingSearchable({ storage }: Storing): Promise<void> {
  while ((await storage.makeSearchable(batchSize)) === batchSize);
}
