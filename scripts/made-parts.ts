// What a release has ready, and a checkout makes when it's first needed: the documents and their search, and the icons that are in
// use. So a release doesn't need the packages that these are made with.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { iconNames } from '../src/pages/components/icon.ts';

const madeWith: readonly string[] = ['heroicons', 'highlight.js', 'marked'];

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

interface Lock {
  readonly packages: Readonly<Record<string, Partial<Manifest> & { readonly dev?: boolean }>>;
}

export interface Manifests {
  readonly manifest: Manifest;
  readonly lock: Lock;
}

/** By their path in the release. */
export function madeParts(root: string): ReadonlyMap<string, string> {
  return new Map([...documents(root), ...icons(root)]);
}

function documents(root: string): readonly (readonly [string, string])[] {
  const script = join(root, 'src/http/docs/make-documents.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  });
  if (status !== 0) throw new Error(`The documents can't be made: ${stderr}`);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => {
      const end = line.indexOf('\t');
      return [`src/bundle/docs/${line.slice(0, end)}.json`, line.slice(end + 1)];
    });
}

function icons(root: string): readonly (readonly [string, string])[] {
  return iconNames.map((name) => [
    `src/bundle/icons/${name}.svg`,
    readFileSync(join(root, `node_modules/heroicons/24/outline/${name}.svg`), 'utf8'),
  ]);
}

/** package.json and package-lock.json without what only these parts are made with. */
export function manifestsOf(manifest: Manifest, lock: Lock): Manifests {
  const without = <Value>(values: Readonly<Record<string, Value>> = {}, prefix = '') =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !madeWith.some((each) => name === prefix + each)));
  const { '': own = {}, ...packages } = without(lock.packages, 'node_modules/');
  return {
    manifest: { ...manifest, dependencies: without(manifest.dependencies) },
    lock: { ...lock, packages: { '': { ...own, dependencies: without(own.dependencies) }, ...packages } },
  };
}
