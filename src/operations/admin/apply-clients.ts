// Makes the clients match a file: first the steps that lead there are worked out, then taken one by one. A client that
// already matches isn't touched, so applying the same file twice changes nothing the second time.

import type { Origin } from '../../protocol/event.ts';
import { formatScopes } from '../../protocol/oauth/scope.ts';
import type { Client } from '../../storage/storage.ts';
import type { Services } from '../services.ts';
import { deleteClient } from './client-access.ts';
import type { DescribedClient } from './client-file.ts';
import { createClient, updateClient } from './clients.ts';
import type { AdminOutcome } from './outcome.ts';

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
  readonly scopes?: { readonly added: readonly string[]; readonly removed: readonly string[] };
  readonly isPublic?: { readonly from: boolean; readonly to: boolean };
  readonly secondFactor?: { readonly from: string; readonly to: string };
  readonly logo?: 'added' | 'changed' | 'removed';
}

/** The clients of the file come first, in its order, then all others. */
export function planChanges(clients: readonly Client[], file: readonly DescribedClient[], prune: boolean): Step[] {
  const existing = new Map(clients.map((client) => [client.id, client]));
  const idsInFile = new Set(file.map(({ id }) => id));
  return [
    ...file.map((described): Step => {
      const { id } = described;
      const client = existing.get(id);
      if (client === undefined) return { kind: 'create', id, described };
      const changes = changesBetween(client, described);
      if (Object.keys(changes).length === 0) return { kind: 'unchanged', id, client };
      return { kind: 'update', id, described, client, changes };
    }),
    ...clients
      .filter(({ id }) => !idsInFile.has(id))
      .map((client): Step => ({ kind: prune ? 'delete' : 'leave', id: client.id, client })),
  ];
}

function changesBetween(client: Client, described: DescribedClient): Changes {
  const { name, isPublic, secondFactor = client.secondFactor } = described;
  const redirectUris = setDifference(client.redirectUris, described.redirectUris);
  const scopes = setDifference(client.scopes, described.scopes);
  const logo = logoChange(client.logoVersion, described.logo);
  return {
    ...(name !== client.name && { name: { from: client.name, to: name } }),
    ...(redirectUris && { redirectUris }),
    ...(scopes && { scopes }),
    ...(isPublic !== client.isPublic && { isPublic: { from: client.isPublic, to: isPublic } }),
    ...(secondFactor !== client.secondFactor && { secondFactor: { from: client.secondFactor, to: secondFactor } }),
    ...(logo && { logo }),
  };
}

/** The order doesn't matter: a request names one redirect URI, wherever it stands in the list. */
function setDifference(before: readonly string[], after: readonly string[]) {
  const added = after.filter((item) => !before.includes(item));
  const removed = before.filter((item) => !after.includes(item));
  return added.length + removed.length === 0 ? undefined : { added, removed };
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
  origin: Origin,
): Promise<AdminOutcome<{ secret: string | undefined }>> {
  switch (step.kind) {
    case 'create': {
      const { id, name, isPublic, redirectUris, scopes, logo, secondFactor } = step.described;
      const input = { id, name, isPublic, redirectUris, scope: formatScopes(scopes), logo: logo?.bytes, secondFactor };
      return createClient(services, input, origin);
    }
    case 'update': {
      const { described, changes } = step;
      const { name, redirectUris, scopes, isPublic, logo, secondFactor } = described;
      const update = {
        ...(changes.name && { name }),
        ...(changes.redirectUris && { redirectUris }),
        ...(changes.scopes && { scope: formatScopes(scopes) }),
        ...(changes.isPublic && { isPublic }),
        ...(changes.secondFactor && { secondFactor }),
        ...(changes.logo && { logo: logo?.bytes ?? null }),
      };
      return updateClient(services, step.id, update, origin);
    }
    case 'delete': {
      const outcome = await deleteClient(services, step.id, origin);
      return outcome.kind === 'refused' ? outcome : { kind: 'done', secret: undefined };
    }
  }
}
