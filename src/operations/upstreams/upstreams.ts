// Administrators add, change, disable and delete the identity providers that people can sign in with. Endpoints are looked
// up here and nowhere else.

import { isEmail } from '../../protocol/account/email-address.ts';
import type { Total } from '../../protocol/admin/totals.ts';
import type { EventDetail, Requester } from '../../protocol/event.ts';
import type { EventKind } from '../../protocol/events/kinds.ts';
import { problemWith } from '../../protocol/problem.ts';
import { changeDetail, differing, readFields, readNew } from '../../protocol/resources/resource.ts';
import { type UpstreamInput, type UpstreamKind, upstreamFields } from '../../protocol/resources/upstream.ts';
import { emailDomain } from '../../protocol/upstreams/claims.ts';
import type { SigningAlgorithm, UpstreamMetadata } from '../../protocol/upstreams/metadata.ts';
import { letsNobodyIn } from '../../protocol/upstreams/who-can-sign-in.ts';
import type { Upstream, UpstreamChange, UpstreamPeople } from '../../storage/storage.ts';
import {
  beingChanged,
  type Outcome,
  type Refused,
  refused,
  refusedFields,
  unlessTaken,
  wholeOrRefused,
} from '../admin/outcome.ts';
import { sealPurpose } from '../seal-purposes.ts';
import type { Recording, Services, Storing } from '../services.ts';

type EndpointServices = Recording & Pick<Services, 'keys' | 'upstreams' | 'openUpstreams'>;
type ChangeServices = Recording & Pick<Services, 'openUpstreams'>;

/** Each of them is a button on the sign-in page. */
export const upstreamLimit = 50;

/** Looks up the endpoints, so the identity provider has to answer. */
export async function createUpstream(
  services: EndpointServices,
  input: UpstreamInput,
  requester: Requester,
): Outcome<{ upstream: Upstream }> {
  const { storage, clock, keys } = services;
  const read = readNew(upstreamFields, input);
  const whole = wholeOrRefused(read, problemWith('issuer', issuerProblem(services, read.values.issuer)));
  if (whole.kind === 'refused') return whole;
  const { algorithm, icon, secret, ...given } = whole.values;
  const { name, kind, issuer } = given;
  const taken = await takenBy(services, name, issuer);
  if (taken !== undefined) return taken;
  const endpoints = await lookUp(services, { kind, issuer }, algorithm ?? undefined);
  if (endpoints.kind === 'refused') return endpoints;

  const now = clock.now();
  const upstream: Upstream = {
    ...given,
    sealedSecret: keys.seal(sealPurpose('upstream_secret', name), secret),
    metadata: endpoints.metadata,
    iconVersion: icon?.version ?? null,
    disabledAt: null,
    createdAt: now,
    updatedAt: now,
  };
  const event = eventAbout(services, 'upstream_created', name, requester, { issuer });
  const created = await unlessTaken(storage.createUpstream(upstream, icon ?? undefined, upstreamLimit, event));
  if (!created) return refused(`there can be at most ${upstreamLimit} identity providers`, 'conflict');
  if (created === 'taken') {
    return (await takenBy(services, name, issuer)) ?? refused('the identity provider exists already', 'conflict');
  }
  services.openUpstreams.forget();
  return { kind: 'done', upstream };
}

/** Which networks can be reached is known to the service alone. */
export function issuerProblem(
  { upstreams }: Pick<Services, 'upstreams'>,
  issuer: string | undefined,
): string | undefined {
  if (issuer === undefined) return undefined;
  if (issuer === '') return 'the issuer is needed';
  const problem = upstreams.urlProblem(issuer);
  return problem === undefined ? undefined : `the issuer ${problem}`;
}

/** Oldest first. */
export function listUpstreams({ storage }: Storing): Promise<Upstream[]> {
  return storage.listUpstreams();
}

export async function findUpstream(services: Storing, name: string): Outcome<{ upstream: Upstream }> {
  const upstream = await services.storage.findUpstream(name);
  return upstream === undefined ? noSuchUpstream(name) : { kind: 'done', upstream };
}

/** The upstream, how many people have an identity there, and how many of them no other way to sign in. */
export async function upstreamDetails(
  services: Storing,
  name: string,
): Outcome<{ upstream: Upstream; people: UpstreamPeople }> {
  const found = await findUpstream(services, name);
  if (found.kind === 'refused') return found;
  return { ...found, people: await services.storage.countUpstreamPeople(found.upstream.issuer) };
}

/** How many people have an identity at each of these. */
export function countLinkedPeople({ storage }: Storing, upstreams: readonly Upstream[]): Promise<Total[]> {
  return Promise.all(upstreams.map(({ issuer }) => storage.countLinkedPeople(issuer)));
}

/** Whether nobody new can sign in with it, given how many people have linked it. */
export async function nobodyGetsIn({ storage }: Storing, upstream: Upstream, linked: number): Promise<boolean> {
  const hasDirectory = (await storage.listScimTokens()).some((token) => token.upstream === upstream.name);
  return letsNobodyIn(upstream, { linked, hasDirectory });
}

/** Changes what is given and leaves the rest. For another algorithm, the identity provider has to answer. */
export async function changeUpstream(
  services: EndpointServices,
  name: string,
  update: UpstreamInput,
  requester: Requester,
): Outcome<{ upstream: Upstream }> {
  const found = await findUpstream(services, name);
  if (found.kind === 'refused') return found;
  const { upstream } = found;
  const { values, problems } = readFields(upstreamFields, update, upstream);
  const wrong = refusedFields(problems);
  if (wrong !== undefined) return wrong;
  const { algorithm, ...differences } = differing(upstreamFields, upstream, values);
  const signing = await signingOf(services, upstream, algorithm);
  if (signing.kind === 'refused') return signing;
  const secret = values.secret === secretOf(services, upstream) ? undefined : values.secret;
  const change: UpstreamChange = {
    ...differences,
    ...(algorithm !== undefined && { metadata: signing.metadata }),
    ...(secret !== undefined && { sealedSecret: services.keys.seal(sealPurpose('upstream_secret', name), secret) }),
  };
  const detail = changeDetail(upstreamFields, { ...differences, algorithm, secret });
  return storeChange(services, upstream, change, { kind: 'upstream_updated', detail }, requester);
}

/** Undefined if the keys that sealed it are gone. */
export function secretOf({ keys }: Pick<Services, 'keys'>, { name, sealedSecret }: Upstream): string | undefined {
  return keys.unseal(sealPurpose('upstream_secret', name), sealedSecret);
}

/** The endpoints with another algorithm. They stay where they are: only a refresh, which shows where to, moves them. */
async function signingOf(
  services: Pick<Services, 'upstreams'>,
  { kind, issuer, metadata }: Upstream,
  algorithm: SigningAlgorithm | null | undefined,
): Outcome<{ metadata: UpstreamMetadata }> {
  if (algorithm === undefined) return { kind: 'done', metadata };
  const found = await lookUp(services, { kind, issuer }, algorithm ?? undefined);
  if (found.kind === 'refused' || found.metadata.kind === 'github' || metadata.kind === 'github') return found;
  const { algorithms, chosen } = found.metadata;
  return { kind: 'done', metadata: { ...metadata, algorithms, chosen } };
}

export const disableUpstream = upstreamSwitch('upstream_disabled', 'disableUpstream', 'is disabled already');
export const enableUpstream = upstreamSwitch('upstream_enabled', 'enableUpstream', "isn't disabled");

function upstreamSwitch(kind: EventKind, change: 'disableUpstream' | 'enableUpstream', unchanged: string) {
  return async (services: ChangeServices, name: string, requester: Requester): Outcome<{ upstream: Upstream }> => {
    const event = eventAbout(services, kind, name, requester);
    const done = await services.storage[change](name, services.clock.now(), event);
    services.openUpstreams.forget();
    const found = await findUpstream(services, name);
    return done || found.kind === 'refused' ? found : refused(`the identity provider ${unchanged}`, 'conflict');
  };
}

/** Also deletes its identities: people without another way to sign in need a password by email. */
export async function deleteUpstream(
  services: Recording & Pick<Services, 'settings' | 'openUpstreams'>,
  name: string,
  requester: Requester,
): ReturnType<typeof upstreamDetails> {
  const found = await upstreamDetails(services, name);
  if (found.kind === 'refused') return found;
  const event = eventAbout(services, 'upstream_deleted', name, requester, { identities: found.people.all.count });
  const deleted = await services.storage.deleteUpstream(name, event);
  services.openUpstreams.forget();
  await services.settings.readFresh();
  return deleted ? found : noSuchUpstream(name);
}

export function noSuchUpstream(name: string): Refused {
  return refused(`there is no identity provider "${name.slice(0, 60)}"`, 'not_found');
}

/** The redirect URI to register at the identity provider. */
export function callbackUrl({ issuer }: Pick<Services, 'issuer'>, name: string): string {
  return `${issuer}/sign-in/with/${name}/callback`;
}

/** Nothing is written when nothing changes. */
export async function storeChange(
  services: ChangeServices,
  upstream: Upstream,
  change: UpstreamChange,
  { kind, detail }: { readonly kind: EventKind; readonly detail: EventDetail },
  requester: Requester,
): Outcome<{ upstream: Upstream }> {
  const { name } = upstream;
  if (Object.keys(change).length === 0) return { kind: 'done', upstream };
  const event = eventAbout(services, kind, name, requester, detail);
  if (await services.storage.changeUpstream(upstream, change, services.clock.now(), event)) {
    services.openUpstreams.forget();
    return findUpstream(services, name);
  }
  return beingChanged(name);
}

export async function lookUp(
  { upstreams }: Pick<Services, 'upstreams'>,
  upstream: { readonly kind: UpstreamKind; readonly issuer: string },
  algorithm: SigningAlgorithm | undefined,
): Outcome<{ metadata: UpstreamMetadata }> {
  const found = await upstreams.discover(upstream, algorithm);
  if (found.kind === 'found') return { kind: 'done', metadata: found.metadata };
  return refused({ field: 'issuer', says: found.problem });
}

async function takenBy(services: Storing, name: string, issuer: string): Promise<Refused | undefined> {
  const all = await listUpstreams(services);
  if (all.some((each) => each.name === name))
    return refused(`there is already an identity provider "${name}"`, 'conflict');
  const other = all.find((each) => each.issuer === issuer);
  return other && refused(`the identity provider "${other.name}" has this issuer already`, 'conflict');
}

function eventAbout(
  { journal }: Pick<Services, 'journal'>,
  kind: EventKind,
  name: string,
  requester: Requester,
  detail: EventDetail = {},
) {
  return journal.event({ kind, detail: { upstream: name, ...detail } }, requester);
}

/** Undefined if people choose themselves. One that is disabled or deleted is skipped. */
export async function defaultUpstream(
  { openUpstreams, settings }: Pick<Services, 'settings' | 'openUpstreams'>,
  asked: { readonly clientUpstream?: string | null; readonly loginHint?: string | undefined },
): Promise<Upstream | undefined> {
  const open = await openUpstreams.read();
  const named = (name: string | null | undefined) => open.find((each) => each.name === name);
  return routeOf(open, asked.loginHint) ?? named(asked.clientUpstream) ?? named(settings.defaultUpstream);
}

/** An upstream that is trusted with every domain isn't chosen by domain: that says nothing about this one. */
export function routeOf(upstreams: readonly Upstream[], loginHint: string | undefined): Upstream | undefined {
  if (loginHint === undefined || !isEmail(loginHint)) return undefined;
  const domain = emailDomain(loginHint);
  return upstreams.find((each) => each.routesDomains && each.trustedDomains.includes(domain));
}

/** Undefined for an upstream that exists, and for none. */
export async function defaultProblem(
  { storage }: Storing,
  name: string | null | undefined,
): Promise<string | undefined> {
  if (name === undefined || name === null || name === '') return undefined;
  return (await storage.findUpstream(name)) === undefined
    ? `there is no identity provider "${name.slice(0, 60)}"`
    : undefined;
}
