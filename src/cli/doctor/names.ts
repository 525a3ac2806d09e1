// What `latchkey doctor` says about texts that name two people or groups, and about the IDs of those who were deleted.

import type { Storage } from '../../storage/storage.ts';
import { type Finding, problem, warning } from './finding.ts';

/** Of each kind. */
const mostShown = 10;

const others = {
  email: ['the email address', 'person'],
  username: ['the username', 'person'],
  group: ['the name', 'group'],
} as const;

export async function* examineNames(storage: Storage): AsyncGenerator<Finding> {
  for (const { kind, text, nameOf } of await storage.listSharedNames(mostShown)) {
    const [what, which] = others[kind];
    const meaning = `Where an ID or a name can be given, it means the ${which} with this ID.`;
    yield warning('names', `${what} ${text} of ${nameOf} is the ID of another ${which}. ${meaning} Change ${what}.`);
  }
  if (await storage.lacksDeletedIds()) {
    const todo = "Restore the service's keys. Until then, imports refuse to keep IDs.";
    yield problem('deleted IDs', `the keys can't open what recognizes the IDs of people who were deleted. ${todo}`);
  }
}
