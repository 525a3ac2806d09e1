// A directory creates, changes and deletes groups. Their members are its own people; people with a role are neither added nor removed.

import { isUserId } from '../../protocol/account/names.ts';
import type { EventFacts, EventRecord, Requester } from '../../protocol/event.ts';
import { newId } from '../../protocol/identifiers.ts';
import { invalidValue, notFound, ScimError } from '../../protocol/scim/errors.ts';
import { type GroupChange, type MemberEffect, memberEffect } from '../../protocol/scim/group-change.ts';
import { type MappedGroup, mappedGroup } from '../../protocol/scim/group-mapping.ts';
import type { Group, ListedChange, MemberChanges } from '../../storage/storage.ts';
import { noteRefusal } from '../admin/authority.ts';
import { unlessTaken } from '../admin/outcome.ts';
import { afterExpiredEntries } from '../groups/expired-entries.ts';
import { attempts, type ChangeServices, refuseRole } from './change-people.ts';
import { findOwnGroup } from './scim-groups.ts';
import type { Directory } from './scim-people.ts';

const busy = new ScimError(503, undefined, 'The group is being changed by someone else. Try again.');
/** Doesn't say whose it is. */
const taken = new ScimError(409, 'uniqueness', 'The displayName or externalId is taken.');
const claimed = new ScimError(
  403,
  undefined,
  "A claim gives an application this group's name, so only an administrator can choose it.",
);
/** How many members are removed in one write. */
const batchSize = 500;

export async function createOwnGroup(
  services: ChangeServices,
  { source }: Directory,
  change: GroupChange,
  requester: Requester,
): Promise<Group | ScimError> {
  const { storage, clock, random } = services;
  const fields = mappedGroup(change, undefined);
  if (fields instanceof ScimError) return fields;
  const id = newId(random);
  const { add: ids } = memberEffect(change.members);
  for (let attempt = 0; attempt < attempts; attempt++) {
    const now = clock.now();
    const group: Group = {
      ...fields,
      id,
      managedBy: source,
      protectedSince: null,
      createdAt: now,
      updatedAt: now,
    };
    if (await storage.isNameClaimed(id)) return refuseName(services, requester);
    const noted = noting(services, group, fields, requester);
    const events = [noted({ kind: 'group_created' })];
    const changes = await changesOf(
      services,
      group,
      { replaces: false, add: ids, remove: new Set() },
      noted,
      requester,
    );
    if (changes instanceof ScimError) return changes;
    const created = await unlessTaken(
      afterExpiredEntries(services, () => storage.createScimGroup(group, changes.add, events, now)),
    );
    if (created === 'taken') return taken;
    if (created) return group;
  }
  return busy;
}

/** What a PUT leaves out stays, so it's changed like any other. */
export async function changeOwnGroup(
  services: ChangeServices,
  directory: Directory,
  id: string,
  change: GroupChange,
  requester: Requester,
): Promise<Group | ScimError> {
  const { storage, clock } = services;
  const effect = memberEffect(change.members);
  for (let attempt = 0; attempt < attempts; attempt++) {
    const group = await findOwnGroup(services, directory, id);
    if (group instanceof ScimError) return group;
    const fields = mappedGroup(change, group);
    if (fields instanceof ScimError) return fields;
    const noted = noting(services, group, fields, requester);
    const isRenamed = fields.name !== group.name;
    if (isRenamed && (await storage.isNameClaimed(id))) return refuseName(services, requester);
    const events = isRenamed ? [noted({ kind: 'group_renamed', detail: { before: group.name } })] : [];
    const changes = await changesOf(services, group, effect, noted, requester);
    if (changes instanceof ScimError) return changes;
    const isSame = !isRenamed && fields.externalId === group.externalId;
    const done =
      (isSame && changes.add.length + changes.remove.length === 0) ||
      (await unlessTaken(
        afterExpiredEntries(services, () => storage.changeScimGroup(group, fields, changes, events, clock.now())),
      ));
    if (done === 'taken') return taken;
    if (!done) continue;
    if (effect.replaces) {
      const left = await removeOthers(services, directory, id, [...effect.add], requester);
      if (left instanceof ScimError) return left;
    }
    return findOwnGroup(services, directory, id);
  }
  return busy;
}

/** Claims that use the group match no one from now on: the directory decides whether there is one. */
export async function deleteOwnGroup(
  services: ChangeServices,
  directory: Directory,
  id: string,
  requester: Requester,
): Promise<'deleted' | ScimError> {
  const group = await findOwnGroup(services, directory, id);
  if (group instanceof ScimError) return group;
  const withRole = await services.storage.findOtherWithRole(group.id, directory.source, []);
  if (withRole !== undefined) return refuseRole(services, directory.source, { id: withRole }, requester);
  const event = noting(services, group, group, requester)({ kind: 'group_deleted' });
  return (await services.storage.deleteGroup(group.id, services.clock.now(), event, true)) ? 'deleted' : notFound();
}

function refuseName(services: ChangeServices, requester: Requester): ScimError {
  noteRefusal(services, requester, 'roles.change');
  return claimed;
}

type Noting = (facts: EventFacts) => EventRecord;

/** Events about the group, by the name that it has in the end. */
function noting(
  { journal }: ChangeServices,
  { managedBy }: Group,
  { name }: MappedGroup,
  requester: Requester,
): Noting {
  return (facts) =>
    journal.event({ ...facts, detail: { group: name, ...facts.detail, source: managedBy ?? '' } }, requester);
}

/**
 * What changes for those who are named. A person who is to be removed and isn't known is no member, which is what was asked for.
 */
async function changesOf(
  services: ChangeServices,
  group: Group,
  { replaces, add, remove }: MemberEffect,
  noted: Noting,
  requester: Requester,
): Promise<MemberChanges | ScimError> {
  const { storage } = services;
  const source = group.managedBy ?? '';
  const ids = [...add, ...remove].filter(isUserId);
  const known = ids.length === 0 ? [] : await storage.findNamedMembers(group.id, source, ids);
  const knownIds = new Set(known.map(({ id }) => id));
  const unknown = [...add].find((id) => !knownIds.has(id));
  if (unknown !== undefined) {
    const named = `The member "${unknown.slice(0, 100)}"`;
    return invalidValue(`${named} is not a person whom this directory has created or adopted.`);
  }
  const changing = known.filter(({ id, isMember }) => isMember !== add.has(id));
  const withRole =
    changing.find(({ hasRole }) => hasRole)?.id ??
    (replaces ? await storage.findOtherWithRole(group.id, source, [...add]) : undefined);
  if (withRole !== undefined) return refuseRole(services, source, { id: withRole }, requester);
  return {
    add: changing.filter(({ id }) => add.has(id)).map(({ id }) => memberChange(id, 'group_member_added', noted)),
    remove: changing
      .filter(({ id }) => remove.has(id))
      .map(({ id }) => memberChange(id, 'group_member_removed', noted)),
  };
}

function memberChange(id: string, kind: EventFacts['kind'], noted: Noting): ListedChange {
  return { id, event: noted({ kind, userId: id }) };
}

/**
 * Removes all members but those named, a few at a time: there can be more than fit into memory or into one write. If that fails
 * halfway, the directory sends the same again. Those who join meanwhile stay.
 */
async function removeOthers(
  services: ChangeServices,
  directory: Directory,
  id: string,
  ids: readonly string[],
  requester: Requester,
): Promise<'removed' | ScimError> {
  const { storage, clock } = services;
  const change = await storage.lastAccessChange();
  let failures = 0;
  for (let after = ''; failures < attempts; ) {
    const group = await findOwnGroup(services, directory, id);
    if (group instanceof ScimError) return group;
    const part = { change, after, limit: batchSize };
    const others = await storage.listOtherMembers(id, directory.source, ids, part);
    if (others.length === 0) return 'removed';
    const noted = noting(services, group, group, requester);
    const remove = others.map((userId) => memberChange(userId, 'group_member_removed', noted));
    if (await storage.changeScimGroup(group, group, { add: [], remove }, [], clock.now()))
      after = others.at(-1) ?? after;
    else failures++;
  }
  return busy;
}
