// The identity providers in a file for `latchkey apply`: works out what would change, and changes it. A secret is never in
// the file, which says where to read it.

import type { Requester } from '../../protocol/event.ts';
import type { ImageWriter } from '../../protocol/reading/logo.ts';
import { readFields } from '../../protocol/resources/resource.ts';
import { upstreamFields } from '../../protocol/resources/upstream.ts';
import type { Upstream } from '../../storage/storage.ts';
import {
  type Change,
  canBeDisabled,
  compareTexts,
  type Described,
  disabledChanges,
  exportedFields,
  type FileSyntax,
  fieldChanges,
  givenChanges,
  isDisabledIn,
  planSteps,
  type Step,
} from '../admin/applied-resource.ts';
import { type Outcome, refused } from '../admin/outcome.ts';
import type { Recording, Services, Storing } from '../services.ts';
import {
  changeUpstream,
  createUpstream,
  deleteUpstream,
  disableUpstream,
  issuerProblem,
  listUpstreams,
  secretOf,
  upstreamLimit,
} from './upstreams.ts';

export type DescribedUpstream = Described<typeof upstreamFields>;
export type UpstreamStep = Step<Upstream, typeof upstreamFields>;

export const upstreamSyntax: FileSyntax<typeof upstreamFields> = {
  section: 'upstreams',
  noun: 'an upstream',
  key: 'name',
  fields: upstreamFields,
  ...canBeDisabled,
};

/** Refused if the file says something that can't be done. With `prune`, what the file doesn't name is deleted. */
export async function planUpstreams(
  services: Storing & Pick<Services, 'keys' | 'upstreams'>,
  described: readonly DescribedUpstream[],
  prune: boolean,
): Outcome<{ steps: readonly UpstreamStep[] }> {
  const existing = await listUpstreams(services);
  const inFile = described.map((each) => ({ each, ...identityIn(each) }));
  const others = existing.filter(({ name }) => !prune && !inFile.some((each) => each.name === name));
  const problems = inFile.flatMap(({ each, name, issuer }) => {
    const current = existing.find((one) => one.name === name);
    const same = [...inFile, ...others].find((other) => other.issuer === issuer && other.name !== name);
    const found = current === undefined ? newProblems(services, each) : keptProblems(current, each);
    if (same !== undefined) found.push(`"${same.name}" has the same issuer`);
    return found.map((problem) => `identity provider "${name}": ${problem}`);
  });
  if (problems.length > 0) return refused(problems.join('; '));
  const changes = (current: Upstream, each: DescribedUpstream) => changesIn(services, current, each);
  const steps = planSteps(existing, ({ name }) => name, described, changes, prune);
  if (steps.some(({ kind }) => kind === 'create') && described.length + others.length > upstreamLimit) {
    return refused(`there can be at most ${upstreamLimit} identity providers`);
  }
  return { kind: 'done', steps };
}

/** What can't change later, with what it is if the file doesn't say it. */
function identityIn({ id: name, given }: DescribedUpstream) {
  const { kind, issuer } = readFields(upstreamFields, given).values;
  return { name, kind, issuer };
}

function newProblems(services: Pick<Services, 'upstreams'>, each: DescribedUpstream): string[] {
  if (each.given.secret === undefined) return ['it is new, so the file has to say where its "client_secret" is'];
  const problem = issuerProblem(services, identityIn(each).issuer);
  return problem === undefined ? [] : [problem];
}

/** The issuer stays, so it was right when it was stored, even if the service's settings have become stricter since. */
function keptProblems(current: Upstream, each: DescribedUpstream): string[] {
  const described = identityIn(each);
  const fixed = (['kind', 'issuer'] as const).filter((key) => described[key] !== current[key]);
  return fixed.map((key) => `its ${key} can't change; delete it and create another one`);
}

const iconWords = {
  added: { from: 'none', to: 'an image' },
  changed: { from: 'an image', to: 'another image' },
  removed: { from: 'an image', to: 'none' },
} as const;

function changesIn(services: Pick<Services, 'keys'>, current: Upstream, each: DescribedUpstream): Change[] {
  const { secret } = each.given;
  const hasNewSecret = secret !== undefined && secret !== secretOf(services, current);
  return [
    ...fieldChanges(upstreamFields, current, each).map((change) =>
      'image' in change ? { name: change.name, ...iconWords[change.image] } : change,
    ),
    ...disabledChanges(current, each),
    ...(hasNewSecret ? [{ name: 'client_secret', from: 'the current one', to: 'another' }] : []),
  ];
}

/** For a new one, or another algorithm, the identity provider has to answer. */
export async function applyUpstream(
  services: Recording & Pick<Services, 'settings' | 'keys' | 'upstreams' | 'upstreamDirectory'>,
  step: UpstreamStep,
  requester: Requester,
): Outcome<object> {
  switch (step.kind) {
    case 'create': {
      const created = await createUpstream(services, step.described.given, requester);
      if (created.kind === 'refused' || !isDisabledIn(step.described)) return created;
      return disableUpstream(services, step.id, requester);
    }
    case 'update': {
      const given = givenChanges(upstreamFields, step.described, step.changes);
      const changed = await changeUpstream(services, step.id, given, requester);
      if (changed.kind === 'refused' || !step.changes.some(({ name }) => name === 'disabled')) return changed;
      return disableUpstream(services, step.id, requester);
    }
    case 'delete': {
      const deleted = await deleteUpstream(services, step.id, requester);
      return deleted.kind === 'refused' && deleted.reason === 'not_found' ? { kind: 'done' } : deleted;
    }
    case 'unchanged':
    case 'leave':
      return { kind: 'done' };
  }
}

/** By name, so that a file from another store with the same upstreams has them in the same order. */
export async function exportUpstreams(services: Storing, write: ImageWriter): Promise<Record<string, unknown>[]> {
  const upstreams = (await listUpstreams(services)).toSorted((a, b) => compareTexts(a.name, b.name));
  const exported = upstreams.map(async (upstream) => {
    const { name } = upstream;
    const find = (version: string) => services.storage.findUpstreamIcon(name, version);
    return {
      ...(await exportedFields(upstreamFields, upstream, { name: `upstreams/${name}`, write, find })),
      ...(upstream.disabledAt !== null && { disabled: true }),
    };
  });
  return Promise.all(exported);
}
