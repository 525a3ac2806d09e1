// An administrator finds clients, registers them, changes their settings and rotates their secrets. Revoking and deleting is
// in revoke-client.ts, who may use a client in access-list.ts.

import { readClientFilters, type WrittenClientFilters } from '../../protocol/admin/client-filters.ts';
import type { UriList } from '../../protocol/admin/redirect-mismatch.ts';
import type { Total } from '../../protocol/admin/totals.ts';
import { digestOf } from '../../protocol/digest.ts';
import { DAY } from '../../protocol/durations.ts';
import type { Requester } from '../../protocol/event.ts';
import { lastFourOf, newId, newSecret } from '../../protocol/identifiers.ts';
import { claimsJson } from '../../protocol/oauth/claim-json.ts';
import { type Problem, problemWith } from '../../protocol/problem.ts';
import { type ClientInput, clientFields, newUriProblems } from '../../protocol/resources/client.ts';
import {
  changeDetail,
  differing,
  type ReadOf,
  readFields,
  readNew,
  recordedValues,
} from '../../protocol/resources/resource.ts';
import { lastFourDetail } from '../../protocol/resources/secret-life.ts';
import type {
  Client,
  ClientChange,
  ClientQuery,
  ClientSecret,
  ListedClient,
  NewClientSecret,
} from '../../storage/storage.ts';
import {
  beingChanged,
  type Outcome,
  type Refused,
  refused,
  refusedFields,
  unlessTaken,
  wholeOrRefused,
} from '../admin/outcome.ts';
import { type ListPage, type ListRequest, readPage } from '../admin/paging.ts';
import { endExpiredEntries } from '../groups/expired-entries.ts';
import type { Recording, Services, Storing, Timing } from '../services.ts';
import { defaultProblem } from '../upstreams/upstreams.ts';
import { findUserCalled } from '../users/users.ts';
import { findClaims } from './claim-references.ts';

type ChangeServices = Recording & Pick<Services, 'random' | 'webhooks'>;

/** More than the number of administrators who change one client at the same moment. */
const attemptsToUpdate = 10;

const idRule = 'a-z 0-9 _ - alone, at most 40 of them, beginning with a letter or digit';

export function clientIdProblem(text: string): string | undefined {
  return /^[a-z0-9][a-z0-9_-]{0,39}$/.test(text) ? undefined : `${JSON.stringify(text)} is not a client id: ${idRule}`;
}

export async function findClient(services: Storing, clientId: string): Outcome<{ client: Client }> {
  const client = await services.storage.findClient(clientId);
  return client === undefined ? noSuchClient(clientId) : { kind: 'done', client };
}

export const clientSorts = ['name', 'created'] as const;

/** What else a list with who uses them can be sorted by. */
const sortsInUse = [...clientSorts, 'people', 'last_used'] as const;

export interface ClientsRequest extends ListRequest {
  /** Those of this person, by ID, email address or username, or `none` for those that nobody owns; all if empty. */
  readonly owner?: string | undefined;
}

export async function listClients(services: Timing, request: ClientsRequest): Outcome<ListPage<Client>> {
  const read = await ownerIn(services, request);
  if (read.kind === 'refused') return read;
  return readPage(request, (query) => services.storage.pageClients({ ...query, ...read }), clientSorts);
}

/** Clients, with who uses them. */
export async function listClientsInUse(
  services: Timing,
  request: ListRequest & WrittenClientFilters,
): Outcome<ListPage<ListedClient>> {
  const by = readClientFilters(request);
  if ('problem' in by) return refused({ field: by.name, says: `"${by.name}" ${by.problem}` });
  const owned = await ownerIn(services, request);
  if (owned.kind === 'refused') return owned;
  const { unusedDays, ...filters } = by;
  const unusedSince = unusedDays && services.clock.now() - unusedDays * DAY;
  const filter = { ...filters, ...owned.filter, unusedSince };
  return readPage(request, (query) => services.storage.pageListedClients({ ...query, filter }), sortsInUse);
}

async function ownerIn(
  services: Timing,
  { owner = '' }: ClientsRequest,
): Outcome<{ readonly filter?: NonNullable<ClientQuery['filter']> }> {
  const named = owner.trim();
  if (named === '') return { kind: 'done' };
  const now = services.clock.now();
  if (named === 'none') return { kind: 'done', filter: { owner: { id: null, now } } };
  const found = await findUserCalled(services, named);
  if (found.kind === 'refused') return { ...found, reason: 'invalid' };
  return { kind: 'done', filter: { owner: { id: found.user.id, now } } };
}

/** The client, and how many users have given it access. */
export async function clientDetails(services: Storing, clientId: string): Outcome<{ client: Client; users: Total }> {
  const found = await findClient(services, clientId);
  if (found.kind === 'refused') return found;
  return { ...found, users: await services.storage.countConnectedUsers(clientId) };
}

/** In a file, the ID of a client is chosen by its author, and generated otherwise. */
export async function createClient(
  services: ChangeServices,
  input: ClientInput,
  requester: Requester,
): Outcome<{ client: Client; secret: string | undefined }> {
  const { storage, clock, random, journal } = services;
  const { id = newId(random), ...given } = input;
  const idProblem = clientIdProblem(id);
  if (idProblem !== undefined) return refused(idProblem);
  const read = readNew(clientFields, given);
  for (let attempt = 0; attempt < attemptsToUpdate; attempt++) {
    const { claims, problems } = await findReferences(services, read, given);
    const whole = wholeOrRefused(read, problems);
    if (whole.kind === 'refused') return whole;
    const { values } = whole;
    const { logo, ...rest } = values;
    const now = clock.now();
    const secret = values.isPublic ? undefined : newSecret('lk_secret_', random);
    const client: Client = {
      ...rest,
      id,
      secrets: secret === undefined ? [] : [{ ...stored(secret), createdAt: now, usedAt: null, sealedStates: null }],
      logoVersion: logo?.version ?? null,
      claims: claims ?? [],
      revokedAt: null,
      // A client that is deleted and registered again under the same ID must not revive what it left behind, so the
      // generation is one that no earlier client has had.
      generation: now,
      createdAt: now,
      updatedAt: now,
    };
    const recorded = recordedValues(clientFields, { ...values, claims: claimsJson(client.claims) });
    const detail = { ...recorded, ...lastFourDetail(secret === undefined ? undefined : stored(secret)) };
    const event = journal.event({ kind: 'client_created', clientId: id, detail }, requester);
    const created = await unlessTaken(storage.createClient(client, logo ?? undefined, event));
    if (created === 'taken') return refused(`there is already an application "${id}"`, 'conflict');
    if (created) return { kind: 'done', client, secret };
  }
  return refused("a group or an attribute in the application's claims is being changed; try again", 'conflict');
}

/** Changes what is given. A client that becomes confidential gets a secret, which is part of the result. */
export async function updateClient(
  services: ChangeServices,
  clientId: string,
  update: ClientInput | ((current: Client) => ClientInput),
  requester: Requester,
): Outcome<{ client: Client; secret: string | undefined }> {
  const { storage, clock, journal, random } = services;
  for (let attempt = 0; attempt < attemptsToUpdate; attempt++) {
    const found = await findClient(services, clientId);
    if (found.kind === 'refused') return found;
    const current = found.client;
    const given = typeof update === 'function' ? update(current) : update;
    const { values, problems } = readFields(clientFields, given, current);
    const { claims, problems: further } = await findReferences(services, { values, problems }, given, current);
    const wrong = refusedFields([...problems, ...further]);
    if (wrong !== undefined) return wrong;
    // Compared as it's shown, with the names that groups really have.
    const shown = claims === undefined ? values : { ...values, claims: claimsJson(claims) };
    const differences = differing(clientFields, current, shown);
    const secret = differences.isPublic === false ? newSecret('lk_secret_', random) : undefined;
    if (Object.keys(differences).length === 0) return { kind: 'done', client: current, secret };
    const { claims: newClaims, ...rest } = differences;
    const change: ClientChange = {
      ...rest,
      ...(newClaims !== undefined && claims !== undefined && { claims }),
      ...(secret !== undefined && { newSecret: stored(secret) }),
    };
    const type = differences.isPublic ? 'public' : 'confidential';
    const detail = {
      ...changeDetail(clientFields, differences),
      ...(differences.isPublic !== undefined && { type }),
      ...lastFourDetail(secret === undefined ? undefined : stored(secret)),
    };
    const event = journal.event({ kind: 'client_updated', clientId, detail }, requester);
    // The write fails when the client isn't what was checked here; then it's checked again.
    if (change.access === 'everyone') await endExpiredEntries(services);
    if (await storage.updateClient(current, change, clock.now(), event)) {
      const updated = await findClient(services, clientId);
      return updated.kind === 'done' ? { ...updated, secret } : updated;
    }
  }
  return changedMeanwhile(clientId);
}

/**
 * Whether there is an identity provider, a group or an attribute of that name is known to the store alone, and the networks to
 * the sender of messages. The claims, if any were given, have references to what was found.
 */
async function findReferences(
  services: Storing & Pick<Services, 'webhooks'>,
  read: { readonly values: ReadOf<typeof clientFields>; readonly problems?: readonly Problem[] },
  { upstream, redirectUris, backchannelLogoutUri }: ClientInput,
  current?: Client,
): Promise<{ claims: Client['claims'] | undefined; problems: readonly Problem[] }> {
  const { values, problems = [] } = read;
  const isFine = (name: string) => problems.every(({ field }) => field !== name);
  const isNew = backchannelLogoutUri !== current?.backchannelLogoutUri && isFine('backchannel_logout_uri');
  const logout = isNew ? URL.parse(backchannelLogoutUri ?? '') : null;
  const found = values.claims && (await findClaims(services, values.claims, current?.claims ?? []));
  return {
    claims: found?.claims,
    problems: [
      ...(isFine('redirect_uris') ? newUriProblems(redirectUris, current?.redirectUris) : []),
      ...problemWith('backchannel_logout_uri', logout === null ? undefined : services.webhooks.urlProblem(logout)),
      ...(found?.problems ?? []).map((problem) => ({ field: 'claims', ...problem })),
      ...problemWith('upstream', await defaultProblem(services, upstream)),
    ],
  };
}

/** Changes nothing when another person has changed the client since `version`, which is its `updatedAt` as text. */
export async function updateClientVersion(
  services: ChangeServices,
  clientId: string,
  version: string,
  update: ClientInput | ((current: Client) => ClientInput),
  requester: Requester,
): Promise<Awaited<ReturnType<typeof updateClient>> | { kind: 'changed_meanwhile' }> {
  const found = await findClient(services, clientId);
  if (found.kind === 'done' && version !== String(found.client.updatedAt)) return { kind: 'changed_meanwhile' };
  return updateClient(services, clientId, update, requester);
}

/** Adds one URI to those that are registered, as an administrator does who has seen why a sign-in or sign-out failed. */
export function addRedirectUri(
  services: ChangeServices,
  clientId: string,
  uri: string,
  requester: Requester,
  list: UriList = 'redirectUris',
) {
  return updateClient(services, clientId, (current) => ({ [list]: [...current[list], uri] }), requester);
}

export function noSuchClient(clientId: string): Refused {
  return refused(`there is no application "${clientId}"`, 'not_found');
}

export function changedMeanwhile(clientId: string): Refused {
  return beingChanged(clientId);
}

/**
 * Without downtime: the previous secret keeps working until it's retired. `retired` is the one before that, if there was one.
 * It no longer works.
 */
export async function rotateClientSecret(
  services: Recording & Pick<Services, 'random'>,
  clientId: string,
  requester: Requester,
): Outcome<{ client: Client; secret: string; retired: ClientSecret | undefined }> {
  const { storage, clock, random, journal } = services;
  const found = await findClient(services, clientId);
  if (found.kind === 'refused') return found;
  if (found.client.isPublic)
    return refused({ subject: clientId, says: 'is a public client and has no secret' }, 'conflict');
  const [, retired] = found.client.secrets;
  const secret = newSecret('lk_secret_', random);
  const event = journal.event(
    { kind: 'client_secret_rotated', clientId, detail: lastFourDetail(stored(secret)) },
    requester,
  );
  const rotated = await storage.rotateClientSecret(clientId, stored(secret), clock.now(), event);
  if (!rotated) return changedMeanwhile(clientId);
  const updated = await findClient(services, clientId);
  return updated.kind === 'done' ? { ...updated, secret, retired } : updated;
}

function stored(secret: string): NewClientSecret {
  return { digest: digestOf(secret), lastFour: lastFourOf(secret) };
}
