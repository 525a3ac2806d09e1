// What the pages and forms of a sign-in need to know about where the user is going.

import type { OpenRequest } from '../../operations/oauth/authorize.ts';
import { findDestinationClient } from '../../operations/sign-in/destination-client.ts';
import type { AppIdentity } from '../../pages/layout/app-icon.ts';
import { formActionSource } from '../../protocol/oauth/redirect-uri.ts';
import { type Destination, formatDestination } from '../../protocol/sign-in/destination.ts';
import type { HttpContext } from '../context.ts';
import { appIdentity } from '../logos.ts';

/** The authorization request that a page asks about. */
export function requestDestination(query: string, { client, request }: OpenRequest): Destination {
  return { kind: 'authorization', query, clientId: client.id, redirectUri: request.redirectUri };
}

/** The app that pages on the way show, when the user is going to one. */
export async function destinationApp(context: HttpContext, destination: Destination): Promise<AppIdentity | undefined> {
  const client = await findDestinationClient(context.services, destination);
  return client && appIdentity(client);
}

/** Where to sign in, or to start over, on the way to the same place. */
export function signInUrl(destination: Destination): string {
  return destination.kind === 'authorization' ? formatDestination(destination) : '/sign-in';
}

/** The same, without being sent to a provider: the sign-in page with everything that there is to choose from. */
export function passwordSignInUrl(destination: Destination): string {
  return `/sign-in?password&to=${encodeURIComponent(formatDestination(destination))}`;
}

/**
 * The origin that the page's content security policy has to allow: when nothing more has to be asked, the answer to a form
 * redirects to the client, and browsers block redirects of forms to origins that are not named.
 */
export function clientFormAction(destination: Destination): { formAction?: string } {
  return destination.kind === 'authorization' ? { formAction: formActionSource(destination.redirectUri) } : {};
}
