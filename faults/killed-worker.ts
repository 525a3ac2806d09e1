// One of several workers is killed under load. Only the requests that it had are lost: the others answer at once, and it's replaced.

import { setTimeout as pause } from 'node:timers/promises';
import { type Kill, killUnderLoad } from '../test/harness/killed-under-load.ts';
import { until } from '../test/harness/until.ts';
import { damageIn } from './embedded-store.ts';
import { type Experiment, inFolder, times } from './experiment.ts';
import { OtherWork } from './other-work.ts';
import { Outside } from './outside.ts';
import { pidOf, processesFrom, processesUnavailable } from './processes.ts';

const workers = 3;
/** Asked one after the other while a worker is missing, each over a connection of its own. */
const asked = 20;
/** Milliseconds in which the first process notices that a worker is gone. Until then it may still hand over connections. */
const noticedAfter = 500;

export const killedWorker: Experiment = {
  name: 'killed-worker',
  title: 'One of three workers killed, embedded store',
  unavailable: processesUnavailable,
  run: ({ scale }) =>
    inFolder(async (folder) => {
      await using outside = await Outside.start();
      let work: OtherWork | undefined;
      let answers = 0;
      const broken: string[] = [];
      const killOne: Kill = async (served, over) => {
        const running = () => processesFrom(pidOf(served)).slice(1);
        const killed = running()[Math.floor(Math.random() * workers)];
        // 0 would be all processes of this group.
        if (killed === undefined) throw new Error('a worker is missing');
        process.kill(killed, 'SIGKILL');
        await pause(noticedAfter);
        for (let count = 0; count < asked; count++) {
          const path = count % 2 === 0 ? '/readyz' : '/sign-in';
          const sending = fetch(served.url + path, { headers: { Connection: 'close' } });
          const status = await sending.then(
            (response) => response.status,
            (error: Error) => String(error.cause ?? error),
          );
          if (status === 200) answers++;
          else broken.push(`${path} without one of the workers: ${status}`);
        }
        await over();
        const isReplaced = () => running().length === workers && !running().includes(killed);
        await until(isReplaced, 'the worker is replaced');
      };
      const kills = times(60, scale);
      const environment = { LATCHKEY_DATA_DIR: folder, LATCHKEY_WORKERS: String(workers), ...outside.settings };
      const prepare: Parameters<typeof killUnderLoad>[2] = async (served) => {
        work = await OtherWork.prepare(served, outside);
        return work;
      };
      const { grants, revocations, lost } = await killUnderLoad(environment, kills, prepare, killOne);
      return {
        done: `${kills} workers killed at random moments, 10 connections`,
        checks: { 'responses without one of the workers': answers, grants, revocations, ...work?.checks },
        remarks: ['no code usable twice', 'sessions and approvals', 'integrity_check'],
        broken: [...broken, ...lost, ...damageIn(folder)],
      };
    }),
};
