// Makes the clients match a file: first the steps that lead there are worked out, then taken one by one. A client that
// already matches isn't touched, so applying the same file twice changes nothing the second time.

import type { Requester } from '../../protocol/event.ts';
import { type ClientLinkName, clientLinkNames } from '../../protocol/oauth/client-links.ts';
import { formatScopes } from '../../protocol/oauth/scope.ts';
import type { Client } from '../../storage/storage.ts';
import type { AdminOutcome } from '../admin/outcome.ts';
import type { Services } from '../services.ts';
import { setAccess } from './access-list.ts';
import { type Difference, differenceOf, type ListPlan } from './apply-access.ts';
import type { DescribedClient } from './client-file.ts';
import { createClient, updateClient } from './clients.ts';
import { deleteClient, revokeClient } from './revoke-client.ts';

/** `delete` and `leave` are for clients that are not in the file. */
export type ChangingStep =
  | { kind: 'create'; id: string; described: DescribedClient }
  | { kind: 'update'; id: string; described: DescribedClient; client: Client; changes: Changes }
  | { kind: 'delete'; id: string; client: Client };

export type Step = ChangingStep | { kind: 'unchanged' | 'leave'; id: string; client: Client };

export function isChange(step: Step): step is ChangingStep {
  return step.kind !== 'unchanged' && step.kind !== 'leave';
}

export interface Changes {
  readonly name?: { readonly from: string; readonly to: string };
  readonly redirectUris?: { readonly added: readonly string[]; readonly removed: readonly string[] };
  readonly postLogoutRedirectUris?: { readonly added: readonly string[]; readonly removed: readonly string[] };
  readonly scopes?: { readonly added: readonly string[]; readonly removed: readonly string[] };
  readonly isPublic?: { readonly from: boolean; readonly to: boolean };
  readonly access?: { readonly from: Client['access']; readonly to: Client['access'] };
  readonly allowedPeople?: Difference;
  readonly allowedGroups?: Difference;
  readonly secondFactor?: { readonly from: string; readonly to: string };
  readonly upstream?: { readonly from: string | null; readonly to: string | null };
  readonly logo?: 'added' | 'changed' | 'removed';
  readonly revoked?: { readonly from: false; readonly to: true };
  readonly links?: { readonly [Name in ClientLinkName]?: { readonly from: string | null; readonly to: string | null } };
}

/** The clients of the file come first, in its order, then all others. */
export function planChanges(
  clients: readonly Client[],
  file: readonly DescribedClient[],
  prune: boolean,
  lists: ReadonlyMap<string, ListPlan> = new Map(),
): Step[] {
  const existing = new Map(clients.map((client) => [client.id, client]));
  const idsInFile = new Set(file.map(({ id }) => id));
  return [
    ...file.map((described): Step => {
      const { id } = described;
      const client = existing.get(id);
      if (client === undefined) return { kind: 'create', id, described };
      const changes = { ...changesBetween(client, described), ...listChanges(lists.get(id)) };
      if (Object.keys(changes).length === 0) return { kind: 'unchanged', id, client };
      return { kind: 'update', id, described, client, changes };
    }),
    ...clients
      .filter(({ id }) => !idsInFile.has(id))
      .map((client): Step => ({ kind: prune ? 'delete' : 'leave', id: client.id, client })),
  ];
}

function changesBetween(client: Client, described: DescribedClient): Changes {
  const { name, isPublic, access = client.access, secondFactor = client.secondFactor } = described;
  const redirectUris = differenceOf(client.redirectUris, described.redirectUris);
  const postLogoutRedirectUris = differenceOf(client.postLogoutRedirectUris, described.postLogoutRedirectUris);
  const scopes = differenceOf(client.scopes, described.scopes);
  const logo = logoChange(client.logoVersion, described.logo);
  const links = linkChanges(client, described);
  return {
    ...(name !== client.name && { name: { from: client.name, to: name } }),
    ...(redirectUris && { redirectUris }),
    ...(postLogoutRedirectUris && { postLogoutRedirectUris }),
    ...(scopes && { scopes }),
    ...(isPublic !== client.isPublic && { isPublic: { from: client.isPublic, to: isPublic } }),
    ...(access !== client.access && { access: { from: client.access, to: access } }),
    ...(secondFactor !== client.secondFactor && { secondFactor: { from: client.secondFactor, to: secondFactor } }),
    ...(described.upstream !== undefined &&
      described.upstream !== client.upstream && { upstream: { from: client.upstream, to: described.upstream } }),
    ...(logo && { logo }),
    ...(links && { links }),
    ...(described.revoked && client.revokedAt === null && { revoked: { from: false, to: true } }),
  };
}

function listChanges(plan: ListPlan | undefined): Changes {
  if (plan === undefined) return {};
  const { before, after } = plan;
  const allowedPeople = after.people && differenceOf(before.people, after.people);
  const allowedGroups = after.groups && differenceOf(before.groups, after.groups);
  return { ...(allowedPeople && { allowedPeople }), ...(allowedGroups && { allowedGroups }) };
}

function linkChanges(client: Client, { links = {} }: DescribedClient): Changes['links'] {
  const differing = clientLinkNames.flatMap((name) => {
    const [from, to] = [client.links[name], links[name]];
    return to === undefined || to === from ? [] : [[name, { from, to }] as const];
  });
  return differing.length === 0 ? undefined : Object.fromEntries(differing);
}

/** A logo's version is a digest of its bytes, so equal versions are equal images. */
function logoChange(version: string | null, logo: DescribedClient['logo']): Changes['logo'] {
  if (logo === undefined || (logo?.version ?? null) === version) return undefined;
  if (logo === null) return 'removed';
  return version === null ? 'added' : 'changed';
}

/** The result has a secret when the step created one. */
export async function applyChange(
  services: Services,
  step: ChangingStep,
  requester: Requester,
): Promise<AdminOutcome<{ secret: string | undefined }>> {
  switch (step.kind) {
    case 'create': {
      const { scopes, logo, allowed: _allowed, revoked: _revoked, ...described } = step.described;
      const input = { ...described, scope: formatScopes(scopes), logo: logo?.bytes };
      const created = await createClient(services, input, requester);
      return created.kind === 'refused' ? created : withLists(services, step.described, created, requester);
    }
    case 'update': {
      const { described, changes } = step;
      const { name, redirectUris, postLogoutRedirectUris, scopes, isPublic, logo, secondFactor, upstream, links } =
        described;
      const update = {
        ...(changes.name && { name }),
        ...(changes.redirectUris && { redirectUris }),
        ...(changes.postLogoutRedirectUris && { postLogoutRedirectUris }),
        ...(changes.scopes && { scope: formatScopes(scopes) }),
        ...(changes.isPublic && { isPublic }),
        ...(changes.secondFactor && { secondFactor }),
        ...(changes.upstream && { upstream }),
        ...(changes.logo && { logo: logo?.bytes ?? null }),
        ...(changes.links && { links }),
      };
      const updated = await updateClient(services, step.id, update, requester);
      return updated.kind === 'refused' ? updated : withLists(services, described, updated, requester);
    }
    case 'delete': {
      const outcome = await deleteClient(services, step.id, requester);
      return outcome.kind === 'refused' ? outcome : { kind: 'done', secret: undefined };
    }
  }
}

/** After everything else, and in one change, so that nobody loses a token who may use the client before and after it. */
async function withLists<Done extends { client: Client; secret: string | undefined }>(
  services: Services,
  { id, access, allowed, revoked }: DescribedClient,
  done: Done,
  requester: Requester,
): Promise<AdminOutcome<Done>> {
  const outcome = await setAccess(services, id, { access, ...allowed }, requester);
  if (outcome.kind === 'refused') return outcome;
  const ended = revoked && done.client.revokedAt === null ? await revokeClient(services, id, requester) : outcome;
  return ended.kind === 'refused' ? ended : { ...done, kind: 'done' };
}
