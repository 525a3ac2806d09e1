// Finds the IP addresses of a host. The system's resolver blocks one of the few threads that also hash passwords for as long
// as a name server takes; so name servers are queried directly, and the system's resolver only for names that they don't
// know, such as those in /etc/hosts.

import { lookup, Resolver } from 'node:dns/promises';
import { setMaxListeners } from 'node:events';

export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/** One at a time, so that it never takes more than one thread. */
let asking: Promise<unknown> = Promise.resolve();

export const resolveHost: Resolve = async (host, signal) => {
  setMaxListeners(0, signal);
  const isLocal = host === 'localhost' || host.endsWith('.localhost');
  const found = isLocal ? [] : await askNameServers(host, signal);
  if (found.length > 0) return found;
  const asked = asking.then(async () => {
    signal.throwIfAborted();
    return (await lookup(host, { all: true })).map(({ address }) => address);
  });
  asking = asked.catch(() => {});
  return asked;
};

/** Empty if there's no such name. Rejects if the name servers don't respond in time. */
async function askNameServers(host: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const unanswered = answers.find((answer) => answer.status === 'rejected' && isUnanswered(answer.reason));
    if (found.length === 0 && unanswered?.status === 'rejected') throw unanswered.reason;
    return found;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function isUnanswered(error: { readonly code?: string }): boolean {
  return error.code === 'ETIMEOUT' || error.code === 'ECANCELLED' || error.code === 'ESERVFAIL';
}
