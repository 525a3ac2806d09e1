// The webhooks in a file for `latchkey apply`: works out what would change, and changes it. Secrets are never in a file.

import type { Requester } from '../../protocol/event.ts';
import { webhookFields } from '../../protocol/resources/webhook.ts';
import {
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
import { type Outcome, refusalClause, refused } from '../admin/outcome.ts';
import { findClient } from '../clients/clients.ts';
import type { Recording, Services, Storing } from '../services.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  disableWebhook,
  findWebhook,
  listWebhooks,
  networkProblem,
  tooMany,
  type Webhook,
  webhookIdProblem,
  webhookLimits,
} from './endpoints.ts';

export type DescribedWebhook = Described<typeof webhookFields>;
export type WebhookStep = Step<Webhook, typeof webhookFields>;

export const webhookSyntax: FileSyntax<typeof webhookFields> = {
  section: 'webhooks',
  noun: 'a webhook',
  key: 'id',
  fields: webhookFields,
  idProblem: webhookIdProblem,
  ...canBeDisabled,
};

/**
 * Refused if the file says something that can't be done. With `prune`, what the file doesn't name is deleted.
 * `describedClients` are those in the same file, or undefined if it says nothing about clients.
 */
export async function planWebhooks(
  services: Storing & Pick<Services, 'webhooks'>,
  described: readonly DescribedWebhook[],
  prune: boolean,
  describedClients: readonly string[] | undefined,
): Outcome<{ steps: readonly WebhookStep[] }> {
  const all = await listWebhooks(services);
  const problems: string[] = [];
  for (const each of described) {
    const current = all.find(({ id }) => id === each.id);
    const found = [
      await clientProblem(services, each, prune, describedClients),
      // A URL that stays was right when it was stored, even if the operator's settings have become stricter since.
      current?.url === each.given.url ? undefined : networkProblem(services, each.given.url),
      current && (current.clientId !== each.given.clientId || current.clientDeletedAt !== null)
        ? "its client_id can't change; delete it and create another one"
        : undefined,
    ];
    problems.push(...found.flatMap((problem) => (problem === undefined ? [] : `webhook "${each.id}": ${problem}`)));
  }
  if (problems.length > 0) return refused(problems.join('; '));
  const existing = all.filter(({ clientDeletedAt }) => clientDeletedAt === null);
  const changesIn = (webhook: Webhook, each: DescribedWebhook) => [
    ...fieldChanges(webhookFields, webhook, each),
    ...disabledChanges(webhook, each),
  ];
  const steps = planSteps(existing, ({ id }) => id, described, changesIn, prune);
  const owners = steps.flatMap((step) => {
    if (step.kind === 'delete') return [];
    return [(step.kind === 'create' ? step.described.given.clientId : step.item.clientId) ?? null];
  });
  const crowded = [null, ...owners].find((owner) => isCrowded(owners, owner));
  const isGrowing = steps.some(({ kind }) => kind === 'create');
  return isGrowing && crowded !== undefined ? refused(tooMany(crowded)) : { kind: 'done', steps };
}

async function clientProblem(
  services: Storing,
  { given: { clientId } }: DescribedWebhook,
  prune: boolean,
  describedClients: readonly string[] | undefined,
): Promise<string | undefined> {
  if (clientId === undefined || clientId === null || describedClients?.includes(clientId)) return undefined;
  if (prune && describedClients !== undefined) {
    return `the file has no application "${clientId}", so it's deleted with its webhooks`;
  }
  const client = await findClient(services, clientId);
  return client.kind === 'refused' ? refusalClause(client) : undefined;
}

function isCrowded(owners: readonly (string | null)[], owner: string | null): boolean {
  const most = owner === null ? webhookLimits.ofService : webhookLimits.ofClient;
  const isFull = owner === null && owners.length > webhookLimits.total;
  return isFull || owners.filter((each) => each === owner).length > most;
}

/** The result has a secret when the step created one. */
export async function applyWebhook(
  services: Recording & Pick<Services, 'random' | 'keys' | 'webhooks'>,
  step: WebhookStep,
  requester: Requester,
): Outcome<{ secret?: string }> {
  switch (step.kind) {
    case 'create': {
      const created = await createWebhook(services, { ...step.described.given, id: step.id }, requester);
      if (created.kind === 'refused' || !isDisabledIn(step.described)) return created;
      const stopped = await disableWebhook(services, step.id, requester);
      return stopped.kind === 'refused' ? stopped : created;
    }
    case 'update': {
      const change = givenChanges(webhookFields, step.described, step.changes);
      const changed = await changeWebhook(services, step.id, change, requester);
      const disables = changed.kind === 'done' && step.changes.some(({ name }) => name === 'disabled');
      return disables ? disableWebhook(services, step.id, requester) : changed;
    }
    case 'delete': {
      const found = await findWebhook(services, step.id, requester);
      // The endpoint of an application that the file has deleted goes once it has the messages about that.
      const leaves = found.kind === 'done' && found.webhook.clientDeletedAt !== null && found.webhook.waiting > 0;
      if (leaves) return { kind: 'done' };
      const deleted = await deleteWebhook(services, step.id, requester);
      return deleted.kind === 'refused' && deleted.reason !== 'not_found' ? deleted : { kind: 'done' };
    }
    default:
      return { kind: 'done' };
  }
}

/**
 * By ID, so that a file from another store with the same webhooks has them in the same order. Without those of deleted
 * clients, which are about to go.
 */
export async function exportWebhooks(services: Storing): Promise<Record<string, unknown>[]> {
  const webhooks = (await listWebhooks(services)).filter(({ clientDeletedAt }) => clientDeletedAt === null);
  const sorted = webhooks.toSorted((a, b) => compareTexts(a.id, b.id));
  return Promise.all(
    sorted.map(async (webhook) => ({
      id: webhook.id,
      ...(await exportedFields(webhookFields, webhook)),
      ...(webhook.disabledAt !== null && { disabled: true }),
    })),
  );
}
