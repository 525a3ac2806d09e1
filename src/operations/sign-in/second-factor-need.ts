// Who needs a second factor, for a session that they have or are about to start, and what they have to do for it.

import { hasRole, type RoleHolder } from '../../protocol/account/roles.ts';
import { type AuthorizationRequest, soleParameter } from '../../protocol/oauth/authorization-request.ts';
import { readQuery } from '../../protocol/reading/parameters.ts';
import type { Settings } from '../../protocol/resources/settings.ts';
import type { Destination } from '../../protocol/sign-in/destination.ts';
import { hasTwoFactors, prefersTwoFactors } from '../../protocol/sign-in/factors.ts';
import { nextStep, type SessionStep, type SignInStep } from '../../protocol/sign-in/next-step.ts';
import { isProven } from '../../protocol/sign-in/proof.ts';
import {
  type FactorNeed,
  factorNeed,
  hasSecondFactor,
  satisfies,
} from '../../protocol/sign-in/second-factor-policy.ts';
import type { Client, Session, SignedIn, User } from '../../storage/storage.ts';
import { reviewIsDue } from '../account/review.ts';
import { passwordSignsIn } from '../passwords/password-policy.ts';
import type { Services, Storing, Timing } from '../services.ts';

/** What the service itself asks for, whichever client the session is used for. */
export async function lacksSecondFactor(
  services: Pick<Services, 'settings'>,
  { user, session }: SignedIn,
): Promise<boolean> {
  const { second_factor: policy } = await services.settings.read();
  return !satisfies(session, factorNeed({ policy, hasRole: hasRole(user), client: undefined }));
}

/** What a person has to do who wants to open a page of the service; `signedIn` is undefined when nobody is. */
export async function stepToPage(
  services: Timing & Pick<Services, 'settings'>,
  signedIn: SignedIn | undefined,
): Promise<SignInStep> {
  if (signedIn === undefined) return nextStep({ kind: 'nobody' });
  if (await lacksSecondFactor(services, signedIn)) return (await missingFactor(services, signedIn)).step;
  const reviewDue = await reviewIsDue(services, signedIn.user);
  return nextStep({ kind: 'session', lacking: undefined, reviewDue, passkeyWanted: false });
}

/** What a session that lacks a second factor needs next, and which factors its user can prove. */
export async function missingFactor(
  services: Timing & Pick<Services, 'settings'>,
  { user, session }: SignedIn,
): Promise<{ step: SessionStep; authenticator: boolean; passkeys: boolean; proven: boolean }> {
  const facts = await services.storage.findSignInFacts(user.id, undefined);
  const proven = isProven(session, services.clock.now());
  const canProveHere = proven || (await passwordSignsIn(services, user));
  const lacking = { hasSecondFactor: hasSecondFactor(facts), canProveHere };
  const step = nextStep({ kind: 'session', lacking, reviewDue: false, passkeyWanted: false });
  return { step, authenticator: facts.authenticator !== undefined, passkeys: facts.passkeys.length > 0, proven };
}

/**
 * Whether a session lacks a second factor for a client; undefined if it depends on whether the user has one, which the client
 * prefers.
 */
export function lacksFactorFor(
  { second_factor: policy }: Settings,
  { user, session }: { user: RoleHolder; session: Pick<Session, 'amr' | 'trusted'> },
  client: Pick<Client, 'secondFactor'>,
  request: Pick<AuthorizationRequest, 'prefersTwoFactors'>,
): boolean | undefined {
  if (!satisfies(session, factorNeed({ policy, hasRole: hasRole(user), client: client.secondFactor }))) return true;
  return request.prefersTwoFactors && !hasTwoFactors(session.amr) ? undefined : false;
}

export async function userHasSecondFactor({ storage }: Storing, { id }: Pick<User, 'id'>): Promise<boolean> {
  return hasSecondFactor(await storage.findSignInFacts(id, undefined));
}

/** `prefersTwo`: the client prefers two factors, of those who have them. */
export async function demandOf(
  services: Storing & Pick<Services, 'settings'>,
  user: RoleHolder,
  destination: Destination,
): Promise<{ need: FactorNeed; prefersTwo: boolean }> {
  const [settings, client] = await Promise.all([
    services.settings.read(),
    findDestinationClient(services, destination),
  ]);
  const need = factorNeed({
    policy: settings.second_factor,
    hasRole: hasRole(user),
    client: client?.secondFactor,
  });
  if (destination.kind !== 'authorization') return { need, prefersTwo: false };
  return { need, prefersTwo: prefersTwoFactors(soleParameter(readQuery(destination.query), 'acr_values')) };
}

/** For pages on the way to show. Undefined on the way to a page of the service, and when the client has been deleted meanwhile. */
export async function findDestinationClient(services: Storing, destination: Destination): Promise<Client | undefined> {
  return destination.kind === 'authorization' ? services.storage.findClient(destination.clientId) : undefined;
}
