// Lists a page at a time, and search by the beginning of a word, of users and of clients.

import assert from 'node:assert/strict';
import { type Match, searchedWords } from '../../../src/protocol/admin/search-words.ts';
import {
  type ListOrder,
  type Page,
  type PagePosition,
  type Storage,
  StorageConflict,
} from '../../../src/storage/storage.ts';
import {
  anEvent,
  aProfile,
  type Rule,
  restoredUser,
  start,
  storedClient,
  storedLink,
  storedSession,
  storedUser,
} from '../records.ts';

export function searchRules(rule: Rule): void {
  for (const subject of subjects) pageRules(rule, subject);
  findingRules(rule);
  wordRules(rule);
}

interface Facts {
  readonly name?: string;
  readonly createdAt?: number;
}

/** The operations that users and clients share in these rules. */
interface Subject {
  readonly plural: string;
  readonly list: 'pageUsers' | 'pageClients';
  store(storage: Storage, facts: Facts): Promise<{ id: string; createdAt: number }>;
  rename(storage: Storage, id: string, name: string): Promise<boolean>;
  remove(storage: Storage, id: string): Promise<boolean>;
}

const people: Subject = {
  plural: 'people',
  list: 'pageUsers',
  store: storedUser,
  rename: (storage, id, name) => storage.changeProfile(id, aProfile({ name }), start + 1, anEvent()),
  remove: (storage, id) => storage.deleteUser(id, anEvent()),
};
const clients: Subject = {
  plural: 'applications',
  list: 'pageClients',
  store: storedClient,
  rename: async (storage, id, name) => {
    const client = await storage.findClient(id);
    return client === undefined ? false : storage.updateClient(client, { name }, start + 1, anEvent());
  },
  remove: (storage, id) => storage.deleteClient(id, anEvent()),
};
const subjects = [people, clients];

type Item = { readonly id: string };

function page(
  storage: Storage,
  list: Subject['list'],
  typed: string,
  after?: PagePosition,
  limit = 100,
): Promise<Page<Item>> {
  return storage[list]({ words: searchedWords(typed), after, limit });
}

/** The ids on all pages from that position on, in order. */
async function idsFrom(
  storage: Storage,
  list: Subject['list'],
  typed: string,
  after: PagePosition | undefined,
  limit: number,
): Promise<string[]> {
  const ids: string[] = [];
  let from = after;
  do {
    const { items, next } = await page(storage, list, typed, from, limit);
    if (next !== undefined) assert.equal(items.length, limit, 'only the last page is not full');
    ids.push(...items.map(({ id }) => id));
    from = next;
  } while (from !== undefined);
  return ids;
}

async function found(storage: Storage, list: Subject['list'], typed: string): Promise<string[]> {
  return (await page(storage, list, typed)).items.map(({ id }) => id);
}

/** What no list of people shows. */
const hiddenInLists = [
  'passwordHash',
  'generation',
  'sessionGeneration',
  'reviewSince',
  'picture',
  'locale',
  'externalId',
  'adoptedAt',
  'lostFactorAt',
];

function pageRules(rule: Rule, { plural, list, store, rename, remove }: Subject): void {
  rule(`${plural} are listed newest first, each once, with any page size`, async (storage) => {
    assert.deepEqual(await page(storage, list, ''), { items: [], next: undefined, previous: undefined });
    const stored = [];
    for (const minute of [3, 1, 2, 2, 5, 2, 2]) stored.push(await store(storage, { createdAt: start + minute }));
    const newestFirst = stored
      .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id);
    for (const limit of [1, 2, 3, 6, 7, 8]) {
      assert.deepEqual(await idsFrom(storage, list, '', undefined, limit), newestFirst, `pages of ${limit}`);
    }
    const { items } = await page(storage, list, '');
    const listed = list === 'pageUsers' ? { lastSignInAt: null, lastActiveAt: null, hasSecondFactor: false } : {};
    const hidden = list === 'pageUsers' ? hiddenInLists : [];
    for (const item of stored) {
      const shown = Object.entries({ ...item, ...listed }).filter(([name]) => !hidden.includes(name));
      assert.deepEqual(
        items.find(({ id }) => id === item.id),
        Object.fromEntries(shown),
      );
    }
  });

  rule(`${plural} are listed the same backward and forward, in any order`, async (storage) => {
    const names = ['Zoë Ann', 'ada ann', 'Ada Ann', 'Bob Ann', 'bob ann', 'Çelik Ann', '100 Ann'];
    for (const [index, name] of names.entries()) await store(storage, { name, createdAt: start + (index % 3) });
    const orders = [
      ...[undefined, 'created', 'name', ...(list === 'pageUsers' ? ['last_sign_in'] : [])].flatMap((by) =>
        [true, false].map((descending) => ({ words: [], order: by && ({ by, descending } as ListOrder<'created'>) })),
      ),
      { words: ['ann'], order: undefined },
      { words: ['b', 'ann'], order: undefined },
    ];
    for (const query of orders) {
      const pages: Page<Item>[] = [];
      let after: PagePosition | undefined;
      do {
        const page = await storage[list]({ ...query, order: query.order || undefined, after, limit: 2 });
        pages.push(page);
        after = page.next;
      } while (after !== undefined);
      assert.equal(pages[0]?.previous, undefined);
      const last = pages.at(-1);
      for (const [index, expected] of pages.slice(0, -1).toReversed().entries()) {
        const following = pages[pages.length - 1 - index];
        const before: PagePosition | undefined = following?.previous;
        const page = await storage[list]({
          ...query,
          order: query.order || undefined,
          after: undefined,
          before,
          limit: 2,
        });
        assert.deepEqual(page.items, expected.items, JSON.stringify(query));
        assert.deepEqual(page.next, expected.next);
        assert.deepEqual(page.previous, expected.previous);
      }
      assert.ok(last);
    }
  });

  rule(`${plural} are sorted by name, ignoring case, and by age`, async (storage) => {
    const names = ['bob', 'Ada', 'Zoë', 'ada', '10'];
    const ids = new Map<string, string>();
    for (const [index, name] of names.entries()) {
      ids.set((await store(storage, { name, createdAt: start + index })).id, name);
    }
    const sorted = async (by: 'created' | 'name', descending: boolean) => {
      const { items } = await storage[list]({ words: [], order: { by, descending }, after: undefined, limit: 10 });
      return items.map(({ id }) => ids.get(id)?.toLowerCase());
    };
    assert.deepEqual(await sorted('name', false), ['10', 'ada', 'ada', 'bob', 'zoë']);
    assert.deepEqual(await sorted('name', true), ['zoë', 'bob', 'ada', 'ada', '10']);
    assert.deepEqual(await sorted('created', false), ['bob', 'ada', 'zoë', 'ada', '10']);
    await rename(storage, [...ids.keys()][0] ?? '', 'Yan');
    assert.deepEqual((await sorted('name', true))[1], 'bob', 'the new name is sorted by');
    const { items } = await storage[list]({
      words: [],
      order: { by: 'name', descending: true },
      after: undefined,
      limit: 2,
    });
    assert.equal(items[1]?.id, [...ids.keys()][0]);
    await remove(storage, items[1]?.id ?? '');
    assert.equal((await sorted('name', false)).length, 4);
  });

  rule(`adding and deleting ${plural} while paging doesn't affect the others`, async (storage) => {
    const stored = [];
    for (const minute of [2, 2, 2, 1, 2, 2, 1]) stored.push(await store(storage, { createdAt: start + minute }));
    const all = await idsFrom(storage, list, '', undefined, 10);
    const first = await page(storage, list, '', undefined, 3);
    await store(storage, { createdAt: start + 3 });
    for (const id of [all[0], all[2], all[5]]) assert.equal(await remove(storage, id ?? ''), true);
    const rest = await idsFrom(storage, list, '', first.next, 2);
    assert.deepEqual(rest, [all[3], all[4], all[6]]);
  });

  rule(`${plural} that match several words are found once`, async (storage) => {
    const stored = [];
    for (let count = 0; count < 7; count++) stored.push(await store(storage, { name: 'Anna Annabel Anna Ann' }));
    const ids = stored.map(({ id }) => id).sort();
    for (const limit of [1, 2, 3, 6, 7, 8]) {
      for (const typed of ['a', 'ann', 'anna', 'anna a']) {
        assert.deepEqual(await idsFrom(storage, list, typed, undefined, limit), ids, `${typed}, pages of ${limit}`);
      }
    }
  });

  rule(`${plural} are found in order of their first matching word`, async (storage) => {
    const [second, first, third] = [
      await store(storage, { name: 'Bob Abe' }),
      await store(storage, { name: 'Aaron Abel' }),
      await store(storage, { name: 'Abraham' }),
    ];
    for (const limit of [1, 2, 3]) {
      assert.deepEqual(await idsFrom(storage, list, 'a', undefined, limit), [first.id, second.id, third.id]);
      assert.deepEqual(await idsFrom(storage, list, 'ab', undefined, limit), [second.id, first.id, third.id]);
    }
    assert.deepEqual(await found(storage, list, 'abel'), [first.id]);
  });

  rule(`${plural} that change during a search don't affect the others`, async (storage) => {
    const names = ['Cara', 'Carla', 'Carol', 'Cate', 'Cora', 'Cyra'];
    const ids: string[] = [];
    for (const name of names) ids.push((await store(storage, { name })).id);
    const first = await page(storage, list, 'c', undefined, 2);
    assert.deepEqual(
      first.items.map(({ id }) => id),
      ids.slice(0, 2),
    );
    await rename(storage, ids[0] ?? '', 'Cybil');
    await rename(storage, ids[2] ?? '', 'Dora');
    await remove(storage, ids[1] ?? '');
    const added = await store(storage, { name: 'Celia' });
    assert.deepEqual(await idsFrom(storage, list, 'c', first.next, 2), [ids[3], added.id, ids[4], ids[0], ids[5]]);
  });

  rule(`a cursor from another list of ${plural} isn't an error`, async (storage) => {
    const { id } = await store(storage, { name: 'Ada' });
    const words = ['ada', 'lo', 'a'.repeat(64), 'aà'].map((word) => Buffer.from(word).toString('hex'));
    for (const place of [...words, '61e4', '61e300', '9'.repeat(400), '1768478400000', '0']) {
      for (const typed of ['', 'ada']) {
        const { items } = await page(storage, list, typed, [place, id]);
        assert.ok(items.length <= 1, place);
      }
    }
  });
}

const names = {
  ada: { name: 'Ada Lovelace', givenName: 'Augusta King', familyName: 'Byron', email: 'Countess@People.example' },
  zoe: { name: 'Zoë Ὀδυσσεύς', email: 'zoë@bücher.example' },
  han: { name: '山田\u3000太郎', givenName: '👩🏽‍🚀', email: 'yamada@people.example' },
  wool: { name: '100% Wool', familyName: '_under', email: '100%@people.example' },
  wolf: { name: '1000 Wolves', familyName: 'Xunder', email: '100x@people.example' },
  jean: { name: 'Jean-Luc Picard', email: 'jl.picard@star-fleet.example' },
  slash: { name: 'Back\\slash', familyName: "O'Hara", email: 'slash_1@people.example' },
} as const;

const searches: Readonly<Record<string, readonly (keyof typeof names)[]>> = {
  'countess@people.example': ['ada'],
  'COUNTESS@PEOPLE': ['ada'],
  c: ['ada'],
  ada: ['ada'],
  'ada ': ['ada'],
  'ada lo': ['ada'],
  ' ADA \t Lo': ['ada'],
  'Ada Lovelace': ['ada'],
  'ada k': ['ada'],
  'lovelace ada': ['ada'],
  'lo countess king': ['ada'],
  'ada z': [],
  lo: ['ada'],
  LOVELACE: ['ada'],
  king: ['ada'],
  augusta: ['ada'],
  'augusta k': ['ada'],
  by: ['ada'],
  velace: [],
  people: ['ada', 'han', 'slash', 'wolf', 'wool'],
  'people.example': ['ada', 'han', 'slash', 'wolf', 'wool'],
  'wo people': ['wolf', 'wool'],
  'ada@': [],
  eople: [],
  luc: ['jean'],
  'picard jean': ['jean'],
  'picard@star-fleet': ['jean'],
  fleet: ['jean'],
  zoë: ['zoe'],
  'ZOE\u0308': ['zoe'],
  Ｚｏë: ['zoe'],
  zo: ['zoe'],
  'zoë@bü': ['zoe'],
  'zoë@xn--': ['zoe'],
  ὀδυσ: ['zoe'],
  ὈΔΥΣ: ['zoe'],
  ὈΔΥΣΣΕΎΣ: ['zoe'],
  山: ['han'],
  太郎: ['han'],
  '山田 太': ['han'],
  '👩': ['han'],
  '👩🏽‍🚀': ['han'],
  yam: ['han'],
  '%': [],
  _: ['wool'],
  _u: ['wool'],
  '100%': ['wool'],
  '100% w': ['wool'],
  '100_': [],
  '100': ['wolf', 'wool'],
  '100%@': ['wool'],
  '1000': ['wolf'],
  'back\\': ['slash'],
  'back\\s': ['slash'],
  'back%': [],
  "o'": ['slash'],
  "o'h": ['slash'],
  slash_: ['slash'],
  'slash%': [],
  '*': [],
  '?': [],
  '\u{10ffff}': [],
  '\uffff': [],
};

function findingRules(rule: Rule): void {
  rule(
    'people are named by all of a text, by whole words or by their beginnings, the last to sign in first',
    async (storage) => {
      const ids: Record<string, string> = {};
      for (const [index, [name, email]] of [
        ['Ada', 'one@a.example'],
        ['Beth Ada', 'two@a.example'],
        ['Zed Ada', 'three@a.example'],
        ['Cleo', 'ada@a.example'],
        ['Adam', 'five@a.example'],
      ].entries()) {
        const user = await storedUser(storage, { name: name ?? '', email: email ?? '' });
        await storedSession(storage, user, { createdAt: start + index, lastSeenAt: start + index });
        ids[user.id] = `${name} ${email}`.replace('@a.example', '');
      }
      const named = async (typed: string, match: Match, limit = 9) =>
        (await storage.findUsersNamed(searchedWords(typed), match, limit)).map(({ id }) => ids[id]);
      assert.deepEqual(await named('ada', 'exact'), ['Cleo ada', 'Zed Ada three', 'Beth Ada two', 'Ada one']);
      assert.deepEqual(await named('ada', 'whole'), ['Cleo ada', 'Zed Ada three', 'Beth Ada two', 'Ada one']);
      assert.deepEqual(await named('Beth ADA', 'exact'), ['Beth Ada two']);
      assert.deepEqual(await named('ada beth', 'exact'), []);
      assert.deepEqual(await named('ada beth', 'whole'), ['Beth Ada two']);
      assert.deepEqual(await named('ada ada', 'beginning', 2), ['Adam five', 'Cleo ada']);
      assert.deepEqual(await named('', 'beginning'), []);
    },
  );

  rule(
    'users are found by the beginning of any word of a name or email address, in any case and Unicode form',
    async (storage) => {
      const nameOf = new Map<string, string>();
      for (const [name, facts] of Object.entries(names)) nameOf.set((await storedUser(storage, facts)).id, name);
      for (const [typed, expected] of Object.entries(searches)) {
        const ids = await found(storage, 'pageUsers', typed);
        assert.deepEqual(ids.map((id) => nameOf.get(id)).sort(), [...expected].sort(), `"${typed}"`);
      }
    },
  );

  rule('clients are found by any part of their name, by ID and by host', async (storage) => {
    const redirectUris = ['https://Photos.example:8443/cb', 'https://alt.example/cb', 'com.example.app:/callback'];
    const app = await storedClient(storage, { id: 'photo_1', name: 'Ada’s Photo Álbum', redirectUris });
    await storedClient(storage, { id: 'photox1', name: 'Other', redirectUris: ['https://other.example/cb'] });
    const searches = [
      'photo_',
      'photo_1',
      'ada',
      'PHOTO A\u0301',
      'álb',
      'lb',
      'oto',
      'OTO A\u0301L',
      'bum',
      '’s ph',
      'bum ada',
      'photos.ex',
      'photos.example',
      'alt.',
      'ALT.EXAMPLE',
    ];
    for (const typed of searches) assert.deepEqual(await found(storage, 'pageClients', typed), [app.id], typed);
    for (const typed of ['example', 'cb', '8443', 'com.', 'https', 'photo%']) {
      assert.deepEqual(await found(storage, 'pageClients', typed), [], typed);
    }
    assert.equal((await found(storage, 'pageClients', 'photo')).length, 2);
  });

  rule("users and clients with the same ID aren't mixed up", async (storage) => {
    const user = await storedUser(storage, { name: 'Shared Person' });
    const client = await storedClient(storage, { id: user.id, name: 'Shared App' });
    const both = async () => [
      (await found(storage, 'pageUsers', 'shared')).length,
      (await found(storage, 'pageClients', 'shared')).length,
    ];
    assert.deepEqual(await both(), [1, 1]);
    await storage.deleteUser(user.id, anEvent());
    assert.deepEqual(await both(), [0, 1]);
    await storage.deleteClient(client.id, anEvent());
    assert.deepEqual(await both(), [0, 0]);
  });
}

function wordRules(rule: Rule): void {
  /** Those of the texts that find something. */
  const finding = async (storage: Storage, list: Subject['list'], ...texts: string[]) => {
    const hits = await Promise.all(
      texts.map(async (text) => ((await found(storage, list, text)).length > 0 ? text : '')),
    );
    return hits.filter(Boolean);
  };

  rule('a user is found by their current names only', async (storage) => {
    const user = await storedUser(storage, {
      name: 'Ada Byron',
      givenName: 'Ada',
      familyName: 'Byron',
      email: 'c@a.example',
    });
    const change = aProfile({ name: 'Countess Lovelace', givenName: 'Augusta' });
    assert.equal(await storage.changeProfile(user.id, change, start + 1, anEvent()), true);
    const texts = ['ada', 'byron', 'countess', 'lovelace', 'augusta', 'c@a'];
    assert.deepEqual(await finding(storage, 'pageUsers', ...texts), ['countess', 'lovelace', 'augusta', 'c@a']);
  });

  rule('a user is found by their current email address only', async (storage) => {
    const user = await storedUser(storage, { name: 'Ada', email: 'old@a.example' });
    await storedUser(storage, { email: 'taken@a.example' });
    const link = await storedLink(storage, { purpose: 'change_email', userId: user.id });
    const change = (email: string) => storage.changeEmail(user, email, link.digest, start, anEvent());
    await assert.rejects(change('Taken@a.example'), StorageConflict);
    assert.deepEqual(await finding(storage, 'pageUsers', 'old@', 'new@', 'ada'), ['old@', 'ada']);
    assert.equal(await change('New@a.example'), true);
    assert.deepEqual(await finding(storage, 'pageUsers', 'old@', 'new@', 'ada'), ['new@', 'ada']);
  });

  rule('users who signed up with a link, or are disabled, are found', async (storage) => {
    const link = await storedLink(storage);
    const user = { ...(await storedUser(storage)), id: 'newcomer', email: 'newcomer@a.example', name: 'New Comer' };
    const signedUp = await storage.signUp(user, { digest: link.digest, purpose: 'sign_up' }, start, anEvent());
    assert.equal(signedUp, true);
    await storage.disableUser(user.id, start, anEvent());
    assert.deepEqual(await finding(storage, 'pageUsers', 'new c', 'comer', 'newcomer@'), [
      'new c',
      'comer',
      'newcomer@',
    ]);
  });

  rule("a deleted record isn't found, even if its ID is reused", async (storage) => {
    const user = await storedUser(storage, { name: 'Old Name', email: 'old@a.example' });
    await storage.deleteUser(user.id, anEvent());
    assert.deepEqual(await found(storage, 'pageUsers', 'old'), []);
    await restoredUser(storage, { ...user, name: 'New Name', email: 'new@a.example' });
    assert.deepEqual(await finding(storage, 'pageUsers', 'old', 'name', 'new'), ['name', 'new']);
  });

  rule('a client is found by its current name and hosts only', async (storage) => {
    const client = await storedClient(storage, { name: 'Oldname', redirectUris: ['https://oldhost.example/cb'] });
    const texts = ['oldname', 'oldhost', 'newname', 'newhost', client.id];
    const update = async (change: Parameters<Storage['updateClient']>[1]) =>
      storage.updateClient((await storage.findClient(client.id)) ?? client, change, start + 1, anEvent());
    assert.deepEqual(await finding(storage, 'pageClients', ...texts), ['oldname', 'oldhost', client.id]);
    await update({ name: 'Newname' });
    assert.deepEqual(await finding(storage, 'pageClients', ...texts), ['oldhost', 'newname', client.id]);
    await update({ redirectUris: ['https://newhost.example/cb'] });
    await update({ scopes: ['openid'] });
    assert.deepEqual(await finding(storage, 'pageClients', ...texts), ['newname', 'newhost', client.id]);
    await storage.revokeClient(client.id, start, anEvent());
    assert.deepEqual(await finding(storage, 'pageClients', ...texts), ['newname', 'newhost', client.id]);
    await storage.deleteClient(client.id, anEvent());
    assert.deepEqual(await finding(storage, 'pageClients', ...texts), []);
  });

  rule('concurrent renames leave the words of one name', async (storage) => {
    const user = await storedUser(storage, { name: 'Name' });
    const letters = [...'abcdefghij'];
    await Promise.all(letters.map((letter) => people.rename(storage, user.id, `${letter}name`)));
    const words = await finding(storage, 'pageUsers', ...letters.map((letter) => `${letter}name`));
    assert.deepEqual(words, [(await storage.findUser(user.id))?.name]);
  });
}
