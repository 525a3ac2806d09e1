// Tokens of directories: administrators create and revoke them, and `/scim/v2` recognizes them. A token opens that and nothing
// else. It's shown once and stored as a digest.

import { may } from '../../protocol/admin/rights.ts';
import { digestOf } from '../../protocol/digest.ts';
import { DAY, MINUTE } from '../../protocol/durations.ts';
import type { Requester } from '../../protocol/event.ts';
import { lastFourOf, newId, newSecret } from '../../protocol/identifiers.ts';
import { problemWith } from '../../protocol/problem.ts';
import { readNew, recordedValues } from '../../protocol/resources/resource.ts';
import { newScimTokenFields, type ScimTokenInput } from '../../protocol/resources/scim-token.ts';
import { lastFourDetail } from '../../protocol/resources/secret-life.ts';
import type { ScimToken } from '../../storage/storage.ts';
import { makerNames } from '../admin/makers.ts';
import { type Outcome, type Refused, refused, wholeOrRefused } from '../admin/outcome.ts';
import type { Recording, Services, Timing } from '../services.ts';

const form = /^lk_scim_[A-Za-z0-9_-]{43}$/;

export async function createScimToken(
  services: Recording & Pick<Services, 'random'>,
  input: ScimTokenInput,
  requester: Requester,
): Outcome<{ token: ScimToken; secret: string }> {
  const refusal = tokenRefusal(requester);
  if (refusal !== undefined) return refusal;
  const { storage, clock, random, journal } = services;
  const read = readNew(newScimTokenFields, input);
  const { upstream = null } = read.values;
  const isUnknown = upstream !== null && (await storage.findUpstream(upstream)) === undefined;
  const unknown = isUnknown ? `there is no identity provider "${upstream}"` : undefined;
  const whole = wholeOrRefused(read, problemWith('upstream', unknown));
  if (whole.kind === 'refused') return whole;
  const { days, ...rest } = whole.values;
  const now = clock.now();
  const secret = newSecret('lk_scim_', random);
  const token: ScimToken = {
    ...rest,
    id: newId(random),
    digest: digestOf(secret),
    createdBy: requester.actor?.id ?? null,
    createdAt: now,
    expiresAt: days === null ? null : now + days * DAY,
    lastUsedAt: null,
    lastFour: lastFourOf(secret),
  };
  const detail = { token: token.id, ...lastFourDetail(token), ...recordedValues(newScimTokenFields, rest) };
  const event = journal.event({ kind: 'scim_token_created', detail }, requester);
  const maker = requester.actor?.kind === 'administrator' ? requester.actor.id : undefined;
  if (await storage.createScimToken(token, event, maker)) return { kind: 'done', token, secret };
  return refused('only an administrator can create a SCIM token', 'conflict');
}

/** What its source has created stays, and still belongs to the source. */
export async function revokeScimToken(
  { storage, journal }: Recording,
  id: string,
  requester: Requester,
): Outcome<{ id: string }> {
  const refusal = tokenRefusal(requester);
  if (refusal !== undefined) return refusal;
  const token = (await storage.listScimTokens()).find((each) => each.id === id);
  const detail = { token: id.slice(0, 40), ...(token && { name: token.name }), ...lastFourDetail(token) };
  const event = journal.event({ kind: 'scim_token_ended', detail }, requester);
  return (await storage.revokeScimToken(id, event))
    ? { kind: 'done', id }
    : refused(`there is no SCIM token "${id.slice(0, 60)}"`, 'not_found');
}

function tokenRefusal({ authority }: Requester): Refused | undefined {
  if (may(authority, 'scim_tokens.change')) return undefined;
  return refused('only an administrator can create or revoke SCIM tokens', 'forbidden');
}

export async function listScimTokens(services: Timing) {
  const now = services.clock.now();
  const tokens = await services.storage.listScimTokens();
  const nameOf = await makerNames(
    services,
    tokens.map(({ createdBy }) => createdBy),
  );
  return tokens.map((token) => ({
    ...token,
    ended: token.expiresAt !== null && token.expiresAt <= now,
    maker: nameOf(token.createdBy),
  }));
}

/** Undefined if there is no such token, or it has ended. Also notes that it was used. */
export async function findScimToken({ storage, clock }: Timing, secret: string): Promise<ScimToken | undefined> {
  if (!form.test(secret)) return undefined;
  const now = clock.now();
  const token = await storage.findScimToken(digestOf(secret), now);
  if (token === undefined) return undefined;
  if (token.lastUsedAt === null || token.lastUsedAt < now - MINUTE) await storage.noteScimTokenUse(token, now);
  return token;
}
