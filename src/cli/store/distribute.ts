// `latchkey migrate --distribute` and `--undistribute`: the events of a PostgreSQL store on other servers, with Citus, or back in one
// database. An instance of a release that can't read them there would answer with errors, so none may run, or start later.

import { ownVersion } from '../../platform/version.ts';
import { isLive } from '../../protocol/instances.ts';
import type { Driver, Spreading } from '../../storage/driver.ts';
import { sqlStorage } from '../../storage/sql/sql-storage.ts';
import { CommandFailed, UsageError } from '../command.ts';

/** The driver's store has the schema `version`. */
export async function distribute(driver: Driver, where: 'out' | 'back', version: number) {
  if (driver.spread === undefined)
    throw new UsageError('tables can only be distributed with PostgreSQL: set DATABASE_URL');
  const storage = sqlStorage(driver);
  const oldest = await storage.findFact('oldest_schema');
  if (where === 'out' && oldest !== String(version)) {
    await storage.noteFact('oldest_schema_alone', oldest ?? '0');
    await storage.noteFact('oldest_schema', String(version));
  }
  if (where === 'out') requireThisRelease((await storage.listInstances()).filter(isLive));
  const spreading = await driver.spread(where);
  const alone = await storage.findFact('oldest_schema_alone');
  // A migration since then has said itself what must know it.
  if (where === 'back' && alone !== undefined && oldest === String(version))
    await storage.noteFact('oldest_schema', alone);
  const { moved, servers, longestWait } = spreading;
  const json = { moved, servers, longest_wait_ms: Math.round(longestWait) };
  return { json, text: sentenceAbout(spreading, where) };
}

const releaseOf = (version: string) => version.split('+')[0];

function requireThisRelease(instances: readonly { id: string; version: string }[]): void {
  const other = instances.find(({ version }) => releaseOf(version) !== releaseOf(ownVersion()));
  if (other === undefined) return;
  throw new CommandFailed(
    `instance ${other.id} runs version ${other.version}, which can't read events on other servers. Upgrade or stop it, wait half a ` +
      'minute, and try again. Nothing has been moved.',
  );
}

function sentenceAbout({ moved, servers, longestWait }: Spreading, where: 'out' | 'back') {
  const place = where === 'back' ? 'in this database' : `on ${servers} ${servers === 1 ? 'worker' : 'workers'}`;
  if (!moved) return `The events are already ${place}.`;
  return `The events are ${place} now. Nobody could write for ${(longestWait / 1000).toFixed(1)} s.`;
}
