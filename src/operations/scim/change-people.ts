// A directory creates, changes and deletes people. It never changes someone with a role.

import { type AttributeRule, type AttributeValues, readAttribute } from '../../protocol/account/attribute-values.ts';
import { emailKey } from '../../protocol/account/email-address.ts';
import { hasRole, rolesOf } from '../../protocol/account/roles.ts';
import { newAccount, standingOf } from '../../protocol/account/standing.ts';
import type { EventRecord, Requester } from '../../protocol/event.ts';
import { newId } from '../../protocol/identifiers.ts';
import { sentenceOf } from '../../protocol/problem.ts';
import type { Json } from '../../protocol/reading/strict-json.ts';
import { invalidValue, notFound, ScimError } from '../../protocol/scim/errors.ts';
import type { PersonChange } from '../../protocol/scim/user-change.ts';
import { isVerifiedDomain, type MappedPerson, type MappingRules, mapped } from '../../protocol/scim/user-mapping.ts';
import type { User } from '../../storage/storage.ts';
import { unlessTaken } from '../admin/outcome.ts';
import { listAttributes } from '../attributes/attributes.ts';
import { initialValues, readGivenAttributes } from '../attributes/person-attributes.ts';
import type { Mailing, Metering, Recording, Services } from '../services.ts';
import { invitesToRole } from '../users/given-roles.ts';
import { type Directory, findPerson, type ScimServices } from './scim-people.ts';

export type ChangeServices = ScimServices & Recording & Metering & Mailing & Pick<Services, 'random'>;

/** More than the number of requests that change one person or group at the same moment. */
export const attempts = 10;
const busy = new ScimError(503, undefined, 'The person is being changed by someone else. Try again.');
/** Doesn't say whose it is. */
const taken = new ScimError(409, 'uniqueness', 'The userName, email address or externalId is taken.');

export async function createPerson(
  services: ChangeServices,
  { source }: Directory,
  change: PersonChange,
  requester: Requester,
): Promise<User | ScimError> {
  const { storage, clock, random, journal } = services;
  const rules = await services.settings.read();
  const person = mapped(change, undefined, rules, true);
  if (person instanceof ScimError) return person;
  for (let attempt = 0; attempt < attempts; attempt++) {
    // The account of someone who is invited to a role isn't the directory's to create.
    if (await invitesToRole(services, person.email)) return taken;
    const values = await readValues(services, {}, change.attributes, requester);
    if (values instanceof ScimError) return values;
    const now = clock.now();
    const user: User = {
      ...newAccount(now),
      ...person,
      id: newId(random),
      managedBy: source,
      emailVerifiedAt: isVerifiedDomain(person.email, rules) ? now : null,
      disabledAt: change.active === false ? now : null,
      attributes: initialValues(values.change),
    };
    const detail = { admin: 'no', source };
    const event = limited(journal.event({ kind: 'user_created', userId: user.id, detail }, requester));
    const created = await unlessTaken(storage.createUser(user, event, values.change?.checkedBy));
    if (created === 'taken') return taken;
    if (created) return user;
  }
  return busy;
}

export interface WrittenPerson {
  readonly change: PersonChange;
  /** By a PUT: what it leaves out is removed. */
  readonly whole: boolean;
}

/** Someone who belongs to no directory is this one's from now on. */
export async function changePerson(
  services: ChangeServices,
  directory: Directory,
  id: string,
  { change, whole }: WrittenPerson,
  requester: Requester,
): Promise<User | ScimError> {
  const { storage, clock, journal, meters } = services;
  const { source } = directory;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const user = await findPerson(services, directory, id);
    if (user instanceof ScimError) return user;
    if (hasRole(user)) {
      if (!endsOwner(user, source, change)) return refuseRole(services, source, user, requester);
      if (newStanding(user, false, clock.now()) === undefined) return user;
      const event = journal.event({ kind: 'user_disabled', userId: user.id, detail: { source } }, requester);
      if (!(await storage.disableScimOwner(user.id, source, clock.now(), event))) continue;
      meters.revocations.add({ cause: 'user_disabled' });
      return (await storage.findUser(user.id)) ?? notFound();
    }
    const rules = await services.settings.read();
    const person = mapped(change, knownAs(user, rules), rules, whole);
    if (person instanceof ScimError) return person;
    const isMoved = emailKey(user.email) !== emailKey(person.email);
    if (isMoved && (await invitesToRole(services, person.email))) return taken;
    const attributes = await readValues(services, user.attributes, change.attributes, requester);
    if (attributes instanceof ScimError) return attributes;
    const now = clock.now();
    const standing = newStanding(user, change.active, now);
    const changed = [...changedFields(user, person), ...attributes.changed];
    if (user.managedBy === null) changed.push('managed_by');
    const isVerified = isVerifiedDomain(person.email, rules);
    const verifies = isVerified && (user.emailVerifiedAt === null || isMoved);
    const event = (kind: EventRecord['kind'], detail = {}) =>
      limited(journal.event({ kind, userId: user.id, detail: { source, ...detail } }, requester));
    const [first, ...others] = [
      ...(standing === undefined ? [] : [event(`user_${standing}`)]),
      ...(changed.length === 0 ? [] : [event('user_edited', { changed })]),
      ...(verifies && changed.length === 0 ? [event('user_email_verified')] : []),
    ];
    if (first === undefined) return user;
    const emailVerifiedAt = isVerified ? now : null;
    const write = { source, person, emailVerifiedAt, attributes: attributes.change, standing };
    const done = await unlessTaken(storage.changeScimUser(user, write, now, [first, ...others]));
    if (done === 'taken') return taken;
    if (!done) continue;
    if (standing === 'disabled') meters.revocations.add({ cause: 'user_disabled' });
    await tellOfAddress(services, user, person.email);
    return (await storage.findUser(user.id)) ?? notFound();
  }
  return busy;
}

/** People who were here before the directory are told of another address, at both; those whom it has created get no emails. */
async function tellOfAddress({ emailQueue, emailsFor }: Mailing, user: User, email: string): Promise<void> {
  const isNewcomer = user.managedBy !== null && user.adoptedAt === null;
  if (isNewcomer || emailKey(email) === emailKey(user.email)) return;
  for (const to of [user.email, email]) await emailQueue.notify(emailsFor(user.locale).emailEdited({ to, email }));
}

/** A person who was here before the directory is disabled, and belongs to no directory again. */
export async function deletePerson(
  services: ChangeServices,
  directory: Directory,
  id: string,
  requester: Requester,
): Promise<'deleted' | ScimError> {
  const { storage, clock, journal, meters } = services;
  const { source } = directory;
  for (let attempt = 0; attempt < attempts; attempt++) {
    // Someone who could be taken over isn't the directory's yet.
    const user = await findPerson(services, { ...directory, adopts: false }, id);
    if (user instanceof ScimError) return user;
    if (hasRole(user)) return refuseRole(services, source, user, requester);
    const now = clock.now();
    const kind = user.adoptedAt === null ? 'user_deleted' : 'user_disabled';
    const event = limited(journal.event({ kind, userId: user.id, detail: { source } }, requester));
    const done =
      kind === 'user_deleted'
        ? await storage.deleteScimUser(user.id, source, event)
        : await storage.releaseScimUser(user, source, await leftGroups(services, source, user, requester), now, event);
    if (!done) continue;
    meters.revocations.add({ cause: kind });
    return 'deleted';
  }
  return busy;
}

/** Those of the directory: it couldn't take someone out of them any more who isn't its own. */
async function leftGroups({ storage, clock, journal }: ChangeServices, source: string, { id }: User, by: Requester) {
  const groups = (await storage.listGroupsOf(id, clock.now())).filter(({ managedBy }) => managedBy === source);
  return groups.map(({ id: groupId, name }) => {
    const about = { userId: id, detail: { group: name, source } };
    return { id: groupId, event: journal.event({ kind: 'group_member_removed', ...about }, by) };
  });
}

export function refuseRole(
  { journal }: Pick<Recording, 'journal'>,
  source: string,
  { id }: Pick<User, 'id'>,
  requester: Requester,
): ScimError {
  journal.noteRateLimited({ kind: 'scim_refused', userId: id, detail: { source } }, requester);
  return new ScimError(
    403,
    undefined,
    'The person has a role in administration or owns an application, so only administrators change them.',
  );
}

/**
 * People leave, owners of applications too: their directory sets them to inactive, and whatever else it says about them stays as it is.
 * It doesn't let them back in.
 */
function endsOwner(user: User, source: string, { active }: PersonChange): boolean {
  return active === false && user.managedBy === source && rolesOf(user).length === 0;
}

/** A directory changes no people who have a role or are invited to one. */
function limited(event: EventRecord): EventRecord {
  return { ...event, limited: true };
}

/** A person who is taken over has the username that the directory gives them, and not one by which it would find another person. */
function knownAs(user: User, { scim_user_name: kind }: MappingRules): MappedPerson {
  return user.managedBy === null && kind === 'username' ? { ...user, preferredUsername: null } : user;
}

/** Neither gives someone access whose access has ended, or who waits for approval. */
function newStanding(user: User, active: boolean | undefined, now: number): 'disabled' | 'enabled' | undefined {
  const standing = standingOf(user, now);
  if (active === true && standing === 'disabled') return 'enabled';
  return active === false && standing === 'active' ? 'disabled' : undefined;
}

const fieldNames: Readonly<Record<keyof MappedPerson, string>> = {
  email: 'email',
  preferredUsername: 'preferred_username',
  name: 'name',
  givenName: 'given_name',
  familyName: 'family_name',
  locale: 'locale',
  externalId: 'external_id',
};

function changedFields(user: User, person: MappedPerson): string[] {
  return Object.entries(fieldNames).flatMap(([property, name]) => {
    const field = property as keyof MappedPerson;
    return user[field] === person[field] ? [] : [name];
  });
}

/** Undefined attributes are ignored. */
async function readValues(
  services: ChangeServices,
  current: AttributeValues,
  given: PersonChange['attributes'],
  requester: Requester,
) {
  const defined = await listAttributes(services);
  const values = Object.entries(given).flatMap(([name, value]) => {
    const rule = defined.find((each) => each.name === name);
    return rule === undefined ? [] : [[name, ofKind(rule, value)] as const];
  });
  const read = await readGivenAttributes(
    services,
    current,
    { as: 'json', values: Object.fromEntries(values) },
    requester,
  );
  const [problem] = read.problems;
  return problem === undefined ? read : invalidValue(sentenceOf(problem));
}

/** Directories send most values as text. */
function ofKind(rule: AttributeRule, value: Json): Json | unknown {
  if (rule.kind === 'text') return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (typeof value !== 'string') return value;
  return readAttribute(rule, value, 'text').value ?? value;
}
