// Applications with claims, groups with members, and people with attributes.

import assert from 'node:assert/strict';
import { changeMembers, createGroup } from '../../src/operations/groups/groups.ts';
import { newUser } from '../../src/operations/users/users.ts';
import type { AttributeValues } from '../../src/protocol/account/attribute-values.ts';
import type {
  ApplicationClaim,
  AttributeReference,
  ClaimSource,
  GroupReference,
} from '../../src/protocol/oauth/application-claims.ts';
import { newAttribute } from './claim-subjects.ts';
import type { Generator } from './generated-requests.ts';
import { requester, type TestService, type TestUser } from './service.ts';

type Rest = Partial<Pick<ApplicationClaim, 'label' | 'idToken'>>;

export function claimOf(claim: string, source: ClaimSource, rest: Rest = {}): ApplicationClaim {
  return { claim, label: null, idToken: false, ...rest, ...source };
}

export const allGroups = { source: 'groups', groups: null } as const;

export function attributeSource(name: string, selfAsserted = false): ClaimSource {
  return { source: 'attribute', attribute: { name, since: 1 }, selfAsserted };
}

/** Attributes that aren't there are created. */
export async function setClaims(
  service: TestService,
  clientId: string,
  claims: readonly ApplicationClaim[],
): Promise<void> {
  const { storage, clock, journal } = service.running.services;
  const client = await storage.findClient(clientId);
  assert.ok(client);
  const referring: ApplicationClaim[] = [];
  for (const claim of claims) {
    if (claim.source !== 'attribute') referring.push(claim);
    else referring.push({ ...claim, attribute: await attributeCalled(service, claim.attribute.name) });
  }
  const change = { claims: referring };
  const event = journal.event({ kind: 'client_updated', clientId }, requester);
  assert.equal(await storage.updateClient(client, change, clock.now(), event), true);
}

async function attributeCalled(service: TestService, name: string): Promise<AttributeReference> {
  const { storage } = service.running.services;
  const find = async () => (await storage.listAttributes()).find((attribute) => attribute.name === name);
  if ((await find()) === undefined) await newAttribute(service, name);
  return { name, since: (await find())?.createdAt ?? 0 };
}

export async function newGroup(
  service: TestService,
  name: string,
  ...members: readonly TestUser[]
): Promise<GroupReference> {
  const outcome = await createGroup(service.running.services, { name }, requester);
  assert.ok(outcome.kind === 'done');
  await moveTo(service, outcome.group.id, members, 'add');
  return { id: outcome.group.id, name: outcome.group.name };
}

export async function moveTo(
  { running }: TestService,
  groupId: string,
  members: readonly TestUser[],
  how: 'add' | 'remove',
): Promise<void> {
  const people = members.map(({ id }) => ({ id }));
  assert.equal((await changeMembers(running.services, groupId, { [how]: people }, requester)).kind, 'done');
}

let named = 0;

export async function newUserWith(
  { running }: TestService,
  attributes: AttributeValues,
  overrides: { email?: string; name?: string; locale?: string } = {},
): Promise<TestUser> {
  const { services } = running;
  const { email = `attributed${++named}@example.test`, name = 'Grace Hopper', locale = '' } = overrides;
  const password = 'correct horse battery';
  const input = { email, name, locale, emailVerified: true, password, admin: false };
  const outcome = await newUser(services, input);
  assert.ok(outcome.kind === 'done');
  const record = { ...outcome.user, attributes };
  await services.storage.createUser(
    record,
    services.journal.event({ kind: 'user_created', userId: record.id }, requester),
  );
  return { id: record.id, email, password, record };
}

/** One of each kind, with other sources every now and then. */
export function generatedClaims(generator: Generator, groups: readonly GroupReference[]): readonly ApplicationClaim[] {
  const [group, other] = [generator.pick(groups), generator.pick(groups)];
  const map = [group, other].map((each) => ({ group: each, value: generator.pick(['a', 'ü"', each.name]) }));
  const large = '漢'.repeat(1400);
  return generator.shuffled([
    claimOf('groups', generator.pick([allGroups, { source: 'groups', groups: [group] } as const])),
    claimOf('dept', attributeSource('department'), { label: generator.pick([null, 'Department']) }),
    claimOf('teams', attributeSource('teams', generator.onceIn(2)), { idToken: generator.onceIn(2) }),
    claimOf('level', attributeSource(generator.pick(['level', 'vip', 'constructor'])), { idToken: true }),
    claimOf('https://app.example/tier', { source: 'value', value: generator.pick(['gold', large]) }),
    claimOf('large', { source: 'value', value: large }, { idToken: generator.onceIn(8) }),
    claimOf('admin', { source: 'has-group', group }, { idToken: true }),
    claimOf('role', { source: 'if-group', map, else: generator.pick([null, 'viewer']) }),
    claimOf('roles', { source: 'map-groups', map }, { idToken: generator.onceIn(2) }),
  ]);
}
