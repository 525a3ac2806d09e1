// An application's links: its home page, privacy policy and terms of service, named as in OpenID Connect Dynamic
// Registration, and where it's opened from the account.

import { webUrlProblem } from '../reading/web-url.ts';

export const clientLinkNames = ['client_uri', 'policy_uri', 'tos_uri', 'launch_url'] as const;
export type ClientLinkName = (typeof clientLinkNames)[number];
export type ClientLinks = Readonly<Record<ClientLinkName, string | null>>;

export const noClientLinks: ClientLinks = { client_uri: null, policy_uri: null, tos_uri: null, launch_url: null };

/** What is wrong with a link, as the end of a sentence. Only a home page can't have a fragment. */
export function clientLinkProblem(name: ClientLinkName, url: string): string | undefined {
  return webUrlProblem(url, { fragment: name !== 'client_uri' });
}

/** Where people open the application. */
export function launchUrlOf(links: ClientLinks): string | null {
  return links.launch_url ?? links.client_uri;
}
