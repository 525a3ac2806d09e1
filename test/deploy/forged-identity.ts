// Identity headers that a client sends itself, in every spelling that an application could take for the gate's.

import type { Arrived } from '../harness/guarded-application.ts';

/** The identity that an application reads, if it can't tell a hyphen from other signs. */
export function identityIn({ headers }: Arrived): Record<string, string> {
  const read = headers.map(([name, value]) => [name.toLowerCase().replace(/[^a-z0-9]/g, '-'), value] as const);
  const found: Record<string, string> = {};
  for (const [name, value] of read.filter((pair) => pair[0].startsWith('remote-') && pair[1] !== '')) {
    found[name] = name in found ? `${found[name]} | ${value}` : value;
  }
  return found;
}

export const forged: readonly (readonly [what: string, headers: readonly string[]])[] = [
  ['as they are', ['Remote-User', 'evil', 'Remote-Email', 'evil', 'Remote-Name', 'evil', 'Remote-Groups', 'Admins']],
  ['in lower case', ['remote-user', 'evil', 'remote-groups', 'Admins']],
  ['in upper case', ['REMOTE-USER', 'evil', 'REMOTE-GROUPS', 'Admins']],
  ['with underscores', ['Remote_User', 'evil', 'remote_groups', 'Admins', 'REMOTE_EMAIL', 'evil']],
  ['with a dot', ['Remote.User', 'evil', 'Remote.Groups', 'Admins']],
  ['with other signs', ['Remote!User', 'evil', "Remote'Groups", 'Admins', 'Remote~Email', 'evil']],
  ['twice', ['Remote-User', '', 'Remote-User', 'evil', 'Remote-Groups', '', 'Remote-Groups', 'Admins']],
  ['named in Connection', ['Connection', 'close, Remote-User, Remote-Groups', 'Remote-User', 'evil']],
  ['named in a second Connection', ['Connection', 'close', 'Connection', 'Remote-User, Remote-Groups, Remote-Email']],
  ['named next to an upgrade', ['Connection', 'keep-alive, Upgrade, Remote-User']],
];
