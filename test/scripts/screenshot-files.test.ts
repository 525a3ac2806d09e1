// npm run screenshots writes into the folder that it is given, and into the checkout only when asked to.

import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { readScreenshotOptions, screenshotFiles } from '../../scripts/screenshot-files.ts';
import { looks } from '../harness/browser.ts';
import { root } from '../harness/command.ts';

const pages = ['consent', 'sign-in', 'console-overview'];
const filesOf = (args: string[]) => {
  const options = readScreenshotOptions(args);
  return pages.flatMap((page) => looks.flatMap((look) => screenshotFiles(options, root, page, look.name)));
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

test("--update-docs also updates the README's image", () => {
  const image = join(root, 'docs/images/consent.png');
  assert.ok(existsSync(image), 'the documents have it');
  const files = filesOf(['/tmp/pictures', '--update-docs']);
  assert.deepEqual(
    files.filter((file) => dirname(file) !== '/tmp/pictures'),
    [image],
  );
});

test('one page can be selected, and anything else is wrong usage', () => {
  assert.equal(readScreenshotOptions(['/tmp/pictures', '--only', 'consent']).only, 'consent');
  for (const args of [['--update'], ['a', 'b'], ['--only']]) assert.throws(() => readScreenshotOptions(args));
});
