// Reads the webhooks in a file for `latchkey apply`, and writes down those there are. Secrets are never in a file.

import { isJsonObject, isTexts, type Json, unknownKeys } from '../../protocol/reading/strict-json.ts';
import type { Services } from '../services.ts';
import { listWebhooks } from './endpoints.ts';

export interface DescribedWebhook {
  readonly id: string;
  readonly url: string;
  /** Each that is undefined stays as it is. */
  readonly description?: string;
  /** Null for all. */
  readonly types?: readonly string[] | null;
  /** The application whose own endpoint it is; null for one of the service. */
  readonly clientId: string | null;
  /** A file disables an endpoint, but never enables it. */
  readonly disabled: boolean;
}

const keys = ['id', 'url', 'description', 'client_id', 'types', 'disabled'] as const;
export type WebhookKey = (typeof keys)[number];

/** Adds to `problems`. Undefined when the file has no webhooks, which says nothing about those that exist. */
export function readWebhooks(value: Json | undefined, problems: string[]): DescribedWebhook[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) {
    problems.push('"webhooks" must be a list of webhooks');
    return [];
  }
  const webhooks = value.map((item, index) => {
    const found: string[] = [];
    const webhook = readWebhook(item, found);
    problems.push(...found.map((problem) => `webhooks[${index}]: ${problem}`));
    return webhook;
  });
  const ids = webhooks.map(({ id }) => id);
  for (const [index, id] of ids.entries()) {
    if (id !== '' && ids.indexOf(id) < index) problems.push(`webhooks[${index}]: the id "${id}" appears twice`);
  }
  return webhooks;
}

function readWebhook(item: Json, problems: string[]): DescribedWebhook {
  if (!isJsonObject(item)) {
    problems.push('a webhook must be an object');
    return { id: '', url: '', clientId: null, disabled: false };
  }
  problems.push(...unknownKeys(item, keys));
  const { id, url, description, types } = item;
  const clientId = item.client_id ?? null;
  const disabled = item.disabled ?? false;
  if (typeof id !== 'string') problems.push('"id" must be a string that you choose');
  if (typeof url !== 'string') problems.push('"url" must be a string');
  if (description !== undefined && typeof description !== 'string') problems.push('"description" must be a string');
  if (types !== undefined && types !== null && !isTexts(types)) {
    problems.push('"types" must be a list of event types, or null for all');
  }
  if (clientId !== null && typeof clientId !== 'string') problems.push('"client_id" must be a string');
  if (typeof disabled !== 'boolean') problems.push('"disabled" must be true or false');
  return {
    id: typeof id === 'string' ? id : '',
    url: typeof url === 'string' ? url : '',
    ...(typeof description === 'string' && { description }),
    ...(types === null && { types }),
    ...(isTexts(types) && { types: [...new Set(types)] }),
    clientId: typeof clientId === 'string' ? clientId : null,
    disabled: disabled === true,
  };
}

/**
 * By ID, so that a file from another store with the same webhooks has them in the same order. Without those of deleted
 * clients, which are about to go.
 */
export async function exportWebhooks(services: Services) {
  const webhooks = await listWebhooks(services);
  return webhooks
    .filter(({ clientDeletedAt }) => clientDeletedAt === null)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, url, description, clientId, types, disabledAt }) => ({
      id,
      url,
      description,
      client_id: clientId,
      types: types ?? null,
      ...(disabledAt !== null && { disabled: true }),
    }));
}
