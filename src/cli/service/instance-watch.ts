// Watches whether all instances on this store have the same settings and keys: the log says when they no longer do, and when a
// new key waits for one of them; the metrics say how many there are.

import type { FastifyBaseLogger } from 'fastify';
import { type LiveInstances, mismatched } from '../../operations/instances/instances.ts';
import type { Metering } from '../../operations/services.ts';
import type { ComparedInstance, SharedFact } from '../../protocol/instances.ts';

/** A rolling restart, or copying a file to a few machines, takes less. */
const rotationTime = 90_000;

/** Worded to follow "different". */
export const factNames: Record<SharedFact, string> = {
  base_url: 'base URLs (LATCHKEY_BASE_URL)',
  keys: 'keys (LATCHKEY_KEYS, LATCHKEY_KEYS_FILE)',
  events_days: 'retention of events (LATCHKEY_EVENTS_DAYS)',
  breached_passwords: 'filters of breached passwords (LATCHKEY_BREACHED_PASSWORDS)',
};

/** What is different, and at which instances. */
export function mismatchSentence(instances: readonly ComparedInstance[]): string {
  const different = mismatched(instances);
  const facts = new Set(different.flatMap(({ mismatch }) => mismatch));
  const what = [...facts].map((fact) => factNames[fact]).join(', ');
  return `Instances on this store have different ${what}: ${different.map(({ id }) => id).join(', ')}.`;
}

/** Takes what was found each time. Says what has changed since the time before. */
export function instanceWatch(
  { meters }: Metering,
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>,
  elapsed = () => performance.now(),
): (found: LiveInstances) => void {
  let said: string | undefined;
  /** When each key was first seen waiting; undefined once that was said. */
  let waitingSince = new Map<string, number | undefined>();

  return ({ instances, waiting }) => {
    const different = mismatched(instances);
    meters.instances.set({ state: 'live' }, instances.length);
    meters.instances.set({ state: 'mismatched' }, different.length);
    const sentence = different.length === 0 ? undefined : mismatchSentence(instances);
    if (sentence !== undefined && sentence !== said) {
      log.error(`${sentence} Give them all the same. "latchkey instances" shows what each one has.`);
    }
    if (sentence === undefined && said !== undefined) log.info('all instances have the same settings and keys again');
    said = sentence;

    const now = elapsed();
    waitingSince = new Map(
      waiting.map(({ keyId, lacking }) => {
        const since = waitingSince.has(keyId) ? waitingSince.get(keyId) : now;
        if (since === undefined || now - since < rotationTime) return [keyId, since];
        log.warn(
          `the new key ${keyId} isn't used yet, because not every instance has it; the old one is used until then. ` +
            `Without it: ${lacking.join(', ')}`,
        );
        return [keyId, undefined];
      }),
    );
  };
}
