// An administrator looks at what an application would receive about a person.

import type { Requester } from '../../protocol/event.ts';
import { chooseRequested } from '../../protocol/oauth/scope.ts';
import type { Client, User } from '../../storage/storage.ts';
import { type Outcome, refused } from '../admin/outcome.ts';
import { findClient } from '../clients/clients.ts';
import type { Recording, Services } from '../services.ts';
import { findUser } from '../users/users.ts';
import { type ClaimsPreview, previewClaims } from './preview-claims.ts';

export interface ApplicationPreview {
  readonly client: Client;
  readonly user: User;
  readonly preview: ClaimsPreview;
}

/** `scope` is what the application would ask for, with spaces; undefined for all that it can ask for. */
export async function previewApplication(
  services: Recording & Pick<Services, 'issuer'>,
  clientId: string,
  person: string,
  scope: string | undefined,
  requester: Requester,
): Outcome<ApplicationPreview> {
  const found = await findClient(services, clientId);
  if (found.kind === 'refused') return found;
  const named = await findUser(services, person);
  if (named.kind === 'refused') return named;
  const { client } = found;
  const requested = chooseRequested(scope, client.scopes);
  if (requested.kind === 'invalid') return refused(requested.problem);
  const preview = await previewClaims(services, client, named.user, requested.scopes, requester);
  return { kind: 'done', client, user: named.user, preview };
}

export function previewJson({ preview: { userinfo, idToken } }: ApplicationPreview) {
  return { userinfo, id_token: idToken };
}
