// Converts an application of another service for `latchkey apply`, and lists what doesn't fit.

import { cleanName, nameProblem } from '../../account/names.ts';
import { newRedirectUriProblem, redirectUriProblem } from '../../oauth/redirect-uri.ts';
import { webUrlProblem } from '../../reading/web-url.ts';
import type { ClientLinkName } from '../../resources/client.ts';

/** As in the file. */
export interface ConvertedApplication {
  readonly client_id: string;
  readonly name: string;
  readonly redirect_uris: readonly string[];
  readonly post_logout_redirect_uris?: readonly string[];
  readonly public?: true;
  readonly client_uri?: string;
  readonly policy_uri?: string;
  readonly tos_uri?: string;
}

export interface ConvertedClient {
  readonly oldId: string;
  readonly name: string;
  /** Undefined if nothing usable is left. */
  readonly application: ConvertedApplication | undefined;
  /** What doesn't fit, as sentences. */
  readonly notes: readonly string[];
}

export type ClientConversion =
  | ({ readonly kind: 'client' } & ConvertedClient)
  /** One of the other service's own. */
  | { readonly kind: 'skipped' };

/** An application as the other service describes it, before our rules. */
export interface GivenClient {
  readonly oldId: string;
  readonly name: string | undefined;
  readonly isPublic: boolean;
  readonly redirectUris: readonly string[];
  readonly logoutUris: readonly string[];
  readonly links: Readonly<Partial<Record<Exclude<ClientLinkName, 'launch_url'>, string | undefined>>>;
  /** Why it can't be converted. */
  readonly impossible: string | undefined;
  readonly notes: readonly string[];
}

const idForm = /^[a-z0-9][a-z0-9_-]{0,39}$/;
const uriLimit = 50;

export function convertClient(given: GivenClient, takenIds: Set<string>): ConvertedClient {
  const { oldId, isPublic } = given;
  const name = cleanName(given.name ?? oldId).slice(0, 100) || 'Application';
  if (given.impossible !== undefined) return { oldId, name, application: undefined, notes: [given.impossible] };
  const notes = [...given.notes];
  const redirectUris = fitting('redirect URI', given.redirectUris, notes, (uri) => {
    return uriProblem(uri, isPublic) ?? newRedirectUriProblem(uri);
  });
  const postLogout = fitting('post-logout redirect URI', given.logoutUris, notes, (uri) => uriProblem(uri, isPublic));
  if (redirectUris.length === 0) {
    notes.push('No redirect URI is left. Add the application to the file yourself, with its exact redirect URIs.');
    return { oldId, name, application: undefined, notes };
  }
  const id = freeId(oldId, name, takenIds);
  if (id !== oldId) notes.push(`Its client ID becomes ${id}.`);
  if (!isPublic) notes.push('It gets a new client secret, which "latchkey apply" prints.');
  const links = Object.entries(given.links).flatMap(([link, url]) => {
    const problem = url ? webUrlProblem(url, { fragment: link !== 'client_uri' }) : 'is empty';
    if (url && problem !== undefined) notes.push(`The ${link} ${url} ${problem}, so it's left out.`);
    return problem === undefined ? [[link, url]] : [];
  });
  const application = {
    client_id: id,
    name: nameProblem(name) === undefined ? name : id,
    redirect_uris: redirectUris,
    ...(postLogout.length > 0 && { post_logout_redirect_uris: postLogout }),
    ...(isPublic && { public: true as const }),
    ...Object.fromEntries(links),
  };
  return { oldId, name, application, notes };
}

function fitting(
  what: string,
  uris: readonly string[],
  notes: string[],
  problemOf: (uri: string) => string | undefined,
): string[] {
  const kept: string[] = [];
  for (const uri of new Set(uris)) {
    const problem = problemOf(uri);
    if (problem === undefined) kept.push(uri);
    else notes.push(`The ${what} ${uri} ${problem}.`);
  }
  if (kept.length > uriLimit) notes.push(`Only the first ${uriLimit} of its ${kept.length} ${what}s are in the file.`);
  return kept.slice(0, uriLimit);
}

function uriProblem(uri: string, isPublic: boolean): string | undefined {
  if (uri.includes('*')) return 'has a wildcard, and redirect URIs must match exactly: name each one';
  if (/[{}]/.test(uri)) return 'has a placeholder, and redirect URIs must match exactly: name each one';
  return redirectUriProblem(uri, isPublic);
}

/** The old one if it's a valid client ID here, otherwise one derived from the name. */
function freeId(oldId: string, name: string, taken: Set<string>): string {
  const made = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 32);
  const base = idForm.test(oldId) ? oldId : idForm.test(made) ? made : 'application';
  let id = base;
  for (let number = 2; taken.has(id); number++) id = `${base}-${number}`;
  taken.add(id);
  return id;
}

/** What every application has to change, because tokens are signed differently here. */
export function signatureNote(algorithm: string, isPublic: boolean): string | undefined {
  if (algorithm === 'HS256' && !isPublic) return undefined;
  const from = algorithm === 'HS256' ? '' : ` instead of ${algorithm}`;
  return isPublic
    ? `Its ID tokens are signed with HS256${from}, by a key it doesn't have: it relies on TLS and userinfo.`
    : `Its ID tokens are signed with HS256${from}, with its client secret: set that algorithm in its library.`;
}
