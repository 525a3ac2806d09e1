// What `latchkey apply` prints about groups.

import type { Difference, GroupStep } from '../../operations/admin/access/apply-access.ts';

export function groupLines(step: GroupStep): string[] {
  const group = `group ${JSON.stringify(step.name)}`;
  switch (step.kind) {
    case 'create':
      return [`+ ${group}  create${step.members.added.length > 0 ? `  members: ${items(step.members)}` : ''}`];
    case 'update':
      return [`~ ${group}  members: ${items(step.members)}`];
    case 'delete':
      return [`- ${group}  delete`];
    case 'leave':
      return [`- ${group}  not in the file (kept)`];
    case 'unchanged':
      return [];
  }
}

export function items({ added, removed }: Difference): string {
  return [...added.map((item) => `+ ${item}`), ...removed.map((item) => `- ${item}`)].join('  ');
}

export function groupStepJson(step: GroupStep, applied: boolean) {
  const changes = step.kind === 'create' || step.kind === 'update' ? { members: step.members } : undefined;
  const isChange = changes !== undefined || step.kind === 'delete';
  return { name: step.name, action: step.kind, ...(isChange && { applied }), ...(changes && { changes }) };
}
