// The life cycle of a grant. An approval creates one grant; its code, refresh token and access tokens all refer to it.
//
//     code issued ──exchange──▶ active ──revoke / 30 days──▶ ended
//          └──60 s──▶ expired
//
// This file decides what is allowed; storage changes the state of a grant, each time in one conditional statement.

import { sameText } from '../digest.ts';
import { DAY, MINUTE, SECOND } from '../durations.ts';
import type { Scope } from './scope.ts';

export const lifetimes = {
  code: MINUTE,
  accessToken: 15 * MINUTE,
  refreshToken: 30 * DAY,
  /** A repeat this soon is a client's retry, not a stolen code. */
  replayGrace: 10 * SECOND,
  /** How long a grant is kept after its end, so that a late attempt to use it is refused for its true reason. */
  retention: DAY,
  /** How long a code that was never exchanged is kept. Shorter, because a browser can request any number of codes. */
  unusedCodeRetention: 10 * MINUTE,
} as const;

/** What the tokens of a grant say. */
export interface SignedGrant {
  readonly id: string;
  readonly userId: string;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly nonce: string | null;
  readonly authTime: number;
  readonly amr: readonly string[];
  /** The id of the service key that makes the `sid`; null, for grants of 0.3.0, for whichever signs. */
  readonly sidKey: string | null;
}

/** With what a refresh token is judged by. */
export interface RefreshableGrant extends SignedGrant {
  readonly refreshDigest: string | null;
  readonly expiresAt: number | null;
  readonly endedAt: number | null;
  readonly lastUsedAt: number | null;
  /** False once the user or the client has been stopped since the approval, even if they were restored afterwards. */
  readonly partiesAreActive: boolean;
}

export interface Grant extends RefreshableGrant {
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly codeDigest: string;
  readonly codeExpiresAt: number;
  readonly exchangedAt: number | null;
}

export const refusalReasons = [
  'unknown',
  'client_mismatch',
  'redirect_uri_mismatch',
  'verifier_mismatch',
  'expired',
  'replayed',
  'ended',
] as const;

export type RefusalReason = (typeof refusalReasons)[number];

export interface PresentedCode {
  readonly codeDigest: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
}

export type ExchangeJudgement =
  | { kind: 'exchange'; grant: Grant }
  | { kind: 'refused'; reasons: readonly RefusalReason[]; endGrant: boolean };

/** Decides whether a code may be exchanged, and names every reason why not. Storage consumes the code afterwards. */
export function judgeExchange(grant: Grant | undefined, presented: PresentedCode, now: number): ExchangeJudgement {
  if (grant === undefined || !sameText(grant.codeDigest, presented.codeDigest)) {
    return { kind: 'refused', reasons: ['unknown'], endGrant: false };
  }
  const reasons: RefusalReason[] = [];
  if (grant.clientId !== presented.clientId) reasons.push('client_mismatch');
  if (grant.redirectUri !== presented.redirectUri) reasons.push('redirect_uri_mismatch');
  if (!sameText(grant.codeChallenge, presented.challenge)) reasons.push('verifier_mismatch');
  const bindingsHold = reasons.length === 0;

  if (grant.exchangedAt !== null) reasons.push('replayed');
  else if (now >= grant.codeExpiresAt) reasons.push('expired');
  const ended = grant.endedAt !== null || !grant.partiesAreActive;
  if (ended) reasons.push('ended');

  if (reasons.length === 0) return { kind: 'exchange', grant };
  const endGrant =
    bindingsHold && !ended && grant.exchangedAt !== null && now - grant.exchangedAt > lifetimes.replayGrace;
  return { kind: 'refused', reasons, endGrant };
}

export type RefreshJudgement =
  | { kind: 'refresh'; grant: RefreshableGrant }
  | { kind: 'refused'; reason: RefusalReason };

export function judgeRefresh(
  grant: RefreshableGrant | undefined,
  presented: { refreshDigest: string; clientId: string },
  now: number,
): RefreshJudgement {
  if (!grant?.refreshDigest || !sameText(grant.refreshDigest, presented.refreshDigest)) return refused('unknown');
  if (grant.clientId !== presented.clientId) return refused('client_mismatch');
  if (grant.endedAt !== null || !grant.partiesAreActive) return refused('ended');
  if (grant.expiresAt === null || now >= grant.expiresAt) return refused('expired');
  return { kind: 'refresh', grant };
}

function refused(reason: RefusalReason): RefreshJudgement {
  return { kind: 'refused', reason };
}
