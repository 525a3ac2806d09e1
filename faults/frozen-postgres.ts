// PostgreSQL stops answering under load and goes on some seconds later, as a machine does whose disk or network hangs.

import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Ledger } from '../test/harness/ledger.ts';
import { startPostgres } from '../test/harness/postgres.ts';
import { populate, Served } from '../test/harness/served.ts';
import { until } from '../test/harness/until.ts';
import { type Experiment, times } from './experiment.ts';
import { OtherWork } from './other-work.ts';
import { Outside } from './outside.ts';
import { processesUnavailable } from './processes.ts';

/** Milliseconds: shorter than the service waits for the database, and longer. */
const freezes = [2000, 12_000] as const;
/** The service gives up on a statement after 5 s. */
const noticedAfter = 6000;
/** More than the service has connections to the database. */
const people = 16;
/** Seconds. A request may wait 5 for a connection and 5 for a statement. */
const slowestAllowed = 12;
const recoveryAllowed = 5;

export const frozenPostgres: Experiment = {
  name: 'frozen-postgres',
  title: 'PostgreSQL frozen (`SIGSTOP`)',
  unavailable: processesUnavailable,
  run: async ({ scale, say }) => {
    await using cleanup = new AsyncDisposableStack();
    const folder = cleanup.use(mkdtempDisposableSync(join(tmpdir(), 'latchkey-faults-')));
    const postgres = cleanup.adopt(await startPostgres({ durable: true }), (server) => server.remove());
    const database = { LATCHKEY_DATA_DIR: folder.path, DATABASE_URL: await postgres.newDatabase() };
    const outside = cleanup.use(await Outside.start());
    const environment = { ...database, ...outside.settings };
    const served = cleanup.adopt(await Served.at(environment), (service) => service.end('SIGTERM'));
    const { client, users } = await populate(served.environment, people);
    const ledger = new Ledger(served.service, client, users);
    const work = await OtherWork.prepare(served, outside);
    await served.start();
    await ledger.signIn();
    let ended = false;
    cleanup.defer(() => {
      ended = true;
    });

    const broken: string[] = [];
    const recoveries: number[] = [];
    const rounds = times(4, scale);
    for (const freeze of Array.from({ length: rounds }, () => freezes).flat()) {
      ended = false;
      const load = Promise.all([ledger.loadThrough(() => ended), work.load(() => ended)]);
      await until(() => work.isUnderWay(), 'the service takes the load', 60);
      // At any moment of the load, hence a random one.
      await pause(500 + Math.random() * 500);
      const failedBefore = ledger.failed;
      postgres.freeze();
      const ready = readiness(served.url);
      await pause(freeze);
      const early = await Promise.race([ready, 'no answer']);
      if (freeze > noticedAfter && early !== 503) broken.push(`/readyz during a freeze: ${early}`);

      const grantsBefore = ledger.grants;
      postgres.thaw();
      const thawed = performance.now();
      const works = async () => ledger.grants > grantsBefore && (await readiness(served.url)) === 200;
      await until(works, 'the service works again', 60);
      const recovery = (performance.now() - thawed) / 1000;
      recoveries.push(recovery);
      say(`${freeze / 1000} s, ${ledger.failed - failedBefore} times 503, works again after ${recovery.toFixed(1)} s`);
      await pause(500);
      ended = true;
      await load;
      broken.push(...(await ledger.check()), ...(await work.check()));
    }
    broken.push(...(await work.finish(ledger)), ...(await ledger.checkPeople()), ...ledger.wrong);
    const slowest = ledger.slowest / 1000;
    if (slowest > slowestAllowed) broken.push(`a request took ${slowest.toFixed(1)} s`);
    const recovery = Math.max(...recoveries);
    if (recovery > recoveryAllowed) broken.push(`it took ${recovery.toFixed(1)} s to recover`);
    return {
      done: `${rounds * 2} freezes, half of ${freezes[0] / 1000} s and half of ${freezes[1] / 1000} s, ${people + 6} connections`,
      checks: { grants: ledger.grants, revocations: ledger.revocations, ...work.checks },
      // None in a freeze that is shorter than requests wait.
      remarks: [
        `${ledger.failed} times 503`,
        `slowest response ${slowest.toFixed(1)} s`,
        `works again after at most ${recovery.toFixed(1)} s`,
      ],
      broken,
    };
  },
};

async function readiness(url: string): Promise<number> {
  return (await fetch(`${url}/readyz`)).status;
}
