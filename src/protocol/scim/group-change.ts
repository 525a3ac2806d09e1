// What a directory says about a group. Members are changed one by one and in the order of the operations, so that a group of any
// size needn't be loaded.

import { isJsonObject, type Json, type JsonObject } from '../reading/strict-json.ts';
import { invalidPath, invalidSyntax, invalidValue, ScimError, tooLarge } from './errors.ts';
import { type Change, isUrn, member, membersAsChanges, single } from './patch.ts';
import { urns } from './urns.ts';

export interface GroupChange {
  readonly displayName?: string;
  readonly externalId?: string | null;
  /** In order. `replace` makes these the only members; without any, the group is empty. */
  readonly members: readonly MemberChange[];
}

export interface MemberChange {
  readonly kind: 'add' | 'remove' | 'replace';
  /** IDs of people. */
  readonly ids: readonly string[];
}

/** In one request. */
export const memberLimit = 5000;

/** What all changes of members together come to. */
export interface MemberEffect {
  /** Whether those who aren't added are removed. */
  readonly replaces: boolean;
  readonly add: ReadonlySet<string>;
  /** None of those who are added. */
  readonly remove: ReadonlySet<string>;
}

/** Of each person, the last change counts. */
export function memberEffect(changes: readonly MemberChange[]): MemberEffect {
  const start = changes.findLastIndex(({ kind }) => kind === 'replace');
  const [add, remove] = [new Set<string>(), new Set<string>()];
  for (const { kind, ids } of changes.slice(Math.max(0, start))) {
    const [into, from] = kind === 'remove' ? [remove, add] : [add, remove];
    for (const id of ids) {
      into.add(id);
      from.delete(id);
    }
  }
  return { replaces: start >= 0, add, remove };
}

export function readGroup(body: JsonObject): GroupChange | ScimError {
  const schemas = member(body, 'schemas');
  if (!Array.isArray(schemas) || !schemas.some((urn) => isUrn(urn, urns.group))) {
    return invalidSyntax(`"schemas" must have ${urns.group}.`);
  }
  const changes = membersAsChanges(body, 'replace');
  return changes instanceof ScimError ? changes : groupChange(changes);
}

export function groupChange(changes: readonly Change[]): GroupChange | ScimError {
  let fields: Omit<GroupChange, 'members'> = {};
  const members: MemberChange[] = [];
  let count = 0;
  for (const change of changes) {
    const { path, op, value, explicit } = change;
    const text = single(value);
    if (path.owner !== 'core') {
      if (explicit) return invalidPath('Groups have no such attribute.');
    } else if (path.attribute === 'displayname') {
      if (op === 'remove' || typeof text !== 'string' || text.trim() === '') {
        return invalidValue('displayName must be a string that is not empty.');
      }
      fields = { ...fields, displayName: text };
    } else if (path.attribute === 'externalid') {
      if (op !== 'remove' && text !== null && typeof text !== 'string') {
        return invalidValue('externalId must be a string.');
      }
      fields = { ...fields, externalId: op === 'remove' || typeof text !== 'string' || text === '' ? null : text };
    } else if (path.attribute === 'members') {
      const read = memberChange(change);
      if (read instanceof ScimError) return read;
      count += read.ids.length;
      if (count > memberLimit) return tooLarge(`A request can name ${memberLimit} members.`);
      members.push(read);
    } else if (explicit && path.attribute !== 'schemas') {
      return ['id', 'meta'].includes(path.attribute)
        ? new ScimError(400, 'mutability', `${path.attribute} can't be changed.`)
        : invalidPath('Groups have no such attribute.');
    }
  }
  return { ...fields, members };
}

/** `members[value eq "…"]` and a list of values mean the same. */
function memberChange({ op, path, value }: Change): MemberChange | ScimError {
  if (path.member !== undefined && path.member !== 'value') return invalidPath('Members are named by their value.');
  if (path.where !== undefined) {
    if (path.where.member !== 'value') return invalidPath('Members are found by their value.');
    return { kind: op === 'remove' ? 'remove' : 'add', ids: [path.where.is] };
  }
  // Without values, all members are removed.
  if (op === 'remove' && (value === undefined || value === null)) return { kind: 'replace', ids: [] };
  const values = (Array.isArray(value) ? value : [value ?? null]) as readonly Json[];
  if (values.some(isNested)) return invalidValue('Members must be people: groups in groups are not supported.');
  const ids = values.map(memberId);
  const known = ids.filter((id) => id !== undefined);
  return known.length < ids.length
    ? invalidValue('Each member must have the ID of a person as its "value".')
    : { kind: op, ids: known };
}

function memberId(given: Json): string | undefined {
  const id = isJsonObject(given) ? member(given, 'value') : given;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Another type than a person. Directories leave it out. */
function isNested(given: Json): boolean {
  const type = isJsonObject(given) ? member(given, 'type') : undefined;
  return type != null && String(type).toLowerCase() !== 'user';
}
