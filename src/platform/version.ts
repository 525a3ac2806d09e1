// Which build this is: the version of package.json and, where it's known, the commit, so that no two builds look alike.

import { readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const commitForm = /^[0-9a-f]{40,64}$/;

let known: string | undefined;

/** Such as 0.4.0-dev+1a2b3c4: of what was started, even if the checkout has moved on. */
export function ownVersion(): string {
  known ??= versionIn(root);
  return known;
}

export function versionIn(place: URL): string {
  const { version } = JSON.parse(readFileSync(new URL('package.json', place), 'utf8'));
  const commit = commitIn(place);
  return commit === undefined ? version : `${version}+${commit.slice(0, 7)}`;
}

/** What a release names in a file, and a checkout in git's own files. Neither is there in an installation without git's folder. */
function commitIn(place: URL): string | undefined {
  const released = textOf(new URL('src/bundle/commit', place));
  if (released !== undefined) return released.match(commitForm)?.[0];
  // In a worktree, it's a file that names the folder.
  const [, elsewhere] = /^gitdir: (.+)$/.exec(textOf(new URL('.git', place)) ?? '') ?? [];
  const folder = elsewhere === undefined ? new URL('.git/', place) : new URL(`${elsewhere}/`, place);
  const head = textOf(new URL('HEAD', folder)) ?? '';
  const [, branch] = /^ref: (refs\/[\w./-]+)$/.exec(head) ?? [];
  if (branch === undefined) return head.match(commitForm)?.[0];
  const shared = new URL(`${textOf(new URL('commondir', folder)) ?? '.'}/`, folder);
  const packed = textOf(new URL('packed-refs', shared))?.split('\n') ?? [];
  const named = textOf(new URL(branch, shared)) ?? packed.find((line) => line.endsWith(` ${branch}`))?.split(' ')[0];
  return named?.match(commitForm)?.[0];
}

/** Undefined for what isn't there, is a folder or can't be read. */
function textOf(file: URL): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
