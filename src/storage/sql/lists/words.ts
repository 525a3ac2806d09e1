// The words that users and clients are found by, and the names that they are sorted by. Every change of a name, an email
// address or a URI rewrites them.

import {
  clientNameWords,
  clientWords,
  emailWords,
  nameWords,
  searchKey,
} from '../../../protocol/admin/search-words.ts';
import type { Statement } from '../../driver.ts';
import type { User } from '../../records.ts';
import { type SearchKind, searchWords, type WordKind } from '../../schema.ts';
import { insertRows } from '../query.ts';

const insertWords = insertRows(searchWords);

/** The first name is the one that users are sorted by. */
export function setNameWords(userId: string, names: readonly [string, ...(string | null)[]]): Statement[] {
  return [
    ...setWords('person', userId, 'name', nameWords(names)),
    ...setWords('person_name', userId, 'name', [searchKey(names[0])]),
  ];
}

/** For newly inserted users, who have no words yet. */
export function insertNewWords(
  users: readonly Pick<User, 'id' | 'name' | 'givenName' | 'familyName' | 'email'>[],
): Statement[] {
  return insertWords(
    users.flatMap(({ id, name, givenName, familyName, email }) => [
      ...rowsOf('person', id, 'name', nameWords([name, givenName, familyName])),
      ...rowsOf('person_name', id, 'name', [searchKey(name)]),
      ...rowsOf('person', id, 'email', emailWords(email)),
    ]),
  );
}

export function setEmailWords(userId: string, email: string): Statement[] {
  return setWords('person', userId, 'email', emailWords(email));
}

/** Fields that aren't given keep their words. */
export function setClientWords(
  clientId: string,
  { name, redirectUris }: { readonly name?: string; readonly redirectUris?: readonly string[] },
): Statement[] {
  return [
    ...(name === undefined
      ? []
      : [
          ...setWords('client', clientId, 'name', clientNameWords(name)),
          ...setWords('client_name', clientId, 'name', [searchKey(name)]),
        ]),
    ...(redirectUris === undefined ? [] : setWords('client', clientId, 'host', clientWords(clientId, redirectUris))),
  ];
}

export function forgetWords(kind: SearchKind, ref: string): Statement {
  return { sql: 'DELETE FROM search_words WHERE kind IN ($1, $2) AND ref = $3', params: [kind, `${kind}_name`, ref] };
}

function setWords(kind: WordKind, ref: string, source: string, words: readonly string[]): Statement[] {
  return [
    { sql: 'DELETE FROM search_words WHERE kind = $1 AND ref = $2 AND source = $3', params: [kind, ref, source] },
    ...insertWords(rowsOf(kind, ref, source, words)),
  ];
}

function rowsOf(kind: WordKind, ref: string, source: string, words: readonly string[]) {
  return words.map((word) => ({ kind, word: Buffer.from(word, 'utf8'), ref, source }));
}
