// A search for words that many people have: it stops after 2,500 of them, says so, and can be continued.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Api, newKey } from '../../harness/api.ts';
import { namesOn, visit } from '../../harness/console.ts';
import { Person } from '../../harness/person.ts';
import { serviceOfSuite } from '../../harness/suite.ts';
import { anEvent, aUser } from '../../storage/records.ts';

const hint = /These words are too common to search the whole list\. Add another letter\./;
const service = serviceOfSuite();

/** Each has 18 words that begin alike, so that few people have 2,500 of them. */
function withCommonWords(word: string, index: number) {
  const [name, givenName, familyName] = ['a', 'b', 'c'].map((letter) =>
    Array.from({ length: 6 }, (_, place) => `${word}${letter}${place}x${index}`).join(' '),
  );
  return aUser({ name: name ?? '', givenName: givenName ?? '', familyName: familyName ?? '' });
}

/** Two have both words: one is among the first 2,500 that are compared, the other comes after them. */
before(async () => {
  const common = ['north', 'south'].flatMap((word) =>
    Array.from({ length: 150 }, (_, index) => withCommonWords(word, index)),
  );
  const both = ['North0 South', 'Northz South'].map((name) => aUser({ name }));
  const people = [...common, ...both].map((user) => ({ oldId: user.id, user }));
  for (let first = 0; first < people.length; first += 200) {
    await service.running.services.storage.importUsers('test', people.slice(first, first + 200), 0, anEvent());
  }
});

test('the API says that a search has stopped, and its cursors lead to the rest', async () => {
  const [api, key] = [await Api.of(service), await newKey(service)];
  const page = async (query: Record<string, string>) => {
    const { items, next_cursor: next, truncated } = (await api.call('listUsers', key, { query })).data;
    return { names: items.map(({ name }) => name), next, truncated };
  };
  const first = await page({ search: 'north south' });
  assert.deepEqual([first.names, first.truncated], [['North0 South'], true]);
  const second = await page({ search: 'north south', cursor: first.next ?? assert.fail('there is no next page') });
  assert.deepEqual(second, { names: ['Northz South'], next: null, truncated: undefined });
  const more = await page({ search: 'north southe' });
  assert.deepEqual(more, { names: [], next: null, truncated: undefined }, 'one word that is rare is enough');
  assert.equal((await page({ search: 'north' })).truncated, undefined);
});

test('the console says to add another letter', async () => {
  const admin = new Person(service);
  await admin.signIn(await service.newUser({ admin: true }));
  const { page } = await visit(admin, '/admin/people?search=north+south');
  assert.deepEqual(namesOn(page), ['North0 South']);
  assert.match(page, hint);
  assert.doesNotMatch((await visit(admin, '/admin/people?search=north+south+z')).page, hint);
});
