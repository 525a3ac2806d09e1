// What a file for `latchkey apply` says about webhooks: works out what would change, and changes it.

import type { Requester } from '../../protocol/event.ts';
import { type AdminOutcome, refused } from '../admin/outcome.ts';
import { findClient } from '../clients/clients.ts';
import type { Services } from '../services.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  disableWebhook,
  findWebhook,
  listWebhooks,
  tooMany,
  type Webhook,
  webhookLimits,
  webhookProblems,
} from './endpoints.ts';
import type { DescribedWebhook } from './webhook-file.ts';

interface Change<Value> {
  readonly from: Value;
  readonly to: Value;
}

export interface WebhookChanges {
  readonly url?: Change<string>;
  readonly description?: Change<string>;
  /** Null for all. */
  readonly types?: Change<readonly string[] | null>;
  readonly disabled?: Change<boolean>;
}

export type WebhookStep =
  | { kind: 'create'; id: string; described: DescribedWebhook }
  | { kind: 'update'; id: string; webhook: Webhook; changes: WebhookChanges }
  | { kind: 'delete' | 'unchanged' | 'leave'; id: string; webhook: Webhook };

/**
 * Refused when the file says something that can't be done. With `prune`, what the file doesn't name is deleted.
 * `describedClients` are those in the same file, or undefined if it says nothing about clients.
 */
export async function planWebhooks(
  services: Services,
  described: readonly DescribedWebhook[],
  prune: boolean,
  describedClients: readonly string[] | undefined,
): Promise<AdminOutcome<{ steps: readonly WebhookStep[] }>> {
  const existing = await listWebhooks(services);
  const problems: string[] = [];
  for (const { id, clientId } of described) {
    if (clientId === null || describedClients?.includes(clientId)) continue;
    if (prune && describedClients !== undefined) {
      problems.push(`webhook "${id}": the file has no application "${clientId}", so it's deleted with its webhooks`);
      continue;
    }
    const client = await findClient(services, clientId);
    if (client.kind === 'refused') problems.push(`webhook "${id}": ${client.problem}`);
  }
  const steps = described.map((webhook): WebhookStep => {
    const { id, clientId } = webhook;
    const current = existing.find((each) => each.id === id);
    problems.push(...formProblems(services, webhook, current).map((problem) => `webhook "${id}": ${problem}`));
    if (current === undefined) return { kind: 'create', id, described: webhook };
    if (current.clientId !== clientId || current.clientDeletedAt !== null) {
      problems.push(`webhook "${id}": its client_id can't change; delete it and create another one`);
    }
    const changes = changesIn(current, webhook);
    if (Object.keys(changes).length === 0) return { kind: 'unchanged', id, webhook: current };
    return { kind: 'update', id, webhook: current, changes };
  });
  if (problems.length > 0) return refused(problems.join('; '));
  const others = existing.filter((webhook) => {
    return webhook.clientDeletedAt === null && !described.some(({ id }) => id === webhook.id);
  });
  const rest = others.map((webhook): WebhookStep => {
    return { kind: prune ? 'delete' : 'leave', id: webhook.id, webhook };
  });
  const left = [...described, ...(prune ? [] : others)];
  const crowded = [null, ...new Set(left.map(({ clientId }) => clientId))].find((owner) => isCrowded(left, owner));
  const isGrowing = steps.some(({ kind }) => kind === 'create');
  if (isGrowing && crowded !== undefined) return refused(tooMany(crowded));
  return { kind: 'done', steps: [...steps, ...rest] };
}

/** What stays as it is was right when it was stored, even if the service's settings have become stricter since. */
function formProblems(services: Services, webhook: DescribedWebhook, current: Webhook | undefined): string[] {
  const { id, url, description, clientId, types } = webhook;
  const input = { id, url, description, clientId: clientId ?? undefined, types: types ?? undefined };
  const fields = Object.entries(webhookProblems(services, input)?.fields ?? {});
  const changes = current && changesIn(current, webhook);
  return fields.flatMap(([name, problem]) => (changes === undefined || Object.hasOwn(changes, name) ? problem : []));
}

function isCrowded(webhooks: readonly { readonly clientId: string | null }[], owner: string | null): boolean {
  const most = owner === null ? webhookLimits.ofService : webhookLimits.ofClient;
  const isFull = owner === null && webhooks.length > webhookLimits.total;
  return isFull || webhooks.filter(({ clientId }) => clientId === owner).length > most;
}

function changesIn(current: Webhook, { url, description, types, disabled }: DescribedWebhook): WebhookChanges {
  const from = current.types ?? null;
  return {
    ...(url !== current.url && { url: { from: current.url, to: url } }),
    ...(description !== undefined &&
      description !== current.description && { description: { from: current.description, to: description } }),
    ...(types !== undefined && keyOf(types) !== keyOf(from) && { types: { from, to: types } }),
    ...(disabled && current.disabledAt === null && { disabled: { from: false, to: true } }),
  };
}

function keyOf(types: readonly string[] | null): string {
  return types === null ? '*' : types.toSorted().join(' ');
}

/** The secret of a new endpoint is shown this once. */
export async function applyWebhook(
  services: Services,
  step: WebhookStep,
  requester: Requester,
): Promise<AdminOutcome<{ secret: string | undefined }>> {
  switch (step.kind) {
    case 'create': {
      const { id, url, description, types, clientId, disabled } = step.described;
      const input = { id, url, description, types: types ?? undefined, clientId: clientId ?? undefined };
      const created = await createWebhook(services, input, requester);
      if (created.kind === 'refused' || !disabled) return created;
      const stopped = await disableWebhook(services, id, requester);
      return stopped.kind === 'refused' ? stopped : created;
    }
    case 'update': {
      const { url, description, types, disabled } = step.changes;
      const change = { url: url?.to, description: description?.to, types: types?.to };
      const changed = await changeWebhook(services, step.id, change, requester);
      if (changed.kind === 'refused') return changed;
      const stopped = disabled === undefined ? changed : await disableWebhook(services, step.id, requester);
      return stopped.kind === 'refused' ? stopped : { kind: 'done', secret: undefined };
    }
    case 'delete': {
      const found = await findWebhook(services, step.id);
      // That of an application that the file has deleted goes once it has heard that everyone's grants have ended.
      const leaves = found.kind === 'done' && found.webhook.clientDeletedAt !== null && found.webhook.waiting > 0;
      if (leaves) return { kind: 'done', secret: undefined };
      const deleted = await deleteWebhook(services, step.id, requester);
      if (deleted.kind === 'refused' && deleted.reason !== 'not_found') return deleted;
      return { kind: 'done', secret: undefined };
    }
    case 'unchanged':
    case 'leave':
      return { kind: 'done', secret: undefined };
  }
}
