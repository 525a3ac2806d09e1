// Who made something: a person, an API key or the command line, as lists name them.

import type { Actor } from '../../protocol/event.ts';
import type { Storing } from '../services.ts';
import { findEach, namesById } from './paging.ts';

export type Maker =
  | { readonly kind: 'command_line' }
  /** Without a name, they were deleted. */
  | { readonly kind: 'person'; readonly name: string | undefined }
  /** Without a name, it was revoked. */
  | { readonly kind: 'api_key'; readonly name: string | undefined };

/** What was noted: an actor, nothing for the command line, or an ID alone, which a person or a key has. */
export type NotedMaker = Actor | string | null | undefined;

/** Names those of a page. */
export async function makerNames(
  { storage }: Storing,
  noted: readonly NotedMaker[],
): Promise<(noted: NotedMaker) => Maker> {
  const actors = noted.filter((each) => each !== null && each !== undefined);
  const ids = actors.map((each) => (typeof each === 'string' ? each : each.id));
  const people = namesById(await findEach(ids, (id) => storage.findUser(id)));
  const isOther = (actor: Actor | string) => !people.has(typeof actor === 'string' ? actor : actor.id);
  const keys = namesById(actors.some(isOther) ? await storage.listApiKeys() : []);
  return (each) => {
    if (each === null || each === undefined) return { kind: 'command_line' };
    const { kind, id } = typeof each === 'string' ? { kind: undefined, id: each } : each;
    if (kind === 'api_key' || (kind === undefined && keys.has(id))) return { kind: 'api_key', name: keys.get(id) };
    return { kind: 'person', name: people.get(id) };
  };
}

/** For a terminal. */
export function makerInWords(maker: Maker): string {
  if (maker.kind === 'command_line') return 'command line';
  if (maker.kind === 'person') return maker.name ?? 'deleted person';
  return maker.name === undefined ? 'revoked API key' : `API key ${maker.name}`;
}
