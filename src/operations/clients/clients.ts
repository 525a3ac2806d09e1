// An administrator finds clients, registers them and changes their settings. Secrets are in client-secrets.ts, revoking
// and deleting in client-access.ts, who may use a client in access/, the rules of form in client-settings.ts.

import { cleanName } from '../../protocol/account/display-name.ts';
import { digestOf } from '../../protocol/digest.ts';
import type { EventDetail, Requester } from '../../protocol/event.ts';
import { newId, newSecret, type RandomBytes } from '../../protocol/identifiers.ts';
import { clientLinkNames, noClientLinks } from '../../protocol/oauth/client-links.ts';
import { formatScopes } from '../../protocol/oauth/scope.ts';
import { readLogo } from '../../protocol/reading/logo.ts';
import { type Client, type ClientChange, StorageConflict } from '../../storage/storage.ts';
import { type AdminOutcome, type Refused, refused, refusedFields } from '../admin/outcome.ts';
import { type ListPage, type ListRequest, readPage } from '../admin/paging.ts';
import type { Services } from '../services.ts';
import { defaultProblem } from '../upstreams/default-upstream.ts';
import {
  accessProblem,
  clientIdProblem,
  clientNameProblem,
  isAccess,
  isSecondFactorNeed,
  type LinksInput,
  postLogoutRedirectUrisProblems,
  readLinks,
  readScopes,
  redirectUrisProblems,
  secondFactorProblem,
} from './client-settings.ts';

/** More than the number of administrators who change one client at the same moment. */
const attemptsToUpdate = 10;

export interface ClientInput {
  readonly name: string;
  readonly isPublic: boolean;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris?: readonly string[] | undefined;
  /** Space-separated; all scopes when undefined. */
  readonly scope: string | undefined;
  readonly logo: Uint8Array | undefined;
  readonly links?: LinksInput | undefined;
  /** Who may use it: `everyone`, which is the default, or those on its list. */
  readonly access?: string | undefined;
  /** `required` or `optional`, which is what it is when undefined. */
  readonly secondFactor?: string | undefined;
  /** The provider that people are sent to; null or empty for none. */
  readonly upstream?: string | null | undefined;
  /** Chosen by whoever describes clients in a file; generated when undefined. */
  readonly id?: string | undefined;
}

export interface ClientUpdate {
  readonly name?: string | undefined;
  readonly redirectUris?: readonly string[] | undefined;
  readonly postLogoutRedirectUris?: readonly string[] | undefined;
  readonly scope?: string | undefined;
  /** Null removes the logo. */
  readonly logo?: Uint8Array | null | undefined;
  readonly links?: LinksInput | undefined;
  readonly isPublic?: boolean | undefined;
  readonly access?: string | undefined;
  readonly secondFactor?: string | undefined;
  readonly upstream?: string | null | undefined;
}

export async function findClient(services: Services, clientId: string): Promise<AdminOutcome<{ client: Client }>> {
  const client = await services.storage.findClient(clientId);
  return client === undefined ? noSuchClient(clientId) : { kind: 'done', client };
}

/** Every client, oldest first. */
export function listAllClients(services: Services): Promise<Client[]> {
  return services.storage.listClients();
}

export const clientSorts = ['name', 'created'] as const;

export function listClients(services: Services, request: ListRequest): Promise<AdminOutcome<ListPage<Client>>> {
  return readPage(request, (query) => services.storage.pageClients(query), clientSorts);
}

/** The client, and how many users have given it access. */
export async function clientDetails(
  services: Services,
  clientId: string,
): Promise<AdminOutcome<{ client: Client; users: number }>> {
  const found = await findClient(services, clientId);
  if (found.kind === 'refused') return found;
  return { ...found, users: await services.storage.countConnectedUsers(clientId) };
}

export async function createClient(
  services: Services,
  input: ClientInput,
  requester: Requester,
): Promise<AdminOutcome<{ client: Client; secret: string | undefined }>> {
  const { storage, clock, random, journal } = services;
  const postLogoutRedirectUris = [...new Set(input.postLogoutRedirectUris)];
  const scopes = readScopes(input.scope);
  const logo = input.logo && readLogo(input.logo);
  const { links, problems: linkProblems } = readLinks(input.links);
  const idProblem = input.id === undefined ? undefined : clientIdProblem(input.id);
  if (idProblem !== undefined) return refused(idProblem);
  const wrong = refusedFields({
    name: clientNameProblem(input.name),
    redirect_uris: redirectUrisProblems(input.redirectUris, input.isPublic),
    post_logout_redirect_uris: postLogoutRedirectUrisProblems(postLogoutRedirectUris, input.isPublic),
    access: accessProblem(input.access),
    second_factor: secondFactorProblem(input.secondFactor),
    upstream: await defaultProblem(services, input.upstream),
    scope: typeof scopes === 'string' ? scopes : undefined,
    logo: typeof logo === 'string' ? logo : undefined,
    ...linkProblems,
  });
  if (wrong !== undefined || typeof scopes === 'string' || typeof logo === 'string') return wrong ?? refused('');

  const now = clock.now();
  const secret = input.isPublic ? undefined : newSecret('lk_secret_', random);
  const client: Client = {
    id: input.id ?? newId(random),
    name: cleanName(input.name),
    isPublic: input.isPublic,
    redirectUris: [...new Set(input.redirectUris)],
    postLogoutRedirectUris,
    scopes,
    access: input.access === 'listed' ? 'listed' : 'everyone',
    secondFactor: input.secondFactor === 'required' ? 'required' : 'optional',
    secrets: secret === undefined ? [] : [{ digest: digestOf(secret), createdAt: now, usedAt: null }],
    logoVersion: logo?.version ?? null,
    links: { ...noClientLinks, ...links },
    upstream: input.upstream || null,
    revokedAt: null,
    // A client that is deleted and registered again under the same ID must not revive what it left behind, so the
    // generation is one that no earlier client has had.
    generation: now,
    createdAt: now,
    updatedAt: now,
  };
  const detail = {
    name: client.name,
    redirect_uris: client.redirectUris,
    scope: formatScopes(scopes),
    ...(postLogoutRedirectUris.length > 0 && { post_logout_redirect_uris: postLogoutRedirectUris }),
    ...(client.access === 'listed' && { access: client.access }),
    ...(client.upstream !== null && { upstream: client.upstream }),
    ...Object.fromEntries(Object.entries(links).filter(([, url]) => url !== null)),
  };
  const event = journal.event({ kind: 'client_created', clientId: client.id, detail }, requester);
  try {
    await storage.createClient(client, logo, event);
  } catch (error) {
    if (!(error instanceof StorageConflict)) throw error;
    return refused(`there is already an application "${client.id}"`, 'conflict');
  }
  return { kind: 'done', client, secret };
}

/** Changes what is given. A client that becomes confidential gets a secret, which is part of the result. */
export async function updateClient(
  services: Services,
  clientId: string,
  update: ClientUpdate | ((current: Client) => ClientUpdate),
  requester: Requester,
): Promise<AdminOutcome<{ client: Client; secret: string | undefined }>> {
  const { storage, clock, journal, random } = services;
  for (let attempt = 0; attempt < attemptsToUpdate; attempt++) {
    const found = await findClient(services, clientId);
    if (found.kind === 'refused') return found;
    const current = found.client;
    const wanted = typeof update === 'function' ? update(current) : update;
    const upstreamProblem = await defaultProblem(services, wanted.upstream);
    const reading = changeOf(current, wanted, upstreamProblem, random);
    if (reading.kind === 'refused') return reading;
    const { change, secret } = reading;
    if (Object.keys(change).length === 0) return { kind: 'done', client: current, secret };
    const event = journal.event({ kind: 'client_updated', clientId, detail: detailOf(change) }, requester);
    // The write fails when the URIs or the type aren't what was checked here; then it's checked again.
    if (await storage.updateClient(current, change, clock.now(), event)) {
      const updated = await findClient(services, clientId);
      return updated.kind === 'done' ? { ...updated, secret } : updated;
    }
  }
  return changedMeanwhile(clientId);
}

/** Changes nothing when somebody else has changed the client since `version`, which is its `updatedAt` as text. */
export async function updateClientVersion(
  services: Services,
  clientId: string,
  version: string,
  update: ClientUpdate,
  requester: Requester,
): Promise<Awaited<ReturnType<typeof updateClient>> | { kind: 'changed_meanwhile' }> {
  const found = await findClient(services, clientId);
  if (found.kind === 'done' && version !== String(found.client.updatedAt)) return { kind: 'changed_meanwhile' };
  return updateClient(services, clientId, update, requester);
}

/** The part of an update that differs from the client as it is. */
function changeOf(
  current: Client,
  update: ClientUpdate,
  upstreamProblem: string | undefined,
  random: RandomBytes,
): { kind: 'change'; change: ClientChange; secret: string | undefined } | Refused {
  const isPublic = update.isPublic ?? current.isPublic;
  const name = update.name === undefined ? current.name : cleanName(update.name);
  const redirectUris = [...new Set(update.redirectUris ?? current.redirectUris)];
  const postLogoutRedirectUris = [...new Set(update.postLogoutRedirectUris ?? current.postLogoutRedirectUris)];
  const scopes = update.scope === undefined ? current.scopes : readScopes(update.scope);
  const logo = update.logo && readLogo(update.logo);
  const { links, problems: linkProblems } = readLinks(update.links);
  const { access = current.access, secondFactor = current.secondFactor } = update;
  const upstream = update.upstream === undefined ? current.upstream : update.upstream || null;
  const wrong = refusedFields({
    name: name === current.name ? undefined : clientNameProblem(name),
    // Checked even when only the type changes: a confidential client may not have every URI that a public one may.
    redirect_uris: redirectUrisProblems(redirectUris, isPublic),
    post_logout_redirect_uris: postLogoutRedirectUrisProblems(postLogoutRedirectUris, isPublic),
    access: accessProblem(access),
    second_factor: secondFactorProblem(update.secondFactor),
    upstream: upstreamProblem,
    scope: typeof scopes === 'string' ? scopes : undefined,
    logo: typeof logo === 'string' ? logo : undefined,
    ...linkProblems,
  });
  if (wrong !== undefined || typeof scopes === 'string' || typeof logo === 'string') return wrong ?? refused('');

  const becomesConfidential = current.isPublic && !isPublic;
  const secret = becomesConfidential ? newSecret('lk_secret_', random) : undefined;
  const newLinks = clientLinkNames.filter((link) => links[link] !== undefined && links[link] !== current.links[link]);
  const differs = (a: readonly string[], b: readonly string[]) => a.join(' ') !== b.join(' ');
  const change: ClientChange = {
    ...(name !== current.name && { name }),
    ...(differs(redirectUris, current.redirectUris) && { redirectUris }),
    ...(differs(postLogoutRedirectUris, current.postLogoutRedirectUris) && { postLogoutRedirectUris }),
    ...(differs(scopes, current.scopes) && { scopes }),
    ...(isAccess(access) && access !== current.access && { access }),
    ...(isSecondFactorNeed(secondFactor) && secondFactor !== current.secondFactor && { secondFactor }),
    ...(upstream !== current.upstream && { upstream }),
    ...(logo !== undefined && (logo?.version ?? null) !== current.logoVersion && { logo }),
    ...(newLinks.length > 0 && { links: Object.fromEntries(newLinks.map((link) => [link, links[link] ?? null])) }),
    ...(secret !== undefined && { type: { kind: 'confidential', secretDigest: digestOf(secret) } }),
    ...(isPublic && !current.isPublic && { type: { kind: 'public' } }),
  };
  return { kind: 'change', change, secret };
}

function detailOf({ links = {}, ...change }: ClientChange): EventDetail {
  return {
    changed: [...Object.keys(change), ...Object.keys(links)],
    ...Object.fromEntries(Object.entries(links).map(([link, url]) => [link, url ?? ''])),
    ...(change.name !== undefined && { name: change.name }),
    ...(change.redirectUris && { redirect_uris: change.redirectUris }),
    ...(change.postLogoutRedirectUris && { post_logout_redirect_uris: change.postLogoutRedirectUris }),
    ...(change.scopes && { scope: formatScopes(change.scopes) }),
    ...(change.access && { access: change.access }),
    ...(change.secondFactor && { second_factor: change.secondFactor }),
    ...(change.upstream !== undefined && { upstream: change.upstream ?? '' }),
    ...(change.type && { type: change.type.kind }),
  };
}

/** Adds one URI to those that are registered, as an administrator does who has seen why a sign-in or sign-out failed. */
export function addRedirectUri(
  services: Services,
  clientId: string,
  uri: string,
  requester: Requester,
  list: 'redirectUris' | 'postLogoutRedirectUris' = 'redirectUris',
) {
  return updateClient(services, clientId, (current) => ({ [list]: [...current[list], uri] }), requester);
}

export function noSuchClient(clientId: string): Refused {
  return refused(`there is no application "${clientId}"`, 'not_found');
}

export function changedMeanwhile(clientId: string): Refused {
  return refused(`${clientId} is being changed by someone else; try again`, 'conflict');
}
