// Administrators create, change, disable and delete webhook endpoints. Secrets are in secrets.ts, what was sent to an
// endpoint in deliveries.ts, and sending in webhook-queue.ts.

import type { EventDetail, EventKind, Requester } from '../../protocol/event.ts';
import { newId } from '../../protocol/identifiers.ts';
import { escapeMisleading, isPlainText } from '../../protocol/reading/control-characters.ts';
import { includes } from '../../protocol/reading/includes.ts';
import { newWebhookSecret } from '../../protocol/webhooks/signing.ts';
import { clientTypes, isOfService, selectableTypes, type WebhookType } from '../../protocol/webhooks/types.ts';
import { StorageConflict, type WebhookChange, type WebhookEndpoint } from '../../storage/storage.ts';
import { type AdminOutcome, type Refused, refused, refusedFields } from '../admin/outcome.ts';
import type { Services } from '../services.ts';
import { sealWebhookSecret } from './sealed-secret.ts';

/** Every event is compared with every endpoint of the service, and an event of a client with those of the client. */
export const webhookLimits = { total: 1000, ofService: 20, ofClient: 5 };
const longestDescription = 200;
const longestUrl = 1000;

export interface WebhookInput {
  readonly url: string;
  readonly description?: string | undefined;
  /** The client whose own endpoint it is; undefined for one of the service. */
  readonly clientId?: string | undefined;
  /** All that the endpoint can hear of when undefined. */
  readonly types?: readonly string[] | undefined;
  /** Chosen by whoever describes endpoints in a file; generated when undefined. */
  readonly id?: string | undefined;
}

export interface WebhookUpdate {
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  /** Null for all that the endpoint can hear of. */
  readonly types?: readonly string[] | null | undefined;
}

/** An endpoint as it is shown: never with its secrets. */
export interface Webhook extends WebhookEndpoint {
  /** How many messages wait for it. */
  readonly waiting: number;
}

/** Two during a rotation. The current one, which has no end, is the first. */
export interface WebhookSecretInfo {
  readonly createdAt: number;
  readonly endsAt: number | null;
}

/** The secret is shown this once. */
export async function createWebhook(
  services: Services,
  input: WebhookInput,
  requester: Requester,
): Promise<AdminOutcome<{ webhook: Webhook; secret: string }>> {
  const { storage, clock, random, keys } = services;
  const { url, description = '', clientId = null, types, id = newId(random) } = input;
  const wrong = webhookProblems(services, input);
  if (wrong !== undefined) return wrong;
  if (clientId !== null && (await storage.findClient(clientId)) === undefined) {
    return refused(`there is no application with the client ID "${clientId}"`, 'not_found');
  }
  const now = clock.now();
  const endpoint: WebhookEndpoint = {
    id,
    url,
    description,
    clientId,
    clientDeletedAt: null,
    types,
    createdAt: now,
    updatedAt: now,
    disabledAt: null,
    disabledReason: null,
    failures: 0,
    failingSince: null,
    deliveredAt: null,
    dropped: 0,
  };
  const secret = newWebhookSecret(random);
  const sealed = sealWebhookSecret(keys, random, { endpointId: id, secret, now });
  const alike = clientId === null ? webhookLimits.ofService : webhookLimits.ofClient;
  try {
    const event = eventAbout(services, 'webhook_created', id, requester, { host: new URL(url).host });
    if (!(await storage.createWebhook(endpoint, sealed, { total: webhookLimits.total, alike }, event))) {
      return refused(tooMany(clientId), 'conflict');
    }
  } catch (error) {
    if (error instanceof StorageConflict)
      return refused(`there is an endpoint with the ID "${id}" already`, 'conflict');
    throw error;
  }
  return { kind: 'done', webhook: { ...endpoint, waiting: 0 }, secret };
}

export function tooMany(clientId: string | null): string {
  return clientId === null
    ? `there can be ${webhookLimits.ofService} endpoints, and ${webhookLimits.total} with those of applications`
    : `an application can have ${webhookLimits.ofClient} endpoints`;
}

/** What is wrong with the form of the input, as far as that can be told without the store. */
export function webhookProblems(services: Services, input: WebhookInput): Refused | undefined {
  const { id, url, description = '', clientId = null, types } = input;
  return refusedFields({
    id: id === undefined ? undefined : idProblem(id),
    url: urlProblem(services, url),
    description: descriptionProblem(description),
    types: typesProblem(types, clientId === null),
  });
}

/** Oldest first; of one client, or all of them. */
export async function listWebhooks({ storage }: Services, clientId?: string): Promise<Webhook[]> {
  const [endpoints, waiting] = await Promise.all([storage.listWebhooks(clientId), storage.countWaitingDeliveries()]);
  return endpoints.map((endpoint) => ({ ...endpoint, waiting: waiting.get(endpoint.id) ?? 0 }));
}

export async function findWebhook(
  { storage, clock }: Services,
  id: string,
): Promise<AdminOutcome<{ webhook: Webhook; secrets: readonly WebhookSecretInfo[] }>> {
  const endpoint = await storage.findWebhook(id);
  if (endpoint === undefined) return unknownWebhook(id);
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
  services: Services,
  id: string,
  update: WebhookUpdate,
  requester: Requester,
): Promise<AdminOutcome<{ webhook: Webhook }>> {
  const { storage, clock } = services;
  const endpoint = await storage.findWebhook(id);
  if (endpoint === undefined) return unknownWebhook(id);
  const { url, description, types } = update;
  const wrong = refusedFields({
    url: url === undefined ? undefined : urlProblem(services, url),
    description: description === undefined ? undefined : descriptionProblem(description),
    types: typesProblem(types ?? undefined, isOfService(endpoint)),
  });
  if (wrong !== undefined) return wrong;
  const change: WebhookChange = {
    ...(url !== undefined && url !== endpoint.url && { url }),
    ...(description !== undefined && description !== endpoint.description && { description }),
    ...(types !== undefined && !sameTypes(types ?? undefined, endpoint.types) && { types }),
  };
  const changed = Object.keys(change);
  if (changed.length > 0) {
    const detail = { changed, ...(change.url !== undefined && { host: new URL(change.url).host }) };
    const event = eventAbout(services, 'webhook_updated', id, requester, detail);
    if (!(await storage.changeWebhook(id, change, clock.now(), event))) return unknownWebhook(id);
  }
  return findWebhook(services, id);
}

export async function disableWebhook(
  services: Services,
  id: string,
  requester: Requester,
): Promise<AdminOutcome<{ webhook: Webhook }>> {
  const event = eventAbout(services, 'webhook_disabled', id, requester, { reason: 'administrator' });
  const done = await services.storage.disableWebhook(id, services.clock.now(), event);
  return changedState(services, id, done, 'is disabled already');
}

/** What has waited meanwhile is sent. */
export async function enableWebhook(
  services: Services,
  id: string,
  requester: Requester,
): Promise<AdminOutcome<{ webhook: Webhook }>> {
  const event = eventAbout(services, 'webhook_enabled', id, requester);
  const done = await services.storage.enableWebhook(id, services.clock.now(), event);
  return changedState(services, id, done, "isn't disabled");
}

/** Its secrets and deliveries go with it. */
export async function deleteWebhook(
  services: Services,
  id: string,
  requester: Requester,
): Promise<AdminOutcome<object>> {
  const event = eventAbout(services, 'webhook_deleted', id, requester);
  return (await services.storage.deleteWebhook(id, event)) ? { kind: 'done' } : unknownWebhook(id);
}

export function unknownWebhook(id: string): Refused {
  return refused(`there is no endpoint with the ID "${id}"`, 'not_found');
}

export function eventAbout(
  { journal }: Services,
  kind: EventKind,
  id: string,
  requester: Requester,
  detail: EventDetail = {},
) {
  return journal.event({ kind, detail: { webhook: id, ...detail } }, requester);
}

async function changedState(
  services: Services,
  id: string,
  done: boolean,
  unchanged: string,
): Promise<AdminOutcome<{ webhook: Webhook }>> {
  const found = await findWebhook(services, id);
  return done || found.kind === 'refused' ? found : refused(`the endpoint ${unchanged}`, 'conflict');
}

function idProblem(id: string): string | undefined {
  if (/^[a-z0-9][a-z0-9_-]{0,39}$/.test(id)) return undefined;
  return 'the ID must be 1 to 40 lowercase letters, digits, hyphens or underscores';
}

function urlProblem({ webhooks }: Services, text: string): string | undefined {
  const url = text.length > longestUrl ? null : URL.parse(text);
  if (url === null) return `the URL must be an absolute URL of at most ${longestUrl} characters`;
  // Browsers and Node skip some of them, and lists and terminals would show another URL than the one that is called.
  if (/\s/.test(text) || escapeMisleading(text) !== text) return "the URL can't contain spaces or control characters";
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'the URL must begin with https:';
  if (url.username !== '' || url.password !== '') return "the URL can't contain a user name or password";
  if (url.hash !== '') return "the URL can't contain a fragment (#…)";
  return webhooks.urlProblem(url);
}

function descriptionProblem(text: string): string | undefined {
  if (!isPlainText(text)) return "the description can't contain control characters";
  return text.length > longestDescription
    ? `the description can have at most ${longestDescription} characters`
    : undefined;
}

function typesProblem(types: readonly string[] | undefined, ofService: boolean): string | undefined {
  if (types === undefined) return undefined;
  if (types.length === 0) return 'at least one event type is needed';
  const known: readonly WebhookType[] = ofService ? selectableTypes : clientTypes;
  const unknown = types.find((type) => !includes(known, type));
  if (unknown === undefined) return undefined;
  return ofService
    ? `there is no event type "${unknown.slice(0, 40)}"`
    : `an application's endpoint can't have the event type "${unknown.slice(0, 40)}"; it can have ${known.join(', ')}`;
}

function sameTypes(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  return one?.toSorted().join(' ') === other?.toSorted().join(' ');
}
