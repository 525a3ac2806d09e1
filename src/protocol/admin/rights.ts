// Who may do what in administration: one table, which the console, the API and the help of the command line follow. An
// administrator may do everything, and so may the command line.

import { includes } from '../reading/includes.ts';

/** What a person can be in administration. Several at once add up. */
export const roles = ['administrator', 'people', 'applications', 'auditor'] as const;
export type Role = (typeof roles)[number];
export type LesserRole = Exclude<Role, 'administrator'>;
export const lesserRoles: readonly LesserRole[] = roles.filter((role) => role !== 'administrator');

/** What an API key can have instead of roles. */
export const permissions = ['read', 'write', 'administrator'] as const;
export type Permission = (typeof permissions)[number];

interface Holders {
  /** Besides `administrator`. */
  readonly roles: readonly LesserRole[];
  /** The weakest permission of a key that is enough; undefined if no key may. */
  readonly key: Permission | undefined;
  /** Whether an owner of an application has it, for that application alone. There are no keys for owners. */
  readonly owner?: true;
}

/** Reading is everything but secrets. Names in pickers come with the page that has the picker, and need no right of their own. */
export const rights = {
  'people.read': { roles: ['people', 'auditor'], key: 'read' },
  /** Of those without a role; the others are an administrator's. */
  'people.change': { roles: ['people'], key: 'write' },
  'groups.read': { roles: ['people', 'auditor'], key: 'read' },
  /** Of those that aren't protected. */
  'groups.change': { roles: ['people'], key: 'write' },
  'sign_up.read': { roles: ['people', 'auditor'], key: 'read' },
  'sign_up.change': { roles: ['people'], key: 'write' },
  'applications.read': { roles: ['applications', 'auditor'], key: 'read' },
  'applications.change': { roles: ['applications'], key: 'write' },
  /** What an application would receive about someone: for those who may see both. */
  'applications.preview': { roles: [], key: 'read' },
  /** Who can use an application shows people to someone who looks at an application: for those who may read both. */
  'applications.people': { roles: ['auditor'], key: 'read' },
  /** The table of who can use an application, and its downloads. */
  'access.read': { roles: ['auditor'], key: 'read', owner: true },
  /** What an owner sees of an application: its list, its events without what belongs to other people, how it connects. */
  'applications.owned': { roles: ['applications', 'auditor'], key: 'read', owner: true },
  /** To give people access, and to end it. Groups, and who can use it at all, are for `applications.change`. */
  'access.change': { roles: ['applications'], key: 'write', owner: true },
  'owners.change': { roles: ['applications'], key: 'write' },
  'access_requests.read': { roles: ['applications'], key: 'read', owner: true },
  'access_requests.change': { roles: ['applications'], key: 'write', owner: true },
  'reviews.read': { roles: ['auditor'], key: 'read', owner: true },
  'reviews.change': { roles: [], key: 'administrator' },
  /** To say in a review who keeps access, and to close it: only people do. */
  'reviews.decide': { roles: [], key: undefined, owner: true },
  'events.read': { roles: ['people', 'applications', 'auditor'], key: 'read' },
  'settings.read': { roles: ['auditor'], key: 'read' },
  'settings.change': { roles: [], key: 'administrator' },
  'attributes.read': { roles: ['auditor'], key: 'read' },
  'attributes.change': { roles: [], key: 'write' },
  'upstreams.read': { roles: ['auditor'], key: 'read' },
  'upstreams.change': { roles: [], key: 'administrator' },
  /** Of applications' own endpoints. Those of the service receive everything, so they have rights of their own. */
  'webhooks.read': { roles: ['applications', 'auditor'], key: 'read' },
  'webhooks.change': { roles: ['applications'], key: 'write' },
  'service_webhooks.read': { roles: ['auditor'], key: 'read' },
  'service_webhooks.change': { roles: [], key: 'write' },
  'api_keys.read': { roles: ['auditor'], key: undefined },
  'api_keys.change': { roles: [], key: undefined },
  'scim_tokens.read': { roles: ['auditor'], key: 'administrator' },
  'scim_tokens.change': { roles: [], key: 'administrator' },
  /** To give and remove roles, and to change people who have one, and protected groups. */
  'roles.change': { roles: [], key: 'administrator' },
} as const satisfies Readonly<Record<string, Holders>>;

export type Right = keyof typeof rights;
export type Area = Right extends `${infer Name}.${string}` ? Name : never;

/** Throws if there's none: a route that would need it doesn't start. */
export function rightIn(area: Area, does: 'read' | 'change'): Right {
  const name = `${area}.${does}`;
  if (!Object.hasOwn(rights, name)) throw new Error(`there is no right ${name}`);
  return name as Right;
}

/** What someone has: a person's roles and applications, or the roles of a key, or the permission of a key. */
export type Authority =
  | {
      readonly roles: readonly Role[];
      readonly isKey?: true;
      /** The IDs of the applications that the person owns. */
      readonly owns?: ReadonlySet<string>;
    }
  | { readonly permission: Permission };

/** Of an API key as it's stored: its roles, if it has some instead of a permission. */
export function authorityOfKey({
  roles: held,
  permission,
}: {
  readonly roles: string | null;
  readonly permission: Permission;
}): Authority {
  return held === null ? { permission } : { roles: held.split(' ').filter(isRole), isKey: true };
}

/**
 * Undefined is the command line, which may do everything. Whatever concerns one application names it: without that, what somebody may
 * as an owner doesn't count.
 */
export function may(authority: Authority | undefined, right: Right, clientId?: string): boolean {
  if (authority === undefined) return true;
  const { key, owner }: Holders = rights[right];
  if (owner && clientId !== undefined && owns(authority, clientId)) return true;
  if ('roles' in authority) {
    // Keys manage no keys, whatever their roles.
    if (authority.isKey && key === undefined) return false;
    return authority.roles.some((role) => hasRight(role, right)) || hasBoth(authority, right);
  }
  return key !== undefined && permissions.indexOf(authority.permission) >= permissions.indexOf(key);
}

/** Whether there's an application for which they may: for lists over several, which show what is theirs (`ownedOnly`). */
export function mayForSome(authority: Authority | undefined, right: Right): boolean {
  return may(authority, right) || isOwnersRight(authority, right);
}

/** The applications that a list over several is limited to; undefined if the right is theirs for all. */
export function ownedOnly(authority: Authority | undefined, right: Right): ReadonlySet<string> | undefined {
  if (may(authority, right)) return undefined;
  return isOwnersRight(authority, right) ? ownedBy(authority) : new Set();
}

function isOwnersRight(authority: Authority | undefined, right: Right): boolean {
  const { owner }: Holders = rights[right];
  return owner === true && ownedBy(authority).size > 0;
}

/** The applications that someone owns. */
export function ownedBy(authority: Authority | undefined): ReadonlySet<string> {
  return (authority !== undefined && 'roles' in authority && !authority.isKey && authority.owns) || new Set();
}

/** Whether they own the application. */
export function owns(authority: Authority | undefined, clientId: string): boolean {
  return ownedBy(authority).has(clientId);
}

function hasRight(role: Role, right: Right): boolean {
  return role === 'administrator' || includes(rights[right].roles, role);
}

/** What shows people to someone who looks at an application takes both roles. */
function hasBoth({ roles: held }: { readonly roles: readonly Role[] }, right: Right): boolean {
  const takesBoth = right === 'applications.preview' || right === 'applications.people' || right === 'access.read';
  return takesBoth && held.includes('applications') && held.includes('people');
}

export function isRole(text: string): text is Role {
  return includes(roles, text);
}

/** Whoever changes applications may do these for all of them. */
type PartOfApplications = 'access' | 'owners';
type NamedArea = keyof typeof areaNames;

/** What people call the areas of the table, in its order. */
const areaNames = {
  people: 'people',
  groups: 'groups',
  sign_up: 'sign-up links and approvals',
  applications: 'applications',
  events: 'events',
  settings: 'settings',
  attributes: 'attributes',
  upstreams: 'identity providers',
  webhooks: "applications' own webhooks",
  service_webhooks: 'other webhooks',
  api_keys: 'API keys',
  scim_tokens: 'SCIM tokens',
  roles: 'roles',
  access_requests: 'requests for access',
  reviews: 'reviews of access',
} as const satisfies Readonly<Record<Exclude<Area, PartOfApplications>, string>>;

/** What someone with this authority can change and, of the rest, read: for the help of the command line. */
export function describeRights(authority: Authority): string {
  const areas = Object.keys(areaNames) as NamedArea[];
  const held = (Object.keys(rights) as Right[]).filter((right) => may(authority, right));
  const having = (does: string) => areas.filter((area) => includes(held, `${area}.${does}`));
  const changed = having('change');
  const read = having('read').filter((area) => !changed.includes(area));
  if (changed.length === areas.length - 1) return 'everything';
  const parts = [
    ...(changed.length === 0 ? [] : [`changes ${named(changed, may(authority, 'roles.change') ? {} : limits)}`]),
    ...(read.length === 0 ? [] : [`reads ${named(read, {})}`]),
  ];
  return parts.join('; ');
}

/** What is left to those who can't change roles. */
const limits: Partial<Record<NamedArea, string>> = {
  people: 'people without a role',
  groups: "groups that aren't protected",
};

function named(areas: readonly NamedArea[], limited: typeof limits): string {
  return areas.map((area) => limited[area] ?? areaNames[area]).join(', ');
}
