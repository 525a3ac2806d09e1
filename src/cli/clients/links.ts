// The options of `latchkey client` for the pages of an application.

import { type ClientLinks, clientLinkNames } from '../../protocol/oauth/client-links.ts';

export const linkOptions = {
  'client-uri': { value: 'URL', about: 'the home page; "" removes it' },
  'policy-uri': { value: 'URL', about: 'the privacy policy; "" removes it' },
  'tos-uri': { value: 'URL', about: 'the terms of service; "" removes it' },
  'launch-url': { value: 'URL', about: 'what "Your apps" opens instead of the home page; "" removes it' },
} as const;

type LinkValues = { readonly [Option in keyof typeof linkOptions]?: string | undefined };

export function linksIn(values: LinkValues) {
  return {
    client_uri: values['client-uri'],
    policy_uri: values['policy-uri'],
    tos_uri: values['tos-uri'],
    launch_url: values['launch-url'],
  };
}

/** What `client show` prints: the ones there are. */
export function linkRows(links: ClientLinks): string[][] {
  return clientLinkNames.flatMap((name) => (links[name] === null ? [] : [[name, links[name]]]));
}
