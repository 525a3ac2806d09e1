// An administrator registers applications, changes them, and stops them at once.

import { cleanName, nameProblem } from '../../protocol/account/display-name.ts';
import { digestOf } from '../../protocol/digest.ts';
import type { EventDetail, EventKind, Origin } from '../../protocol/event.ts';
import { newId, newSecret, type RandomBytes } from '../../protocol/identifiers.ts';
import { redirectUriProblem } from '../../protocol/oauth/redirect-uri.ts';
import { chooseScopes, formatScopes, type Scope, supportedScopes } from '../../protocol/oauth/scope.ts';
import { logoLimit, recogniseImage } from '../../protocol/reading/image.ts';
import { type Client, type ClientChange, type Logo, StorageConflict } from '../../storage/storage.ts';
import type { Services } from '../services.ts';
import { type AdminOutcome, type Refused, refused } from './outcome.ts';

/** More than as many administrators as change one application at the same moment. */
const attemptsToUpdate = 10;

export interface ClientInput {
  readonly name: string;
  readonly isPublic: boolean;
  readonly redirectUris: readonly string[];
  /** Space-separated; all scopes when undefined. */
  readonly scope: string | undefined;
  readonly logo: Uint8Array | undefined;
  /** Chosen by whoever describes applications in a file; otherwise made here. */
  readonly id?: string | undefined;
}

export interface ClientUpdate {
  readonly name?: string | undefined;
  readonly redirectUris?: readonly string[] | undefined;
  readonly scope?: string | undefined;
  /** Null removes the logo. */
  readonly logo?: Uint8Array | null | undefined;
  readonly isPublic?: boolean | undefined;
}

export async function createClient(
  services: Services,
  input: ClientInput,
  origin: Origin,
): Promise<AdminOutcome<{ client: Client; secret: string | undefined }>> {
  const { storage, clock, random, journal } = services;
  const scopes = readScopes(input.scope);
  const logo = input.logo && readLogo(input.logo);
  const problem =
    (input.id === undefined ? undefined : clientIdProblem(input.id)) ??
    clientNameProblem(input.name) ??
    redirectUrisProblem(input.redirectUris, input.isPublic) ??
    (typeof scopes === 'string' ? scopes : undefined) ??
    (typeof logo === 'string' ? logo : undefined);
  if (problem !== undefined || typeof scopes === 'string' || typeof logo === 'string') return refused(problem ?? '');

  const now = clock.now();
  const secret = input.isPublic ? undefined : newSecret('lk_secret_', random);
  const client: Client = {
    id: input.id ?? newId(random),
    name: cleanName(input.name),
    isPublic: input.isPublic,
    redirectUris: [...new Set(input.redirectUris)],
    scopes,
    secrets: secret === undefined ? [] : [{ digest: digestOf(secret), createdAt: now, usedAt: null }],
    logoVersion: logo?.version ?? null,
    revokedAt: null,
    // Never one that a client of the same id has had before: what that one has left behind stays void.
    generation: now,
    createdAt: now,
    updatedAt: now,
  };
  const detail = { name: client.name, redirect_uris: client.redirectUris, scope: formatScopes(scopes) };
  const event = journal.event({ kind: 'client_created', clientId: client.id, detail }, origin);
  try {
    await storage.createClient(client, logo, event);
  } catch (error) {
    if (!(error instanceof StorageConflict)) throw error;
    return refused(`there is a client "${client.id}" already`, 'conflict');
  }
  return { kind: 'done', client, secret };
}

export async function updateClient(
  services: Services,
  clientId: string,
  update: ClientUpdate | ((current: Client) => ClientUpdate),
  origin: Origin,
): Promise<AdminOutcome<{ client: Client; secret: string | undefined }>> {
  const { storage, clock, journal, random } = services;
  for (let attempt = 0; attempt < attemptsToUpdate; attempt++) {
    const current = await storage.findClient(clientId);
    if (current === undefined) return noSuchClient(clientId);
    const reading = changeOf(current, typeof update === 'function' ? update(current) : update, random);
    if (reading.kind === 'refused') return reading;
    const { change, secret } = reading;
    if (Object.keys(change).length === 0) return { kind: 'done', client: current, secret };
    const event = journal.event({ kind: 'client_updated', clientId, detail: detailOf(change) }, origin);
    // What was judged here must still hold when it is written; otherwise it is judged again.
    if (await storage.updateClient(current, change, clock.now(), event)) {
      const result = await clientNow(services, clientId);
      return result.kind === 'done' ? { ...result, secret } : result;
    }
  }
  return refused(`${clientId} is being changed by others; try again`, 'conflict');
}

/** What an update changes of a client as it is; nothing of what is so already. */
function changeOf(
  current: Client,
  update: ClientUpdate,
  random: RandomBytes,
): { kind: 'change'; change: ClientChange; secret: string | undefined } | Refused {
  const isPublic = update.isPublic ?? current.isPublic;
  const name = update.name === undefined ? current.name : cleanName(update.name);
  const redirectUris = [...new Set(update.redirectUris ?? current.redirectUris)];
  const scopes = update.scope === undefined ? current.scopes : readScopes(update.scope);
  const logo = update.logo && readLogo(update.logo);
  const problem =
    (name === current.name ? undefined : clientNameProblem(name)) ??
    // What a public client may have registered is not always allowed for a confidential one.
    redirectUrisProblem(redirectUris, isPublic) ??
    (typeof scopes === 'string' ? scopes : undefined) ??
    (typeof logo === 'string' ? logo : undefined);
  if (problem !== undefined || typeof scopes === 'string' || typeof logo === 'string') return refused(problem ?? '');

  const becomesConfidential = current.isPublic && !isPublic;
  const secret = becomesConfidential ? newSecret('lk_secret_', random) : undefined;
  const differs = (a: readonly string[], b: readonly string[]) => a.join(' ') !== b.join(' ');
  const change: ClientChange = {
    ...(name !== current.name && { name }),
    ...(differs(redirectUris, current.redirectUris) && { redirectUris }),
    ...(differs(scopes, current.scopes) && { scopes }),
    ...(logo !== undefined && (logo?.version ?? null) !== current.logoVersion && { logo }),
    ...(secret !== undefined && { type: { kind: 'confidential', secretDigest: digestOf(secret) } }),
    ...(isPublic && !current.isPublic && { type: { kind: 'public' } }),
  };
  return { kind: 'change', change, secret };
}

function detailOf(change: ClientChange): EventDetail {
  return {
    changed: Object.keys(change),
    ...(change.name !== undefined && { name: change.name }),
    ...(change.redirectUris && { redirect_uris: change.redirectUris }),
    ...(change.scopes && { scope: formatScopes(change.scopes) }),
    ...(change.type && { type: change.type.kind }),
  };
}

/** Registers one more address, as an administrator does who has seen why a sign-in failed. */
export async function addRedirectUri(services: Services, clientId: string, uri: string, origin: Origin) {
  return updateClient(services, clientId, ({ redirectUris }) => ({ redirectUris: [...redirectUris, uri] }), origin);
}

export async function rotateClientSecret(
  services: Services,
  clientId: string,
  origin: Origin,
): Promise<AdminOutcome<{ client: Client; secret: string }>> {
  const { storage, clock, random, journal } = services;
  const current = await storage.findClient(clientId);
  if (current === undefined) return noSuchClient(clientId);
  if (current.isPublic) return refused(`${clientId} is a public client and has no secret`, 'conflict');
  const secret = newSecret('lk_secret_', random);
  const event = journal.event({ kind: 'client_secret_rotated', clientId }, origin);
  const rotated = await storage.rotateClientSecret(clientId, digestOf(secret), clock.now(), event);
  if (!rotated) return refused(`${clientId} is being changed by others; try again`, 'conflict');
  const result = await clientNow(services, clientId);
  return result.kind === 'done' ? { ...result, secret } : result;
}

export async function retireOldSecret(
  services: Services,
  clientId: string,
  origin: Origin,
): Promise<AdminOutcome<{ client: Client }>> {
  const retire = services.storage.retireOldSecret;
  return changeState(services, clientId, 'client_secret_retired', retire, 'has no old secret', origin);
}

export async function revokeClient(services: Services, clientId: string, origin: Origin) {
  const revoke = services.storage.revokeClient;
  return changeState(services, clientId, 'client_revoked', revoke, 'is revoked already', origin);
}

export async function restoreClient(services: Services, clientId: string, origin: Origin) {
  const restore = services.storage.restoreClient;
  return changeState(services, clientId, 'client_restored', restore, 'is not revoked', origin);
}

export async function deleteClient(
  services: Services,
  clientId: string,
  origin: Origin,
): Promise<AdminOutcome<{ client: Client }>> {
  const { storage, journal } = services;
  const client = await storage.findClient(clientId);
  if (client === undefined) return noSuchClient(clientId);
  const event = journal.event({ kind: 'client_deleted', clientId, detail: { name: client.name } }, origin);
  return (await storage.deleteClient(clientId, event)) ? { kind: 'done', client } : noSuchClient(clientId);
}

async function changeState(
  services: Services,
  clientId: string,
  kind: EventKind,
  change: Services['storage']['revokeClient'],
  unchanged: string,
  origin: Origin,
): Promise<AdminOutcome<{ client: Client }>> {
  const event = services.journal.event({ kind, clientId }, origin);
  const done = await change(clientId, services.clock.now(), event);
  const result = await clientNow(services, clientId);
  return done || result.kind === 'refused' ? result : refused(`${clientId} ${unchanged}`, 'conflict');
}

async function clientNow(services: Services, clientId: string): Promise<AdminOutcome<{ client: Client }>> {
  const client = await services.storage.findClient(clientId);
  return client === undefined ? noSuchClient(clientId) : { kind: 'done', client };
}

const idRule = 'a-z 0-9 _ - alone, at most 40 of them, beginning with a letter or digit';

export function clientIdProblem(text: string): string | undefined {
  return /^[a-z0-9][a-z0-9_-]{0,39}$/.test(text) ? undefined : `${JSON.stringify(text)} is not a client id: ${idRule}`;
}

export function clientNameProblem(name: string): string | undefined {
  const problem = nameProblem(name);
  return problem === undefined ? undefined : `the name ${problem}`;
}

function redirectUrisProblem(uris: readonly string[], isPublic: boolean): string | undefined {
  return redirectUrisProblems(uris, isPublic)[0];
}

export function redirectUrisProblems(uris: readonly string[], isPublic: boolean): string[] {
  if (uris.length === 0) return ['at least one redirect URI is needed'];
  if (uris.length > 50) return ['there are more than 50 redirect URIs'];
  return uris.flatMap((uri) => {
    const problem = redirectUriProblem(uri, isPublic);
    return problem === undefined ? [] : [`the redirect URI ${JSON.stringify(uri)} ${problem}`];
  });
}

function readScopes(scope: string | undefined): Scope[] | string {
  if (scope?.trim() === '') return 'the scope is empty';
  return chooseScopes(scope, supportedScopes) ?? `the scope must be among: ${supportedScopes.join(' ')}`;
}

export function readLogo(bytes: Uint8Array): Logo | string {
  if (bytes.length > logoLimit) return 'the logo is larger than 512 KiB';
  const contentType = recogniseImage(bytes);
  if (contentType === undefined) return 'the logo is not a PNG, JPEG or WebP image';
  return { version: digestOf(Buffer.from(bytes).toString('base64')).slice(0, 16), contentType, bytes };
}

function noSuchClient(clientId: string): Refused {
  return refused(`there is no client "${clientId}"`, 'not_found');
}
