// Kills a service at random moments under load, and checks after each start what it still knows.

import { setTimeout as pause } from 'node:timers/promises';
import { Ledger } from './ledger.ts';
import { populate, Served } from './served.ts';
import { until } from './until.ts';

export interface Killed {
  readonly grants: number;
  readonly revocations: number;
  /** What was acknowledged and is gone, and responses that were wrong. */
  readonly lost: readonly string[];
}

/** What else goes on meanwhile. */
export interface WorkBeside {
  load(ended: () => boolean): Promise<void>;
  /** Whether each kind of work was acknowledged at least once since the load began. */
  isUnderWay(): boolean;
  /** What was acknowledged since the last check and is gone. */
  check(): Promise<readonly string[]>;
  /** The same for everything, at the end, and what the ledger has lost. */
  finish(ledger: Ledger): Promise<readonly string[]>;
}

/** What happens at a random moment of the load. `over` ends the load; once it resolves, the service works again. */
export type Kill = (served: Served, over: () => Promise<void>) => Promise<void>;

const killAndStart: Kill = async (served, over) => {
  await served.end('SIGKILL');
  await over();
  await served.start();
};

export async function killUnderLoad(
  environment: Record<string, string>,
  kills: number,
  prepare: (served: Served) => Promise<WorkBeside | undefined> = async () => undefined,
  kill = killAndStart,
): Promise<Killed> {
  const served = await Served.at(environment);
  const { client, users } = await populate(served.environment, 4);
  const ledger = new Ledger(served.service, client, users);
  const beside = await prepare(served);
  const lost: string[] = [];
  let ended = false;
  try {
    await served.start();
    await ledger.signIn();
    for (let count = 1; count <= kills; count++) {
      const granted = ledger.grants;
      ended = false;
      const load = Promise.all([ledger.load(() => ended), beside?.load(() => ended)]);
      // On a busy machine, the first grants take longer than the wait.
      const isUnderWay = () => ledger.grants > granted + 1 && (beside?.isUnderWay() ?? true);
      await Promise.race([load, until(isUnderWay, 'the service takes the load', 60)]);
      // The kill comes at a random moment of the load, hence a wait of random length.
      await pause(30 + Math.random() * 120);
      await kill(served, async () => {
        ended = true;
        await load;
      });
      lost.push(...(await ledger.check()), ...((await beside?.check()) ?? []));
    }
    lost.push(...((await beside?.finish(ledger)) ?? []), ...(await ledger.checkPeople()));
    lost.push(...(await ledger.check(true)), ...ledger.wrong);
  } finally {
    // Also if it never got under way: nobody else would end it.
    ended = true;
    await served.end('SIGTERM');
  }
  return { grants: ledger.grants, revocations: ledger.revocations, lost };
}
