// An administrator decides who owns an application: people, and protected groups, whose members do. Owners decide who has access to it.

import { may } from '../../protocol/admin/rights.ts';
import type { Requester } from '../../protocol/event.ts';
import type { Client, Group, OwnersChange, User } from '../../storage/storage.ts';
import { beingChanged, type Outcome, type Refused, refused } from '../admin/outcome.ts';
import { findNamed } from '../groups/groups.ts';
import type { Recording, Storing } from '../services.ts';
import { findClient, updateClient } from './clients.ts';

/** Of each kind. Those who are many are a group. */
export const mostOwners = 50;

/** Whom an administrator has named, whether or not an account can be used. */
export interface Owners {
  readonly people: readonly User[];
  readonly groups: readonly Group[];
}

/** People by ID or email address, groups by ID or name. What isn't given stays as it is. */
export interface GivenOwners {
  readonly people?: readonly string[] | undefined;
  readonly groups?: readonly string[] | undefined;
}

type WithOwners = Outcome<{ client: Client; owners: Owners }>;

/** Of one that exists. */
export function readOwners({ storage }: Storing, clientId: string): Promise<Owners> {
  return storage.listOwners(clientId);
}

export async function clientOwners(services: Storing, clientId: string): WithOwners {
  const found = await findClient(services, clientId);
  return found.kind === 'refused' ? found : { ...found, owners: await readOwners(services, clientId) };
}

export async function setOwners(
  services: Recording,
  clientId: string,
  given: GivenOwners,
  requester: Requester,
): WithOwners {
  const { storage, journal, clock } = services;
  const read = await readGiven(services, clientId, given, requester);
  if (read.kind === 'refused') return read;
  const { client, before, after } = read;
  const noted = (kind: 'owner_added' | 'owner_removed', { people, groups }: Owners) => [
    ...people.map(({ id }) => {
      const event = journal.event({ kind, clientId, userId: id }, requester);
      return { kind: 'person' as const, id, event };
    }),
    ...groups.map(({ id, name }) => {
      const event = journal.event({ kind, clientId, detail: { group: name } }, requester);
      return { kind: 'group' as const, id, event };
    }),
  ];
  const change: OwnersChange = {
    added: noted('owner_added', without(after, before)),
    removed: noted('owner_removed', without(before, after)),
  };
  if (change.added.length + change.removed.length === 0) return { kind: 'done', client, owners: before };
  if (!(await storage.changeOwners(clientId, change, clock.now()))) return beingChanged(client.name);
  return clientOwners(services, clientId);
}

/** What keeps these from becoming the owners; undefined if nothing does. For a change that writes something else first. */
export async function ownersRefusal(
  services: Storing,
  clientId: string,
  given: GivenOwners,
  requester: Requester,
): Promise<Refused | undefined> {
  const read = await readGiven(services, clientId, given, requester);
  return read.kind === 'refused' ? read : undefined;
}

async function readGiven(
  services: Storing,
  clientId: string,
  { people, groups }: GivenOwners,
  { authority }: Requester,
): Outcome<{ client: Client; before: Owners; after: Owners }> {
  if (!may(authority, 'owners.change')) {
    return {
      ...refused('only an administrator can decide who owns an application', 'forbidden'),
      right: 'owners.change',
    };
  }
  const current = await clientOwners(services, clientId);
  if (current.kind === 'refused') return current;
  const { client, owners: before } = current;
  const found = await findNamed(services, { people: people ?? [], groups: groups ?? [] });
  if (found.kind === 'refused') return { ...found, reason: 'invalid' };
  const after = {
    people: people === undefined ? before.people : found.people,
    groups: groups === undefined ? before.groups : found.groups,
  };
  const added = without(after, before);
  const disabled = added.people.find(({ disabledAt }) => disabledAt !== null);
  if (disabled !== undefined) return refused({ subject: disabled.email, says: 'is disabled' }, 'conflict');
  const open = added.groups.find(({ protectedSince }) => protectedSince === null);
  if (open !== undefined) {
    return refused(
      `the group "${open.name}" isn't protected: only a protected group can own an application`,
      'conflict',
    );
  }
  if (after.people.length > mostOwners || after.groups.length > mostOwners) {
    return refused(`an application has at most ${mostOwners} people and ${mostOwners} groups as owners`);
  }
  return { kind: 'done', client, before, after };
}

function without(owners: Owners, others: Owners): Owners {
  const left = <Item extends { readonly id: string }>(items: readonly Item[], gone: readonly Item[]) =>
    items.filter(({ id }) => gone.every((other) => other.id !== id));
  return { people: left(owners.people, others.people), groups: left(owners.groups, others.groups) };
}

export function ownersJson({ people, groups }: Owners) {
  const named = ({ id, name }: { readonly id: string; readonly name: string }) => ({ id, name });
  return { people: people.map(named), groups: groups.map(named) };
}

/**
 * Changes an application and its owners. Owners are written apart from the rest, so what speaks against them is looked for first. An
 * application that becomes confidential gets a secret.
 */
export async function updateClientAndOwners(
  services: Parameters<typeof updateClient>[0],
  clientId: string,
  change: Parameters<typeof updateClient>[2],
  owners: GivenOwners | undefined,
  requester: Requester,
): Outcome<{ client: Client; secret: string | undefined; owners: Owners }> {
  const refusal = owners && (await ownersRefusal(services, clientId, owners, requester));
  if (refusal !== undefined) return refusal;
  const updated = await updateClient(services, clientId, change, requester);
  if (updated.kind === 'refused') return updated;
  const set =
    owners === undefined
      ? await clientOwners(services, clientId)
      : await setOwners(services, clientId, owners, requester);
  return set.kind === 'refused' ? set : { ...set, secret: updated.secret };
}
