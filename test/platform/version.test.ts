// Builds name their commit, wherever git keeps it.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { versionIn } from '../../src/platform/version.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-version-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const commit = '0123456789abcdef0123456789abcdef01234567';
const main = 'ref: refs/heads/main\n';
const built = '0.4.0-dev+0123456';

const places: readonly [why: string, files: Readonly<Record<string, string>>, expected: string][] = [
  ['a release', { 'src/bundle/commit': `${commit}\n`, '.git/HEAD': 'f'.repeat(40) }, built],
  ['a branch', { '.git/HEAD': main, '.git/refs/heads/main': `${commit}\n` }, built],
  ['a commit without a branch', { '.git/HEAD': `${commit}\n` }, built],
  ['packed branches', { '.git/HEAD': main, '.git/packed-refs': `# pack-refs\n${commit} refs/heads/main\n` }, built],
  [
    'a worktree',
    {
      '.git': 'gitdir: repository/worktrees/here\n',
      'repository/worktrees/here/HEAD': main,
      'repository/worktrees/here/commondir': '../..\n',
      'repository/refs/heads/main': commit,
    },
    built,
  ],
  ['no repository', {}, '0.4.0-dev'],
  ['a branch without a commit', { '.git/HEAD': main }, '0.4.0-dev'],
  ['something else', { '.git/HEAD': 'ref: ../../../etc/passwd\n', 'src/bundle/commit': '<b>\n' }, '0.4.0-dev'],
];

for (const [number, [why, files, expected]] of places.entries()) {
  test(`${why} is ${expected}`, () => {
    const place = join(folder, String(number));
    for (const [file, text] of Object.entries({ ...files, 'package.json': '{"version":"0.4.0-dev"}' })) {
      mkdirSync(dirname(join(place, file)), { recursive: true });
      writeFileSync(join(place, file), text);
    }
    assert.equal(versionIn(pathToFileURL(`${place}/`)), expected);
  });
}
