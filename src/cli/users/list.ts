// `latchkey user list`, and what it says about whether somebody can sign in.

import { endingSoonDays } from '../../operations/admin/ends.ts';
import { listWaiting } from '../../operations/users/approval.ts';
import { userJsonOfEach } from '../../operations/users/user-json.ts';
import { listUsers } from '../../operations/users/users.ts';
import { hasRole, rolesOf } from '../../protocol/account/roles.ts';
import { standingOf } from '../../protocol/account/standing.ts';
import type { User } from '../../storage/storage.ts';
import { UsageError } from '../command.ts';
import { type Part, styled } from '../terminal/output.ts';
import { briefTime, shownTime } from '../terminal/times.ts';
import { defineStoreCommand, everyPage, searchAll } from '../with-services.ts';

export const list = defineStoreCommand({
  summary: 'list people',
  options: {
    search: { value: 'TEXT', about: 'only those with a word in the name or email address that begins with TEXT' },
    pending: { about: 'only those who wait for approval, the longest first' },
    ending: { about: `only those whose access ends in the next ${endingSoonDays} days, by their end` },
  },
  examples: [
    'latchkey user list',
    'latchkey user list --search ada',
    'latchkey user list --pending',
    'latchkey user list --ending',
  ],
  async run({ services, values: { search, pending, ending }, config: { dataDir } }) {
    if ([search !== undefined, pending, ending].filter(Boolean).length > 1) {
      throw new UsageError("--search, --pending and --ending can't be combined");
    }
    const now = services.clock.now();
    const users = pending
      ? await everyPage((cursor) => listWaiting(services, { cursor }))
      : ending
        ? await everyPage((cursor) => listUsers(services, { cursor, ending }))
        : search === undefined
          ? await services.storage.listUsers()
          : await searchAll(services, listUsers, search);
    const rows = users.map((user) => [
      user.id,
      statusOf(user, now),
      user.expiresAt === null ? '' : briefTime(user.expiresAt),
      user.email,
      user.name,
      rolesOf(user).join(', '),
    ]);
    const none = search
      ? `No people match ${JSON.stringify(search)}.`
      : pending
        ? 'Nobody is waiting for approval.'
        : ending
          ? `Nobody's access ends in the next ${endingSoonDays} days.`
          : `No people in ${dataDir} yet. Create an account with "latchkey user create".`;
    // Without anyone whose access ends or who has a role, the column would be empty.
    const withEnds = users.some(({ expiresAt }) => expiresAt !== null);
    const withRoles = users.some(hasRole);
    const titles = ['ID', 'STATUS', 'ENDS', 'EMAIL', 'NAME', 'ROLES'];
    const table = [titles, ...rows].map((row) => (withRoles ? row : row.slice(0, -1)));
    return {
      json: users.map(await userJsonOfEach(services)),
      table: withEnds ? table : table.map((row) => row.toSpliced(2, 1)),
      none,
    };
  },
});

export function statusOf(user: User, now: number, ago: 'ago' | '' = ''): Part {
  const since = (at: number | null) => (ago === '' || at === null ? '' : ` ${shownTime(at)}`);
  switch (standingOf(user, now)) {
    case 'waiting':
      return styled('yellow', `waiting for approval${since(user.pendingSince)}`);
    case 'expired':
      return styled('red', `expired${since(user.expiresAt)}`);
    case 'disabled':
      return styled('red', `disabled${since(user.disabledAt)}`);
    default:
      return styled('green', 'active');
  }
}
