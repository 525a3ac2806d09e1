// Setting a new password without the old one, or a passkey in its place: with a link that was requested by email, or with one
// that an administrator has handed over. A signed-in user changes their password in passwords/passwords.ts.

import { standingOf } from '../../protocol/account/standing.ts';
import { proofs } from '../../protocol/account/what-ends.ts';
import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import {
  accountPage,
  type Destination,
  formatDestination,
  parseDestination,
  withoutLink,
} from '../../protocol/sign-in/destination.ts';
import { hasPassword, noPassword } from '../../protocol/sign-in/password-policy.ts';
import type { PasswordProblem } from '../../protocol/sign-in/password-rules.ts';
import { hasSecondFactor } from '../../protocol/sign-in/second-factor-policy.ts';
import type { PasswordChange, SignInFacts, User } from '../../storage/storage.ts';
import { findLink } from '../email-links/links.ts';
import { type EmailRequestOutcome, requestEmail } from '../email-links/request-email.ts';
import { maySetPassword } from '../passwords/password-policy.ts';
import { newPasswordProblem, ownerOf } from '../passwords/passwords.ts';
import {
  type CreatedPasskey,
  offerFirstPasskey,
  type PasskeyOffered,
  readFirstPasskey,
} from '../second-factors/first-passkey.ts';
import { type ProofServices, proveThenStore, type StoredOutcome } from '../second-factors/prove-second-factor.ts';
import { newRecoveryCodes, notifyOfFactor } from '../second-factors/second-factors.ts';
import type { Linking, Mailing, Metering, PasswordRules, Recording, Services, Timing } from '../services.ts';
import { listIdentities, noteUnlinked } from '../users/identities.ts';
import { type Claiming, claimBy, tellOwner } from './claim-account.ts';

/** `destination` is where the user was going when they noticed that they had forgotten their password. */
export async function requestReset(
  services: Timing & Metering & Pick<Services, 'emailQueue'>,
  email: string,
  destination: Destination,
  requester: Requester,
): Promise<EmailRequestOutcome> {
  const wish = { kind: 'reset_password', target: formatDestination(withoutLink(destination)) } as const;
  return requestEmail(services, email, wish, requester);
}

/** `recover` is a link from an administrator. */
export type ResetPurpose = 'reset_password' | 'recover';

/** A link that sets a new password when it is used. */
export interface ResetLink {
  readonly purpose: ResetPurpose;
  readonly digest: string;
  readonly user: User;
  readonly destination: Destination;
}

/** The link, if it can still be used: not by someone who couldn't sign in afterwards. */
export async function findResetLink(
  services: Timing,
  purpose: ResetPurpose,
  secret: string | undefined,
): Promise<ResetLink | undefined> {
  const link = await findLink(services, purpose, secret);
  const user = link?.userId == null ? undefined : await services.storage.findUser(link.userId);
  if (link === undefined || user === undefined || standingOf(user, services.clock.now()) !== 'active') return undefined;
  const destination = parseDestination(link.data.target ?? '') ?? accountPage;
  return { purpose, digest: link.digest, user, destination };
}

const proofOf = { reset_password: 'reset_link', recover: 'recovery_link' } as const;

/** The address was never verified, and another person may hold the second factor: an administrator has to help. */
export type RecoveryNeeded = { kind: 'recovery_needed' };

export type ResetOutcome =
  | { kind: 'link_expired' }
  | RecoveryNeeded
  | { kind: 'invalid_password'; problem: PasswordProblem }
  | { kind: 'changed' };

/** Ends every session of the user, and all that is in an account whose address this verifies. */
export async function resetPassword(
  services: Recording & Linking & Mailing & PasswordRules & Pick<Services, 'passwords'>,
  { purpose, digest, user }: ResetLink,
  newPassword: string,
  requester: Requester,
): Promise<ResetOutcome> {
  const { storage, clock, passwords, journal, emailQueue, emailsFor, issuer } = services;
  const now = clock.now();
  const claiming = await claimBy(proofOf[purpose], services, user, now, requester);
  if (claiming.kind === 'refused') return { kind: 'recovery_needed' };
  const problem = await newPasswordProblem(services, newPassword, ownerOf(user));
  if (problem !== undefined) return { kind: 'invalid_password', problem };
  const change = {
    passwordHash: await passwords.hash(newPassword),
    proof: { kind: 'link', digest, purpose },
    ...claimOf(claiming),
  } as const;
  const identities = await listIdentities(services, user);
  const event = journal.event({ kind: 'password_reset', userId: user.id }, requester);
  if (!(await storage.changePassword(user.id, change, now, event))) return { kind: 'link_expired' };
  if (endsSomething(claiming)) await tellOwner(services, user);
  else {
    await noteUnlinked(services, user, identities, requester);
    await emailQueue.notify(
      emailsFor(user.locale).passwordChanged({ to: user.email, url: `${issuer}/reset-password` }),
    );
  }
  return { kind: 'changed' };
}

function claimOf(claiming: Claiming): Pick<PasswordChange, 'claim'> {
  return claiming.kind === 'claimed' ? { claim: claiming.claim } : {};
}

function endsSomething(claiming: Claiming): boolean {
  return claiming.kind === 'claimed' && claiming.endsSomething;
}

/**
 * What a link can set. A passkey is two factors and a mailbox is one: so a person with a second factor chooses a password, which
 * that factor comes after. Where the settings let them have none, they prove the factor here to create a passkey.
 */
export interface ResetWays {
  readonly password: boolean;
  readonly passkey: 'alone' | 'after_code' | 'no';
}

/** Undefined if an administrator has to help. */
export async function resetWays(
  services: Timing & Pick<Services, 'settings'>,
  { user, purpose }: Pick<ResetLink, 'user' | 'purpose'>,
): Promise<ResetWays | undefined> {
  const facts = await services.storage.findSignInFacts(user.id, undefined);
  const { besideFactor } = proofs[proofOf[purpose]];
  if (user.emailVerifiedAt === null && hasSecondFactor(facts) && !besideFactor) return undefined;
  return waysFor(await maySetPassword(services, user), facts);
}

function waysFor(password: boolean, facts: SignInFacts): ResetWays {
  if (!hasSecondFactor(facts)) return { password, passkey: 'alone' };
  const hasCodes = facts.authenticator !== undefined || facts.recoveryCodes > 0;
  return { password, passkey: !password && hasCodes ? 'after_code' : 'no' };
}

/** What a browser needs to create the passkey; undefined where it isn't offered. */
export async function offerResetPasskey(
  services: Timing & Pick<Services, 'settings' | 'random' | 'webauthn'>,
  { user, digest }: ResetLink,
): Promise<PasskeyOffered | undefined> {
  const facts = await services.storage.findSignInFacts(user.id, undefined);
  const { passkey } = waysFor(await maySetPassword(services, user), facts);
  return passkey === 'no' ? undefined : offerFirstPasskey(services, user, digest, facts.passkeys);
}

export type PasskeyResetOutcome =
  | Extract<ResetOutcome, { kind: 'link_expired' }>
  | RecoveryNeeded
  | { kind: 'wrong_passkey' }
  /** They have got a second factor meanwhile. */
  | { kind: 'not_offered' }
  | Exclude<StoredOutcome<never>, { kind: 'stored' | 'expired' }>
  /** New recovery codes, shown only now; undefined for a person who has some. */
  | { kind: 'created'; recoveryCodes: readonly string[] | undefined };

/**
 * Does what a reset does, with a passkey instead of the password. `code` is of the second factor, where that is asked for. The
 * conditions are part of the write: a factor that is added meanwhile keeps a mailbox from being enough.
 */
export async function resetToPasskey(
  services: ProofServices & Linking & Pick<Services, 'settings'>,
  link: ResetLink,
  { created, code }: { readonly created: CreatedPasskey; readonly code: string },
  requester: Requester,
): Promise<PasskeyResetOutcome> {
  const { storage, clock, journal } = services;
  const { purpose, digest, user } = link;
  const claiming = await claimBy(proofOf[purpose], services, user, clock.now(), requester);
  if (claiming.kind === 'refused') return { kind: 'recovery_needed' };
  const facts = await storage.findSignInFacts(user.id, undefined);
  const { passkey: way } = waysFor(await maySetPassword(services, user), facts);
  if (way === 'no') return { kind: 'not_offered' };
  const passkey = await readFirstPasskey(services, created, digest, requester);
  if (passkey === undefined || passkey.userId !== user.id) return { kind: 'wrong_passkey' };
  // The last one may be what is given here.
  const codes = way === 'alone' || facts.recoveryCodes < 2 ? newRecoveryCodes(services) : undefined;
  const identities = await listIdentities(services, user);
  const reset = journal.event({ kind: 'password_reset', userId: user.id, detail: { to: 'passkey' } }, requester);
  const detail = { name: passkey.name };
  const added = journal.event({ kind: 'passkey_added', userId: user.id, detail }, requester);
  const replace = (condition: ReplacingPasskey['condition']) => {
    const instead = { kind: 'new_passkey', passkey, codeDigests: codes?.map(digestOf), condition } as const;
    const proof = { kind: 'link', digest, purpose } as const;
    const change = { passwordHash: noPassword, proof, instead, ...claimOf(claiming) };
    return storage.changePassword(user.id, change, passkey.createdAt, reset, [added]);
  };
  const outcome =
    way === 'alone'
      ? await replace({ kind: 'no_second_factor' }).then(asOutcome)
      : await proveThenStore(
          services,
          { user, facts, proof: { kind: 'code', code }, condition: 'has_factor' },
          requester,
          ({ use }) =>
            use((condition) => replace(condition?.kind === 'recovery_code' ? condition : { kind: 'second_factor' })),
        );
  if (outcome.kind === 'expired') {
    const isUnused = (await storage.findLink(digest, purpose, clock.now())) !== undefined;
    return { kind: isUnused ? 'wrong_passkey' : 'link_expired' };
  }
  if (outcome.kind !== 'stored') return outcome;
  const { id, createdAt } = passkey;
  await notifyOfFactor(services, user, { kind: 'passkey', id, createdAt });
  if (endsSomething(claiming)) await tellOwner(services, user);
  else {
    await noteUnlinked(services, user, identities, requester);
    if (hasPassword(user)) await notifyOfRemoval(services, user);
  }
  return { kind: 'created', recoveryCodes: codes };
}

function asOutcome(stored: boolean): { kind: 'stored' } | { kind: 'expired' } {
  return stored ? { kind: 'stored' } : { kind: 'expired' };
}

type ReplacingPasskey = Extract<NonNullable<PasswordChange['instead']>, { kind: 'new_passkey' }>;

async function notifyOfRemoval({ emailQueue, emailsFor, issuer }: Linking & Mailing, user: User): Promise<void> {
  await emailQueue.notify(emailsFor(user.locale).passwordRemoved({ to: user.email, url: `${issuer}/reset-password` }));
}
