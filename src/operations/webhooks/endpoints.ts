// Administrators create, change, disable and delete webhook endpoints, and rotate the secrets that sign their messages. What
// was sent to an endpoint is in deliveries.ts, and sending in webhook-queue.ts.

import { may } from '../../protocol/admin/rights.ts';
import { HOUR } from '../../protocol/durations.ts';
import type { EventDetail, Requester } from '../../protocol/event.ts';
import type { EventKind } from '../../protocol/events/kinds.ts';
import { newId, newTimeOrderedId } from '../../protocol/identifiers.ts';
import { problemWith } from '../../protocol/problem.ts';
import { changeDetail, differing, readFields, readNew } from '../../protocol/resources/resource.ts';
import { type WebhookInput, webhookFields } from '../../protocol/resources/webhook.ts';
import { newWebhookSecret } from '../../protocol/webhooks/signing.ts';
import { isOfService } from '../../protocol/webhooks/types.ts';
import type { WebhookEndpoint } from '../../storage/storage.ts';
import { type Outcome, type Refused, refused, refusedFields, unlessTaken, wholeOrRefused } from '../admin/outcome.ts';
import { sealPurpose } from '../seal-purposes.ts';
import type { Recording, Services, Storing, Timing } from '../services.ts';

/** Every event is compared with every endpoint of the service, and an event of a client with those of the client. */
export const webhookLimits = { total: 1000, ofService: 20, ofClient: 5 };

/** An endpoint with the number of messages waiting for it, but without its secrets. */
export interface Webhook extends WebhookEndpoint {
  readonly waiting: number;
}

/** Two during a rotation. The current one, which has no end, is the first. */
export interface WebhookSecretInfo {
  readonly createdAt: number;
  readonly endsAt: number | null;
}

/** In a file, the ID of an endpoint is chosen by its author, and generated otherwise. The secret is shown this once. */
export async function createWebhook(
  services: Recording & Pick<Services, 'random' | 'keys' | 'webhooks'>,
  input: WebhookInput,
  requester: Requester,
): Outcome<{ webhook: Webhook; secret: string }> {
  const { storage, clock, random } = services;
  const { id = newId(random), ...given } = input;
  const read = readNew(webhookFields, given);
  const { clientId = null } = read.values;
  if (clientId === null && !may(requester.authority, ofService.change)) return serviceForbidden;
  const whole = wholeOrRefused(read, [
    ...problemWith('id', webhookIdProblem(id)),
    ...problemWith('url', networkProblem(services, read.values.url)),
  ]);
  if (whole.kind === 'refused') return whole;
  const { values } = whole;
  // An empty ID is none of any application: it mustn't make an endpoint for all of them.
  const owner = given.clientId ?? null;
  if (owner !== null && (await storage.findClient(owner)) === undefined) {
    return refused(`there is no application with the client ID "${owner}"`, 'not_found');
  }
  const now = clock.now();
  const endpoint: WebhookEndpoint = {
    ...values,
    id,
    clientDeletedAt: null,
    createdAt: now,
    updatedAt: now,
    disabledAt: null,
    disabledReason: null,
    failures: 0,
    failingSince: null,
    deliveredAt: null,
    dropped: 0,
  };
  const { secret, sealed } = newSecret(services, id, now);
  const alike = clientId === null ? webhookLimits.ofService : webhookLimits.ofClient;
  const event = eventAbout(services, 'webhook_created', id, requester, { host: new URL(values.url).host });
  const limits = { total: webhookLimits.total, alike };
  const created = await unlessTaken(storage.createWebhook(endpoint, sealed, limits, event));
  if (!created) return refused(tooMany(clientId), 'conflict');
  if (created === 'taken') return refused(`there is an endpoint with the ID "${id}" already`, 'conflict');
  return { kind: 'done', webhook: { ...endpoint, waiting: 0 }, secret };
}

export function tooMany(clientId: string | null): string {
  return clientId === null
    ? `there can be ${webhookLimits.ofService} endpoints, and ${webhookLimits.total} with those of applications`
    : `an application can have ${webhookLimits.ofClient} endpoints`;
}

/** What the operator's settings say about an endpoint's URL, which the rules of its field have accepted. */
export function networkProblem({ webhooks }: Pick<Services, 'webhooks'>, url: string | undefined): string | undefined {
  return url === undefined ? undefined : webhooks.urlProblem(new URL(url));
}

const ofService = { read: 'service_webhooks.read', change: 'service_webhooks.change' } as const;
export const serviceForbidden: Refused = {
  ...refused("only an administrator can change an endpoint that isn't an application's own", 'forbidden'),
  right: ofService.change,
};

/** The endpoint, if the requester may do this with it. One that they can't see doesn't exist for them. */
export async function reachEndpoint(
  { storage }: Storing,
  id: string,
  { authority }: Requester,
  does: 'read' | 'change',
): Outcome<{ endpoint: WebhookEndpoint }> {
  const endpoint = await storage.findWebhook(id);
  if (endpoint === undefined) return unknownWebhook(id);
  if (!isOfService(endpoint) || may(authority, ofService[does])) return { kind: 'done', endpoint };
  return may(authority, ofService.read) ? serviceForbidden : unknownWebhook(id);
}

/** Whether the requester may change the endpoint, in addition to the right to change any. */
export function canChangeEndpoint(
  { authority }: Requester,
  endpoint: Pick<WebhookEndpoint, 'clientId' | 'clientDeletedAt'>,
) {
  return !isOfService(endpoint) || may(authority, ofService.change);
}

/** Those that the requester can see. */
export async function visibleWebhooks(
  services: Storing,
  { authority }: Requester,
  clientId?: string,
): Promise<Webhook[]> {
  const webhooks = await listWebhooks(services, clientId);
  return may(authority, ofService.read) ? webhooks : webhooks.filter((webhook) => !isOfService(webhook));
}

/** Oldest first; of one client, or all of them. */
export async function listWebhooks({ storage }: Storing, clientId?: string): Promise<Webhook[]> {
  const [endpoints, waiting] = await Promise.all([storage.listWebhooks(clientId), storage.countWaitingDeliveries()]);
  return endpoints.map((endpoint) => ({ ...endpoint, waiting: waiting.get(endpoint.id) ?? 0 }));
}

type FoundWebhook = Outcome<{ webhook: Webhook; secrets: readonly WebhookSecretInfo[] }>;

export function findWebhook(services: Timing, id: string, requester: Requester): FoundWebhook {
  return detailsOf(services, id, requester, 'read');
}

export function findChangeableWebhook(services: Timing, id: string, requester: Requester): FoundWebhook {
  return detailsOf(services, id, requester, 'change');
}

async function detailsOf(
  { storage, clock }: Timing,
  id: string,
  requester: Requester,
  does: 'read' | 'change',
): FoundWebhook {
  const reached = await reachEndpoint({ storage }, id, requester, does);
  if (reached.kind === 'refused') return reached;
  const { endpoint } = reached;
  const [waiting, secrets] = await Promise.all([storage.countWaitingDeliveries(), storage.listWebhookSecrets(id)]);
  const now = clock.now();
  return {
    kind: 'done',
    webhook: { ...endpoint, waiting: waiting.get(id) ?? 0 },
    secrets: secrets
      .filter(({ endsAt }) => endsAt === null || endsAt > now)
      .map(({ createdAt, endsAt }) => ({ createdAt, endsAt }))
      .toSorted((a, b) => Number(a.endsAt !== null) - Number(b.endsAt !== null)),
  };
}

/** Changes what is given and leaves the rest. The client of an endpoint stays what it is. */
export async function changeWebhook(
  services: Recording & Pick<Services, 'webhooks'>,
  id: string,
  update: WebhookInput,
  requester: Requester,
): Outcome<{ webhook: Webhook }> {
  const { storage, clock } = services;
  const reached = await reachEndpoint(services, id, requester, 'change');
  if (reached.kind === 'refused') return reached;
  const { endpoint } = reached;
  const { values, problems } = readFields(webhookFields, update, endpoint);
  const wrong = refusedFields([...problems, ...problemWith('url', networkProblem(services, values.url))]);
  if (wrong !== undefined) return wrong;
  const change = differing(webhookFields, endpoint, values);
  if (Object.keys(change).length > 0) {
    const host = change.url === undefined ? {} : { host: new URL(change.url).host };
    const detail = { ...changeDetail(webhookFields, change), ...host };
    const event = eventAbout(services, 'webhook_updated', id, requester, detail);
    if (!(await storage.changeWebhook(id, change, clock.now(), event))) return unknownWebhook(id);
  }
  return findWebhook(services, id, requester);
}

const byAdministrator = { reason: 'administrator' };
export const disableWebhook = webhookSwitch(
  'webhook_disabled',
  'disableWebhook',
  'is disabled already',
  byAdministrator,
);
/** Messages that have waited are sent. */
export const enableWebhook = webhookSwitch('webhook_enabled', 'enableWebhook', "isn't disabled");

function webhookSwitch(
  kind: EventKind,
  change: 'disableWebhook' | 'enableWebhook',
  unchanged: string,
  detail: EventDetail = {},
) {
  return async (services: Recording, id: string, requester: Requester): Outcome<{ webhook: Webhook }> => {
    const reached = await reachEndpoint(services, id, requester, 'change');
    if (reached.kind === 'refused') return reached;
    const event = eventAbout(services, kind, id, requester, detail);
    const done = await services.storage[change](id, services.clock.now(), event);
    const found = await findWebhook(services, id, requester);
    return done || found.kind === 'refused' ? found : refused(`the endpoint ${unchanged}`, 'conflict');
  };
}

/** Its secrets and deliveries go with it. */
export async function deleteWebhook(
  services: Recording,
  id: string,
  requester: Requester,
): Outcome<{ webhook: Webhook }> {
  const reached = await reachEndpoint(services, id, requester, 'change');
  if (reached.kind === 'refused') return reached;
  const found = await findWebhook(services, id, requester);
  const event = eventAbout(services, 'webhook_deleted', id, requester);
  return (await services.storage.deleteWebhook(id, event)) ? found : unknownWebhook(id);
}

export function unknownWebhook(id: string): Refused {
  return refused(`there is no endpoint with the ID "${id}"`, 'not_found');
}

export function eventAbout(
  { journal }: Pick<Services, 'journal'>,
  kind: EventKind,
  id: string,
  requester: Requester,
  detail: EventDetail = {},
) {
  return journal.event({ kind, detail: { webhook: id, ...detail } }, requester);
}

export function webhookIdProblem(id: string): string | undefined {
  if (/^[a-z0-9][a-z0-9_-]{0,39}$/.test(id)) return undefined;
  return 'the ID must be 1 to 40 lowercase letters, digits, hyphens or underscores';
}

/** How long the earlier secret stays valid unless something else is asked for, and at most. */
export const earlierSecretHours = { standard: 24, most: 24 * 30 };

/** It's shown once and kept sealed. */
function newSecret({ random, keys }: Pick<Services, 'random' | 'keys'>, endpointId: string, createdAt: number) {
  const [secret, id] = [newWebhookSecret(random), newTimeOrderedId(createdAt, random)];
  const sealed = keys.seal(sealPurpose('webhook_secret', id), secret);
  return { secret, sealed: { id, endpointId, sealed, createdAt, endsAt: null } };
}

/**
 * The new secret signs at once, next to the earlier one, which stays valid for some hours, so that the receiver can take up
 * the new one at any time before that.
 */
export async function rotateWebhookSecret(
  services: Recording & Pick<Services, 'random' | 'keys'>,
  id: string,
  requester: Requester,
  hours: number = earlierSecretHours.standard,
): Outcome<{ secret: string; earlierEndsAt: number }> {
  const { storage, clock } = services;
  if (!(Number.isInteger(hours) && hours >= 0 && hours <= earlierSecretHours.most)) {
    return refused(`the previous secret can stay valid for 0 to ${earlierSecretHours.most} hours`);
  }
  const reached = await reachEndpoint(services, id, requester, 'change');
  if (reached.kind === 'refused') return reached;
  const now = clock.now();
  const { secret, sealed } = newSecret(services, id, now);
  const earlierEndsAt = now + hours * HOUR;
  const event = eventAbout(services, 'webhook_secret_rotated', id, requester);
  if (!(await storage.rotateWebhookSecret(sealed, earlierEndsAt, event))) return unknownWebhook(id);
  return { kind: 'done', secret, earlierEndsAt };
}

/** Ends the earlier secret before its time. */
export async function retireWebhookSecret(services: Recording, id: string, requester: Requester): Outcome<object> {
  const { storage, clock } = services;
  const reached = await reachEndpoint(services, id, requester, 'change');
  if (reached.kind === 'refused') return reached;
  const event = eventAbout(services, 'webhook_secret_retired', id, requester);
  if (await storage.retireWebhookSecret(id, clock.now(), event)) return { kind: 'done' };
  const found = await findWebhook(services, id, requester);
  return found.kind === 'refused' ? found : refused('the endpoint has only one secret', 'conflict');
}
