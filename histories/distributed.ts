// Three instances on a coordinator with Citus, with events on two workers.

import { CitusCluster, type DebianPostgres } from '../faults/citus-cluster.ts';
import type { Random } from '../faults/random.ts';
import type { System } from './system.ts';
import { faultsOfInstances, instancesOn, someSeconds } from './system.ts';

/** Seconds. Longer than the service waits for a statement. */
const longest = 7;

export async function startDistributed(people: number): Promise<System> {
  await using cleanup = new AsyncDisposableStack();
  const cluster = cleanup.use(await CitusCluster.start());
  const { coordinator, workers } = cluster;
  const { served, population } = await instancesOn(await cluster.newDatabase(), people, cleanup);
  await Promise.all(served.map((instance) => instance.start()));

  const freeze = async (server: DebianPostgres, random: Random) => {
    server.freeze();
    await someSeconds(random, 0.5, longest);
    server.thaw();
  };
  const restart = async (server: DebianPostgres, random: Random) => {
    await server.kill();
    await someSeconds(random, 0, longest);
    await server.startAgain();
  };

  const stack = cleanup.move();
  return {
    title: 'Three instances on Citus, with events on two workers',
    instances: served,
    population,
    faults: {
      ...faultsOfInstances(served),
      'worker frozen': (random) => freeze(random.pick(workers), random),
      'worker killed and started again': (random) => restart(random.pick(workers), random),
      'coordinator frozen': (random) => freeze(coordinator, random),
      'coordinator killed and started again': (random) => restart(coordinator, random),
      'connection between coordinator and worker lost': async (random) => {
        cluster.cut();
        await someSeconds(random, 0.5, longest);
        cluster.mend();
      },
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
