// Browsers in which a user isn't asked for a code after the password, as the devices page lists and ends them. How one is
// trusted is in sign-in/second-step.ts, what it means in sign-in/sign-in.ts.

import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import type { SignedIn, TrustedDevice } from '../../storage/storage.ts';
import type { Services } from '../services.ts';

export interface OwnTrustedDevice extends Omit<TrustedDevice, 'digest'> {
  /** Safe to show: it reveals nothing about the browser's mark. */
  readonly id: string;
  readonly current: boolean;
}

/** `marks` are those of the browser that asks. */
export async function listOwnTrustedDevices(
  { storage, clock }: Pick<Services, 'storage' | 'clock'>,
  { user }: SignedIn,
  marks: readonly string[],
): Promise<OwnTrustedDevice[]> {
  const own = marks.map(digestOf);
  const devices = await storage.listTrustedDevices(user.id, clock.now());
  return devices.map(({ digest, ...device }) => ({ ...device, id: digestOf(digest), current: own.includes(digest) }));
}

/** False when the user trusts no such browser. */
export async function endOwnTrust(
  { storage, clock, journal }: Pick<Services, 'storage' | 'clock' | 'journal'>,
  { user }: SignedIn,
  id: string,
  requester: Requester,
): Promise<boolean> {
  const now = clock.now();
  const target = (await storage.listTrustedDevices(user.id, now)).find(({ digest }) => digestOf(digest) === id);
  if (target === undefined) return false;
  const event = journal.event({ kind: 'device_trust_ended', userId: user.id }, requester);
  return storage.endTrust(user.id, target.digest, now, event);
}
