// Webhooks in a file for `latchkey apply`. Their secrets are never in it.

import { webhookFields } from '../../protocol/resources/webhook.ts';
import { refusalClause } from '../admin/outcome.ts';
import { disabledByFile, disabledChanges } from '../apply/apply-section.ts';
import type { Described, FileContext, FileSection } from '../apply/file-section.ts';
import { fieldChanges } from '../apply/plan-section.ts';
import { findClient } from '../clients/clients.ts';
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

export const webhookSection: FileSection<Webhook, typeof webhookFields> = {
  name: 'webhooks',
  noun: 'a webhook',
  key: 'id',
  idProblem: webhookIdProblem,
  fields: webhookFields,
  ...disabledByFile(disableWebhook),
  secret: { name: 'secret', of: 'webhook' },
  // Their number is limited.
  deletes: 'first',
  // Those of deleted applications are about to go.
  list: async (services) => (await listWebhooks(services)).filter(({ clientDeletedAt }) => clientDeletedAt === null),
  idOf: ({ id }) => id,
  // With its URL, because a generated ID says nothing. The URL of a new one is on another line.
  called: (step) => `webhook ${step.id}${step.kind === 'create' ? '' : ` (${step.item.url})`}`,
  shown: (name, value) => (name === 'types' && value === null ? 'all' : value),

  changes: (_, current, described) =>
    current === undefined
      ? []
      : [...fieldChanges(webhookFields, current, described), ...disabledChanges(current, described)],

  async problems(context, steps) {
    const all = await listWebhooks(context.services);
    const problems: string[] = [];
    for (const step of steps) {
      if (!('described' in step)) continue;
      const current = all.find(({ id }) => id === step.id);
      const found = await problemsOf(step.described, current, context);
      problems.push(...found.flatMap((problem) => (problem === undefined ? [] : `webhook "${step.id}": ${problem}`)));
    }
    if (problems.length > 0 || !steps.some(({ kind }) => kind === 'create')) return problems;
    const owners = steps.flatMap((step) => {
      if (step.kind === 'delete') return [];
      return [(step.kind === 'create' ? step.described.given.clientId : step.item.clientId) ?? null];
    });
    const crowded = [null, ...owners].find((owner) => isCrowded(owners, owner));
    return crowded === undefined ? [] : [tooMany(crowded)];
  },

  create: (services, { id, given }, requester) => createWebhook(services, { ...given, id }, requester),
  update: (services, { id }, given, requester) => changeWebhook(services, id, given, requester),

  async delete(services, id, requester) {
    const found = await findWebhook(services, id, requester);
    // The endpoint of an application that the file has deleted goes once it has the messages about that.
    const leaves = found.kind === 'done' && found.webhook.clientDeletedAt !== null && found.webhook.waiting > 0;
    return leaves ? found : deleteWebhook(services, id, requester);
  },
};

async function problemsOf(
  { given }: Described<typeof webhookFields>,
  current: Webhook | undefined,
  context: FileContext,
): Promise<(string | undefined)[]> {
  return [
    await clientProblem(given.clientId, context),
    // A URL that stays was right when it was stored, even if the operator's settings have become stricter since.
    current?.url === given.url ? undefined : networkProblem(context.services, given.url),
    current && (current.clientId !== given.clientId || current.clientDeletedAt !== null)
      ? "its client_id can't change; delete it and create another one"
      : undefined,
  ];
}

async function clientProblem(
  clientId: string | null | undefined,
  { services, file, prune }: FileContext,
): Promise<string | undefined> {
  const applications = file.get('applications');
  if (clientId === undefined || clientId === null || applications?.some(({ id }) => id === clientId)) return undefined;
  if (prune && applications !== undefined) {
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
