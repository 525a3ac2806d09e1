// API keys, as administrators manage them.

import { describeRights } from '../../protocol/admin/rights.ts';
import {
  apiKeyPermissions,
  apiKeyRoles,
  newApiKeyFields,
  shownApiKeyFields,
} from '../../protocol/resources/api-key.ts';
import { text } from '../../protocol/resources/field.ts';
import { defineAction, defineSubject, onceText } from '../admin/subject.ts';
import { createApiKey, listApiKeys, revokeApiKey, rolesOfKey } from './api-keys.ts';
import { createdJson } from './created-by-key.ts';

const access = { read: 'read access', write: 'read and write access', administrator: 'administrator access' };

export const apiKeys = defineSubject({
  one: 'API key',
  many: 'API keys',
  area: 'api_keys',
  api: '/api/keys',
  console: '/admin/keys',
  command: 'api-key',
  completes: async (storage) => (await storage.listApiKeys()).map(({ id, name }) => [id, name]),
  about: 'An API key gives a program access to /api.',
  fields: shownApiKeyFields,
  shown: ({ key, secret }) => ({ ...key, ended: false, secret }),
  list: {
    about: ', newest first',
    read: { all: listApiKeys },
    columns: {
      ID: 'id',
      KEY: ({ lastFour }) => (lastFour === null ? '' : `…${lastFour}`),
      STATUS: ({ ended }) => (ended ? 'ended' : 'active'),
      PERMISSION: (key) => (key.roles === null ? key.permission : rolesOfKey(key).join(', ')),
      CREATED: 'created_at',
      EXPIRES: 'expires_at',
      'LAST USED': 'last_used_at',
      NAME: 'name',
    },
  },
  create: {
    does: 'create an API key',
    proof: true,
    fields: newApiKeyFields,
    once: {
      key: text({
        description: "The API key. You won't be able to see it again.",
        property: 'secret',
        settable: 'never',
      }),
    },
    run: createApiKey,
    says({ key, secret }) {
      const can = key.roles === null ? access[key.permission] : `the role ${rolesOfKey(key).join(' and ')}`;
      const made = `Created API key ${JSON.stringify(key.name)} with ${can}.`;
      return onceText(made, { id: key.id, key: secret }, 'key');
    },
    details: [
      'A key has a permission or roles.',
      ...apiKeyPermissions.map((permission) => `${permission}: ${describeRights({ permission })}.`),
      ...apiKeyRoles.map((role) => `${role}: ${describeRights({ roles: [role], isKey: true })}.`),
    ].join('\n\n'),
    examples: [
      'latchkey api-key create --name Backups',
      'latchkey api-key create --name Provisioning --permission write --days 90',
      'latchkey api-key create --name Helpdesk --role people',
    ],
  },
  actions: {
    revoke: defineAction({
      does: 'revoke an API key, and see what it has created',
      done: 'revoked',
      deletes: true,
      formerly: 'end',
      proof: true,
      field: 'end',
      run: revokeApiKey,
      json: ({ created }, { issuer }) => ({ over: true, ...createdJson(created, issuer) }),
      says({ key, created }, { issuer }) {
        const { created: items, created_truncated } = createdJson(created, issuer);
        const lines = items.map(({ kind, id, name, url }) => {
          const link = url ?? (id === name ? null : id);
          return `  ${kindName(kind)}  ${name}${link === null ? '' : `  ${link}`}`;
        });
        const more = created_truncated ? ['  and more: see "latchkey events"'] : [];
        const left = lines.length === 0 ? [] : ['', 'It created:', '', ...lines, ...more];
        return [`Revoked API key ${key}. It no longer works.`, ...left].join('\n');
      },
    }),
  },
});

function kindName(kind: string): string {
  return kind === 'scim_token' ? 'SCIM token' : kind.replaceAll('_', ' ');
}
