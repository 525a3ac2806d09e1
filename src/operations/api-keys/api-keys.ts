// API keys: an administrator creates and ends them, and `/api` recognises them. A key is shown once and stored as a
// digest.

import { cleanName, nameProblem } from '../../protocol/account/display-name.ts';
import { digestOf } from '../../protocol/digest.ts';
import type { EventRecord, Requester } from '../../protocol/event.ts';
import { newId, newSecret } from '../../protocol/identifiers.ts';
import type { ApiKey } from '../../storage/storage.ts';
import { type AdminOutcome, refused } from '../admin/outcome.ts';
import type { Services } from '../services.ts';

const DAY = 24 * 60 * 60 * 1000;
const longestLife = 3650;
const form = /^lk_api_[A-Za-z0-9_-]{43}$/;

export interface ApiKeyInput {
  readonly name: string;
  readonly permission: string;
  /** Undefined for a key that never expires. */
  readonly days: number | undefined;
}

export async function createApiKey(
  services: Services,
  input: ApiKeyInput,
  requester: Requester,
): Promise<AdminOutcome<{ key: ApiKey; secret: string }>> {
  const { storage, clock, random, journal } = services;
  const name = cleanName(input.name);
  const problem = nameProblem(name);
  if (problem !== undefined) return refused(`the name ${problem}`);
  const { permission, days } = input;
  if (permission !== 'read' && permission !== 'write') return refused('the permission must be read or write');
  if (days !== undefined && !(Number.isInteger(days) && days >= 1 && days <= longestLife)) {
    return refused(`an API key can be valid for 1 to ${longestLife} days`);
  }
  const now = clock.now();
  const secret = newSecret('lk_api_', random);
  const key: ApiKey = {
    digest: digestOf(secret),
    id: newId(random),
    name,
    permission,
    createdBy: requester.actor?.id ?? null,
    createdAt: now,
    expiresAt: days === undefined ? null : now + days * DAY,
    lastUsedAt: null,
    makerIsAdmin: true,
  };
  const detail = { key: key.id, name, permission };
  if (!(await storage.createApiKey(key, journal.event({ kind: 'api_key_created', detail }, requester)))) {
    return refused('only an administrator can create an API key', 'conflict');
  }
  await notifyOfKey(services, key);
  return { kind: 'done', key, secret };
}

/** Tells whoever made the key; a key from the command line has no maker, so all administrators are told. */
async function notifyOfKey(services: Services, { createdBy, name, permission, expiresAt }: ApiKey): Promise<void> {
  const { storage, emailQueue, emailsFor } = services;
  const maker = createdBy === null ? undefined : await storage.findUser(createdBy);
  const recipients = createdBy === null ? await storage.listAdministrators() : maker === undefined ? [] : [maker];
  const facts = { name, permission, expiresAt, fromCommandLine: createdBy === null };
  for (const { email, locale } of recipients) {
    await emailQueue.notify(emailsFor(locale).apiKeyCreated({ to: email, ...facts }));
  }
}

/** For a write that ends all keys that a user has made. */
export async function eventsOfEndedKeys(
  services: Services,
  userId: string,
  requester: Requester,
): Promise<EventRecord[]> {
  const keys = await services.storage.listApiKeysOf(userId);
  return keys.map(({ id }) =>
    services.journal.event({ kind: 'api_key_ended', userId, detail: { key: id } }, requester),
  );
}

export async function revokeApiKey(
  services: Services,
  keyId: string,
  requester: Requester,
): Promise<AdminOutcome<object>> {
  const { storage, journal } = services;
  const event = journal.event({ kind: 'api_key_ended', detail: { key: keyId.slice(0, 40) } }, requester);
  return (await storage.revokeApiKey(keyId, event))
    ? { kind: 'done' }
    : refused(`there is no API key "${keyId}"`, 'not_found');
}

/** Undefined when there is no such key, or it has ended. Also notes that the key is in use. */
export async function findApiKey(services: Services, secret: string): Promise<ApiKey | undefined> {
  const { storage, clock, journal } = services;
  if (!form.test(secret)) return undefined;
  const key = await storage.findApiKey(digestOf(secret));
  if (key === undefined || apiKeyHasExpired(key, clock.now())) return undefined;
  journal.noteApiKeyUse(key.id, key.lastUsedAt);
  return key;
}

export interface ListedApiKey extends ApiKey {
  readonly ended: boolean;
  /** The name of the administrator who made it, or their ID once they are deleted; undefined for the command line. */
  readonly maker: string | undefined;
}

export async function listApiKeys({ storage, clock }: Services): Promise<ListedApiKey[]> {
  const now = clock.now();
  const keys = await storage.listApiKeys();
  const makerIds = [...new Set(keys.flatMap(({ createdBy }) => createdBy ?? []))];
  const makers = await Promise.all(makerIds.map((id) => storage.findUser(id)));
  const names = new Map(makers.flatMap((user) => (user === undefined ? [] : [[user.id, user.name]])));
  return keys.map((key) => ({
    ...key,
    ended: apiKeyHasExpired(key, now),
    maker: key.createdBy === null ? undefined : (names.get(key.createdBy) ?? key.createdBy),
  }));
}

/** A key ends when it expires, and when its maker is no longer an administrator. */
function apiKeyHasExpired(key: ApiKey, now: number): boolean {
  return !key.makerIsAdmin || (key.expiresAt !== null && now >= key.expiresAt);
}
