// Whom a directory can see, and how they're shown to it.

import { definedValues } from '../../protocol/account/attribute-values.ts';
import { emailKey } from '../../protocol/account/email-address.ts';
import { isUserId, usernameKey } from '../../protocol/account/names.ts';
import { standingOf } from '../../protocol/account/standing.ts';
import { notFound, type ScimError } from '../../protocol/scim/errors.ts';
import { type Comparison, combined, type FilterAttribute } from '../../protocol/scim/filter.ts';
import { listResponse, type Part } from '../../protocol/scim/list.ts';
import { type Projection, projected, wants } from '../../protocol/scim/projection.ts';
import { isVerifiedDomain, type MappingRules, personJson } from '../../protocol/scim/user-mapping.ts';
import type { Attribute, ScimToken, ScimUserFilter, User } from '../../storage/storage.ts';
import { listAttributes } from '../attributes/attributes.ts';
import type { Services, Timing } from '../services.ts';

export type ScimServices = Timing & Pick<Services, 'settings' | 'issuer'>;

/** What is asked of a token. */
export type Directory = Pick<ScimToken, 'id' | 'source' | 'adopts'>;

export const scimBase = (issuer: string) => `${issuer}/scim/v2`;

export async function listPeople(
  services: ScimServices,
  { source, adopts }: Directory,
  comparisons: readonly Comparison[],
  part: Part,
  projection: Projection,
): Promise<object> {
  const rules = await services.settings.read();
  const filter = filterOf(comparisons, rules);
  const view = { source, adopts: adopts ? rules.scim_verified_domains : [] };
  const range = { limit: part.count, offset: part.startIndex - 1 };
  const { users, total } =
    filter === undefined
      ? { users: [], total: 0 }
      : await services.storage.findScimUsers(view, filter, range, services.clock.now());
  const attributes = await listAttributes(services);
  // Groups are a query for each person, so lists have them only if they're asked for.
  const withGroups = wants(projection, 'groups', false);
  const resources = await Promise.all(
    users.map((user) => shown(services, { source, rules, attributes, withGroups, projection }, user)),
  );
  return listResponse(resources, total, part);
}

export async function personFor(
  services: ScimServices,
  { source }: Directory,
  user: User,
  projection: Projection,
): Promise<object> {
  const [rules, attributes] = await Promise.all([services.settings.read(), listAttributes(services)]);
  const withGroups = wants(projection, 'groups', true);
  return shown(services, { source, rules, attributes, withGroups, projection }, user);
}

/** People of others are as unknown as those who don't exist. */
export async function findPerson(
  { storage, settings }: ScimServices,
  { source, adopts }: Directory,
  id: string,
): Promise<User | ScimError> {
  const user = isUserId(id) ? await storage.findUser(id) : undefined;
  if (user === undefined) return notFound();
  if (user.managedBy === source) return user;
  const isFree = adopts && user.managedBy === null && user.emailVerifiedAt !== null;
  return isFree && isVerifiedDomain(user.email, await settings.read()) ? user : notFound();
}

interface Showing {
  readonly source: string;
  readonly rules: MappingRules;
  readonly attributes: readonly Attribute[];
  readonly withGroups: boolean;
  readonly projection: Projection;
}

async function shown(
  { storage, clock, issuer }: ScimServices,
  { source, rules, attributes, withGroups, projection }: Showing,
  user: User,
): Promise<object> {
  const now = clock.now();
  const groups = withGroups ? await storage.listGroupsOf(user.id, now) : undefined;
  const person = {
    ...user,
    active: standingOf(user, now) === 'active',
    attributes: definedValues(attributes, user.attributes),
    groups: groups?.filter(({ managedBy }) => managedBy === source),
  };
  return projected(personJson(person, rules, scimBase(issuer)), projection);
}

/** Undefined if no person can be all of it. */
function filterOf(comparisons: readonly Comparison[], rules: MappingRules): ScimUserFilter | undefined {
  const isByEmail = rules.scim_user_name === 'email';
  // The userName is the email address, or the username of those who have one.
  const own = comparisons.map((each) =>
    isByEmail && each.attribute === 'userName' ? ({ ...each, attribute: 'emails.value' } as Comparison) : each,
  );
  const all = combined(own, fold);
  if (all === undefined) return undefined;
  const active = all.get('active')?.eq;
  return {
    id: all.get('id'),
    email: all.get('emails.value'),
    userName: all.get('userName'),
    externalId: all.get('externalId'),
    name: all.get('displayName'),
    active: active === undefined ? undefined : active === 'true',
  };
}

function fold(attribute: FilterAttribute, value: string, operator: 'eq' | 'sw'): string {
  switch (attribute) {
    case 'emails.value':
    case 'userName':
      // The beginning of a domain may be something else as a whole.
      if (operator === 'sw') return value.normalize('NFKC').toLowerCase();
      return value.includes('@') ? emailKey(value) : usernameKey(value);
    case 'displayName':
      return value.toLowerCase();
    default:
      return value;
  }
}
