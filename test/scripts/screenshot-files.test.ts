// npm run screenshots writes into the folder that it is given, and into the checkout only when asked to.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import {
  checksumOfSources,
  dated,
  docsImage,
  docsImages,
  readScreenshotOptions,
  screenshotFile,
} from '../../scripts/screenshot-files.ts';
import { looks } from '../harness/browser.ts';
import { root } from '../harness/command.ts';
import { sites } from '../harness/pages/sites.ts';

const pages = ['consent', 'sign-in', 'console-busy'];
const filesOf = (args: string[]) => {
  const options = readScreenshotOptions(args);
  return pages.flatMap((page) =>
    looks.flatMap(({ name }) =>
      [screenshotFile(options, page, name), docsImage(options, root, page, name) ?? []].flat(),
    ),
  );
};

test('without arguments, files go into a new temporary folder', (t) => {
  const options = readScreenshotOptions([]);
  t.after(() => rmSync(options.folder, { recursive: true }));
  assert.equal(dirname(options.folder), tmpdir());
  assert.ok(existsSync(options.folder));
  assert.deepEqual([options.only, options.updateDocs], [undefined, false]);
});

test("all files go into the given folder, including the README's consent page", () => {
  const files = filesOf(['/tmp/pictures']);
  assert.deepEqual(new Set(files.map((file) => dirname(file))), new Set(['/tmp/pictures']));
  assert.equal(files.length, pages.length * looks.length);
  assert.ok(files.includes('/tmp/pictures/consent-phone-light.png'));
});

test('a relative folder is resolved from the working directory', () => {
  assert.equal(readScreenshotOptions(['pictures']).folder, resolve('pictures'));
});

test("--update-docs takes the README's pages and replaces its images", () => {
  const { only } = readScreenshotOptions(['/tmp/pictures', '--update-docs']);
  assert.deepEqual(only, Object.keys(docsImages));
  for (const name of only ?? [])
    assert.ok(
      sites.some(({ pageNames }) => pageNames.includes(name)),
      name,
    );
  const images = ['consent', 'sign-in', 'console-busy'].map((name) => join(root, `docs/images/${name}.png`));
  const files = filesOf(['/tmp/pictures', '--update-docs']);
  assert.deepEqual(
    files.filter((file) => dirname(file) !== '/tmp/pictures'),
    images,
  );
  assert.deepEqual(
    filesOf(['/tmp/pictures', '--update-docs', '--language', 'de']).filter((file) => dirname(file) !== '/tmp/pictures'),
    [],
    'they are in English',
  );
});

test('the README shows each of its images, which are small, and describes it', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const shown = [...readme.matchAll(/<img src="docs\/images\/([a-z-]+)\.png" width="\d+" alt="([^"]{40,})">/g)];
  assert.deepEqual(shown.map(([, name]) => name).sort(), Object.keys(docsImages).sort());
  assert.equal(shown.length, 4);
  for (const name of Object.keys(docsImages)) {
    assert.ok(statSync(join(root, `docs/images/${name}.png`)).size < 150_000, name);
  }
});

test("the README's picture of the console shows it as it is", () => {
  assert.equal(
    readFileSync(join(root, dated.checksum), 'utf8').trim(),
    checksumOfSources(root),
    'the page or its styles changed: take the picture again with npm run screenshots -- --update-docs',
  );
});

test('one page can be selected, and anything else is wrong usage', () => {
  assert.equal(readScreenshotOptions(['/tmp/pictures', '--only', 'consent']).only?.join(), 'consent');
  for (const args of [['--update'], ['a', 'b'], ['--only']]) assert.throws(() => readScreenshotOptions(args));
});
