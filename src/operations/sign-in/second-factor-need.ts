// Whether somebody needs a second factor: for a session that they have, and for one that they are about to start.

import { hasTwoFactors, prefersTwoFactors } from '../../protocol/oauth/acr.ts';
import { type AuthorizationRequest, soleParameter } from '../../protocol/oauth/authorization-request.ts';
import { readQuery } from '../../protocol/reading/parameters.ts';
import type { Settings } from '../../protocol/resources/settings.ts';
import type { Destination } from '../../protocol/sign-in/destination.ts';
import { type FactorNeed, factorNeed, satisfies } from '../../protocol/sign-in/second-factor-policy.ts';
import type { Client, SignedIn, User } from '../../storage/storage.ts';
import { hasSecondFactor } from '../second-factors/prove-second-factor.ts';
import type { Services } from '../services.ts';
import { findDestinationClient } from './destination-client.ts';

/** What the service itself asks for, whichever client the session is used for. */
export async function lacksSecondFactor(services: Services, { user, session }: SignedIn): Promise<boolean> {
  const { second_factor: policy } = await services.settings.read();
  const isAdministrator = user.adminSince !== null;
  return !satisfies(session, factorNeed({ policy, isAdministrator, client: undefined }));
}

/** The same for an authorization request. Asks the store only if the client prefers two factors and the session has one. */
export async function lacksFactorFor(
  services: Services,
  { second_factor: policy }: Settings,
  { user, session }: SignedIn,
  client: Pick<Client, 'secondFactor'>,
  request: Pick<AuthorizationRequest, 'prefersTwoFactors'>,
): Promise<boolean> {
  const isAdministrator = user.adminSince !== null;
  if (!satisfies(session, factorNeed({ policy, isAdministrator, client: client.secondFactor }))) return true;
  if (!request.prefersTwoFactors || hasTwoFactors(session.amr)) return false;
  return hasSecondFactor(await services.storage.findSignInFacts(user.id, undefined));
}

export interface SignInDemand {
  readonly need: FactorNeed;
  /** The client prefers two factors, of those who have them. */
  readonly prefersTwo: boolean;
}

export async function demandOf(
  services: Services,
  user: Pick<User, 'adminSince'>,
  destination: Destination,
): Promise<SignInDemand> {
  const [settings, client] = await Promise.all([
    services.settings.read(),
    findDestinationClient(services, destination),
  ]);
  const need = factorNeed({
    policy: settings.second_factor,
    isAdministrator: user.adminSince !== null,
    client: client?.secondFactor,
  });
  if (destination.kind !== 'authorization') return { need, prefersTwo: false };
  return { need, prefersTwo: prefersTwoFactors(soleParameter(readQuery(destination.query), 'acr_values')) };
}
