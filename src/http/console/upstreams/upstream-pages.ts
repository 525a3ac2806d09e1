// What the console's pages about identity providers share: how one is shown, and the forms that describe one.

import { type Endpoints, endpointsJson } from '../../../operations/upstreams/upstream-json.ts';
import { standardScopes, type UpstreamKind } from '../../../operations/upstreams/upstream-settings.ts';
import { chosenAlgorithm } from '../../../operations/upstreams/upstreams.ts';
import type { LinkedIdentity } from '../../../operations/users/identities.ts';
import type { NewUpstreamSettings, UpstreamSettings } from '../../../pages/console/upstreams/form.ts';
import type { ShownIdentity } from '../../../pages/console/upstreams/list.ts';
import type { ShownEndpoint } from '../../../pages/console/upstreams/upstream.ts';
import { asymmetricAlgorithms, symmetricAlgorithm } from '../../../protocol/upstreams/metadata.ts';
import type { Upstream } from '../../../storage/storage.ts';
import type { ConsoleForm } from '../console-pages.ts';

export const multiline = ['trusted_domains', 'allowed_domains'];

/** The one that few providers need, and nothing else would do for them, first. */
const algorithms = [symmetricAlgorithm, ...asymmetricAlgorithms];

export const emptySettings: NewUpstreamSettings = {
  kind: 'oidc',
  name: '',
  issuer: '',
  label: '',
  clientId: '',
  scopes: '',
  algorithm: '',
  createsAccounts: false,
  trustedDomains: '',
  allowedDomains: '',
  routesDomains: false,
  trustedAmr: '',
  trustedAcr: '',
  algorithms,
};

export function shownSettings(upstream: Upstream): UpstreamSettings {
  const { label, clientId, createsAccounts, routesDomains } = upstream;
  return {
    label,
    clientId,
    createsAccounts,
    routesDomains,
    scopes: upstream.scopes.join(' '),
    trustedDomains: upstream.trustedDomains.join('\n'),
    allowedDomains: upstream.allowedDomains.join('\n'),
    trustedAmr: upstream.trustedAmr.join(' '),
    trustedAcr: upstream.trustedAcr.join(' '),
    algorithm: chosenAlgorithm(upstream.metadata) ?? '',
    algorithms,
  };
}

export function typedSettings({ field }: ConsoleForm): UpstreamSettings {
  return {
    label: field('label').trim(),
    clientId: field('client_id').trim(),
    scopes: field('scopes').trim(),
    createsAccounts: field('creates_accounts') === 'yes',
    trustedDomains: field('trusted_domains'),
    allowedDomains: field('allowed_domains'),
    routesDomains: field('routes_domains') === 'yes',
    trustedAmr: field('trusted_amr').trim(),
    trustedAcr: field('trusted_acr').trim(),
    algorithm: field('algorithm'),
    algorithms,
  };
}

export function typedUpstream(form: ConsoleForm): NewUpstreamSettings {
  const { field } = form;
  return {
    ...typedSettings(form),
    kind: field('kind') === 'github' ? 'github' : 'oidc',
    name: field('name').trim(),
    issuer: field('issuer').trim(),
  };
}

/** What was typed, as operations take it. No scopes are the usual ones; the form of GitHub has no field for them. */
export function inputOf(settings: UpstreamSettings, kind: UpstreamKind) {
  const { label, clientId, createsAccounts, routesDomains, algorithm } = settings;
  const scopes = wordsIn(settings.scopes);
  return {
    label,
    clientId,
    createsAccounts,
    routesDomains,
    scopes: scopes.length > 0 ? scopes : kind === 'oidc' ? standardScopes(kind) : undefined,
    trustedDomains: wordsIn(settings.trustedDomains),
    allowedDomains: wordsIn(settings.allowedDomains),
    trustedAmr: wordsIn(settings.trustedAmr),
    trustedAcr: wordsIn(settings.trustedAcr),
    algorithm: algorithm === '' ? null : algorithm,
  };
}

function wordsIn(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

export function shownEndpoints(upstream: Upstream): ShownEndpoint[] {
  return Object.entries(endpointsJson(upstream.metadata)).map(([name, value]) => ({ name, value: shownValue(value) }));
}

export function shownValue(value: Endpoints[string]): ShownEndpoint['value'] {
  return Array.isArray(value) ? value.join(', ') : value;
}

export function shownIdentity({ identity, upstream }: LinkedIdentity): ShownIdentity {
  const { subject, email, linkedAt, lastUsedAt } = identity;
  return { upstream: upstream && { name: upstream.name, label: upstream.label }, subject, email, linkedAt, lastUsedAt };
}
