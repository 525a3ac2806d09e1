// Redirect URIs that earlier versions registered and that couldn't be registered now. They work as before.

import { newRedirectUriProblem } from '../../protocol/oauth/redirect-uri.ts';
import type { Storage } from '../../storage/storage.ts';

/** A sentence for each. */
export async function outdatedRedirectUris(storage: Storage): Promise<string[]> {
  const clients = await storage.listClients();
  return clients.flatMap(({ id, redirectUris }) =>
    redirectUris.flatMap((uri) => {
      const problem = newRedirectUriProblem(uri);
      const todo = 'Register another one, change the application, then remove it.';
      return problem === undefined ? [] : [`${id}: ${uri} ${problem}. ${todo}`];
    }),
  );
}
