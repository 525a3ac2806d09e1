// The pages of an application that people are led to: its home page, its privacy policy, its terms of service, and where
// it's opened from the account. The first three are named as in OpenID Connect Dynamic Registration.

import { webUrlProblem } from '../reading/web-url.ts';

export const clientLinkNames = ['client_uri', 'policy_uri', 'tos_uri', 'launch_url'] as const;
export type ClientLinkName = (typeof clientLinkNames)[number];
export type ClientLinks = Readonly<Record<ClientLinkName, string | null>>;

export const noClientLinks: ClientLinks = { client_uri: null, policy_uri: null, tos_uri: null, launch_url: null };

/** What is wrong with a link, as the end of a sentence. A home page has no fragment; the others may lead into a page. */
export function clientLinkProblem(name: ClientLinkName, url: string): string | undefined {
  return webUrlProblem(url, { fragment: name !== 'client_uri' });
}

/** Where people open the application. */
export function launchUrlOf(links: ClientLinks): string | null {
  return links.launch_url ?? links.client_uri;
}
