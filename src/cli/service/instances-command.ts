// `latchkey instances`: which instances run on this store, and whether they have the same settings and keys.

import { liveInstances } from '../../operations/instances/instances.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import { summaries } from '../summaries.ts';
import { styled } from '../terminal/output.ts';
import { briefTime } from '../terminal/times.ts';
import { defineStoreCommand } from '../with-services.ts';

export const instances = defineStoreCommand({
  summary: summaries.instances,
  details: `An instance is listed for as long as it runs; one that was killed, for another 30 seconds. MISMATCH says what it doesn't
share with the others: base_url, keys, events_days or breached_passwords. Versions may differ, during an upgrade.`,
  examples: ['latchkey instances', 'latchkey instances --json'],
  async run({ services }) {
    const found = (await liveInstances(services)).instances;
    const rows = found.map(({ id, version, baseUrl, keyIds, startedAt, lastSeenAt, mismatch }) => [
      id,
      version,
      baseUrl,
      String(keyIds.length),
      briefTime(startedAt),
      briefTime(lastSeenAt),
      mismatch.length === 0 ? styled('green', 'none') : styled('red', mismatch.join(', ')),
    ]);
    return {
      json: found.map(({ id, version, baseUrl, keyIds, startedAt, lastSeenAt, mismatch }) => ({
        id,
        version,
        base_url: baseUrl,
        key_ids: keyIds,
        started_at: isoTime(startedAt),
        last_seen_at: isoTime(lastSeenAt),
        mismatch: mismatch.length === 0 ? null : mismatch,
      })),
      table: [['ID', 'VERSION', 'BASE URL', 'KEYS', 'STARTED', 'LAST SEEN', 'MISMATCH'], ...rows],
      none: 'No instance is running on this store.',
    };
  },
});
