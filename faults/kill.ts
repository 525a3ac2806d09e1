// kill -9 at random moments under load, on both engines.

import { killUnderLoad } from '../test/harness/killed-under-load.ts';
import { startPostgres } from '../test/harness/postgres.ts';
import { damageIn } from './embedded-store.ts';
import { type Experiment, type Findings, inFolder, times } from './experiment.ts';
import { OtherWork } from './other-work.ts';
import { Outside } from './outside.ts';

export const killEmbedded: Experiment = {
  name: 'kill-embedded',
  title: '`kill -9`, embedded store',
  run: async ({ scale }) => {
    return inFolder(async (folder) => {
      const findings = await kill({ LATCHKEY_DATA_DIR: folder }, times(110, scale));
      return { ...findings, broken: [...findings.broken, ...damageIn(folder)] };
    });
  },
};

export const killPostgres: Experiment = {
  name: 'kill-postgres',
  title: '`kill -9`, PostgreSQL',
  run: async ({ scale }) => {
    const postgres = await startPostgres({ durable: true });
    try {
      return await inFolder(async (folder) => {
        const environment = { LATCHKEY_DATA_DIR: folder, DATABASE_URL: await postgres.newDatabase() };
        return kill(environment, times(150, scale));
      });
    } finally {
      await postgres.remove();
    }
  },
};

async function kill(environment: Record<string, string>, kills: number): Promise<Findings> {
  await using outside = await Outside.start();
  let work: OtherWork | undefined;
  const { grants, revocations, lost } = await killUnderLoad(
    { ...environment, ...outside.settings },
    kills,
    async (served) => {
      work = await OtherWork.prepare(served, outside);
      return work;
    },
  );
  return {
    done: `${kills} kills at random moments, 10 connections`,
    checks: { grants, revocations, ...work?.checks },
    remarks: ['no code usable twice', 'sessions and approvals'],
    broken: lost,
  };
}
