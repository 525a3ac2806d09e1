// Where the pages and forms of a sign-in lead to: the place where the user is going, and the pages on the way.

import type { OpenRequest } from '../../operations/oauth/open-request.ts';
import type { Services } from '../../operations/services.ts';
import { findTarget, type Target } from '../../operations/sign-in/steps/step-facts.ts';
import { emailLimit } from '../../protocol/account/email-address.ts';
import { formActionSource } from '../../protocol/oauth/redirect-uri.ts';
import type { Parameters } from '../../protocol/reading/parameters.ts';
import { accountPage, type Destination, formatDestination } from '../../protocol/sign-in/destination.ts';
import type { SignInStep } from '../../protocol/sign-in/next-step.ts';
import { urlLimit } from '../limits.ts';
import { appIdentity } from '../logos.ts';
import type { PageNeeds } from '../send-page.ts';

/** The authorization request that a page asks about. */
export function requestDestination(query: string, { client, request }: OpenRequest): Destination {
  return { kind: 'authorization', query, clientId: client.id, redirectUri: request.redirectUri };
}

/** The app that pages on the way show, when the user is going to one, and the origin that their forms may redirect to. */
export function shownTarget({ client, redirectUri }: Target) {
  const needs: PageNeeds = redirectUri === undefined ? {} : { formAction: formActionSource(redirectUri) };
  return { app: client && appIdentity(client), needs };
}

export async function targetOf(services: Services, destination: Destination) {
  return shownTarget(await findTarget(services, destination));
}

/** Where to sign in, or to start over, on the way to the same place. */
export function signInUrl(destination: Destination): string {
  return destination.kind === 'authorization' ? formatDestination(destination) : '/sign-in';
}

/** Where to sign in without being sent to an upstream: the sign-in page with everything that there is to choose from. */
export function passwordSignInUrl(destination: Destination): string {
  return `/sign-in?password&to=${encodeURIComponent(formatDestination(destination))}`;
}

/** What the sign-in form has brought to another page. */
export function typedEmail(fields: Parameters): { readonly email: string } {
  return { email: fields.get('email')?.slice(0, emailLimit) ?? '' };
}

export const verifyPath = '/sign-in/verify';

/** Where a page sends a person who has to do this first. `back` is the page's own path. */
export function urlBefore({ kind }: SignInStep, back: string): string {
  if (kind === 'review') return reviewUrl({ kind: 'page', path: back });
  return `${kind === 'sign_in' ? '/sign-in' : verifyPath}?to=${pathInQuery(back)}`;
}

function pathInQuery(path: string): string {
  return encodeURIComponent(path).replaceAll('%2F', '/');
}

export const reviewPath = '/account/review';

/** The review after a password reset, on the way to somewhere. A destination that is too long to carry is left out. */
export function reviewUrl(destination: Destination): string {
  return onTheWay(reviewPath, destination);
}

export const createPasskeyPath = '/account/passkey';

/** The page that asks for a passkey, on the way to somewhere. */
export function createPasskeyUrl(destination: Destination): string {
  return onTheWay(createPasskeyPath, destination);
}

function onTheWay(path: string, destination: Destination): string {
  const to = encodeURIComponent(formatDestination(destination));
  return `${path}?to=${to.length > urlLimit / 2 ? accountPage.path : to}`;
}
