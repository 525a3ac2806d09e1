// An application's links: its home page, privacy policy and terms of service, named as in OpenID Connect Dynamic
// Registration, and where it's opened from the account.

import type { ClientValues } from '../resources/client.ts';

export type ClientLinkName = 'client_uri' | 'policy_uri' | 'tos_uri' | 'launch_url';
export type ClientLinks = Readonly<Record<ClientLinkName, string | null>>;
type Linked = Pick<ClientValues, 'clientUri' | 'policyUri' | 'tosUri' | 'launchUrl'>;

export function linksOf({ clientUri, policyUri, tosUri, launchUrl }: Linked): ClientLinks {
  return { client_uri: clientUri, policy_uri: policyUri, tos_uri: tosUri, launch_url: launchUrl };
}

/** Where people open the application. */
export function launchUrlOf({ launchUrl, clientUri }: Linked): string | null {
  return launchUrl ?? clientUri;
}
