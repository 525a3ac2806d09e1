// Watches whether all instances on this store have the same settings, keys and time: the log says when they no longer do, and when
// a new key waits for one of them; the metrics say how many there are, and how far clocks are off.

import type { FastifyBaseLogger } from 'fastify';
import { type LiveInstances, mismatched, withWrongClock } from '../../operations/instances/instances.ts';
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
  const facts = new Set(different.flatMap(({ mismatch }) => mismatch.filter((fact) => fact !== 'clock')));
  const what = [...facts].map((fact) => factNames[fact]).join(', ');
  return `Instances on this store have different ${what}: ${different.map(({ id }) => id).join(', ')}.`;
}

export const clockAdvice = 'Synchronize the clocks (NTP): codes and tokens expire by them.';

/** Whose clock is off, and by how much: the store's, those of instances, or both. */
export function clockSentences({ instances, storeAhead }: LiveInstances): string[] {
  const most = 'those of most instances';
  const off = withWrongClock(instances).map(({ id, clockAhead, ready }) => {
    const clock = `The clock of ${id} is ${apart(clockAhead ?? 0)} ${storeAhead === 0 ? "the store's" : most}`;
    return ready ? `${clock}.` : `${clock}, so it isn't ready.`;
  });
  return storeAhead === 0 ? off : [`The store's clock is ${apart(storeAhead)} ${most}.`, ...off];
}

function apart(milliseconds: number): string {
  return `${Math.round(Math.abs(milliseconds) / 1000)} s ${milliseconds > 0 ? 'ahead of' : 'behind'}`;
}

/** Takes what was found each time. Says what has changed since the time before. */
export function instanceWatch(
  { meters }: Metering,
  ownId: string,
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>,
  elapsed = () => performance.now(),
): (found: LiveInstances) => void {
  const reporter = (todo: string, over: string) => {
    let said: string | undefined;
    /** Compares what the sentence is about, because a clock that goes wrong goes on doing so. */
    return (sentence: string | undefined, about = sentence) => {
      if (sentence !== undefined && about !== said) log.error(`${sentence} ${todo}`);
      if (sentence === undefined && said !== undefined) log.info(over);
      said = sentence && about;
    };
  };
  const reportMismatch = reporter(
    'Give them all the same. "latchkey instances" shows what each one has.',
    'all instances have the same settings and keys again',
  );
  const reportClocks = reporter(clockAdvice, 'the clocks of all instances and of the store agree again');
  /** When each key was first seen waiting; undefined once that was said. */
  let waitingSince = new Map<string, number | undefined>();

  return (found) => {
    const { instances, waiting, storeAhead } = found;
    const different = mismatched(instances);
    meters.instances.set({ state: 'live' }, instances.length);
    meters.instances.set({ state: 'mismatched' }, different.length);
    const ownClock = instances.find(({ id }) => id === ownId)?.clockAhead ?? 0;
    meters.clockOffset.set({ clock: 'instance' }, ownClock / 1000);
    meters.clockOffset.set({ clock: 'store' }, storeAhead / 1000);
    const sentence = different.length === 0 ? undefined : mismatchSentence(instances);
    reportMismatch(sentence, sentence);
    const clocks = clockSentences(found);
    const whose = withWrongClock(instances).map(({ id, ready }) => `${id} ${ready}`);
    reportClocks(clocks.length === 0 ? undefined : clocks.join(' '), [storeAhead === 0, ...whose].join(' '));

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
