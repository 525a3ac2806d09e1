// Texts that are the ID of one and a name of another, which has been refused for some time.

import type { Storing } from '../services.ts';

/** Of a person or a group, each once. */
export async function sharedNamesOf({ storage }: Storing, { id }: { readonly id: string }): Promise<string[]> {
  return [...new Set((await storage.sharedNamesOf(id)).map(({ text }) => text))];
}
