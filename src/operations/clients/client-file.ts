// Reads the clients in a file for `latchkey apply`. Comparing them with the clients that exist is left to
// apply-clients.ts.

import { cleanName } from '../../protocol/account/display-name.ts';
import { type ClientLinks, clientLinkNames } from '../../protocol/oauth/client-links.ts';
import { isScope, type Scope, supportedScopes } from '../../protocol/oauth/scope.ts';
import type { ImageReader } from '../../protocol/reading/logo.ts';
import { readLogo } from '../../protocol/reading/logo.ts';
import { isJsonObject, isTexts, type Json, type JsonObject, unknownKeys } from '../../protocol/reading/strict-json.ts';
import type { Client, Logo } from '../../storage/storage.ts';
import {
  clientIdProblem,
  clientNameProblem,
  isAccess,
  isSecondFactorNeed,
  postLogoutRedirectUrisProblems,
  readLinks,
  redirectUrisProblems,
} from './client-settings.ts';

export interface DescribedClient {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly scopes: readonly Scope[];
  readonly isPublic: boolean;
  /** Undefined leaves it as it is; a new client is open to everyone. */
  readonly access?: Client['access'];
  /** Who is on its list; each that is undefined stays as it is. */
  readonly allowed?: DescribedList;
  /** Undefined leaves it as it is: a file from before there was one must not take a protection away. */
  readonly secondFactor: string | undefined;
  /** The provider that people are sent to. Undefined leaves it as it is; null is none. */
  readonly upstream?: string | null;
  /** Undefined leaves the logo as it is; null removes it. */
  readonly logo: Logo | null | undefined;
  /** Those that are given; null removes one. */
  readonly links?: Partial<ClientLinks>;
  /** A revoked client is never restored by a file, because whoever revoked it may not have known the file. */
  readonly revoked?: true;
}

export interface DescribedList {
  /** By email address or ID. */
  readonly people?: readonly string[];
  readonly groups?: readonly string[];
}

/** Everything that the file can say about a client. */
export const clientKeys = [
  'client_id',
  'name',
  'redirect_uris',
  'post_logout_redirect_uris',
  'scopes',
  'public',
  'second_factor',
  'upstream',
  'logo',
  'access',
  'allowed',
  ...clientLinkNames,
  'revoked',
] as const;
export type ClientKey = (typeof clientKeys)[number];

/** Adds to `problems`. Undefined if the file says nothing about clients, which is not the same as that there are none. */
export function readClients(
  value: Json | undefined,
  logoAt: ImageReader,
  problems: string[],
): DescribedClient[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) {
    problems.push('"applications" must be a list of applications');
    return [];
  }
  const ids = value.map((item) => (isJsonObject(item) ? item.client_id : undefined));
  const clients: DescribedClient[] = [];
  for (const [index, item] of value.entries()) {
    const id = ids[index];
    const where = `applications[${index}]${typeof id === 'string' ? ` (${JSON.stringify(id)})` : ''}`;
    const found: string[] = [];
    if (isJsonObject(item)) clients.push(readClient(item, logoAt, found));
    else found.push('an application must be an object');
    if (typeof id === 'string' && ids.indexOf(id) < index) found.push('the client_id appears twice');
    problems.push(...found.map((problem) => `${where}: ${problem}`));
  }
  return clients;
}

/** Adds to `problems`. When there are any, the result is incomplete and must not be used. */
function readClient(given: JsonObject, logoAt: ImageReader, problems: string[]): DescribedClient {
  problems.push(...unknownKeys(given, clientKeys));
  const isPublic = readFlag(given.public, problems);
  return {
    id: readText(given, 'client_id', clientIdProblem, problems),
    // As it is stored, so that applying the same file again finds no difference.
    name: cleanName(readText(given, 'name', clientNameProblem, problems)),
    redirectUris: readRedirectUris(given.redirect_uris, isPublic, problems),
    postLogoutRedirectUris: readPostLogoutRedirectUris(given.post_logout_redirect_uris, isPublic, problems),
    scopes: readScopes(given.scopes, problems),
    isPublic,
    ...readAccess(given.access, problems),
    ...readAllowed(given.allowed, problems),
    secondFactor: readSecondFactor(given.second_factor, problems),
    ...readUpstream(given.upstream, problems),
    logo: readDescribedLogo(given.logo, logoAt, problems),
    links: readDescribedLinks(given, problems),
    ...readRevoked(given.revoked, problems),
  };
}

function readText(
  given: JsonObject,
  key: string,
  problemOf: (text: string) => string | undefined,
  problems: string[],
): string {
  const value = given[key];
  const isText = typeof value === 'string';
  const problem = isText ? problemOf(value) : value === undefined ? `"${key}" is missing` : `"${key}" must be a string`;
  if (problem !== undefined) problems.push(problem);
  return isText ? value : '';
}

function readFlag(value: Json | undefined, problems: string[]): boolean {
  if (value !== undefined && typeof value !== 'boolean') problems.push('"public" must be true or false');
  return value === true;
}

function readSecondFactor(value: Json | undefined, problems: string[]): string | undefined {
  if (value === undefined || (typeof value === 'string' && isSecondFactorNeed(value))) return value;
  problems.push('"second_factor" must be "required" or "optional"');
  return undefined;
}

function readUpstream(value: Json | undefined, problems: string[]): Pick<DescribedClient, 'upstream'> {
  if (value === undefined) return {};
  if (value === null || (typeof value === 'string' && value !== '')) return { upstream: value };
  problems.push('"upstream" must be the name of a provider, or null');
  return {};
}

function readRedirectUris(value: Json | undefined, isPublic: boolean, problems: string[]): string[] {
  if (value === undefined) problems.push('"redirect_uris" is missing');
  else if (!isTexts(value)) problems.push('"redirect_uris" must be a list of strings');
  else problems.push(...redirectUrisProblems(value, isPublic));
  return isTexts(value) ? [...new Set(value)] : [];
}

function readPostLogoutRedirectUris(value: Json | undefined, isPublic: boolean, problems: string[]): string[] {
  if (value === undefined) return [];
  if (!isTexts(value)) problems.push('"post_logout_redirect_uris" must be a list of strings');
  else problems.push(...postLogoutRedirectUrisProblems(value, isPublic));
  return isTexts(value) ? [...new Set(value)] : [];
}

function readScopes(value: Json | undefined, problems: string[]): Scope[] {
  if (value === undefined) return [...supportedScopes];
  if (!isTexts(value)) problems.push('"scopes" must be a list of strings');
  else if (value.length === 0) problems.push('"scopes" is empty');
  else if (!value.every(isScope)) problems.push(`"scopes" must be among: ${supportedScopes.join(' ')}`);
  return isTexts(value) ? supportedScopes.filter((scope) => value.includes(scope)) : [];
}

function readDescribedLogo(value: Json | undefined, logoAt: ImageReader, problems: string[]): Logo | null | undefined {
  if (value === undefined || value === null) return value;
  const bytes = typeof value === 'string' ? logoAt(value) : '"logo" must be the path of a picture, or null';
  const logo = typeof bytes === 'string' ? bytes : readLogo(bytes);
  if (typeof logo !== 'string') return logo;
  problems.push(logo);
  return undefined;
}

function readDescribedLinks(given: JsonObject, problems: string[]): Partial<ClientLinks> {
  const named = clientLinkNames.filter((name) => given[name] !== undefined);
  const entries = named.flatMap((name): [string, string | null][] => {
    const url = given[name];
    if (typeof url === 'string' || url === null) return [[name, url ?? null]];
    problems.push(`"${name}" must be a string, or null`);
    return [];
  });
  const reading = readLinks(Object.fromEntries(entries));
  problems.push(...Object.values(reading.problems));
  return reading.links;
}

function readAccess(value: Json | undefined, problems: string[]): Pick<DescribedClient, 'access'> {
  if (value === undefined) return {};
  if (typeof value === 'string' && isAccess(value)) return { access: value };
  problems.push('"access" must be "everyone" or "listed"');
  return {};
}

function readRevoked(value: Json | undefined, problems: string[]): Pick<DescribedClient, 'revoked'> {
  if (value !== undefined && value !== true) problems.push('"revoked" must be true, or left out');
  return value === true ? { revoked: true } : {};
}

function readAllowed(value: Json | undefined, problems: string[]): Pick<DescribedClient, 'allowed'> {
  if (value === undefined) return {};
  if (!isJsonObject(value)) {
    problems.push('"allowed" must be an object with the keys "people" and "groups"');
    return {};
  }
  problems.push(...unknownKeys(value, ['people', 'groups']));
  const list = (key: 'people' | 'groups') => {
    const texts = value[key];
    if (texts === undefined) return {};
    if (!isTexts(texts)) problems.push(`"${key}" in "allowed" must be a list of strings`);
    return isTexts(texts) ? { [key]: [...new Set(texts)] } : {};
  };
  return { allowed: { ...list('people'), ...list('groups') } };
}
