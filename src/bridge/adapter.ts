// Where the library keeps what it makes. Codes, tokens and grants are in the bridge's file. Sessions and interactions are
// nowhere: a session exists only while the request lasts with which someone comes back from Latchkey.

import { SECOND } from '../protocol/durations.ts';
import { applicationOf, claimsFrom, endGrant } from './asking.ts';
import type { BridgeContext } from './context.ts';
import type { TokenKind } from './grants.ts';
import { type Adapter, type AdapterPayload, errors } from './library.ts';
import { currentVisit } from './visit.ts';

/** Within this time, a code that comes again is a client that has submitted twice (decision 5). */
const replayGrace = 10 * SECOND;

const nothing: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

export function adapterFor(context: BridgeContext): (name: string) => Adapter {
  const { grants, now } = context;
  // The library's clock, which tests don't move.
  const seconds = () => Math.floor(Date.now() / SECOND);

  const tokens = (kind: TokenKind): Adapter => ({
    ...nothing,
    async upsert(value, payload, lifetime = 1) {
      if (!grants.addToken(kind, value, payload.grantId ?? '', payload, lifetime * 1000))
        throw new errors.InvalidGrant('grant not found');
    },
    async find(value) {
      const found = grants.findToken(kind, value);
      if (found === undefined) return undefined;
      const payload = found.payload as AdapterPayload;
      if (found.consumedAt === undefined) return payload;
      // Without a grace, the library ends the grant, if the rest of the request is right. So does a replay of an expired code.
      return now() - found.consumedAt < replayGrace ? undefined : { ...payload, consumed: true, exp: seconds() + 60 };
    },
    async consume(value) {
      const { grantId = '' } = (grants.findToken(kind, value)?.payload ?? {}) as AdapterPayload;
      const facts = grants.find(grantId);
      if (facts === undefined) throw new errors.InvalidGrant('grant not found');
      // First, so that an outage doesn't use up the code.
      const claims = await claimsFrom(context, applicationOf(context, facts.clientId), facts);
      if (claims === undefined) {
        await endGrant(context, grantId, false);
        throw new errors.InvalidGrant('access has ended');
      }
      if (!grants.consume(value)) throw new errors.InvalidGrant('authorization code already consumed');
      const visit = currentVisit();
      visit.claims = { ...facts.claims, ...claims };
      visit.access = { token: facts.accessToken, until: facts.accessUntil };
    },
  });

  const ofGrants: Adapter = {
    ...nothing,
    async find(grantId) {
      const facts = grants.find(grantId);
      if (facts === undefined) return undefined;
      const { sub, clientId, scope, expiresAt } = facts;
      return {
        kind: 'Grant',
        jti: grantId,
        accountId: sub,
        clientId,
        openid: { scope },
        exp: Math.floor(expiresAt / 1000),
      } as AdapterPayload;
    },
    destroy: (grantId) => endGrant(context, grantId, currentVisit().isRevoked ?? false),
  };

  const sessions: Adapter = {
    ...nothing,
    async find(id) {
      const { arrival } = currentVisit();
      if (arrival?.kind !== 'signed_in') return undefined;
      const { sub, sid, clientId, claims } = arrival.facts;
      const { auth_time: loginTs, acr, amr } = claims as AdapterPayload & { auth_time?: number };
      return {
        kind: 'Session',
        jti: id,
        uid: id,
        exp: seconds() + 60,
        accountId: sub,
        loginTs,
        acr,
        amr,
        authorizations: { [clientId]: { sid, grantId: arrival.grantId } },
      };
    },
  };

  const adapters: Readonly<Record<string, Adapter>> = {
    AuthorizationCode: tokens('AuthorizationCode'),
    AccessToken: tokens('AccessToken'),
    RefreshToken: tokens('RefreshToken'),
    Grant: ofGrants,
    Session: sessions,
  };
  return (name) => adapters[name] ?? nothing;
}
