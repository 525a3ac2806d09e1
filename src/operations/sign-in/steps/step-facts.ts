// What the page of a sign-in step shows: the application, the person, and what the settings allow, gathered here for all of them.
// It may be another page than the one that was asked for, if something has changed since.

import { emailLimit } from '../../../protocol/account/email-address.ts';
import type { Destination } from '../../../protocol/sign-in/destination.ts';
import { passwordStanding } from '../../../protocol/sign-in/password-policy.ts';
import { hasSecondFactor } from '../../../protocol/sign-in/second-factor-policy.ts';
import { base32, totpUri } from '../../../protocol/sign-in/totp.ts';
import type { Client, SignedIn, User } from '../../../storage/storage.ts';
import { findOpenRequest, type OpenRequest } from '../../oauth/open-request.ts';
import { maySetPassword } from '../../passwords/password-policy.ts';
import { authenticatorIssuer } from '../../second-factors/authenticator-secret.ts';
import type { Services, Storing, Timing } from '../../services.ts';
import { provingUpstreams } from '../../users/identities.ts';
import { type Browser, findPendingSignIn, type Keep, type PendingSignIn } from '../advance.ts';
import { type AskedCode, emailCodePolicy } from '../email-codes.ts';
import { canProveByEmail } from '../prove-by-email.ts';
import { findRemembered } from '../remembered.ts';
import { findDestinationClient, missingFactor } from '../second-factor-need.ts';
import { type OfferedKey, offeredSecret, offerKey } from '../set-up-factor.ts';
import type { ProvenUpstream } from '../upstreams/link-and-prove.ts';

/** A page, and what it needs to be shown, now and again. */
export type Step =
  | {
      readonly page: 'sign_in';
      readonly destination: Destination;
      /** What was typed, and ticked. */
      readonly email?: string;
      readonly keep?: Keep;
      /** The request of the application that the person comes from, where it's known already. */
      readonly open?: OpenRequest;
    }
  /** `trust` is ticked: the browser is to be spared the second step. */
  | ({ readonly page: 'second_step'; readonly trust?: boolean } & SecondStep)
  | ({ readonly page: 'email_code' } & CodeStep)
  | ({ readonly page: 'set_up'; readonly key?: OfferedKey } & SecondStep)
  /** A session that has to get a second factor. `key` is the one that the app has already. */
  | {
      readonly page: 'verify';
      readonly signedIn: SignedIn;
      readonly destination: Destination;
      readonly key?: OfferedKey;
    }
  | ({ readonly page: 'upstream_proof' } & ProofStep);

type StepTo<Page extends Step['page']> = Extract<Step, { readonly page: Page }>;

export interface SecondStep {
  readonly pending: PendingSignIn;
  readonly destination: Destination;
  /** "Keep me signed in", as it was ticked with the password. */
  readonly keep: Keep;
}

export interface CodeStep {
  readonly asked: AskedCode;
  readonly destination: Destination;
  readonly keep: Keep;
}

export interface ProofStep {
  readonly proven: ProvenUpstream;
  readonly destination: Destination;
}

type StepServices = Timing & Pick<Services, 'settings' | 'openUpstreams' | 'emailQueue' | 'keys' | 'random' | 'issuer'>;

export type StepFacts = Awaited<ReturnType<typeof gatherStep>>;

const expired = { page: 'expired' } as const;

export async function gatherStep(services: StepServices, step: Step, browser: Browser) {
  switch (step.page) {
    case 'sign_in':
      return signInFacts(services, step, browser);
    case 'email_code':
      return emailCodeFacts(services, step);
    case 'second_step':
      return secondStepFacts(services, step, step.trust ?? false);
    case 'set_up':
      return setUpFacts(services, step, step.key);
    case 'verify':
      return sessionFacts(services, step);
    case 'upstream_proof':
      return { ...step, ...nowhere, user: undefined };
  }
}

/** Where a sign-in leads to, as the pages on the way have to know it. */
export interface Target {
  /** The application that they show; undefined on the way to a page of the service. */
  readonly client: Client | undefined;
  /**
   * Where the answer to their forms may redirect to when nothing more has to be asked: browsers block redirects of forms to
   * origins that the page doesn't name. Anyone can make a link with a destination, so only a registered redirect URI counts.
   */
  readonly redirectUri: string | undefined;
}

const nowhere: Target = { client: undefined, redirectUri: undefined };

export async function findTarget(services: Storing, destination: Destination): Promise<Target> {
  const client = await findDestinationClient(services, destination);
  if (destination.kind !== 'authorization' || client === undefined) return nowhere;
  const { redirectUri } = destination;
  const isRegistered = client.revokedAt === null && client.redirectUris.includes(redirectUri);
  return { client, redirectUri: isRegistered ? redirectUri : undefined };
}

async function signInFacts(services: StepServices, step: StepTo<'sign_in'>, browser: Browser) {
  const { settings, openUpstreams } = services;
  const { destination, keep } = step;
  const find = () => (destination.kind === 'authorization' ? findOpenRequest(services, destination.query) : undefined);
  const open = step.open ?? (await find());
  const typed = step.email ?? open?.request.loginHint?.slice(0, emailLimit);
  const remembered = await findRemembered(services, browser, typed);
  const passwords = await passwordsOfPeople(services);
  return {
    page: 'sign_in',
    destination,
    client: open?.client,
    redirectUri: open?.request.redirectUri,
    user: undefined,
    email: remembered?.account.email ?? typed ?? '',
    remembered,
    keep: typeof keep === 'boolean' ? keep : remembered !== undefined,
    emailCode: (await emailCodePolicy(services)) !== 'off',
    // With links only, people come with one, which leads to the page.
    signUp: settings.signUp !== 'closed' && settings.signUp !== 'links',
    upstreams: await openUpstreams.read(),
    passwords: passwords === 'ending' ? 'off' : passwords,
  } as const;
}

/** Of people without a role: who it is isn't known yet. */
async function passwordsOfPeople({ settings, clock }: StepServices) {
  return passwordStanding(await settings.read(), false, clock.now()).kind;
}

async function emailCodeFacts(services: StepServices, step: CodeStep) {
  return {
    ...step,
    ...(await findTarget(services, step.destination)),
    page: 'email_code',
    user: undefined,
    email: step.asked.email,
    passwords: (await passwordsOfPeople(services)) !== 'over',
    outbox: services.emailQueue.kind === 'outbox',
  } as const;
}

async function secondStepFacts(services: StepServices, step: SecondStep, trust: boolean) {
  const found = await findPendingSignIn(services, step.pending);
  if (found === undefined) return expired;
  const { authenticator, passkeys } = found.facts;
  return {
    ...step,
    ...(await findTarget(services, step.destination)),
    page: 'second_step',
    user: found.user,
    authenticator: authenticator !== undefined,
    passkeys: passkeys.length > 0,
    trust: found.first === 'email_code' ? undefined : trust,
  } as const;
}

async function setUpFacts(services: StepServices, step: SecondStep, given: OfferedKey | undefined) {
  const found = await findPendingSignIn(services, step.pending);
  if (found === undefined) return expired;
  // Set up elsewhere, between the write and this page.
  if (hasSecondFactor(found.facts)) return secondStepFacts(services, step, false);
  const setUp = setUpOf(services, found.user, given);
  if (setUp === undefined) return expired;
  const { client } = await findTarget(services, step.destination);
  // Recovery codes are shown next, so the form redirects nowhere.
  return { ...step, ...setUp, page: 'set_up', client, redirectUri: undefined } as const;
}

/** After an attempt the page has the same key, because the app has it already. Undefined when it was offered too long ago. */
function setUpOf(services: StepServices, user: User, given: OfferedKey | undefined) {
  const offered = given ?? offerKey(services, user);
  const secret = offeredSecret(services, user, offered);
  if (secret === undefined) return undefined;
  const uri = totpUri({ issuer: authenticatorIssuer(services), account: user.email, secret });
  return { user, email: user.email, offered, isAgain: given !== undefined, uri, key: base32(secret) };
}

/** Asks for a second factor, or sets one up for those who have none, after proof of identity. */
async function sessionFacts(services: StepServices, { signedIn, destination, key }: StepTo<'verify'>) {
  const { user } = signedIn;
  const { email } = user;
  const { step, authenticator, passkeys, proven } = await missingFactor(services, signedIn);
  const target = await findTarget(services, destination);
  if (step.kind === 'second_step') {
    return { ...target, page: 'verify', destination, user, email, authenticator, passkeys } as const;
  }
  if (step.kind === 'prove') {
    const upstreams = await provingUpstreams(services, user);
    const byEmail = await canProveByEmail(services, user);
    const passwords = await maySetPassword(services, user);
    const { client } = target;
    const shown = { client, redirectUri: undefined, destination, user, email };
    return { ...shown, page: 'prove', upstreams, byEmail, passwords } as const;
  }
  const setUp = setUpOf(services, user, key);
  if (setUp === undefined) return expired;
  return { ...target, ...setUp, page: 'set_up_in_session', destination, needsPassword: !proven } as const;
}
