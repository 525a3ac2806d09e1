// What every engine has to hold, whatever it is: each guarantee that storage.ts states. No engine may skip a rule.

import { describe, test } from 'node:test';
import type { Storage } from '../../src/storage/storage.ts';
import { accountRules } from './conformance-accounts.ts';
import { actorRules } from './conformance-actors.ts';
import { administrationRules } from './conformance-administration.ts';
import { atomicityRules } from './conformance-atomicity.ts';
import { clientRules } from './conformance-clients.ts';
import { codeRules } from './conformance-codes.ts';
import { grantRules } from './conformance-grants.ts';
import { housekeepingRules } from './conformance-housekeeping.ts';
import { listRules } from './conformance-lists.ts';
import { peopleRules } from './conformance-people.ts';
import { sessionRules } from './conformance-sessions.ts';
import { usernameRules } from './conformance-usernames.ts';
import type { Rule } from './records.ts';

/** `openStore` opens an empty store that nothing else uses. */
export function storageConformance(
  engine: string,
  openStore: () => Promise<{ storage: Storage; close(): Promise<void> }>,
): void {
  const rule: Rule = (name, body) => {
    test(name, async () => {
      const { storage, close } = await openStore();
      try {
        await body(storage);
      } finally {
        await close();
      }
    });
  };
  const subjects = {
    people: peopleRules,
    usernames: usernameRules,
    sessions: sessionRules,
    "a person's own account": accountRules,
    applications: clientRules,
    'authorization and codes': codeRules,
    'grants and connected apps': grantRules,
    'lists and search': listRules,
    'what administrators do': administrationRules,
    'changes and their events': atomicityRules,
    'actors of events': actorRules,
    'counters, events and the sweep': housekeepingRules,
  };
  for (const [subject, register] of Object.entries(subjects)) {
    describe(`storage on ${engine}: ${subject}`, { concurrency: 4 }, () => register(rule));
  }
}
