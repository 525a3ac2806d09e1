// Shared by requests to other people's servers: the host is resolved and checked once, and the connection goes to the
// result.

import { isIP, type LookupFunction } from 'node:net';

export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Always resolves to these addresses, even if DNS changes. */
export function lookupOf(found: readonly string[]): LookupFunction {
  return (_host, { all }, done) => {
    const answers = found.map((address) => ({ address, family: isIP(address) }));
    const [first] = answers;
    if (all === true) done(null, answers);
    else done(null, first?.address ?? '', first?.family ?? 0);
  };
}

/** Rejects as soon as time is up, whatever the work does. */
export function untilAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
