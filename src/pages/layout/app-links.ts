// The pages of an application: its home page, privacy policy and terms of service. They open beside the page, because
// people want to go on with what they were asked.

import type { Messages } from '../languages/languages.ts';
import type { AppIdentity } from './app-icon.ts';
import { type Html, html } from './html.ts';

/** All of them, the home page under its host; undefined without any. */
export function appLinks(messages: Messages, { links }: AppIdentity): Html | undefined {
  const home = links?.client_uri;
  return linkList([...(home ? [[home, new URL(home).host] as const] : []), ...policies(messages, links)]);
}

/** Where the name itself is a link. */
export function policyLinks(messages: Messages, { links }: AppIdentity): Html | undefined {
  return linkList(policies(messages, links));
}

type Link = readonly [string | null | undefined, string];

function policies(messages: Messages, links: AppIdentity['links']): Link[] {
  return [
    [links?.policy_uri, messages.links.privacy],
    [links?.tos_uri, messages.links.terms],
  ];
}

function linkList(links: readonly Link[]): Html | undefined {
  const shown = links.flatMap(([url, label]) => (url ? [html`<li>${appLink(url, label)}</li>`] : []));
  return shown.length === 0 ? undefined : html`<ul class="app-links">${shown}</ul>`;
}

/** The name of the application, linked to its home page if it has one. */
export function appName({ name, links }: AppIdentity): Html {
  return links?.client_uri ? appLink(links.client_uri, name) : html`${name}`;
}

function appLink(url: string, label: string): Html {
  return html`<a href="${url}" target="_blank" rel="noopener noreferrer">${label}</a>`;
}
