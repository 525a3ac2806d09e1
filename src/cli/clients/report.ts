// What the commands about one client print.

import { type AllowedList, readAllowed } from '../../operations/clients/access-list.ts';
import type { Services } from '../../operations/services.ts';
import { clientFields } from '../../protocol/resources/client.ts';
import type { Client, ClientSecret } from '../../storage/storage.ts';
import { fieldLines } from '../frame/field-options.ts';
import { print, styled } from '../terminal/output.ts';
import { printFields } from '../terminal/table.ts';
import { shownTime } from '../terminal/times.ts';
import { allowedRows } from './access-list.ts';

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
    ...allowedRows(client, allowed),
    ...fieldLines(clientFields, client, ['name', 'public', 'access']),
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
