// A round of the sweep in a service whose clock the test moves.

import { Sweep, type SweepOptions, type SweepOutcome } from '../../src/operations/housekeeping/sweep.ts';
import type { TestService } from './service.ts';

function onFault(error: Error): never {
  throw error;
}

/** Works without a rest, and takes the clock for steady unless told otherwise. */
export function newSweep({ running, clock }: TestService, options: Partial<SweepOptions> = {}): Sweep {
  const patient = { holder: 'test', eventsDays: 90, elapsed: () => clock.now(), wait: async () => {}, onFault };
  return new Sweep(running.services, { ...patient, ...options });
}

/** A round of a process that has just started and has seen no clock before. */
export function sweep(service: TestService, holder: string): Promise<SweepOutcome> {
  return newSweep(service, { holder }).round();
}
