// The rules of form for what an administrator says about an upstream, for every way they do so: console, API, command line
// and file. Problems are worded to fit into a sentence.

import { cleanName, nameProblem } from '../../protocol/account/display-name.ts';
import { isPlainText } from '../../protocol/reading/control-characters.ts';
import { readLogo } from '../../protocol/reading/logo.ts';
import { everyDomain, readDomain } from '../../protocol/upstreams/claims.ts';
import {
  asymmetricAlgorithms,
  githubIssuer,
  isSigningAlgorithm,
  symmetricAlgorithm,
} from '../../protocol/upstreams/metadata.ts';
import type { Logo } from '../../storage/storage.ts';
import { type AdminOutcome, refused, refusedFields } from '../admin/outcome.ts';
import type { Services } from '../services.ts';

export const upstreamKinds = ['oidc', 'github'] as const;
export type UpstreamKind = (typeof upstreamKinds)[number];

/** What an administrator may change later. */
export interface UpstreamSettings {
  readonly clientId: string;
  readonly secret: string;
  readonly label?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly allowedDomains?: readonly string[] | undefined;
  /** `*` for every domain. */
  readonly trustedDomains?: readonly string[] | undefined;
  readonly routesDomains?: boolean | undefined;
  readonly createsAccounts?: boolean | undefined;
  readonly trustedAmr?: readonly string[] | undefined;
  readonly trustedAcr?: readonly string[] | undefined;
  /** The one signature algorithm to accept; those with published keys that the provider announces when undefined. */
  readonly algorithm?: string | undefined;
}

export interface UpstreamInput extends UpstreamSettings {
  readonly name: string;
  /** `oidc` when undefined. */
  readonly kind?: string | undefined;
  /** Needed for `oidc`. For `github` it is https://github.com, or that of a GitHub Enterprise Server. */
  readonly issuer?: string | undefined;
  readonly icon?: Uint8Array | undefined;
}

/** Undefined leaves something as it is. */
export interface UpstreamUpdate extends Partial<Omit<UpstreamSettings, 'clientId' | 'secret' | 'algorithm'>> {
  readonly clientId?: string | undefined;
  readonly secret?: string | undefined;
  /** Null for those with published keys that the provider announces. */
  readonly algorithm?: string | null | undefined;
  /** Null removes the icon. */
  readonly icon?: Uint8Array | null | undefined;
}

const longest = { clientId: 500, secret: 2000, value: 200, list: 50 };

export function isUpstreamName(text: string): boolean {
  return /^[a-z0-9-]{1,40}$/.test(text);
}

export function nameProblemOf(name: string): string | undefined {
  return isUpstreamName(name) ? undefined : 'the name must be 1 to 40 lowercase letters, digits or hyphens';
}

export function labelProblem(label: string): string | undefined {
  const problem = nameProblem(cleanName(label));
  return problem === undefined ? undefined : `the label ${problem}`;
}

/** With an issuer that ends in a slash or has a query, ID tokens would have to name it in exactly the same way. */
export function issuerProblem({ upstreams }: Services, issuer: string): string | undefined {
  if (issuer.includes('?')) return "the issuer can't contain a query (?…)";
  const problem = upstreams.urlProblem(issuer);
  return problem === undefined ? undefined : `the issuer ${problem}`;
}

export function clientIdProblem(text: string): string | undefined {
  if (text === '') return 'the client ID is needed';
  return text.length <= longest.clientId && /^[\x20-\x7e]+$/.test(text)
    ? undefined
    : `the client ID must be at most ${longest.clientId} printable ASCII characters`;
}

export function secretProblem(text: string): string | undefined {
  if (text === '') return 'the client secret is needed';
  return text.length <= longest.secret && /^[\x20-\x7e]+$/.test(text)
    ? undefined
    : `the client secret must be at most ${longest.secret} printable ASCII characters`;
}

export function algorithmProblem(kind: UpstreamKind, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (kind === 'github') return 'GitHub signs nothing, so there is no algorithm to choose';
  const all = [...asymmetricAlgorithms, symmetricAlgorithm].join(', ');
  return isSigningAlgorithm(text) ? undefined : `the algorithm must be one of ${all}`;
}

export function scopesProblem(kind: UpstreamKind, scopes: readonly string[]): string | undefined {
  if (kind === 'oidc' && !scopes.includes('openid')) return 'the scopes must include openid';
  return listProblem('scope', scopes, /^[\x21\x23-\x5b\x5d-\x7e]+$/);
}

/** Values of `amr` or `acr`. They are kept with spaces between them. */
export function valuesProblem(what: 'amr' | 'acr', values: readonly string[]): string | undefined {
  return listProblem(`${what} value`, values, /^[\x21-\x7e]+$/);
}

function listProblem(what: string, values: readonly string[], form: RegExp): string | undefined {
  if (values.length > longest.list) return `there are more than ${longest.list} ${what}s`;
  const wrong = values.find((value) => value.length > longest.value || !form.test(value));
  return wrong === undefined ? undefined : `${quoted(wrong)} can't be a ${what}`;
}

/** The domains as DNS knows them, or what is wrong with them. */
export function readDomains(what: string, given: readonly string[], allowsEvery: boolean): string[] | string {
  if (given.length > longest.list) return `there are more than ${longest.list} ${what} domains`;
  const read = given.map((text) => (allowsEvery && text.trim() === everyDomain ? everyDomain : readDomain(text)));
  const wrong = given.find((_, index) => read[index] === undefined);
  if (wrong !== undefined) return `${quoted(wrong)} isn't a domain such as example.com`;
  return [...new Set(read.flatMap((domain) => domain ?? []))];
}

export function standardScopes(kind: UpstreamKind): readonly string[] {
  return kind === 'github' ? ['read:user', 'user:email'] : ['openid', 'email', 'profile'];
}

/** Empty for a kind that has none. */
export function standardIssuer(kind: UpstreamKind): string {
  return kind === 'github' ? githubIssuer : '';
}

function quoted(text: string): string {
  return isPlainText(text) ? JSON.stringify(text.slice(0, 60)) : 'text with control characters';
}

/** What is given of the settings, in the form in which it's stored, and what is wrong with it. */
export function readSettings(kind: UpstreamKind, given: UpstreamUpdate) {
  const allowed = given.allowedDomains && readDomains('allowed', given.allowedDomains, false);
  const trusted = given.trustedDomains && readDomains('trusted', given.trustedDomains, true);
  const icon = given.icon && readLogo(given.icon);
  const { scopes, routesDomains, createsAccounts, trustedAmr, trustedAcr, label } = given;
  return {
    problems: {
      label: label === undefined ? undefined : labelProblem(label),
      scopes: scopes && scopesProblem(kind, scopes),
      allowed_domains: typeof allowed === 'string' ? allowed : undefined,
      trusted_domains: typeof trusted === 'string' ? trusted : undefined,
      trusted_amr: trustedAmr && valuesProblem('amr', trustedAmr),
      trusted_acr: trustedAcr && valuesProblem('acr', trustedAcr),
      algorithm: algorithmProblem(kind, given.algorithm ?? undefined),
      icon: typeof icon === 'string' ? icon.replace('the logo', 'the icon') : undefined,
    },
    change: {
      ...(label !== undefined && { label: cleanName(label) }),
      ...(scopes && { scopes: [...new Set(scopes)] }),
      ...(typeof allowed === 'object' && { allowedDomains: allowed }),
      ...(typeof trusted === 'object' && { trustedDomains: trusted }),
      ...(routesDomains !== undefined && { routesDomains }),
      ...(createsAccounts !== undefined && { createsAccounts }),
      ...(trustedAmr && { trustedAmr: [...new Set(trustedAmr)] }),
      ...(trustedAcr && { trustedAcr: [...new Set(trustedAcr)] }),
    },
    icon: (given.icon === null ? null : typeof icon === 'object' ? icon : undefined) as Logo | null | undefined,
  };
}

/** A whole input, as far as it can be checked without the store and the provider. */
export function checkInput(
  services: Services,
  input: UpstreamInput,
): AdminOutcome<{ upstreamKind: UpstreamKind; issuer: string; read: ReturnType<typeof readSettings> }> {
  const upstreamKind = upstreamKinds.find((each) => each === (input.kind ?? 'oidc'));
  if (upstreamKind === undefined) return refused(`the kind must be ${upstreamKinds.join(' or ')}`);
  const issuer = input.issuer || standardIssuer(upstreamKind);
  const read = readSettings(upstreamKind, input);
  const wrong = refusedFields({
    name: nameProblemOf(input.name),
    issuer: issuer === '' ? 'the issuer is needed' : issuerProblem(services, issuer),
    client_id: clientIdProblem(input.clientId),
    client_secret: secretProblem(input.secret),
    ...read.problems,
  });
  return wrong ?? { kind: 'done', upstreamKind, issuer, read };
}
