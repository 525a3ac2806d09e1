// How many people can't sign in without their password, for administrators who restrict passwords. Among a million it takes seconds to find them,
// so the sweep does that now and then, a few at a time, and notes the result; fewer are counted with each request.

import { mostCounted } from '../../protocol/admin/totals.ts';
import { HOUR, MINUTE } from '../../protocol/durations.ts';
import type { Settings } from '../../protocol/resources/settings.ts';
import { countedAtMost, type User } from '../../storage/storage.ts';
import type { Mailing, Services, Storing } from '../services.ts';

/** A few milliseconds on the embedded store, which counts on the event loop. */
const stepLength = 2000;
const notedEvery = 10 * MINUTE;
/** If the sweep hasn't noted it for so long, everyone is counted. */
const notedFor = HOUR;

/** Counted up to `most`. */
export interface PasswordOnlyPeople {
  readonly everyone: number;
  readonly administrators: number;
  readonly most: number;
}

/** By the store's clock, because one instance counts for all. */
type Counting = Storing & Pick<Services, 'storeClock'>;

/** Of everyone. */
interface Noted {
  readonly everyone: number;
  readonly everyone_with_factor: number;
}

/** With a code by email, those don't count who could sign in with one. */
export async function countPasswordOnly(
  services: Counting & Pick<Mailing, 'emailQueue'>,
  settings: Pick<Settings, 'email_codes'>,
): Promise<PasswordOnlyPeople> {
  const { storage } = services;
  const suffix = countedSuffix(services, settings);
  if (suffix === undefined) return { everyone: 0, administrators: 0, most: countedAtMost };
  const noted = (await areMany(services)) ? await notedWithin(services, notedFor) : undefined;
  const [everyone, administrators] = await Promise.all([
    noted?.[`everyone${suffix}`] ?? storage.countPasswordOnly(`everyone${suffix}`),
    storage.countPasswordOnly(`administrators${suffix}`),
  ]);
  return { everyone, administrators, most: countedAtMost };
}

/** Whether this person is one of them. */
export async function isPasswordOnly(
  services: Storing & Pick<Mailing, 'emailQueue'>,
  settings: Pick<Settings, 'email_codes'>,
  { id }: Pick<User, 'id'>,
): Promise<boolean> {
  const suffix = countedSuffix(services, settings);
  return suffix !== undefined && services.storage.isPasswordOnly(id, `everyone${suffix}`);
}

/** Undefined if everyone can sign in with a code by email. */
function countedSuffix(
  { emailQueue }: Pick<Mailing, 'emailQueue'>,
  { email_codes }: Pick<Settings, 'email_codes'>,
): '' | '_with_factor' | undefined {
  const codes = emailQueue.works ? email_codes : 'off';
  return codes === 'everyone' ? undefined : codes === 'off' ? '' : '_with_factor';
}

/** Counts everyone if there are many. `rest` is called after each step, and says whether to go on. */
export async function notePasswordOnly(services: Counting, rest: () => Promise<boolean>): Promise<void> {
  const { storage, storeClock } = services;
  if (!(await areMany(services)) || (await notedWithin(services, notedEvery)) !== undefined) return;
  const at = await storeClock.now();
  const counted = { everyone: 0, everyone_with_factor: 0 };
  let after: string | undefined = '';
  while (after !== undefined && counted.everyone_with_factor < countedAtMost) {
    const next: Awaited<ReturnType<typeof storage.countNextPasswordOnly>> = await storage.countNextPasswordOnly(
      after,
      stepLength,
    );
    for (const who of ['everyone', 'everyone_with_factor'] as const) {
      counted[who] = Math.min(counted[who] + next[who], countedAtMost);
    }
    after = next.last;
    if (after !== undefined && !(await rest())) return;
  }
  await storage.noteFact('password_only_counted', JSON.stringify({ at, ...counted }));
}

async function areMany({ storage }: Storing): Promise<boolean> {
  return (await storage.countNextUsers('', 0, mostCounted)).last !== undefined;
}

async function notedWithin({ storage, storeClock }: Counting, time: number): Promise<Noted | undefined> {
  const fact = await storage.findFact('password_only_counted');
  if (fact === undefined) return undefined;
  const noted = JSON.parse(fact) as Noted & { readonly at: number };
  return Math.abs((await storeClock.now()) - noted.at) < time ? noted : undefined;
}
