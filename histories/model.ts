// What the service promises, as a state machine for one person, one session and one grant. It knows nothing of requests that
// overlap: the checker looks for an order in which this machine gives every response.

import { lifetimes } from '../src/protocol/oauth/grant.ts';
import type { Operation, Subject } from './operation.ts';

/** Milliseconds by which the service's clock, which may be adjusted, may differ from that of the recording. */
const tolerance = 1000;

interface Span {
  readonly start: number;
  /** Infinity when it isn't known. */
  readonly end: number;
}

export interface State {
  readonly enabled: boolean;
  readonly session: 'none' | 'live' | 'ended';
  /** Whether the application is connected. */
  readonly consent: boolean;
  readonly grant:
    | { readonly kind: 'none' | 'ended' }
    /** When the code was issued, or exchanged. */
    | { readonly kind: 'code' | 'active'; readonly at: Span };
  /** Access tokens that were revoked on their own. */
  readonly revoked: readonly number[];
}

export const initial: State = {
  enabled: true,
  session: 'none',
  consent: false,
  grant: { kind: 'none' },
  revoked: [],
};

/** Whether the operation can have a part in the order of this subject. What never happened has none. */
export function concerns(operation: Operation, { session, grant }: Subject): boolean {
  const { kind, outcome } = operation;
  if (outcome === 'unchanged') return false;
  if (outcome === 'unknown' && isRead(operation)) return false;
  switch (kind) {
    case 'disable':
    case 'enable':
      return true;
    case 'sign-in':
    case 'sign-out':
      return operation.session === session;
    case 'approve':
    case 'remove-access':
      // Whoever does it, it changes the consent.
      return operation.session === session || outcome === 'done' || outcome === 'unknown';
    case 'authorize':
      return grant === undefined ? operation.session === session : operation.grant === grant;
    default:
      return operation.grant === grant;
  }
}

/** Operations that change nothing, whatever came of them. */
export function isRead({ kind, outcome }: Operation): boolean {
  if (kind === 'userinfo' || kind === 'refresh') return true;
  // A code that is refused may have been replayed too late, which ends the grant.
  return (outcome === 'refused' && kind !== 'exchange') || outcome === 'signed-out';
}

/** The states after an operation with its outcome; none if it can't have that outcome in this state. */
export function after(state: State, operation: Operation, subject: Subject): readonly State[] {
  if (operation.outcome === 'unknown') {
    const unfinished = { ...operation, end: Number.POSITIVE_INFINITY };
    // A replay that got no response may have ended the grant.
    const replayed = operation.kind === 'exchange' ? lateReplay(state, unfinished) : [];
    return [...after(state, { ...unfinished, outcome: 'done' }, subject), ...replayed];
  }
  const done = operation.outcome === 'done';
  const when = (possible: boolean, change: Partial<State> = {}) => (possible ? [{ ...state, ...change }] : []);
  const { enabled, session, consent, grant, revoked } = state;
  const isExchanged = grant.kind === 'active' || grant.kind === 'ended';
  const isRevoked = 'token' in operation && revoked.includes(operation.token);
  const own = 'session' in operation && operation.session === subject.session;

  switch (operation.kind) {
    case 'sign-in':
      return done ? when(enabled, { session: 'live' }) : when(!enabled);
    case 'sign-out':
      return when(true, { session: 'ended' });
    case 'disable':
      return done ? when(enabled, { enabled: false, session: ended(session), grant: endOf(grant) }) : when(!enabled);
    case 'enable':
      return done ? when(!enabled, { enabled: true }) : when(enabled);
    case 'authorize':
    case 'approve': {
      if (operation.outcome === 'signed-out') return when(session !== 'live');
      if (operation.outcome === 'refused') return when(session === 'live' && !consent);
      const isApproval = operation.kind === 'approve';
      const allowed = enabled && (isApproval || consent) && (!own || session === 'live');
      const begins = operation.grant === subject.grant;
      return when(allowed && (!begins || grant.kind === 'none'), {
        consent: true,
        grant: begins ? { kind: 'code', at: spanOf(operation) } : grant,
      });
    }
    case 'remove-access':
      // The session is looked at before, and may end meanwhile.
      if (operation.outcome === 'signed-out') return when(session !== 'live');
      return done ? when(consent, { consent: false, grant: endOf(grant) }) : when(!consent);
    case 'exchange':
      if (!done) return refusedExchange(state, operation);
      return when(grant.kind === 'code' && operation.start - grant.at.end < lifetimes.code + tolerance, {
        grant: { kind: 'active', at: spanOf(operation) },
      });
    case 'refresh':
      return when(grant.kind === (done ? 'active' : 'ended'));
    case 'userinfo':
      return when(done ? grant.kind === 'active' && !isRevoked : grant.kind === 'ended' || (isExchanged && isRevoked));
    // There are tokens only after an exchange.
    case 'revoke':
      return when(isExchanged, { grant: { kind: 'ended' } });
    case 'revoke-token':
      return when(isExchanged, { revoked: isRevoked ? revoked : [...revoked, operation.token].sort() });
  }
}

function refusedExchange(state: State, operation: Operation): readonly State[] {
  const { grant } = state;
  if (grant.kind === 'ended') return [state];
  if (grant.kind === 'active') {
    const isLate = operation.start - grant.at.end > lifetimes.replayGrace + tolerance;
    return isLate ? lateReplay(state, operation) : [state, ...lateReplay(state, operation)];
  }
  // A code that was issued and not used is refused once it has expired.
  const mayHaveExpired = grant.kind === 'code' && operation.end - grant.at.start > lifetimes.code - tolerance;
  return mayHaveExpired ? [state] : [];
}

/** The grant ends with a replay that comes too late to be a client's retry. */
function lateReplay(state: State, operation: Operation): readonly State[] {
  const { grant } = state;
  const mayBeLate = grant.kind === 'active' && operation.end - grant.at.start > lifetimes.replayGrace - tolerance;
  return mayBeLate ? [{ ...state, grant: { kind: 'ended' } }] : [];
}

function spanOf({ start, end }: Operation): Span {
  return { start, end };
}

const ended = (session: State['session']) => (session === 'live' ? 'ended' : session);

const endOf = (grant: State['grant']): State['grant'] => (grant.kind === 'none' ? grant : { kind: 'ended' });
