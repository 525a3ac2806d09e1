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

export async function killUnderLoad(environment: Record<string, string>, kills: number): Promise<Killed> {
  const served = await Served.at(environment);
  const { client, users } = await populate(served.environment, 4);
  const ledger = new Ledger(served.service, client, users);
  const lost: string[] = [];
  try {
    await served.start();
    await ledger.signIn();
    for (let kill = 1; kill <= kills; kill++) {
      const granted = ledger.grants;
      const load = ledger.load();
      // On a busy machine, the first grants take longer than the wait.
      await Promise.race([load, until(() => ledger.grants > granted + 1, 'two grants')]);
      // The kill comes at a random moment of the load, hence a wait of random length.
      await pause(30 + Math.random() * 120);
      await served.end('SIGKILL');
      await load;
      await served.start();
      lost.push(...(await ledger.check(kill === kills)));
    }
    lost.push(...(await ledger.checkPeople()), ...ledger.wrong);
  } finally {
    await served.end('SIGTERM');
  }
  return { grants: ledger.grants, revocations: ledger.revocations, lost };
}
