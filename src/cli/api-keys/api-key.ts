// `latchkey api-key …`: creates, lists and revokes API keys.

import { apiKeyJson, createApiKey, listApiKeys, revokeApiKey, rolesOfKey } from '../../operations/api-keys/api-keys.ts';
import { createdJson } from '../../operations/api-keys/created-by-key.ts';
import { createdPath } from '../../pages/console/api-keys/api-keys.ts';
import { describeRights } from '../../protocol/admin/rights.ts';
import { apiKeyPermissions, apiKeyRoles, newApiKeyFields } from '../../protocol/resources/api-key.ts';
import { requireDone } from '../command.ts';
import { fieldOptions, givenByOptions } from '../frame/field-options.ts';
import type { CommandGroup } from '../frame/spec.ts';
import { summaries } from '../summaries.ts';
import { styled } from '../terminal/output.ts';
import { briefTime } from '../terminal/times.ts';
import { explained } from '../users/role-option.ts';
import { defineStoreCommand } from '../with-services.ts';

const rightsOfKeys = [
  explained(apiKeyPermissions, (permission) => describeRights({ permission })),
  explained(apiKeyRoles, (role) => describeRights({ roles: [role], isKey: true })),
].join('\n\n');

export const apiKey: CommandGroup = {
  summary: summaries['api-key'],
  details: 'An API key gives a program access to /api.',
  examples: ['latchkey api-key create --name Backups', 'latchkey api-key list'],
  commands: {
    create: defineStoreCommand({
      summary: 'create a key and print it once',
      details: `A key has a permission or roles.\n\n${rightsOfKeys}`,
      createsStore: true,
      options: fieldOptions(newApiKeyFields, 'create'),
      examples: [
        'latchkey api-key create --name Backups',
        'latchkey api-key create --name Provisioning --permission write --days 90',
        'latchkey api-key create --name Helpdesk --role people',
      ],
      async run({ services, values, requester }) {
        const input = givenByOptions(newApiKeyFields, 'create', values);
        const { key, secret } = requireDone(await createApiKey(services, input, requester));
        const access = { read: 'read', write: 'read and write', administrator: 'administrator' }[key.permission];
        const can = key.roles === null ? `${access} access` : `the role ${rolesOfKey(key).join(' and ')}`;
        const made = `Created API key ${JSON.stringify(key.name)} with ${can}.`;
        const copy = "Copy the key now. You won't be able to see it again.";
        return {
          json: { ...apiKeyJson({ ...key, ended: false }), key: secret },
          text: `${made}\n\n  id   ${key.id}\n  key  ${secret}\n\n${copy}`,
        };
      },
    }),
    list: defineStoreCommand({
      summary: 'list keys',
      examples: ['latchkey api-key list'],
      async run({ services }) {
        const keys = await listApiKeys(services);
        const rows = keys.map((key) => [
          key.id,
          key.lastFour === null ? '' : `…${key.lastFour}`,
          key.ended ? styled('dim', 'ended') : styled('green', 'active'),
          key.roles === null ? key.permission : rolesOfKey(key).join(', '),
          briefTime(key.createdAt),
          briefTime(key.expiresAt),
          briefTime(key.lastUsedAt),
          key.name,
        ]);
        const titles = ['ID', 'KEY', 'STATUS', 'PERMISSION', 'CREATED', 'EXPIRES', 'LAST USED', 'NAME'];
        const none = 'No API keys yet. Create one with "latchkey api-key create".';
        return { json: keys.map(apiKeyJson), table: [titles, ...rows], none };
      },
    }),
    end: defineStoreCommand({
      summary: 'revoke a key, starting with the next request, and list what it created',
      arguments: { id: { label: '<id>', completes: 'api-key' } },
      examples: ['latchkey api-key end 6vhp3ewcjxhvrg8cvwbfwnwr7h'],
      async run({ services, args: { id }, requester }) {
        const { created } = requireDone(await revokeApiKey(services, id, requester));
        const json = createdJson(created, services.issuer, createdPath);
        const text = [`Revoked API key ${id}. It no longer works.`, ...createdLines(json)].join('\n');
        return { json: { id, over: true, ...json }, text };
      },
    }),
  },
};

function createdLines({ created, created_truncated }: ReturnType<typeof createdJson>): string[] {
  if (created.length === 0) return [];
  const lines = created.map(({ kind, id, name, url }) => {
    const link = url ?? (id === name ? null : id);
    return `  ${kindName(kind)}  ${name}${link === null ? '' : `  ${link}`}`;
  });
  return ['', 'It created:', '', ...lines, ...(created_truncated ? ['  and more: see "latchkey events"'] : [])];
}

function kindName(kind: string): string {
  return kind === 'scim_token' ? 'SCIM token' : kind.replaceAll('_', ' ');
}
