// What the commands about one client print.

import { readFileSync } from 'node:fs';
import { type AllowedList, readAllowed } from '../../operations/clients/access-list.ts';
import type { Services } from '../../operations/services.ts';
import { messageOf } from '../../protocol/reading/caught-errors.ts';
import { logoLimit } from '../../protocol/reading/image.ts';
import type { Client, ClientSecret } from '../../storage/storage.ts';
import { CommandFailed } from '../command.ts';
import { print, styled } from '../terminal/output.ts';
import { printFields } from '../terminal/table.ts';
import { shownTime } from '../terminal/times.ts';
import { allowedRows } from './access-list.ts';
import { linkRows } from './links.ts';

export async function report(services: Services, client: Client): Promise<void> {
  const allowed: AllowedList = await readAllowed(services, client.id);
  printFields([
    ['client_id', client.id],
    ['name', client.name],
    ['type', client.isPublic ? 'public' : 'confidential'],
    [
      'status',
      client.revokedAt === null ? styled('green', 'active') : styled('red', `revoked ${shownTime(client.revokedAt)}`),
    ],
    ['scopes', client.scopes.join(' ')],
    ...allowedRows(client, allowed),
    ['second factor', client.secondFactor],
    ...(client.upstream === null ? [] : [['upstream', client.upstream]]),
    ...client.redirectUris.map((uri) => ['redirect URI', uri]),
    ...client.postLogoutRedirectUris.map((uri) => ['post-logout redirect URI', uri]),
    ['logo', client.logoVersion === null ? 'none' : 'yes'],
    ...linkRows(client.links),
    ...client.secrets.map((secret) => ['secret', secretLife(secret)]),
    ['created', shownTime(client.createdAt)],
  ]);
}

function secretLife({ createdAt, usedAt }: ClientSecret): string {
  return `created ${shownTime(createdAt)}, ${usedAt === null ? 'never used' : `last used ${shownTime(usedAt)}`}`;
}

export function printSecret(client: Client, secret: string | undefined): void {
  print(`  client_id      ${client.id}`);
  if (secret === undefined) {
    print('\nA public client has no secret. PKCE protects its codes.');
  } else {
    print(`  client_secret  ${secret}`);
    print("\nCopy the secret now. You won't be able to see it again. Keep it on your server, out of code and logs.");
  }
}

export function readLogoFile(file: string): Uint8Array {
  try {
    const bytes = readFileSync(file);
    if (bytes.length > logoLimit) throw new CommandFailed(`${file} is larger than 512 KiB.`);
    return bytes;
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    throw new CommandFailed(`Can't read ${file}: ${messageOf(error)}.`);
  }
}
