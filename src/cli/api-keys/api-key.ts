// `latchkey api-key …`: creates, lists and revokes API keys.

import { createApiKey, listApiKeys, revokeApiKey } from '../../operations/api-keys/api-keys.ts';
import { apiKeyFields, newApiKeyFields } from '../../protocol/resources/api-key.ts';
import { jsonOf } from '../../protocol/resources/resource.ts';
import type { ApiKey } from '../../storage/storage.ts';
import { commandRequester, requireDone } from '../command.ts';
import { jsonOption } from '../frame/define.ts';
import { fieldOptions, givenByOptions } from '../frame/field-options.ts';
import type { CommandGroup } from '../frame/spec.ts';
import { print, printJson, styled } from '../terminal/output.ts';
import { printTable } from '../terminal/table.ts';
import { briefTime } from '../terminal/times.ts';
import { defineStoreCommand } from '../with-services.ts';

const create = defineStoreCommand(
  {
    summary: 'create a key and print it once',
    options: { ...fieldOptions(newApiKeyFields, 'create'), ...jsonOption },
    examples: [
      'latchkey api-key create --name Backups',
      'latchkey api-key create --name Provisioning --permission write --days 90',
    ],
  },
  async (services, { values }) => {
    const input = givenByOptions(newApiKeyFields, 'create', values);
    const { key, secret } = requireDone(await createApiKey(services, input, commandRequester()));
    if (values.json) return printJson({ ...toJson({ ...key, ended: false }), key: secret });
    const access = key.permission === 'read' ? 'read' : 'read and write';
    print(`Created API key ${JSON.stringify(key.name)} with ${access} access.\n`);
    print(`  id   ${key.id}\n  key  ${secret}\n\nCopy the key now. You won't be able to see it again.`);
  },
);

const list = defineStoreCommand(
  { summary: 'list keys', options: jsonOption, examples: ['latchkey api-key list'] },
  async (services, { values }) => {
    const keys = await listApiKeys(services);
    if (values.json) return printJson(keys.map(toJson));
    if (keys.length === 0) return print('No API keys yet. Create one with "latchkey api-key create".');
    const time = (at: number | null) => (at === null ? 'never' : briefTime(at));
    const rows = keys.map((key) => [
      key.id,
      key.ended ? styled('dim', 'ended') : styled('green', 'active'),
      key.permission,
      briefTime(key.createdAt),
      time(key.expiresAt),
      time(key.lastUsedAt),
      key.name,
    ]);
    printTable([['ID', 'STATUS', 'PERMISSION', 'CREATED', 'EXPIRES', 'LAST USED', 'NAME'], ...rows]);
  },
);

const end = defineStoreCommand(
  {
    summary: 'revoke a key, starting with the next request',
    arguments: { id: { label: '<id>', completes: 'api-key' } },
    options: jsonOption,
    examples: ['latchkey api-key end 6vhp3ewcjxhvrg8cvwbfwnwr7h'],
  },
  async (services, { values, args: { id } }) => {
    requireDone(await revokeApiKey(services, id, commandRequester()));
    if (values.json) return printJson({ id, over: true });
    print(`Revoked API key ${id}. It no longer works.`);
  },
);

export const apiKey: CommandGroup = {
  summary: 'manage keys for /api',
  details: 'An API key gives a program access to /api.',
  examples: ['latchkey api-key create --name Backups', 'latchkey api-key list'],
  commands: { create, list, end },
};

function toJson(key: ApiKey & { readonly ended: boolean }) {
  return { ...jsonOf(apiKeyFields, key), over: key.ended };
}
