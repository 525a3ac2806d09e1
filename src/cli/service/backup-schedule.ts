// How a running service makes its scheduled backups, and what it logs about them.

import { existsSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import type { FastifyBaseLogger } from 'fastify';
import { type BackupOutcome, backUpWhenDue, findBackupState } from '../../operations/backups/scheduled-backups.ts';
import type { Metering, Services, Timing } from '../../operations/services.ts';
import type { Config } from '../../platform/config.ts';
import { newId } from '../../protocol/identifiers.ts';
import { backupAge } from '../../protocol/scheduled-backups.ts';

/** To be called about once a minute; does nothing while the call before is under way. */
export function backupRounds(
  services: Timing & Pick<Services, 'random'>,
  config: Config,
  log: Pick<FastifyBaseLogger, 'info' | 'error'>,
): () => Promise<void> {
  const { backups, dataDir, databaseUrl } = config;
  if (backups === undefined) return async () => {};
  const { folder, hours, keep } = backups;
  let round: Promise<BackupOutcome> | undefined;
  const schedule = {
    holder: newId(services.random),
    host: hostname(),
    folder,
    hours,
    isOnStoreDisk: () => databaseUrl === undefined && statSync(folder).dev === statSync(dataDir).dev,
    exists: existsSync,
    async make() {
      const { backUpInto } = await import('../store/make-backup.ts');
      const { file } = await backUpInto(config, folder, keep, false);
      return { file, size: statSync(file).size };
    },
  };
  return async () => {
    if (round !== undefined) return;
    round = backUpWhenDue(services, schedule);
    try {
      const outcome = await round;
      if (outcome.kind === 'made') log.info({ file: outcome.file }, 'made a backup');
      if (outcome.kind === 'failed') {
        log.error({ reason: outcome.reason }, 'the scheduled backup failed; it is tried again in 10 minutes');
      }
    } finally {
      round = undefined;
    }
  };
}

/** The same for every instance, like all that's in the store. */
export async function noteBackups(services: Timing & Metering): Promise<void> {
  const { meters, clock } = services;
  const state = await findBackupState(services);
  if (state === undefined) return;
  meters.backupAge.set({}, backupAge(state, clock.now()) / 1000);
  meters.backupSize.set({}, state.size);
}
