// An administrator brings people from another service. Those who came from there before are left as they are, so that an
// import can be repeated; those who can't be stored beside those who are here are refused by name, and the others are
// stored in one write.

import { emailKey } from '../../protocol/account/email-address.ts';
import { usernameKey } from '../../protocol/account/names.ts';
import { newAccount } from '../../protocol/account/standing.ts';
import { may } from '../../protocol/admin/rights.ts';
import type { Requester } from '../../protocol/event.ts';
import { newId } from '../../protocol/identifiers.ts';
import type { ImportedPerson, PersonReading } from '../../protocol/import/person.ts';
import { readPerson, type SourceOptions } from '../../protocol/import/sources.ts';
import type { Json } from '../../protocol/reading/strict-json.ts';
import {
  type Attribute,
  type ImportedUser,
  identityKey,
  StorageConflict,
  type TakenKeys,
  type User,
} from '../../storage/storage.ts';
import { guarded, invitedRefusal } from '../admin/authority.ts';
import { type Outcome, refusalClause } from '../admin/outcome.ts';
import { attributesOutOfReach, listAttributes, outOfReach } from '../attributes/attributes.ts';
import { passwordsAreOff } from '../passwords/password-policy.ts';
import { sealSecret } from '../second-factors/authenticator-secret.ts';
import type { Recording, Services, Timing } from '../services.ts';
import { defineAttributes, NewAttributes } from './import-extras.ts';
import {
  findImportGroups,
  type GroupsFound,
  groupProblems,
  groupsLeft,
  type JoiningRules,
  joinedByImport,
} from './import-groups.ts';

type ImportServices = Recording & Pick<Services, 'random' | 'keys'>;

export type ImportOutcome =
  /** Or could be. `left` is what only the store could tell; the ID is undefined while it isn't given. */
  | { readonly kind: 'imported'; readonly id: string | undefined; readonly left: readonly string[] }
  /** Came from the same service before. */
  | { readonly kind: 'present' }
  /** The ID was a person's who was deleted here. */
  | { readonly kind: 'deleted' }
  | { readonly kind: 'refused'; readonly problems: readonly string[] };

/** At most so many at once. */
export const importBatch = 1000;

/** What would become of each by the command line, apart from each other. */
export async function checkPeople(services: Timing, batch: ImportBatch): Promise<readonly ImportOutcome[]> {
  const { people, source, restoresIds } = batch;
  const [taken, groups] = await Promise.all([
    findTaken(services, source, people, restoresIds),
    findImportGroups(services, people, batch),
  ]);
  return people.map((person) => judge(person, { taken, groups, rules: batch }));
}

/** What would become of each. */
export async function planImport(
  services: Timing,
  batch: ImportBatch,
  requester: Requester,
): Promise<readonly ImportOutcome[]> {
  const { people, source, restoresIds } = batch;
  const [taken, groups] = await Promise.all([
    findTaken(services, source, people, restoresIds),
    findImportGroups(services, people, batch),
  ]);
  return judgeTogether(people, { taken, groups, rules: batch, requester });
}

/** With `restoresIds`, the IDs of people who were deleted can be given again. */
async function findTaken(
  { storage, clock }: Timing,
  source: string,
  people: readonly ImportedPerson[],
  restoresIds: boolean,
): Promise<TakenKeys> {
  const taken = await storage.findTaken(source, people, clock.now());
  return restoresIds ? { ...taken, deletedIds: new Set(), mayLackDeleted: false } : taken;
}

/** People of one source, with the attributes that they may have values of. */
export interface ImportBatch extends JoiningRules {
  readonly source: string;
  readonly people: readonly ImportedPerson[];
  readonly attributes: readonly Attribute[];
  readonly restoresIds: boolean;
}

/** What has become of each, in their order. */
export async function importPeople(
  services: ImportServices,
  batch: ImportBatch,
  requester: Requester,
): Promise<readonly ImportOutcome[]> {
  // A person took an address or an id in between, or was invited; who that is, is found by looking again.
  for (let attempts = 3; ; attempts--) {
    try {
      const { outcomes, done } = await importOnce(services, batch, requester);
      if (done) return outcomes;
      if (attempts === 0) return outcomes.map((outcome) => (outcome.kind === 'imported' ? changedMeanwhile : outcome));
    } catch (error) {
      if (!(error instanceof StorageConflict) || attempts === 0) throw error;
    }
  }
}

const changedMeanwhile: ImportOutcome = {
  kind: 'refused',
  problems: [
    'an attribute, a group or an identity provider was changed or deleted during the import: import the file again',
  ],
};

async function importOnce(
  services: ImportServices,
  batch: ImportBatch,
  requester: Requester,
): Promise<{ readonly outcomes: readonly ImportOutcome[]; readonly done: boolean }> {
  const { storage, clock, random, journal } = services;
  const { source, people, attributes, restoresIds, since } = batch;
  const now = clock.now();
  const found = await findImportGroups(services, people, batch);
  const taken = await findTaken(services, source, people, restoresIds);
  const judged = judgeTogether(people, { taken, groups: found, rules: batch, requester });
  const stored: ImportedUser[] = [];
  const joining: { readonly person: ImportedPerson; readonly userId: string }[] = [];
  const outcomes = people.map((person, index): ImportOutcome => {
    const outcome = judged[index];
    if (outcome?.kind !== 'imported') return outcome ?? changedMeanwhile;
    const user = toUser(person, person.id ?? newId(random), now);
    const { oldId, identities } = person;
    stored.push({ oldId, user, identities, authenticator: sealedAuthenticator(services, user, person) });
    joining.push({ person, userId: user.id });
    return { ...outcome, id: user.id };
  });
  if (stored.length === 0) return { outcomes, done: true };
  const detail = { source, people: stored.length };
  const event = guarded(journal.event({ kind: 'people_imported', detail }, requester), requester);
  const used = attributes.filter(({ name }) => stored.some(({ user }) => Object.hasOwn(user.attributes, name)));
  const groups = joinedByImport(services, joining, found, batch, requester);
  const details = { checkedBy: used, restoresIds, groups, since };
  return { outcomes, done: await storage.importUsers(source, stored, now, event, details) };
}

interface Basis {
  readonly taken: TakenKeys;
  readonly groups: GroupsFound;
  readonly rules: JoiningRules;
  /** None for the command line. */
  readonly requester?: Requester;
}

/** Two in the same batch can't share anything either. */
function judgeTogether(people: readonly ImportedPerson[], basis: Basis): ImportOutcome[] {
  const { taken: known } = basis;
  const taken = {
    ...known,
    oldIds: new Set(known.oldIds),
    ids: new Set(known.ids),
    emailKeys: new Set(known.emailKeys),
    identityKeys: new Set(known.identityKeys),
    usernameKeys: new Set(known.usernameKeys),
  };
  return people.map((person) => {
    const found = judge(person, { ...basis, taken });
    if (found.kind !== 'imported') return found;
    taken.oldIds.add(person.oldId);
    if (person.id !== undefined) taken.ids.add(person.id);
    taken.emailKeys.add(emailKey(person.email));
    for (const each of person.identities) taken.identityKeys.add(identityKey(each));
    if (person.username !== null) taken.usernameKeys.add(usernameKey(person.username));
    return found;
  });
}

function judge(person: ImportedPerson, { taken, groups, rules, requester }: Basis): ImportOutcome {
  const { oldId, id, email, username } = person;
  if (taken.oldIds.has(oldId)) return { kind: 'present' };
  if (id !== undefined && taken.deletedIds.has(id)) return { kind: 'deleted' };
  const called = (name: string) => taken.emailKeys.has(emailKey(name)) || taken.usernameKeys.has(usernameKey(name));
  const isId = (name: string, key: string) => taken.ids.has(name) || taken.ids.has(key);
  const invited = requester && invitedRefusal(requester, email, taken.invitedKeys.has(emailKey(email)));
  const problems = [
    ...(taken.emailKeys.has(emailKey(email)) ? [`there is already a person with the email address ${email}`] : []),
    ...(id !== undefined && taken.ids.has(id) ? [`there is already a person with the id ${id}`] : []),
    ...(username !== null && taken.usernameKeys.has(usernameKey(username))
      ? [`there is already a person with the username ${username}`]
      : []),
    ...(isId(email, emailKey(email)) ? [`the email address ${email} is the id of another person`] : []),
    ...(username !== null && isId(username, usernameKey(username))
      ? [`the username ${username} is the id of another person`]
      : []),
    ...(id !== undefined && called(id) ? [`the id ${id} is the email address or username of another person`] : []),
    ...(id !== undefined && taken.mayLackDeleted
      ? ["it can't be told whether the id was a deleted person's: restore the service's keys (see latchkey doctor)"]
      : []),
    ...(invited === undefined ? [] : [refusalClause(invited)]),
    ...person.identities
      .filter((each) => taken.identityKeys.has(identityKey(each)))
      .map(({ upstream }) => `the identity at ${upstream} belongs to another person`),
    ...groupProblems(person, groups),
  ];
  if (problems.length > 0) return { kind: 'refused', problems };
  return { kind: 'imported', id, left: groupsLeft(person, groups, rules, requester) };
}

function sealedAuthenticator(services: ImportServices, { id }: User, { authenticator }: ImportedPerson) {
  if (authenticator === null) return undefined;
  const { secret, createdAt } = authenticator;
  return { sealedSecret: sealSecret(services, id, secret), createdAt };
}

function toUser(person: ImportedPerson, id: string, now: number): User {
  return {
    ...newAccount(now),
    id,
    email: person.email,
    emailVerifiedAt: person.emailVerified ? now : null,
    name: person.name,
    givenName: person.givenName,
    familyName: person.familyName,
    preferredUsername: person.username,
    picture: person.picture,
    locale: person.locale,
    passwordHash: person.passwordHash,
    disabledAt: person.disabled ? now : null,
    createdAt: person.createdAt ?? now,
    attributes: person.attributes,
    expiresAt: person.expiresAt,
    lostFactorAt: person.lostFactor ? now : null,
  };
}

const deletedBefore = 'a person with this id was deleted here before';

export interface RecordOutcome {
  readonly result: 'imported' | 'already_imported' | 'skipped' | 'refused';
  /** Of the person who is imported, unless it was a dry run and they get a new one. */
  readonly id: string | undefined;
  readonly problems: readonly string[];
  readonly left: readonly string[];
  readonly secondFactor: SecondFactorOutcome | undefined;
}

export type SecondFactorOutcome = 'taken_over' | 'not_taken_over';

/** Undefined if the other service knew of none. */
export function secondFactorOf({ authenticator, lostFactor }: ImportedPerson): SecondFactorOutcome | undefined {
  if (authenticator !== null) return 'taken_over';
  return lostFactor ? 'not_taken_over' : undefined;
}

/** With these, another person could sign in as someone, or have rights that are an administrator's to give. */
function administratorsOnly({ authority }: Requester, person: ImportedPerson, defines: readonly string[]): string[] {
  if (may(authority, 'roles.change')) return [];
  const theirs = [
    ...(secondFactorOf(person) === undefined ? [] : ['second factors']),
    ...(person.groups.length === 0 ? [] : ['groups']),
    ...(person.identities.length === 0 ? [] : ['identities']),
  ];
  const further = defines.length === 0 ? [] : ['only an administrator can define attributes'];
  return [...theirs.map((what) => `only an administrator can import ${what}`), ...further];
}

/** As another service writes them. Those who can't be imported don't keep the others out. */
export async function importRecords(
  services: ImportServices & Pick<Services, 'settings'>,
  {
    source,
    records,
    options,
    intoExistingGroups,
    dryRun,
  }: {
    source: string;
    records: readonly Json[];
    options: SourceOptions;
    intoExistingGroups: boolean;
    dryRun: boolean;
  },
  requester: Requester,
): Outcome<{ outcomes: readonly RecordOutcome[] }> {
  const defined = await listAttributes(services);
  const passwordsOff = await passwordsAreOff(services);
  const unreachable = await attributesOutOfReach(services, requester, defined);
  const further = new NewAttributes(defined);
  const readings = records.map((record): PersonReading => {
    const reading = readPerson(record, { ...options, attributes: defined, passwordsOff });
    if (reading.kind !== 'person') return reading;
    const { person } = reading;
    const problems = [
      ...unreachable.filter(({ name }) => Object.hasOwn(person.attributes, name)).map(outOfReach),
      ...administratorsOnly(requester, person, further.missing(person)),
    ];
    if (problems.length === 0) problems.push(...further.take(person));
    return problems.length === 0 ? reading : { kind: 'invalid', problems, lostFactor: person.lostFactor };
  });
  const people = readings.flatMap((reading) => (reading.kind === 'person' ? [reading.person] : []));
  if (!dryRun && further.names.size > 0) {
    const made = await defineAttributes(services, further.names, requester);
    if (made.kind === 'refused') return made;
  }
  const attributes = further.names.size > 0 ? await listAttributes(services) : defined;
  const batch = { source, people, attributes, restoresIds: false, intoExistingGroups, since: options.now };
  const outcomes = await (dryRun ? planImport : importPeople)(services, batch, requester);
  const outcomeOf = new Map<ImportedPerson, ImportOutcome | undefined>();
  for (const [index, person] of people.entries()) outcomeOf.set(person, outcomes[index]);
  const results = readings.map((reading): RecordOutcome => {
    const nothing = { id: undefined, problems: [], left: [], secondFactor: undefined };
    if (reading.kind === 'skipped') return { ...nothing, result: 'skipped' };
    if (reading.kind === 'invalid') {
      const secondFactor = reading.lostFactor ? 'not_taken_over' : undefined;
      return { ...nothing, result: 'refused', problems: reading.problems, secondFactor };
    }
    const { person, left } = reading;
    const outcome = outcomeOf.get(person);
    if (outcome?.kind === 'present') return { ...nothing, result: 'already_imported' };
    if (outcome?.kind === 'deleted') return { ...nothing, result: 'skipped', problems: [deletedBefore] };
    if (outcome?.kind === 'refused') return { ...nothing, result: 'refused', problems: outcome.problems };
    const secondFactor = secondFactorOf(person);
    const missed = [...left, ...(outcome?.left ?? [])];
    return { ...nothing, result: 'imported', id: outcome?.id, left: missed, secondFactor };
  });
  return { kind: 'done', outcomes: results };
}
