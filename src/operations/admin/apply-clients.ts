// Makes the applications what a file says: first the difference between the two, then its steps. What is as described is not
// touched, so doing it twice changes nothing the second time.

import type { Origin } from '../../protocol/event.ts';
import { formatScopes } from '../../protocol/oauth/scope.ts';
import type { Client } from '../../storage/storage.ts';
import type { Services } from '../services.ts';
import type { DescribedClient } from './client-file.ts';
import { createClient, deleteClient, updateClient } from './manage-clients.ts';
import type { AdminOutcome } from './outcome.ts';

/** `delete` and `leave` are for what is not in the file. */
export type ChangingStep =
  | { kind: 'create'; id: string; application: DescribedClient }
  | { kind: 'update'; id: string; application: DescribedClient; client: Client; changes: Changes }
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
  readonly logo?: 'added' | 'changed' | 'removed';
}

/** First those of the file, in its order, then the others. */
export function stepsBetween(
  clients: readonly Client[],
  applications: readonly DescribedClient[],
  prune: boolean,
): Step[] {
  const existing = new Map(clients.map((client) => [client.id, client]));
  const described = new Set(applications.map(({ id }) => id));
  return [
    ...applications.map((application): Step => {
      const { id } = application;
      const client = existing.get(id);
      if (client === undefined) return { kind: 'create', id, application };
      const changes = changesBetween(client, application);
      if (Object.keys(changes).length === 0) return { kind: 'unchanged', id, client };
      return { kind: 'update', id, application, client, changes };
    }),
    ...clients
      .filter(({ id }) => !described.has(id))
      .map((client): Step => ({ kind: prune ? 'delete' : 'leave', id: client.id, client })),
  ];
}

function changesBetween(client: Client, application: DescribedClient): Changes {
  const { name, isPublic } = application;
  const redirectUris = setDifference(client.redirectUris, application.redirectUris);
  const scopes = setDifference(client.scopes, application.scopes);
  const logo = logoChange(client.logoVersion, application.logo);
  return {
    ...(name !== client.name && { name: { from: client.name, to: name } }),
    ...(redirectUris && { redirectUris }),
    ...(scopes && { scopes }),
    ...(isPublic !== client.isPublic && { isPublic: { from: client.isPublic, to: isPublic } }),
    ...(logo && { logo }),
  };
}

/** In another order they are the same: a request names one of them, whichever place it has. */
function setDifference(before: readonly string[], after: readonly string[]) {
  const added = after.filter((item) => !before.includes(item));
  const removed = before.filter((item) => !after.includes(item));
  return added.length + removed.length === 0 ? undefined : { added, removed };
}

/** A logo's version is made from its bytes, so equal versions are equal pictures. */
function logoChange(version: string | null, logo: DescribedClient['logo']): Changes['logo'] {
  if (logo === undefined || (logo?.version ?? null) === version) return undefined;
  if (logo === null) return 'removed';
  return version === null ? 'added' : 'changed';
}

/** The secret is there when the step has made one. */
export async function takeStep(
  services: Services,
  step: ChangingStep,
  origin: Origin,
): Promise<AdminOutcome<{ secret: string | undefined }>> {
  switch (step.kind) {
    case 'create': {
      const { id, name, isPublic, redirectUris, scopes, logo } = step.application;
      const input = { id, name, isPublic, redirectUris, scope: formatScopes(scopes), logo: logo?.bytes };
      return createClient(services, input, origin);
    }
    case 'update': {
      const { application, changes } = step;
      const { name, redirectUris, scopes, isPublic, logo } = application;
      const update = {
        ...(changes.name && { name }),
        ...(changes.redirectUris && { redirectUris }),
        ...(changes.scopes && { scope: formatScopes(scopes) }),
        ...(changes.isPublic && { isPublic }),
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
