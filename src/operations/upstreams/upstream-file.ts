// Reads the upstreams in a file for `latchkey apply`, and writes down those there are. A secret is never in the file: it
// says from which variable or file to read it.

import type { ImageReader, ImageWriter } from '../../protocol/reading/logo.ts';
import { isJsonObject, isTexts, type Json, type JsonObject, unknownKeys } from '../../protocol/reading/strict-json.ts';
import type { Services } from '../services.ts';
import { standardIssuer, type UpstreamUpdate, upstreamKinds } from './upstream-settings.ts';
import { chosenAlgorithm, listUpstreams } from './upstreams.ts';

export interface DescribedUpstream {
  readonly name: string;
  readonly kind: string;
  readonly issuer: string;
  readonly clientId: string;
  /** Each that is undefined stays as it is. */
  readonly settings: Omit<UpstreamUpdate, 'clientId'>;
  /** A file disables an upstream, but never enables it. */
  readonly disabled: boolean;
}

/** Where the file says that a secret is. */
export type SecretPlace = { readonly env: string } | { readonly file: string };
export type SecretReader = (place: SecretPlace) => { readonly secret: string } | { readonly problem: string };

const texts = ['scopes', 'allowed_domains', 'trusted_domains', 'trusted_amr', 'trusted_acr'] as const;
const flags = ['creates_accounts', 'routes_domains'] as const;
const keys = [
  'name',
  'kind',
  'issuer',
  'client_id',
  'client_secret',
  'label',
  'algorithm',
  'icon',
  'disabled',
] as const;
export type UpstreamKey = (typeof keys)[number] | (typeof texts)[number] | (typeof flags)[number];

/** Adds to `problems`. Undefined when the file has no upstreams, which says nothing about those that exist. */
export function readUpstreams(
  value: Json | undefined,
  read: { readonly imageAt: ImageReader; readonly secretAt: SecretReader },
  problems: string[],
): DescribedUpstream[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) {
    problems.push('"upstreams" must be a list of upstreams');
    return [];
  }
  const upstreams = value.map((item, index) => {
    const found: string[] = [];
    const upstream = readUpstream(item, read, found);
    problems.push(...found.map((problem) => `upstreams[${index}]: ${problem}`));
    return upstream;
  });
  const names = upstreams.map(({ name }) => name);
  for (const [index, name] of names.entries()) {
    if (name !== '' && names.indexOf(name) < index) {
      problems.push(`upstreams[${index}]: the name "${name}" appears twice`);
    }
  }
  return upstreams;
}

function readUpstream(
  item: Json,
  { imageAt, secretAt }: { readonly imageAt: ImageReader; readonly secretAt: SecretReader },
  problems: string[],
): DescribedUpstream {
  if (!isJsonObject(item)) {
    problems.push('an upstream must be an object');
    return { name: '', kind: 'oidc', issuer: '', clientId: '', settings: {}, disabled: false };
  }
  problems.push(...unknownKeys(item, [...keys, ...texts, ...flags]));
  const textAt = (key: string, fallback: string | undefined): string => {
    const given = item[key] ?? fallback;
    if (typeof given === 'string') return given;
    problems.push(`"${key}" must be a string`);
    return '';
  };
  const listAt = (key: (typeof texts)[number]): readonly string[] | undefined => {
    const given = item[key];
    if (given === undefined || isTexts(given)) return given;
    problems.push(`"${key}" must be a list of strings`);
    return undefined;
  };
  const flagAt = (key: string): boolean | undefined => {
    const given = item[key];
    if (given === undefined || typeof given === 'boolean') return given;
    problems.push(`"${key}" must be true or false`);
    return undefined;
  };
  const kind = textAt('kind', 'oidc');
  const known = upstreamKinds.find((each) => each === kind);
  const settings = {
    secret: secretIn(item, secretAt, problems),
    label: item.label === undefined ? undefined : textAt('label', undefined),
    algorithm:
      item.algorithm === undefined || item.algorithm === null ? item.algorithm : textAt('algorithm', undefined),
    icon: iconIn(item, imageAt, problems),
    scopes: listAt('scopes'),
    allowedDomains: listAt('allowed_domains'),
    trustedDomains: listAt('trusted_domains'),
    trustedAmr: listAt('trusted_amr'),
    trustedAcr: listAt('trusted_acr'),
    createsAccounts: flagAt('creates_accounts'),
    routesDomains: flagAt('routes_domains'),
  };
  return {
    name: textAt('name', undefined),
    kind,
    issuer: textAt('issuer', (known && standardIssuer(known)) || undefined),
    clientId: textAt('client_id', undefined),
    settings,
    disabled: flagAt('disabled') ?? false,
  };
}

function iconIn({ icon }: JsonObject, imageAt: ImageReader, problems: string[]): Uint8Array | null | undefined {
  if (icon === undefined || icon === null) return icon;
  const bytes = typeof icon === 'string' ? imageAt(icon) : '"icon" must be the path of an image, or null';
  if (typeof bytes !== 'string') return bytes;
  problems.push(bytes);
  return undefined;
}

function secretIn(item: JsonObject, secretAt: SecretReader, problems: string[]): string | undefined {
  const given = item.client_secret;
  if (given === undefined) return undefined;
  const place = isJsonObject(given) ? Object.entries(given) : [];
  const [[key, name] = []] = place;
  if (place.length !== 1 || (key !== 'env' && key !== 'file') || typeof name !== 'string') {
    // Somebody may have written the secret itself: it isn't repeated.
    problems.push(
      '"client_secret" must be {"env": NAME} or {"file": PATH}, because a secret has no place in this file',
    );
    return undefined;
  }
  const read = secretAt(key === 'env' ? { env: name } : { file: name });
  if ('secret' in read) return read.secret;
  problems.push(read.problem);
  return undefined;
}

/** By name, so that a file from another store with the same upstreams has them in the same order. */
export async function exportUpstreams(services: Services, writeImage: ImageWriter) {
  const upstreams = (await listUpstreams(services)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const exported = upstreams.map(async (upstream) => {
    const { name, iconVersion } = upstream;
    const icon = iconVersion === null ? undefined : await services.storage.findUpstreamIcon(name, iconVersion);
    return {
      name,
      kind: upstream.kind,
      issuer: upstream.issuer,
      client_id: upstream.clientId,
      label: upstream.label,
      scopes: upstream.scopes,
      creates_accounts: upstream.createsAccounts,
      trusted_domains: upstream.trustedDomains,
      allowed_domains: upstream.allowedDomains,
      routes_domains: upstream.routesDomains,
      trusted_amr: upstream.trustedAmr,
      trusted_acr: upstream.trustedAcr,
      algorithm: chosenAlgorithm(upstream.metadata) ?? null,
      icon: icon === undefined ? null : writeImage(`upstreams/${name}`, icon),
      ...(upstream.disabledAt !== null && { disabled: true }),
    } satisfies Partial<Record<UpstreamKey, unknown>>;
  });
  return Promise.all(exported);
}
