// The primary loses its power under load and its standby is promoted. Replication is synchronous, so nothing that was
// acknowledged may be lost. The address that the service knows leads to the standby before that is promoted, because
// something in front of databases may be faster than whoever promotes them; nothing may be served then.

import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Ledger } from '../test/harness/ledger.ts';
import { queryPostgres, startPostgres, TestPostgres } from '../test/harness/postgres.ts';
import { obtainTokens, userinfo } from '../test/harness/relying-party.ts';
import { populate, Served } from '../test/harness/served.ts';
import { freePort, type TestUser } from '../test/harness/service.ts';
import { until } from '../test/harness/until.ts';
import { startAddress } from './address.ts';
import { type Experiment, times } from './experiment.ts';
import { processesUnavailable } from './processes.ts';

const people = 16;
/** How long the standby gets requests before it is promoted, in milliseconds. */
const unpromoted = 2000;
/** Seconds from the promotion to the first change that is acknowledged. */
const recoveryAllowed = 5;

const postgresOptions = { durable: true, settings: ['wal_keep_size=512MB'] };

export const promotedPostgres: Experiment = {
  name: 'promoted-postgres',
  title: 'PostgreSQL primary killed, standby promoted',
  unavailable: processesUnavailable,
  run: async ({ scale, say }) => {
    await using cleanup = new AsyncDisposableStack();
    const folder = cleanup.use(mkdtempDisposableSync(join(tmpdir(), 'latchkey-faults-')));
    const owned = (server: TestPostgres) => cleanup.adopt(server, () => server.remove());
    let primary = owned(await startPostgres(postgresOptions));
    const database = new URL(await primary.newDatabase());
    const address = await startAddress(primary.port);
    cleanup.defer(address.stop);
    database.port = String(address.port);
    const environment = { LATCHKEY_DATA_DIR: folder.path, DATABASE_URL: database.href };
    const served = cleanup.adopt(await Served.at(environment), (service) => service.end('SIGTERM'));
    const { client, users } = await populate(served.environment, people);
    const ledger = new Ledger(served.service, client, users);
    await served.start();
    await ledger.signIn();
    let ended = false;
    cleanup.defer(() => {
      ended = true;
    });

    const broken: string[] = [];
    const recoveries: number[] = [];
    let onStandby = 0;
    const rounds = times(6, scale);
    for (let round = 1; round <= rounds; round++) {
      const { tokens } = await obtainTokens(served.service, client, users[0] as TestUser);
      ended = false;
      const load = ledger.loadThrough(() => ended);
      const standby = owned(new TestPostgres(await freePort(), postgresOptions));
      await standby.startFollowing(primary);
      await waitForStandby(primary);
      // At any moment of the load, hence a random one.
      await pause(1000 + Math.random() * 500);
      const failedBefore = ledger.failed;
      await primary.kill();
      address.leadTo(standby.port);
      const switched = performance.now();
      while (performance.now() - switched < unpromoted) {
        const { status } = await userinfo(served.service, tokens.access_token);
        if (status !== 503) broken.push(`userinfo on a standby: ${status}`);
        onStandby++;
        const ready = await fetch(`${served.url}/readyz`);
        if (ready.status !== 503) broken.push(`/readyz on a standby: ${ready.status}`);
        await pause(50);
      }

      const grantsBefore = ledger.grants;
      const promoted = performance.now();
      await queryPostgres(standby.urlOf('postgres'), 'SELECT pg_promote()');
      await until(() => ledger.grants > grantsBefore, 'the service works again', 60);
      const recovery = (performance.now() - promoted) / 1000;
      recoveries.push(recovery);
      say(`promoted, ${ledger.failed - failedBefore} times 503, works again after ${recovery.toFixed(1)} s`);
      await pause(500);
      ended = true;
      await load;
      broken.push(...(await ledger.check()));
      await primary.remove();
      primary = standby;
    }
    broken.push(...(await ledger.checkPeople()), ...ledger.wrong);
    const recovery = Math.max(...recoveries);
    if (recovery > recoveryAllowed) broken.push(`it took ${recovery.toFixed(1)} s to recover`);
    return {
      done: `primary killed ${rounds} times, standby promoted ${unpromoted / 1000} s later, ${people} connections`,
      checks: {
        grants: ledger.grants,
        revocations: ledger.revocations,
        'requests that a standby must not serve': onStandby,
      },
      remarks: [`${ledger.failed} times 503`, `works again after at most ${recovery.toFixed(1)} s`],
      broken,
    };
  },
};

/** From now on the primary acknowledges only what its standby has on disk. */
export async function waitForStandby(primary: TestPostgres): Promise<void> {
  const url = primary.urlOf('postgres');
  await queryPostgres(url, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await queryPostgres(url, 'SELECT pg_reload_conf()');
  const follows = async () => {
    const [standby] = await queryPostgres(url, 'SELECT sync_state FROM pg_stat_replication');
    return standby?.sync_state === 'sync';
  };
  await until(follows, 'the standby follows');
}
