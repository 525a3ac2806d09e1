// Loaded into a service with `--import`: refuses every outgoing connection, name lookup and datagram, except connections to
// the allowed servers, and writes each of them to a file. What Node, its fetch and all packages open goes through here.

import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

/** For the environment of the service: which servers it may connect to, as host:port, and the file. */
export function recordingConnections(allowed: readonly string[], file: string): Record<string, string> {
  return {
    NODE_OPTIONS: `--import=${import.meta.url}`,
    ALLOWED_CONNECTIONS: allowed.join(' '),
    RECORDED_CONNECTIONS: file,
  };
}

const { RECORDED_CONNECTIONS: file, ALLOWED_CONNECTIONS: allowed = '' } = process.env;
if (file !== undefined) refuseConnections(file, new Set(allowed.split(' ')));

type Anything = (...args: unknown[]) => unknown;

function refuseConnections(into: string, allowedServers: ReadonlySet<string>): void {
  const record = (what: string) => appendFileSync(into, `${what}\n`);
  const refusal = (what: string) => {
    record(`refused ${what}`);
    return Object.assign(new Error(`the test allows no connection to ${what}`), { code: 'ECONNREFUSED' });
  };
  /** Replaces a function by one that decides with its arguments whether the original is called. */
  const replace = (holder: object, name: string, decide: (original: () => unknown, args: unknown[]) => unknown) => {
    const original: unknown = Reflect.get(holder, name);
    if (typeof original !== 'function') throw new Error(`there is no ${name} to replace`);
    const replaced: Anything = function replaced(this: unknown, ...args) {
      return decide.call(this, () => Reflect.apply(original, this, args), args);
    };
    Reflect.set(holder, name, replaced);
  };

  replace(net.Socket.prototype, 'connect', function connect(this: unknown, original, args) {
    const target = targetOf(args);
    if (allowedServers.has(target)) {
      record(`allowed ${target}`);
      return original();
    }
    const error = refusal(target);
    if (this instanceof net.Socket) setImmediate(() => this instanceof net.Socket && this.destroy(error));
    return this;
  });

  const isHere = (name: unknown) => name === 'localhost' || (typeof name === 'string' && net.isIP(name) !== 0);
  replace(dns, 'lookup', (original, args) => {
    if (isHere(args[0])) return original();
    const done = args.at(-1);
    const error = refusal(`lookup of ${String(args[0])}`);
    return typeof done === 'function' && setImmediate(() => done(error));
  });
  replace(dns.promises, 'lookup', async (original, [name]) => {
    if (isHere(name)) return original();
    throw refusal(`lookup of ${String(name)}`);
  });
  for (const kind of [dns.Resolver, dns.promises.Resolver]) {
    for (const name of Object.getOwnPropertyNames(kind.prototype)) {
      if (!/^(resolve|reverse)/.test(name)) continue;
      replace(kind.prototype, name, (_original, [host]) => {
        throw refusal(`name servers for ${String(host)}`);
      });
    }
  }
  for (const name of ['send', 'connect']) {
    replace(dgram.Socket.prototype, name, () => {
      throw refusal('a datagram');
    });
  }
  syncBuiltinESMExports();
}

/** Where a socket connects to: its arguments are options, a port and a host, a path, or a list of those. */
function targetOf(args: unknown): string {
  const [first, second] = Array.isArray(args) ? args : [args];
  if (Array.isArray(first)) return targetOf(first);
  if (typeof first !== 'object' || first === null) {
    return Number.isNaN(Number(first))
      ? String(first)
      : `${typeof second === 'string' ? second : 'localhost'}:${first}`;
  }
  const { path, host, port }: { path?: unknown; host?: unknown; port?: unknown } = first;
  return typeof path === 'string' ? path : `${host ?? 'localhost'}:${port}`;
}
