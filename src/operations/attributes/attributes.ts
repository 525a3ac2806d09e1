// Administrators define attributes of people, change them and delete them. Applications may use one in their claims: what they
// rely on changes only if the administrator has seen who that is.

import { type AttributeProblem, attributeValueLimit } from '../../protocol/account/attribute-values.ts';
import { may } from '../../protocol/admin/rights.ts';
import type { EventDetail, EventRecord, Requester } from '../../protocol/event.ts';
import type { EventKind } from '../../protocol/events/kinds.ts';
import type { ApplicationClaim } from '../../protocol/oauth/application-claims.ts';
import { grouped } from '../../protocol/reading/in-sentences.ts';
import { type AttributeInput, attributeFields } from '../../protocol/resources/attribute.ts';
import { changeDetail, differing, readFields, readNew, recordedValues } from '../../protocol/resources/resource.ts';
import type { Attribute, ClaimsChange, Client } from '../../storage/storage.ts';
import {
  type AdminOutcome,
  beingChanged,
  type Outcome,
  type Refused,
  refused,
  refusedFields,
  type Unconfirmed,
  unlessTaken,
  wholeOrRefused,
} from '../admin/outcome.ts';
import type { Recording, Services, Storing } from '../services.ts';

export const attributeLimit = 50;

/** More than the number of people who change one attribute at the same moment. */
const attempts = 10;
/** How many people's values are removed at once, and how often before the rest is left to the sweep. */
const clearedAtOnce = 500;
const clearedHere = 20;

export type UsingApplication = Pick<Client, 'id' | 'name'>;

/** Applications use the attribute, and it isn't confirmed that this changes their claims. */
export interface InUse extends Unconfirmed {
  readonly usedBy: readonly UsingApplication[];
}

/** Whether claims of applications change with it: of any, or only of those with these IDs. */
export type Force = boolean | readonly string[];

type Changed = Promise<AdminOutcome<{ attribute: Attribute }> | InUse>;

/** What is wrong with a value, completing a sentence that starts with the attribute. */
export const valueProblems: Record<AttributeProblem, string> = {
  unknown: "isn't defined",
  wrong_kind: 'has a value of another kind',
  not_allowed: "has a value that isn't among the allowed ones",
  too_long: `has a value of more than ${grouped(attributeValueLimit)} bytes`,
  characters: 'has a value with characters that are not allowed, or a list with a comma in an item or an empty one',
};

/** By name. */
export function listAttributes({ storage }: Storing): Promise<Attribute[]> {
  return storage.listAttributes();
}

export async function findAttribute({ storage }: Storing, name: string): Outcome<{ attribute: Attribute }> {
  const attribute = await storage.findAttribute(name);
  return attribute === undefined ? noSuchAttribute(name) : { kind: 'done', attribute };
}

export async function createAttribute(
  services: Recording,
  input: AttributeInput,
  requester: Requester,
): Outcome<{ attribute: Attribute }> {
  const { storage, clock } = services;
  const whole = wholeOrRefused(readNew(attributeFields, input));
  if (whole.kind === 'refused') return whole;
  const { values } = whole;
  const now = clock.now();
  const attribute: Attribute = { ...values, createdAt: now, updatedAt: now };
  const { name } = attribute;
  const event = eventAbout(services, 'attribute_created', name, requester, recordedValues(attributeFields, values));
  const created = await unlessTaken(storage.createAttribute(attribute, attributeLimit, event));
  if (created === 'taken') {
    const isLive = (await storage.findAttribute(name)) !== undefined;
    return isLive
      ? refused(`there is already an attribute "${name}"`, 'conflict')
      : refused(
          `the attribute "${name}" was deleted, and its values are still being removed; try again later`,
          'conflict',
        );
  }
  return created
    ? { kind: 'done', attribute }
    : refused(`there can be at most ${attributeLimit} attributes`, 'conflict');
}

/** Nothing is written when nothing changes. */
export async function changeAttribute(
  services: Recording,
  name: string,
  update: AttributeInput,
  requester: Requester,
  force: Force = false,
): Changed {
  return retried(services, name, async (attribute) => {
    const { values, problems } = readFields(attributeFields, update, attribute);
    const wrong = refusedFields(problems);
    if (wrong !== undefined) return wrong;
    const change = differing(attributeFields, attribute, values);
    if (Object.keys(change).length === 0) return { kind: 'done', attribute };
    const opened = await openedBy(services, attribute, change);
    const refusal = unconfirmed(opened, force, (apps) => `${apps} would get what people enter themselves`);
    if (refusal !== undefined) return refusal;
    const claims = opened.map((client) => ({
      client,
      claims: client.claims.map((claim) => (uses(claim, attribute) ? { ...claim, selfAsserted: true } : claim)),
    }));
    const detail = { ...changeDetail(attributeFields, change), ...applicationsIn(opened) };
    const events = [
      eventAbout(services, 'attribute_updated', name, requester, detail),
      ...eventsOf(services, claims, requester),
    ];
    const done = await services.storage.changeAttribute(attribute, change, claims, services.clock.now(), events);
    return done ? findAttribute(services, name) : 'again';
  });
}

/** The applications whose claims this change opens to what people enter themselves; none for a change that is refused. */
export async function openedByChange(
  services: Storing,
  name: string,
  update: AttributeInput,
): Promise<readonly UsingApplication[]> {
  const found = await findAttribute(services, name);
  if (found.kind === 'refused') return [];
  const { values, problems } = readFields(attributeFields, update, found.attribute);
  if (problems.length > 0) return [];
  return openedBy(services, found.attribute, differing(attributeFields, found.attribute, values));
}

/** Applications that rely on its values, if people may now enter them themselves. */
async function openedBy(services: Storing, attribute: Attribute, change: Partial<Attribute>): Promise<Client[]> {
  return change.editableBy === 'person' ? findUses(services, attribute, isTrusted) : [];
}

/** It's gone at once, and people's values follow: of the first thousands here, of all others by the sweep. */
export async function deleteAttribute(
  services: Recording,
  name: string,
  requester: Requester,
  force: Force = false,
): Changed {
  const outcome = await retried(services, name, async (attribute) => {
    const using = await findUses(services, attribute);
    const refusal = unconfirmed(using, force, (apps) => `${apps} would lose the claims that use it`);
    if (refusal !== undefined) return refusal;
    const claims = using.map((client) => ({
      client,
      claims: client.claims.filter((claim) => !uses(claim, attribute)),
    }));
    const events = [
      eventAbout(services, 'attribute_deleted', name, requester, applicationsIn(using)),
      ...eventsOf(services, claims, requester),
    ];
    const done = await services.storage.deleteAttribute(attribute, claims, services.clock.now(), events);
    return done ? { kind: 'done', attribute } : 'again';
  });
  if (outcome.kind === 'done') await clearDeleted(services, clearedHere);
  return outcome;
}

/** Removes values of deleted attributes, some hundred people at a time. `rest` is called in between. */
export async function clearDeleted(
  { storage }: Storing,
  batches = Number.POSITIVE_INFINITY,
  rest: () => Promise<boolean> = async () => true,
): Promise<void> {
  for (let batch = 0; batch < batches; batch++) {
    if (!(await storage.clearDeletedAttribute(clearedAtOnce)) || !(await rest())) return;
  }
}

/** The applications whose claims use it. */
export async function usersOf(services: Storing, attribute: Attribute): Promise<readonly UsingApplication[]> {
  return findUses(services, attribute);
}

/**
 * Those of the attributes whose values the requester may not set for people. What a claim says can make someone an
 * administrator of an application, so values that claims use are an administrator's.
 */
export async function attributesOutOfReach(
  { storage }: Storing,
  { authority }: Requester,
  attributes: readonly Attribute[],
): Promise<readonly Attribute[]> {
  if (attributes.length === 0 || may(authority, 'roles.change')) return [];
  const clients = await storage.listClients();
  return attributes.filter((attribute) => clients.some(({ claims }) => claims.some((claim) => uses(claim, attribute))));
}

export function outOfReach({ name }: Attribute): string {
  return `a claim uses the attribute "${name}": only an administrator can set it`;
}

async function findUses(
  { storage }: Storing,
  attribute: Attribute,
  isMeant: (claim: ApplicationClaim) => boolean = () => true,
): Promise<Client[]> {
  const clients = await storage.listClients();
  return clients.filter(({ claims }) => claims.some((claim) => uses(claim, attribute) && isMeant(claim)));
}

/** A claim of an earlier attribute with this name isn't one of this. */
function uses(claim: ApplicationClaim, { name, createdAt }: Attribute): boolean {
  return claim.source === 'attribute' && claim.attribute.name === name && claim.attribute.since === createdAt;
}

function isTrusted(claim: ApplicationClaim): boolean {
  return claim.source === 'attribute' && !claim.selfAsserted;
}

function unconfirmed(
  using: readonly UsingApplication[],
  force: Force,
  consequence: (apps: string) => string,
): InUse | undefined {
  const isConfirmed = ({ id }: UsingApplication) => (typeof force === 'boolean' ? force : force.includes(id));
  if (using.every(isConfirmed)) return undefined;
  const apps = new Intl.ListFormat('en').format(using.map(({ id, name }) => `"${name}" (${id})`));
  const usedBy = using.map(({ id, name }) => ({ id, name }));
  const would = consequence(apps);
  return { ...refused(`${would}; confirm that with "force"`, 'conflict'), consequence: would, usedBy };
}

/** What is read first may have changed by the time of the write; then it's read again. */
async function retried(
  services: Storing,
  name: string,
  attempt: (attribute: Attribute) => Promise<Awaited<Changed> | 'again'>,
): Changed {
  for (let count = 0; count < attempts; count++) {
    const found = await findAttribute(services, name);
    if (found.kind === 'refused') return found;
    const outcome = await attempt(found.attribute);
    if (outcome !== 'again') return outcome;
  }
  return beingChanged(`the attribute "${name}"`);
}

function applicationsIn(using: readonly UsingApplication[]): EventDetail {
  return using.length === 0 ? {} : { applications: using.map(({ id }) => id) };
}

function eventsOf(
  { journal }: Pick<Services, 'journal'>,
  changes: readonly ClaimsChange[],
  requester: Requester,
): EventRecord[] {
  return changes.map(({ client: { id } }) =>
    journal.event({ kind: 'client_updated', clientId: id, detail: { changed: ['claims'] } }, requester),
  );
}

function eventAbout(
  { journal }: Pick<Services, 'journal'>,
  kind: EventKind,
  name: string,
  requester: Requester,
  detail: EventDetail = {},
): EventRecord {
  return journal.event({ kind, detail: { attribute: name, ...detail } }, requester);
}

function noSuchAttribute(name: string): Refused {
  return refused(`there is no attribute "${name.slice(0, 60)}"`, 'not_found');
}
