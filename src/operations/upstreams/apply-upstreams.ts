// What a file for `latchkey apply` says about upstreams: works out what would change, and changes it.

import type { Requester } from '../../protocol/event.ts';
import { readLogo } from '../../protocol/reading/logo.ts';
import type { Upstream } from '../../storage/storage.ts';
import { type AdminOutcome, refused } from '../admin/outcome.ts';
import type { Services } from '../services.ts';
import { upstreamSecretPurpose } from './sealed-secret.ts';
import type { DescribedUpstream } from './upstream-file.ts';
import { checkInput, readSettings, type UpstreamInput } from './upstream-settings.ts';
import {
  changeUpstream,
  chosenAlgorithm,
  createUpstream,
  deleteUpstream,
  disableUpstream,
  listUpstreams,
  upstreamLimit,
} from './upstreams.ts';

/** Of a setting that a file can show; of a secret and an icon only that it changes. */
export interface UpstreamSettingChange {
  readonly name: string;
  readonly from: unknown;
  readonly to: unknown;
}

export type UpstreamStep =
  | { kind: 'create'; name: string; described: DescribedUpstream }
  | { kind: 'update'; name: string; described: DescribedUpstream; changes: readonly UpstreamSettingChange[] }
  | { kind: 'delete' | 'unchanged' | 'leave'; name: string };

/** Refused when the file says something that can't be done. With `prune`, what the file doesn't name is deleted. */
export async function planUpstreams(
  services: Services,
  described: readonly DescribedUpstream[],
  prune: boolean,
): Promise<AdminOutcome<{ steps: readonly UpstreamStep[] }>> {
  const existing = await listUpstreams(services);
  const problems: string[] = [];
  const steps = described.map((upstream): UpstreamStep => {
    const { name } = upstream;
    const current = existing.find((each) => each.name === name);
    const found = current === undefined ? newProblems(services, upstream) : keptProblems(services, current, upstream);
    problems.push(...found.map((problem) => `upstream "${name}": ${problem}`));
    if (current === undefined) return { kind: 'create', name, described: upstream };
    const changes = changesIn(services, current, upstream);
    return changes.length === 0 ? { kind: 'unchanged', name } : { kind: 'update', name, described: upstream, changes };
  });
  const others = existing.filter(({ name }) => !described.some((each) => each.name === name));
  for (const { name, issuer } of described) {
    const left = [...described, ...(prune ? [] : others)];
    const other = left.find((each) => each.issuer === issuer && each.name !== name);
    if (other !== undefined) problems.push(`upstream "${name}": "${other.name}" has the same issuer`);
  }
  if (problems.length > 0) return refused(problems.join('; '));
  const isGrowing = steps.some(({ kind }) => kind === 'create');
  if (isGrowing && described.length + (prune ? 0 : others.length) > upstreamLimit) {
    return refused(`there can be ${upstreamLimit} upstreams`);
  }
  const rest = others.map(({ name }): UpstreamStep => ({ kind: prune ? 'delete' : 'leave', name }));
  return { kind: 'done', steps: [...steps, ...rest] };
}

function newProblems(services: Services, upstream: DescribedUpstream): string[] {
  const { secret } = upstream.settings;
  if (secret === undefined) return ['it is new, so the file has to say where its "client_secret" is'];
  return problemsOf(services, inputOf(upstream, secret));
}

function problemsOf(services: Services, input: UpstreamInput): string[] {
  const checked = checkInput(services, input);
  if (checked.kind === 'done') return [];
  return checked.fields === undefined ? [checked.problem] : Object.values(checked.fields).flat();
}

function keptProblems(services: Services, current: Upstream, upstream: DescribedUpstream): string[] {
  const fixed = (['kind', 'issuer'] as const).filter((key) => upstream[key] !== current[key]);
  if (fixed.length > 0) return fixed.map((key) => `its ${key} can't change; delete it and create another one`);
  const checked = checkInput(services, inputOf(upstream, upstream.settings.secret ?? 'unchanged'));
  const wrong = checked.kind === 'refused' ? Object.entries(checked.fields ?? {}) : [];
  // The issuer stays, so it was right when it was stored, even if the service's settings have become stricter since.
  return wrong.flatMap(([name, problems]) => (name === 'issuer' ? [] : problems));
}

function changesIn(services: Services, current: Upstream, upstream: DescribedUpstream): UpstreamSettingChange[] {
  const { settings, clientId, disabled } = upstream;
  const read = readSettings(current.kind, settings).change;
  const chosen = chosenAlgorithm(current.metadata) ?? null;
  const values: [string, unknown, unknown][] = [
    ['label', current.label, read.label],
    ['client_id', current.clientId, clientId],
    ['scopes', current.scopes, read.scopes],
    ['creates_accounts', current.createsAccounts, read.createsAccounts],
    ['trusted_domains', current.trustedDomains, read.trustedDomains],
    ['allowed_domains', current.allowedDomains, read.allowedDomains],
    ['routes_domains', current.routesDomains, read.routesDomains],
    ['trusted_amr', current.trustedAmr, read.trustedAmr],
    ['trusted_acr', current.trustedAcr, read.trustedAcr],
    ['algorithm', chosen, settings.algorithm],
    ['disabled', current.disabledAt !== null, disabled || undefined],
  ];
  const changes = values
    .map(([name, from, to]) => ({ name, from, to }))
    .filter(({ from, to }) => to !== undefined && JSON.stringify(from) !== JSON.stringify(to));
  const icon = iconChange(current, settings.icon);
  const hasNewSecret = settings.secret !== undefined && settings.secret !== secretOf(services, current);
  return [
    ...changes,
    ...(icon === undefined ? [] : [icon]),
    ...(hasNewSecret ? [{ name: 'client_secret', from: 'the current one', to: 'another' }] : []),
  ];
}

function iconChange(current: Upstream, icon: Uint8Array | null | undefined): UpstreamSettingChange | undefined {
  if (icon === undefined) return undefined;
  const read = icon === null ? null : readLogo(icon);
  const version = read === null || typeof read === 'string' ? null : read.version;
  if (version === current.iconVersion) return undefined;
  const inWords = (there: boolean) => (there ? 'an image' : 'none');
  const to = version === null ? inWords(false) : current.iconVersion === null ? inWords(true) : 'another image';
  return { name: 'icon', from: inWords(current.iconVersion !== null), to };
}

/** Undefined when the keys that sealed it are gone. */
function secretOf({ keys }: Services, { name, sealedSecret }: Upstream): string | undefined {
  return keys.unseal(upstreamSecretPurpose(name), sealedSecret);
}

function inputOf({ name, kind, issuer, clientId, settings }: DescribedUpstream, secret: string) {
  const { algorithm, icon, ...rest } = settings;
  return {
    ...rest,
    name,
    kind,
    issuer,
    clientId,
    secret,
    algorithm: algorithm ?? undefined,
    icon: icon ?? undefined,
  };
}

/** A new one, or another algorithm, needs the provider to answer. */
export async function applyUpstream(
  services: Services,
  step: UpstreamStep,
  requester: Requester,
): Promise<AdminOutcome<object>> {
  switch (step.kind) {
    case 'create': {
      const { described, name } = step;
      const created = await createUpstream(services, inputOf(described, described.settings.secret ?? ''), requester);
      if (created.kind === 'refused' || !described.disabled) return created;
      return disableUpstream(services, name, requester);
    }
    case 'update': {
      const { described, name, changes } = step;
      const { settings, clientId } = described;
      const changed = await changeUpstream(services, name, { ...settings, clientId }, requester);
      if (changed.kind === 'refused' || !changes.some((change) => change.name === 'disabled')) return changed;
      return disableUpstream(services, name, requester);
    }
    case 'delete': {
      const deleted = await deleteUpstream(services, step.name, requester);
      return deleted.kind === 'refused' && deleted.reason === 'not_found' ? { kind: 'done' } : deleted;
    }
    case 'unchanged':
    case 'leave':
      return { kind: 'done' };
  }
}
