// The groups in the file of `latchkey apply`.

import { applyGroup, type GroupStep } from '../../operations/clients/apply-access.ts';
import { exportGroups } from '../../operations/groups/groups.ts';
import { CommandFailed, commandRequester } from '../command.ts';
import { type DiffLine, line, listLines } from './diff.ts';
import { countSteps, type Report, type Section } from './section.ts';

export const groupsSection: Section = {
  name: 'groups',

  async plan({ services, described, access: { groups: steps } }) {
    const done = new Set<GroupStep>();
    const take = async (report: Report, kinds: readonly GroupStep['kind'][]) => {
      for (const step of steps.filter(({ kind }) => kinds.includes(kind))) {
        const outcome = await applyGroup(services, step, commandRequester());
        if (outcome.kind === 'refused') {
          throw new CommandFailed(`Can't apply the ${named(step)}: ${outcome.problem}. Apply the file again.`);
        }
        done.add(step);
        report.changed(1);
      }
    };
    return {
      diff: steps.flatMap(diffOf),
      counts: countSteps(steps),
      kept: steps.filter(({ kind }) => kind === 'leave').map(named),
      apply: (report) => take(report, ['create', 'update']),
      finish: (report) => take(report, ['delete']),
      json: () => described.groups && steps.map((step) => toJson(step, done.has(step))),
    };
  },

  export: (services) => exportGroups(services),
};

function named({ name }: GroupStep): string {
  return `group ${JSON.stringify(name)}`;
}

function diffOf(step: GroupStep): DiffLine[] {
  switch (step.kind) {
    case 'create':
      return [line('+', named(step)), ...listLines('member', step.members)];
    case 'update':
      return [line('~', named(step)), ...listLines('member', step.members)];
    case 'delete':
      return [line('-', named(step))];
    default:
      return [];
  }
}

function toJson(step: GroupStep, applied: boolean) {
  const changes = step.kind === 'create' || step.kind === 'update' ? { members: step.members } : undefined;
  const isChange = changes !== undefined || step.kind === 'delete';
  return { name: step.name, action: step.kind, ...(isChange && { applied }), ...(changes && { changes }) };
}
