// How pages show people and applications: by a picture or the first letter of the name, and applications with their links.

import type { ClientLinks } from '../../protocol/resources/client.ts';
import type { Messages } from '../languages/languages.ts';
import { address, type Html, html } from './html.ts';

export interface AppIdentity {
  readonly name: string;
  readonly logoUrl: string | undefined;
  readonly links?: ClientLinks | undefined;
  readonly contactEmail?: string | null;
}

export function appIcon(app: AppIdentity): Html {
  if (app.logoUrl !== undefined) return html`<img class="app-icon" src="${app.logoUrl}" alt="" width="56" height="56">`;
  return html`<span class="app-icon monogram" aria-hidden="true">${initialOf(app.name)}</span>`;
}

const ownPath = /^\/pictures\/[^/]+\/[\w-]+$/;

/**
 * Loaded from the page's own origin: the stored URL, which clients get, may still name an earlier domain. A picture from
 * elsewhere is never loaded, because its server would learn who looks at the page, and undefined here.
 */
export function portrait(url: string, size: number): Html | undefined {
  const path = URL.parse(url)?.pathname ?? '';
  if (!ownPath.test(path)) return undefined;
  return html`<img class="portrait" src="${path}" alt="" width="${size}" height="${size}">`;
}

/** Where a picture from elsewhere is. */
export function pictureHost(url: string): string {
  return URL.parse(url)?.host ?? '';
}

export interface AccountIdentity {
  readonly name: string;
  readonly email: string;
  /** Its URL, as clients get it. */
  readonly picture?: string | null | undefined;
}

/** `label` is what stands before the name, such as "Signed in as"; `action` stands behind it. */
export function accountCard({ name, email, picture }: AccountIdentity, label?: string, action?: Html): Html {
  return html`<div class="account">
${(picture && portrait(picture, 40)) || html`<span class="portrait monogram" aria-hidden="true">${initialOf(name)}</span>`}
<p>${label !== undefined && html`<span class="unseen">${label}</span> `}<strong>${name}</strong><br><span class="quiet" title="${email}">${address(email)}</span></p>
${action}
</div>`;
}

/** An account in one line, by the email address. */
export function accountRow({ name, email, picture }: AccountIdentity, label: string, action: Html): Html {
  return html`<div class="account-row">
${(picture && portrait(picture, 24)) || html`<span class="portrait monogram" aria-hidden="true">${initialOf(name)}</span>`}
<p title="${email}"><span class="unseen">${label}</span> <bdi>${email}</bdi></p>
${action}
</div>`;
}

function initialOf(name: string): string {
  const [initial] = new Intl.Segmenter().segment(name.trim().toUpperCase());
  return initial?.segment ?? '?';
}

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

/** Opens beside the page, because people want to go on with what they were asked. */
function appLink(url: string, label: string): Html {
  return html`<a href="${url}" target="_blank" rel="noopener noreferrer">${label}</a>`;
}
