// The directions of the house: which folder may import which. A new edge is a decision, made here.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { test } from 'node:test';
import { root } from './harness/command.ts';

const source = join(root, 'src');
const storageInterface = 'storage/storage.ts';

/** For each folder: the folders, files, built-in modules and packages that it may import. */
const allowed: Record<string, { inside: string[]; builtIn: string[] | 'any'; packages: string[] }> = {
  protocol: { inside: ['protocol'], builtIn: ['node:crypto'], packages: [] },
  storage: {
    inside: ['protocol', 'storage'],
    builtIn: ['node:crypto', 'node:fs', 'node:sqlite', 'node:worker_threads'],
    packages: ['pg'],
  },
  operations: { inside: ['protocol', 'operations', storageInterface, 'platform (types)'], builtIn: [], packages: [] },
  pages: { inside: ['pages', 'protocol (types)'], builtIn: [], packages: ['qr', 'marked'] },
  platform: {
    inside: ['platform', 'protocol'],
    builtIn: 'any',
    packages: ['nodemailer', '@simplewebauthn/server'],
  },
  http: {
    inside: ['http', 'operations', 'pages', 'protocol', storageInterface, 'platform/passwords.ts'],
    builtIn: ['node:crypto', 'node:fs', 'node:http', 'node:net', 'node:timers/promises'],
    packages: ['fastify', '@fastify/proxy-addr', 'typebox', 'typebox/compile'],
  },
  cli: {
    inside: ['cli', 'http', 'operations', 'pages', 'platform', 'protocol', 'storage'],
    builtIn: 'any',
    packages: ['fastify (types)'],
  },
};

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const statements = text.matchAll(/^(?:import|export)\s+(type\s)?([^;]*?)from\s+'([^']+)'/gm);
  const dynamic = text.matchAll(/\bimport\('([^']+)'\)/g);
  const resolved = (to: string) => {
    return to.startsWith('.')
      ? relative(source, resolve(dirname(file), to))
          .split(sep)
          .join('/')
      : to;
  };
  const from = relative(source, file).split(sep).join('/');
  return [
    ...[...statements].map(([, type, names = '', to = '']) => {
      // `import { type A, type B }` imports types alone, too.
      const bound = names
        .replace(/[{}\s]+/g, ' ')
        .trim()
        .split(/\s*,\s*/)
        .filter(Boolean);
      const typeOnly = type !== undefined || (bound.length > 0 && bound.every((name) => name.startsWith('type ')));
      return { from, to: resolved(to), typeOnly };
    }),
    ...[...dynamic].map(([, to = '']) => ({ from, to: resolved(to), typeOnly: false })),
  ];
}

function isAllowed({ from, to, typeOnly }: Import): boolean {
  const rules = allowed[from.split('/')[0] ?? ''];
  if (rules === undefined) return false;
  if (to.startsWith('node:')) return rules.builtIn === 'any' || rules.builtIn.includes(to);
  if (/^[@a-z]/.test(to) && !to.includes('.ts')) {
    return rules.packages.includes(to) || (typeOnly && rules.packages.includes(`${to} (types)`));
  }
  const folder = to.split('/')[0] ?? '';
  return (
    rules.inside.includes(folder) ||
    rules.inside.includes(to) ||
    (typeOnly && rules.inside.includes(`${folder} (types)`))
  );
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join(source, name));

test('imports go in the directions of the design', () => {
  const wrong = files.flatMap(importsOf).filter((edge) => !isAllowed(edge));
  assert.deepEqual(
    wrong.map((edge) => `${edge.from} -> ${edge.to}`),
    [],
  );
});

test('the rule notices a forbidden edge', () => {
  assert.equal(isAllowed({ from: 'protocol/x.ts', to: 'storage/sql.ts', typeOnly: false }), false);
  assert.equal(isAllowed({ from: 'operations/x.ts', to: 'storage/sqlite.ts', typeOnly: true }), false);
  assert.equal(isAllowed({ from: 'operations/x.ts', to: 'platform/keys.ts', typeOnly: false }), false);
  assert.equal(isAllowed({ from: 'protocol/x.ts', to: 'node:fs', typeOnly: false }), false);
  assert.ok(files.flatMap(importsOf).length > 100, 'imports are found');
});

test('only the two drivers know which engine it is', () => {
  for (const file of files) {
    const name = relative(source, file);
    // The configuration has to name what it is about; the command line chooses and explains.
    if (/^storage[/\\](sqlite|postgres)/.test(name) || /^(cli|platform[/\\]config)/.test(name)) continue;
    assert.equal(/sqlite|postgres/i.test(readFileSync(file, 'utf8')), false, name);
  }
});

test('storage never offers a transaction with an await inside', () => {
  for (const file of files) assert.equal(/transaction\(async/.test(readFileSync(file, 'utf8')), false, file);
});
