// The webhooks in the file of `latchkey apply`.

import type { AdminOutcome } from '../../operations/admin/outcome.ts';
import { applyWebhook, planWebhooks, type WebhookStep } from '../../operations/webhooks/apply-webhooks.ts';
import { exportWebhooks } from '../../operations/webhooks/webhook-file.ts';
import { CommandFailed, commandRequester } from '../command.ts';
import { changeLine, type DiffLine, line, memberLine } from './diff.ts';
import { countSteps, type Report, type Section } from './section.ts';

export const webhooksSection: Section = {
  name: 'webhooks',

  async plan({ services, described: { clients, webhooks }, prune }) {
    const clientIds = clients?.map(({ id }) => id);
    const planned = webhooks && (await planWebhooks(services, webhooks, prune, clientIds));
    const { steps } = planned === undefined ? { steps: [] } : requirePlan(planned);
    /** The steps that have been taken, and the secrets of new ones. */
    const done = new Map<WebhookStep, string | undefined>();
    const take = async (report: Report, kinds: readonly WebhookStep['kind'][]) => {
      for (const step of steps.filter(({ kind }) => kinds.includes(kind))) {
        const outcome = await applyWebhook(services, step, commandRequester());
        if (outcome.kind === 'refused') {
          throw new CommandFailed(`Can't apply the ${named(step)}: ${outcome.problem}. Apply the file again.`);
        }
        done.set(step, outcome.secret);
        report.changed(1);
        if (outcome.secret !== undefined) report.secret({ webhook: step.id, secret: outcome.secret });
      }
    };
    return {
      diff: steps.flatMap(diffOf),
      counts: countSteps(steps),
      kept: steps.filter(({ kind }) => kind === 'leave').map(named),
      // Those that go make room for others: there can only be so many.
      async apply(report) {
        await take(report, ['delete']);
        await take(report, ['create', 'update']);
      },
      json: () => webhooks && steps.map((step) => toJson(step, done)),
    };
  },

  export: (services) => exportWebhooks(services),
};

function requirePlan<Result>(outcome: AdminOutcome<Result>): Result {
  if (outcome.kind === 'refused') throw new CommandFailed(`${outcome.problem}. Nothing was changed.`);
  return outcome;
}

/** With its URL, because an ID that was generated means nothing to anybody. */
function named(step: WebhookStep): string {
  return `webhook ${step.id} (${step.kind === 'create' ? step.described.url : step.webhook.url})`;
}

function diffOf(step: WebhookStep): DiffLine[] {
  switch (step.kind) {
    case 'create': {
      const { url, description, types, clientId, disabled } = step.described;
      return [
        line('+', `webhook ${step.id}`),
        memberLine('+', 'url', url),
        ...(clientId === null ? [] : [memberLine('+', 'client_id', clientId)]),
        ...(description === undefined ? [] : [memberLine('+', 'description', description)]),
        memberLine('+', 'types', typesText(types ?? null)),
        ...(disabled ? [memberLine('+', 'disabled', true)] : []),
      ];
    }
    case 'update': {
      const { types, ...changes } = step.changes;
      return [
        line('~', named(step)),
        ...Object.entries(changes).map(([name, change]) => changeLine(name, change)),
        ...(types === undefined ? [] : [changeLine('types', { from: typesText(types.from), to: typesText(types.to) })]),
      ];
    }
    case 'delete':
      return [line('-', named(step))];
    default:
      return [];
  }
}

function typesText(types: readonly string[] | null): string {
  return types === null ? 'all' : types.join(' ');
}

function toJson(step: WebhookStep, done: ReadonlyMap<WebhookStep, string | undefined>) {
  const isChange = step.kind === 'create' || step.kind === 'update' || step.kind === 'delete';
  const secret = done.get(step);
  return {
    id: step.id,
    action: step.kind,
    ...(isChange && { applied: done.has(step) }),
    ...(secret !== undefined && { secret }),
    ...(step.kind === 'update' && { changes: step.changes }),
  };
}
