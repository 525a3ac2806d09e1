// What follows the factors that a step of a sign-in has established, whichever step it was: starts the session if
// protocol/sign-in/next-step.ts says that nothing is missing, and otherwise says what is. Nothing is stored while a second
// factor is missing: what was proved travels through the browser, stamped by the HTTP layer.

import { emailKey } from '../../protocol/account/email-address.ts';
import { standingOf } from '../../protocol/account/standing.ts';
import { digestOf, sameText } from '../../protocol/digest.ts';
import { MINUTE } from '../../protocol/durations.ts';
import type { Requester } from '../../protocol/event.ts';
import { newId, newSecret } from '../../protocol/identifiers.ts';
import { formatAnswer } from '../../protocol/oauth/next-step.ts';
import type { Destination } from '../../protocol/sign-in/destination.ts';
import { hasTwoFactors, recordOf, type SignInFactors } from '../../protocol/sign-in/factors.ts';
import { nextStep, type SessionStep } from '../../protocol/sign-in/next-step.ts';
import { signInTimes } from '../../protocol/sign-in/proof.ts';
import { hasSecondFactor } from '../../protocol/sign-in/second-factor-policy.ts';
import { marksPerBrowser, trustLifetime } from '../../protocol/sign-in/session-limits.ts';
import type { IdentityKey, NewSession, SessionCondition, SignInFacts, User } from '../../storage/storage.ts';
import { reviewIsDue } from '../account/review.ts';
import { passwordSignsIn, standingOfPassword } from '../passwords/password-policy.ts';
import { sealReplacement, unsealReplacement } from '../passwords/passwords.ts';
import { askForPasskey, type Challenge } from '../second-factors/passkey-challenge.ts';
import type { Linking, Mailing, Metering, Recording, Services, Storing, Timing } from '../services.ts';
import { noteRefusedSignIn } from '../throttle.ts';
import { isWaitingListFull, tellOfWaiting } from '../users/approval.ts';
import { hasNoOtherWayIn } from '../users/identities.ts';
import { type LinkNeeded, sendSetUpLink } from './lost-factor.ts';
import { demandOf } from './second-factor-need.ts';

export type AdvanceServices = Recording & Linking & Mailing & Metering & Pick<Services, 'settings' | 'keys'>;

export type Advanced =
  | ({ kind: 'signed_in' } & StartedSession)
  /** `set_up`: they need a second factor and have none. */
  | { kind: 'second_step' | 'set_up'; pending: PendingSignIn }
  | LinkNeeded
  | WaitingForApproval;

/** No session: an administrator has to approve the account first. With too many of them, none was created. */
export type WaitingForApproval = { kind: 'waiting_for_approval' | 'too_many_waiting' };

/** Undefined when the user, or what they signed in with, has changed meanwhile. */
export async function advance(
  services: AdvanceServices,
  person: ProvenPerson,
  requester: Requester,
): Promise<Advanced | undefined> {
  const { clock, journal, meters } = services;
  const { user, facts, factors, destination, together } = person;
  const isNew = together?.kind === 'account';
  if (standingOf(user, clock.now()) === 'waiting') {
    return isNew ? beginToWait(services, together.store) : refuseWaiting(services, person, requester);
  }
  // Two factors satisfy every demand, so there is no need to look it up.
  const isComplete = hasTwoFactors(recordOf(factors).amr);
  const demand = isComplete
    ? ({ need: 'none', prefersTwo: false } as const)
    : await demandOf(services, user, destination);
  const established = {
    kind: 'factors',
    factors,
    hasSecondFactor: hasSecondFactor(facts),
    trustsBrowser: clock.now() < (facts.trustedUntil ?? 0),
    mayAddFactor: factors.first !== 'email_code' || person.onlyWayIn === true,
    hasLostFactor: user.lostFactorAt !== null,
    ...demand,
  } as const;
  let step = nextStep(established);
  if (step.kind === 'start_session') {
    const started = await startSession(services, { ...person, factors: step.factors }, requester);
    if (started !== undefined) return { kind: 'signed_in', ...started };
    if (step.factors.second !== 'trusted_device' || person.replacementHash !== undefined) return undefined;
    // The browser may have lost its trust at this moment, which is no reason to turn anybody away.
    step = nextStep({ ...established, trustsBrowser: false });
    if (step.kind === 'start_session') return undefined;
  }
  const withoutSession = together?.kind === 'second_factor' ? undefined : together;
  if (withoutSession !== undefined && !(await withoutSession.store(undefined))) return undefined;
  if (!isNew) {
    const detail = { device: requester.device ?? '' };
    journal.note({ kind: 'second_step_asked', userId: user.id, ...clientOf(destination), detail }, requester);
    meters.secondSteps.add({ result: 'asked' });
  }
  if (step.kind === 'set_up_by_link') return sendSetUpLink(services, person, requester);
  return { kind: step.kind, pending: pendingSignIn(services, user, person) };
}

/** A person whose account isn't approved yet has proved who they are. */
export function refuseWaiting(
  services: Pick<Services, 'journal' | 'meters'>,
  { user, destination }: Pick<ProvenPerson, 'user' | 'destination'>,
  requester: Requester,
): WaitingForApproval {
  const kind = 'waiting_for_approval';
  noteRefusedSignIn(services, { userId: user.id, ...clientOf(destination) }, kind, requester);
  return { kind };
}

async function beginToWait(
  services: Timing & Mailing,
  create: (start: undefined) => Promise<boolean>,
): Promise<WaitingForApproval | undefined> {
  if (!(await create(undefined))) {
    return (await isWaitingListFull(services)) ? { kind: 'too_many_waiting' } : undefined;
  }
  // The account exists, and administrators are told later if that isn't possible now.
  await tellOfWaiting(services).catch(() => {});
  return { kind: 'waiting_for_approval' };
}

/** Of an account that is about to be created. */
export const noFacts: SignInFacts = {
  knownDevice: undefined,
  trustedUntil: undefined,
  authenticator: undefined,
  recoveryCodes: 0,
  passkeys: [],
  suspended: [],
};

/** The cookies that a browser brings to a sign-in. */
export interface Browser {
  /** The secret of the session that it has. That session ends, so that signing in always leaves exactly one. */
  readonly session: string | undefined;
  /** The marks that it was given at earlier sign-ins, newest first. Each was made for one user and is known for no other. */
  readonly marks: readonly string[];
  /** The ID of the account that it remembers. */
  readonly remembered?: string | undefined;
}

/** "Keep me signed in": `remembered` was ticked for the account that the browser remembers, and counts for no other. */
export type Keep = boolean | 'remembered';

export interface SignInContext {
  readonly browser: Browser;
  readonly destination: Destination;
  /** Whether the session outlasts the browser. */
  readonly keep: Keep;
  /** Ticked with the second step: the browser is spared it from now on. */
  readonly trust?: boolean;
  /** Takes the place of the hash that another service has made of the password. */
  readonly replacementHash?: string | undefined;
  /** The identity that has taken the place of the password. */
  readonly upstream?: UsedIdentity | undefined;
}

/** A person who has proved who they are, and with what. */
export interface ProvenPerson extends SignInContext {
  readonly user: User;
  readonly facts: SignInFacts;
  readonly factors: SignInFactors;
  /** The passkey that they have signed in with, which has to be in force still. */
  readonly passkeyId?: string | undefined;
  /** Whether they have nothing else to prove who they are with. */
  readonly onlyWayIn?: boolean;
  readonly together?: StoredTogether;
}

/** What is stored in one write with the session, which is undefined while something is still missing. */
export type StoredTogether =
  /** An account that doesn't exist yet. */
  | { readonly kind: 'account'; readonly store: (start: NewSession | undefined) => Promise<boolean> }
  /** What the first factor was proved with is used up. */
  | { readonly kind: 'first_factor'; readonly store: (start: NewSession | undefined) => Promise<boolean> }
  /** The second factor is used up, or added. Nothing is missing after it. */
  | { readonly kind: 'second_factor'; readonly store: (start: NewSession) => Promise<boolean> };

/** An identity at an upstream, as a person has just signed in with it. */
export interface UsedIdentity extends IdentityKey {
  /** Of the upstream. */
  readonly name: string;
  readonly email: string | null;
  /** When the upstream last checked who it is, in milliseconds; null if it doesn't say. */
  readonly authenticatedAt: number | null;
}

interface StartedSession {
  readonly userId: string;
  readonly sessionSecret: string;
  readonly kept: boolean;
  /** What the browser keeps from now on: this user's mark, and those of others who sign in with it. */
  readonly marks: readonly string[];
  readonly next: SessionStep;
  /** Of the user, whose language the browser gets. */
  readonly locale: string | null;
}

/**
 * Starts the session, remembers the browser, and sends the user an email when they have not signed in with that browser
 * before. Undefined when the user was disabled, their password was changed, or trust ended, while they were signing in.
 */
async function startSession(
  services: Recording & Mailing & Metering & Pick<Services, 'random' | 'settings'>,
  person: ProvenPerson,
  requester: Requester,
): Promise<StartedSession | undefined> {
  const { clock, random, journal, meters, emailQueue, emailsFor } = services;
  const { user, facts, factors, browser, destination, trust = false, replacementHash, upstream, together } = person;
  const kept = person.keep === 'remembered' ? browser.remembered === user.id : person.keep;
  const sessionSecret = newSecret('lks_', random);
  // A mark that isn't known for this user is never made known: the person who left it in the browser may have kept a copy.
  const known = browser.marks.find((mark) => digestOf(mark) === facts.knownDevice);
  const ownMark = known ?? newSecret('lkd_', random);
  const marks = [ownMark, ...browser.marks.filter((mark) => mark !== ownMark)].slice(0, marksPerBrowser);
  const now = clock.now();
  const { method, amr } = recordOf(factors);
  const session = {
    digest: digestOf(sessionSecret),
    userId: user.id,
    userGeneration: user.generation,
    createdAt: now,
    lastSeenAt: now,
    ...signInTimes(factors, upstream?.authenticatedAt ?? null, now, person.onlyWayIn),
    amr,
    answered: destination.kind === 'authorization' ? formatAnswer('signed_in', destination.query) : null,
    device: requester.device ?? null,
    address: requester.address,
    kept,
    trusted: factors.second === 'trusted_device',
    id: newId(random),
  };
  const deviceDigest = digestOf(ownMark);
  const reviewDue = await reviewIsDue(services, user);
  const deviceName = requester.device ?? '';
  const detail = { method, device: deviceName, ...(upstream && { upstream: upstream.name }) };
  const event = journal.event({ kind: 'signed_in', userId: user.id, ...clientOf(destination), detail }, requester);
  const start: NewSession = {
    session,
    replacedDigest: browser.session && digestOf(browser.session),
    deviceDigest,
    trustedUntil: trust ? now + trustLifetime : undefined,
    event,
    replacementHash,
  };
  const storeAlone = () => storeSession(services, person, start, conditionOf(person, deviceDigest, now));
  if (!(await (together?.store(start) ?? storeAlone()))) return undefined;
  journal.countWritten(event);
  meters.signIns.add({ result: 'signed_in', reason: method });
  if (replacementHash !== undefined) meters.hashesReplaced.add({});
  if (trust) journal.note({ kind: 'device_trusted', userId: user.id, detail: { device: deviceName } }, requester);
  // No browser can be known for an account that was just created.
  if (known === undefined && together?.kind !== 'account') {
    const emails = emailsFor(user.locale);
    await emailQueue.notify(
      emails.newDevice({ to: user.email, device: deviceName, at: now, address: requester.address }),
    );
  }
  const passkeyWanted =
    factors.first === 'password' &&
    facts.passkeys.length === 0 &&
    (await standingOfPassword(services, user)).kind !== 'allowed';
  const next = nextStep({ kind: 'session', lacking: undefined, reviewDue, passkeyWanted });
  return { userId: user.id, sessionSecret, kept, marks, next, locale: user.locale };
}

/** Stores a session that starts with a password, or with an identity that has to be the user's still. */
export function storeSession(
  { storage }: Storing,
  { user: { sessionGeneration }, upstream }: Pick<ProvenPerson, 'user' | 'upstream'>,
  start: NewSession,
  condition: SessionCondition | undefined,
): Promise<boolean> {
  const checked = { ...start, sessionGeneration, condition };
  return upstream === undefined ? storage.startSession(checked) : storage.startSessionWithIdentity(checked, upstream);
}

/** What a single factor depends on. It may change while the password or the upstream's response is being checked. */
function conditionOf(
  { factors: { first, second }, passkeyId }: ProvenPerson,
  digest: string,
  at: number,
): SessionCondition | undefined {
  if (second === 'trusted_device') return { kind: 'trusted_device', digest, at };
  if (passkeyId !== undefined) return { kind: 'passkey', id: passkeyId };
  return second === 'none' && first !== 'passkey' ? { kind: 'no_second_factor' } : undefined;
}

/** The client that a sign-in is for, as its events name it. */
export function clientOf(destination: Destination): { clientId?: string } {
  return destination.kind === 'authorization' ? { clientId: destination.clientId } : {};
}

/** A sign-in whose first factor was right and that needs a second. */
export interface PendingSignIn {
  readonly userId: string;
  /** Whatever ends all of the person's sessions ends every sign-in that is waiting. */
  readonly sessionGeneration: number;
  /** When the password was given. */
  readonly at: number;
  /** What takes the place of the hash that another service has made of the password, encrypted. */
  readonly sealedHash?: string | undefined;
  /** What has taken the place of the password: an identity, or a code that was sent to the address with this digest. */
  readonly upstream?: UsedIdentity | undefined;
  readonly emailMark?: string | undefined;
  /** Whether the account was just created: what is set up now counts as part of that. */
  readonly isNew?: true | undefined;
  /** Whether it was begun with the link that is sent to those who were imported without their second factor. */
  readonly byLink?: true | undefined;
}

/** How long the second step may take; people have to find their phone first. */
export const secondStepLifetime = 10 * MINUTE;

function pendingSignIn(
  services: Pick<Services, 'clock' | 'keys'>,
  user: User,
  { factors, replacementHash, upstream, together }: ProvenPerson,
): PendingSignIn {
  const sealedHash = replacementHash && sealReplacement(services, user.id, replacementHash);
  const emailMark = factors.first === 'email_code' ? emailMarkOf(user) : undefined;
  const at = services.clock.now();
  const isNew = together?.kind === 'account' ? true : undefined;
  const { id: userId, sessionGeneration } = user;
  return { userId, sessionGeneration, at, sealedHash, upstream, emailMark, isNew };
}

function emailMarkOf({ email }: User): string {
  return digestOf(emailKey(email));
}

/** The user of a sign-in that is waiting and their second factors; undefined when it has expired, as passwords may have. */
export async function findPendingSignIn(
  services: Timing & Pick<Services, 'keys' | 'settings'>,
  pending: PendingSignIn,
  marks: readonly string[] = [],
) {
  const { storage, clock } = services;
  if (clock.now() - pending.at >= secondStepLifetime) return undefined;
  const user = await storage.findUser(pending.userId);
  if (user === undefined || standingOf(user, clock.now()) !== 'active') return undefined;
  if (user.sessionGeneration !== pending.sessionGeneration) return undefined;
  const isPassword = pending.upstream === undefined && pending.emailMark === undefined;
  if (isPassword && !(await passwordSignsIn(services, user))) return undefined;
  if (isPassword && user.lostFactorAt !== null && pending.byLink !== true) return undefined;
  const replacementHash = unsealReplacement(services, user.id, pending.sealedHash);
  const facts = await storage.findSignInFacts(user.id, marks.map(digestOf));
  if (pending.emailMark === undefined) {
    return { user, facts, first: pending.upstream === undefined ? 'password' : 'upstream', replacementHash } as const;
  }
  const { email_codes: policy } = await services.settings.read();
  const isExcluded = policy === 'off' || (policy === 'without_second_factor' && hasSecondFactor(facts));
  if (isExcluded || !sameText(emailMarkOf(user), pending.emailMark)) return undefined;
  const onlyWayIn = await hasNoOtherWayIn(services, user);
  return { user, facts, first: 'email_code', replacementHash, onlyWayIn } as const;
}

/** What a browser needs to ask for one of the user's passkeys; undefined when the sign-in has expired. */
export async function askForSecondStepPasskey(
  services: Timing & Pick<Services, 'random' | 'keys' | 'settings' | 'webauthn'>,
  pending: PendingSignIn,
): Promise<{ challenge: Challenge; options: object } | undefined> {
  const found = await findPendingSignIn(services, pending);
  return found && askForPasskey(services, found.facts.passkeys);
}
