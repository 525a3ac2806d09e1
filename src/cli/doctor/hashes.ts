// How many people have yet to sign in since they came from another service. That is nothing to worry about, but it explains
// why refused sign-ins take their time.

import type { Storage } from '../../storage/storage.ts';
import { type Finding, ok } from './finding.ts';

export async function examineHashes(storage: Storage): Promise<Finding[]> {
  const count = await storage.countForeignHashes();
  if (count === 0) return [];
  const who = count === 1 ? '1 person has a password' : `${count} people have a password`;
  const until = 'Refused sign-ins are delayed until each of them has signed in, or set another one.';
  return [ok('passwords', `${who} that another service has hashed. ${until}`)];
}
