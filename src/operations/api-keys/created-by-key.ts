// What an API key has created, from the events that name it: when it's revoked, an administrator sees what stays behind.

import type { EventRecord } from '../../protocol/event.ts';
import type { EventKind } from '../../protocol/events/kinds.ts';
import { firstIdAt } from '../../protocol/identifiers.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import type { Recording, Storing } from '../services.ts';

/** Of each kind; a person who has more to look through uses the list of events. */
const most = 200;
/** Groups are renamed rarely; a group that has lost its trace is listed by its first name. */
const mostRenames = 5000;

export const createdKinds = [
  'person',
  'import',
  'invitation',
  'group',
  'application',
  'sign_up_link',
  'attribute',
  'webhook',
  'identity_provider',
  'scim_token',
] as const;
export type CreatedKind = (typeof createdKinds)[number];

export interface CreatedItem {
  readonly kind: CreatedKind;
  /** What the API and the console find it by; null if it has no page, as when it's gone. */
  readonly id: string | null;
  readonly name: string;
  readonly at: number;
}

export interface CreatedByKey {
  /** The oldest first. */
  readonly items: readonly CreatedItem[];
  /** There is more of some kind. */
  readonly truncated: boolean;
}

type Found = Pick<CreatedItem, 'id' | 'name'>;

interface Creation {
  readonly event: EventKind;
  readonly kind: CreatedKind;
  /** `renames` are those of groups since the key was created. */
  find(services: Storing, event: EventRecord, renames: readonly EventRecord[]): Promise<Found>;
}

const detailOf = ({ detail }: EventRecord, name: string) => String(detail?.[name] ?? '');

/** Has the name that the event says. Without a way to find it, it has no page; one that isn't found is gone. */
const named =
  (name: string, find?: (storage: Storing['storage'], id: string) => Promise<unknown>, id = name) =>
  async ({ storage }: Storing, event: EventRecord) => ({
    id: (await find?.(storage, detailOf(event, id))) === undefined ? null : detailOf(event, id),
    name: detailOf(event, name),
  });

const creations: readonly Creation[] = [
  {
    event: 'user_created',
    kind: 'person',
    async find({ storage }, { userId = '' }) {
      const user = await storage.findUser(userId);
      return user === undefined ? { id: null, name: userId } : { id: userId, name: user.email };
    },
  },
  {
    event: 'people_imported',
    kind: 'import',
    find: async (_, event) => ({ id: null, name: `${detailOf(event, 'source')}: ${detailOf(event, 'people')} people` }),
  },
  { event: 'user_invited', kind: 'invitation', find: named('email') },
  {
    event: 'group_created',
    kind: 'group',
    async find({ storage }, event, renames) {
      const name = presentName(event, renames);
      const group = await storage.findGroupByName(name);
      // A later one can have its name.
      return { id: group === undefined || group.createdAt > event.at ? null : group.id, name };
    },
  },
  {
    event: 'client_created',
    kind: 'application',
    async find({ storage }, { clientId = '' }) {
      const client = await storage.findClient(clientId);
      return client === undefined ? { id: null, name: clientId } : { id: clientId, name: client.name };
    },
  },
  {
    event: 'sign_up_link_created',
    kind: 'sign_up_link',
    find: named('link', (storage, id) => storage.findSignUpLink({ id }, 0)),
  },
  {
    event: 'attribute_created',
    kind: 'attribute',
    find: named('attribute', (storage, name) => storage.findAttribute(name)),
  },
  {
    event: 'webhook_created',
    kind: 'webhook',
    find: named('webhook', (storage, id) => storage.findWebhook(id)),
  },
  {
    event: 'scim_token_created',
    kind: 'scim_token',
    find: named(
      'name',
      async (storage, id) => (await storage.listScimTokens()).find((each) => each.id === id),
      'token',
    ),
  },
  {
    event: 'upstream_created',
    kind: 'identity_provider',
    find: named('upstream', (storage, name) => storage.findUpstream(name)),
  },
];

/** What the group of an event is called now: someone with the key may have renamed it. */
function presentName(created: EventRecord, renames: readonly EventRecord[]): string {
  return renames
    .filter(({ id }) => id > created.id)
    .reduce(
      (name, event) => (detailOf(event, 'before') === name ? detailOf(event, 'group') : name),
      detailOf(created, 'group'),
    );
}

/** `since` is when the key was created. */
export async function createdByKey(services: Recording, keyId: string, since: number): Promise<CreatedByKey> {
  await services.journal.flush();
  const fromId = firstIdAt(since);
  const renames = await services.storage.findEvents({ kind: 'group_renamed', fromId }, mostRenames, 'oldest');
  const found = await Promise.all(
    creations.map(async ({ event: kind, ...creation }) => {
      const events = await services.storage.findEvents({ kind, actorId: keyId, fromId }, most + 1, 'oldest');
      const items = await Promise.all(
        events.slice(0, most).map(async (event) => ({
          kind: creation.kind,
          at: event.at,
          ...(await creation.find(services, event, renames)),
        })),
      );
      return { items, isMore: events.length > most };
    }),
  );
  return {
    items: found.flatMap(({ items }) => items).toSorted((a, b) => a.at - b.at),
    truncated: found.some(({ isMore }) => isMore),
  };
}

/** Pages of the console, by the ID of what has one. */
const pagesOf: Readonly<Record<CreatedKind, (id: string) => string>> = {
  person: (id) => `/admin/people/${encodeURIComponent(id)}`,
  import: () => '/admin/people',
  invitation: () => '/admin/people/invitations',
  group: (id) => `/admin/groups/${id}`,
  application: (id) => `/admin/applications/${id}`,
  sign_up_link: () => '/admin/people/sign-up-links',
  attribute: (id) => `/admin/settings/attributes/${id}`,
  webhook: (id) => `/admin/webhooks/${id}`,
  scim_token: () => '/admin/scim-tokens',
  identity_provider: (id) => `/admin/providers/${id}`,
};
/** Found in a list, not by an ID. */
const listed: readonly CreatedKind[] = ['import', 'invitation'];

/** Where the console shows it; undefined for what has no page, as when it's gone. */
export function createdPath({ kind, id }: Pick<CreatedItem, 'kind' | 'id'>): string | undefined {
  return id === null && !listed.includes(kind) ? undefined : pagesOf[kind](id ?? '');
}

/** With links to where the console shows it. */
export function createdJson({ items, truncated }: CreatedByKey, issuer: string) {
  const created = items.map((item) => {
    const { kind, id, name, at } = item;
    const path = createdPath(item);
    return { kind, id, name, url: path === undefined ? null : issuer + path, created_at: isoTime(at) };
  });
  return { created, created_truncated: truncated };
}
