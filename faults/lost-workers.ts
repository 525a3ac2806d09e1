// With Citus: a worker, the coordinator and the connection between them fail under load. Nothing that was acknowledged may be lost, and
// what needs no event is served without workers.

import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Ledger } from '../test/harness/ledger.ts';
import { obtainTokens, userinfo } from '../test/harness/relying-party.ts';
import { populate, Served } from '../test/harness/served.ts';
import type { TestUser } from '../test/harness/service.ts';
import { until } from '../test/harness/until.ts';
import { CitusCluster, citusUnavailable } from './citus-cluster.ts';
import { type Experiment, times } from './experiment.ts';

const people = 8;
/** Milliseconds. Longer than the service waits for the database. */
const outage = 8000;
/** Seconds. */
const recoveryAllowed = 10;

export const lostWorkers: Experiment = {
  name: 'lost-workers',
  title: 'Citus: workers, coordinator and connection lost',
  unavailable: citusUnavailable,
  run: async ({ scale, say }) => {
    await using cleanup = new AsyncDisposableStack();
    const folder = cleanup.use(mkdtempDisposableSync(join(tmpdir(), 'latchkey-faults-')));
    const cluster = cleanup.use(await CitusCluster.start());
    const [worker] = cluster.workers;
    const environment = { LATCHKEY_DATA_DIR: folder.path, DATABASE_URL: await cluster.newDatabase() };
    const served = cleanup.adopt(await Served.at(environment), (service) => service.end('SIGTERM'));
    const { client, users } = await populate(served.environment, people);
    const ledger = new Ledger(served.service, client, users);
    await served.start();
    await ledger.signIn();
    let ended = false;
    cleanup.defer(() => {
      ended = true;
    });

    /** Each breaks something, and returns what makes it whole. */
    const faults: Record<string, () => Promise<() => unknown>> = {
      'worker killed': async () => {
        await worker.kill();
        return () => worker.startAgain();
      },
      'worker frozen': async () => {
        worker.freeze();
        return () => worker.thaw();
      },
      'connection lost': async () => {
        cluster.cut();
        return () => cluster.mend();
      },
      'coordinator killed': async () => {
        await cluster.coordinator.kill();
        return () => cluster.coordinator.startAgain();
      },
    };
    const broken: string[] = [];
    const recoveries: number[] = [];
    let servedWithout = 0;
    const rounds = times(5, scale);
    for (const [name, fault] of Array.from({ length: rounds }, () => Object.entries(faults)).flat()) {
      const { tokens } = await obtainTokens(served.service, client, users[0] as TestUser);
      ended = false;
      const load = ledger.loadThrough(() => ended);
      // At any moment of the load, hence a random one.
      await pause(1000 + Math.random() * 500);
      const failedBefore = ledger.failed;
      const repair = await fault();
      const end = performance.now() + outage;
      const needsCoordinator = name === 'coordinator killed';
      let noticed = false;
      while (performance.now() < end) {
        const { status } = await userinfo(served.service, tokens.access_token);
        if (status === 200) servedWithout++;
        else if (!needsCoordinator || status !== 503) broken.push(`userinfo, ${name}: ${status}`);
        const { httpStatus, lacks } = await readiness(served.url);
        noticed ||= lacks !== undefined;
        if (!needsCoordinator && httpStatus !== 200) broken.push(`/readyz, ${name}: ${httpStatus} ${lacks}`);
        await pause(100);
      }
      if (!noticed) broken.push(`/readyz says nothing, ${name}`);
      const grantsBefore = ledger.grants;
      await repair();
      const repaired = performance.now();
      const works = async () => ledger.grants > grantsBefore && (await readiness(served.url)).lacks === undefined;
      await until(works, 'the service works again', 60);
      const recovery = (performance.now() - repaired) / 1000;
      recoveries.push(recovery);
      say(`${name}, ${ledger.failed - failedBefore} times 503, works again after ${recovery.toFixed(1)} s`);
      await pause(500);
      ended = true;
      await load;
      broken.push(...(await ledger.check()));
    }
    broken.push(...(await ledger.checkPeople()), ...ledger.wrong);
    const recovery = Math.max(...recoveries);
    if (recovery > recoveryAllowed) broken.push(`it took ${recovery.toFixed(1)} s to recover`);
    return {
      done: `${rounds * Object.keys(faults).length} outages of ${outage / 1000} s, ${people} connections`,
      checks: { grants: ledger.grants, revocations: ledger.revocations, 'userinfo without a worker': servedWithout },
      remarks: [`${ledger.failed} times 503`, `works again after at most ${recovery.toFixed(1)} s`],
      broken,
    };
  },
};

/** What /readyz says is missing, if anything is. */
async function readiness(url: string): Promise<{ httpStatus: number; lacks: string | undefined }> {
  const response = await fetch(`${url}/readyz`);
  const { status, reason, events } = (await response.json()) as Record<string, string | undefined>;
  return { httpStatus: response.status, lacks: status === 'ready' ? events : (reason ?? status) };
}
