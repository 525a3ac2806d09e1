// The schemas of the API's resources, under the names that the OpenAPI document uses. They allow members they don't
// list, so that responses can grow; input is checked strictly where an operation defines it.

import { type Static, type TOptional, type TProperties, type TSchema, type TString, Type } from 'typebox';
import { endingSoonDays } from '../../operations/admin/ends.ts';
import type { ListPage } from '../../operations/admin/paging.ts';
import { type PeopleFilterName, peopleFilterNames, peopleFilters } from '../../protocol/admin/people-filters.ts';
import { mostCounted } from '../../protocol/admin/totals.ts';
import { eventKinds } from '../../protocol/events/kinds.ts';
import { supportedScopes } from '../../protocol/oauth/scope.ts';
import { clientFields } from '../../protocol/resources/client.ts';
import { lastFourDescription } from '../../protocol/resources/secret-life.ts';
import { ApplicationClaim } from './claim-schemas.ts';
import { shownFields } from './field-schemas.ts';

export const components: Record<string, TSchema> = { ApplicationClaim };

/** Registers a schema under a name and returns a reference to it, of the same type. */
export function component<P extends TProperties>(name: string, properties: P) {
  const schema = Type.Object(properties);
  components[name] = schema;
  return Type.Unsafe<Static<typeof schema>>({ $ref: `#/components/schemas/${name}` });
}

export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

export const Time = Type.String({ format: 'date-time' });
export const Text = Type.String();
export const LastFour = nullable(Type.String({ description: lastFourDescription }));

export const ending = {
  ending: Type.Optional(
    Type.Enum(['yes'], { description: `Only those whose access ends in the next ${endingSoonDays} days.` }),
  ),
};
export const Count = Type.Integer({ minimum: 0 });
const Counts = Type.Array(Count);

/** The ID of a client or a group. */
export const Id = Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,39}$', description: 'a-z 0-9 _ -, at most 40.' });
export const SessionId = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' });
export const Scopes = Type.Array(Type.Enum(supportedScopes), { minItems: 1, maxItems: supportedScopes.length });
export const EventKindName = Type.Enum(eventKinds);

/** The query parameters of every list that is read a page at a time. */
export const page = {
  cursor: Type.Optional(
    Type.String({ maxLength: 1500, description: 'The next_cursor or previous_cursor of another page.' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
};

export const counted = {
  total: Type.Optional(
    Type.Enum(['yes'], { description: 'Count the whole list, too. Only if you need it: it takes longer.' }),
  ),
};

const Total = Type.Object(
  { count: Type.Integer({ minimum: 0, maximum: mostCounted }), more: Type.Boolean() },
  {
    description: `With total=yes: how many items all pages have. Counted up to ${mostCounted.toLocaleString('en')}, or as far as it is quick; \`more\` is true if there are more, or may be.`,
  },
);

/** What a list of people can be limited to. */
export const peopleFilter = Object.fromEntries(
  peopleFilterNames.map((name) => {
    const filter = peopleFilters[name];
    const description = `Only those ${filter.about}.`;
    const schema =
      'value' in filter
        ? Type.String({ maxLength: 100, description })
        : Type.Enum(filter.values as readonly string[] as string[], { description });
    return [name, Type.Optional(schema)];
  }),
) as { readonly [Name in PeopleFilterName]: TOptional<TString> };

export const search = {
  search: Type.Optional(
    Type.String({
      maxLength: 256,
      description: 'People: how words of a name or email address begin. Applications and groups: any part of a name.',
    }),
  ),
};

export const sortedBy = (names: readonly string[]) => ({
  sort: Type.Optional(
    Type.Enum(
      names.flatMap((name) => [name, `-${name}`]),
      { description: 'With a minus sign in the opposite order. A search has an order of its own.' },
    ),
  ),
});

export function pageOf<S extends TSchema>(item: S) {
  return Type.Object({
    items: Type.Array(item),
    next_cursor: nullable(Type.String({ description: 'Null on the last page.' })),
    previous_cursor: nullable(Type.String({ description: 'Null on the first page.' })),
    total: Type.Optional(Total),
  });
}

/** A page of a list that can be searched. */
export function foundPageOf<S extends TSchema>(item: S) {
  const { properties } = pageOf(item);
  const description =
    'True if a search for several common words, or filters that few people meet, stopped before the page was full. Add a letter, or go on with next_cursor.';
  return Type.Object({ ...properties, truncated: Type.Optional(Type.Literal(true, { description })) });
}

export function pageJson<Item, Json>(
  { items, next, previous, truncated, total }: ListPage<Item>,
  toJson: (item: Item) => Json,
) {
  const place = { next_cursor: next ?? null, previous_cursor: previous ?? null };
  return { items: items.map(toJson), ...place, ...(truncated && { truncated }), ...(total && { total: { ...total } }) };
}

/** The page as an operation's JSON. */
export function listParts<Item, Json>(toJson: (item: Item) => Json) {
  return (found: ListPage<Item>) => pageJson(found, toJson);
}

export function listOf<S extends TSchema>(item: S) {
  return Type.Object({ items: Type.Array(item) });
}

export const Subjects = Type.Array(Type.String({ maxLength: 300 }), {
  maxItems: 1000,
  description: 'People by email address or ID, groups by name or ID.',
});

const { client_uri, policy_uri, tos_uri, launch_url } = clientFields;
const linkFields = { client_uri, policy_uri, tos_uri, launch_url };

export const ConnectedApplication = component('ConnectedApplication', {
  client_id: Text,
  name: Text,
  scopes: Type.Array(Type.Enum(supportedScopes)),
  claims: Type.Array(Text, { description: 'What the application receives besides the claims of its scopes.' }),
  granted_at: Time,
  last_used_at: Time,
  ...shownFields(linkFields),
});

const session = {
  id: Text,
  device: nullable(Type.String({ description: 'Browser and device.' })),
  address: nullable(Text),
  created_at: Time,
  last_seen_at: Time,
};

export const Session = component('Session', session);
export const OwnSession = component('OwnSession', { ...session, current: Type.Boolean() });

export const Event = component('Event', {
  id: Text,
  at: Time,
  kind: Type.String({ description: 'One of those that can be asked for.' }),
  person: nullable(Type.String({ description: 'The id of the person.' })),
  application: nullable(Type.String({ description: 'The client_id of the application.' })),
  address: Text,
  request_id: Text,
  trace_id: nullable(Type.String({ description: 'From the traceparent header of the request.' })),
  detail: Type.Record(Text, Type.Union([Text, Type.Number(), Type.Array(Text)]), {
    description: '`by` says who did something that concerns others.',
  }),
  explanation: nullable(Type.String({ description: 'Why something failed, in words.' })),
});

export const Series = component('Series', {
  from: Time,
  step_seconds: Count,
  sign_ins: Counts,
  failures: Counts,
  refreshes: Counts,
});

export const Overview = component('Overview', {
  day: nullable(Series),
  month: nullable(Series),
  people: nullable(Type.Object({ all: Count, active: Count, pending: Count })),
  applications: Type.Array(
    Type.Object({ client_id: Text, name: Text, sign_ins: Count, refreshes: Count, failures: Count }),
  ),
  warnings: Type.Array(
    Type.Object({
      kind: Type.Enum([
        'no_mail',
        'outbox',
        'plain_http',
        'instances_differ',
        'store_clock_differs',
        'backup_failed',
        'backup_overdue',
        'backup_on_store_disk',
        'clock_differs',
        'administrator_keys',
        'old_secret_in_use',
      ]),
      application: nullable(Type.Object({ client_id: Text, name: Text })),
      last_used_at: nullable(Time),
    }),
  ),
});

export const Failure = component('Failure', {
  success: Type.Literal(false),
  message: Text,
  data: nullable(
    Type.Union([
      Type.Object({ field: Type.String({ description: 'What was wrong in the request.' }) }),
      Type.Object({
        error_code: Type.String({
          description: 'PROOF_REQUIRED: confirm who you are first. REVIEW_REQUIRED: review your account first.',
        }),
      }),
    ]),
  ),
});
