import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { copyFileSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { breachedPasswords } from '../../../src/platform/breached-passwords/breached-passwords.ts';
import { FilterFile } from '../../../src/platform/breached-passwords/filter-file.ts';
import {
  bitsOf,
  bitsPerHash,
  type FilterHeader,
  FilterUnusable,
  formatHeader,
  layoutOf,
  leafPage,
  pageSize,
} from '../../../src/platform/breached-passwords/filter-format.ts';
import { ascending, sha1, temporaryFolder, writeFilter } from '../../harness/breaches.ts';

const folder = temporaryFolder();
const file = join(folder, 'filter');
/** More than one group of leaves. */
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

const bits = new Uint16Array(bitsPerHash);
function isIn(bytes: Buffer, leaf: number, each: Buffer): boolean {
  const start = leafPage(leaf) * pageSize;
  bitsOf(each, bits);
  for (const bit of bits) if ((((bytes[start + (bit >>> 3)] ?? 0) >>> (bit & 7)) & 1) === 0) return false;
  return true;
}

describe('a filter of 300,000 passwords', () => {
  let filter: FilterFile;
  before(async () => {
    filter = await FilterFile.open(file);
  });
  after(() => filter.close());

  test('has a page for 1,120 of them', () => {
    assert.equal(layoutOf(header).groups, 2);
    assert.equal(statSync(file).size, layoutOf(header).pages * pageSize);
    assert.ok((8 * statSync(file).size) / size < 29.8, 'bits for each');
  });

  test('contains all of them', async () => {
    const bytes = readFileSync(file);
    const missing = hashes.filter((each, number) => !isIn(bytes, Math.floor(number / 1120), each));
    assert.equal(missing.length, 0);
    const first = 204 * 1120;
    const some = [...hashes.slice(0, 3), ...hashes.slice(first - 3, first + 3), ...hashes.slice(-3)];
    for (let at = 0; at < size; at += 997) some.push(hashes[at] as Buffer);
    for (const each of some) assert.equal(await filter.has(each), true);
  });

  test('has about one false positive in a million', () => {
    assert.ok(header.falsePositives > 6e-7 && header.falsePositives < 1e-6, String(header.falsePositives));
    const bytes = readFileSync(file);
    let found = 0;
    const tried = 1_000_000;
    let random = sha1('');
    for (let number = 0; number < tried; number++) {
      // Each SHA-512 hash is good for three others.
      if (number % 3 === 0) random = hash('sha512', `not a password ${number}`, 'buffer');
      const each = random.subarray((number % 3) * 20);
      if (isIn(bytes, each.readUInt32BE(0) % header.leaves, each)) found++;
    }
    assert.ok(found <= 5, `${found} of ${tried}`);
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
    assert.match(readFileSync(file).toString('latin1'), /^latchkey breached passwords 1\n\{"hashes":300000,/);
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
      change: (bytes) => edited(bytes, (copy) => copy.write('2', 'latchkey breached passwords '.length)),
      problem: /another version/,
    },
    {
      name: 'altered in its header',
      change: (bytes) => edited(bytes, (copy) => copy.write('9', copy.indexOf('"hashes":') + 9)),
      problem: /altered or damaged, at byte 0/,
    },
    ...[1, 100, 205, 260].map((page) => ({
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
