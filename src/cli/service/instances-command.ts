// `latchkey instances`: which instances run on this store, and whether they have the same settings and keys.

import { liveInstances } from '../../operations/instances/instances.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import { summaries } from '../summaries.ts';
import { printError, styled } from '../terminal/output.ts';
import { briefTime } from '../terminal/times.ts';
import { defineStoreCommand } from '../with-services.ts';
import { clockSentences } from './instance-watch.ts';

export const instances = defineStoreCommand({
  summary: summaries.instances,
  details: `An instance is listed for as long as it runs; one that was killed, for another 30 seconds. CLOCK says by how many seconds its
clock is ahead of the store's. MISMATCH lists what differs from the other instances: base_url, keys, events_days or
breached_passwords, and clock if it's off by more than 5 seconds. Versions may differ during an upgrade.`,
  examples: ['latchkey instances', 'latchkey instances --json'],
  async run({ services }) {
    const found = await liveInstances(services);
    for (const sentence of clockSentences(found)) printError(sentence);
    const { instances } = found;
    const rows = instances.map(({ id, version, baseUrl, keyIds, startedAt, lastSeenAt, clockOffset, mismatch }) => [
      id,
      version,
      baseUrl,
      String(keyIds.length),
      briefTime(startedAt),
      briefTime(lastSeenAt),
      clockOffset === null ? '' : `${shownOffset(clockOffset)} s`,
      mismatch.length === 0 ? styled('green', 'none') : styled('red', mismatch.join(', ')),
    ]);
    return {
      json: instances.map(({ id, version, baseUrl, keyIds, startedAt, lastSeenAt, clockOffset, mismatch }) => ({
        id,
        version,
        base_url: baseUrl,
        key_ids: keyIds,
        started_at: isoTime(startedAt),
        last_seen_at: isoTime(lastSeenAt),
        clock_offset_seconds: clockOffset === null ? null : clockOffset / 1000,
        mismatch: mismatch.length === 0 ? null : mismatch,
      })),
      table: [['ID', 'VERSION', 'BASE URL', 'KEYS', 'STARTED', 'LAST SEEN', 'CLOCK', 'MISMATCH'], ...rows],
      none: 'No instance is running on this store.',
    };
  },
});

/** In seconds. */
function shownOffset(milliseconds: number): string {
  // Rounded first, because a negative number that is shown as zero would keep its sign.
  const tenths = Math.round(milliseconds / 100);
  return `${tenths > 0 ? '+' : ''}${(tenths / 10).toFixed(1)}`;
}
