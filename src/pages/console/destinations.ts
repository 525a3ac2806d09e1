// Where the console's search leads besides records and settings: pages, and forms that start something.

import { type AccountFrame, allows } from '../account/account-layout.ts';
import type { Messages } from '../languages/languages.ts';
import { sectionPlaces } from './console-layout.ts';
import { settingsPath, settingTabs } from './settings/setting-layout.ts';

export interface Destination {
  readonly href: string;
  readonly name: string;
  /** What else people call it. */
  readonly keywords: string;
}

const people = '/admin/people';

/** Those that the person can open. */
export function pageDestinations(frame: AccountFrame): Destination[] {
  const { sections, settings, people: m, waiting, signUpLinks, accessRequests, finder } = frame.messages.admin;
  const keywords: Readonly<Record<string, string>> = finder.keywords.pages;
  const places: readonly (Omit<Destination, 'keywords'> & { readonly keywords?: string | undefined })[] = [
    ...sectionPlaces.map(({ section, path }) => ({ href: path, name: sections[section], keywords: keywords[section] })),
    { href: `${people}/waiting`, name: waiting.title },
    { href: `${people}/invitations`, name: m.invitations },
    { href: `${people}/sign-up-links`, name: signUpLinks.title },
    { href: '/admin/access-requests', name: accessRequests.title },
    ...settingTabs.map((tab) => ({
      href: settingsPath(tab),
      name: finder.settingsOf(settings.tabs[tab]),
      keywords: keywords[tab],
    })),
  ];
  return places
    .filter(({ href }) => allows(frame, 'GET', href))
    .map((place) => ({ ...place, keywords: place.keywords ?? '' }));
}

/** Those that the person can submit. `to` is where the form leads. */
export function actionDestinations(frame: AccountFrame): Destination[] {
  return actionsIn(frame.messages)
    .filter(({ href, to = href }) => allows(frame, 'GET', href) && allows(frame, 'POST', to))
    .map(({ href, name, also }) => ({ href, name, keywords: `new create add ${also}` }));
}

function actionsIn({ admin }: Messages) {
  const { actions } = admin.finder.keywords;
  return [
    {
      href: '/admin/applications/new',
      to: '/admin/applications',
      name: admin.applications.new,
      also: actions.application,
    },
    { href: `${people}/new`, to: people, name: admin.people.new, also: actions.person },
    { href: `${people}/invitations`, to: `${people}/invite`, name: admin.people.invite, also: actions.invite },
    { href: `${people}/sign-up-links`, name: admin.signUpLinks.create, also: actions.signUpLink },
    { href: '/admin/groups', name: admin.groups.create, also: actions.group },
    { href: '/admin/reviews', name: admin.reviews.create, also: actions.review },
    { href: '/admin/keys', name: admin.keys.create, also: actions.key },
    { href: '/admin/scim-tokens', name: admin.scim.create, also: actions.scim },
    { href: '/admin/providers/new', to: '/admin/providers', name: admin.upstreams.new, also: actions.provider },
    { href: '/admin/webhooks/new', to: '/admin/webhooks', name: admin.webhooks.new, also: actions.webhook },
    { href: settingsPath('attributes'), name: admin.attributes.create, also: actions.attribute },
  ] as readonly { readonly href: string; readonly to?: string; readonly name: string; readonly also: string }[];
}
