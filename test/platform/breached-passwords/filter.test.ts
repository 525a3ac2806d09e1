import assert from 'node:assert/strict';
import {
  closeSync,
  copyFileSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { breachedPasswords } from '../../../src/platform/breached-passwords/breached-passwords.ts';
import { FilterFile } from '../../../src/platform/breached-passwords/filter-file.ts';
import {
  type FilterHeader,
  FilterUnusable,
  falsePositivesOf,
  formatHeader,
  pageSize,
} from '../../../src/platform/breached-passwords/filter-format.ts';
import { FilterWriter } from '../../../src/platform/breached-passwords/filter-writer.ts';
import { ascending, sha1, temporaryFolder, writeFilter } from '../../harness/breaches.ts';

const folder = temporaryFolder();
const file = join(folder, 'filter');
const size = 300_000;
const password = (number: number) => `password ${number}`;
let hashes: Buffer[];
let header: FilterHeader;
/** The passwords of the first and of the last hash. */
let smallest: string;
let greatest: string;
before(() => {
  hashes = Array.from({ length: size }, (_, number) => sha1(password(number)));
  const numberOf = (order: number) =>
    hashes.reduce((best, each, at) => (Buffer.compare(each, hashes[best] as Buffer) === order ? at : best), 0);
  smallest = password(numberOf(-1));
  greatest = password(numberOf(1));
  hashes = ascending(hashes);
  header = writeFilter(file, hashes);
});

/** Counts the reads of all files from here on. */
async function countReads(t: TestContext): Promise<() => number> {
  const handle = await open(file);
  const { mock } = t.mock.method(Object.getPrototypeOf(handle), 'read');
  await handle.close();
  return () => {
    const count = mock.callCount();
    mock.resetCalls();
    return count;
  };
}

describe('a filter of 300,000 passwords', () => {
  let filter: FilterFile;
  before(async () => {
    filter = await FilterFile.open(file);
  });
  after(() => filter.close());

  test('has a page for 511 of them', () => {
    assert.equal(statSync(file).size, (1 + Math.ceil(size / 511)) * pageSize);
  });

  test('has all of them, and reads a few pages for each', async (t) => {
    const some = [...hashes.slice(0, 3), ...hashes.slice(509, 513), ...hashes.slice(-3)];
    for (let at = 0; at < size; at += 97) some.push(hashes[at] as Buffer);
    const reads = await countReads(t);
    let most = 0;
    let all = 0;
    for (const each of some) {
      assert.equal(await filter.has(each), true);
      const count = reads();
      most = Math.max(most, count);
      all += count;
    }
    assert.ok(most <= 8, `at most ${most}`);
    assert.ok(all / some.length < 3, `${all / some.length} on average`);
  });

  test('takes a hash for one of them if the first eight bytes are the same', async () => {
    const other = (byte: number) =>
      edited(hashes[1000] as Buffer, (copy) => copy.writeUInt8((copy[byte] ?? 0) ^ 1, byte));
    assert.deepEqual([await filter.has(other(8)), await filter.has(other(7))], [true, false]);
    assert.equal(falsePositivesOf(header), size / 2 ** 64);
  });

  test('contains nothing else, before the first and after the last included', async () => {
    const others = [sha1('before').fill(0, 0, 4), sha1('after').fill(0xff, 0, 4)];
    for (let number = 0; number < 500; number++) others.push(sha1(`another ${number}`));
    for (const other of others) assert.equal(await filter.has(other), false);
  });

  test('is identical when built from the same list', () => {
    const [one, other] = [join(folder, 'one'), join(folder, 'other')];
    for (const each of [one, other]) writeFilter(each, hashes.slice(0, 5000));
    assert.deepEqual(readFileSync(one), readFileSync(other));
  });

  test('has a readable header', () => {
    assert.match(readFileSync(file).toString('latin1'), /^latchkey breached passwords 2\n\{"hashes":300000,/);
  });
});

test('a filter of one password contains only that one', async () => {
  const small = join(folder, 'small');
  writeFilter(small, [sha1('hunter2')]);
  const breaches = breachedPasswords(small);
  assert.equal(await breaches.has('hunter2'), true);
  assert.equal(await breaches.has('hunter3'), false);
  await breaches.close();
});

test('a password is looked up in its hashed form', async () => {
  const small = join(folder, 'forms');
  writeFilter(small, [sha1('café au lait')]);
  const breaches = breachedPasswords(small);
  assert.equal(await breaches.has('cafe\u0301 au lait'), true);
  await breaches.close();
});

describe('an unusable file is reported at startup', () => {
  const damage: { name: string; change: (bytes: Buffer) => Buffer | undefined; problem: RegExp }[] = [
    { name: 'missing', change: () => undefined, problem: /doesn't exist/ },
    { name: 'empty', change: () => Buffer.alloc(0), problem: /is not a file that/ },
    { name: 'a list of hashes', change: () => Buffer.from(`${'0'.repeat(40)}:1\n`), problem: /is not a file that/ },
    { name: 'cut off in its header', change: (bytes) => bytes.subarray(0, 100), problem: /is cut short/ },
    { name: 'cut off in a page', change: (bytes) => bytes.subarray(0, -1), problem: /is cut short/ },
    { name: 'without its last page', change: (bytes) => bytes.subarray(0, -pageSize), problem: /is cut short/ },
    { name: 'continued', change: (bytes) => Buffer.concat([bytes, Buffer.alloc(1)]), problem: /is too long/ },
    {
      name: 'of another version',
      change: (bytes) => edited(bytes, (copy) => copy.write('1', 'latchkey breached passwords '.length)),
      problem:
        /another version of Latchkey\. Build it again: "latchkey passwords build-filter pwnedpasswords\.txt \/.*damaged"$/,
    },
    {
      name: 'altered in its header',
      change: (bytes) => edited(bytes, (copy) => copy.write('9', copy.indexOf('"hashes":') + 9)),
      problem: /altered or damaged, at byte 0/,
    },
    ...[1, 100, 205, 588].map((page) => ({
      name: `altered in page ${page}`,
      change: (bytes: Buffer) =>
        edited(bytes, (copy) => copy.writeUInt8((copy[page * pageSize + 9] ?? 0) ^ 4, page * pageSize + 9)),
      problem: new RegExp(`altered or damaged, at byte ${page * pageSize}`),
    })),
    {
      name: 'with pages in the wrong places',
      change: (bytes) => edited(bytes, (copy) => copy.copyWithin(pageSize, 2 * pageSize, 3 * pageSize)),
      problem: /altered or damaged, at byte 4096/,
    },
    {
      name: 'put together from two files',
      change: (bytes) => edited(bytes, (copy) => formatHeader({ ...header, digest: '0'.repeat(64) }).copy(copy)),
      problem: /put together from different files/,
    },
  ];
  for (const { name, change, problem } of damage) {
    test(name, async () => {
      const damaged = join(folder, 'damaged');
      const bytes = change(readFileSync(file));
      if (bytes === undefined) rmSync(damaged, { force: true });
      else writeFileSync(damaged, bytes);
      const breaches = breachedPasswords(damaged);
      await assert.rejects(
        breaches.prepare(),
        (error) => error instanceof FilterUnusable && problem.test(error.message),
      );
      await breaches.close();
    });
  }

  test('a folder', async () => {
    await assert.rejects(breachedPasswords(folder).prepare(), /can't be read \(EISDIR\)/);
  });
});

function edited(bytes: Buffer, edit: (copy: Buffer) => unknown): Buffer {
  const copy = Buffer.from(bytes);
  edit(copy);
  return copy;
}

describe('hashes that are not as expected cost a bounded number of reads', () => {
  const write = (name: string, chosen: readonly Buffer[]) => {
    const descriptor = openSync(join(folder, name), 'w');
    const writer = new FilterWriter(descriptor, 1);
    for (const each of chosen) writer.add(each);
    writer.finish();
    closeSync(descriptor);
    return FilterFile.open(join(folder, name));
  };

  test('when they are not spread evenly', async (t) => {
    // Six of seven begin with zeros.
    const uneven = ascending(
      hashes.slice(0, 200_000).map((each, at) => edited(each, (copy) => copy.fill(0, 0, at % 7))),
    );
    const filter = await write('uneven', uneven);
    const reads = await countReads(t);
    for (let at = 0; at < uneven.length; at += 499) {
      assert.equal(await filter.has(uneven[at] as Buffer), true);
      assert.ok(reads() <= 8 + 9);
    }
    await filter.close();
  });

  test('when all are the same', async () => {
    const filter = await write(
      'same',
      Array.from({ length: 2000 }, () => sha1('same')),
    );
    assert.deepEqual([await filter.has(sha1('same')), await filter.has(sha1('other'))], [true, false]);
    await filter.close();
  });

  test('when they are not in order', async (t) => {
    const filter = await write('unsorted', hashes.toReversed());
    const reads = await countReads(t);
    for (let at = 0; at < size; at += 4999) {
      await filter.has(hashes[at] as Buffer);
      assert.ok(reads() <= 8 + 10);
    }
    await filter.close();
  });
});

test('a page damaged while in use only fails lookups in that page', async () => {
  const used = join(folder, 'used');
  copyFileSync(file, used);
  const breaches = breachedPasswords(used);
  await breaches.prepare();
  const bytes = readFileSync(used);
  bytes.fill(0xff, pageSize, 2 * pageSize);
  writeFileSync(used, bytes);
  await assert.rejects(breaches.has(smallest), FilterUnusable);
  assert.equal(await breaches.has(greatest), true);
  truncateSync(used, 0);
  await assert.rejects(breaches.has(greatest), FilterUnusable);
  await breaches.close();
});

test("a replaced file is used at the next lookup, unless it's invalid", async () => {
  const [place, next] = [join(folder, 'place'), join(folder, 'next')];
  const replaceWith = (passwords: string[]) => {
    writeFilter(next, passwords.map(sha1));
    renameSync(next, place);
  };
  replaceWith(['first']);
  const breaches = breachedPasswords(place);
  await breaches.prepare();
  assert.deepEqual(await breaches.refresh(), { kind: 'unchanged' });

  replaceWith(['second', 'third']);
  assert.equal(await breaches.has('first'), true, 'not yet');
  assert.deepEqual(await breaches.refresh(), { kind: 'replaced', hashes: 2 });
  assert.equal(await breaches.has('first'), false);
  assert.equal(await breaches.has('third'), true);

  writeFileSync(next, 'something else');
  renameSync(next, place);
  assert.equal((await breaches.refresh()).kind, 'unusable');
  assert.deepEqual(await breaches.refresh(), { kind: 'unchanged' }, 'reported once');
  assert.equal(await breaches.has('third'), true, 'the earlier file stays in use');

  rmSync(place);
  assert.deepEqual(await breaches.refresh(), { kind: 'unchanged' });
  assert.equal(await breaches.has('third'), true);

  replaceWith(['fourth']);
  assert.deepEqual(await breaches.refresh(), { kind: 'replaced', hashes: 1 });
  await breaches.close();
});

test('lookups beyond the queue fail at once', async () => {
  const breaches = breachedPasswords(file);
  const results = await Promise.allSettled(Array.from({ length: 150 }, (_, number) => breaches.has(password(number))));
  const failed = results.filter((result) => result.status === 'rejected');
  assert.equal(failed.length, 50);
  assert.ok(results.every((result) => result.status === 'rejected' || result.value));
  assert.equal(await breaches.has(password(1)), true, 'later ones succeed');
  await breaches.close();
});
