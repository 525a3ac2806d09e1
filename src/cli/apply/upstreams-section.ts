// The upstreams in the file of `latchkey apply`.

import { applyUpstream, planUpstreams, type UpstreamStep } from '../../operations/upstreams/apply-upstreams.ts';
import { exportUpstreams } from '../../operations/upstreams/upstream-file.ts';
import { CommandFailed, commandRequester } from '../command.ts';
import { changeLine, type DiffLine, line, memberLine } from './diff.ts';
import { countSteps, type Report, type Section } from './section.ts';

export const upstreamsSection: Section = {
  name: 'upstreams',

  async plan({ services, described: { upstreams }, prune }) {
    const planned = upstreams && (await planUpstreams(services, upstreams, prune));
    if (planned?.kind === 'refused') throw new CommandFailed(`${planned.problem}. Nothing was changed.`);
    const steps = planned?.steps ?? [];
    const done = new Set<UpstreamStep>();
    const take = async (report: Report, kinds: readonly UpstreamStep['kind'][]) => {
      for (const step of steps.filter(({ kind }) => kinds.includes(kind))) {
        const outcome = await applyUpstream(services, step, commandRequester());
        if (outcome.kind === 'refused') {
          const before = report.hasChanges() ? 'Earlier changes are saved' : 'Nothing was changed';
          throw new CommandFailed(
            `Can't apply the upstream ${step.name}: ${outcome.problem}. ${before}; apply the file again.`,
          );
        }
        done.add(step);
        report.changed(1);
      }
    };
    return {
      diff: steps.flatMap(diffOf),
      counts: countSteps(steps),
      kept: steps.filter(({ kind }) => kind === 'leave').map(({ name }) => `upstream ${name}`),
      // What goes makes room for another one with the same issuer.
      async apply(report) {
        await take(report, ['delete']);
        await take(report, ['create', 'update']);
      },
      json: () => upstreams && steps.map((step) => toJson(step, done)),
    };
  },

  export: exportUpstreams,
};

function diffOf(step: UpstreamStep): DiffLine[] {
  switch (step.kind) {
    case 'create': {
      const { kind, issuer, clientId, settings, disabled } = step.described;
      const members = Object.entries({
        kind,
        issuer,
        client_id: clientId,
        label: settings.label,
        scopes: settings.scopes,
        creates_accounts: settings.createsAccounts,
        trusted_domains: settings.trustedDomains,
        allowed_domains: settings.allowedDomains,
        routes_domains: settings.routesDomains,
        trusted_amr: settings.trustedAmr,
        trusted_acr: settings.trustedAcr,
        algorithm: settings.algorithm,
        icon: settings.icon ? 'added' : undefined,
        disabled: disabled || undefined,
      });
      const given = members.filter(([, value]) => value !== undefined && value !== null);
      return [
        line('+', `upstream ${step.name}`),
        ...given.map(([name, value]) => memberLine('+', name, textOf(value))),
      ];
    }
    case 'update':
      return [
        line('~', `upstream ${step.name}`),
        ...step.changes.map(({ name, from, to }) => changeLine(name, { from: textOf(from), to: textOf(to) })),
      ];
    case 'delete':
      return [line('-', `upstream ${step.name}`)];
    default:
      return [];
  }
}

function textOf(value: unknown): unknown {
  return Array.isArray(value) ? value.join(' ') : value;
}

function toJson(step: UpstreamStep, done: ReadonlySet<UpstreamStep>) {
  const isChange = step.kind === 'create' || step.kind === 'update' || step.kind === 'delete';
  return {
    name: step.name,
    action: step.kind,
    ...(isChange && { applied: done.has(step) }),
    ...(step.kind === 'update' && {
      changes: Object.fromEntries(step.changes.map(({ name, from, to }) => [name, { from, to }])),
    }),
  };
}
