// `latchkey migrate --distribute` and `--undistribute`: the events of a PostgreSQL store on other servers, with Citus, or back in one
// database. An instance of a release that can't read them there would answer with errors, so none may run, or start later.

import { ownVersion } from '../../platform/version.ts';
import { isLive } from '../../protocol/instances.ts';
import type { Driver, Spreading } from '../../storage/driver.ts';
import { sqlStorage } from '../../storage/sql/sql-storage.ts';
import type { Storage } from '../../storage/storage.ts';
import { CommandFailed, UsageError } from '../command.ts';

/** The driver's store has the schema `version`. */
export async function distribute(driver: Driver, where: 'out' | 'back', version: number) {
  const { spread } = driver;
  if (spread === undefined) throw new UsageError('tables can only be distributed with PostgreSQL: set DATABASE_URL');
  const storage = sqlStorage(driver);
  const move = where === 'out' ? moveOut : moveBack;
  const spreading = await move(() => spread(where), storage, String(version));
  const { moved, servers, longestWait } = spreading;
  const json = { moved, servers, longest_wait_ms: Math.round(longestWait) };
  return { json, text: sentenceAbout(spreading, where) };
}

type Move = (spread: () => Promise<Spreading>, storage: Storage, version: string) => Promise<Spreading>;

const moveOut: Move = async (spread, storage, version) => {
  const oldest = (await storage.findFact('oldest_schema')) ?? '0';
  const isNew = oldest !== version;
  if (isNew) {
    await storage.noteFact('oldest_schema_alone', oldest);
    await storage.noteFact('oldest_schema', version);
  }
  try {
    requireThisRelease((await storage.listInstances()).filter(isLive));
    return await spread();
  } catch (error) {
    if (isNew) await storage.noteFact('oldest_schema', oldest);
    throw error;
  }
};

const moveBack: Move = async (spread, storage, version) => {
  const spreading = await spread();
  const alone = await storage.findFact('oldest_schema_alone');
  // A migration since then has said itself what must know it.
  const isUnchanged = (await storage.findFact('oldest_schema')) === version;
  if (alone !== undefined && isUnchanged) await storage.noteFact('oldest_schema', alone);
  return spreading;
};

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
