// `latchkey api-key …`: creates, lists and ends API keys.

import { createApiKey, listApiKeys, revokeApiKey } from '../operations/admin/api-keys.ts';
import { isoTime } from '../protocol/iso-time.ts';
import type { ApiKey } from '../storage/storage.ts';
import {
  type Command,
  commandOrigin,
  print,
  printJson,
  printTable,
  readArguments,
  requireDone,
  UsageError,
} from './command.ts';
import { runSubcommand, type Subcommand } from './with-services.ts';

const json = { json: { type: 'boolean' } } as const;

const subcommands: Record<string, Subcommand> = {
  async create(services, args) {
    const options = {
      ...json,
      name: { type: 'string' },
      permission: { type: 'string', default: 'read' },
      days: { type: 'string' },
    } as const;
    const { values } = readArguments(args, options, []);
    const { name, permission, days } = values;
    if (name === undefined) throw new UsageError('--name is required');
    if (days !== undefined && !/^\d{1,9}$/.test(days)) throw new UsageError('--days must be a whole number');
    const input = { name, permission, days: days === undefined ? undefined : Number(days) };
    const { key, secret } = requireDone(await createApiKey(services, input, commandOrigin()));
    if (values.json) return printJson({ ...toJson({ ...key, ended: false }), key: secret });
    print(
      `Created API key ${JSON.stringify(key.name)} with ${permission === 'read' ? 'read' : 'read and write'} access.\n`,
    );
    print(`  id   ${key.id}\n  key  ${secret}\n\nCopy the key now. You won't be able to see it again.`);
  },

  async list(services, args) {
    const { values } = readArguments(args, json, []);
    const keys = await listApiKeys(services);
    if (values.json) return printJson(keys.map(toJson));
    if (keys.length === 0) return print('No API keys yet. Create one with "latchkey api-key create".');
    const rows = keys.map((key) => [
      ...[key.id, key.ended ? 'ended' : 'active', key.permission, isoTime(key.createdAt)],
      ...[isoTime(key.expiresAt) ?? 'never', isoTime(key.lastUsedAt) ?? 'never', key.name],
    ]);
    printTable([['ID', 'STATUS', 'PERMISSION', 'CREATED', 'EXPIRES', 'LAST USED', 'NAME'], ...rows]);
  },

  async end(services, args) {
    const { values, positionals } = readArguments(args, json, ['<id>']);
    const [id = ''] = positionals;
    requireDone(await revokeApiKey(services, id, commandOrigin()));
    if (values.json) return printJson({ id, over: true });
    print(`Revoked API key ${id}. It no longer works.`);
  },
};

export const apiKey: Command = {
  usage: `Usage: latchkey api-key <command> [--json]

  create --name NAME [--permission read|write] [--days N]   prints the key once
  list
  end <id>   revokes the key, starting with the next request

An API key gives a program access to /api. Without --permission it can only read; without --days it never expires.`,

  run: runSubcommand('api-key', subcommands),
};

function toJson(key: ApiKey & { readonly ended: boolean }) {
  return {
    id: key.id,
    name: key.name,
    permission: key.permission,
    created_at: isoTime(key.createdAt),
    expires_at: isoTime(key.expiresAt),
    last_used_at: isoTime(key.lastUsedAt),
    over: key.ended,
  };
}
