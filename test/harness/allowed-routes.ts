// Who may open, send and call what in administration: every route of the console and every operation of the API. It's written by
// hand from the tables in docs/people.md (roles) and docs/api.md (keys), and doesn't ask src/protocol/admin/rights.ts: a wrong
// entry there has to differ from something.

import assert from 'node:assert/strict';
import type { Authority } from '../../src/protocol/admin/rights.ts';

interface Allowed {
  /** Besides `administrator`, who may do everything. `people+applications` is someone who has both. */
  readonly roles: string;
  /** The permissions of keys. Without any, it isn't for keys with roles either. */
  readonly keys: string;
  /** Whether an owner of the application in the path may, too; without one in the path, an owner of any. */
  readonly owner?: true;
  /** A method and its paths under /admin in each line, or under /api; `:id` stands for any parameter. */
  readonly console?: string;
  readonly api?: string;
}

/** By the right that the event about a refusal names. */
const table: Readonly<Record<string, Allowed>> = {
  'people.read': {
    roles: 'people auditor',
    keys: 'read write administrator',
    console: `
      GET people people.csv people.jsonl people/:id people/invitations
      GET people/:id/access people/:id/security people/:id/activity`,
    api: `
      GET people people.csv people.jsonl people/invitations
      GET people/:id people/:id/applications people/:id/identities people/:id/sessions`,
  },
  'people.change': {
    roles: 'people',
    keys: 'write administrator',
    console: `
      GET people/new people/:id/edit people/:id/danger people/:id/delete people/:id/disable people/:id/end-sessions
      GET people/:id/verify-email people/:id/recovery-link people/:id/remove-second-factors people/:id/unlink
      GET people/invitations/withdraw
      POST people people/invite people/invitations/resend people/invitations/withdraw
      POST people/:id/edit people/:id/attributes people/:id/verify-email people/:id/delete
      POST people/:id/disable people/:id/enable people/:id/end people/:id/end-sessions
      POST people/:id/send-reset people/:id/recovery-link people/:id/remove-second-factors people/:id/unlink`,
    api: `
      POST people people/import people/invitations people/invitations/resend people/invitations/withdraw
      PATCH people/:id
      DELETE people/:id people/:id/identities/:id
      POST people/:id/disable people/:id/enable people/:id/end-sessions people/:id/verify-email
      POST people/:id/send-reset people/:id/recovery-link people/:id/remove-second-factors`,
  },
  'groups.read': {
    roles: 'people auditor',
    keys: 'read write administrator',
    console: 'GET groups groups/:id groups/:id/people.csv groups/:id/people.jsonl',
    api: 'GET groups groups/:id groups/:id/people groups/:id/people.csv groups/:id/people.jsonl',
  },
  'groups.change': {
    roles: 'people',
    keys: 'write administrator',
    console: `
      GET groups/:id/delete group-names/joinable reviews/:id/end
      POST groups groups/:id/add groups/:id/remove groups/:id/rename groups/:id/delete
      POST people/:id/groups/add people/:id/groups/remove reviews/:id/end`,
    api: `
      POST groups groups/:id/add groups/:id/remove
      PATCH groups/:id
      DELETE groups/:id`,
  },
  'sign_up.read': {
    roles: 'people auditor',
    keys: 'read write administrator',
    console: 'GET people/sign-up-links people/waiting',
    api: 'GET sign-up-links',
  },
  'sign_up.change': {
    roles: 'people',
    keys: 'write administrator',
    console: `
      GET people/sign-up-links/revoke
      POST people/sign-up-links people/sign-up-links/revoke people/waiting people/waiting/ask`,
    api: `
      POST sign-up-links people/:id/approve people/:id/decline
      DELETE sign-up-links/:id`,
  },
  'applications.read': {
    roles: 'applications auditor',
    keys: 'read write administrator',
    console: `
      GET applications applications/:id/settings applications/:id/claims
      GET applications/:id/secrets applications/:id/webhook`,
    api: 'GET applications applications/:id applications/:id/access',
  },
  'applications.change': {
    roles: 'applications',
    keys: 'write administrator',
    console: `
      GET applications/new applications/:id/claims/new applications/:id/claims/edit applications/:id/delete
      GET applications/:id/danger group-names
      GET applications/:id/rotate-secret applications/:id/retire-secret applications/:id/revoke
      POST applications applications/:id applications/:id/logo applications/:id/delete
      POST applications/:id/redirect-uris applications/:id/post-logout-redirect-uris
      POST applications/:id/redirect-uris/ask applications/:id/post-logout-redirect-uris/ask
      POST applications/:id/access
      POST people/:id/applications/allow people/:id/applications/disallow people/:id/applications/disallow/ask
      POST applications/:id/access/ask
      POST applications/:id/claims applications/:id/claims/remove
      POST applications/:id/rotate-secret applications/:id/retire-secret
      POST applications/:id/revoke applications/:id/restore`,
    api: `
      POST applications applications/:id/secrets applications/:id/revoke applications/:id/restore
      PUT applications/:id/access applications/:id/logo
      PATCH applications/:id
      DELETE applications/:id applications/:id/logo applications/:id/secrets/old`,
  },
  'applications.preview': {
    roles: 'people+applications',
    keys: 'read write administrator',
    console: 'GET applications/:id/preview',
    api: 'GET applications/:id/preview',
  },
  'applications.people': {
    roles: 'people+applications auditor',
    keys: 'read write administrator',
    api: 'GET applications/:id/access/check',
  },
  'access.read': {
    roles: 'people+applications auditor',
    keys: 'read write administrator',
    owner: true,
    console: 'GET applications/:id/access.csv applications/:id/access.jsonl',
    api: 'GET applications/:id/people applications/:id/people.csv applications/:id/people.jsonl',
  },
  'applications.owned': {
    roles: 'applications auditor',
    keys: 'read write administrator',
    owner: true,
    console: 'GET your-applications applications/:id applications/:id/access applications/:id/activity',
    api: 'GET applications/:id/events',
  },
  'access.change': {
    roles: 'applications',
    keys: 'write administrator',
    owner: true,
    console: `
      POST applications/:id/access/allow applications/:id/access/disallow applications/:id/access/disallow/ask`,
    api: 'POST applications/:id/access/allow applications/:id/access/disallow',
  },
  'owners.change': {
    roles: 'applications',
    keys: 'write administrator',
    console: 'POST applications/:id/owners',
  },
  /** Of an application's own endpoints. */
  'webhooks.read': {
    roles: 'applications auditor',
    keys: 'read write administrator',
    console: 'GET webhooks webhooks/:id webhooks/:id/settings',
    api: 'GET webhooks webhooks/:id webhooks/:id/deliveries webhooks/:id/deliveries/:id',
  },
  'webhooks.change': {
    roles: 'applications',
    keys: 'write administrator',
    console: `
      GET webhooks/new webhooks/:id/delete webhooks/:id/disable webhooks/:id/rotate-secret webhooks/:id/retire-secret
      POST webhooks webhooks/:id/settings webhooks/:id/delete webhooks/:id/disable webhooks/:id/enable
      POST webhooks/:id/rotate-secret webhooks/:id/retire-secret webhooks/:id/resend webhooks/:id/test`,
    api: `
      POST webhooks webhooks/:id/secrets webhooks/:id/disable webhooks/:id/enable webhooks/:id/test
      POST webhooks/:id/deliveries/:id/resend
      PATCH webhooks/:id
      DELETE webhooks/:id webhooks/:id/secrets/old`,
  },
  'access_requests.read': {
    roles: 'applications',
    keys: 'read write administrator',
    owner: true,
    console: 'GET access-requests',
    api: 'GET access-requests',
  },
  'access_requests.change': {
    roles: 'applications',
    keys: 'write administrator',
    owner: true,
    console: `
      GET access-requests/:id/allow access-requests/:id/decline
      POST access-requests/:id/allow access-requests/:id/decline`,
    api: 'POST access-requests/:id/allow access-requests/:id/decline',
  },
  'events.read': {
    roles: 'people applications auditor',
    keys: 'read write administrator',
    console: 'GET . search events events.csv events.jsonl',
    api: 'GET overview events events.csv events.jsonl',
  },
  'reviews.read': {
    roles: 'auditor',
    keys: 'read write administrator',
    owner: true,
    console: 'GET reviews reviews/:id reviews/:id/items reviews/:id/items.csv reviews/:id/items.jsonl',
    api: 'GET reviews reviews/:id reviews/:id/items reviews/:id/items.csv reviews/:id/items.jsonl',
  },
  'reviews.change': {
    roles: '',
    keys: 'administrator',
    console: `
      GET reviews/:id/delete
      POST reviews reviews/:id/due reviews/:id/delete`,
    api: `
      POST reviews
      PATCH reviews/:id
      DELETE reviews/:id`,
  },
  'reviews.decide': {
    roles: '',
    keys: '',
    owner: true,
    console: `
      GET reviews/:id/close
      POST reviews/:id/items reviews/:id/close`,
    api: `
      POST reviews/:id/close
      PATCH reviews/:id/items`,
  },
  'settings.read': {
    roles: 'auditor',
    keys: 'read write administrator',
    console: `
      GET settings settings/accounts settings/sessions settings/directory settings/console
      GET settings/branding settings/branding/preview`,
    api: 'GET settings',
  },
  'settings.change': {
    roles: '',
    keys: 'administrator',
    console: `
      POST settings settings/accounts settings/sessions settings/directory settings/console
      POST settings/ask settings/accounts/ask settings/sessions/ask settings/directory/ask settings/console/ask
      POST settings/branding settings/first-steps
      POST settings/branding/favicon settings/branding/logo settings/branding/logo_dark`,
    api: `
      PATCH settings
      PUT settings/images/:id
      DELETE settings/images/:id`,
  },
  'attributes.read': {
    roles: 'auditor',
    keys: 'read write administrator',
    console: 'GET settings/attributes settings/attributes/:id',
    api: 'GET attributes attributes/:id',
  },
  'attributes.change': {
    roles: '',
    keys: 'write administrator',
    console: `
      GET settings/attributes/:id/delete
      POST settings/attributes settings/attributes/:id settings/attributes/:id/ask settings/attributes/:id/delete`,
    api: `
      POST attributes
      PATCH attributes/:id
      DELETE attributes/:id`,
  },
  'upstreams.read': {
    roles: 'auditor',
    keys: 'read write administrator',
    console: 'GET providers providers/:id',
    api: 'GET upstreams upstreams/:id',
  },
  'upstreams.change': {
    roles: '',
    keys: 'administrator',
    console: `
      GET providers/new providers/:id/delete providers/:id/disable providers/:id/try
      POST providers providers/:id providers/:id/delete providers/:id/disable providers/:id/enable
      POST providers/:id/icon providers/:id/look-up providers/:id/refresh providers/:id/try`,
    api: `
      POST upstreams upstreams/:id/disable upstreams/:id/enable
      POST upstreams/:id/endpoints/look-up upstreams/:id/endpoints/refresh
      PUT upstreams/:id/icon
      PATCH upstreams/:id
      DELETE upstreams/:id upstreams/:id/icon`,
  },
  'api_keys.read': { roles: 'auditor', keys: '', console: 'GET keys', api: 'GET keys' },
  'api_keys.change': {
    roles: '',
    keys: '',
    console: `
      GET keys/end
      POST keys keys/end`,
    api: `
      POST keys
      DELETE keys/:id`,
  },
  'scim_tokens.read': { roles: 'auditor', keys: 'administrator', console: 'GET scim-tokens', api: 'GET scim-tokens' },
  'scim_tokens.change': {
    roles: '',
    keys: 'administrator',
    console: `
      GET scim-tokens/:id/revoke
      POST scim-tokens scim-tokens/:id/revoke`,
    api: `
      POST scim-tokens
      DELETE scim-tokens/:id`,
  },
  'roles.change': {
    roles: '',
    keys: 'administrator',
    console: `
      GET people/:id/make-administrator people/:id/remove-administrator
      POST people/:id/roles people/:id/make-administrator people/:id/remove-administrator groups/:id/protect`,
    api: 'POST people/:id/make-administrator people/:id/remove-administrator',
  },
};

/** Of people's own accounts: for whoever is signed in, and not for keys. */
const own = `
  GET me me/profile me/apps me/owned-applications me/sessions
  PATCH me/profile
  DELETE me/apps/:id me/sessions me/sessions/:id`;

export interface AllowedRoute {
  /** Such as `POST /admin/people/:id/disable`. */
  readonly route: string;
  /** Undefined of people's own accounts. */
  readonly right: string | undefined;
  allows(authority: Authority): boolean;
  /** Whether someone may who has no role, of an application that they own; of one that somebody else owns, nobody may then. */
  readonly owners: boolean;
}

export const allowedRoutes: readonly AllowedRoute[] = [
  ...Object.entries(table).flatMap(([right, allowed]) =>
    [...routesIn('/admin', allowed.console), ...routesIn('/api', allowed.api)].map((route) => ({
      route,
      right,
      allows: (authority: Authority) => isAllowed(allowed, authority),
      owners: allowed.owner === true,
    })),
  ),
  ...routesIn('/api', own).map((route) => ({
    route,
    right: undefined,
    allows: isPerson,
    owners: true,
  })),
];
assert.equal(new Set(allowedRoutes.map(({ route }) => route)).size, allowedRoutes.length, 'a route is listed twice');

/** Somebody who calls, with what they have. */
export interface Holder {
  readonly name: string;
  readonly authority: Authority;
}

/**
 * The closest on both sides of what a route needs: those who may and have nothing to spare, and those who may not and have as much as
 * one can have without. A route that asks for too little or too much, or for nothing, gets one of them wrong.
 */
export function closestTo<Each extends Holder>(
  { allows }: Pick<AllowedRoute, 'allows'>,
  holders: readonly Each[],
): { readonly weakestAllowed: readonly Each[]; readonly strongestRefused: readonly Each[] } {
  const [allowed, refused] = [true, false].map((isAllowed) =>
    holders.filter(({ authority }) => allows(authority) === isAllowed),
  ) as [Each[], Each[]];
  return {
    weakestAllowed: allowed.filter((each) => !allowed.some((other) => hasLess(other.authority, each.authority))),
    strongestRefused: refused.filter((each) => !refused.some((other) => hasLess(each.authority, other.authority))),
  };
}

/** Whether one may do a part of what another may, in administration. People and keys are different doors, and not compared. */
function hasLess(one: Authority, other: Authority): boolean {
  if (isPerson(one) !== isPerson(other)) return false;
  const [less, more] = [rightsOf(one), rightsOf(other)];
  return less.size < more.size && less.isSubsetOf(more);
}

function isPerson(authority: Authority): boolean {
  return 'roles' in authority && authority.isKey !== true;
}

const known = new WeakMap<Authority, ReadonlySet<string>>();

function rightsOf(authority: Authority): ReadonlySet<string> {
  const found = known.get(authority);
  if (found !== undefined) return found;
  const listed = Object.entries(table).filter(([, allowed]) => isAllowed(allowed, authority));
  const rights = new Set(listed.map(([right]) => right));
  known.set(authority, rights);
  return rights;
}

/** Lets everyone have a turn: whoever of those who could has had the fewest. */
export class Turns {
  readonly #taken = new Map<string, number>();

  next<Each extends { readonly name: string }>(those: readonly Each[]): Each {
    const taken = ({ name }: Each) => this.#taken.get(name) ?? 0;
    const [each = assert.fail('nobody could')] = those.toSorted((one, other) => taken(one) - taken(other));
    this.#taken.set(each.name, taken(each) + 1);
    return each;
  }

  /** Fails unless each of them has had one. */
  assertTaken(names: readonly string[]): void {
    assert.deepEqual(
      names.filter((name) => !this.#taken.has(name)),
      [],
    );
  }
}

const place = 'the table in test/harness/allowed-routes.ts';
const unlisted = (route: string) => `Nothing says who may do this: add ${route} to ${place}.`;

/** The entry for a route as it's registered, or for a path that leads to one. */
export function allowedRoute(method: string, path: string): AllowedRoute {
  const name = named(method, path);
  const found =
    allowedRoutes.find(({ route }) => route === name) ??
    allowedRoutes.find(({ route }) =>
      new RegExp(`^${route.replaceAll('.', '\\.').replaceAll(':id', '[^/]+')}$`).test(name),
    );
  return found ?? assert.fail(unlisted(name));
}

/** Fails if a route has no entry, or an entry no route. */
export function assertAllListed(prefix: string, routes: readonly { readonly method: string; readonly path: string }[]) {
  const registered = new Set(routes.map(({ method, path }) => named(method, path)));
  const listed = allowedRoutes.map(({ route }) => route).filter((route) => route.split(/[ /]/)[2] === prefix);
  for (const route of registered) assert.ok(listed.includes(route), unlisted(route));
  for (const route of listed) assert.ok(registered.has(route), `${route} is in ${place}, and doesn't exist.`);
}

function named(method: string, path: string): string {
  return `${method} ${path.replace(/\{\w+\}|:\w+/g, ':id')}`;
}

function routesIn(prefix: string, lines = ''): string[] {
  return lines
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [method, ...paths] = line.trim().split(' ');
      return paths.map((path) => `${method} ${path === '.' ? prefix : `${prefix}/${path}`}`);
    });
}

function isAllowed({ roles, keys }: Allowed, authority: Authority): boolean {
  if ('permission' in authority) return keys.split(' ').includes(authority.permission);
  if (authority.isKey && keys === '') return false;
  const held: readonly string[] = authority.roles;
  if (held.includes('administrator')) return true;
  return roles !== '' && roles.split(' ').some((needed) => needed.split('+').every((role) => held.includes(role)));
}
