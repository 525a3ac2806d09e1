// An authorization request, from the moment a client sends the browser here until it gets its code or an error. What the
// request needs next is decided by protocol/oauth/next-step.ts; the pages that ask for it are shown by the HTTP layer.

import { digestOf } from '../../protocol/digest.ts';
import { type EventDetail, quoted, quotedClientId, type Requester } from '../../protocol/event.ts';
import { type Eventual, whenThere } from '../../protocol/eventual.ts';
import { formatCode, newSecret, newTimeOrderedId } from '../../protocol/identifiers.ts';
import { keysOf, scopeOfClaims } from '../../protocol/oauth/application-claims.ts';
import {
  type AuthorizationError,
  type AuthorizationRequest,
  soleParameter,
} from '../../protocol/oauth/authorization-request.ts';
import { lifetimes } from '../../protocol/oauth/grant.ts';
import {
  type AuthorizationFacts,
  type AuthorizationStep,
  answerTo,
  formatAnswer,
  nextStep,
} from '../../protocol/oauth/next-step.ts';
import { withParameters } from '../../protocol/oauth/redirect-uri.ts';
import { formatScopes, type Scope, supportedScopes } from '../../protocol/oauth/scope.ts';
import { type QueryReading, readQuery } from '../../protocol/reading/parameters.ts';
import type { Settings } from '../../protocol/resources/settings.ts';
import type { Client, NewGrant, RememberedApproval, SignedIn } from '../../storage/storage.ts';
import { reviewIsDue } from '../account/review.ts';
import type { Linking, Metering, Recording, Services, Storing } from '../services.ts';
import { liveSession } from '../sessions/sessions.ts';
import { lacksFactorFor, userHasSecondFactor } from '../sign-in/second-factor-need.ts';
import { type AuthorizationRefusal, judgeRequest, type OpenRequest, verifiedHint } from './open-request.ts';

type AuthorizeServices = Recording & Linking & Metering & Pick<Services, 'settings' | 'keys' | 'approvals'>;

export type AuthorizeOutcome =
  /** Answered with an error page: it is not safe to redirect. */
  /** With the client, if there is one. */
  | { kind: 'refused'; reason: AuthorizationRefusal; client: Client | undefined }
  /** Answered with an error at the client's redirect URI. */
  | { kind: 'denied'; location: string }
  | ({ kind: 'sign_in' } & OpenRequest)
  | ({ kind: 'choose_account'; signedIn: SignedIn } & OpenRequest)
  /** Answered with a page: the user may use another account. `location` leads back to the client with an error. */
  | ({ kind: 'no_access'; signedIn: SignedIn; location: string } & OpenRequest)
  /** The owner has to review the account first. */
  | ({ kind: 'review'; signedIn: SignedIn } & OpenRequest)
  /** The session has to get a second factor first. */
  | ({ kind: 'second_factor'; signedIn: SignedIn } & OpenRequest)
  /** `changed` when the user has approved a page that listed other scopes or claims. */
  | ({ kind: 'ask_consent'; signedIn: SignedIn; changed?: boolean } & OpenRequest)
  | { kind: 'approved'; location: string }
  /** Answered with a page: a redirect would invite the client to try again at once. */
  | Throttled;

interface Throttled {
  readonly kind: 'throttled';
  readonly client: Client;
  readonly retryAfterSeconds: number;
}

export interface Decision {
  readonly kind: 'approve' | 'cancel';
  /** The scopes that the consent page listed; none if that isn't known. */
  readonly shown: readonly Scope[];
  /** The keys of the claims that it listed. */
  readonly shownClaims: string | null;
}

export async function authorize(
  services: AuthorizeServices,
  rawQuery: string,
  sessionSecret: string | undefined,
  requester: Requester,
): Promise<AuthorizeOutcome> {
  const opened = await open(services, rawQuery, sessionSecret, requester);
  if (opened.kind !== 'open') return opened;
  const { client, request, signedIn } = opened;
  const step = stepFor(services, rawQuery, opened);
  if (step.kind === 'denied') {
    if (step.error === 'access_denied') noteNoAccess(services, opened, requester);
    return deny(services, request, step.error);
  }
  if (step.kind === 'sign_in' || signedIn === undefined) return { kind: 'sign_in', client, request };
  if (step.kind === 'no_access') return refuseAccess(services, opened, signedIn, requester);
  if (step.kind !== 'approved') return { kind: step.kind, client, request, signedIn };

  const throttled = takeApproval(services, opened, signedIn, requester);
  if (throttled !== undefined) return throttled;
  const location = await approveAsBefore(services, { client, request, signedIn }, requester);
  // In another window, the user has just removed the consent or signed out: evaluate the request again.
  return location === undefined
    ? authorize(services, rawQuery, sessionSecret, requester)
    : { kind: 'approved', location };
}

/**
 * Answers a request of someone who's signed in and approved the client before, if nothing has to be asked: where to redirect.
 * Undefined for every other request; authorize() has an answer for it, and nothing was recorded about it here.
 */
export function authorizeAgain(
  services: AuthorizeServices,
  rawQuery: string,
  sessionSecret: string,
  requester: () => Requester,
): Eventual<string | undefined> {
  const query = readQuery(rawQuery);
  const clientId = soleParameter(query, 'client_id');
  if (clientId === undefined) return undefined;
  const reading = services.settings.read();
  const finding = services.storage.findRememberedApproval(clientId, digestOf(sessionSecret), services.clock.now());
  return whenThere(finding, (found) =>
    whenThere(reading, (settings) => {
      const approved = found && judgeAgain(services, rawQuery, query, found, settings);
      return approved && approveAsBefore(services, approved, requester());
    }),
  );
}

function judgeAgain(
  services: AuthorizeServices,
  rawQuery: string,
  query: QueryReading,
  { client, signedIn, consentedScopes, consentedClaims }: RememberedApproval,
  settings: Settings,
): Approvable | undefined {
  const judged = judgeRequest(query, client);
  if (judged.kind !== 'open' || liveSession(services, signedIn) === undefined) return undefined;
  const { request } = judged;
  const lacksSecondFactor = lacksFactorFor(settings, signedIn, client, request);
  if (lacksSecondFactor !== false) return undefined;
  // Whether there is anything to review is left to the page.
  const reviewDue = signedIn.user.reviewSince !== null;
  const consented = { consentedScopes, consentedClaims };
  const known = { ...consented, client, request, signedIn, hasAccess: true, reviewDue, lacksSecondFactor };
  if (stepFor(services, rawQuery, known).kind !== 'approved') return undefined;
  return services.approvals.take(signedIn.user.id) === 0 ? { client, request, signedIn } : undefined;
}

/** Undefined when the consent, the session, the user or the client was stopped meanwhile. */
async function approveAsBefore(
  services: AuthorizeServices,
  { client, request, signedIn }: Approvable,
  requester: Requester,
): Promise<string | undefined> {
  const { grant, code } = newGrant(services, client, request, signedIn);
  if (!(await services.storage.issueCode(grant, services.clock.now()))) return undefined;
  await clearAnswer(services, signedIn);
  services.journal.note({ ...approvalFacts(grant, request, 'remembered'), kind: 'approved' }, requester);
  return responseUrl(services, request, { code });
}

/** The user has answered the consent page. */
export async function decide(
  services: AuthorizeServices,
  rawQuery: string,
  sessionSecret: string | undefined,
  decision: Decision,
  requester: Requester,
): Promise<AuthorizeOutcome> {
  const opened = await open(services, rawQuery, sessionSecret, requester);
  if (opened.kind !== 'open') return opened;
  const { client, request, signedIn, consentedScopes } = opened;
  if (decision.kind === 'cancel') {
    if (signedIn !== undefined) await clearAnswer(services, signedIn);
    const about = { ...(signedIn && { userId: signedIn.user.id }), clientId: client.id };
    services.journal.note({ kind: 'authorization_denied', ...about }, requester);
    return deny(services, request, 'access_denied');
  }
  // The page may have been open for long, or its form sent twice: check again that the sign-in is recent enough.
  const step = stepFor(services, rawQuery, opened);
  if (step.kind === 'denied' && step.error === 'login_required') return deny(services, request, step.error);
  if (signedIn === undefined || step.kind === 'sign_in') return { kind: 'sign_in', client, request };
  // Asked of what is open and not of the step, which may be to choose the account again: a form that is sent twice.
  if (opened.reviewDue) return { kind: 'review', client, request, signedIn };
  if (!opened.hasAccess) return refuseAccess(services, opened, signedIn, requester);
  if (opened.lacksSecondFactor) return { kind: 'second_factor', client, request, signedIn };
  // A request that names no scopes gets all that the client has, and the client and its claims may have changed since.
  const wasShown = formatScopes(decision.shown) === formatScopes(request.scopes);
  if (!wasShown || decision.shownClaims !== requestedClaims(client, request)) {
    return { kind: 'ask_consent', client, request, signedIn, changed: decision.shown.length > 0 };
  }

  const throttled = takeApproval(services, opened, signedIn, requester);
  if (throttled !== undefined) return throttled;
  const { grant, code } = newGrant(services, client, request, signedIn);
  const event = services.journal.event({ kind: 'approved', ...approvalFacts(grant, request, 'asked') }, requester);
  const scopes = supportedScopes.filter((scope) => request.scopes.includes(scope) || consentedScopes?.includes(scope));
  const approved = await services.storage.approve(grant, scopes, services.clock.now(), event);
  // The user was just disabled or signed out, or the client revoked: evaluate the request again.
  if (!approved) return authorize(services, rawQuery, sessionSecret, requester);
  await clearAnswer(services, signedIn);
  return { kind: 'approved', location: responseUrl(services, request, { code }) };
}

/** The user continues with the account that is signed in. */
export async function chooseAccount(services: Storing, rawQuery: string, signedIn: SignedIn): Promise<void> {
  await services.storage.answerRequest(signedIn.session.digest, formatAnswer('chose_account', rawQuery));
}

/** As much of the client and the session as both ways to a code know. */
type KnownClient = RememberedApproval['client'];
type KnownSession = RememberedApproval['signedIn'];

interface Approvable extends OpenRequest<KnownClient> {
  readonly signedIn: KnownSession;
}

interface Judged<Known, Account> extends OpenRequest<Known> {
  readonly signedIn: Account | undefined;
  readonly consentedScopes: readonly Scope[] | undefined;
  readonly consentedClaims: string | null;
  readonly hasAccess: boolean;
  readonly reviewDue: boolean;
  readonly lacksSecondFactor: boolean;
}

interface Open extends Judged<Client, SignedIn> {
  readonly kind: 'open';
}

function stepFor(
  services: AuthorizeServices,
  rawQuery: string,
  judged: Judged<KnownClient, KnownSession>,
): AuthorizationStep {
  const { client, request, signedIn, consentedScopes, consentedClaims, hasAccess, reviewDue, lacksSecondFactor } =
    judged;
  const now = services.clock.now();
  // What isn't a hint is ignored, as it would be if the client had sent none.
  const hint = request.idTokenHint === undefined ? undefined : verifiedHint(services, request.idTokenHint);
  const facts: AuthorizationFacts = {
    request,
    clientIsPublic: client.isPublic,
    authenticatedAt: signedIn?.session.authTime,
    hintIsOfAnother: hint !== undefined && signedIn !== undefined && hint.userId !== signedIn.user.id,
    answered: signedIn && answerTo(rawQuery, signedIn.session, now),
    consentedScopes,
    clientClaims: client.claims,
    consentedClaims,
    hasAccess,
    reviewDue,
    lacksSecondFactor,
  };
  return nextStep(facts, now);
}

async function open(
  services: Recording & Pick<Services, 'issuer' | 'settings'>,
  rawQuery: string,
  sessionSecret: string | undefined,
  requester: Requester,
): Promise<Extract<AuthorizeOutcome, { kind: 'refused' | 'denied' }> | Open> {
  const query = readQuery(rawQuery);
  const clientId = soleParameter(query, 'client_id');
  const sessionDigest = sessionSecret && digestOf(sessionSecret);
  // In one turn, so that settings that have to be read again cost no round trip of their own.
  const [found, settings] = await Promise.all([
    clientId ? services.storage.findAuthorizationContext(clientId, sessionDigest, services.clock.now()) : undefined,
    services.settings.read(),
  ]);
  const judged = judgeRequest(query, found?.client);
  const note = (detail: EventDetail) => {
    const about = found === undefined ? {} : { clientId: found.client.id };
    services.journal.noteRateLimited({ kind: 'authorization_refused', detail, ...about }, requester);
  };
  if (judged.kind === 'invalid') {
    const { redirectUri, error: reason, description } = judged;
    note({ reason, ...(description !== undefined && { description: quoted(description) }) });
    return deny(services, { redirectUri, state: query.parameters.get('state') }, reason, description);
  }
  if (judged.kind === 'refused' || found === undefined) {
    const reason = judged.kind === 'refused' ? judged.reason : 'unknown_client';
    const { parameters, repeated } = query;
    note({
      reason,
      received: repeated.has('redirect_uri') ? '(repeated)' : quoted(parameters.get('redirect_uri') ?? ''),
      ...(found ? { registered: found.client.redirectUris } : { requested_client: quotedClientId(clientId ?? '') }),
    });
    return { kind: 'refused', reason, client: found?.client };
  }
  const { client, request } = judged;
  const { hasAccess, consentedClaims } = found;
  const signedIn = liveSession(services, found.signedIn);
  const consentedScopes = signedIn && found.consentedScopes;
  const lacksSecondFactor =
    signedIn !== undefined &&
    hasAccess &&
    (lacksFactorFor(settings, signedIn, client, request) ?? (await userHasSecondFactor(services, signedIn.user)));
  const reviewDue = signedIn !== undefined && (await reviewIsDue(services, signedIn.user));
  const consented = { consentedScopes, consentedClaims };
  return { kind: 'open', client, request, signedIn, ...consented, hasAccess, reviewDue, lacksSecondFactor };
}

function refuseAccess(
  services: Pick<Services, 'issuer' | 'journal'>,
  open: Open,
  signedIn: SignedIn,
  requester: Requester,
): AuthorizeOutcome {
  noteNoAccess(services, open, requester);
  const { client, request } = open;
  return { kind: 'no_access', client, request, signedIn, location: deny(services, request, 'access_denied').location };
}

function noteNoAccess(services: Pick<Services, 'journal'>, { client, signedIn }: Open, requester: Requester): void {
  const about = { ...(signedIn && { userId: signedIn.user.id }), clientId: client.id };
  services.journal.noteRateLimited({ kind: 'access_refused', ...about }, requester);
}

/** Undefined when the user may be issued another code. What is over the limit is counted, and one event an hour says so. */
function takeApproval(
  services: Pick<Services, 'journal' | 'meters' | 'approvals'>,
  open: Open,
  { user }: SignedIn,
  requester: Requester,
): Throttled | undefined {
  const retryAfterSeconds = services.approvals.take(user.id);
  if (retryAfterSeconds === 0) return undefined;
  services.meters.throttled.add({ limit: 'approval' });
  const facts = { kind: 'approvals_throttled', userId: user.id, clientId: open.client.id } as const;
  if (services.approvals.isFirst(user.id)) services.journal.noteRateLimited(facts, requester);
  else services.journal.countRepeated(facts);
  return { kind: 'throttled', client: open.client, retryAfterSeconds };
}

function newGrant(
  { random, clock, keys }: Pick<Services, 'clock' | 'random' | 'keys'>,
  client: KnownClient,
  request: AuthorizationRequest,
  signedIn: KnownSession,
) {
  const now = clock.now();
  const id = newTimeOrderedId(now, random);
  const secret = newSecret('', random);
  const grant: NewGrant = {
    id,
    userId: signedIn.user.id,
    userGeneration: signedIn.user.generation,
    clientId: client.id,
    clientGeneration: client.generation,
    sessionDigest: signedIn.session.digest,
    scopes: request.scopes,
    redirectUri: request.redirectUri,
    codeChallenge: request.codeChallenge,
    nonce: request.nonce ?? null,
    authTime: signedIn.session.authTime,
    amr: signedIn.session.amr,
    codeDigest: digestOf(secret),
    codeExpiresAt: now + lifetimes.code,
    claims: requestedClaims(client, request),
    // For everyone else, nothing is looked up when a session ends.
    sessionId: client.backchannelLogoutUri === null ? null : signedIn.session.id,
    sidKey: keys.signingId,
  };
  return { grant, code: formatCode({ grantId: id, secret }) };
}

/** The keys of the claims that the client gets with this request; null for none. */
export function requestedClaims({ claims }: Pick<Client, 'claims'>, { scopes }: AuthorizationRequest): string | null {
  return scopes.includes(scopeOfClaims) ? keysOf(claims) : null;
}

/** So many unknown scopes are named, and so long; a request can have hundreds. */
const namedScopes = { count: 10, length: 60 };

function approvalFacts(grant: NewGrant, { ignoredScopes }: AuthorizationRequest, consent: 'asked' | 'remembered') {
  const ignored = ignoredScopes.slice(0, namedScopes.count).map((name) => name.slice(0, namedScopes.length));
  const detail = { grant: grant.id, scope: formatScopes(grant.scopes), consent };
  return {
    userId: grant.userId,
    clientId: grant.clientId,
    detail: ignored.length === 0 ? detail : { ...detail, ignored_scopes: ignored },
  };
}

/** The redirect URI with the parameters of the response. */
function responseUrl(
  services: Pick<Services, 'issuer'>,
  to: { redirectUri: string; state: string | undefined },
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  return withParameters(to.redirectUri, { ...parameters, state: to.state, iss: services.issuer });
}

function deny(
  services: Pick<Services, 'issuer'>,
  to: { redirectUri: string; state: string | undefined },
  error: AuthorizationError,
  description?: string,
): { kind: 'denied'; location: string } {
  return { kind: 'denied', location: responseUrl(services, to, { error, error_description: description }) };
}

/** Once a request is done, the session forgets how it was answered: the same request, sent again, asks again. */
async function clearAnswer(services: Storing, signedIn: KnownSession): Promise<void> {
  if (signedIn.session.answered !== null) await services.storage.answerRequest(signedIn.session.digest, null);
}
