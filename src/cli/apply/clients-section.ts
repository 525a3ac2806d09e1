// The applications in the file of `latchkey apply`.

import { allowedIn } from '../../operations/clients/apply-access.ts';
import { applyClient, exportClients, isRevokedIn, planClients } from '../../operations/clients/apply-clients.ts';
import { clientFields } from '../../protocol/resources/client.ts';
import type { Client } from '../../storage/storage.ts';
import { line, listLines, memberLine } from './diff.ts';
import { type AppliedKind, resourceSection } from './resource-section.ts';

const kind: AppliedKind<Client, typeof clientFields> = {
  section: 'applications',
  fields: clientFields,
  key: 'client_id',
  secretKey: 'client_secret',

  plan({ services, described: { clients }, prune, access: { lists } }) {
    if (clients === undefined) return undefined;
    return services.storage.listClients().then((existing) => ({
      kind: 'done',
      steps: planClients(existing, clients, prune, lists),
    }));
  },

  take: applyClient,

  named(step) {
    const name = step.kind === 'create' ? step.described.given.name : step.item.name;
    return `application ${JSON.stringify(name)} (${step.id})`;
  },

  newLines(described) {
    const { people = [], groups = [] } = allowedIn(described.item) ?? {};
    return [
      ...listLines('allowed people', { added: people, removed: [] }),
      ...listLines('allowed groups', { added: groups, removed: [] }),
      ...(isRevokedIn(described) ? [memberLine('+', 'revoked', true)] : []),
    ];
  },

  shown(name, value, when) {
    if (name === 'name') return JSON.stringify(value);
    if (name !== 'public' || when === 'before' || (when === 'new' && value)) return value;
    return `${value} (${value ? 'its secrets stop working' : 'it gets a secret'})`;
  },

  remarks(step) {
    if (step.kind !== 'update' && step.kind !== 'unchanged') return [];
    if (step.item.revokedAt === null || isRevokedIn(step.described)) return [];
    return [line('!', `${kind.named(step)} stays revoked (restore it with "latchkey client restore ${step.id}")`)];
  },

  json: ({ revokedAt }) => ({ revoked: revokedAt !== null }),
  export: exportClients,
};

export const applicationsSection = resourceSection(kind);
