// The console's one search. Everyone finds what they could also find on the pages that they can open.

import type { FastifyInstance } from 'fastify';
import { type ConsoleHits, type Hits, searchConsole } from '../../../operations/search/search-console.ts';
import type { AccountFrame } from '../../../pages/account/account-layout.ts';
import { stoppedBadge } from '../../../pages/console/console-layout.ts';
import { actionDestinations, type Destination, pageDestinations } from '../../../pages/console/destinations.ts';
import { standingBadge } from '../../../pages/console/ends.ts';
import { aboutOf } from '../../../pages/console/events/event-words.ts';
import { listUrl } from '../../../pages/console/lists.ts';
import { type Hit, longestSearch, type SearchPage, searchPage, searchPath } from '../../../pages/console/search.ts';
import { settingsPath, tabOf } from '../../../pages/console/settings/setting-layout.ts';
import { docsPath } from '../../../pages/docs/navigation.ts';
import type { Messages } from '../../../pages/languages/languages.ts';
import { allows } from '../../../pages/layout/app-shell.ts';
import { address, html } from '../../../pages/layout/html.ts';
import { personSegment } from '../../../pages/layout/person-path.ts';
import { agoTime } from '../../../pages/layout/time.ts';
import type { FieldLabel } from '../../../pages/messages/field-labels.ts';
import { disabledReasonOf, standingOf } from '../../../protocol/account/standing.ts';
import { searchedWords } from '../../../protocol/admin/search-words.ts';
import { brandImages } from '../../../protocol/brand/brand.ts';
import { includes } from '../../../protocol/reading/includes.ts';
import { brandFields, settingNames } from '../../../protocol/resources/settings.ts';
import type { HttpContext } from '../../context.ts';
import { library } from '../../docs/library.ts';
import { synonymsOf } from '../../docs/synonyms.ts';
import { consolePages } from '../console-pages.ts';

type Found = SearchPage['found'];

/** Of settings and documents. */
const mostShown = 5;

export function consoleSearchRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;

  // Finds what each may read; everyone with a role may read some events.
  consolePages(app, context, 'events').get(searchPath, async ({ frame, query: parameters, requester, send }) => {
    const query = (parameters.get('q') ?? '').slice(0, longestSearch).trim();
    const now = services.clock.now();
    const [hits, documents] = await Promise.all([
      searchConsole(services, query, requester.authority),
      findDocuments(frame, query),
    ]);
    const found = [...listed(frame, query, hits, now), ...named(frame, query), ...documents];
    return send(200, searchPage(frame, { query, found }));
  });

  async function findDocuments(frame: AccountFrame, query: string): Promise<Found> {
    if (context.docs === 'off' || query === '') return [];
    const { results, more } = (await library.searchIndex()).search(query);
    const hits = results.slice(0, mostShown).map(({ section: { name, title, heading, anchor } }) => ({
      href: anchor === '' ? docsPath(name) : `${docsPath(name)}#${anchor}`,
      name: anchor === '' ? title : heading,
      about: anchor === '' ? undefined : title,
    }));
    const label = frame.messages.admin.finder.all.documents('');
    const all =
      more || results.length > hits.length ? { href: listUrl('/docs/search', { q: query }), label } : undefined;
    return [{ kind: 'documents', hits, all }];
  }
}

function listed(
  frame: AccountFrame,
  query: string,
  { people, clients, groups, events }: ConsoleHits,
  now: number,
): Found {
  const { finder: m, kinds, revoked } = frame.messages.admin;
  const all = (kind: keyof typeof m.all, href: string, { more, total }: Hits<unknown>) => {
    const count = total === undefined ? '' : `${total.count.toLocaleString('en')}${total.more ? '+' : ''}`;
    return more ? { href, label: m.all[kind](count) } : undefined;
  };
  const inList = (path: string) => listUrl(path, { search: query });
  const reference = listUrl('/admin/events', { reference: query });
  return [
    {
      kind: 'people',
      hits: people.items.map((user) => ({
        href: `/admin/people/${personSegment(user.id)}`,
        name: user.name,
        about: address(user.email),
        badge: standingBadge(frame, { standing: standingOf(user, now), disabledReason: disabledReasonOf(user) }),
      })),
      all: all('people', inList('/admin/people'), people),
    },
    {
      kind: 'applications',
      hits: clients.items.map(({ id, name, revokedAt }) => ({
        href: `/admin/applications/${id}`,
        name,
        about: id,
        badge: stoppedBadge(revokedAt !== null && revoked),
      })),
      all: all('applications', inList('/admin/applications'), clients),
    },
    {
      kind: 'groups',
      hits: groups.items.map(({ id, name }) => ({ href: `/admin/groups/${id}`, name })),
      all: all('groups', inList('/admin/groups'), groups),
    },
    {
      kind: 'events',
      hits: events.items.map((event) => {
        const about = aboutOf(frame.messages, event);
        return {
          href: `${reference}#${event.id}`,
          name: kinds[event.kind],
          about: html`${about !== undefined && `${about} · `}${agoTime(frame.messages, event.at, now)}`,
        };
      }),
      all: all('events', reference, events),
    },
  ];
}

/** Forms, pages and settings by what they're called, here or elsewhere. */
function named(frame: AccountFrame, query: string): Found {
  const words = searchedWords(query);
  if (words.length === 0) return [];
  const meanings = words.map((word) => [word, ...synonymsOf(word)]);
  const matches = (text: string, keywords = '') =>
    meanings.every((each) =>
      each.some((word) => text.toLowerCase().includes(word) || ` ${keywords}`.includes(` ${word}`)),
    );
  const among = (destinations: readonly Destination[]) => {
    const byName = destinations.filter(({ name }) => matches(name));
    const others = destinations.filter((each) => !byName.includes(each) && matches(each.name, each.keywords));
    return [...byName, ...others].slice(0, mostShown);
  };
  const settings = settingPlaces(frame.messages).filter(({ href }) => allows(frame, 'GET', href));
  const byName = settings.filter(({ names }) => matches(names));
  const byHint = settings.filter((each) => !byName.includes(each) && matches(`${each.names} ${each.hint}`));
  return [
    { kind: 'actions', hits: among(actionDestinations(frame)) },
    { kind: 'pages', hits: among(pageDestinations(frame)) },
    { kind: 'settings', hits: [...byName, ...byHint].slice(0, mostShown) },
  ];
}

function settingPlaces(messages: Messages): (Hit & { readonly names: string; readonly hint: string })[] {
  const { fields, branding } = messages.admin.settings;
  const labels: Readonly<Record<string, FieldLabel>> = fields;
  return settingNames.map((name) => {
    const { label = name, event = label, hint = '' } = labels[name] ?? {};
    const isBrand = Object.hasOwn(brandFields, name);
    const anchor = includes(brandImages, name) ? `${name}-image` : name;
    return {
      href: `${settingsPath(tabOf(name))}#${anchor}`,
      name: event,
      about: [...(isBrand ? [branding.title] : []), ...(event === label ? [] : [label]), name].join(' · '),
      names: [name, name.replaceAll('_', ' '), label, event].join(' '),
      hint,
    };
  });
}
