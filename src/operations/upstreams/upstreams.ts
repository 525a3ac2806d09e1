// Administrators add, change, disable and delete the providers that people can sign in with. The rules of form are in
// upstream-settings.ts; endpoints are looked up here and nowhere else.

import type { EventDetail, EventKind, Requester } from '../../protocol/event.ts';
import { isSigningAlgorithm, type SigningAlgorithm, type UpstreamMetadata } from '../../protocol/upstreams/metadata.ts';
import { StorageConflict, type Upstream, type UpstreamChange } from '../../storage/storage.ts';
import { type AdminOutcome, type Refused, refused, refusedFields } from '../admin/outcome.ts';
import type { Services } from '../services.ts';
import { upstreamSecretPurpose } from './sealed-secret.ts';
import {
  checkInput,
  clientIdProblem,
  readSettings,
  secretProblem,
  standardScopes,
  type UpstreamInput,
  type UpstreamKind,
  type UpstreamUpdate,
} from './upstream-settings.ts';

/** Each of them is a button on the sign-in page. */
export const upstreamLimit = 50;

/** Looks the endpoints up, so it needs the provider to answer. */
export async function createUpstream(
  services: Services,
  input: UpstreamInput,
  requester: Requester,
): Promise<AdminOutcome<{ upstream: Upstream }>> {
  const { storage, clock, keys } = services;
  const checked = checkInput(services, input);
  if (checked.kind === 'refused') return checked;
  const { upstreamKind: kind, issuer, read } = checked;
  const taken = await takenBy(services, input.name, issuer);
  if (taken !== undefined) return taken;
  const endpoints = await lookUp(services, { kind, issuer }, input.algorithm);
  if (endpoints.kind === 'refused') return endpoints;

  const now = clock.now();
  const upstream: Upstream = {
    name: input.name,
    kind,
    issuer,
    clientId: input.clientId,
    sealedSecret: keys.seal(upstreamSecretPurpose(input.name), input.secret),
    scopes: standardScopes(kind),
    label: input.name,
    allowedDomains: [],
    trustedDomains: [],
    routesDomains: false,
    createsAccounts: false,
    trustedAmr: [],
    trustedAcr: [],
    disabledAt: null,
    createdAt: now,
    updatedAt: now,
    ...read.change,
    metadata: endpoints.metadata,
    iconVersion: read.icon?.version ?? null,
  };
  const event = eventAbout(services, 'upstream_created', input.name, requester, { issuer });
  try {
    if (!(await storage.createUpstream(upstream, read.icon ?? undefined, upstreamLimit, event))) {
      return refused(`there can be ${upstreamLimit} providers`, 'conflict');
    }
  } catch (error) {
    if (!(error instanceof StorageConflict)) throw error;
    return (await takenBy(services, input.name, issuer)) ?? refused('the provider is there already', 'conflict');
  }
  services.upstreamDirectory.forget();
  return { kind: 'done', upstream };
}

/** Oldest first. */
export function listUpstreams({ storage }: Services): Promise<Upstream[]> {
  return storage.listUpstreams();
}

export async function findUpstream(services: Services, name: string): Promise<AdminOutcome<{ upstream: Upstream }>> {
  const upstream = await services.storage.findUpstream(name);
  return upstream === undefined ? noSuchUpstream(name) : { kind: 'done', upstream };
}

/** The upstream, how many people have an identity there, and how many of them no other way to sign in. */
export async function upstreamDetails(
  services: Services,
  name: string,
): Promise<AdminOutcome<{ upstream: Upstream; people: { all: number; withoutOtherWay: number } }>> {
  const found = await findUpstream(services, name);
  if (found.kind === 'refused') return found;
  return { ...found, people: await services.storage.countUpstreamPeople(found.upstream.issuer) };
}

/** Changes what is given and leaves the rest. For another algorithm the provider has to answer. */
export async function changeUpstream(
  services: Services,
  name: string,
  update: UpstreamUpdate,
  requester: Requester,
): Promise<AdminOutcome<{ upstream: Upstream }>> {
  const found = await findUpstream(services, name);
  if (found.kind === 'refused') return found;
  const { upstream } = found;
  const read = readSettings(upstream.kind, update);
  const wrong = refusedFields({
    client_id: update.clientId === undefined ? undefined : clientIdProblem(update.clientId),
    client_secret: update.secret === undefined ? undefined : secretProblem(update.secret),
    ...read.problems,
  });
  if (wrong !== undefined) return wrong;
  const signing = await signingOf(services, upstream, update.algorithm);
  if (signing.kind === 'refused') return signing;
  const purpose = upstreamSecretPurpose(name);
  const change: UpstreamChange = {
    ...differing(upstream, {
      ...read.change,
      ...(update.clientId !== undefined && { clientId: update.clientId }),
      metadata: signing.metadata,
    }),
    ...(update.secret !== undefined &&
      services.keys.unseal(purpose, upstream.sealedSecret) !== update.secret && {
        sealedSecret: services.keys.seal(purpose, update.secret),
      }),
    ...(read.icon !== undefined && (read.icon?.version ?? null) !== upstream.iconVersion && { icon: read.icon }),
  };
  const changed = Object.keys(change).map((key) => changedNames[key] ?? key);
  return storeChange(services, upstream, change, ['upstream_updated', changed], requester);
}

/** What an event calls something, where it isn't the name that it is stored under. */
const changedNames: Readonly<Record<string, string>> = { sealedSecret: 'secret', metadata: 'algorithm' };

/** The endpoints with another algorithm. They stay where they are: only a refresh, which shows where to, moves them. */
async function signingOf(
  services: Services,
  { kind, issuer, metadata }: Upstream,
  algorithm: string | null | undefined,
): Promise<AdminOutcome<{ metadata: UpstreamMetadata }>> {
  const chosen = algorithm ?? undefined;
  if (algorithm === undefined || metadata.kind === 'github' || chosen === chosenAlgorithm(metadata)) {
    return { kind: 'done', metadata };
  }
  const found = await lookUp(services, { kind, issuer }, chosen);
  if (found.kind === 'refused' || found.metadata.kind === 'github') return found;
  const { algorithms, chosen: isChosen } = found.metadata;
  return { kind: 'done', metadata: { ...metadata, algorithms, chosen: isChosen } };
}

export async function disableUpstream(services: Services, name: string, requester: Requester) {
  const event = eventAbout(services, 'upstream_disabled', name, requester);
  const done = await services.storage.disableUpstream(name, services.clock.now(), event);
  return changedState(services, name, done, 'is disabled already');
}

export async function enableUpstream(services: Services, name: string, requester: Requester) {
  const event = eventAbout(services, 'upstream_enabled', name, requester);
  const done = await services.storage.enableUpstream(name, services.clock.now(), event);
  return changedState(services, name, done, "isn't disabled");
}

/** Its identities go with it: whoever has no other way to sign in needs a password by email. */
export async function deleteUpstream(
  services: Services,
  name: string,
  requester: Requester,
): Promise<AdminOutcome<object>> {
  const found = await upstreamDetails(services, name);
  if (found.kind === 'refused') return found;
  const event = eventAbout(services, 'upstream_deleted', name, requester, { identities: found.people.all });
  const deleted = await services.storage.deleteUpstream(name, event);
  services.upstreamDirectory.forget();
  await services.settings.readFresh();
  return deleted ? { kind: 'done' } : noSuchUpstream(name);
}

export function noSuchUpstream(name: string): Refused {
  return refused(`there is no provider "${name.slice(0, 60)}"`, 'not_found');
}

/** The address that the provider has to know as the redirect URI. */
export function callbackUrl({ issuer }: Pick<Services, 'issuer'>, name: string): string {
  return `${issuer}/sign-in/with/${name}/callback`;
}

/** The algorithm that was chosen, as opposed to those that the provider announced. */
export function chosenAlgorithm(metadata: UpstreamMetadata): SigningAlgorithm | undefined {
  return metadata.kind === 'oidc' && metadata.chosen ? metadata.algorithms[0] : undefined;
}

/** Nothing is written when nothing changes. */
export async function storeChange(
  services: Services,
  upstream: Upstream,
  change: UpstreamChange,
  [kind, changed]: readonly [kind: EventKind, changed: readonly string[]],
  requester: Requester,
): Promise<AdminOutcome<{ upstream: Upstream }>> {
  const { name } = upstream;
  if (changed.length === 0) return { kind: 'done', upstream };
  const event = eventAbout(services, kind, name, requester, { changed });
  if (await services.storage.changeUpstream(upstream, change, services.clock.now(), event)) {
    services.upstreamDirectory.forget();
    return findUpstream(services, name);
  }
  return refused(`${name} is being changed by someone else; try again`, 'conflict');
}

export async function lookUp(
  { upstreams }: Services,
  upstream: { readonly kind: UpstreamKind; readonly issuer: string },
  algorithm: string | undefined,
): Promise<AdminOutcome<{ metadata: UpstreamMetadata }>> {
  const chosen = algorithm !== undefined && isSigningAlgorithm(algorithm) ? algorithm : undefined;
  const found = await upstreams.discover(upstream, chosen);
  if (found.kind === 'found') return { kind: 'done', metadata: found.metadata };
  return refusedFields({ issuer: found.problem }) ?? refused(found.problem);
}

async function takenBy(services: Services, name: string, issuer: string): Promise<Refused | undefined> {
  const all = await listUpstreams(services);
  if (all.some((each) => each.name === name)) return refused(`there is already a provider "${name}"`, 'conflict');
  const other = all.find((each) => each.issuer === issuer);
  return other && refused(`the provider "${other.name}" has this issuer already`, 'conflict');
}

async function changedState(
  services: Services,
  name: string,
  done: boolean,
  unchanged: string,
): Promise<AdminOutcome<{ upstream: Upstream }>> {
  services.upstreamDirectory.forget();
  const found = await findUpstream(services, name);
  return done || found.kind === 'refused' ? found : refused(`the provider ${unchanged}`, 'conflict');
}

function eventAbout(
  { journal }: Services,
  kind: EventKind,
  name: string,
  requester: Requester,
  detail: EventDetail = {},
) {
  return journal.event({ kind, detail: { upstream: name, ...detail } }, requester);
}

/** The part of a change that differs from the upstream as it is. */
function differing(upstream: Upstream, change: UpstreamChange): UpstreamChange {
  const current: Readonly<Record<string, unknown>> = { ...upstream };
  return Object.fromEntries(
    Object.entries(change).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(current[name])),
  );
}
