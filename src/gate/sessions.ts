// Who is signed in. A session passes while Latchkey has confirmed it within the last seconds; then it's asked again, once for
// all requests that wait for it. Opened sessions are kept in memory, and count only while their row is there.

import type { Answer, Issuer, Tokens } from '../platform/relying-party/issuer.ts';
import type { Reachability } from '../platform/relying-party/reachability.ts';
import { newCookieSecret } from '../platform/relying-party/sealing.ts';
import { digestOf } from '../protocol/digest.ts';
import { HOUR, MINUTE } from '../protocol/durations.ts';
import type { Claims } from '../protocol/oauth/jwt.ts';
import { type GateApplication, type GateConfig, registrationOf } from './config-file.ts';
import { accountOf, identityHeaders, trustedClaims } from './identity.ts';
import type { SessionFigures } from './meters.ts';
import { emptyResponse, type GateResponse } from './responses.ts';
import { type GateKeys, sealFor, unsealFor } from './sealing.ts';
import type { SessionFile } from './session-file.ts';

/** What a row has sealed in it. Times are in milliseconds. */
interface SessionFacts {
  readonly sub: string;
  readonly sid: string;
  readonly claims: Claims;
  readonly accessToken: string;
  readonly accessUntil: number;
  readonly refreshToken: string;
  readonly idToken: string;
  readonly expiresAt: number;
  /** When Latchkey was asked for the claims. */
  readonly checkedAt: number;
}

/** An opened session. It's replaced when its row changes. */
export interface Session {
  readonly digest: string;
  readonly application: GateApplication;
  readonly facts: SessionFacts;
  /** What a check lets pass, with the identity headers. Made once, because most checks are answered with it. */
  readonly passes: GateResponse;
  readonly account: string;
  readonly key: Uint8Array;
  readonly version: number;
  /** When it was last let in. */
  usedAt: number;
}

export type Current =
  | { readonly kind: 'signed_in'; readonly session: Session }
  | { readonly kind: 'signed_out' }
  /** Latchkey doesn't answer, and hasn't for too long. */
  | { readonly kind: 'unknown' };

export interface SessionsOptions {
  readonly config: Pick<GateConfig, 'recheckSeconds' | 'graceSeconds' | 'sessionHours'>;
  readonly file: SessionFile;
  readonly keys: GateKeys;
  readonly issuer: Issuer;
  readonly reachability: Reachability;
  readonly now: () => number;
  /** A session that ended because Latchkey said so. */
  readonly ended: (session: Session, problem: string) => void;
  /** A recheck, by what Latchkey has said. */
  readonly rechecked: (answer: Answer<unknown>['kind']) => void;
  /** A check whose result couldn't be stored, so that other processes will ask again. */
  readonly unsaved: (error: unknown) => void;
}

const signedOut = { kind: 'signed_out' } as const;
const unknown = { kind: 'unknown' } as const;
/** Opened sessions have a few kilobytes each. */
const openedLimit = 5000;
/** An access token isn't used in the last seconds before it expires, in milliseconds. */
const accessMargin = 10_000;
/** How long the use of a session counts for `figures`, in milliseconds. */
const recently = MINUTE;
/** Rows stay a little longer than their sessions, so that the next sign-in can revoke the tokens in them. */
const keptAfterExpiry = 24 * HOUR;
/** How long a sign-in may take, and how long it's remembered that it's finished. */
export const signInLifetime = HOUR;

export class Sessions {
  readonly #options: SessionsOptions;
  readonly #opened = new Map<string, Session>();
  readonly #rechecks = new Map<string, Promise<Current>>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** At once if Latchkey doesn't have to be asked. `cookie` is what the browser has sent. */
  current(cookie: string | undefined, application: GateApplication): Current | Promise<Current> {
    const session = this.find(cookie, application);
    if (session === undefined) return signedOut;
    const { recheckSeconds } = this.#options.config;
    if (this.#checkedWithin(session, recheckSeconds)) return this.#letIn(session);
    const running = this.#rechecks.get(session.digest);
    if (running !== undefined) return running;
    const recheck = this.#recheck(session).finally(() => this.#rechecks.delete(session.digest));
    this.#rechecks.set(session.digest, recheck);
    return recheck;
  }

  /** The session of a cookie as it was when Latchkey was last asked; undefined if it's over. */
  find(cookie: string | undefined, application: GateApplication): Session | undefined {
    const session = cookie === undefined ? undefined : this.#open(cookie, application);
    return session !== undefined && this.#options.now() < session.facts.expiresAt ? session : undefined;
  }

  /** The cookie of the new session; undefined if the sign-in has one already, or Latchkey has ended it meanwhile. */
  add(
    application: GateApplication,
    tokens: Tokens,
    claims: Claims,
    askedAt: number,
    signIn: string,
  ): string | undefined {
    const { config, file, keys, now } = this.#options;
    const cookie = newCookieSecret();
    const expiresAt = now() + config.sessionHours * HOUR;
    const facts = { ...factsOf(tokens, claims, askedAt), expiresAt };
    const added = file.add({
      digest: digestOf(cookie),
      sidMark: keys.sidMark(application.clientId, tokens.sid),
      sealed: sealFor(application, JSON.stringify(facts), keys.keyFor('session', cookie)),
      expiresAt,
      signIn,
      signInEndsAt: now() + signInLifetime,
    });
    return added ? cookie : undefined;
  }

  /** Whether a sign-in has a session already. */
  hasFinished(signIn: string): boolean {
    return this.#options.file.hasFinished(signIn);
  }

  /** Deletes the row of a cookie. Returns its tokens, which are the caller's to revoke, also those of an expired session. */
  remove(cookie: string | undefined, application: GateApplication): SessionFacts | undefined {
    const session = cookie === undefined ? undefined : this.#open(cookie, application);
    if (session !== undefined) this.#drop(session);
    return session?.facts;
  }

  /** Ends the sessions that come from a grant. Returns how many there were. */
  end(application: GateApplication, sid: string): number {
    const { file, keys, now } = this.#options;
    const ended = file.end(keys.sidMark(application.clientId, sid), now() + signInLifetime);
    for (const digest of ended) this.#opened.delete(digest);
    return ended.length;
  }

  figures(): SessionFigures {
    const { file, now } = this.#options;
    const used = [...this.#opened.values()].filter(({ usedAt }) => now() - usedAt < recently);
    const ages = used.map(({ usedAt, facts }) => usedAt - facts.checkedAt);
    return { sessions: file.count(now()), oldestAnswer: Math.max(0, ...ages) };
  }

  sweep(): void {
    const { file, now } = this.#options;
    file.sweep(now() - keptAfterExpiry);
    for (const [digest, { facts }] of this.#opened) if (facts.expiresAt <= now()) this.#opened.delete(digest);
  }

  #open(cookie: string, application: GateApplication): Session | undefined {
    const digest = digestOf(cookie);
    const known = this.#opened.get(digest);
    if (known === undefined) {
      return this.#read({ digest, application, key: () => this.#options.keys.keyFor('session', cookie) });
    }
    // Another application's session, which wouldn't open here either.
    return known.application === application ? this.#latest(known) : undefined;
  }

  /** The session as it is in the file now. */
  #latest(session: Session): Session | undefined {
    const version = this.#options.file.versionOf(session.digest);
    return version === session.version ? session : this.#read({ ...session, key: () => session.key });
  }

  #read({ digest, application, key }: { digest: string; application: GateApplication; key: () => Uint8Array }) {
    this.#opened.delete(digest);
    const row = this.#options.file.read(digest);
    if (row === undefined) return undefined;
    const opening = key();
    const text = unsealFor(application, row.sealed, opening);
    return text === undefined
      ? undefined
      : this.#keep({ digest, application, key: opening }, JSON.parse(text) as SessionFacts, row.version);
  }

  #keep(known: Pick<Session, 'digest' | 'application' | 'key'>, facts: SessionFacts, version: number): Session {
    const { digest, application, key } = known;
    const passes = emptyResponse(200, identityHeaders(application.headers, facts.claims));
    const session = { digest, application, key, facts, passes, account: accountOf(facts.claims), version, usedAt: 0 };
    this.#opened.delete(digest);
    if (this.#opened.size >= openedLimit) this.#opened.delete(this.#opened.keys().next().value ?? '');
    this.#opened.set(digest, session);
    return session;
  }

  /** A clock that was set back doesn't make an answer any newer. */
  #checkedWithin({ facts }: Session, seconds: number): boolean {
    const age = this.#options.now() - facts.checkedAt;
    return age >= 0 && age < seconds * 1000;
  }

  #letIn(session: Session): Current {
    session.usedAt = this.#options.now();
    return { kind: 'signed_in', session };
  }

  async #recheck(session: Session): Promise<Current> {
    const { config, reachability, rechecked, ended } = this.#options;
    const askedAt = this.#options.now();
    const answer = await reachability.ask(() => this.#ask(session));
    rechecked(answer.kind);
    if (answer.kind === 'refused') {
      this.#drop(session);
      ended(session, answer.problem);
      return signedOut;
    }
    // Another process may have asked, or signed the person out, while this one waited.
    const latest = this.#latest(session);
    if (latest === undefined) return signedOut;
    if (answer.kind === 'answered') return this.#confirm(latest, { ...answer.value, checkedAt: askedAt });
    return this.#checkedWithin(latest, config.graceSeconds) ? this.#letIn(latest) : unknown;
  }

  /** What the session has after a check: fresh claims, and a new access token if the old one is about to expire. */
  async #ask({ application, facts }: Session): Promise<Answer<Omit<SessionFacts, 'checkedAt'>>> {
    const { issuer, now } = this.#options;
    const askedAt = now();
    let fresh: Omit<SessionFacts, 'checkedAt'> = facts;
    if (!(askedAt < facts.accessUntil - accessMargin)) {
      const answer = await issuer.refresh(registrationOf(application), facts);
      if (answer.kind !== 'answered') return answer;
      fresh = { ...facts, ...factsOf(answer.value, facts.claims, askedAt) };
    }
    const answer = await issuer.claims(registrationOf(application), fresh.accessToken, facts.sub);
    return answer.kind === 'answered'
      ? { kind: 'answered', value: { ...fresh, claims: trustedClaims(answer.value) } }
      : answer;
  }

  #confirm(session: Session, facts: SessionFacts): Current {
    const { digest, key, application } = session;
    const version = this.#stored(session, sealFor(application, JSON.stringify(facts), key));
    if (version !== undefined) return this.#letIn(this.#keep(session, facts, version));
    this.#opened.delete(digest);
    return signedOut;
  }

  /** The row's version; undefined if there's no row any more. A full disk doesn't sign anyone out. */
  #stored({ digest, version }: Session, sealed: Uint8Array): number | undefined {
    try {
      return this.#options.file.replace(digest, sealed);
    } catch (error) {
      this.#options.unsaved(error);
      return version;
    }
  }

  #drop({ digest }: Session): void {
    this.#opened.delete(digest);
    this.#options.file.remove(digest);
  }
}

function factsOf(
  { sub, sid, accessToken, expiresIn, refreshToken, idToken }: Tokens,
  claims: Claims,
  askedAt: number,
): Omit<SessionFacts, 'expiresAt'> {
  const accessUntil = askedAt + expiresIn * 1000;
  return { sub, sid, claims, accessToken, accessUntil, refreshToken, idToken, checkedAt: askedAt };
}
