// The name of whoever acts: the administrator, or the one who made the API key.

import type { Actor } from '../../protocol/event.ts';
import type { Services } from '../services.ts';

/** Undefined for the command line, and for an administrator who is gone. */
export async function nameOfActor(
  services: Pick<Services, 'storage'>,
  actor: Actor | undefined,
): Promise<string | undefined> {
  return actor && (await namesOfActors(services, [actor])).get(actor.id);
}

/** By the ID of the administrator or of the key. */
export async function namesOfActors(
  { storage }: Pick<Services, 'storage'>,
  actors: readonly Actor[],
): Promise<ReadonlyMap<string, string>> {
  const keys = actors.some(({ kind }) => kind === 'api_key') ? await storage.listApiKeys() : [];
  const administrators = new Map(
    actors.map(({ kind, id }) => [id, kind === 'administrator' ? id : keys.find((key) => key.id === id)?.createdBy]),
  );
  const found = await Promise.all(
    [...administrators].map(async ([id, userId]) => {
      const user = userId == null ? undefined : await storage.findUser(userId);
      return user === undefined ? [] : [[id, user.name] as const];
    }),
  );
  return new Map(found.flat());
}
