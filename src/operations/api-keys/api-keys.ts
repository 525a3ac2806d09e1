// API keys: administrators create and revoke them, and `/api` recognizes them. A key is shown once and stored as a digest.

import { rolesOf, storedRoles } from '../../protocol/account/roles.ts';
import { isRole, type Role } from '../../protocol/admin/rights.ts';
import { digestOf } from '../../protocol/digest.ts';
import { DAY } from '../../protocol/durations.ts';
import type { EventRecord, Requester } from '../../protocol/event.ts';
import { lastFourOf, newId, newSecret } from '../../protocol/identifiers.ts';
import { problemWith } from '../../protocol/problem.ts';
import { type ApiKeyInput, newApiKeyFields } from '../../protocol/resources/api-key.ts';
import { readNew, recordedValues } from '../../protocol/resources/resource.ts';
import { lastFourDetail } from '../../protocol/resources/secret-life.ts';
import type { ApiKey } from '../../storage/storage.ts';
import { makerNames } from '../admin/makers.ts';
import { type Outcome, type Refused, refused, wholeOrRefused } from '../admin/outcome.ts';
import type { Mailing, Recording, Services, Storing, Timing } from '../services.ts';
import { type CreatedByKey, createdByKey } from './created-by-key.ts';

const form = /^lk_api_[A-Za-z0-9_-]{43}$/;

export async function createApiKey(
  services: Recording & Mailing & Pick<Services, 'random'>,
  input: ApiKeyInput,
  requester: Requester,
): Outcome<{ key: ApiKey; secret: string }> {
  const { storage, clock, random, journal } = services;
  // Otherwise the person who has one could keep its access beyond its end.
  if (requester.actor?.kind === 'api_key') return noKeysByKeys();
  const read = readNew(newApiKeyFields, input);
  const isBoth = input.permission !== undefined && (read.values.roles ?? []).length > 0;
  const both = isBoth ? 'an API key has roles or a permission, not both' : undefined;
  const whole = wholeOrRefused(read, problemWith('roles', both));
  if (whole.kind === 'refused') return whole;
  const { days, roles, ...rest } = whole.values;
  const now = clock.now();
  const secret = newSecret('lk_api_', random);
  const key: ApiKey = {
    ...rest,
    digest: digestOf(secret),
    id: newId(random),
    createdBy: requester.actor?.id ?? null,
    createdAt: now,
    expiresAt: days === null ? null : now + days * DAY,
    lastUsedAt: null,
    makerIsAdmin: true,
    roles: storedRoles(roles.filter(isRole)),
    lastFour: lastFourOf(secret),
  };
  const detail = {
    key: key.id,
    ...lastFourDetail(key),
    ...recordedValues(newApiKeyFields, rest),
    ...(roles.length > 0 && { roles }),
  };
  if (!(await storage.createApiKey(key, journal.event({ kind: 'api_key_created', detail }, requester)))) {
    return refused('only an administrator can create an API key', 'conflict');
  }
  await notifyOfKey(services, key);
  return { kind: 'done', key, secret };
}

/** Tells the administrator who created the key, or all of them if it's from the command line. */
async function notifyOfKey(
  { storage, emailQueue, emailsFor }: Mailing & Storing,
  { createdBy, name, permission, roles, expiresAt }: ApiKey,
): Promise<void> {
  const maker = createdBy === null ? undefined : await storage.findUser(createdBy);
  const recipients = createdBy === null ? await storage.listAdministrators() : maker === undefined ? [] : [maker];
  const can = roles === null ? [permission] : rolesOfKey({ roles });
  const facts = { name, can, expiresAt, fromCommandLine: createdBy === null };
  for (const { email, locale } of recipients) {
    await emailQueue.notify(emailsFor(locale).apiKeyCreated({ to: email, ...facts }));
  }
}

/** For a write that revokes all keys of a user, and all SCIM tokens and links to sign up with that they've made. */
export async function eventsOfEndedRights(
  { journal, storage, clock }: Recording,
  userId: string,
  requester: Requester,
): Promise<EventRecord[]> {
  const [keys, tokens, links] = await Promise.all([
    storage.listApiKeysOf(userId),
    storage.listScimTokens(),
    storage.listSignUpLinksOf(userId, clock.now()),
  ]);
  return [
    ...keys.map((key) => {
      const detail = { key: key.id, name: key.name, ...lastFourDetail(key) };
      return journal.event({ kind: 'api_key_ended', userId, detail }, requester);
    }),
    ...tokens
      .filter(({ createdBy }) => createdBy === userId)
      .map((token) => {
        const detail = { token: token.id, name: token.name, ...lastFourDetail(token) };
        return journal.event({ kind: 'scim_token_ended', userId, detail }, requester);
      }),
    ...links.map(({ id }) => journal.event({ kind: 'sign_up_link_revoked', userId, detail: { link: id } }, requester)),
  ];
}

/** What it has created is listed: it stays, and the person who had the key may have left something behind. */
export async function revokeApiKey(
  services: Recording,
  keyId: string,
  requester: Requester,
): Outcome<{ id: string; created: CreatedByKey }> {
  if (requester.actor?.kind === 'api_key') return noKeysByKeys();
  const { storage, journal } = services;
  const key = (await storage.listApiKeys()).find(({ id }) => id === keyId);
  const created = await createdByKey(services, keyId, key?.createdAt ?? 0);
  const detail = { key: keyId.slice(0, 40), ...(key && { name: key.name }), ...lastFourDetail(key) };
  const event = journal.event({ kind: 'api_key_ended', detail }, requester);
  return (await storage.revokeApiKey(keyId, event))
    ? { kind: 'done', id: keyId, created }
    : refused(`there is no API key "${keyId}"`, 'not_found');
}

/** Undefined if there is no such key, or it has ended. Also notes that the key was used. */
export async function findApiKey({ storage, clock, journal }: Recording, secret: string): Promise<ApiKey | undefined> {
  if (!form.test(secret)) return undefined;
  const now = clock.now();
  const key = await storage.findApiKey(digestOf(secret), now);
  if (key === undefined || apiKeyHasExpired(key, now)) return undefined;
  journal.noteApiKeyUse(key.id, key.lastUsedAt);
  return key;
}

export async function listApiKeys(services: Timing) {
  const now = services.clock.now();
  const keys = await services.storage.listApiKeys();
  const nameOf = await makerNames(
    services,
    keys.map(({ createdBy }) => createdBy),
  );
  return keys.map((key) => ({ ...key, ended: apiKeyHasExpired(key, now), maker: nameOf(key.createdBy) }));
}

function noKeysByKeys(): Refused {
  return refused("API keys can't manage API keys", 'forbidden');
}

/** None for a key with a permission. */
export function rolesOfKey({ roles }: Pick<ApiKey, 'roles'>): readonly Role[] {
  return rolesOf({ adminSince: null, roles });
}

/** A key ends when it expires, or when the person who created it loses admin access. */
function apiKeyHasExpired(key: ApiKey, now: number): boolean {
  return !key.makerIsAdmin || (key.expiresAt !== null && now >= key.expiresAt);
}
