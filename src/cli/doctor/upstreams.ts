// Whether people can sign in with identity providers: each must answer, announce the endpoints that are in use, trust the
// domains that it allows, and have a secret that the service's keys open.

import { existsSync, readFileSync } from 'node:fs';
import { upstreamSecretPurpose } from '../../operations/upstreams/sealed-secret.ts';
import { endpointsJson } from '../../operations/upstreams/upstream-json.ts';
import type { Config } from '../../platform/config.ts';
import { readKeyList } from '../../platform/key-list.ts';
import { type ServiceKeys, serviceKeys } from '../../platform/keys.ts';
import { type UpstreamConnector, upstreamConnector } from '../../platform/upstreams/connector.ts';
import { everyDomain } from '../../protocol/upstreams/claims.ts';
import { chosenAlgorithm } from '../../protocol/upstreams/metadata.ts';
import type { Storage, Upstream } from '../../storage/storage.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const about = 'identity providers';

export async function examineUpstreams(config: Config, storage: Storage): Promise<Finding[]> {
  const upstreams = (await storage.listUpstreams()).filter(({ disabledAt }) => disabledAt === null);
  if (upstreams.length === 0) return [];
  const keys = keysOf(config);
  const connector = upstreamConnector({ networks: config.upstreamNetworks });
  const found = await Promise.all(upstreams.map((upstream) => Array.fromAsync(examineOne(keys, connector, upstream))));
  const findings = found.flat();
  if (findings.length > 0) return findings;
  return [ok(about, `${upstreams.map(({ name }) => name).join(', ')}: reachable, with the endpoints in use.`)];
}

/** Undefined when there are none that can be read, which is a finding of its own. */
function keysOf({ keys, keysFile }: Config): ServiceKeys | undefined {
  const list = keys ?? (existsSync(keysFile) ? readKeyList(readFileSync(keysFile, 'utf8')) : undefined);
  return list && serviceKeys(list);
}

async function* examineOne(
  keys: ServiceKeys | undefined,
  connector: UpstreamConnector,
  upstream: Upstream,
): AsyncGenerator<Finding> {
  const { name, sealedSecret, allowedDomains, trustedDomains, metadata } = upstream;
  if (keys !== undefined && keys.unseal(upstreamSecretPurpose(name), sealedSecret) === undefined) {
    const todo = `Run "latchkey upstream update ${name} --secret-stdin", or restore the keys.`;
    yield problem(about, `${name}: the keys can't open its secret, so nobody can sign in with it. ${todo}`);
  }
  // An email address counts only if its domain is trusted, so one that is merely allowed lets nobody in.
  const closed = trustedDomains.includes(everyDomain)
    ? []
    : allowedDomains.filter((domain) => !trustedDomains.includes(domain));
  if (closed.length > 0) {
    const todo = `Trust it with "latchkey upstream update ${name} --trusted-domain", or don't allow it.`;
    yield warning(
      about,
      `${name}: allowed, but not trusted, so nobody gets in from there: ${closed.join(', ')}. ${todo}`,
    );
  }
  if (metadata.kind === 'github') return;
  const found = await connector.discover(upstream, chosenAlgorithm(metadata));
  if (found.kind === 'failed') yield problem(about, `${name}: ${found.problem}.`);
  else if (JSON.stringify(endpointsJson(found.metadata)) !== JSON.stringify(endpointsJson(metadata))) {
    const todo = `Look at them with "latchkey upstream refresh ${name} --dry-run".`;
    yield warning(about, `${name} announces other endpoints than those in use. ${todo}`);
  }
}
