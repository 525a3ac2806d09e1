// Attributes of people: values are merged, a deleted attribute leaves none behind, and claims change together with it.

import assert from 'node:assert/strict';
import type { ApplicationClaim } from '../../../src/protocol/oauth/application-claims.ts';
import { type Attribute, type Storage, StorageConflict } from '../../../src/storage/storage.ts';
import { aClient, anEvent, aUser, hasEvent, later, type Rule, start, storedClient, storedUser } from '../records.ts';

let made = 0;

export function anAttribute(overrides: Partial<Attribute> = {}): Attribute {
  return {
    name: `attribute_${++made}`,
    label: 'Label “ü”',
    kind: 'text',
    editableBy: 'administrator',
    allowedValues: null,
    createdAt: start,
    updatedAt: start,
    ...overrides,
  };
}

async function storedAttribute(storage: Storage, overrides: Partial<Attribute> = {}): Promise<Attribute> {
  const attribute = anAttribute(overrides);
  assert.ok(await storage.createAttribute(attribute, 50, anEvent()));
  return attribute;
}

const claimOf = ({ name, createdAt }: Attribute, selfAsserted = false): ApplicationClaim => ({
  claim: 'department',
  label: null,
  idToken: false,
  source: 'attribute',
  attribute: { name, since: createdAt },
  selfAsserted,
});

async function valuesOf(storage: Storage, id: string): Promise<unknown> {
  return (await storage.findUser(id))?.attributes;
}

/** Sets values as an administrator does. */
async function edit(storage: Storage, id: string, patch: Record<string, string | number | null>, by: Attribute[]) {
  const user = await storage.findUser(id);
  assert.ok(user);
  return storage.editUser(id, user, user, later, anEvent(), { patch, checkedBy: by });
}

export function attributeRules(rule: Rule): void {
  rule('an attribute is found as it was stored, and listed by name', async (storage) => {
    const second = await storedAttribute(storage, { name: 'b_c', kind: 'list', allowedValues: ['x', 'ü'] });
    const first = await storedAttribute(storage, { name: 'b', editableBy: 'person' });
    assert.deepEqual(await storage.findAttribute('b_c'), second);
    assert.deepEqual(await storage.listAttributes(), [first, second]);
    assert.equal(await storage.findAttribute('nothing'), undefined);
    await assert.rejects(storage.createAttribute(anAttribute({ name: 'b' }), 50, anEvent()), StorageConflict);
  });

  rule('there are never more than the limit, even if many are created at once', async (storage) => {
    const events = Array.from({ length: 12 }, () => anEvent({ kind: 'attribute_created' }));
    const created = await Promise.all(events.map((event) => storage.createAttribute(anAttribute(), 5, event)));
    assert.equal(created.filter(Boolean).length, 5);
    assert.equal((await storage.listAttributes()).length, 5);
    for (const [index, event] of events.entries()) assert.equal(await hasEvent(storage, event), created[index]);
  });

  rule('of concurrent changes of different attributes, none is lost', async (storage) => {
    const user = await storedUser(storage);
    const attributes = await Promise.all(
      Array.from({ length: 20 }, () => storedAttribute(storage, { kind: 'number' })),
    );
    await edit(storage, user.id, Object.fromEntries(attributes.map(({ name }) => [name, -1])), attributes);
    const written = attributes.map((each, index) =>
      edit(storage, user.id, { [each.name]: index % 4 === 0 ? null : index }, [each]),
    );
    assert.deepEqual(
      await Promise.all(written),
      attributes.map(() => true),
    );
    const expected = attributes.flatMap(({ name }, index) => (index % 4 === 0 ? [] : [[name, index]]));
    assert.deepEqual(await valuesOf(storage, user.id), Object.fromEntries(expected));
    assert.equal((await storage.findUser(user.id))?.updatedAt, later);
  });

  rule('values survive the way in and out', async (storage) => {
    const [user, other] = [await storedUser(storage), await storedUser(storage)];
    const attribute = await storedAttribute(storage);
    for (const value of ['', '"\\{}[]', 'ü 𝒳 \u00a0', 'a,b', '$.x', 0, -1.5, 1e21, 5e-324, 1.7976931348623157e308]) {
      assert.ok(await edit(storage, user.id, { [attribute.name]: value }, [attribute]));
      assert.deepEqual(await valuesOf(storage, user.id), { [attribute.name]: value });
    }
    const list = { patch: { [attribute.name]: ['b', 'a', 'b'], flag: false }, checkedBy: [attribute] };
    assert.ok(await storage.editUser(user.id, user, user, later, anEvent(), list));
    assert.deepEqual(await valuesOf(storage, user.id), { [attribute.name]: ['b', 'a', 'b'], flag: false });
    assert.deepEqual(await valuesOf(storage, other.id), {});
  });

  rule('a value checked by an attribute that has changed since is refused, wherever it comes from', async (storage) => {
    const user = await storedUser(storage);
    const ways = {
      edit: (by: Attribute) => edit(storage, user.id, { [by.name]: 'x' }, [by]),
      profile: (by: Attribute) =>
        storage.changeProfile(user.id, user, later, anEvent(), { patch: { [by.name]: 'x' }, checkedBy: [by] }),
      create: (by: Attribute) => storage.createUser(aUser({ attributes: { [by.name]: 'x' } }), anEvent(), [by]),
      import: (by: Attribute) => {
        const imported = aUser({ attributes: { [by.name]: 'x' } });
        return storage.importUsers('test', [{ oldId: imported.id, user: imported }], later, anEvent(), {
          checkedBy: [by],
        });
      },
    };
    const count = async () => (await storage.listUsers()).length;
    for (const [name, way] of Object.entries(ways)) {
      const limited = await storedAttribute(storage, { editableBy: 'person' });
      assert.ok(await way(limited), name);
      const before = [await valuesOf(storage, user.id), await count()];
      // Another label doesn't matter to values.
      assert.ok(await storage.changeAttribute(limited, { label: 'Other' }, [], later, [anEvent()]));
      assert.ok(await way(limited), name);
      const renamed = await storage.findAttribute(limited.name);
      assert.ok(renamed);
      assert.ok(await storage.changeAttribute(renamed, { editableBy: 'administrator' }, [], later, [anEvent()]));
      assert.equal(await way(limited), false, name);
      const closed = { ...limited, editableBy: 'administrator' } as const;
      const stored = await storage.findAttribute(limited.name);
      assert.ok(stored);
      assert.ok(await storage.changeAttribute(stored, { allowedValues: ['x'] }, [], later, [anEvent()]));
      assert.equal(await way(closed), false, name);
      const known = { ...closed, allowedValues: ['x'] };
      assert.ok(await way(known), name);
      const last = await storage.findAttribute(limited.name);
      assert.ok(last);
      assert.ok(await storage.deleteAttribute(last, [], later, [anEvent()]));
      assert.equal(await way(known), false, name);
      assert.deepEqual(await valuesOf(storage, user.id), before[0]);
    }
  });

  rule(
    'a deleted attribute is gone at once; its values go some people at a time, and then its name is free',
    async (storage) => {
      const [doomed, kept] = [await storedAttribute(storage), await storedAttribute(storage)];
      const people = await Promise.all(
        Array.from({ length: 7 }, (_, index) => {
          const attributes = { [kept.name]: 'stays', ...(index % 3 > 0 && { [doomed.name]: 'goes' }) };
          return storedUser(storage, { attributes, updatedAt: index === 1 ? later + 5 : start });
        }),
      );
      const event = anEvent({ kind: 'attribute_deleted' });
      assert.ok(await storage.deleteAttribute(doomed, [], later, [event]));
      assert.ok(await hasEvent(storage, event));
      assert.equal(await storage.deleteAttribute(doomed, [], later, [anEvent()]), false);
      assert.equal(await storage.findAttribute(doomed.name), undefined);
      assert.deepEqual(await storage.listAttributes(), [kept]);
      const left = async () => {
        const users = await Promise.all(people.map(({ id }) => storage.findUser(id)));
        return users.filter((user) => Object.hasOwn(user?.attributes ?? {}, doomed.name)).length;
      };
      const again = () => storage.createAttribute(anAttribute({ name: doomed.name }), 50, anEvent());
      let steps = 0;
      let before = await left();
      assert.equal(before, 4);
      while (await storage.clearDeletedAttribute(2)) {
        const now = await left();
        assert.ok(before - now <= 2, 'in small steps');
        before = now;
        if (++steps < 3) await assert.rejects(again(), StorageConflict);
      }
      // Two people at a time, and a last step that finds nobody after them or fewer.
      assert.equal(steps, 4);
      assert.equal(before, 0);
      for (const [index, { id }] of people.entries()) {
        const user = await storage.findUser(id);
        assert.deepEqual(user?.attributes, { [kept.name]: 'stays' });
        assert.equal(user?.updatedAt, index === 1 ? later + 5 : index % 3 > 0 ? later : start);
      }
      assert.ok(await again());
    },
  );

  rule('several processes clear at the same time without harm', async (storage) => {
    const doomed = await storedAttribute(storage);
    const people = await Promise.all(
      Array.from({ length: 20 }, () => storedUser(storage, { attributes: { [doomed.name]: 'goes' } })),
    );
    await storage.deleteAttribute(doomed, [], later, [anEvent()]);
    const clear = async () => {
      while (await storage.clearDeletedAttribute(3));
    };
    await Promise.all([clear(), clear(), clear()]);
    for (const { id } of people) assert.deepEqual(await valuesOf(storage, id), {});
    assert.equal(await storage.clearDeletedAttribute(3), false);
  });

  rule('claims of clients change together with the attribute, or nothing does', async (storage) => {
    const { name } = await storedAttribute(storage);
    const client = await storedClient(storage, { claims: [claimOf({ ...anAttribute(), name })] });
    const attribute = await storage.findAttribute(name);
    assert.ok(attribute);
    const marked = [{ client, claims: [claimOf(attribute, true)] }];
    const stale = [{ client: { ...client, updatedAt: client.updatedAt - 1 }, claims: [] }];
    assert.equal(await storage.changeAttribute(attribute, { editableBy: 'person' }, stale, later, [anEvent()]), false);
    assert.equal(await storage.deleteAttribute(attribute, stale, later, [anEvent()]), false);
    assert.deepEqual(await storage.findAttribute(attribute.name), attribute);

    assert.ok(await storage.changeAttribute(attribute, { editableBy: 'person' }, marked, later, [anEvent()]));
    const changed = await storage.findClient(client.id);
    assert.deepEqual(changed?.claims, [claimOf(attribute, true)]);
    assert.ok(changed);
    const opened = await storage.findAttribute(attribute.name);
    assert.ok(opened);
    assert.deepEqual([opened.editableBy, opened.updatedAt], ['person', later]);
    // It has changed since it was read.
    assert.equal(
      await storage.deleteAttribute(attribute, [{ client: changed, claims: [] }], later, [anEvent()]),
      false,
    );
    assert.ok(await storage.deleteAttribute(opened, [{ client: changed, claims: [] }], later, [anEvent()]));
    assert.deepEqual((await storage.findClient(client.id))?.claims, []);
  });

  rule('a claim that is added at the same moment is never left without its attribute', async (storage) => {
    for (let round = 0; round < 10; round++) {
      const attribute = await storedAttribute(storage);
      const client = aClient({ claims: [claimOf(attribute)] });
      const [created, deleted, opened] = await Promise.all([
        storage.createClient(client, undefined, anEvent()),
        storage.deleteAttribute(attribute, [], later, [anEvent()]),
        storage.changeAttribute(attribute, { editableBy: 'person' }, [], later, [anEvent()]),
      ]);
      // Whoever comes second looks at everything again.
      assert.equal([created, deleted, opened].filter(Boolean).length, 1);
    }
  });
}
