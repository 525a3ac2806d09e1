// The rules of form for what an administrator registers about a client, for every way they do so: console, API, command
// line and file. Problems are worded to fit into a sentence.

import { nameProblem } from '../../protocol/account/display-name.ts';
import {
  type ClientLinkName,
  type ClientLinks,
  clientLinkNames,
  clientLinkProblem,
} from '../../protocol/oauth/client-links.ts';
import { redirectUriProblem } from '../../protocol/oauth/redirect-uri.ts';
import { chooseScopes, type Scope, supportedScopes } from '../../protocol/oauth/scope.ts';
import type { Client } from '../../storage/storage.ts';

const idRule = 'a-z 0-9 _ - alone, at most 40 of them, beginning with a letter or digit';

export function clientIdProblem(text: string): string | undefined {
  return /^[a-z0-9][a-z0-9_-]{0,39}$/.test(text) ? undefined : `${JSON.stringify(text)} is not a client id: ${idRule}`;
}

export function clientNameProblem(name: string): string | undefined {
  const problem = nameProblem(name);
  return problem === undefined ? undefined : `the name ${problem}`;
}

export function redirectUrisProblems(uris: readonly string[], isPublic: boolean): string[] {
  if (uris.length === 0) return ['at least one redirect URI is needed'];
  if (uris.length > 50) return ['there are more than 50 redirect URIs'];
  return uriProblems('redirect URI', uris, isPublic);
}

/** Where people may be sent after signing out: the same rules, but a client needs none. */
export function postLogoutRedirectUrisProblems(uris: readonly string[], isPublic: boolean): string[] {
  if (uris.length > 50) return ['there are more than 50 post-logout redirect URIs'];
  return uriProblems('post-logout redirect URI', uris, isPublic);
}

function uriProblems(what: string, uris: readonly string[], isPublic: boolean): string[] {
  return uris.flatMap((uri) => {
    const problem = redirectUriProblem(uri, isPublic);
    return problem === undefined ? [] : [`the ${what} ${JSON.stringify(uri)} ${problem}`];
  });
}

/** The scopes, or what is wrong with them. */
export function readScopes(scope: string | undefined): Scope[] | string {
  if (scope?.trim() === '') return 'the scope is empty';
  return chooseScopes(scope, supportedScopes) ?? `the scope must be among: ${supportedScopes.join(' ')}`;
}

/** Undefined if it can be the access of a client. */
export function accessProblem(access: string | undefined): string | undefined {
  return access === undefined || isAccess(access) ? undefined : 'the access must be everyone or listed';
}

export function isAccess(text: string): text is Client['access'] {
  return text === 'everyone' || text === 'listed';
}

export function isSecondFactorNeed(text: string): text is Client['secondFactor'] {
  return text === 'required' || text === 'optional';
}

export function secondFactorProblem(text: string | undefined): string | undefined {
  return text === undefined || isSecondFactorNeed(text) ? undefined : 'the second factor is required or optional';
}

/** Null or an empty text is none; undefined leaves a link as it is. */
export type LinksInput = { readonly [Name in ClientLinkName]?: string | null | undefined };

/** The links that are given, and what is wrong with each that can't be one. */
export function readLinks(given: LinksInput = {}): {
  links: Partial<ClientLinks>;
  problems: Partial<Record<ClientLinkName, string>>;
} {
  const links: Partial<Record<ClientLinkName, string | null>> = {};
  const problems: Partial<Record<ClientLinkName, string>> = {};
  for (const name of clientLinkNames) {
    const url = given[name]?.trim() ?? given[name];
    if (url === undefined) continue;
    const problem = url ? clientLinkProblem(name, url) : undefined;
    if (problem !== undefined) problems[name] = `the ${name} ${JSON.stringify(url)} ${problem}`;
    links[name] = url || null;
  }
  return { links, problems };
}
