// Identity providers in a file for `latchkey apply`. A secret is never in the file, which says where to read it.

import { readFields } from '../../protocol/resources/resource.ts';
import { upstreamFields } from '../../protocol/resources/upstream.ts';
import type { Upstream } from '../../storage/storage.ts';
import { disabledByFile, disabledChanges } from '../apply/apply-section.ts';
import type { ApplyServices, Described, FileSection } from '../apply/file-section.ts';
import { fieldChanges } from '../apply/plan-section.ts';
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

type DescribedUpstream = Described<typeof upstreamFields>;

const iconWords = {
  added: { from: 'none', to: 'an image' },
  changed: { from: 'an image', to: 'another image' },
  removed: { from: 'an image', to: 'none' },
} as const;

export const upstreamSection: FileSection<Upstream, typeof upstreamFields> = {
  name: 'upstreams',
  noun: 'an upstream',
  key: 'name',
  fields: upstreamFields,
  ...disabledByFile(disableUpstream),
  // Deleting one makes room for another with the same issuer.
  deletes: 'first',
  list: listUpstreams,
  idOf: ({ name }) => name,
  called: ({ id }) => `identity provider ${id}`,

  changes(services, current, described) {
    if (current === undefined) return [];
    const { secret } = described.given;
    const hasNewSecret = secret !== undefined && secret !== secretOf(services, current);
    return [
      ...fieldChanges(upstreamFields, current, described).map((change) =>
        'image' in change ? { name: change.name, ...iconWords[change.image] } : change,
      ),
      ...disabledChanges(current, described),
      ...(hasNewSecret ? [{ name: 'client_secret', from: 'the current one', to: 'another' }] : []),
    ];
  },

  async problems({ services }, steps) {
    const left = steps.flatMap((step) => {
      if (step.kind === 'delete') return [];
      return [step.kind === 'leave' ? step.item : identityIn(step.described)];
    });
    const problems = steps.flatMap((step) => {
      if (!('described' in step)) return [];
      const found =
        step.kind === 'create' ? newProblems(services, step.described) : keptProblems(step.item, step.described);
      const { name, issuer } = identityIn(step.described);
      const same = left.find((other) => other.issuer === issuer && other.name !== name);
      if (same !== undefined) found.push(`"${same.name}" has the same issuer`);
      return found.map((problem) => `identity provider "${name}": ${problem}`);
    });
    const isFull = steps.some(({ kind }) => kind === 'create') && left.length > upstreamLimit;
    return problems.length === 0 && isFull ? [`there can be at most ${upstreamLimit} identity providers`] : problems;
  },

  // For a new one, or another algorithm, the identity provider has to answer.
  create: (services, { given }, requester) => createUpstream(services, given, requester),
  update: (services, { id }, given, requester) => changeUpstream(services, id, given, requester),
  delete: deleteUpstream,
  image: ({ storage }, name, version) => storage.findUpstreamIcon(name, version),
};

/** What can't change later, with what it is if the file doesn't say it. */
function identityIn({ id: name, given }: DescribedUpstream) {
  const { kind, issuer } = readFields(upstreamFields, given).values;
  return { name, kind, issuer };
}

function newProblems(services: Pick<ApplyServices, 'upstreams'>, described: DescribedUpstream): string[] {
  if (described.given.secret === undefined) return ['it is new, so the file has to say where its "client_secret" is'];
  const problem = issuerProblem(services, identityIn(described).issuer);
  return problem === undefined ? [] : [problem];
}

/** The issuer stays, so it was right when it was stored, even if the service's settings have become stricter since. */
function keptProblems(current: Upstream, described: DescribedUpstream): string[] {
  const identity = identityIn(described);
  const fixed = (['kind', 'issuer'] as const).filter((key) => identity[key] !== current[key]);
  return fixed.map((key) => `its ${key} can't change; delete it and create another one`);
}
