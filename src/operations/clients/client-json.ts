// The JSON of clients: the same for the API and for the command line's --json.

import { isoTime } from '../../protocol/iso-time.ts';
import { receivedClaims } from '../../protocol/oauth/application-claims.ts';
import { clientFields, linksOf } from '../../protocol/resources/client.ts';
import { jsonOf } from '../../protocol/resources/resource.ts';
import type { Client, ConnectedApp } from '../../storage/storage.ts';
import { endsJson } from '../groups/listed-ends.ts';
import type { AllowedList } from './access-list.ts';

/** The secret is included only when it was just created. */
export function clientJson(client: Client, secret?: string) {
  return {
    ...jsonOf(clientFields, client),
    ...(secret !== undefined && { client_secret: secret }),
    secrets: client.secrets.map(({ lastFour, createdAt, usedAt }) => ({
      last_four: lastFour,
      created_at: isoTime(createdAt),
      last_used_at: isoTime(usedAt),
    })),
  };
}

/** Who may use a client that is not open to everyone, and until when. */
export function allowedJson({ people, groups }: AllowedList) {
  return {
    allowed: { people: people.map(({ email }) => email), groups: groups.map(({ name }) => name) },
    allowed_until: {
      people: endsJson(people, ({ email }) => email),
      groups: endsJson(groups, ({ name }) => name),
    },
  };
}

export function connectedAppJson(connected: ConnectedApp) {
  const { client, scopes, grantedAt, lastUsedAt } = connected;
  return {
    client_id: client.id,
    name: client.name,
    scopes: [...scopes],
    claims: receivedClaims(client, connected).map(({ claim }) => claim),
    granted_at: isoTime(grantedAt),
    last_used_at: isoTime(lastUsedAt),
    ...linksOf(client),
  };
}
