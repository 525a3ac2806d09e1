// The applications in a file for `latchkey apply`: works out what would change, and changes it. An application that already
// matches isn't touched, so applying the same file twice changes nothing the second time.

import type { Requester } from '../../protocol/event.ts';
import type { ImageWriter } from '../../protocol/reading/logo.ts';
import { isJsonObject, isTexts, unknownKeys } from '../../protocol/reading/strict-json.ts';
import { clientFields, newUriProblems } from '../../protocol/resources/client.ts';
import type { Client } from '../../storage/storage.ts';
import {
  type Change,
  compareTexts,
  type Described,
  exportedFields,
  type FileSyntax,
  fieldChanges,
  givenChanges,
  itemsDifference,
  planSteps,
  type Step,
} from '../admin/applied-resource.ts';
import { namesOfGroups } from '../admin/named-groups.ts';
import type { Outcome } from '../admin/outcome.ts';
import { endsJson, endsProblem } from '../groups/listed-ends.ts';
import type { Metering, Recording, Services, Storing } from '../services.ts';
import { namesOf } from '../users/users.ts';
import { readAllowed, setAccess } from './access-list.ts';
import { allowedIn, allowedUntilIn, type ListPlan } from './apply-access.ts';
import { clientIdProblem, createClient, updateClient } from './clients.ts';
import { deleteClient, revokeClient } from './revoke-client.ts';

export type DescribedClient = Described<typeof clientFields>;
export type ClientStep = Step<Client, typeof clientFields>;

export const clientSyntax: FileSyntax<typeof clientFields> = {
  section: 'applications',
  noun: 'an application',
  key: 'client_id',
  fields: clientFields,
  // A revoked client is never restored by a file, because whoever revoked it may not have known the file.
  more: ['allowed', 'allowed_until', 'revoked'],
  idProblem: clientIdProblem,
  checkMore({ allowed, allowed_until: until, revoked }, problems) {
    if (revoked !== undefined && revoked !== true) problems.push('"revoked" must be true, or left out');
    if (until !== undefined && !isJsonObject(until)) {
      problems.push('"allowed_until" must be an object with the keys "people" and "groups"');
    } else if (until !== undefined) {
      problems.push(...unknownKeys(until, ['people', 'groups']));
      const wrong = (['people', 'groups'] as const).map((key) => endsProblem(`allowed_until.${key}`, until[key]));
      problems.push(...wrong.filter((problem) => problem !== undefined));
    }
    if (allowed === undefined) return;
    if (!isJsonObject(allowed)) problems.push('"allowed" must be an object with the keys "people" and "groups"');
    else {
      problems.push(...unknownKeys(allowed, ['people', 'groups']));
      const wrong = (['people', 'groups'] as const).filter((key) => !isTexts(allowed[key] ?? []));
      problems.push(...wrong.map((key) => `"${key}" in "allowed" must be a list of strings`));
    }
  },
};

export function isRevokedIn({ item }: DescribedClient): boolean {
  return item.revoked === true;
}

export function planClients(
  clients: readonly Client[],
  described: readonly DescribedClient[],
  prune: boolean,
  lists: ReadonlyMap<string, ListPlan> = new Map(),
): ClientStep[] {
  const changesIn = (client: Client, each: DescribedClient) => [
    ...fieldChanges(clientFields, client, each),
    ...listChanges(lists.get(each.id)),
    ...(isRevokedIn(each) && client.revokedAt === null ? [{ name: 'revoked', from: false, to: true }] : []),
  ];
  return planSteps(clients, ({ id }) => id, described, changesIn, prune);
}

/** What a step can't do: the file is read before it's known which redirect URIs a client has already. */
export function stepProblem(step: ClientStep): string | undefined {
  if (step.kind !== 'create' && step.kind !== 'update') return undefined;
  const registered = step.kind === 'update' ? step.item.redirectUris : [];
  const [problem] = newUriProblems(step.described.given.redirectUris, registered);
  return problem && `${step.id}: ${problem.says}`;
}

function listChanges(plan: ListPlan | undefined): Change[] {
  return (['people', 'groups'] as const).flatMap((name) => {
    const after = plan?.after[name];
    const items = plan && after && itemsDifference(plan.before[name], after);
    const ends = plan?.until[name]?.items;
    return [
      ...(items === undefined ? [] : [{ name: `allowed ${name}`, items }]),
      ...(ends === undefined ? [] : [{ name: `allowed ${name} until`, items: ends }]),
    ];
  });
}

/** The result has a secret when the step created one. */
export async function applyClient(
  services: Recording & Metering & Pick<Services, 'random' | 'webhooks'>,
  step: ClientStep,
  requester: Requester,
): Outcome<{ secret?: string | undefined }> {
  switch (step.kind) {
    case 'create': {
      const created = await createClient(services, { ...step.described.given, id: step.id }, requester);
      return created.kind === 'refused' ? created : withLists(services, step.described, created, requester);
    }
    case 'update': {
      const { access: _access, ...change } = givenChanges(clientFields, step.described, step.changes);
      const updated = await updateClient(services, step.id, change, requester);
      return updated.kind === 'refused' ? updated : withLists(services, step.described, updated, requester);
    }
    case 'delete': {
      const outcome = await deleteClient(services, step.id, requester);
      return outcome.kind === 'refused' ? outcome : { kind: 'done' };
    }
    default:
      return { kind: 'done' };
  }
}

/** After everything else, and in one change, so that nobody loses a token who may use the client before and after it. */
async function withLists<Done extends { client: Client; secret: string | undefined }>(
  services: Recording & Metering,
  described: DescribedClient,
  done: Done,
  requester: Requester,
): Outcome<Done> {
  const { id, given, item } = described;
  // Checked when the file was read.
  const access = given.access as Client['access'] | undefined;
  const outcome = await setAccess(services, id, { access, ...allowedIn(item), until: allowedUntilIn(item) }, requester);
  if (outcome.kind === 'refused') return outcome;
  const revokes = isRevokedIn(described) && done.client.revokedAt === null;
  const ended = revokes ? await revokeClient(services, id, requester) : outcome;
  return ended.kind === 'refused' ? ended : { ...done, kind: 'done' };
}

/** By ID, so that a file from another store with the same clients has them in the same order. */
export async function exportClients(services: Storing, write: ImageWriter): Promise<Record<string, unknown>[]> {
  const clients = (await services.storage.listClients()).toSorted((a, b) => compareTexts(a.id, b.id));
  const exported: Record<string, unknown>[] = [];
  for (const client of clients) {
    const { id } = client;
    const find = (version: string) => services.storage.findLogo(id, version);
    const { people, groups } = await readAllowed(services, id);
    const [names, groupNames] = await Promise.all([namesOf(services, people), namesOfGroups(services, groups)]);
    exported.push({
      client_id: id,
      ...(await exportedFields(clientFields, client, { name: `applications/${id}`, write, find })),
      allowed: { people: names, groups: groupNames },
      allowed_until: {
        people: endsJson(people, (_, index) => names[index] ?? ''),
        groups: endsJson(groups, (_, index) => groupNames[index] ?? ''),
      },
      ...(client.revokedAt !== null && { revoked: true }),
    });
  }
  return exported;
}
